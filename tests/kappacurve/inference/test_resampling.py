"""The bootstrap, and paired permutation tests against all exchanges of a tiny sample."""

import io
import time
from itertools import count, product

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import rankdata, t as student

from kappacurve import batch_measures, compare, interval, measures, paired_test
from kappacurve.algebra import kappa_from_rates, tpr_from_kappa
from kappacurve.bounds import h_bounds
from kappacurve.inference import resampling
from kappacurve.kappa import auk_range, least_kappa_max

RANKING = ["auc", "auch", "gini", "ks", "auk", "auk_hull", "average_precision", "h", "kappa_max"]
BIASED = ["auch", "ks", "auk_hull", "h", "kappa_max"]  # hulls and maxima
pytestmark = pytest.mark.filterwarnings("ignore:.*simulated samples")  # notes say it, too
MEASURED_FROM = {"auc": 0, "gini": -1, "h": 0, "kappa_max": 0}


def bootstrap_intervals(y, score, **options):
    return interval(y, score, measure=RANKING, method="bootstrap", **options)


@pytest.fixture(scope="module")
def pair():
    rng = np.random.default_rng(30)
    y = (np.arange(150) < 40).astype(int)
    common = rng.normal(size=150)
    return y, common + rng.normal(size=150) + 1.5 * y, common + rng.normal(size=150) + 0.7 * y


def test_estimates_are_the_measures_and_the_seed_decides(pair):
    found, again, other = (
        bootstrap_intervals(*pair[:2], n_resamples=40, random_state=seed) for seed in (4, 4, 5)
    )
    known = measures(*pair[:2])
    assert {name: one.estimate for name, one in found.items()} == {
        name: known[name] for name in RANKING
    }
    assert found == again
    assert found["auk"] != other["auk"]


def measured(name, y, scores, **at):
    """A measure of each row of scores; the least loss by trying every threshold."""
    if name != "expected_loss":
        return batch_measures(y, scores, **at)[name]
    flagged = scores[:, None] >= np.arange(1, 9)[:, None]
    t, f = (flagged[:, :, y == side].mean(axis=2) for side in (1, 0))
    return (np.mean(y) * (1 - t) + np.mean(1 - y) * f).min(axis=1) / 2


SKEWED = {"cost": 0.2, "axis": "flagged"}


@pytest.mark.parametrize(
    ("name", "span", "bias", "widened", "at"),
    [
        *((name, (0, 1), 0, 0, {}) for name in ("auc", "average_precision")),
        ("gini", (-1, 1), 0, 0, {}),
        ("auk", auk_range(3 / 7, 0.5), 0, 0, {}),
        ("auk", auk_range(3 / 7, 0.2, "flagged"), 0, 0, SKEWED),
        ("auch", (0, 1), 2, 2, {}),
        ("auk_hull", auk_range(3 / 7, 0.5), 2, 2, {}),
        ("h", (-1, 1), 2, 1, {}),
        ("kappa_max", (-1, 1), 2, 2, {}),
        ("expected_loss", (0, 1), 2, 2, {}),
    ],
)
def test_intervals_by_hand(name, span, bias, widened, at):
    """From all 27 * 256 resamples: on the logit scale, less twice the bias, and widened by it."""
    y, score = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([6.0, 3, 5, 2, 7, 1, 4])
    ones, zeros = (list(product(side, repeat=len(side))) for side in (range(3), range(3, 7)))
    rows = np.array([[*one, *zero] for one in ones for zero in zeros])
    drawn = measured(name, y, score[rows], **at)
    options = {"sampling": "stratified", "level": 0.8, "n_resamples": 10_000, "measure": name} | at
    found = interval(y, score, method="bootstrap", **options)
    estimate = measured(name, y, score[None], **at)[0]
    shown = drawn.mean() - estimate  # chance can only raise a maximum, or lower a least loss
    shown = min(0, shown) if name == "expected_loss" else max(0, shown)
    assert found.estimate == pytest.approx(estimate)
    assert found.standard_error == pytest.approx(drawn.std(), rel=0.02)
    low, width = span[0], span[1] - span[0]
    share = (estimate - bias * shown - low) / width
    half = student.ppf(0.9, 3 - 1) * np.hypot(drawn.std(), widened * shown)
    half /= width * share * (1 - share)
    expected = low + width * expit(logit(share) + np.array([-half, half]))
    if name in ("auch", "auk_hull"):  # what the curve itself has at least
        expected[0] = found.low
    least = MEASURED_FROM.get(name, low)
    expected = np.maximum(expected, least)
    expected = min(expected[0], estimate), max(expected[1], estimate)
    assert found[2:4] == pytest.approx(expected, abs=0.02)
    other = np.array([5.0, 7, 1, 3, 4, 6, 2])
    drawn = drawn - measured(name, y, other[rows], **at)
    test = paired_test(y, score, other, method="bootstrap", **options)
    difference = estimate - measured(name, y, other[None], **at)[0]
    assert test.difference == pytest.approx(difference)
    assert test.statistic == pytest.approx(difference / drawn.std(), rel=0.02)
    # Between steps of their distribution the quantiles may jump.
    lows, highs = np.quantile(drawn, [0.085, 0.115]), np.quantile(drawn, [0.885, 0.915])
    assert min(difference, lows[0]) - 1e-9 <= test.low <= min(difference, lows[1]) + 1e-9
    assert max(difference, highs[0]) - 1e-9 <= test.high <= max(difference, highs[1]) + 1e-9


