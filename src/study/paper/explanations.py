"""How the printed numbers of section 8 can have been computed: by the text, and by departures.

An explanation says of which class the areas are, at which prevalence, by which integration rule,
and what 0.328 is. It is held against the printed digits, and against our random splits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

import pandas as pd

from study.arrays import FloatArray
from study.experiment.measures import measure_replicates
from study.paper.cases import measure_thresholds
from study.paper.counts import select_matrices
from study.paper.printed import INTERCHANGED, Intervals, contains, is_usual_test_set, pair_intervals
from study.printed import STATED, printed_pairs, printed_point
from study.tables.reversals import (
    count_reversals,
    distance_from_splits,
    printed_areas,
    stack_areas,
)


def measure_settings(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Measures of the paper's models by the share of positives at which they are taken.

    Those at the test rows' share have what `measure_thresholds` adds.
    """
    share = scores.groupby("replicate")["minority"].mean()
    return {
        "test rows": measure_replicates(scores).merge(measure_thresholds(scores), how="left"),
        "stated": measure_replicates(scores, STATED),
        "interchanged": measure_replicates(scores, 1 - share),
    }


class Explanation(NamedTuple):
    """One way to have computed the numbers.

    `allows` says whether an area is possible at the prevalence of the explanation; `positive` is
    the class of the areas, `measured` the prevalence at which those of our splits are taken, and
    `rule` how; `of_point` is the class of the operating point, `kappas` are the columns of
    counts.csv that its kappa can be.
    """

    name: str
    allows: Callable[[Intervals], bool] = partial(contains, prevalence=STATED)
    positive: Literal["minority", "majority"] = "minority"
    measured: Literal["test rows", "stated", "interchanged"] = "test rows"
    rule: Literal["exact", "trapezoid"] = "exact"
    of_point: Literal["minority", "majority"] = "minority"
    kappas: Sequence[str] = ("kappa", "kappa_at_11")


is_interchanged = partial(contains, prevalence=INTERCHANGED)
OF_GOOD = ("kappa", "kappa_at_89")
AS_STATED, GOOD_POSITIVE = "as the text says", "good is the positive class"
SHARES_INTERCHANGED = "p and 1 - p interchanged"
EXPLANATIONS = (
    Explanation(AS_STATED, measured="stated", kappas=["kappa_at_11"]),
    Explanation("p is that of the test rows", is_usual_test_set, kappas=["kappa"]),
    Explanation("AUK by the trapezoid rule", rule="trapezoid"),
    Explanation(GOOD_POSITIVE, is_interchanged, "majority", of_point="majority", kappas=OF_GOOD),
    Explanation(
        SHARES_INTERCHANGED,
        is_interchanged,
        measured="interchanged",
        kappas=["kappa_at_89"],
    ),
    # An area over t with bad positive is the area over f with good positive.
    Explanation("area over t, and 0.328 is t - f", is_interchanged, "majority", kappas=[]),
)


def explanations_table(measured: Mapping[str, pd.DataFrame], counts: pd.DataFrame) -> pd.DataFrame:
    """One row per explanation: what is possible, and where our splits lie.

    Parameters
    ----------
    measured : mapping of str to DataFrame
        The measures of the replicates (replicate, model, positive_class, curve, and a column per
        measure), with the positive class at the share of the "test rows", as "stated", or with
        each class at the share of the other one, "interchanged".
    counts : DataFrame
        counts.csv. Rates, kappa and difference are possible if some matrix of the test rows, with
        9 to 13 % bad ones, prints them all rounded.
    """
    rows = []
    for explanation in EXPLANATIONS:
        areas = areas_of_splits(measured[explanation.measured], explanation)
        matrices = select_matrices(counts, explanation.of_point)
        kappas = [matrices[name] for name in explanation.kappas]
        point = printed_point()
        rows.append(
            {
                "explanation": explanation.name,
                "table_4_possible": are_pairs_possible(explanation, "hull"),
                "table_5_possible": are_pairs_possible(explanation, "raw"),
                "rates_possible": len(matrices) > 0,
                "kappa_possible": any(column.map(point.kappa.is_of).any() for column in kappas),
                "difference_possible": bool(matrices["difference"].map(point.kappa.is_of).any()),
                **distance_from_splits(areas, printed_areas()),
                "reversals": count_reversals(areas),
            }
        )
    return pd.DataFrame(rows)


def are_pairs_possible(explanation: Explanation, curve: str) -> bool:
    """Whether both models' printed AUC and AUK can belong to such curves."""
    return all(
        explanation.allows(pair_intervals(pair, explanation.rule))
        for pair in printed_pairs()
        if pair.curve == curve
    )


def areas_of_splits(measures: pd.DataFrame, explanation: Explanation) -> FloatArray:
    """AUC and AUK of hull and curve of both models, of each split, by the explanation."""
    auk = {"exact": "auk", "trapezoid": "auk_trapezoid"}[explanation.rule]
    return stack_areas(measures, explanation.positive, auk=auk)
