"""Areas under ROC and kappa curves that are given by their vertices."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from kappacurve._kernels import kappa_segments
from kappacurve._validation import (
    Axis,
    Cost,
    FloatArray,
    check_choice,
    check_conditions,
    check_cost,
    check_curve,
    check_one_prevalence,
    is_flagged,
)
from kappacurve.kappa import error_weights, kappa_from_rates

Curve = tuple[FloatArray, FloatArray]
Integration = Literal["exact", "trapezoid"]

# Rates of the ranking that makes every error, and of the one that makes none.
WORST = np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0])
PERFECT = WORST[::-1]


def area_under_curve(fpr: FloatArray, tpr: FloatArray) -> float:
    """Area under a ROC polyline: over all vertices the Mann-Whitney statistic, ties counted half.

    Equation 9 of Kaymak, Ben-David & Potharst (2010); vertices from (0, 0) to (1, 1).

    >>> area_under_curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
    0.75
    """
    f, t = check_curve(fpr, tpr)
    return float(np.trapezoid(t, f))


def area_under_kappa(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: float,
    *,
    integration: Integration = "exact",
    cost: Cost | None = None,
    axis: Axis = "fpr",
) -> float:
    """Area under the kappa curve (AUK) of a ROC curve or hull from (0, 0) to (1, 1).

    Equations 19 and 21 of Kaymak, Ben-David & Potharst (2010); cost and axis as in
    :func:`kappacurve.auk_score`. "exact" integrates kappa along the straight ROC segments in
    closed form, so collinear vertices change nothing. "trapezoid" joins the kappa values at the
    vertices by straight lines, as a short script would; it depends on which vertices are there.

    The perfect classifier at 10 % prevalence, by both rules:

    >>> perfect = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    >>> round(area_under_kappa(*perfect, 0.1), 5)
    0.25295
    >>> area_under_kappa(*perfect, 0.1, integration="trapezoid")
    0.5
    """
    check_choice("integration", integration, "exact", "trapezoid")
    p = check_one_prevalence(prevalence)
    share = check_cost(cost)
    flagged = is_flagged(axis)
    f, t = check_curve(fpr, tpr)
    if integration == "exact":
        return float(areas_under_kappa(f, t, p, share, axis))
    base = (1 - p) * f + p * t if flagged else f
    return float(np.trapezoid(kappa_from_rates(f, t, p, cost=share), base))


def areas_under_kappa(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: npt.ArrayLike,
    cost: Cost = 0.5,
    axis: Axis = "fpr",
) -> FloatArray:
    """Exact AUK of each polyline (..., n_vertices) at its prevalence (...), unchecked."""
    p = np.array(prevalence, dtype=np.float64)
    f, t = (
        np.array(rates, dtype=np.float64).reshape(p.size, rates.shape[-1]) for rates in (fpr, tpr)
    )
    miss, alarm = (
        np.array(np.broadcast_to(w, p.shape), dtype=np.float64).ravel()
        for w in error_weights(cost, p, 1 - p)
    )
    areas = kappa_segments(f, t, p.ravel(), miss, alarm, axis == "flagged")
    return np.asarray(areas.sum(axis=1).reshape(p.shape))


def areas_on_grid(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: npt.ArrayLike,
    cost: npt.ArrayLike,
    axis: Axis = "fpr",
) -> FloatArray:
    """AUK of one curve at many prevalences and costs, in parts that fit into the cache."""
    p, c = np.broadcast_arrays(prevalence, cost)
    areas = []
    for part in np.array_split(np.arange(p.size), min(p.size, 1 + p.size * len(fpr) // 2**16)):
        f, t = (np.broadcast_to(rates, (len(part), len(rates))) for rates in (fpr, tpr))
        areas.append(areas_under_kappa(f, t, p.ravel()[part], c.ravel()[part], axis))
    return np.concatenate(areas).reshape(p.shape)


def tied_costs(first: Curve, second: Curve, prevalence: float, axis: Axis = "fpr") -> list[float]:
    """Costs of a missed positive, from 1/99 to 99 false alarms, at which two ROC curves tie by AUK.

    Unchecked, to three digits; two ties next to each other may be passed over.

    >>> early = np.array([0, 0, 1]), np.array([0, 0.6, 1])
    >>> late = np.array([0, 0.5, 1]), np.array([0, 1, 1])
    >>> [round(cost, 2) for cost in tied_costs(early, late, 0.1)]
    [0.97]
    """
    bends = _without_straight_runs(*first), _without_straight_runs(*second)

    def lead(logit: npt.ArrayLike) -> FloatArray:
        cost = 1 / (1 + np.exp(np.negative(logit)))
        areas = [areas_on_grid(*curve, prevalence, cost, axis) for curve in bends]
        difference = areas[0] - areas[1]
        return np.where(np.abs(difference) < 1e-12, 0.0, difference)

    grid = np.linspace(-np.log(99), np.log(99), 9)
    leads = lead(grid)
    ties = []
    for i in np.flatnonzero(leads[1:] * leads[:-1] < 0):
        ends = grid[i : i + 2].copy()
        values = leads[i : i + 2].copy()
        for _ in range(6):  # by chords, the end that stays counting half (Illinois)
            tie = ends[0] - values[0] * np.diff(ends)[0] / np.diff(values)[0]
            value = float(lead(tie))
            side = int(value * values[0] < 0)
            ends[side] = tie
            values[side] = value
            values[1 - side] /= 2
        ties.append(float(1 / (1 + np.exp(-tie))))
    return ties


def _without_straight_runs(fpr: FloatArray, tpr: FloatArray) -> Curve:
    """The same curve by the vertices at which it bends."""
    across = np.diff(fpr)
    up = np.diff(tpr)
    bends = np.concatenate(([True], across[1:] * up[:-1] != across[:-1] * up[1:], [True]))
    return fpr[bends], tpr[bends]


def perfect_auk(prevalence: float, cost: Cost | None = None, axis: Axis = "fpr") -> float:
    """AUK of the classifier that makes no error, the largest at this prevalence and cost.

    >>> [round(perfect_auk(p), 3) for p in (0.1, 0.5, 0.9)]
    [0.253, 0.5, 0.597]
    """
    return auk_range(*check_conditions(prevalence, cost, axis=axis)[:3])[1]


def auk_range(prevalence: float, cost: Cost, axis: Axis = "fpr") -> tuple[float, float]:
    """AUK of the worst and of the perfect ranking, unchecked."""
    worst, perfect = (
        areas_under_kappa(*curve, prevalence, cost, axis) for curve in (WORST, PERFECT)
    )
    return float(worst), float(perfect)
