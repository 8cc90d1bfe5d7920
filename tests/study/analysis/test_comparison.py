"""Tables of several models on one test set, against the package's own inference."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import kappacurve as kc
from study.analysis import comparison
from study.analysis.comparison import (
    answer,
    bounds_table,
    compare_models,
    interval_table,
    threshold_table,
)
from study.data.classes import Classes
from study.pages.paper_figures import figure_auk_by_prevalence
from study.replicates.evaluation import evaluate_curves, evaluate_measures
from study.text.tables import to_csv

CLASSES = Classes("positive", "well", "ill")


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    positive = rng.random(120) < 0.25
    wide = {
        "row": range(1, 121),
        "positive": positive.astype(int),
        "fine": rng.normal(size=120) + 1.5 * positive,
        "tied": (rng.normal(size=120) + positive).round(),
        "worse": rng.normal(size=120) - 0.5 * positive,
    }
    return pd.DataFrame(wide).melt(["row", "positive"], var_name="model", value_name="score")


def one_of(scores, model):
    one = scores[scores["model"] == model]
    return one["positive"].to_numpy(), one["score"].to_numpy()


def test_numbers_are_those_of_the_package_in_any_order_of_rows(scores):
    result = compare_models(scores.iloc[::-1], CLASSES, seed=1, prevalence=0.1, n_resamples=50)
    y, fine = one_of(scores, "fine")
    table = interval_table(result).set_index(["model", "measure"])["value"]
    assert table["fine", "auc"] == pytest.approx(roc_auc_score(y, fine))
    assert table["fine", "auk"] == pytest.approx(kc.auk_score(y, fine, prevalence=0.1))
    _, worse = one_of(scores, "worse")
    pair = comparison.test_table(result).set_index(["measure", "model_a", "model_b"])["difference"]
    lead = roc_auc_score(y, fine) - roc_auc_score(y, worse)
    assert pair["auc", "worse", "fine"] == pytest.approx(-lead)


def test_groups_are_drawn_as_wholes(scores):
    """Every row twice, in groups of two: as sure as the rows once, not as twice as many."""
    doubled = pd.concat([scores, scores.assign(row=scores["row"] + 120)])
    groups = pd.Series({row: row % 120 for row in doubled["row"]})

    def width(table, groups=None):
        result = compare_models(table, CLASSES, seed=1, n_resamples=400, groups=groups)
        auc = interval_table(result).set_index(["model", "measure"]).loc[("fine", "auc")]
        return auc["high"] - auc["low"]

    assert width(doubled, groups) == pytest.approx(width(scores), rel=0.15)
    assert width(doubled) < 0.8 * width(scores)


def test_the_answer_counts_what_the_threshold_does(scores):
    result = compare_models(scores, CLASSES, seed=1, cost_ratio=10, n_resamples=50)
    table = threshold_table(result, {"fine": "probability"})
    y, fine = one_of(scores, "fine")
    row = table.set_index(["model", "measure"]).loc[("fine", "expected_loss")]
    predicted = fine >= row["threshold"]
    assert row["missed"] == (y[~predicted] == 1).sum()
    assert row["false_alarms"] == (y[predicted] == 0).sum()
    assert (row["scale"], table["scale"].iloc[-1]) == ("probability", "as given")
    losses = table.query("measure == 'expected_loss'").set_index("model")["value"]
    best = losses.idxmin()
    row = table.set_index(["model", "measure"]).loc[(best, "expected_loss")]
    said = answer(result, "ill", table, 300, 40)
    assert said[0].endswith(f"and measured on 120 rows, {y.sum()} of them ill.")
    assert said[1].startswith("Best in this sample: fine by ")
    assert "statistically significant" in said[2]
    assert said[3].startswith(
        f"Lowest expected loss, {losses.min():.3f}: {best} with ill predicted"
    )
    assert f"misses {row['missed']} of {y.sum()} and raises {row['false_alarms']} false" in said[3]
    alone = compare_models(scores.query("model == 'tied'"), CLASSES, seed=1, n_resamples=2)
    assert len(answer(alone, "ill", threshold_table(alone, {}), 0, 0)) == 2
    assert comparison.test_table(alone).empty


@pytest.mark.parametrize("size", [1e-8, 1e9])
def test_printed_thresholds_give_the_printed_counts(scores, size):
    """In the csv and in the answer, whatever the scale of the scores."""
    scaled = scores.assign(score=size * (1 + 1e-9 * scores["score"]))
    result = compare_models(scaled, CLASSES, seed=1, n_resamples=2)
    table = threshold_table(result, {})
    read = pd.read_csv(io.StringIO(to_csv(table)))
    for row in read.itertuples():
        y, score = one_of(scaled, row.model)
        predicted = score >= row.threshold
        assert (row.missed, row.false_alarms) == (y[~predicted].sum(), (1 - y)[predicted].sum())
    said = answer(result, "ill", table, 300, 40)[-1]
    assert any(f"from a score of {row.threshold!r}" in said for row in read.itertuples())


def test_every_auk_has_its_place_between_its_bounds(scores):
    table = bounds_table(evaluate_measures(scores, prevalence=0.6, classes=CLASSES), "ill")
    expected = (table["auk"] - table["lowest"]) / (table["highest"] - table["lowest"])
    np.testing.assert_allclose(table["place"], expected, atol=1e-9)
    for row in table.to_dict("records"):
        bounds = kc.bounds.auk_bounds(row["auc"], row["prevalence"])
        assert (row["lowest"], row["highest"]) == (bounds.lower, bounds.upper)


def test_auk_by_prevalence_is_that_of_the_library_whatever_the_names(scores):
    rich = Classes("positive", "<=$50K", "$\\frac$")
    curves = evaluate_curves(scores.replace({"model": {"fine": "a$^b$"}}), classes=rich)
    figure = figure_auk_by_prevalence(curves, ["a$^b$", "tied"], "$\\frac$", 4)
    figure.canvas.draw()  # matplotlib reads formulas when it draws
    y, score = one_of(scores, "fine")
    lines = figure.axes[0].get_lines()
    p, auk = next(line for line in lines if len(line.get_xdata()) > 2).get_data()
    at = len(p) // 3
    expected = kc.auk_score(y, score, prevalence=p[at], cost_ratio=4)
    assert auk[at] == pytest.approx(expected, abs=1e-12)
