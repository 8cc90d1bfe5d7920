"""Hand's six diagnostic panels: the numbers behind them, and their display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, xlog1py, xlogy

from kappacurve._validation import FloatArray, Scored, check_prevalence, check_scored
from kappacurve.auk import area_under_curve
from kappacurve.h_measure import h_of_hull, implied_costs
from kappacurve.plots.displays import ScoredDisplay
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, house_style, letter
from kappacurve.roc import roc_hull, vertices_of

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

DARK, LIGHT = LINE_STYLES[0].color, LINE_STYLES[1].color
COST = "cost share of a false positive $c$"


class HandPanels(NamedTuple):
    """The numbers behind Hand's six panels; see :class:`HMeasureDisplay`.

    Class 0 are the negatives. `cost` and `weight` are on an even grid; `hull_cost` and
    `hull_weight` have one entry for each segment of the hull.
    """

    prevalence: float
    score: FloatArray
    density: FloatArray  # (2, n_grid): of the classes
    hull_density: FloatArray  # (2, n_grid): as the hull implies
    fpr: FloatArray
    tpr: FloatArray
    hull_fpr: FloatArray
    hull_tpr: FloatArray
    cost: FloatArray
    loss: FloatArray
    trivial_loss: FloatArray
    hull_cost: FloatArray
    hull_weight: FloatArray
    weight: FloatArray
    cost_weight: tuple[float, float]
    auc: float
    auch: float
    h: float


def hand_panels(
    scored: Scored, prevalence: float, cost_weight: tuple[float, float], n_grid: int = 401
) -> HandPanels:
    """Compute all panels.

    Examples
    --------
    >>> from kappacurve._validation import check_scored
    >>> panels = hand_panels(check_scored([0, 1, 0, 1], [1, 2, 3, 4]), 0.5, (2.0, 2.0))
    >>> panels.hull_cost, panels.hull_weight
    (array([1. , 0.5, 0. ]), array([0.25, 0.5 , 0.25]))
    """
    alpha, beta = cost_weight
    if not (alpha > 0 and beta > 0):
        raise ValueError(f"cost_weight must be two positive numbers, got {cost_weight!r}.")
    fpr, tpr, thresholds = vertices_of(scored)
    hull_fpr, hull_tpr, index = roc_hull(fpr, tpr)
    hull_cost, hull_weight = implied_costs(hull_fpr, hull_tpr, prevalence)
    cost = np.linspace(0, 1, n_grid)
    grid, density, hull_density = _densities(scored, thresholds[index], n_grid)
    return HandPanels(
        prevalence=prevalence,
        score=grid,
        density=density,
        hull_density=hull_density,
        fpr=fpr,
        tpr=tpr,
        hull_fpr=hull_fpr,
        hull_tpr=hull_tpr,
        cost=cost,
        loss=smallest_loss(cost, hull_fpr, hull_tpr, prevalence),
        trivial_loss=np.minimum(cost * (1 - prevalence), (1 - cost) * prevalence),
        hull_cost=hull_cost,
        hull_weight=hull_weight,
        weight=_beta_density(cost, alpha, beta),
        cost_weight=cost_weight,
        auc=area_under_curve(fpr, tpr),
        auch=area_under_curve(hull_fpr, hull_tpr),
        h=h_of_hull(hull_fpr, hull_tpr, prevalence, alpha, beta),
    )


def smallest_loss(
    cost: FloatArray, hull_fpr: FloatArray, hull_tpr: FloatArray, prevalence: float
) -> FloatArray:
    """Loss c (1-p) f + (1-c) p (1-t) at the best corner of the hull, for each cost c."""
    p, q = prevalence, 1 - prevalence
    # The corners are in the order of falling best cost, so each cost needs only its own corner.
    indifferent, _ = implied_costs(hull_fpr, hull_tpr, p)
    corner = np.searchsorted(-indifferent, -cost)
    return np.asarray(cost * q * hull_fpr[corner] + (1 - cost) * p * (1 - hull_tpr[corner]))


def _densities(
    scored: Scored, thresholds: FloatArray, n_grid: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Smoothed densities of both classes on a grid, as observed and as the hull implies."""
    weight = scored.weights()
    classes = np.stack([np.where(scored.positive, 0.0, weight), weight * scored.positive])
    segment = np.searchsorted(-thresholds, -scored.score)
    width = _bandwidth(scored.score, weight)
    low, high = float(scored.score.min()) - 3 * width, float(scored.score.max()) + 3 * width
    grid = np.linspace(low, high, n_grid)
    in_segment = np.bincount(segment, weight)
    density, hull_density = np.empty((2, n_grid)), np.empty((2, n_grid))
    for k, own in enumerate(classes):
        share = np.divide(
            np.bincount(segment, own),
            in_segment,
            out=np.zeros_like(in_segment),
            where=in_segment > 0,
        )
        density[k] = _smooth(scored.score, own, grid, width)
        hull_density[k] = _smooth(scored.score, share[segment] * weight, grid, width)
    return grid, density, hull_density


