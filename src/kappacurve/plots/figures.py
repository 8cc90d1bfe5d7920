"""Figures of several curves, replicates or choices, in the look of the project's own figures.

Each takes numbers, draws and returns matplotlib's Axes (`ax` or those of a new figure), or its
Figure where it has two panels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Axis,
    Cost,
    Curve,
    check_curve,
    check_named,
    check_one_cost,
    check_one_prevalence,
    check_prevalence,
    is_hull,
)
from kappacurve.bounds.auk_bounds import auk_bounds
from kappacurve.kappa import area_under_kappa, kappa_from_rates
from kappacurve.plots.displays import KappaCurveDisplay
from kappacurve.plots.style import (
    LINE_STYLES,
    REFERENCE,
    TWO_COLUMNS,
    axes_or_new,
    cost_text,
    house_style,
    in_figure,
    is_stepped,
    legend_text,
    letter,
    line_styles,
    only_in_legend,
    spot,
)
from kappacurve.roc import area_under_curve, roc_hull

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curves = Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]]
BOUND_STYLES: dict[str, dict[str, Any]] = {
    "raw": {"color": LINE_STYLES[4].color, "alpha": 1.0},
    "hull": {"color": LINE_STYLES[0].color, "alpha": 1.0},
}
MOST_INSIDE = 3  # lines in a legend that covers no curve of a square panel
NARROW = 5.0  # inches; a pair of panels has no room for legends below this width


def plot_curves(
    curves: Curves,
    prevalence: float,
    *,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    curve: Curve = "raw",
    mark_maximum: bool = True,
    width: float = TWO_COLUMNS,
) -> Figure:
    """ROC curves (a) beside their kappa curves (b), each with its largest kappa marked.

    Parameters
    ----------
    curves : mapping of str to (fpr, tpr)
        ROC vertices from (0, 0) to (1, 1) by name, one to 36 (or a ValueError is raised), drawn in
        this order. More than three have their legend below the panels.
    prevalence, cost, cost_ratio
        As in :class:`kappacurve.KappaCurveDisplay`.
    curve : {"raw", "hull"}, default "raw"
        "hull" draws the convex hulls.
    mark_maximum : bool, default True
    width : float, default 7
        Of the figure, in inches. Below five the panels have one legend, below them.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), Figures 1 to 3 and equation 19.

    Examples
    --------
    >>> figure = plot_curves({"ours": ([0, 0.2, 1], [0, 0.8, 1])}, 0.5)
    >>> figure.axes[1].get_legend().get_texts()[0].get_text()
    'ours, AUK 0.300'
    """
    from matplotlib import pyplot as plt

    curves = check_named("curves", curves)
    p = check_one_prevalence(prevalence)
    cost = check_one_cost(cost, cost_ratio)
    with house_style():
        ratios = {"width_ratios": (1, 1 if width < NARROW else 1.4)}
        height = 2.9 + 0.08 * len(curves) * (len(curves) > MOST_INSIDE)
        if width < NARROW:
            height = 0.45 * width + 0.35 + 0.15 * len(curves)
        figure, (roc, kappa) = plt.subplots(1, 2, figsize=(width, height), gridspec_kw=ratios)
        for (name, (x, y)), style in zip(curves.items(), line_styles(curves), strict=True):
            fpr, tpr = check_curve(x, y)
            if is_hull(curve):
                fpr, tpr, _ = roc_hull(fpr, tpr)
            looks = style._asdict() | ({"linestyle": "-"} if is_stepped(fpr, tpr) else {})
            KappaCurveDisplay(fpr=fpr, tpr=tpr, prevalence=p, cost=cost, name=name).plot(
                kappa, mark_maximum=mark_maximum, curve_kwargs=looks, plot_chance_level=False
            )
            looks |= only_in_legend(style.marker) if mark_maximum else {"marker": ""}
            roc.plot(fpr, tpr, label=legend_text(name, "AUC", area_under_curve(fpr, tpr)), **looks)
            if mark_maximum:
                best = int(np.argmax(kappa_from_rates(fpr, tpr, p, cost=cost)))
                roc.plot(fpr[best], tpr[best], **spot(style.color, style.marker))
        _finish_pair(roc, kappa, p)
        if cost_ratio is not None:
            label = r"kappa $\kappa$" + _at_cost(cost_ratio)
            kappa.set_ylabel(label.replace(" at", "\nat") if width < NARROW else label)
        elif cost != 0.5:
            kappa.set_ylabel(rf"kappa $\kappa$ at cost {cost_text(cost)}")
    return figure


def _at_cost(ratio: float | None) -> str:
    return "" if ratio is None else f" at cost ratio {ratio:.3g}"


def _finish_pair(roc: Any, kappa: Any, prevalence: float) -> None:
    figure = roc.figure
    narrow = figure.get_figwidth() < NARROW
    roc.set_box_aspect(1)
    roc.plot([0, 1], [0, 1], **REFERENCE)
    kappa.axhline(0, **REFERENCE)
    roc.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$", ylim=(-0.02, 1.02))
    kappa.set(xlabel="false positive rate $f$", ylabel=r"Cohen's kappa $\kappa$")
    kappa.get_legend().remove()
    lines = [line for line in kappa.get_lines() if not line.get_label().startswith("_")]
    low, high = kappa.dataLim.intervaly
    kappa.set_ylim(low - 0.05 * high, high * 1.04)
    if len(lines) <= MOST_INSIDE and not narrow:
        roc.legend(loc="lower right")
        # Kappa curves fill their axes, so the legend gets room above them.
        kappa.set_ylim(top=high * (1.04 + 0.11 * len(lines)))
        kappa.legend(loc="upper right")
    else:
        of_both = zip(*(axes.get_legend_handles_labels()[1] for axes in (roc, kappa)), strict=True)
        names = [f"{auc}, {auk.rpartition(', ')[2]}" for auc, auk in of_both]
        figure.legend(lines, names, loc="outside lower center", ncols=1 if narrow else 2)
    for axes, name in ((roc, "a"), (kappa, "b")):
        axes.set(xlim=(-0.02, 1.02), xticks=np.linspace(0, 1, 3 if narrow else 6))
        letter(axes, name)
    name = "$p$ =" if narrow else "prevalence"
    kappa.set_title(f"{name} {prevalence:.3g}", loc="right", color="0.35")


def plot_auk_by_prevalence(
    curves: Curves,
    *,
    prevalence: npt.ArrayLike | None = None,
    cost_ratio: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The AUK of unchanged ROC curves as the prevalence changes; at 1/2 a mark at AUC - 1/2.

    With a cost ratio r the AUK is AUC - 1/2 at the prevalence 1 / (1 + r), where the mark then is.

    Parameters
    ----------
    curves : mapping of str to (fpr, tpr)
        As in :func:`plot_curves`.
    cost_ratio : float, optional
        What a missed positive costs over a false alarm; by default as much.
    prevalence : array-like of shape (n,) in (0, 1), optional
        Where to evaluate; by default 97 values from 0.02 to 0.98.
    ax : matplotlib Axes, optional

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 24: AUK = Gini/2 at p = 1/2.

    Examples
    --------
    >>> axes = plot_auk_by_prevalence({"ours": ([0, 0.2, 1], [0, 0.8, 1])}, prevalence=[0.2, 0.5])
    >>> axes.get_lines()[0].get_ydata().round(3).tolist()
    [0.21, 0.3]
    """
    curves = check_named("curves", curves)
    grid = np.linspace(0.02, 0.98, 97) if prevalence is None else check_prevalence(prevalence)
    cost = check_one_cost(None, cost_ratio)
    equal = 0.5 if cost_ratio is None else 1 / (1 + cost_ratio)
    with house_style(ax):
        axes: Any = axes_or_new(ax)
        for (name, (x, y)), style in zip(curves.items(), line_styles(curves), strict=True):
            fpr, tpr = check_curve(x, y)
            areas = [area_under_kappa(fpr, tpr, float(p), cost=cost) for p in grid]
            look: Any = {"color": style.color, "linestyle": style.linestyle}
            axes.plot(grid, areas, label=in_figure(name), **look)
            half = area_under_curve(fpr, tpr) - 0.5
            axes.plot(equal, half, linestyle="none", **spot(style.color, style.marker))
        axes.axvline(equal, **REFERENCE)
        named = f"AUK{_at_cost(cost_ratio)}"
        axes.set(xlabel="prevalence of the positive class", ylabel=named, xlim=(0, 1))
        axes.legend(loc="best")
    return axes  # type: ignore[no-any-return]


