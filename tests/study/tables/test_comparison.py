"""Tables of several models on one test set, against the package's own inference."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import kappacurve as kc
from study.figures.paper_figures import figure_auk_by_prevalence
from study.replicates.evaluation import evaluate_curves, evaluate_measures
from study.tables import comparison
from study.tables.answer import leaders_of_one_split, threshold_row
from study.tables.comparison import (
    bounds_table,
    compare_models,
    interval_table,
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
    result = compare_models(scores.iloc[::-1], seed=1, prevalence=0.1, n_resamples=50)
    y, fine = one_of(scores, "fine")
    table = interval_table(result).set_index(["model", "measure"])["value"]
    assert table["fine", "auc"] == pytest.approx(roc_auc_score(y, fine))
    assert table["fine", "auk"] == pytest.approx(kc.auk_score(y, fine, prevalence=0.1))
    _, worse = one_of(scores, "worse")
    pair = comparison.test_table(result).set_index(["measure", "model_a", "model_b"])["difference"]
    lead = roc_auc_score(y, fine) - roc_auc_score(y, worse)
    assert pair["auc", "worse", "fine"] == pytest.approx(-lead)
    shown = [*dict.fromkeys(comparison.test_table(result)["measure"])]
    assert shown == [name for name in kc.MEASURES if name in shown and name != "gini"]


def test_the_answer_counts_what_the_threshold_does(scores):
    result = compare_models(scores, seed=1, cost_ratio=10, n_resamples=50)
    table = threshold_table(result, scores, {"fine": "decision function"})
    y, fine = one_of(scores, "fine")
    row = table.set_index(["model", "measure"]).loc[("fine", "expected_loss")]
    predicted = fine >= row["threshold"]
    assert row["missed"] == (y[~predicted] == 1).sum()
    assert row["false_alarms"] == (y[predicted] == 0).sum()
    assert (row["scale"], table["scale"].iloc[-1]) == ("decision function", "as given")
    chance = scores.query("model == 'fine'")["probability"].to_numpy()
    assert ((chance >= row["probability"]) == predicted).all()
    assert table.query("model == 'tied'")["probability"].isna().all()
    leaders = leaders_of_one_split(result)
    by_measure = {row["measure"]: row for row in leaders}
    assert by_measure["auc"]["value"] == pytest.approx(roc_auc_score(y, fine))
    assert "statistically significant" in by_measure["auc"]["sentence"]
    losses = result.measures.query("measure == 'expected_loss'").set_index("model")["estimate"]
    assert by_measure["expected_loss"]["model"] == losses.idxmin()
    said = threshold_row(table, leaders, "ill")["sentence"]
    row = table.set_index(["model", "measure"]).loc[(losses.idxmin(), "expected_loss")]
    assert f"misses {row['missed']} of {y.sum()} and raises {row['false_alarms']} false" in said
    alone = compare_models(scores.query("model == 'tied'"), seed=1, n_resamples=2)
    assert leaders_of_one_split(alone) == []
    assert comparison.test_table(alone).empty


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


def test_every_auk_has_its_place_between_its_bounds(scores):
    table = bounds_table(evaluate_measures(scores, prevalence=0.6))
    expected = (table["auk"] - table["lowest"]) / (table["highest"] - table["lowest"])
    np.testing.assert_allclose(table["place"], expected, atol=1e-9)
    perfect = evaluate_measures(scores.assign(score=scores["minority"]), prevalence=0.6)
    assert table["model"].tolist() == ["fine", "tied", "worse"]
    for row in [*table.to_dict("records"), *bounds_table(perfect, 5).to_dict("records")]:
        cost = 5 if row["auc"] == 1 else None
        bounds = kc.bounds.auk_bounds(row["auc"], row["prevalence"], cost_ratio=cost)
        assert (row["lowest"], row["highest"]) == (bounds.lower, bounds.upper)
    # An AUC of 1 leaves no room.
    assert bounds_table(perfect)["place"].isna().all()


def test_auk_by_prevalence_is_that_of_the_library_whatever_the_names(scores):
    curves = evaluate_curves(scores.replace({"model": {"fine": "a$^b$"}}))
    figure = figure_auk_by_prevalence(curves, ["a$^b$", "tied"], "$\\frac$", 4)
    figure.canvas.draw()  # matplotlib reads formulas when it draws
    y, score = one_of(scores, "fine")
    lines = figure.axes[0].get_lines()
    p, auk = next(line for line in lines if len(line.get_xdata()) > 2).get_data()
    at = len(p) // 3
    expected = kc.auk_score(y, score, prevalence=p[at], cost_ratio=4)
    assert auk[at] == pytest.approx(expected, abs=1e-12)
