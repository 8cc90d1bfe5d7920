"""Undersample, split, fit, score and measure, for any number of random splits.

A replicate is seeded by the config's seed and its own number alone, so it is the same in every
scenario (common random numbers), on any number of cores and in any part. The split of Tables 4 and
5 is replicate 0.
"""

from __future__ import annotations

import logging
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.arrays import FloatArray, IntArray
from study.data.classes import PART_COLUMN
from study.errors import ExperimentError, ImpossibleError
from study.experiment.fitting import fit_and_score, scale
from study.experiment.measures import measure_replicates
from study.experiment.sampling import (
    ClassCounts,
    Split,
    class_counts,
    replicate_seeds,
    split_groups,
    split_rows,
    undersample,
)

log = logging.getLogger(__name__)
KEYS = ["model", "positive_class", "curve"]
# Messages of fits, by model, category, file and line of the code that warned.
Warnings = defaultdict[tuple[str, str, str, int], list[str]]


class Sample(NamedTuple):
    """Features and labels of all rows, and how many rows of each class a replicate keeps."""

    X: FloatArray
    minority: IntArray
    groups: IntArray | None
    counts: ClassCounts
    n_train: int


class Replicates(NamedTuple):
    """Scores of the test rows of each replicate, and the sizes of every replicate.

    Scores have the columns replicate, row, minority, model, score and probability; a score is
    missing where the training rows hold one class only, a probability also where the model has
    none. `kept` are the numbers of all rows of each replicate.
    """

    scores: pd.DataFrame
    kept: list[IntArray]
    sizes: dict[str, int]


def draw_replicates(
    features: pd.DataFrame, setting: Mapping[str, Any], replicates: Iterable[int], *, seed: int
) -> Replicates:
    """Draw the replicates of these numbers and score their test rows.

    The setting is a scenario's (`study.experiment.scenarios`). Features follow the columns row and
    minority (0/1), and part, the group of a row, if rows are split by group. What models warn of is
    counted and logged. ImpossibleError if the data do not have the rows that the setting asks for.
    """
    sample = _prepare(features, setting)
    row_numbers = features["row"].to_numpy()
    kept = []
    tables = []
    warned: Warnings = defaultdict(list)
    for number in replicates:
        seeds = replicate_seeds(seed, number)
        # Rows that are all kept stay in the order of the file.
        counts = None if setting["skew"] is None else sample.counts
        rows = undersample(sample.minority, counts, seeds.undersample)
        train, test = (rows[side] for side in _split(sample, rows, setting, seeds.split))
        fitted = _fit_models(sample, train, test, setting, seeds.models, warned)
        kept.append(row_numbers[rows])
        tables += [
            pd.DataFrame(
                {
                    "replicate": number,
                    "row": row_numbers[test],
                    "minority": sample.minority[test],
                    "model": model,
                    "score": score,
                    "probability": probability,
                }
            )
            for model, (score, probability) in fitted.items()
        ]
    _log_warnings(warned, len(kept))
    sizes = {**sample.counts._asdict(), "n_train": sample.n_train}
    return Replicates(pd.concat(tables, ignore_index=True), kept, sizes)


def draw_sample(
    labels: pd.DataFrame, setting: Mapping[str, Any], replicate: int, *, seed: int
) -> pd.DataFrame:
    """Row and minority of the rows that a replicate keeps; labels have these columns."""
    counts = None
    if setting["skew"] is not None:
        counts = _count_classes(labels["minority"].to_numpy(), setting)
    minority = labels["minority"].to_numpy()
    rows = undersample(minority, counts, replicate_seeds(seed, replicate).undersample)
    return labels.iloc[rows][["row", "minority"]].reset_index(drop=True)


def measure_scenario(drawn: Replicates, setting: Mapping[str, Any]) -> pd.DataFrame:
    """Measures of each replicate, model, positive class and curve."""
    return measure_replicates(drawn.scores, setting["prevalence"], setting["cost_ratio"])


