"""From fitted classifiers to the scores that the displays draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray

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
