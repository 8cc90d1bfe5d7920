import warnings
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest, f as f_test, sem, t as student
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss

from kappacurve import auk_score, compare, interval, net_benefit, paired_test
from kappacurve.algebra import area_under_kappa
from kappacurve.inference import (
    auk_grid,
    covariance,
    hanley_mcneil_standard_error,
    influence,
    max_t,
)

# Hanley & McNeil (1982), Table I: ratings of 58 normal and 51 abnormal computed tomograms.
NORMAL, ABNORMAL = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)


def draw(seed, n=120, prevalence=0.25, digits=None, separation=1.0):
    """Labels and two correlated normal scores; rounded to `digits` they have ties."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[: round(n * prevalence)] = 1
    rng.shuffle(y)
    common = rng.normal(size=n)
    a = common + rng.normal(size=n) + separation * y
    b = common + rng.normal(size=n) + 0.5 * separation * y
    return (y, a, b) if digits is None else (y, a.round(digits), b.round(digits))


def all_pairs(y, score):
    """1 where a positive (row) is above a negative (column), 1/2 where they tie."""
    difference = score[y == 1][:, None] - score[y == 0]
    return (difference > 0) + 0.5 * (difference == 0)


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_delong_is_the_sum_over_all_pairs(digits):
    """Equations 3-5 as they stand."""
    y, a, b = draw(4, digits=digits)
    won = np.array([all_pairs(y, score) for score in (a, b)])
    sides = [
        np.cov(won.mean(axis=axis)) / n for axis, n in ((2, (y == 1).sum()), (1, (y == 0).sum()))
    ]
    expected = sum(sides)
    auc, matrix = covariance(y, {"a": a, "b": b}, measure="auc")
    np.testing.assert_allclose(auc, won.mean(axis=(1, 2)), atol=1e-14)
    np.testing.assert_allclose(matrix, expected, atol=1e-15)


def test_published_example_of_hanley_and_mcneil():
    y = np.repeat([0, 1], [58, 51])
    rating = np.concatenate([np.repeat(np.arange(5), NORMAL), np.repeat(np.arange(5), ABNORMAL)])
    found = interval(y, rating, measure="auc", scale="plain")
    assert round(found.estimate, 3) == 0.893
    # Stata's manual shows DeLong's error and interval of these ratings (command roctab).
    assert [round(value, 5) for value in found[2:4]] == [0.83295, 0.95339]
    assert round(found.standard_error, 4) == 0.0307


def test_the_unpaired_test_by_hand():
    """AUCs 5/6 and 17/24; Welch's df of the first from 1/36 of three rows and 1/36 of two.

    With those of the rows it is pROC's: (13/108)^2 / ((1/18)^2 / 4 + (7/108)^2 / 6) = 1014/103.
    """
    first = interval([1, 1, 1, 0, 0], [2, 4, 5, 1, 3], measure="auc")
    other = interval([1, 1, 1, 0, 0, 0, 0], [1, 4, 3, 2, 0, 3, 2], measure="auc")
    assert (first.standard_error, first.df) == pytest.approx(((1 / 18) ** 0.5, 8 / 3))
    assert other.standard_error == pytest.approx((7 / 108) ** 0.5)
    found = first._replace(df=4).unpaired_test(other._replace(df=6), level=0.9)
    assert found.statistic == pytest.approx(0.36028834606144605, rel=1e-12)
    assert found.p_value == pytest.approx(0.7262412914312545, rel=1e-10)
    half = student.ppf(0.95, 1014 / 103) * np.sqrt(13 / 108)
    assert found[4:6] == pytest.approx((1 / 8 - half, 1 / 8 + half))
    assert first.unpaired_test(other).p_value > found.p_value  # of fewer degrees of freedom
    # An error that is known leaves the degrees of freedom of the other.
    known = first._replace(df=4), other._replace(df=np.inf)
    for pair in (known, known[::-1]):
        found = pair[0].unpaired_test(pair[1])
        half = student.ppf(0.975, 4 * ((13 / 108) / (1 / 18)) ** 2) * np.sqrt(13 / 108)
        assert found.high - found.low == pytest.approx(2 * half)
    perfect = interval([0, 1] * 5, [0, 1] * 5, measure="auc")
    for pair in ((perfect, other), (other, perfect)):
        assert np.isnan(pair[0].unpaired_test(pair[1]).p_value)


def test_hanley_mcneil_by_hand():
    # A = 1/2: Q1 = Q2 = 1/3, so (1/4 + 3/12 + 1/12) / (4 * 2) = 7/96.
    assert hanley_mcneil_standard_error(0.5, 4, 2) == pytest.approx(np.sqrt(7 / 96), abs=1e-15)
    assert hanley_mcneil_standard_error(1.0, 4, 2) == hanley_mcneil_standard_error(0.0, 1, 1) == 0
    for auc, *rows in ((1.1, 4, 2), (-0.1, 4, 2), (0.5, 0, 2), (0.5, 4, 0.5), (0.5, 4, 2**53)):
        with pytest.raises(ValueError, match="must"):
            hanley_mcneil_standard_error(auc, *rows)


@pytest.mark.parametrize(
    ("cost", "prevalence", "share"),
    [
        *((cost, 0.2, 0.25) for cost in (0.0, 0.03, 1.0, "balanced")),
        *((0.5, 0.001, 0.1), (0.5, 0.999, 0.25)),
        # Next to the balanced cost series take the place of the formulas.
        *((0.75 - off, 0.25, 0.25) for off in (1e-5, 3e-4, 0.01)),
    ],
)
@pytest.mark.parametrize("axis", ["fpr", "flagged"])
@pytest.mark.parametrize("digits", [None, 0])
def test_influence_is_the_derivative_by_the_weight(cost, axis, digits, share, prevalence):
    y, a, _ = draw(6, n=40, prevalence=share, digits=digits)
    at = {"cost": cost, "axis": axis}
    fixed = influence(y, a, prevalence=prevalence, **at)
    size = np.where(y == 1, y.sum(), (1 - y).sum())
    drawn = influence(y, a, sampling="random", **at)
    stated = influence(y, a, sampling="random", prevalence=prevalence, **at)
    assert stated / 40 == pytest.approx(fixed / size)

    def slope(row, prevalence):
        weights = 1 + np.outer([-1e-4, 1e-4], np.arange(40) == row)
        at_p = at | {"prevalence": prevalence}
        less, more = (auk_score(y, a, sample_weight=weight, **at_p) for weight in weights)
        return (more - less) / 2e-4

    for row in [*range(0, 40, 13), int(np.argmin(a)), int(np.argmax(a))]:
        assert fixed[row] / size[row] == pytest.approx(slope(row, prevalence), abs=3e-7)
        assert drawn[row] / 40 == pytest.approx(slope(row, None), abs=3e-7)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [None, 0])
def test_the_interval_has_pseudo_rows_at_either_end(digits, weighted):
    """By all pairs, two more rows of a tenth of a mean one in each class: far above, far below."""
    y, a, _ = draw(5, n=60, digits=digits)
    weight = np.arange(60) % 5 + 1.0 if weighted else np.ones(60)
    won = all_pairs(np.append(y, [1, 1, 0, 0]), np.append(a, [1e9, -1e9, 2e9, -2e9]))
    sides = []
    for side in (1, 0):
        own = weight[y == side]
        # Of (sum w)^2 / sum w^2 rows that tell as much, one has this weight.
        mean = (own @ own) / own.sum()
        pseudo = 0.1 * np.array([mean, mean])
        # A pseudo-row's square counts by a tenth of what its weight alone would give.
        sides.append((np.append(own, pseudo), np.append(own**2, pseudo**2 / 0.1), len(own)))
    (rows, *_), (columns, *_) = sides
    of_rows, of_columns = won @ columns / columns.sum(), rows @ won / rows.sum()
    auc, variance = rows @ of_rows / rows.sum(), 0
    for parts, (own, squares, n) in zip((of_rows, of_columns), sides, strict=True):
        variance += squares @ (parts - auc) ** 2 / own.sum() ** 2 * n / (n - 1)
    half = 1.959963984540054 * np.sqrt(variance) / (auc * (1 - auc))
    expected = 1 / (1 + np.exp(-np.log(auc / (1 - auc)) + np.array([half, -half])))
    options = {"sample_weight": weight if weighted else None}
    found = interval(y, a, measure="auc", **options)
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)
    twice = interval(y, a, measure="gini", **options)
    assert (twice.low, twice.high) == pytest.approx(tuple(2 * expected - 1), abs=1e-12)
    # At the balanced cost the AUK is AUC - 1/2, whatever the weights of the rows.
    balanced = interval(y, a, cost="balanced", **options)
    assert (balanced.low, balanced.high) == pytest.approx(tuple(expected - 0.5), abs=1e-10)


@pytest.mark.parametrize("cost", [0.5, 0.2])
@pytest.mark.parametrize("axis", ["fpr", "flagged"])
def test_a_counted_prevalence_adds_what_its_own_limits_bring(axis, cost):
    """Wilson's, of 30 of 120 rows; with groups or weights its error is that of the influences."""
    y, a, _ = draw(7)
    at = {"cost": cost, "axis": axis}
    fixed = interval(y, a, sampling="stratified", **at)
    ends = binomtest(30, 120).proportion_ci(method="wilson")
    moved = [auk_score(y, a, prevalence=p, **at) for p in ends] + [fixed.estimate]
    found = interval(y, a, **at)
    value = fixed.estimate
    assert found.low == pytest.approx(value - np.hypot(value - fixed.low, value - min(moved)))
    assert found.high == pytest.approx(value + np.hypot(fixed.high - value, max(moved) - value))
    assert (max(moved) > value + 1e-4) or (min(moved) < value - 1e-4)
    # What a row moves in its class, and by the prevalence: the two are not apart if weights differ.
    weight = np.arange(120) % 3 + 1.0
    rows = {"sample_weight": weight, **at}
    totals = np.where(y == 1, weight[y == 1].sum(), weight[y == 0].sum())
    fixed, drawn = (influence(y, a, sampling=each, **rows) for each in ("stratified", "random"))
    moved = weight * fixed / totals
    leaning = weight * drawn / weight.sum() - moved
    counts = np.where(y == 1, 30 / 29, 90 / 89)
    for sampling, more in (("stratified", 0.0), ("random", leaning @ (2 * moved + leaning))):
        found = interval(y, a, sampling=sampling, **rows)
        assert found.standard_error == pytest.approx(np.sqrt(counts @ moved**2 + more))


