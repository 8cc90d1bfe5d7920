"""scikit-learn scorers of the measures, for cross-validation and model selection."""

from __future__ import annotations

from typing import Any

from kappacurve import scores
from kappacurve.measures import MEASURES

SCORERS = {name: one.function for name, one in MEASURES.items() if one.function}


def get_scorer(name: str, **options: Any) -> Any:
    """Scorer of a measure for scikit-learn's cross-validation and model selection.

    Parameters
    ----------
    name : {"auc", "auch", "gini", "ks", "auk", "h", "kappa_max"}
    **options
        Passed on to the measure, which must take them, such as ``pos_label``,
        ``prevalence``, ``cost`` (auk, kappa_max), ``hull`` (auk) or ``cost_weight`` (h).

    Returns
    -------
    callable
        ``scorer(estimator, X, y) -> float``; higher is better. It uses the estimator's
        ``decision_function``, or else the probability of the positive class.

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
    taken = ("pos_label", "sample_weight", *MEASURES[name].options)
    for option in options:
        if option not in taken:
            raise ValueError(f"The scorer {name!r} takes {', '.join(taken)}, not {option!r}.")
    # In this order of preference, as scikit-learn's own roc_auc scorer.
    return make_scorer(
        getattr(scores, SCORERS[name]),
        response_method=("decision_function", "predict_proba"),
        **options,
    )
