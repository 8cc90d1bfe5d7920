"""Paired permutation tests against all exchanges of a tiny sample."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from kappacurve import measures, paired_test
from kappacurve._measures import RANKING
from kappacurve._validation import Conditions
from kappacurve.inference._sample import check_sample
from kappacurve.inference.permutation import permutation_tests as permuted


def permutation_tests(y, a, b, groups=None, n=50, random_state=0, **at):
    sample = check_sample(y, {"a": a, "b": b}, groups=groups)
    at = Conditions(**{"prevalence": sample.prevalence(), **at})
    return permuted(sample, "a", "b", at, n, random_state)


Y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
A = np.array([0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9])
B = np.array([20.0, 60, 40, 70, 30, 50, 80, 90])


@pytest.mark.parametrize("name", ["auc", "h", "kappa_max", "ks"])
def test_p_is_the_share_of_all_exchanges(name):
    def measure(y, score):
        return measures(y, score)[name]

    ranks = np.stack([rankdata(A), rankdata(B)])
    leads = []
    for exchanged in product([False, True], repeat=len(Y)):
        a, b = np.where(exchanged, ranks[::-1], ranks)
        leads.append(abs(measure(Y, a) - measure(Y, b)))
    assert len(leads) == 256
    exact = np.mean(np.array(leads) >= leads[0] - 1e-12)
    found = permutation_tests(Y, A, B, n=5000)[name]
    assert found.difference == pytest.approx(measure(Y, A) - measure(Y, B))
    assert found.p_value == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / 5000))
    assert np.isnan([found.standard_error, found.statistic, found.low, found.high]).all()


def test_the_studentised_p_is_the_share_of_all_exchanges():
    """DeLong's error of each exchange, by all pairs of a positive and a negative row."""
    y = np.arange(10) < 5
    a, b = [7.0, 9, 5, 10, 8, 1, 6, 2, 3, 4], [6.0, 4, 9, 8, 10, 2, 7, 1, 5, 3]

    def studentised(scores):
        wins = [score[y][:, None] > score[~y] for score in scores]
        wins = [won + 0.5 * (s[y][:, None] == s[~y]) for won, s in zip(wins, scores, strict=True)]
        lead = wins[0] - wins[1]
        error = np.sqrt(sum(lead.mean(axis=axis).var(ddof=1) / 5 for axis in (0, 1)))
        return abs(lead.mean()) / error if error > 1e-12 else 0.0

    exchanges = np.array(list(product([False, True], repeat=10)))
    found = [studentised((np.where(each, b, a), np.where(each, a, b))) for each in exchanges]
    exact = np.mean(np.array(found) >= found[0] - 1e-9)
    p_value = paired_test(y, a, b, measure="auc", method="permutation").p_value
    assert 0.05 < exact < 0.95
    assert p_value == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / 2000))


def test_order_of_models_scale_and_seed():
    at = {"prevalence": 0.2, "cost": 0.75, "axis": "flagged", "n": 50}
    found = permutation_tests(Y, A, B, **at)
    assert set(found) == set(RANKING)
    raw = [measures(Y, one, prevalence=0.2, cost_ratio=3.0, axis="flagged") for one in (A, B)]
    assert found["auk"].difference == pytest.approx(raw[0]["auk"] - raw[1]["auk"])
    stretched = permutation_tests(Y, np.exp(A), -1 / B, **at)
    swapped = permutation_tests(Y, B, A, **at)
    for name, one in found.items():
        assert stretched[name][:1] + stretched[name][3:4] == one[:1] + one[3:4]
        assert swapped[name].p_value == one.p_value
        assert swapped[name].difference == -one.difference
    assert all(one.p_value == 1 for one in permutation_tests(Y, A, A**3, **at).values())


def test_groups_are_exchanged_as_a_whole():
    repeated = [np.repeat(values, 3) for values in (Y, A, B)]
    groups = np.repeat(np.arange(8), 3)
    alone, several = permutation_tests(Y, A, B), permutation_tests(*repeated, groups=groups)
    for name in ("auc", "h"):
        assert several[name].p_value == alone[name].p_value


@pytest.mark.parametrize("measure", ["auc", "gini"])
def test_the_studentised_p_of_a_difference_without_an_error(measure):
    y = np.arange(40) < 10
    found = paired_test(y, y * 1.0, np.zeros(40), measure=measure, method="permutation")
    assert found.p_value == pytest.approx(1 / 2001)
