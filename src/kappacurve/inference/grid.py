"""The AUK at many prevalences and costs: intervals and paired tests of all nodes in one call."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from kappacurve._kernels import auk_nodes
from kappacurve._validation import Axis, FloatArray, check_named, check_prevalence, check_rate
from kappacurve.inference._sample import check_design, check_sample
from kappacurve.inference.analytic import (
    FEWEST_FOR_TESTS,
    Models,
    has_two_levels,
    inside,
    pseudo_weights,
)
from kappacurve.inference.results import (
    ROUNDING,
    Sampling,
    check_level,
    logit_ends,
    normal_quantile,
    standard_errors,
    wilson_interval,
)
from kappacurve.kappa import PERFECT, WORST, areas_on_grid, kappa_from_rates


class Estimates(NamedTuple):
    """The AUK of a model at each node, its standard error and the ends of its interval."""

    estimate: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray


class Differences(NamedTuple):
    """The difference of two models' AUK at each node, with its paired test."""

    difference: FloatArray
    standard_error: FloatArray
    statistic: FloatArray
    p_value: FloatArray
    low: FloatArray
    high: FloatArray


class AukGrid(NamedTuple):
    """AUK at nodes of prevalence and cost: of each model, and of every two models."""

    prevalence: FloatArray
    cost: FloatArray
    models: dict[str, Estimates]
    tests: dict[tuple[str, str], Differences]


