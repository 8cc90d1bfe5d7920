import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.h_measure import h_of_hull
from kappacurve.kappa import kappa_from_rates
from kappacurve.roc import roc_hull

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def coverage():
    return runpy.run_path(str(BENCHMARKS / "bench_coverage.py"))


def test_population_values(coverage):
    auc, auk = coverage["population"](1.0, 0.5)
    assert auk == pytest.approx(auc - 0.5, abs=1e-6)
    assert coverage["population"](0.0, 0.2) == pytest.approx((0.5, 0.0), abs=1e-12)


@pytest.mark.parametrize(("separation", "prevalence"), [(0.9, 1 / 11), (1.8, 0.3), (0.9, 0.7)])
def test_true_maxima_are_the_measures_of_a_fine_curve(coverage, separation, prevalence):
    """Quadrature and a search against the package's measures of a polyline of 40,000 corners."""
    threshold = np.linspace(9 + separation, -9, 40_001)
    fpr = np.r_[0, norm.sf(threshold), 1]
    tpr = np.r_[0, norm.sf(threshold - separation), 1]
    hull = roc_hull(fpr, tpr)
    true = coverage["true_maxima"](separation, prevalence)
    assert true["auch"] == pytest.approx(area_under_curve(hull.fpr, hull.tpr), abs=1e-6)
    assert true["auk_hull"] == pytest.approx(
        area_under_kappa(hull.fpr, hull.tpr, prevalence), abs=1e-6
    )
    assert true["h"] == pytest.approx(h_of_hull(hull.fpr, hull.tpr, prevalence), abs=1e-6)
    assert true["ks"] == pytest.approx((tpr - fpr).max(), abs=1e-6)
    kappa = kappa_from_rates(fpr, tpr, prevalence)
    assert true["kappa_max"] == pytest.approx(kappa.max(), abs=1e-6)


def test_intervals_less_their_bias_cover_maxima(coverage):
    """Few runs, but percentiles would hold the true H in 64 % of samples only."""
    shares = coverage["simulate_maxima"](26, 260, 0.9, 60, 100, 0)
    assert min(shares.values()) >= 0.85
