import numpy as np
import pytest

from study.papers import kaymak
from study.papers.checks import holds


@pytest.mark.parametrize(("table", "kappa"), [(1, 0.640), (2, 0.589), (3, 0.679)])
def test_tables_1_to_3(table, kappa):
    row = kaymak.matrices_table().set_index("table").loc[table]
    assert row["kappa"] == pytest.approx(kappa, abs=5e-4)
    assert row["accuracy"] == pytest.approx(0.95)
    assert row["kappa_printed"] == f"{kappa:.3f}"  # with the digits of the paper


def test_kappa_of_table_1_by_hand():
    row = kaymak.matrices_table().iloc[0]
    chance = 0.07 * 0.08 + 0.93 * 0.92
    assert row["chance"] == pytest.approx(chance)
    assert row["kappa"] == pytest.approx((0.95 - chance) / (1 - chance))


def test_auk_is_half_the_gini_at_one_half_only(scores):
    table = kaymak.gini_table({"original": scores})
    assert len(table) == 4
    for rule in ("auk_at_one_half", "trapezoid_at_one_half"):
        np.testing.assert_allclose(table[rule], table["half_gini"], rtol=1e-12)
    assert (table["auk_bad_positive"] < table["half_gini"] - 0.01).all()
    assert ((table["auk_bad_positive"] - table["auk_good_positive"]).abs() > 1e-3).all()


def test_checks(scores):
    checks = kaymak.checks(kaymak.gini_table({"original": scores}))
    wrong = [one.check for one in checks if not holds(one)]
    assert wrong == [
        "Section 2: accuracy of a random classifier, as printed",
        "AUK of a perfect classifier is the same at p = 0.1 as at p = 0.5",
    ]
    perfect = next(one for one in checks if one.check == wrong[1])
    assert perfect.found == pytest.approx(0.25295, abs=5e-6)
