"""Kappa curves, ROC hulls and decision curves, by scikit-learn's Display protocol.

Each display is made by ``from_estimator`` or ``from_predictions`` (or from its numbers), draws
itself with ``plot``, and keeps the drawn artists as attributes that end in an underscore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from ..curves.curve import area_under_kappa, kappa, roc_hull, sample_curve
from ..decisions.costs import net_benefit
from ..inference.bands import KappaBand, kappa_band, net_benefit_band
from ..inference.calibration import pooled_curve
from ..inference.tests import check_rows
from ..validation import (
    check_cost_ratio,
    check_curve,
    check_numbers,
    check_prevalence,
    check_probabilities,
    check_rate,
    check_sample,
    check_share,
    positive_rows,
)
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_BINS = 50  # of probabilities, whose rows are counted
COUNT_HEIGHT = 0.15  # of the most rows in a bin, in shares of positives
# Above the axes, which curves and bands fill.
ABOVE: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
BAND: dict[str, Any] = {"alpha": 0.2, "linewidth": 0, "zorder": 1}


class Display:
    """What the displays share: scoring rows with a classifier, and drawing on axes."""

    from_predictions: ClassVar[Any]
    name: str | None
    line_: Any

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike,
        *,
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Score the rows with a fitted classifier, then plot.

        Parameters
        ----------
        estimator : fitted classifier of two classes
            Its ``predict_proba`` is taken, or else its ``decision_function``.
        X, y : array-like of shape (n_samples, n_features) and (n_samples,)
        pos_label : label, optional
            The positive class. May be left out for classes {0, 1} or {-1, 1} and booleans.
        name : str, optional
            By default the classifier's class.
        **options
            Passed to `from_predictions`.

        Raises
        ------
        ValueError
            If the classifier is not fitted, has not two classes or gives no scores, or `pos_label`
            is needed; and as `from_predictions`.
        """
        kind, classes = type(estimator).__name__, np.asarray(getattr(estimator, "classes_", ()))
        if len(classes) != 2:
            raise ValueError(f"{kind} must be a fitted classifier of two classes.")
        known = classes.tolist()
        if unknown := set(np.ravel(y).tolist()) - set(known):
            raise ValueError(f"{kind} was fitted to {known}, but y holds {unknown.pop()!r}.")
        column = int(positive_rows(classes, pos_label).argmax())
        if hasattr(estimator, "predict_proba"):
            score = np.asarray(estimator.predict_proba(X))[:, column]
        elif hasattr(estimator, "decision_function"):
            score = (-1, 1)[column] * np.asarray(estimator.decision_function(X))
        else:
            raise ValueError(f"{kind} has no predict_proba or decision_function.")
        options |= {"pos_label": classes[column], "name": kind if name is None else name}
        display: Self = cls.from_predictions(y, score, **options)
        return display

    @classmethod
    def from_models(
        cls, y_true: npt.ArrayLike, scores: Mapping[str, npt.ArrayLike], **options: Any
    ) -> dict[str, Self]:
        """Draw several models on the same axes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
        scores : mapping of str to array-like of shape (n_samples,), or data frame
            By model, whose name is shown in the legend.
        **options
            Passed to `from_predictions`, such as ``ax``.

        Returns
        -------
        dict of str to display
            All on the same ``ax_``.
        """
        displays: dict[str, Self] = {}
        for name in scores:
            displays[name] = cls.from_predictions(y_true, scores[name], name=name, **options)
            options["ax"] = displays[name].ax_
        return displays

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default. Several displays on one Axes take different styles.
        name : str, optional
            Replaces the display's own.
        **kwargs
            For matplotlib's ``plot``, such as ``color`` or ``linestyle``.
        """
        with style.house_style(ax):
            from matplotlib import pyplot as plt

            square = (style.ONE_COLUMN, style.ONE_COLUMN)
            self.ax_: Any = plt.subplots(figsize=square)[1] if ax is None else ax
            self.figure_ = self.ax_.figure
            self._draw(self.name if name is None else name, kwargs)
        return self

    def _draw(self, name: str | None, kwargs: dict[str, Any]) -> None:
        raise NotImplementedError

    def _fill_band(self, x: Any, low: Any, high: Any) -> None:
        """Fill between the ends of a band, if there is one, in the curve's colour."""
        self.band_ = None
        if low is not None and high is not None:
            color = self.line_.get_color()
            self.band_ = self.ax_.fill_between(x, low, high, color=color, **BAND)


