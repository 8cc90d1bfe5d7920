"""Silipo & Widmann, "Cohen's kappa: what it is, when to use it, how to avoid its pitfalls".

A decision tree on German Credit with 10 % bad rows, and the same on training data balanced by
SMOTE. "Bad" is the positive class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve.algebra import kappa_from_rates, kappa_max_of_confusion
from kappacurve.plots.style import LINE_STYLES, REFERENCE, LineStyle
from study.arrays import BoolArray, FloatArray, IntArray
from study.companions.checks import (
    CELLS,
    Check,
    Recomputed,
    Source,
    Study,
    as_printed,
    of_predictions,
)
from study.companions.curves import panels
from study.published import CLASS_COUNTS, CLASS_NAMES, ORDINARY
from study.tables.shares import share_with_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES = {
    "printed": "printed matrices",
    "before_split": "drawn before the split",
    "after_split": "drawn after the split",
}
DRAWS = ("before_split", "after_split")
# The true negatives and false positives follow from the 300 test rows and the predicted counts.
SOURCE = Source("silipo")
MATRICES, PRINTED = SOURCE.matrices, SOURCE.printed
BASELINE, IMPROVED = MATRICES["baseline"], MATRICES["SMOTE"]
STATISTICS = [*CELLS, "accuracy", "expected_agreement", "kappa", "kappa_max"]
STATISTICS += ["recall", "fpr", "precision", "f1"]
CHANGED = ["kappa", "accuracy", "recall"]
# What the source leaves open.
SETTING = ["draw", "encoding", "scaling", "min_rows_per_leaf"]
LARGE_LEAF = 10  # the other size of a leaf that is tried
STATED_PEAK = PRINTED["SMOTE"]["prevalence of the largest kappa"].value


class Workflow(NamedTuple):
    """Seed and replicates, how the rows are drawn, SMOTE, the tree, and the test sets drawn."""

    seed: int
    n_replicates: int
    n_rows: int
    share_minority: float
    train_share: float
    neighbors: int
    min_rows_per_leaf: int
    n_levels: int
    n_test_sets: int

    @property
    def drawn(self) -> dict[str, int]:
        """Good and bad rows of the bootstrapped data."""
        n_minority = round(self.n_rows * self.share_minority)
        return {"majority": self.n_rows - n_minority, "minority": n_minority}


def study(
    features: pd.DataFrame,
    other_features: pd.DataFrame,
    *,
    encoding: str,
    other_encoding: str,
    **settings: Any,
) -> Study:
    """A tree on 10 % bad, with and without SMOTE, and kappa against prevalence."""
    workflow = Workflow(**settings)
    encodings = {encoding: features, other_encoding: other_features}
    runs = grow_trees(encodings, workflow)
    of_source = (encoding, "none", workflow.min_rows_per_leaf)
    own = runs[(runs[["encoding", "scaling", "min_rows_per_leaf"]] == of_source).all(axis=1)]
    leaks, grid = leak_table(own, workflow), grid_table(runs)
    sources = {"printed": pd.DataFrame(MATRICES.values()).assign(model=list(MATRICES))}
    sources |= {str(draw): table for draw, table in own.groupby("draw", sort=False)}
    curves = [
        kappa_by_prevalence(table, workflow).assign(source=source)
        for source, table in sources.items()
    ]
    tables = {
        "printed": SOURCE.matrices_table(),
        "replicates": own[
            ["replicate", "draw", "model", *STATISTICS, "leak_majority", "leak_minority"]
        ],
        "summary": summary(own),
        "leak": leaks,
        "change": change_table(own),
        "grid": grid,
        "kappa_by_prevalence": pd.concat(curves),
        "checks": checks(leaks, workflow.n_replicates, grid),
    }
    return tables, {"kappa_by_prevalence": figure_by_prevalence(tables["kappa_by_prevalence"])}


def expected_leak(available: int, n_train: int) -> float:
    """Share of test rows that stand in the training data too, if rows are drawn before the split.

    Each of the training draws misses a test row's original with probability 1 - 1 / available.
    """
    return float(1 - (1 - 1 / available) ** n_train)


def draw_sample(
    minority: BoolArray, workflow: Workflow, *, draw: str, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Bootstrap to a wanted share of bad rows and split, keeping that share on both sides.

    Positions of the training and the test rows. "before_split" draws rows and splits them, so that
    copies of a row may stand on both sides.
    """
    train, test = [], []
    for of_class, n_drawn in zip((~minority, minority), workflow.drawn.values(), strict=True):
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
    return np.concatenate(train), np.concatenate(test)


