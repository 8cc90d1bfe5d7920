"""Golden values hold; those of the 1,000 splits are compared with a run by `make verify`."""

import shutil

import numpy as np
import pandas as pd
import pytest
from golden import ROOT, compute_values, differences, read_golden

GOLDEN = read_golden()
FAST = GOLDEN[GOLDEN["kind"] != "run"]
RUN = GOLDEN[GOLDEN["kind"] == "run"]
RESULTS = ROOT / "results"


@pytest.mark.parametrize("where", FAST["where"])
def test_golden_values_hold(where):
    row = FAST.set_index("where").loc[[where]].reset_index()
    assert [found for _, found in differences(row)] == []


@pytest.mark.skipif(not (RESULTS / "tables").is_dir(), reason="no run in results/")
def test_a_changed_third_digit_is_noticed(tmp_path):
    """Twenty random cells of the tables that are summed, one at a time."""
    sums = RUN[RUN["where"].str.endswith("| sum")]
    rng = np.random.default_rng()
    for where in rng.choice(sums["where"], 20):
        path, query, columns, _ = (part.strip() for part in where.split("|"))
        table = pd.read_csv(RESULTS / path)
        column = rng.choice(columns.split())
        cells = table.query(query)[column].dropna()
        cell = rng.choice(cells[cells != 0].index)
        step = 10.0 ** (np.floor(np.log10(abs(table.loc[cell, column]))) - 2)
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(RESULTS / path, tmp_path / path)
        row = GOLDEN[GOLDEN["where"] == where].copy()
        row["value"] = [compute_values("run", where, tmp_path)]
        table[column] = table[column].astype(float)
        table.loc[cell, column] += step
        table.to_csv(tmp_path / path, index=False)
        assert differences(row, tmp_path), (where, column, cell)