@pytest.mark.parametrize("cost", [0.5, 0.1, 0.9, "balanced"])
@pytest.mark.parametrize("p", [0.05, 0.6])
def test_the_least_largest_kappa_is_that_of_a_line_of_equal_kappa(p, cost):
    f = np.linspace(0, 1, 200_001)
    for k in (0.02, 0.4, 0.9):
        # The curve of the largest area whose kappa is nowhere above k.
        below = kappa_from_rates(f, 1.0, p, cost=cost) > k
        t = np.ones_like(f)
        t[below] = tpr_from_kappa(f[below], k, p, cost=cost)
        assert least_kappa_max(np.trapezoid(t, f), p, cost) == pytest.approx(k, abs=1e-6)


@pytest.mark.parametrize(
    ("cost", "weight", "p"),
    [(0.5, (2, 2), None), (0.25, (6, 2), 0.2), ("balanced", (2, 14 / 3), 0.3)],
)
def test_what_an_auc_implies_is_the_least_lower_end(cost, weight, p):
    """Of KS, of the largest kappa, and of H with the weight whose mean is the cost."""
    y = np.arange(40) % 2
    score = np.random.default_rng(0).normal(size=40) + 0.7 * y
    found = bootstrap_intervals(y, score, cost=cost, prevalence=p, n_resamples=60)
    auc, p = found["auc"].low, p or 0.5
    assert 0.5 < auc == found["auch"].low
    assert found["auk_hull"].low == max(0, found["auk"].low)
    assert found["ks"].low == pytest.approx(1 - np.sqrt(2 * (1 - auc)))
    assert found["kappa_max"].low == pytest.approx(least_kappa_max(auc, p, cost))
    least = h_bounds(auc, p, alpha=weight[0], beta=weight[1]).lower
    assert found["h"].low == pytest.approx(float(least))


def test_a_random_class_ratio_has_the_analytic_error_and_equal_models_no_test(pair):
    y, a, _ = pair
    options = {"method": "bootstrap", "n_resamples": 400, "random_state": 7}
    drawn, exact = (interval(y, a, sampling="random", **each) for each in (options, {}))
    assert drawn.standard_error == pytest.approx(exact.standard_error, rel=0.11)
    equal = paired_test(y, {"a": a, "b": a}, measure="ks", **options)["a", "b"]
    assert (*equal[:2], equal.p_value) == (0.0, 0.0, 1.0)
    assert np.isnan([equal.statistic, equal.low, equal.high]).all()
    few = [values[25:] for values in pair]  # 15 positives
    assert paired_test(few[0], few[1], few[1], measure="h", **options).p_value == 1


