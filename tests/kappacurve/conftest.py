"""How colours are told apart, on figures and on the explorer's page."""

import matplotlib as mpl
import numpy as np
import pytest


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
