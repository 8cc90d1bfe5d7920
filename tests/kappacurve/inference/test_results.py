"""Defaults, intervals on each scale, edges of levels and repeats; and how numbers are printed."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import binomtest, norm, t as student

from kappacurve import interval, kappa_band, paired_test
from kappacurve.inference import (
    auk_grid,
    covariance,
    influence,
    max_t,
    max_t_of_resamples,
    wilson_interval,
)
from kappacurve.inference.results import Estimate, outward

Y = np.arange(50) % 2
A, B = (np.random.default_rng(seed).normal(size=50) + Y for seed in (1, 2))
FIXED = {"prevalence": None, "cost": 0.5, "axis": "fpr", "sampling": "random"}
DRAWN = {"n_resamples": 2000, "random_state": 0}
MATRIX = [[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]]


@pytest.mark.parametrize(
    ("function", "arguments", "defaults"),
    [
        (interval, (Y, A), {"measure": "auk", "level": 0.95, "scale": "adjusted", **FIXED}),
        (interval, (Y, A), {"measure": "h", "method": "bootstrap", "level": 0.95, **DRAWN}),
        (paired_test, (Y, A, B), {"measure": "auk", "level": 0.95, **FIXED}),
        (paired_test, (Y, A, B), {"measure": "h", "method": "bootstrap", "level": 0.95, **DRAWN}),
        (paired_test, (Y[:8], A[:8], B[:8]), {"measure": "auk", "method": "permutation", **DRAWN}),
        (influence, (Y, A), {"measure": "auk", **FIXED}),
        (covariance, (Y, {"a": A, "b": B}), {"measure": "auk", **FIXED}),
        (auk_grid, (Y, {"a": A, "b": B}), {"level": 0.95, **FIXED}),
        (kappa_band, (Y, A), {"level": 0.95, "n_points": 201, "simultaneous": False}),
        (kappa_band, (Y, A), {"simultaneous": True, "n_resamples": 500, "random_state": 0}),
        (max_t, ([1.0, 2.0, 4.0], MATRIX), {"level": 0.95, "df": np.inf}),
        (max_t_of_resamples, ([1.0, 2.0], np.c_[A, B]), {"level": 0.95}),
        (Estimate(0.8, 0.1, 0, 1).unpaired_test, (Estimate(0.7, 0.2, 0, 1),), {"level": 0.95}),
        (wilson_interval, (0.2, 20), {"quantile": norm.ppf(0.975)}),
        (outward, (1 / 7, 2 / 7), {"digits": 6}),
    ],
)
def test_defaults_are_those_of_the_documentation(function, arguments, defaults):
    kept = {name: defaults[name] for name in ("method", "simultaneous") if name in defaults}
    if defaults.get("measure") == "h":
        kept["measure"] = "h"
    np.testing.assert_equal(
        *(repr(function(*arguments, **options)) for options in (kept, defaults))
    )


@pytest.mark.parametrize(
    ("low", "high", "digits", "text"),
    [
        (0.03224, 0.13651, 3, "0.0322 to 0.137"),
        (-0.13651, -0.03224, 3, "-0.137 to -0.0322"),
        (0.25, 0.3, 3, "0.25 to 0.3"),
        (-0.0, 0.1234561, 6, "0 to 0.123457"),
        (0.9999999, 1.0, 6, "0.999999 to 1"),
    ],
)
def test_ends_are_printed_outward(low, high, digits, text):
    assert outward(low, high, digits=digits) == text


def test_wilson_s_limits_are_scipy_s():
    for count, n in ((0, 1), (1, 1), (4, 20), (20, 20)):
        expected = binomtest(count, n).proportion_ci(method="wilson")
        assert wilson_interval(count / n, n) == pytest.approx(tuple(expected), abs=1e-12)
    for share, n in ((1.1, 20), (-0.1, 20), (0.5, 0.9)):
        with pytest.raises(ValueError, match="must"):
            wilson_interval(share, n)


@pytest.mark.filterwarnings("ignore:Brier score")
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_plain_intervals_end_where_the_measure_does(level):
    """AUC 11/12, from components 1, 1, 3/4 and 2/3, 1, 1, 1."""
    y, score = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    options = {"scale": "plain", "level": level, "sampling": "stratified"}
    error = np.sqrt((1 / 48) / 3 + (1 / 36) / 4)
    for measure, least, by in (("auc", 0, 1), ("gini", -1, 2)):
        for way, value in ((1, least + by * 11 / 12), (-1, least + by / 12)):
            found = interval(y, way * score, measure=measure, **options)
            assert found[:2] == pytest.approx((value, by * error))
            half = norm.isf((1 - level) / 2) * by * error
            assert found[2:4] == pytest.approx(np.clip([value - half, value + half], least, 1))
    found = interval(y, score, measure="brier_score", **options)
    half = student.isf((1 - level) / 2, found.df) * found.standard_error
    value = found.estimate
    assert value == pytest.approx(np.mean((y - score) ** 2))
    assert found[2:4] == pytest.approx(np.clip([value - half, value + half], 0, 1))
    half /= value * (1 - value)
    expected = expit(logit(value) + np.array([-half, half]))
    found = interval(y, score, measure="brier_score", level=level, sampling="stratified")
    assert found[2:4] == pytest.approx(expected)


def test_a_tie_at_the_border_of_two_classes_leaves_an_interval():
    for score in ([1, 2, 2, 3], [3, 2, 2, 1]):
        found = interval([0, 0, 1, 1], score, measure="auc", scale="logit")
        assert 0 < found.low < found.estimate < found.high < 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": 0}, "level must lie strictly"),
        ({"level": 1}, "level must lie strictly"),
        ({"method": "bootstrap", "n_resamples": 1}, "an integer of at least 2, got 1"),
        ({"method": "bootstrap", "n_resamples": 9.0}, "an integer of at least 2, got 9.0"),
        ({"scale": "log"}, "scale must be"),
        ({"measure": "net_benefit"}, "net_benefit needs threshold="),
        ({"measure": "net_benefit", "threshold": 1.0}, "at least 0 and below 1, got 1.0"),
        ({"measure": "net_benefit", "threshold": -0.1}, "at least 0 and below 1, got -0.1"),
        ({"measure": "expected_loss", "method": "analytic"}, "expected_loss needs a threshold"),
        ({"measure": "auk", "method": "bootstrap", "threshold": 0.5}, "takes no threshold"),
        ({"measure": "nothing"}, "There is no measure 'nothing'"),
        ({"sampling": "none"}, "sampling must be"),
    ],
)
def test_options_that_an_interval_refuses(options, said):
    with pytest.raises(ValueError, match=said):
        interval(Y, A, **options)


BOOTSTRAP, WEIGHTED = {"method": "bootstrap"}, {"sample_weight": np.ones(60)}


@pytest.mark.parametrize(
    ("n_positive", "measure", "options", "method", "tested"),
    [
        (4, "auc", {}, "permutation", True),
        (5, "gini", {}, "delong", True),
        (5, "auk", {}, "influence", True),
        (19, "h", {}, "permutation", True),
        (20, "h", {}, "bootstrap", True),
        (19, "h", WEIGHTED, "bootstrap", False),
        (4, "auc", WEIGHTED, "delong", False),
        (4, "brier_score", {}, "influence", False),
        (5, "brier_score", {}, "influence", True),
        (4, "expected_loss", {"threshold": 0.4}, "influence", False),
        (19, "expected_loss", {}, "bootstrap", False),
        (20, "expected_loss", {}, "bootstrap", True),
        (19, "recall", {"at": "flagged<=0.3"}, "bootstrap", False),
        (20, "recall", {"at": "flagged<=0.3"}, "bootstrap", True),
        (4, "recall", {"at": 0.6}, "influence", False),
        (41, "auc", BOOTSTRAP, "bootstrap", False),  # 19 negatives
        (40, "auc", BOOTSTRAP, "bootstrap", True),
        (30, "auc", {"method": "permutation"}, "permutation", True),
    ],
)
def test_the_method_and_the_p_value_for_so_many_rows(n_positive, measure, options, method, tested):
    y = np.arange(60) < n_positive
    a, b = (np.random.default_rng(seed).random(60) / 2 + 0.4 * y for seed in (1, 2))
    found = paired_test(y, a, b, measure=measure, n_resamples=99, **options)
    assert (found.method, not np.isnan(found.p_value)) == (method, tested)


def test_the_fewest_of_all_that_is_counted_are_taken():
    """Two resamples, two permutations; a threshold probability of zero flags all."""
    for method in ("bootstrap", "permutation"):
        found = paired_test(Y, A, B, measure="ks", method=method, n_resamples=2)
        assert 1 / 3 <= found.p_value <= 1
    share = (A - A.min()) / np.ptp(A)
    found = interval(Y, share, measure="net_benefit", threshold=0.0)
    assert found.estimate == 0.5
