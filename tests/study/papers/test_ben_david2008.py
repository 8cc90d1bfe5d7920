import numpy as np
import pytest

from study.papers import ben_david2008
from study.papers.confusion import matrices_table


def test_examples():
    table = matrices_table("ben_david")
    np.testing.assert_allclose(table["kappa"], [0, 0.6, 1, 9 / 19, 1, 0], atol=1e-12)
    np.testing.assert_allclose(table[["tp", "fn", "fp", "tn"]].sum(axis=1), 1)


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


def test_what_the_source_gets_wrong_and_nothing_else():
    checks = ben_david2008.checks()
    wrong = checks[~checks["holds"]]
    assert set(wrong["kind"]) == {"printed"}
    assert wrong["check"].tolist() == [
        "Example 4 (imbalanced): expected agreement",
        "Equation 14 with -FP, as printed, gives back TP of Example 4",
        "Equation 4 with the predicted share, as printed: TP + FN of Example 4",
    ]


def test_lines_go_through_his_points():
    panels = ben_david2008.figure_lines().axes
    points = ben_david2008.figure_points()
    for axes, (number, table) in zip(panels, points.groupby("figure"), strict=True):
        height = "tp" if number in (1, 3) else "kappa"
        drawn = np.vstack(
            [line.get_xydata() for line in axes.get_lines() if line.get_markersize() == 4]
        )
        for point in table[["fp", height]].to_numpy():
            assert np.isclose(drawn, point).all(axis=1).any()
    # Each point of Figure 1 is labelled with its kappa.
    texts = [text.get_text() for text in panels[0].texts]
    assert len(texts) == len(points[points["figure"] == 1])
    assert texts[0].startswith(r"$\kappa$ = ")
