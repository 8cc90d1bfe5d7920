"""Silipo & Widmann, "Cohen's kappa: what it is, when to use it, how to avoid its pitfalls".

A decision tree on German Credit with 10 % bad rows, and the same on training data balanced by
SMOTE. "Bad" is the positive class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.algebra import kappa_from_rates, kappa_max_of_confusion
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, LineStyle
from study.analysis.shares import share_with_interval
from study.arrays import BoolArray, FloatArray, IntArray
from study.papers.checks import Check, Study, as_printed, check_table
from study.papers.confusion import (
    Confusion,
    count,
    matrices_table,
    matrix_statistics,
    printed_matrices,
    statistics,
)
from study.papers.curves import panel
from study.papers.errata import Recomputed, RunTables, recomputes
from study.published import CLASS_COUNTS, ORDINARY, printed_by

TITLES = {
    "printed": "printed matrices",
    "before_split": "drawn before the split",
    "after_split": "drawn after the split",
}
DRAWS = ("before_split", "after_split")
# The true negatives and false positives follow from the 300 test rows and the predicted counts.
MATRICES, PRINTED = printed_matrices("silipo"), printed_by("silipo")
MODELS = tuple(MATRICES)  # baseline, SMOTE
STATISTICS = ["accuracy", "expected_agreement", "kappa", "kappa_max"]
STATISTICS += ["recall", "fpr", "precision", "f1"]
BASELINE, IMPROVED = matrix_statistics("silipo").values()
CHANGED = ("kappa", "accuracy", "recall")
LARGE_LEAF = 10  # the other size of a leaf that is tried
STATED_PEAK = PRINTED["SMOTE"]["prevalence of the largest kappa"].value


class Workflow(NamedTuple):
    """How the rows are drawn, and the settings of SMOTE and of the tree."""

    n_rows: int
    share_bad: float
    train_share: float
    neighbors: int
    min_rows_per_leaf: int

    @property
    def drawn(self) -> dict[str, int]:
        """Good and bad rows of the bootstrapped data."""
        n_bad = round(self.n_rows * self.share_bad)
        return {"good": self.n_rows - n_bad, "bad": n_bad}


def study(
    features: pd.DataFrame,
    other_features: pd.DataFrame,
    *,
    encoding: str,
    other_encoding: str,
    seed: int,
    n_replicates: int,
    n_levels: int,
    n_test_sets: int,
    **settings: Any,
) -> Study:
    """A tree on 10 % bad, with and without SMOTE, and kappa against prevalence."""
    workflow = Workflow(**settings)
    replicates = replicate(features, workflow, n_replicates=n_replicates, seed=seed)
    leaks = leak_table(replicates, workflow)
    encodings = {encoding: features, other_encoding: other_features}
    grid = grid_table(encodings, workflow, n_replicates=n_replicates, seed=seed)
    sources = {"printed": {model: [matrix] for model, matrix in MATRICES.items()}}
    by_draw = replicates.groupby("draw", sort=False)
    sources |= {str(draw): _matrices(table) for draw, table in by_draw}
    options: Any = {"levels": np.linspace(0.05, 0.95, n_levels).tolist(), "n_sets": n_test_sets}
    curves = {
        source: kappa_by_prevalence(matrices, seed=seed, **options)
        for source, matrices in sources.items()
    }
    return Study(
        {
            "printed": matrices_table("silipo"),
            "replicates": replicates,
            "summary": summary(replicates),
            "leak": leaks,
            "change": change_table(replicates),
            "grid": grid,
            "kappa_by_prevalence": pd.concat(
                [table.assign(source=source) for source, table in curves.items()]
            ),
            "checks": checks(leaks, replicates, grid),
        },
        {"kappa_by_prevalence": figure_by_prevalence(curves)},
    )


def expected_leak(available: int, n_train: int) -> float:
    """Share of test rows that stand in the training data too, if rows are drawn before the split.

    Each of the training draws misses a test row's original with probability 1 - 1 / available.
    """
    return float(1 - (1 - 1 / available) ** n_train)


class Sample(NamedTuple):
    """Positions of the training and the test rows, with repetitions."""

    train: IntArray
    test: IntArray


def draw_sample(
    bad: BoolArray, workflow: Workflow, *, draw: str, rng: np.random.Generator
) -> Sample:
    """Bootstrap to a wanted share of bad rows and split, keeping that share on both sides.

    "before_split" draws rows and splits them, so that copies of a row may stand on both sides.
    """
    train, test = [], []
    for of_class, n_drawn in zip((~bad, bad), workflow.drawn.values(), strict=True):
        rows = np.flatnonzero(of_class)
        n_train = round(n_drawn * workflow.train_share)
        if draw == "before_split":
            drawn = rng.choice(rows, n_drawn)
            train.append(drawn[:n_train])
            test.append(drawn[n_train:])
        else:
            mixed = rng.permutation(rows)
            cut = round(len(mixed) * workflow.train_share)
            train.append(rng.choice(mixed[:cut], n_train))
            test.append(rng.choice(mixed[cut:], n_drawn - n_train))
    return Sample(np.concatenate(train), np.concatenate(test))


def leak(sample: Sample, chosen: BoolArray) -> float:
    """Share of the chosen test rows whose original is among the training rows."""
    test = sample.test[chosen[sample.test]]
    return float(np.isin(test, sample.train).mean())


def balanced(
    features: FloatArray, labels: IntArray, workflow: Workflow, seed: int
) -> tuple[FloatArray, IntArray]:
    """The training rows with new bad ones between those that there are, as many as good ones."""
    from imblearn.over_sampling import SMOTE

    smote = SMOTE(k_neighbors=workflow.neighbors, random_state=seed)
    rows, both = smote.fit_resample(features, labels)
    return np.asarray(rows), np.asarray(both)


def grow_tree(
    training: tuple[FloatArray, IntArray], test: tuple[FloatArray, BoolArray], leaf: int, seed: int
) -> Confusion:
    """Confusion matrix on the test rows of a tree."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=seed).fit(*training)
    return count(test[1], tree.predict(test[0]) == 1)


