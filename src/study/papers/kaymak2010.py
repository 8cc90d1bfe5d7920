"""Kaymak, Ben-David & Potharst (2010): Tables 1-3 and AUK = Gini/2 at p = 1/2.

The experiment of section 8 is in :mod:`study.papers.kaymak2010_experiment`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import kappa_from_rates, plot_auk_by_prevalence, roc_hull, roc_vertices
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.plots.style import TWO_COLUMNS, letter
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge
from study.papers.confusion import Confusion, statistics
from study.published import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]
SOURCE = Source("Kaymak, Ben-David & Potharst 2010")
PERFECT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])


class Table(NamedTuple):
    """A printed confusion matrix of shares, with its kappa."""

    classifier: str
    matrix: Confusion
    kappa: str


TABLES = {
    1: Table("A", Confusion(0.05, 0.02, 0.03, 0.90), "0.640"),
    2: Table("B", Confusion(0.04, 0.02, 0.03, 0.91), "0.589"),
    3: Table("C", Confusion(0.06, 0.02, 0.03, 0.89), "0.679"),
}
ACCURACY = "0.95"  # of all three
FALSE_ALARMS = "0.375"  # share of the predicted positives of A
RANDOM_ACCURACY = "0.93"  # of a random and of a majority classifier


def matrices_table() -> pd.DataFrame:
    """Tables 1 to 3: shares, accuracy and kappa, printed beside recomputed."""
    rows = []
    for number, (classifier, matrix, kappa) in TABLES.items():
        values = statistics(matrix)
        rows.append(
            {
                "table": number,
                "classifier": classifier,
                **matrix._asdict(),
                "prevalence": values["prevalence"],
                "predicted_share": values["predicted_share"],
                "accuracy_printed": ACCURACY,
                "accuracy": values["accuracy"],
                "chance": values["expected_agreement"],
                "kappa_printed": kappa,
                "kappa": values["kappa"],
            }
        )
    return pd.DataFrame(rows)


def checks(gini: pd.DataFrame) -> list[Check]:
    """Tables 1-3 and equation 24, on a table of :func:`gini_table`."""
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
    false_alarms = 1 - statistics(TABLES[1].matrix)["precision"]
    random, majority = _accuracies_without_skill()
    half, tenth = (area_under_kappa(*PERFECT, p) for p in (0.5, 0.1))
    perfect = "AUK of a perfect classifier is the same at p = 0.1 as at p = 0.5"
    return [
        as_printed("Section 2: share of false alarms of A", FALSE_ALARMS, false_alarms),
        as_printed("Section 2: accuracy of a random classifier", RANDOM_ACCURACY, random),
        as_printed("Section 2: accuracy of a majority classifier", RANDOM_ACCURACY, majority),
        Check("printed", perfect, half, tenth),
    ]


def _equation_24(gini: pd.DataFrame) -> list[Check]:
    statements = []
    for row in gini.to_dict("records"):
        name = f"{row['model']}, {row['curve']} curve, {row['cohort']} data"
        half, exact, rule = (
            row[column] for column in ("half_gini", "auk_at_one_half", "trapezoid_at_one_half")
        )
        statements += [
            Check("identity", f"Equation 24, AUK = Gini/2 at p = 0.5: {name}", half, exact),
            Check("identity", f"Equation 24 by the trapezoid rule: {name}", half, rule),
        ]
    return statements


def _accuracies_without_skill() -> tuple[float, float]:
    """Accuracy of guesses with the class shares of Table 1, and of its majority class."""
    p = statistics(TABLES[1].matrix)["prevalence"]
    return p**2 + (1 - p) ** 2, 1 - p


def _curves(scores: pd.DataFrame) -> Iterator[tuple[str, str, FloatArray, FloatArray]]:
    """Model, curve, fpr and tpr of every model, raw and hull, with bad as the positive class."""
    for model, table in scores.groupby("model", sort=False):
        fpr, tpr, _ = roc_vertices(table["bad"], table["score"])
        yield str(model), "raw", fpr, tpr
        hull_fpr, hull_tpr, _ = roc_hull(fpr, tpr)
        yield str(model), "hull", hull_fpr, hull_tpr


def gini_table(cohorts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Half the Gini coefficient beside the AUK at p = 1/2 and at the prevalence of the data.

    Parameters
    ----------
    cohorts : mapping
        Scores (bad, model, score) of each cohort, by its name.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 10, 23 and 24.
    """
    rows = []
    for cohort, scores in cohorts.items():
        share = float(scores["bad"].mean())
        for model, curve, fpr, tpr in _curves(scores):
            rows.append(
                {
                    "cohort": cohort,
                    "model": model,
                    "curve": curve,
                    "half_gini": (2 * area_under_curve(fpr, tpr) - 1) / 2,
                    "auk_at_one_half": area_under_kappa(fpr, tpr, 0.5),
                    "trapezoid_at_one_half": area_under_kappa(
                        fpr, tpr, 0.5, integration="trapezoid"
                    ),
                    "share_bad": share,
                    "auk_bad_positive": area_under_kappa(fpr, tpr, share),
                    # Good as the positive class: the point (f, t) becomes (1 - t, 1 - f).
                    "auk_good_positive": area_under_kappa(1 - tpr[::-1], 1 - fpr[::-1], 1 - share),
                }
            )
    return pd.DataFrame(rows)


@SOURCE.says("Section 2", "a specific model has a small number of false negatives")
def specificity_and_false_negatives(_: Evidence) -> Finding:
    """Specificity of Table 1 when its false negatives or its false positives double."""
    fpr = statistics(TABLES[1].matrix)["fpr"]
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
        *(t.kappa for t in TABLES.values())
    ),
)
def classifiers_at_one_prevalence(_: Evidence) -> Finding:
    """Kappa of the three classifiers' rates at their own prevalence and at that of A."""
    values = pd.DataFrame([statistics(table.matrix) for table in TABLES.values()])
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
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.5), sharey=True)
    prevalence = np.linspace(0.02, 0.98, 97)
    raw = {model: (f, t) for model, curve, f, t in _curves(scores) if curve == "raw"}
    for axes, swapped in zip(panels, (False, True), strict=True):
        shown = {MODEL_LABELS.get(model, model): _swapped(*raw[model], swapped) for model in models}
        plot_auk_by_prevalence(shown, prevalence=prevalence, ax=axes)
        axes.get_legend().remove()
        perfect = _swapped(*PERFECT, swapped)
        areas = [area_under_kappa(*perfect, p) for p in prevalence]
        axes.plot(prevalence, areas, color="0.2", linestyle=(0, (1, 1)), label="perfect")
        axes.plot(0.5, 0.5, marker="v", color="0.2", mec="white", ls="none")
    _finish(panels, cohort)
    return figure


def _swapped(fpr: FloatArray, tpr: FloatArray, swapped: bool) -> tuple[FloatArray, FloatArray]:
    """The curve, or that of the other class as the positive one."""
    return (1 - tpr[::-1], 1 - fpr[::-1]) if swapped else (fpr, tpr)


def _finish(panels: Any, cohort: str) -> None:
    panels[0].plot([], [], marker="o", color="0.4", ls="none", label="Gini/2")
    panels[0].legend(loc="upper left")
    for axes, name, positive in zip(panels, "ab", ("bad", "good"), strict=True):
        axes.set(ylabel="AUK" if name == "a" else "")
        axes.set(xlabel=f"prevalence $p$ of the positive class ({positive})", xlim=(0, 1))
        axes.set_ylim(bottom=0)
        letter(axes, name)
        axes.set_title(f"{cohort}, positive class: {positive}", loc="right", color="0.35")
