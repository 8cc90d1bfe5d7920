# Two commands do everything: `make reproduce` and `make test`. `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

CORES ?= 4
CONFIG ?= config/config.yaml
FOLDER ?= .
BIN := .venv/bin
PIP = $(1)/bin/python -m pip --disable-pip-version-check --quiet
SNAKEMAKE = PATH="$(abspath $(BIN)):$$PATH" $(BIN)/snakemake
PARALLEL := --numprocesses auto --maxprocesses 4 --dist worksteal
STUDY := studies/many-data-sets

# An upgrade of the system may have taken away the Python of an environment: it is rebuilt.
$(foreach made,$(wildcard .venv/.runtime .venv-cluster/.ready .venv-3.*/.ready),$(if \
  $(shell $(dir $(made))bin/python -c 'print(1)' 2>/dev/null),,$(shell rm -f $(made))))

# Report and verification need no .venv where the active environment (conda's, say) has the packages.
PACKAGES := ("snakemake", "numba", "pandas", "pyarrow", "pydantic", "yaml")
ifeq (,$(wildcard .venv/.project))
ACTIVE := $(shell python -c 'import sys; from importlib.util import find_spec; \
  sys.exit(not all(map(find_spec, $(PACKAGES))))' 2>/dev/null && dirname "$$(command -v python)")
endif
MADE := $(if $(ACTIVE),,.venv/.project)
report verify: BIN := $(or $(ACTIVE),$(BIN))

# A failed run has unlocked its folder: what is locked still, another run has locked.
RUN = $(SNAKEMAKE) $(1) || { test -z "$$(ls $(2)/.snakemake/locks 2>/dev/null)" || echo "The folder is \
  locked: if no other run is at work in it (one was killed), unlock it by '$(BIN)/snakemake --unlock \
  --directory $(2)' and start again." >&2; exit 1; }

.PHONY: help reproduce quick many-data-sets report verify test tests test-slow test-pythons test-slurm lint style types bench docs dist clean schema verdict lock
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | column -t -s '|'

reproduce: .venv/.project ## Run the whole experiment, then its report: open results/index.html
	$(call RUN,--cores $(CORES),.)
	@$(MAKE) --no-print-directory report

quick: .venv/.project ## A small run in half a minute, into quick/results
	$(call RUN,--cores $(CORES) --directory quick --configfile config/quick.yaml,quick)

many-data-sets: .venv/.project ## Tables and figure of the study of many data sets, from its kept results
	$(call RUN,--cores $(CORES) --snakefile $(STUDY)/Snakefile --directory $(STUDY) --forceall,$(STUDY))

report: $(MADE) ## results/report.html from the results that are there (own data: CONFIG=mine.yaml FOLDER=mine)
	@PYTHONWARNINGS=ignore $(SNAKEMAKE) --directory $(FOLDER) --configfile $(CONFIG) --quiet all \
	  --report results/report.html --report-stylesheet $(CURDIR)/workflow/report/report.css
	@echo "How each figure was made: $(FOLDER)/results/report.html"

verify: $(MADE) ## Say whether results/ has the published numbers, or which differ and by how much
	@$(BIN)/python tests/verify.py

test: .venv/.test style ## The checks for every change: style, types, unit tests, a small whole run
	@$(MAKE) --no-print-directory --jobs 2 types tests

tests: .venv/.test
	$(BIN)/pytest -m "not slow" $(PARALLEL)

test-slow: .venv/.test ## What make test leaves out: browser, LaTeX, faults, simulations, more bad input
	$(BIN)/pytest -m slow -rs $(PARALLEL)
	HYPOTHESIS_PROFILE=more $(BIN)/pytest -m "not slow" $(PARALLEL) tests/kappacurve/test_invariants.py

test-pythons: .venv-3.11/.ready .venv-3.12/.ready .venv-3.13/.ready ## The unit tests on each Python
	for version in 3.11 3.12 3.13; do .venv-$$version/bin/pytest -m "not slow" --ignore=tests/workflow $(PARALLEL); done

test-slurm: .venv-cluster/.ready ## Run a sweep on a Slurm of one node, started for it (needs root)
	@tests/slurm/possible.sh
	tests/slurm/run.sh .venv-cluster/bin/python