def replicate(
    table: pd.DataFrame, workflow: Workflow, *, n_replicates: int, seed: int
) -> pd.DataFrame:
    """The whole study again and again, with the copies before and after the split."""
    features, bad = _features(table)
    rows = []
    for number in range(n_replicates):
        for draw in DRAWS:
            # Both ways to draw see the same random numbers in the same replicate.
            sequence = np.random.SeedSequence(seed, spawn_key=(number,))
            sample = draw_sample(bad, workflow, draw=draw, rng=np.random.default_rng(sequence))
            leaks = {"leak_good": leak(sample, ~bad), "leak_bad": leak(sample, bad)}
            state = int(sequence.generate_state(1)[0])
            training = features[sample.train], bad[sample.train].astype(int)
            both = training, balanced(*training, workflow, state)
            test = features[sample.test], bad[sample.test]
            for model, rows_of in zip(MODELS, both, strict=True):
                matrix = grow_tree(rows_of, test, workflow.min_rows_per_leaf, state)
                place = {"replicate": number, "draw": draw, "model": model}
                rows.append({**place, **matrix._asdict(), **statistics(matrix), **leaks})
    names = ["replicate", "draw", "model", *Confusion._fields, *STATISTICS]
    return pd.DataFrame(rows, columns=[*names, "leak_good", "leak_bad"])


def summary(replicates: pd.DataFrame) -> pd.DataFrame:
    """Every count and statistic: printed, one split, and mean, sd and 95 % range of all."""
    measured = [*Confusion._fields, *STATISTICS]
    values = replicates.melt(["draw", "model"], measured, "measure")
    place = pd.MultiIndex.from_product([DRAWS, MODELS, measured])
    by_measure = values.groupby(["draw", "model", "measure"])["value"]
    table = by_measure.agg(
        one_split="first",
        mean="mean",
        sd="std",
        low=lambda value: value.quantile(0.025),
        high=lambda value: value.quantile(0.975),
    )
    table = table.loc[place].rename_axis(["draw", "model", "measure"])
    # Only numbers that stand in the source, not those that follow from its matrix.
    printed = [PRINTED[model].get(measure) for _, model, measure in place]
    table.insert(0, "printed", [one and one.text for one in printed])
    return table.reset_index()


def leak_table(replicates: pd.DataFrame, workflow: Workflow) -> pd.DataFrame:
    """Share of test rows that the training data hold too: draw, class, expected, mean, sd."""
    rows = []
    for draw, table in replicates.query("model == @MODELS[0]").groupby("draw", sort=False):
        for name, drawn in workflow.drawn.items():
            n_train = round(drawn * workflow.train_share)
            expected = expected_leak(CLASS_COUNTS[name], n_train) if draw == DRAWS[0] else 0.0
            values = table[f"leak_{name}"]
            rows.append((draw, name, expected, values.mean(), values.std()))
    return pd.DataFrame(rows, columns=["draw", "class", "expected", "mean", "sd"])


