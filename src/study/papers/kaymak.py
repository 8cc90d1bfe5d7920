"""Kaymak, Ben-David & Potharst (2010): Tables 1-3, and the AUK at p = 1/2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.measures import area_under_curve, area_under_kappa
from kappacurve.plots.figures import plot_auk_by_prevalence
from kappacurve.plots.style import TWO_COLUMNS, letter
from kappacurve.roc import kappa_from_rates, roc_hull, roc_vertices
from study.papers.agreement import Matrix
from study.papers.checks import Check, as_printed
from study.published import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]
PERFECT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])


class Printed(NamedTuple):
    """A printed confusion matrix of shares, with its kappa."""

    classifier: str
    matrix: Matrix
    kappa: str


TABLES = {
    1: Printed("A", Matrix(0.05, 0.02, 0.03, 0.90), "0.640"),
    2: Printed("B", Matrix(0.04, 0.02, 0.03, 0.91), "0.589"),
    3: Printed("C", Matrix(0.06, 0.02, 0.03, 0.89), "0.679"),
}
ACCURACY = "0.95"


def matrices_table() -> pd.DataFrame:
    """Tables 1 to 3: shares, accuracy and kappa, printed beside recomputed."""
    rows = []
    for number, (classifier, matrix, kappa) in TABLES.items():
        rows.append(
            {
                "table": number,
                "classifier": classifier,
                **matrix._asdict(),
                "prevalence": matrix.prevalence,
                "predicted_share": matrix.predicted_share,
                "accuracy_printed": ACCURACY,
                "accuracy": matrix.accuracy,
                "chance": matrix.expected_agreement,
                "kappa_printed": kappa,
                "kappa": matrix.kappa,
            }
        )
    return pd.DataFrame(rows)


def _curves(scores: pd.DataFrame) -> Iterator[tuple[str, str, FloatArray, FloatArray]]:
    """Model, curve, fpr and tpr of every model, raw and hull, with bad as the positive class."""
    for model, table in scores.groupby("model", sort=False):
        fpr, tpr, _ = roc_vertices(table["bad"], table["score"])
        yield str(model), "raw", fpr, tpr
        hull_fpr, hull_tpr, _ = roc_hull(fpr, tpr)
        yield str(model), "hull", hull_fpr, hull_tpr


def gini_table(cohorts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Half the Gini coefficient beside the AUK at p = 1/2 and at the data's own prevalence.

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


def checks(gini: pd.DataFrame) -> list[Check]:
    """Tables 1-3 and equation 24, on a table made by :func:`gini_table`."""
    found = []
    for number, (classifier, matrix, kappa) in TABLES.items():
        by_rates = float(kappa_from_rates(matrix.fpr, matrix.recall, matrix.prevalence))
        found += [
            as_printed(f"Table {number}: accuracy of {classifier}", ACCURACY, matrix.accuracy),
            as_printed(f"Table {number}: kappa of {classifier}", kappa, matrix.kappa),
            Check(
                "identity",
                f"Table {number}: equation 19 gives the same kappa",
                matrix.kappa,
                by_rates,
            ),
        ]
    first = TABLES[1].matrix
    found += [
        as_printed("Section 2: share of false alarms of A", "0.375", 1 - first.precision),
        as_printed("Section 2: accuracy of a random classifier", "0.93", _random_accuracy(first)),
        as_printed("Section 2: accuracy of a majority classifier", "0.93", 1 - first.prevalence),
        Check(
            "printed",
            "AUK of a perfect classifier is the same at p = 0.1 as at p = 0.5",
            area_under_kappa(*PERFECT, 0.5),
            area_under_kappa(*PERFECT, 0.1),
        ),
    ]
    for one in gini.to_dict("records"):
        name = f"{one['model']}, {one['curve']} curve, {one['cohort']} data"
        half, exact = one["half_gini"], one["auk_at_one_half"]
        found += [
            Check("identity", f"Equation 24, AUK = Gini/2 at p = 0.5: {name}", half, exact),
            Check(
                "identity",
                f"Equation 24 by the trapezoid rule: {name}",
                half,
                one["trapezoid_at_one_half"],
            ),
        ]
    return found


def _random_accuracy(matrix: Matrix) -> float:
    """Accuracy of guesses that keep the class shares."""
    return matrix.prevalence**2 + (1 - matrix.prevalence) ** 2


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