@pytest.mark.parametrize("measure", ["auc", "auk"])
def test_scores_and_comparisons_without_variance(measure):
    y = np.repeat([0, 1], [7, 3])
    fixed = {"measure": measure, "sampling": "stratified"}
    for score in (y * 1.0, np.arange(10.0), -y * 1.0):
        found = interval(y, score, **fixed)
        assert found.standard_error == 0.0
        assert found.low <= found.estimate <= found.high
        assert found.high - found.low > 0.1
        logit = interval(y, score, measure=measure, scale="logit")
        assert np.isnan([logit.low, logit.high]).all()
    assert np.isnan(interval(y, np.zeros(10), measure=measure)[2:4]).all()
    # A random class ratio leaves a perfect AUK uncertain.
    assert interval(y, y, sampling="random").standard_error > 0
    assert interval(y, y, sampling="random", prevalence=0.3).standard_error == 0.0
    y, a, _ = draw(13)
    for b in (a, np.exp(a)):
        found = paired_test(y, a, b, measure=measure)
        assert (*found[:2], found.p_value) == (0.0, 0.0, 1.0)
        assert np.isnan([found.statistic, found.low, found.high]).all()
    assert np.isnan(paired_test(y, y * 1.0, np.zeros(len(y)), **fixed)[2:6]).all()


