"""Decision curves: the net benefit over the threshold probability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from .._decisions import net_benefit_limits
from ..operating import net_benefit
from ..validation import check_numbers, check_prevalence, check_sample, check_share
from .displays import ScoredDisplay
from .style import REFERENCE, axes_or_new, escape_name, house_style, next_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEFAULTS = ("flag all", "flag none")


class DecisionCurveDisplay(ScoredDisplay):
    """Net benefit against the threshold probability.

    The reference lines are those of flagging all rows and none. A thin line of the same colour is
    the net benefit at the best threshold on the same scores: the space between the two is what
    recalibration would gain. A confidence band takes its place.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,) in [0, 1)
        Threshold probabilities: where acting and not acting are worth the same.
    net_benefit : array-like of shape (n_thresholds,)
        Per row, at each of them.
    prevalence : float in (0, 1)
        Share of positives.
    best : array-like of shape (n_thresholds,), optional
        Net benefit at the best threshold.
    band : pair of array-like of shape (n_thresholds,), optional
        Ends of the confidence interval at each threshold.
    name : str, optional
        Shown in the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D
    band_ : matplotlib PolyCollection or None
    best_line_, gap_ : matplotlib Line2D and PolyCollection, or None
    flag_all_, flag_none_ : matplotlib Line2D
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Raises
    ------
    ValueError
        If an argument is out of its range.
    ImportError
        If matplotlib is missing, when it is drawn.

    References
    ----------
    Vickers & Elkin (2006), Medical Decision Making 26, 565-574, doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> display = DecisionCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> display.line_.get_ydata()[[9, 49]].round(3)  # at the thresholds 0.1 and 0.5
    array([0.444, 0.25 ])
    """

    def __init__(
        self,
        *,
        thresholds: npt.ArrayLike,
        net_benefit: npt.ArrayLike,
        prevalence: float,
        best: npt.ArrayLike | None = None,
        band: Any = None,
        name: str | None = None,
    ) -> None:
        self.thresholds = check_numbers("thresholds", thresholds)
        self.net_benefit = check_numbers("net_benefit", net_benefit)
        self.prevalence = check_prevalence(prevalence)
        self.best = None if best is None else check_numbers("best", best)
        self.band = None if band is None else [check_numbers("band", end) for end in band]
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_prob: npt.ArrayLike,
        *,
        thresholds: npt.ArrayLike | None = None,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        confidence_level: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the net benefit from labels and probabilities, then plot.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes: numbers, booleans or strings.
        y_prob : array-like of shape (n_samples,) in [0, 1]
            Probabilities of the positive class, at the prevalence at which they are judged (see
            :func:`kappacurve.adjust_prevalence`).
        thresholds : array-like of shape (n_thresholds,) in [0, 1), default 0.01 to 0.99
            Threshold probabilities.
        pos_label : label, optional
            The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
        sample_weight : array-like of shape (n_samples,), optional
            How many rows each row stands for.
        groups : array-like of shape (n_samples,), optional
            Such as patient ids, for the band: only rows of different groups are independent.
        prevalence : float in (0, 1), optional
            Share of positives, taken as known; by default that of the rows, whose error then counts
            in the band.
        confidence_level : float in (0, 1), optional
            Draw the confidence band of this level at any one threshold.
        name : str, optional
            Shown in the legend.
        ax : matplotlib Axes, optional
            A new figure by default.
        **options
            Passed to :meth:`plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            As :func:`kappacurve.net_benefit`; with a band also if a class has fewer than two rows.
        """
        default = np.arange(1, 100) / 100
        tau = (
            default
            if thresholds is None
            else np.atleast_1d(check_numbers("thresholds", thresholds))
        )
        rows: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        at: dict[str, Any] = {"thresholds": tau, "prevalence": prevalence}
        curves: dict[str, Any] = {
            "net_benefit": net_benefit(y_true, y_prob, at="score", **rows, **at),
            "best": net_benefit(y_true, y_prob, at="best", **rows, **at),
        }
        sample = check_sample(y_true, y_prob, **rows, groups=groups)
        if confidence_level is not None:
            level = check_share("confidence_level", confidence_level)
            curves["band"] = net_benefit_limits(sample, tau, prevalence, level)
        p = sample.prevalence if prevalence is None else prevalence
        display = cls(thresholds=tau, prevalence=p, name=name, **curves)
        return display.plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default. Several displays on one Axes take different styles.
        name : str, optional
            Replaces the display's own.
        curve_kwargs : dict, optional
            For matplotlib's ``plot``, such as ``color`` or ``linestyle``.

        Returns
        -------
        The display.
        """
        p, tau = self.prevalence, self.thresholds
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            style, _ = next_style(self.ax_, curve_kwargs)
            look = {"label": escape_name(name or self.name or "model"), **style}
            (self.line_,) = self.ax_.plot(tau, self.net_benefit, **look)
            color = self.line_.get_color()
            self.band_ = self.best_line_ = self.gap_ = None
            fill = {"color": color, "linewidth": 0}
            if self.band is not None:
                self.band_ = self.ax_.fill_between(tau, *self.band, alpha=0.2, **fill)
            elif self.best is not None:
                look = {"color": color, "linewidth": 0.6, "label": "_best"}
                (self.best_line_,) = self.ax_.plot(tau, self.best, **look)
                gap = self.net_benefit, self.best
                self.gap_ = self.ax_.fill_between(tau, *gap, alpha=0.12, **fill)
            is_first = DEFAULTS[0] not in {line.get_label() for line in self.ax_.get_lines()}
            names = DEFAULTS if is_first else [f"_{default}" for default in DEFAULTS]
            flag_all = p - (1 - p) * tau / (1 - tau)
            look = {**REFERENCE, "label": names[0]}
            (self.flag_all_,) = self.ax_.plot(tau, flag_all, **look)
            look = {**REFERENCE, "label": names[1], "linestyle": "-"}
            self.flag_none_ = self.ax_.axhline(0, **look)
            # The line of flagging all rows falls without end, and a badly calibrated model may too.
            end = self._last_threshold() if is_first else self.ax_.get_xlim()[1]
            self.ax_.set(xlim=(0, max(end, self._last_threshold())), ylim=(-0.25 * p, 1.05 * p))
            self.ax_.set(xlabel=r"threshold probability $\tau$")
            self.ax_.set_ylabel(f"net benefit at prevalence {p:.3g}")
            handles, labels = self.ax_.get_legend_handles_labels()
            order = sorted(range(len(labels)), key=lambda i: labels[i] in DEFAULTS)
            in_order = [handles[i] for i in order], [labels[i] for i in order]
            self.ax_.legend(*in_order, loc="upper right")
        self.figure_ = self.ax_.figure
        return self

    def _last_threshold(self) -> float:
        """Where the axis ends: a little after the last threshold at which a curve is seen.

        From there on it is as good as that of flagging none, or far below it.
        """
        p = self.prevalence
        curves = [curve for curve in (self.net_benefit, self.best) if curve is not None]
        seen = [(np.abs(curve) > 0.02 * p) & (curve > -0.25 * p) for curve in curves]
        last = np.max(self.thresholds, where=np.any(seen, axis=0), initial=0.0)
        return min(1.0, 1.05 * float(last)) or 1.0
