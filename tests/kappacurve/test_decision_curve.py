import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import sem, ttest_rel

from kappacurve import expected_loss, interval, net_benefit, paired_test
from kappacurve.algebra import kappa_from_rates

# The prediction model of dcurves' example data (cancer ~ cancerpredmarker, 105 of 750 rows
# positive): rows of each class at or above the thresholds, and what dcurves 1.1.7 prints there.
TAUS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
POSITIVES, NEGATIVES = [96, 87, 82, 75, 72, 62, 57], [320, 193, 128, 98, 72, 49, 36]
PRINTED = [0.105544, 0.087407, 0.079216, 0.067333, 0.064000, 0.054667, 0.050154]
ALL = [0.094737, 0.044444, -0.011765, -0.075000, -0.146667, -0.228571, -0.323077]


def example():
    """Rows whose probabilities lie at the thresholds (0 below the first) as often as there."""
    sides = []
    for above, n in ((POSITIVES, 105), (NEGATIVES, 645)):
        counts = -np.diff([n, *above, 0])
        sides.append(np.repeat([0.0, *TAUS], counts))
    return np.repeat([1, 0], [105, 645]), np.concatenate(sides)


def test_dcurves_example():
    y, probability = example()
    found = net_benefit(y, probability, thresholds=TAUS)
    np.testing.assert_allclose(found, PRINTED, atol=5e-7)
    np.testing.assert_allclose(net_benefit(y, np.ones(750), thresholds=TAUS), ALL, atol=5e-7)
    # dcurves takes the probabilities as those of the stated prevalence.
    stated = {"prevalence": 0.05, "trained_at": 0.05}
    at_five_per_cent = net_benefit(y, probability, thresholds=[0.05, 0.2], **stated)
    np.testing.assert_allclose(at_five_per_cent, [0.020908, -0.000371], atol=5e-7)


def test_weights_and_the_standard():
    y, probability = example()
    at = {"sample_weight": np.where(y == 1, 2.0, 3.0), "standardized": True}
    odds = np.array(TAUS) / (1 - np.array(TAUS))
    expected = 1 / 105 * (np.array(POSITIVES) - 1.5 * odds * np.array(NEGATIVES))
    found = net_benefit(y, probability, thresholds=TAUS, **at)
    np.testing.assert_allclose(found, expected, atol=1e-14)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 10)), min_size=2, max_size=30).filter(
        lambda rows: len({y for y, _ in rows}) == 2
    ),
    st.floats(0.01, 0.99),
    st.floats(0.01, 0.99),
)
def test_loss_kappa_and_net_benefit_say_the_same(rows, tau, p):
    y, probability = np.array(rows).T / [[1], [10]]
    at = {"prevalence": p}
    found = float(net_benefit(y, probability, thresholds=tau, trained_at=p, **at))
    loss = expected_loss(y, probability, cost=1 - tau, threshold=tau, **at)
    assert loss == pytest.approx((1 - tau) * (p - found), abs=1e-12)
    best = float(net_benefit(y, probability, thresholds=tau, at="best", **at))
    assert best == pytest.approx(p - expected_loss(y, probability, cost=1 - tau, **at) / (1 - tau))
    f, t = (float((probability[y == each] >= tau).mean()) for each in (0, 1))
    share, flag_all = p * t + (1 - p) * f, p - (1 - p) * tau / (1 - tau)
    kappa = float(kappa_from_rates(f, t, p, cost=1 - tau))
    assert kappa * (p - share * flag_all) == pytest.approx(found - share * flag_all, abs=1e-12)


