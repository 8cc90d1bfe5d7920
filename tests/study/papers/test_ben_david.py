import numpy as np
import pytest

from kappacurve.roc import kappa_from_rates
from study.papers import ben_david
from study.papers.checks import holds


@pytest.mark.parametrize(
    ("example", "kappa"), [(1, 0), (2, 0.6), (3, 1), (4, 9 / 19), (5, 1), (6, 0)]
)
def test_examples(example, kappa):
    row = ben_david.examples_table().set_index("example").loc[example]
    assert row["kappa"] == pytest.approx(kappa, abs=1e-12)
    assert row["tp"] + row["fn"] + row["fp"] + row["tn"] == pytest.approx(1)
    assert float(row["kappa_printed"]) == pytest.approx(row["kappa"], abs=5e-4)


def test_equation_13_is_equation_19_in_shares():
    rng = np.random.default_rng(1)
    p, f, t = rng.uniform(0.05, 0.95, (3, 200))
    found = [
        float(ben_david.kappa_from_shares(p_ * t_, (1 - p_) * f_, p_))
        for p_, f_, t_ in zip(p, f, t, strict=True)
    ]
    np.testing.assert_allclose(found, kappa_from_rates(f, t, p), atol=1e-12)


def test_equation_14_inverts_equation_13():
    kappa = ben_david.kappa_from_shares(0.45, 0.15, 0.7)
    assert ben_david.tp_from_kappa(kappa, 0.15, 0.7, 0.6) == pytest.approx(0.45)


def test_figure_points():
    points = ben_david.figure_points()
    assert points.groupby("figure").size().to_dict() == {1: 7, 2: 7, 3: 7, 4: 29}
    # For P = 0.5 kappa is 2 (TP - FP), equation 15.
    half = points.query("positive_share == 0.5")
    np.testing.assert_allclose(half["kappa"], 2 * (half["tp"] - half["fp"]), atol=1e-12)
    # No classifier can have TP > P.
    assert (points["tp"] <= points["positive_share"] + 1e-12).all()
    assert points.query("predicted_share == 0.9")["fp"].min() == 0.2
    example4 = points.query("predicted_share == 0.8 and fp == 0.15")["kappa"].item()
    assert example4 == pytest.approx(9 / 19)


def test_what_the_source_gets_wrong_and_nothing_else():
    wrong = [one.check for one in ben_david.checks() if not holds(one)]
    # The corrected equation is ours; what is wrong stands in the source.
    assert [one.check for one in ben_david.checks() if one.kind == "own"] == [
        "Equation 14 with +FP gives back TP of Example 4"
    ]
    assert {one.kind for one in ben_david.checks() if not holds(one)} == {"printed"}
    assert wrong == [
        "Example 4: chance, as printed",
        "Equation 14 with -FP, as printed, gives back TP of Example 4",
        "Equation 4 with the predicted share, as printed: TP + FN of Example 4",
    ]
