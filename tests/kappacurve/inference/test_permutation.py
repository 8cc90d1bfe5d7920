"""Paired permutation tests against all exchanges of a tiny sample."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from kappacurve import compare, measures, paired_test

Y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
A = np.array([0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9])
B = np.array([20.0, 60, 40, 70, 30, 50, 80, 90])


def permuted(y, a, b, measure="h", n=50, **options):
    return paired_test(y, a, b, measure=measure, method="permutation", n_resamples=n, **options)


def assert_is_share_of_exchanges(y, a, b, distance, found, n):
    """The share of all exchanges whose distance is as large as that of the models themselves."""
    exchanges = product([False, True], repeat=len(y))
    distances = [distance(np.where(each, b, a), np.where(each, a, b)) for each in exchanges]
    exact = np.mean(np.array(distances) >= distances[0] - 1e-12)
    assert 0.05 < exact < 0.95
    assert found.p_value == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / n))
    assert np.isnan([found.standard_error, found.statistic, found.low, found.high]).all()


@pytest.mark.parametrize("name", ["auch", "h", "kappa_max", "ks"])
def test_p_is_the_share_of_all_exchanges(name):
    def distance(a, b):
        return abs(measures(Y, a)[name] - measures(Y, b)[name])

    found = permuted(Y, A, B, name, 5000)
    assert abs(found.difference) == pytest.approx(distance(A, B))
    assert_is_share_of_exchanges(Y, rankdata(A), rankdata(B), distance, found, 5000)


def test_the_studentised_p_is_the_share_of_all_exchanges():
    """DeLong's error of each exchange, by all pairs of a positive and a negative row."""
    y = np.arange(10) < 5
    a, b = [7.0, 9, 5, 10, 8, 1, 6, 2, 3, 4], [6.0, 4, 9, 8, 10, 2, 7, 1, 5, 3]

    def distance(*scores):
        wins = [score[y][:, None] > score[~y] for score in scores]
        wins = [won + 0.5 * (s[y][:, None] == s[~y]) for won, s in zip(wins, scores, strict=True)]
        lead = wins[0] - wins[1]
        error = np.sqrt(sum(lead.mean(axis=axis).var(ddof=1) / 5 for axis in (0, 1)))
        return abs(lead.mean()) / error if error > 1e-12 else 0.0

    assert_is_share_of_exchanges(y, a, b, distance, permuted(y, a, b, "auc", 2000), 2000)


@pytest.mark.parametrize("name", ["auk", "h", "average_precision"])
def test_order_of_models_scale_and_cost(name):
    at = {"prevalence": 0.2, "cost": 0.75, "axis": "flagged"}
    found = permuted(Y, A, B, name, **at)
    values = [measures(Y, score, **at)[name] for score in (A, B)]
    assert found.difference == pytest.approx(values[0] - values[1])
    stretched = permuted(Y, np.exp(A), -1 / B, name, **at)
    assert (stretched.difference, stretched.p_value) == (found.difference, found.p_value)
    swapped = permuted(Y, B, A, name, **at)
    assert (swapped.difference, swapped.p_value) == (-found.difference, found.p_value)
    assert permuted(Y, A, A**3, name, **at).p_value == 1


@pytest.mark.filterwarnings("ignore:The groups")
@pytest.mark.parametrize("name", ["auc", "h"])
def test_groups_are_exchanged_as_a_whole(name):
    repeated = [np.repeat(values, 3) for values in (Y, A, B)]
    groups = np.repeat(np.arange(8), 3)
    several = permuted(*repeated, name, groups=groups)
    assert several.p_value == permuted(Y, A, B, name).p_value


@pytest.mark.parametrize(
    ("n", "p_values", "adjusted"),
    [(7, [0.75, 0.125, 0.25], [0.75, 0.375, 0.5]), (3, [1, 0.25, 0.25], [1, 0.75, 0.75])],
)
def test_p_values_of_three_pairs_are_adjusted_by_holm(n, p_values, adjusted):
    """The least counts three times, the next twice, and none falls below the one before."""
    found = compare(Y, {"a": A, "b": B, "c": A[::-1]}, n_permutations=n).tests
    found = found[found["measure"] == "ks"]
    assert found["p_value"].tolist() == p_values
    assert found["p_adjusted"].tolist() == adjusted


@pytest.mark.parametrize("measure", ["auc", "gini"])
def test_the_studentised_p_of_a_difference_without_an_error(measure):
    y = np.arange(40) < 10
    found = paired_test(y, y * 1.0, np.zeros(40), measure=measure, method="permutation")
    assert found.p_value == pytest.approx(1 / 2001)
