"""Kaymak, Ben-David & Potharst (2010), sections 4-7: equations and claims, on our curves."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.signal import find_peaks

from kappacurve import kappa_of_confusion
from kappacurve.algebra import (
    along_segments,
    area_under_curve,
    area_under_kappa,
    kappa_from_rates,
    swapped_classes,
)
from kappacurve.bounds import auk_bounds
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.papers.checks import Check, share_checks
from study.papers.curves import (
    GRID,
    Replicated,
    curves_of,
    panel,
    reversing,
    slopes_enclose,
)
from study.papers.errata import Recomputed, RunTables, recomputes
from study.papers.forensics import (
    SECTION_8,
    STATED_PREVALENCE,
    chance_of_test_set,
    pair_intervals,
    point_if_published,
    point_intervals,
    published_pair,
    published_pairs,
    published_point,
)
from study.published import (
    MEASURE_LABELS,
    MODEL_LABELS,
    PAPER_PAIR,
    UNUSUAL,
    published_numbers,
)


def equations(original: pd.DataFrame) -> list[Check]:
    """Equations 15, 16 and 20 at random points, 23 and 25 on our models' curves."""
    f, t, p = np.random.default_rng(2010).uniform(0.01, 0.99, (3, 1000))
    predicted, kappa = p * t + (1 - p) * f, kappa_from_rates(f, t, p)
    by_15 = (p * t - (1 - p) * f - (2 * p - 1) * predicted) / (p - (2 * p - 1) * predicted)
    by_16 = (1 - p) / p * f + (1 - kappa) * (2 * p - 1) / p * predicted + kappa
    curves = list(curves_of(original))
    gaps = [area_under_kappa(*one.raw, 0.5) - (area_under_curve(*one.raw) - 0.5) for one in curves]
    hulls = [one.hull for one in curves]
    enclosed = [slopes_enclose(f, t, 0.5, int((t - f).argmax())) for f, t in hulls]
    largest = {
        "Equation 15 gives kappa": by_15 - kappa,
        "Equation 16 gives t": by_16 - t,
        "Equation 20, kappa = t - f at p = 0.5": kappa_from_rates(f, t, 0.5) - (t - f),
        "Equation 23, AUK = AUC - 0.5 at p = 0.5": np.array(gaps),
    }
    slope = "Equation 25, slope 1 at kappa's maximum at p = 0.5: share of our hulls"
    found = {f"{name}: largest difference": np.abs(gap).max() for name, gap in largest.items()}
    statements = [Check("derived", name, 0, float(gap)) for name, gap in found.items()]
    return [*statements, Check("derived", slope, 1, float(np.mean(enclosed)))]


def claims(replicated: Replicated) -> list[Check]:
    """Sections 3 to 8, on the replicates and by the bounds."""
    half, stated = (_width(p) for p in (0.5, STATED_PREVALENCE))
    function = "Section 6: AUKs of hulls of the network's AUC differ by"
    three_classes = [[20, 5, 5], [10, 30, 5], [5, 5, 15]]  # accuracy .65, by chance .3475
    statements = [
        Check(
            "derived",
            "Section 3: kappa of three classes without splitting, a worked case",
            0.3025 / 0.6525,
            kappa_of_confusion(three_classes),
        ),
        Check("printed", f"{function}, p = 0.5", 0, half),
        Check("printed", f"{function}, p = {STATED_PREVALENCE:g}", 0, stated),
    ]
    if len(replicated.curves):
        statements += _of_curves(replicated.curves)
        statements += _of_averages(replicated)
    for curve, name in (("raw", "raw curves"), ("hull", "hulls")):
        if len(replicated.crossings):
            frequent = f"Section 8: curves of the two models intersect, {name}: share of splits"
            statements += share_checks("printed", frequent, replicated.crossings[curve], least=0.5)
    return statements