def grow_trees(encodings: Mapping[str, pd.DataFrame], workflow: Workflow) -> pd.DataFrame:
    """The whole study again and again, under every setting that the source leaves open.

    One row per tree: draw, encoding, scaling (of the features between which SMOTE draws; a tree has
    no use for one), min_rows_per_leaf, replicate, model, its confusion matrix on the test rows with
    the statistics, and the share of the good and of the bad test rows that were trained on too.
    """
    from sklearn import config_context

    # The encodings hold finite numbers, and scikit-learn would make sure of it 19,000 times.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        rows = [
            row
            for encoding, table in encodings.items()
            for arrays in [_arrays(table)]
            for number, draw in product(range(workflow.n_replicates), DRAWS)
            for row in _one_replicate(*arrays, encoding, number, draw, workflow)
        ]
    return pd.DataFrame(rows)


def _arrays(table: pd.DataFrame) -> tuple[FloatArray, BoolArray]:
    features = table.drop(columns=["row", "minority"]).to_numpy(dtype=np.float64)
    return features, table["minority"].to_numpy() == 1


def _one_replicate(
    features: FloatArray,
    minority: BoolArray,
    encoding: str,
    number: int,
    draw: str,
    workflow: Workflow,
) -> Iterator[dict[str, Any]]:
    from imblearn.over_sampling import SMOTE
    from sklearn.tree import DecisionTreeClassifier

    # Both ways to draw see the same random numbers in the same replicate.
    sequence = np.random.SeedSequence(workflow.seed, spawn_key=(number,))
    state = int(sequence.generate_state(1)[0])
    rng = np.random.default_rng(sequence)
    train, test = draw_sample(minority, workflow, draw=draw, rng=rng)
    leaked = np.isin(test, train)
    leaks = {
        "leak_majority": leaked[~minority[test]].mean(),
        "leak_minority": leaked[minority[test]].mean(),
    }
    x, y, x_test = features[train], minority[train], features[test].astype(np.float32)
    spread = np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    trees = {
        leaf: DecisionTreeClassifier(min_samples_leaf=leaf, random_state=state)
        for leaf in dict.fromkeys((workflow.min_rows_per_leaf, LARGE_LEAF))
    }

    def grown(x: FloatArray, y: BoolArray) -> dict[int, dict[str, float]]:
        """What each tree predicts; it takes 32 bits, and else would check and convert again."""
        x_train: Any = x.astype(np.float32)
        return {
            leaf: of_predictions(
                minority[test],
                tree.fit(x_train, y, check_input=False).predict(x_test, check_input=False),
            )
            for leaf, tree in trees.items()
        }

    before = grown(x, y)
    smote = SMOTE(k_neighbors=workflow.neighbors, random_state=state)
    for scaling, scale in (("none", np.ones_like(spread)), ("standard", spread)):
        more, both = smote.fit_resample(x / scale, y)
        for leaf, after in grown(more * scale, both).items():
            setting = dict(zip(SETTING, (draw, encoding, scaling, leaf), strict=True))
            for model, found in (("baseline", before[leaf]), ("SMOTE", after)):
                yield {**setting, "replicate": number, "model": model, **found, **leaks}


def summary(replicates: pd.DataFrame) -> pd.DataFrame:
    """Every count and statistic: printed, one split, and mean, sd and 95 % range of all."""
    values = replicates.melt(["draw", "model"], STATISTICS, "measure")
    by_measure = values.groupby(["draw", "model", "measure"])["value"]
    table: Any = by_measure.agg(one_split="first", mean="mean", sd="std")
    table["low"], table["high"] = by_measure.quantile(0.025), by_measure.quantile(0.975)
    keys = list(product(DRAWS, MATRICES, STATISTICS))
    # Only numbers that stand in the source, not those that follow from its matrix.
    printed = [PRINTED[model].get(measure) for _, model, measure in keys]
    table = table.loc[keys].reset_index()
    table.insert(3, "printed", [number and number.text for number in printed])
    return pd.DataFrame(table)


