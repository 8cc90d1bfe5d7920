import numpy as np

from study.companions import kaymak2010


def test_auk_is_half_the_gini_at_one_half_only(scores):
    table = kaymak2010.gini_table({"original": scores})
    assert len(table) == 4
    for rule in ("auk_at_one_half", "trapezoid_at_one_half"):
        np.testing.assert_allclose(table[rule], table["half_gini"], rtol=1e-12)
    assert (table["auk_minority_positive"] < table["half_gini"] - 0.01).all()
    assert ((table["auk_minority_positive"] - table["auk_majority_positive"]).abs() > 1e-3).all()
