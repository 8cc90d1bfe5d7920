#!/usr/bin/env bash
# make test-slurm: run.sh PYTHON, an interpreter with requirements/cluster.lock.
set -euo pipefail
here=$(dirname "$0")
folder=$(mktemp -d)
trap '"$here/down.sh" "$folder/slurm"; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
"$here/up.sh" "$folder/slurm"
if ! timeout 900 "$1" "$here/check.py" "$folder"; then
  tail -n 40 "$folder"/*/snakemake.log >&2
  exit 1
fi