class KappaCurveDisplay(Display):
    """Cohen's kappa against the false positive rate, with its largest value marked.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve or hull, from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Share of positives at which kappa is evaluated.
    cost_ratio : float > 0, default 1
        Cost of a missed positive in false alarms; Cohen's kappa has 1.
    band : KappaBand, optional
        Confidence band, from :func:`kappacurve.kappa_band`.
    name : str, optional
        Shown in the legend.

    Attributes
    ----------
    auk : float
        Exact area under the curve.
    line_, maximum_, chance_level_ : matplotlib Line2D
        The curve, the mark of the largest kappa and the line of no agreement.
    band_ : matplotlib PolyCollection or None
    ax_, figure_ : matplotlib Axes and Figure

    Raises
    ------
    ValueError
        If the vertices are not a ROC curve, or an argument is out of its range.

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
        cost_ratio: float = 1.0,
        band: KappaBand | None = None,
        name: str | None = None,
    ) -> None:
        self.fpr, self.tpr = check_curve(fpr, tpr)
        self.prevalence = check_prevalence(prevalence)
        self.cost_ratio = check_cost_ratio(cost_ratio)
        self.band = band
        self.name = name
        self.auk = area_under_kappa(self.fpr, self.tpr, self.prevalence, self.cost_ratio)

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        cost_ratio: float = 1.0,
        confidence_level: float | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Compute the curve from labels and scores, then plot.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, groups, prevalence, cost_ratio
            As in :func:`kappacurve.interval`.
        confidence_level : float in (0, 1), optional
            Draw the pointwise confidence band of this level.
        name : str, optional
            Shown in the legend.
        **kwargs
            For :meth:`plot`: ``ax``, and options of matplotlib such as ``color``.

        Raises
        ------
        ValueError
            As :func:`kappacurve.measures`; with a band as :func:`kappacurve.kappa_band`.
        """
        rows: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        curve = _curve_of_rows(y_true, y_score, prevalence, **rows) | {"cost_ratio": cost_ratio}
        if confidence_level is not None:
            rows |= {"groups": groups, "prevalence": prevalence, "cost_ratio": cost_ratio}
            curve["band"] = kappa_band(y_true, y_score, confidence_level=confidence_level, **rows)
        return cls(**curve, name=name).plot(**kwargs)

    def _draw(self, name: str | None, kwargs: dict[str, Any]) -> None:
        fpr, values = style.kappa_along(self.fpr, self.tpr, self.prevalence, self.cost_ratio)
        best = int(np.argmax(values))
        solid = {"linestyle": "-"} if style.is_stepped(self.fpr, self.tpr) else {}
        label = _label(name, "AUK", self.auk)
        self.line_ = style.draw_curve(self.ax_, fpr, values, label, kwargs, **solid)
        self.maximum_ = style.mark_point(self.line_, fpr[best], values[best])
        self._fill_band(*(self.band or (fpr, None, None)))
        self.chance_level_ = self.ax_.axhline(0, **style.REFERENCE)
        measure = r"Cohen's kappa $\kappa$"
        if self.cost_ratio != 1:
            measure = f"kappa at cost ratio {self.cost_ratio:.3g}"
        self.ax_.set_ylabel(f"{measure} at prevalence {self.prevalence:.3g}")
        self.ax_.set(xlabel="false positive rate $f$", xlim=(-0.02, 1.02))
        self.ax_.legend(**ABOVE)


