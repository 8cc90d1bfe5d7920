"""Standard errors, intervals and tests without resampling: from what each row adds to a measure.

A measure joins by an entry in `ANALYTIC`: a function of the models, one model's name and the
weights of pseudo-rows that returns an :class:`Area`. `Ordered` makes one of a sum over pairs of
rows, from one sort; `Models.mean_of_rows` makes one of a mean over the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import erfc, hypot, inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.special import fdtrc

from kappacurve._kernels import PSEUDO, IntArray, auk_placements, fill_segments, spread_sums
from kappacurve._measures import MEASURES
from kappacurve._ranking import ranked_rows
from kappacurve._validation import (
    BoolArray,
    Conditions,
    FloatArray,
    at_prevalence,
    check_probabilities,
)
from kappacurve.inference._sample import Sample
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Family,
    Scale,
    no_interval_reason,
    normal_interval,
    normal_quantile,
    share_interval,
    standard_error,
    student_test,
    together,
    wilson_interval,
    without_p_value,
)
from kappacurve.kappa import areas_under_kappa, auk_range, error_weights, least_kappa

# Rows of a class, or groups that hold them, below which a test has no p value.
FEWEST_FOR_TESTS = 5
ROUNDING = 1e-14  # share of a variance below which that of a difference is rounding

Ends = Callable[[float], tuple[float, float]]  # of an interval, by its normal quantile


class Decisions(NamedTuple):
    """Which rows are flagged, and what comes of it by the shares of the classes that are.

    `outcome` of the shares of positives and of negatives rises or falls in each alone; `slopes`
    are its derivatives by them, and `span` is its range. `is_curved` says that it is no straight
    line in the shares, as a precision.
    """

    flagged: BoolArray
    outcome: Callable[[float, float], float]
    slopes: tuple[float, float]
    span: tuple[float, float]
    is_curved: bool = False

    @property
    def vary(self) -> bool:
        """Whether some rows are flagged and others not."""
        return bool(self.flagged.any() and not self.flagged.all())


class Area(NamedTuple):
    """A measure, what each row adds to its class's mean, and its derivative by the prevalence.

    `pseudo` (2, 2) are the placements of the negative and of the positive pseudo-rows, if there
    were any, else 0. `decisions` are those of which it is the outcome, if it is; `within` is what a
    difference can be, where Student's t would go beyond.
    """

    value: float
    rows: FloatArray
    slope: float = 0.0
    pseudo: FloatArray = np.zeros((2, 2))
    decisions: Decisions | None = None
    method: str = "influence"
    within: tuple[float, float] = (-inf, inf)

    def minus(self, other: Area) -> Area:
        """The difference of two models' measures."""
        return Area(
            self.value - other.value,
            self.rows - other.rows,
            self.slope - other.slope,
            self.pseudo - other.pseudo,
        )


class Segments(NamedTuple):
    """Straight segments of the ROC curve, from the lowest scores to the highest.

    `rates` (k + 1, 2) are the false and true positive rates between them, from (1, 1) to (0, 0);
    `steps` (k, 2) what each adds to them.
    """

    rates: FloatArray
    steps: FloatArray


