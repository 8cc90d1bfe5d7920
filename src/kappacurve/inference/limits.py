"""Intervals and tests of rankings and losses, by what each row adds or by resamples.

Near an end of the range of AUC and AUK few rows go wrong, and no normal quantile fits a sum of so
few. There the limits are those of a binomial share, and a paired test exchanges the models: if they
are alike, they may change places in any row (or group), which flips the sign of what the row adds
to the difference (Bandos, Rockette & Gur 2005). The p value is the share of such sums that are at
least as far from zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import combinations
from math import hypot, inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..validation import FloatArray, Sample
from .bootstrap import Bootstrap
from .estimates import (
    ROUNDING,
    Estimate,
    PairedTest,
    Settings,
    combine_limits,
    flag_rows,
    holm,
    logit_interval,
    note_few,
    note_groups,
    quantile_of,
    share_limits,
    standard_error,
    student_p,
    wilson_limits,
    without_error,
)
from .influence import (
    ANALYTIC,
    LOSSES,
    TINY,
    Influence,
    InfluenceModel,
    auk_of_curve,
    possible_range,
    range_of,
)

MAXIMA = ("auch", "ks", "auk_hull", "h", "kappa_max")  # too high in a sample
RESAMPLED = ("auc", "auk", "average_precision", *MAXIMA, "expected_loss")
MAX_ENUMERATED = 10  # rows whose signs are enumerated, in 1,024 patterns; the rest is normal
UNSEEN_ROW = 1 / 4  # of what one row can move, added as a row that the sample does not hold
MIN_NEARNESS = 1e-3  # below it Student's t stands alone
NOTED_NEARNESS = 0.05  # from here on the note names the exchange
FEW_UNITS = 10  # rows of a class with which hardly any difference is found
MIN_GAP = 1e-3  # share of a significant difference that its interval keeps from zero
EXCHANGED = (
    "Near an end of the range p and the interval come from exchanging the two models in each row. "
    "If one model makes few but gross errors, ask for p < 0.01."
)


class Inference:
    """Estimates, intervals and tests of the models of a sample, in one of several ways."""

    def __init__(self, influences: InfluenceModel, settings: Settings) -> None:
        self.influences, self.sample = influences, influences.sample
        self.settings, self.confidence_level = settings, settings.confidence_level

    def value(self, measure: str, model: str) -> float:
        """A measure of one model."""
        raise NotImplementedError

    def interval(self, measure: str, model: str) -> Estimate:
        """The measure with its interval."""
        raise NotImplementedError

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Test of the difference of two models."""
        raise NotImplementedError

    def estimate(self, measure: str, model: str) -> Estimate:
        """The measure with its interval; the value alone where a class has one row."""
        if self.influences.has_intervals:
            return self.interval(measure, model)
        return Estimate(self.value(measure, model), nan, nan, nan)

    def test_pairs(self, measure: str, models: Iterable[str]) -> dict[tuple[str, str], PairedTest]:
        """Tests of every two models; none where a class has one row."""
        pairs = combinations(models, 2) if self.influences.has_intervals else ()
        return {pair: self.test(measure, *pair) for pair in pairs}

    def test_records(
        self, measure: str, models: Iterable[str], name: str = ""
    ) -> list[dict[str, Any]]:
        """The same as records of a table, in which the measure may have a longer name."""
        tests = self.test_pairs(measure, models)
        adjusted = holm([test.p_value for test in tests.values()]).tolist()
        return [
            {"measure": name or measure, "first": first, "second": second}
            | asdict(test)
            | {"p_adjusted": p}
            for ((first, second), test), p in zip(tests.items(), adjusted, strict=True)
        ]

    def test_by_influence(self, difference: Influence, widest: float, *models: str) -> PairedTest:
        """Two-sided t test that a difference is zero; its interval is at most `widest` away."""
        variance, df = self.influences.variance(difference)
        value, error = float(difference.value), standard_error(variance)
        if error == 0:
            return without_error(value, "influence", *models)
        half = quantile_of(self.confidence_level, df) * error
        ends = max(-widest, value - half), min(widest, value + half)
        few = note_few(self.influences, "analytic")
        p_value = nan if few else student_p(value, error, df)
        note = few or note_groups(self.sample)
        return PairedTest(value, error, value / error, p_value, *ends, "influence", note)

    def test_by_percentiles(
        self, difference: float, values: FloatArray, *models: str
    ) -> PairedTest:
        """Percentile interval of a difference, which it holds, and the test that inverts it."""
        error, tail = standard_error(np.var(values, ddof=1)), (1 - self.confidence_level) / 2
        if error == 0:
            return without_error(difference, "bootstrap", *models)
        values = np.where(np.abs(values) < ROUNDING, 0.0, values)
        difference = 0.0 if abs(difference) < ROUNDING else difference
        ordered = np.sort(values * np.sign(difference))
        # The share up to zero, interpolated as np.quantile does.
        n = int(np.searchsorted(ordered, 0.0, side="right"))
        share = float(n > 0)
        if 0 < n < len(ordered):
            below, above = ordered[n - 1], ordered[n]
            share = float(n - 1 - below / (above - below)) / (len(ordered) - 1)
        smallest_p = 1 / (1 + len(values))  # the sample itself counts
        few = note_few(self.influences, "bootstrap")
        note = few or note_groups(self.sample)
        p_value = nan if few else max(smallest_p, min(1.0, 2 * share))
        low = high = nan
        if smallest_p >= 2 * tail - ROUNDING:
            level = f"{self.confidence_level:g}"
            note = f"{len(values)} resamples are too few for an interval of level {level}."
        elif not note_few(self.influences, "analytic"):  # else a fifth of intervals would miss
            ends = np.quantile(values, [tail, (1 + self.confidence_level) / 2])
            low, high = min(float(ends[0]), difference), max(float(ends[1]), difference)
        statistic = difference / error
        return PairedTest(difference, error, statistic, p_value, low, high, "bootstrap", note)


