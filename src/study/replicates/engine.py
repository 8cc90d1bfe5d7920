"""Undersample, split, fit, score and measure, for any number of random splits.

A replicate is seeded by the config's seed and its own number alone, so it is the same in every
cell of a sweep (common random numbers), on any number of cores and in any chunking. The split of
Tables 4 and 5 is replicate 0.
"""

from __future__ import annotations

import logging
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from study.arrays import FloatArray, IntArray
from study.data.classes import PART_COLUMN
from study.errors import ExperimentError
from study.models.fitting import fit_and_score, scale
from study.models.registry import Scaling
from study.replicates.counts import ClassCounts, Scheme, class_counts
from study.replicates.evaluation import measure_replicates
from study.replicates.sampling import Split, replicate_seeds, split_groups, split_rows, undersample

log = logging.getLogger(__name__)
# Messages of fits, by model, category, file and line of the code that warned.
Warned = defaultdict[tuple[str, str, str, int], list[str]]


@dataclass(frozen=True)
class Cell:
    """One combination of settings under which replicates are drawn.

    The attributes are those of the config's section ``experiment``. A ``skew`` of None keeps all
    rows; an ``n_train`` below one is a share of them; ``prevalence`` is the share of the minority
    at which kappa, AUK and H are evaluated, None for the test rows'. If the ``split`` is by group,
    the features have a column part: the group of a row.
    """

    models: Mapping[str, Mapping[str, Any]]
    dataset: str = "german_credit"
    skew: float | None = 0.11
    encoding: str = "strathclyde"
    sampling: Scheme = "keep_majority"
    total: int | None = None
    n_minority: int | None = None
    n_train: float = 500
    stratify: bool = False
    split: Literal["random", "group"] = "random"
    scaling: Scaling = "standard"
    prevalence: float | None = None
    cost_ratio: float | None = None


class Replicates(NamedTuple):
    """Replicates of a cell, whose skew and number of training rows are as they came out.

    Kept are the numbers of all rows of each replicate; scores have the columns replicate, row,
    minority, model, score and probability, of the test rows: missing where the training rows hold
    one class only, a probability also where the model has none.
    """

    cell: Cell
    counts: ClassCounts
    kept: list[IntArray]
    scores: pd.DataFrame

    @property
    def measures(self) -> pd.DataFrame:
        """Columns of the cell, replicate, model, positive_class, curve and the measures, sorted.

        Measures are missing where the training or the test rows of a replicate hold one class
        only.
        """
        cell = self.cell
        whole = measure_replicates(self.scores, cell.prevalence, cell.cost_ratio)
        of_cell = ["dataset", "skew", "encoding", "sampling", "n_train", "stratify"]
        for position, name in enumerate(of_cell, start=1):
            whole.insert(position, name, getattr(cell, name))
        return whole


class _Data(NamedTuple):
    """Features and labels, the completed cell, and the rows of each class that it keeps."""

    X: FloatArray
    minority: IntArray
    cell: Cell
    counts: ClassCounts
    part: IntArray | None


def run_replicates(
    features: pd.DataFrame, cell: Cell, numbers: Iterable[int], *, seed: int
) -> Replicates:
    """Draw the replicates of these numbers and score their test rows.

    The features come after the columns row and minority (0/1). What the models warn of is counted
    and logged, but for fits of many replicates that did not converge. ImpossibleError if the data
    do not have the rows that the cell asks for.
    """
    data = _prepared(features, cell)
    row_numbers = features["row"].to_numpy()
    models = list(cell.models)
    samples = []
    scores_of_splits = []
    warned: Warned = defaultdict(list)
    for number in numbers:
        seeds = replicate_seeds(seed, number)
        # Rows that are all kept stay in the order of the file.
        wanted = None if cell.skew is None else data.counts
        sample = undersample(data.minority, wanted, seeds.undersample)
        train, test = (sample[rows] for rows in _split(data, sample, seeds.split))
        scores, probabilities = _scores(data, train, test, seeds.models, warned)
        scored = {
            "replicate": np.full(len(models) * len(test), number),
            "row": np.tile(row_numbers[test], len(models)),
            "minority": np.tile(data.minority[test], len(models)),
            "model": np.repeat(np.arange(len(models)), len(test)),
            "score": np.concatenate(scores),
            "probability": np.concatenate(probabilities),
        }
        samples.append(row_numbers[sample])
        scores_of_splits.append(scored)
    _log_warnings(warned, len(scores_of_splits))
    return Replicates(data.cell, data.counts, samples, _stacked(scores_of_splits, models))


