"""Class counts, undersampling, the split, and the seeds of a replicate."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from study.arrays import IntArray
from study.errors import ImpossibleError

Scheme = Literal["keep_majority", "keep_majority_up", "total"]


class ClassCounts(NamedTuple):
    """Rows of each class after undersampling."""

    majority: int
    minority: int


def class_counts(
    majority: int,
    minority: int,
    *,
    skew: float | None,
    scheme: Scheme = "keep_majority",
    total: int | None = None,
) -> ClassCounts:
    """How many of these rows of each class are kept so that the share of the minority is `skew`.

    A skew of None keeps all rows. The schemes are those of the config key experiment.sampling:
    "keep_majority", the paper's, deletes only rows of the class that is too frequent, and rounds
    what is left of it down. ImpossibleError if the data do not have that many rows of a class.
    """

    def round_count(value: float) -> int:
        # 700 * 0.3 / 0.7 is 299.99999999999994: an integer up to rounding stays one.
        up = scheme == "keep_majority_up"
        return math.ceil(value - 1e-9) if up else math.floor(value + 1e-9)

    available = ClassCounts(majority, minority)
    if skew is None:
        return available
    if scheme == "total":
        rows = total or 0
        n = round_count(rows * skew)
        counts = ClassCounts(rows - n, n)
    elif skew > minority / (majority + minority):
        counts = ClassCounts(round_count(minority * (1 - skew) / skew), minority)
    else:
        counts = ClassCounts(majority, round_count(majority * skew / (1 - skew)))
    for name, wanted, limit in zip(ClassCounts._fields, counts, available, strict=True):
        if not 1 <= wanted <= limit:
            raise ImpossibleError(
                f"a skew of {skew:g} here needs {counts.majority} majority and {counts.minority} "
                f"minority rows, but the data have {limit} of the {name}: change skew or total."
            )
    return counts


class Seeds(NamedTuple):
    """An integer seed for each random step of a replicate."""

    undersample: int
    split: int
    models: int


# Positions of the training and the test rows.
Split = tuple[IntArray, IntArray]


def replicate_seeds(root: int, replicate: int) -> Seeds:
    """Seeds of a replicate, from the config's seed and the replicate's number alone."""
    sequence = np.random.SeedSequence(root, spawn_key=(replicate,))
    return Seeds(*(int(word) for word in sequence.generate_state(3)))


def undersample(minority: IntArray, counts: ClassCounts, seed: int) -> IntArray:
    """Positions of a random subset with the given class counts, grouped by class.

    The draws are those of imbalanced-learn's RandomUnderSampler, class by class from one stream,
    without its checks.
    """
    rng = np.random.RandomState(seed)
    sampled = []
    for label, count in ((0, counts.majority), (1, counts.minority)):
        rows = np.flatnonzero(minority == label)
        sampled.append(rows[rng.choice(len(rows), size=count, replace=False)])
    return np.concatenate(sampled)


def split_rows(minority: IntArray, n_train: int, seed: int, *, stratify: bool = False) -> Split:
    """Random training rows; all others are test rows. A side may lack a class.

    The rows are those of scikit-learn's train_test_split.
    """
    if stratify:
        from sklearn.model_selection import train_test_split

        chosen: Any = {"train_size": n_train, "random_state": seed, "stratify": minority}
        train, test = train_test_split(np.arange(len(minority)), **chosen)
        return train, test
    order = np.random.RandomState(seed).permutation(len(minority))
    n_test = len(minority) - n_train
    return order[n_test:], order[:n_test]


def split_groups(groups: IntArray, n_train: int, seed: int | None) -> Split:
    """Random groups for training, as many as come closest to `n_train` rows; the others test.

    Without a seed the first groups train, which are times then.
    """
    names, sizes = np.unique(groups, return_counts=True)
    if len(names) < 2:
        raise ImpossibleError("all rows are of one group, and at least two are needed.")
    order = np.arange(len(names))
    if seed is not None:
        order = np.random.RandomState(seed).permutation(len(names))
    taken = 1 + int(np.abs(np.cumsum(sizes[order])[:-1] - n_train).argmin())
    trains = np.isin(groups, names[order[:taken]])
    return np.flatnonzero(trains), np.flatnonzero(~trains)
