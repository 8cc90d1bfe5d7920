"""How many rows a comparison of AUC and of AUK needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, inf, nan, pi, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.integrate import cumulative_trapezoid
from scipy.special import ndtr, roots_hermitenorm

from kappacurve._validation import (
    Axis,
    BoolArray,
    Cost,
    FloatArray,
    check_named,
    check_number,
    check_numbers,
    check_one_cost,
    check_one_prevalence,
    check_scored,
    is_flagged,
)
from kappacurve.inference.influence import influence
from kappacurve.inference.results import ROUNDING, normal_quantile
from kappacurve.kappa import areas_under_kappa, error_weights
from kappacurve.measures import auk_score

NODES, WEIGHTS = roots_hermitenorm(64)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
MOST_ROWS = 10**12  # of a class: more than anybody has


class SampleSize(NamedTuple):
    """Rows of each class, and what they give."""

    effect: float
    n_positive: int
    n_negative: int
    power: float
    half_width: float


class _Influence(NamedTuple):
    """An effect, and the variance of its influence among positives and negatives."""

    effect: float
    positives: float
    negatives: float


def plan_sample_size(
    auc: float | Sequence[float] | None = None,
    *,
    y_true: npt.ArrayLike | None = None,
    y_score: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    pos_label: Any = None,
    correlation: float | None = None,
    prevalence: float | None = None,
    ratio: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    power: float = 0.8,
    level: float = 0.95,
    half_width: float | None = None,
) -> dict[str, SampleSize]:
    """Positives and negatives that a paired test, or an interval, of AUC and of AUK needs.

    Parameters
    ----------
    auc : float or two of them, strictly between 0 and 1, optional
        The AUC of each model. Scores are taken as normal in each class, with equal variances.
    y_true, y_score : optional
        Instead of `auc`, a pilot: labels, and the scores of one model or a mapping of one or two
        names to scores. The difference seen in the pilot is taken as the true one.
    correlation : float strictly between -1 and 1
        Of the scores of two models within each class; required with two AUCs.
    prevalence : float in (0, 1), optional
        At which AUK is evaluated: by default 1 / (1 + ratio), or the pilot's share of positives.
    ratio : float > 0, optional
        Negatives per positive in the planned sample; by default as the prevalence has it, or as
        the pilot has it.
    pos_label, cost, cost_ratio, axis
        As in :func:`kappacurve.measures`.
    power : float in (0, 1), default 0.8
        Probability that the two-sided paired test rejects at 1 - level.
    level : float in (0, 1), default 0.95
    half_width : float > 0, optional
        Plan for an interval of this half width instead of for power: of the difference, or of the
        one model.

    Returns
    -------
    dict of str to SampleSize
        For "auc" and "auk": effect, the difference of the first model less the second (or the
        measure of the one model); n_positive and n_negative, rounded up; power of the test with
        these rows (NaN for one model); half_width of the interval of the effect.

    Raises
    ------
    ValueError
        If an argument is out of its range or missing, or the two models do not differ.

    Notes
    -----
    With V1 and V0 the variances of the effect's influence among positives and negatives and r the
    ratio, the standard error is sqrt((V1 + V0 / r) / n1), so
    ``n1 = (z[(1 + level) / 2] + z[power])**2 (V1 + V0 / r) / effect**2``. A pilot gives V1 and V0
    by :func:`kappacurve.inference.influence`; two AUCs by its formulas for normal scores. The
    prevalence is taken as known. In 18 simulated designs with 53 to 315 positives
    :func:`kappacurve.paired_test` had a power of .78 to .83 where .80 was asked (docs/coverage.md).
    A pilot's own error is not part of the plan.

    Obuchowski & McClish (1997), Statistics in Medicine 16, 1529-1542, plan the AUC in this way.

    Examples
    --------
    >>> plan = plan_sample_size((0.75, 0.80), correlation=0.6, prevalence=0.05, ratio=10)
    >>> [(name, size.n_positive, size.n_negative) for name, size in plan.items()]
    [('auc', 162, 1620), ('auk', 145, 1450)]
    """
    for name, share in (("power", power), ("level", level)):
        if not 0 < check_number(name, share) < 1:
            raise ValueError(f"{name} must lie strictly between 0 and 1, got {share!r}.")
    for name, size in (("ratio", ratio), ("half_width", half_width)):
        if size is not None and not 0 < check_number(name, size) < np.inf:
            raise ValueError(f"{name} must be above 0, got {size!r}.")
    p = None if prevalence is None else check_one_prevalence(prevalence)
    at: dict[str, Any] = {"cost": check_one_cost(cost, cost_ratio), "axis": axis}
    if auc is not None and y_true is None and y_score is None:
        separations, shared = _check_areas(auc, correlation)
        if ratio is None and p is None:
            raise ValueError("Give the prevalence, or ratio: the negatives per positive.")
        ratio = ratio or (1 / (p or 0.5) - 1)
        p = p or check_one_prevalence(1 / (1 + ratio))
        influences = [
            _of_normal_scores(separations, shared, p, conditions)
            for conditions in ({"cost": "balanced", "axis": "fpr"}, at)
        ]
        n_models = len(separations)
    elif auc is None and y_true is not None and y_score is not None:
        pilot = _check_pilot(y_score)
        positive = check_scored(y_true, pilot[0], pos_label).positive
        ratio = ratio or float((~positive).sum() / positive.sum())
        influences = [
            _of_pilot(positive, pilot, {"prevalence": p, **conditions})
            for conditions in ({"cost": "balanced"}, at)
        ]
        n_models = len(pilot)
    else:
        raise ValueError("Give auc, or a pilot as y_true and y_score.")
    if n_models == 1 and half_width is None:
        raise ValueError("One model has no test to plan for: give half_width, or a second model.")
    if n_models == 1:  # the AUC is the area at the balanced cost and 1/2
        influences[0] = influences[0]._replace(effect=influences[0].effect + 0.5)
    sizes = [_size(influence, ratio, level, power, half_width) for influence in influences]
    if n_models == 1:
        sizes = [size._replace(power=nan) for size in sizes]
    return dict(zip(("auc", "auk"), sizes, strict=True))


def _size(
    influence: _Influence, ratio: float, level: float, power: float, half_width: float | None
) -> SampleSize:
    normal = NormalDist()
    quantile = normal_quantile(level)
    effect, of_positives, of_negatives = influence
    if half_width is not None:
        error = half_width / quantile
    elif abs(effect) > ROUNDING:
        error = abs(effect) / (quantile + normal.inv_cdf(power))
    else:
        raise ValueError("The two models do not differ: no sample would show a difference.")
    variance = of_positives + of_negatives / ratio
    rows = variance / error**2 if error**2 else inf  # whose square may vanish
    if not max(rows, rows * ratio) <= MOST_ROWS:
        wanted = "this half_width" if half_width is not None else "this power"
        raise ValueError(f"No sample of up to {MOST_ROWS:,} rows of each class gives {wanted}.")
    n_positive = max(2, ceil(rows - 1e-9))
    n_negative = max(2, ceil(n_positive * ratio - 1e-9))
    error = sqrt(of_positives / n_positive + of_negatives / n_negative)
    reached = nan
    if error > 0:
        reached = sum(normal.cdf(side * effect / error - quantile) for side in (-1, 1))
    return SampleSize(effect, n_positive, n_negative, reached, quantile * error)


def _check_areas(
    auc: float | Sequence[float], correlation: float | None
) -> tuple[list[float], float]:
    """Distances of the class means in standard deviations, and the correlation."""
    areas = np.atleast_1d(check_numbers("auc", auc))
    if areas.ndim != 1 or not 1 <= len(areas) <= 2:
        raise ValueError(f"auc must be one number or two, got {auc!r}.")
    if not ((areas > 0) & (areas < 1)).all():
        raise ValueError(f"auc must lie strictly between 0 and 1, got {auc!r}.")
    if correlation is None and len(areas) == 2:
        raise ValueError("Give the correlation of the two models' scores within each class.")
    shared = check_number("correlation", correlation or 0.0)
    if not -1 < shared < 1:
        raise ValueError(f"correlation must lie strictly between -1 and 1, got {correlation!r}.")
    return [sqrt(2) * NormalDist().inv_cdf(area) for area in areas.tolist()], shared


def _check_pilot(y_score: Any) -> list[npt.ArrayLike]:
    if not hasattr(y_score, "items") and np.ndim(y_score) == 1:
        return [y_score]
    scores = list(check_named("y_score", y_score).values())
    if not 1 <= len(scores) <= 2:
        raise ValueError(f"A pilot has the scores of one model or two, got {len(scores)}.")
    return scores


def _of_pilot(
    positive: BoolArray, scores: Sequence[npt.ArrayLike], at: Mapping[str, Any]
) -> _Influence:
    effect = 0.0
    rows = np.zeros(len(positive))
    for sign, score in zip((1, -1), scores, strict=False):
        effect += sign * auk_score(positive, score, **at)
        rows += sign * influence(positive, score, sampling="stratified", **at)
    return _Influence(effect, *(float(rows[side].var(ddof=1)) for side in (positive, ~positive)))


def _of_normal_scores(
    separations: Sequence[float], shared: float, p: float, at: Mapping[str, Any]
) -> _Influence:
    """Negatives are N(0, 1), positives N(separation, 1); both models' scores correlate."""
    q = 1 - p
    flagged = is_flagged(at["axis"])
    miss, alarm = (float(weight) / 2 for weight in error_weights(at["cost"], p, q))
    first = NODES[:, np.newaxis]
    draws = first, shared * first + sqrt(1 - shared**2) * NODES
    effect = 0.0
    positives = np.zeros((64, 64))
    negatives = np.zeros((64, 64))
    for sign, mean, drawn in zip((1, -1), separations, draws, strict=False):
        score = np.linspace(min(mean, 0) - 9, max(mean, 0) + 9, 4001)
        f = ndtr(-score)
        t = ndtr(mean - score)
        share = p * t + q * f
        weight = p * q / (miss * p * (1 - share) + alarm * q * share)
        if not flagged:  # the influence's Notes, at a cost
            weight *= weight / (p * q) * (miss * p * (1 - f) + alarm * q * f)
        fpr, tpr = (np.concatenate(([0], rates[::-1], [1])) for rates in (f, t))
        effect += sign * float(areas_under_kappa(fpr, tpr, p, at["cost"], at["axis"]))
        # Positives move along the negatives' density, negatives along the positives'.
        for sums, density, values in (
            (positives, _density(score), drawn + mean),
            (negatives, _density(score - mean), drawn),
        ):
            rises = cumulative_trapezoid(weight * density, score, initial=0)
            sums += sign * np.interp(values, score, rises)
    return _Influence(effect, _variance(positives), _variance(negatives))


def _density(score: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-(score**2) / 2) / sqrt(2 * pi))


def _variance(influence: FloatArray) -> float:
    """Over the nodes of two independent normal variables."""
    mean = WEIGHTS @ influence @ WEIGHTS
    return float(WEIGHTS @ (influence - mean) ** 2 @ WEIGHTS)
