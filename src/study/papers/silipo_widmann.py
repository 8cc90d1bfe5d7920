"""Silipo & Widmann, "Cohen's kappa: what it is, when to use it, how to avoid its pitfalls".

A decision tree on German Credit with 10 % bad rows, and the same on training data balanced by
SMOTE. "Bad" is the positive class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import kappa_from_rates, kappa_max_score
from study.arrays import BoolArray, FloatArray, IntArray
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge
from study.papers.confusion import Confusion, count, statistics
from study.published import GERMAN_CREDIT, MEASURE_LABELS

SOURCE = Source("Silipo & Widmann, Cohen's kappa (blog)")
Draw = Literal["before_split", "after_split"]
DRAWS: tuple[Draw, ...] = ("before_split", "after_split")
LABELS = {"baseline": "baseline", "smote": "SMOTE"}
MODELS = tuple(LABELS)
STATISTICS = (
    *("accuracy", "expected_agreement", "kappa", "kappa_max"),
    *("recall", "fpr", "precision", "f1"),
)


class PrintedMatrix(NamedTuple):
    """A printed confusion matrix with the numbers that the text gives for it."""

    matrix: Confusion
    accuracy: str
    kappa: str
    kappa_max: str
    recall: str


# The true negatives and false positives follow from the 300 test rows and the predicted counts.
PRINTED = {
    "baseline": PrintedMatrix(Confusion(9, 21, 18, 252), "0.87", "0.244", "0.942", "0.30"),
    "smote": PrintedMatrix(Confusion(18, 12, 22, 248), "0.89", "0.452", "0.853", "0.60"),
}
PRINTED_MEASURES = ("accuracy", "kappa", "kappa_max", "recall")
EXPECTED_AGREEMENT = "0.828"  # of the baseline
IMPROVED = statistics(PRINTED["smote"].matrix)
STATED_PEAK = 0.5  # prevalence at which kappa is largest, as the text says


class Peak(NamedTuple):
    """Where kappa is largest when only the prevalence changes."""

    prevalence: float
    kappa: float


def peak_of_kappa(fpr: float, tpr: float) -> Peak:
    """The prevalence at which a fixed classifier has its largest kappa.

    Divide numerator and denominator of equation 19 by p (1 - p): with the odds o = p / (1 - p),
    kappa = 2d / (o (1 - t) + 1 + d + f / o). So it peaks at o = sqrt(f / (1 - t)): at p = 1/2 only
    for a classifier that errs equally often in both classes. It needs tpr > fpr. Equation 19 is
    that of Kaymak, Ben-David & Potharst (2010).

    >>> peak = peak_of_kappa(22 / 270, 0.6)
    >>> round(peak.prevalence, 3), round(peak.kappa, 3)
    (0.311, 0.552)
    """
    odds = float(np.sqrt(fpr / (1 - tpr)))
    prevalence = odds / (1 + odds)
    return Peak(prevalence, float(kappa_from_rates(fpr, tpr, prevalence)))


def expected_leak(available: int, n_train: int) -> float:
    """Share of test rows that stand in the training data too, if rows are drawn before the split.

    Each of the training draws misses a test row's original with probability 1 - 1 / available.

    >>> round(expected_leak(700, 630), 3)
    0.594
    """
    return float(1 - (1 - 1 / available) ** n_train)


class Sizes(NamedTuple):
    """Good and bad rows of the bootstrapped data, and the share that trains."""

    good: int
    bad: int
    train_share: float


class Sample(NamedTuple):
    """Positions of the training and the test rows, with repetitions."""

    train: IntArray
    test: IntArray


def draw_sample(bad: BoolArray, sizes: Sizes, *, draw: Draw, rng: np.random.Generator) -> Sample:
    """Bootstrap to a wanted share of bad rows and split, keeping that share on both sides.

    "before_split" draws the rows with replacement and splits them, so that copies of a row may
    stand on both sides. "after_split" divides the original rows first and draws on each side.
    """
    train, test = [], []
    for of_class, n_drawn in ((~bad, sizes.good), (bad, sizes.bad)):
        rows = np.flatnonzero(of_class)
        n_train = round(n_drawn * sizes.train_share)
        if draw == "before_split":
            drawn = rng.choice(rows, n_drawn)
            train.append(drawn[:n_train])
            test.append(drawn[n_train:])
        else:
            mixed = rng.permutation(rows)
            cut = round(len(mixed) * sizes.train_share)
            train.append(rng.choice(mixed[:cut], n_train))
            test.append(rng.choice(mixed[cut:], n_drawn - n_train))
    return Sample(np.concatenate(train), np.concatenate(test))


def leak(sample: Sample, chosen: BoolArray) -> float:
    """Share of the chosen test rows whose original is among the training rows."""
    test = sample.test[chosen[sample.test]]
    return float(np.isin(test, sample.train).mean())


class Tree(NamedTuple):
    """Settings of SMOTE and of the tree."""

    neighbors: int
    min_rows_per_leaf: int


def train_trees(
    features: FloatArray, bad: BoolArray, sample: Sample, tree: Tree, seed: int
) -> Iterator[tuple[str, Confusion]]:
    """Confusion matrix on the test rows of the tree, without and with SMOTE."""
    from imblearn.over_sampling import SMOTE
    from sklearn.tree import DecisionTreeClassifier

    train, labels = features[sample.train], bad[sample.train].astype(int)
    for model in MODELS:
        if model == "smote":
            balance = SMOTE(k_neighbors=tree.neighbors, random_state=seed)
            train, labels = balance.fit_resample(train, labels)
        fitted = DecisionTreeClassifier(min_samples_leaf=tree.min_rows_per_leaf, random_state=seed)
        predicted = fitted.fit(train, labels).predict(features[sample.test]) == 1
        yield model, count(bad[sample.test], predicted)


def replicate(
    table: pd.DataFrame, *, sizes: Sizes, tree: Tree, n_replicates: int, seed: int
) -> pd.DataFrame:
    """The whole study again and again, with the copies before and after the split.

    The table has row, bad (0/1) and numeric features. Returns replicate, draw, model, tp, fn, fp,
    tn, the statistics, leak_good and leak_bad.
    """
    features = table.drop(columns=["row", "bad"]).to_numpy(dtype=np.float64)
    bad = table["bad"].to_numpy() == 1
    rows = []
    for number in range(n_replicates):
        for draw in DRAWS:
            # Both ways to draw see the same random numbers in the same replicate.
            sequence = np.random.SeedSequence(seed, spawn_key=(number,))
            sample = draw_sample(bad, sizes, draw=draw, rng=np.random.default_rng(sequence))
            leaks = {"leak_good": leak(sample, ~bad), "leak_bad": leak(sample, bad)}
            state = int(sequence.generate_state(1)[0])
            for model, matrix in train_trees(features, bad, sample, tree, state):
                place = {"replicate": number, "draw": draw, "model": model}
                rows.append({**place, **matrix._asdict(), **statistics(matrix), **leaks})
    names = ["replicate", "draw", "model", *Confusion._fields, *STATISTICS]
    return pd.DataFrame(rows, columns=[*names, "leak_good", "leak_bad"])


def printed_table() -> pd.DataFrame:
    """The two printed confusion matrices: model, measure, printed, recomputed."""
    rows = [
        (model, measure, getattr(printed, measure), statistics(printed.matrix)[measure])
        for model, printed in PRINTED.items()
        for measure in PRINTED_MEASURES
    ]
    return pd.DataFrame(rows, columns=["model", "measure", "printed", "recomputed"])


def summary(replicates: pd.DataFrame) -> pd.DataFrame:
    """Every count and statistic: printed, one split, and mean, sd and 95 % range of all."""
    rows = []
    for (draw, model), table in replicates.groupby(["draw", "model"], sort=False):
        # Only numbers that stand in the source, not those that follow from its matrix.
        printed = {**PRINTED[str(model)]._asdict(), **PRINTED[str(model)].matrix._asdict()}
        for name in (*Confusion._fields, *STATISTICS):
            values, text = table[name], str(printed[name]) if name in printed else None
            low, high = values.quantile([0.025, 0.975])
            spread = values.mean(), values.std(), low, high
            rows.append((draw, model, name, text, float(values.iloc[0]), *spread))
    names = ["draw", "model", "measure", "printed", "one_split", "mean", "sd", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def leak_table(replicates: pd.DataFrame, sizes: Sizes) -> pd.DataFrame:
    """Share of test rows that the training data hold too: draw, class, expected, mean, sd."""
    rows = []
    one_model = replicates[replicates["model"] == MODELS[0]]
    for draw, table in one_model.groupby("draw", sort=False):
        for name, drawn in (("good", sizes.good), ("bad", sizes.bad)):
            n_train = round(drawn * sizes.train_share)
            expected = expected_leak(GERMAN_CREDIT[name], n_train) if draw == DRAWS[0] else 0.0
            values = table[f"leak_{name}"]
            rows.append((draw, name, expected, values.mean(), values.std()))
    return pd.DataFrame(rows, columns=["draw", "class", "expected", "mean", "sd"])


def checks(leaks: pd.DataFrame, *, n_replicates: int) -> list[Check]:
    """Printed numbers, the place of kappa's maximum, and the leak of bootstrapped rows."""
    baseline = statistics(PRINTED["baseline"].matrix)["expected_agreement"]
    fpr, tpr = IMPROVED["fpr"], IMPROVED["recall"]
    grid = np.linspace(0.001, 0.999, 9981)
    by_grid = float(grid[np.argmax(kappa_from_rates(fpr, tpr, grid))])
    peak = peak_of_kappa(fpr, tpr).prevalence
    stated = "SMOTE: kappa peaks at prevalence 0.5, as the text says"
    formula = "SMOTE: the peak by the formula is that of a fine grid"
    statements = [
        *(
            as_printed(f"{LABELS[model]}: {MEASURE_LABELS.get(name, name)}", printed, recomputed)
            for model, name, printed, recomputed in printed_table().itertuples(index=False)
        ),
        as_printed("baseline: expected agreement", EXPECTED_AGREEMENT, baseline),
        Check("printed", stated, STATED_PEAK, peak, 0.005),
        Check("own", formula, by_grid, peak, 1e-4),
    ]
    for row in leaks.to_dict("records"):
        drawn = row["draw"].replace("_", " ")
        name = f"share of {row['class']} test rows also trained on, drawn {drawn}"
        # Four standard errors of the mean over the replicates.
        tolerance = 4 * row["sd"] / np.sqrt(n_replicates) + 1e-9
        statements.append(Check("own", name, row["expected"], row["mean"], tolerance))
    return statements


