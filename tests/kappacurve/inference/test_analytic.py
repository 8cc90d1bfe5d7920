import numpy as np
import pytest

from kappacurve import (
    auk_interval,
    auk_score,
    auk_test,
    bootstrap_tests,
    delong_interval,
    delong_test,
    unpaired_test,
)
from kappacurve.inference import auk_influence, delong_covariance, hanley_mcneil_standard_error

# Hanley & McNeil (1982), Table I: ratings of 58 normal and 51 abnormal computed tomograms.
NORMAL, ABNORMAL = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)


def draw(seed, n=120, prevalence=0.25, digits=None, separation=1.0):
    """Labels and two correlated normal scores; rounded to `digits` they have ties."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[: round(n * prevalence)] = 1
    rng.shuffle(y)
    common = rng.normal(size=n)
    a = common + rng.normal(size=n) + separation * y
    b = common + rng.normal(size=n) + 0.5 * separation * y
    return (y, a, b) if digits is None else (y, a.round(digits), b.round(digits))


def direct_delong(y, scores):
    """DeLong's equations 3-5 as they stand: all pairs of a positive and a negative."""
    s10, s01, auc = [], [], []
    for score in scores:
        difference = score[y == 1][:, None] - score[y == 0][None]
        psi = (difference > 0) + 0.5 * (difference == 0)
        auc.append(psi.mean())
        s10.append(psi.mean(axis=1))
        s01.append(psi.mean(axis=0))
    m, n = (y == 1).sum(), (y == 0).sum()
    return np.array(auc), np.cov(s10) / m + np.cov(s01) / n


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_delong_is_the_sum_over_all_pairs(digits):
    y, a, b = draw(4, digits=digits)
    expected_auc, expected = direct_delong(y, [a, b])
    auc, covariance = delong_covariance(y, [a, b])
    np.testing.assert_allclose(auc, expected_auc, atol=1e-14)
    np.testing.assert_allclose(covariance, expected, atol=1e-15)
    single = delong_interval(y, a)
    assert single.estimate == pytest.approx(expected_auc[0], abs=1e-14)
    assert single.standard_error == pytest.approx(np.sqrt(expected[0, 0]), abs=1e-14)
    test = delong_test(y, a, b)
    contrast = np.array([1, -1])
    assert test.standard_error == pytest.approx(np.sqrt(contrast @ expected @ contrast), abs=1e-14)
    assert not unpaired_test(single, single).p_value < 1


def test_published_example_of_hanley_and_mcneil():
    y = np.repeat([0, 1], [58, 51])
    rating = np.concatenate([np.repeat(np.arange(5), NORMAL), np.repeat(np.arange(5), ABNORMAL)])
    found = delong_interval(y, rating)
    assert round(found.estimate, 3) == 0.893
    # Stata's manual shows DeLong's error and interval of these ratings (command roctab).
    assert [round(value, 5) for value in found[2:]] == [0.83295, 0.95339]
    assert round(found.standard_error, 4) == 0.0307


def test_hanley_mcneil_by_hand():
    # A = 1/2: Q1 = Q2 = 1/3, so (1/4 + 3/12 + 1/12) / (4 * 2) = 7/96.
    assert hanley_mcneil_standard_error(0.5, 4, 2) == pytest.approx(np.sqrt(7 / 96), abs=1e-15)
    assert hanley_mcneil_standard_error(1.0, 4, 2) == 0.0


@pytest.mark.parametrize(
    ("cost", "prevalence", "share"),
    [
        *((cost, 0.2, 0.25) for cost in (0.0, 0.03, 1.0, "balanced")),
        *((0.5, 0.001, 0.1), (0.5, 0.999, 0.25)),
    ],
)
@pytest.mark.parametrize("axis", ["fpr", "flagged"])
@pytest.mark.parametrize("digits", [None, 0])
def test_influence_is_the_derivative_by_the_weight(cost, axis, digits, share, prevalence):
    y, a, _ = draw(6, n=40, prevalence=share, digits=digits)
    at = {"cost": cost, "axis": axis}
    fixed = auk_influence(y, a, prevalence=prevalence, **at)
    size = np.where(y == 1, y.sum(), (1 - y).sum())
    drawn = auk_influence(y, a, sampling="random", **at)
    for row in [*range(0, 40, 13), int(np.argmin(a)), int(np.argmax(a))]:
        slope = slope_by_weight(y, a, row, prevalence, **at)
        assert fixed[row] / size[row] == pytest.approx(slope, abs=3e-7)
        assert drawn[row] / 40 == pytest.approx(slope_by_weight(y, a, row, None, **at), abs=3e-7)