def _matrices(replicates: pd.DataFrame) -> dict[str, list[Confusion]]:
    """Each model's confusion matrix in every replicate."""
    return {
        str(model): [Confusion(*row) for row in table[[*Confusion._fields]].to_numpy(float)]
        for model, table in replicates.groupby("model", sort=False)
    }


def change_table(replicates: pd.DataFrame) -> pd.DataFrame:
    """What SMOTE changes in the same replicate, printed (of_matrices) and over the replicates.

    rising: share of the replicates in which the measure rises; as_large, share: those that rise at
    least as much as printed.
    """
    by_model = replicates.set_index(["model", "draw", "replicate"])[list(CHANGED)]
    change = by_model.loc[["SMOTE"]].droplevel(0) - by_model.loc[["baseline"]].droplevel(0)
    rows = []
    for draw, measure in product(DRAWS, CHANGED):
        values, printed = change.xs(draw)[measure], IMPROVED[measure] - BASELINE[measure]
        place, spread = (draw, measure, printed), (values.mean(), values.std())
        ends, k = values.quantile([0.025, 0.975]), int((values >= printed - 1e-12).sum())
        share = share_with_interval(k, len(values)).values()
        rows.append((*place, *spread, (values > 0).mean(), *ends, k, *share))
    names = ["draw", "measure", "of_matrices", "mean", "sd", "rising", "low", "high", "as_large"]
    return pd.DataFrame(rows, columns=[*names, "share", "share_low", "share_high"])


def grid_table(
    by_encoding: Mapping[str, pd.DataFrame], workflow: Workflow, *, n_replicates: int, seed: int
) -> pd.DataFrame:
    """What SMOTE changes under every setting that the source leaves open.

    Columns: draw, encoding, scaling (of the features between which SMOTE draws; a tree has no use
    for one), min_rows_per_leaf, replicates, change of kappa as printed, its mean with interval,
    mean change of accuracy, share of the replicates in which kappa rises at least as much as
    printed, with its interval.
    """
    printed = IMPROVED["kappa"] - BASELINE["kappa"]
    changes: dict[tuple[str, str, str, int], list[list[float]]] = defaultdict(list)
    for (encoding, table), number, draw in product(by_encoding.items(), range(n_replicates), DRAWS):
        features, bad = _features(table)
        sequence = np.random.SeedSequence(seed, spawn_key=(number,))
        sample = draw_sample(bad, workflow, draw=draw, rng=np.random.default_rng(sequence))
        state = int(sequence.generate_state(1)[0])
        train, labels = features[sample.train], bad[sample.train].astype(int)
        test = features[sample.test], bad[sample.test]
        spread = np.where(train.std(axis=0) > 0, train.std(axis=0), 1.0)
        leaves = dict.fromkeys((workflow.min_rows_per_leaf, LARGE_LEAF))
        before = {leaf: grow_tree((train, labels), test, leaf, state) for leaf in leaves}
        for scaling, scale in (("none", np.ones_like(spread)), ("standard", spread)):
            more, both = balanced(train / scale, labels, workflow, state)
            for leaf in leaves:
                after = grow_tree((more * scale, both), test, leaf, state)
                own, other = statistics(after), statistics(before[leaf])
                changes[draw, encoding, scaling, leaf].append(
                    [own[name] - other[name] for name in ("kappa", "accuracy")]
                )
    rows = []
    for setting, values in changes.items():
        kappa, accuracy = np.array(values).T
        share = share_with_interval(int((kappa >= printed - 1e-12).sum()), len(kappa))
        half = ORDINARY * kappa.std(ddof=1) / np.sqrt(len(kappa))
        mean = printed, kappa.mean(), kappa.mean() - half, kappa.mean() + half
        rows.append((*setting, len(kappa), *mean, accuracy.mean(), *share.values()))
    names = ["draw", "encoding", "scaling", "min_rows_per_leaf", "replicates"]
    names += ["printed", "kappa", "low", "high", "accuracy", "share", "share_low", "share_high"]
    return pd.DataFrame(rows, columns=names)


def _features(table: pd.DataFrame) -> tuple[FloatArray, BoolArray]:
    """The features of a table, and which rows are bad."""
    features = table.drop(columns=["row", "bad"]).to_numpy(dtype=np.float64)
    return features, table["bad"].to_numpy() == 1


def peak_of_kappa(fpr: float, tpr: float) -> tuple[float, float]:
    """The prevalence at which a fixed classifier has its largest kappa, and that kappa.

    Divide numerator and denominator of equation 19 by p (1 - p): with the odds o = p / (1 - p),
    kappa = 2d / (o (1 - t) + 1 + d + f / o). So it peaks at o = sqrt(f / (1 - t)): at p = 1/2 only
    for a classifier that errs equally often in both classes. It needs tpr > fpr.
    """
    odds = float(np.sqrt(fpr / (1 - tpr)))
    prevalence = odds / (1 + odds)
    return prevalence, float(kappa_from_rates(fpr, tpr, prevalence))


