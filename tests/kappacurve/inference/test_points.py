"""Inference at thresholds: small tables are enumerated, and the bootstrap is one of plain loops."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, norm, t as student

from kappacurve import compare, interval, operating_point, paired_test
from kappacurve.algebra import kappa_from_rates
from kappacurve.inference import wilson_interval

DECIDED = ["recall", "precision", "specificity", "flagged", "kappa", "expected_loss"]
FIXED = {"sampling": "stratified"}


def intervals(y, score, at, **options):
    return interval(y, score, measure=DECIDED, at=at, **FIXED | options)


def table(tp, fn, fp, tn):
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


def true_values(t, f, p):
    flagged = p * t + (1 - p) * f
    loss = (p * (1 - t) + (1 - p) * f) / 2
    values = t, p * t / flagged, 1 - f, flagged, kappa_from_rates(f, t, p), loss
    return dict(zip(DECIDED, values, strict=True))


@pytest.fixture
def two(rng):
    y = np.repeat([1, 0], [40, 160])
    return y, rng.normal(size=200) + 2 * y, rng.normal(size=200) + y


def added(value, ends, spread, slope=0.0):
    """Ends of a value of shares: the distances of what each share's ends bring, squared, added."""
    here, (low, high) = value(), slope * (np.array(ends.pop("p")) - P) if "p" in ends else (0, 0)
    down, up = spread + min(low, high) ** 2, spread + max(low, high) ** 2
    for name, both in ends.items():
        outcomes = [value(**{name: end}) for end in both]
        down += (here - min(outcomes)) ** 2
        up += (here - max(outcomes)) ** 2
    return here - np.sqrt(down), here + np.sqrt(up)


COUNTS, LEVEL = (9, 3, 7, 31), 0.9
T, F, P = 9 / 12, 7 / 38, 12 / 50


@pytest.mark.filterwarnings("ignore:With 12 rows")
@pytest.mark.parametrize("sampling", ["stratified", "random"])
@pytest.mark.parametrize("name", [*DECIDED, "net_benefit"])
def test_intervals_of_decisions_by_hand(name, sampling, agresti_coull):
    """Of 9 of 12 positives and 7 of 38 negatives, at a cost; a counted prevalence has Wilson's."""

    def value(t=T, f=F, p=P):
        if name == "net_benefit":
            return p * t - (1 - p) * f * 0.2 / 0.8
        if name == "expected_loss":
            return 0.75 * p * (1 - t) + 0.25 * (1 - p) * f
        if name == "kappa":
            return float(kappa_from_rates(f, t, p, cost=0.75))
        return true_values(t, f, p)[name]

    ends = {"t": agresti_coull(9, 12, LEVEL), "f": agresti_coull(7, 38, LEVEL)}
    step = 1e-6
    by_t, by_f, by_p = (
        (value(**{at: here + step}) - value(**{at: here - step})) / (2 * step)
        for at, here in (("t", T), ("f", F), ("p", P))
    )
    variance = by_t**2 * T * (1 - T) / 11 + by_f**2 * F * (1 - F) / 37
    if sampling == "random":
        ends["p"] = binomtest(12, 50).proportion_ci(LEVEL, "wilson")
        variance += by_p**2 * P * (1 - P) / 50
    options = {"sampling": sampling, "level": LEVEL, "measure": name}
    y, score = table(*COUNTS)
    if name == "net_benefit":
        found = interval(y, score, threshold=0.2, **options)
    else:
        found = interval(y, score, at=1, cost_ratio=3, **options)
    assert found.estimate == pytest.approx(value())
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-5)
    assert found[2:4] == pytest.approx(added(value, ends, 0.0, by_p), abs=1e-6)


