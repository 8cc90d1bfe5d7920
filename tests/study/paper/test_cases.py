"""Cases on constructed curves and on splits: stored values, and small ones by hand."""

import numpy as np
import pytest
from pytest import approx

from study.paper import cases
from study.paper.cases import cases_table, is_maximum_unique


def test_cases_are_the_stored_ones_and_those_of_the_splits(kept, measured, tables):
    table = cases_table(measured[0], kept).set_index("key")
    stored = tables["cases"].set_index("key").loc["one_cost":"auk_range", ["value", "cases"]]
    found = table.loc[stored.index, ["value", "cases"]]
    assert found.to_numpy() == approx(stored.to_numpy(), abs=1e-6)
    rows = measured[0].query("curve == 'hull' and positive_class == 'minority'")
    areas = rows[rows["model"] == "linear"]
    row = table.loc["correlation_linear"]
    r = np.corrcoef(areas["auc"], areas["auk"])[0, 1]
    ends = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(147))
    assert row[["value", "low", "high", "cases"]].tolist() == approx([r, *ends, 150], abs=1e-4)
    assert table.loc["unique_maximum", "cases"] == 300


def test_splits_of_one_class_and_correlations_of_three_are_left_out(kept, measured):
    measures = measured[0]
    few = kept[kept["replicate"] < 4].copy()
    few.loc[few["replicate"] == 2, "minority"] = 1
    few.loc[few["replicate"] == 3, "minority"] = 0
    keys = set()
    for n_splits in (4, 3):
        table = cases_table(measures[measures["replicate"] < n_splits], few).set_index("key")
        assert table.loc["unique_maximum", "cases"] == 4  # two splits of two models
        keys ^= set(table.index)
    assert keys == {"correlation_linear", "correlation_neural_net"}


@pytest.mark.parametrize(
    ("positive", "score", "unique"),
    [
        ([1, 0, 1, 0], [4, 3, 2, 1], False),  # kappa 0, 1/2, 0, 1/2, 0
        ([1, 0, 1, 0], [4, 3, 3, 1], False),  # 0, 1/2, 1/2, 0
        ([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], True),
    ],
)
def test_the_largest_kappa_is_reached_once_or_more(positive, score, unique):
    found = is_maximum_unique(np.array(positive), np.array(score, dtype=float))
    assert found == unique


def test_a_wrong_measure_is_found_out(monkeypatch):
    kappa, hulls = cases.kappa_from_rates, cases.random_hulls()
    monkeypatch.setattr(cases, "kappa_from_rates", lambda *rates: kappa(*rates) + 1e-6)
    monkeypatch.setattr(cases, "area_under_kappa", lambda *_: 0.5)
    assert cases.one_cost().value == approx(1e-6)
    assert cases.skew_moves_auk(hulls).value == 500
    assert next(cases.auk_of_both_classes(hulls)).value == 0
