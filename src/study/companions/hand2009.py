"""Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve".

Machine Learning 77, 103-123. His cases (class 0) are the positive class here, with higher scores
where his are lower. The cost c is his: the share of a missed case in the cost of both errors,
which is 1 - c of the library's H-measure.
"""  # noqa: E501  the title is as long as it is

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import measures, roc_hull
from kappacurve.plots.style import CLASS_STYLES, LINE_STYLES, REFERENCE
from study.companions.printed_and_computed import Companion, Row, compare_rows, list_rows
from study.figures.style import GREY, LETTERS, both_columns, finish_panels
from study.published import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[np.float64]

SOURCE = "Hand 2009"
# ASSUME: Figure 3 is a drawing without numbers. These curves (false and true positive rates) have
# its shapes, symmetric about the falling diagonal: (a) three steps, (b) two uniform scores, one
# shifted, (c) two straight segments. The printed areas fix their corners; H then follows.
SHIFT = 1 - np.sqrt(0.5)
CURVES = {
    "a": (np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])),
    "b": (np.array([0.0, 0.0, 1 - SHIFT, 1.0]), np.array([0.0, SHIFT, 1.0, 1.0])),
    "c": (np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0])),
}
TABLE_1 = {
    "a": {"AUC": "0.5", "G": "0", "AUCH": "0.75", "H": "0.348"},
    "b": {"AUC": "0.75", "G": "0.5", "AUCH": "0.75", "H": "0.293"},
    "c": {"AUC": "0.75", "G": "0.5", "AUCH": "0.75", "H": "0.288"},
}
# The classes have equal size: Table 1 names no prior, and 1/2 gives its values of H.
PRIOR = 0.5
# Example 3: the columns of the loan data behind each classifier, and what is printed of it.
EXAMPLE_3 = {
    "first": (["yob", "nkid", "dep", "phon"], {"AUC": "0.567", "H": "0.038"}),
    "second": (
        ["dhval", "dmort", "doutm", "doutl", "douthp", "doutcc"],
        {"AUC": "0.591", "H": "0.035"},
    ),
}


def study_source(
    scores: pd.DataFrame, loans: pd.DataFrame | None = None, *, model: str, width: float
) -> Companion:
    """Recompute Table 1, Figure 4 and what the text prints, and Example 3 if its data are given.

    The table of scores (minority, model, score) is of one split of the experiment; its model
    stands in for those of Figures 5 and 6. The loans are TEC-2002-LOAN-DATA.csv, the data of
    Thomas, Edelman & Crook (2002), which may not be passed on. `width` is that of one column, in
    inches.
    """
    rows = [*list_text(), *list_table_1(), *list_example_2()]
    if loans is not None:
        rows += list_example_3(loans)
    model_rows = scores[scores["model"] == model]
    panels = measure_panels(model_rows["minority"].to_numpy(), model_rows["score"].to_numpy())
    figures = {
        "figures_3_and_4": plot_curves_and_weights(width),
        "six_panels": plot_six_panels(panels, f"{MODEL_LABELS[model]}, original data", width),
    }
    return Companion(compare_rows(SOURCE, rows), figures)


def measure_curve(fpr: Array, tpr: Array, prior: float = PRIOR) -> dict[str, float]:
    """AUC, Gini coefficient, AUCH and H of a ROC polyline.

    Each segment is one tie of scores, weighted by its share of either class.
    """
    n = len(fpr) - 1
    label = np.repeat([1, 0], n)
    score = np.tile(-np.arange(n), 2)
    weight = np.concatenate([np.diff(tpr), np.diff(fpr)])
    measured = measures(label, score, sample_weight=weight, prevalence=prior)
    return {
        "AUC": measured["auc"],
        "G": 2 * measured["auc"] - 1,
        "AUCH": measured["auch"],
        "H": measured["h"],
    }


def weigh_costs(fpr: Array, tpr: Array, prior: float) -> tuple[Array, Array]:
    """Costs c on which the AUC of a hull puts weight, and the weights (equations 8 to 10)."""
    case_share, other_share = prior * np.diff(tpr), (1 - prior) * np.diff(fpr)
    weight = case_share + other_share
    return other_share / weight, weight


def minimize_loss(fpr: Array, tpr: Array, prior: float, cost: Array) -> Array:
    """Loss of the best threshold at each cost c (equations 2 and 3, b = 1)."""
    c = cost[:, None]
    loss = c * prior * (1 - tpr) + (1 - c) * (1 - prior) * fpr
    return np.asarray(loss.min(axis=1))


def compute_beta_density(c: Array, alpha: int, beta: int) -> Array:
    """Density of the Beta distribution (equation 12)."""
    from scipy.special import beta as beta_function

    return np.asarray(c ** (alpha - 1) * (1 - c) ** (beta - 1) / beta_function(alpha, beta))


