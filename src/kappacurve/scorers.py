"""scikit-learn scorers of the measures, for cross-validation and model selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from kappacurve._measures import MEASURES, RANKING
from kappacurve._validation import check_number
from kappacurve.measures import auk_score, h_measure_score, measures
from kappacurve.operating import expected_loss, net_benefit


# pos_label and sample_weight are named: scikit-learn looks for them in the signature.
def _net_benefit_at(
    y_true: npt.ArrayLike,
    y_prob: npt.ArrayLike,
    *,
    threshold: float = 0.5,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    **at: Any,
) -> float:
    rows: Any = {"pos_label": pos_label, "sample_weight": sample_weight}
    tau = check_number("threshold", threshold)
    return float(net_benefit(y_true, y_prob, thresholds=tau, **rows, **at))


def _measured(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    measure: str,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    **at: Any,
) -> float:
    rows: Any = {"pos_label": pos_label, "sample_weight": sample_weight}
    return measures(y_true, y_score, **rows, **at)[measure]


# Functions of scorers that are no entry of `measures`, and what these take besides.
_OWN: dict[str, tuple[Callable[..., float], tuple[str, ...]]] = {
    "auk": (auk_score, ("curve", "integration", "normalize")),
    "h": (h_measure_score, ("cost_weight",)),
    "expected_loss": (expected_loss, ()),
    "net_benefit": (_net_benefit_at, ()),
}
SCORERS = {
    name: (function, (*measure.options, *more))
    for name, measure in MEASURES.items()
    if (name in RANKING or name in _OWN)
    for function, more in [_OWN.get(name, (_measured, ()))]
}


def get_scorer(name: str, **options: Any) -> Any:
    """Scorer of a measure for scikit-learn's cross-validation and model selection.

    Parameters
    ----------
    name : str
        "auc", "auk", "average_precision", "h", another ranking measure of
        :func:`kappacurve.measures`, "expected_loss" or "net_benefit".
    **options
        Passed on to the measure, which must take them, such as ``pos_label``, ``prevalence``,
        ``cost_ratio`` (auk, h, kappa_max, expected_loss), ``curve`` (auk), or ``threshold``
        (expected_loss; of net_benefit the threshold probability, by default 1/2).

    Returns
    -------
    callable
        ``scorer(estimator, X, y) -> float``; higher is better, so that of the expected loss is
        negative. It uses the estimator's ``decision_function``, or else the probability of the
        positive class; with ``threshold=`` the probability, if there is one. The net benefit
        needs probabilities.

    Raises
    ------
    ImportError
        If scikit-learn is not installed.
    ValueError
        If there is no such scorer, or an option is unknown or has a value that the measure refuses.

    Notes
    -----
    For labels outside {0, 1} and {-1, 1} give ``pos_label``: the scores are then those of that
    class. By default each fold is evaluated at its own share of positives; ``prevalence=`` fixes
    the class ratio, so that folds can be compared. Weights of rows are given to the scorer, as
    ``sample_weight``, or routed there.

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
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise ImportError("Scorers need scikit-learn: pip install 'kappacurve[scorers]'.") from None

    if name not in SCORERS:
        raise ValueError(f"There is no scorer {name!r}; known are {', '.join(SCORERS)}.")
    function, parameters = SCORERS[name]
    known = ["pos_label", *parameters]
    for option in options:
        if option not in known:
            raise ValueError(f"The scorer {name!r} takes {', '.join(known)}, not {option!r}.")
    if function is _measured:
        options["measure"] = name
    positive = options.get("pos_label", 1)
    other = f"not {positive}" if isinstance(positive, str) else int(not positive)
    try:  # on one row of each class, so that impossible options are refused now
        function([positive, other], [1, 0], **options)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The scorer {name!r} can't be made: {error}") from None
    # In this order of preference, as scikit-learn's own roc_auc scorer.
    preferred = ["decision_function", "predict_proba"]
    if "threshold" in options:
        preferred.reverse()
    if name == "net_benefit":
        preferred = ["predict_proba"]
    more_is_better = not MEASURES[name].less_is_better
    return make_scorer(
        function, response_method=preferred, greater_is_better=more_is_better, **options
    )
