"""What ``kappacurve measure --at`` prints: each model's decisions under a constraint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from kappacurve._decisions import short_threshold
from kappacurve.comparison_result import LABELS, Section, cell, test_row
from kappacurve.inference._sample import Sample, check_design
from kappacurve.inference.permutation import FEWEST_FOR_BOOTSTRAP
from kappacurve.inference.points import AtConstraint, AtThresholds, own_thresholds
from kappacurve.inference.results import Estimate
from kappacurve.operating import DECIDED, Constraint, check_at, point_at

SIDE_BY_SIDE = 3  # models whose numbers fit into a line


def decision_points(
    sample: Sample,
    ats: Sequence[str | float],
    level: float | None,
    n_resamples: int,
    random_state: int,
    lower: Sequence[str],
    **design: Any,
) -> list[dict[str, Any]]:
    """For each constraint: thresholds, counts, what they bring with intervals, and tests."""
    at, estimated = check_design(sample, **design)
    inferred = level is not None and min(sample.units()) > 1
    found = []
    for given in ats:
        wanted = check_at(given)
        if isinstance(wanted, Constraint):
            thresholds = own_thresholds(sample, wanted, at.prevalence)
        else:
            thresholds = {name: -wanted if name in lower else wanted for name in sample.scores}
        inference: AtConstraint | AtThresholds | None = None
        if inferred and isinstance(wanted, Constraint):
            inference = AtConstraint(sample, at, estimated, wanted, n_resamples, random_state)
        elif inferred:
            inference = AtThresholds(sample, at, estimated, thresholds)
        own, tests = {}, []
        for name, threshold in thresholds.items():
            point = point_at(sample.scored(name), threshold, at.prevalence, at.cost)
            estimates = {}
            for measure in DECIDED:
                estimate = Estimate(_value(point, measure), nan, nan, nan)
                if inference is not None and level is not None:
                    estimate = inference.interval(name, measure, level)
                estimates[measure] = estimate._asdict() | {"estimate": _value(point, measure)}
            is_lower = name in lower
            printed = threshold
            if isinstance(wanted, Constraint):
                printed = short_threshold(sample.scores[name], threshold)
            own[name] = {
                "threshold": -threshold if is_lower else threshold,
                "printed": -printed if is_lower else printed,
                "lower": is_lower,
                "true_positives": point.true_positives,
                "false_positives": point.false_positives,
            } | estimates
        if inference is not None and level is not None:
            held = wanted.held if isinstance(wanted, Constraint) else None
            for measure in DECIDED:
                if measure == held:
                    continue
                for (first, second), (test, adjusted) in inference.tests(measure, level).items():
                    named = {"first": first, "second": second, "measure": measure}
                    tests.append(named | test._asdict() | {"p_adjusted": adjusted})
        method = None if inference is None else inference.method
        goal = isinstance(wanted, Constraint) and wanted.quantity in ("recall", "precision")
        few = goal and sample.units()[0] < FEWEST_FOR_BOOTSTRAP
        found.append({"at": given, "method": method, "few": few, "models": own, "tests": tests})
    return found


def _value(point: Any, measure: str) -> float:
    known = {"recall": point.tpr, "specificity": 1 - point.fpr}
    return float(known[measure] if measure in known else getattr(point, measure))


def sections(point: Mapping[str, Any]) -> list[Section]:
    """The models side by side, then their differences."""
    names, parts = list(point["models"]), []
    constrained = isinstance(point["at"], str)
    title = f"At {point['at']}" + ", each model at its own threshold" * constrained
    for start in range(0, len(names), SIDE_BY_SIDE):
        shown = names[start : start + SIDE_BY_SIDE]
        own = [point["models"][name] for name in shown]
        rows = [
            ["threshold", *(f"{each['printed']!r}{' or lower' * each['lower']}" for each in own)],
            ["positives flagged", *(f"{each['true_positives']:g}" for each in own)],
            ["negatives flagged", *(f"{each['false_positives']:g}" for each in own)],
        ]
        for measure in DECIDED:
            ends = [[each[measure][end] for end in ("estimate", "low", "high")] for each in own]
            rows.append([LABELS[measure], *(cell(*each) for each in ends)])
        parts.append(Section(title, ["", *shown], rows))
    if point["method"] == "bootstrap":
        said = (
            "Intervals are those of a model held to this: each resample chooses its own threshold."
        )
        if point["few"]:
            said += (
                " With fewer than 20 positives they are too narrow at a least recall or precision."
            )
        parts[-1] = parts[-1]._replace(said=said)
    if point["tests"]:
        head = ["first - second", "measure", "difference", "p", "test"]
        rows = [test_row(test) for test in point["tests"]]
        together = ", intervals and p together for all pairs (max-t)" * (len(names) > 2)
        title = f"Paired differences at {point['at']}{together}"
        parts.append(Section(title, head, rows, headed=False))
    return parts