lint: style types ## Run the checks that need no run: ruff, snakefmt, snakemake --lint, mypy

types: .venv/.test
	$(BIN)/mypy

style: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow $(STUDY)/Snakefile
	$(BIN)/oxlint --quiet --deny-warnings src/kappacurve/explorer/page.js $(wildcard docs/_static/*.js)
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(SNAKEMAKE) --lint
	$(BIN)/lint-imports

bench: .venv/.test ## Time measures, resamples and the command: benchmarks/results.md (two minutes)
	$(BIN)/python benchmarks/bench.py

docs: .venv/.docs ## Build the documentation site, docs/_build/index.html
	$(BIN)/sphinx-build -q -E -W --keep-going docs docs/_build

dist: .venv/.docs ## Build the wheel and the source archive into dist/, and check them
	rm -rf build dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*

clean: ## Remove all results but the downloaded data
	find results -mindepth 1 -maxdepth 1 ! -name README.md ! -name data -exec rm -r {} +

schema: .venv/.project ## For maintainers: write the editors' schema of the config from src/study/settings
	$(BIN)/python tools/write_schema.py

verdict: .venv/.project ## For maintainers: docs/verdict.md and its figures from the results of a run
	$(BIN)/python tools/write_verdict.py

lock: ## For maintainers: renew requirements/ and environment.yml from pyproject.toml (needs uv)
	tools/lock.sh

# ---- the environments: rebuilt when a lock changes ----

# Snakemake's immutables has no wheel for Python 3.14 yet, so a clone stays below it.
FIND_PYTHON = for p in python3 python3.13 python3.12 python3.11 python; do \
  if "$$p" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
    2>/dev/null; then echo "$$p"; exit 0; fi; done; \
  echo "kappacurve needs Python 3.11, 3.12 or 3.13 with the venv module (Debian: apt install python3-venv)." >&2; \
  exit 1
# A lock holds every package. Without --no-deps an old pip resolves extras again, finds releases newer
# than the lock and refuses them for want of a hash.
INSTALL_LOCK = $(call PIP,$(1)) install --no-deps --require-hashes --no-build-isolation -r requirements/$(2).lock
INSTALL_PROJECT = $(call PIP,$(1)) install --no-build-isolation --no-deps --editable .
CHECK = $(call PIP,$(1)) check >/dev/null

.venv/.runtime: requirements/build.lock requirements/runtime.lock
	@python=$$($(FIND_PYTHON)); \
	echo "Making .venv with $$("$$python" --version): about a minute and 1.2 GB of disk, once."; \
	"$$python" -m venv --clear .venv
	@$(call INSTALL_LOCK,.venv,build)
	@$(call INSTALL_LOCK,.venv,runtime)
	@$(call CHECK,.venv)
	@touch $@

.venv/.project: .venv/.runtime pyproject.toml
	@$(call INSTALL_PROJECT,.venv)
	@touch $@

.venv/.test .venv/.docs: .venv/.%: .venv/.project requirements/%.lock
	@echo "Adding the tools of requirements/$*.lock to .venv."
	@$(call INSTALL_LOCK,.venv,$*)
	@$(call CHECK,.venv)
	@touch $@

.venv-3.%/.ready: requirements/build.lock requirements/test.lock pyproject.toml
	@"python3.$*" -m venv --clear ".venv-3.$*"
	@$(call INSTALL_LOCK,.venv-3.$*,build)
	@$(call INSTALL_LOCK,.venv-3.$*,test)
	@$(call INSTALL_PROJECT,.venv-3.$*)
	@$(call CHECK,.venv-3.$*)
	@touch $@

# Apart from .venv, so that nobody gets the executor who has not asked for it.
.venv-cluster/.ready: requirements/build.lock requirements/cluster.lock
	@python=$$($(FIND_PYTHON)); "$$python" -m venv --clear .venv-cluster
	@$(call INSTALL_LOCK,.venv-cluster,build)
	@$(call INSTALL_LOCK,.venv-cluster,cluster)
	@$(call CHECK,.venv-cluster)
	@touch $@
