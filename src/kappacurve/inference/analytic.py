"""Standard errors, intervals and tests without resampling: from what each row adds to a measure.

A measure joins by an entry in `ANALYTIC`: a function of the rows, one model's scores and the
conditions that returns an :class:`Area`. `mean_of_rows` makes one of a mean over the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from kappacurve._compiled import Kernel
from kappacurve._validation import BoolArray, Conditions, FloatArray, check_probabilities
from kappacurve.auk import auk_range
from kappacurve.inference._decided import Coefficients, decided_limits, of_loss, of_net_benefit
from kappacurve.inference._placements import Area, Ordered, ordered
from kappacurve.inference._sample import Sample
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Scale,
    check_level,
    no_interval_reason,
    normal_interval,
    standard_error,
)
from kappacurve.kappa import error_weights, least_kappa

# The weight of each pseudo-row, in rows: with it the intervals hold with few rows of a class.
PSEUDO = 0.1
# Rows of a class, or groups that hold them, below which a test has no p value.
FEWEST_FOR_TESTS = 5


class Ready(NamedTuple):
    """One model's scores of a sample, sorted if the measure needs it."""

    sample: Sample
    score: FloatArray
    order: Ordered | None


Measured = Callable[[Ready, Conditions, tuple[float, float]], Area]
Span = Callable[[Conditions, bool], tuple[float, float]]


class Analytic(NamedTuple):
    """How a measure's standard error is found: the method's name, its area and its range.

    `of_ranks` says that only the order of the scores counts: they are sorted once, and the
    interval takes pseudo-rows. `decided` are the coefficients of a measure of decisions.
    """

    method: str
    area: Measured
    span: Span
    of_ranks: bool = False
    decided: Coefficients | None = None


def mean_of_rows(sample: Sample, at: Conditions, of_positives: Any, of_negatives: Any) -> Area:
    """p times the mean over the positives plus 1 - p times the mean over the negatives.

    Both arrays have a value for each row, of which the other class's do not count.
    """
    p, positive = float(at.prevalence or 0), sample.positive
    weight = np.ones(len(positive)) if sample.weight is None else sample.weight
    ones = np.average(of_positives[positive], weights=weight[positive])
    zeros = np.average(of_negatives[~positive], weights=weight[~positive])
    rows = np.where(positive, p * of_positives, (1 - p) * of_negatives)
    return Area(float(p * ones + (1 - p) * zeros), rows, float(ones - zeros))


def _auc(ready: Ready, _: Conditions, pseudo: tuple[float, float], times: float = 1.0) -> Area:
    area = _order(ready).auc(pseudo)
    if times == 1.0:
        return area
    return Area(2 * area.value - 1, 2 * area.rows, 0.0, 2 * area.pseudo)


def _auk(ready: Ready, at: Conditions, pseudo: tuple[float, float]) -> Area:
    return _order(ready).auk(at, pseudo)


def _order(ready: Ready) -> Ordered:
    if ready.order is None:
        raise TypeError("a measure of ranks needs sorted scores")
    return ready.order


def _expected_loss(ready: Ready, at: Conditions, _: Any) -> Area:
    if at.threshold is None:
        raise ValueError(
            "expected_loss needs a threshold for its analytic error: give threshold=, chosen on "
            "other rows, or take method='bootstrap', which chooses it in each resample."
        )
    return loss_of_decisions(ready.sample, at, ready.score >= at.threshold)


def loss_of_decisions(sample: Sample, at: Conditions, flagged: BoolArray) -> Area:
    """Expected loss of the rows' decisions."""
    p = float(at.prevalence or 0)
    miss, alarm = (float(weight) / 2 for weight in error_weights(at.cost, p, 1 - p))
    return mean_of_rows(sample, at, miss * ~flagged, alarm * flagged)


def _brier(ready: Ready, at: Conditions, _: Any) -> Area:
    score = check_probabilities(ready.score)
    return mean_of_rows(ready.sample, at, (1 - score) ** 2, score**2)


