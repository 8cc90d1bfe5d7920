"""Figures 1 to 3 of Kaymak et al. (2010), redrawn from our own curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import norm

from kappacurve.curves import along_segments, kappa_from_rates
from kappacurve.experiment.tables import MODEL_LABELS, read_published
from kappacurve.measures import area_under_curve, area_under_kappa
from kappacurve.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]


def figure_dominating(separations: Sequence[float], prevalence: float) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Parameters
    ----------
    separations : sequence of float
        Distance between the class means of normal scores with unit variance, one a curve.
    prevalence : float in (0, 1)
    """
    figure, (roc, kappa) = _panels()
    fpr = np.concatenate(([0.0], norm.cdf(np.linspace(-6, 6, 801)), [1.0]))
    for separation, style in zip(separations, LINE_STYLES, strict=False):
        tpr = norm.cdf(norm.ppf(fpr) + separation)
        line = {"color": style.color, "linestyle": style.linestyle}
        roc.plot(fpr, tpr, label=f"AUC {area_under_curve(fpr, tpr):.3f}", **line)
        area = area_under_kappa(fpr, tpr, prevalence)
        kappa.plot(fpr, kappa_from_rates(fpr, tpr, prevalence), label=f"AUK {area:.3f}", **line)
    _finish(roc, kappa, f"normal scores, $p$ = {prevalence:g}")
    return figure


def figure_curves(
    curves: pd.DataFrame,
    measures: pd.DataFrame,
    *,
    models: Sequence[str],
    positive_class: str,
    curve: str,
) -> Figure:
    """Figures 2 (hull) and 3 (raw): ROC and kappa curves with their largest kappa.

    Parameters
    ----------
    curves, measures : DataFrame
        As from :mod:`kappacurve.experiment.evaluation`.
    models : sequence of str
        At most six, drawn in this order.
    positive_class : {"good", "bad"}
    curve : {"raw", "hull"}
    """
    figure, (roc, kappa) = _panels()
    chosen = "positive_class == @positive_class and curve == @curve and model == @model"
    prevalence = float(measures.query("positive_class == @positive_class")["prevalence"].iloc[0])
    for model, style in zip(models, LINE_STYLES, strict=False):
        points = curves.query(chosen)
        found = measures.query(chosen).iloc[0]
        line: dict[str, Any] = {"color": style.color, "linestyle": style.linestyle}
        name = MODEL_LABELS.get(model, model)
        roc.plot(points["fpr"], points["tpr"], label=f"{name}, AUC {found['auc']:.3f}", **line)
        fpr, tpr = along_segments(points["fpr"].to_numpy(), points["tpr"].to_numpy())
        k = kappa_from_rates(fpr, tpr, prevalence)
        kappa.plot(fpr, k, label=f"{name}, AUK {found['auk']:.3f}", **line)
        spot = {"color": style.color, "marker": style.marker, "markersize": 5, "mec": "white"}
        roc.plot(found["fpr"], found["tpr"], **spot)
        kappa.plot(found["fpr"], found["kappa_max"], **spot)
    if curve == "hull":
        _mark_published(roc, kappa)
    _finish(roc, kappa, f"positive class: {positive_class}, $p$ = {prevalence:.3f}")
    return figure


def _mark_published(roc: Any, kappa: Any) -> None:
    point = read_published().query("place == 'Section 8'").set_index("measure")["value"]
    star = {
        "marker": "*",
        "markersize": 8,
        "color": "white",
        "mec": "black",
        "mew": 0.8,
        "linestyle": "none",
    }
    roc.plot(point["fpr"], point["tpr"], label="published optimum", **star)
    kappa.plot(point["fpr"], point["kappa_max"], **star)


def _panels() -> tuple[Figure, Any]:
    import matplotlib.pyplot as plt

    return plt.subplots(1, 2, figsize=(TWO_COLUMNS, 3.1))


def _finish(roc: Any, kappa: Any, note: str) -> None:
    roc.plot([0, 1], [0, 1], **REFERENCE)
    kappa.axhline(0, **REFERENCE)
    roc.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$", ylim=(-0.02, 1.02))
    kappa.set(xlabel="false positive rate $f$", ylabel=r"Cohen's kappa $\kappa$")
    roc.legend(loc="lower right")
    # Kappa curves leave no corner free for every model and class: room is made above them.
    lines = [one for one in kappa.get_lines() if not one.get_label().startswith("_")]
    low, high = kappa.dataLim.intervaly
    kappa.set_ylim(low - 0.05 * high, high * (1.04 + 0.08 * len(lines)))
    kappa.legend(loc="upper right")
    for axes, name in ((roc, "a"), (kappa, "b")):
        axes.set_xlim(-0.02, 1.02)
        letter(axes, name)
    kappa.set_title(note, loc="right", color="0.35")