class Resampled(Inference):
    """Intervals and tests of the measures in `RESAMPLED`, by the bootstrap."""

    def __init__(self, influences: InfluenceModel, settings: Settings) -> None:
        super().__init__(influences, settings)
        p, ratio = influences.stated_prevalence, influences.cost_ratio
        self.drawn = Bootstrap(self.sample, settings.n_resamples, settings.random_state, p, ratio)

    def value(self, measure: str, model: str) -> float:
        """The measure of the rows, or its mean over the folds."""
        return self.drawn.observed[model][measure]

    def interval(self, measure: str, model: str) -> Estimate:
        """Student's t on the logit scale, with the resamples' standard deviation.

        Maxima and measures of the hull are too high in a sample, and again in its resamples, but
        there by about half as much: the interval is centred at the estimate less twice the bias
        that the resamples show, whose square is added to the variance (of H, of half of it).
        """
        influences, drawn = self.influences, self.drawn
        estimate, values = self.value(measure, model), drawn.resampled[model][measure]
        df, error = influences.df, standard_error(np.var(values, ddof=1))
        if reason := _why_no_interval(self.sample, model):
            return Estimate(estimate, error, nan, nan, "bootstrap", df, reason)
        lowest, highest = range_of(influences, measure)
        least = lowest
        if measure in MAXIMA:
            least = 0.5 if measure == "auch" else 0.0
            if measure != "auk_hull" or drawn.prevalence is None:
                lowest = 2 * least - highest  # the logit scale reaches below the least value
        bias = 0.0
        if error and measure in (*MAXIMA, "expected_loss"):
            shown = float(np.mean(values)) - estimate
            bias = min(0.0, shown) if measure == "expected_loss" else max(0.0, shown)
        centre, spread = estimate - 2 * bias, hypot(error, (1 if measure == "h" else 2) * bias)
        quantile = quantile_of(self.confidence_level, df)
        low = high = nan
        if lowest < centre < highest:
            low, high = logit_interval(centre, spread, quantile, lowest, highest)
        elif error:
            low = max(lowest, centre - quantile * spread)
            high = min(highest, centre + quantile * spread)
        # Corrected for bias, a narrow interval may miss the estimate. NaN stays NaN.
        low, high = float(np.maximum(low, least)), float(np.maximum(high, least))
        low, high = float(np.minimum(low, estimate)), float(np.maximum(high, estimate))
        if measure == "ks":
            low = min(low, self._lower_ks(model))
        if measure in ("auk", "auk_hull"):
            high = float(np.minimum(high, max(estimate, possible_range(influences, "auk")[1])))
        note = note_groups(self.sample) if error else "The resamples do not vary: no interval."
        return Estimate(estimate, error, low, high, "bootstrap", df, note)

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Percentile interval of a difference, and the p value at which it just excludes zero."""
        difference = self.value(measure, first) - self.value(measure, second)
        values = self.drawn.resampled
        differences = values[first][measure] - values[second][measure]
        return self.test_by_percentiles(difference, differences, first, second)

    def _lower_ks(self, model: str) -> float:
        """The lower limit of t - f at the threshold that makes it largest, by both shares' limits.

        Resamples of a few positives, all above that threshold, show hardly any error.
        """
        f, t = (rate[0] for rate in self.drawn.curve(model).rates)
        best = int((t - f).argmax())
        zeros, ones = self.influences.effective_units.tolist()
        quantile = quantile_of(self.confidence_level)
        least = share_limits(float(t[best]), ones, quantile)[0]
        most = share_limits(float(f[best]), zeros, quantile)[1]
        return max(0.0, float(t[best] - f[best]) - hypot(t[best] - least, most - f[best]))


def _why_no_interval(sample: Sample, model: str) -> str:
    """Why resampling gives no interval, or "": such scores are the same in all resamples."""
    score = sample.scores[model]
    ones, zeros = score[sample.positive], score[~sample.positive]
    if ones.min() > zeros.max() or ones.max() < zeros.min():
        return "The scores separate the classes: resampling gives no interval."
    return "All rows have one score." if score.min() == score.max() else ""


class Analytic(Inference):
    """Intervals and tests of the measures in `ANALYTIC`, by what each row adds."""

    def value(self, measure: str, model: str) -> float:
        """The measure of the rows, or its mean over the folds."""
        return self.influences.find(measure, model).value

    def interval(self, measure: str, model: str) -> Estimate:
        """Of a loss, and within folds, Student's t on the logit scale; of AUC and AUK see below."""
        influences, score = self.influences, self.sample.scores[model]
        result = influences.find(measure, model)
        variance, df = influences.variance(result)
        error, note = standard_error(variance), note_groups(self.sample)
        lowest, highest, _ = possible_range(influences, measure)
        if measure not in ("auc", "auk") or self.sample.folds is not None:
            spread, reason = error, "The folds do not vary: no interval."
            if self.sample.folds is None:
                df = influences.df
                spread = standard_error(max(variance, implied_variance(influences, measure, model)))
                reason = "The loss does not vary: no interval."
            quantile = quantile_of(self.confidence_level, df)
            low, high = logit_interval(result.value, spread, quantile, lowest, highest)
            if np.isnan(low):
                note = reason
        elif score.min() == score.max():
            low = high = nan
            note = "All rows have one score."
        elif ((score == score.min()) | (score == score.max())).all():
            low, high = self._decision_ends(measure, model)
        else:
            low, high = self._ranking_ends(measure, model)
        method = "delong" if measure == "auc" and self.sample.folds is None else "influence"
        # NaN stays NaN.
        low, high = float(np.maximum(low, lowest)), float(np.minimum(high, highest))
        return Estimate(result.value, error, low, high, method, df if error else inf, note)

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Of AUC and AUK see below; of a loss, and within folds, Student's t."""
        if measure in ("auc", "auk") and self.sample.folds is None:
            return self._test_ranking(measure, first, second)
        influences = self.influences
        difference = influences.find(measure, first) - influences.find(measure, second)
        widest = possible_range(influences, measure)[2]
        return self.test_by_influence(difference, widest, first, second)

    def _decision_ends(self, measure: str, model: str) -> tuple[float, float]:
        """Ends for AUC and AUK of a score with two values, by which rows are flagged or not."""
        influences, sample = self.influences, self.sample
        result = influences.find(measure, model)
        flagged = flag_rows(sample, float(sample.scores[model].max()), model)
        # Derivatives by the flagged share of a class: what flagged rows add, less the other rows.
        by_f, by_t = (
            float(result.rows[side & flagged.flagged][:1].sum())
            - float(result.rows[side & ~flagged.flagged][:1].sum())
            for side in (~sample.positive, sample.positive)
        )

        def outcome(f: float, t: float) -> float:
            if measure == "auc":
                return (1 + t - f) / 2
            return auk_of_curve(influences, (np.array([0.0, f, 1.0]), np.array([0.0, t, 1.0])))

        level = self.confidence_level
        return combine_limits(influences, flagged, result, (by_f, by_t), outcome, level)

    def _ranking_ends(self, measure: str, model: str) -> tuple[float, float]:
        """Ends for AUC and AUK: logit with pseudo-rows; near the range's ends Clopper-Pearson's.

        Without pseudo-rows a logit interval covers too rarely, and with them it is uselessly wide
        where the classes are (nearly) separated: there the limits of a binomial share take over.
        """
        influences, quantile = self.influences, quantile_of(self.confidence_level)
        result, pseudo = influences.find(measure, model), influences.pseudo_weights()
        value, shifted = result.value, ANALYTIC[measure](influences, model, pseudo)
        is_counted = influences.counts_positives and result.slope != 0
        if is_counted:  # its error is in Wilson's limits, below
            result, shifted = result._replace(slope=0.0), shifted._replace(slope=0.0)
        error = standard_error(influences.variance(shifted, pseudo)[0])
        is_estimated = influences.is_estimated and not is_counted
        within = range_of(influences, measure, is_estimated=is_estimated)
        low, high = logit_interval(shifted.value, error, quantile, *within)
        boundary = fit_boundary(influences, measure, model)
        variance = influences.variance(result)[0]
        extra = quantile * sqrt(max(0.0, variance - boundary.variance))  # what the prevalence adds
        near = boundary.weight
        down, up = boundary.distances(value, self.confidence_level)
        low = min(value, (1 - near) * low + near * (value - hypot(down, extra)))
        high = max(value, (1 - near) * high + near * (value + hypot(up, extra)))
        if is_counted:
            ends = wilson_limits(influences.prevalence, len(self.sample.positive), quantile)
            curve = influences.curve(model)
            others = [auk_of_curve(influences, curve, end) for end in ends]
            low = value - hypot(value - low, value - min(*others, value))
            high = value + hypot(high - value, max(*others, value) - value)
        return low, high

    def _test_ranking(self, measure: str, first: str, second: str) -> PairedTest:
        """Test of the difference of an AUC or AUK, with its interval; both always agree.

        `standard_error` and `statistic` are plain DeLong's (for AUC). The nearer a model is to an
        end of the range, the more the exchange of the models takes over from Student's t.
        """
        influences, level = self.influences, self.confidence_level
        method = "delong" if measure == "auc" else "influence"
        if rank_alike(influences, first, second):
            note = f"{first} and {second} rank all rows alike."
            return replace(without_error(0.0, method, first, second), note=note)
        difference = influences.find(measure, first) - influences.find(measure, second)
        value = float(difference.value)
        variance, df = influences.variance(difference)
        error = standard_error(variance)
        fits = [fit_boundary(influences, measure, model) for model in (first, second)]
        nearness = max(fit.weight for fit in fits)
        half = quantile_of(level, df) * error
        p_value = student_p(value, error, df)
        low, high = value - half, value + half
        widest = possible_range(influences, measure)[2]
        if nearness >= MIN_NEARNESS:
            unseen = UNSEEN_ROW * max(fit.weight * fit.unit for fit in fits)
            parts = exchange_parts(influences, measure, first, second)
            null = SignedSum(np.append(parts, unseen))
            p_value = (1 - nearness) * p_value + nearness * min(1.0, 2 * null.tail(abs(value)))
            down, up = self._end_distances(measure, first, second, fits)
            low = (1 - nearness) * low + nearness * (value - down)
            high = (1 - nearness) * high + nearness * (value + up)
            # No further than by Student's t with the variance of one more row near the ends.
            added = sum(fit.weight * fit.unit**2 for fit in fits)
            total = variance + added
            df = total**2 / ((variance**2 / df if variance else 0.0) + added**2 / influences.df)
            longest = quantile_of(level, df) * sqrt(total)
            low, high = max(low, value - longest), min(high, value + longest)
            # The end on zero's side follows the test.
            if p_value < 1 - level:
                critical = min(null.quantile((1 - level) / 2), widest)
                critical = (1 - nearness) * half + nearness * critical
                inner = max(abs(value) - critical, MIN_GAP * abs(value))
                low, high = (max(low, inner), high) if value > 0 else (low, min(high, -inner))
            else:
                low, high = min(low, 0.0), max(high, 0.0)
        elif error == 0:
            return without_error(value, method, first, second)
        few = note_few(influences, "analytic")
        notes = [few or note_groups(self.sample)]
        if nearness >= NOTED_NEARNESS and not few:
            notes.append(EXCHANGED)
            if influences.effective_units.min() <= FEW_UNITS:
                notes.append("With so few rows of a class only large differences are found.")
        statistic = value / error if error else (0.0 if value == 0 else nan)
        low, high, note = max(-widest, low), min(widest, high), " ".join(filter(None, notes))
        p_value = nan if few else p_value
        return PairedTest(value, error, statistic, p_value, low, high, method, note)

    def _end_distances(
        self, measure: str, first: str, second: str, fits: list[BoundaryFit]
    ) -> tuple[float, float]:
        """How far below and above the difference its ends lie, from the limits of both models.

        Zou (2007), Psychological Methods 12, 399-413, with a quarter of a unit in the correlation,
        as in the effective rows of the limits.
        """
        influences, models = self.influences, (first, second)
        (low_a, high_a), (low_b, high_b) = (self._ranking_ends(measure, name) for name in models)
        a, b = (influences.find(measure, name)._replace(slope=0.0) for name in models)
        v1, v2, v12 = (influences.variance(part)[0] for part in (a, b, a - b))
        scale = sqrt((v1 + fits[0].unit ** 2 / 4) * (v2 + fits[1].unit ** 2 / 4))
        twice_correlation = (v1 + v2 - v12) / scale

        def combine(one: float, two: float) -> float:
            return sqrt(max(0.0, one * one + two * two - twice_correlation * one * two))

        down = combine(a.value - low_a, high_b - b.value)
        return down, combine(high_a - a.value, b.value - low_b)


