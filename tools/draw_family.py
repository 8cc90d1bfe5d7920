"""Draw docs/family.png: two models whose ROC curves cross, and their AUK at every cost."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from kappacurve.algebra import area_under_kappa, kappa_from_rates
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, house_style

PREVALENCE = 0.1
# Normal scores: the distance of the class means, and the spread of the positives.
MODELS = {"A": (1.45, 0.7), "B": (1.9, 1.45)}
F = norm.sf(np.linspace(7, -7, 4001))


def curve(distance: float, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Points of the ROC curve."""
    t = norm.cdf((distance + norm.ppf(F)) / spread)
    return np.r_[0, F, 1], np.r_[0, t, 1]


def draw() -> plt.Figure:
    """ROC curves, kappa of model A at three costs, the lead in AUK over the cost."""
    curves = {name: curve(*own) for name, own in MODELS.items()}
    costs, areas = np.linspace(0, 1, 201), []
    figure, (roc, kappa, profile) = plt.subplots(1, 3, figsize=(TWO_COLUMNS, 2.5))
    for (name, points), style in zip(curves.items(), LINE_STYLES, strict=False):
        look = {"color": style.color, "linestyle": style.linestyle, "label": f"model {name}"}
        roc.plot(*points, **look)
        areas.append([area_under_kappa(*points, PREVALENCE, cost=c) for c in costs])
    for c, style in zip((0.2, 0.5, 0.9), ("-", "--", ":"), strict=True):
        values = kappa_from_rates(*curves["A"], PREVALENCE, cost=c)
        kappa.plot(curves["A"][0], values, color="0.2", linestyle=style, label=f"c = {c:g}")
        kappa.fill_between(curves["A"][0], values, color="0.2", alpha=0.08, linewidth=0)
    lead = np.subtract(*areas)
    profile.plot(costs, lead, color="0.2")
    profile.axhline(0, **REFERENCE)
    for name, side, style in zip(MODELS, (lead > 0, lead < 0), LINE_STYLES, strict=False):
        fill = {"color": style.color, "alpha": 0.3, "linewidth": 0, "label": f"{name} leads"}
        profile.fill_between(costs, lead, where=side, interpolate=True, **fill)
    for c, name in ((0.5, "AUK"), (1 - PREVALENCE, "AUC - 1/2")):
        profile.axvline(c, **REFERENCE)
        place = {"xycoords": ("data", "axes fraction"), "rotation": 90, "ha": "right", "va": "top"}
        profile.annotate(name, (c, 1), **place, fontsize=7, color="0.35")
    roc.set(title="two ROC curves that cross", xlabel="false positive rate $f$")
    roc.set_ylabel("true positive rate $t$")
    kappa.set(title="one model at three costs", xlabel="false positive rate $f$")
    kappa.set_ylabel("weighted kappa; its area is AUK($c$)")
    profile.set(title="who leads depends on the cost", xlabel="cost $c$ of a missed positive")
    profile.set_ylabel("AUK($c$) of A less that of B")
    for axes in (roc, kappa, profile):
        axes.legend(
            loc="lower right" if axes is roc else "upper left" if axes is profile else "best"
        )
    return figure


if __name__ == "__main__":
    with house_style():
        draw().savefig(Path(__file__).parents[1] / "docs" / "family.png", dpi=170)
