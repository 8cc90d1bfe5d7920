"""Undersampling, the split, and the seeds of a replicate."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from study.arrays import IntArray
from study.errors import ImpossibleError
from study.replicates.counts import ClassCounts


class Seeds(NamedTuple):
    """An integer seed for each random step of a replicate."""

    undersample: int
    split: int
    models: int


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


def undersample(minority: IntArray, counts: ClassCounts | None, seed: int) -> IntArray:
    """Positions of a random subset with the given class counts, grouped by class.

    The draws are those of imbalanced-learn's RandomUnderSampler, class by class from one stream,
    without its checks. Without counts all rows are kept, in their order.
    """
    if counts is None:
        return np.arange(len(minority))
    rng = np.random.RandomState(seed)
    sampled = []
    for label, count in ((0, counts.majority), (1, counts.minority)):
        rows = np.flatnonzero(minority == label)
        sampled.append(rows[rng.choice(len(rows), size=count, replace=False)])
    return np.concatenate(sampled)


def split_rows(minority: IntArray, n_train: int, seed: int, *, stratify: bool = False) -> Split:
    """Random training rows; all others are test rows. A side may lack a class.

    The rows are those of scikit-learn's train_test_split; each side must have at least two.
    """
    if not 2 <= n_train <= len(minority) - 2:
        raise ImpossibleError(
            f"n_train is {n_train}, but the sample has {len(minority)} rows: at least two must be "
            "left for the test."
        )
    if stratify:
        from sklearn.model_selection import train_test_split

        chosen: Any = {"train_size": n_train, "random_state": seed, "stratify": minority}
        return Split(*train_test_split(np.arange(len(minority)), **chosen))
    order = np.random.RandomState(seed).permutation(len(minority))
    n_test = len(minority) - n_train
    return Split(order[n_test:], order[:n_test])


def split_groups(groups: IntArray, n_train: int, seed: int) -> Split:
    """Random groups for training, as many as come closest to `n_train` rows; the others test."""
    names, sizes = np.unique(groups, return_counts=True)
    if len(names) < 2:
        raise ImpossibleError("all rows are of one group, and at least two are needed.")
    order = np.random.RandomState(seed).permutation(len(names))
    taken = 1 + int(np.abs(np.cumsum(sizes[order])[:-1] - n_train).argmin())
    trains = np.isin(groups, names[order[:taken]])
    return Split(np.flatnonzero(trains), np.flatnonzero(~trains))
