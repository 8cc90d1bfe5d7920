#!/usr/bin/env bash
# Renew the pins: requirements/{build,runtime,test,cluster,docs}.lock and environment.yml, all from pyproject.toml.
# Run by `make lock`; needs uv on the PATH. Nothing here is needed to use the project.
set -euo pipefail
cd "$(dirname "$0")/.."
# One version of each package for all Pythons ("fewest"), so that all locks and conda agree.
lock=(uv pip compile --universal --fork-strategy fewest --python-version 3.11
  --generate-hashes --no-header --no-annotate --quiet)

echo "setuptools>=80" | "${lock[@]}" - --output-file requirements/build.lock
"${lock[@]}" pyproject.toml --group pipeline --output-file requirements/runtime.lock
"${lock[@]}" pyproject.toml --group pipeline --group test \
  --constraint requirements/runtime.lock --output-file requirements/test.lock
"${lock[@]}" pyproject.toml --group pipeline --group cluster \
  --constraint requirements/runtime.lock --output-file requirements/cluster.lock
"${lock[@]}" pyproject.toml --group pipeline --group docs \
  --constraint requirements/test.lock --output-file requirements/docs.lock

# environment.yml: the direct dependencies of pyproject.toml at the versions of the lock.
python3 - <<'PYTHON'
import re
import tomllib
from pathlib import Path

CONDA_NAMES = {"matplotlib": "matplotlib-base"}
FROM_PYPI = {"typst", "pypandoc-binary"}  # what the conda channels lack or call otherwise
HEADER = """\
# For conda and mamba users: conda env create -f environment.yml
# Written by tools/lock.sh from pyproject.toml and requirements/runtime.lock.
name: kappacurve
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - python=3.12
"""
stated = tomllib.loads(Path("pyproject.toml").read_text())
listed = [*stated["project"]["dependencies"], *stated["dependency-groups"]["pipeline"]]
lock = Path("requirements/runtime.lock").read_text()
versions = dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ \\;]+)", lock, re.MULTILINE))
conda, pip = ["  - pip\n"], []
for name in (re.split(r"[<>=!~\[; ]", line)[0].lower() for line in listed):
    if name in FROM_PYPI:
        pip.append(f"      - {name}=={versions[name]}\n")
    else:
        conda.append(f"  - {CONDA_NAMES.get(name, name)}={versions[name]}\n")
text = HEADER + "".join(sorted(conda)) + "  - pip:\n" + "".join(sorted(pip))
Path("environment.yml").write_text(text)
PYTHON
