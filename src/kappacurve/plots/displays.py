"""Plots of kappa curves and ROC hulls, by scikit-learn's Display protocol.

Each display is made by ``from_estimator`` or ``from_predictions`` (or by hand from its numbers),
draws itself with ``plot``, and keeps the drawn artists as attributes that end in an underscore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Cost,
    Curve,
    FloatArray,
    check_curve,
    check_one_cost,
    check_one_prevalence,
    check_scored,
    is_hull,
)
from kappacurve.inference.bands import KappaBand, kappa_band
from kappacurve.kappa import area_under_kappa, kappa_from_rates
from kappacurve.plots.style import (
    REFERENCE,
    axes_or_new,
    cost_text,
    house_style,
    is_stepped,
    legend_text,
    line_looks,
    line_options,
    only_in_legend,
    spot,
)
from kappacurve.roc import along_segments, area_under_curve, roc_hull, vertices_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Looks = Mapping[str, Any]
Label = Callable[[str, Any], str]  # text in the legend of a measure and its area or areas
ResponseMethod = Literal["auto", "predict_proba", "decision_function"]
FOLD: dict[str, Any] = {"alpha": 0.5, "linewidth": 0.8}


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
            A ValueError is raised if it is not, or lacks the wanted method.
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
        """
        score, pos_label = response_of(estimator, X, pos_label, response_method)
        name = type(estimator).__name__ if name is None else name
        display: Self = cls.from_predictions(y, score, pos_label=pos_label, name=name, **options)
        return display


