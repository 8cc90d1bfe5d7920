import os

import numpy as np
import pandas as pd
import pytest
from pytest import approx
from sklearn.metrics import roc_auc_score, roc_curve

from kappacurve import h_measure_score, roc_hull
from study.companions.hand2009 import (
    CURVES,
    EXAMPLE_3,
    fit_classifier,
    minimize_loss,
    study_source,
    weigh_costs,
)

FILE = os.environ.get("KAPPACURVE_LOAN_DATA")  # the bank's own data, for Example 3


def test_h_of_table_1_and_the_weight_of_figure_4(study):
    table = study("hand2009").table.set_index(["place", "quantity"])["computed"]
    found = [table[f"Table 1 ({name})", "H"] for name in "abc"]
    assert found == approx([47 / 135, 1 - np.sqrt(0.5), 23 / 80])
    weights = [table[f"Figure 4 ({panel})", "weight of c = 0.5"] for panel in "ab"]
    assert weights == approx([np.sqrt(0.5), 0])


def test_the_auc_is_the_loss_averaged_over_the_costs_it_implies(inputs):
    """L_G = 2 pi0 pi1 (1 - AUC) of section 4, and its error rate and KS as smallest losses."""
    rows = inputs.original.query("model == 'linear'")
    prior = rows["minority"].mean()
    fpr, tpr, _ = roc_curve(rows["minority"], rows["score"], drop_intermediate=False)
    hull = roc_hull(fpr, tpr)[:2]
    cost, weight = weigh_costs(*hull, prior)
    averaged = weight @ minimize_loss(*hull, prior, cost)
    assert weight.sum() == approx(1)
    assert averaged == approx(2 * prior * (1 - prior) * (1 - np.trapezoid(hull[1], hull[0])))
    at_equal, at_inverse = minimize_loss(*hull, prior, np.array([0.5, 1 - prior]))
    assert 2 * at_equal == approx(np.min((1 - prior) * fpr + prior * (1 - tpr)))
    assert 1 - at_inverse / (prior * (1 - prior)) == approx(np.max(tpr - fpr))


def test_the_panels_show_auc_and_h(study, inputs):
    panels = study("hand2009").figures["six_panels"].axes
    densities, roc, loss, threshold, cost, beta = panels
    rows = inputs.original.query("model == 'linear'")
    minority, score = rows["minority"].to_numpy(), rows["score"].to_numpy()
    h = h_measure_score(minority, score)
    trivial, smallest = (line.get_ydata() for line in loss.lines)
    weight = beta.lines[0].get_ydata()
    assert 1 - (weight @ smallest) / (weight @ trivial) == approx(h, abs=1e-4)
    assert loss.lines[1].get_label() == f"$H$ {h:.3f}"
    assert roc.lines[1].get_label() == f"AUC {roc_auc_score(minority, score):.3f}"
    scores, mixture = threshold.lines[0].get_data()
    assert np.trapezoid(mixture, scores) == approx(1, abs=0.02)
    negative, positive = (line.get_ydata() for line in densities.lines)
    assert mixture == approx((250 * negative + 30 * positive) / 280)
    assert np.trapezoid(scores * positive, scores) == approx(score[minority == 1].mean(), abs=0.05)
    assert cost.lines[0].get_ydata().sum() == approx(1)
    of_the_model = roc.lines[1], loss.lines[1], threshold.lines[0], beta.lines[0]
    assert len({line.get_color() for line in of_the_model}) == 1


def test_the_titles_of_figure_3_are_table_1(study):
    panels = study("hand2009").figures["figures_3_and_4"].axes
    titles = [axes.get_title(loc="right") for axes in panels[:3]]
    assert titles == ["AUC 0.5, $H$ 0.348", "AUC 0.75, $H$ 0.293", "AUC 0.75, $H$ 0.288"]
    for axes, curve in zip(panels, CURVES.values(), strict=False):
        _, drawn, hull = (np.transpose(line.get_data()) for line in axes.lines)
        assert drawn == approx(np.transpose(curve))
        assert hull == approx(np.transpose(roc_hull(*curve)[:2]))


def test_scores_of_example_3_do_not_depend_on_units(inputs):
    random = np.random.default_rng(6)
    columns = [name for names in EXAMPLE_3.values() for name in names]
    loans = pd.DataFrame(random.normal(size=(400, len(columns))), columns=columns)
    loans["bad"] = (loans.sum(axis=1) + random.normal(size=400) > 2).astype(int)
    score = fit_classifier(loans, columns)
    other = fit_classifier(loans.assign(yob=1000 * loans["yob"] + 7), columns)
    np.testing.assert_allclose(score, other, atol=1e-4)
    # A fit without a penalty gives as many positives as there are.
    assert (1 / (1 + np.exp(-score))).sum() == approx(loans["bad"].sum(), abs=1e-3)
    table = study_source(inputs._replace(loans=loans)).table
    notes = table.loc[table["place"].str.startswith("Example 3"), "note"]
    assert notes.str.match(r"Our AUK is 0\.\d{3}\.$").tolist() == [False, True, False, True]


@pytest.mark.skipif(not FILE, reason="KAPPACURVE_LOAN_DATA is not set")
def test_example_3_is_as_printed(inputs):
    table = study_source(inputs._replace(loans=pd.read_csv(FILE))).table
    rows = table[table["place"].str.startswith("Example 3")]
    assert rows["computed"].tolist() == approx([0.567042, 0.038180, 0.590573, 0.034739], abs=5e-7)
    assert rows["agrees"].tolist() == ["yes"] * 4
    assert rows["note"].iloc[-1] == "Our AUK is 0.072."