def implied_variance(influences: InfluenceModel, measure: str, model: str) -> float:
    """Variance of a mean loss if the probabilities are right; 0 where the losses contradict them.

    Where large losses are rare a sample may hold none, and its own variance is too small. Losses
    that lie more than two standard errors below what the probabilities imply contradict them: they
    are not extreme enough, and would imply far too much.
    """
    sample, p = influences.sample, influences.sample.prevalence
    if abs(influences.prevalence - p) * len(sample.positive) > 1:
        return 0.0  # the probabilities belong to another share of positives
    q = np.clip(sample.scores[model], TINY, 1 - TINY)
    if_positive, if_negative = LOSSES[measure](q)
    mean = q * if_positive + (1 - q) * if_negative
    share = sample.weights / sample.weights.sum()
    is_open = (q > TINY) & (q < 1 - TINY)  # 0 and 1 imply that the loss is 0
    mean *= is_open
    within = float(share**2 @ (is_open * q * (1 - q) * (if_positive - if_negative) ** 2))
    expected = float(share @ mean)
    if expected - influences.find(measure, model).value > 2 * sqrt(within):
        return 0.0
    between = share * (mean - expected)
    if sample.groups is not None:
        between = np.bincount(sample.groups, between)
    variance = within + float(between @ between)
    if not influences.is_estimated:  # less what the number of positives explains
        positives = float(share @ q)
        slope = (share * q) @ if_positive / positives
        slope -= (share * (1 - q)) @ if_negative / (1 - positives)
        variance -= float(slope**2 * positives * (1 - positives) * (share @ share))
    return max(0.0, variance)