def response_of(
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


def fold_scores(
    cv_results: Mapping[str, Any], X: Any, pos_label: Any, response_method: ResponseMethod
) -> Iterator[tuple[Any, FloatArray, Any]]:
    """The test rows of each fold, their scores by its classifier, and the positive class."""
    from sklearn.utils import _safe_indexing  # the rows of any frame or sparse matrix

    for key in ("estimator", "indices"):
        if key not in cv_results:
            raise ValueError(
                f"cv_results has no {key!r}: call cross_validate with return_estimator=True and "
                "return_indices=True."
            )
    for estimator, rows in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
        yield rows, *response_of(estimator, _safe_indexing(X, rows), pos_label, response_method)


class CurveDisplay(ScoredDisplay):
    """What the displays of a ROC curve, or of one for each fold, share."""

    _lines: ClassVar[tuple[str, ...]] = ("line_",)  # attributes of the lines of `_draw`
    _dashed: ClassVar[bool] = False  # whether only a hull takes the dashes
    _draw: ClassVar[Any]  # a curve on ax_: returns its lines and the place of its largest kappa
    _draw_chance: ClassVar[Any]
    _finish: ClassVar[Any]  # axes and legend
    line_: Any

    def __init__(
        self,
        *,
        fpr: Any,
        tpr: Any,
        prevalence: float,
        name: str | None = None,
        cost: Cost | None = None,
        cost_ratio: float | None = None,
    ) -> None:
        self._several = np.ndim(next(iter(fpr), 0)) == 1
        pairs = zip(fpr, tpr, strict=True) if self._several else [(fpr, tpr)]
        self._curves = [check_curve(*pair) for pair in pairs]
        self.fpr, self.tpr = (self._each(rates) for rates in zip(*self._curves, strict=True))
        self.prevalence = check_one_prevalence(prevalence)
        self.name = name
        self.cost = check_one_cost(cost, cost_ratio)

    def _each(self, values: Sequence[Any]) -> Any:
        """The values of all folds, or of the only curve."""
        return list(values) if self._several else values[0]

    def _label(self, name: str | None, fold: int, alike: bool, measure: str, areas: Any) -> str:
        """Text in the legend; folds that look alike have one together."""
        if alike and fold:
            return "_fold"
        return legend_text(name, measure, areas if alike or not self._several else areas[fold])

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

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio
            As in :func:`kappacurve.measures`.
        name, ax, **options
            Name in the legend, matplotlib Axes, and the other options of :meth:`plot`.
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        fpr, tpr, _ = vertices_of(scored)
        p = scored.prevalence(prevalence)
        at: Any = {"prevalence": p, "cost": cost, "cost_ratio": cost_ratio, "name": name}
        return cls(fpr=fpr, tpr=tpr, **at).plot(ax=ax, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: npt.ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        response_method: ResponseMethod = "auto",
        prevalence: float | None = None,
        cost: Cost | None = None,
        cost_ratio: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Score the test rows of each fold with its own classifier, then plot a curve for each.

        Parameters
        ----------
        cv_results : dict
            From :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``.
        X, y, pos_label, response_method
            As in :meth:`from_estimator`.
        prevalence : float in (0, 1), optional
            By default the (weighted) share of positives in `y`: one for all folds.
        sample_weight, cost, cost_ratio : optional
            As in :func:`kappacurve.measures`.
        name, ax, **options
            Name in the legend, matplotlib Axes, and the other options of :meth:`plot`. The largest
            kappas are marked only if you ask for it.

        Returns
        -------
        One display, whose attributes for a curve (fpr, tpr, areas, lines) are lists by fold.

        Raises
        ------
        ValueError
            If `cv_results` lacks the classifiers or the rows, or a fold's rows the other class.
        """
        labels = np.asarray(y)
        curves = []
        weight = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight)
        folds = fold_scores(cv_results, X, pos_label, response_method)
        for fold, (rows, score, positive) in enumerate(folds):
            try:
                scored = check_scored(labels[rows], score, positive, weight[rows])
            except ValueError as error:
                raise ValueError(f"Fold {fold}: {error}") from None
            curves.append(vertices_of(scored))
        p = np.average(labels == positive, weights=weight) if prevalence is None else prevalence
        at: Any = {"prevalence": float(p), "cost": cost, "cost_ratio": cost_ratio, "name": name}
        fpr, tpr, _ = zip(*curves, strict=True)
        return cls(fpr=fpr, tpr=tpr, **at).plot(ax=ax, **({"mark_maximum": False} | options))

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        mark_maximum: bool = True,
        curve_kwargs: Looks | list[Looks] | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Looks | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve, with scikit-learn's names for the looks.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default. Several displays on one Axes take different styles.
        name : str, optional
            Replaces the display's own.
        mark_maximum : bool, default True
        curve_kwargs : dict or list of dict, optional
            For matplotlib's ``plot``, such as ``color`` or ``linestyle``. Folds look alike and have
            one line in the legend, with mean and standard deviation, unless there is a dict for
            each.
        plot_chance_level : bool, default True
        chance_level_kw : dict, optional
            Looks of the chance level.
        despine : bool, default False
            Remove the upper and right spine of your Axes; new ones have none.

        Returns
        -------
        The display itself.
        """
        looks = curve_kwargs if isinstance(curve_kwargs, list) else [curve_kwargs or {}]
        n = len(self._curves)
        if len(looks) not in (1, n):
            raise ValueError(f"curve_kwargs must be one dict or {n}, got {len(looks)}.")
        label = partial(self._label, self.name if name is None else name)
        drawn = []
        maxima = []
        with house_style(ax):
            self.ax_ = axes_or_new(ax)
            for k, (fpr, tpr) in enumerate(self._curves):
                if k < len(looks):
                    solid = not self._dashed and is_stepped(fpr, tpr)
                    usual = {"linestyle": "-"} if solid else {}
                    usual |= FOLD if self._several else {}
                    style, marker = line_options(self.ax_, {**usual, **looks[k]})
                    style |= only_in_legend(marker) if mark_maximum else {}
                text = partial(label, k, len(looks) < n)
                lines, best = self._draw(fpr, tpr, style, text)
                drawn.append(lines)
                if mark_maximum:
                    maxima += self.ax_.plot(*best, **spot(lines[0].get_color(), marker))
            for attribute, lines in zip(self._lines, zip(*drawn, strict=True), strict=True):
                setattr(self, attribute, self._each(lines))
            self.maximum_ = self._each(maxima) if mark_maximum else None
            look = line_looks(REFERENCE, chance_level_kw)
            self.chance_level_ = self._draw_chance(look) if plot_chance_level else None
            self._finish()
            self.ax_.set(xlabel="false positive rate $f$", xlim=(-0.02, 1.02))
            if despine:
                self.ax_.spines[["top", "right"]].set_visible(False)
        self.figure_ = self.ax_.figure
        return self


class KappaCurveDisplay(CurveDisplay):
    """Cohen's kappa against the false positive rate.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,), or a list of them
        Vertices of a ROC curve or hull from (0, 0) to (1, 1), or of one for each fold: the
        attributes of a curve are then lists.
    prevalence : float in (0, 1)
        Class ratio at which kappa is evaluated.
    name : str, optional
        Shown in the legend.
    cost, cost_ratio : number in [0, 1] or "balanced"; number >= 0, optional
        Of a missed positive, as a share of both errors (by default 1/2, Cohen's kappa) or over that
        of a false alarm.
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
    chance_level_ : matplotlib Line2D or None
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

    def __init__(self, *, band: KappaBand | None = None, **curve: Any) -> None:
        super().__init__(**curve)
        self.band = band
        at: Any = {"prevalence": self.prevalence, "cost": self.cost}
        self.auk = self._each([area_under_kappa(*curve, **at) for curve in self._curves])

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
        curve: Curve = "raw",
        level: float | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve from labels and scores, then plot.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio
            As in :func:`kappacurve.measures`.
        curve : {"raw", "hull"}, default "raw"
            "hull" draws the convex hull of the ROC curve.
        level : float in (0, 1), optional
            Draw the pointwise confidence band of this level. Raises a ValueError with a hull
            or weights.
        name, ax, **options
            Name in the legend, matplotlib Axes, and the other options of :meth:`plot`.
        """
        scored = check_scored(y_true, y_score, pos_label, sample_weight)
        fpr, tpr, _ = vertices_of(scored)
        at: Any = {"cost": cost, "cost_ratio": cost_ratio}
        band = None
        if level is not None:
            if is_hull(curve) or sample_weight is not None:
                raise ValueError(
                    "A confidence band is drawn for raw, unweighted curves only: leave out "
                    "level, or curve='hull' and sample_weight."
                )
            rows: Any = {"pos_label": pos_label, "prevalence": prevalence}
            band = kappa_band(y_true, y_score, level=level, **rows, **at)
        if is_hull(curve):
            fpr, tpr, _ = roc_hull(fpr, tpr)
        at["prevalence"] = scored.prevalence(prevalence)
        return cls(fpr=fpr, tpr=tpr, name=name, band=band, **at).plot(ax=ax, **options)

    def _draw(self, fpr: Any, tpr: Any, style: Looks, label: Label) -> tuple[list[Line2D], Any]:
        fpr, tpr = along_segments(fpr, tpr)
        kappa = kappa_from_rates(fpr, tpr, self.prevalence, cost=self.cost)
        best = int(np.argmax(kappa))
        lines = self.ax_.plot(fpr, kappa, **{"label": label("AUK", self.auk), **style})
        return lines, (fpr[best], kappa[best])

    def _draw_chance(self, look: Looks) -> Line2D:
        return self.ax_.axhline(0, **look)  # type: ignore[no-any-return]

    def _finish(self) -> None:
        self.band_ = None
        if self.band is not None:
            fill = {"color": self.line_.get_color(), "alpha": 0.2, "linewidth": 0, "zorder": 1}
            self.band_ = self.ax_.fill_between(*self.band, **fill)
        measure = r"Cohen's kappa $\kappa$"
        if self.cost != 0.5:
            measure = f"kappa at cost {cost_text(self.cost)}"
        self.ax_.set_ylabel(rf"{measure} at prevalence {self.prevalence:.3g}")
        # Above the axes, which kappa curves fill.
        self.ax_.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


class RocHullDisplay(CurveDisplay):
    """A ROC curve (thin) with its convex hull (thick).

    Parameters
    ----------
    fpr, tpr, prevalence, name, cost, cost_ratio
        As in :class:`KappaCurveDisplay`. The largest kappa is marked, always at a hull's corner.

    Attributes
    ----------
    hull_fpr, hull_tpr : ndarray of shape (n_hull,)
    auc, auch : float
        Area under the curve and under its hull.
    line_, hull_line_, maximum_, chance_level_ : matplotlib Line2D
    ax_, figure_ : matplotlib Axes and Figure

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

    _lines, _dashed = ("line_", "hull_line_"), True

    def __init__(self, **curve: Any) -> None:
        super().__init__(**curve)
        hulls = [roc_hull(*curve) for curve in self._curves]
        self.hull_fpr, self.hull_tpr = (self._each([h[i] for h in hulls]) for i in (0, 1))
        self.auc = self._each([area_under_curve(*curve) for curve in self._curves])
        self.auch = self._each([area_under_curve(curve.fpr, curve.tpr) for curve in hulls])

    def _draw(self, fpr: Any, tpr: Any, style: Looks, label: Label) -> tuple[list[Line2D], Any]:
        hull_fpr, hull_tpr, _ = roc_hull(fpr, tpr)
        look = {"label": label("AUCH", self.auch), **style}
        (hull,) = self.ax_.plot(hull_fpr, hull_tpr, **look)
        thin = {"label": label("AUC", self.auc), "color": hull.get_color(), "linewidth": 0.6}
        (line,) = self.ax_.plot(fpr, tpr, **{**style, **thin, "linestyle": "-", "marker": ""})
        best = int(np.argmax(kappa_from_rates(hull_fpr, hull_tpr, self.prevalence, cost=self.cost)))
        return [line, hull], (hull_fpr[best], hull_tpr[best])

    def _draw_chance(self, look: Looks) -> Line2D:
        return self.ax_.plot([0, 1], [0, 1], **{"label": "_chance", **look})[0]  # type: ignore[no-any-return]

    def _finish(self) -> None:
        self.ax_.set(ylabel="true positive rate $t$", ylim=(-0.02, 1.02), aspect="equal")
        self.ax_.legend(loc="lower right")
