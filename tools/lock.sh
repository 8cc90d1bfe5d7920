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
python3 tools/write_environment.py