@pytest.mark.parametrize("hits", [3, 8])
def test_a_share_of_weighted_rows_has_the_limits_of_as_many_as_have_its_variance(hits):
    """Recall of eight rows; with all of them flagged it has none, and their number counts."""
    weight = np.array([1, 2, 3, 4, 1, 2, 3, 4.0])
    y = np.repeat([1, 0], [8, 9])
    flagged = np.r_[np.arange(8) < hits, np.arange(9) % 2]
    t = weight[:hits].sum() / 20
    n = t * (1 - t) / np.sum((weight / 20 * (flagged[:8] - t)) ** 2) if hits < 8 else 20**2 / 60
    weights = np.r_[weight, np.ones(9)]
    found = intervals(y, flagged, 0.5, sample_weight=weights, prevalence=0.3)["recall"]
    z = norm.isf(0.025)
    centre = (t + z**2 / n / 2) / (1 + z**2 / n)
    half = z * np.sqrt(centre * (1 - centre) / (n + z**2))
    assert found.estimate == pytest.approx(t)
    assert found[2:4] == pytest.approx((centre - half, min(1, centre + half)))


@pytest.mark.parametrize("together", [True, False])
def test_groups_of_both_classes_add_what_they_share_to_the_interval(together, agresti_coull):
    """Sixty pairs of a positive and a negative row, nearly always flagged together, or never.

    Where the classes move together the interval is not narrower than of independent rows.
    """
    y, group = np.tile([1, 0], 60), np.repeat(np.arange(60), 2)
    flagged = np.repeat(np.arange(60) < 24, 2) ^ (np.arange(120) == 0)
    t, alarms = 23 / 60, 24 if together else 36
    f = alarms / 60
    if not together:
        flagged = np.where(y == 1, flagged, ~flagged)
    rows = {"measure": "expected_loss", "at": 1, "groups": group, "prevalence": 0.5}
    found = interval(y, flagged * 1.0, **rows)
    parts = np.where(y == 1, -(flagged - t), flagged - f) / 4 / 60
    variance = 60 / 59 * np.sum(parts.reshape(60, 2).sum(axis=1) ** 2)
    assert found.standard_error == pytest.approx(np.sqrt(variance))
    more = max(0.0, variance - (t * (1 - t) + f * (1 - f)) / 16 / 59)
    assert (more == 0) == together
    ends = {"t": agresti_coull(23, 60), "f": agresti_coull(alarms, 60)}
    expected = added(lambda t=t, f=f: (1 - t + f) / 4, ends, norm.isf(0.025) ** 2 * more)
    assert found[2:4] == pytest.approx(expected)


def test_a_difference_of_losses_has_student_s_t(two):
    y, a, b = two
    found = paired_test(*two, measure="expected_loss", at=1.0, cost_ratio=4, **FIXED)
    lead = (a >= 1).astype(float) - (b >= 1)
    v1 = (0.8 * 0.2 * lead[y == 1]).var(ddof=1) / 40
    v0 = (0.2 * 0.8 * lead[y == 0]).var(ddof=1) / 160
    df = (v1 + v0) ** 2 / (v1**2 / 39 + v0**2 / 159)
    difference = -0.16 * lead[y == 1].mean() + 0.16 * lead[y == 0].mean()
    assert found[:2] == pytest.approx((difference, np.sqrt(v1 + v0)), rel=1e-5)
    assert found.statistic == pytest.approx(difference / np.sqrt(v1 + v0), rel=1e-5)
    assert found.p_value == pytest.approx(2 * student.sf(abs(found.statistic), df), rel=1e-4)
    half = student.isf(0.025, df) * found.standard_error
    assert found[4:6] == pytest.approx((difference - half, difference + half), rel=1e-4)


