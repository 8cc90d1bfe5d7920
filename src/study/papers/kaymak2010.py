"""Kaymak, Ben-David & Potharst (2010): Tables 1-3 and AUK = Gini/2 at p = 1/2.

The experiment of section 8 is in :mod:`study.papers.kaymak2010_experiment`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.algebra import area_under_curve, area_under_kappa, kappa_from_rates, swapped_classes
from kappacurve.plots import plot_auk_by_prevalence
from kappacurve.plots.style import TWO_COLUMNS
from study.papers.checks import Check, Study, check_table
from study.papers.confusion import matrices_table, matrix_statistics
from study.papers.curves import curves_of, panel, replicated
from study.papers.errata import Recomputed, RunTables, recomputes
from study.papers.kaymak2010_claims import (
    claims,
    eleven,
    equations,
    figure_average,
    figure_reversal,
)
from study.published import MODEL_LABELS

PERFECT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
# Of classifiers A, B and C.
TABLES_1_TO_3 = matrix_statistics("kaymak")
TABLE_1 = TABLES_1_TO_3["Table 1 (A)"]


def study(
    original: pd.DataFrame,
    paper: pd.DataFrame,
    replicates: pd.DataFrame,
    summary: pd.DataFrame,
    *,
    models: Sequence[str],
) -> Study:
    """Tables 1-3, AUK = Gini/2 at p = 1/2 on both cohorts, and claims on the replicates' scores."""
    drawn = replicated(replicates)
    gini = gini_table({"original": original, "paper": paper})
    figure = figure_by_prevalence(original, models, "original data")
    return Study(
        {
            "tables1_to_3": matrices_table("kaymak"),
            "gini": gini,
            "checks": checks(gini, [*equations(original), *claims(drawn), *eleven(summary)]),
        },
        {
            "auk_by_prevalence": figure,
            "reversing_split": figure_reversal(replicates, drawn),
            "average_kappa": figure_average(drawn),
        },
    )


def checks(gini: pd.DataFrame, more: Sequence[Check] = ()) -> pd.DataFrame:
    """Tables 1-3, section 2, equation 24 on a table of :func:`gini_table`, and more."""
    random, majority = _accuracies_without_skill()
    section2 = {
        "share of false alarms of A": 1 - TABLE_1["precision"],
        "accuracy of a random classifier": random,
        "accuracy of a majority classifier": majority,
    }
    statements = []
    for place, of in TABLES_1_TO_3.items():
        kappa = float(kappa_from_rates(of["fpr"], of["recall"], of["prevalence"]))
        name = f"{place}: equation 19 gives the same kappa"
        statements.append(Check("derived", name, of["kappa"], kappa))
    for p in (0.1, 0.5, 0.9):
        name, auk = f"Perfect AUK at p = {p:g}, by its formula", area_under_kappa(*PERFECT, p)
        statements.append(Check("ours", name, _perfect_auk(p), auk))
    statements += more
    for rule, column in (("exact", "auk_at_one_half"), ("trapezoid", "trapezoid_at_one_half")):
        gap = float((gini[column] - gini["half_gini"]).abs().max())
        name = f"Equation 24, AUK = Gini/2 at p = 0.5, {rule}: largest difference"
        statements.append(Check("derived", f"{name}, {len(gini)} curves", 0, gap))
    return check_table("kaymak", {**TABLES_1_TO_3, "Section 2": section2}, statements)


def _perfect_auk(p: float) -> float:
    """Equation 19 at t = 1, integrated over f by hand: it needs no curve."""
    q = 1 - 2 * p
    return 0.5 if q == 0 else 2 * p / q * (-np.log(2 * p) / q - 1)


def _accuracies_without_skill() -> tuple[float, float]:
    """Accuracy of guesses with the class shares of Table 1, and of its majority class."""
    p = TABLE_1["prevalence"]
    return p**2 + (1 - p) ** 2, 1 - p


def gini_table(cohorts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Half the Gini coefficient beside the AUK at p = 1/2 and at the prevalence of the data.

    Kaymak, Ben-David & Potharst (2010), equations 10, 23 and 24.
    """
    return pd.DataFrame(
        [
            {
                "cohort": cohort,
                "model": one.model,
                "curve": curve,
                "half_gini": (2 * area_under_curve(*points) - 1) / 2,
                "auk_at_one_half": area_under_kappa(*points, 0.5),
                "trapezoid_at_one_half": area_under_kappa(*points, 0.5, integration="trapezoid"),
                "share_bad": p,
                "auk_bad_positive": area_under_kappa(*points, p),
                "auk_good_positive": area_under_kappa(*swapped_classes(*points), 1 - p),
            }
            for cohort, scores in cohorts.items()
            for one in curves_of(scores)
            for p in [one.prevalence]
            for curve, points in (("raw", one.raw), ("hull", one.hull))
        ]
    )


@recomputes
def specificity_and_false_negatives(_: RunTables) -> Recomputed:
    """Specificity of Table 1 when its false negatives or its false positives double."""
    specificity, doubled = 1 - TABLE_1["fpr"], 1 - 2 * TABLE_1["fpr"]
    return doubled == specificity, {"specificity": specificity, "doubled": doubled}


@recomputes
def accuracy_of_a_random_classifier(_: RunTables) -> Recomputed:
    """Expected accuracy of guessing with the class shares, and of the majority class."""
    random, majority = _accuracies_without_skill()
    return abs(random - majority) < 0.005, {"random": random, "majority": majority}


@recomputes
def classifiers_at_one_prevalence(_: RunTables) -> Recomputed:
    """Kappa of the three classifiers' rates at their own prevalence and at that of A."""
    values = pd.DataFrame(TABLES_1_TO_3.values())
    prevalences = values["prevalence"].round(12)
    same = kappa_from_rates(values["fpr"], values["recall"], prevalences[0])
    return len(set(prevalences)) == 1, {
        "own": ", ".join(f"{kappa:.3f}" for kappa in values["kappa"]),
        "same": ", ".join(f"{kappa:.3f}" for kappa in same),
        "prevalences": ", ".join(f"{p:g}" for p in prevalences),
    }


def figure_by_prevalence(scores: pd.DataFrame, models: Sequence[str], cohort: str) -> Figure:
    """AUK of the same ROC curves as the prevalence changes, for either positive class."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.5), sharey=True)
    prevalence = np.linspace(0.02, 0.98, 97)
    raw = {one.model: one.raw for one in curves_of(scores)}
    for axes, positive in zip(panels, (lambda *curve: curve, swapped_classes), strict=True):
        shown = {MODEL_LABELS.get(model, model): positive(*raw[model]) for model in models}
        plot_auk_by_prevalence(shown, prevalence=prevalence, ax=axes)
        axes.get_legend().remove()
        areas = [area_under_kappa(*positive(*PERFECT), p) for p in prevalence]
        axes.plot(prevalence, areas, color="0.2", linestyle=(0, (1, 1)), label="perfect")
        axes.plot(0.5, 0.5, marker="v", color="0.2", mec="white", ls="none")
    panels[0].plot([], [], marker="o", color="0.4", ls="none", label="Gini/2")
    panels[0].legend(loc="upper left")
    for axes, name, side in zip(panels, "ab", ("bad", "good"), strict=True):
        label = f"prevalence $p$ of the positive class ({side})"
        panel(axes, name, f"{cohort}, positive class: {side}", xlabel=label, xlim=(0, 1))
        axes.set(ylabel="AUK" if name == "a" else "", ylim=(0, None))
    return figure
