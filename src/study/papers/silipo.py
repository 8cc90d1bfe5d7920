"""Silipo & Widmann, "Cohen's kappa: what it is, when to use it, how to avoid its pitfalls".

A decision tree on German Credit with 10 % bad rows, and the same on training data balanced by
SMOTE. "Bad" is the positive class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.roc import kappa_from_rates
from study.papers.agreement import Matrix
from study.papers.checks import Check, as_printed
from study.papers.silipo_prevalence import peak_of_kappa

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Draw = Literal["before_split", "after_split"]
DRAWS: tuple[Draw, ...] = ("before_split", "after_split")
MODELS = ("baseline", "smote")
AVAILABLE = {"good": 700, "bad": 300}
STATISTICS = (
    "accuracy",
    "expected_agreement",
    "kappa",
    "kappa_max",
    "recall",
    "fpr",
    "precision",
    "f1",
)


class Printed(NamedTuple):
    """A printed confusion matrix with the numbers that the text gives for it."""

    matrix: Matrix
    accuracy: str
    kappa: str
    kappa_max: str
    recall: str


# The true negatives and false positives follow from the 300 test rows and the predicted counts.
PRINTED = {
    "baseline": Printed(Matrix(9, 21, 18, 252), "0.87", "0.244", "0.942", "0.30"),
    "smote": Printed(Matrix(18, 12, 22, 248), "0.89", "0.452", "0.853", "0.60"),
}


def expected_leak(available: int, n_train: int) -> float:
    """Share of test rows that stand in the training data too, if rows are drawn before the split.

    Each of the training draws misses a test row's original with probability 1 - 1 / available.

    >>> round(expected_leak(700, 630), 3), round(expected_leak(300, 70), 3)
    (0.594, 0.208)
    """
    return float(1 - (1 - 1 / available) ** n_train)


class Sizes(NamedTuple):
    """Rows of the bootstrapped data, the share of bad ones, and the share that trains."""

    n_rows: int
    share_bad: float
    train_share: float

    @property
    def n_bad(self) -> int:
        """Bad rows of the bootstrapped data."""
        return round(self.n_rows * self.share_bad)

    @property
    def n_good(self) -> int:
        """Good rows of the bootstrapped data."""
        return self.n_rows - self.n_bad


class Sample(NamedTuple):
    """Positions of the training and the test rows, with repetitions."""

    train: IntArray
    test: IntArray


def draw_sample(
    bad: npt.ArrayLike, sizes: Sizes, *, draw: Draw, rng: np.random.Generator
) -> Sample:
    """Bootstrap to a wanted share of bad rows and split, keeping that share on both sides.

    Parameters
    ----------
    bad : array-like of bool of shape (n_available,)
    sizes : Sizes
    draw : {"before_split", "after_split"}
        "before_split" draws the rows with replacement and splits them, so that copies of a row
        may stand on both sides. "after_split" divides the original rows first and draws on each
        side, so that none does.
    rng : numpy.random.Generator
    """
    labels = np.asarray(bad, dtype=bool)
    train, test = [], []
    for of_class, n_class in (
        (np.flatnonzero(~labels), sizes.n_good),
        (np.flatnonzero(labels), sizes.n_bad),
    ):
        n_train = round(n_class * sizes.train_share)
        if draw == "before_split":
            drawn = rng.choice(of_class, n_class)
            train.append(drawn[:n_train])
            test.append(drawn[n_train:])
        else:
            mixed = rng.permutation(of_class)
            cut = round(len(mixed) * sizes.train_share)
            train.append(rng.choice(mixed[:cut], n_train))
            test.append(rng.choice(mixed[cut:], n_class - n_train))
    return Sample(np.concatenate(train), np.concatenate(test))


def leak(sample: Sample, chosen: npt.NDArray[np.bool_]) -> float:
    """Share of the chosen test rows whose original is among the training rows."""
    test = sample.test[chosen[sample.test]]
    return float(np.isin(test, sample.train).mean())


def train_trees(
    features: FloatArray,
    bad: npt.NDArray[np.bool_],
    sample: Sample,
    *,
    neighbors: int,
    min_rows_per_leaf: int,
    seed: int,
) -> Iterator[tuple[str, Matrix]]:
    """Confusion matrix on the test rows of the tree, without and with SMOTE."""
    from imblearn.over_sampling import SMOTE
    from sklearn.tree import DecisionTreeClassifier

    train, labels = features[sample.train], bad[sample.train].astype(int)
    for model in MODELS:
        if model == "smote":
            balance = SMOTE(k_neighbors=neighbors, random_state=seed)
            train, labels = balance.fit_resample(train, labels)
        tree = DecisionTreeClassifier(min_samples_leaf=min_rows_per_leaf, random_state=seed)
        predicted = tree.fit(train, labels).predict(features[sample.test]) == 1
        truth = bad[sample.test]
        yield (
            model,
            Matrix(
                int((predicted & truth).sum()),
                int((~predicted & truth).sum()),
                int((predicted & ~truth).sum()),
                int((~predicted & ~truth).sum()),
            ),
        )


def replicate(
    table: pd.DataFrame,
    *,
    sizes: Sizes,
    replicates: int,
    seed: int,
    neighbors: int,
    min_rows_per_leaf: int,
) -> pd.DataFrame:
    """The whole study again and again, with the copies before and after the split.

    Parameters
    ----------
    table : DataFrame
        Columns row, bad (0/1) and numeric features.

    Returns
    -------
    DataFrame
        replicate, draw, model, tp, fn, fp, tn, the statistics, leak_good and leak_bad.
    """
    features = table.drop(columns=["row", "bad"]).to_numpy(dtype=np.float64)
    bad = table["bad"].to_numpy() == 1
    rows = []
    for number in range(replicates):
        for draw in DRAWS:
            # Both ways to draw see the same random numbers in the same replicate.
            sequence = np.random.SeedSequence(seed, spawn_key=(number,))
            sample = draw_sample(bad, sizes, draw=draw, rng=np.random.default_rng(sequence))
            leaks = {"leak_good": leak(sample, ~bad), "leak_bad": leak(sample, bad)}
            for model, matrix in train_trees(
                features,
                bad,
                sample,
                neighbors=neighbors,
                min_rows_per_leaf=min_rows_per_leaf,
                seed=int(sequence.generate_state(1)[0]),
            ):
                found = {name: getattr(matrix, name) for name in STATISTICS}
                rows.append(
                    {
                        "replicate": number,
                        "draw": draw,
                        "model": model,
                        **matrix._asdict(),
                        **found,
                        **leaks,
                    }
                )
    return pd.DataFrame(rows)


def printed_table() -> pd.DataFrame:
    """The two printed confusion matrices: model, measure, printed, recomputed."""
    rows = []
    for model, one in PRINTED.items():
        for measure in ("accuracy", "kappa", "kappa_max", "recall"):
            recomputed = getattr(one.matrix, measure)
            rows.append((model, measure, getattr(one, measure), recomputed))
    return pd.DataFrame(rows, columns=["model", "measure", "printed", "recomputed"])


def summary(replicates: pd.DataFrame) -> pd.DataFrame:
    """Every count and statistic: printed, one split, and mean, sd and 95 % range of all."""
    rows = []
    names = ["tp", "fn", "fp", "tn", *STATISTICS]
    for (draw, model), table in replicates.groupby(["draw", "model"], sort=False):
        one = PRINTED[str(model)]
        for name in names:
            values = table[name]
            low, high = values.quantile([0.025, 0.975])
            # Only numbers that stand in the source, not those that follow from its matrix.
            printed = getattr(one, name, getattr(one.matrix, name) if name in names[:4] else None)
            rows.append(
                {
                    "draw": draw,
                    "model": model,
                    "measure": name,
                    "printed": None if printed is None else str(printed),
                    "one_split": float(values.iloc[0]),
                    "mean": values.mean(),
                    "sd": values.std(),
                    "low": low,
                    "high": high,
                }
            )
    return pd.DataFrame(rows)


def leak_table(replicates: pd.DataFrame, sizes: Sizes) -> pd.DataFrame:
    """Share of test rows that the training data hold too: draw, class, expected, mean, sd."""
    rows = []
    one_model = replicates[replicates["model"] == MODELS[0]]
    for draw, table in one_model.groupby("draw", sort=False):
        for name, drawn in (("good", sizes.n_good), ("bad", sizes.n_bad)):
            n_train = round(drawn * sizes.train_share)
            expected = expected_leak(AVAILABLE[name], n_train) if draw == DRAWS[0] else 0.0
            values = table[f"leak_{name}"]
            rows.append((draw, name, expected, values.mean(), values.std()))
    return pd.DataFrame(rows, columns=["draw", "class", "expected", "mean", "sd"])


def checks(leaks: pd.DataFrame, *, replicates: int) -> list[Check]:
    """Printed numbers, the place of kappa's maximum, and the leak of bootstrapped rows."""
    found = []
    for model, one in PRINTED.items():
        for measure in ("accuracy", "kappa", "kappa_max", "recall"):
            value = float(getattr(one.matrix, measure))
            found.append(as_printed(f"{model}: {measure}", getattr(one, measure), value))
    found.append(
        as_printed(
            "baseline: expected agreement", "0.828", PRINTED["baseline"].matrix.expected_agreement
        )
    )
    improved = PRINTED["smote"].matrix
    grid = np.linspace(0.001, 0.999, 9981)
    by_grid = float(grid[np.argmax(kappa_from_rates(improved.fpr, improved.recall, grid))])
    peak = peak_of_kappa(improved.fpr, improved.recall)
    found += [
        Check(
            "printed",
            "smote: kappa peaks at prevalence 0.5, as the text says",
            0.5,
            peak.prevalence,
            0.005,
        ),
        Check(
            "own",
            "smote: the peak by the formula is that of a fine grid",
            by_grid,
            peak.prevalence,
            1e-4,
        ),
    ]
    for row in leaks.to_dict("records"):
        # Four standard errors of the mean over the replicates.
        tolerance = 4 * row["sd"] / np.sqrt(replicates) + 1e-9
        found.append(
            Check(
                "own",
                f"share of {row['class']} test rows also trained on, drawn "
                f"{row['draw'].replace('_', ' ')}",
                row["expected"],
                row["mean"],
                tolerance,
            )
        )
    return found
