import numpy as np
import pytest
from pytest import approx
from sklearn.metrics import cohen_kappa_score

from study.companions.ben_david2008 import (
    bound_fp,
    compute_points,
    solve_kappa,
    solve_tp,
    study_source,
)


def test_what_agrees_and_what_does_not():
    table = study_source(width=3.3).table.set_index(["place", "quantity"])
    wrong = table[table["agrees"] == "no"]
    assert wrong["computed"].round(9).to_dict() == {
        ("Example 4", "Pc"): 0.62,  # printed 0.625
        ("Equation 10", "Pc of Example 4"): 0.62,
        ("Equation 4", "Phat of Example 4, TP + FN as printed"): 0.7,
        ("Equation 14", "TP of Example 4, - FP as printed"): 0.35,
    }
    assert wrong["note"].str.len().min() > 0
    # (0.8 - 0.62) / (1 - 0.62)
    assert table.loc[("Example 4", "K"), "computed"] == approx(9 / 19)
    assert table.loc[("Equation 11", "TP of Example 4"), "computed"] == approx(0.65)
    assert len(table) == 68


@pytest.mark.parametrize(
    "matrix", [(65, 5, 15, 15), (49, 21, 21, 9), (2, 30, 1, 67), (0, 50, 50, 0)]
)
def test_equations_13_and_14_are_kappa_and_its_inverse(matrix):
    n = sum(matrix)
    tp, fn, fp, _ = (count / n for count in matrix)
    kappa = solve_kappa(fp, tp, tp + fn)
    labels = np.repeat([1, 1, 0, 0], matrix), np.repeat([1, 0, 1, 0], matrix)
    assert kappa == approx(cohen_kappa_score(*labels))
    assert solve_tp(fp, kappa, tp + fn, tp + fp) == approx(tp)


def test_points_of_figure_4_by_hand():
    """P = 0.7 and Phat = 0.8 allow FP from 0.1 on, where TP = P: (0.9 - 0.62) / (1 - 0.62)."""
    assert bound_fp(0.7, 0.8) == approx((0.1, 0.3))
    points = compute_points(0.7, 0.8)
    assert points["fp"].tolist() == [0.1, 0.15, 0.2, 0.25, 0.3]
    assert points["kappa"][0] == approx(14 / 19)


def test_the_figure_draws_the_points():
    axes = study_source(width=3.3).figures["kappa_plane"].axes
    drawn = [len(line.get_xdata()) for line in axes[3].lines if line.get_marker() != "None"]
    assert drawn == [7, 7, 7, 5, 3]
    assert axes[0].lines[0].get_ydata() == approx([0.5, 0.4, 0.3, 0.25, 0.2, 0.1, 0])
    assert axes[1].lines[0].get_ydata() == approx([1, 0.6, 0.2, 0, -0.2, -0.6, -1])
