"""Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve".

Machine Learning 77, 103-123. His cases (class 0) are the positive class here, with higher scores
where his are lower. The cost c is his: the share of a missed case in the cost of both errors,
which is 1 - c of the library's H-measure.
"""  # noqa: E501  the title is as long as it is

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from kappacurve import measures, roc_hull
from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.arrays import FloatArray
from study.companions.printed import (
    Companion,
    Inputs,
    Named,
    Numbers,
    compare_numbers,
    list_numbers,
)
from study.figures.style import CLASS_STYLES, GREY, LETTERS, both_columns, finish_panels
from study.printed import MODEL_LABELS

Curve = tuple[FloatArray, FloatArray]  # false and true positive rates

# ASSUME: Figure 3 is a drawing without numbers. These curves have its shapes, symmetric about the
# falling diagonal: (a) three steps, (b) two uniform scores, one shifted, (c) two straight segments.
# The printed areas fix their corners; H then follows.
SHIFT = 1 - np.sqrt(0.5)
CURVES: dict[str, Curve] = {
    "a": (np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])),
    "b": (np.array([0.0, 0.0, 1 - SHIFT, 1.0]), np.array([0.0, SHIFT, 1.0, 1.0])),
    "c": (np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0])),
}
# The classes have equal size: Table 1 names no prior, and 1/2 gives its values of H.
PRIOR = 0.5
# Example 3: the columns of the loan data behind each classifier.
EXAMPLE_3 = {
    "first": ["yob", "nkid", "dep", "phon"],
    "second": ["dhval", "dmort", "doutm", "doutl", "douthp", "doutcc"],
}


def study_source(inputs: Inputs) -> Companion:
    """Recompute Table 1, Figure 4 and what the text prints, and Example 3 if its data are given.

    The first of the compared models, on the original data, stands in for those of Figures 5 and 6.
    The loans are TEC-2002-LOAN-DATA.csv, the data of Thomas, Edelman & Crook (2002), which may not
    be passed on.
    """
    numbers = compute_text() | compute_curves()
    named: Named = {}
    if inputs.loans is not None:
        for name, columns in EXAMPLE_3.items():
            place = f"Example 3 ({name})"
            found = measures(inputs.loans["bad"], fit_classifier(inputs.loans, columns))
            numbers |= list_numbers(place, {"AUC": found["auc"], "H": found["h"]})
            named[place, "H"] = {"auk": found["auk"]}
    table = compare_numbers("Hand 2009", numbers, named)
    model = inputs.models[0]
    rows = inputs.original[inputs.original["model"] == model]
    title = f"{MODEL_LABELS[model]}, original data"
    figures = {
        "figures_3_and_4": plot_curves_and_weights(table, inputs.width),
        "six_panels": plot_six_panels(
            rows["minority"].to_numpy(), rows["score"].to_numpy(), title, inputs.width
        ),
    }
    return Companion(table, figures)


def measure_curve(fpr: FloatArray, tpr: FloatArray) -> dict[str, float]:
    """AUC, Gini coefficient, AUCH and H of a ROC polyline.

    Each segment is one tie of scores, weighted by its share of either class.
    """
    n = len(fpr) - 1
    label = np.repeat([1, 0], n)
    score = np.tile(-np.arange(n), 2)
    weight = np.concatenate([np.diff(tpr), np.diff(fpr)])
    measured = measures(label, score, sample_weight=weight, prevalence=PRIOR)
    return {
        "AUC": measured["auc"],
        "G": 2 * measured["auc"] - 1,
        "AUCH": measured["auch"],
        "H": measured["h"],
    }


def weigh_costs(fpr: FloatArray, tpr: FloatArray, prior: float) -> tuple[FloatArray, FloatArray]:
    """Costs c on which the AUC of a hull puts weight, and these weights (equations 8 to 10)."""
    case_share, other_share = prior * np.diff(tpr), (1 - prior) * np.diff(fpr)
    weight = case_share + other_share
    return other_share / weight, weight


def minimize_loss(fpr: FloatArray, tpr: FloatArray, prior: float, cost: FloatArray) -> FloatArray:
    """Loss of the best threshold at each cost c (equations 2 and 3, b = 1)."""
    c = cost[:, None]
    loss = c * prior * (1 - tpr) + (1 - c) * (1 - prior) * fpr
    return np.asarray(loss.min(axis=1))