def test_four_rows_of_a_class_have_an_interval_and_no_p_value():
    y, a, b = draw(13, n=80)
    few = [values[(y == 0) | (np.cumsum(y) <= 4)] for values in (y, a, b)]
    found = paired_test(*few, method="analytic")
    assert np.isnan(found.p_value)
    assert np.isfinite([found.low, found.high, found.statistic]).all()
    grid = auk_grid(few[0], {"a": few[1], "b": few[2], "c": few[1]}, cost=[0.3, 0.5])
    assert np.isnan(grid.tests["a", "b"].p_value).all()
    assert (grid.tests["a", "c"].p_value == 1).all()


def test_rows_without_weight_are_none_and_groups_of_one_row_change_nothing():
    """Nor are the groups that have no other rows."""
    y, a, b = draw(21)
    alone = paired_test(y, a, b)
    three = paired_test(y, a, b, sample_weight=np.full(120, 3.0))
    assert three[:6] == pytest.approx(alone[:6], abs=1e-12)
    weight = np.where(np.arange(120) % 20 < 2, 0.0, 3.0 + np.arange(120) % 3)
    rows, groups = weight > 0, np.arange(120) // 2
    left_out = paired_test(y, a, b, sample_weight=weight, groups=groups)
    kept = [values[rows] for values in (y, a, b, weight, groups)]
    assert left_out == paired_test(*kept[:3], sample_weight=kept[3], groups=kept[4])
    # With every row its own group only n / (n - 1) of all rows takes the place of each class's.
    with pytest.warns(UserWarning, match="Each group has one row"):
        singles = paired_test(y, a, b, groups=np.arange(len(y)))
    assert singles.standard_error == pytest.approx(alone.standard_error, rel=0.02)