class BoundaryFit(NamedTuple):
    """How near a value is to an end of its range, in effective rows.

    `weight` is 1 at an end and 0 far off, by how many of the effective rows go wrong; `unit` is
    what one row or group can move the value; `variance` is that at a fixed prevalence.
    """

    weight: float
    unit: float
    variance: float
    effective: float
    worst: float
    width: float

    def distances(self, value: float, confidence_level: float) -> tuple[float, float]:
        """How far below and above the value Clopper and Pearson's limits lie."""
        from scipy.special import betaincinv

        n, tail = self.effective, (1 - confidence_level) / 2
        share = min(1.0, max(0.0, (value - self.worst) / self.width))
        hits, misses = n * share, n * (1 - share)
        low = betaincinv(hits, misses + 1, tail) if share > 0 else 0.0
        high = betaincinv(hits + 1, misses, 1 - tail) if share < 1 else 1.0
        return max(0.0, self.width * float(share - low)), max(0.0, self.width * float(high - share))


def fit_boundary(influences: InfluenceModel, measure: str, model: str) -> BoundaryFit:
    """The effective rows of a value, from its variance without pseudo-rows.

    At perfect separation they are those of the smaller class, so that an AUC's low end is
    tail^(1 / n), whatever the distributions: n disjoint pairs of rows are all in order with a
    probability of at most AUC^n.
    """
    result = influences.find(measure, model)
    worst, best = range_of(influences, measure, is_estimated=False)
    width = best - worst
    variance = influences.variance(result._replace(slope=0.0))[0]
    share = min(1.0, max(0.0, (result.value - worst) / width))
    unit = float(np.max(np.maximum(1.0, result.jump / width) / influences.effective_units))
    effective = (share * (1 - share) + unit / 4) / (variance / width**2 + unit**2 / 4)
    weight = 1 / (1 + (effective * min(share, 1 - share) / 2) ** 4)
    return BoundaryFit(weight, width * unit, variance, effective, worst, width)


