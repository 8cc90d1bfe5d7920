import os

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from kappacurve import h_measure_score, roc_hull
from study.papers import hand2009
from study.settings.config import Hand, another_bank_file

FILE = os.environ.get("KAPPACURVE_LOAN_DATA")  # the bank's own data, for Example 3


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


@pytest.mark.skipif(not FILE, reason="KAPPACURVE_LOAN_DATA is not set")
def test_both_classifiers_are_as_printed(scores):
    assert another_bank_file(Hand(enabled=True, bank_data=FILE).bank_data) == ""
    bank = pd.read_csv(FILE)
    of_both = hand2009.example3_scores(bank)
    example = hand2009.example3(of_both)
    found = example.set_index(["model", "measure"])["found"]
    assert found["first", "auc"] == pytest.approx(0.5670, abs=5e-5)
    assert found["first", "h"] == pytest.approx(0.0382, abs=5e-5)
    assert found["second", "auc"] == pytest.approx(0.5906, abs=5e-5)
    assert found["second", "h"] == pytest.approx(0.0347, abs=5e-5)
    checks = hand2009.checks(scores, example).query("check.str.startswith('Example 3')")
    assert checks["holds"].tolist() == [True] * 4
    first = of_both[of_both["model"] == "first"]
    assert (len(first), first["bad"].sum()) == (1225, 323)
    assert found["first", "auc"] == pytest.approx(roc_auc_score(first["bad"], first["score"]))


def test_another_file_is_left_out_with_a_sentence_and_none_is_refused(tmp_path):
    made = tmp_path / "made.csv"
    made.write_text("yob,bad\n19,0\n")
    assert "made.csv is not TEC-2002-LOAN-DATA.csv (its SHA-256 is not b78" in another_bank_file(
        Hand(enabled=True, bank_data=str(made)).bank_data
    )
    assert another_bank_file(None) == ""
    with pytest.raises(ValueError, match="values do not fit") as refused:
        Hand(enabled=True, bank_data=str(tmp_path / "none.csv"))
    ((key, reason),) = refused.value.errors()[0]["ctx"]["found"]
    assert key == "bank_data"
    assert "there is no file" in reason