def _bandwidth(score: FloatArray, weight: FloatArray) -> float:
    """Silverman's rule (1986, equation 3.31); a nominal width where all scores are equal."""
    counted = score[weight > 0]
    quartiles = np.subtract(*np.quantile(counted, [0.75, 0.25])) / 1.34
    spreads = [spread for spread in (float(counted.std()), float(quartiles)) if spread > 0]
    scale = min(spreads) if spreads else max(1.0, abs(float(counted[0]))) * 0.1
    return float(0.9 * scale * len(counted) ** -0.2)


def _smooth(
    score: FloatArray, weight: npt.NDArray[np.float64], grid: FloatArray, width: float
) -> FloatArray:
    """Gaussian kernel density by binning to the grid first: linear in the number of rows."""
    step = grid[1] - grid[0]
    position = (score - grid[0]) / step
    left = np.clip(position.astype(np.intp), 0, len(grid) - 2)
    right_share = position - left
    binned = np.bincount(left, weight * (1 - right_share), len(grid))
    binned += np.bincount(left + 1, weight * right_share, len(grid))
    kernel = np.exp(-0.5 * ((grid[:, None] - grid[None]) / width) ** 2)
    return np.asarray(kernel @ binned / (width * np.sqrt(2 * np.pi) * weight.sum()))


def _beta_density(cost: FloatArray, alpha: float, beta: float) -> FloatArray:
    """Density of Beta(alpha, beta); infinite at an end where a parameter is below one."""
    with np.errstate(divide="ignore"):
        log = xlogy(alpha - 1, cost) + xlog1py(beta - 1, -cost)
    return np.asarray(np.exp(log - betaln(alpha, beta)))