def leak_table(replicates: pd.DataFrame, workflow: Workflow) -> pd.DataFrame:
    """Share of test rows that the training data hold too: draw, class, expected, mean, sd."""
    rows = []
    for draw, (name, drawn) in product(DRAWS, workflow.drawn.items()):
        n_train = round(drawn * workflow.train_share)
        expected = expected_leak(CLASS_COUNTS[name], n_train) if draw == DRAWS[0] else 0.0
        values = replicates.query("draw == @draw and model == 'SMOTE'")[f"leak_{name}"]
        rows.append((draw, name, expected, values.mean(), values.std()))
    return pd.DataFrame(rows, columns=["draw", "class", "expected", "mean", "sd"])


def _changes(runs: pd.DataFrame) -> pd.DataFrame:
    """What SMOTE changes in the same replicate of a setting."""
    keys = [*SETTING, "replicate"]
    baseline, smote = (runs[runs["model"] == model].set_index(keys)[CHANGED] for model in MATRICES)
    return smote - baseline


def _as_large(changes: pd.Series[float]) -> tuple[float, dict[str, float]]:
    """The printed change, and how many of the changes are as large, with share and interval."""
    printed = IMPROVED[str(changes.name)] - BASELINE[str(changes.name)]
    k = int((changes >= printed - 1e-12).sum())
    share, low, high = share_with_interval(k, len(changes)).values()
    return printed, {"as_large": k, "share": share, "share_low": low, "share_high": high}


def change_table(runs: pd.DataFrame) -> pd.DataFrame:
    """What SMOTE changes in the same replicate, printed (of_matrices) and over the replicates.

    rising: share of the replicates in which the measure rises; as_large, share: those that rise at
    least as much as printed.
    """
    rows = []
    for (draw, changes), measure in product(_changes(runs).groupby("draw", sort=False), CHANGED):
        values = changes[measure]
        printed, as_large = _as_large(values)
        low, high = values.quantile([0.025, 0.975])
        spread = {"of_matrices": printed, "mean": values.mean(), "sd": values.std()}
        spread |= {"rising": (values > 0).mean(), "low": low, "high": high}
        rows.append({"draw": draw, "measure": measure, **spread, **as_large})
    return pd.DataFrame(rows)


def grid_table(runs: pd.DataFrame) -> pd.DataFrame:
    """What SMOTE changes under every setting that the source leaves open.

    Columns: the setting, replicates, change of kappa as printed, its mean with interval, mean
    change of accuracy, share of the replicates in which kappa rises at least as much as printed,
    with its interval.
    """
    rows = []
    for setting, changes in _changes(runs).groupby(SETTING, sort=False):
        n, mean = len(changes), changes["kappa"].mean()
        printed, as_large = _as_large(changes["kappa"])
        half = ORDINARY * changes["kappa"].std() / np.sqrt(n)
        row = {**dict(zip(SETTING, setting, strict=True)), "replicates": n, "of_matrices": printed}
        row |= {"kappa": mean, "low": mean - half, "high": mean + half}
        rows.append({**row, "accuracy": changes["accuracy"].mean(), **as_large})
    return pd.DataFrame(rows).drop(columns="as_large")


def peak_of_kappa(fpr: float, tpr: float) -> tuple[float, float]:
    """The prevalence at which a fixed classifier has its largest kappa, and that kappa.

    Divide numerator and denominator of equation 19 by p (1 - p): with the odds o = p / (1 - p),
    kappa = 2d / (o (1 - t) + 1 + d + f / o). So it peaks at o = sqrt(f / (1 - t)): at p = 1/2 only
    for a classifier that errs equally often in both classes. It needs tpr > fpr.
    """
    odds = float(np.sqrt(fpr / (1 - tpr)))
    prevalence = odds / (1 + odds)
    return prevalence, float(kappa_from_rates(fpr, tpr, prevalence))


