"""Plots of kappa curves, ROC hulls and Hand's diagnostics, by scikit-learn's Display protocol.

Each display is made by ``from_estimator`` or ``from_predictions`` (or by hand from its numbers),
draws itself with ``plot``, and keeps the drawn artists as attributes that end in an underscore.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import check_curve, check_prevalence
from kappacurve.inference.bootstrap import KappaBand, kappa_band
from kappacurve.measures import area_under_curve, area_under_kappa
from kappacurve.plots._panels import (
    ScoredDisplay,
    axes_or_new,
    curve_of,
    legend_above,
    legend_text,
    line_options,
    spot,
)
from kappacurve.plots.hand_display import HMeasureDisplay
from kappacurve.plots.style import REFERENCE, house_style
from kappacurve.roc import along_segments, kappa_from_rates, roc_hull

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["HMeasureDisplay", "KappaCurveDisplay", "RocHullDisplay"]


class KappaCurveDisplay(ScoredDisplay):
    """Cohen's kappa against the false positive rate.

    Make it with :meth:`from_estimator` or :meth:`from_predictions`.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve or hull from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Class ratio at which kappa is evaluated.
    name : str, optional
        Shown in the legend.
    band : KappaBand, optional
        From :func:`kappacurve.kappa_band`.

    Attributes
    ----------
    auk : float
        Exact area under the curve.
    line_ : matplotlib Line2D
    maximum_ : matplotlib Line2D or None
        Marker of the largest kappa.
    band_ : matplotlib PolyCollection or None
    chance_level_ : matplotlib Line2D
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    See Also
    --------
    RocHullDisplay : The same curve in the ROC plane.
    kappacurve.kappa_curve : The numbers.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), section 4 and equation 19.

    Examples
    --------
    >>> display = KappaCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> display.auk, display.line_.get_label()
    (0.375, 'AUK 0.375')
    """

    def __init__(
        self,
        *,
        fpr: npt.ArrayLike,
        tpr: npt.ArrayLike,
        prevalence: float,
        name: str | None = None,
        band: KappaBand | None = None,
    ) -> None:
        self.fpr, self.tpr = check_curve(fpr, tpr)
        self.prevalence = float(check_prevalence(prevalence))
        self.name = name
        self.band = band
        self.auk = area_under_kappa(self.fpr, self.tpr, self.prevalence)

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        hull: bool = False,
        confidence: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> KappaCurveDisplay:
        """Compute the curve from labels and scores, then plot.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, prevalence, hull
            As in :func:`kappacurve.kappa_curve`.
        confidence : float in (0, 1), optional
            Draw the pointwise bootstrap band of this confidence (raw, unweighted curves only).
        name, ax, **options
            As in :meth:`plot`.

        Returns
        -------
        KappaCurveDisplay

        Raises
        ------
        ValueError
            As :func:`kappacurve.kappa_curve`; also if a band is asked for with a hull or weights.
        """
        fpr, tpr, p = curve_of(y_true, y_score, pos_label, sample_weight, prevalence)
        band = None
        if confidence is not None:
            if hull or sample_weight is not None:
                raise ValueError(
                    "A confidence band is drawn for raw, unweighted curves only: leave out "
                    "confidence, or hull and sample_weight."
                )
            band = kappa_band(
                y_true, y_score, pos_label=pos_label, prevalence=prevalence, confidence=confidence
            )
        if hull:
            fpr, tpr, _ = roc_hull(fpr, tpr)
        display = cls(fpr=fpr, tpr=tpr, prevalence=p, name=name, band=band)
        return display.plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        mark_maximum: bool = True,
        **kwargs: Any,
    ) -> KappaCurveDisplay:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default. Several displays on one Axes take different styles.
        name : str, optional
            Replaces the display's own.
        mark_maximum : bool, default True
        **kwargs
            For matplotlib's ``plot``, such as ``color`` or ``linestyle``.

        Returns
        -------
        KappaCurveDisplay
            Itself.
        """
        name = self.name if name is None else name
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            style = line_options(self.ax_, legend_text(name, "AUK", self.auk), kwargs)
            self.chance_level_ = self.ax_.axhline(0, **REFERENCE)
            fpr, tpr = along_segments(self.fpr, self.tpr)
            kappa = kappa_from_rates(fpr, tpr, self.prevalence)
            marker = style.pop("marker")
            (self.line_,) = self.ax_.plot(fpr, kappa, **style)
            self._plot_band()
            self.maximum_ = None
            if mark_maximum:
                dot = spot(self.line_.get_color(), marker)
                best = int(np.argmax(kappa))
                (self.maximum_,) = self.ax_.plot(fpr[best], kappa[best], **dot)
            self.ax_.set(
                xlabel="false positive rate $f$",
                ylabel=rf"Cohen's kappa $\kappa$ at $p$ = {self.prevalence:.3g}",
                xlim=(-0.02, 1.02),
            )
            legend_above(self.ax_)
        self.figure_ = self.ax_.figure
        return self

    def _plot_band(self) -> None:
        self.band_ = None
        if self.band is not None:
            self.band_ = self.ax_.fill_between(
                *self.band, color=self.line_.get_color(), alpha=0.2, linewidth=0, zorder=1
            )


