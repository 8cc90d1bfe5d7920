"""Curves over the cost: the net benefit over the threshold probability, and the AUK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    check_number,
    check_numbers,
    check_one_cost,
    check_one_prevalence,
    check_scored,
)
from kappacurve.inference._sample import check_design, check_sample
from kappacurve.inference.analytic import Models
from kappacurve.inference.results import check_level
from kappacurve.operating import THRESHOLDS, At, net_benefit
from kappacurve.plots.displays import ScoredDisplay
from kappacurve.plots.style import REFERENCE, axes_or_new, house_style, in_figure, line_options
from kappacurve.profile import AukProfile, auk_profile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Looks = Mapping[str, Any]


class DecisionCurveDisplay(ScoredDisplay):
    """Net benefit against the threshold probability: the decision curve.

    The reference lines are those of flagging all rows and none. A thin line of the same colour, if
    there is one, is the net benefit at the best threshold on the same scores: the space between
    the two is what recalibration would gain.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,) in [0, 1)
        Threshold probabilities: where acting and not acting are worth the same.
    net_benefit : array-like of shape (n_thresholds,)
        Per row, at each of them.
    prevalence : float in (0, 1)
    best : array-like of shape (n_thresholds,), optional
        Net benefit at the best threshold.
    band : pair of array-like of shape (n_thresholds,), optional
        Ends of the confidence interval at each threshold.
    name : str, optional
        Shown in the legend.
    standardized : bool, default False
        Whether the net benefit was divided by the prevalence.

    Attributes
    ----------
    line_ : matplotlib Line2D
    band_ : matplotlib PolyCollection or None
    best_line_, gap_ : matplotlib Line2D and PolyCollection, or None
    flag_all_, flag_none_ : matplotlib Line2D
    ax_, figure_ : matplotlib Axes and Figure

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
        standardized: bool = False,
    ) -> None:
        self.thresholds = check_numbers("thresholds", thresholds)
        self.net_benefit = check_numbers("net_benefit", net_benefit)
        self.best = None if best is None else check_numbers("best", best)
        self.band = None if band is None else [check_numbers("band", end) for end in band]
        self.prevalence = check_one_prevalence(prevalence)
        self.name = name
        self.standardized = standardized

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_prob: npt.ArrayLike,
        *,
        thresholds: npt.ArrayLike = THRESHOLDS,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        trained_at: float | None = None,
        at: At = "score",
        standardized: bool = False,
        level: float | None = None,
        groups: npt.ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the net benefit from labels and probabilities, then plot.

        Parameters
        ----------
        y_true, y_prob, thresholds, pos_label, sample_weight, prevalence
            As in :func:`kappacurve.net_benefit`.
        trained_at, at, standardized
            The same.
        level : float in (0, 1), optional
            Draw the confidence band of this level at any one threshold; only with
            ``at="score"``. The class ratio is fixed where a prevalence is stated, else random.
        groups : array-like of shape (n_samples,), optional
            Such as the patient of each row: only rows of different groups are independent.
        name, ax, **options
            Name in the legend, matplotlib Axes, and the other options of :meth:`plot`.
        """
        rows: Any = {"pos_label": pos_label, "sample_weight": sample_weight}
        scored = check_scored(y_true, y_prob, **rows)
        p = scored.prevalence(prevalence)
        tau = np.atleast_1d(check_numbers("thresholds", thresholds))
        axes: Any = {"thresholds": tau, "prevalence": p, "standardized": standardized}
        benefit = net_benefit(y_true, y_prob, at=at, trained_at=trained_at, **rows, **axes)
        best = band = None
        if at == "score":
            best = net_benefit(y_true, y_prob, at="best", **rows, **axes)
        if level is not None:
            level = check_level(level)
            if at != "score":
                raise ValueError('A band is drawn with at="score" only: leave out level.')
            sample = check_sample(y_true, {"": y_prob}, pos_label, sample_weight, groups)
            design = check_design(sample, prevalence, trained_at=trained_at)
            intervals = [
                Models(sample, design._replace(threshold=threshold)).interval(
                    "", "net_benefit", level, "plain"
                )
                for threshold in tau.tolist()
            ]
            unit = p if standardized else 1.0
            band = np.array([(interval.low, interval.high) for interval in intervals]).T / unit
        display = cls(net_benefit=benefit, best=best, band=band, name=name, **axes)
        return display.plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Looks | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve and return the display: :meth:`KappaCurveDisplay.plot` has these options.

        Several displays on one Axes take different styles.
        """
        unit = self.prevalence if self.standardized else 1.0
        odds = self.thresholds / (1 - self.thresholds)
        flag_all = (self.prevalence - (1 - self.prevalence) * odds) / unit
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            style, _ = line_options(self.ax_, curve_kwargs or {})
            look = {"label": in_figure(name or self.name or "model"), **style}
            (self.line_,) = self.ax_.plot(self.thresholds, self.net_benefit, **look)
            self.band_ = self.best_line_ = self.gap_ = None
            fill = {"color": self.line_.get_color(), "linewidth": 0}
            if self.band is not None:
                self.band_ = self.ax_.fill_between(self.thresholds, *self.band, alpha=0.2, **fill)
            elif self.best is not None:
                look = {"color": self.line_.get_color(), "linewidth": 0.6, "label": "_best"}
                (self.best_line_,) = self.ax_.plot(self.thresholds, self.best, **look)
                gap = self.net_benefit, self.best
                self.gap_ = self.ax_.fill_between(self.thresholds, *gap, alpha=0.12, **fill)
            known = {line.get_label() for line in self.ax_.get_lines()}
            new = "_" if "flag all" in known else ""
            look = {**REFERENCE, "label": f"{new}flag all"}
            (self.flag_all_,) = self.ax_.plot(self.thresholds, flag_all, **look)
            look = {**REFERENCE, "label": f"{new}flag none", "linestyle": "-"}
            self.flag_none_ = self.ax_.axhline(0, **look)
            top = self.prevalence / unit
            # The line of flagging all rows falls without end, and a badly calibrated model may too.
            self.ax_.set_ylim(-0.25 * top, 1.05 * top)
            what = "standardized net benefit" if self.standardized else "net benefit"
            end = max(self._end(top), self.ax_.get_xlim()[1] if new else 0.0)
            self.ax_.set(xlabel=r"threshold probability $\tau$", xlim=(0, end))
            self.ax_.set_ylabel(rf"{what} at prevalence {self.prevalence:.3g}")
            named = dict(zip(*self.ax_.get_legend_handles_labels()[::-1], strict=True))
            in_order = sorted(named, key=lambda label: label in ("flag all", "flag none"))
            self.ax_.legend([named[label] for label in in_order], in_order, loc="upper right")
            if despine:
                self.ax_.spines[["top", "right"]].set_visible(False)
        self.figure_ = self.ax_.figure
        return self

    def _end(self, top: float) -> float:
        """Where the axis ends: a little after the last threshold at which the curve is seen.

        From there on it is as good as that of flagging none, or far below it.
        """
        curves = [curve for curve in (self.net_benefit, self.best) if curve is not None]
        seen = [(np.abs(curve) > 0.02 * top) & (curve > -0.25 * top) for curve in curves]
        last = np.max(self.thresholds, where=np.any(seen, axis=0), initial=0.0)
        return min(1.0, 1.05 * float(last)) or 1.0