class RocHullDisplay(Display):
    """A ROC curve (thin) with its convex hull (thick), and the point of the largest kappa.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve, from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Share of positives at which kappa is evaluated.
    cost_ratio : float > 0, default 1
        Cost of a missed positive in false alarms.
    name : str, optional
        Shown in the legend.

    Attributes
    ----------
    hull_fpr, hull_tpr : ndarray of shape (n_corners,)
    auc, auch : float
        Area under the curve and under its hull.
    line_, hull_line_, maximum_, chance_level_ : matplotlib Line2D
        The mark of the largest kappa is always at a corner of the hull.
    ax_, figure_ : matplotlib Axes and Figure

    Raises
    ------
    ValueError
        If the vertices are not a ROC curve, or an argument is out of its range.

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
        cost_ratio: float = 1.0,
        name: str | None = None,
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
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        cost_ratio: float = 1.0,
        name: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Compute the curve and its hull from labels and scores, then plot.

        Parameters and errors are those of :meth:`KappaCurveDisplay.from_predictions`.
        """
        rows: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        curve = _curve_of_rows(y_true, y_score, prevalence, **rows)
        return cls(**curve, cost_ratio=cost_ratio, name=name).plot(**kwargs)

    def _draw(self, name: str | None, kwargs: dict[str, Any]) -> None:
        values = kappa(self.hull_fpr, self.hull_tpr, self.prevalence, self.cost_ratio)
        best = int(np.argmax(values))
        label = _label(name, "AUCH", self.auch)
        self.hull_line_ = style.draw_curve(self.ax_, self.hull_fpr, self.hull_tpr, label, kwargs)
        thin = {"color": self.hull_line_.get_color(), "linewidth": 0.6}
        label = _label(name, "AUC", self.auc)
        (self.line_,) = self.ax_.plot(self.fpr, self.tpr, label=label, **thin)
        self.maximum_ = style.mark_point(self.hull_line_, self.hull_fpr[best], self.hull_tpr[best])
        (self.chance_level_,) = self.ax_.plot([0, 1], [0, 1], label="_chance", **style.REFERENCE)
        self.ax_.set(xlabel="false positive rate $f$", xlim=(-0.02, 1.02))
        self.ax_.set(ylabel="true positive rate $t$", ylim=(-0.02, 1.02), aspect="equal")
        self.ax_.legend(loc="lower right")