def test_obuchowski_s_variance_by_hand():
    """Of two readings of each of four eyes, from the sums of the components by patient."""
    y = np.array([1, 1, 0, 0, 1, 0, 0, 1])
    score = np.array([3.0, 5, 2, 1, 4, 4, 2, 1])
    patient = np.array(["a", "a", "b", "b", "c", "c", "d", "d"])
    won = all_pairs(y, score)
    parts = np.empty(8)
    parts[y == 1] = (won.mean(axis=1) - won.mean()) / 4
    parts[y == 0] = (won.mean(axis=0) - won.mean()) / 4
    squares = sum(parts[patient == one].sum() ** 2 for one in "abcd")
    with pytest.warns(UserWarning, match=r"tell as much as 2\.67 of equal size"):
        found = interval(y, score, measure="auc", groups=patient)
    assert found[:2] == pytest.approx((won.mean(), np.sqrt(4 / 3 * squares)), abs=1e-14)


@pytest.mark.parametrize("n", [19, 20])
def test_below_twenty_groups_a_note_says_so(n):
    y, groups = np.arange(4 * n) % 2, np.arange(4 * n) // 4
    notes = compare(y, {"a": np.arange(4 * n) % 7}, groups=groups).notes
    assert any(f"as much as {n} of equal size" in note for note in notes) == (n == 19)


def test_means_over_rows_have_the_error_of_a_mean():
    rng = np.random.default_rng(2)
    y = (np.arange(90) < 30).astype(int)
    score = rng.random(90) * 0.5 + 0.4 * y
    found = interval(y, score, measure=["brier_score", "log_loss", "average_precision"])
    assert found["brier_score"].standard_error == pytest.approx(sem((score - y) ** 2), rel=0.01)
    for name, function in (
        ("brier_score", brier_score_loss),
        ("log_loss", log_loss),
        ("average_precision", average_precision_score),
    ):
        assert found[name].estimate == pytest.approx(function(y, score))
    worth = interval(y, score, measure="net_benefit", threshold=0.3, prevalence=0.2)
    expected = net_benefit(y, score, thresholds=0.3, prevalence=0.2)
    assert worth.estimate == pytest.approx(float(expected))
    certain = np.where(np.arange(90) < 5, 0.0, 1.0)
    found = interval(y, certain, measure="log_loss").estimate
    assert found == pytest.approx(log_loss(y, certain), rel=1e-12)
    with pytest.raises(ValueError, match="no probabilities: they go from"):
        interval(y, score * 3, measure="brier_score")


