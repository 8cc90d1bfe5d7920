"""Class counts at a wanted skew, undersampling, the split, and the seeds of a replicate."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from study.errors import ExperimentError

Scheme = Literal["keep_majority", "keep_majority_up", "total"]
IntArray = npt.NDArray[np.int64]


class Seeds(NamedTuple):
    """One whole-number seed for each random step of a replicate."""

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

    >>> replicate_seeds(2010, 0) == replicate_seeds(2010, 0) != replicate_seeds(2010, 1)
    True
    """
    sequence = np.random.SeedSequence(root, spawn_key=(replicate,))
    return Seeds(*(int(word) for word in sequence.generate_state(3)))


def class_counts(
    n_good: int,
    n_bad: int,
    *,
    skew: float | None,
    scheme: Scheme = "keep_majority",
    total: int | None = None,
    n_minority: int | None = None,
    names: tuple[str, str] = ("good", "bad"),
) -> ClassCounts:
    """How many rows of each class are kept so that the share of bad ones is `skew`.

    Parameters
    ----------
    n_good, n_bad : int
        Rows at hand.
    skew : float in (0, 1) or None
        Wanted share of bad rows; None keeps all rows.
    scheme : {"keep_majority", "keep_majority_up", "total"}
        "keep_majority" deletes only rows of the class that is too frequent, as the paper's
        text says, and rounds what is left of it down; "keep_majority_up" rounds up; "total"
        keeps exactly `total` rows.
    n_minority : int, optional
        Number of bad rows, instead of the one that follows from skew by rounding.
    names : (str, str)
        What the classes are called in messages.

    Raises
    ------
    ExperimentError
        If the data do not have that many rows of a class.

    Examples
    --------
    >>> class_counts(700, 300, skew=0.11)
    ClassCounts(good=700, bad=86)
    >>> class_counts(700, 300, skew=0.11, scheme="keep_majority_up")
    ClassCounts(good=700, bad=87)
    >>> class_counts(700, 300, skew=0.11, scheme="total", total=768)
    ClassCounts(good=684, bad=84)
    >>> class_counts(700, 300, skew=0.5)
    ClassCounts(good=300, bad=300)
    """
    if skew is None:
        return ClassCounts(n_good, n_bad)
    if scheme == "total":
        if total is None:
            raise ExperimentError("sampling total needs the number of rows: set total.")
        bad = _whole(total * skew, scheme) if n_minority is None else n_minority
        counts = ClassCounts(total - bad, bad)
    elif skew > n_bad / (n_good + n_bad) and n_minority is None:
        counts = ClassCounts(_whole(n_bad * (1 - skew) / skew, scheme), n_bad)
    else:
        wanted = _whole(n_good * skew / (1 - skew), scheme)
        counts = ClassCounts(n_good, wanted if n_minority is None else n_minority)
    _require_rows(counts, ClassCounts(n_good, n_bad), skew, names)
    return counts


def _whole(value: float, scheme: Scheme) -> int:
    # 700 * 0.3 / 0.7 is 299.99999999999994: a count that is whole up to rounding stays whole.
    return math.ceil(value - 1e-9) if scheme == "keep_majority_up" else math.floor(value + 1e-9)


def _require_rows(
    wanted: ClassCounts, available: ClassCounts, skew: float, names: tuple[str, str]
) -> None:
    for name, want, have in zip(names, wanted, available, strict=True):
        if not 1 <= want <= have:
            raise ExperimentError(
                f"a skew of {skew:g} here needs {wanted.good} {names[0]} and {wanted.bad} "
                f"{names[1]} rows, but the data have {have} {name} ones: change skew, total or "
                "n_minority."
            )


def undersample(bad: npt.ArrayLike, counts: ClassCounts, seed: int) -> IntArray:
    """Positions of a random subset with the given class counts, grouped by class.

    imbalanced-learn's sampler chooses; the split that follows shuffles.
    """
    from imblearn.under_sampling import RandomUnderSampler

    labels = np.asarray(bad, dtype=np.int64)
    sampler = RandomUnderSampler(
        sampling_strategy={0: counts.good, 1: counts.bad}, random_state=seed
    )
    sampler.fit_resample(np.arange(len(labels))[:, None], labels)
    return np.asarray(sampler.sample_indices_, dtype=np.int64)


def undersample_by_index(bad: IntArray, counts: ClassCounts, seed: int) -> IntArray:
    """The same rows as :func:`undersample`, without the sampler's checks.

    For thousands of replicates: the sampler's own draws, class by class, from the same stream.
    """
    rng = np.random.RandomState(seed)
    kept = []
    for label, count in ((0, counts.good), (1, counts.bad)):
        rows = np.flatnonzero(bad == label)
        kept.append(rows[rng.choice(len(rows), size=count, replace=False)])
    return np.concatenate(kept)


def split_rows(bad: npt.ArrayLike, n_train: int, seed: int, *, stratify: bool = False) -> Split:
    """Random training rows; all others are test rows.

    Raises
    ------
    ExperimentError
        If there are not more rows than training rows, or a class is missing on either side.
    """
    from sklearn.model_selection import train_test_split

    labels = np.asarray(bad, dtype=np.int64)
    _require_test_rows(n_train, len(labels))
    train, test = train_test_split(
        np.arange(len(labels)),
        train_size=n_train,
        random_state=seed,
        stratify=labels if stratify else None,
    )
    for part, rows in (("training", train), ("test", test)):
        if len(np.unique(labels[rows])) < 2:
            raise ExperimentError(
                f"the {part} rows of this split hold one class only: choose another seed, a "
                "larger skew or stratify: true."
            )
    return Split(np.asarray(train), np.asarray(test))


def split_by_index(bad: IntArray, n_train: int, seed: int, *, stratify: bool = False) -> Split:
    """The same rows as :func:`split_rows`, without its checks; a side may lack a class."""
    if stratify:
        return split_rows(bad, n_train, seed, stratify=True)
    _require_test_rows(n_train, len(bad))
    order = np.random.RandomState(seed).permutation(len(bad))
    n_test = len(bad) - n_train
    return Split(order[n_test:], order[:n_test])


def training_rows(n_train: float, n_rows: int) -> int:
    """How many rows train: the number itself, or a share of all rows if it is below one.

    >>> training_rows(500, 786), training_rows(0.6, 569)
    (500, 341)
    """
    return int(n_train * n_rows + 1e-9) if n_train < 1 else int(n_train)


def _require_test_rows(n_train: int, n_rows: int) -> None:
    if not 2 <= n_train <= n_rows - 2:
        raise ExperimentError(
            f"n_train is {n_train}, but the sample has {n_rows} rows: at least two must be left "
            "for the test."
        )