def test_intervals_and_tests_at_a_cost():
    y, a, b = draw(3)
    balanced, auc = auk_interval(y, a, cost="balanced"), delong_interval(y, a)
    assert balanced.standard_error == pytest.approx(auc.standard_error, abs=1e-12)
    assert balanced.low == pytest.approx(auc.low - 0.5, abs=1e-12)
    assert auk_test(y, a, b, cost="balanced", axis="flagged").p_value == pytest.approx(
        delong_test(y, a, b).p_value, abs=1e-10
    )
    at = {"cost_ratio": 5, "axis": "flagged", "prevalence": 0.1}
    found = auk_interval(y, a, **at)
    assert found.estimate == pytest.approx(auk_score(y, a, **at), abs=1e-15)
    test = bootstrap_tests(y, a, b, n_resamples=400, **at)["auk"]
    assert auk_test(y, a, b, **at).difference == pytest.approx(test.difference, abs=1e-14)
    assert auk_test(y, a, b, **at).standard_error == pytest.approx(test.standard_error, rel=0.15)


def slope_by_weight(y, score, row, prevalence, step=1e-4, **options):
    value = []
    for sign in (-1, 1):
        weight = np.ones(len(y))
        weight[row] += sign * step
        value.append(auk_score(y, score, sample_weight=weight, prevalence=prevalence, **options))
    return (value[1] - value[0]) / (2 * step)


@pytest.mark.parametrize("interval", [delong_interval, auk_interval])
def test_perfect_and_constant_scores_have_no_variance(interval):
    y = np.repeat([0, 1], [7, 3])
    for score in (y * 1.0, np.arange(10.0), np.zeros(10), -y * 1.0):
        found = interval(y, score)
        assert found.standard_error == 0.0
        assert np.isnan([found.low, found.high]).all()
    # A random class ratio leaves a perfect AUK uncertain.
    assert auk_interval(y, y, sampling="random").standard_error > 0
    assert auk_interval(y, y, sampling="random", prevalence=0.3).standard_error == 0.0


@pytest.mark.parametrize("test", [delong_test, auk_test])
def test_comparisons_without_variance(test):
    y, a, _ = draw(13)
    for b in (a, np.exp(a)):
        assert test(y, a, b)[:2] == (0.0, 0.0)
        assert np.isnan(test(y, a, b)[2:]).all()
    perfect, constant = y * 1.0, np.zeros(len(y))
    assert np.isnan(test(y, perfect, constant)[2:]).all()


@pytest.mark.parametrize("test", [delong_test, auk_test])
def test_with_few_rows_of_a_class_a_test_has_no_p_value(test):
    y, a, b = draw(13, n=80)  # 20 positives
    assert 0 < test(y, a, b).p_value < 1
    kept = np.delete(np.arange(80), np.flatnonzero(y)[0])
    with pytest.warns(UserWarning, match="with 19 rows of a class this test does not hold its"):
        found = test(y[kept], a[kept], b[kept])
    assert np.isnan(found.p_value)
    assert np.isfinite([found.low, found.high, found.statistic]).all()


def test_logit_interval_by_hand():
    # AUC 3/4 with variance 1/8, from the covariance's example: logit(3/4) = log(3).
    found = delong_interval([0, 0, 1, 1], [1, 3, 2, 4], scale="logit", confidence=0.95)
    half = 1.959963984540054 * np.sqrt(1 / 8) / (3 / 16)
    assert found.low == pytest.approx(1 / (1 + np.exp(-np.log(3) + half)))
    assert found.high == pytest.approx(1 / (1 + np.exp(-np.log(3) - half)))
    with pytest.raises(ValueError, match='scale must be "plain" or "logit"'):
        delong_interval([0, 0, 1, 1], [1, 3, 2, 4], scale="log")


@pytest.mark.parametrize("function", [delong_interval, auk_interval, auk_influence])
def test_refusals_of_one_score(function):
    y, a, _ = draw(15)
    with pytest.raises(ValueError, match="sample_weight is not supported"):
        function(y, a, sample_weight=np.ones(len(y)))
    with pytest.raises(ValueError, match="at least two rows of each class, got 1 positive"):
        function([0, 0, 1], [1, 2, 3])


def test_other_refusals():
    y, a, b = draw(16)
    with pytest.raises(ValueError, match="confidence must lie strictly between"):
        delong_test(y, a, b, confidence=95)
    with pytest.raises(ValueError, match="sampling must be"):
        auk_test(y, a, b, sampling="bootstrap")
    with pytest.raises(ValueError, match="one line per set of scores"):
        delong_covariance(y, a)
    with pytest.raises(ValueError, match="auc must lie"):
        hanley_mcneil_standard_error(1.2, 5, 5)
    with pytest.raises(ValueError, match="n_negative must be a number of rows, at least one"):
        hanley_mcneil_standard_error(0.7, 5, 0)
