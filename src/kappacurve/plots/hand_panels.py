"""Hand's six diagnostic panels: the numbers behind them, and their display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, Scored, check_scored
from kappacurve.h_measure import beta_density, h_of_hull, implied_costs
from kappacurve.plots.displays import ScoredDisplay
from kappacurve.plots.style import (
    CLASS_STYLES,
    LINE_STYLES,
    REFERENCE,
    TWO_COLUMNS,
    house_style,
    in_figure,
    letter,
)
from kappacurve.roc import area_under_curve, roc_hull, vertices_of

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

DARK, LIGHT = LINE_STYLES[0].color, LINE_STYLES[1].color
N_GRID = 401
COST = "cost share of a false positive $c$"


class HandPanels:
    """The numbers behind Hand's six panels; see :class:`HMeasureDisplay`.

    Class 0 are the negatives. The densities have the shape (2, n_grid); `cost`, the losses and
    `weight` are on an even grid; `hull_cost` and `hull_weight` have one entry per hull segment.
    """

    def __init__(self, scored: Scored, prevalence: float, cost_weight: tuple[float, float]) -> None:
        alpha, beta = cost_weight
        if not (alpha > 0 and beta > 0):
            raise ValueError(f"cost_weight must be two positive numbers, got {cost_weight!r}.")
        self.prevalence = prevalence
        self.cost_weight = cost_weight
        self.fpr, self.tpr, thresholds = vertices_of(scored)
        self.hull_fpr, self.hull_tpr, index = roc_hull(self.fpr, self.tpr)
        self.hull_cost, self.hull_weight = implied_costs(self.hull_fpr, self.hull_tpr, prevalence)
        self.score, self.density, self.hull_density = _densities(scored, thresholds[index])
        self.cost = c = np.linspace(0, 1, N_GRID)
        # The hull's corners are in the order of falling best cost: each cost needs only its own.
        corner = np.searchsorted(-self.hull_cost, -c)
        by_negatives = c * (1 - prevalence) * self.hull_fpr[corner]
        self.loss = by_negatives + (1 - c) * prevalence * (1 - self.hull_tpr[corner])
        self.trivial_loss = np.minimum(c * (1 - prevalence), (1 - c) * prevalence)
        self.weight = beta_density(c, alpha, beta)
        self.auc = area_under_curve(self.fpr, self.tpr)
        self.auch = area_under_curve(self.hull_fpr, self.hull_tpr)
        self.h = h_of_hull(self.hull_fpr, self.hull_tpr, prevalence, alpha, beta)


def _densities(scored: Scored, thresholds: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Smoothed densities of both classes on a grid, as observed and as the hull implies."""
    weight = scored.weights()
    classes = np.stack([np.where(scored.positive, 0.0, weight), weight * scored.positive])
    segment = np.searchsorted(-thresholds, -scored.score)
    width = _bandwidth(scored.score, weight)
    grid = np.linspace(scored.score.min() - 3 * width, scored.score.max() + 3 * width, N_GRID)
    in_segment = np.bincount(segment, weight)
    # Empty segments have no rows either: any divisor does.
    divisor = np.where(in_segment > 0, in_segment, 1)
    shares = [np.bincount(segment, of_class)[segment] / divisor[segment] for of_class in classes]
    density = np.stack([_smooth(scored.score, of_class, grid, width) for of_class in classes])
    hull = np.stack([_smooth(scored.score, share * weight, grid, width) for share in shares])
    return grid, density, hull


def _bandwidth(score: FloatArray, weight: FloatArray) -> float:
    """Silverman's rule (1986, equation 3.31); a nominal width where all scores are equal."""
    counted = score[weight > 0]
    quartiles = np.subtract(*np.quantile(counted, [0.75, 0.25])) / 1.34
    spreads = [spread for spread in (float(counted.std()), float(quartiles)) if spread > 0]
    scale = min(spreads) if spreads else max(1.0, abs(float(counted[0]))) * 0.1
    return float(0.9 * scale * len(counted) ** -0.2)