class CalibrationDisplay(Display):
    """Share of positives against the predicted probability, with a band and the rows' counts.

    Parameters
    ----------
    probability : array-like of shape (n_points,) in [0, 1]
        Distinct probabilities, rising.
    observed : array-like of shape (n_points,)
        Share of positives at each, after pooling adjacent violators.
    low, high : array-like of shape (n_points,), optional
        Ends of a band.
    counts : array-like of shape (n_bins,), optional
        Rows by probability, in as many equal bins from 0 to 1, drawn below.
    name : str, optional
        Shown in the legend.

    Attributes
    ----------
    line_, diagonal_ : matplotlib Line2D
        The curve, and where calibrated probabilities lie.
    band_ : matplotlib PolyCollection or None
    counts_ : matplotlib BarContainer or None
    ax_, figure_ : matplotlib Axes and Figure

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021), PNAS 118, e2016191118.

    Examples
    --------
    >>> display = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> display.observed
    array([0. , 0.5, 1. ])
    """

    def __init__(
        self,
        *,
        probability: npt.ArrayLike,
        observed: npt.ArrayLike,
        low: npt.ArrayLike | None = None,
        high: npt.ArrayLike | None = None,
        counts: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        self.probability = check_rate("probability", probability)
        self.observed = check_rate("observed", observed)
        self.low, self.high, self.counts = low, high, counts
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_prob: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        pos_label: Any = None,
        confidence_level: float | None = 0.95,
        n_resamples: int = 500,
        random_state: int = 0,
        name: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Pool the probabilities, resample the rows for a band, then plot.

        Parameters
        ----------
        y_true, y_prob, sample_weight, groups, pos_label
            As in :func:`kappacurve.calibration`.
        confidence_level : float in (0, 1) or None, default 0.95
            Of the band at any one probability, from resamples of rows, or of groups; None for none.
        n_resamples, random_state : int, default 500 and 0
        name : str, optional
            Shown in the legend.
        **kwargs
            For :meth:`plot`: ``ax``, and options of matplotlib such as ``color``.

        Raises
        ------
        ValueError
            As :func:`kappacurve.calibration`.
        """
        sample = check_rows(y_true, {"": y_prob}, pos_label, sample_weight, groups)
        probability = check_probabilities(sample.scores[""], "y_prob")
        sample = replace(sample, scores={"": probability})
        if confidence_level is not None:
            confidence_level = check_share("confidence_level", confidence_level)
        curve = pooled_curve(sample, "", confidence_level, n_resamples, random_state)
        counts, _ = np.histogram(probability, N_BINS, (0, 1))
        return cls(**curve, counts=counts, name=name).plot(**kwargs)

    def _draw(self, name: str | None, kwargs: dict[str, Any]) -> None:
        label = style.escape_name(name or "model")
        self.line_ = style.draw_curve(self.ax_, self.probability, self.observed, label, kwargs)
        self._fill_band(self.probability, self.low, self.high)
        self.counts_ = None
        self.ax_.set(xlabel="predicted probability", xlim=(-0.02, 1.02))
        if self.counts is not None:
            counts = np.asarray(self.counts)
            edges = np.linspace(0, 1, len(counts) + 1)
            heights = COUNT_HEIGHT * counts / counts.max()
            bars: Any = {"bottom": -COUNT_HEIGHT - 0.04, "align": "edge", **BAND, "alpha": 0.5}
            bars["color"] = self.line_.get_color()
            self.counts_ = self.ax_.bar(edges[:-1], heights, 1 / len(counts), **bars)
            self.ax_.set_xlabel("predicted probability (bars: number of rows)")
        (self.diagonal_,) = self.ax_.plot([0, 1], [0, 1], label="_calibrated", **style.REFERENCE)
        self.ax_.set(ylabel="share of positives", ylim=(-COUNT_HEIGHT - 0.04, 1.02))
        self.ax_.set_yticks(np.linspace(0, 1, 6))
        self.ax_.legend(loc="upper left")


class DecisionCurveDisplay(Display):
    """Net benefit against the threshold probability, beside flagging all rows and none.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,) in [0, 1)
        Threshold probabilities: where acting and not acting are worth the same.
    net_benefit : array-like of shape (n_thresholds,)
        Per row, at each of them; or the difference of two models.
    prevalence : float in (0, 1)
        Share of positives.
    low, high : array-like of shape (n_thresholds,), optional
        Ends of a band.
    is_difference : bool, default False
    name : str, optional
        Shown in the legend.

    Attributes
    ----------
    line_, flag_all_, flag_none_ : matplotlib Line2D
        A difference has no `flag_all_`.
    band_ : matplotlib PolyCollection or None
    ax_, figure_ : matplotlib Axes and Figure

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    Vickers & Elkin (2006), Medical Decision Making 26, 565-574, doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> display = DecisionCurveDisplay.from_predictions(
    ...     [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8], thresholds=[0.1, 0.5]
    ... )
    >>> display.line_.get_ydata().round(3)
    array([0.444, 0.25 ])
    """

    def __init__(
        self,
        *,
        thresholds: npt.ArrayLike,
        net_benefit: npt.ArrayLike,
        prevalence: float,
        low: npt.ArrayLike | None = None,
        high: npt.ArrayLike | None = None,
        is_difference: bool = False,
        name: str | None = None,
    ) -> None:
        self.thresholds = check_numbers("thresholds", thresholds)
        self.net_benefit = check_numbers("net_benefit", net_benefit)
        self.prevalence = check_prevalence(prevalence)
        self.low, self.high = low, high
        self.is_difference = is_difference
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_prob: npt.ArrayLike,
        *,
        baseline: npt.ArrayLike | None = None,
        thresholds: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        pos_label: Any = None,
        prevalence: float | None = None,
        confidence_level: float | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Compute the net benefit from labels and probabilities, then plot.

        Parameters
        ----------
        y_true, y_prob, sample_weight, pos_label, prevalence
            As in :func:`kappacurve.net_benefit`.
        baseline : array-like of shape (n_samples,), optional
            Probabilities of another model, whose net benefit is subtracted.
        thresholds : array-like in [0, 1), optional
            By default those whose odds are a tenth to ten times the odds of the prevalence.
        groups : array-like of shape (n_samples,), optional
            Group labels, e.g. patient ids, for the band.
        confidence_level : float in (0, 1), optional
            Draw the pointwise confidence band of this level.
        name : str, optional
            Shown in the legend.
        **kwargs
            For :meth:`plot`: ``ax``, and options of matplotlib such as ``color``.

        Raises
        ------
        ValueError
            As :func:`kappacurve.net_benefit`; with a band as :func:`kappacurve.interval`.
        """
        rows: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
        p = check_sample(y_true, y_prob, **rows).prevalence if prevalence is None else prevalence
        if thresholds is None:
            odds = check_prevalence(p) / (1 - p) * np.geomspace(0.1, 10, 99)
            tau = odds / (1 + odds)
        else:
            tau = np.atleast_1d(check_numbers("thresholds", thresholds))
        points: dict[str, Any] = {"thresholds": tau, "prevalence": prevalence}
        values = net_benefit(y_true, y_prob, **points, **rows)
        scores = {"": y_prob}
        if baseline is not None:
            values = values - net_benefit(y_true, baseline, **points, **rows)
            scores["baseline"] = baseline
        curve: dict[str, Any] = {"thresholds": tau, "net_benefit": values, "prevalence": p}
        if confidence_level is not None:
            confidence_level = check_share("confidence_level", confidence_level)
            sample = check_rows(y_true, scores, pos_label, sample_weight, groups)
            band = net_benefit_band(sample, tau, prevalence, confidence_level)
            curve["low"], curve["high"] = band
        return cls(**curve, is_difference=baseline is not None, name=name).plot(**kwargs)

    def _draw(self, name: str | None, kwargs: dict[str, Any]) -> None:
        p, tau = self.prevalence, self.thresholds
        label = style.escape_name(name or "model")
        self.line_ = style.draw_curve(self.ax_, tau, self.net_benefit, label, kwargs)
        self._fill_band(tau, self.low, self.high)
        drawn = {line.get_label() for line in self.ax_.get_lines()}
        hidden = "_" if {"flag all", "no difference"} & drawn else ""
        zero = "no difference" if self.is_difference else "flag none"
        look = {**style.REFERENCE, "label": f"{hidden}{zero}", "linestyle": "-"}
        self.flag_none_ = self.ax_.axhline(0, **look)
        self.ax_.set_xlabel(r"threshold probability $\tau$")
        if self.is_difference:
            self.ax_.set_ylabel(f"difference in net benefit at prevalence {p:.3g}")
        else:
            flag_all = p - (1 - p) * tau / (1 - tau)
            look = {**style.REFERENCE, "label": f"{hidden}flag all"}
            (self.flag_all_,) = self.ax_.plot(tau, flag_all, **look)
            # The line of flagging all rows falls without end, as badly calibrated models may.
            self.ax_.set(ylim=(-0.25 * p, 1.05 * p))
            self.ax_.set_ylabel(f"net benefit at prevalence {p:.3g}")
        self.ax_.legend(**ABOVE, ncols=2)


def _curve_of_rows(y_true: Any, y_score: Any, prevalence: Any, **rows: Any) -> dict[str, Any]:
    """Vertices of the ROC curve, and the prevalence."""
    sample = check_sample(y_true, {"": y_score}, **rows)
    fpr, tpr, _ = sample_curve(sample)
    p = sample.prevalence if prevalence is None else prevalence
    return {"fpr": fpr, "tpr": tpr, "prevalence": p}


def _label(name: str | None, measure: str, value: float) -> str:
    """Name of a curve, if it has one, and its measure."""
    text = f"{measure} {value:.3f}"
    return text if name is None else f"{style.escape_name(name)}, {text}"