def kappa_by_prevalence(matrices: pd.DataFrame, workflow: Workflow) -> pd.DataFrame:
    """Kappa of fixed predictions on bootstrapped test sets of other class shares.

    A test set of level p has as many rows as a matrix, a share p of them positive. Of these a
    binomial number is predicted positive, with the classifier's rate: the two counts are drawn, not
    the rows. Each of a model's matrices, of one size, has `n_test_sets` of them at each level.
    """
    rows = []
    for model, own in matrices.groupby("model", sort=False):
        rng = np.random.default_rng(np.random.SeedSequence(workflow.seed, spawn_key=(2019,)))
        n = round(own[[*CELLS]].iloc[0].sum())
        fpr, tpr = own["fpr"].to_numpy(), own["recall"].to_numpy()
        for level in np.linspace(0.05, 0.95, workflow.n_levels):
            n_positive = min(max(round(n * level), 1), n - 1)
            share = n_positive / n
            size = workflow.n_test_sets, len(own)
            tp = rng.binomial(n_positive, tpr, size)
            fp = rng.binomial(n - n_positive, fpr, size)
            kappas = kappa_from_rates(fp / (n - n_positive), tp / n_positive, share)
            ends, rates = np.quantile(kappas, [0.025, 0.975]), (fpr.mean(), tpr.mean())
            analytic = float(kappa_from_rates(*rates, share))
            rows.append((model, share, kappas.mean(), *ends, *rates, analytic))
    names = ["model", "prevalence", "mean", "low", "high", "fpr", "tpr", "analytic"]
    return pd.DataFrame(rows, columns=names)


def figure_by_prevalence(curves: pd.DataFrame) -> Figure:
    """Kappa against prevalence: mean and band of the bootstrap sets, and the analytic curve."""
    titles = curves["source"].map(TITLES)
    label = "prevalence $p$ of bad"
    figure, row = panels(titles.unique().tolist(), 2.7, xlabel=label, xlim=(0, 1))
    for axes, (_, table) in zip(row, curves.groupby(titles, sort=False), strict=True):
        by_model = table.groupby("model", sort=False)
        for (model, levels), style in zip(by_model, LINE_STYLES, strict=False):
            _draw_model(axes, str(model), levels, style)
        axes.axhline(0, **REFERENCE)
    row[0].set(ylabel=r"Cohen's kappa $\kappa$")
    handles, names = row[-1].get_legend_handles_labels()
    named = dict(zip(names, handles, strict=True))  # one star for both models
    figure.legend(list(named.values()), list(named), loc="outside lower center", ncols=5)
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


