"""Intervals and tests of measures, by what each row adds or by resamples."""

from __future__ import annotations

from math import hypot, inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from ..curves.curve import auk
from ..validation import Sample
from .bootstrap import Bootstrap
from .estimates import (
    Estimate,
    PairedTest,
    logit_interval,
    note_groups,
    percentile_test,
    quantile_of,
    root,
    share_limits,
    student_test,
    wilson_limits,
)
from .flagging import combine_limits, flag_rows
from .influence import InfluenceModel, possible_range, range_of

MAXIMA = ("auch", "ks", "auk_hull", "h", "kappa_max")  # too high in a sample
RESAMPLED = ("auc", "auk", "average_precision", *MAXIMA, "expected_loss")


def analytic_interval(
    influences: InfluenceModel, measure: str, model: str, level: float
) -> Estimate:
    """Interval of a measure in `ANALYTIC`."""
    sample, score = influences.sample, influences.sample.scores[model]
    found = influences.find(measure, model)
    variance, df = influences.variance(found)
    error = root(variance)
    method = "delong" if measure == "auc" else "influence"
    note = note_groups(sample)
    lowest, highest, _ = possible_range(influences, measure)
    if measure not in ("auc", "auk"):
        if error == 0:
            note = "The loss does not vary: no interval."
        low, high = logit_interval(found.value, error, quantile_of(level, df), lowest, highest)
    elif score.min() == score.max():
        low = high = nan
        note = "All rows have one score."
    elif ((score == score.min()) | (score == score.max())).all():
        low, high = _decision_ends(influences, measure, model, level)
    else:
        low, high = _ranking_ends(influences, measure, model, level)
    low, high = float(np.maximum(low, lowest)), float(np.minimum(high, highest))  # NaN stays NaN
    return Estimate(found.value, error, low, high, method, df if error else inf, note)


def analytic_test(
    influences: InfluenceModel, measure: str, first: str, second: str, level: float
) -> PairedTest:
    """Student's t test of the difference of the rows' influences.

    AUC and AUK near an end of their range get the variance of one row more, by their nearness.
    """
    difference = influences.find(measure, first) - influences.find(measure, second)
    method = "delong" if measure == "auc" else "influence"
    added = 0.0
    if measure in ("auc", "auk") and not _rank_alike(influences, first, second):
        nearness = [_fit_boundary(influences, measure, model) for model in (first, second)]
        added = sum(near.weight * near.unit**2 for near in nearness)
    _, _, widest = possible_range(influences, measure)
    return student_test(influences, difference, level, method, widest, added)


def bootstrap_interval(drawn: Bootstrap, measure: str, model: str, level: float) -> Estimate:
    """Student's t on the logit scale, with the resamples' standard deviation.

    Maxima and measures of the hull are too high in a sample, and again in its resamples, but there
    by about half as much: the interval is centred at the estimate less twice the bias that the
    resamples show, whose square is added to the variance (of H, of half of it).
    """
    sample, rows = drawn.sample, InfluenceModel(drawn.sample, drawn.prevalence, drawn.cost_ratio)
    estimate, values = drawn.observed[model][measure], drawn.resampled[model][measure]
    df = max(1.0, float(sample.effective_units().min()) - 1)
    error = root(np.var(values, ddof=1))
    if reason := _why_no_interval(sample, model):
        return Estimate(estimate, error, nan, nan, "bootstrap", df, reason)
    lowest, highest = range_of(rows, measure)
    least = lowest
    if measure in MAXIMA:
        least = 0.5 if measure == "auch" else 0.0
        if not (measure == "auk_hull" and drawn.prevalence is not None):
            lowest = 2 * least - highest  # the logit scale's, of a value that may be at its least
    bias = 0.0
    if error and measure in (*MAXIMA, "expected_loss"):
        shown = float(np.mean(values)) - estimate
        bias = min(0.0, shown) if measure == "expected_loss" else max(0.0, shown)
    centre, spread = estimate - 2 * bias, hypot(error, (1 if measure == "h" else 2) * bias)
    quantile = quantile_of(level, df)
    low = high = nan
    if lowest < centre < highest:
        low, high = logit_interval(centre, spread, quantile, lowest, highest)
    elif error:
        low = max(lowest, centre - quantile * spread)
        high = min(highest, centre + quantile * spread)
    # Less the bias, a narrow interval need not reach the estimate. NaN stays NaN.
    low, high = float(np.maximum(low, least)), float(np.maximum(high, least))
    low, high = float(np.minimum(low, estimate)), float(np.maximum(high, estimate))
    if measure == "ks":
        low = min(low, _lower_ks(drawn, model, level))
    if measure in ("auk", "auk_hull"):
        high = float(np.minimum(high, max(estimate, possible_range(rows, "auk")[1])))
    note = note_groups(sample) if error else "The resamples do not vary: no interval."
    return Estimate(estimate, error, low, high, "bootstrap", df, note)


def bootstrap_test(
    drawn: Bootstrap, measure: str, first: str, second: str, level: float
) -> PairedTest:
    """Percentile interval of a difference, and the p value at which it just excludes zero."""
    observed, values = drawn.observed, drawn.resampled
    difference = observed[first][measure] - observed[second][measure]
    differences = values[first][measure] - values[second][measure]
    return percentile_test(drawn.sample, difference, differences, level)


