"""Cases on constructed curves and on splits: stored values, and small ones by hand."""

import numpy as np
import pytest
from pytest import approx

from study.experiment.measures import measure_replicates
from study.paper import cases
from study.paper.cases import cases_table, is_maximum_unique


def test_cases_are_the_stored_ones_and_those_of_the_splits(kept, tables):
    measures = measure_replicates(kept)
    table = cases_table(measures, kept).set_index("key")
    stored = tables["cases"].set_index("key").loc["one_cost":"auk_range", ["value", "cases"]]
    assert table.loc[stored.index, ["value", "cases"]].to_numpy() == approx(
        stored.to_numpy(), abs=1e-6
    )
    areas = measures.query("curve == 'hull' and positive_class == 'minority' and model == 'linear'")
    row = table.loc["correlation_linear"]
    r = np.corrcoef(areas["auc"], areas["auk"])[0, 1]
    ends = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(147))
    assert row[["value", "low", "high", "cases"]].tolist() == approx([r, *ends, 150], abs=1e-4)
    assert table.loc["unique_maximum", "cases"] == 300


def test_splits_of_one_class_and_correlations_of_three_are_left_out(kept):
    few = kept[kept["replicate"] < 4]
    measures = measure_replicates(few)
    changed = few.assign(minority=few["minority"].where(few["replicate"] != 2, 1))
    changed["minority"] = changed["minority"].where(few["replicate"] != 3, 0)
    keys = set()
    for n_splits in (4, 3):
        table = cases_table(measures[measures["replicate"] < n_splits], changed)
        table = table.set_index("key")
        assert table.loc["unique_maximum", "cases"] == 4  # two splits of two models
        keys ^= set(table.index)
    assert keys == {"correlation_linear", "correlation_neural_net"}


@pytest.mark.parametrize(
    ("positive", "score", "unique"),
    [
        ([1, 0, 1, 0], [4, 3, 2, 1], False),  # kappa 0, 1/2, 0, 1/2, 0
        ([1, 1, 0, 0], [4, 3, 2, 1], True),
        ([1, 0, 1, 0], [4, 3, 3, 1], False),  # 0, 1/2, 1/2, 0
        ([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], True),
    ],
)
def test_the_largest_kappa_is_reached_once_or_more(positive, score, unique):
    found = is_maximum_unique(np.array(positive), np.array(score, dtype=float))
    assert found == unique


@pytest.mark.parametrize(
    ("key", "name", "wrong", "value"),
    [
        ("one_cost", "kappa_from_rates", lambda kappa: kappa + 1e-6, 1e-6),
        ("class_moves_auk", "area_under_kappa", lambda _: 0.5, 0),
        ("skew_moves_auk", "area_under_kappa", lambda _: 0.5, 500),
    ],
)
def test_a_wrong_measure_is_found_out(key, name, wrong, value, kept, monkeypatch):
    right = getattr(cases, name)
    monkeypatch.setattr(cases, name, lambda *at: wrong(right(*at)))
    few = kept[kept["replicate"] < 5]
    table = cases_table(measure_replicates(few), few).set_index("key")
    assert table.loc[key, "value"] == approx(value)
