"""The same numbers from other packages: computed beside ours, or stored with their source."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hmeasure import h_score
from sklearn.metrics import average_precision_score, cohen_kappa_score, roc_auc_score, roc_curve

import kappacurve as kc

# Facts of other packages' suites and documentation. A threshold flags rows of at least its score.
HERE = Path(__file__).parent
INPUTS = pd.read_csv(HERE / "peer_inputs.csv", dtype=str, keep_default_na=False).set_index("input")
VALUES = pd.read_csv(HERE / "peer_values.csv", dtype={"argument": str}, keep_default_na=False)


def read_rows(name):
    labels, scores, weights = (np.array(text.split(), float) for text in INPUTS.loc[name])
    return labels, scores, {"sample_weight": weights} if len(weights) else {}


def at_threshold(name, threshold, **options):
    labels, scores, weights = read_rows(name)
    points = kc.curve_points(labels, scores, **weights, **options)
    return points[points["threshold"] >= threshold].iloc[-1]


def auc_interval(name):
    return kc.interval(*read_rows(name)[:2], measure="auc")


def auc_test(name, other):
    labels, scores, _ = read_rows(name)
    return kc.paired_test(labels, scores, read_rows(other)[1], measure="auc")


def auc_covariance(name, other):
    one, two = (auc_interval(rows).standard_error ** 2 for rows in (name, other))
    return (one + two - auc_test(name, other).standard_error ** 2) / 2


def of_measures(measure):
    return lambda name, _: kc.measures(*read_rows(name)[:2], **read_rows(name)[2])[measure]


def loss(name, measure):
    labels, scores, weights = read_rows(name)
    table = kc.compare(labels, {"m": scores}, **weights).measures.set_index("measure")
    return table.loc[measure, "estimate"]


def h_measure(name, weight):
    return kc.h_measure_score(*read_rows(name)[:2], cost_weight=tuple(map(float, weight.split())))


def net_benefit(name, threshold, **options):
    return kc.net_benefit(*read_rows(name)[:2], thresholds=[float(threshold)], **options)[0]


def accuracy(point):
    right = point["true_positives"] + point["true_negatives"]
    return right / (right + point["false_positives"] + point["false_negatives"])


def negative_predictive_value(point):
    return point["true_negatives"] / (point["true_negatives"] + point["false_negatives"])


def of_point(quantity, **options):
    return lambda name, threshold: quantity(at_threshold(name, float(threshold), **options))


QUANTITIES = {
    "auc": of_measures("auc"),
    "average_precision": of_measures("average_precision"),
    "brier_score": lambda name, _: loss(name, "brier_score"),
    "log_loss": lambda name, _: loss(name, "log_loss"),
    "h": h_measure,
    "auc_variance": lambda name, _: auc_interval(name).standard_error ** 2,
    "auc_covariance": auc_covariance,
    "auc_statistic": lambda name, other: auc_test(name, other).statistic,
    "sensitivity": of_point(lambda point: point["tpr"]),
    "specificity": of_point(lambda point: 1 - point["fpr"]),
    "youden": of_point(lambda point: point["tpr"] - point["fpr"]),
    "precision": of_point(lambda point: point["precision"]),
    "precision at prevalence 0.5": of_point(lambda point: point["precision"], prevalence=0.5),
    "kappa": of_point(lambda point: point["kappa"]),
    "accuracy": of_point(accuracy),
    "negative_predictive_value": of_point(negative_predictive_value),
    "net_benefit": net_benefit,
    "net_benefit at prevalence 0.05": lambda name, cut: net_benefit(name, cut, prevalence=0.05),
    "net_benefit of all": lambda name, cut: kc.net_benefit(
        read_rows(name)[0], np.ones(len(read_rows(name)[0])), thresholds=[float(cut)]
    )[0],
}


@pytest.mark.parametrize("source", VALUES["source"].unique())
def test_stored_values(source):
    for row in VALUES[VALUES["source"] == source].itertuples():
        found = QUANTITIES[row.quantity](row.input, row.argument)
        assert found == pytest.approx(row.value, rel=0, abs=row.tolerance), row


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


def test_hmeasure(rows):
    """hmeasure of PyPI, whose severity ratio s puts the mode of the weight at s."""
    y, score = rows
    score = (score - score.min()) / (score.max() - score.min())  # it takes 0 to 1 only
    weights = {1: "hand2009", -1: "hand2014", None: "class_ratio", 0.5: (2, 3), 1 / 99: (2, 100)}
    for severity, weight in weights.items():
        found = kc.h_measure_score(y, score, cost_weight=weight)
        assert found == pytest.approx(h_score(y, score, severity_ratio=severity), abs=1e-12)


def test_net_benefit_of_weighted_rows():
    labels, scores, _ = read_rows("dcurves cancer")
    weight = np.where(labels == 1, 2.0, 3.0)
    taus = np.unique(scores)[1:]
    above = scores >= taus[:, None]
    benefit = weight * np.where(labels == 1, 1, -(taus / (1 - taus))[:, None])
    expected = (benefit * above).sum(axis=1) / weight.sum()
    found = kc.net_benefit(labels, scores, thresholds=taus, sample_weight=weight)
    np.testing.assert_allclose(found, expected, atol=1e-14)
