"""Models of more than two classes on the same rows: averages over classes and over their pairs.

AUC, AUK and H of several classes are weighted means of binary ones, so that their resamples are the
same means of the binary resamples, and the binary problems share one bootstrap.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from kappacurve._validation import FloatArray, check_scored
from kappacurve.inference._resampling import SortedScores, resampled
from kappacurve.inference.bootstrap import compared, estimated
from kappacurve.measures import batch_measures
from kappacurve.multiclass import Classes, class_problems, pair_problems, problem_weights

MEASURED = ("auc", "auk", "h")
Found = dict[str, dict[tuple[str, str], FloatArray]]  # by model, then by average and measure


def measures_and_tests(
    y_true: Any, y_scores: Any, settings: Any
) -> tuple[pd.DataFrame, pd.DataFrame, int]:
    """Tables of measures and tests, without adjusted p values, and the number of rows."""
    scores: dict[str, FloatArray] = {}
    codes = np.empty(0, np.intp)
    names = [str(one) for one in np.unique(np.asarray(y_true))]
    for name, one in y_scores.items():
        scores[str(name)] = np.asarray(one, dtype=float)
        try:
            codes, _ = Classes("ovr", "macro", None).codes(y_true, scores[str(name)])
        except ValueError as error:
            raise ValueError(f"Model {name!r}: {error}") from None
    weights = problem_weights(codes, names)
    problems = {
        name: class_problems(codes, score) + pair_problems(codes, score)
        for name, score in scores.items()
    }
    values: Found = {}
    for name, each in problems.items():
        found = [batch_measures(one.positive, one.score[None], axis=one.axis) for one in each]
        values[name] = _averaged(found, weights)
    drawn: Found = {}
    if settings.asked and settings.n_resamples is not None:
        ready = [
            SortedScores(check_scored(one.positive, one.score), {"axis": one.axis}, one.rows)
            for each in problems.values()
            for one in each
        ]
        found = resampled(ready, codes, "stratified", settings.n_resamples, *settings[7:])
        size = len(found) // len(problems)
        parts = (found[i : i + size] for i in range(0, len(found), size))
        drawn = {name: _averaged(part, weights) for name, part in zip(problems, parts, strict=True)}
    return _measures(values, drawn, settings), _tests(values, drawn, settings), len(codes)


def _averaged(
    found: list[dict[str, FloatArray]], weights: dict[tuple[str, str], FloatArray]
) -> dict[tuple[str, str], FloatArray]:
    by_measure = {name: np.stack([one[name] for one in found]) for name in MEASURED}
    return {place: weight @ by_measure[place[1]] for place, weight in weights.items()}


def _measures(values: Found, drawn: Found, settings: Any) -> pd.DataFrame:
    rows = []
    for model, found in values.items():
        for (average, measure), value in found.items():
            row: dict[str, Any] = {"model": model, "measure": measure, "average": average}
            row |= {"estimate": float(value[0]), "method": None}
            if model in drawn:
                resamples = drawn[model][average, measure]
                one = estimated(
                    measure, row["estimate"], resamples, settings.confidence, {"prevalence": None}
                )
                row |= {**one._asdict(), "method": "bootstrap"}
            rows.append(row)
    columns = ["model", "measure", "average", "estimate", "standard_error", "low", "high", "method"]
    return pd.DataFrame(rows, columns=columns)


def _tests(values: Found, drawn: Found, settings: Any) -> pd.DataFrame:
    rows = []
    for first, second in combinations(drawn, 2):
        for place, value in values[first].items():
            difference = float(value[0] - values[second][place][0])
            lead = drawn[first][place] - drawn[second][place]
            found = compared(difference, lead, settings.confidence)
            named = {"first": first, "second": second, "measure": place[1], "average": place[0]}
            rows.append({**named, **found._asdict(), "method": "bootstrap"})
    return pd.DataFrame(rows)
