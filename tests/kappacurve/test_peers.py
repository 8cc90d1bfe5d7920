"""The same numbers from other packages: computed beside ours, or stored with their source."""

import numpy as np
import pytest
from hmeasure import h_score
from sklearn.metrics import (
    average_precision_score,
    cohen_kappa_score,
    confusion_matrix,
    precision_score,
    recall_score,
    roc_auc_score,
    roc_curve,
)

import kappacurve as kc


@pytest.fixture(params=[0, 1, 8], ids="decimals {}".format)
def rows(request, rng):
    y = rng.permutation(np.arange(300) < 60)
    return y, (rng.normal(size=300) + y).round(request.param)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(rows, rng, weighted):
    y, score = rows
    at = {"sample_weight": rng.random(300) + 0.1} if weighted else {}
    found = kc.measures(y, score, **at)
    assert found["auc"] == pytest.approx(roc_auc_score(y, score, **at), abs=1e-14)
    expected = average_precision_score(y, score, **at)
    assert found["average_precision"] == pytest.approx(expected, abs=1e-14)
    fpr, tpr, thresholds = roc_curve(y, score, drop_intermediate=False, **at)
    assert found["ks"] == pytest.approx((tpr - fpr).max(), abs=1e-14)
    curve = kc.kappa_curve(y, score, **at)
    np.testing.assert_allclose(curve.fpr, fpr, atol=1e-14)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    kappas = [cohen_kappa_score(y, score >= cut, **at) for cut in thresholds]
    np.testing.assert_allclose(curve.kappa, kappas, atol=1e-13)
    assert found["kappa_max"] == pytest.approx(max(kappas), abs=1e-13)


@pytest.mark.parametrize("weighted", [False, True])
def test_points_of_a_curve_are_those_of_scikit_learn(rows, rng, weighted):
    y, score = rows
    at = {"sample_weight": rng.random(300) + 0.1} if weighted else {}
    points = kc.curve_points(y, score, cost_ratio=4, **at)
    columns = ["true_negatives", "false_positives", "false_negatives", "true_positives"]
    assert points["threshold"].tolist() == [np.inf, *np.unique(score)[::-1]]
    some = points[points["true_positives"] > 0][::20]
    for cut, counts in zip(some["threshold"], some[columns].to_numpy(), strict=True):
        expected = confusion_matrix(y, score >= cut, **at).ravel()
        np.testing.assert_allclose(counts, expected, atol=1e-11)
    for column, metric in {"precision": precision_score, "tpr": recall_score}.items():
        expected = [metric(y, score >= cut, **at) for cut in some["threshold"]]
        np.testing.assert_allclose(some[column], expected, atol=1e-13)
    assert np.isnan(points["precision"][0])
    p = np.average(y, weights=at.get("sample_weight"))
    kappas = kc.kappa_from_rates(points["fpr"], points["tpr"], p, 4)
    np.testing.assert_allclose(points["kappa"], kappas, atol=1e-13)
    # At the probability 1/5 a miss costs 4 false alarms.
    best = kc.net_benefit(y, score, thresholds=0.2, rule="best", **at)
    assert points["net_benefit"].max() == pytest.approx(float(best), abs=1e-13)
    hull = kc.roc_hull(points["fpr"], points["tpr"])
    auch = np.trapezoid(hull.tpr, hull.fpr)
    assert auch == pytest.approx(kc.measures(y, score, **at)["auch"], abs=1e-13)


def test_hmeasure(rows):
    """hmeasure of PyPI, whose severity ratio s puts the mode of the weight at s."""
    y, score = rows
    score = (score - score.min()) / (score.max() - score.min())  # it takes 0 to 1 only
    weights = {1: "hand2009", -1: "hand2014", None: "class_ratio", 0.5: (2, 3), 1 / 99: (2, 100)}
    for severity, weight in weights.items():
        found = kc.h_measure_score(y, score, cost_weight=weight)
        assert found == pytest.approx(h_score(y, score, severity_ratio=severity), abs=1e-12)


# The prediction model of dcurves' example data (cancer ~ cancerpredmarker, 105 of 750 rows
# positive): rows of each class at or above the thresholds, and what dcurves 1.1.7 prints there.
TAUS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
POSITIVES, NEGATIVES = [96, 87, 82, 75, 72, 62, 57], [320, 193, 128, 98, 72, 49, 36]
PRINTED = [0.105544, 0.087407, 0.079216, 0.067333, 0.064000, 0.054667, 0.050154]
ALL = [0.094737, 0.044444, -0.011765, -0.075000, -0.146667, -0.228571, -0.323077]


def test_dcurves():
    counts = [-np.diff([n, *above, 0]) for above, n in ((POSITIVES, 105), (NEGATIVES, 645))]
    y = np.repeat([1, 0], [105, 645])
    # Probabilities at the thresholds (0 below the first) as often as there.
    probability = np.repeat([0.0, *TAUS] * 2, np.concatenate(counts))
    found = kc.net_benefit(y, probability, thresholds=TAUS)
    np.testing.assert_allclose(found, PRINTED, atol=5e-7)
    np.testing.assert_allclose(kc.net_benefit(y, np.ones(750), thresholds=TAUS), ALL, atol=5e-7)
    # With a stated prevalence; dcurves, too, takes the probabilities as they are.
    found = kc.net_benefit(y, probability, thresholds=[0.05, 0.2], prevalence=0.05)
    np.testing.assert_allclose(found, [0.020908, -0.000371], atol=5e-7)
    # Two rows' worth of each positive and three of each negative.
    weight = np.where(y == 1, 2.0, 3.0)
    odds = np.array(TAUS) / (1 - np.array(TAUS))
    expected = (2 * np.array(POSITIVES) - 3 * odds * np.array(NEGATIVES)) / weight.sum()
    found = kc.net_benefit(y, probability, thresholds=TAUS, sample_weight=weight)
    np.testing.assert_allclose(found, expected, atol=1e-14)
