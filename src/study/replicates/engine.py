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
from study.data.classes import GERMAN_CREDIT, PART_COLUMN, Classes
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

    The attributes are those of the config's section ``experiment``; ``trainer`` is a label (the
    models' settings say how they are trained). A ``skew`` of None keeps all rows; an ``n_train``
    below one is a share of them; ``prevalence`` is the share of the class 1 at which kappa, AUK and
    H are evaluated, None for the test rows'; ``cost_ratio`` is what a missed row of class 1 costs
    over a false alarm, in kappa and AUK. If the ``split`` is not random, the features have a column
    part: the group of a row, or for a split that is given 1 for the test rows.
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


class Replicates(NamedTuple):
    """Replicates of a cell, whose skew and number of training rows are as they came out.

    Kept are the numbers of all rows of each replicate; scores have the columns replicate, row, bad
    (or the classes' column), model, score, of the test rows: missing where the training rows hold
    one class only.
    """

    cell: Cell
    kept: list[IntArray]
    scores: pd.DataFrame

    @property
    def measures(self) -> pd.DataFrame:
        """Columns of the cell, replicate, model, positive_class, curve and the measures, sorted.

        Measures are missing where the training or the test rows of a replicate hold one class
        only.
        """
        cell = self.cell
        at = (cell.prevalence, cell.classes, cell.cost_ratio)
        # Those of one size are measured together.
        sizes = self.scores.groupby("replicate")["row"].transform("size")
        tables = [measure_replicates(table, *at) for _, table in self.scores.groupby(sizes)]
        whole = pd.concat(tables).sort_values("replicate", kind="stable", ignore_index=True)
        of_cell = ["dataset", "skew", "encoding", "sampling", "trainer", "n_train", "stratify"]
        for position, name in enumerate(of_cell, start=1):
            whole.insert(position, name, getattr(cell, name))
        return whole


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
    data, row_numbers = _prepared(features, cell), features["row"].to_numpy()
    models, column = list(cell.models), cell.classes.column
    all_kept, drawn = [], []
    warned: Warned = defaultdict(list)
    for number in numbers:
        seeds = replicate_seeds(seed, number)
        kept = undersample(data.bad, data.counts, seeds.undersample)
        train, test = (kept[rows] for rows in _split(data, kept, seeds.split))
        scored = {
            "replicate": np.full(len(models) * len(test), number),
            "row": np.tile(row_numbers[test], len(models)),
            column: np.tile(data.bad[test], len(models)),
            "model": np.repeat(models, len(test)),
            "score": np.concatenate(_scores(data, train, test, seeds.models, warned)),
        }
        all_kept.append(row_numbers[kept])
        drawn.append(scored)
    _tell(warned, len(drawn))
    columns = {name: np.concatenate([scored[name] for scored in drawn]) for name in drawn[0]}
    return Replicates(data.cell, all_kept, pd.DataFrame(columns))


def _split(data: _Data, kept: IntArray, seed: int) -> Split:
    """Training and test rows among those that are kept."""
    n_train = int(data.cell.n_train)
    if data.part is None:
        return split_rows(data.bad[kept], n_train, seed, stratify=data.cell.stratify)
    part = data.part[kept]
    if data.cell.split == "group":
        return split_groups(part, n_train, seed)
    return Split(np.flatnonzero(part == 0), np.flatnonzero(part == 1))


def single_split(
    features: pd.DataFrame, cell: Cell, *, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Replicate 0: row and bad of the rows that are kept; row, bad, model and score of its test.

    A model of the user's that can't be fitted is left out. ExperimentError as with
    :func:`run_replicates`, or if the training or the test rows hold one class only.
    """
    _, (kept,), whole = run_replicates(features, cell, range(1), seed=seed)
    labels = features.set_index("row")[cell.classes.column]
    sample = labels.reindex(pd.Index(kept, name="row"))
    is_test = sample.index.isin(whole["row"])
    for side, rows in (("training", sample[~is_test]), ("test", sample[is_test])):
        if rows.nunique() < 2:
            advice = "choose another seed, a larger skew or stratify: true"
            advice = "choose other rows" if cell.split == "given" else advice
            raise ExperimentError(f"the {side} rows of this split hold one class only: {advice}.")
    scores = whole.drop(columns="replicate").dropna()
    if scores.empty:
        raise ExperimentError("none of the models could be fitted: see the warnings above.")
    return sample.reset_index(), scores


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
    n_train = int(cell.n_train * n_rows + 1e-9 if cell.n_train < 1 else cell.n_train)
    whole = replace(cell, skew=skew, n_train=n_train)
    # Rows that are all kept stay in the order of the file.
    return _Data(np.ascontiguousarray(X), bad, whole, None if cell.skew is None else counts, part)


def _scores(
    data: _Data, train: IntArray, test: IntArray, seed: int, warned: Warned
) -> list[FloatArray]:
    """Scores of each model, (n_test,); missing where there is one class to learn from."""
    missing, y_train = np.full(len(test), np.nan), data.bad[train]
    if not 0 < y_train.sum() < len(y_train):
        return [missing] * len(data.cell.models)
    X_train, X_test = scale(data.X[train], data.X[test], data.cell.scaling)
    scores = []
    for name, settings in data.cell.models.items():
        with _recorded(name, warned):
            try:
                score = fit_and_score(name, settings, X_train, y_train, X_test, seed=seed)
            except ExperimentError as error:
                if "estimator" not in settings:
                    raise
                # The other models go on.
                warnings.warn(str(error), stacklevel=1)
                score = missing
        scores.append(score)
    return scores


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
