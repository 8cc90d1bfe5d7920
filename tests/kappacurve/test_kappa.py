import numpy as np
import pytest
from hypothesis import given, strategies as st

from kappacurve import (
    chance_agreement,
    joint_from_rates,
    kappa_from_joint,
    kappa_from_rates,
    kappa_score,
    rates_from_joint,
    tp_from_kappa,
)

# TP, FN, FP, TN, chance agreement, kappa of Ben-David's Examples 1 to 6. Example 4 prints a
# chance agreement of 0.625, which its own margins do not give.
EXAMPLES = [
    (0.25, 0.25, 0.25, 0.25, 0.5, 0),
    (0.40, 0.10, 0.10, 0.40, 0.5, 0.6),
    (0.50, 0.00, 0.00, 0.50, 0.5, 1),
    (0.65, 0.05, 0.15, 0.15, 0.62, 0.474),
    (0.70, 0.00, 0.00, 0.30, 0.58, 1),
    (0.49, 0.21, 0.21, 0.09, 0.58, 0),
]


@pytest.mark.parametrize(("tp", "fn", "fp", "tn", "chance", "kappa"), EXAMPLES)
def test_the_examples_of_the_paper(tp, fn, fp, tn, chance, kappa):
    p, share = tp + fn, tp + fp
    assert chance_agreement(share, p) == pytest.approx(chance, abs=1e-14)
    found = float(kappa_from_joint(fp, tp, p))
    assert found == pytest.approx(kappa, abs=5e-4 if kappa == 0.474 else 1e-14)
    assert kappa_score([[tn, fp], [fn, tp]]) == pytest.approx(found, abs=1e-14)
    assert tp_from_kappa(fp, found, share, p) == pytest.approx(tp, abs=1e-14)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.001, 0.999))
def test_joint_probabilities_and_rates_agree(f, t, p):
    fp, tp = joint_from_rates(f, t, p)
    back = rates_from_joint(fp, tp, p)
    assert (back.fpr, back.tpr) == pytest.approx((f, t), abs=1e-12)
    kappa = kappa_from_joint(fp, tp, p)
    assert kappa == pytest.approx(kappa_from_rates(f, t, p), abs=1e-10)
    assert tp_from_kappa(fp, kappa, fp + tp, p) == pytest.approx(tp, abs=1e-12)


def test_balanced_classes_have_the_short_formulas():
    fp = np.array([0.0, 0.1, 0.25])
    tp = np.array([0.5, 0.3, 0.25])
    kappa = kappa_from_joint(fp, tp, 0.5)
    np.testing.assert_allclose(kappa, 2 * (tp - fp), atol=1e-15)  # equation 15
    np.testing.assert_allclose(tp_from_kappa(fp, kappa, fp + tp, 0.5), 0.5 * kappa + fp)  # 16


def test_probabilities_out_of_range():
    with pytest.raises(ValueError, match="tp must not exceed prevalence"):
        kappa_from_joint(0.1, 0.6, 0.5)
    with pytest.raises(ValueError, match="fp must not exceed 1 - prevalence"):
        rates_from_joint(0.6, 0.1, 0.5)
    with pytest.raises(ValueError, match="cannot be attained"):
        tp_from_kappa(0.4, 0.9, 0.5, 0.5)
    with pytest.raises(ValueError, match="predicted_share"):
        chance_agreement(1.2, 0.5)