@pytest.mark.parametrize("n_resamples", [60, 201])
@pytest.mark.parametrize("name", ["ks", "auc"])
def test_a_bootstrap_test_rejects_just_where_its_interval_excludes_zero(n_resamples, name, rng):
    """The level at which an interval begins to hold zero is one minus p, ties and all."""
    y = np.repeat([0, 1], [30, 22])
    score = rng.normal(size=52)
    for shift in (0.0, 0.3, 0.8, 3.0):
        pair = (y + score).round(1), (y + score + shift * rng.normal(size=52)).round(1)
        options = {"measure": name, "method": "bootstrap", "n_resamples": n_resamples}
        p = paired_test(y, *pair, **options).p_value
        for level in (0.05, 0.5, 0.9, 0.95, 1 - p - 1e-9, 1 - p + 1e-9):
            if not 0 < level < n_resamples / (n_resamples + 1):
                continue
            found = paired_test(y, *pair, level=level, **options)
            if found.standard_error == 0:
                continue
            assert found.low <= found.difference <= found.high
            assert (found.low > 0 or found.high < 0) == (p < 1 - level)
            turned = paired_test(y, *pair[::-1], level=level, **options)
            assert turned.p_value == found.p_value == p
            assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


@pytest.mark.parametrize(("n", "known"), [(19, False), (20, True), (99, True)])
def test_models_that_always_differ_have_the_least_p_value_and_few_resamples_no_ends(n, known):
    y = np.repeat([0, 1], [30, 22])
    scores = y + np.linspace(0, 1.1, 52), np.arange(52) % 7
    found = paired_test(y, *scores, measure="auc", method="bootstrap", n_resamples=n)
    assert (found.p_value, found.low > 0) == (1 / (n + 1), known)


def test_a_stated_prevalence_fixes_the_class_ratio_and_is_that_of_every_resample(pair):
    y, a, _ = pair
    options = {"n_resamples": 50, "prevalence": 0.5}
    fixed, random = (
        bootstrap_intervals(y, a, sampling=each, **options) for each in ("stratified", "random")
    )
    assert random == fixed
    assert fixed["auk"].low == pytest.approx(fixed["auc"].low - 0.5, abs=1e-12)
    for prevalence, sampling in ((0.1, "stratified"), (None, "random")):
        found = compare(y, {"a": a}, sampling="random", prevalence=prevalence)
        assert found.design["sampling"] == sampling


def test_weights_are_those_of_repeated_rows(pair):
    y, a, _ = pair
    weight = 1.0 + np.arange(150) % 2
    groups = np.arange(150) // 2
    repeated = [np.repeat(values, weight.astype(int)) for values in (y, a, groups)]
    for measure in ("auk", "h"):
        options = {"measure": measure, "method": "bootstrap", "n_resamples": 40}
        found = interval(y, a, sample_weight=weight, groups=groups, **options)
        expected = interval(*repeated[:2], groups=repeated[2], **options)
        assert found[:4] == pytest.approx(expected[:4], abs=1e-9)
    exact = interval(y, a, sample_weight=weight, groups=groups)
    assert exact[:4] == pytest.approx(interval(*repeated[:2], groups=repeated[2])[:4], abs=1e-12)


@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_below_chance_the_auk_at_a_cost_goes_below_minus_one(method, rng):
    y = np.arange(300) < 60
    at = {"prevalence": 0.02, "cost": 0.999, "method": method, "n_resamples": 100}
    found = interval(y, rng.normal(size=300) - 2.5 * y, **at)
    assert found.estimate < -1.4
    assert found.low < found.estimate < found.high < -1