@pytest.mark.parametrize("default", [9.0, -9.0])
@pytest.mark.parametrize(("way", "at"), [(1, 2.2), (-1, 1.0)])
def test_a_loss_is_held_against_a_default_by_its_own_interval(default, way, at, two):
    """The p value is one minus the level at which an end of it is the default's loss."""
    y, score, known = two[0], way * two[2], 0.8 * 0.2
    at = {"measure": "expected_loss", "at": at, "cost_ratio": 4, **FIXED}
    test = paired_test(y, score, np.full(200, default), **at)
    own = interval(y, score, **at)
    assert test.difference == pytest.approx(own.estimate - known)
    assert test[4:6] == pytest.approx((own.low - known, own.high - known))
    assert test.difference * way < 0
    turned = paired_test(y, np.full(200, default), score, **at)
    assert turned[4:6] == pytest.approx((known - own.high, known - own.low))

    def beyond(level):
        return interval(y, score, level=level, **at)[2 if way < 0 else 3] - known

    level = brentq(beyond, 0.01, 1 - 1e-9)
    assert test.p_value == turned.p_value == pytest.approx(1 - level, rel=1e-4)
    assert test.statistic == pytest.approx(-way * norm.isf((1 - level) / 2))


@pytest.mark.parametrize("quantity", ["precision", "kappa"])
def test_precisions_and_kappas_differ_by_both_intervals_and_their_correlation(quantity, two):
    """Zou (2007): the distances of both, less twice their product times the correlation."""
    y, a, b = two
    rows = {"measure": quantity, "at": 1.0, "level": 0.8, **FIXED}
    test = paired_test(y, a, b, **rows)
    one, other = (interval(y, score, **rows) for score in (a, b))
    errors = one.standard_error, other.standard_error
    r = (errors[0] ** 2 + errors[1] ** 2 - test.standard_error**2) / (2 * errors[0] * errors[1])
    assert 0 < abs(r) < 0.9
    sides = [
        (one.estimate - one.low, other.high - other.estimate),
        (one.high - one.estimate, other.estimate - other.low),
    ]
    down, up = (np.sqrt(x**2 + z**2 - 2 * r * x * z) for x, z in sides)
    difference = one.estimate - other.estimate
    assert test[4:6] == pytest.approx((difference - down, difference + up), rel=1e-6)


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize(
    ("at", "own"),
    [
        ("flagged<=0.45", (2 / 3, 1 / 4)),
        ("flagged<=0.2", (1 / 3, 0)),
        ("recall>=0.5", (2 / 3, 1 / 4)),
    ],
)
def test_intervals_under_a_constraint_are_those_of_all_resamples(at, own, level):
    """All 27 x 256 draws of three positives and four negatives, each with its own threshold."""
    y, score = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([7.0, 5, 2, 6, 4, 3, 1])
    bound = {"at": at, "level": level, "n_resamples": 10_000, **FIXED}
    found = interval(y, score, measure=DECIDED, **bound)
    sides = (product(score[y == side], repeat=n) for side, n in ((1, 3), (0, 4)))
    ones, zeros = (np.array(list(side)) for side in sides)
    # Shares flagged from each score on, of all draws of a class; then of every two of them.
    t, f = ((side[:, None] >= np.arange(1, 8)[:, None]).mean(axis=2) for side in (ones, zeros))
    t, f = np.repeat(t, len(zeros), axis=0), np.tile(f, (len(ones), 1))
    if at.startswith("flagged"):  # as many as may be
        fits = (3 * t + 4 * f) / 7 <= float(at[9:])
        chosen = np.where(fits.any(axis=1), fits.argmax(axis=1), -1)
    else:  # as few as must be
        fits = t >= 0.5
        chosen = 6 - fits[:, ::-1].argmax(axis=1)
    t, f = (
        np.where(chosen < 0, 0, np.take_along_axis(x, chosen[:, None], 1)[:, 0]) for x in (t, f)
    )
    with np.errstate(invalid="ignore"):
        values = true_values(t, f, 3 / 7)
    estimates = true_values(*own, 3 / 7)
    z = norm.isf((1 - level) / 2)
    for name in DECIDED:
        error, estimate = np.nanstd(values[name]), estimates[name]
        assert found[name].estimate == pytest.approx(estimate)
        if at.startswith(name):
            continue  # what it holds
        assert found[name].standard_error == pytest.approx(error, rel=0.03), name
        low = np.quantile(np.nan_to_num(values[name], nan=0.0), (1 - level) / 2)
        high = np.quantile(np.nan_to_num(values[name], nan=1.0), (1 + level) / 2)
        ends = estimate - z * error, estimate + z * error
        if name in DECIDED[:4]:
            n = max(1, estimate * (1 - estimate) / error**2) if 0 < estimate < 1 else 3
            ends = [float(end) for end in wilson_interval(estimate, n, z)]
        expected = min(low, max(ends[0], -1 if name == "kappa" else 0)), max(high, min(1, ends[1]))
        assert found[name][2:4] == pytest.approx(expected, abs=0.015), name


