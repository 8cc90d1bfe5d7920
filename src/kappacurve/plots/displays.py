"""Plots of kappa curves and ROC hulls, by scikit-learn's Display protocol.

Each display is made by ``from_estimator`` or ``from_predictions`` (or by hand from its numbers),
draws itself with ``plot``, and keeps the drawn artists as attributes that end in an underscore.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Cost,
    FloatArray,
    check_curve,
    check_one_cost,
    check_prevalence,
    check_scored,
)
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.inference.bands import KappaBand, kappa_band
from kappacurve.kappa import kappa_from_rates
from kappacurve.plots.style import (
    REFERENCE,
    axes_or_new,
    house_style,
    legend_text,
    line_options,
    spot,
)
from kappacurve.roc import along_segments, roc_hull, vertices_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

ResponseMethod = Literal["auto", "predict_proba", "decision_function"]


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
        pos_label : label, optional
            By default the second of the classifier's classes, as in scikit-learn.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            "auto" takes predict_proba where there is one.
        name : str, optional
            By default the classifier's class.
        **options
            Passed to :meth:`from_predictions`.

        Raises
        ------
        ValueError
            If the classifier does not have two classes or the wanted method.
        """
        score, pos_label = _response(estimator, X, pos_label, response_method)
        name = type(estimator).__name__ if name is None else name
        display: Self = cls.from_predictions(y, score, pos_label=pos_label, name=name, **options)
        return display


def _response(
    estimator: Any, X: Any, pos_label: Any, response_method: ResponseMethod
) -> tuple[FloatArray, Any]:
    """Score of the positive class, and its label."""
    classes: Any = getattr(estimator, "classes_", ())
    if len(classes) != 2:
        raise ValueError(
            f"{type(estimator).__name__} must be a fitted classifier of two classes, "
            f"it has {len(classes)}."
        )
    pos_label = classes[1] if pos_label is None else pos_label
    if pos_label not in list(classes):
        raise ValueError(f"pos_label={pos_label!r} is not among the classes {list(classes)}.")
    known = ("predict_proba", "decision_function")
    wanted = known if response_method == "auto" else (response_method,)
    method = next((name for name in wanted if name in known and hasattr(estimator, name)), None)
    if method is None:
        raise ValueError(f"{type(estimator).__name__} has no {' or '.join(wanted)}.")
    response = np.asarray(getattr(estimator, method)(X), dtype=np.float64)
    column = list(classes).index(pos_label)
    if method == "predict_proba":
        return response[:, column], pos_label
    return (response if column == 1 else -response), pos_label


