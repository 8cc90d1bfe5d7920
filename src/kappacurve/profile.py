"""The AUK as a function of the cost: from AUC - 1/2 to the AUK of Cohen's kappa, and beyond."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import Axis, FloatArray, check_named, check_rate
from kappacurve.bounds.published_values import roots
from kappacurve.inference._sample import check_design, check_sample
from kappacurve.inference.analytic import Models
from kappacurve.inference.grid import grid_of
from kappacurve.inference.results import Sampling, check_level
from kappacurve.kappa import areas_on_grid
from kappacurve.roc import vertices_of


class Tie(NamedTuple):
    """A cost at which two models have the same AUK."""

    cost: float
    first: str
    second: str


class Lead(NamedTuple):
    """Costs between which a model has the largest AUK."""

    low: float
    high: float
    model: str


class AukProfile(NamedTuple):
    """AUK over the cost share c of a missed positive, by model, with pointwise bands."""

    costs: FloatArray
    auk: dict[str, FloatArray]
    low: dict[str, FloatArray]
    high: dict[str, FloatArray]
    ties: list[Tie]
    leaders: list[Lead]
    prevalence: float


def auk_profile(
    y_true: npt.ArrayLike,
    y_scores: npt.ArrayLike | Mapping[str, npt.ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    axis: Axis = "fpr",
    costs: npt.ArrayLike | None = None,
    sampling: Sampling | None = None,
    level: float = 0.95,
) -> AukProfile:
    """AUK of one or several models at every cost, where two of them tie, and which leads where.

    At the cost 1/2 it is the AUK, at 1 - prevalence it is AUC - 1/2. If the one prefers another
    model than the other, at least one cost between the two makes the models tie.

    Parameters
    ----------
    y_scores : array-like of shape (n_samples,), or mapping of str to such
        Scores of one model, or of several by name.
    y_true, pos_label, sample_weight, groups, prevalence, axis, sampling
        As in :func:`kappacurve.interval`, with the same errors.
    costs : array-like of shape (n_costs,) in [0, 1], optional
        Where to evaluate; by default 0, 0.01, ..., 1.
    level : float in (0, 1), default 0.95
        Of the bands.

    Returns
    -------
    AukProfile
        costs of shape (n_costs,); auk, low, high of that shape by model; ties, all of (0, 1) in
        rising order, with cost, first and second; leaders with low, high and model, from 0 to 1;
        the prevalence.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
    >>> scores = {"a": [4, 6, 2, 7, 3, 5, 9, 0, 8, 1], "b": [2, 9, 3, 6, 0, 4, 8, 7, 5, 1]}
    >>> for lead in auk_profile(y_true, scores).leaders:
    ...     print(f"{lead.model} from {lead.low:.3f} to {lead.high:.3f}")
    a from 0.000 to 0.236
    b from 0.236 to 1.000
    """
    # A DataFrame stands for several models, a Series for one.
    if not isinstance(y_scores, Mapping) and len(getattr(y_scores, "shape", "1")) < 2:
        y_scores = {"score": y_scores}
    scores = check_named("y_scores", y_scores)
    grid = check_rate("costs", np.linspace(0, 1, 101) if costs is None else costs)
    sample = check_sample(y_true, scores, pos_label, sample_weight, groups)
    design = check_design(sample, prevalence, axis=axis, sampling=sampling)
    p = design.prevalence
    found = grid_of(Models(sample, design), p, grid, check_level(level), paired=False)
    auk, low, high = ({m: found.models[m][end] for m in scores} for end in (0, 2, 3))
    curves = {model: vertices_of(sample.scored(model))[:2] for model in scores}

    def area(model: str, c: npt.ArrayLike) -> FloatArray:
        return areas_on_grid(*curves[model], p, c, axis)

    def lead(first: str, second: str, c: FloatArray) -> FloatArray:
        return area(first, c) - area(second, c)

    pairs = combinations(scores, 2)
    ties = sorted(Tie(at, *pair) for pair in pairs for at in roots(partial(lead, *pair)))
    leaders: list[Lead] = []
    for start, end in pairwise([0.0, *(tie.cost for tie in ties), 1.0]):
        areas = {model: float(area(model, (start + end) / 2)) for model in scores}
        best = max(areas, key=areas.__getitem__)
        if leaders and leaders[-1].model == best:
            leaders[-1] = leaders[-1]._replace(high=end)
        else:
            leaders.append(Lead(start, end, best))
    return AukProfile(grid, auk, low, high, ties, leaders, p)