@pytest.mark.parametrize(("t", "f"), [(0.8, 0.2), (0.95, 0.05)])
def test_coverage_with_a_fixed_class_ratio_by_enumeration(t, f):
    """All 21 x 61 tables of 20 positives and 60 negatives, each with its probability."""
    chance = np.outer(binom.pmf(range(21), 20, t), binom.pmf(range(61), 60, f))
    truth, covered = true_values(t, f, 0.25), dict.fromkeys(DECIDED, 0.0)
    for tp, fp in np.argwhere(chance > 1e-5).tolist():
        for name, found in intervals(*table(tp, 20 - tp, fp, 60 - fp), 0.5).items():
            covered[name] += chance[tp, fp] * (found.low <= truth[name] <= found.high)
    # Shares near 0 and 1 are covered more often than asked.
    assert all(0.92 < share < 0.995 for share in covered.values()), covered


@pytest.mark.parametrize("design", ["random", "weights", "groups", "prevalence"])
def test_the_bootstrap_is_that_of_plain_loops(design, rng):
    """The standard error from 400 resamples, each measured by `operating_point` alone."""
    n, at = 150, {"at": "flagged<=0.2", "prevalence": 0.1 if design == "prevalence" else None}
    y = rng.random(n) < 0.3
    score = (rng.normal(size=n) + 1.5 * y).round(1)
    weight = rng.integers(1, 4, n).astype(float) if design == "weights" else np.ones(n)
    drawn, sides = [], [np.flatnonzero(y == side) for side in (0, 1)]
    for _ in range(400):
        taken = np.concatenate([rng.choice(side, len(side)) for side in sides])
        if design == "groups":
            taken = np.add.outer(2 * rng.integers(n // 2, size=n // 2), [0, 1]).ravel()
        elif design == "random":
            taken = rng.integers(n, size=n)
        point = operating_point(y[taken], score[taken], sample_weight=weight[taken], **at)
        drawn.append(point.kappa)
    rows = {"groups": np.arange(n) // 2} if design == "groups" else {"sample_weight": weight}
    at["sampling"] = "random" if design in ("random", "groups") else "stratified"
    found = interval(y, score, measure="kappa", n_resamples=3000, **at, **rows)
    assert found.standard_error == pytest.approx(np.std(drawn, ddof=1), rel=0.15)


def test_what_a_constraint_holds_has_no_interval(two):
    for at, held in (("fpr<=0.1", "specificity"), ("recall>=0.5", "recall")):
        bound = {"at": at, "n_resamples": 200, **FIXED}
        for name, found in intervals(*two[:2], **bound).items():
            test = paired_test(*two, measure=name, **bound)
            assert np.isnan(found.low) == np.isnan(test.low) == (name == held)


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


def test_precision_of_one_hit_without_an_alarm(agresti_coull):
    """Only what the false positive rate could be takes it down: 0 of 475."""
    rate = agresti_coull(0, 475)[1]
    found = intervals(*table(1, 24, 0, 475), 0.5)["precision"]
    assert found[2:4] == pytest.approx((0.05 * 0.04 / (0.05 * 0.04 + 0.95 * rate), 1))
    nobody = intervals(*table(0, 5, 0, 9), 0.5)
    assert np.isnan(nobody["precision"][:4]).all()
    assert (nobody["recall"].estimate, nobody["recall"].low) == (0, 0)
    assert nobody["recall"].high == pytest.approx(agresti_coull(0, 5)[1])
    y, score = table(2, 3, 1, 8)
    test = paired_test(y, score, 0 * score, measure="precision", at=0.5, **FIXED)
    assert np.isnan(test[:6]).all()


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
def test_models_that_tie_or_flag_nobody_leave_the_others_their_tests(at, two):
    y, a, c = two
    scores = {"a": a, "b": a, "c": c} | ({"0": np.zeros(200)} if at == 0.5 else {})
    (point,) = compare(y, scores, at=at, n_resamples=200, **FIXED).points
    found = {(test["measure"], test["first"] + test["second"]): test for test in point["tests"]}
    assert found["recall", "ab"]["p_adjusted"] == 1
    assert found["recall", "ac"]["p_adjusted"] == found["recall", "bc"]["p_adjusted"] <= 1
    if at == 0.5:
        alone = paired_test(y, a, c, measure="precision", at=0.5, **FIXED)
        assert found["precision", "ac"]["p_adjusted"] == pytest.approx(alone.p_value)
        assert np.isnan(found["precision", "a0"]["p_adjusted"])


def test_a_precision_s_error_with_millions_of_rows_by_its_derivatives():
    """Two hits of a hundred and two alarms of a million."""
    found = interval(*table(2, 98, 2, 999_998), measure="precision", at=0.5, **FIXED)
    p, t, f = 1e2 / 1_000_100, 0.02, 2e-6
    shares = t * (1 - t) / 99, f * (1 - f) / 999_999
    slopes = p * (1 - p) * np.array([f, t]) / (p * t + (1 - p) * f) ** 2
    assert found.standard_error == pytest.approx(np.sqrt(slopes**2 @ shares), rel=1e-6)


def test_shares_of_weights_stay_below_one():
    """0.1 + 0.2 + 0.3 is above 0.3 + 0.2 + 0.1."""
    y, score = np.tile([0, 0, 0, 1, 1, 1], 4), np.tile([1, 2, 3, 1, 2, 3], 4) + np.arange(24)
    found = intervals(y, score, "recall>=1", sample_weight=np.tile([0.3, 0.2, 0.1], 8))
    assert found["kappa"].estimate <= 1


def test_recalls_differ_by_one_at_most():
    y, hits = np.repeat([1, 0], [2, 50]), np.arange(52)
    found = paired_test(y, hits < 2, hits == 0, measure="recall", at=1)
    assert (found.difference, found.low, found.high) == (0.5, -1, 1)


@pytest.mark.parametrize("size", [1, 1e-8, 1e9])
def test_a_threshold_is_printed_with_the_digits_that_its_rows_need(size, two):
    score = size * (1 + 1e-9 * two[1])
    for row in compare(two[0], {"a": score}, cost_ratio=4, level=None).thresholds.itertuples():
        assert ((score >= row.printed) == (score >= row.threshold)).all()
        assert len(repr(row.printed)) <= len(repr(row.threshold))
    found = compare([0, 0, 1, 1], {"a": [0.1, 0.2, 0.7654321, 0.9]}, level=None).thresholds
    assert found.loc[0, ["threshold", "printed"]].tolist() == [0.7654321, 0.765]


@pytest.mark.parametrize(("level", "known"), [(0.9, True), (0.95, False)])
def test_a_precision_that_too_many_resamples_lack_has_no_test(level, known):
    """In one of 27 draws of three positives all are the lowest, and nobody can be flagged."""
    y, a, b = [1, 1, 1, 0, 0, 0], [6, 5, 1, 4, 3, 2], [6, 5, 4, 3, 2, 1]
    options = {"measure": "precision", "at": "fpr<=0", "level": level, **FIXED}
    assert (paired_test(y, a, b, **options).p_value == 1) == known