def _of_curves(curves: pd.DataFrame) -> list[Check]:
    """Section 7 on every curve: the number of maxima, and where the largest is."""
    unique, mean = "Section 7: kappa has one local maximum", "Section 7: local maxima on average"
    network = curves[curves["model"] == PAPER_PAIR[1]]
    printed = published_point().fpr.value
    return [
        *share_checks(
            "printed", f"{unique}: share of hulls", curves["maxima_hull"] == 1, least=0.5
        ),
        *share_checks(
            "printed", f"{unique}: share of raw curves", curves["maxima_raw"] == 1, least=0.5
        ),
        *share_checks(
            "ours", "Section 7: largest kappa reached once, raw curves", curves["unique"]
        ),
        Check("ours", f"{mean}, raw curves", None, float(curves["maxima_raw"].mean())),
        *share_checks(
            "derived",
            "Equation 26, slope at kappa's maximum: share of our hulls",
            curves["optimal"],
            least=1,
        ),
        *share_checks(
            "derived",
            "Section 7: bad positive, optimum left of the largest t - f or there: share of hulls",
            curves["fpr"] <= curves["fpr_youden"],
            least=1,
        ),
        *share_checks(
            "printed",
            "Section 7: bad positive, optimum left of the largest t - f: share of hulls",
            curves["fpr"] < curves["fpr_youden"],
            least=0.5,
        ),
        *share_checks(
            "ours",
            f"Section 8: bad positive, the network's optimum at f = {printed:g} or right of it: "
            "share of hulls",
            network["fpr"] >= printed,
            least=0.05,
        ),
    ]


def _of_averages(replicated: Replicated) -> list[Check]:
    """Section 7 on the average kappa curves of the hulls."""
    return [
        Check("ours", f"Section 7: {text} of {model}, {positive} positive", None, value)
        for (positive, model), kappa in replicated.average.items()
        for text, value in (
            ("clear maxima of the average kappa curve (hulls)", _clear_maxima(kappa)),
            ("f at the largest average kappa", float(GRID[kappa.argmax()])),
        )
    ]


def eleven(summary: pd.DataFrame) -> list[Check]:
    """Tables 4 and 5 and the point of section 8 in our splits, bad positive as in the text.

    One that cannot be, whatever the split, is contradicted; one outside our central 95 % is open.
    """
    rows = summary[(summary["positive_class"] == "bad") & summary["model"].isin(PAPER_PAIR)]
    rows = rows.set_index(["curve", "model", "measure"])
    ours_by_place: dict[Any, Any] = rows.to_dict("index")
    impossible = _impossible()
    return [
        Check(
            "printed",
            f"{place}, {MODEL_LABELS[model]}: {MEASURE_LABELS[measure]} (bad positive)",
            printed.value,
            float(ours["mean"]),
            relation="within",
            low=float(ours["low"]),
            high=float(ours["high"]),
            possible=(place, model, measure) not in impossible,
        )
        for (place, curve, model, measure), printed in published_numbers().items()
        if (ours := ours_by_place.get((curve, model, measure)))
        if pd.notna(ours["published"]) and pd.notna(ours["mean"])
    ]


def _impossible() -> set[tuple[str, str, str]]:
    """Printed numbers that the others rule out in all but a few of the text's test sets."""
    found = set()
    for pair in published_pairs():
        if chance_of_test_set(pair_intervals(pair, pair.curve)) < UNUSUAL:
            found.add((pair.place, pair.model, "auk"))
    point = point_if_published()
    if point and chance_of_test_set(point_intervals(point)) < UNUSUAL:
        found.add((SECTION_8, "neural_net", "kappa_max"))
    return found


def _clear_maxima(kappa: FloatArray) -> int:
    """Local maxima that stand out by 1 % of the largest: smaller ones are steps of few rows."""
    return len(find_peaks(kappa, prominence=0.01 * kappa.max())[0])


