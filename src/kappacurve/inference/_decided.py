"""Intervals of what decisions at a threshold are worth: of a sum of two shares of flagged rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kappacurve._validation import BoolArray, Conditions
from kappacurve.inference._sample import Sample
from kappacurve.inference.results import normal_quantile, wilson_interval
from kappacurve.kappa import error_weights

# What the true and the false positive rate count for.
Coefficients = Callable[[Conditions], tuple[float, float]]


def of_loss(at: Conditions) -> tuple[float, float]:
    """Expected loss: c p (1-t) + (1-c) q f."""
    p = float(at.prevalence or 0)
    miss, alarm = (weight / 2 for weight in error_weights(at.cost, p, 1 - p))
    return -p * float(miss), (1 - p) * float(alarm)


def of_net_benefit(at: Conditions) -> tuple[float, float]:
    """Net benefit: p t - q f tau / (1 - tau)."""
    p, tau = float(at.prevalence or 0), float(at.threshold or 0)
    return p, -(1 - p) * tau / (1 - tau)


def decided_limits(
    sample: Sample,
    flagged: BoolArray,
    coefficients: tuple[float, float],
    value: float,
    variance: float,
    level: float,
) -> tuple[float, float]:
    """Ends of the interval of a value whose shares are those of the flagged rows.

    Wilson's limits of each class's share, at the number of rows that has its variance (with weights
    or groups another than the rows'); their distances are squared and added (Newcombe 1998,
    Statistics in Medicine 17, 873-890, method 10). A plain interval has no width where a class's
    rows are all flagged, or none. `variance` is that of the value; what else adds to it is added.
    """
    quantile, down, up, apart = normal_quantile(level), 0.0, 0.0, 0.0
    sides = sample.positive, ~sample.positive
    for side, units, coefficient in zip(sides, sample.units(), coefficients, strict=True):
        hits = flagged[side].astype(np.float64)
        weight = np.ones(len(hits)) if sample.weight is None else sample.weight[side]
        share = float(np.average(hits, weights=weight))
        sums = weight / weight.sum() * (hits - share)
        if sample.groups is not None:
            sums = np.bincount(sample.groups[side], sums)
        own = float(sums @ sums)
        n = max(1.0, share * (1 - share) / own) if own > 1e-15 else units
        ends = coefficient * (np.array(wilson_interval(share, n, quantile)) - share)
        down, up = down + ends.min() ** 2, up + ends.max() ** 2
        apart += coefficient**2 * own * units / (units - 1)
    # What an estimated prevalence, and groups that hold both classes, add to the variance.
    more = quantile**2 * max(0.0, variance - apart)
    return value - float(np.sqrt(down + more)), value + float(np.sqrt(up + more))
