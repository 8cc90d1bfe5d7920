# Two commands do everything: `make reproduce` and `make test`. `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

CORES ?= 4
BIN := .venv/bin
# A lock holds every package. Without --no-deps an old pip resolves extras again, finds releases newer
# than the lock and refuses them for want of a hash.
LOCKED := -m pip --disable-pip-version-check --quiet install --no-deps --require-hashes --no-build-isolation -r
EDITABLE := -m pip --disable-pip-version-check --quiet install --no-deps --no-build-isolation --editable .
CHECK := -m pip --disable-pip-version-check check
SNAKEMAKE = PATH="$(abspath $(BIN)):$$PATH" $(BIN)/snakemake

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
report verify artefact kit: BIN := $(or $(ACTIVE),$(BIN))

# A failed run has unlocked its folder: what is locked still, another run has locked.
RUN = $(SNAKEMAKE) $(1) || { test -z "$$(ls $(2)/.snakemake/locks 2>/dev/null)" || echo "The folder is \
  locked: if no other run is at work in it (one was killed), unlock it by '$(BIN)/snakemake --unlock \
  --directory $(2)' and start again." >&2; exit 1; }

BENCH ?=
AGAINST ?=
WIDTH ?= 240pt
FONT ?= serif
HEADLINE ?= none
CONFIG ?=
FOLDER ?= .

.PHONY: help reproduce quick many-data-sets report kit verify reference test tests test-all test-slow test-faults test-pythons test-slurm lint style types coverage bench scale docs dist artefact clean schema address lock
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | column -t -s '|'

reproduce: .venv/.project ## Run the whole experiment, then its report: open results/index.html
	$(call RUN,--cores $(CORES),.)
	@$(MAKE) --no-print-directory report
	@echo "Open results/index.html: the answer, and the way to everything else."

quick: .venv/.project ## A small run in about two minutes, into quick/results
	$(call RUN,--cores $(CORES) --directory quick --configfile config/quick.yaml,quick)

many-data-sets: .venv/.project ## Which measure picks the better model? The study's results from its kept cells: studies/
	$(call RUN,--cores $(CORES) --snakefile studies/$@/Snakefile --directory studies/$@ --forceall,studies/$@)

report: $(MADE) ## Make results/report.html from the results that are there
	@mkdir -p results/logs
	@PYTHONWARNINGS=ignore $(SNAKEMAKE) --report results/report.html \
	  --report-stylesheet workflow/report/report.css >results/logs/report.log 2>&1 || \
	  { cat results/logs/report.log; exit 1; }
	@# Snakemake's search looks into paths alone: labels, too.
	@sed -i.orig 's/for (const columnValue in columns)/for (const columnValue of Object.values(result.labels || {}))/' \
	  results/report.html && rm results/report.html.orig
	@echo "The report is results/report.html."

kit: $(MADE) ## For a LaTeX paper, into results/kit: WIDTH=252pt FONT=sans (own data: CONFIG=mine.yaml FOLDER=mine)
	@$(SNAKEMAKE) --cores 1 --quiet --directory $(FOLDER) --configfile $(or $(CONFIG),config/config.yaml) \
	  --config 'document={kit: {width: $(WIDTH), font: $(FONT), headline: $(HEADLINE)}}' -- results/kit
	@echo "Paste $(FOLDER)/results/kit/snippet.tex; its README.md says what lies beside it."

verify: $(MADE) ## Compare results/ with the reference values (AGAINST=manifest.json or artefact.zip: with another run)
	@PYTHONPATH=src $(BIN)/python tools/verify_results.py $(if $(AGAINST),--against $(AGAINST))

reference: .venv/.project ## For maintainers: make the run in results/ the reference of make verify
	@$(BIN)/python tools/verify_results.py --renew
	@PYTHONPATH=src $(BIN)/python tools/write_findings.py

PARALLEL := --numprocesses auto --maxprocesses 4 --dist worksteal

test: .venv/.test style ## The checks for every change: style, types, unit tests, a small whole run
	@$(MAKE) --no-print-directory --jobs 2 types tests

tests: .venv/.test
	$(BIN)/pytest -m "not slow" $(PARALLEL)

test-slow: .venv/.test ## What make test leaves out: browser, LaTeX, faults, simulations, more bad input
	$(BIN)/pytest -m slow -rs $(PARALLEL)
	HYPOTHESIS_PROFILE=more $(BIN)/pytest -m "not slow" $(PARALLEL) tests/kappacurve/test_invariants.py

test-faults: .venv/.test ## Kill a run at twenty random times; each must end as a fresh one (twenty minutes)
	KILLS=20 $(BIN)/pytest -m slow tests/workflow/test_faults.py -k killed_at_any_time

test-all: test test-slow test-pythons ## Every check there is, on Slurm too where it can be started
	@if tests/slurm/possible.sh; then $(MAKE) --no-print-directory test-slurm; fi

test-pythons: .venv/.test ## The unit tests on each other Python from 3.11 to 3.13 that is installed
	@for version in 3.11 3.12 3.13; do \
	  if $(BIN)/python -c "import sys; sys.exit(sys.version.startswith('$$version.'))" && \
	    "python$$version" -c 'import ensurepip, venv' 2>/dev/null; then \
	    $(MAKE) --no-print-directory ".venv-$$version/.ready"; \
	    ".venv-$$version/bin/pytest" -m "not slow" --ignore=tests/workflow --numprocesses auto --maxprocesses 4; \
	  fi; done

test-slurm: ## Run a sweep on a Slurm of one node, started for it (needs root)
	@tests/slurm/possible.sh
	@$(MAKE) --no-print-directory .venv-cluster/.ready
	tests/slurm/run.sh .venv-cluster/bin/python

