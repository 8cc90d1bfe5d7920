"""scikit-learn scorers of the measures, for cross-validation and model selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kappacurve.scores import (
    OperatingPoint,
    auc_score,
    auch_score,
    auk_score,
    gini_score,
    h_measure_score,
    ks_score,
    operating_point,
)


def kappa_at_best(*args: Any, **options: Any) -> float:
    """Largest kappa over all thresholds: the kappa of :func:`kappacurve.operating_point`.

    >>> kappa_at_best([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.5
    """
    point: OperatingPoint = operating_point(*args, **options)
    return point.kappa


SCORERS: dict[str, Callable[..., float]] = {
    "auc": auc_score,
    "auch": auch_score,
    "gini": gini_score,
    "ks": ks_score,
    "auk": auk_score,
    "h": h_measure_score,
    "kappa_max": kappa_at_best,
}


def get_scorer(name: str, **options: Any) -> Any:
    """Scorer of a measure for scikit-learn's cross-validation and model selection.

    Parameters
    ----------
    name : {"auc", "auch", "gini", "ks", "auk", "h", "kappa_max"}
    **options
        Passed on to the measure, such as ``pos_label``, ``prevalence``, ``hull`` (auk) or
        ``cost_weight`` (h).

    Returns
    -------
    callable
        ``scorer(estimator, X, y) -> float``; higher is better. It uses the estimator's
        ``decision_function``, or else the probability of the positive class.

    Raises
    ------
    ValueError
        If there is no such measure.

    See Also
    --------
    sklearn.metrics.make_scorer : What it calls.

    Notes
    -----
    For labels outside {0, 1} and {-1, 1} give ``pos_label``: the scores are then those of that
    class. By default each fold is evaluated at its own share of positives; ``prevalence=`` fixes
    the class ratio, so that folds can be compared.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = make_classification(weights=[0.8], random_state=0)
    >>> auk = get_scorer("auk", prevalence=0.2)
    >>> cross_val_score(LogisticRegression(), X, y, scoring=auk).shape
    (5,)
    """
    from sklearn.metrics import make_scorer

    if name not in SCORERS:
        raise ValueError(f"There is no scorer {name!r}; known are {', '.join(SCORERS)}.")
    # In this order of preference, as scikit-learn's own roc_auc scorer.
    return make_scorer(
        SCORERS[name], response_method=("decision_function", "predict_proba"), **options
    )
