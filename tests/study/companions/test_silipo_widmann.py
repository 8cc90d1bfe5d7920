import numpy as np
import pytest
from pytest import approx

from kappacurve import kappa_from_rates
from study.companions.printed_and_computed import measure_matrix
from study.companions.silipo_widmann import SMOTE, compute_rates, draw_rows, find_best_prevalence

MINORITY = np.repeat([0, 1], [700, 300])


def test_the_printed_largest_kappa_follows_from_a_rounded_share():
    """Of 10 % bad rows all found, and 13 % predicted bad."""
    assert measure_matrix(0.1, 0, 0.03, 0.87)["kappa"] == approx(0.853, abs=5e-4)


def test_kappa_is_largest_where_the_formula_says(study):
    p = np.linspace(0.001, 0.999, 99_801)
    for matrix in (SMOTE, (9, 21, 18, 252), (1, 1, 50, 50 + 1)):
        rates = compute_rates(matrix)
        best = p[np.argmax(kappa_from_rates(*rates, p))]
        assert find_best_prevalence(*rates) == approx(best, abs=2e-5)
    assert find_best_prevalence(0.2, 0.8) == approx(0.5)
    rows = study("silipo_widmann").table.set_index("quantity")
    rates = compute_rates(SMOTE)
    best, half = kappa_from_rates(*rates, np.array([find_best_prevalence(*rates), 0.5]))
    note = rows.loc["prevalence of the largest kappa", "note"]
    assert note.startswith(f"Kappa is {best:.3f} there and {half:.3f} at 0.5.")


@pytest.mark.parametrize("order", ["before the split", "after the split"])
def test_drawn_rows(order):
    """900 good and 100 bad rows, 70 % of each to train; only before the split copies leak."""
    shared = []
    for seed in range(20):
        train, test = draw_rows(MINORITY, order, np.random.default_rng(seed))
        counts = [np.bincount(MINORITY[rows]).tolist() for rows in (train, test)]
        assert counts == [[630, 70], [270, 30]]
        shared.append(np.isin(test, train)[MINORITY[test] == 0].mean())
    # A training draw misses a given row with probability 1 - 1/700.
    expected = 1 - (1 - 1 / 700) ** 630 if order == "before the split" else 0
    assert np.mean(shared) == approx(expected, abs=0.03 if expected else 0)


def test_the_figures_show_every_draw_and_the_printed_change(study):
    panels = study("silipo_widmann").figures["kappa_change_by_smote"].axes
    heights = [sum(bar.get_height() for bar in axes.patches) for axes in panels]
    assert heights == [75, 75]
    assert [axes.lines[0].get_xdata()[0] for axes in panels] == approx([0.208, 0.208])
