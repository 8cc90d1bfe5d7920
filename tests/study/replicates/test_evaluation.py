import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import kappacurve
from study.replicates.evaluation import (
    MEASURES,
    evaluate_curves,
    evaluate_measures,
    measure_replicates,
)


@pytest.fixture(scope="module")
def scores():
    """Of one model, with ties."""
    rng = np.random.default_rng(11)
    minority = (rng.random(268) < 0.11).astype(int)
    score = (rng.normal(size=268) + minority).round(1)
    return pd.DataFrame({"row": range(268), "minority": minority, "model": "tied", "score": score})


def test_models_come_in_the_order_of_the_scores(scores):
    both = pd.concat([scores.assign(model="z"), scores.assign(score=-scores["score"])])
    replicated = measure_replicates(both.assign(replicate=0))
    for table in (evaluate_measures(both), evaluate_curves(both), replicated):
        assert table["model"].unique().tolist() == ["z", "tied"]
    areas = evaluate_measures(both).query("curve == 'raw'").groupby("model")["auc"].first()
    assert areas["z"] + areas["tied"] == pytest.approx(1)


@pytest.mark.parametrize("positive_class", ["majority", "minority"])
def test_every_vertex_is_what_its_threshold_gives(scores, positive_class):
    positive = scores["minority"] == (positive_class == "minority")
    curves = evaluate_curves(scores)
    for vertex in curves[curves["positive_class"] == positive_class].itertuples():
        says_minority = scores["score"] >= vertex.threshold
        says_majority = scores["score"] <= vertex.threshold
        predicted = says_minority if positive_class == "minority" else says_majority
        assert vertex.tpr == pytest.approx((predicted & positive).sum() / positive.sum())
        assert vertex.fpr == pytest.approx((predicted & ~positive).sum() / (~positive).sum())
        # scikit-learn's kappa warns and returns nan where everything is predicted alike.
        mixed = 0 < predicted.sum() < len(predicted)
        expected = cohen_kappa_score(positive, predicted) if mixed else 0
        assert vertex.kappa == pytest.approx(expected)


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_measures_are_those_of_the_library(scores, prevalence):
    table = evaluate_measures(scores, prevalence=prevalence)
    for row in table.to_dict("records"):
        sign = 1 if row["positive_class"] == "minority" else -1
        share = prevalence if prevalence is None or sign > 0 else 1 - prevalence
        found = kappacurve.measures(
            (scores["minority"] == (sign > 0)).to_numpy(),
            sign * scores["score"].to_numpy(),
            prevalence=share,
            curve=row["curve"],
        )
        found["threshold"] *= sign
        positive = (scores["minority"] == (sign > 0)).sum()
        assert (row["n_positive"], row["n_negative"]) == (positive, len(scores) - positive)
        assert {name: row[name] for name in found} == found


def test_a_missed_minority_row_costs_the_same_for_both_classes(scores):
    """What a missed bad row costs, a false alarm does where good is positive."""
    found = evaluate_measures(scores, cost_ratio=5).set_index(["positive_class", "curve"])["auk"]
    minority = kappacurve.auk_score(scores["minority"], scores["score"], cost=5 / 6)
    majority = kappacurve.auk_score(1 - scores["minority"], -scores["score"], cost=1 / 6)
    assert found["minority", "raw"] == pytest.approx(minority, abs=1e-12)
    assert found["majority", "raw"] == pytest.approx(majority, abs=1e-12)
    curves = evaluate_curves(scores, cost_ratio=5)
    best = curves.groupby("positive_class")["kappa"].max()
    assert best["majority"] == pytest.approx(best["minority"], abs=1e-12)


@pytest.mark.parametrize("prevalence", [None, "each its own", "other"])
def test_replicates_without_a_class_or_scores_leave_the_others_as_they_are(prevalence):
    """Of five rows each: no minority, both classes, no majority, both classes, no scores."""
    labels = [[0] * 5, [0, 1, 0, 0, 1], [1] * 5, [1, 0, 0, 0, 0], [0, 0, 1, 1, 1]]
    rows = [
        {"replicate": n, "minority": label, "model": "m", "score": np.nan if n == 4 else score}
        for n, own in enumerate(labels)
        for label, score in zip(own, (0.1, 0.3, 0.2, 0.7, 0.5), strict=True)
    ]
    table = pd.DataFrame(rows)
    at = pd.Series([0.1, 0.2, 0.3, 0.4, 0.5]) if prevalence == "each its own" else prevalence
    found = measure_replicates(table, at).set_index("replicate")
    assert found.loc[[0, 2, 4], list(MEASURES)].isna().all(axis=None)
    assert found.loc[[1, 3], list(MEASURES)].notna().all(axis=None)
    shares = {None: (0.4, 0.2), "each its own": (0.2, 0.4), "other": (0.6, 0.8)}[prevalence]
    for number, share in zip((1, 3), shares, strict=True):
        one = table[table["replicate"] == number]
        own = found.loc[number].query("curve == 'raw'").set_index("positive_class")["auk"]
        expected = kappacurve.auk_score(one["minority"], one["score"], prevalence=share)
        turned = kappacurve.auk_score(1 - one["minority"], -one["score"], prevalence=1 - share)
        assert own.to_dict() == pytest.approx({"minority": expected, "majority": turned})
    nothing = measure_replicates(table[table["replicate"] == 0], at)
    assert nothing[list(MEASURES)].isna().all(axis=None)