def _log_loss(ready: Ready, at: Conditions, _: Any) -> Area:
    # As scikit-learn: a probability of 0 or 1 is taken as the nearest one that is neither.
    least = np.finfo(float).eps
    score = np.clip(check_probabilities(ready.score), least, 1 - least)
    return mean_of_rows(ready.sample, at, -np.log(score), -np.log1p(-score))


def _net_benefit(ready: Ready, at: Conditions, _: Any) -> Area:
    tau = at.threshold
    if tau is None or not 0 <= tau < 1:
        raise ValueError(
            "net_benefit needs threshold=, the threshold probability, at least 0 and below 1, "
            f"got {tau!r}."
        )
    flagged = (check_probabilities(ready.score) >= tau).astype(np.float64)
    return mean_of_rows(ready.sample, at, flagged, -tau / (1 - tau) * flagged)


def _span(low: float, high: float) -> Span:
    return lambda *_: (low, high)


def _span_of_auk(at: Conditions, estimated: bool) -> tuple[float, float]:
    """What the AUK can be: at a fixed prevalence, or at any near an estimated one."""
    if not estimated:
        return auk_range(at.prevalence, at.cost, at.axis)
    return min(-1.0, least_kappa(at.prevalence, at.cost)), 1.0


ANALYTIC: dict[str, Analytic] = {
    "auc": Analytic("delong", _auc, _span(0, 1), True),
    "gini": Analytic("delong", partial(_auc, times=2.0), _span(-1, 1), True),
    "auk": Analytic("influence", _auk, _span_of_auk, True),
    "expected_loss": Analytic("influence", _expected_loss, _span(0, 1), decided=of_loss),
    "net_benefit": Analytic("influence", _net_benefit, _span(-inf, 1), decided=of_net_benefit),
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
        self._ready: dict[str, Ready] = {}
        self._areas: dict[tuple[str, str], Area] = {}

    def ready(self, model: str, of_ranks: bool) -> Ready:
        """A model's scores, sorted once."""
        known = self._ready.get(model)
        if known is None or (of_ranks and known.order is None):
            order = ordered(self.sample.scored(model)) if of_ranks else None
            known = self._ready[model] = Ready(self.sample, self.sample.scores[model], order)
        return known

    def evaluated(self, at: Conditions) -> Models:
        """The same sorted models under other conditions."""
        others = Models(self.sample, at, self.estimated)
        others._ready = self._ready
        return others

    def area(self, model: str, measure: str) -> Area:
        """A measure of a model with what its rows add."""
        if (model, measure) not in self._areas:
            kind = ANALYTIC[measure]
            ready = self.ready(model, kind.of_ranks)
            self._areas[model, measure] = kind.area(ready, self.at, (0.0, 0.0))
        return self._areas[model, measure]

    def interval(self, model: str, measure: str, level: float, scale: Scale) -> Estimate:
        """An estimate with its interval; there is none where nothing varies."""
        kind = ANALYTIC[measure]
        span = kind.span(self.at, self.estimated)
        area = self.area(model, measure)
        variance = spread(self.sample, area, self.at, self.estimated).variance
        error = standard_error(variance)
        if kind.decided is not None and self.at.threshold is not None:
            shares = self.sample.scores[model] >= self.at.threshold, kind.decided(self.at)
            ends = decided_limits(self.sample, *shares, area.value, variance, level)
            low, high = max(span[0], ends[0]), min(span[1], ends[1])
        elif not kind.of_ranks or scale != "adjusted":
            plain = "plain" if scale == "adjusted" else scale
            limits = normal_interval(area.value, error, level, plain, span)
            low, high = limits.low, limits.high
        else:
            low, high = self._adjusted(model, kind, level, span)
            low, high = min(low, area.value), max(high, area.value)
        score = self.sample.scores[model]
        if kind.of_ranks:
            reason = no_interval_reason(self.sample.positive, score)
            if reason is not None and (scale != "adjusted" or "one score" in reason):
                low = high = nan
        return Estimate(area.value, error, low, high, kind.method)

    def _adjusted(
        self, model: str, kind: Analytic, level: float, span: tuple[float, float]
    ) -> tuple[float, float]:
        """Logit interval after each class got a pseudo-row at either end of all scores."""
        weights = _pseudo_weights(self.sample)
        area = kind.area(self.ready(model, True), self.at, weights)
        variance = spread(self.sample, area, self.at, self.estimated, weights).variance
        limits = normal_interval(area.value, standard_error(variance), level, "logit", span)
        return limits.low, limits.high

    def test(self, first: str, second: str, measure: str, level: float) -> Comparison:
        """Test of a difference by Student's t with Satterthwaite's degrees of freedom."""
        lead = self.area(first, measure).minus(self.area(second, measure))
        error = spread(self.sample, lead, self.at, self.estimated)
        tested = t_test(lead.value, error, level, ANALYTIC[measure].method)
        few = min(self.sample.units()) < FEWEST_FOR_TESTS
        return tested._replace(p_value=nan) if few else tested

    def covariance(self, models: Sequence[str], measure: str) -> FloatArray:
        """Covariance matrix of the models' values."""
        areas = [self.area(model, measure) for model in models]
        return covariance(self.sample, areas, self.at, self.estimated)


def _pseudo_weights(sample: Sample) -> tuple[float, float]:
    """Weights of a pseudo-row of the negatives and of the positives: a tenth of a mean unit."""
    n_positive, n_negative = sample.units()
    if sample.weight is None:
        totals = float((~sample.positive).sum()), float(sample.positive.sum())
    else:
        totals = tuple(  # type: ignore[assignment]
            float(sample.weight[side].sum()) for side in (~sample.positive, sample.positive)
        )
    return PSEUDO * totals[0] / n_negative, PSEUDO * totals[1] / n_positive


@Kernel
def class_sums(
    positive: BoolArray, weight: FloatArray, rows: FloatArray, extra: FloatArray, sums: FloatArray
) -> None:
    """Fill sums (2, 3) for the negatives and the positives: weight, mean, squares about it.

    `extra` (2, 2) are the weight of pseudo-rows, which count in weight and mean, and the sum of
    their values.
    """
    sums[:, 0] = extra[:, 0]
    sums[:, 1] = extra[:, 1]
    sums[:, 2] = 0.0
    for i in range(len(rows)):
        own = weight[i] if len(weight) else 1.0
        side = 1 if positive[i] else 0
        sums[side, 0] += own
        sums[side, 1] += own * rows[i]
    sums[:, 1] /= sums[:, 0]
    for i in range(len(rows)):
        own = weight[i] if len(weight) else 1.0
        side = 1 if positive[i] else 0
        apart = own * (rows[i] - sums[side, 1])
        sums[side, 2] += apart * apart


def spread(
    sample: Sample,
    area: Area,
    at: Conditions,
    estimated: bool,
    pseudo: tuple[float, float] = (0.0, 0.0),
) -> Spread:
    """The variance of a measure or of a difference, by rows or by groups of them."""
    weight = np.empty(0) if sample.weight is None else sample.weight
    extra, sums = np.zeros((2, 2)), np.empty((2, 3))
    values = area.pseudo[::3], area.pseudo[1:3]  # the negatives', the positives'
    if pseudo[1] > 0:
        extra = np.array([(2 * e, e * own.sum()) for e, own in zip(pseudo, values, strict=True)])
    class_sums(sample.positive, weight, area.rows, extra, sums)
    units, squares = sample.units()[::-1], sums[:, 2]
    moved = np.empty(0)
    if sample.groups is not None or (estimated and sample.weight is not None):
        total, mean = (sums[sample.positive.astype(np.intp), k] for k in (0, 1))
        moved = (area.rows - mean) / total * (1.0 if sample.weight is None else weight)
    if sample.groups is not None:
        by_group = (
            np.bincount(sample.groups[side], moved[side])
            for side in (~sample.positive, sample.positive)
        )
        squares = np.array([own @ own for own in by_group]) * sums[:, 0] ** 2
    # A pseudo-row counts as a tenth of a unit: of a row, or of a mean group.
    added = np.array(
        [
            e * e / PSEUDO * ((own - mean) ** 2).sum() if e else 0.0
            for e, own, mean in zip(pseudo, values, sums[:, 1], strict=True)
        ]
    )
    factors = np.array([n / (n - 1) for n in units]) / sums[:, 0] ** 2
    by_class = (squares + added) * factors
    total_variance, df = float(by_class.sum()), inf
    if total_variance > 0:
        df = total_variance**2 / sum(v**2 / (n - 1) for v, n in zip(by_class, units, strict=True))
    if len(moved):
        whole = _whole(sample, moved, area, at, estimated)
        return Spread(whole + float((added * factors).sum()), float(df))
    if estimated:
        p = float(at.prevalence or 0)
        total_variance += p * (1 - p) / len(area.rows) * area.slope**2
    return Spread(total_variance, float(df))


def _whole(sample: Sample, moved: FloatArray, area: Area, at: Conditions, estimated: bool) -> float:
    """Variance of the sum of what groups, or weighted rows, move."""
    if estimated:
        weight = np.ones(len(moved)) if sample.weight is None else sample.weight
        share = (sample.positive - float(at.prevalence or 0)) * weight / weight.sum()
        moved = moved + area.slope * share
    sums = moved if sample.groups is None else np.bincount(sample.groups, moved)
    n = len(sums)
    return n / (n - 1) * float(sums @ sums)


def covariance(
    sample: Sample, areas: Sequence[Area], at: Conditions, estimated: bool
) -> FloatArray:
    """Covariance matrix of several models' values, from the variances of sums and differences."""
    k = len(areas)
    matrix = np.empty((k, k))
    for i in range(k):
        matrix[i, i] = spread(sample, areas[i], at, estimated).variance
        for j in range(i):
            apart = spread(sample, areas[i].minus(areas[j]), at, estimated).variance
            matrix[i, j] = matrix[j, i] = (matrix[i, i] + matrix[j, j] - apart) / 2
    return matrix


def t_test(difference: float, error_of: Spread, level: float, method: str) -> Comparison:
    """Two-sided test that a difference is zero, with its interval; NaN without an error."""
    tail = (1 + check_level(level)) / 2
    difference, error = float(difference), standard_error(error_of.variance)
    if error == 0:
        return Comparison(difference, error, nan, nan, nan, nan, method)
    statistic = difference / error
    p_value = 2 * float(stdtr(error_of.df, -abs(statistic)))
    half = float(stdtrit(error_of.df, tail)) * error
    ends = difference - half, difference + half
    return Comparison(difference, error, statistic, p_value, *ends, method)


def global_test(differences: FloatArray, matrix: FloatArray, df: float) -> tuple[float, float]:
    """Wald's test that all values are equal: F, as Hotelling's, and its p value.

    `matrix` is the covariance of the values; models that always tie are counted once.
    """
    from scipy.stats import f as f_distribution

    k = len(differences)
    contrast = np.eye(k)[1:] - np.eye(k)[0]
    lead, spread_of = contrast @ differences, contrast @ matrix @ contrast.T
    rank = int(np.linalg.matrix_rank(spread_of, tol=1e-20, hermitian=True))
    if rank == 0:
        return nan, nan
    statistic = float(lead @ np.linalg.pinv(spread_of, rcond=1e-10, hermitian=True) @ lead)
    rest = max(1.0, df - rank + 1)
    value = statistic * rest / (max(df, 1.0) * rank)
    return value, float(f_distribution.sf(value, rank, rest))