def plot_auk_bounds(
    auc: float,
    *,
    auk: float | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    ax: Axes | None = None,
) -> Axes:
    """The exact AUKs that a ROC curve with this AUC can have, over the prevalence.

    Parameters
    ----------
    auc : float in [0.5, 1]
    auk : float, optional
        A published AUK, drawn as a line: the pair is possible where it crosses the band.
    cost_ratio, axis
        As in :func:`kappacurve.bounds.auk_bounds`.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        The bands are its first two collections: of any raw curve, and of hulls.

    Examples
    --------
    >>> axes = plot_auk_bounds(0.7186, auk=0.1753)
    >>> [band.get_label() for band in axes.collections]
    ['raw curve', 'hull']
    """
    p = np.linspace(0.002, 0.998, 499)
    with house_style(ax):
        axes: Any = axes_or_new(ax)
        kind: Any
        for kind, style in BOUND_STYLES.items():
            bounds = auk_bounds(auc, p, curve=kind, cost_ratio=cost_ratio, axis=axis)
            label = "raw curve" if kind == "raw" else kind
            axes.fill_between(p, bounds.lower, bounds.upper, linewidth=0, label=label, **style)
        if auk is not None:
            axes.axhline(auk, color="black", linewidth=0.9, label=f"AUK {auk:.4g}")
        named = f"exact AUK{_at_cost(cost_ratio)}"
        axes.set(xlabel="prevalence of the positive class", ylabel=named, xlim=(0, 1))
        if ax is None:
            axes.legend(loc="lower center", title=f"AUC {auc:.4g}", title_fontsize=7)
    return axes  # type: ignore[no-any-return]
