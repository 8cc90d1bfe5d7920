"""The closed forms and limits of docs/theory.md, held to the areas of the library."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import logit, ndtr, ndtri

from kappacurve.auk import area_under_curve, area_under_kappa, perfect_auk
from kappacurve.kappa import kappa_from_rates

PLACES = [(p, c) for p in (0.003, 0.11, 0.4, 0.8, 0.97) for c in (0, 0.05, 0.5, 0.7, 1)]


@pytest.mark.parametrize(("p", "c"), PLACES)
def test_perfect_areas(p, c):
    q = 1 - p
    a = q - c
    over_fpr = -p / a * (1 + (1 - c) / a * np.log(p / (1 - c))) if c < 1 else 1
    assert perfect_auk(p, c) == pytest.approx(over_fpr, abs=1e-12)
    divergence = sum(x * np.log(x / y) for x, y in ((c, q), (1 - c, p)) if x)
    over_share = p * q * divergence / a**2
    assert perfect_auk(p, c, "flagged") == pytest.approx(over_share, abs=1e-12)


@pytest.mark.parametrize(("p", "c"), PLACES)
@pytest.mark.parametrize("w", [1.5, 4, 60])
def test_areas_of_the_curve_of_constant_odds_ratio(p, c, w):
    """t = w f / (1 + (w-1) f), by a polyline of many vertices."""
    f = ((1 - np.cos(np.pi * np.linspace(0, 1, 20_001))) / 2) ** 2
    t = w * f / (1 + (w - 1) * f)
    auc = w * (w - 1 - np.log(w)) / (w - 1) ** 2
    assert area_under_curve(f, t) == pytest.approx(auc, abs=1e-7)
    q = 1 - p
    s = q - c
    first, second, third = c * p, s * (q + w * p) + c * p * (w - 1), s * q * (w - 1)
    area = quad(
        lambda x: x * (1 - x) / (first + second * x + third * x * x) if 0 < x < 1 else 0,
        *(0, 1),
        points=[1e-4, 1e-2, 0.5, 0.99],
        epsabs=1e-12,
    )[0]
    assert area_under_kappa(f, t, p, cost=c) == pytest.approx(p * q * (w - 1) * area, abs=1e-6)


@pytest.mark.parametrize(("f", "t", "p"), [(0.2, 0.7, 0.1), (0.05, 0.5, 0.6), (0.6, 0.4, 0.02)])
def test_kappa_averaged_over_all_costs(f, t, p):
    share = p * t + (1 - p) * f
    mean = quad(lambda c: float(kappa_from_rates(f, t, p, cost=c)), 0, 1)[0]
    closed = p * (1 - p) * (t - f) * (logit(p) - logit(share)) / (p - share)
    assert mean == pytest.approx(closed, abs=1e-10)


def test_rare_positives():
    """Off by less than twice the prevalence at cost 1/2, for two normal scores 1.5 apart."""
    f = ((1 - np.cos(np.pi * np.linspace(0, 1, 20_001))) / 2) ** 4
    t = ndtr(ndtri(f) + 1.5)
    for p in (0.01, 0.001):
        limit = 2 * p * (t - f)[1:] / (f[1:] + p * (1 + t[1:]))
        area = np.trapezoid(limit, f[1:])
        assert area == pytest.approx(area_under_kappa(f, t, p), rel=2 * p)
