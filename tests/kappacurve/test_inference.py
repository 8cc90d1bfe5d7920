"""Intervals and tests: by hand and enumeration, and what must not change them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from samples import END_CURVES, RANKING, agresti_coull, all_pairs, draw, wilson
from scipy.stats import beta, norm, t as student

from kappacurve import (
    area_under_kappa,
    auk_score,
    holm,
    influence,
    interval,
    kappa_band,
    kappa_from_rates,
    operating_point,
    paired_test,
)
from kappacurve.decisions.operating import DECISIONS
from kappacurve.inference.estimates import logit_interval, student_p


def ends(found):
    return found.low, found.high


def values(found):
    return tuple(vars(found).values())[:6]


@pytest.mark.parametrize("separation", [1.0, 2.4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [None, 0])
def test_the_interval_of_an_auc_by_all_pairs(digits, weighted, separation):
    """With two more rows of a tenth of a mean one in each class, and Clopper and Pearson's."""
    y, a, _ = draw(5, n=60, digits=digits, separation=separation)
    weight = np.arange(60) % 5 + 1.0 if weighted else np.ones(60)
    own = [weight[y == side] for side in (1, 0)]
    means = [w @ w / w.sum() for w in own]

    def variance_of(won, weights, squares):
        (rows, columns), total = weights, 0.0
        of_rows, of_columns = won @ columns / columns.sum(), rows @ won / rows.sum()
        auc = rows @ of_rows / rows.sum()
        for parts, w, square, n in zip(
            (of_rows, of_columns), weights, squares, (15, 45), strict=True
        ):
            total += square @ (parts - auc) ** 2 / w.sum() ** 2 * n / (n - 1)
        return auc, total

    won = all_pairs(np.append(y, [1, 1, 0, 0]), np.append(a, [1e9, -1e9, 2e9, -2e9]))
    more = [np.append(w, 2 * [0.1 * mean]) for w, mean in zip(own, means, strict=True)]
    # A pseudo-row's square counts by a tenth of what its weight alone would give.
    squares = [np.append(w**2, 2 * [0.1 * m**2]) for w, m in zip(own, means, strict=True)]
    moved, variance = variance_of(won, more, squares)
    half = 1.959963984540054 * np.sqrt(variance) / (moved * (1 - moved))
    logit = 1 / (1 + np.exp(-np.log(moved / (1 - moved)) + np.array([half, -half])))
    auc, variance = variance_of(all_pairs(y, a), own, [w**2 for w in own])
    unit = max(1 / (w.sum() ** 2 / (w @ w)) for w in own)
    n = (auc * (1 - auc) + unit / 4) / (variance + unit**2 / 4)
    exact = beta.ppf([0.025, 0.975], [n * auc, n * auc + 1], [n * (1 - auc) + 1, n * (1 - auc)])
    near = 1 / (1 + (n * min(auc, 1 - auc) / 2) ** 4)
    assert (near > 0.1) == (separation > 1)
    expected = near * exact + (1 - near) * logit
    found = interval(y, a, measure="auc", sample_weight=weight)
    assert ends(found) == pytest.approx(tuple(expected), abs=1e-12)
    # At p = 1/2 the AUK is AUC - 1/2.
    half = interval(y, a, prevalence=0.5, sample_weight=weight)
    assert ends(half) == pytest.approx(tuple(expected - 0.5), abs=1e-10)


