import numpy as np
import pytest

from study.papers import kaymak2010


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