def rank_alike(influences: InfluenceModel, first: str, second: str) -> bool:
    """Whether two models rank all rows alike: then no rows could tell them apart."""
    if not np.array_equal(influences.segments(first).places, influences.segments(second).places):
        return False  # known without sorting again
    scores = influences.sample.scores
    a, b = (np.unique(scores[model], return_inverse=True)[1] for model in (first, second))
    return np.array_equal(a, b)


def exchange_parts(influences: InfluenceModel, measure: str, first: str, second: str) -> FloatArray:
    """What each row (or group) adds to the difference; exchanging the models flips its sign.

    Scores become ranks, a tied score its whole run of ranks with its weight spread evenly, and the
    ranks of both models are pooled. A row adds the difference of its two mean influences in the
    pool. (By mid-ranks a row would add something even where two models with ties agree.) The sum
    is the difference, exactly for AUC and to third order for AUK.
    """
    sample = influences.sample
    n, weights = len(sample.positive), sample.weights
    side = sample.positive.astype(int)
    runs, mass = [], np.zeros((2, n + 1))
    for model in (first, second):
        low, high = _rank_runs(sample.scores[model])
        runs.append((low, high))
        share = weights / (high - low)
        np.add.at(mass, (side, low), share)
        np.subtract.at(mass, (side, high), share)
    mass = np.cumsum(mass, axis=1)[:, :n]  # weight of either class at each rank
    mass[mass < 1e-9 * mass.max()] = 0.0  # what rounding leaves of zero
    ranks = np.tile(np.arange(float(n)), 2)
    pool = Sample(np.repeat([False, True], n), {"": ranks}, mass.ravel())
    pooled = InfluenceModel(pool, influences.prevalence, influences.cost_ratio).find(measure, "")
    sums = np.pad(np.cumsum(pooled.rows.reshape(2, n), axis=1), ((0, 0), (1, 0)))
    means = [(sums[side, high] - sums[side, low]) / (high - low) for low, high in runs]
    totals = np.bincount(side, weights)[side]
    parts: FloatArray = (means[0] - means[1]) * weights / totals
    if sample.groups is None:
        return parts
    return np.asarray(np.bincount(sample.groups, parts), dtype=np.float64)


