"""Curves and measures of splits: by hand for either class, on the hull, and without a class."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from sklearn.metrics import cohen_kappa_score

import kappacurve
from study.experiment.measures import (
    MEASURES,
    evaluate_curves,
    evaluate_measures,
    measure_replicates,
)

KEYS = ["positive_class", "curve"]
FIVE = pd.DataFrame(
    {"model": "m", "minority": [1, 1, 0, 0, 0], "score": [0.9, 0.4, 0.6, 0.3, 0.1]}, index=range(5)
).assign(row=range(5), replicate=0)
# Rates (f, t) from corner to corner, of the curve and of its hull.
VERTICES = {
    ("minority", "raw"): [(0, 0), (0, 1 / 2), (1 / 3, 1 / 2), (1 / 3, 1), (2 / 3, 1), (1, 1)],
    ("minority", "hull"): [(0, 0), (0, 1 / 2), (1 / 3, 1), (1, 1)],
    ("majority", "raw"): [(0, 0), (0, 1 / 3), (0, 2 / 3), (1 / 2, 2 / 3), (1 / 2, 1), (1, 1)],
    ("majority", "hull"): [(0, 0), (0, 2 / 3), (1 / 2, 1), (1, 1)],
}


def auk_by_quadrature(vertices, p):
    def kappa(f, t):
        predicted = p * t + (1 - p) * f
        agreed = p * t + (1 - p) * (1 - f)
        chance = p * predicted + (1 - p) * (1 - predicted)
        return (agreed - chance) / (1 - chance)

    area = 0.0
    for (f0, t0), (f1, t1) in pairwise(vertices):
        if f1 > f0:
            area += quad(
                lambda f, *s: kappa(f, np.interp(f, s[:2], s[2:])), f0, f1, (f0, f1, t0, t1)
            )[0]
    return area


@pytest.fixture(scope="module")
def scores():
    """Of one model, with ties."""
    rng = np.random.default_rng(11)
    minority = (rng.random(268) < 0.11).astype(int)
    score = (rng.normal(size=268) + minority).round(1)
    return pd.DataFrame({"row": range(268), "minority": minority, "model": "tied", "score": score})


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_measures_of_five_rows_by_hand(prevalence):
    found = evaluate_measures(FIVE, prevalence=prevalence).set_index(KEYS)
    assert set(found.index) == set(VERTICES)
    curves = evaluate_curves(FIVE, prevalence=prevalence).set_index(KEYS)
    for (positive_class, curve), vertices in VERTICES.items():
        row = found.loc[positive_class, curve]
        is_minority = positive_class == "minority"
        points = curves.loc[positive_class, curve]
        assert points[["fpr", "tpr"]].to_numpy() == pytest.approx(np.array(vertices))
        p = prevalence or 0.4
        p = p if is_minority else 1 - p
        auk = auk_by_quadrature(vertices, p)
        assert row["prevalence"] == pytest.approx(p)
        assert row["auk"] == pytest.approx(auk, abs=1e-9)
        assert row["auc"] == pytest.approx(5 / 6 if curve == "raw" else 11 / 12)
        assert row["ks"] == pytest.approx(2 / 3)
        assert (row["n_positive"], row["n_negative"]) == ((2, 3) if is_minority else (3, 2))
        if prevalence is None:  # four of five are right, where chance gives 12 of 25
            best = (8 / 13, 1 / 3, 1, 0.4) if is_minority else (8 / 13, 0, 2 / 3, 0.3)
            assert tuple(row[["kappa_max", "fpr", "tpr", "threshold"]]) == pytest.approx(best)


@pytest.mark.parametrize("positive_class", ["majority", "minority"])
def test_every_vertex_is_what_its_threshold_gives(scores, positive_class):
    positive = scores["minority"] == (positive_class == "minority")
    curves = evaluate_curves(scores).query("positive_class == @positive_class")
    assert {*curves.query("curve == 'hull'")["threshold"]} < {*curves["threshold"]}
    for vertex in curves.itertuples():
        says_minority = scores["score"] >= vertex.threshold
        says_majority = scores["score"] <= vertex.threshold
        predicted = says_minority if positive_class == "minority" else says_majority
        assert vertex.tpr == pytest.approx((predicted & positive).sum() / positive.sum())
        assert vertex.fpr == pytest.approx((predicted & ~positive).sum() / (~positive).sum())
        # scikit-learn's kappa warns and returns nan where everything is predicted alike.
        mixed = 0 < predicted.sum() < len(predicted)
        expected = cohen_kappa_score(positive, predicted) if mixed else 0
        assert vertex.kappa == pytest.approx(expected)


@pytest.mark.parametrize("options", [{}, {"prevalence": 0.05}, {"cost_ratio": 5.0}])
def test_many_splits_are_measured_as_each_alone(scores, options):
    rng = np.random.default_rng(3)
    splits = [scores.assign(replicate=n, score=rng.permutation(scores["score"])) for n in range(8)]
    splits[3] = splits[3].head(200)  # of another size
    other = [table.assign(model="a", score=-table["score"]) for table in splits]
    found = measure_replicates(pd.concat(splits + other), **options)
    assert found["model"].unique().tolist() == ["tied", "a"]
    for number, own in found.groupby("replicate"):
        alone = evaluate_measures(pd.concat([splits[number], other[number]]), **options)
        columns = ["model", *KEYS, *MEASURES]
        pd.testing.assert_frame_equal(
            own[columns].reset_index(drop=True), alone[columns], check_exact=True
        )


def test_a_missed_minority_row_costs_the_same_for_both_classes(scores):
    """What a missed bad row costs, a false alarm does where good is positive."""
    found = evaluate_measures(scores, cost_ratio=5).set_index(KEYS)["auk"]
    minority = kappacurve.auk_score(scores["minority"], scores["score"], cost_ratio=5)
    majority = kappacurve.auk_score(1 - scores["minority"], -scores["score"], cost_ratio=1 / 5)
    assert found["minority", "raw"] == pytest.approx(minority, abs=1e-12)
    assert found["majority", "raw"] == pytest.approx(majority, abs=1e-12)
    best = evaluate_curves(scores, cost_ratio=5).groupby("positive_class")["kappa"].max()
    assert best["majority"] == pytest.approx(best["minority"], abs=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.6, "each its own"])
def test_splits_without_a_class_or_scores_leave_the_others_as_they_are(prevalence):
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
    shares = {None: (0.4, 0.2), "each its own": (0.2, 0.4), 0.6: (0.6, 0.6)}[prevalence]
    for number, share in zip((1, 3), shares, strict=True):
        split = table[table["replicate"] == number]
        own = found.loc[number].query("curve == 'raw'").set_index("positive_class")["auk"]
        expected = kappacurve.auk_score(split["minority"], split["score"], prevalence=share)
        turned = kappacurve.auk_score(1 - split["minority"], -split["score"], prevalence=1 - share)
        assert own.to_dict() == pytest.approx({"minority": expected, "majority": turned})
