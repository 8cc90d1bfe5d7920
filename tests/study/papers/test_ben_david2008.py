import numpy as np
import pytest

from study.papers import ben_david2008


def test_figure_points():
    points = ben_david2008.figure_points()
    assert points.groupby("figure").size().to_dict() == {1: 7, 2: 7, 3: 7, 4: 29}
    # For P = 0.5 kappa is 2 (TP - FP), equation 15.
    half = points.query("positive_share == 0.5")
    np.testing.assert_allclose(half["kappa"], 2 * (half["tp"] - half["fp"]), atol=1e-12)
    # No classifier can have TP > P.
    assert points.query("predicted_share == 0.9")["fp"].min() == 0.2
    example4 = points.query("predicted_share == 0.8 and fp == 0.15")["kappa"].item()
    assert example4 == pytest.approx(9 / 19)
