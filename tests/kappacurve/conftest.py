"""What several rooms compare with."""

import matplotlib as mpl
import numpy as np
import pytest
from scipy.stats import binomtest, norm


@pytest.fixture(scope="session")
def contrast():
    """The contrast of two colours by WCAG 2."""

    def luminance(color):
        rgb = np.array(mpl.colors.to_rgb(color))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    def ratio(one, other):
        low, high = sorted([luminance(one), luminance(other)])
        return (high + 0.05) / (low + 0.05)

    return ratio


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
