import os

import numpy as np
import pandas as pd
import pytest
from pytest import approx
from scipy.integrate import quad

from kappacurve import measures
from study.companions.hand2009 import (
    CURVES,
    EXAMPLE_3,
    compute_beta_density,
    fit_classifier,
    list_example_3,
    measure_curve,
    measure_panels,
    minimize_loss,
    study_source,
    weigh_costs,
)

FILE = os.environ.get("KAPPACURVE_LOAN_DATA")  # the bank's own data, for Example 3
RANDOM = np.random.default_rng(9)
MINORITY = (np.arange(200) < 60).astype(int)
SCORES = pd.DataFrame(
    {"minority": MINORITY, "model": "linear", "score": RANDOM.normal(size=200) + MINORITY}
)


def h_by_quadrature(fpr, tpr, prior):
    """One less the expected smallest loss over that of the trivial rules (equation 13)."""

    def expected(loss_at):
        return quad(lambda c: loss_at(c) * 6 * c * (1 - c), 0, 1, limit=400, epsabs=1e-10)[0]

    best = expected(lambda c: np.min(c * prior * (1 - tpr) + (1 - c) * (1 - prior) * fpr))
    return 1 - best / expected(lambda c: min(c * prior, (1 - c) * (1 - prior)))


def test_h_of_table_1():
    found = {name: measure_curve(*curve)["H"] for name, curve in CURVES.items()}
    assert 135 * found["a"] == approx(47)
    assert found["b"] == approx(1 - np.sqrt(0.5))
    assert 80 * found["c"] == approx(23)
    for name, (fpr, tpr) in CURVES.items():
        assert found[name] == approx(h_by_quadrature(fpr, tpr, 0.5), abs=1e-6)


def test_what_agrees_and_what_does_not():
    table = study_source(SCORES, model="linear", width=3.3).table.set_index(["place", "quantity"])
    printed = table.loc[[f"Table 1 ({name})" for name in "abc"]]
    assert set(printed["agrees"]) == {"yes"} and len(printed) == 12
    assert printed.xs("H", level=1)["printed"].tolist() == ["0.348", "0.293", "0.288"]
    assert table.loc["Figure 4 (a)", "computed"].tolist() == approx([np.sqrt(0.5)])
    wrong = table[table["agrees"] == "no"]
    quantities = ["AUC, as the chance of classifying two scores right by their mean"]
    assert wrong.index.get_level_values(1).tolist() == [*quantities, "a cost c of 10^9"]
    assert "Example 3 (first)" not in table.index


def test_the_chance_of_section_2_by_simulation():
    """Scores of both classes whose mean is near a score drawn from all of them."""
    table = study_source(SCORES, model="linear", width=3.3).table
    (row,) = table[table["quantity"].str.startswith("AUC, as the chance")].to_dict("records")
    random = np.random.default_rng(2)
    low, high = random.normal(size=500_000), random.normal(1, 3, size=500_000)
    # Of pairs whose mean lies in a bin, those in the right order; bins as often as scores.
    edges = np.linspace(-12, 14, 131)
    right, _ = np.histogram((low + high) / 2, edges, weights=(low < high).astype(float))
    pairs, _ = np.histogram((low + high) / 2, edges)
    scores, _ = np.histogram(np.concatenate([low, high]), edges)
    known = pairs > 100
    simulated = (right[known] / pairs[known]) @ scores[known] / scores[known].sum()
    assert row["computed"] == approx(simulated, abs=0.005)
    assert row["agrees"] == "no"


def test_the_auc_is_the_loss_averaged_over_the_costs_it_implies():
    """L_G = 2 pi0 pi1 (1 - AUC) of section 4, and its error rate and KS as smallest losses."""
    panels = measure_panels(MINORITY, SCORES["score"].to_numpy())
    prior, found = 0.3, panels.measures
    cost, weight = weigh_costs(*panels.hull, prior)
    averaged = weight @ minimize_loss(*panels.hull, prior, cost)
    assert weight.sum() == approx(1)
    assert averaged == approx(2 * prior * (1 - prior) * (1 - found["auch"]))
    fpr, tpr = panels.roc
    at_equal, at_inverse = minimize_loss(*panels.hull, prior, np.array([0.5, 1 - prior]))
    assert 2 * at_equal == approx(np.min((1 - prior) * fpr + prior * (1 - tpr)))
    assert 1 - at_inverse / (prior * (1 - prior)) == approx(np.max(tpr - fpr))


def test_the_panels_show_h():
    panels = measure_panels(MINORITY, SCORES["score"].to_numpy())
    weight = compute_beta_density(panels.cost, 2, 2)
    ratio = np.trapezoid(weight * panels.loss) / np.trapezoid(weight * panels.trivial_loss)
    assert panels.measures["h"] == approx(1 - ratio, abs=1e-4)
    assert panels.measures["h"] == approx(h_by_quadrature(*panels.hull, 0.3), abs=1e-6)
    assert np.trapezoid(panels.mixture, panels.score) == approx(1, abs=0.02)
    figure = study_source(SCORES, model="linear", width=3.3).figures["six_panels"]
    assert [axes.get_title("left") for axes in figure.axes] == [f"({x})" for x in "abcdef"]
    np.testing.assert_array_equal(figure.axes[2].lines[1].get_ydata(), panels.loss)


def test_scores_of_example_3_do_not_depend_on_units():
    random = np.random.default_rng(6)
    columns = [name for names, _ in EXAMPLE_3.values() for name in names]
    loans = pd.DataFrame(random.normal(size=(400, len(columns))), columns=columns)
    loans["bad"] = (loans.sum(axis=1) + random.normal(size=400) > 2).astype(int)
    score = fit_classifier(loans, columns)
    other = fit_classifier(loans.assign(yob=1000 * loans["yob"] + 7), columns)
    np.testing.assert_allclose(score, other, atol=1e-4)
    # A fit without a penalty gives as many positives as there are.
    assert (1 / (1 + np.exp(-score))).sum() == approx(loans["bad"].sum(), abs=1e-3)


@pytest.mark.skipif(not FILE, reason="KAPPACURVE_LOAN_DATA is not set")
def test_example_3_is_as_printed():
    loans = pd.read_csv(FILE)
    assert (len(loans), loans["bad"].sum()) == (1225, 323)
    rows = list(list_example_3(loans))
    assert [row.computed for row in rows] == approx(
        [0.567042, 0.038180, 0.590573, 0.034739], abs=5e-7
    )
    table = study_source(SCORES, loans, model="linear", width=3.3).table
    assert table[table["place"].str.startswith("Example 3")]["agrees"].tolist() == ["yes"] * 4
    auk = measures(loans["bad"].to_numpy(), fit_classifier(loans, EXAMPLE_3["second"][0]))["auk"]
    assert auk == approx(0.072097, abs=5e-7)