@pytest.mark.parametrize("sampling", ["stratified", "random"])
def test_separated_and_constant_scores_have_no_interval(sampling):
    y = np.repeat([0, 1], [9, 5])
    options = {"sampling": sampling, "n_resamples": 20}
    for score, auc, reason in (
        (y * 1.0, 1.0, "m separates the classes perfectly:"),
        (-y * 1.0, 0.0, "m separates the classes perfectly, the wrong way round:"),
        (np.zeros(14), 0.5, "m gives all rows one score:"),
    ):
        found = bootstrap_intervals(y, score, **options)
        assert found["auc"][:2] == (auc, 0.0)
        assert np.isnan([one[2:4] for one in found.values()]).all()
        notes = compare(y, {"m": score}, **options).notes
        assert any(note.startswith(reason) for note in notes)


LEFT = [f"{n} of 60 resamples, {left} s left" for n, left in ((10, 200), (20, 160), (30, 120))]
LEFT += ["40 of 60 resamples, 80 s left", "50 of 60 resamples, 40 s left", ""]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "step", "said"),
    [
        (io.StringIO, 0.1, ""),  # done before one would ask
        (
            io.StringIO,
            20,
            "10 of 60 resamples, 100 s left\n30 of 60 resamples, 60 s left\n"
            "50 of 60 resamples, 20 s left\n60 of 60 resamples, 0 s left\n",
        ),
        (Terminal, 40, "".join(f"\r{text:<60}\r" for text in LEFT)),
    ],
)
def test_progress_tells_the_time_left_every_half_minute(stream, step, said, pair, monkeypatch):
    """On a terminal in one line, which is empty at the end."""
    clock = count(0, step)
    monkeypatch.setattr(resampling, "BLOCK", 150 * 10)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    compare(*pair[:1], {"a": pair[1]}, n_resamples=60, progress=(told := stream()))
    assert told.getvalue() == said


@pytest.mark.filterwarnings("ignore:The groups")
@pytest.mark.parametrize("groups", [None, np.arange(12) // 2])
def test_every_resample_has_both_classes(groups):
    y = np.arange(12) % 6 == 0
    found = bootstrap_intervals(y, np.arange(12) % 5, groups=groups, n_resamples=300)
    assert np.isfinite([one[:4] for one in found.values()]).all()


def test_tests_of_three_models_hold_together_and_of_two_alone(pair, rng):
    y, a, b = pair
    options = {"n_resamples": 200, "random_state": 2}
    models = {"a": b, "b": b + rng.normal(size=150), "c": a}
    of_two = compare(y, {name: models[name] for name in "ab"}, **options).tests
    of_three = compare(y, models, **options).tests.query("second == 'b'")
    for name in ("ks", "h"):
        two, three = (each.set_index("measure").loc[name] for each in (of_two, of_three))
        alone = paired_test(y, b, models["b"], measure=name, method="bootstrap", **options)
        assert (two["low"], two["p_adjusted"]) == (alone.low, alone.p_value)
        assert three["low"] < alone.low < alone.high < three["high"]
        assert three["p_value"] == alone.p_value < three["p_adjusted"]


Y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
A = np.array([0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9])
B = np.array([20.0, 60, 40, 70, 30, 50, 80, 90])


def permuted(y, a, b, measure="h", n=50, **options):
    return paired_test(y, a, b, measure=measure, method="permutation", n_resamples=n, **options)


def assert_is_share_of_exchanges(y, a, b, distance, found, n):
    """The share of all exchanges whose distance is as large as that of the models themselves."""
    exchanges = product([False, True], repeat=len(y))
    distances = [distance(np.where(each, b, a), np.where(each, a, b)) for each in exchanges]
    exact = np.mean(np.array(distances) >= distances[0] - 1e-12)
    assert 0.05 < exact < 0.95
    assert found.p_value == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / n))
    assert np.isnan([found.standard_error, found.statistic, found.low, found.high]).all()


