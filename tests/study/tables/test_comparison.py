"""Tables of several models on one test set, against the package's own inference."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import kappacurve as kc
from study.replicates.evaluation import evaluate_measures
from study.tables import comparison
from study.tables.answer import leaders_of_one_split, threshold_row
from study.tables.comparison import (
    bounds_table,
    compare_models,
    one_split_table,
    threshold_table,
)
from study.text.tables import to_csv


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    positive = rng.random(120) < 0.25
    wide = {
        "row": range(1, 121),
        "minority": positive.astype(int),
        "fine": rng.normal(size=120) + 1.5 * positive,
        "tied": (rng.normal(size=120) + positive).round(),
        "worse": rng.normal(size=120) - 0.5 * positive,
    }
    long = pd.DataFrame(wide).melt(["row", "minority"], var_name="model", value_name="score")
    chance = 1 / (1 + np.exp(-long["score"]))
    return long.assign(probability=chance.where(long["model"] == "fine"))


def one_of(scores, model):
    one = scores[scores["model"] == model]
    return one["minority"].to_numpy(), one["score"].to_numpy()


def test_numbers_are_those_of_the_package_in_any_order_of_rows(scores):
    options = {"seed": 1, "prevalence": 0.1, "cost_ratio": 10, "n_resamples": 50}
    result, turned = (compare_models(rows, **options) for rows in (scores, scores.iloc[::-1]))
    by_key = [
        comparison.interval_table(one).set_index(["model", "measure"]).sort_index()
        for one in (result, turned)
    ]
    pd.testing.assert_frame_equal(*by_key)
    y, fine = one_of(scores, "fine")
    expected = kc.auk_score(y, fine, prevalence=0.1, cost_ratio=10)
    assert by_key[0].loc[("fine", "auk"), "value"] == pytest.approx(expected)
    table = threshold_table(result, scores, {"fine": "decision function"})
    assert set(table["measure"]) == {"kappa_max", "expected_loss"}
    scales = dict(zip(table["model"], table["scale"], strict=True))
    assert scales == {"fine": "decision function", "tied": "as given", "worse": "as given"}
    assert table.query("model == 'tied'")["probability"].isna().all()
    alone = compare_models(scores.query("model == 'tied'"), seed=1, n_resamples=2)
    assert leaders_of_one_split(alone) == [] and comparison.test_table(alone).empty


@pytest.mark.parametrize(("rows", "resamples"), [(20_000, 2000), (20_001, 1000)])
def test_many_rows_have_fewer_resamples(rows, resamples, monkeypatch):
    asked = []
    monkeypatch.setattr(comparison, "compare", lambda *_, **more: asked.append(more["n_resamples"]))
    own = {"row": range(rows), "minority": [1] + [0] * (rows - 1), "model": "a", "score": 0.5}
    for wanted in (None, 7):
        compare_models(pd.DataFrame(own), seed=1, n_resamples=wanted)
    assert asked == [resamples, 7]


def test_one_split_gives_either_class_its_table_with_tests_against_the_best(scores):
    """Of the majority: the same ranking of the rows, turned round, at the other prevalence."""
    options = {"seed": 1, "prevalence": 0.1, "n_resamples": 50, "trained_at": {"fine": 0.25}}
    sides = ("majority", "minority")
    results = {side: compare_models(scores, positive_class=side, **options) for side in sides}
    table = one_split_table(results, "raw").set_index(["positive_class", "measure", "model"])
    y, fine = one_of(scores, "fine")
    auk = kc.auk_score(1 - y, -fine, prevalence=0.9)
    assert table.loc[("majority", "auk", "fine"), "value"] == pytest.approx(auk)
    assert set(table["best"]) == {"fine"}
    assert [*dict.fromkeys(table.index.droplevel(2))] == [
        (side, measure) for side in sides for measure in ("auc", "auk", "h")
    ]
    _, worse = one_of(scores, "worse")
    row = table.loc[("minority", "auc", "worse")]
    assert row["difference"] == pytest.approx(roc_auc_score(y, worse) - roc_auc_score(y, fine))
    assert 0 < row["p_adjusted"] < 0.1
    hull = one_split_table(results, "hull").set_index(["positive_class", "measure", "model"])
    assert hull.loc[("minority", "auc", "tied"), "value"] > row["value"]


@pytest.mark.parametrize("size", [1e-8, 1e9])
def test_printed_thresholds_give_the_printed_counts(scores, size):
    """In the csv and in the answer, whatever the scale of the scores."""
    scaled = scores.assign(score=size * (1 + 1e-9 * scores["score"]))
    result = compare_models(scaled, seed=1, n_resamples=2)
    table = threshold_table(result, scaled, {})
    read = pd.read_csv(io.StringIO(to_csv(table)))
    for row in read.itertuples():
        y, score = one_of(scaled, row.model)
        predicted = score >= row.threshold
        assert (row.missed, row.false_alarms) == (y[~predicted].sum(), (1 - y)[predicted].sum())
    said = threshold_row(table, leaders_of_one_split(result), "ill")["sentence"]
    assert any(f"from a score of {row.threshold!r} on" in said for row in read.itertuples())


def test_an_auc_of_one_leaves_no_room_at_any_cost(scores):
    perfect = evaluate_measures(scores.assign(score=scores["minority"]), prevalence=0.6)
    assert bounds_table(perfect)["place"].isna().all()
    bounds = kc.bounds.auk_bounds(1.0, 0.6, cost_ratio=5)
    at_cost = bounds_table(perfect, 5)
    assert (at_cost[["lowest", "highest"]] == [bounds.lower, bounds.upper]).all(axis=None)
    assert at_cost["place"].isna().all()