def checks(leaks: pd.DataFrame, n_replicates: int, grid: pd.DataFrame) -> pd.DataFrame:
    """Printed numbers, the place of kappa's maximum, the leak, and what SMOTE changes."""
    fpr, tpr = IMPROVED["fpr"], IMPROVED["recall"]
    fine = np.linspace(0.001, 0.999, 9981)
    by_grid = float(fine[np.argmax(kappa_from_rates(fpr, tpr, fine))])
    peak = peak_of_kappa(fpr, tpr)[0]
    stated = "SMOTE: kappa peaks at prevalence 0.5, as the text says"
    formula = "SMOTE: the peak by the formula is that of a fine grid"
    statements = [
        Check("printed", stated, STATED_PEAK, peak, 0.005, key="silipo_balanced", n=1),
        Check("ours", formula, by_grid, peak, 1e-4),
    ]
    for row in leaks.to_dict("records"):
        drawn = row["draw"].replace("_", " ")
        name = f"share of {CLASS_NAMES[row['class']]} test rows also trained on, drawn {drawn}"
        # Four standard errors of the mean over the replicates.
        tolerance = 4 * row["sd"] / np.sqrt(n_replicates) + 1e-9
        statements.append(Check("ours", name, row["expected"], row["mean"], tolerance))
    # The source has the chance agreement in a figure.
    agreement = "baseline: expected agreement"
    statements.append(Check("derived", agreement, 0.828, BASELINE["expected_agreement"], 5e-4))
    for model, of in MATRICES.items():
        # The largest accuracy that the totals allow.
        p, q, by_chance = of["prevalence"], of["predicted_share"], of["expected_agreement"]
        p_max = min(p, q) + min(1 - p, 1 - q)
        largest = (p_max - by_chance) / (1 - by_chance)
        statements += [
            Check("ours", f"{model}: p_max", None, p_max),
            Check("derived", f"{model}: maximum kappa from p_max", of["kappa_max"], largest),
        ]
    # SMOTE lifts kappa by .207 while the accuracy hardly moves: on average, and how often.
    most: Any = grid.iloc[int(grid["kappa"].argmax())]
    often: Any = grid.iloc[int(grid["share"].argmax())]
    of_mean = {"low": most["low"], "high": most["high"]}
    of_share: Any = {"low": often["share_low"], "high": grid["share_high"].max()}
    of_share |= {"key": "silipo_smote", "n": n_replicates}
    rises = {name: IMPROVED[name] - BASELINE[name] for name in ("kappa", "accuracy")}
    more = "SMOTE lifts kappa by more than accuracy, in the printed matrices"
    lift = f"SMOTE lifts kappa: largest mean over {len(grid)} settings"
    rise = "SMOTE lifts kappa by as much as printed or more: largest share of runs"
    statements += [
        Check("printed", lift, most["of_matrices"], most["kappa"], relation=">=", **of_mean),
        Check("ours", rise, None, often["share"], **of_share),
        Check(
            "derived",
            more,
            0,
            rises["kappa"] - rises["accuracy"],
            relation=">=",
            key="silipo_rises",
        ),
        Check("ours", "SMOTE: smallest mean change of kappa", None, float(grid["kappa"].min())),
    ]
    of_rounded = "SMOTE: maximum kappa with the predicted share in whole per cents"
    printed, key = PRINTED["SMOTE"]["kappa_max"], "kappa_max_of_rounded_share"
    statements.append(as_printed(of_rounded, printed, _kappa_max_of_rounded_share(), "ours", key))
    found = {place: {**of, "predicted bad": of["tp"] + of["fp"]} for place, of in MATRICES.items()}
    return SOURCE.check_table(found, statements)


def _kappa_max_of_rounded_share() -> float:
    p, predicted = IMPROVED["prevalence"], round(IMPROVED["predicted_share"], 2)
    # The best matrix with these margins: kappa_max_of_confusion takes any matrix that has them.
    return kappa_max_of_confusion(np.outer([p, 1 - p], [predicted, 1 - predicted]))


def largest_kappa_of_the_improved_model() -> Recomputed:
    """Maximum kappa of the margins, exact and with the predicted share rounded to per cents."""
    exact = IMPROVED["kappa_max"]
    agrees = PRINTED["SMOTE"]["kappa_max"].is_of(exact)
    return agrees, {"exact": exact, "rounded": _kappa_max_of_rounded_share()}


def rise_of_kappa_by_smote(grid: pd.DataFrame) -> Recomputed:
    """The mean rise in every setting, and how often it is as large as printed."""
    most: Any = grid.iloc[int(grid["kappa"].argmax())]
    ends = {"least": grid["kappa"].min(), "most": most["kappa"], "cost": -most["accuracy"]}
    values = {**ends, "cells": len(grid), "often": grid["share"].max()}
    return bool(most["high"] >= most["of_matrices"]), values


def prevalence_of_the_largest_kappa() -> Recomputed:
    """Where kappa of the improved model's rates peaks over the prevalence."""
    rates = IMPROVED["fpr"], IMPROVED["recall"]
    peak = peak_of_kappa(*rates)
    half = float(kappa_from_rates(*rates, STATED_PEAK))
    values = {"peak": peak, "half": half, "stated": STATED_PEAK}
    return abs(peak[0] - STATED_PEAK) < 0.01, values


def duplicates_between_training_and_test() -> Recomputed:
    """Copies that a bootstrap of the good rows puts on both sides of the split."""
    majority = CLASS_COUNTS["majority"]
    in_test = round(IMPROVED["fp"] + IMPROVED["tn"])
    needed = round(in_test / 0.3)
    shared = expected_leak(majority, needed - in_test)
    return needed <= majority, {"needed": needed, "majority": majority, "shared": shared}