def test_three_models_have_one_global_test():
    y, a, b = draw(31)
    scores = {"a": a, "b": b, "c": a + np.random.default_rng(1).normal(size=len(y))}
    found = compare(y, scores).global_tests.set_index("measure").loc["auc"]
    values, matrix = covariance(y, scores, measure="auc")
    contrast = np.array([[1, -1, 0], [0, 1, -1]])
    lead = contrast @ values
    wald = lead @ np.linalg.inv(contrast @ matrix @ contrast.T) @ lead
    assert found["statistic"] == pytest.approx(wald * 28 / (29 * 2))
    assert found["p_value"] == pytest.approx(f_test.sf(wald * 28 / (29 * 2), 2, 28))
    assert compare(y, {"a": a, "b": b}).global_tests.empty
    # A model that always ties with another is counted once.
    tied = compare(y, {"a": a, "b": b, "c": a}).global_tests.set_index("measure").loc["auc"]
    square = paired_test(y, a, b, measure="auc").statistic ** 2
    assert tied["statistic"] == pytest.approx(square)
    assert tied["p_value"] == pytest.approx(f_test.sf(square, 1, 29))
    same = compare(y, dict.fromkeys("abc", a)).global_tests
    assert same["p_value"].isna().all()
    degrees = []
    for one, other in combinations(scores.values(), 2):
        fixed = {"measure": "auc", "sampling": "stratified"}
        lead = influence(y, one, **fixed) - influence(y, other, **fixed)
        v1, v0 = lead[y == 1].var(ddof=1) / 30, lead[y == 0].var(ddof=1) / 90
        degrees.append((v1 + v0) ** 2 / (v1**2 / 29 + v0**2 / 89))
    together = max_t(values, matrix, df=degrees)
    rows = compare(y, scores).tests.query("measure == 'auc'")
    assert rows["p_adjusted"].to_numpy() == pytest.approx(together.p_value, rel=1e-9)
    for end in ("low", "high"):
        assert rows[end].to_numpy() == pytest.approx(getattr(together, end), rel=1e-9)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"level": 1 - 2**-53}, "level must lie strictly between 0 and 1"),
        ({"measure": "h", "method": "analytic"}, "h has no analytic error"),
        ({"measure": "expected_loss", "method": "permutation"}, "has no permutation test: use"),
        ({"measure": "brier_score", "method": "bootstrap"}, "brier_score has no method"),
        ({"groups": np.zeros(120)}, "two groups with rows of each class"),
        ({"groups": np.resize([1, 2, np.nan], 120)}, "without missing ones"),
        ({"groups": np.resize([1, "a", None], 120)}, "without missing ones"),
        ({"groups": np.arange(40)}, r"one value per row, got \(40,\) for 120 rows"),
        ({"method": "permutation", "sample_weight": np.ones(120)}, "takes no sample_weight"),
        ({"y_score_b": np.full(120, np.nan)}, "^Model 'b': y_score must"),
        ({"y_score_a": {"a": np.arange(120)}, "y_score_b": None}, "the scores of two models"),
    ],
)
def test_other_refusals(options, sentence):
    y, a, b = draw(16)
    with pytest.raises(ValueError, match=sentence):
        paired_test(y, **{"y_score_a": a, "y_score_b": b} | options)