def test_interval_and_paired_test_are_of_the_mean_over_rows():
    """Against scipy's t test of what each row adds: a positive 1, a negative minus the odds."""
    y, probability = example()
    other = np.random.default_rng(5).permutation(probability)
    at = {"measure": "net_benefit", "threshold": 0.2, "sampling": "random"}
    rows = [np.where(y == 1, 1.0, -0.25) * (each >= 0.2) for each in (probability, other)]
    found = interval(y, probability, **at)
    assert found.estimate == pytest.approx(0.067333, abs=5e-7)
    assert found.standard_error == pytest.approx(sem(rows[0]), rel=2e-3)
    assert found.low < found.estimate < found.high
    test = paired_test(y, probability, other, **at)
    assert test.difference == pytest.approx(np.mean(rows[0] - rows[1]), abs=1e-12)
    assert test.statistic == pytest.approx(ttest_rel(*rows).statistic, rel=5e-3)
    # Of groups of two equal rows the error is that of half as many rows.
    twice = [np.repeat(each, 2) for each in (y, probability)]
    grouped = interval(*twice, groups=np.repeat(np.arange(750), 2), **at)
    assert grouped.standard_error == pytest.approx(found.standard_error, rel=2e-3)
    with pytest.raises(ValueError, match="needs threshold=, the threshold probability"):
        interval(y, probability, measure="net_benefit")
    with pytest.raises(ValueError, match="These scores are no probabilities"):
        interval(y, 5 * probability, **at)


def test_the_interval_has_agresti_and_coull_s_limits_of_both_shares():
    """By hand, where all positives are flagged and a plain interval has no width from them."""
    y, probability = np.repeat([1, 0], [10, 40]), np.repeat([0.9, 0.9, 0.1], [10, 8, 32])
    fixed = {"threshold": 0.5, "sampling": "stratified"}
    found = interval(y, probability, measure="net_benefit", **fixed)
    assert found.estimate == pytest.approx(0.2 - 0.8 * 0.2)
    z = 1.959963984540054
    rows = np.array([10, 40]) + z**2  # two more hits and two more misses, nearly
    centre = (np.array([10, 8]) + z**2 / 2) / rows
    half = z * np.sqrt(centre * (1 - centre) / rows)
    low = np.hypot(0.2 * (1 - (centre - half)[0]), 0.8 * ((centre + half)[1] - 0.2))
    high = 0.8 * (0.2 - (centre - half)[1])  # no share is above 10 of 10
    assert found.low == pytest.approx(found.estimate - low, abs=1e-12)
    assert found.high == pytest.approx(found.estimate + high, abs=1e-12)
    loss = interval(y, probability, measure="expected_loss", **fixed)
    assert loss.low == pytest.approx(0.5 * (0.2 - found.high), abs=1e-12)


@pytest.mark.filterwarnings(
    "ignore:With 10 rows of a class in 50.* net benefit held in as few as 89"
)
def test_a_class_ratio_left_to_chance_adds_wilson_s_limits_of_the_prevalence():
    """By hand: p t - (1 - p) f at the threshold 1/2 moves by t + f with the prevalence."""
    y, probability = np.repeat([1, 0], [10, 40]), np.repeat([0.9, 0.1, 0.9, 0.1], [8, 2, 4, 36])
    at = {"measure": "net_benefit", "threshold": 0.5}
    fixed, random = (interval(y, probability, sampling=each, **at) for each in ("stratified", None))
    z2 = 1.959963984540054**2
    half = np.sqrt(z2 * 0.2 * 0.8 / 50 + z2**2 / 4 / 50**2) / (1 + z2 / 50)
    centre = (0.2 + z2 / 100) / (1 + z2 / 50)
    moved = 0.9 * (centre - half - 0.2), 0.9 * (centre + half - 0.2)
    assert random.low == pytest.approx(0.08 - np.hypot(0.08 - fixed.low, moved[0]), abs=1e-12)
    assert random.high == pytest.approx(0.08 + np.hypot(fixed.high - 0.08, moved[1]), abs=1e-12)
    weighed = interval(y, probability, sample_weight=np.full(50, 3.0), **at)
    assert weighed[2:4] == pytest.approx(random[2:4], abs=1e-12)
