"""Tests of two models, as cells count them."""

import numpy as np
from scipy.stats import ttest_ind

from many_data_sets.cells import significant_signs


def test_a_significant_lead_is_that_of_welch(rng):
    """The lead is the mean over positives less that of the negatives' opposite."""
    apart = rng.normal(size=(400, 7)) + rng.normal(size=(400, 1)) * np.r_[1, 1, 1, -1, -1, -1, -1]
    apart[:, :3] += rng.uniform(-3, 3, size=(400, 1))
    test = ttest_ind(apart[:, :3], -apart[:, 3:], axis=1, equal_var=False)
    lead = apart[:, :3].mean(axis=1) + apart[:, 3:].mean(axis=1)
    expected = np.sign(lead) * (test.pvalue < 0.05)
    assert (significant_signs(apart, lead, 3) == expected).all()
    assert {*expected} == {-1, 0, 1}


def test_a_lead_by_rounding_is_no_finding():
    apart = np.full((1, 7), 1e-17) + np.arange(7) * 1e-19
    assert significant_signs(apart, np.array([5e-17]), 3) == 0