@SOURCE.says("Maximum kappa of the improved model", PRINTED["smote"].kappa_max)
def largest_kappa_of_the_improved_model(_: Evidence) -> Finding:
    """Maximum kappa of the margins, exact and with the predicted share rounded to per cents."""
    exact = IMPROVED["kappa_max"]
    p, predicted = IMPROVED["prevalence"], round(IMPROVED["predicted_share"], 2)
    # The best matrix with these margins: kappa_max_score takes any matrix that has them.
    rounded = kappa_max_score(np.outer([p, 1 - p], [predicted, 1 - predicted]))
    return Finding(
        f"{exact:.3f} from the counts, {rounded:.3f} with the predicted share rounded",
        judge(as_printed("", PRINTED["smote"].kappa_max, exact).holds),
        "The printed value comes from a rounded marginal share (0.13 for 40 of 300).",
    )


@SOURCE.says("Kappa against the class share", "kappa reaches its maximum for balanced classes")
def prevalence_of_the_largest_kappa(_: Evidence) -> Finding:
    """Where kappa of the improved model's rates peaks over the prevalence."""
    rates = IMPROVED["fpr"], IMPROVED["recall"]
    peak = peak_of_kappa(*rates)
    half = float(kappa_from_rates(*rates, STATED_PEAK))
    return Finding(
        f"{peak.kappa:.3f} at p = {peak.prevalence:.3f}; {half:.3f} at p = {STATED_PEAK:g}",
        judge(abs(peak.prevalence - STATED_PEAK) < 0.01),
        "It peaks at p = 0.5 only if both classes are recognised equally well.",
    )


@SOURCE.says("Data", "10 % bad and 90 % good by bootstrapping, then a split 70 : 30")
def duplicates_between_training_and_test(_: Evidence) -> Finding:
    """Copies that a bootstrap of the good rows puts on both sides of the split."""
    good, matrix = GERMAN_CREDIT["good"], PRINTED["smote"].matrix
    in_test = round(matrix.fp + matrix.tn)
    needed = round(in_test / 0.3)
    shared = expected_leak(good, needed - in_test)
    return Finding(
        f"{needed} good rows from {good}; {shared:.0%} of the good test rows expected in training",
        judge(needed <= good, "imprecise"),
        "If rows were drawn with replacement before the split, as the text reads, training and "
        "test share customers.",
    )
