"""Silipo & Widmann, "Cohen's kappa: what it is, when to use it, and how to avoid its pitfalls".

A blog. They grow a decision tree on German Credit with 10 % bad customers, once on the data as they
are and once on training rows balanced by SMOTE, and print both confusion matrices. Bad is positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from kappacurve import kappa_from_rates
from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.companions.printed import (
    Companion,
    Inputs,
    Numbers,
    compare_numbers,
    list_numbers,
    measure_matrix,
)
from study.figures.style import GREY, finish_panels

# TP, FN, FP, TN of the 300 test rows. TP is printed; FP and TN follow from the 27 and 40 customers
# who are predicted bad.
BASELINE = (9, 21, 18, 252)
SMOTE = (18, 12, 22, 248)
PRINTED_CHANGE = 0.452 - 0.244  # of kappa by SMOTE
CHANGE = "Figure 2, SMOTE", "change of kappa"
BEST = "Figure 3, SMOTE", "prevalence of the largest kappa"
N_REPLICATES = 75
# ASSUME: "via bootstrapping" draws 900 of the 700 good and 100 of the 300 bad rows with
# replacement, because 300 test rows are 30 % of 1,000. Whether the split comes first is not said:
# both orders are tried.
N_DRAWN = {0: 900, 1: 100}
TRAIN_SHARE = 0.7
ORDERS = ("before the split", "after the split")
# ASSUME: the settings of tree and SMOTE are not printed; scikit-learn's tree with at least two
# rows per leaf, on the experiment's features, and five neighbours.
MIN_ROWS_PER_LEAF = 2
N_NEIGHBORS = 5


def study_source(inputs: Inputs) -> Companion:
    """Recompute both matrices, and repeat the experiment on many draws of all 1,000 customers."""
    minority = inputs.features["minority"].to_numpy()
    x = inputs.features.drop(columns=["row", "minority"]).to_numpy(dtype=np.float64)
    runs = pd.DataFrame(
        {"order": order, **measure_change(x, minority, order, inputs.seed, number)}
        for order in ORDERS
        for number in range(N_REPLICATES)
    )
    change, of_runs = summarise_changes(runs)
    rates = compute_rates(SMOTE)
    best = find_best_prevalence(*rates)
    kappas = kappa_from_rates(*rates, np.array([best, 0.5]))
    named = {BEST: dict(zip(("largest", "half"), kappas, strict=True)), CHANGE: of_runs}
    numbers = compute_shares(minority) | compute_matrices() | {BEST: best, CHANGE: change}
    as_large = {CHANGE: (of_runs["as_large"], of_runs["runs"])}
    figures = {
        "kappa_by_prevalence": plot_kappa_by_prevalence(inputs.width),
        "kappa_change_by_smote": plot_changes(runs, inputs.width),
    }
    return Companion(compare_numbers("Silipo & Widmann", numbers, named, as_large), figures)


def compute_shares(minority: np.ndarray) -> Numbers:
    """Class shares of German Credit, and of the drawn data."""
    bad = float(minority.mean())
    drawn = N_DRAWN[1] / sum(N_DRAWN.values())
    shares = {
        "share of bad customers": bad,
        "share of good customers": 1 - bad,
        "share of bad customers, drawn": drawn,
        "share of good customers, drawn": 1 - drawn,
    }
    return list_numbers("Data", shares)


def compute_matrices() -> Numbers:
    """What is printed of both confusion matrices."""
    numbers: Numbers = {}
    for place, matrix in (("Figure 1, baseline", BASELINE), ("Figure 2, SMOTE", SMOTE)):
        tp, fn, fp, tn = matrix
        found = measure_matrix(*matrix)
        totals = {
            "share predicted negative": 1 - found["share predicted positive"],
            "actually bad": tp + fn,
            "actually good": fp + tn,
            "predicted good": fn + tn,
            "customers rated correctly of 100": 100 * found["accuracy"],
        }
        numbers |= list_numbers(place, found | totals)
    return numbers


def summarise_changes(runs: pd.DataFrame) -> tuple[float, dict[str, Any]]:
    """Mean change of kappa by SMOTE over the runs, and what the note says of them."""
    as_large = int((runs["kappa"] >= PRINTED_CHANGE).sum())
    leak = 100 * runs.loc[runs["order"] == ORDERS[0], "leak"].mean()
    named = {"runs": len(runs), "as_large": as_large, "leak": leak}
    return float(runs["kappa"].mean()), named


def compute_rates(matrix: tuple[float, float, float, float]) -> tuple[float, float]:
    """False and true positive rate of a matrix."""
    statistics = measure_matrix(*matrix)
    return statistics["false positive rate"], statistics["true positive rate"]


def find_best_prevalence(fpr: float, tpr: float) -> float:
    """Prevalence at which a classifier of these rates has its largest kappa.

    With the odds o = p / (1 - p), kappa = 2d / (o (1 - t) + 1 + d + f / o), where d = t - f > 0.
    """
    odds = np.sqrt(fpr / (1 - tpr))
    return float(odds / (1 + odds))


def draw_rows(
    minority: np.ndarray, order: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows; if drawn before the split, copies of a row may be in both."""
    train, test = [], []
    for label, n in N_DRAWN.items():
        rows = np.flatnonzero(minority == label)
        n_train = round(n * TRAIN_SHARE)
        if order == "before the split":
            drawn = rng.choice(rows, n)
            train.append(drawn[:n_train])
            test.append(drawn[n_train:])
        else:
            first, second = np.split(rng.permutation(rows), [round(len(rows) * TRAIN_SHARE)])
            train.append(rng.choice(first, n_train))
            test.append(rng.choice(second, n - n_train))
    return np.concatenate(train), np.concatenate(test)