def compute_text() -> Numbers:
    """Numbers in sections 2 and 6 and in Example 2, and the statements that do not hold."""
    diagonal = measure_curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    perfect = measure_curve(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    section_6 = {
        "a cost c of 10^9": 1e9 / (1 + 1e9),
        "mode of the weight Beta(2, 4)": (2 - 1) / (2 + 4 - 2),
        "H of identical score distributions": diagonal["H"],
        "H of a perfect classifier": perfect["H"],
    }
    return {
        **list_numbers("Section 2, random classifier", diagonal),
        **list_numbers("Section 2, perfect classifier", perfect),
        **list_numbers("Section 6", section_6),
        ("Example 2", "times as serious at c = 0.1"): (1 - 0.1) / 0.1,
    }


def compute_curves() -> Numbers:
    """Table 1, and the weights of c = 0.5 that the text reads off Figure 4."""
    numbers: Numbers = {}
    for name, curve in CURVES.items():
        numbers |= list_numbers(f"Table 1 ({name})", measure_curve(*curve))
    for panel, name in (("a", "b"), ("b", "c")):
        cost, weight = weigh_costs(*CURVES[name], PRIOR)
        half_weight = float(weight[np.isclose(cost, 0.5)].sum())
        numbers[f"Figure 4 ({panel})", "weight of c = 0.5"] = half_weight
    return numbers


def fit_classifier(loans: pd.DataFrame, columns: list[str]) -> FloatArray:
    """Scores of a logistic regression without a penalty, on standardised columns.

    Rows with an unknown year of birth (yob = 99) stay in.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import scale

    x = scale(loans[columns].to_numpy(dtype=np.float64))
    fitted = LogisticRegression(C=np.inf, max_iter=1000, tol=1e-8).fit(x, loans["bad"])
    return np.asarray(fitted.decision_function(x))


def plot_six_panels(minority: FloatArray, score: FloatArray, name: str, width: float) -> Figure:
    """The six panels of Figures 5 and 6, of a model's scores.

    (a) Smoothed densities of the scores; (b) ROC curve and hull; (c) smallest loss; (d) weight
    that the AUC gives to each threshold and (e) to each cost; (f) weight of the H-measure.
    """
    from scipy.stats import beta, gaussian_kde
    from sklearn.metrics import roc_curve

    prior, measured = float(np.mean(minority)), measures(minority, score)
    fpr, tpr, _ = roc_curve(minority, score, drop_intermediate=False)
    hull = roc_hull(fpr, tpr)[:2]
    margin = 0.1 * np.ptp(score)
    scores = np.linspace(score.min() - margin, score.max() + margin, 401)
    costs = np.linspace(0, 1, 401)
    dark = LINE_STYLES[0].color

    figure, grid = plt.subplots(2, 3, figsize=(both_columns(width), 4.1))
    (densities, roc, loss), (threshold, cost, weight) = grid
    mixture = np.zeros_like(scores)
    classes = zip(("negative", "positive"), CLASS_STYLES.values(), (1 - prior, prior), strict=True)
    for label, style, share in classes:
        density = gaussian_kde(score[minority == (label == "positive")])(scores)
        mixture += share * density
        line: Any = {"color": style.color, "linestyle": style.linestyle}
        densities.plot(scores, density, label=label, **line)
    densities.set(xlabel="score", ylabel="density of each class")
    areas = [f"{label} {measured[label.lower()]:.3f}" for label in ("AUC", "AUCH")]
    _draw_curve(roc, (fpr, tpr), hull, *areas)
    trivial = np.minimum(costs * prior, (1 - costs) * (1 - prior))
    loss.plot(costs, trivial, label="trivial", **REFERENCE)
    smallest = minimize_loss(*hull, prior, costs)
    loss.plot(costs, smallest, color=dark, label=f"$H$ {measured['h']:.3f}")
    loss.set(ylabel="smallest loss")
    threshold.plot(scores, mixture, color=dark)
    threshold.set(xlabel="threshold", ylabel="weight implied by the AUC")
    _draw_weights(cost, *weigh_costs(*hull, prior), size=2.5)
    weight.plot(costs, beta.pdf(costs, 2, 2), color=dark)
    weight.set(ylabel="$H$'s weight, Beta(2, 2)")
    for axes in (loss, cost, weight):
        axes.set(xlabel="cost share of a missed case $c$", xlim=(-0.02, 1.02))
    for axes in (threshold, cost, weight):
        axes.set_ylim(bottom=0)
    for axes in (densities, loss):
        axes.set_ylim(0, axes.dataLim.ymax * 1.5)  # room for the legend
        axes.legend(loc="upper right")
    figure.suptitle(name, fontsize=LETTERS)
    return finish_panels(figure)


def plot_curves_and_weights(table: pd.DataFrame, width: float) -> Figure:
    """Figure 3, three ROC curves with their hulls, above Figure 4, the weights of (b) and (c)."""
    printed = table.set_index(["place", "quantity"])["printed"]
    figure, (top, bottom) = plt.subplots(2, 3, figsize=(both_columns(width), 4.2))
    for axes, (name, curve) in zip(top, CURVES.items(), strict=True):
        auc, h = (printed[f"Table 1 ({name})", quantity] for quantity in ("AUC", "H"))
        axes.set_title(f"AUC {auc}, $H$ {h}", loc="right", color=GREY)
        _draw_curve(axes, curve, roc_hull(*curve)[:2], "ROC curve", "convex hull")
    bottom[0].set_axis_off()
    for axes, name in zip(bottom[1:], "bc", strict=True):
        cost, weight = weigh_costs(*CURVES[name], PRIOR)
        _draw_weights(axes, cost, weight, size=5)
        axes.set_title(f"curve ({name})", loc="right", color=GREY)
        axes.set(xlabel="cost share of a missed case $c$", xlim=(-0.08, 1.08), ylim=(0, 0.85))
    return finish_panels(figure)


def _draw_curve(axes: Any, curve: Curve, hull: Curve, label: str, hull_label: str) -> None:
    axes.plot([0, 1], [0, 1], **REFERENCE)
    axes.plot(*curve, color=LINE_STYLES[0].color, linewidth=0.8, label=label)
    axes.plot(*hull, color=LINE_STYLES[1].color, linestyle=(0, (5, 1.5)), label=hull_label)
    axes.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set_box_aspect(1)
    axes.legend(loc="lower right")


def _draw_weights(axes: Any, cost: FloatArray, weight: FloatArray, size: float) -> None:
    color = LINE_STYLES[0].color
    axes.vlines(cost, 0, weight, color=color)
    axes.plot(cost, weight, "o", color=color, markersize=size, clip_on=False)
    axes.set_ylabel("weight implied by the AUC")
