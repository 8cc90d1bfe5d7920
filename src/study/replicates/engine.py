"""Undersample, split, fit, score and measure, for any number of random splits.

A replicate is seeded by the config's seed and its own number alone, so it is the same in every
cell of a sweep (common random numbers), on any number of cores and in any chunking. The split of
Tables 4 and 5 is replicate 0.
"""

from __future__ import annotations

import logging
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from study.arrays import FloatArray, IntArray
from study.data.classes import GERMAN_CREDIT, PART_COLUMN, Classes
from study.errors import ExperimentError
from study.models.registry import Scaling, fit_and_score, scale
from study.replicates.evaluation import measure_replicates
from study.replicates.sampling import (
    ClassCounts,
    Scheme,
    Seeds,
    Split,
    class_counts,
    replicate_seeds,
    split_groups,
    split_rows,
    training_rows,
    undersample,
)

log = logging.getLogger(__name__)
# Messages of fits, by model, category, file and line of the code that warned.
Warned = defaultdict[tuple[str, str, str, int], list[str]]


@dataclass(frozen=True)
class Cell:
    """One combination of settings under which replicates are drawn.

    The attributes are those of the config's section ``experiment``; ``trainer`` is a label (the
    models' settings say how they are trained). A ``skew`` of None keeps all rows; ``prevalence`` is
    the share of the class 1 at which kappa, AUK and H are evaluated, None for the test rows';
    ``cost_ratio`` is what a missed row of class 1 costs over a false alarm, in kappa and AUK. If
    the ``split`` is not random, the features have a column part: the group of a row, or for a split
    that is given 1 for the test rows.
    """

    models: Mapping[str, Mapping[str, Any]]
    dataset: str = "german_credit"
    skew: float | None = 0.11
    encoding: str = "strathclyde"
    sampling: Scheme = "keep_majority"
    trainer: str = "compiled"
    total: int = 0
    n_minority: int | None = None
    n_train: float = 500
    stratify: bool = False
    split: Literal["random", "group", "given"] = "random"
    scaling: Scaling = "standard"
    prevalence: float | None = None
    cost_ratio: float | None = None
    classes: Classes = GERMAN_CREDIT


@dataclass(frozen=True)
class Replicates:
    """The test rows of replicates, with their labels and the scores of each model.

    The cell has the skew and the number of training rows as they came out. Each replicate has a
    number, all rows that are kept, test rows and labels of the shape (n_test,), and scores
    (n_models, n_test): missing where the training rows hold one class only.
    """

    cell: Cell
    numbers: Sequence[int]
    kept: Sequence[IntArray]
    rows: Sequence[IntArray]
    labels: Sequence[IntArray]
    scored: Sequence[FloatArray]

    @property
    def measures(self) -> pd.DataFrame:
        """Columns of the cell, replicate, model, positive_class, curve and the measures, sorted.

        Measures are missing where the training or the test rows of a replicate hold one class
        only.
        """
        cell, scores = self.cell, self.scores
        # Those of one size are measured together.
        one_size = len({len(rows) for rows in self.rows}) == 1
        groups = [scores] if one_size else [table for _, table in scores.groupby("replicate")]
        at = (cell.prevalence, cell.classes, cell.cost_ratio)
        whole = pd.concat([measure_replicates(table, *at) for table in groups], ignore_index=True)
        of_cell = ["dataset", "skew", "encoding", "sampling", "trainer", "n_train", "stratify"]
        for position, name in enumerate(of_cell, start=1):
            whole.insert(position, name, getattr(cell, name))
        return whole

    @property
    def scores(self) -> pd.DataFrame:
        """Columns replicate, row, bad (or the classes' column), model, score."""
        models, sizes = list(self.cell.models), [len(rows) for rows in self.rows]
        return pd.DataFrame(
            {
                "replicate": np.repeat(self.numbers, len(models) * np.array(sizes)),
                "row": np.concatenate([np.tile(rows, len(models)) for rows in self.rows]),
                self.cell.classes.column: np.concatenate(
                    [np.tile(labels, len(models)) for labels in self.labels]
                ),
                "model": np.tile(models, len(sizes)).repeat(np.repeat(sizes, len(models))),
                "score": np.concatenate([scores.ravel() for scores in self.scored]),
            }
        )


class _Data(NamedTuple):
    """Features and labels, the completed cell, and the rows of each class that it keeps."""

    X: FloatArray
    bad: IntArray
    cell: Cell
    counts: ClassCounts | None
    part: IntArray | None


def run_replicates(
    features: pd.DataFrame, cell: Cell, numbers: Iterable[int], *, seed: int
) -> Replicates:
    """Draw the replicates of these numbers and score their test rows.

    The features come after the columns row and bad (0/1, or that of the cell's classes). What the
    models warn of is counted and logged, but for fits of many replicates that did not converge.
    ExperimentError if the data do not have the rows that the cell asks for.
    """
    data = _prepared(features, cell)
    cell = data.cell
    row_numbers = features["row"].to_numpy()
    drawn, kept_rows, labels, rows, scores = [], [], [], [], []
    warned: Warned = defaultdict(list)
    for number in numbers:
        seeds = replicate_seeds(seed, number)
        kept = undersample(data.bad, data.counts, seeds.undersample)
        split = _split(data, kept, seeds.split)
        drawn.append(number)
        kept_rows.append(row_numbers[kept])
        labels.append(data.bad[split.test])
        rows.append(row_numbers[split.test])
        scores.append(_scores(data, split, seeds, warned))
    _tell(warned, len(drawn))
    return Replicates(cell, drawn, kept_rows, rows, labels, scores)