def kappa_by_prevalence(
    matrices: Mapping[str, Sequence[Confusion]], *, levels: Sequence[float], n_sets: int, seed: int
) -> pd.DataFrame:
    """Kappa of fixed predictions on bootstrapped test sets of other class shares.

    A test set of level p has as many rows as a matrix, a share p of them positive. Of these a
    binomial number is predicted positive, with the classifier's rate: the two counts are drawn, not
    the rows. Each of a model's matrices, of one size, has `n_sets` test sets at each level.
    """
    rows = []
    for model, given in matrices.items():
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2019,)))
        n = round(sum(given[0]))
        values = [statistics(matrix) for matrix in given]
        fpr, tpr = (np.array([value[rate] for value in values]) for rate in ("fpr", "recall"))
        for level in levels:
            n_positive = min(max(round(n * level), 1), n - 1)
            share = n_positive / n
            tp = rng.binomial(n_positive, tpr, (n_sets, len(given)))
            fp = rng.binomial(n - n_positive, fpr, (n_sets, len(given)))
            kappas = kappa_from_rates(fp / (n - n_positive), tp / n_positive, share)
            ends, rates = np.quantile(kappas, [0.025, 0.975]), (fpr.mean(), tpr.mean())
            analytic = float(kappa_from_rates(*rates, share))
            rows.append((model, share, kappas.mean(), *ends, *rates, analytic))
    names = ["model", "prevalence", "mean", "low", "high", "fpr", "tpr", "analytic"]
    return pd.DataFrame(rows, columns=names)


def figure_by_prevalence(curves: Mapping[str, pd.DataFrame]) -> Figure:
    """Kappa against prevalence: mean and band of the bootstrap sets, and the analytic curve."""
    figure, panels = plt.subplots(1, len(curves), figsize=(TWO_COLUMNS, 2.7), sharey=True)
    for axes, (source, table), name in zip(panels, curves.items(), "abc", strict=True):
        by_model = table.groupby("model", sort=False)
        for (model, levels), style in zip(by_model, LINE_STYLES, strict=False):
            _draw_model(axes, str(model), levels, style)
        axes.axhline(0, **REFERENCE)
        panel(axes, name, TITLES[source], xlabel="prevalence $p$ of bad", xlim=(0, 1))
    panels[0].set(ylabel=r"Cohen's kappa $\kappa$")
    handles, names = panels[-1].get_legend_handles_labels()
    found = dict(zip(names, handles, strict=True))  # one star for both models
    figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=5)
    return figure


def _draw_model(axes: Any, model: str, levels: pd.DataFrame, style: LineStyle) -> None:
    prevalence, low, high = levels["prevalence"], levels["low"], levels["high"]
    axes.fill_between(prevalence, low, high, color=style.color, alpha=0.15, lw=0)
    line = {"color": style.color, "linestyle": style.linestyle}
    for edge in (low, high):
        axes.plot(prevalence, edge, lw=0.6, **line)
    spots = {"color": style.color, "marker": style.marker, "markersize": 3.5}
    axes.plot(prevalence, levels["mean"], linestyle="none", label=f"{model}, sets", **spots)
    rates = float(levels["fpr"].iloc[0]), float(levels["tpr"].iloc[0])
    fine = np.linspace(prevalence.min(), prevalence.max(), 181)
    axes.plot(fine, kappa_from_rates(*rates, fine), label=f"{model}, equation", **line)
    axes.plot(*peak_of_kappa(*rates), "k*", markersize=9, label="largest kappa")


def checks(leaks: pd.DataFrame, replicates: pd.DataFrame, grid: pd.DataFrame) -> pd.DataFrame:
    """Printed numbers, what SMOTE changes, the place of kappa's maximum, and the leak."""
    n_replicates = replicates["replicate"].nunique()
    fpr, tpr = IMPROVED["fpr"], IMPROVED["recall"]
    fine = np.linspace(0.001, 0.999, 9981)
    by_grid = float(fine[np.argmax(kappa_from_rates(fpr, tpr, fine))])
    peak = peak_of_kappa(fpr, tpr)[0]
    stated = "SMOTE: kappa peaks at prevalence 0.5, as the text says"
    formula = "SMOTE: the peak by the formula is that of a fine grid"
    statements = [
        Check("printed", stated, STATED_PEAK, peak, 0.005),
        Check("ours", formula, by_grid, peak, 1e-4),
    ]
    for row in leaks.to_dict("records"):
        drawn = row["draw"].replace("_", " ")
        name = f"share of {row['class']} test rows also trained on, drawn {drawn}"
        # Four standard errors of the mean over the replicates.
        tolerance = 4 * row["sd"] / np.sqrt(n_replicates) + 1e-9
        statements.append(Check("ours", name, row["expected"], row["mean"], tolerance))
    found = {
        place: {**statistics(matrix), "predicted bad": matrix.tp + matrix.fp}
        for place, matrix in MATRICES.items()
    }
    return check_table("silipo", found, [*statements, *_derived(), *central_claim(grid)])