def check_split(sample: pd.DataFrame, scores: pd.DataFrame) -> None:
    """ExperimentError if a side of the split shown holds one class, or no model could be fitted."""
    is_test = sample["row"].isin(scores["row"])
    for side, labels in (
        ("training", sample.loc[~is_test, "minority"]),
        ("test", sample.loc[is_test, "minority"]),
    ):
        if labels.nunique() < 2:
            raise ExperimentError(
                f"the {side} rows of replicate 0, the split that is shown, hold one class only: "
                "choose another seed, a larger skew or stratify: true."
            )
    if scores["score"].isna().all():
        raise ExperimentError("none of the models could be fitted: see the warnings in the log.")


def _prepare(features: pd.DataFrame, setting: Mapping[str, Any]) -> Sample:
    groups = None
    if setting["split"] == "group":
        groups = features[PART_COLUMN].to_numpy(dtype=np.int64)
    names = features.columns.drop(
        ["row", "minority", *([PART_COLUMN] if groups is not None else [])]
    )
    X = np.ascontiguousarray(features[names].to_numpy(dtype=np.float64))
    minority = features["minority"].to_numpy(dtype=np.int64)
    counts = _count_classes(minority, setting)
    n_train = setting["n_train"]
    if n_train < 1:
        n_train = sum(counts) * n_train + 1e-9
    return Sample(X, minority, groups, counts, int(n_train))


def _count_classes(minority: IntArray, setting: Mapping[str, Any]) -> ClassCounts:
    counts = class_counts(
        int((minority == 0).sum()),
        int((minority == 1).sum()),
        skew=setting["skew"],
        scheme=setting["sampling"],
        total=setting["total"],
        n_minority=setting["n_minority"],
    )
    if min(counts) < 2:
        raise ImpossibleError(
            f"only {min(counts)} row of a class is left, and training and test need one each: "
            "choose another skew, or more data."
        )
    return counts


def _split(sample: Sample, rows: IntArray, setting: Mapping[str, Any], seed: int) -> Split:
    """Positions of training and test rows among those that are kept."""
    if sample.groups is not None:
        return split_groups(sample.groups[rows], sample.n_train, seed)
    return split_rows(sample.minority[rows], sample.n_train, seed, stratify=setting["stratify"])


def _fit_models(
    sample: Sample,
    train: IntArray,
    test: IntArray,
    setting: Mapping[str, Any],
    seed: int,
    warned: Warnings,
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Scores and probabilities (n_test,) of the test rows, by model."""
    missing = np.full(len(test), np.nan)
    y_train = sample.minority[train]
    if not 0 < y_train.sum() < len(y_train):
        return dict.fromkeys(setting["models"], (missing, missing))
    X_train, X_test = scale(sample.X[train], sample.X[test], setting["scaling"])
    fitted = {}
    for name, model in setting["models"].items():
        with _record_warnings(name, warned):
            try:
                score, probability = fit_and_score(name, model, X_train, y_train, X_test, seed=seed)
            except ExperimentError as error:
                if "estimator" not in model:
                    raise
                # The user's other models go on.
                warnings.warn(str(error), stacklevel=1)
                score, probability = missing, None
        fitted[name] = (score, missing if probability is None else probability)
    return fitted


@contextmanager
def _record_warnings(model: str, warned: Warnings) -> Iterator[None]:
    """Record the warnings of one fit; a line that repeats itself counts once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    kinds = [(model, w.category.__name__, w.filename, w.lineno) for w in caught]
    for kind in dict.fromkeys(kinds):
        warned[kind].append(str(caught[kinds.index(kind)].message))


def _log_warnings(warned: Warnings, fits: int) -> None:
    """Log each kind once; a network stopped by its limit is worth a line for one fit alone."""
    for (model, category, *_), messages in warned.items():
        if fits == 1 or category != "ConvergenceWarning":
            # Messages may hold numbers of one fit: the first stands for all of its line.
            example = messages[0].partition("\n")[0]
            text = "%s: %s in %d of %d replicates, such as: %s"
            log.warning(text, model, category, len(messages), fits, example)
