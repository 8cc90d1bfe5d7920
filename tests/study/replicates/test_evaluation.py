import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score, roc_auc_score

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


def test_end_points(scores):
    curves = evaluate_curves(scores)
    for (_, positive_class, _), curve in curves.groupby(["model", "positive_class", "curve"]):
        assert curve[["fpr", "tpr"]].iloc[[0, -1]].to_numpy().tolist() == [[0, 0], [1, 1]]
        assert curve["threshold"].iloc[0] == (np.inf if positive_class == "bad" else -np.inf)


@pytest.mark.parametrize("model", ["fine", "tied"])
def test_measures_against_scikit_learn_and_brute_force(scores, model):
    found = evaluate_measures(scores).set_index(["model", "positive_class", "curve"])
    table = scores.query("model == @model")
    for positive_class, sign in (("good", -1), ("bad", 1)):
        one = found.loc[(model, positive_class, "raw")]
        positive = table["bad"] == (positive_class == "bad")
        assert one["auc"] == pytest.approx(roc_auc_score(positive, sign * table["score"]))
        best = max(
            cohen_kappa_score(*predictions(scores, model, positive_class, threshold))
            for threshold in table["score"].sort_values()[1:-1]
        )
        assert one["kappa_max"] == pytest.approx(best)
        at = predictions(scores, model, positive_class, one["threshold"])
        assert cohen_kappa_score(*at) == pytest.approx(best)


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
