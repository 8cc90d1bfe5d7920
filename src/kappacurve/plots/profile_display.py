"""The AUK over the cost, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kappacurve._validation import check_number, check_one_cost
from kappacurve.plots.style import REFERENCE, axes_or_new, house_style, in_figure, line_options
from kappacurve.profile import AukProfile, auk_profile

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
