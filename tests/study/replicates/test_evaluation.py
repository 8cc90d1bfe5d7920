import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import kappacurve
from study.replicates.evaluation import evaluate_curves, evaluate_measures


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(11)
    bad = rng.random(268) < 0.11
    tables = [
        pd.DataFrame({"row": range(268), "bad": bad.astype(int), "model": name, "score": score})
        for name, score in (
            ("fine", rng.normal(size=268) + bad),
            ("tied", (rng.normal(size=268) + bad).round(1)),
        )
    ]
    return pd.concat(tables, ignore_index=True)


def predictions(scores, model, positive_class, threshold):
    """Confusion of the rule that the threshold's documentation states."""
    table = scores[scores["model"] == model]
    says_bad = table["score"] >= threshold
    says_good = table["score"] <= threshold
    positive = table["bad"] == (positive_class == "bad")
    return positive, (says_bad if positive_class == "bad" else says_good)


@pytest.mark.parametrize("model", ["fine", "tied"])
@pytest.mark.parametrize("positive_class", ["good", "bad"])
def test_every_vertex_is_what_its_threshold_gives(scores, model, positive_class):
    curves = evaluate_curves(scores)
    chosen = curves.query("model == @model and positive_class == @positive_class")
    for vertex in chosen.itertuples():
        positive, predicted = predictions(scores, model, positive_class, vertex.threshold)
        assert vertex.tpr == pytest.approx((predicted & positive).sum() / positive.sum())
        assert vertex.fpr == pytest.approx((predicted & ~positive).sum() / (~positive).sum())
        # scikit-learn's kappa warns and returns nan where everything is predicted alike.
        if predicted.nunique() == 2:
            assert vertex.kappa == pytest.approx(cohen_kappa_score(positive, predicted))
        else:
            assert vertex.kappa == 0


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_measures_are_those_of_the_library(scores, prevalence):
    table = evaluate_measures(scores, prevalence=prevalence)
    for row in table.to_dict("records"):
        one = scores[scores["model"] == row["model"]]
        sign = 1 if row["positive_class"] == "bad" else -1
        share = prevalence if prevalence is None or sign > 0 else 1 - prevalence
        found = kappacurve.measures(
            (one["bad"] == (sign > 0)).to_numpy(),
            sign * one["score"].to_numpy(),
            prevalence=share,
            hull=row["curve"] == "hull",
        )
        found["threshold"] *= sign
        assert {name: row[name] for name in found} == found


def test_a_missed_bad_row_costs_the_same_for_both_classes(scores):
    """What a missed bad row costs, a false alarm does where good is positive."""
    table = scores[scores["model"] == "tied"]
    found = evaluate_measures(table, cost_ratio=5).set_index(["positive_class", "curve"])["auk"]
    bad = kappacurve.auk_score(table["bad"], table["score"], cost=5 / 6)
    good = kappacurve.auk_score(1 - table["bad"], -table["score"], cost=1 / 6)
    assert found["bad", "raw"] == pytest.approx(bad, abs=1e-12)
    assert found["good", "raw"] == pytest.approx(good, abs=1e-12)
    curves = evaluate_curves(table, cost_ratio=5)
    best = curves.groupby("positive_class")["kappa"].max()
    assert best["good"] == pytest.approx(best["bad"], abs=1e-12)
