"""What the displays share: scoring with a classifier, axes, line styles, legends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, check_scored
from kappacurve.plots.style import LINE_STYLES, ONE_COLUMN
from kappacurve.roc import positive_share, roc_vertices

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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

        Returns
        -------
        The display, plotted.

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


def curve_of(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    pos_label: Any,
    sample_weight: npt.ArrayLike | None,
    prevalence: float | None,
) -> tuple[FloatArray, FloatArray, float]:
    """ROC vertices, and the prevalence to evaluate at."""
    fpr, tpr, _ = roc_vertices(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    if prevalence is None:
        prevalence = positive_share(check_scored(y_true, y_score, pos_label, sample_weight))
    return fpr, tpr, prevalence


def axes_or_new(ax: Axes | None) -> Any:
    """The given axes, or those of a new figure one column wide."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(ONE_COLUMN, ONE_COLUMN))[1]


def line_options(ax: Axes, label: str, given: dict[str, Any]) -> dict[str, Any]:
    """Style of the next curve on the axes, the caller's wishes first."""
    drawn = {line.get_color() for line in ax.get_lines() if line.get_marker() == "None"}
    free = [style for style in LINE_STYLES if style.color not in drawn]
    style = (free or LINE_STYLES)[0]
    return {"label": label} | style._asdict() | given


def spot(color: Any, marker: str) -> dict[str, Any]:
    """Style of the mark of a largest kappa."""
    return {"color": color, "marker": marker, "markersize": 5, "mec": "white", "label": "_maximum"}


def legend_text(name: str | None, measure: str, value: float) -> str:
    """Name of the curve, if it has one, and its measure."""
    text = f"{measure} {value:.3f}"
    return text if name is None else f"{name}, {text}"


def legend_above(ax: Axes) -> None:
    """Put the legend above the axes."""
    # Kappa curves fill their axes: no corner inside is always free.
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
