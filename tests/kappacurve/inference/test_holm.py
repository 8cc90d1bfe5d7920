"""Holm's adjustment against values worked out by hand."""

import numpy as np
import pytest

from kappacurve.inference.results import holm


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04 -> 0.06.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        # Twice 0.6 is more than one, and the larger one may not be less likely.
        ([0.6, 0.9], [1.0, 1.0]),
        # Equal ones stay equal: 3 times 0.02.
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.03], [0.03]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([], []),
    ],
)
def test_by_hand(p_values, expected):
    assert holm(p_values) == pytest.approx(expected)


def test_between_no_adjustment_and_bonferroni_s():
    p = np.random.default_rng(1).random(50) ** 3
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(50 * p, 1)).all()
    assert adjusted[p.argmin()] == 50 * p.min()
    assert (np.diff(adjusted[p.argsort()]) >= 0).all()
