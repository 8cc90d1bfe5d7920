"""Kappa curves and ROC hulls, by scikit-learn's Display protocol.

Each display is made by ``from_estimator`` or ``from_predictions`` (or from its numbers), draws
itself with ``plot``, and keeps the drawn artists as attributes that end in an underscore.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from .._curve import area_under_kappa, kappa, kappa_from_rates, roc_curves, roc_hull
from .._kernels import sort_rows
from ..bands import KappaBand, kappa_band
from ..validation import (
    FloatArray,
    check_cost_ratio,
    check_curve,
    check_prevalence,
    check_sample,
    positive_rows,
)
from .style import (
    REFERENCE,
    axes_or_new,
    house_style,
    is_stepped,
    legend_text,
    marked_point,
    marker_in_legend,
    merge_options,
    next_style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ResponseMethod = Literal["auto", "predict_proba", "decision_function"]
STEP = 0.005  # of the rates along a segment, on which kappa is not straight


def positive_response(
    estimator: Any, X: Any, pos_label: Any, response_method: str
) -> tuple[FloatArray, Any]:
    """Scores of the positive class by a fitted classifier, and its label."""
    classes = np.asarray(getattr(estimator, "classes_", ()))
    if len(classes) != 2:
        raise ValueError(
            f"{type(estimator).__name__} must be a fitted classifier of two classes, "
            f"it has {len(classes)}."
        )
    column = int(positive_rows(classes, pos_label).argmax())
    known = ("predict_proba", "decision_function")
    wanted = known if response_method == "auto" else (response_method,)
    method = next((name for name in wanted if name in known and hasattr(estimator, name)), None)
    if method is None:
        raise ValueError(f"{type(estimator).__name__} has no {' or '.join(wanted)}.")
    response = np.asarray(getattr(estimator, method)(X), dtype=np.float64)
    if method == "predict_proba":
        return response[:, column], classes[column]
    return (response if column == 1 else -response), classes[column]


class ScoredDisplay:
    """What the displays share: scoring rows with a classifier before plotting."""

    from_predictions: ClassVar[Any]

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike,
        *,
        pos_label: Any = None,
        response_method: ResponseMethod = "auto",
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Score the rows with a fitted classifier, then plot.

        Parameters
        ----------
        estimator : fitted classifier of two classes
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes.
        pos_label : label, optional
            The positive class. May be left out for classes {0, 1} or {-1, 1} and booleans.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            "auto" takes predict_proba where there is one.
        name : str, optional
            By default the classifier's class.
        **options
            Passed to `from_predictions`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If the classifier is not fitted, has not two classes or lacks the method, or
            `pos_label` is needed; and as `from_predictions`.
        """
        score, label = positive_response(estimator, X, pos_label, response_method)
        name = type(estimator).__name__ if name is None else name
        display: Self = cls.from_predictions(y, score, pos_label=label, name=name, **options)
        return display


