"""The two models that open the documentation: docs/two_models.csv and their pictures.

docs/opening.png: AUK and AUC, two winners; docs/three_axes.png: kappa, net benefit and H.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import beta, norm

from kappacurve.algebra import area_under_kappa, kappa_from_rates
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, house_style

PREVALENCE = 0.1
# Normal scores: the distance of the class means, and the spread of the positives.
MODELS = {"A": (1.1, 0.6), "B": (1.9, 2.0)}
F = norm.sf(np.linspace(7, -7, 4001))


def curve(distance: float, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Points of the ROC curve."""
    t = norm.cdf((distance + norm.ppf(F)) / spread)
    return np.r_[0, F, 1], np.r_[0, t, 1]


def areas(cost: float) -> dict[str, float]:
    """Area under kappa at this cost of a missed positive, of each model."""
    curves = {name: curve(*own) for name, own in MODELS.items()}
    return {name: area_under_kappa(*own, PREVALENCE, cost=cost) for name, own in curves.items()}


def draw() -> plt.Figure:
    """ROC curves; kappa of both models where its area is the AUK, and where it is AUC - 1/2."""
    figure, (roc, *kappas) = plt.subplots(1, 3, figsize=(TWO_COLUMNS, 2.5))
    for (name, own), style in zip(MODELS.items(), LINE_STYLES, strict=False):
        points = curve(*own)
        looks = {"color": style.color, "linestyle": style.linestyle}
        text = {"color": style.color, "fontsize": 10, "fontweight": "bold"}
        roc.plot(*points, **looks)
        f = {"A": 0.3, "B": 0.72}[name]
        above = {"A": 0.05, "B": -0.11}[name]
        roc.text(f, float(np.interp(f, *points)) + above, name, ha="center", **text)
        for axes, c in zip(kappas, (0.5, 1 - PREVALENCE), strict=True):
            values = kappa_from_rates(*points, PREVALENCE, cost=c)
            axes.plot(points[0], values, **looks)
            axes.fill_between(points[0], values, color=style.color, alpha=0.15, linewidth=0)
            at = {"A": 0.5, "B": points[0][np.argmax(values)]}[name]
            axes.text(at + 0.02, np.interp(at, points[0], values) + 0.02, name, **text)
    roc.set(title="Two ROC curves that cross", ylabel="true positive rate")
    for axes, c, measure in zip(kappas, (0.5, 1 - PREVALENCE), ("AUK", "AUC - 1/2"), strict=True):
        own = areas(c)
        best, other = sorted(own, key=own.__getitem__, reverse=True)
        title = f"{best} leads by {measure},\n{own[best]:.3f} to {own[other]:.3f} (c = {c:g})"
        axes.set(title=title, ylim=(-0.02, 0.7), ylabel="kappa" if axes is kappas[0] else "")
    for axes in (roc, *kappas):
        axes.set(xlabel="false positive rate", xlim=(0, 1))
        axes.title.set(ha="left", x=0)
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


def sample(n: int = 3000) -> pd.DataFrame:
    """Rows of both models, every tenth positive; scores correlate by 0.7 within a class."""
    positive = np.arange(n) % 10 == 0
    normal = np.random.default_rng(0).multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], n)
    scores = {
        name: np.round(own * np.where(positive, spread, 1) + distance * positive, 3)
        for own, (name, (distance, spread)) in zip(normal.T, MODELS.items(), strict=True)
    }
    return pd.DataFrame({"positive": positive.astype(int), **scores})


if __name__ == "__main__":
    docs = Path(__file__).parents[1] / "docs"
    sample().to_csv(docs / "two_models.csv", index=False)
    with house_style():
        draw().savefig(docs / "opening.png", dpi=170)
        draw_axes().savefig(docs / "three_axes.png", dpi=170)
