"""Class counts at a wanted skew, undersampling, the split, and the seeds of a replicate."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from study.arrays import IntArray
from study.errors import ExperimentError

Scheme = Literal["keep_majority", "keep_majority_up", "total"]


class Seeds(NamedTuple):
    """An integer seed for each random step of a replicate."""

    undersample: int
    split: int
    models: int


class ClassCounts(NamedTuple):
    """Rows of each class after undersampling."""

    good: int
    bad: int


class Split(NamedTuple):
    """Positions of the training and the test rows."""

    train: IntArray
    test: IntArray


def replicate_seeds(root: int, replicate: int) -> Seeds:
    """Seeds of a replicate, from the config's seed and the replicate's number alone.

    Nothing else enters, so every cell of a sweep sees the same random numbers in the same
    replicate, and adding a cell changes no other.
    """
    sequence = np.random.SeedSequence(root, spawn_key=(replicate,))
    return Seeds(*(int(word) for word in sequence.generate_state(3)))


def class_counts(
    n_good: int,
    n_bad: int,
    *,
    skew: float | None,
    scheme: Scheme = "keep_majority",
    total: int = 0,
    n_minority: int | None = None,
    names: tuple[str, str] = ("good", "bad"),
) -> ClassCounts:
    """How many rows of each class are kept so that the share of bad ones is `skew`.

    A skew of None keeps all rows. The schemes are those of the config key experiment.sampling:
    "keep_majority", the paper's, deletes only rows of the class that is too frequent, and rounds
    what is left of it down. n_minority replaces the number of bad rows that follows from the skew.
    The names are those of the classes in messages. ExperimentError if the data do not have that
    many rows of a class.
    """
    if skew is None:
        return ClassCounts(n_good, n_bad)
    if scheme == "total":
        bad = _whole(total * skew, scheme) if n_minority is None else n_minority
        counts = ClassCounts(total - bad, bad)
    elif skew > n_bad / (n_good + n_bad) and n_minority is None:
        counts = ClassCounts(_whole(n_bad * (1 - skew) / skew, scheme), n_bad)
    else:
        bad = _whole(n_good * skew / (1 - skew), scheme) if n_minority is None else n_minority
        counts = ClassCounts(n_good, bad)
    for name, wanted, available in zip(names, counts, (n_good, n_bad), strict=True):
        if not 1 <= wanted <= available:
            raise ExperimentError(
                f"a skew of {skew:g} here needs {counts.good} {names[0]} and {counts.bad} "
                f"{names[1]} rows, but the data have {available} {name} ones: change skew, total "
                "or n_minority."
            )
    return counts


def _whole(value: float, scheme: Scheme) -> int:
    # 700 * 0.3 / 0.7 is 299.99999999999994: a count that is an integer up to rounding stays one.
    return math.ceil(value - 1e-9) if scheme == "keep_majority_up" else math.floor(value + 1e-9)


def undersample(bad: IntArray, counts: ClassCounts | None, seed: int) -> IntArray:
    """Positions of a random subset with the given class counts, grouped by class.

    The draws are those of imbalanced-learn's RandomUnderSampler, class by class from one stream,
    without its checks. Without counts all rows are kept, in their order.
    """
    if counts is None:
        return np.arange(len(bad))
    rng = np.random.RandomState(seed)
    kept = []
    for label, count in ((0, counts.good), (1, counts.bad)):
        rows = np.flatnonzero(bad == label)
        kept.append(rows[rng.choice(len(rows), size=count, replace=False)])
    return np.concatenate(kept)


def split_rows(bad: IntArray, n_train: int, seed: int, *, stratify: bool = False) -> Split:
    """Random training rows; all others are test rows. A side may lack a class.

    The rows are those of scikit-learn's train_test_split; each side must have at least two.
    """
    if not 2 <= n_train <= len(bad) - 2:
        raise ExperimentError(
            f"n_train is {n_train}, but the sample has {len(bad)} rows: at least two must be left "
            "for the test."
        )
    if stratify:
        from sklearn.model_selection import train_test_split

        rows = np.arange(len(bad))
        return Split(*train_test_split(rows, train_size=n_train, random_state=seed, stratify=bad))
    order = np.random.RandomState(seed).permutation(len(bad))
    n_test = len(bad) - n_train
    return Split(order[n_test:], order[:n_test])


def split_groups(groups: IntArray, n_train: int, seed: int) -> Split:
    """Random groups for training, as many as come closest to `n_train` rows; the others test."""
    names, sizes = np.unique(groups, return_counts=True)
    if len(names) < 2:
        raise ExperimentError("all rows are of one group, and at least two are needed.")
    order = np.random.RandomState(seed).permutation(len(names))
    taken = 1 + int(np.abs(np.cumsum(sizes[order])[:-1] - n_train).argmin())
    trains = np.isin(groups, names[order[:taken]])
    return Split(np.flatnonzero(trains), np.flatnonzero(~trains))
