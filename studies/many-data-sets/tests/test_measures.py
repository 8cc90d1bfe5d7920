import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, log_loss, matthews_corrcoef

from kappacurve import auk_score
from many_data_sets.measures import Goal, corners_of, goals_at, rank_values, row_losses


def ranks(ties, n=(7, 21), seed=0):
    scores = np.random.default_rng(seed).normal(size=(3, sum(n)))
    scores[:, : n[0]] += 1
    return scores.argsort(1).argsort(1) // (4 if ties else 1)


def values(rows, n_positive, prevalence):
    goals = goals_at(prevalence, [0.9])
    corners = corners_of(rows, n_positive, prevalence, goals, 0.1)
    return rank_values(rows, n_positive, prevalence, goals, corners)


@pytest.mark.parametrize("ties", [False, True])
def test_measures_at_the_samples_prevalence_are_those_of_scikit_learn(ties):
    rows = ranks(ties)
    label, found = np.arange(28) < 7, values(rows, 7, 7 / 28)
    for name, one in {
        "average_precision": average_precision_score,
        "f1": lambda y, score: max(f1_score(y, score >= cut) for cut in score),
        "mcc": lambda y, score: max(matthews_corrcoef(y, score >= cut) for cut in score),
        "auk_swapped": lambda y, score: auk_score(~y, -score, pos_label=True),
    }.items():
        expected = [one(label, row.astype(float)) for row in rows]
        np.testing.assert_allclose(found[name, ""], expected, atol=1e-12)


def test_the_auk_at_the_balanced_cost_is_the_auc():
    found = values(ranks(ties=False), 7, 0.1)
    expected = found["auc", ""] - 0.5
    np.testing.assert_allclose(found["auk_goal", "cost_balanced"], expected, atol=1e-12)


def test_goals_and_their_thresholds_by_hand():
    # From the top: positive, negative, positive, negative, negative.
    goals = goals_at(0.1, [0.99])
    corners = corners_of(np.array([[4, 2, 3, 1, 0]]), 2, 0.1, goals, 0.1)
    assert goals[0] == Goal("cost_balanced", 0.9)
    # 5 % of the rows are flagged by the first positive, and 30 % up to the second negative.
    np.testing.assert_allclose(corners.goals, [[-0.1 * 0.9 / 3, -0.01 * 0.9 / 3, 0.5]])
    assert corners.thresholds[0, :2].tolist() == [2, 2]  # both positives are flagged
    # One tie of all: nothing flagged costs less than everything flagged.
    tied = corners_of(np.zeros((1, 5), dtype=np.int64), 2, 0.1, [Goal("cost", 0.5)], 0.1)
    assert tied.goals[0, 0] == pytest.approx(-0.05) and tied.thresholds[0, 0] == 1


def test_losses_are_those_of_scikit_learn_whatever_the_odds():
    odds = np.array([[-2.0, 0.5, 1.0, -40.0]])
    label = np.array([1, 1, 0, 0])
    found = row_losses(odds, 0.25)
    share = 1 / (1 + np.exp(-(odds[0] + 0.25)))
    mean = np.where(label, *(one[0] for one in found["log_loss"])).mean()
    assert -mean == pytest.approx(log_loss(label, share), rel=1e-9)
    brier = np.where(label, *(one[0] for one in found["brier"]))
    np.testing.assert_allclose(-brier, (label - share) ** 2, atol=1e-15)
    assert np.isfinite(row_losses(np.array([[900.0, -900.0]]), 0.0)["log_loss"]).all()