def central_claim(grid: pd.DataFrame) -> list[Check]:
    """SMOTE lifts kappa by .207 while the accuracy hardly moves: on average, and how often."""
    most: Any = grid.iloc[int(grid["kappa"].argmax())]
    often: Any = grid.iloc[int(grid["share"].argmax())]
    of_mean = {"low": most["low"], "high": most["high"]}
    of_share = {"low": often["share_low"], "high": grid["share_high"].max()}
    lift = f"SMOTE lifts kappa: largest mean over {len(grid)} settings"
    rise = "SMOTE lifts kappa by as much as printed or more: largest share of runs"
    return [
        Check("printed", lift, most["printed"], most["kappa"], relation=">=", **of_mean),
        Check("ours", rise, None, often["share"], **of_share),
        Check("ours", "SMOTE: smallest mean change of kappa", None, float(grid["kappa"].min())),
    ]


def _derived() -> list[Check]:
    """Chance agreement, which stands in a figure; the largest accuracy that the totals allow."""
    agreement = "baseline: expected agreement"
    statements = [Check("derived", agreement, 0.828, BASELINE["expected_agreement"], 5e-4)]
    for model, of in matrix_statistics("silipo").items():
        p, q, by_chance = of["prevalence"], of["predicted_share"], of["expected_agreement"]
        p_max = min(p, q) + min(1 - p, 1 - q)
        largest = (p_max - by_chance) / (1 - by_chance)
        statements += [
            Check("ours", f"{model}: p_max", None, p_max),
            Check("derived", f"{model}: maximum kappa from p_max", of["kappa_max"], largest),
        ]
    return statements


@recomputes
def largest_kappa_of_the_improved_model(_: RunTables) -> Recomputed:
    """Maximum kappa of the margins, exact and with the predicted share rounded to per cents."""
    exact = IMPROVED["kappa_max"]
    p, predicted = IMPROVED["prevalence"], round(IMPROVED["predicted_share"], 2)
    # The best matrix with these margins: kappa_max_of_confusion takes any matrix that has them.
    rounded = kappa_max_of_confusion(np.outer([p, 1 - p], [predicted, 1 - predicted]))
    agrees = bool(as_printed("", PRINTED["SMOTE"]["kappa_max"].text, exact).holds)
    return agrees, {"exact": exact, "rounded": rounded}


@recomputes
def rise_of_kappa_by_smote(run: RunTables) -> Recomputed:
    """The mean rise in every setting, and how often it is as large as printed."""
    grid = run.silipo_grid
    if grid is None or grid.empty:
        return None
    most: Any = grid.iloc[int(grid["kappa"].argmax())]
    ends = {"least": grid["kappa"].min(), "most": most["kappa"], "cost": -most["accuracy"]}
    values = {**ends, "cells": len(grid), "often": grid["share"].max()}
    return bool(most["high"] >= most["printed"]), values


@recomputes
def prevalence_of_the_largest_kappa(_: RunTables) -> Recomputed:
    """Where kappa of the improved model's rates peaks over the prevalence."""
    rates = IMPROVED["fpr"], IMPROVED["recall"]
    peak = peak_of_kappa(*rates)
    half = float(kappa_from_rates(*rates, STATED_PEAK))
    values = {"peak": peak, "half": half, "stated": STATED_PEAK}
    return abs(peak[0] - STATED_PEAK) < 0.01, values


@recomputes
def duplicates_between_training_and_test(_: RunTables) -> Recomputed:
    """Copies that a bootstrap of the good rows puts on both sides of the split."""
    good, matrix = CLASS_COUNTS["good"], MATRICES["SMOTE"]
    in_test = round(matrix.fp + matrix.tn)
    needed = round(in_test / 0.3)
    shared = expected_leak(good, needed - in_test)
    return needed <= good, {"needed": needed, "good": good, "shared": shared}
