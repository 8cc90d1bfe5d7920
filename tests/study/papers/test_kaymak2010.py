import numpy as np
import pytest

from kappacurve import auk_score
from study.papers import kaymak2010
from study.papers.confusion import matrices_table


def test_tables_1_to_3():
    table = matrices_table("kaymak")
    np.testing.assert_allclose(table["kappa"], [0.640, 0.589, 0.679], atol=5e-4)
    np.testing.assert_allclose(table["accuracy"], 0.95)
    assert table["kappa_printed"].tolist() == ["0.640", "0.589", "0.679"]  # with their digits


def test_auk_is_half_the_gini_at_one_half_only(scores):
    table = kaymak2010.gini_table({"original": scores})
    assert len(table) == 4
    for rule in ("auk_at_one_half", "trapezoid_at_one_half"):
        np.testing.assert_allclose(table[rule], table["half_gini"], rtol=1e-12)
    assert (table["auk_bad_positive"] < table["half_gini"] - 0.01).all()
    assert ((table["auk_bad_positive"] - table["auk_good_positive"]).abs() > 1e-3).all()


def test_what_the_paper_gets_wrong_and_nothing_else(scores):
    checks = kaymak2010.checks(kaymak2010.gini_table({"original": scores}))
    wrong = checks[~checks["holds"]].set_index("check")["found"]
    assert wrong.to_dict() == {"Section 2: accuracy of a random classifier": pytest.approx(0.8698)}


def test_curves_over_the_prevalence(scores):
    bad, good = kaymak2010.figure_by_prevalence(scores, ["linear"], "original").axes
    p, of_bad = bad.get_lines()[0].get_data()
    _, of_good = good.get_lines()[0].get_data()
    # At p the one class is positive with share p, in the other panel with 1 - p.
    one = scores[scores["model"] == "linear"]
    for i in (5, 48, 90):
        expected = auk_score(one["bad"], one["score"], prevalence=p[i])
        assert of_bad[i] == pytest.approx(expected, abs=1e-12)
        expected = auk_score(1 - one["bad"], -one["score"], prevalence=p[i])
        assert of_good[i] == pytest.approx(expected, abs=1e-12)