def _split(data: _Data, kept: IntArray, seed: int) -> Split:
    """Training and test rows among those that are kept."""
    n_train = int(data.cell.n_train)
    if data.part is None:
        within = split_rows(data.bad[kept], n_train, seed, stratify=data.cell.stratify)
    elif data.cell.split == "group":
        within = split_groups(data.part[kept], n_train, seed)
    else:
        within = Split(*(np.flatnonzero(data.part[kept] == side) for side in (0, 1)))
    return Split(kept[within.train], kept[within.test])


def single_split(
    features: pd.DataFrame, cell: Cell, *, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Replicate 0: row and bad of the rows that are kept; row, bad, model and score of its test.

    A model of the user's that can't be fitted is left out. ExperimentError as with
    :func:`run_replicates`, or if the training or the test rows hold one class only.
    """
    first = run_replicates(features, cell, range(1), seed=seed)
    labels = features.set_index("row")[cell.classes.column]
    sample = labels.reindex(pd.Index(first.kept[0], name="row")).reset_index()
    ones_in_test, n_test = first.labels[0].sum(), len(first.labels[0])
    ones_in_training = sample[cell.classes.column].sum() - ones_in_test
    sides = {"training": (ones_in_training, len(sample) - n_test), "test": (ones_in_test, n_test)}
    for side, (ones, n) in sides.items():
        if not 0 < ones < n:
            advice = "choose another seed, a larger skew or stratify: true"
            advice = "choose other rows" if cell.split == "given" else advice
            raise ExperimentError(f"the {side} rows of this split hold one class only: {advice}.")
    scores = first.scores.drop(columns="replicate").dropna()
    if scores.empty:
        raise ExperimentError("none of the models could be fitted: see the warnings above.")
    return sample, scores


def _prepared(features: pd.DataFrame, cell: Cell) -> _Data:
    """Arrays of the features; what the cell leaves to the data is filled in."""
    column = cell.classes.column
    part = None if cell.split == "random" else features[PART_COLUMN].to_numpy(dtype=np.int64)
    others = ["row", column, *[PART_COLUMN] * (part is not None)]
    X = features.drop(columns=others).to_numpy(dtype=np.float64)
    bad = features[column].to_numpy(dtype=np.int64)
    n_bad = int(bad.sum())
    wanted: Any = {name: getattr(cell, name) for name in ("skew", "total", "n_minority")}
    wanted |= {"scheme": cell.sampling, "names": cell.classes[1:]}
    counts = class_counts(len(bad) - n_bad, n_bad, **wanted)
    n_rows = counts.good + counts.bad
    skew = counts.bad / n_rows if cell.skew is None else cell.skew
    whole = replace(cell, skew=skew, n_train=training_rows(cell.n_train, n_rows))
    # Rows that are all kept stay in the order of the file.
    return _Data(np.ascontiguousarray(X), bad, whole, None if cell.skew is None else counts, part)


def _scores(data: _Data, split: Split, seeds: Seeds, warned: Warned) -> FloatArray:
    """Scores (models, n_test) of a split; missing where there is one class to learn from."""
    models, y_train = data.cell.models, data.bad[split.train]
    if not 0 < y_train.sum() < len(y_train):
        return np.full((len(models), len(split.test)), np.nan)
    X_train, X_test = scale(data.X[split.train], data.X[split.test], data.cell.scaling)
    scores = []
    for name, settings in models.items():
        with _recorded(name, warned):
            try:
                score = fit_and_score(name, settings, X_train, y_train, X_test, seed=seeds.models)
            except ExperimentError as error:
                if "estimator" not in settings:
                    raise
                # The other models go on.
                warnings.warn(str(error), stacklevel=1)
                score = np.full(len(split.test), np.nan)
        scores.append(score)
    return np.stack(scores)


@contextmanager
def _recorded(model: str, warned: Warned) -> Iterator[None]:
    """Record the warnings of one fit; a line that repeats itself counts once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    kinds = [(model, w.category.__name__, w.filename, w.lineno) for w in caught]
    for kind in dict.fromkeys(kinds):
        warned[kind].append(str(caught[kinds.index(kind)].message))


def _tell(warned: Warned, fits: int) -> None:
    """Log each kind once; a network stopped by its limit is worth telling of one fit alone."""
    for (model, category, *_), messages in warned.items():
        if fits == 1 or category != "ConvergenceWarning":
            # Messages may hold numbers of one fit: the first stands for all of its line.
            such = messages[0].partition("\n")[0]
            told = (model, category, len(messages), fits, such)
            log.warning("%s: %s in %d of %d replicates, such as: %s", *told)