class Ordered(NamedTuple):
    """One model's scores, sorted once: the sums behind DeLong and the AUK.

    `weights` (k, 2) are those of the negatives and positives on each straight segment of the ROC
    curve: a distinct score that both classes have, or neighbouring scores of one class, whose rows
    have one placement among the rows of the other class. `cells` are the rows' places among these
    weights, flattened. With pseudo-rows each class has two more rows, at either end of all scores:
    the negatives' outside the positives'. The formulas are derived in the Notes of
    :func:`kappacurve.inference.influence`.
    """

    weights: FloatArray
    cells: IntArray

    def segments(self, pseudo: tuple[float, float] = (0.0, 0.0)) -> Segments:
        """The segments, with pseudo-rows of the negatives and of the positives at either end."""
        weights = self._padded(pseudo)
        # Summed from above, so that rounding leaves nothing above the last score.
        above = np.cumsum(weights[::-1], axis=0)[::-1]
        return Segments(np.append(above, [[0.0, 0.0]], axis=0) / above[0], weights / above[0])

    def auc(self, pseudo: tuple[float, float] = (0.0, 0.0)) -> Area:
        """The AUC with DeLong's components, the negatives' less 1.

        For a positive row the share of negatives below it, ties counted half.
        """
        weights = self._padded(pseudo)
        twice_below = 2 * np.cumsum(weights, axis=0) - weights
        total = weights.sum(axis=0)
        place = np.stack([-twice_below[:, 1], twice_below[:, 0]], axis=1) / (2 * total[::-1])
        pairs = float((weights[:, 1] * twice_below[:, 0]).sum())  # a dot product wakes all cores
        area = self._area(pairs / (2 * total[0] * total[1]), 0.0, place, pseudo)
        return area._replace(method="delong")

    def auk(self, at: Conditions, pseudo: tuple[float, float] = (0.0, 0.0)) -> Area:
        """The AUK, what rows add to it, and its derivative by the prevalence at a fixed ROC curve.

        For a positive row the integral of the AUK's weight over the ROC curve at or below its
        score's threshold; for a negative row minus that.
        """
        p, cost = at.prevalence, at.cost
        exact, near = (
            tuple(float(weight) for weight in error_weights(share, p, 1 - p))
            for share in (cost, inside(cost))
        )
        segments = self.segments(pseudo)
        place = np.empty_like(segments.steps)
        value, slope = auk_placements(*segments, p, exact, near, at.axis == "flagged", place)
        if isinstance(cost, str):
            slope = 0.0  # AUC - 1/2 at every prevalence
        return self._area(float(value), float(slope), place, pseudo)

    def _padded(self, pseudo: tuple[float, float]) -> FloatArray:
        if not any(pseudo):
            return self.weights
        outer, inner = [pseudo[0], 0.0], [0.0, pseudo[1]]
        return np.concatenate([[outer, inner], self.weights, [inner, outer]])

    def _area(
        self, value: float, slope: float, place: FloatArray, pseudo: tuple[float, float]
    ) -> Area:
        if not any(pseudo):
            return Area(value, place.ravel()[self.cells], slope)
        extra = np.array([place[[0, -1], 0], place[[1, -2], 1]])
        return Area(value, place[2:-2].ravel()[self.cells], slope, extra)


def inside(cost: Any) -> Any:
    """Costs just inside 0 and 1, where single terms of the influence are infinite."""
    return cost if isinstance(cost, str) else np.clip(cost, 1e-8, 1 - 1e-8)


class Stakes(NamedTuple):
    """What a hit, a missed positive and a false alarm count in a measure, and its range."""

    hit: float
    miss: float
    alarm: float
    span: tuple[float, float]


def loss_stakes(at: Conditions) -> Stakes:
    """Expected loss: c p (1-t) + (1-c) q f."""
    p = at.prevalence
    miss, alarm = (float(weight) / 2 for weight in error_weights(at.cost, p, 1 - p))
    return Stakes(0.0, miss, alarm, range_of("expected_loss", at))


def benefit_stakes(at: Conditions) -> Stakes:
    """Net benefit: p t - q f tau / (1 - tau)."""
    tau = at.threshold
    if tau is None or not 0 <= tau < 1:
        raise ValueError(
            "net_benefit needs threshold=, the threshold probability, at least 0 and below 1, "
            f"got {tau!r}."
        )
    return Stakes(1.0, 0.0, -tau / (1 - tau), range_of("net_benefit", at))


class Analytic(NamedTuple):
    """How a measure's standard error is found: by its area, with the method's name.

    `of_decision` is the value of one decision by its fpr and tpr, if only the order of the scores
    counts: they are sorted once, and the interval takes pseudo-rows.
    """

    area: Callable[[Models, str, tuple[float, float]], Area]
    of_decision: Callable[[float, float, Conditions], float] | None = None