class AukProfileDisplay:
    """AUK of one or several models over the cost share of a missed positive.

    Dotted lines mark the costs 1/2 (the AUK), 1 - prevalence (AUC - 1/2) and, if given, one's own;
    circles the costs at which two leading models tie.

    Parameters
    ----------
    profile : AukProfile
        From :func:`kappacurve.auk_profile`.
    cost, cost_ratio : optional
        One's own cost of a missed positive, as a share of both errors or a ratio to a false alarm.

    Attributes
    ----------
    lines_, bands_ : list
    marks_ : dict of float to matplotlib Line2D
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> profile = auk_profile([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8])
    >>> sorted(AukProfileDisplay(profile, cost_ratio=4).plot().marks_)
    [0.5, 0.8]
    """

    def __init__(
        self, profile: AukProfile, *, cost: float | None = None, cost_ratio: float | None = None
    ) -> None:
        self.profile = profile
        self.cost = None
        if cost is not None or cost_ratio is not None:
            self.cost = check_number("cost", check_one_cost(cost, cost_ratio))

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_scores: Any,
        *,
        cost: float | None = None,
        cost_ratio: float | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the profile, with the options of :func:`kappacurve.auk_profile`, then plot."""
        profile = auk_profile(y_true, y_scores, **options)
        return cls(profile, cost=cost, cost_ratio=cost_ratio).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on an Axes, by default of a new figure."""
        profile = self.profile
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            self.lines_ = []
            self.bands_ = []
            for model, area in profile.auk.items():
                style, _ = line_options(self.ax_, {})
                (line,) = self.ax_.plot(profile.costs, area, label=in_figure(model), **style)
                fill = {"color": line.get_color(), "alpha": 0.15, "linewidth": 0}
                band = profile.low[model], profile.high[model]
                self.bands_.append(self.ax_.fill_between(profile.costs, *band, **fill))
                self.lines_.append(line)
            self.ax_.axhline(0, **REFERENCE)
            names = {1 - profile.prevalence: "AUC - 1/2", 0.5: "AUK"}
            if self.cost is not None:
                names[self.cost] = "your cost"
            self.marks_ = {at: self.ax_.axvline(at, **REFERENCE) for at in names}
            for at, name in names.items():
                where = {"xy": (at, 1), "xycoords": ("data", "axes fraction"), "ha": "center"}
                self.ax_.annotate(name, **where, va="bottom", rotation=45, fontsize=6)
            for lead in profile.leaders[1:]:
                height = np.interp(lead.low, profile.costs, profile.auk[lead.model])
                self.ax_.plot(lead.low, height, "o", color="0.2", fillstyle="none")
            self.ax_.set(xlabel="cost share $c$ of a missed positive", ylabel="AUK", xlim=(0, 1))
            self.ax_.legend(loc="best")
        self.figure_ = self.ax_.figure
        return self
