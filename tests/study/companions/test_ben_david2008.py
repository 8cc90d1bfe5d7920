from pytest import approx

from study.companions.ben_david2008 import EXAMPLES, compute_points, solve_kappa
from study.companions.printed import measure_matrix


def test_points_of_figure_4_by_hand(study):
    """P = 0.7 and Phat = 0.8 allow FP from 0.1 on, where TP = P: (0.9 - 0.62) / (1 - 0.62)."""
    points = compute_points(0.7, 0.8)
    assert points["fp"].tolist() == [0.1, 0.15, 0.2, 0.25, 0.3]
    assert points["kappa"][0] == approx(14 / 19)
    axes = study("ben_david2008").figures["kappa_plane"].axes
    drawn = [len(line.get_xdata()) for line in axes[3].lines if line.get_marker() != "None"]
    assert drawn == [7, 7, 7, 5, 3]
    for panel in (axes[1], axes[3]):  # a line at kappa 0
        assert [0, 0] in [[*line.get_ydata()] for line in panel.lines]
    # Only where a panel has one line each point has its kappa, or TP.
    assert [len(panel.texts) for panel in axes] == [7, 7, 7, 0]
    assert [text.get_text() for text in axes[0].texts[:2]] == [r"$\kappa$ = 1", "0.6"]
    assert axes[0].lines[0].get_ydata() == approx([0.5, 0.4, 0.3, 0.25, 0.2, 0.1, 0])
    assert axes[1].lines[0].get_ydata() == approx([1, 0.6, 0.2, 0, -0.2, -0.6, -1])
    assert axes[2].lines[0].get_ydata() == approx([0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3])


def test_equations_10_13_and_15_give_what_the_examples_print():
    for tp, fn, fp, tn in EXAMPLES.values():
        found = measure_matrix(tp, fn, fp, tn)
        negatives = fp + tn
        by_10 = (tp + fp) * (1 - 2 * negatives) + negatives
        assert by_10 == approx(found["chance agreement"])
        assert solve_kappa(fp, tp, tp + fn) == approx(found["kappa"])  # equation 13
        if negatives == 0.5:
            assert 2 * (tp - fp) == approx(found["kappa"])  # equation 15