def measure_change(
    x: np.ndarray, minority: np.ndarray, order: str, seed: int, number: int
) -> Mapping[str, float]:
    """Change of kappa on the test rows of a draw, and the share of good ones that also train.

    Both orders of a draw's number see the same random numbers.
    """
    from imblearn import over_sampling
    from sklearn.metrics import cohen_kappa_score
    from sklearn.tree import DecisionTreeClassifier

    sequence = np.random.SeedSequence(seed, spawn_key=(number,))
    state = int(sequence.generate_state(1)[0])
    train, test = draw_rows(minority, order, np.random.default_rng(sequence))
    smote = over_sampling.SMOTE(k_neighbors=N_NEIGHBORS, random_state=state)
    kappas = []
    for fitted in ((x[train], minority[train]), smote.fit_resample(x[train], minority[train])):
        tree = DecisionTreeClassifier(min_samples_leaf=MIN_ROWS_PER_LEAF, random_state=state)
        predicted = tree.fit(*fitted).predict(x[test])
        kappas.append(cohen_kappa_score(minority[test], predicted))
    leak = np.isin(test, train)[minority[test] == 0].mean()
    return {"kappa": kappas[1] - kappas[0], "leak": float(leak)}


def plot_kappa_by_prevalence(width: float) -> Figure:
    """Figure 3: kappa of both printed classifiers, with their rates fixed, at every prevalence."""
    figure, axes = plt.subplots(figsize=(width, 2.7))
    p = np.linspace(0.05, 0.95, 181)
    for matrix, name, style in zip(
        (BASELINE, SMOTE), ("baseline", "SMOTE"), LINE_STYLES, strict=False
    ):
        rates = compute_rates(matrix)
        line: Any = {"color": style.color, "linestyle": style.linestyle}
        axes.plot(p, kappa_from_rates(*rates, p), label=name, **line)
        best = find_best_prevalence(*rates)
        star: Any = {"color": style.color, "marker": "*", "markersize": 9}
        axes.plot(best, kappa_from_rates(*rates, best), **star)
    axes.axvline(0.5, **REFERENCE)
    axes.set(xlabel="prevalence $p$ of bad", ylabel=r"Cohen's kappa $\kappa$")
    axes.set(xlim=(0, 1), ylim=(0, None))
    axes.legend()
    return figure


def plot_changes(runs: pd.DataFrame, width: float) -> Figure:
    """The change of kappa by SMOTE over the draws, and the printed one; a panel per order."""
    figure, panels = plt.subplots(2, figsize=(width, 3.4), sharex=True, sharey=True)
    low, high = runs["kappa"].min(), max(runs["kappa"].max(), PRINTED_CHANGE)
    bins = 0.05 * np.arange(np.floor(low / 0.05), np.ceil(high / 0.05) + 1)
    for axes, order in zip(panels, ORDERS, strict=True):
        changes = runs.loc[runs["order"] == order, "kappa"]
        axes.hist(changes, bins=bins, color=LINE_STYLES[0].color, edgecolor="white")
        axes.axvline(PRINTED_CHANGE, color=LINE_STYLES[1].color, label="printed")
        axes.set_title(f"rows drawn {order}", loc="right", color=GREY)
        axes.legend()
    panels[1].set_xlabel("change of kappa by SMOTE")
    label = f"number of draws (of {N_REPLICATES})"
    figure.supylabel(label, fontsize=plt.rcParams["axes.labelsize"])
    return finish_panels(figure)
