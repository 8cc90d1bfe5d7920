import numpy as np
import pandas as pd
import pytest

from study.companions import ben_david2008


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


def section3_of(leads):
    """The second claim's check, of leads of the linear model in (kappa, accuracy)."""
    rows = []
    for replicate, (kappa, accuracy) in enumerate(leads):
        rows.append((replicate, "linear", 0.3 + kappa, 0.7 + accuracy, 0.6))
        rows.append((replicate, "neural_net", 0.3, 0.7, 0.6))
    columns = ["replicate", "model", "kappa", "accuracy", "chance"]
    return ben_david2008.section3(pd.DataFrame(rows, columns=columns))[1]


def test_rounding_noise_does_not_rank_models_apart():
    noise = 0.1 + 0.2 - 0.3
    check = section3_of([(0.1, -0.1), (0.1, 0.1), (-noise, 0.1), (0.1, -noise)])
    assert check.found == 0.25


def test_often_is_more_than_half_of_the_splits():
    apart, alike = (0.1, -0.1), (0.1, 0.1)
    assert section3_of([apart] * 90 + [alike] * 10).holds is True
    assert section3_of([apart] * 10 + [alike] * 90).holds is False
    assert section3_of([apart] * 50 + [alike] * 50).holds is None
