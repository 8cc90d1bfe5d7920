"""Calibration: statsmodels' and scikit-learn's values, and by hand."""

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.isotonic import IsotonicRegression

from kappacurve import calibration
from kappacurve.inference.calibration import pool_violators
from kappacurve.validation import check_sample

K = np.arange(60)
PROBABILITY = (0.03 + 0.9 * ((K * 37) % 60) / 60).round(3)
Y = ((K * 17 % 23) / 23 < PROBABILITY**1.5).astype(int)
WEIGHTS, GROUPS = {"sample_weight": 1.0 + K % 3}, {"groups": K // 4}


# statsmodels 0.15.0: GLM(y, 1, Binomial(), offset=logit p) and GLM(y, [1, logit p], Binomial()),
# var_weights=weights; bse with cov_type="HC0", in groups "cluster" with use_correction=False.
@pytest.mark.parametrize(
    ("options", "n", "intercept", "slope"),
    [
        ({}, 60, (-0.5922119726, 0.3275867964), (0.6774670713, 0.2902373830)),
        (WEIGHTS, 60, (-0.6678492179, 0.3579397017), (0.7128599854, 0.2703963330)),
        (GROUPS, 15, (-0.5922119726, 0.3907985650), (0.6774670713, 0.2168509063)),
        (WEIGHTS | GROUPS, 15, (-0.6678492179, 0.4085685473), (0.7128599854, 0.1887648937)),
    ],
)
def test_statsmodels(options, n, intercept, slope):
    result = calibration(Y, PROBABILITY, **options)
    sample = check_sample(Y, PROBABILITY, **options)
    for estimate, (value, error) in ((result.intercept, intercept), (result.slope, slope)):
        assert estimate.df == pytest.approx(sample.effective_units().min() - 1)
        assert estimate.estimate == pytest.approx(value, abs=1e-9)
        assert estimate.standard_error == pytest.approx(error * np.sqrt(n / (n - 1)), abs=1e-9)
        half = student.ppf(0.975, estimate.df) * estimate.standard_error
        assert (estimate.low, estimate.high) == pytest.approx((value - half, value + half))


def test_observed_over_expected_by_hand():
    """On the log scale; 22 positives where 28.35 are predicted."""
    result = calibration(Y, PROBABILITY).observed_over_expected
    ratio = 22 / PROBABILITY.sum()
    error = np.sqrt(60 / 59 * np.sum((Y - ratio * PROBABILITY) ** 2)) / 22
    half = student.ppf(0.975, 21) * error
    assert (result.estimate, result.standard_error) == pytest.approx((ratio, ratio * error))
    assert (result.low, result.high) == pytest.approx(tuple(ratio * np.exp([-half, half])))


@pytest.mark.parametrize("options", [{}, WEIGHTS])
@pytest.mark.parametrize("digits", [3, 1])
def test_pooling_is_scikit_learns_isotonic_regression(digits, options):
    probability = PROBABILITY.round(digits)
    weight = options.get("sample_weight")
    expected = IsotonicRegression().fit(probability, Y, weight).predict(probability)
    sample = check_sample(Y, {"": probability}, **options)
    np.testing.assert_allclose(pool_violators(sample, ""), expected, atol=1e-12)
    gain = np.average((probability - Y) ** 2 - (expected - Y) ** 2, weights=weight)
    result = calibration(Y, probability, **options).miscalibration
    assert result.estimate == pytest.approx(gain, abs=1e-12)
    assert np.isnan(result.low)
    assert "above 0 in every sample" in result.note


@pytest.mark.parametrize(
    ("probability", "name", "reason"),
    [
        (0.2 + 0.6 * Y, "slope", "separate the classes, or nearly do: no finite slope"),
        (np.full(60, 0.3), "slope", "All probabilities are equal: no slope."),
        (np.zeros(60), "observed_over_expected", "All probabilities are 0."),
        (np.where(K == 0, 1, PROBABILITY), "slope", "1 probability is 0 or 1, where log odds"),
        (np.where(K < 2, K, PROBABILITY), "intercept", "2 probabilities are 0 or 1, where log"),
    ],
)
def test_what_cannot_be_estimated_has_a_reason(probability, name, reason):
    estimate = getattr(calibration(Y, probability), name)
    assert reason in estimate.note
    assert np.isnan(estimate.low) == ("or 1, where" not in reason)


def test_refusals():
    with pytest.raises(ValueError, match="y_prob must be probabilities, got"):
        calibration(Y, 2 * PROBABILITY)
    with pytest.raises(ValueError, match="at least two rows of each class"):
        calibration(K == 3, PROBABILITY)