def auk_grid(
    y_true: npt.ArrayLike,
    y_scores: Mapping[str, npt.ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: npt.ArrayLike | None = None,
    cost: npt.ArrayLike = 0.5,
    axis: Axis = "fpr",
    sampling: Sampling | None = None,
    level: float = 0.95,
) -> AukGrid:
    """Intervals and paired tests of the AUK at many prevalences and costs.

    The numbers of :func:`kappacurve.interval` and :func:`kappacurve.paired_test` at each node, up
    to rounding, from one sort of each model's scores.

    Parameters
    ----------
    y_scores : mapping of str to array-like of shape (n_samples,)
        Finite scores by model; higher means more positive.
    y_true, pos_label, sample_weight, groups, axis
        As in :func:`kappacurve.interval`, with the same errors.
    prevalence : array-like in (0, 1), optional
        By default the share of the positive class in the rows, estimated from them as by
        :func:`kappacurve.interval`.
    cost : array-like in [0, 1], default 0.5
        Cost share of a missed positive. It broadcasts with `prevalence` to the nodes.
    sampling : {"random", "stratified"}, optional
        "stratified" takes the default prevalence as known, too.
    level : float in (0, 1), default 0.95
        Of the intervals.

    Returns
    -------
    AukGrid
        prevalence and cost of the nodes' shape; in `models` by name estimate, standard_error, low
        and high of that shape; in `tests` by (first, second) difference (first - second),
        standard_error, statistic, p_value, low and high. NaN where there is no interval or test.

    Notes
    -----
    Scores of two levels are a decision, whose interval is that of two shares: these are found one
    node after the other.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1] * 5
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9] * 5
    >>> b = [0.2, 0.6, 0.4, 0.7, 0.3, 0.5, 0.8, 0.9] * 5
    >>> found = auk_grid(y_true, {"a": a, "b": b}, prevalence=[[0.1], [0.5]], cost=[0.3, 0.5])
    >>> found.models["a"].estimate.round(3).tolist()
    [[0.186, 0.22], [0.4, 0.438]]
    >>> bool((found.tests["a", "b"].p_value < 0.01).all())
    True
    """
    scores = check_named("y_scores", y_scores)
    sample = check_sample(y_true, scores, pos_label, sample_weight, groups)
    sample.warn()
    at = check_design(sample, None, axis=axis, sampling=sampling)
    p = at.prevalence
    if prevalence is not None:
        p = check_prevalence(prevalence)
        at = at._replace(estimated=False)
    return grid_of(Models(sample, at), p, check_rate("cost", cost), check_level(level))


def grid_of(
    models: Models, prevalence: Any, cost: Any, level: float, *, paired: bool = True
) -> AukGrid:
    """The same of models that were checked, on the axis at which they are evaluated."""
    sample = models.sample
    names = list(sample.scores)
    pairs = list(combinations(names, 2)) if paired else []
    prevalence, cost = (np.array(intervals) for intervals in np.broadcast_arrays(prevalence, cost))
    p, c = prevalence.ravel().astype(float), cost.ravel().astype(float)
    value, sums = at_nodes(models, p, c, (0.0, 0.0), len(pairs))
    variance, df = models.variances(sums)
    error = standard_errors(variance)
    low, high = _intervals(models, value, p, c, level)
    for m, (name, score) in enumerate(sample.scores.items()):
        if has_two_levels(score):
            intervals = [
                models.evaluated(models.at._replace(prevalence=at_p, cost=at_c)).interval(
                    name, "auk", level, "adjusted"
                )
                for at_p, at_c in zip(p.tolist(), c.tolist(), strict=True)
            ]
            low[:, m], high[:, m] = np.array([estimate[2:4] for estimate in intervals]).T
        elif score.min() == score.max():
            low[:, m] = high[:, m] = np.nan
    shape = prevalence.shape
    found, tests = {}, {}
    for m, name in enumerate(names):
        parts = (part[:, m].reshape(shape) for part in (value, error, low, high))
        found[name] = Estimates(*parts)
    for k, (first, second) in enumerate(pairs, start=len(names)):
        lead = value[:, names.index(first)] - value[:, names.index(second)]
        tested = _tests(lead, error[:, k], df[:, k], level)
        if min(sample.units()) < FEWEST_FOR_TESTS:
            tested = tested._replace(p_value=np.where(error[:, k] > 0, np.nan, tested.p_value))
        tests[first, second] = Differences(*(part.reshape(shape) for part in tested))
    return AukGrid(prevalence, cost, found, tests)


def at_nodes(
    models: Models, p: FloatArray, c: FloatArray, pseudo: tuple[float, float], n_pairs: int
) -> tuple[FloatArray, FloatArray]:
    """AUKs (g, m) at nodes, and the sums (g, m + pairs, 3) of their spreads."""
    sample = models.sample
    found = [models.ordered(name) for name in sample.scores]
    parts = [model.segments(pseudo) for model in found]
    sizes = np.array([len(part.steps) for part in parts])
    rates, steps = (np.zeros((len(parts), sizes.max() + more, 2)) for more in (1, 0))
    for m, part in enumerate(parts):
        rates[m, : sizes[m] + 1], steps[m, : sizes[m]] = part
    # The pseudo-rows at the lower end come first.
    cells = np.stack([model.cells for model in found]) + (4 if any(pseudo) else 0)
    rows, by_group = models.rows_of_spread()
    exact, near = (np.stack([2 * model, 2 * (1 - model)], axis=1) for model in (c, inside(c)))
    work = np.empty_like(steps), np.empty(len(sample.positive)), by_group
    value = np.empty((len(p), len(parts)))
    sums = np.empty((len(p), len(parts) + n_pairs, 3))
    at = p, exact, near, models.at.axis == "flagged"
    weights = np.array(pseudo)
    size = sums[..., 0].size * cells.shape[1]
    auk_nodes(rates, steps, sizes, cells, rows, at, weights, work, value, sums, size=size)
    return value, sums


def _intervals(
    models: Models, value: FloatArray, p: FloatArray, c: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Ends (g, m) as of `Models.interval`: on the logit scale, after each class got pseudo-rows."""
    sample, axis = models.sample, models.at.axis
    pseudo = pseudo_weights(sample)
    fixed = models
    at_ends = None  # AUKs (2, g, m) at the limits of a prevalence estimated from rows alike
    if models.at.estimated and sample.alike():
        fixed = models.evaluated(models.at._replace(estimated=False))
        ends = wilson_interval(p, len(sample.positive), normal_quantile(level))
        curves = [models.ordered(name).segments().rates[::-1].T for name in sample.scores]
        areas = [[areas_on_grid(f, t, end, c, axis) for f, t in curves] for end in ends]
        at_ends = np.swapaxes(areas, 1, 2)
    moved, sums = at_nodes(fixed, p, c, pseudo, 0)
    error = standard_errors(fixed.variances(sums)[0])
    if fixed.at.estimated:
        lowest = np.minimum(-1.0, kappa_from_rates(1.0, 0.0, p, cost=c))
        highest = np.ones_like(p)
    else:
        lowest, highest = (areas_on_grid(*ends, p, c, axis) for ends in (WORST, PERFECT))
    half = normal_quantile(level) * error
    low, high = logit_ends(moved, half, lowest[:, None], highest[:, None])
    # Of a NaN and a number the NaN.
    low, high = np.minimum(low, value), np.maximum(high, value)
    if at_ends is not None:
        low = value - np.hypot(value - low, value - np.minimum(value, at_ends.min(axis=0)))
        high = value + np.hypot(high - value, np.maximum(value, at_ends.max(axis=0)) - value)
    return low, high


def _tests(lead: FloatArray, error: FloatArray, df: FloatArray, level: float) -> Differences:
    """As `student_test`: without an error only p = 1 of no difference."""
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(error > 0, lead / error, np.nan)
    half = np.where(error > 0, stdtrit(df, (1 + level) / 2) * error, np.nan)
    p_value = 2 * stdtr(df, -np.abs(statistic))
    p_value = np.where((error == 0) & (np.abs(lead) < ROUNDING), 1.0, p_value)
    return Differences(lead, error, statistic, p_value, lead - half, lead + half)
