"""How the printed numbers of section 8 can have been computed: by the text, and by departures.

An explanation says of which class the areas are, at which prevalence, by which integration rule,
and what 0.328 is. It is held against the printed digits, and against our random splits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import pandas as pd

from study.arrays import FloatArray
from study.paper.printed_numbers import (
    INTERCHANGED,
    STATED,
    Intervals,
    contains,
    is_usual_test_set,
    pair_intervals,
    point_intervals,
)
from study.published import published_pairs, published_point
from study.tables.split_areas import (
    count_reversals,
    distance_from_splits,
    printed_areas,
    stack_areas,
)


class Explanation(NamedTuple):
    """One way to have computed the numbers."""

    name: str
    allows: Callable[[Intervals], bool] = partial(contains, prevalence=STATED)
    positive: Literal["minority", "majority"] = "minority"
    interchanged: bool = False
    rule: Literal["exact", "trapezoid"] = "exact"
    point: Literal["kappa", "t - f"] = "kappa"


is_interchanged = partial(contains, prevalence=INTERCHANGED)
AS_STATED, GOOD_POSITIVE = "as the text says", "good is the positive class"
EXPLANATIONS = (
    Explanation(AS_STATED),
    Explanation("p is that of the test rows", is_usual_test_set),
    Explanation("AUK by the trapezoid rule", rule="trapezoid"),
    Explanation(GOOD_POSITIVE, is_interchanged, "majority"),
    Explanation("p and 1 - p interchanged", is_interchanged, interchanged=True),
    # An area over t with bad positive is the area over f with good positive.
    Explanation("area over t, and 0.328 is t - f", is_interchanged, "majority", point="t - f"),
)


def explanations_table(measures: pd.DataFrame, interchanged: pd.DataFrame) -> pd.DataFrame:
    """One row per explanation: what is possible, and where our splits lie.

    Both tables hold the measures of the replicates (replicate, model, positive_class, curve, and a
    column per measure), the second with each class at the share of the other one.
    """
    rows = []
    for explanation in EXPLANATIONS:
        table = interchanged if explanation.interchanged else measures
        areas = areas_of_splits(table, explanation)
        rows.append(
            {
                "explanation": explanation.name,
                "table_4_possible": are_pairs_possible(explanation, "hull"),
                "table_5_possible": are_pairs_possible(explanation, "raw"),
                "operating_point_possible": is_point_possible(explanation),
                **distance_from_splits(areas, printed_areas()),
                "reversals": count_reversals(areas),
            }
        )
    return pd.DataFrame(rows)


def are_pairs_possible(explanation: Explanation, curve: str) -> bool:
    """Whether both models' printed AUC and AUK can belong to such curves."""
    return all(
        explanation.allows(pair_intervals(pair, explanation.rule))
        for pair in published_pairs()
        if pair.curve == curve
    )


def is_point_possible(explanation: Explanation) -> bool:
    """Whether the printed rates have the printed kappa."""
    if explanation.point == "t - f":
        point = published_point()
        return point.kappa.is_of(point.tpr.value - point.fpr.value)
    return explanation.allows(point_intervals())


def areas_of_splits(measures: pd.DataFrame, explanation: Explanation) -> FloatArray:
    """AUC and AUK of hull and curve of both models, of each split, by the explanation."""
    auk = {"exact": "auk", "trapezoid": "auk_trapezoid"}[explanation.rule]
    return stack_areas(measures, explanation.positive, auk=auk)
