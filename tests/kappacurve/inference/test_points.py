"""Inference at thresholds: small tables are enumerated, and the bootstrap is one of plain loops."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, binomtest, multinomial

from kappacurve import interval, operating_point, paired_test
from kappacurve.inference._sample import check_design, check_sample
from kappacurve.inference.points import points
from kappacurve.operating import DECIDED, check_at, decided


def ready(y, scores, at, sampling="stratified", n_resamples=200, prevalence=None, **rows):
    sample = check_sample(y, scores if isinstance(scores, dict) else {"": scores}, **rows)
    design = check_design(sample, prevalence, sampling=sampling)
    return points(sample, design, check_at(at), n_resamples, 0)


def table(tp, fn, fp, tn):
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


def test_shares_of_one_class_have_agresti_and_coull_s_limits():
    found = ready(*table(9, 3, 7, 31), 0.5)
    for quantity, count, n in (("recall", 9, 12), ("specificity", 31, 38)):
        interval = found.interval("", quantity, 0.9)
        wilson = binomtest(count, n).proportion_ci(0.9, method="wilson")
        centre, z = (wilson.low + wilson.high) / 2, 1.6448536269514722
        half = z * np.sqrt(centre * (1 - centre) / (n + z**2))
        assert interval[2:4] == pytest.approx((centre - half, centre + half), abs=1e-12)
        assert interval.low < wilson.low < wilson.high < interval.high
        error = np.sqrt(count * (n - count) / n**2 / (n - 1))
        assert interval.standard_error == pytest.approx(error, rel=1e-5)


@pytest.mark.parametrize(("t", "f"), [(0.8, 0.2), (0.95, 0.05)])
def test_coverage_with_a_fixed_class_ratio_by_enumeration(t, f):
    """All 21 x 61 tables of 20 positives and 60 negatives, each with its probability."""
    truth = {quantity: float(decided(quantity, f, t, 0.25)) for quantity in DECIDED}
    covered = dict.fromkeys(DECIDED, 0.0)
    chance = np.outer(binom.pmf(range(21), 20, t), binom.pmf(range(61), 60, f))
    for tp, fp in np.argwhere(chance > 1e-5):
        if tp + fp:
            found = ready(*table(tp, 20 - tp, fp, 60 - fp), 0.5)
            for quantity, true in truth.items():
                interval = found.interval("", quantity, 0.95)
                covered[quantity] += chance[tp, fp] * (interval.low <= true <= interval.high)
    # Shares near 0 and 1 are covered more often than asked.
    assert all(0.92 < share < 0.995 for share in covered.values()), covered


def test_coverage_with_a_random_class_ratio_by_enumeration():
    """Tables of 30 rows of a cohort; those without two rows of each class give no interval."""
    cells = np.array([0.2, 0.1, 0.15, 0.55])  # tp, fn, fp, tn
    p = 0.3
    truth = {name: float(decided(name, 0.15 / 0.7, 0.2 / 0.3, p)) for name in DECIDED}
    covered, total = dict.fromkeys(DECIDED, 0.0), 0.0
    for tp, fn, fp in product(range(31), repeat=3):
        tn = 30 - tp - fn - fp
        if tn < 0 or tp + fn < 2 or fp + tn < 2 or tp + fp == 0:
            continue
        chance = multinomial.pmf([tp, fn, fp, tn], 30, cells)
        if chance < 1e-4:
            continue
        total += chance
        found = ready(*table(tp, fn, fp, tn), 0.5, "random")
        for name, true in truth.items():
            interval = found.interval("", name, 0.95)
            covered[name] += chance * (interval.low <= true <= interval.high)
    shares = {name: share / total for name, share in covered.items()}
    assert total > 0.9
    assert all(0.92 < share < 0.99 for share in shares.values()), shares


def test_groups_of_equal_rows_count_as_one(rng):
    """Twice the same rows, tied in pairs, have the intervals of the rows once."""
    y = np.repeat([1, 0], [30, 90])
    score = {"a": rng.normal(size=120) + y, "b": rng.normal(size=120) + y}
    once = ready(y, score, 0.8)
    twice = {name: np.tile(each, 2) for name, each in score.items()}
    paired = ready(np.tile(y, 2), twice, 0.8, groups=np.tile(np.arange(120), 2))
    for quantity in DECIDED:
        expected = once.interval("a", quantity, 0.95)
        # Groups vary over all of them, rows in their classes: n / (n - 1) differs.
        assert paired.interval("a", quantity, 0.95)[:4] == pytest.approx(expected[:4], rel=0.03)
        test = paired.test("a", "b", quantity, 0.95)
        assert test[:2] == pytest.approx(once.test("a", "b", quantity, 0.95)[:2], rel=0.03)


@pytest.mark.parametrize(
    ("at", "design"),
    [
        *((at, "stratified") for at in ("fpr<=0.1", "recall>=0.8", "precision>=0.5")),
        *(("flagged<=0.2", each) for each in ("random", "weights", "groups", "prevalence")),
    ],
)
def test_the_bootstrap_is_that_of_plain_loops(at, design, rng):
    """The standard error from 400 resamples, each measured by `operating_point` alone."""
    n, quantities = 150, ("kappa", "flagged" if at.startswith("recall") else "recall")
    y = rng.random(n) < 0.3
    score = (rng.normal(size=n) + 1.5 * y).round(1)
    rows = {}
    if design == "weights":
        rows["sample_weight"] = rng.integers(1, 4, n).astype(float)
    if design == "groups":
        rows["groups"] = np.arange(n) // 2
    p = 0.1 if design == "prevalence" else None
    sampling = "random" if design in ("random", "groups") else "stratified"
    found = ready(y, score, at, sampling, 3000, p, **rows)
    drawn = []
    while len(drawn) < 400:
        if design == "groups":
            taken = 2 * np.repeat(rng.integers(n // 2, size=n // 2), 2)
            taken[1::2] += 1
        elif sampling == "random":
            taken = rng.integers(n, size=n)
        else:
            taken = np.concatenate(
                [rng.choice(np.flatnonzero(y == side), (y == side).sum()) for side in (0, 1)]
            )
        weight = rows["sample_weight"][taken] if design == "weights" else None
        try:
            point = operating_point(
                y[taken], score[taken], at=at, prevalence=p, sample_weight=weight
            )
        except ValueError:  # nobody is flagged
            drawn.append([0.0, 0.0])
            continue
        drawn.append([point.kappa, point.flagged if quantities[1] == "flagged" else point.tpr])
    for quantity, error in zip(quantities, np.std(drawn, axis=0, ddof=1), strict=True):
        estimate = found.interval("", quantity, 0.95)
        assert estimate.standard_error == pytest.approx(error, rel=0.15)
        assert estimate.low < estimate.estimate < estimate.high


def test_what_a_constraint_holds_has_no_interval(rng):
    y = np.repeat([1, 0], [30, 100])
    scores = {"a": rng.normal(size=130) + 2 * y, "b": rng.normal(size=130) + y}
    for at, held in (("fpr<=0.1", "specificity"), ("recall>=0.5", "recall")):
        found = ready(y, scores, at)
        for quantity in DECIDED:
            missing = np.isnan(found.interval("a", quantity, 0.95).low)
            assert (
                missing == np.isnan(found.test("a", "b", quantity, 0.95).low) == (quantity == held)
            )


def test_the_doors_take_at(rng):
    y = np.repeat([1, 0], [40, 160])
    a, b = rng.normal(size=200) + 2 * y, rng.normal(size=200) + y
    bound = {"at": "fpr<=0.1", "n_resamples": 200}
    assert interval(y, a, measure="recall", **bound).method == "bootstrap"
    loss = {"measure": "expected_loss", "cost_ratio": 3}
    assert interval(y, a, at=1.5, **loss)[:4] == pytest.approx(
        interval(y, a, threshold=1.5, **loss)[:4], rel=1e-6
    )
    assert paired_test(y, a, b, at=1.5, **loss)[:6] == pytest.approx(
        paired_test(y, a, b, threshold=1.5, **loss)[:6], rel=1e-6
    )
    pair = paired_test(y, a, b, measure="recall", **bound)
    several = paired_test(y, {"a": a, "b": b}, measure="recall", **bound)
    assert several == {("a", "b"): pair}
    assert (pair.low > 0) == (pair.p_value < 0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "recall"}, "recall needs at="),
        ({"measure": "auc", "at": 1}, "auc takes no at="),
        ({"measure": "kappa", "at": 1, "threshold": 1}, "give one of them"),
        ({"measure": "kappa", "at": 1, "method": "bootstrap"}, "a threshold has no method"),
        ({"measure": "kappa", "at": "recall>=1", "method": "analytic"}, "a constraint has no"),
    ],
)
def test_the_doors_refuse_what_does_not_go_together(options, message):
    y, score = [0, 0, 1, 1], [1, 2, 3, 4]
    with pytest.raises(ValueError, match=message):
        interval(y, score, **options)
    with pytest.raises(ValueError, match=message):
        paired_test(y, score, score, **options)


@pytest.mark.parametrize("quantity", ["kappa", "precision", "expected_loss"])
def test_the_order_of_two_models_turns_the_sign_alone(quantity, rng):
    """Also where one of them flags all rows, and is no more than a number."""
    y = np.repeat([1, 0], [40, 160])
    scores = rng.normal(size=200) + y, rng.normal(size=200) + y, np.full(200, 9.0)
    options = {"measure": quantity, "at": 1.0, "groups": np.arange(200) % 60}
    for a, b in ((0, 1), (0, 2)):
        one, other = (paired_test(y, scores[i], scores[j], **options) for i, j in ((a, b), (b, a)))
        turned = -other.difference, other.p_value, -other.high, -other.low
        assert (one.difference, one.p_value, one.low, one.high) == pytest.approx(turned, rel=1e-9)


def test_precision_of_one_hit_without_an_alarm():
    """Only what the false positive rate could be takes it down: 0 of 475 by hand."""
    z = 1.959963984540054
    rate = (z**2 / 2 + z * np.sqrt(z**2 / 2 * (1 - z**2 / 2 / (475 + z**2)))) / (475 + z**2)
    found = ready(*table(1, 24, 0, 475), 0.5).interval("", "precision", 0.95)
    assert found[2:4] == pytest.approx((0.05 * 0.04 / (0.05 * 0.04 + 0.95 * rate), 1))


def test_precisions_differ_by_no_more_than_their_intervals_tell():
    """Without false alarms one has no error by derivatives, and its interval is wide."""
    y, few = table(10, 15, 0, 475)
    many = few + ((np.arange(500) % 5 == 0) & (y == 0))
    rows = {"measure": "precision", "at": 0.5, "prevalence": 0.005}
    found = paired_test(y, few, many, **rows)
    a, b = (interval(y, score, **rows) for score in (few, many))
    assert found.low == pytest.approx(found.difference - np.hypot(1 - a.low, b.high - b.estimate))
    assert found.high == pytest.approx(found.difference + b.estimate - b.low)


@pytest.mark.parametrize("at", [0.5, "flagged<=0.2"])
def test_models_that_tie_leave_the_others_their_tests(at, rng):
    y = np.repeat([1, 0], [40, 160])
    a, c = rng.normal(size=200) + y, rng.normal(size=200) + y
    found = ready(y, {"a": a, "b": a, "c": c}, at).tests("recall", 0.95)
    assert found["a", "b"][1] == 1
    assert found["a", "c"][1] == found["b", "c"][1] <= 1


def test_a_model_that_flags_nobody_leaves_the_others_their_tests(rng):
    y = np.repeat([1, 0], [40, 160])
    scores = {name: rng.normal(size=200) + y for name in "ab"}
    found = ready(y, scores | {"none": np.zeros(200)}, 0.5).tests("precision", 0.95)
    alone = ready(y, scores, 0.5).test("a", "b", "precision", 0.95)
    assert found["a", "b"] == (alone, pytest.approx(alone.p_value))
    assert np.isnan(found["a", "none"][1])


def test_a_precision_s_error_with_millions_of_rows_by_its_derivatives():
    """Two hits of a hundred and two alarms of a million."""
    found = ready(*table(2, 98, 2, 999_998), 0.5).interval("", "precision", 0.95)
    p, t, f = 1e2 / 1_000_100, 0.02, 2e-6
    shares = t * (1 - t) / 99, f * (1 - f) / 999_999
    slopes = p * (1 - p) * np.array([f, t]) / (p * t + (1 - p) * f) ** 2
    assert found.standard_error == pytest.approx(np.sqrt(slopes**2 @ shares), rel=1e-6)


def test_shares_of_weights_stay_below_one():
    """0.1 + 0.2 + 0.3 is above 0.3 + 0.2 + 0.1."""
    y, score = np.tile([0, 0, 0, 1, 1, 1], 4), np.tile([1, 2, 3, 1, 2, 3], 4) + np.arange(24)
    found = ready(y, score, "recall>=1", sample_weight=np.tile([0.3, 0.2, 0.1], 8))
    assert found.interval("", "kappa", 0.95).estimate <= 1
