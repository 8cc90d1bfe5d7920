"""The numbers behind Hand's six diagnostic panels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, xlog1py, xlogy

from kappacurve._validation import FloatArray, Scored
from kappacurve.measures import area_under_curve, h_of_hull
from kappacurve.roc import roc_hull, vertices_of


class HandPanels(NamedTuple):
    """The numbers behind Hand's six panels; see :class:`kappacurve.plots.displays.HMeasureDisplay`.

    Class 0 are the negatives. `cost` and `weight` are on an even grid; `hull_cost` and
    `hull_weight` have one entry for each segment of the hull.
    """

    prevalence: float
    score: FloatArray
    density: FloatArray  # (2, n_grid): of the classes
    hull_density: FloatArray  # (2, n_grid): as the hull implies
    fpr: FloatArray
    tpr: FloatArray
    hull_fpr: FloatArray
    hull_tpr: FloatArray
    cost: FloatArray
    loss: FloatArray
    trivial_loss: FloatArray
    hull_cost: FloatArray
    hull_weight: FloatArray
    weight: FloatArray
    cost_weight: tuple[float, float]
    auc: float
    auch: float
    h: float


def hand_panels(
    scored: Scored, prevalence: float, cost_weight: tuple[float, float], n_grid: int = 401
) -> HandPanels:
    """Compute all panels.

    Examples
    --------
    >>> from kappacurve._validation import check_scored
    >>> panels = hand_panels(check_scored([0, 1, 0, 1], [1, 2, 3, 4]), 0.5, (2.0, 2.0))
    >>> panels.hull_cost, panels.hull_weight
    (array([1. , 0.5, 0. ]), array([0.25, 0.5 , 0.25]))
    """
    alpha, beta = cost_weight
    if not (alpha > 0 and beta > 0):
        raise ValueError(f"cost_weight must be two positive numbers, got {cost_weight!r}.")
    fpr, tpr, thresholds = vertices_of(scored)
    hull_fpr, hull_tpr, index = roc_hull(fpr, tpr)
    hull_cost, hull_weight = _implied_costs(hull_fpr, hull_tpr, prevalence)
    cost = np.linspace(0, 1, n_grid)
    grid, density, hull_density = _densities(scored, thresholds[index], n_grid)
    return HandPanels(
        prevalence=prevalence,
        score=grid,
        density=density,
        hull_density=hull_density,
        fpr=fpr,
        tpr=tpr,
        hull_fpr=hull_fpr,
        hull_tpr=hull_tpr,
        cost=cost,
        loss=smallest_loss(cost, hull_fpr, hull_tpr, prevalence),
        trivial_loss=np.minimum(cost * (1 - prevalence), (1 - cost) * prevalence),
        hull_cost=hull_cost,
        hull_weight=hull_weight,
        weight=_beta_density(cost, alpha, beta),
        cost_weight=cost_weight,
        auc=area_under_curve(fpr, tpr),
        auch=area_under_curve(hull_fpr, hull_tpr),
        h=h_of_hull(hull_fpr, hull_tpr, prevalence, alpha, beta),
    )


def smallest_loss(
    cost: FloatArray, hull_fpr: FloatArray, hull_tpr: FloatArray, prevalence: float
) -> FloatArray:
    """Loss c (1-p) f + (1-c) p (1-t) at the best corner of the hull, for each cost c."""
    p, q = prevalence, 1 - prevalence
    # The corners are in the order of falling best cost, so each cost needs only its own corner.
    indifferent, _ = _implied_costs(hull_fpr, hull_tpr, p)
    corner = np.searchsorted(-indifferent, -cost)
    return np.asarray(cost * q * hull_fpr[corner] + (1 - cost) * p * (1 - hull_tpr[corner]))


def _implied_costs(
    hull_fpr: FloatArray, hull_tpr: FloatArray, prevalence: float
) -> tuple[FloatArray, FloatArray]:
    """Cost at which each hull segment's ends are equally good, and the AUC's weight on it.

    Hand (2009), equation 10 for the costs and 8 for the weight, which is the share of rows
    whose scores belong to the segment.
    """
    gain = prevalence * np.diff(hull_tpr)
    harm = (1 - prevalence) * np.diff(hull_fpr)
    return gain / (gain + harm), gain + harm


def _densities(
    scored: Scored, thresholds: FloatArray, n_grid: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Smoothed densities of both classes on a grid, as observed and as the hull implies."""
    weight = np.ones(len(scored.score)) if scored.weight is None else scored.weight
    classes = np.stack([np.where(scored.positive, 0.0, weight), weight * scored.positive])
    segment = np.searchsorted(-thresholds, -scored.score)
    width = _bandwidth(scored.score, weight)
    low, high = float(scored.score.min()) - 3 * width, float(scored.score.max()) + 3 * width
    grid = np.linspace(low, high, n_grid)
    in_segment = np.bincount(segment, weight)
    density, hull_density = np.empty((2, n_grid)), np.empty((2, n_grid))
    for k, own in enumerate(classes):
        share = np.divide(
            np.bincount(segment, own),
            in_segment,
            out=np.zeros_like(in_segment),
            where=in_segment > 0,
        )
        density[k] = _smooth(scored.score, own, grid, width)
        hull_density[k] = _smooth(scored.score, share[segment] * weight, grid, width)
    return grid, density, hull_density


def _bandwidth(score: FloatArray, weight: FloatArray) -> float:
    """Silverman's rule (1986, equation 3.31); a nominal width where all scores are equal."""
    counted = score[weight > 0]
    quartiles = np.subtract(*np.quantile(counted, [0.75, 0.25])) / 1.34
    spreads = [spread for spread in (float(counted.std()), float(quartiles)) if spread > 0]
    scale = min(spreads) if spreads else max(1.0, abs(float(counted[0]))) * 0.1
    return float(0.9 * scale * len(counted) ** -0.2)


def _smooth(
    score: FloatArray, weight: npt.NDArray[np.float64], grid: FloatArray, width: float
) -> FloatArray:
    """Gaussian kernel density by binning to the grid first: linear in the number of rows."""
    step = grid[1] - grid[0]
    position = (score - grid[0]) / step
    left = np.clip(position.astype(np.intp), 0, len(grid) - 2)
    right_share = position - left
    binned = np.bincount(left, weight * (1 - right_share), len(grid))
    binned += np.bincount(left + 1, weight * right_share, len(grid))
    kernel = np.exp(-0.5 * ((grid[:, None] - grid[None]) / width) ** 2)
    return np.asarray(kernel @ binned / (width * np.sqrt(2 * np.pi) * weight.sum()))


def _beta_density(cost: FloatArray, alpha: float, beta: float) -> FloatArray:
    """Density of Beta(alpha, beta); infinite at an end where a parameter is below one."""
    with np.errstate(divide="ignore"):
        log = xlogy(alpha - 1, cost) + xlog1py(beta - 1, -cost)
    return np.asarray(np.exp(log - betaln(alpha, beta)))
