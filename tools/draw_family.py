"""Draw docs/family.png and docs/three_axes.png: two models whose ROC curves cross.

Their AUK at every cost; and kappa, net benefit and H of the two.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import beta, norm

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


def draw_axes() -> plt.Figure:
    """Kappa over the operating point, net benefit over the threshold probability, H's integrand."""
    p, tau = PREVALENCE, np.linspace(0.0005, 0.9995, 2000)
    odds = tau / (1 - tau)
    defaults = np.maximum(0, p - (1 - p) * odds)
    weight = (1 - tau) * beta(2, 2).pdf(tau)  # of H: the cost share of a missed positive is 1 - tau
    figure, (kappa, decision, h) = plt.subplots(1, 3, figsize=(TWO_COLUMNS, 2.5))
    for (name, own), style in zip(MODELS.items(), LINE_STYLES, strict=False):
        f, t = curve(*own)
        look = {"color": style.color, "linestyle": style.linestyle}
        kappa.plot(f, kappa_from_rates(f, t, p), **look)
        area = area_under_kappa(f, t, p)
        best = np.array([(p * t - (1 - p) * f * each).max() for each in odds])
        gain = weight * (best - defaults) / np.trapezoid(weight * (p - defaults), tau)
        decision.plot(tau, best, **look)
        h.plot(tau, gain, **look)
        h.fill_between(tau, gain, color=style.color, alpha=0.08, linewidth=0)
        for axes, text in (
            (kappa, f"{name}, AUK {area:.3f}"),
            (decision, f"{name}, {np.interp(0.5, tau, best):.3f} at 1/2"),
            (h, f"{name}, H {np.trapezoid(gain, tau):.3f}"),
        ):
            axes.get_lines()[-1].set_label(text)
    decision.plot(tau, p - (1 - p) * odds, **REFERENCE, label="flag all")
    decision.axhline(0, **REFERENCE)
    decision.set_ylim(-0.1 * p, 1.05 * p)
    kappa.set(title="one cost, every point", xlabel="false positive rate $f$")
    kappa.set_ylabel("Cohen's kappa")
    decision.set(title="every cost, its best point", xlabel=r"threshold probability $\tau = 1 - c$")
    decision.set_ylabel("net benefit")
    h.set(title="all costs together", xlabel=r"threshold probability $\tau = 1 - c$")
    h.set_ylabel("weighted gain over the defaults")
    for axes in (kappa, decision, h):
        axes.legend(loc="best")
    return figure


if __name__ == "__main__":
    docs = Path(__file__).parents[1] / "docs"
    with house_style():
        draw().savefig(docs / "family.png", dpi=170)
        draw_axes().savefig(docs / "three_axes.png", dpi=170)
