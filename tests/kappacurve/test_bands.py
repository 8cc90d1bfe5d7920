"""Confidence bands of kappa curves: by hand, and what must not change them."""

import numpy as np
import pytest
from samples import draw, wilson
from scipy.stats import norm

from kappacurve import kappa_band, kappa_from_rates


def test_the_limits_at_one_rate_by_hand():
    """Five positives above all of 20 negatives, five below: t is 1/2 everywhere inside."""
    y = np.repeat([1, 0, 1], [5, 20, 5])
    band = kappa_band(y, -np.arange(30.0), n_points=5, cost_ratio=3)
    # The curve is flat: the binomial error alone; and 10 of 30 rows might be fewer or more.
    cells = (
        (0.5, 1 / 3),
        *((t, 1 / 3) for t in wilson(0.5, 10)),
        *((0.5, p) for p in wilson(1 / 3, 30)),
    )
    kappa, least, most, few, many = (kappa_from_rates(0.25, *cell, cost_ratio=3) for cell in cells)
    below, above = min(few, many, kappa), max(few, many, kappa)
    assert band.low[1] == pytest.approx(kappa - np.hypot(kappa - least, kappa - below))
    assert band.high[1] == pytest.approx(kappa + np.hypot(most - kappa, above - kappa))
    assert band.low[-1] == band.high[-1] == 0
    # At rate 0 the curve steps from 0 to 1/2; every curve ends at (1, 1).
    band = kappa_band(y, -np.arange(30.0), n_points=5, prevalence=0.5)
    assert band.low[0] == 0
    assert band.low[-1] == band.high[-1] == 0


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_band_of_weighted_rows_of_three_scores_by_hand(level):
    """Each class has as many rows as its rates' variances at the two thresholds tell, averaged."""
    random = np.random.default_rng(2)
    y, score = np.arange(60) % 3 == 0, random.integers(0, 3, 60).astype(float)
    weight = random.integers(1, 6, 60).astype(float)
    rates, counts = [], []
    for side in (~y, y):
        share, n = weight[side] / weight[side].sum(), side.sum()
        flagged = np.array([score[side] >= threshold for threshold in (2, 1)])
        at = flagged @ share
        real = np.sum((share * (flagged - at[:, None])) ** 2)
        counts.append(n * np.sum(at * (1 - at) / n) / real)
        rates.append([0, *at, 1])
    grid, p = np.linspace(0, 1, 7), 0.3
    half = norm.ppf((1 + level) / 2) * np.sqrt(grid * (1 - grid) / counts[0])
    t, down, up = (np.interp(grid + by, *rates) for by in (0, -half, half))
    least, most = np.array([wilson(rate, counts[1], level) for rate in t]).T
    low, high = t - np.hypot(t - least, t - down), t + np.hypot(most - t, up - t)
    options = {"sample_weight": weight, "prevalence": p, "confidence_level": level}
    found = kappa_band(y, score, **options, n_points=7)
    for end, own in ((found.low, np.maximum(low, 0)), (found.high, np.minimum(high, 1))):
        assert end[:-1] == pytest.approx(kappa_from_rates(grid, own, p)[:-1], abs=1e-12)


def test_repeated_rows_in_groups_and_equal_weights_change_nothing():
    y, score, _ = draw(8, n=54)
    options = {"n_points": 9, "prevalence": 24 / 54}
    alone = kappa_band(y, score, **options)
    twice = [np.repeat(values, 2) for values in (y, score, np.arange(54))]
    grouped = kappa_band(*twice[:2], groups=twice[2], **options)
    weighted = kappa_band(y, score, sample_weight=np.where(y == 1, 2.0, 5.0), **options)
    for found in (grouped, weighted):
        np.testing.assert_allclose(found, alone, atol=1e-12)


@pytest.mark.parametrize("n_points", [1, 2.5])
def test_the_number_of_points_is_an_integer(n_points):
    with pytest.raises(ValueError, match="n_points must be an integer of at least 2"):
        kappa_band([0, 0, 1, 1], [1, 2, 3, 4], n_points=n_points)
