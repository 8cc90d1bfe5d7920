"""Kappa of a fixed classifier as the prevalence changes (Silipo & Widmann, Figure 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve import kappa_from_rates
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, LineStyle
from study.papers.confusion import Confusion, statistics
from study.papers.curves import panel

TITLES = {
    "printed": "printed matrices",
    "before_split": "drawn before the split",
    "after_split": "drawn after the split",
}


class Peak(NamedTuple):
    """Where kappa is largest when only the prevalence changes."""

    prevalence: float
    kappa: float


def peak_of_kappa(fpr: float, tpr: float) -> Peak:
    """The prevalence at which a fixed classifier has its largest kappa.

    Divide numerator and denominator of equation 19 by p (1 - p): with the odds o = p / (1 - p),
    kappa = 2d / (o (1 - t) + 1 + d + f / o). So it peaks at o = sqrt(f / (1 - t)): at p = 1/2 only
    for a classifier that errs equally often in both classes. It needs tpr > fpr.
    """
    odds = float(np.sqrt(fpr / (1 - tpr)))
    prevalence = odds / (1 + odds)
    return Peak(prevalence, float(kappa_from_rates(fpr, tpr, prevalence)))


def kappa_by_prevalence(
    matrices: Mapping[str, Sequence[Confusion]], *, levels: Sequence[float], n_sets: int, seed: int
) -> pd.DataFrame:
    """Kappa of fixed predictions on bootstrapped test sets of other class shares.

    A test set of level p has as many rows as a matrix, a share p of them drawn with replacement
    from the positive test rows. Of these a binomial number is predicted positive, with the
    classifier's rate; so the two counts are drawn, not the rows.

    Each model has one or more confusion matrices of the same size, such as one per split; each
    gets its own ``n_sets`` test sets at each level in (0, 1). analytic is equation 19 at the mean
    rates.
    """
    rows = []
    for model, given in matrices.items():
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2019,)))
        n = round(sum(given[0]))
        values = [statistics(matrix) for matrix in given]
        fpr, tpr = (np.array([value[rate] for value in values]) for rate in ("fpr", "recall"))
        for level in levels:
            n_positive = min(max(round(n * level), 1), n - 1)
            share = n_positive / n
            tp = rng.binomial(n_positive, tpr, (n_sets, len(given)))
            fp = rng.binomial(n - n_positive, fpr, (n_sets, len(given)))
            kappas = kappa_from_rates(fp / (n - n_positive), tp / n_positive, share)
            low, high = np.quantile(kappas, [0.025, 0.975])
            rates = float(fpr.mean()), float(tpr.mean())
            analytic = float(kappa_from_rates(*rates, share))
            rows.append((model, share, kappas.mean(), low, high, *rates, analytic))
    names = ["model", "prevalence", "mean", "low", "high", "fpr", "tpr", "analytic"]
    return pd.DataFrame(rows, columns=names)


def figure_by_prevalence(curves: Mapping[str, pd.DataFrame]) -> Figure:
    """Kappa against prevalence: mean and band of the bootstrap sets, and the analytic curve."""
    figure, panels = plt.subplots(1, len(curves), figsize=(TWO_COLUMNS, 2.7), sharey=True)
    for axes, (source, table), name in zip(panels, curves.items(), "abc", strict=True):
        by_model = table.groupby("model", sort=False)
        for (model, levels), style in zip(by_model, LINE_STYLES, strict=False):
            _draw_model(axes, str(model), levels, style)
        axes.axhline(0, **REFERENCE)
        panel(axes, name, TITLES[source], xlabel="prevalence $p$ of bad", xlim=(0, 1))
    panels[0].set(ylabel=r"Cohen's kappa $\kappa$")
    handles, names = panels[-1].get_legend_handles_labels()
    found = dict(zip(names, handles, strict=True))  # one star for both models
    figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=5)
    return figure


def _draw_model(axes: Any, model: str, levels: pd.DataFrame, style: LineStyle) -> None:
    prevalence, low, high = levels["prevalence"], levels["low"], levels["high"]
    axes.fill_between(prevalence, low, high, color=style.color, alpha=0.15, lw=0)
    line = {"color": style.color, "linestyle": style.linestyle}
    for edge in (low, high):
        axes.plot(prevalence, edge, lw=0.6, **line)
    spots = {"color": style.color, "marker": style.marker, "markersize": 3.5}
    axes.plot(prevalence, levels["mean"], linestyle="none", label=f"{model}, sets", **spots)
    rates = float(levels["fpr"].iloc[0]), float(levels["tpr"].iloc[0])
    fine = np.linspace(prevalence.min(), prevalence.max(), 181)
    axes.plot(fine, kappa_from_rates(*rates, fine), label=f"{model}, equation", **line)
    peak = peak_of_kappa(*rates)
    axes.plot(peak.prevalence, peak.kappa, "k*", markersize=9, label="largest kappa")