def _smooth(score: FloatArray, weight: FloatArray, grid: FloatArray, width: float) -> FloatArray:
    """Gaussian kernel density by binning to the grid first: linear in the number of rows."""
    step = grid[1] - grid[0]
    position = (score - grid[0]) / step
    left = np.clip(position.astype(np.intp), 0, len(grid) - 2)
    right_share = position - left
    binned = np.bincount(left, weight * (1 - right_share), len(grid))
    binned += np.bincount(left + 1, weight * right_share, len(grid))
    kernel = np.exp(-0.5 * ((grid[:, None] - grid[None]) / width) ** 2)
    return np.asarray(kernel @ binned / (width * np.sqrt(2 * np.pi) * weight.sum()))


class HMeasureDisplay(ScoredDisplay):
    """Hand's six diagnostic panels of a classifier.

    (a) Smoothed densities of the scores of both classes, and those that the hull implies; (b) ROC
    curve and hull; (c) smallest loss at each cost; (d) weight that the AUC gives to each
    threshold; (e) weight that it gives to each cost; (f) the Beta weight of the H-measure.

    Parameters
    ----------
    panels : HandPanels
        Their numbers.
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
            As in :func:`kappacurve.h_measure_score`.
        cost_weight : (alpha, beta), default (2.0, 2.0)
            Parameters of the Beta weight on the cost, both positive.
        name : str, optional
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        panels = HandPanels(scored, scored.prevalence(prevalence), cost_weight)
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
                self.figure_.suptitle(in_figure(self.name), fontsize=9)
        self.ax_ = self.axes_[0, 2]
        return self


def _draw_panels(axes: Any, panels: HandPanels) -> Line2D:
    """Fill a 2 x 3 array of axes; return the line of the smallest loss."""
    (densities, roc, loss), (threshold, cost, beta) = axes
    for k, (name, style) in enumerate(CLASS_STYLES.items()):
        look: Any = {"color": style.color, "linestyle": style.linestyle}
        densities.plot(panels.score, panels.density[k], label=name, **look)
        look |= {"label": "by hull" if k else "_implied", "linestyle": (0, (1, 1))}
        densities.plot(panels.score, panels.hull_density[k], linewidth=1, **look)
    densities.set(xlabel="score", ylabel="density of each class", xlim=panels.score[[0, -1]])
    roc.plot([0, 1], [0, 1], **REFERENCE)
    roc.plot(panels.fpr, panels.tpr, color=DARK, linewidth=0.8, label=f"AUC {panels.auc:.3f}")
    hull = {"color": LIGHT, "linestyle": (0, (5, 1.5)), "label": f"AUCH {panels.auch:.3f}"}
    roc.plot(panels.hull_fpr, panels.hull_tpr, **hull)
    roc.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$", ylim=(-0.02, 1.02))
    roc.set_box_aspect(1)
    roc.legend(loc="lower right")
    loss.plot(panels.cost, panels.trivial_loss, label="trivial", **REFERENCE)
    (line,) = loss.plot(panels.cost, panels.loss, color=DARK, label=f"$H$ {panels.h:.3f}")
    loss.set(xlabel=COST, ylabel="smallest loss")
    share = panels.prevalence
    weight = "weight implied by the AUC"
    mixture = (1 - share) * panels.density[0] + share * panels.density[1]
    threshold.plot(panels.score, mixture, color=DARK)
    threshold.set(xlabel="threshold", ylabel=weight, xlim=panels.score[[0, -1]])
    cost.vlines(panels.hull_cost, 0, panels.hull_weight, color=DARK, linewidth=1.4)
    cost.plot(panels.hull_cost, panels.hull_weight, "o", color=DARK, markersize=2.5)
    cost.set(xlabel=COST, ylabel=weight)
    beta.plot(panels.cost, panels.weight, color=DARK)
    beta.set(xlabel=COST, ylabel="$H$'s weight, Beta({:g}, {:g})".format(*panels.cost_weight))
    for ax in (threshold, cost, beta):
        ax.set_ylim(bottom=0)
    for ax in (roc, loss, cost, beta):
        ax.set_xlim(-0.02, 1.02)
    for ax in (densities, loss):
        # No corner is free for every classifier: room is made above the highest point.
        ax.set_ylim(0, ax.dataLim.ymax * 1.5)
        ax.legend(loc="upper right")
    return line  # type: ignore[no-any-return]
