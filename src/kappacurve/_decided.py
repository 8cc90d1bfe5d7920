"""Each model's decisions under a constraint, or at a threshold that other rows chose."""

from __future__ import annotations

from collections.abc import Collection
from math import nan
from typing import Any

from kappacurve._decisions import short_threshold
from kappacurve._validation import Conditions
from kappacurve.inference._sample import Sample
from kappacurve.inference.permutation import FEWEST_FOR_BOOTSTRAP
from kappacurve.inference.points import AtConstraint, AtThresholds, own_thresholds
from kappacurve.inference.results import Estimate
from kappacurve.operating import DECIDED, Constraint, SortedRows, check_at, point_at

RESAMPLES = 2000  # of a constraint, unless a number is given


def decisions_at(
    given: str | float,
    sample: Sample,
    conditions: Conditions,
    estimated: bool,
    level: float | None,
    n_resamples: int | None,
    random_state: int,
    lower: Collection[str] = (),
) -> dict[str, Any]:
    """Thresholds, counts, what they bring with intervals, and tests; no inference without a level.

    A given threshold is on the scale of each model's scores, also of those in `lower`.
    """
    wanted = check_at(given)
    constraint = None
    inference: AtConstraint | AtThresholds | None = None
    if isinstance(wanted, Constraint):
        constraint = wanted
        models = {name: SortedRows(sample.scored(name)) for name in sample.scores}
        thresholds = own_thresholds(models, constraint, conditions.prevalence)
        if level is not None:
            n = n_resamples or RESAMPLES
            inference = AtConstraint(sample, conditions, estimated, constraint, n, random_state)
    else:
        thresholds = {name: -wanted if name in lower else wanted for name in sample.scores}
        if level is not None:
            inference = AtThresholds(sample, conditions, estimated, thresholds)
    decided: dict[str, dict[str, Any]] = {}
    tests: list[dict[str, Any]] = []
    for name, threshold in thresholds.items():
        printed = threshold
        if constraint is not None:
            printed = short_threshold(sample.scores[name], threshold)
        sign = -1 if name in lower else 1
        point = point_at(sample.scored(name), threshold, conditions.prevalence, conditions.cost)
        decided[name] = {
            "threshold": sign * threshold,
            "printed": sign * printed,
            "lower": name in lower,
            "true_positives": point.true_positives,
            "false_positives": point.false_positives,
        }
        values = point._asdict() | {"recall": point.tpr, "specificity": 1 - point.fpr}
        for measure in DECIDED:
            estimate = Estimate(float(values[measure]), nan, nan, nan)
            if inference is not None and level is not None:
                estimate = inference.interval(name, measure, level)
            decided[name][measure] = estimate._asdict() | {"estimate": float(values[measure])}
    if inference is not None and level is not None:
        held = None if constraint is None else constraint.held
        for measure in DECIDED:
            if measure == held:
                continue
            for (first, second), (test, adjusted) in inference.tests(measure, level).items():
                named = {"first": first, "second": second, "measure": measure}
                tests.append(named | test._asdict() | {"p_adjusted": adjusted})
    goal = constraint is not None and constraint.quantity in ("recall", "precision")
    return {
        "at": given,
        "method": None if inference is None else inference.method,
        "few": goal and sample.units()[0] < FEWEST_FOR_BOOTSTRAP,
        "models": decided,
        "tests": tests,
    }
