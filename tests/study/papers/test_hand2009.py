import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from kappacurve import h_measure_score, roc_hull
from study.papers import hand2009


def test_table_1_is_exact():
    table = pd.DataFrame(hand2009.table1()).T
    assert table["h"].tolist() == pytest.approx([47 / 135, 1 - np.sqrt(0.5), 23 / 80])
    assert table["auch"].tolist() == pytest.approx([0.75] * 3)
    assert table["auc"].tolist() == pytest.approx([0.5, 0.75, 0.75])
    assert table["gini"].tolist() == pytest.approx([0, 0.5, 0.5])


def test_weights_of_figure_4():
    table = hand2009.implied_weights_table()
    at_half = table.query("cost == 0.5").set_index("curve")["weight"]
    assert at_half["b"] == pytest.approx(np.sqrt(0.5))
    assert at_half["c"] == 0
    np.testing.assert_allclose(table.groupby("curve")["weight"].sum(), 1)


@pytest.mark.parametrize("prevalence", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("separation", [0.5, 2.0])
def test_averaged_loss_of_normal_scores(prevalence, separation):
    auc = norm.cdf(separation / np.sqrt(2))
    expected = 2 * prevalence * (1 - prevalence) * (1 - auc)
    found = hand2009.averaged_loss_of_normal_scores(separation, prevalence)
    assert found == pytest.approx(expected, abs=1e-9)


def test_minimum_loss_against_every_vertex_by_hand():
    fpr, tpr = np.array([0, 0.25, 1]), np.array([0, 0.75, 1])
    for cost in np.linspace(0, 1, 11):
        losses = [
            cost * 0.7 * f + (1 - cost) * 0.3 * (1 - t) for f, t in zip(fpr, tpr, strict=True)
        ]
        assert hand2009.minimum_loss(fpr, tpr, 0.3, cost)[0] == pytest.approx(min(losses))


def test_special_costs_are_error_rate_and_ks(scores):
    table = hand2009.special_costs_table(scores)
    np.testing.assert_allclose(table["from_loss"], table["directly"], atol=1e-12)
    one = scores[scores["model"] == "linear"]
    errors = [((one["score"] >= t) != (one["bad"] == 1)).mean() for t in one["score"]]
    chosen = table.query("model == 'linear' and choice == 'equal'")
    assert chosen["from_loss"].item() == pytest.approx(min(errors))


def test_every_check_holds(scores):
    checks = hand2009.checks(scores)
    assert checks["holds"].dropna().all()
    # Table 1 and Figures 1, 3 and 4 are on curves of ours.
    printed = checks.loc[checks["kind"] == "printed", "check"]
    assert not printed.str.startswith(("Table", "Figure")).any()


def test_the_dent_is_under_the_hull():
    fpr, tpr, _ = hand2009.dented_curve()
    hull = roc_hull(fpr, tpr)
    assert hull.index.tolist() == [0, 1, 2, 4, 5]
    assert hand2009.excess_loss_in_the_dent() > 0
    assert (fpr[-1], tpr[-1]) == (1, 1)


def test_his_cost_is_one_minus_ours(scores):
    table = hand2009.h_by_weight(scores).set_index(["alpha", "beta"])
    one = scores[scores["model"] == "linear"]
    expected = h_measure_score(one["bad"], one["score"], cost_weight=(4, 2))
    assert table.loc[(2, 4), "linear"] == pytest.approx(expected)
