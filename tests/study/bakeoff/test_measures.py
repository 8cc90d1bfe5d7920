import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, matthews_corrcoef

from kappacurve import auk_score, h_measure_score
from study.bakeoff.measures import MEASURES, Curves, Goal, goals_at, h_at


def ranks(ties, n=(7, 21), seed=0):
    scores = np.random.default_rng(seed).normal(size=(3, sum(n)))
    scores[:, : n[0]] += 1
    return scores.argsort(1).argsort(1) // (4 if ties else 1)


@pytest.mark.parametrize("ties", [False, True])
def test_measures_at_the_samples_prevalence_are_those_of_scikit_learn(ties):
    rows = ranks(ties)
    curves = Curves(rows, 7, 7 / 28)
    label = curves.label
    for name, one in {
        "average_precision": average_precision_score,
        "f1": lambda y, score: max(f1_score(y, score >= cut) for cut in score),
        "mcc": lambda y, score: max(matthews_corrcoef(y, score >= cut) for cut in score),
        "auk_swapped": lambda y, score: auk_score(~y, -score, pos_label=True),
    }.items():
        expected = [one(label, row.astype(float)) for row in rows]
        np.testing.assert_allclose(MEASURES[name].of(curves), expected, atol=1e-12)


def test_every_auk_is_the_auc_at_one_half():
    curves = Curves(ranks(ties=False), 7, 0.5)
    auc = MEASURES["auc"].of(curves) - 0.5
    for name in ("auk", "auk_symmetric", "auk_swapped"):
        np.testing.assert_allclose(MEASURES[name].of(curves), auc, atol=1e-12)
    np.testing.assert_allclose(MEASURES["auk_goal"].of(curves.at(0.1), 0.9), auc, atol=1e-12)


def test_h_at_a_cost_is_the_librarys_with_the_weights_mirrored():
    curves = Curves(ranks(ties=False), 7, 0.2)
    expected = [
        # The library's cost is that of a false positive.
        h_measure_score(curves.label, row, pos_label=True, prevalence=0.2, cost_weight=(2, 18))
        for row in curves.ranks
    ]
    np.testing.assert_allclose(h_at(curves, 0.9), expected, atol=0.01)


def test_goals_by_hand():
    # From the top: positive, negative, positive, negative, negative.
    curves = Curves(np.array([[4, 2, 3, 1, 0]]), 2, 0.1)
    balanced, costly, top = goals_at(0.1, [0.99], 0.1)
    assert balanced == Goal("cost_balanced", 0.9)
    assert -balanced.value(curves)[0] == pytest.approx(0.1 * 0.9 / 3)
    assert -costly.value(curves)[0] == pytest.approx(0.01 * 0.9 / 3)
    # 5 % of the rows are flagged by the first positive, and 30 % up to the second negative.
    assert top.value(curves)[0] == pytest.approx(0.1 * 0.5 / 0.1)
