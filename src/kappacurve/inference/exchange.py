"""Paired test of AUC or AUK: Student's t, and near an end of the range an exchange of the models.

Near the ends few rows go wrong, and no normal quantile fits a sum of so few. If the two models are
alike, they may change places in any row (or group), which flips the sign of what the row adds to
the difference (Bandos, Rockette & Gur 2005): the p value is the share of such sums that are at
least as far from zero.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan, sqrt

import numpy as np
import numpy.typing as npt

from ..validation import FloatArray, Sample
from .ends import BoundaryFit, fit_boundary, rank_alike, ranking_ends
from .estimates import (
    PairedTest,
    note_few,
    note_groups,
    quantile_of,
    standard_error,
    student_p,
    without_error,
)
from .influence import Influence, InfluenceModel, possible_range

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


def ranking_test(
    influences: InfluenceModel, measure: str, first: str, second: str, confidence_level: float
) -> PairedTest:
    """Test of the difference of an AUC or AUK, with its interval; both always agree.

    `standard_error` and `statistic` are plain DeLong's (for AUC). The nearer a model is to an end
    of the range, the more the exchange of the models takes over from Student's t.
    """
    method = "delong" if measure == "auc" else "influence"
    if rank_alike(influences, first, second):
        note = f"{first} and {second} rank all rows alike."
        return replace(without_error(0.0, method, first, second), note=note)
    results = [influences.find(measure, model) for model in (first, second)]
    difference = results[0] - results[1]
    value = float(difference.value)
    variance, df = influences.variance(difference)
    error = standard_error(variance)
    fits = [fit_boundary(influences, measure, model) for model in (first, second)]
    nearness = max(fit.weight for fit in fits)
    half = quantile_of(confidence_level, df) * error
    p_value = student_p(value, error, df)
    low, high = value - half, value + half
    widest = possible_range(influences, measure)[2]
    if nearness >= MIN_NEARNESS:
        unseen = UNSEEN_ROW * max(fit.weight * fit.unit for fit in fits)
        parts = exchange_parts(influences, measure, first, second)
        null = SignedSum(np.append(parts, unseen))
        p_value = (1 - nearness) * p_value + nearness * min(1.0, 2 * null.tail(abs(value)))
        ends = _end_distances(influences, measure, (first, second), results, fits, confidence_level)
        low = (1 - nearness) * low + nearness * (value - ends[0])
        high = (1 - nearness) * high + nearness * (value + ends[1])
        longest = _longest_half(influences, variance, df, fits, confidence_level)
        low, high = max(low, value - longest), min(high, value + longest)
        # The end on zero's side follows the test.
        if p_value < 1 - confidence_level:
            critical = min(null.quantile((1 - confidence_level) / 2), widest)
            critical = (1 - nearness) * half + nearness * critical
            inner = max(abs(value) - critical, MIN_GAP * abs(value))
            low, high = (max(low, inner), high) if value > 0 else (low, min(high, -inner))
        else:
            low, high = min(low, 0.0), max(high, 0.0)
    elif error == 0:
        return without_error(value, method, first, second)
    few = note_few(influences.sample, "analytic")
    notes = [few, note_groups(influences.sample)]
    if nearness >= NOTED_NEARNESS:
        notes.append(EXCHANGED)
        if influences.effective_units.min() <= FEW_UNITS:
            notes.append("With so few rows of a class only large differences are found.")
    statistic = value / error if error else (0.0 if value == 0 else nan)
    low, high, note = max(-widest, low), min(widest, high), " ".join(filter(None, notes))
    p_value = nan if few else p_value
    return PairedTest(value, error, statistic, p_value, low, high, method, note)


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


def _end_distances(
    influences: InfluenceModel,
    measure: str,
    models: tuple[str, str],
    results: list[Influence],
    fits: list[BoundaryFit],
    confidence_level: float,
) -> tuple[float, float]:
    """How far below and above the difference its ends lie, from the limits of both models.

    Zou (2007), Psychological Methods 12, 399-413, with a quarter of a unit in the correlation, as
    in the effective rows of the limits.
    """
    ends = [ranking_ends(influences, measure, model, confidence_level) for model in models]
    first, second = (result._replace(slope=0.0) for result in results)
    v1, v2, v12 = (influences.variance(part)[0] for part in (first, second, first - second))
    scale = sqrt((v1 + fits[0].unit ** 2 / 4) * (v2 + fits[1].unit ** 2 / 4))
    twice_correlation = (v1 + v2 - v12) / scale

    def combine(one: float, two: float) -> float:
        return sqrt(max(0.0, one * one + two * two - twice_correlation * one * two))

    down = combine(first.value - ends[0][0], ends[1][1] - second.value)
    up = combine(ends[0][1] - first.value, second.value - ends[1][0])
    return down, up


def _longest_half(
    influences: InfluenceModel,
    variance: float,
    df: float,
    fits: list[BoundaryFit],
    confidence_level: float,
) -> float:
    """Half width of Student's t with the variance of one more row near the ends of the range."""
    added = sum(fit.weight * fit.unit**2 for fit in fits)
    total = variance + added
    df = total**2 / ((variance**2 / df if variance else 0.0) + added**2 / influences.df)
    return quantile_of(confidence_level, df) * sqrt(total)