def _stacked(parts: list[dict[str, Any]], models: list[str]) -> pd.DataFrame:
    """One table of all splits, with the models by name instead of number."""
    if not parts:
        return pd.DataFrame()
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return pd.DataFrame(columns | {"model": pd.Index(models).take(columns["model"])})


def _split(data: _Data, kept: IntArray, seed: int) -> Split:
    """Training and test rows among those that are kept."""
    n_train = int(data.cell.n_train)
    if data.part is None:
        return split_rows(data.minority[kept], n_train, seed, stratify=data.cell.stratify)
    part = data.part[kept]
    return split_groups(part, n_train, seed)


def single_split(
    features: pd.DataFrame, cell: Cell, *, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Replicate 0: row and minority of the rows that are kept; the scores of its test rows.

    A model of the user's that can't be fitted is left out. ExperimentError as with
    :func:`run_replicates`, or if the training or the test rows hold one class only.
    """
    _, _, (kept,), all_scores = run_replicates(features, cell, range(1), seed=seed)
    labels = features.set_index("row")["minority"]
    sample = labels.reindex(pd.Index(kept, name="row"))
    is_test = sample.index.isin(all_scores["row"])
    for side, rows in (("training", sample[~is_test]), ("test", sample[is_test])):
        if rows.nunique() < 2:
            raise ExperimentError(
                f"the {side} rows of this split hold one class only: choose another seed, a larger "
                "skew or stratify: true."
            )
    scores = all_scores.drop(columns="replicate").dropna(subset="score")
    if scores.empty:
        raise ExperimentError("none of the models could be fitted: see the warnings above.")
    return sample.reset_index(), scores


def _prepared(features: pd.DataFrame, cell: Cell) -> _Data:
    """Arrays of the features; what the cell leaves to the data is filled in."""
    part = None if cell.split == "random" else features[PART_COLUMN].to_numpy(dtype=np.int64)
    others = ["row", "minority", *[PART_COLUMN] * (part is not None)]
    X = features.drop(columns=others).to_numpy(dtype=np.float64)
    minority = features["minority"].to_numpy(dtype=np.int64)
    sampling: Any = {name: getattr(cell, name) for name in ("skew", "total", "n_minority")}
    available = ClassCounts(int((minority == 0).sum()), int((minority == 1).sum()))
    counts = class_counts(*available, scheme=cell.sampling, **sampling)
    n_rows = sum(counts)
    skew = counts.minority / n_rows if cell.skew is None else cell.skew
    n_train = int(cell.n_train * n_rows + 1e-9 if cell.n_train < 1 else cell.n_train)
    completed = replace(cell, skew=skew, n_train=n_train)
    return _Data(np.ascontiguousarray(X), minority, completed, counts, part)


def _scores(
    data: _Data, train: IntArray, test: IntArray, seed: int, warned: Warned
) -> tuple[list[FloatArray], list[FloatArray]]:
    """Of each model: scores and probabilities (n_test,) of the test rows.

    They are missing with one class to learn from.
    """
    missing = np.full(len(test), np.nan)
    y_train = data.minority[train]
    if not 0 < y_train.sum() < len(y_train):
        count = len(data.cell.models)
        return [missing] * count, [missing] * count
    X_train, X_test = scale(data.X[train], data.X[test], data.cell.scaling)
    scores = []
    probabilities = []
    for name, settings in data.cell.models.items():
        with _recorded(name, warned):
            try:
                score, probability = fit_and_score(
                    name, settings, X_train, y_train, X_test, seed=seed
                )
            except ExperimentError as error:
                if "estimator" not in settings:
                    raise
                # The other models go on.
                warnings.warn(str(error), stacklevel=1)
                score, probability = missing, None
        scores.append(score)
        probabilities.append(missing if probability is None else probability)
    return scores, probabilities


@contextmanager
def _recorded(model: str, warned: Warned) -> Iterator[None]:
    """Record the warnings of one fit; a line that repeats itself counts once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    kinds = [(model, w.category.__name__, w.filename, w.lineno) for w in caught]
    for kind in dict.fromkeys(kinds):
        warned[kind].append(str(caught[kinds.index(kind)].message))


def _log_warnings(warned: Warned, fits: int) -> None:
    """Log each kind once; a network stopped by its limit is worth a line for one fit alone."""
    for (model, category, *_), messages in warned.items():
        if fits == 1 or category != "ConvergenceWarning":
            # Messages may hold numbers of one fit: the first stands for all of its line.
            example = messages[0].partition("\n")[0]
            text = "%s: %s in %d of %d replicates, such as: %s"
            log.warning(text, model, category, len(messages), fits, example)
