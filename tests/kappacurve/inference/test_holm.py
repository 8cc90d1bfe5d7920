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
        ([0.02, np.nan, 0.02, 0.02], [0.06, np.nan, 0.06, 0.06]),
        ([], []),
    ],
)
def test_by_hand(p_values, expected):
    assert holm(p_values) == pytest.approx(expected, nan_ok=True)