def _auc(models: Models, model: str, pseudo: tuple[float, float]) -> Area:
    return models.ordered(model).auc(pseudo)


def _gini(models: Models, model: str, pseudo: tuple[float, float]) -> Area:
    area = _auc(models, model, pseudo)
    return area._replace(value=2 * area.value - 1, rows=2 * area.rows, pseudo=2 * area.pseudo)


def _auk(models: Models, model: str, pseudo: tuple[float, float]) -> Area:
    return models.ordered(model).auk(models.at, pseudo)


def _auk_of_decision(f: float, t: float, at: Conditions) -> float:
    fpr, tpr = np.array([0, f, 1]), np.array([0, t, 1])
    return float(areas_under_kappa(fpr, tpr, at.prevalence, at.cost, at.axis))


def _expected_loss(models: Models, model: str, _: Any) -> Area:
    at = models.at
    if at.threshold is None:
        raise ValueError(
            "expected_loss needs a threshold for its analytic error: give threshold=, chosen on "
            "other rows, or take method='bootstrap', which chooses it in each resample."
        )
    flagged = models.sample.scores[model] >= at.threshold
    return models.area_of_decisions(flagged, loss_stakes(at))


def _net_benefit(models: Models, model: str, _: Any) -> Area:
    stakes = benefit_stakes(models.at)
    flagged = models.probabilities(model) >= float(models.at.threshold or 0)
    return models.area_of_decisions(flagged, stakes)


def _brier(models: Models, model: str, _: Any) -> Area:
    score = models.probabilities(model)
    return models.mean_of_rows((1 - score) ** 2, score**2)


def _log_loss(models: Models, model: str, _: Any) -> Area:
    # As scikit-learn: a probability of 0 or 1 is taken as the nearest one that is neither.
    least = np.finfo(float).eps
    score = np.clip(models.probabilities(model), least, 1 - least)
    return models.mean_of_rows(-np.log(score), -np.log1p(-score))


ANALYTIC: dict[str, Analytic] = {
    "auc": Analytic(_auc, lambda f, t, _: (1 + t - f) / 2),
    "gini": Analytic(_gini, lambda f, t, _: t - f),
    "auk": Analytic(_auk, _auk_of_decision),
    "expected_loss": Analytic(_expected_loss),
    "net_benefit": Analytic(_net_benefit),
    "brier_score": Analytic(_brier),
    "log_loss": Analytic(_log_loss),
}


def range_of(measure: str, at: Conditions) -> tuple[float, float]:
    """What a measure can be: the AUK at a fixed prevalence, or at any near an estimated one."""
    if measure != "auk":
        return MEASURES[measure].low, MEASURES[measure].high
    if not at.estimated or at.cost == "balanced":  # AUC - 1/2 at any
        return auk_range(*at[:3])
    return min(-1.0, least_kappa(at.prevalence, at.cost)), 1.0


class Spread(NamedTuple):
    """A variance, and the degrees of freedom with which it is known."""

    variance: float
    df: float


