"""Limits of AUC and AUK: on the logit scale, and near the ends of the range exact ones."""

from __future__ import annotations

from math import hypot, sqrt
from typing import NamedTuple

import numpy as np

from ..curves.curve import auk
from .estimates import logit_interval, quantile_of, standard_error, wilson_limits
from .flagging import combine_limits, flag_rows
from .influence import ANALYTIC, InfluenceModel, range_of


def decision_ends(
    influences: InfluenceModel, measure: str, model: str, confidence_level: float
) -> tuple[float, float]:
    """Ends for AUC and AUK of a score with two values, by which rows are flagged or not."""
    result, sample = influences.find(measure, model), influences.sample
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
        fpr, tpr = np.array([0.0, f, 1.0]), np.array([0.0, t, 1.0])
        return float(auk(fpr, tpr, influences.prevalence, influences.cost_ratio))

    return combine_limits(influences, flagged, result, (by_f, by_t), outcome, confidence_level)


def ranking_ends(
    influences: InfluenceModel, measure: str, model: str, confidence_level: float
) -> tuple[float, float]:
    """Ends for AUC and AUK: logit with pseudo-rows, near the range's ends Clopper and Pearson's.

    Without pseudo-rows a logit interval covers too rarely, and with them it is uselessly wide where
    the classes are (nearly) separated: there the limits of a binomial share take its place.
    """
    result, quantile = influences.find(measure, model), quantile_of(confidence_level)
    value, pseudo = result.value, influences.pseudo_weights()
    shifted = ANALYTIC[measure](influences, model, pseudo)
    is_counted = influences.counts_positives and result.slope != 0
    if is_counted:  # its error is in Wilson's limits, below
        result, shifted = result._replace(slope=0.0), shifted._replace(slope=0.0)
    error = standard_error(influences.variance(shifted, pseudo)[0])
    within = range_of(influences, measure, is_estimated=influences.is_estimated and not is_counted)
    low, high = logit_interval(shifted.value, error, quantile, *within)
    boundary = fit_boundary(influences, measure, model)
    variance = influences.variance(result)[0]
    extra = quantile * sqrt(max(0.0, variance - boundary.variance))  # what the prevalence adds
    down, up = boundary.distances(value, confidence_level)
    low = min(value, (1 - boundary.weight) * low + boundary.weight * (value - hypot(down, extra)))
    high = max(value, (1 - boundary.weight) * high + boundary.weight * (value + hypot(up, extra)))
    if is_counted:
        n, curve = len(influences.sample.positive), influences.curve(model)
        ends = wilson_limits(influences.prevalence, n, quantile)
        others = [float(auk(*curve, end, influences.cost_ratio)) for end in ends]
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