lint: style types ## Run the checks that need no run: ruff, snakefmt, snakemake --lint, mypy

types: .venv/.test
	$(BIN)/mypy

style: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow $(STUDY)/Snakefile
	$(BIN)/oxlint --quiet --deny-warnings src/kappacurve/explorer/kappa.js src/kappacurve/explorer/page.js docs/_static/opening.js docs/_static/pictures.js
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(SNAKEMAKE) --lint
	$(SNAKEMAKE) --lint --snakefile $(STUDY)/Snakefile

# Compiled loops are counted where they run uncompiled, in the tests that do not take ages so.
coverage: .venv/.test ## Branch coverage of src/ by the unit tests (seven minutes)
	rm -f .coverage .coverage.*
	COVERAGE_FILE=.coverage.compiled $(BIN)/pytest -q --ignore=tests/workflow --cov --cov-report=
	NUMBA_DISABLE_JIT=1 COVERAGE_FILE=.coverage.python $(BIN)/pytest -q --cov --cov-report= \
	  tests/kappacurve/test_kernels.py tests/study/models/test_network.py
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --skip-covered --show-missing

bench: .venv/.test ## Time measures, replicates, the command and the run: benchmarks/results.md (15 minutes)
	$(BIN)/python benchmarks/bench.py $(BENCH)

scale: .venv/.test ## Time planning, sweeps of some sizes, and summaries (a quarter of an hour, 4 GB of disk)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/bench_dag.py
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/bench_growth.py
	$(BIN)/python benchmarks/bench_gather.py

docs: .venv/.docs ## Build the documentation site, docs/_build/index.html, and check its links
	$(BIN)/sphinx-build -q -E -W --keep-going docs docs/_build
	$(BIN)/python tools/check_site.py

dist: .venv/.docs ## Build the wheel and the source archive into dist/, and check them
	rm -rf build dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*
	@$(BIN)/python -m zipfile -e dist/*.whl build/wheel
	cd build/wheel && "$(CURDIR)/$(BIN)/python" -c "from kappacurve.cli.main import main; main(['--version'], prog_name='kappacurve')"

artefact: $(MADE) ## Pack the run in results/ for reviewers and archives: results/artefact.zip
	@$(BIN)/python tools/make_artefact.py

clean: ## Remove all results but the downloaded data
	find results -mindepth 1 -maxdepth 1 ! -name README.md ! -name data -exec rm -r {} +

schema: .venv/.project ## For maintainers: write the editors' schema of the config from src/study/settings
	$(BIN)/python tools/write_schema.py

address: ## For maintainers: write the repository's address in pyproject.toml into CITATION.cff
	@address=$$(sed -n 's/^Repository = "\(.*\)"/\1/p' pyproject.toml); \
	sed -i "s|^repository-code: .*|repository-code: $$address|" CITATION.cff

lock: ## For maintainers: renew requirements/ and environment.yml from pyproject.toml (needs uv)
	tools/lock.sh

# ---- the environment: rebuilt when a lock changes ----

FIND_PYTHON = for p in python3 python3.13 python3.12 python3.11 python; do \
  if "$$p" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
    2>/dev/null; then echo "$$p"; exit 0; fi; done; \
  echo "kappacurve needs Python 3.11, 3.12 or 3.13 with the venv module (Debian: apt install python3-venv)." >&2; \
  exit 1

.venv/.runtime: requirements/build.lock requirements/runtime.lock
	@python=$$($(FIND_PYTHON)); \
	echo "Making .venv with $$("$$python" --version): about a minute and 1.2 GB of disk, once."; \
	"$$python" -m venv --clear .venv
	@$(BIN)/python $(LOCKED) requirements/build.lock
	@$(BIN)/python $(LOCKED) requirements/runtime.lock
	@$(BIN)/python $(CHECK) >/dev/null
	@touch $@

.venv/.project: .venv/.runtime pyproject.toml
	@$(BIN)/python $(EDITABLE)
	@touch $@

.venv/.test: .venv/.project requirements/test.lock
	@echo "Adding the test tools to .venv."
	@$(BIN)/python $(LOCKED) requirements/test.lock
	@$(BIN)/python $(CHECK) >/dev/null
	@touch $@

.venv-3.%/.ready: requirements/build.lock requirements/test.lock pyproject.toml
	@"python3.$*" -m venv --clear ".venv-3.$*"
	@".venv-3.$*/bin/python" $(LOCKED) requirements/build.lock
	@".venv-3.$*/bin/python" $(LOCKED) requirements/test.lock
	@".venv-3.$*/bin/python" $(EDITABLE)
	@".venv-3.$*/bin/python" $(CHECK) >/dev/null
	@touch $@

.venv/.docs: .venv/.project requirements/docs.lock
	@echo "Adding the documentation tools to .venv."
	@$(BIN)/python $(LOCKED) requirements/docs.lock
	@$(BIN)/python $(CHECK) >/dev/null
	@touch $@

# Apart from .venv, so that nobody gets the executor who has not asked for it.
.venv-cluster/.ready: requirements/build.lock requirements/cluster.lock
	@echo "Making .venv-cluster, which adds the Slurm executor to the locked environment."
	@python=$$($(FIND_PYTHON)); "$$python" -m venv --clear .venv-cluster
	@.venv-cluster/bin/python $(LOCKED) requirements/build.lock
	@.venv-cluster/bin/python $(LOCKED) requirements/cluster.lock
	@.venv-cluster/bin/python $(CHECK) >/dev/null
	@touch $@
