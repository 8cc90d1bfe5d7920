import numpy as np
import pandas as pd
import pytest
from pytest import approx

from kappacurve import kappa_from_rates
from study.companions.printed import measure_matrix
from study.companions.silipo_widmann import (
    BEST,
    ORDERS,
    SMOTE,
    compute_rates,
    draw_rows,
    summarise_changes,
)

MINORITY = np.repeat([0, 1], [700, 300])


def test_where_kappa_is_largest_and_how_it_was_rounded(study):
    p = np.linspace(0.001, 0.999, 99_801)
    kappas = kappa_from_rates(*compute_rates(SMOTE), p)
    row = study("silipo_widmann").table.set_index(["place", "quantity"]).loc[BEST]
    assert row["computed"] == approx(p[kappas.argmax()], abs=2e-5)
    half = kappas[len(p) // 2]
    assert row["note"].startswith(f"Kappa is {kappas.max():.3f} there and {half:.3f} at 0.5.")
    # The printed largest kappa is that of 10 % bad rows all found, and 13 % predicted bad.
    assert measure_matrix(0.1, 0, 0.03, 0.87)["kappa"] == approx(0.853, abs=5e-4)


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


def test_figures_and_notes_show_every_draw_and_the_printed_change(study):
    panels = study("silipo_widmann").figures["kappa_change_by_smote"].axes
    heights = [sum(bar.get_height() for bar in axes.patches) for axes in panels]
    assert heights == [12, 12]
    assert [axes.lines[0].get_xdata()[0] for axes in panels] == approx([0.208, 0.208])
    note = study("silipo_widmann").table["note"].iloc[-1]
    assert "of one run. Computed: mean of 24 runs; kappa rises as much in 0. If rows" in note


def test_changes_of_kappa_by_hand():
    runs = pd.DataFrame({"order": [*ORDERS, ORDERS[0]], "kappa": [0, 0.3, 0.3]})
    change, named = summarise_changes(runs.assign(leak=[0.5, 0, 0.7]))
    assert change == approx(0.2)
    assert named == approx({"runs": 3, "as_large": 2, "leak": 60})
