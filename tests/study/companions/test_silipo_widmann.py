from functools import cache

import numpy as np
import pytest
from pytest import approx

from kappacurve import kappa_from_rates
from study.companions.silipo_widmann import (
    SMOTE,
    compute_rates,
    draw_rows,
    find_best_prevalence,
    study_source,
)
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data

MINORITY = np.repeat([0, 1], [700, 300])


@cache
def study():
    return study_source(encode(read_german_data(BUNDLED_FILE), "strathclyde"), seed=2010, width=3.3)


def test_what_agrees_and_what_does_not():
    table = study().table.set_index(["place", "quantity"])
    assert len(table) == 24
    # (p_max - p_e) / (1 - p_e) of 30 and 40 bad among 300: p_max 0.96667, p_e 0.79333
    largest = (29 / 30 - 119 / 150) / (1 - 119 / 150)
    wrong = table[table["agrees"] == "no"]
    assert wrong["computed"].round(6).to_dict() == {
        ("Figure 2, SMOTE", "largest kappa"): round(largest, 6),  # 0.8387, printed 0.853
        ("Figure 3, SMOTE", "prevalence of the largest kappa"): 0.310979,  # printed 0.5
        # Stored means of 75 draws.
        ("Figure 2, SMOTE", "change of kappa, drawn before the split"): -0.019886,
        ("Figure 2, SMOTE", "change of kappa, drawn after the split"): -0.025164,
    }
    assert wrong.loc[("Figure 2, SMOTE", "largest kappa"), "note"].endswith("first: 0.853.")
    assert wrong["note"].str.len().min() > 0


def test_kappa_is_largest_where_the_formula_says():
    p = np.linspace(0.001, 0.999, 99_801)
    for matrix in (SMOTE, (9, 21, 18, 252), (1, 1, 50, 50 + 1)):
        rates = compute_rates(matrix)
        best = p[np.argmax(kappa_from_rates(*rates, p))]
        assert find_best_prevalence(*rates) == approx(best, abs=2e-5)
    assert find_best_prevalence(0.2, 0.8) == approx(0.5)


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


def test_the_figures_show_every_draw_and_the_printed_change():
    panels = study().figures["kappa_change_by_smote"].axes
    heights = [sum(bar.get_height() for bar in axes.patches) for axes in panels]
    assert heights == [75, 75]
    assert [axes.lines[0].get_xdata()[0] for axes in panels] == approx([0.208, 0.208])