def test_degrees_of_freedom_are_of_effective_groups():
    """Groups of 1, 2 and 9 rows of one class: (sum m)^2 / sum m^2, less 1, of the smaller class."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(180), np.resize([1, 2, 9], 180))
    y = (groups % 9 < 3).astype(int)
    a, b = rng.normal(size=(2, len(y))) + y
    found = paired_test(y, a, b, measure="auc", groups=groups)
    df = 240**2 / (20 * (1 + 4 + 81)) - 1  # of 60 groups with 240 positives
    assert found.p_value == pytest.approx(2 * student.sf(abs(found.statistic), df))


@pytest.mark.parametrize("flip", [False, True])
def test_scores_of_two_levels_have_the_interval_of_a_decision(flip, agresti_coull):
    """AUC = (1 + t - f) / 2, of 2 of 10 positives and 3 of 90 negatives flagged."""
    y = np.repeat([1, 0], [10, 90])
    flagged = np.r_[np.arange(10) < 2, np.arange(90) < 3].astype(float)
    low_t, high_t = agresti_coull(2, 10)
    low_f, high_f = np.maximum(agresti_coull(3, 90), 0)
    t, f = 2 / 10, 3 / 90
    down, up = np.hypot(t - low_t, high_f - f) / 2, np.hypot(high_t - t, f - low_f) / 2
    expected = (1 + t - f) / 2 - down, (1 + t - f) / 2 + up
    if flip:
        flagged, expected = 1 - flagged, (1 - expected[1], 1 - expected[0])
    assert interval(y, flagged, measure="auc")[2:4] == pytest.approx(expected, abs=1e-12)
    twice = interval(y, flagged, measure="gini")
    assert twice[2:4] == pytest.approx((2 * expected[0] - 1, 2 * expected[1] - 1), abs=1e-12)
    if flip:
        return
    at = {"prevalence": 0.2, "cost": 0.3}
    rates = (t, f), (low_t, f), (high_t, f), (t, low_f), (t, high_f)
    value, *moved = (area_under_kappa([0, f, 1], [0, t, 1], 0.2, cost=0.3) for t, f in rates)
    down = np.hypot(value - moved[0], value - moved[3])
    up = np.hypot(moved[1] - value, moved[2] - value)
    assert interval(y, flagged, **at)[2:4] == pytest.approx((value - down, value + up), abs=1e-12)


def test_the_log_loss_is_student_s_on_the_log_scale():
    y, a, _ = draw(9, n=60)
    probability = 1 / (1 + np.exp(-a))
    found = interval(y, probability, measure="log_loss", sampling="stratified")
    rows = -np.log(np.where(y == 1, probability, 1 - probability))
    v1, v0 = (0.25 * rows[y == 1]).var(ddof=1) / 15, (0.75 * rows[y == 0]).var(ddof=1) / 45
    assert found.standard_error == pytest.approx(np.sqrt(v1 + v0))
    df = (v1 + v0) ** 2 / (v1**2 / 14 + v0**2 / 44)
    half = student.ppf(0.975, df) * np.sqrt(v1 + v0) / found.estimate
    assert found[2:4] == pytest.approx(found.estimate * np.exp([-half, half]))


NOTED = {"auk": "AUK held in as few as 90", "brier": "Brier score: with the class ratio fixed"}
NOTED |= {"ties": "88 of 100", "bootstrap": "the bootstrap's intervals of AUC", "none": "of 100"}


@pytest.mark.parametrize(
    ("n", "few", "shared", "options", "note", "said"),
    [
        # A twentieth of the rows, or twenty.
        *((200, few, 0, {}, "auk", few < 10) for few in (9, 10)),
        *((1000, few, 0, {}, "auk", few < 20) for few in (19, 20)),
        (200, 9, 0, {"sampling": "stratified"}, "auk", False),
        *((300, few, 0, {"prevalence": 0.1}, "brier", few <= 100) for few in (100, 101)),
        (300, 100, 0, {}, "none", False),
        # Nine of ten rows have one score of several.
        *((300, 100, n, {}, "ties", n == 270) for n in (269, 270, 300)),
        (300, 101, 270, {}, "none", False),
        *((60, few, 0, {"n_resamples": 2}, "bootstrap", few < 20) for few in (19, 20)),
    ],
)
def test_a_design_whose_intervals_fail_in_simulations_is_told_how_often(
    n, few, shared, options, note, said
):
    score = np.where(np.arange(n) * 7 % n < shared, 0.5, np.linspace(1, 0.01, n))
    notes = compare(np.arange(n) < few, {"a": score}, **options).notes
    assert any(NOTED[note] in each for each in notes) == said


@pytest.mark.parametrize("few", [19, 20, 30, 31])
def test_a_net_benefit_of_few_rows_is_told_how_often_it_fails(few):
    """Below twenty, of 40 rows or more; below half of them the rarer class always is."""
    y = np.arange(60) < few
    rows = {"measure": "net_benefit", "threshold": 0.3}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        interval(y, np.linspace(1, 0, 60), **rows)
    assert [f"With {few} rows of a class in 60" in str(one.message) for one in caught] == [True] * (
        few < 20
    )


@pytest.mark.parametrize("heavy", [1.14, 1.16])
def test_unequal_weights_cost_from_half_a_percent_on(heavy):
    """Half of the rows of a class weigh more: (1 + h)^2 / 2 over (1 + h^2) of them tell as much."""
    y = np.arange(400) % 2
    weight = np.where((y == 1) & (np.arange(400) < 200), heavy, 1.0)
    effect = 2 * (1 + heavy**2) / (1 + heavy) ** 2
    notes = compare(y, {"a": np.arange(400) * 7 % 400}, sample_weight=weight).notes
    found = [note for note in notes if "By their unequal weights" in note]
    assert bool(found) == (effect >= 1.005)
    if found:
        told = f"as much as {200 / effect:.3g} and 200 of equal weight (design effects {effect:.3g}"
        assert told in found[0]


ROWS = 60
RANDOM = np.random.default_rng(0)
Y = RANDOM.random(ROWS) < 0.3
SCORES = {
    "tied": (RANDOM.normal(size=ROWS) + Y).round(1),
    "decision": RANDOM.normal(size=ROWS) + Y > 0.5,
    "apart": RANDOM.normal(size=ROWS) - 9 * Y,
    "one": np.ones(ROWS),
}
COSTS = (0.0, 0.01, 0.4, 1.0)


@pytest.mark.filterwarnings("ignore:The groups")
@pytest.mark.parametrize("p", [None, 0.001, 0.8])
@pytest.mark.parametrize("axis", ["fpr", "flagged"])
@pytest.mark.parametrize("groups", [None, np.arange(ROWS) // 4], ids=["rows", "groups"])
@pytest.mark.parametrize("weight", [None, RANDOM.random(ROWS) + 0.2], ids=["plain", "weighted"])
def test_nodes_of_a_grid_are_those_of_interval_and_test(weight, groups, axis, p):
    design = {"sample_weight": weight, "groups": groups, "axis": axis, "prevalence": p}
    found = auk_grid(Y, SCORES, cost=COSTS, **design)
    for i, cost in enumerate(COSTS):
        at = design | {"cost": cost}
        for name, own in found.models.items():
            one = interval(Y, SCORES[name], **at)[:4]
            assert [part[i] for part in own] == pytest.approx(one, abs=1e-12, nan_ok=True)
        for (first, second), own in found.tests.items():
            one = paired_test(Y, SCORES[first], SCORES[second], method="analytic", **at)
            p_value = pytest.approx(one[3], abs=1e-12 * max(1, 1 / (one[1] or 1)), nan_ok=True)
            assert own.p_value[i] == p_value
            for k in (0, 1, 4, 5):
                assert own[k][i] == pytest.approx(one[k], abs=1e-12, nan_ok=True)
