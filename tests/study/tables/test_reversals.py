"""Rank reversals by hand; the interval of a share is SciPy's."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from study.printed import PAPER_PAIR
from study.tables.reversals import (
    COLUMNS,
    GAP_COLUMNS,
    reversals_by_gap,
    reversals_table,
    share_with_interval,
)

KEYS = ["pair", "curve", "positive_class", "pattern"]


def test_reversals_by_hand(make_replicates):
    """AUC: linear ahead, ahead, behind, tied, ahead. AUK: behind, ahead, ahead, behind, tied."""
    linear = {"auc": [0.8, 0.8, 0.6, 0.7, 0.8, np.nan], "auk": [0.1, 0.3, 0.3, 0.1, 0.2, 0.2]}
    network = {"auc": [0.7] * 6, "auk": [0.2] * 6}
    measures = make_replicates({"linear": linear, "neural_net": network})
    # The third reversal does not show on the hull of the minority.
    is_hull = (measures["curve"] == "hull") & (measures["positive_class"] == "minority")
    measures.loc[is_hull & (measures["replicate"] == 2), "auk"] = 0.2
    table = reversals_table(measures, PAPER_PAIR)
    assert list(table) == COLUMNS
    assert set(table["pattern"]) == {"any", "printed"}  # as large as printed only if asked for
    assert table.loc[table["pattern"] == "printed", "pair"].eq("auc-auk").all()
    found = table.set_index(KEYS)
    raw = found.loc["auc-auk", "raw", "majority", "any"]
    assert raw[["replicates", "reversals", "share"]].tolist() == [5, 2, 0.4]
    assert found.loc[("auc-auk", "raw", "majority", "printed"), "reversals"] == 1
    both = [
        found.loc[("auc-auk", "both", side, "any"), "reversals"]
        for side in ("majority", "minority")
    ]
    assert both == [2, 1]
    assert found.loc[("auc-h", "raw", "minority", "any"), "reversals"] == 0


def test_reversals_as_large_as_printed(make_replicates):
    """On the hull 0.0307 and 0.0081, on the raw curve 0.0446 and 0.0045: rounding aside, or not."""
    auc, auk = 0.0307, -0.0081
    linear = {"auc": 0.7 + np.array([auc, 2 * auc, 2 * auc, auc - 1e-4, -auc])}
    linear["auk"] = 0.2 + np.array([auk, 2 * auk, auk + 1e-4, 2 * auk, -auk])
    network = {"auc": np.full(5, 0.7), "auk": np.full(5, 0.2)}
    measures = make_replicates({"linear": linear, "neural_net": network})
    table = reversals_table(measures, PAPER_PAIR, as_large=True)
    counts = table[table["pattern"] == "as_large"].set_index(KEYS)["reversals"]
    assert len(counts) == 6
    assert counts["auc-auk", "hull", "majority", "as_large"] == 2
    # The raw curve needs a larger gap in AUC and a smaller one in AUK.
    assert counts["auc-auk", "raw", "majority", "as_large"] == 2
    assert counts["auc-auk", "both", "minority", "as_large"] == 1


def test_reversals_by_the_difference_in_auc(make_replicates):
    """AUC: ahead by .01, .019 (twice), .02, .05, .3, and behind by .01; a tie in AUK is none."""
    gaps = np.array([0.01, 0.019, 0.019, 0.02, 0.05, 0.3, -0.01])
    linear = {"auc": 0.7 + gaps, "auk": 0.2 + np.array([-0.1, -0.1, 0, -0.1, 0.1, 0.1, 0.1])}
    network = {"auc": np.full(7, 0.7), "auk": np.full(7, 0.2)}
    measures = make_replicates({"linear": linear, "neural_net": network})
    table = reversals_by_gap(measures, PAPER_PAIR)
    assert list(table) == GAP_COLUMNS and len(table) == 12
    rows = table[(table["curve"] == "hull") & (table["positive_class"] == "minority")]
    counts = rows[["gap_from", "gap_to", "replicates", "reversals"]].to_numpy().tolist()
    assert counts == [[0, 0.02, 4, 3], [0.02, 0.06, 2, 1], [0.06, 1, 1, 0]]
    expected = [0.019, 0.02, np.nan]
    assert rows["largest_gap"].tolist() == pytest.approx(expected, nan_ok=True)
    assert rows["share"].tolist() == [0.75, 0.5, 0]


@pytest.mark.parametrize("models", [["linear"], ["linear", "missing"]])
def test_one_model_has_no_order(models, make_replicates):
    measures = make_replicates({"linear": {"auc": [0.7]}})
    for make, columns in ((reversals_table, COLUMNS), (reversals_by_gap, GAP_COLUMNS)):
        table = make(measures, models)
        assert table.empty and list(table) == columns


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (2, 4), (0, 200), (31, 1000), (999, 1000)])
def test_the_interval_of_a_share_is_scipys(k, n):
    found = share_with_interval(k, n)
    interval = binomtest(k, n).proportion_ci(method="wilson")
    assert found["share"] == k / n
    assert (found["low"], found["high"]) == pytest.approx(tuple(interval), abs=1e-15)
    assert pd.isna(share_with_interval(0, 0)["share"])
