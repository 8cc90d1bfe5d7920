"""More than two classes, against scikit-learn and against the two-class values."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix, roc_auc_score

import kappacurve as kc


def sample(seed=0, n=200, k=3, decimals=2):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    score = rng.random((n, k)) + (y[:, None] == np.arange(k)) * rng.random((n, 1))
    score = (score / score.sum(axis=1, keepdims=True)).round(decimals)
    score[:, -1] = 1 - score[:, :-1].sum(axis=1)
    return y, score, rng.random(n)


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize(
    ("multi_class", "average"),
    [*((m, a) for m in ("ovo", "ovr") for a in ("macro", "weighted")), ("ovr", "micro")],
)
def test_auc_agrees_with_scikit_learn(k, multi_class, average):
    y, score, weight = sample(k=k)
    options = {"multi_class": multi_class, "average": average}
    expected = roc_auc_score(y, score, **options)
    words = np.array(["low", "mid", "top", "up", "x"])[y]
    for labels, of in ((None, y), (np.unique(words), words)):
        found = kc.auc_score(of, score, labels=labels, **options)
        assert found == pytest.approx(expected, abs=1e-12)
    if multi_class == "ovr":
        expected = roc_auc_score(y, score, sample_weight=weight, **options)
        found = kc.auc_score(y, score, sample_weight=weight, **options)
        assert found == pytest.approx(expected, abs=1e-12)


def test_one_value_for_each_class():
    y, score, _ = sample()
    found = kc.auc_score(y, score, multi_class="ovr", average=None)
    expected = roc_auc_score(y, score, multi_class="ovr", average=None)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    auk = kc.auk_score(y, score, multi_class="ovr", average=None, cost=0.2)
    assert auk[1] == kc.auk_score(y == 1, score[:, 1], cost=0.2, axis="flagged")


@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_two_classes_have_the_binary_value(multi_class, average):
    y, score, _ = sample(k=2, seed=3)
    how = {"multi_class": multi_class, "average": average}
    for options in ({}, {"cost": "balanced"}, {"hull": True}):
        expected = kc.auk_score(y, score[:, 1], axis="flagged", **options)
        assert kc.auk_score(y, score, **options, **how) == pytest.approx(expected, abs=1e-13)
    weights = ["hand2009", "hand2014", *(("class_ratio", (4, 1.5)) if multi_class == "ovo" else ())]
    for weight in weights:
        expected = kc.h_measure_score(y, score[:, 1], cost_weight=weight)
        found = kc.h_measure_score(y, score, cost_weight=weight, **how)
        assert found == pytest.approx(expected, abs=1e-13)


def test_two_classes_with_asymmetric_costs():
    y, score, _ = sample(k=2, seed=4)
    for how in (
        {"multi_class": "ovo", "cost": [[0, 1], [5, 0]]},
        {"multi_class": "ovr", "average": None, "cost_ratio": 5},
    ):
        for function, over in ((kc.auk_score, {"axis": "flagged"}), (kc.h_measure_score, {})):
            expected = function(y, score[:, 1], cost_ratio=5, **over)
            found = function(y, score, **how)
            assert np.ravel(found)[-1] == pytest.approx(expected, abs=1e-13)


def test_over_the_false_positive_rate_the_balanced_cost_gives_hand_and_tills_m():
    y, score, _ = sample(k=4)
    m = roc_auc_score(y, score, multi_class="ovo")
    found = kc.auk_score(y, score, multi_class="ovo", axis="fpr", cost="balanced")
    assert found == pytest.approx(m - 0.5, abs=1e-13)


def test_the_order_of_the_classes_does_not_matter():
    y, score, _ = sample(seed=5)
    for how in ("ovo", "ovr"):
        values = [
            (
                kc.auk_score(np.argsort(order)[y], score[:, order], multi_class=how),
                kc.h_measure_score(np.argsort(order)[y], score[:, order], multi_class=how),
            )
            for order in map(list, permutations(range(3)))
        ]
        np.testing.assert_allclose(values, [values[0]] * 6, atol=1e-13)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_agrees_with_scikit_learn(weights):
    y, score, _ = sample(k=4)
    predicted = score.argmax(axis=1)
    matrix = confusion_matrix(y, predicted)
    expected = cohen_kappa_score(y, predicted, weights=weights)
    assert kc.kappa_score(matrix, weights=weights) == pytest.approx(expected, abs=1e-12)
    if weights:
        distance = np.abs(np.subtract.outer(range(4), range(4))) ** (1 + (weights == "quadratic"))
        found = kc.kappa_score(matrix, cost_matrix=distance)
        assert found == pytest.approx(expected, abs=1e-12)


def test_a_cost_matrix_of_two_classes_is_a_cost_ratio():
    tn, fp, fn, tp = 50, 12, 7, 31
    expected = kc.kappa_from_rates(12 / 62, 31 / 38, 0.38, cost_ratio=5)
    found = kc.kappa_score([[tn, fp], [fn, tp]], cost_matrix=[[0, 1], [5, 0]])
    assert found == pytest.approx(float(expected), abs=1e-13)


Y, S = [0, 1, 2, 1], [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.4, 0.3, 0.3]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give multi_class"),
        ({"multi_class": "both"}, "multi_class must be 'ovo' or 'ovr', got 'both'"),
        ({"multi_class": "ovo", "average": "micro"}, "average must be one of"),
        ({"multi_class": "ovo", "labels": [0, 2, 1]}, "labels must be unique and in order"),
        ({"multi_class": "ovo", "labels": [0, 1]}, "a column for each of the 2 classes, got 3"),
        ({"multi_class": "ovr", "labels": [0, 1, 3]}, "holds 2, which is not among the labels"),
        ({"multi_class": "ovo", "sample_weight": [1, 1, 1, 1]}, "sample_weight is not supported"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        kc.auc_score(Y, S, **options)


def test_more_refusals():
    with pytest.raises(ValueError, match="y_true has no row of the class 2 of labels"):
        kc.auc_score([0, 1, 0, 1], S, multi_class="ovr", labels=[0, 1, 2])
    with pytest.raises(ValueError, match=r"cost must be a matrix .* got shape \(\)"):
        kc.auk_score(Y, S, multi_class="ovo", cost=0.3)
    with pytest.raises(ValueError, match="prevalence must be left out"):
        kc.h_measure_score(Y, S, multi_class="ovo", prevalence=0.2)
    matrix = [[3, 1], [2, 4]]
    for options, message in (
        ({"cost_matrix": [[0, 1]]}, r"cost_matrix must have the shape \(2, 2\)"),
        ({"cost_matrix": [[1, 1], [1, 0]]}, "a diagonal of zeros"),
        ({"weights": "cubic"}, 'weights must be "linear" or "quadratic"'),
        ({"weights": "linear", "cost_matrix": [[0, 1], [1, 0]]}, "give one of them"),
    ):
        with pytest.raises(ValueError, match=message):
            kc.kappa_score(matrix, **options)