def _width(prevalence: float) -> float:
    """How far the AUKs of two hulls of the published AUC can be apart."""
    auc = published_pair("Table 4", "neural_net").auc.value
    low, high = auk_bounds(auc, prevalence)[:2]
    return float(high - low)


@recomputes
def auk_as_a_function_of_the_auc(_: RunTables) -> Recomputed:
    """Width of the range that one AUC leaves for the AUK."""
    half, width = (_width(p) for p in (0.5, STATED_PREVALENCE))
    auc = published_pair("Table 4", "neural_net").auc.value
    return width < 1e-6, {"half": half, "width": width, "auc": auc, "at": STATED_PREVALENCE}


def figure_reversal(scores: pd.DataFrame, replicated: Replicated) -> Figure:
    """Hulls and their kappa curves of split 0 and of the split that reverses most decisively."""
    found = reversing(replicated.curves)
    n = replicated.curves["replicate"].nunique() if len(replicated.curves) else 0
    figure, grid = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 5.8), sharex=True, sharey="row")
    of = f"{len(found)} of {n} reverse"
    shown = {"split 0": 0}
    if len(found):
        chosen = int(found.index[0])
        shown[f"split {chosen} ({of})"] = chosen
    for column, (title, replicate) in zip(grid.T, shown.items(), strict=False):
        _draw_split(column, scores[scores["replicate"] == replicate])
        column[0].set_title(title, loc="right", color="0.35")
    if not len(found):
        grid[0, 1].set_title(of, loc="right", color="0.35")
    for axes, name in zip(grid.flat, "abcd", strict=True):
        letter(axes, name)
    grid[0, 0].set_ylabel("true positive rate $t$ (good)")
    grid[1, 0].set_ylabel(r"Cohen's kappa $\kappa$")
    return figure


def _draw_split(column: Any, scores: pd.DataFrame) -> None:
    roc, kappas = column
    shown = scores[scores["model"].isin(PAPER_PAIR) & (scores["bad"].nunique() == 2)]
    by_model = {one.model: one for one in curves_of(shown)}
    for (model, one), style in zip(by_model.items(), LINE_STYLES, strict=False):
        p, hull = 1 - one.prevalence, swapped_classes(*one.hull)
        line = {"color": style.color, "linestyle": style.linestyle}
        roc.plot(*hull, label=f"{MODEL_LABELS[model]}, AUC {area_under_curve(*hull):.4f}", **line)
        f, t = along_segments(*hull)
        text = f"{MODEL_LABELS[model]}, AUK {area_under_kappa(*hull, p):.4f}"
        kappas.plot(f, kappa_from_rates(f, t, p), label=text, **line)
    roc.plot([0, 1], [0, 1], **REFERENCE)
    roc.set_box_aspect(1)
    for axes, place in ((roc, "lower right"), (kappas, "lower center")):
        if by_model:
            axes.legend(loc=place)
    kappas.set_xlabel("false positive rate $f$ (good positive)")


def figure_average(replicated: Replicated) -> Figure:
    """The average kappa curve of each model's hulls over the replicates, for either class."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.6), sharey=True)
    for axes, positive, name in zip(panels, ("good", "bad"), "ab", strict=True):
        for model, style in zip(PAPER_PAIR, LINE_STYLES, strict=False):
            kappa = replicated.average.get((positive, model))
            if kappa is not None:
                line = {"color": style.color, "linestyle": style.linestyle}
                axes.plot(GRID, kappa, label=MODEL_LABELS[model], **line)
                best = kappa.argmax()
                axes.plot(GRID[best], kappa[best], "*", color=style.color, markersize=8)
        limits = {"xlim": (0, 1), "ylim": (0, None)}
        panel(axes, name, f"{positive} positive", xlabel="false positive rate $f$", **limits)
    if replicated.average:
        panels[0].legend(loc="lower center")
    panels[0].set_ylabel(r"average Cohen's kappa $\kappa$")
    return figure
