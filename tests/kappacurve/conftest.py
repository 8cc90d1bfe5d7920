"""What several rooms compare with."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm


@pytest.fixture(scope="session")
def integral():
    """Of a function over [0, 1] by Gauss and Legendre, finely divided near both ends."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    near = 10.0 ** np.arange(-12, 0)
    cuts = np.unique([0, 0.3, 0.5, 0.7, 1, *near, *(1 - near)])
    points = cuts[:-1, None] + np.diff(cuts)[:, None] * (nodes + 1) / 2
    steps = np.diff(cuts)[:, None] * weights / 2

    def area(function):
        return float((function(points) * steps).sum())

    return area


@pytest.fixture(scope="session")
def agresti_coull():
    """The limits of a share by Agresti and Coull: round Wilson's centre."""

    def limits(count, n, level=0.95):
        centre = np.mean(binomtest(count, n).proportion_ci(level, method="wilson"))
        z = norm.isf((1 - level) / 2)
        half = z * np.sqrt(centre * (1 - centre) / (n + z**2))
        return np.array([centre - half, centre + half])

    return limits