class Models:
    """Models on the same rows, for intervals and tests of measures in `ANALYTIC`."""

    def __init__(self, sample: Sample, at: Conditions) -> None:
        self.sample = sample
        self.at = at
        self._ordered: dict[str, Ordered] = {}
        self._areas: dict[tuple[str, str], Area] = {}

    def ordered(self, model: str) -> Ordered:
        """A model's scores, sorted once."""
        if model not in self._ordered:
            scored = self.sample.scored(model)
            ranking = ranked_rows(scored)
            cells = np.empty(len(scored.score), np.int64)
            weights = np.empty((len(cells), 2))
            weight = np.empty(0) if scored.weight is None else scored.weight
            n = fill_segments(ranking.keys[0], ranking.rows, weight, cells, weights)
            self._ordered[model] = Ordered(weights[:n].copy(), cells)
        return self._ordered[model]

    def evaluated(self, at: Conditions) -> Models:
        """The same sorted models under other conditions."""
        others = Models(self.sample, at)
        others._ordered = self._ordered
        return others

    def probabilities(self, model: str) -> FloatArray:
        """A model's scores as probabilities at the prevalence at which it is judged."""
        trained_at = (self.at.trained_at or {}).get(model, self.sample.prevalence())
        probability = check_probabilities(self.sample.scores[model])
        return at_prevalence(probability, trained_at, self.at.prevalence)

    def area(self, model: str, measure: str) -> Area:
        """A measure of a model with what its rows add."""
        if measure not in ANALYTIC:
            raise ValueError(f"measure must be one of {', '.join(ANALYTIC)}, got {measure!r}.")
        if (model, measure) not in self._areas:
            self._areas[model, measure] = ANALYTIC[measure].area(self, model, (0.0, 0.0))
        return self._areas[model, measure]

    def mean_of_rows(self, of_positives: FloatArray, of_negatives: FloatArray) -> Area:
        """p times the mean over the positives plus 1 - p times the mean over the negatives."""
        p = self.at.prevalence
        positive = self.sample.positive
        weight = self.sample.weights()
        ones = np.average(of_positives[positive], weights=weight[positive])
        zeros = np.average(of_negatives[~positive], weights=weight[~positive])
        rows = np.where(positive, p * of_positives, (1 - p) * of_negatives)
        return Area(float(p * ones + (1 - p) * zeros), rows, float(ones - zeros))

    def area_of_decisions(self, flagged: BoolArray, stakes: Stakes) -> Area:
        """What the rows' decisions lose, or bring."""
        p = self.at.prevalence
        hit, miss, alarm, span = stakes
        slopes = p * (hit - miss), (1 - p) * alarm
        decisions = Decisions(
            flagged, lambda t, f: slopes[0] * t + slopes[1] * f + p * miss, slopes, span
        )
        of_positives = np.where(flagged, hit, miss)
        area = self.mean_of_rows(of_positives, np.where(flagged, alarm, 0.0))
        return area._replace(decisions=decisions)

    def interval(self, model: str, measure: str, level: float, scale: Scale) -> Estimate:
        """An estimate with its interval; there is none where nothing varies."""
        area = self.area(model, measure)
        if area.decisions is not None:
            return self.decided_interval(area, level)
        of_decision = ANALYTIC[measure].of_decision
        span = range_of(measure, self.at)
        score = self.sample.scores[model]
        spread = self.spread(area)
        error = standard_error(spread.variance)
        if of_decision is None:
            # Losses of a few rows are so skewed that a plain normal interval is too narrow.
            on: Scale = "logit" if scale == "adjusted" else scale
            low, high = normal_interval(area.value, error, level, on, span, spread.df)
            return Estimate(area.value, error, low, high, area.method, spread.df)
        if scale != "adjusted":
            low, high = normal_interval(area.value, error, level, scale, span)
        elif has_two_levels(score):
            # A pseudo-row at either end is none of a decision's.
            decided = self._decided(model, measure)
            low, high = self.decided_interval(decided, level)[2:4]
        else:
            low, high = self._adjusted_ends(model, measure, level)
        constant = score.min() == score.max()
        if constant or (scale != "adjusted" and no_interval_reason(self.sample.positive, score)):
            low = high = nan
        return Estimate(area.value, error, low, high, area.method, spread.df)

    def _adjusted_ends(self, model: str, measure: str, level: float) -> tuple[float, float]:
        """Logit interval after each class got a pseudo-row at either end of all scores."""
        value = self.area(model, measure).value
        weights = pseudo_weights(self.sample)
        moved = ANALYTIC[measure].area(self, model, weights)
        at = self.at
        others = []  # at the limits of a prevalence that is counted, if the measure depends on that
        if self._counts_positives and self.area(model, measure).slope != 0:
            for end in self._ends_of_prevalence(normal_quantile(level)):
                elsewhere = self.evaluated(at._replace(prevalence=end))
                others.append(elsewhere.area(model, measure).value)
        if others:  # their distances are squared and added to those at a fixed prevalence
            moved = moved._replace(slope=0.0)
            at = at._replace(estimated=False)
        error = standard_error(self.spread(moved, weights).variance)
        low, high = normal_interval(moved.value, error, level, "logit", range_of(measure, at))
        low = min(low, value)
        high = max(high, value)
        if others:
            low = value - hypot(value - low, value - min(*others, value))
            high = value + hypot(high - value, max(*others, value) - value)
        return low, high

    @property
    def _counts_positives(self) -> bool:
        """Whether the prevalence is counted: estimated from independent rows that weigh alike."""
        return self.at.estimated and self.sample.alike()

    def _ends_of_prevalence(self, quantile: float) -> tuple[float, float]:
        """Wilson's limits of a prevalence that is counted: few positives leave it skewed."""
        low, high = wilson_interval(self.at.prevalence, len(self.sample.positive), quantile)
        return float(low), float(high)

    def _decided(self, model: str, measure: str) -> Area:
        """A measure of two-level scores as one of the decision that they are."""
        area = self.area(model, measure)
        of_decision: Any = ANALYTIC[measure].of_decision
        score, positive = self.sample.scores[model], self.sample.positive
        flagged = score == score.max()
        by_tpr, by_fpr = (
            area.rows[side & flagged][:1].sum() - area.rows[side & ~flagged][:1].sum()
            for side in (positive, ~positive)
        )
        span = range_of(measure, self.at)
        decisions = Decisions(
            flagged, lambda t, f: of_decision(f, t, self.at), (by_tpr, by_fpr), span
        )
        return area._replace(decisions=decisions)

    def decided_interval(self, area: Area, level: float) -> Estimate:
        """An estimate of what decisions bring, from the shares flagged in each class.

        Agresti and Coull's limits of each share, at the number of rows that has its variance (with
        weights or groups another than the rows'); the distances of what they bring are squared and
        added (Newcombe 1998, Statistics in Medicine 17, 873-890, method 10; of any function of two
        shares Zou & Donner 2008, Statistics in Medicine 27, 1693-1702). A plain interval has no
        width where a class's rows are all flagged, or none.
        """
        ends, error = self._decided_ends(area)
        low, high = ends(normal_quantile(level))
        if area.decisions is not None:
            low = max(area.decisions.span[0], low)
            high = min(area.decisions.span[1], high)
        return Estimate(area.value, error, low, high, "influence", self.spread(area).df)

    def _decided_ends(self, area: Area) -> tuple[Ends, float]:
        """The ends of that interval by the normal quantile, and the standard error."""
        decisions = area.decisions
        if decisions is None:
            raise TypeError("This measure is not one of decisions.")
        sample = self.sample
        rates: list[float] = []
        sizes: list[float] = []
        apart = 0.0
        sides = zip(
            (sample.positive, ~sample.positive), sample.effective(), decisions.slopes, strict=True
        )
        for side, units, slope in sides:
            share, spread = sample.share(decisions.flagged, side)
            rates.append(share)
            sizes.append(max(1.0, share * (1 - share) / spread) if spread > 1e-15 else units)
            apart += slope**2 * spread * units / (units - 1)
        # What an estimated prevalence, and groups that hold both classes, add to the variance.
        variance = self.spread(area).variance
        more = 0.0 if self._counts_positives else max(0.0, variance - apart)
        t, f = rates
        outcome = decisions.outcome
        here = outcome(t, f)

        def ends(quantile: float) -> tuple[float, float]:
            down = up = quantile**2 * more
            if self._counts_positives:
                ends_of_p = self._ends_of_prevalence(quantile)
                by_p = [area.slope * (end - self.at.prevalence) for end in ends_of_p]
                down += min(by_p) ** 2
                up += max(by_p) ** 2
            by_tpr, by_fpr = (
                share_interval(share, n, quantile) for share, n in zip(rates, sizes, strict=True)
            )
            for outcomes in (
                [outcome(end, f) for end in by_tpr],
                [outcome(t, end) for end in by_fpr],
            ):
                down += (min(outcomes) - here) ** 2
                up += (max(outcomes) - here) ** 2
            return area.value - sqrt(down), area.value + sqrt(up)

        return ends, standard_error(variance)

    def test(self, first: str, second: str, measure: str, level: float) -> Comparison:
        """Paired test of a measure of two models."""
        return self.test_of(self.area(first, measure), self.area(second, measure), level)

    def test_of(self, first: Area, second: Area, level: float) -> Comparison:
        """Test of a difference by Student's t with Satterthwaite's degrees of freedom.

        Against the same decision for all rows a model is tested by the interval that it has alone:
        a number must not have two.
        """
        lead = first.minus(second)
        spread = self.spread(lead)
        error = standard_error(spread.variance)
        ends = self._ends_of_test(first, second)
        if ends is None:
            tested = student_test(float(lead.value), error, spread.df, level, first.method)
        else:
            tested = test_by_ends(lead.value, error, ends, level)
        low, high = max(tested.low, first.within[0]), min(tested.high, first.within[1])
        few = min(self.sample.units()) < FEWEST_FOR_TESTS
        return without_p_value(tested._replace(low=low, high=high), few)

    def _ends_of_test(self, first: Area, second: Area) -> Ends | None:
        """Ends of a difference that is tested by an interval; None if by Student's t."""
        of_first, of_second = first.decisions, second.decisions
        if of_first is None or of_second is None:
            return None
        if np.array_equal(of_first.flagged, of_second.flagged):
            return None
        if of_first.is_curved:
            return self._ends_of_both(first, second)
        if of_first.vary == of_second.vary:
            return None
        if not of_first.vary:
            ends, _ = self._decided_ends(second.minus(first)._replace(decisions=of_second))
            return lambda quantile: (-ends(quantile)[1], -ends(quantile)[0])
        return self._decided_ends(first.minus(second)._replace(decisions=of_first))[0]

    def _ends_of_both(self, first: Area, second: Area) -> Ends:
        """Ends of a difference of two values that are no straight lines in the shares flagged.

        The distances of both models' own limits, combined with the correlation of the values (Zou
        2007, Psychological Methods 12, 399-413): where a model raises few alarms, or none, an error
        by derivatives is far too small.
        """
        difference = first.value - second.value
        variance = self.spread(first.minus(second)).variance
        ends_of_first, error = self._decided_ends(first)
        ends_of_second, other_error = self._decided_ends(second)
        both = 2 * error * other_error
        twice = 2 * min(1.0, (error**2 + other_error**2 - variance) / both) if both else 0.0

        def ends(quantile: float) -> tuple[float, float]:
            low, high = ends_of_first(quantile)
            lowest, highest = ends_of_second(quantile)
            sides = (
                (first.value - low, highest - second.value),
                (high - first.value, second.value - lowest),
            )
            down, up = (sqrt(max(0.0, a**2 + b**2 - twice * a * b)) for a, b in sides)
            return difference - down, difference + up

        return ends

    def tests(self, models: Sequence[str], measure: str, level: float) -> Family:
        """Tests of every two models by a measure."""
        return self.tests_of({model: self.area(model, measure) for model in models}, level)

    def tests_of(self, areas: Mapping[str, Area], level: float) -> Family:
        """Tests of every two models, with intervals that hold together and adjusted p values."""
        pairs = list(combinations(areas.values(), 2))
        spreads = [self.spread(first.minus(second)) for first, second in pairs]
        matrix = self._covariance(list(areas.values()), [spread.variance for spread in spreads])
        contrast = np.array([a - b for a, b in combinations(np.eye(len(areas)), 2)])
        contrast = contrast.reshape(len(pairs), len(areas))
        # The statistic of a test by an interval alone is normal.
        degrees = [
            spread.df if self._ends_of_test(*pair) is None else inf
            for pair, spread in zip(pairs, spreads, strict=True)
        ]

        def test(i: int, at: float) -> Comparison:
            return self.test_of(*pairs[i], at)

        found = together(contrast @ matrix @ contrast.T, degrees, test, level)
        return dict(zip(combinations(areas, 2), found, strict=True))

    def covariance(self, measure: str) -> tuple[FloatArray, FloatArray]:
        """The models' values, and their covariance matrix from the variances of differences."""
        areas = [self.area(model, measure) for model in self.sample.scores]
        apart = [self.spread(a.minus(b)).variance for a, b in combinations(areas, 2)]
        return np.array([area.value for area in areas]), self._covariance(areas, apart)

    def _covariance(self, areas: Sequence[Area], apart: Sequence[float]) -> FloatArray:
        variances = [self.spread(area).variance for area in areas]
        matrix = np.diag(variances)
        for (i, j), variance in zip(combinations(range(len(areas)), 2), apart, strict=True):
            matrix[i, j] = matrix[j, i] = (variances[i] + variances[j] - variance) / 2
        return matrix

    def spread(self, area: Area, pseudo: tuple[float, float] = (0.0, 0.0)) -> Spread:
        """The variance of a measure or of a difference, by rows or by groups of them."""
        rows, by_group = self.rows_of_spread(leaning=area.slope != 0)
        extra = np.array(pseudo), area.pseudo, by_group
        sums = spread_sums(area.rows, *rows, area.slope, *extra)
        variance, df = self.variances(np.array(sums))
        return Spread(float(variance), float(df))

    def rows_of_spread(self, *, leaning: bool = True) -> tuple[tuple[Any, ...], FloatArray]:
        """The rows as `sum_spread` takes them, with its work space: nothing where there is none.

        What they add to an estimated prevalence only counts where the measure depends on it.
        """
        sample = self.sample
        groups = np.empty(0, dtype=np.int64) if sample.groups is None else sample.groups
        lean = np.empty(0)
        if self.at.estimated and leaning:
            share = sample.weights() / sample.weights().sum()
            lean = (sample.positive - self.at.prevalence) * share
        weight = np.empty(0) if sample.weight is None else sample.weight
        by_group = np.empty(groups.max() + 1 if len(groups) else 0)
        return (sample.positive, weight, groups, lean), by_group

    def variances(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Variances and degrees of freedom from what `sum_spread` returns, in the last axis."""
        sample = self.sample
        units, free = (
            np.array(counts[::-1], dtype=float) for counts in (sample.units(), sample.effective())
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
    units = sample.effective()
    weight = sample.weights()
    totals = weight[~sample.positive].sum(), weight[sample.positive].sum()
    return PSEUDO * float(totals[0]) / units[1], PSEUDO * float(totals[1]) / units[0]


def has_two_levels(score: FloatArray) -> bool:
    """Whether the scores are a decision."""
    low, high = score.min(), score.max()
    return bool(low < high and ((score == low) | (score == high)).all())


def test_by_ends(value: float, error: float, ends: Ends, level: float) -> Comparison:
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
    p_value = erfc(most / sqrt(2))
    statistic = most * (-1) ** side
    return Comparison(value, error, statistic, p_value, *reached, "influence")


def global_test(differences: FloatArray, matrix: FloatArray, df: float) -> tuple[float, float]:
    """Wald's test that all values are equal: F, as Hotelling's, and its p value.

    `matrix` is the covariance of the values; models that always tie are counted once.
    """
    k = len(differences)
    contrast = np.eye(k)[1:] - np.eye(k)[0]
    lead = contrast @ differences
    spread_of = contrast @ matrix @ contrast.T
    eigenvalues, vectors = np.linalg.eigh(spread_of)
    if eigenvalues[-1] <= ROUNDING * np.diag(matrix).max():
        return nan, nan
    # Below this share of the largest an eigenvalue is rounding, whose size depends on the CPU.
    kept = eigenvalues > 1e-10 * eigenvalues[-1]
    rank = int(kept.sum())
    statistic = float(((lead @ vectors[:, kept]) ** 2 / eigenvalues[kept]).sum())
    rest = max(1.0, df - rank + 1)
    value = statistic * rest / (max(df, 1.0) * rank)
    return value, float(fdtrc(rank, rest, value))
