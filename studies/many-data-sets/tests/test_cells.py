"""The code that made the cells makes them again."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import ttest_ind

from many_data_sets.cells import make_cells, significant_signs, write_cells
from many_data_sets.data_sets import read_data_set, read_declarations
from many_data_sets.results import compare_cells
from many_data_sets.scores import score_data_set

HOUSE = Path(__file__).parents[1]
CONFIG = yaml.safe_load((HOUSE / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_data_set_gives_its_kept_cells_again(tmp_path):
    """On another machine the last bits of a model may decide a tie, in a few cells."""
    rows = read_data_set(read_declarations(HOUSE / "data_sets.csv")["wdbc"], None)
    cells = make_cells(score_data_set(rows, "wdbc", CONFIG), "wdbc", CONFIG)
    write_cells(cells, "wdbc", CONFIG["main_n_positive"], tmp_path / "remade.csv")
    kept = pd.read_csv(HOUSE / "cells.csv.gz").query("data_set == 'wdbc'")
    kept.to_csv(tmp_path / "kept.csv", index=False)
    assert len(pd.read_csv(tmp_path / "remade.csv")) == len(kept)
    n_values = kept.loc[:, "auc":].size
    assert len(compare_cells(tmp_path / "kept.csv", tmp_path / "remade.csv")) < 0.01 * n_values


def test_a_significant_lead_is_that_of_welch(rng):
    """The lead is the mean over positives less that of the negatives' opposite."""
    apart = rng.normal(size=(400, 7)) + rng.normal(size=(400, 1)) * np.r_[1, 1, 1, -1, -1, -1, -1]
    apart[:, :3] += rng.uniform(-3, 3, size=(400, 1))
    test = ttest_ind(apart[:, :3], -apart[:, 3:], axis=1, equal_var=False)
    lead = apart[:, :3].mean(axis=1) + apart[:, 3:].mean(axis=1)
    expected = np.sign(lead) * (test.pvalue < 0.05)
    assert (significant_signs(apart, lead, 3) == expected).all()
    assert {*expected} == {-1, 0, 1}


def test_a_lead_by_rounding_is_no_finding():
    apart = np.full((1, 7), 1e-17) + np.arange(7) * 1e-19
    assert significant_signs(apart, np.array([5e-17]), 3) == 0