@pytest.mark.parametrize(("ones", "zeros"), [(50, 500), (10, 20), (260, 26)])
@pytest.mark.parametrize("way", [1, -1])
def test_separated_scores_have_the_exact_end_of_disjoint_pairs(ones, zeros, way):
    """All of n independent pairs are in order with a probability of at most AUC^n."""
    y = np.repeat([1, 0], [ones, zeros])
    score = way * (y + np.linspace(0, 0.5, ones + zeros))
    groups = np.r_[np.arange(ones) // 2, ones + np.arange(zeros) // 2]  # tell half as much
    for design, n in ((None, min(ones, zeros)), (groups, min(ones, zeros) / 2)):
        found = interval(y, score, measure="auc", confidence_level=0.9, groups=design)
        least = 0.05 ** (1 / n)
        assert ends(found) == pytest.approx((least, 1) if way == 1 else (0, 1 - least), abs=1e-9)
        assert design is not None or found.standard_error == 0


@pytest.mark.parametrize("p", [0.25, 0.02])
def test_the_low_end_of_a_perfect_auk_by_what_one_row_moves(p):
    """A row goes from the last place to the first; the class that moves the AUK most counts."""
    y, score, share = np.repeat([1, 0], [10, 30]), -np.arange(40), 1e-6
    worst, best = (area_under_kappa(*curve, p) for curve in END_CURVES)
    weight = np.append(np.ones(40), share)
    units = []
    for side, n in ((1, 10), (0, 30)):
        bottom, top = (
            auk_score(np.append(y, side), np.append(score, at), prevalence=p, sample_weight=weight)
            for at in (-99, 99)
        )
        units.append(max(1 / n, abs(top - bottom) / share / (best - worst)))
    found = interval(y, score, prevalence=p)
    assert found.low == pytest.approx(worst + (best - worst) * 0.025 ** max(units), abs=1e-6)
    assert found.high == found.estimate


def test_a_counted_prevalence_adds_what_its_own_limits_bring():
    """Wilson's, of 30 of 120 rows; distances are squared and added."""
    y, a, _ = draw(7)
    fixed = interval(y, a, prevalence=0.25)
    moved = [auk_score(y, a, prevalence=p) for p in wilson(30 / 120, 120)]
    found, value = interval(y, a), fixed.estimate
    assert found.low == pytest.approx(value - np.hypot(value - fixed.low, value - min(moved)))
    assert found.high == pytest.approx(value + np.hypot(fixed.high - value, max(moved) - value))


def test_scores_of_two_levels_have_the_interval_of_a_decision():
    """Of 2 of 10 positives and 3 of 90 negatives flagged."""
    y = np.repeat([1, 0], [10, 90])
    flagged = np.r_[np.arange(10) < 2, np.arange(90) < 3].astype(float)
    t, f, limits = 2 / 10, 3 / 90, (agresti_coull(2, 10), np.maximum(agresti_coull(3, 90), 0))
    auk_options = {"measure": "auk", "prevalence": 0.2, "cost_ratio": 3.0}

    def auc(f, t):
        return (1 + t - f) / 2

    def auk(f, t):
        return area_under_kappa([0, f, 1], [0, t, 1], 0.2, 3.0)

    for value, options in ((auc, {"measure": "auc"}), (auk, auk_options)):
        by_t, by_f = [value(f, end) for end in limits[0]], [value(end, t) for end in limits[1]]
        here = value(f, t)
        low = here - np.hypot(here - by_t[0], here - by_f[1])
        high = here + np.hypot(by_t[1] - here, by_f[0] - here)
        assert ends(interval(y, flagged, **options)) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("measure", ["auc", "auk", "h"])
def test_invariances(measure):
    y, a, b = draw(21)
    options = {"measure": measure, "n_resamples": 60}
    alone, test = interval(y, a, **options), paired_test(y, a, b, **options)
    for same in (np.exp(a / 3), 5 * a - 2, np.argsort(np.argsort(a))):
        assert interval(y, same, **options) == alone
    options["sample_weight"] = np.full(120, 3.0)
    assert values(interval(y, a, **options)) == pytest.approx(values(alone), abs=1e-12)
    assert values(paired_test(y, a, b, **options)) == pytest.approx(values(test), abs=1e-12)
    # Rows of weight 0 are none, and neither are the groups that have no other rows.
    weight = np.where(np.arange(120) % 20 < 2, 0.0, 3.0 + np.arange(120) % 3)
    rows, groups = weight > 0, np.arange(120) // 2
    left_out = paired_test(y, a, b, **options | {"sample_weight": weight, "groups": groups})
    options |= {"sample_weight": weight[rows], "groups": groups[rows]}
    assert left_out == paired_test(y[rows], a[rows], b[rows], **options)
    options["sample_weight"] = 0.1 * weight[rows]
    found = paired_test(y[rows], a[rows], b[rows], **options)
    assert values(found) == pytest.approx(values(left_out), abs=1e-9)


@pytest.mark.parametrize("measure", ["auc", "auk", "recall"])
def test_weights_are_those_of_repeated_rows_within_groups(measure):
    y, a, b = draw(22)
    times, groups = 1 + np.arange(120) % 3, np.arange(120) // 2
    options = {"measure": measure, "at": 0.5 if measure == "recall" else None}
    weighted = options | {"sample_weight": times, "groups": groups}
    repeated = options | {"groups": np.repeat(groups, times)}
    more = [np.repeat(column, times) for column in (y, a, b)]
    found, expected = interval(y, a, **weighted), interval(*more[:2], **repeated)
    assert values(found)[:4] == pytest.approx(values(expected)[:4], abs=1e-12)
    found, expected = paired_test(y, a, b, **weighted), paired_test(*more, **repeated)
    assert values(found)[:3] == pytest.approx(values(expected)[:3], abs=1e-10)
    # Ranks count rows: an exchange of weighted rows is close to that of repeated ones.
    assert values(found)[3:] == pytest.approx(values(expected)[3:], abs=1e-4)


@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
@pytest.mark.parametrize("groups", [None, np.arange(120) // 2])
def test_an_auc_has_the_same_interval_with_swapped_classes(method, groups):
    """Pseudo-rows of the two classes have an order, which moves an analytic end a little."""
    y, a, b = draw(24)
    options = {"measure": "auc", "sample_weight": 1 + np.arange(120) % 3, "groups": groups}
    options |= {"method": method, "n_resamples": 50}
    found, swapped = interval(y, a, **options), interval(1 - y, -a, **options)
    assert values(found)[:2] == pytest.approx(values(swapped)[:2], abs=1e-12)
    assert ends(found) == pytest.approx(ends(swapped), abs=1e-5 if method == "analytic" else 1e-12)
    test, swapped = (paired_test(*each, **options) for each in ((y, a, b), (1 - y, -a, -b)))
    assert values(test) == pytest.approx(values(swapped), abs=1e-12)


def test_degrees_of_freedom_are_of_effective_groups():
    """Groups of 1, 2 and 9 rows of one class: (sum m)^2 / sum m^2, less 1, of the smaller class."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(180), np.resize([1, 2, 9], 180))
    y = (groups % 9 < 3).astype(int)
    score = rng.normal(size=(2, len(y))) / 4 + y + 2 * rng.normal(size=len(y))
    found = paired_test(y, *score, measure="auc", groups=groups)
    df = 240**2 / (20 * (1 + 4 + 81)) - 1  # of 60 groups with 240 positives
    assert found.p_value == pytest.approx(2 * student.sf(abs(found.statistic), df), rel=1e-3)


@pytest.mark.parametrize("separation", [1.0, 30.0])
@pytest.mark.parametrize("measure", ["auc", "auk"])
@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_models_that_rank_alike_never_differ(method, measure, separation):
    y, a, _ = draw(13, separation=separation)
    found = paired_test(y, a, np.exp(a), measure=measure, method=method, n_resamples=20)
    assert values(found)[:4] == (0.0, 0.0, 0.0, 1.0)
    assert np.isnan(ends(found)).all()
    words = "rank all rows alike" if method == "analytic" else "have the same value whatever rows"
    assert found.note.startswith(f"a and b {words}")


@pytest.mark.parametrize(
    ("measure", "options", "needed"),
    [
        ("auk", {}, 5),
        ("log_loss", {}, 5),
        ("recall", {"at": 0.6}, 5),
        ("auc", {"method": "bootstrap"}, 20),
        ("recall", {"at": "flagged<=0.3"}, 20),
    ],
)
@pytest.mark.parametrize("grouped", [False, True])
def test_a_p_value_needs_so_many_rows_or_groups_of_a_class(measure, options, needed, grouped):
    for n in (needed - 1, needed):
        y, groups = np.arange(80) < n, None
        a, b = (np.random.default_rng(seed).random(80) / 2 + 0.4 * y for seed in (1, 2))
        if grouped:
            y, a, b, groups = (np.repeat(column, 2) for column in (y, a, b, np.arange(80)))
            a = a + np.arange(160) % 2 / 100
        found = paired_test(y, a, b, measure=measure, n_resamples=99, groups=groups, **options)
        unit = "groups" if grouped else "rows"
        start = "No p value by resampling" if needed == 20 else "No p value"
        reason = f"{start}: {n} {unit} of a class, {needed} needed."
        assert np.isnan(found.p_value) == found.note.startswith(reason) == (n < needed)
        assert np.isfinite([found.low, found.high, found.statistic]).all()


def test_p_of_student_by_hand_and_without_an_error():
    """With one degree of freedom the tails are Cauchy's: a quarter lies beyond 1 on each side."""
    assert student_p(-0.2, 0.2, 1) == pytest.approx(0.5)
    assert student_p(0.2, 0.0, 1) == 1


def test_holm_by_hand_and_with_a_test_that_could_not_be_made():
    """R: p.adjust(c(.01, .02, .03, .04, .05), "holm") is .05 .08 .09 .09 .09."""
    p = [0.03, 0.01, np.nan, 0.05, 0.02, 0.04]
    assert holm(p) == pytest.approx([0.09, 0.05, np.nan, 0.09, 0.08, 0.09], nan_ok=True)
    assert holm([0.9, 0.6]).tolist() == [1, 1]
    assert holm([]).shape == (0,)


def loss_limits(measure, value, variance, df):
    half = student.ppf(0.975, df) * np.sqrt(variance)
    if measure == "log_loss":
        return value * np.exp(np.array([-half, half]) / value)
    half /= value * (1 - value)
    return 1 / (1 + (1 - value) / value * np.exp([half, -half]))


def loss_of(measure, y, q):
    if measure == "log_loss":
        return -np.log(np.where(y, q, 1 - q))
    return (y - q) ** 2


@pytest.mark.parametrize("measure", ["log_loss", "brier_score"])
@pytest.mark.parametrize("fixed", [False, True])
def test_losses_are_student_s_on_the_logit_and_log_scale(fixed, measure):
    """Overconfident probabilities: the losses vary more than these imply."""
    y, a, _ = draw(9, n=60)
    q = 1 / (1 + np.exp(-2.5 * a))
    losses = loss_of(measure, y == 1, q)
    result = interval(y, q, measure=measure, prevalence=0.25 if fixed else None)
    variance = sum(losses[y == side].var(ddof=1) * n / 60**2 for side, n in ((1, 15), (0, 45)))
    if not fixed:
        variance += (losses[y == 1].mean() - losses[y == 0].mean()) ** 2 * 0.25 * 0.75 / 60
    assert result.estimate == pytest.approx(losses.mean())
    assert result.standard_error == pytest.approx(np.sqrt(variance))
    assert result.df == 14
    assert ends(result) == pytest.approx(tuple(loss_limits(measure, losses.mean(), variance, 14)))


@pytest.mark.parametrize("measure", ["log_loss", "brier_score"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("is_stated", [False, True])
def test_losses_vary_at_least_as_the_probabilities_imply(is_stated, weighted, measure):
    """By enumeration of the labels of one row: of 40 rows none has a large loss.

    With a stated prevalence less what the share of positives explains.
    """
    q = np.resize([0.01, 0.03, 0.99, 0.98, 0.1], 40)
    y, weight = q > 0.5, np.resize([1.0, 2, 3], 40) if weighted else np.ones(40)
    share = weight / weight.sum()
    by_label = [loss_of(measure, np.full(40, label), q) for label in (True, False)]
    mean = q * by_label[0] + (1 - q) * by_label[1]
    square = q * by_label[0] ** 2 + (1 - q) * by_label[1] ** 2
    variance = share**2 @ (square - mean**2 + (mean - share @ mean) ** 2)
    options = {"measure": measure, "sample_weight": weight if weighted else None}
    if is_stated:
        options["prevalence"] = float(share @ y)
        of_class = [np.average(by_label[k], weights=share * w) for k, w in ((0, q), (1, 1 - q))]
        p = share @ q
        variance -= (of_class[0] - of_class[1]) ** 2 * p * (1 - p) * (share @ share)
    result = interval(y, q, **options)
    value = share @ loss_of(measure, y, q)
    df = min(weight[side].sum() ** 2 / (weight[side] ** 2).sum() for side in (y, ~y)) - 1
    assert result.standard_error < np.sqrt(variance) / 2
    assert ends(result) == pytest.approx(tuple(loss_limits(measure, value, variance, df)))
    # Within a row of that of the sample the probabilities still hold; beyond, they imply nothing.
    for more, is_implied in ((0.9, True), (1.1, False)):
        result = interval(y, q, **options | {"prevalence": float(share @ y) + more / 40})
        own = loss_limits(measure, result.estimate, result.standard_error**2, df)
        assert (result.high > own[1] + 1e-9) == is_implied


def test_probabilities_that_are_not_extreme_enough_imply_nothing():
    y = np.resize([0, 0, 0, 1], 80)
    q = np.where(y == 1, 0.6, 0.3) + np.arange(80) % 7 / 100
    losses = loss_of("brier_score", y, q)
    result = interval(y, q, measure="brier_score")
    expected = loss_limits("brier_score", losses.mean(), result.standard_error**2, 19)
    assert ends(result) == pytest.approx(tuple(expected))


def table(tp, fn, fp, tn):
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


def true_values(t, f, p, ratio=1.0):
    flagged = p * t + (1 - p) * f
    loss = (ratio * p * (1 - t) + (1 - p) * f) / (1 + ratio)
    tp, fp, fn, tn = p * t, (1 - p) * f, p * (1 - t), (1 - p) * (1 - f)
    with np.errstate(invalid="ignore"):
        precision = tp / flagged
        mcc = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return {
        "flagged": flagged,
        "recall": t,
        "precision": precision,
        "specificity": 1 - f,
        "f1": tp / (tp + (fp + fn) / 2),
        "mcc": mcc,
        "kappa": kappa_from_rates(f, t, p, ratio),
        "net_benefit": tp - fp / ratio,
        "expected_loss": loss,
    }


def added(value, limits, slope):
    """Ends of a value of shares: distances of what the limits bring, squared and added."""
    moves = {
        name: [value(**{name: end}) - value() for end in both] for name, both in limits.items()
    }
    if "p" in limits:
        moves["p"] = [slope * (end - P) for end in limits["p"]]
    down, up = (sum(best(both) ** 2 for both in moves.values()) for best in (min, max))
    return value() - np.sqrt(down), value() + np.sqrt(up)


COUNTS, LEVEL = (9, 3, 7, 31), 0.9
T, F, P = 9 / 12, 7 / 38, 12 / 50


@pytest.mark.parametrize("prevalence", [None, P])
@pytest.mark.parametrize("name", DECISIONS)
def test_intervals_of_decisions_by_hand(name, prevalence):
    """Of 9 of 12 positives and 7 of 38 negatives, at a cost; a counted prevalence has Wilson's."""

    def value(t=T, f=F, p=P):
        return float(true_values(t, f, p, 3.0)[name])

    limits = {"t": agresti_coull(9, 12, LEVEL), "f": agresti_coull(7, 38, LEVEL)}
    if name in ("kappa", "mcc"):  # Jeffreys', so that its misses are alike on both sides
        limits = {
            "t": beta.ppf([0.05, 0.95], 9.5, 3.5),
            "f": beta.ppf([0.05, 0.95], 7.5, 31.5),
        }
    step = 1e-6
    by_t, by_f, by_p = (
        (value(**{at: here + step}) - value(**{at: here - step})) / (2 * step)
        for at, here in (("t", T), ("f", F), ("p", P))
    )
    variance = by_t**2 * T * (1 - T) / 11 + by_f**2 * F * (1 - F) / 37
    if prevalence is None:
        limits["p"] = wilson(P, 50, LEVEL)
        variance += by_p**2 * P * (1 - P) / 50
    y, score = table(*COUNTS)
    options = {"confidence_level": LEVEL, "prevalence": prevalence, "cost_ratio": 3.0}
    found = interval(y, score, at=1, measure=name, **options)
    assert found.estimate == pytest.approx(value())
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-5)
    assert ends(found) == pytest.approx(added(value, limits, by_p), abs=1e-6)


@pytest.mark.parametrize("grouped", [False, True])
def test_a_share_of_groups_or_weighted_rows_by_hand(grouped):
    """Agresti and Coull's at the rows that have its variance, with t of the effective units."""
    y = np.repeat([1, 0], [24, 60])
    hits = np.arange(84) % 24 % 5 < 3
    if grouped:
        rows, units = {"groups": np.arange(84) // 3}, hits[:24].reshape(8, 3).sum(axis=1) / 24
        units, free = units - hits[:24].mean() / 8, 7
    else:
        weight = 1.0 + np.arange(84) % 3
        rows, share = {"sample_weight": weight}, weight[:24] @ hits[:24] / weight[:24].sum()
        units = weight[:24] * (hits[:24] - share) / weight[:24].sum()
        free = weight[:24].sum() ** 2 / (weight[:24] @ weight[:24]) - 1
    result = interval(y, hits.astype(float), measure="recall", at=1, prevalence=0.3, **rows)
    t = result.estimate
    n = t * (1 - t) / (units @ units * len(units) / (len(units) - 1))
    z2 = student.ppf(0.975, free) ** 2
    centre = (t * n + z2 / 2) / (n + z2)
    half = np.sqrt(z2 * centre * (1 - centre) / (n + z2))
    assert ends(result) == pytest.approx((centre - half, centre + half), abs=1e-12)


@pytest.mark.parametrize(("largest", "share"), [(30, "17 %"), (8.0, "40 %"), (7.5, "")])
def test_weights_that_vary_much_are_noted(largest, share):
    """78^2 / 1818 of 20 rows; 34^2 / 146 of 20 are 39.6 %, 33^2 / 130.5 of 20 are 41.7 %."""
    y, weight = np.repeat([1, 0], 20), np.where(np.arange(40) % 10 == 0, largest, 1.0)
    result = interval(y, np.arange(40) % 2, measure="recall", at=1, sample_weight=weight)
    expected = f"count as {share} of them: intervals of shares are too narrow"
    assert expected in result.note if share else result.note == ""


@pytest.mark.parametrize(("n", "is_noted"), [(19, True), (20, False)])
def test_fewer_than_twenty_groups_of_a_class_are_noted(n, is_noted):
    groups = np.r_[np.arange(2 * n) // 2, 2 * n + np.arange(60)]
    y, score = np.arange(2 * n + 60) < 2 * n, np.arange(2 * n + 60) % 7
    note = interval(y, score, measure="auc", groups=groups).note
    assert note.startswith(f"The groups of a class count as {n} of equal size: ") == is_noted
    assert (note == "") != is_noted


@pytest.mark.parametrize("turned", [False, True])
def test_a_share_that_jeffreys_limits_keep(turned):
    """All 9 positives flagged and 4 of 20 negatives, or none of 9 and 16 of 20: kappa at p."""
    y, flagged = table(9, 0, 4, 16)
    rates = beta.ppf([0.025, 0.975], 4.5, 16.5), (beta.ppf(0.025, 9.5, 0.5), 1.0)

    def kappa(f, t):
        return kappa_from_rates(1 - f, 1 - t, 0.3) if turned else kappa_from_rates(f, t, 0.3)

    here, by_f = kappa(0.2, 1), [kappa(f, 1) for f in rates[0]]
    by_t = kappa(0.2, rates[1][0])
    moves = [sorted([by_f[0] - here, by_f[1] - here]), sorted([by_t - here, 0])]
    low, high = (
        here + sign * np.hypot(*(move[k] for move in moves)) for k, sign in ((0, -1), (1, 1))
    )
    score = 1 - flagged if turned else flagged
    found = interval(y, score, measure="kappa", at=0.5, prevalence=0.3)
    assert found.estimate == pytest.approx(here)
    assert ends(found) == pytest.approx((low, high))


def test_precision_of_one_hit_without_an_alarm():
    """Only what the false positive rate could be takes it down: 0 of 475."""
    rate = agresti_coull(0, 475)[1]
    y, score = table(1, 24, 0, 475)
    found = interval(y, score, measure="precision", at=0.5, prevalence=0.05)
    assert ends(found) == pytest.approx((0.05 * 0.04 / (0.05 * 0.04 + 0.95 * rate), 1))
    nobody = table(0, 5, 0, 9)
    found = interval(*nobody, measure="precision", at=0.5)
    assert np.isnan([found.estimate, *ends(found)]).all()
    assert found.note == "At 0.5 no row is flagged."
    found = interval(*nobody, measure="recall", at=0.5)
    assert (found.estimate, found.low) == (0, 0)
    assert found.high == pytest.approx(agresti_coull(0, 5)[1])


def test_a_difference_of_precisions_has_student_s_t(rng):
    y = np.repeat([1, 0], [40, 160])
    flagged = [(rng.normal(size=200) + shift * y >= 1).astype(float) for shift in (2, 1)]
    found = paired_test(y, *flagged, measure="precision", at=0.5, prevalence=0.2)
    moved, values = np.zeros(200), []
    for rows, sign in zip(flagged, (1, -1), strict=True):
        t, f = rows[y == 1].mean(), rows[y == 0].mean()
        share = 0.2 * t + 0.8 * f
        values.append(0.2 * t / share)
        moved += sign * rows * np.where(y == 1, 0.16 * f, -0.16 * t) / share**2
    v1, v0 = (moved[y == side].var(ddof=1) / n for side, n in ((1, 40), (0, 160)))
    df = (v1 + v0) ** 2 / (v1**2 / 39 + v0**2 / 159)
    difference = values[0] - values[1]
    assert found.difference == pytest.approx(difference)
    assert found.p_value == pytest.approx(2 * student.sf(abs(difference) / np.sqrt(v1 + v0), df))


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize("at", ["flagged<=0.45", "flagged<=0.2", "recall>=0.5"])
def test_intervals_under_a_constraint_are_those_of_all_resamples(at, level):
    """All 27 x 256 draws of three positives and four negatives, each with its own threshold."""
    y, score = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([7.0, 5, 2, 6, 4, 3, 1])
    sides = (product(score[y == side], repeat=n) for side, n in ((1, 3), (0, 4)))
    ones, zeros = (np.array(list(side)) for side in sides)
    # Shares flagged from each score on, of all draws of a class; then of every two of them.
    t, f = ((side[:, None] >= np.arange(1, 8)[:, None]).mean(axis=2) for side in (ones, zeros))
    t, f = np.repeat(t, len(zeros), axis=0), np.tile(f, (len(ones), 1))
    if at.startswith("flagged"):  # the largest recall, at the highest of its thresholds
        fits = (3 * t + 4 * f) / 7 <= float(at[9:])
        best = np.where(fits, t, 0).max(axis=1, keepdims=True)
        fits &= (t == best) & ((best == 0) | (np.diff(t == best, append=False) != 0))
    else:  # as few as must be: the last threshold that has this recall
        fits = (t >= 0.5) & (np.diff(t >= 0.5, append=False) != 0)
    chosen = np.arange(len(t)), fits.argmax(axis=1)
    t, f = (np.where(fits.any(axis=1), rate[chosen], 0) for rate in (t, f))
    point = operating_point(y, score, at=at)
    drawn, estimates = true_values(t, f, 3 / 7), true_values(point.tpr, point.fpr, 3 / 7)
    options = {"at": at, "confidence_level": level, "n_resamples": 10_000, "prevalence": 3 / 7}
    z = norm.isf((1 - level) / 2)
    for name in DECISIONS:
        found = interval(y, score, measure=name, **options)
        error, estimate = np.nanstd(drawn[name]), float(estimates[name])
        assert found.estimate == pytest.approx(estimate)
        if at.startswith(name):
            assert np.isnan([found.standard_error, found.low, found.high]).all()
            assert found.note == f"The constraint holds {name}."
            continue
        assert found.standard_error == pytest.approx(error, rel=0.03), name
        low = np.quantile(np.nan_to_num(drawn[name], nan=0.0), (1 - level) / 2)
        high = np.quantile(np.nan_to_num(drawn[name], nan=1.0), (1 + level) / 2)
        limits = estimate - z * error, estimate + z * error
        if name in ("flagged", "recall", "precision", "specificity"):
            n = max(1, estimate * (1 - estimate) / error**2) if estimate < 1 else 3
            limits = wilson(estimate, n, level)
        least = {"kappa": -1, "mcc": -1, "net_benefit": -4 / 7}.get(name, 0)
        expected = min(low, max(limits[0], least)), max(high, min(1, limits[1]))
        assert ends(found) == pytest.approx(expected, abs=0.015), name


@pytest.mark.parametrize("measure", ["kappa", "expected_loss", "recall"])
def test_separated_classes_under_a_constraint_have_an_interval(measure):
    """All resamples are alike: Wilson's limits of 12 of 12, or those of a fixed threshold."""
    y = np.repeat([1, 0], [12, 60])
    score = y + np.arange(72) / 99
    found = interval(y, score, measure=measure, at="fpr<=0.05", n_resamples=50)
    fixed = interval(y, score, measure=measure, at=1.0)
    expected = (wilson(1, 12)[0], 1) if measure == "recall" else ends(fixed)
    assert found.high - found.low > 0.02
    assert ends(found) == pytest.approx(expected)


@pytest.mark.parametrize(("level", "known"), [(0.9, True), (0.95, False)])
def test_a_precision_that_too_many_resamples_lack_has_no_test(level, known):
    """In one of 27 draws of three positives all are the lowest, and nobody can be flagged."""
    y, a, b = [1, 1, 1, 0, 0, 0], [6, 5, 1, 4, 3, 2], [6, 5, 4, 3, 2, 1]
    options = {"measure": "precision", "at": "fpr<=0", "confidence_level": level}
    found = paired_test(y, a, b, prevalence=0.5, **options)
    assert (found.p_value == 1) == known
    assert ("resamples a model flags no row" in found.note) == (not known)


@pytest.mark.parametrize("prevalence", [None, 0.02, 0.9])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_interval_and_no_difference_is_impossible(weighted, prevalence):
    """Few rows, extreme scores: ends lie in the range of a measure, or the width of that."""
    random = np.random.default_rng(2 * weighted)
    for n1, separation, ratio in ((3, -3, 1), (6, 3, 1), (3, 0, 9), (6, -2, 999)):
        y = np.repeat([1, 0], [n1, 14])
        a, b = (random.normal(size=(2, len(y))) + separation * y * [[1], [-1]]).round(1)
        rows = {"prevalence": prevalence, "cost_ratio": ratio, "n_resamples": 40}
        if weighted:
            rows["sample_weight"] = random.random(len(y)) * 5 + 0.1
            rows["groups"] = np.arange(len(y)) % (n1 + 4)
        share = np.average(y, weights=rows.get("sample_weight"))
        p = np.append(np.linspace(0.01, 0.99, 99), share) if prevalence is None else [prevalence]
        worst, best = (
            np.array([area_under_kappa(*curve, value, ratio) for value in p])
            for curve in END_CURVES
        )
        least = float(kappa_from_rates(1, 0, p, ratio).min())
        ranges = {(measure, None): (0, 1, 1) for measure in RANKING if measure != "auk_hull"}
        ranges["auk", None] = worst.min(), best.max(), (best - worst).max()
        for at in (0.5, "recall>=0.5"):
            ranges |= {(quantity, at): (0, 1, 1) for quantity in DECISIONS}
            ranges["kappa", at] = least, 1, 1 - least
            ranges["mcc", at] = -1, 1, 2
            ranges["net_benefit", at] = -1 / ratio, 1, 1 + 1 / ratio
        for (measure, at), (low, high, width) in ranges.items():
            options = {"measure": measure, "at": at} | rows
            found, test = interval(y, a, **options), paired_test(y, a, b, **options)
            for value, lowest, highest in (
                (found.low, low, found.estimate),
                (found.high, found.estimate, high),
                (test.low, -width, test.difference),
                (test.high, test.difference, width),
            ):
                assert np.isnan(value) or lowest - 1e-9 <= value <= highest + 1e-9, (measure, at)


@pytest.mark.parametrize("prevalence", [None, 0.2])
@pytest.mark.parametrize("score", ["perfect", "constant", "by class", "worst"])
def test_a_missing_interval_has_a_reason(score, prevalence):
    y = np.arange(40) % 4 == 0
    scores = {"perfect": y, "constant": 0 * y + 0.3, "by class": 0.1 + 0.7 * y, "worst": ~y}
    options = {"prevalence": prevalence, "n_resamples": 30}
    for measure in (*RANKING, "brier_score", "log_loss"):
        found = interval(y, scores[score], measure=measure, **options)
        assert np.isnan(found.low) == np.isnan(found.high)
        assert np.isfinite(found.low) or found.note
    reason = "All rows have one score." if score == "constant" else "The scores separate the clas"
    for measure in RANKING:
        found = interval(y, scores[score], measure=measure, method="bootstrap", **options)
        assert np.isnan([found.low, found.high]).all()
        assert found.note.startswith(reason)
        assert found.standard_error == 0 or prevalence is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"confidence_level": 1.0}, "confidence_level must lie strictly between 0 and 1, got 1.0"),
        ({"prevalence": 0}, "prevalence must lie strictly between 0 and 1"),
        ({"cost_ratio": -1}, "cost_ratio must be positive and finite, got -1"),
        ({"cost_ratio": 1e13}, "cost_ratio must lie between 1e-12 and 1e.12 for an interval"),
        ({"method": "exact"}, "no method 'exact': use 'auto' or 'analytic' or 'bootstrap'"),
        ({"measure": "nothing"}, "There is no measure 'nothing' without at=; known are auc, auk"),
        ({"measure": ["auc"]}, r"There is no measure \['auc'\] without at="),
        ({"measure": "h", "method": "analytic"}, "h has no method 'analytic': use 'auto' or 'boot"),
        ({"measure": "log_loss", "method": "bootstrap"}, "log_loss has no method 'bootstrap'"),
        ({"measure": "recall"}, "no measure 'recall' without at="),
        ({"measure": "auc", "at": 1}, "no measure 'auc' with at=; known are flagged"),
        ({"measure": "kappa", "at": 1, "method": "bootstrap"}, "use 'auto' or 'analytic'"),
        ({"measure": "kappa", "at": "fpr<=0", "method": "analytic"}, "use 'auto' or 'bootstrap'"),
        ({"measure": "recall", "at": "precision>=1"}, "No threshold keeps precision>=1: the larg"),
        ({"measure": "brier_score"}, "must be probabilities, got"),
        ({"groups": np.zeros(120)}, "at least two groups with rows of each class, got 1 positive"),
        ({"groups": np.arange(40)}, "groups must have one value per row"),
        ({"method": "bootstrap", "n_resamples": 1}, "an integer of at least 2, got 1"),
        ({"method": "bootstrap", "n_resamples": 9.0}, "an integer of at least 2, got 9.0"),
    ],
)
def test_refusals(options, sentence):
    y, a, b = draw(16)
    a, b = (np.where(np.cumsum(y == 0) == 1, 99, score) for score in (a, b))  # a negative on top
    with pytest.raises(ValueError, match=sentence):
        interval(y, a, **options)
    with pytest.raises(ValueError, match=sentence):
        paired_test(y, a, b, **options)


def test_too_few_rows_or_models_are_refused():
    with pytest.raises(ValueError, match="the scores of two models"):
        paired_test([1, 0, 1, 0], {"a": [1, 2, 3, 4]})
    with pytest.raises(ValueError, match="at least two rows of each class, got 1 positive and 3"):
        interval([1, 0, 0, 0], [1, 2, 3, 4])
    for function in (interval, influence, kappa_band):
        with pytest.raises(ValueError, match=r"has the shape \(4, 1\)"):
            function([1, 0, 1, 0], pd.DataFrame({"a": [1, 2, 3, 4]}))


def test_an_interval_on_the_log_scale_starts_from_the_lowest_value():
    low, high = logit_interval(3.0, error=1.0, quantile=2.0, lowest=1.0, highest=np.inf)
    assert (low, high) == pytest.approx((1 + 2 / np.e, 1 + 2 * np.e))
