"""Confidence bands of kappa curves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import Cost, FloatArray, check_one_cost
from kappacurve.inference._resampling import draw_rows
from kappacurve.inference.bootstrap import _check_options
from kappacurve.inference.results import Sampling, check_design, check_rows
from kappacurve.kappa import kappa_from_rates
from kappacurve.roc import roc_vertices


class KappaBand(NamedTuple):
    """Pointwise confidence band of a kappa curve."""

    fpr: FloatArray
    low: FloatArray
    high: FloatArray


def kappa_band(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    sampling: Sampling = "stratified",
    confidence: float = 0.95,
    n_resamples: int = 500,
    n_points: int = 201,
    seed: int = 0,
) -> KappaBand:
    """Pointwise bootstrap confidence band of the (raw) kappa curve: at any one rate, not at all.

    Parameters
    ----------
    others
        As in :func:`bootstrap_intervals`.
    n_resamples : int, default 500
    n_points : int, default 201
        Number of false positive rates, evenly spaced.

    Returns
    -------
    fpr : ndarray of shape (n_points,) in [0, 1]
    low, high : ndarray of shape (n_points,) in [-1, 1]
        Percentiles of kappa at each rate; on a vertical step of the ROC curve its upper end.

    References
    ----------
    Fawcett (2006), "An introduction to ROC analysis", section 7.1 (vertical averaging),
    doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> band = kappa_band([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], n_resamples=50, n_points=5)
    >>> band.fpr
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> bool((band.low <= band.high).all())
    True
    """
    _check_options("percentile", confidence, n_resamples)
    scored = check_rows(y_true, y_score, pos_label, sample_weight)
    p, estimated = check_design(scored, prevalence, sampling)
    at = check_one_cost(cost, cost_ratio)
    grid = np.linspace(0, 1, n_points)
    kappa = np.empty((n_resamples, n_points))
    done = 0
    for positive, rows in draw_rows(scored.positive, sampling, n_resamples, seed):
        for labels, chosen in zip(positive, rows, strict=True):
            fpr, tpr, _ = roc_vertices(labels, scored.score[chosen])
            share = float(labels.mean()) if estimated else p
            kappa[done] = kappa_from_rates(grid, np.interp(grid, fpr, tpr), share, cost=at)
            done += 1
    low, high = np.quantile(kappa, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return KappaBand(grid, low, high)