class KappaCurveDisplay(ScoredDisplay):
    """Cohen's kappa against the false positive rate.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve or hull, from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Share of positives at which kappa is evaluated.
    name : str, optional
        Shown in the legend.
    cost_ratio : float > 0, default 1
        Cost of a missed positive in false alarms; Cohen's kappa has 1.
    band : KappaBand, optional
        Confidence band, from :func:`kappacurve.kappa_band`.

    Attributes
    ----------
    auk : float
        Exact area under the curve.
    line_ : matplotlib Line2D
    maximum_ : matplotlib Line2D or None
        Marker of the largest kappa.
    band_ : matplotlib PolyCollection or None
    chance_level_ : matplotlib Line2D or None
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Raises
    ------
    ValueError
        If the vertices are not a ROC curve, or an argument is out of its range.
    ImportError
        If matplotlib is missing, when it is drawn.

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
        cost_ratio: float = 1.0,
        band: KappaBand | None = None,
    ) -> None:
        self.fpr, self.tpr = check_curve(fpr, tpr)
        self.prevalence = check_prevalence(prevalence)
        self.cost_ratio = check_cost_ratio(cost_ratio)
        self.name = name
        self.band = band
        self.auk = area_under_kappa(
            self.fpr, self.tpr, prevalence=self.prevalence, cost_ratio=self.cost_ratio
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        cost_ratio: float = 1.0,
        confidence_level: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve from labels and scores, then plot.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes: numbers, booleans or strings.
        y_score : array-like of shape (n_samples,)
            Finite scores; higher means more positive.
        pos_label : label, optional
            The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
        sample_weight : array-like of shape (n_samples,), optional
            How many rows each row stands for.
        groups : array-like of shape (n_samples,), optional
            Such as patient ids, for the band: only rows of different groups are independent.
        prevalence : float in (0, 1), optional
            Share of positives at which to evaluate; by default that of the rows.
        cost_ratio : float > 0, default 1
            Cost of a missed positive in false alarms.
        confidence_level : float in (0, 1), optional
            Draw the pointwise confidence band of this level.
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
            As :func:`kappacurve.measures`; with a band as :func:`kappacurve.kappa_band`.
        """
        rows: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        curve = _curve_of_rows(y_true, y_score, prevalence, **rows)
        band = None
        if confidence_level is not None:
            at: dict[str, Any] = {"prevalence": prevalence, "cost_ratio": cost_ratio}
            band = kappa_band(
                y_true, y_score, confidence_level=confidence_level, groups=groups, **rows, **at
            )
        return cls(**curve, name=name, cost_ratio=cost_ratio, band=band).plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        mark_maximum: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default. Several displays on one Axes take different styles.
        name : str, optional
            Replaces the display's own.
        mark_maximum : bool, default True
            Mark the largest kappa.
        curve_kwargs : dict, optional
            For matplotlib's ``plot``, such as ``color`` or ``linestyle``.
        plot_chance_level : bool, default True
        chance_level_kw : dict, optional
            For the line of the chance level.

        Returns
        -------
        The display.
        """
        fpr, tpr = _along_segments(self.fpr, self.tpr)
        values = kappa(fpr, tpr, self.prevalence, self.cost_ratio)
        best = int(np.argmax(values))
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            usual = {"linestyle": "-"} if is_stepped(self.fpr, self.tpr) else {}
            style, marker = next_style(self.ax_, {**usual, **dict(curve_kwargs or {})})
            style |= marker_in_legend(marker) if mark_maximum else {}
            label = legend_text(self.name if name is None else name, "AUK", self.auk)
            (self.line_,) = self.ax_.plot(fpr, values, **{"label": label, **style})
            color = self.line_.get_color()
            self.maximum_ = self.band_ = self.chance_level_ = None
            if mark_maximum:
                spot = marked_point(color, marker)
                (self.maximum_,) = self.ax_.plot(fpr[best], values[best], **spot)
            if self.band is not None:
                fill = {"color": color, "alpha": 0.2, "linewidth": 0, "zorder": 1}
                self.band_ = self.ax_.fill_between(*self.band, **fill)
            if plot_chance_level:
                self.chance_level_ = self.ax_.axhline(
                    0, **merge_options(REFERENCE, chance_level_kw)
                )
            measure = r"Cohen's kappa $\kappa$"
            if self.cost_ratio != 1:
                measure = f"kappa at cost ratio {self.cost_ratio:.3g}"
            self.ax_.set_ylabel(f"{measure} at prevalence {self.prevalence:.3g}")
            self.ax_.set(xlabel="false positive rate $f$", xlim=(-0.02, 1.02))
            # Above the axes, which kappa curves fill.
            self.ax_.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
        self.figure_ = self.ax_.figure
        return self


class RocHullDisplay(ScoredDisplay):
    """A ROC curve (thin) with its convex hull (thick), and the point of the largest kappa.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve, from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Share of positives at which kappa is evaluated.
    name : str, optional
        Shown in the legend.
    cost_ratio : float > 0, default 1
        Cost of a missed positive in false alarms.

    Attributes
    ----------
    hull_fpr, hull_tpr : ndarray of shape (n_hull,)
    auc, auch : float
        Area under the curve and under its hull.
    line_, hull_line_ : matplotlib Line2D
    maximum_ : matplotlib Line2D or None
        Marker of the largest kappa, always at a corner of the hull.
    chance_level_ : matplotlib Line2D or None
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Raises
    ------
    ValueError
        If the vertices are not a ROC curve, or an argument is out of its range.
    ImportError
        If matplotlib is missing, when it is drawn.

    References
    ----------
    Fawcett (2006), Pattern Recognition Letters 27, 861-874, section 6. Kaymak, Ben-David & Potharst
    (2010), section 7, for the marked point.

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
        cost_ratio: float = 1.0,
    ) -> None:
        self.fpr, self.tpr = check_curve(fpr, tpr)
        self.prevalence = check_prevalence(prevalence)
        self.cost_ratio = check_cost_ratio(cost_ratio)
        self.name = name
        self.hull_fpr, self.hull_tpr, _ = roc_hull(self.fpr, self.tpr)
        self.auc = float(np.trapezoid(self.tpr, self.fpr))
        self.auch = float(np.trapezoid(self.hull_tpr, self.hull_fpr))

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        cost_ratio: float = 1.0,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve and its hull from labels and scores, then plot.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes: numbers, booleans or strings.
        y_score : array-like of shape (n_samples,)
            Finite scores; higher means more positive.
        pos_label : label, optional
            The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
        sample_weight : array-like of shape (n_samples,), optional
            How many rows each row stands for.
        prevalence : float in (0, 1), optional
            Share of positives at which kappa is evaluated; by default that of the rows.
        cost_ratio : float > 0, default 1
            Cost of a missed positive in false alarms.
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
            As :func:`kappacurve.measures`.
        """
        rows: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        curve = _curve_of_rows(y_true, y_score, prevalence, **rows)
        return cls(**curve, name=name, cost_ratio=cost_ratio).plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        mark_maximum: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve and its hull; parameters as of :meth:`KappaCurveDisplay.plot`."""
        values = kappa_from_rates(
            self.hull_fpr, self.hull_tpr, self.prevalence, cost_ratio=self.cost_ratio
        )
        best = int(np.argmax(values))
        name = self.name if name is None else name
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            style, marker = next_style(self.ax_, curve_kwargs)
            style |= marker_in_legend(marker) if mark_maximum else {}
            look = {"label": legend_text(name, "AUCH", self.auch), **style}
            (self.hull_line_,) = self.ax_.plot(self.hull_fpr, self.hull_tpr, **look)
            color = self.hull_line_.get_color()
            thin = {"label": legend_text(name, "AUC", self.auc), "color": color, "linewidth": 0.6}
            look = {**style, **thin, "linestyle": "-", "marker": ""}
            (self.line_,) = self.ax_.plot(self.fpr, self.tpr, **look)
            self.maximum_ = self.chance_level_ = None
            if mark_maximum:
                place = self.hull_fpr[best], self.hull_tpr[best]
                (self.maximum_,) = self.ax_.plot(*place, **marked_point(color, marker))
            if plot_chance_level:
                look = {"label": "_chance", **merge_options(REFERENCE, chance_level_kw)}
                (self.chance_level_,) = self.ax_.plot([0, 1], [0, 1], **look)
            self.ax_.set(xlabel="false positive rate $f$", xlim=(-0.02, 1.02))
            self.ax_.set(ylabel="true positive rate $t$", ylim=(-0.02, 1.02), aspect="equal")
            self.ax_.legend(loc="lower right")
        self.figure_ = self.ax_.figure
        return self


def _curve_of_rows(
    y_true: Any, y_score: Any, prevalence: float | None, **rows: Any
) -> dict[str, Any]:
    """Vertices of the ROC curve, and the prevalence."""
    sample = check_sample(y_true, {"": y_score}, **rows)
    curve = roc_curves(sort_rows(sample.positive, sample.scores[""], sample.weight))
    fpr, tpr = (rate[0] for rate in curve.rates)
    return {
        "fpr": fpr,
        "tpr": tpr,
        "prevalence": sample.prevalence if prevalence is None else prevalence,
    }


def _along_segments(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """More points on a ROC polyline, because kappa is not straight between its vertices."""
    longest = np.maximum(np.abs(np.diff(fpr)), np.abs(np.diff(tpr)))
    pieces = np.maximum(1, np.ceil(longest / STEP - 1e-9)).astype(np.intp)
    segment = np.repeat(np.arange(len(pieces)), pieces)
    first = np.repeat(np.cumsum(pieces) - pieces, pieces)
    position = np.append(segment + (np.arange(len(segment)) - first) / pieces[segment], len(pieces))
    vertex = np.arange(len(fpr))
    return np.interp(position, vertex, fpr), np.interp(position, vertex, tpr)