class HMeasureDisplay(ScoredDisplay):
    """Hand's six diagnostic panels of a classifier.

    The panels: (a) smoothed
    densities of the scores of both classes, and those that the hull implies; (b) ROC curve and
    hull; (c) smallest loss at each cost; (d) weight that the AUC gives to each threshold; (e)
    weight that it gives to each cost; (f) the Beta weight of the H-measure.

    Parameters
    ----------
    panels : HandPanels
        The numbers behind the panels.
    name : str, optional
        Shown above the panels.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (2, 3)
    line_ : matplotlib Line2D
        Smallest loss, panel (c).
    ax_ : matplotlib Axes
        Panel (c).
    figure_ : matplotlib Figure

    Notes
    -----
    The cost c in [0, 1] is the share of a false *positive*, as in
    :func:`kappacurve.h_measure.h_of_hull`; Hand's own figures have cases and controls the other
    way round, so that his c is our 1 - c.

    The hull implies that within each of its segments rows are exchangeable: the implied
    densities spread each class's share of a segment evenly over the rows in it. Their mixture,
    panel (d), is the same as that of the classes themselves.

    References
    ----------
    Hand (2009), "Measuring classifier performance", Machine Learning 77, 103-123, Figures 2, 5
    and 6, equations 8-10, doi:10.1007/s10994-009-5119-5.

    Examples
    --------
    >>> display = HMeasureDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.2, 0.4, 0.8])
    >>> round(display.panels.h, 3), display.axes_.shape
    (0.5, (2, 3))
    """

    def __init__(self, panels: HandPanels, *, name: str | None = None) -> None:
        self.panels = panels
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        cost_weight: tuple[float, float] = (2.0, 2.0),
        name: str | None = None,
    ) -> HMeasureDisplay:
        """Compute the panels from labels and scores, then plot.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, prevalence
            As in :func:`kappacurve.kappa_curve`.
        cost_weight : (alpha, beta), default (2.0, 2.0)
            Parameters of the Beta weight on the cost, both positive.
        name : str, optional
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        p = scored.prevalence() if prevalence is None else prevalence
        panels = hand_panels(scored, float(check_prevalence(p)), cost_weight)
        return cls(panels, name=name).plot()

    def plot(self) -> HMeasureDisplay:
        """Draw the six panels on a new figure and return itself."""
        from matplotlib import pyplot as plt

        with house_style():
            self.figure_, self.axes_ = plt.subplots(2, 3, figsize=(TWO_COLUMNS, 4.4))
            self.line_ = _draw_panels(self.axes_, self.panels)
            for axes, text in zip(self.axes_.flat, "abcdef", strict=True):
                letter(axes, text)
            if self.name:
                self.figure_.suptitle(self.name, fontsize=9)
        self.ax_ = self.axes_[0, 2]
        return self


def _draw_panels(axes: Any, panels: HandPanels) -> Line2D:
    """Fill a 2 x 3 array of axes; return the line of the smallest loss."""
    _draw_densities(axes[0, 0], panels)
    _draw_roc(axes[0, 1], panels)
    line = _draw_loss(axes[0, 2], panels)
    _draw_score_weight(axes[1, 0], panels)
    _draw_cost_weight(axes[1, 1], panels)
    _draw_beta(axes[1, 2], panels)
    for ax in axes[:, 1:].flat:
        ax.set_xlim(-0.02, 1.02)
    return line


def _draw_densities(ax: Any, panels: HandPanels) -> None:
    names = ("negative", "positive")
    for k, (name, style) in enumerate(zip(names, ("-", (0, (5, 1.5))), strict=True)):
        color = (DARK, LIGHT)[k]
        ax.plot(panels.score, panels.density[k], color=color, linestyle=style, label=name)
        implied = "by hull" if k else "_implied"
        ax.plot(
            panels.score,
            panels.hull_density[k],
            color=color,
            linestyle=(0, (1, 1)),
            linewidth=1,
            label=implied,
        )
    ax.set(xlabel="score", ylabel="density of each class", xlim=panels.score[[0, -1]])
    _legend_in_headroom(ax)


def _draw_roc(ax: Any, panels: HandPanels) -> None:
    ax.plot([0, 1], [0, 1], **REFERENCE)
    ax.plot(panels.fpr, panels.tpr, color=DARK, linewidth=0.8, label=f"AUC {panels.auc:.3f}")
    hull = {"color": LIGHT, "linestyle": (0, (5, 1.5)), "label": f"AUCH {panels.auch:.3f}"}
    ax.plot(panels.hull_fpr, panels.hull_tpr, **hull)
    ax.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$", ylim=(-0.02, 1.02))
    ax.legend(loc="lower right")


def _draw_loss(ax: Any, panels: HandPanels) -> Line2D:
    ax.plot(panels.cost, panels.trivial_loss, label="trivial", **REFERENCE)
    (line,) = ax.plot(panels.cost, panels.loss, color=DARK, label=f"$H$ {panels.h:.3f}")
    ax.set(xlabel=COST, ylabel="smallest loss")
    _legend_in_headroom(ax)
    return line  # type: ignore[no-any-return]


def _draw_score_weight(ax: Any, panels: HandPanels) -> None:
    share = panels.prevalence
    mixture = (1 - share) * panels.density[0] + share * panels.density[1]
    ax.plot(panels.score, mixture, color=DARK)
    ax.set(xlabel="threshold", ylabel="weight implied by the AUC", xlim=panels.score[[0, -1]])
    ax.set_ylim(bottom=0)


def _draw_cost_weight(ax: Any, panels: HandPanels) -> None:
    ax.vlines(panels.hull_cost, 0, panels.hull_weight, color=DARK, linewidth=1.4)
    ax.plot(panels.hull_cost, panels.hull_weight, "o", color=DARK, markersize=2.5)
    ax.set(xlabel=COST, ylabel="weight implied by the AUC")
    ax.set_ylim(bottom=0)


def _draw_beta(ax: Any, panels: HandPanels) -> None:
    alpha, beta = panels.cost_weight
    ax.plot(panels.cost, panels.weight, color=DARK)
    ax.set(xlabel=COST, ylabel=f"$H$'s weight, Beta({alpha:g}, {beta:g})")
    ax.set_ylim(bottom=0)


def _legend_in_headroom(ax: Any) -> None:
    # No corner is free for every classifier: room is made above the highest point.
    ax.set_ylim(0, ax.dataLim.ymax * 1.5)
    ax.legend(loc="upper right")