@pytest.mark.parametrize("name", ["auch", "h", "kappa_max", "ks", "auc"])
def test_p_is_the_share_of_all_exchanges(name):
    def distance(a, b):
        return abs(measures(Y, a)[name] - measures(Y, b)[name])

    found = permuted(Y, A, B, name, 5000)
    assert abs(found.difference) == pytest.approx(distance(A, B))
    assert_is_share_of_exchanges(Y, rankdata(A), rankdata(B), distance, found, 5000)


@pytest.mark.parametrize(
    ("y", "a", "b"),
    [
        (np.arange(10) < 4, [9, 3, 5, 1, 4, 7, 8, 2, 10, 6], [7, 2, 6, 1, 3, 8, 9, 4, 10, 5]),
        (
            np.arange(11) < 5,
            [2, 10, 1, 3, 9, 6, 4, 7, 11, 5, 8],
            [2, 5, 1, 4, 7, 11, 6, 8, 9, 3, 10],
        ),
    ],
)
def test_the_studentised_p_is_the_share_of_all_exchanges(y, a, b):
    """DeLong's error of each exchange, by all pairs; of four rows of a class the plain lead."""

    def distance(*scores):
        above = [score[y][:, None] - score[~y] for score in scores]
        lead = np.sign(above[0]) / 2 - np.sign(above[1]) / 2
        sides = (lead.mean(axis=axis) for axis in (0, 1))
        error = np.sqrt(sum(side.var(ddof=1) / len(side) for side in sides)) if y.sum() > 4 else 1
        return abs(lead.mean()) / error if error > 1e-12 else 0.0

    a, b = np.array(a, float), np.array(b, float)
    assert_is_share_of_exchanges(y, a, b, distance, permuted(y, a, b, "auc", 2000), 2000)


@pytest.mark.parametrize("name", ["auk", "h", "average_precision"])
def test_order_of_models_scale_and_cost(name, monkeypatch):
    """In blocks of seven permutations."""
    monkeypatch.setattr(resampling, "BLOCK", 8 * 7)
    at = {"prevalence": 0.2, "cost": 0.75, "axis": "flagged"}
    found = permuted(Y, A, B, name, **at)
    values = [measures(Y, score, **at)[name] for score in (A, B)]
    assert found.difference == pytest.approx(values[0] - values[1])
    stretched = permuted(Y, np.exp(A), -1 / B, name, **at)
    assert (stretched.difference, stretched.p_value) == (found.difference, found.p_value)
    swapped = permuted(Y, B, A, name, **at)
    assert (swapped.difference, swapped.p_value) == (-found.difference, found.p_value)
    assert permuted(Y, A, A**3, name, **at).p_value == 1


@pytest.mark.filterwarnings("ignore:The groups")
@pytest.mark.parametrize("name", ["auc", "h"])
def test_groups_are_exchanged_as_a_whole(name):
    repeated = [np.repeat(values, 3) for values in (Y, A, B)]
    groups = np.repeat(np.arange(8), 3)
    several = permuted(*repeated, name, groups=groups)
    assert several.p_value == permuted(Y, A, B, name).p_value


@pytest.mark.parametrize(
    ("n", "p_values", "adjusted"),
    [(7, [0.75, 0.125, 0.25], [0.75, 0.375, 0.5]), (3, [1, 0.25, 0.25], [1, 0.75, 0.75])],
)
def test_p_values_of_three_pairs_are_adjusted_by_holm(n, p_values, adjusted):
    """The least counts three times, the next twice, and none falls below the one before."""
    found = compare(Y, {"a": A, "b": B, "c": A[::-1]}, n_permutations=n).tests
    found = found[found["measure"] == "ks"]
    assert found["p_value"].tolist() == p_values
    assert found["p_adjusted"].tolist() == adjusted


@pytest.mark.parametrize("measure", ["auc", "gini"])
def test_the_studentised_p_of_a_difference_without_an_error(measure):
    y = np.arange(40) < 10
    found = paired_test(y, y * 1.0, np.zeros(40), measure=measure, method="permutation")
    assert found.p_value == pytest.approx(1 / 2001)