class SignedSum:
    """Distribution of the sum of parts with random signs.

    The signs of the largest parts are enumerated; the rest of the sum is normal about each pattern.
    """

    def __init__(self, parts: FloatArray) -> None:
        sizes = np.sort(np.abs(parts[np.abs(parts) > 1e-12]))[::-1]
        self.sums: FloatArray = np.zeros(1)
        for size in sizes[:MAX_ENUMERATED]:
            self.sums = np.concatenate([self.sums - size, self.sums + size])
        self.deviation = sqrt(float((sizes[MAX_ENUMERATED:] ** 2).sum()))
        self.largest = float(sizes.sum())

    def tail(self, least: float) -> float:
        """Probability of a sum of at least `least`; one of exactly `least` counts half."""
        from scipy.special import ndtr

        gap = self.sums - least
        if self.deviation < 1e-12:
            return float(((gap > 1e-9) + 0.5 * (np.abs(gap) <= 1e-9)).mean())
        return float(ndtr(gap / self.deviation).mean())

    def quantile(self, tail: float) -> float:
        """Smallest sum that is reached with at most this probability; infinite if there is none."""
        low, high = 0.0, self.largest * 1.001 + 6 * self.deviation
        if self.tail(high) > tail:
            return inf
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if self.tail(middle) > tail else (low, middle)
        return high


def _rank_runs(score: FloatArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """First rank of each row's score, from 0, and the rank after its last one."""
    _, places, counts = np.unique(score, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - counts)[places], ends[places]