class CurveDisplay(ScoredDisplay):
    """What the displays of a single ROC curve share."""

    _draw: ClassVar[Any]  # the curve, on ax_: returns its largest kappa's place, and the marker
    line_: Line2D

    def __init__(
        self,
        *,
        fpr: npt.ArrayLike,
        tpr: npt.ArrayLike,
        prevalence: float,
        name: str | None = None,
        cost: Cost | None = None,
        cost_ratio: float | None = None,
    ) -> None:
        self.fpr, self.tpr = check_curve(fpr, tpr)
        self.prevalence = float(check_prevalence(prevalence))
        self.name = name
        self.cost = check_one_cost(cost, cost_ratio)

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        cost: Cost | None = None,
        cost_ratio: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve from labels and scores, then plot.

        Arguments as in :func:`kappacurve.kappa_curve` and :meth:`plot`.
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        fpr, tpr, _ = vertices_of(scored)
        p = scored.prevalence() if prevalence is None else prevalence
        at: Any = {"prevalence": p, "cost": cost, "cost_ratio": cost_ratio}
        return cls(fpr=fpr, tpr=tpr, name=name, **at).plot(ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        mark_maximum: bool = True,
        **kwargs: Any,
    ) -> Self:
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
        The display itself.
        """
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            best, marker = self._draw(self.name if name is None else name, kwargs)
            self.maximum_ = None
            if mark_maximum:
                (self.maximum_,) = self.ax_.plot(*best, **spot(self.line_.get_color(), marker))
            self.ax_.set(xlabel="false positive rate $f$", xlim=(-0.02, 1.02))
        self.figure_ = self.ax_.figure
        return self


class KappaCurveDisplay(CurveDisplay):
    """Cohen's kappa against the false positive rate.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices of a ROC curve or hull from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
        Class ratio at which kappa is evaluated.
    name : str, optional
        Shown in the legend.
    cost, cost_ratio : optional
        As in :func:`kappacurve.kappa_from_rates`.
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
    ax_, figure_ : matplotlib Axes and Figure

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
        band: KappaBand | None = None,
        **curve: Any,
    ) -> None:
        super().__init__(**curve)
        self.band = band
        self.auk = area_under_kappa(self.fpr, self.tpr, self.prevalence, cost=self.cost)

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        prevalence: float | None = None,
        cost: Cost | None = None,
        cost_ratio: float | None = None,
        hull: bool = False,
        confidence: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve from labels and scores, then plot.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio, hull
            As in :func:`kappacurve.kappa_curve`.
        confidence : float in (0, 1), optional
            Draw the pointwise bootstrap band of this confidence. Raises a ValueError with a hull
            or weights.
        name, ax, **options
            As in :meth:`plot`.
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        fpr, tpr, _ = vertices_of(scored)
        p = scored.prevalence() if prevalence is None else prevalence
        band = None
        if confidence is not None:
            if hull or sample_weight is not None:
                raise ValueError(
                    "A confidence band is drawn for raw, unweighted curves only: leave out "
                    "confidence, or hull and sample_weight."
                )
            at: Any = {"prevalence": prevalence, "cost": cost, "cost_ratio": cost_ratio}
            band = kappa_band(y_true, y_score, pos_label=pos_label, confidence=confidence, **at)
        if hull:
            fpr, tpr, _ = roc_hull(fpr, tpr)
        at = {"prevalence": p, "cost": cost, "cost_ratio": cost_ratio}
        return cls(fpr=fpr, tpr=tpr, name=name, band=band, **at).plot(ax=ax, **options)

    @classmethod
    def one_vs_rest(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        labels: npt.ArrayLike | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> list[Self]:
        """Draw one curve for each class against the rest, on the same Axes.

        `y_score` has a column for each of the `labels`, by default the classes of `y_true` in
        order; `options` are those of :meth:`from_predictions`. A class that `y_true` does not hold
        is a ValueError.
        """
        y, score = np.asarray(y_true), np.asarray(y_score)
        classes = np.unique(y) if labels is None else np.asarray(labels)
        if score.ndim != 2 or score.shape[1] != len(classes):
            raise ValueError(
                f"y_score must have a column for each of the {len(classes)} classes, "
                f"got shape {score.shape}."
            )
        with house_style(ax):
            ax = axes_or_new(ax)
        return [
            cls.from_predictions(y == one, score[:, k], name=str(one), ax=ax, **options)
            for k, one in enumerate(classes)
        ]

    def _draw(self, name: str | None, options: dict[str, Any]) -> tuple[Any, str]:
        style = line_options(self.ax_, legend_text(name, "AUK", self.auk), options)
        marker = style.pop("marker")
        self.chance_level_ = self.ax_.axhline(0, **REFERENCE)
        fpr, tpr = along_segments(self.fpr, self.tpr)
        kappa = kappa_from_rates(fpr, tpr, self.prevalence, cost=self.cost)
        (self.line_,) = self.ax_.plot(fpr, kappa, **style)
        self.band_ = None
        if self.band is not None:
            fill = {"color": self.line_.get_color(), "alpha": 0.2, "linewidth": 0, "zorder": 1}
            self.band_ = self.ax_.fill_between(*self.band, **fill)
        what = r"Cohen's kappa $\kappa$"
        if self.cost != 0.5:
            what = (
                f"kappa at cost {self.cost if isinstance(self.cost, str) else f'{self.cost:.3g}'}"
            )
        self.ax_.set_ylabel(rf"{what} at $p$ = {self.prevalence:.3g}")
        # Above the axes, which kappa curves fill.
        self.ax_.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
        best = int(np.argmax(kappa))
        return (fpr[best], kappa[best]), marker


class RocHullDisplay(CurveDisplay):
    """A ROC curve (thin) with its convex hull (thick).

    Parameters
    ----------
    fpr, tpr, prevalence, name, cost, cost_ratio
        As in :class:`KappaCurveDisplay`; the largest kappa is marked, always at a hull's corner.

    Attributes
    ----------
    hull_fpr, hull_tpr : ndarray of shape (n_hull,)
    auc, auch : float
        Area under the curve and under its hull.
    line_, hull_line_, maximum_, chance_level_, ax_, figure_
        As in :class:`KappaCurveDisplay`.

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

    def __init__(self, **curve: Any) -> None:
        super().__init__(**curve)
        self.hull_fpr, self.hull_tpr, _ = roc_hull(self.fpr, self.tpr)
        self.auc = area_under_curve(self.fpr, self.tpr)
        self.auch = area_under_curve(self.hull_fpr, self.hull_tpr)

    def _draw(self, name: str | None, options: dict[str, Any]) -> tuple[Any, str]:
        style = line_options(self.ax_, legend_text(name, "AUCH", self.auch), options)
        marker = style.pop("marker")
        (self.chance_level_,) = self.ax_.plot([0, 1], [0, 1], label="_chance", **REFERENCE)
        (self.hull_line_,) = self.ax_.plot(self.hull_fpr, self.hull_tpr, **style)
        thin = style | {"label": legend_text(name, "AUC", self.auc), "linestyle": "-"}
        thin |= {"color": self.hull_line_.get_color(), "linewidth": 0.6}
        (self.line_,) = self.ax_.plot(self.fpr, self.tpr, **thin)
        self.ax_.set(ylabel="true positive rate $t$", ylim=(-0.02, 1.02), aspect="equal")
        self.ax_.legend(loc="lower right")
        rates = self.hull_fpr, self.hull_tpr
        best = int(np.argmax(kappa_from_rates(*rates, self.prevalence, cost=self.cost)))
        return (self.hull_fpr[best], self.hull_tpr[best]), marker
