"""Thousands of splits instead of one: undersample, split, fit, score and measure, again and again.

A replicate is seeded by the config's seed and its own number alone, so it is the same in every
cell of a sweep (common random numbers), on any number of cores and in any chunking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.measures import MEASURES as REGISTRY, batch_measures
from study.arrays import FloatArray
from study.data.classes import GERMAN_CREDIT, Classes
from study.models.fit_warnings import FitWarnings
from study.models.registry import IntArray, Scaling, fit_and_score, scale
from study.models.training import as_arrays
from study.replicates.sampling import (
    Scheme,
    Seeds,
    Split,
    class_counts,
    replicate_seeds,
    split_by_index,
    training_rows,
    undersample_by_index,
)

MEASURES = ("auc", "auk", "auk_trapezoid", "h", "ks", "kappa_max", "fpr", "tpr", "threshold")
# The measure of the hull, where it is another than that of the curve.
OF_THE_HULL = {name: measure.hull for name, measure in REGISTRY.items() if measure.hull}


@dataclass(frozen=True)
class Cell:
    """One combination of settings under which replicates are drawn.

    The attributes are those of the config's section ``experiment``; ``models`` maps
    names to their settings, and ``trainer`` says how the cell's network is trained (a label: the
    models' settings do it). A ``skew`` of None keeps all rows; ``prevalence`` is the share of the
    class 1 at which kappa, AUK and H are evaluated, None for that of each replicate's test rows.
    """

    models: Mapping[str, Mapping[str, Any]]
    dataset: str = "german_credit"
    skew: float | None = 0.11
    encoding: str = "strathclyde"
    sampling: Scheme = "keep_majority"
    trainer: str = "compiled"
    total: int | None = None
    n_minority: int | None = None
    n_train: float = 500
    stratify: bool = False
    scaling: Scaling = "standard"
    prevalence: float | None = None
    classes: Classes = GERMAN_CREDIT


class Replicates(NamedTuple):
    """Measures of every replicate, and the scores of the first few."""

    measures: pd.DataFrame
    scores: pd.DataFrame


def run_replicates(
    features: pd.DataFrame,
    cell: Cell,
    numbers: Iterable[int],
    *,
    seed: int,
    keep_scores: int = 0,
) -> Replicates:
    """Draw and measure replicates.

    Parameters
    ----------
    features : DataFrame
        Columns row, bad (0/1, or the column of the cell's classes) and the features.
    cell : Cell
    numbers : iterable of int
        Which replicates; wrap it for a progress bar.
    seed : int
        Root of the random numbers.
    keep_scores : int
        Scores of the replicates with a smaller number are kept.

    Returns
    -------
    Replicates
        measures: replicate, dataset, skew, encoding, sampling, trainer, n_train, stratify, model,
        positive_class, curve and the measures, sorted; measures are missing where the training or
        the test rows of a replicate hold one class only. scores: replicate, row, bad, model, score.
        What the models warn of is counted and logged, but for fits that did not converge.

    Raises
    ------
    ExperimentError
        If the data do not have the rows that the cell asks for.
    """
    X, bad = as_arrays(features, cell.classes.column)
    n_bad = int(bad.sum())
    counts = class_counts(
        len(bad) - n_bad,
        n_bad,
        skew=cell.skew,
        scheme=cell.sampling,
        total=cell.total,
        n_minority=cell.n_minority,
        names=(cell.classes.zero, cell.classes.one),
    )
    # What the cell leaves to the data is written down as it came out.
    n_rows = counts.good + counts.bad
    skew = counts.bad / n_rows if cell.skew is None else cell.skew
    whole, everything = cell.skew is None, np.arange(n_rows)
    cell = replace(cell, skew=skew, n_train=training_rows(cell.n_train, n_rows))
    drawn, labels, rows, scores, warned = [], [], [], [], FitWarnings()
    for number in numbers:
        seeds = replicate_seeds(seed, number)
        # Rows that are all kept stay in the order of the file, as those of the single split.
        kept = everything if whole else undersample_by_index(bad, counts, seeds.undersample)
        split = split_by_index(bad[kept], int(cell.n_train), seeds.split, stratify=cell.stratify)
        train, test = kept[split.train], kept[split.test]
        drawn.append(number)
        labels.append(bad[test])
        rows.append(features["row"].to_numpy()[test])
        scores.append(_scores(X, bad, Split(train, test), cell, seeds, warned))
    warned.write(len(drawn))
    found = np.asarray(drawn), np.stack(labels), np.stack(scores, axis=1)
    return Replicates(_measured(cell, *found), _kept(cell, keep_scores, np.stack(rows), *found))


def _scores(
    X: FloatArray, bad: IntArray, split: Split, cell: Cell, seeds: Seeds, warned: FitWarnings
) -> FloatArray:
    """Scores (models, n_test) of a split; missing where there is one class to learn from."""
    y_train = bad[split.train]
    if not 0 < y_train.sum() < len(y_train):
        return np.full((len(cell.models), len(split.test)), np.nan)
    X_train, X_test = scale(X[split.train], X[split.test], cell.scaling)
    scores = []
    for name, settings in cell.models.items():
        with warned.of(name):
            score = fit_and_score(name, settings, X_train, y_train, X_test, seed=seeds.models)
        scores.append(score)
    return np.stack(scores)


def _measured(
    cell: Cell, numbers: npt.NDArray[Any], bad: IntArray, scores: FloatArray
) -> pd.DataFrame:
    """Measures of scores (models, replicates, n_test) with labels bad (replicates, n_test)."""
    tables = []
    for name, score in zip(cell.models, scores, strict=True):
        for positive_class in (cell.classes.zero, cell.classes.one):
            to_one = positive_class == cell.classes.one
            for curve, found in _curves_measured(cell, bad, score, to_one).items():
                place = {"replicate": numbers, "model": name}
                place |= {"positive_class": positive_class, "curve": curve}
                tables.append(pd.DataFrame({**place, **found}))
    whole = pd.concat(tables, ignore_index=True).sort_values("replicate", kind="stable")
    of_the_cell = ("dataset", "skew", "encoding", "sampling", "trainer", "n_train", "stratify")
    whole = whole.assign(**{name: getattr(cell, name) for name in of_the_cell})
    order = ["replicate", "dataset", "skew", "encoding", "sampling", "trainer", "n_train"]
    order += ["stratify", "model", "positive_class", "curve", *MEASURES]
    return whole[order].reset_index(drop=True)


def _curves_measured(
    cell: Cell, bad: IntArray, score: FloatArray, to_one: bool
) -> dict[str, dict[str, FloatArray]]:
    """Measures of a model's raw curves and hulls, for one positive class; nan where undefined."""
    share = bad.mean(axis=1)
    fit = (share > 0) & (share < 1) & np.isfinite(score).all(axis=1)
    sign = 1.0 if to_one else -1.0
    prevalence = cell.prevalence
    if prevalence is not None and not to_one:
        prevalence = 1 - prevalence
    found = {}
    if fit.any():
        found = batch_measures((bad[fit] == 1) == to_one, sign * score[fit], prevalence=prevalence)
        found["threshold"] = sign * found["threshold"]
    whole = {name: np.full(len(bad), np.nan) for name in (*MEASURES, *OF_THE_HULL.values())}
    for name in whole:
        if found:
            whole[name][fit] = found[name]
    return {
        "raw": {name: whole[name] for name in MEASURES},
        "hull": {name: whole[OF_THE_HULL.get(name, name)] for name in MEASURES},
    }


def _kept(
    cell: Cell,
    keep: int,
    rows: npt.NDArray[Any],
    numbers: npt.NDArray[Any],
    bad: IntArray,
    scores: FloatArray,
) -> pd.DataFrame:
    """Scores of the replicates with numbers below `keep`, one row per replicate, model and row."""
    chosen = np.flatnonzero(numbers < keep)
    n_models, n_test = len(cell.models), rows.shape[1]
    return pd.DataFrame(
        {
            "replicate": np.repeat(numbers[chosen], n_models * n_test),
            "row": np.repeat(rows[chosen], n_models, axis=0).ravel(),
            cell.classes.column: np.repeat(bad[chosen], n_models, axis=0).ravel(),
            "model": np.tile(np.repeat(list(cell.models), n_test), len(chosen)),
            "score": scores[:, chosen].transpose(1, 0, 2).ravel(),
        }
    )
