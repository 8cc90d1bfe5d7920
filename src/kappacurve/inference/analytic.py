"""Standard errors, intervals and tests without resampling: from what each row adds to a measure.

A measure joins by an entry in `ANALYTIC`: a function of the models, one model's name and the
weights of pseudo-rows that returns an :class:`Area`. `Models.mean_of_rows` makes one of a mean over
the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import erfc, hypot, inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.special import fdtrc, stdtr, stdtrit

from kappacurve._kernels import PSEUDO, spread_sums
from kappacurve._validation import (
    BoolArray,
    Conditions,
    FloatArray,
    at_prevalence,
    check_probabilities,
)
from kappacurve.auk import areas_under_kappa, auk_range
from kappacurve.inference._placements import Area, Ordered, ordered
from kappacurve.inference._sample import Sample
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Family,
    Scale,
    check_level,
    no_interval_reason,
    normal_interval,
    normal_quantile,
    p_without_error,
    share_interval,
    standard_error,
    wilson_interval,
)
from kappacurve.inference.simultaneous import together
from kappacurve.kappa import error_weights, least_kappa

# Rows of a class, or groups that hold them, below which a test has no p value.
FEWEST_FOR_TESTS = 5


Span = Callable[[Conditions, bool], tuple[float, float]]


class Stakes(NamedTuple):
    """What a hit, a missed positive and a false alarm count in a measure of decisions."""

    hit: float
    miss: float
    alarm: float

    def outcome(self, p: float) -> Outcome:
        """What decisions lose, or bring, at a prevalence."""
        slopes = p * (self.hit - self.miss), (1 - p) * self.alarm
        return Outcome(lambda t, f: slopes[0] * t + slopes[1] * f + p * self.miss, slopes)


class Outcome(NamedTuple):
    """A value of decisions by the shares of the positives and of the negatives that are flagged.

    It rises or falls in each share alone; with its derivatives by them.
    """

    of: Callable[[float, float], float]
    slopes: tuple[float, float]


def loss_stakes(at: Conditions) -> Stakes:
    """Expected loss: c p (1-t) + (1-c) q f."""
    p = float(at.prevalence or 0)
    miss, alarm = (float(weight) / 2 for weight in error_weights(at.cost, p, 1 - p))
    return Stakes(0.0, miss, alarm)


def benefit_stakes(at: Conditions) -> Stakes:
    """Net benefit: p t - q f tau / (1 - tau)."""
    tau = at.threshold
    if tau is None or not 0 <= tau < 1:
        raise ValueError(
            "net_benefit needs threshold=, the threshold probability, at least 0 and below 1, "
            f"got {tau!r}."
        )
    return Stakes(1.0, 0.0, -tau / (1 - tau))


class Analytic(NamedTuple):
    """How a measure's standard error is found: the method's name, its area and its range.

    `of_decision` is the value of one decision by its fpr and tpr, if only the order of the scores
    counts: they are sorted once, and the interval takes pseudo-rows. `stakes` are those of a
    measure of decisions.
    """

    method: str
    area: Callable[[Models, str, tuple[float, float]], Area]
    span: Span
    of_decision: Callable[[float, float, Conditions], float] | None = None
    stakes: Callable[[Conditions], Stakes] | None = None


def _auc(models: Models, model: str, pseudo: tuple[float, float]) -> Area:
    return models.ordered(model).auc(pseudo)


def _gini(models: Models, model: str, pseudo: tuple[float, float]) -> Area:
    area = _auc(models, model, pseudo)
    return Area(2 * area.value - 1, 2 * area.rows, 0.0, 2 * area.pseudo)


def _auk(models: Models, model: str, pseudo: tuple[float, float]) -> Area:
    return models.ordered(model).auk(models.at, pseudo)


def _auk_of_decision(f: float, t: float, at: Conditions) -> float:
    fpr, tpr = np.array([0, f, 1]), np.array([0, t, 1])
    return float(areas_under_kappa(fpr, tpr, at.prevalence, at.cost, at.axis))


def _expected_loss(models: Models, model: str, _: Any) -> Area:
    if models.at.threshold is None:
        raise ValueError(
            "expected_loss needs a threshold for its analytic error: give threshold=, chosen on "
            "other rows, or take method='bootstrap', which chooses it in each resample."
        )
    return models.area_of_decisions(models.flagged(model, "expected_loss"), loss_stakes(models.at))


def _net_benefit(models: Models, model: str, _: Any) -> Area:
    stakes = benefit_stakes(models.at)
    return models.area_of_decisions(models.flagged(model, "net_benefit"), stakes)


def _brier(models: Models, model: str, _: Any) -> Area:
    score = models.probabilities(model)
    return models.mean_of_rows((1 - score) ** 2, score**2)


def _log_loss(models: Models, model: str, _: Any) -> Area:
    # As scikit-learn: a probability of 0 or 1 is taken as the nearest one that is neither.
    least = np.finfo(float).eps
    score = np.clip(models.probabilities(model), least, 1 - least)
    return models.mean_of_rows(-np.log(score), -np.log1p(-score))


def _span(low: float, high: float) -> Span:
    return lambda *_: (low, high)


def _span_of_auk(at: Conditions, estimated: bool) -> tuple[float, float]:
    """What the AUK can be: at a fixed prevalence, or at any near an estimated one."""
    if not estimated or at.cost == "balanced":  # AUC - 1/2 at any
        return auk_range(*at[:3])
    return min(-1.0, least_kappa(at.prevalence, at.cost)), 1.0


ANALYTIC: dict[str, Analytic] = {
    "auc": Analytic("delong", _auc, _span(0, 1), lambda f, t, _: (1 + t - f) / 2),
    "gini": Analytic("delong", _gini, _span(-1, 1), lambda f, t, _: t - f),
    "auk": Analytic("influence", _auk, _span_of_auk, _auk_of_decision),
    "expected_loss": Analytic("influence", _expected_loss, _span(0, 1), stakes=loss_stakes),
    "net_benefit": Analytic("influence", _net_benefit, _span(-inf, 1), stakes=benefit_stakes),
    "brier_score": Analytic("influence", _brier, _span(0, 1)),
    "log_loss": Analytic("influence", _log_loss, _span(0, inf)),
}


class Spread(NamedTuple):
    """A variance, and the degrees of freedom with which it is known."""

    variance: float
    df: float


class Models:
    """Models on the same rows, for intervals and tests of measures in `ANALYTIC`."""

    def __init__(self, sample: Sample, at: Conditions, estimated: bool) -> None:
        self.sample, self.at, self.estimated = sample, at, estimated
        self._ordered: dict[str, Ordered] = {}
        self._areas: dict[tuple[str, str], Area] = {}

    def ordered(self, model: str) -> Ordered:
        """A model's scores, sorted once."""
        if model not in self._ordered:
            self._ordered[model] = ordered(self.sample.scored(model))
        return self._ordered[model]

    def evaluated(self, at: Conditions, *, fixed: bool = False) -> Models:
        """The same sorted models under other conditions, or at a fixed prevalence."""
        others = Models(self.sample, at, self.estimated and not fixed)
        others._ordered = self._ordered
        return others

    def probabilities(self, model: str) -> FloatArray:
        """A model's scores as probabilities at the prevalence at which it is judged."""
        trained_at = (self.at.trained_at or {}).get(model, self.sample.prevalence())
        return at_prevalence(
            check_probabilities(self.sample.scores[model]), trained_at, self._prevalence()
        )

    def flagged(self, model: str, measure: str) -> BoolArray:
        """Rows that a measure of decisions flags, of net benefit by their probabilities."""
        by_probability = measure == "net_benefit"
        score = self.probabilities(model) if by_probability else self.sample.scores[model]
        return score >= float(self.at.threshold or 0)

    def area(self, model: str, measure: str) -> Area:
        """A measure of a model with what its rows add."""
        if (model, measure) not in self._areas:
            self._areas[model, measure] = ANALYTIC[measure].area(self, model, (0.0, 0.0))
        return self._areas[model, measure]

    def mean_of_rows(self, of_positives: FloatArray, of_negatives: FloatArray) -> Area:
        """p times the mean over the positives plus 1 - p times the mean over the negatives.

        Both arrays have a value for each row, of which the other class's do not count.
        """
        p, positive, weight = self._prevalence(), self.sample.positive, self.sample.weights()
        ones = np.average(of_positives[positive], weights=weight[positive])
        zeros = np.average(of_negatives[~positive], weights=weight[~positive])
        rows = np.where(positive, p * of_positives, (1 - p) * of_negatives)
        return Area(float(p * ones + (1 - p) * zeros), rows, float(ones - zeros))

    def area_of_decisions(self, flagged: BoolArray, stakes: Stakes) -> Area:
        """What the rows' decisions lose, or bring."""
        of_positives = np.where(flagged, stakes.hit, stakes.miss)
        return self.mean_of_rows(of_positives, np.where(flagged, stakes.alarm, 0.0))

    def _prevalence(self) -> float:
        return float(self.at.prevalence or 0)

    def interval(self, model: str, measure: str, level: float, scale: Scale) -> Estimate:
        """An estimate with its interval; there is none where nothing varies."""
        kind = ANALYTIC[measure]
        span = kind.span(self.at, self.estimated)
        area, score = self.area(model, measure), self.sample.scores[model]
        if kind.stakes is not None:
            flagged = self.flagged(model, measure)
            outcome = kind.stakes(self.at).outcome(self._prevalence())
            return self.decided_interval(area, flagged, outcome, span, level)
        spread = self.spread(area)
        error = standard_error(spread.variance)
        of_decision, highest = kind.of_decision, score.max()
        if of_decision and scale == "adjusted" and has_two_levels(score):
            # A pseudo-row at either end is none of a decision's.
            outcome = self._outcome(area, score == highest, of_decision)
            low, high = self.decided_interval(area, score == highest, outcome, span, level)[2:4]
        elif of_decision and scale == "adjusted":
            # Logit interval after each class got a pseudo-row at either end of all scores.
            weights = pseudo_weights(self.sample)
            moved = kind.area(self, model, weights)
            alone = self._at_ends_of_prevalence(model, measure, level)
            if alone:  # their distances are squared and added to those at a fixed prevalence
                moved, span = moved._replace(slope=0.0), kind.span(self.at, False)
            moved_error = standard_error(self.spread(moved, weights).variance)
            limits = normal_interval(moved.value, moved_error, level, "logit", span)
            low, high = min(limits.low, area.value), max(limits.high, area.value)
            if alone:
                low = area.value - hypot(area.value - low, area.value - min(*alone, area.value))
                high = area.value + hypot(high - area.value, max(*alone, area.value) - area.value)
        else:
            # Losses of a few rows are so skewed that a plain normal interval is too narrow.
            on: Scale = "logit" if scale == "adjusted" else scale
            df = inf if of_decision else spread.df
            low, high = normal_interval(area.value, error, level, on, span, df)[2:4]
        reason = no_interval_reason(self.sample.positive, score) if of_decision else None
        if reason is not None and (scale != "adjusted" or "one score" in reason):
            low = high = nan
        return Estimate(area.value, error, low, high, kind.method, spread.df)

    def _at_ends_of_prevalence(self, model: str, measure: str, level: float) -> list[float]:
        """A measure at the limits of a prevalence that is counted, if it depends on that."""
        if not self._counts_positives or self.area(model, measure).slope == 0:
            return []
        ends = self._ends_of_prevalence(normal_quantile(level))
        at = [self.at._replace(prevalence=end) for end in ends]
        return [self.evaluated(each).area(model, measure).value for each in at]

    @property
    def _counts_positives(self) -> bool:
        """Whether the prevalence is counted: estimated from independent rows that weigh alike."""
        return self.estimated and self.sample.alike()

    def _ends_of_prevalence(self, quantile: float) -> tuple[float, float]:
        """Wilson's limits of a prevalence that is counted: few positives leave it skewed."""
        low, high = wilson_interval(self._prevalence(), len(self.sample.positive), quantile)
        return float(low), float(high)

    def _outcome(
        self, area: Area, flagged: BoolArray, of_decision: Callable[[float, float, Any], float]
    ) -> Outcome:
        """A measure of two-level scores as one of the decision that they are."""
        positive = self.sample.positive
        slopes = [
            area.rows[side & flagged][:1].sum() - area.rows[side & ~flagged][:1].sum()
            for side in (positive, ~positive)
        ]
        return Outcome(lambda t, f: of_decision(f, t, self.at), (slopes[0], slopes[1]))

    def decided_interval(
        self,
        area: Area,
        flagged: BoolArray,
        outcome: Outcome,
        span: tuple[float, float],
        level: float,
    ) -> Estimate:
        """An estimate of what decisions bring, from the shares flagged in each class.

        Agresti and Coull's limits of each share, at the number of rows that has its variance (with
        weights or groups another than the rows'); the distances of what they bring are squared and
        added (Newcombe 1998, Statistics in Medicine 17, 873-890, method 10; of any function of two
        shares Zou & Donner 2008, Statistics in Medicine 27, 1693-1702). A plain interval has no
        width where a class's rows are all flagged, or none.
        """
        ends, error = self._decided_ends(area, flagged, outcome)
        low, high = ends(normal_quantile(level))
        low = max(span[0], low)
        high = min(span[1], high)
        return Estimate(area.value, error, low, high, "influence", self.spread(area).df)

    def _decided_ends(
        self, area: Area, flagged: BoolArray, outcome: Outcome
    ) -> tuple[Callable[[float], tuple[float, float]], float]:
        """The ends of that interval by the normal quantile, and the standard error."""
        sample, apart = self.sample, 0.0
        rates, sizes = [], []
        sides = zip(
            (sample.positive, ~sample.positive), sample.effective(), outcome.slopes, strict=True
        )
        for side, units, slope in sides:
            share, own = sample.share(flagged, side)
            rates.append(share)
            sizes.append(max(1.0, share * (1 - share) / own) if own > 1e-15 else units)
            apart += slope**2 * own * units / (units - 1)
        # What an estimated prevalence, and groups that hold both classes, add to the variance.
        variance = self.spread(area).variance
        more = 0.0 if self._counts_positives else max(0.0, variance - apart)
        (t, f), here = rates, outcome.of(*rates)

        def ends(quantile: float) -> tuple[float, float]:
            down = up = quantile**2 * more
            if self._counts_positives:
                ends_of_p = self._ends_of_prevalence(quantile)
                by_p = [area.slope * (end - self._prevalence()) for end in ends_of_p]
                down, up = down + min(by_p) ** 2, up + max(by_p) ** 2
            by_tpr, by_fpr = (
                share_interval(share, n, quantile) for share, n in zip(rates, sizes, strict=True)
            )
            for brought in (
                [outcome.of(end, f) for end in by_tpr],
                [outcome.of(t, end) for end in by_fpr],
            ):
                down, up = down + (min(brought) - here) ** 2, up + (max(brought) - here) ** 2
            return area.value - sqrt(down), area.value + sqrt(up)

        return ends, standard_error(variance)

    def test(self, first: str, second: str, measure: str, level: float) -> Comparison:
        """Test of a difference by Student's t with Satterthwaite's degrees of freedom."""
        kind, areas = ANALYTIC[measure], [self.area(model, measure) for model in (first, second)]
        if kind.stakes is None:
            lead = areas[0].minus(areas[1])
            tested = t_test(lead.value, self.spread(lead), level, kind.method)
        else:
            flagged = [self.flagged(model, measure) for model in (first, second)]
            outcome = kind.stakes(self.at).outcome(self._prevalence())
            tested = self.decided_test(areas, flagged, outcome, level)
        few = min(self.sample.units()) < FEWEST_FOR_TESTS
        return tested._replace(p_value=nan) if few and tested.standard_error > 0 else tested

    def decided_test(
        self, areas: Sequence[Area], flagged: Sequence[BoolArray], outcome: Outcome, level: float
    ) -> Comparison:
        """Test of what two models' decisions lose or bring, by Student's t.

        Against the same decision for all rows a model is tested by the interval that it has alone:
        a number must not have two.
        """
        lead = areas[0].minus(areas[1])
        alike = [same(each) for each in flagged]
        if alike[0] == alike[1]:
            return t_test(lead.value, self.spread(lead), level, "influence")
        if alike[0]:
            turned = self.decided_test(areas[::-1], flagged[::-1], outcome, level)
            ends_turned = -turned.high, -turned.low
            numbers = -turned.difference, turned.standard_error, -turned.statistic, turned.p_value
            return Comparison(*numbers, *ends_turned, turned.method)
        ends, error = self._decided_ends(lead, flagged[0], outcome)
        return test_by_ends(lead.value, error, ends, level)

    def test_by_own_ends(
        self,
        areas: Sequence[Area],
        flagged: Sequence[BoolArray],
        outcomes: Sequence[Outcome],
        level: float,
    ) -> Comparison:
        """Test of two values that are no straight lines in the shares flagged, as of a precision.

        The distances of both models' own limits, combined with the correlation of the values (Zou
        2007, Psychological Methods 12, 399-413): where a model raises few alarms, or none, an error
        by derivatives is far too small.
        """
        lead = areas[0].minus(areas[1])
        variance = self.spread(lead).variance
        if np.array_equal(flagged[0], flagged[1]):
            return t_test(lead.value, self.spread(lead), level, "influence")
        (of_first, error), (of_second, its) = map(self._decided_ends, areas, flagged, outcomes)
        both = 2 * error * its
        twice = 2 * min(1.0, (error**2 + its**2 - variance) / both) if both else 0.0

        def ends(quantile: float) -> tuple[float, float]:
            (low, high), (lowest, highest) = of_first(quantile), of_second(quantile)
            sides = (
                (areas[0].value - low, highest - areas[1].value),
                (high - areas[0].value, areas[1].value - lowest),
            )
            down, up = (sqrt(max(0.0, a**2 + b**2 - twice * a * b)) for a, b in sides)
            return lead.value - down, lead.value + up

        return test_by_ends(lead.value, standard_error(variance), ends, level)

    def tests(self, models: Sequence[str], measure: str, level: float) -> Family:
        """Tests of every two models, with intervals that hold together and adjusted p values."""
        kind = ANALYTIC[measure]
        flagged = None
        if kind.stakes is not None:
            flagged = [self.flagged(model, measure) for model in models]
        areas = [self.area(model, measure) for model in models]

        def test(first: str, second: str, at: float) -> Comparison:
            return self.test(first, second, measure, at)

        return self.tests_of(models, areas, flagged, test, level)

    def tests_of(
        self,
        models: Sequence[str],
        areas: Sequence[Area],
        flagged: Sequence[BoolArray] | None,
        test: Callable[[str, str, float], Comparison],
        level: float,
        *,
        by_ends: bool = False,
    ) -> Family:
        """The same of any areas, `flagged` by decisions; `test` takes two models and its level.

        `by_ends` says that all tests are `test_by_ends`.
        """
        pairs = list(combinations(range(len(models)), 2))
        apart = [self.spread(areas[i].minus(areas[j])) for i, j in pairs]
        matrix = self._covariance(areas, [spread.variance for spread in apart])
        contrast = np.zeros((len(pairs), len(models)))
        for row, (i, j) in zip(contrast, pairs, strict=True):
            row[i], row[j] = 1.0, -1.0
        # The statistic of a test by an interval alone is normal.
        normal = [
            by_ends or (flagged is not None and same(flagged[i]) != same(flagged[j]))
            for i, j in pairs
        ]
        degrees = [
            inf if is_normal else spread.df for spread, is_normal in zip(apart, normal, strict=True)
        ]
        names = [(models[i], models[j]) for i, j in pairs]
        found = together(
            contrast @ matrix @ contrast.T, degrees, lambda i, at: test(*names[i], at), level
        )
        return dict(zip(names, found, strict=True))

    def covariance(self, models: Sequence[str], measure: str) -> FloatArray:
        """Covariance matrix of the models' values, from the variances of differences."""
        areas = [self.area(model, measure) for model in models]
        pairs = combinations(areas, 2)
        return self._covariance(areas, [self.spread(a.minus(b)).variance for a, b in pairs])

    def _covariance(self, areas: Sequence[Area], apart: Sequence[float]) -> FloatArray:
        own = [self.spread(area).variance for area in areas]
        matrix = np.diag(own)
        for (i, j), variance in zip(combinations(range(len(areas)), 2), apart, strict=True):
            matrix[i, j] = matrix[j, i] = (own[i] + own[j] - variance) / 2
        return matrix

    def spread(self, area: Area, pseudo: tuple[float, float] = (0.0, 0.0)) -> Spread:
        """The variance of a measure or of a difference, by rows or by groups of them."""
        rows, by_group = self.rows_of_spread(leaning=area.slope != 0)
        extra = np.array(pseudo), area.pseudo, by_group
        positive, weight, groups, lean = rows
        sums = spread_sums(area.rows, positive, weight, groups, lean, area.slope, *extra)
        variance, df = self.variances(np.array(sums))
        return Spread(float(variance), float(df))

    def rows_of_spread(self, *, leaning: bool = True) -> tuple[tuple[Any, ...], FloatArray]:
        """The rows as `sum_spread` takes them, with its work space: nothing where there is none.

        What they add to an estimated prevalence only counts where the measure depends on it.
        """
        sample, nothing = self.sample, np.empty(0)
        groups = np.empty(0, dtype=np.int64) if sample.groups is None else sample.groups
        lean = nothing
        if self.estimated and leaning:
            share: Any = 1 / len(sample.positive)
            if sample.weight is not None:
                share = sample.weight / sample.weight.sum()
            lean = (sample.positive - self._prevalence()) * share
        weight = nothing if sample.weight is None else sample.weight
        by_group = np.empty(groups.max() + 1 if len(groups) else 0)
        return (sample.positive, weight, groups, lean), by_group

    def variances(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Variances and degrees of freedom from what `sum_spread` returns, in the last axis."""
        sample = self.sample
        units, free = (
            np.array(each[::-1], dtype=float) for each in (sample.units(), sample.effective())
        )
        by_class, more = sums[..., :2] * units / (units - 1), sums[..., 2]
        variance, free = by_class.sum(axis=-1), np.maximum(1.0, free - 1)
        if sample.groups is not None:  # of which one may hold both classes
            n = sample.groups.max() + 1
            return variance + n / (n - 1) * more, np.full_like(variance, free.min())
        with np.errstate(divide="ignore", invalid="ignore"):
            df = variance**2 / (by_class**2 / free).sum(axis=-1)
        return variance + more, np.where(variance > 0, df, inf)


def pseudo_weights(sample: Sample) -> tuple[float, float]:
    """Weights of a pseudo-row of the negatives and of the positives: a tenth of a mean unit."""
    units, weight = sample.effective(), sample.weights()
    totals = weight[~sample.positive].sum(), weight[sample.positive].sum()
    return PSEUDO * float(totals[0]) / units[1], PSEUDO * float(totals[1]) / units[0]


def has_two_levels(score: FloatArray) -> bool:
    """Whether the scores are a decision."""
    low, high = score.min(), score.max()
    return bool(low < high and ((score == low) | (score == high)).all())


def same(flagged: BoolArray) -> bool:
    """Whether all rows have the same decision."""
    return bool(flagged.all() or not flagged.any())


def t_test(difference: float, error_of: Spread, level: float, method: str) -> Comparison:
    """Two-sided test that a difference is zero, with its interval; without an error only p = 1."""
    tail = (1 + check_level(level)) / 2
    difference, error = float(difference), standard_error(error_of.variance)
    if error == 0:
        return Comparison(difference, error, nan, p_without_error(difference), nan, nan, method)
    statistic = difference / error
    p_value = 2 * float(stdtr(error_of.df, -abs(statistic)))
    half = float(stdtrit(error_of.df, tail)) * error
    ends = difference - half, difference + half
    return Comparison(difference, error, statistic, p_value, *ends, method)


def test_by_ends(
    value: float, error: float, ends: Callable[[float], tuple[float, float]], level: float
) -> Comparison:
    """Two-sided test by an interval, given by its normal quantile.

    The p value is one minus the largest level at which it excludes zero, and the statistic the
    normal quantile there.
    """
    side = int(value < 0)
    here = normal_quantile(level)
    reached = ends(here)
    # Beyond 40 a p value is 0. Below one minus the level where the interval excludes zero.
    least, most = (here, 40.0) if reached[side] * value > 0 else (0.0, here * (value != 0))
    while most - least > 1e-12 * most:
        middle = (least + most) / 2
        if ends(middle)[side] * value > 0:
            least = middle
        else:
            most = middle
    p_value, statistic = erfc(most / sqrt(2)), most * (-1) ** side
    return Comparison(value, error, statistic, p_value, *reached, "influence")


def global_test(differences: FloatArray, matrix: FloatArray, df: float) -> tuple[float, float]:
    """Wald's test that all values are equal: F, as Hotelling's, and its p value.

    `matrix` is the covariance of the values; models that always tie are counted once.
    """
    k = len(differences)
    contrast = np.eye(k)[1:] - np.eye(k)[0]
    lead, spread_of = contrast @ differences, contrast @ matrix @ contrast.T
    rank = int(np.linalg.matrix_rank(spread_of, tol=1e-20, hermitian=True))
    if rank == 0:
        return nan, nan
    statistic = float(lead @ np.linalg.pinv(spread_of, rcond=1e-10, hermitian=True) @ lead)
    rest = max(1.0, df - rank + 1)
    value = statistic * rest / (max(df, 1.0) * rank)
    return value, float(fdtrc(rank, rest, value))
