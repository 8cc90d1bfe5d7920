"""Hand's six diagnostic panels as a display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from kappacurve._validation import check_prevalence, check_scored
from kappacurve.plots._panels import ScoredDisplay
from kappacurve.plots.hand import HandPanels, hand_panels
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, house_style, letter
from kappacurve.roc import positive_share

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

DARK, LIGHT = LINE_STYLES[0].color, LINE_STYLES[1].color
COST = "cost share of a false positive $c$"


class HMeasureDisplay(ScoredDisplay):
    """Hand's six diagnostic panels of a classifier.

    Make it with :meth:`from_estimator` or :meth:`from_predictions`. The panels: (a) smoothed
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

    See Also
    --------
    RocHullDisplay : Panel (b) alone.

    Notes
    -----
    The cost c in [0, 1] is the share of a false *positive*, as in
    :func:`kappacurve.measures.h_of_hull`; Hand's own figures have cases and controls the other
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

        Returns
        -------
        HMeasureDisplay

        Raises
        ------
        ValueError
            As :func:`kappacurve.kappa_curve`; also if a parameter of the weight is not positive.
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        p = positive_share(scored) if prevalence is None else prevalence
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
