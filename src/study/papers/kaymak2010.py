"""Kaymak, Ben-David & Potharst (2010): Tables 1-3 and AUK = Gini/2 at p = 1/2.

The experiment of section 8 is in :mod:`study.papers.kaymak2010_experiment`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve import kappa_from_rates, plot_auk_by_prevalence
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.plots.style import TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge
from study.papers.confusion import Confusion, statistics
from study.papers.curves import curves_of
from study.published import MODEL_LABELS

SOURCE = Source("Kaymak, Ben-David & Potharst 2010")
PERFECT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
# Classifier, its printed confusion matrix of shares and kappa, by table.
TABLES = {
    1: ("A", Confusion(0.05, 0.02, 0.03, 0.90), "0.640"),
    2: ("B", Confusion(0.04, 0.02, 0.03, 0.91), "0.589"),
    3: ("C", Confusion(0.06, 0.02, 0.03, 0.89), "0.679"),
}
TABLE_1 = statistics(TABLES[1][1])
ACCURACY = "0.95"  # of all three
FALSE_ALARMS = "0.375"  # share of the predicted positives of A
RANDOM_ACCURACY = "0.93"  # of a random and of a majority classifier


def matrices_table() -> pd.DataFrame:
    """Tables 1 to 3: shares, accuracy and kappa, printed beside recomputed."""
    rows = [
        {
            **{"table": number, "classifier": classifier, "kappa_printed": kappa},
            **matrix._asdict(),
            **statistics(matrix),
        }
        for number, (classifier, matrix, kappa) in TABLES.items()
    ]
    names = ["table", "classifier", *Confusion._fields, "prevalence", "predicted_share"]
    names += ["accuracy_printed", "accuracy", "expected_agreement", "kappa_printed", "kappa"]
    table = pd.DataFrame(rows).assign(accuracy_printed=ACCURACY)
    return table[names].rename(columns={"expected_agreement": "chance"})


def checks(gini: pd.DataFrame) -> list[Check]:
    """Tables 1-3, section 2 and equation 24, on a table of :func:`gini_table`."""
    return [*_tables(), *_section2(), *_equation_24(gini)]


def _tables() -> list[Check]:
    statements = []
    for number, (classifier, matrix, kappa) in TABLES.items():
        values = statistics(matrix)
        by_rates = float(kappa_from_rates(values["fpr"], values["recall"], values["prevalence"]))
        name = f"Table {number}: equation 19 gives the same kappa"
        statements += [
            as_printed(f"Table {number}: accuracy of {classifier}", ACCURACY, values["accuracy"]),
            as_printed(f"Table {number}: kappa of {classifier}", kappa, values["kappa"]),
            Check("identity", name, values["kappa"], by_rates),
        ]
    return statements


def _section2() -> list[Check]:
    random, majority = _accuracies_without_skill()
    half, tenth = (area_under_kappa(*PERFECT, p) for p in (0.5, 0.1))
    perfect = "AUK of a perfect classifier is the same at p = 0.1 as at p = 0.5"
    alarms = "Section 2: share of false alarms of A"
    return [
        as_printed(alarms, FALSE_ALARMS, 1 - TABLE_1["precision"]),
        as_printed("Section 2: accuracy of a random classifier", RANDOM_ACCURACY, random),
        as_printed("Section 2: accuracy of a majority classifier", RANDOM_ACCURACY, majority),
        Check("printed", perfect, half, tenth),
    ]


def _equation_24(gini: pd.DataFrame) -> list[Check]:
    return [
        Check("identity", f"{said}: {model}, {curve} curve, {cohort} data", half, auk)
        for cohort, model, curve, half, exact, rule in gini.iloc[:, :6].itertuples(index=False)
        for said, auk in (
            ("Equation 24, AUK = Gini/2 at p = 0.5", exact),
            ("Equation 24 by the trapezoid rule", rule),
        )
    ]


def _accuracies_without_skill() -> tuple[float, float]:
    """Accuracy of guesses with the class shares of Table 1, and of its majority class."""
    p = TABLE_1["prevalence"]
    return p**2 + (1 - p) ** 2, 1 - p


def gini_table(cohorts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Half the Gini coefficient beside the AUK at p = 1/2 and at the prevalence of the data.

    The scores (bad, model, score) come by the name of their cohort. Kaymak, Ben-David & Potharst
    (2010), equations 10, 23 and 24.
    """
    rows = []
    for cohort, scores in cohorts.items():
        for one in curves_of(scores):
            p = one.prevalence
            for curve, fpr, tpr in (
                ("raw", one.fpr, one.tpr),
                ("hull", one.hull_fpr, one.hull_tpr),
            ):
                rule = area_under_kappa(fpr, tpr, 0.5, integration="trapezoid")
                rows.append(
                    {
                        "cohort": cohort,
                        "model": one.model,
                        "curve": curve,
                        "half_gini": (2 * area_under_curve(fpr, tpr) - 1) / 2,
                        "auk_at_one_half": area_under_kappa(fpr, tpr, 0.5),
                        "trapezoid_at_one_half": rule,
                        "share_bad": p,
                        "auk_bad_positive": area_under_kappa(fpr, tpr, p),
                        "auk_good_positive": area_under_kappa(*_swapped(fpr, tpr), 1 - p),
                    }
                )
    return pd.DataFrame(rows)


