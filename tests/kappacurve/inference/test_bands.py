"""Bands of kappa curves: coverage of known curves, and the limits by hand."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from kappacurve import kappa_band, kappa_curve
from kappacurve.algebra import kappa_from_rates


def draw(seed, sizes=(40, 110), separation=1.0):
    y = np.arange(sum(sizes)) < sizes[0]
    return y, np.random.default_rng(seed).normal(size=len(y)) + separation * y


def test_the_limits_at_one_rate_by_hand():
    """Five positives above all of 20 negatives, five below: t is 1/2 everywhere inside."""
    y = np.repeat([1, 0, 1], [5, 20, 5])
    band = kappa_band(y, -np.arange(30.0), n_points=5, prevalence=0.5)
    wilson = binomtest(5, 10).proportion_ci(method="wilson")
    # Within two standard deviations of rate 1/2 the curve is flat: the binomial error alone.
    assert band.low[2] == pytest.approx(wilson.low - 0.5, abs=1e-12)
    assert band.high[2] == pytest.approx(wilson.high - 0.5, abs=1e-12)
    # At rate 1/4, too; and 10 of 30 rows might be fewer or more positives.
    share = binomtest(10, 30).proportion_ci(method="wilson")
    kappa, least, most = (float(kappa_from_rates(0.25, t, 1 / 3)) for t in (0.5, *wilson))
    few, many = (float(kappa_from_rates(0.25, 0.5, p)) for p in share)
    random = kappa_band(y, -np.arange(30.0), n_points=5)
    assert few < many < kappa  # no prevalence would make it larger
    assert random.low[1] == pytest.approx(kappa - np.hypot(kappa - least, kappa - few))
    assert random.high[1] == pytest.approx(most)
    # At rate 0 the curve steps from 0 to 1/2; every curve ends at (1, 1).
    assert band.low[0] == 0
    assert band.low[-1] == band.high[-1] == 0


def test_the_band_holds_the_curve_and_grows():
    y, score = draw(3)
    fpr, kappa, _ = kappa_curve(y, score)
    fixed = {"sampling": "stratified"}
    band = kappa_band(y, score, **fixed)
    at = np.searchsorted(band.fpr, fpr).clip(1, 199)  # a vertex may lie at a step's end
    assert (np.minimum(band.low[at - 1], band.low[at]) <= kappa + 1e-12).all()
    assert (np.maximum(band.high[at - 1], band.high[at + 1]) >= kappa - 1e-12).all()
    at_all = [kappa_band(y, score, simultaneous=True, n_resamples=20, **fixed) for _ in range(2)]
    np.testing.assert_array_equal(*[one.low for one in at_all])
    others = [kappa_band(y, score, level=0.99, **fixed), kappa_band(y, score)]
    for wider in (at_all[0], *others):
        assert (wider.high >= band.high - 1e-12).all()
        assert (wider.low <= band.low + 1e-12).all()
        assert (wider.low >= -1).all()
        assert (wider.high <= 1).all()
    at_a_cost = kappa_band(y, score, cost=1)
    assert np.isfinite(at_a_cost.low).all()


@pytest.mark.parametrize(("sizes", "separation"), [((26, 260), 1.8), ((150, 350), 0.9)])
def test_coverage_at_every_rate(sizes, separation):
    """The bootstrap's percentiles cover 22 to 74 % at the high rates, 45 % at rate 0."""
    rates = np.linspace(0, 1, 41)
    true = kappa_from_rates(rates, norm.cdf(norm.ppf(rates) + separation), sizes[0] / sum(sizes))
    runs, held, everywhere = 300, np.zeros(41), 0
    options = {"n_points": 41, "sampling": "stratified"}
    for seed in range(runs):
        y, score = draw(seed, sizes, separation)
        band = kappa_band(y, score, **options)
        held += (band.low <= true + 1e-12) & (true - 1e-12 <= band.high)
        if seed < 40:
            band = kappa_band(
                y, score, simultaneous=True, n_resamples=40, random_state=seed, **options
            )
            everywhere += ((band.low <= true + 1e-12) & (true - 1e-12 <= band.high)).all()
    # Counts of positives are few: near a rate of one Wilson's limits jump by some per cent.
    assert (held / runs > 0.88).all()
    assert 0.94 < (held / runs).mean() < 0.985
    assert everywhere >= 34