class RocHullDisplay(ScoredDisplay):
    """A ROC curve with its convex hull.

    Make it with :meth:`from_estimator` or :meth:`from_predictions`.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Class ratio for which the largest kappa is marked; it is always at a corner of the hull.
    name : str, optional
        Shown in the legend.

    Attributes
    ----------
    hull_fpr, hull_tpr : ndarray of shape (n_hull,)
    auc, auch : float
        Area under the curve and under its hull.
    line_, hull_line_ : matplotlib Line2D
    maximum_ : matplotlib Line2D or None
    chance_level_ : matplotlib Line2D
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    See Also
    --------
    KappaCurveDisplay : Kappa along the same curve.
    kappacurve.roc_hull : The numbers.

    References
    ----------
    Fawcett (2006), section 6. Kaymak, Ben-David & Potharst (2010), section 7, for the marked
    point.

    Examples
    --------
    >>> display = RocHullDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.2, 0.4, 0.8])
    >>> display.auc, display.auch
    (0.75, 0.875)
    """

    def __init__(
        self,
        *,
        fpr: npt.ArrayLike,
        tpr: npt.ArrayLike,
        prevalence: float,
        name: str | None = None,
    ) -> None:
        self.fpr, self.tpr = check_curve(fpr, tpr)
        self.prevalence = float(check_prevalence(prevalence))
        self.name = name
        self.hull_fpr, self.hull_tpr, _ = roc_hull(self.fpr, self.tpr)
        self.auc = area_under_curve(self.fpr, self.tpr)
        self.auch = area_under_curve(self.hull_fpr, self.hull_tpr)

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> RocHullDisplay:
        """Compute curve and hull from labels and scores, then plot.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, prevalence
            As in :func:`kappacurve.kappa_curve`.
        name, ax, **options
            As in :meth:`plot`.

        Returns
        -------
        RocHullDisplay

        Raises
        ------
        ValueError
            As :func:`kappacurve.kappa_curve`.
        """
        fpr, tpr, p = curve_of(y_true, y_score, pos_label, sample_weight, prevalence)
        return cls(fpr=fpr, tpr=tpr, prevalence=p, name=name).plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        mark_maximum: bool = True,
        **kwargs: Any,
    ) -> RocHullDisplay:
        """Draw the curve thin and its hull thick.

        Parameters
        ----------
        ax, name, mark_maximum
            As in :meth:`KappaCurveDisplay.plot`.
        **kwargs
            For the lines of matplotlib's ``plot``, such as ``color``.

        Returns
        -------
        RocHullDisplay
            Itself.
        """
        name = self.name if name is None else name
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            style = line_options(self.ax_, legend_text(name, "AUCH", self.auch), kwargs)
            marker = style.pop("marker")
            (self.chance_level_,) = self.ax_.plot([0, 1], [0, 1], label="_chance", **REFERENCE)
            (self.hull_line_,) = self.ax_.plot(self.hull_fpr, self.hull_tpr, **style)
            thin = style | {"label": legend_text(name, "AUC", self.auc), "linestyle": "-"}
            thin |= {"color": self.hull_line_.get_color(), "linewidth": 0.6}
            (self.line_,) = self.ax_.plot(self.fpr, self.tpr, **thin)
            self.maximum_ = None
            if mark_maximum:
                kappa = kappa_from_rates(self.hull_fpr, self.hull_tpr, self.prevalence)
                best = int(np.argmax(kappa))
                dot = spot(self.line_.get_color(), marker)
                (self.maximum_,) = self.ax_.plot(self.hull_fpr[best], self.hull_tpr[best], **dot)
            self.ax_.set(
                xlabel="false positive rate $f$",
                ylabel="true positive rate $t$",
                xlim=(-0.02, 1.02),
                ylim=(-0.02, 1.02),
                aspect="equal",
            )
            self.ax_.legend(loc="lower right")
        self.figure_ = self.ax_.figure
        return self