def list_text() -> Iterator[Row]:
    """Numbers in sections 2 and 6, and the statements that do not hold."""
    diagonal = measure_curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    perfect = measure_curve(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    place = "Section 2, random classifier"
    yield from list_rows(place, {"AUC": "0.5", "G": "0"}, diagonal)
    yield from list_rows("Section 2, perfect classifier", {"AUC": "1.0", "G": "1"}, perfect)
    probability, auc = compute_chance()
    yield Row(
        "Section 2",
        "AUC, as the chance of classifying two scores right by their mean",
        f"{auc:.3f}",
        probability,
        "Normal scores one apart with standard deviations 1 and 3, equal classes. The text says "
        f"that this chance is the AUC ({auc:.3f}); it is so if the standard deviations are equal.",
    )
    ratio = 1e9
    yield Row(
        "Section 6",
        "a cost c of 10^9",
        "1000000000",
        ratio / (1 + ratio),
        "c is a share in [0, 1]; the sentence means the cost ratio, and c is then 1 - 1e-9.",
    )
    c = np.linspace(0, 1, 1001)
    density = compute_beta_density(c, 2, 4)
    lower_weight = np.trapezoid(density[c <= 0.5], c[c <= 0.5])
    note = f"Printed as 1/4. The text says that most of it lies below 0.5: {lower_weight:.4f} does."
    yield Row(
        "Section 6", "mode of the weight Beta(2, 4)", "0.25", float(c[density.argmax()]), note
    )
    yield Row("Section 6", "H of identical score distributions", "0", diagonal["H"])
    yield Row("Section 6", "H of a perfect classifier", "1", perfect["H"])


def compute_chance() -> tuple[float, float]:
    """The chance of section 2 that two scores lie on the right sides of their mean, and the AUC.

    The threshold t has the mixture distribution of all scores, and one score of each class is
    drawn whose mean is t. Here for normal scores, 0 and 1 on average with standard deviations 1
    and 3.
    """
    from scipy.special import ndtr

    gap, spread = 1.0, 3.0
    t = np.linspace(-40, 40, 80001)

    def density(x: Array) -> Array:
        return np.asarray(np.exp(-np.square(x) / 2) / np.sqrt(2 * np.pi))

    mixture = (density(t) + density((t - gap) / spread) / spread) / 2
    # Given their mean t, the difference of the two scores is normal.
    slope = (spread**2 - 1) / (spread**2 + 1)
    deviation = 2 * spread / np.hypot(1, spread)
    right = ndtr((gap + slope * (2 * t - gap)) / deviation)
    return float(np.trapezoid(mixture * right, t)), float(ndtr(gap / np.hypot(1, spread)))


def list_table_1() -> Iterator[Row]:
    """Table 1, and the weights of c = 0.5 that the text reads off Figure 4."""
    for name, printed in TABLE_1.items():
        note = "On our curve of the drawn shape: the printed areas fix its corners, H tests it."
        yield from list_rows(f"Table 1 ({name})", printed, measure_curve(*CURVES[name]), note)
    for panel, name, printed_weight in (("a", "b", "0.7"), ("b", "c", "0")):
        cost, weight = weigh_costs(*CURVES[name], PRIOR)
        half_weight = float(weight[np.isclose(cost, 0.5)].sum())
        note = f"On our curve ({name}) of Figure 3."
        yield Row(f"Figure 4 ({panel})", "weight of c = 0.5", printed_weight, half_weight, note)


def list_example_2() -> Iterator[Row]:
    """How many times as serious the other error is at c = 0.1."""
    yield Row("Example 2", "times as serious at c = 0.1", "9", (1 - 0.1) / 0.1)


def list_example_3(loans: pd.DataFrame) -> Iterator[Row]:
    """AUC and H of both classifiers of Example 3, on the rows that they are fitted to."""
    for name, (columns, printed) in EXAMPLE_3.items():
        score = fit_classifier(loans, columns)
        measured = measures(loans["bad"].to_numpy(), score)
        computed = {"AUC": measured["auc"], "H": measured["h"]}
        note = f"Our AUK is {measured['auk']:.3f}."
        yield from list_rows(f"Example 3 ({name})", printed, computed, note)


def fit_classifier(loans: pd.DataFrame, columns: list[str]) -> Array:
    """Scores of a logistic regression without a penalty, on standardised columns.

    Rows with an unknown year of birth (yob = 99) stay in.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import scale

    x = scale(loans[columns].to_numpy(dtype=np.float64))
    fitted = LogisticRegression(C=np.inf, max_iter=1000, tol=1e-8).fit(x, loans["bad"])
    return np.asarray(fitted.decision_function(x))


class Panels(NamedTuple):
    """The numbers behind the six panels of Figures 5 and 6."""

    score: Array
    density: dict[str, Array]  # by class
    mixture: Array
    roc: tuple[Array, Array]
    hull: tuple[Array, Array]
    cost: Array
    loss: Array
    trivial_loss: Array
    implied_cost: Array
    implied_weight: Array
    measures: dict[str, float]


def measure_panels(minority: Array, score: Array, n_grid: int = 401) -> Panels:
    """Densities, ROC curve, smallest loss and cost weights of a model's scores."""
    from scipy.stats import gaussian_kde
    from sklearn.metrics import roc_curve

    prior = float(np.mean(minority))
    fpr, tpr, _ = roc_curve(minority, score, drop_intermediate=False)
    hull = roc_hull(fpr, tpr)[:2]
    margin = 0.1 * np.ptp(score)
    grid = np.linspace(score.min() - margin, score.max() + margin, n_grid)
    density = {
        name: gaussian_kde(score[minority == label])(grid)
        for name, label in (("negative", 0), ("positive", 1))
    }
    cost = np.linspace(0, 1, n_grid)
    implied_cost, implied_weight = weigh_costs(*hull, prior)
    return Panels(
        score=grid,
        density=density,
        mixture=(1 - prior) * density["negative"] + prior * density["positive"],
        roc=(fpr, tpr),
        hull=hull,
        cost=cost,
        loss=minimize_loss(*hull, prior, cost),
        trivial_loss=np.minimum(cost * prior, (1 - cost) * (1 - prior)),
        implied_cost=implied_cost,
        implied_weight=implied_weight,
        measures=dict(measures(minority, score)),
    )


def plot_six_panels(panels: Panels, name: str, width: float) -> Figure:
    """The six panels of Figures 5 and 6.

    (a) Smoothed densities of the scores; (b) ROC curve and hull; (c) smallest loss; (d) weight
    that the AUC gives to each threshold and (e) to each cost; (f) weight of the H-measure.
    """
    from matplotlib import pyplot as plt

    figure, grid = plt.subplots(2, 3, figsize=(both_columns(width), 4.1))
    (densities, roc, loss), (threshold, cost, beta) = grid
    for label, style in CLASS_STYLES.items():
        line: Any = {"color": style.color, "linestyle": style.linestyle}
        densities.plot(panels.score, panels.density[label], label=label, **line)
    densities.set(xlabel="score", ylabel="density of each class")
    measured = panels.measures
    _draw_curve(
        roc, panels.roc, panels.hull, f"AUC {measured['auc']:.3f}", f"AUCH {measured['auch']:.3f}"
    )
    dark = LINE_STYLES[0].color
    loss.plot(panels.cost, panels.trivial_loss, label="trivial", **REFERENCE)
    loss.plot(panels.cost, panels.loss, color=dark, label=f"$H$ {measured['h']:.3f}")
    loss.set(ylabel="smallest loss")
    threshold.plot(panels.score, panels.mixture, color=dark)
    threshold.set(xlabel="threshold", ylabel="weight implied by the AUC")
    _draw_weights(cost, panels.implied_cost, panels.implied_weight, size=2.5)
    beta.plot(panels.cost, compute_beta_density(panels.cost, 2, 2), color=dark)
    beta.set(ylabel="$H$'s weight, Beta(2, 2)")
    for axes in (loss, cost, beta):
        axes.set(xlabel="cost share of a missed case $c$", xlim=(-0.02, 1.02))
    for axes in (threshold, cost, beta):
        axes.set_ylim(bottom=0)
    for axes in (densities, loss):
        axes.set_ylim(0, axes.dataLim.ymax * 1.5)  # room for the legend
        axes.legend(loc="upper right")
    figure.suptitle(name, fontsize=LETTERS)
    return finish_panels(figure)


def plot_curves_and_weights(width: float) -> Figure:
    """Figure 3, three ROC curves with their hulls, above Figure 4, the weights of (b) and (c)."""
    from matplotlib import pyplot as plt

    figure, (top, bottom) = plt.subplots(2, 3, figsize=(both_columns(width), 4.2))
    for axes, (name, curve) in zip(top, CURVES.items(), strict=True):
        printed = TABLE_1[name]
        axes.set_title(f"AUC {printed['AUC']}, $H$ {printed['H']}", loc="right", color=GREY)
        _draw_curve(axes, curve, roc_hull(*curve)[:2], "ROC curve", "convex hull")
    bottom[0].set_axis_off()
    for axes, name in zip(bottom[1:], "bc", strict=True):
        cost, weight = weigh_costs(*CURVES[name], PRIOR)
        _draw_weights(axes, cost, weight, size=5)
        axes.set_title(f"curve ({name})", loc="right", color=GREY)
        axes.set(xlabel="cost share of a missed case $c$", xlim=(-0.08, 1.08), ylim=(0, 0.85))
    return finish_panels(figure)


def _draw_curve(
    axes: Any, curve: tuple[Array, Array], hull: tuple[Array, Array], label: str, hull_label: str
) -> None:
    axes.plot([0, 1], [0, 1], **REFERENCE)
    axes.plot(*curve, color=LINE_STYLES[0].color, linewidth=0.8, label=label)
    axes.plot(*hull, color=LINE_STYLES[1].color, linestyle=(0, (5, 1.5)), label=hull_label)
    axes.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set_box_aspect(1)
    axes.legend(loc="lower right")


def _draw_weights(axes: Any, cost: Array, weight: Array, size: float) -> None:
    color = LINE_STYLES[0].color
    axes.vlines(cost, 0, weight, color=color)
    axes.plot(cost, weight, "o", color=color, markersize=size, clip_on=False)
    axes.set_ylabel("weight implied by the AUC")