@SOURCE.says("Section 2", "a specific model has a small number of false negatives")
def specificity_and_false_negatives(_: Evidence) -> Finding:
    """Specificity of Table 1 when its false negatives or its false positives double."""
    fpr = TABLE_1["fpr"]
    specificity, doubled = 1 - fpr, 1 - 2 * fpr
    return Finding(
        f"{specificity:.3f} in Table 1 and with twice the false negatives; {doubled:.3f} with "
        "twice the false positives",
        judge(doubled == specificity),
        "Specificity is one minus the paper's own f (equation 7): it counts false positives.",
    )


@SOURCE.says(
    "Section 2, below Table 1", "a random or a majority classifier has an accuracy of 93 %"
)
def accuracy_of_a_random_classifier(_: Evidence) -> Finding:
    """Expected accuracy of guessing with the class shares, and of the majority class."""
    random, majority = _accuracies_without_skill()
    return Finding(
        f"random {random:.3f}, majority {majority:.2f}",
        judge(abs(random - majority) < 0.005),
        "Only the majority classifier reaches it.",
    )


@SOURCE.says(
    "Tables 1-3",
    "kappa {}, {} and {} compare classifiers A, B and C".format(
        *(kappa for _, _, kappa in TABLES.values())
    ),
)
def classifiers_at_one_prevalence(_: Evidence) -> Finding:
    """Kappa of the three classifiers' rates at their own prevalence and at that of A."""
    values = pd.DataFrame([statistics(matrix) for _, matrix, _ in TABLES.values()])
    prevalences = values["prevalence"].round(12)
    same = kappa_from_rates(values["fpr"], values["recall"], prevalences[0])
    return Finding(
        "own p: {:.3f}, {:.3f}, {:.3f}; all at p = 0.07: {:.3f}, {:.3f}, {:.3f}".format(
            *values["kappa"], *same
        ),
        judge(len(set(prevalences)) == 1, "imprecise"),
        "The kappas are right, but belong to three data sets (p = {:g}, {:g}, {:g}); part of the "
        "difference is the prevalence's.".format(*prevalences),
    )


@SOURCE.says("Section 3 (and 1, 5)", "unlike the H-measure, kappa (AUK) needs no normalisation")
def auk_of_a_perfect_classifier(_: Evidence) -> Finding:
    """AUK of a perfect classifier at three prevalences."""
    low, half, high = (area_under_kappa(*PERFECT, p) for p in (0.1, 0.5, 0.9))
    return Finding(
        f"{low:.3f} at p = 0.1, {half:.3f} at 0.5, {high:.3f} at 0.9",
        judge(max(low, half, high) - min(low, half, high) < 1e-6),
        "Kappa's maximum is 1, but the largest AUK depends on the prevalence, so AUKs of different "
        "data sets can't be compared without a normalisation.",
    )


def figure_by_prevalence(scores: pd.DataFrame, models: Sequence[str], cohort: str) -> Figure:
    """AUK of the same ROC curves as the prevalence changes, for either positive class."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.5), sharey=True)
    prevalence = np.linspace(0.02, 0.98, 97)
    raw = {one.model: (one.fpr, one.tpr) for one in curves_of(scores)}
    for axes, positive in zip(panels, (lambda *curve: curve, _swapped), strict=True):
        shown = {MODEL_LABELS.get(model, model): positive(*raw[model]) for model in models}
        plot_auk_by_prevalence(shown, prevalence=prevalence, ax=axes)
        axes.get_legend().remove()
        areas = [area_under_kappa(*positive(*PERFECT), p) for p in prevalence]
        axes.plot(prevalence, areas, color="0.2", linestyle=(0, (1, 1)), label="perfect")
        axes.plot(0.5, 0.5, marker="v", color="0.2", mec="white", ls="none")
    _finish(panels, cohort)
    return figure


def _swapped(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The curve with the other class as the positive one: (f, t) becomes (1 - t, 1 - f)."""
    return 1 - tpr[::-1], 1 - fpr[::-1]


def _finish(panels: Any, cohort: str) -> None:
    panels[0].plot([], [], marker="o", color="0.4", ls="none", label="Gini/2")
    panels[0].legend(loc="upper left")
    for axes, name, positive in zip(panels, "ab", ("bad", "good"), strict=True):
        axes.set(ylabel="AUK" if name == "a" else "")
        axes.set(xlabel=f"prevalence $p$ of the positive class ({positive})", xlim=(0, 1))
        axes.set_ylim(bottom=0)
        letter(axes, name)
        axes.set_title(f"{cohort}, positive class: {positive}", loc="right", color="0.35")