def _decision_ends(
    influences: InfluenceModel, measure: str, model: str, level: float
) -> tuple[float, float]:
    """Ends for AUC and AUK of two-level scores: those of the decision that they are."""
    found, sample = influences.find(measure, model), influences.sample
    flagged = flag_rows(sample, float(sample.scores[model].max()), model)
    by_f, by_t = (
        float(found.rows[side & flagged.flagged][:1].sum())
        - float(found.rows[side & ~flagged.flagged][:1].sum())
        for side in (~sample.positive, sample.positive)
    )

    def outcome(f: float, t: float) -> float:
        if measure == "auc":
            return (1 + t - f) / 2
        fpr, tpr = np.array([0.0, f, 1.0]), np.array([0.0, t, 1.0])
        return float(auk(fpr, tpr, influences.prevalence, influences.cost_ratio))

    return combine_limits(influences, flagged, found, (by_f, by_t), outcome, level)


def _ranking_ends(
    influences: InfluenceModel, measure: str, model: str, level: float
) -> tuple[float, float]:
    """Ends for AUC and AUK: logit with pseudo-rows, near the range's ends Clopper and Pearson's.

    Without pseudo-rows a logit interval covers too rarely, and with them it is uselessly wide where
    the classes are (nearly) separated: there the limits of a binomial share take its place.
    """
    found, quantile = influences.find(measure, model), quantile_of(level)
    value, p = found.value, influences.prevalence
    moved, pseudo = influences.find_with_pseudo_rows(measure, model), influences.pseudo_weights()
    counted = influences.counts_positives and found.slope != 0
    if counted:  # its error is in Wilson's limits, below
        found, moved = found._replace(slope=0.0), moved._replace(slope=0.0)
    error = root(influences.variance(moved, pseudo)[0])
    within = range_of(influences, measure, is_estimated=influences.is_estimated and not counted)
    low, high = logit_interval(moved.value, error, quantile, *within)
    near = _fit_boundary(influences, measure, model)
    variance = influences.variance(found)[0]
    extra = quantile * sqrt(max(0.0, variance - near.variance))  # what the prevalence adds
    down, up = near.distances(value, level)
    low = min(value, (1 - near.weight) * low + near.weight * (value - hypot(down, extra)))
    high = max(value, (1 - near.weight) * high + near.weight * (value + hypot(up, extra)))
    if counted:
        ends = wilson_limits(p, len(influences.sample.positive), quantile)
        others = [influences.auk_at(model, end) for end in ends]
        low = value - hypot(value - low, value - min(*others, value))
        high = value + hypot(high - value, max(*others, value) - value)
    return low, high


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

    def distances(self, value: float, level: float) -> tuple[float, float]:
        """How far below and above the value Clopper and Pearson's limits lie."""
        from scipy.special import betaincinv

        n, tail = self.effective, (1 - level) / 2
        x = min(1.0, max(0.0, (value - self.worst) / self.width))
        low = betaincinv(n * x, n * (1 - x) + 1, tail) if x > 0 else 0.0
        high = betaincinv(n * x + 1, n * (1 - x), 1 - tail) if x < 1 else 1.0
        return max(0.0, self.width * float(x - low)), max(0.0, self.width * float(high - x))


def _fit_boundary(influences: InfluenceModel, measure: str, model: str) -> BoundaryFit:
    """The effective rows of a value, from its variance without pseudo-rows.

    At perfect separation they are those of the smaller class, so that an AUC's low end is
    tail^(1 / n), whatever the distributions: n disjoint pairs of rows are all in order with a
    probability of at most AUC^n.
    """
    found = influences.find(measure, model)
    worst, best = range_of(influences, measure, is_estimated=False)
    width = best - worst
    variance = influences.variance(found._replace(slope=0.0))[0]
    x = min(1.0, max(0.0, (found.value - worst) / width))
    unit = float(np.max(np.maximum(1.0, found.jump / width) / influences.effective_units))
    effective = (x * (1 - x) + unit / 4) / (variance / width**2 + unit**2 / 4)
    weight = 1 / (1 + (effective * min(x, 1 - x) / 2) ** 4)
    return BoundaryFit(weight, width * unit, variance, effective, worst, width)


def _lower_ks(drawn: Bootstrap, model: str, level: float) -> float:
    """The lower limit of t - f at the threshold that makes it largest, by both shares' limits.

    Resamples of a few positives, all above that threshold, show hardly any error.
    """
    f, t = (rate[0] for rate in drawn.curve(model).rates)
    best = int((t - f).argmax())
    zeros, ones = drawn.sample.effective_units()
    least = share_limits(float(t[best]), float(ones), quantile_of(level))[0]
    most = share_limits(float(f[best]), float(zeros), quantile_of(level))[1]
    return max(0.0, float(t[best] - f[best]) - hypot(t[best] - least, most - f[best]))


def _rank_alike(influences: InfluenceModel, first: str, second: str) -> bool:
    """Whether two models rank all rows alike: then no rows could tell them apart."""
    if not np.array_equal(influences.segments(first).places, influences.segments(second).places):
        return False
    scores = influences.sample.scores
    a, b = (np.unique(scores[model], return_inverse=True)[1] for model in (first, second))
    return np.array_equal(a, b)


def _why_no_interval(sample: Sample, model: str) -> str:
    """Why scores have no bootstrap interval, if so: resampled, they stay as they are."""
    score = sample.scores[model]
    ones, zeros = score[sample.positive], score[~sample.positive]
    if ones.min() > zeros.max() or ones.max() < zeros.min():
        return "The scores separate the classes: resamples do not vary."
    return "All rows have one score." if score.min() == score.max() else ""
