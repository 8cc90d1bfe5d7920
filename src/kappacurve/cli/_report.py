"""What ``kappacurve measure`` finds, as plain values: measures, intervals, tests, disagreements."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from kappacurve import (
    Estimate,
    auk_interval,
    auk_test,
    bootstrap_intervals,
    bootstrap_tests,
    delong_interval,
    delong_test,
)
from kappacurve._labels import listed, shell, shown
from kappacurve.cli._report_text import REPORTED, measure_names
from kappacurve.inference.bootstrap import BIASED, Method
from kappacurve.inference.results import holm, no_interval_reason
from kappacurve.io import ScoreTable
from kappacurve.measures import measures

RANKED_BY = tuple(name for name in REPORTED if name != "gini")
OPERATING_POINT = ("threshold", "fpr", "tpr")

# Rows of each class that an analytic interval needs: with fewer its coverage was not tried
# (benchmarks/bench_coverage.py).
FEWEST_ROWS = 10
# Method where the rows can't give an interval.
NO_INTERVAL = "none"
# The AUC, Gini and AUK by BCa, which needs all measures once more for each row left out.
MOST_ROWS_FOR_BCA = 5000


class Settings(NamedTuple):
    """What was asked for."""

    prevalence: float | None = None
    cost_ratio: float | None = None
    sampling: Any = "stratified"
    confidence: float = 0.95
    intervals: bool = True
    resamples: int | None = None
    seed: int = 0

    def design(self) -> dict[str, Any]:
        """Arguments of the analytic intervals and tests of the AUK."""
        names = ("prevalence", "cost_ratio", "sampling", "confidence")
        return {name: getattr(self, name) for name in names}

    def least(self) -> int:
        """Rows of each class that intervals and tests need."""
        return FEWEST_ROWS if self.resamples is None else 2

    def drawing(self) -> dict[str, Any]:
        """Arguments of the bootstrap."""
        return self.design() | {"n_resamples": self.resamples, "seed": self.seed}


def report_of(table: ScoreTable, settings: Settings) -> dict[str, Any]:
    """Measure every model and compare every pair of them, in values that JSON can hold.

    None stands for what is not known and for what is infinite: the threshold of an operating point
    that predicts no positives, the test of a difference without any variance.
    """
    n, n_positive = len(table.positive), int(np.count_nonzero(table.positive))
    bootstrap = settings.resamples and {
        "resamples": settings.resamples,
        "seed": settings.seed,
        "method": _bootstrap_method(table),
        "method_of_maxima_and_hulls": "debiased",
    }
    notes = _notes(table, settings, fewest := min(n_positive, n - n_positive))
    settings = settings._replace(intervals=settings.intervals and fewest >= settings.least())
    models = {name: _model(table, score, settings) for name, score in table.scores.items()}
    tests = []
    if settings.intervals:
        for pair in combinations(table.scores, 2):
            tests += _tests(table, *pair, settings)
    _adjust(tests)
    for name, model in models.items():
        notes += _notes_on(table, name, model)
    if any(test["p_value"] is None for test in tests):
        notes.append(
            "No test where a difference is the same whatever rows are drawn: there is no error "
            "to test it by."
        )
    is_given = settings.prevalence is not None
    return {
        "file": table.source,
        "label": table.label,
        "positive": table.positive_label,
        "negative": table.negative_label,
        "n": n,
        "n_positive": n_positive,
        "n_negative": n - n_positive,
        "prevalence": settings.prevalence if is_given else n_positive / n,
        "prevalence_is_given": is_given,
        "cost_ratio": settings.cost_ratio,
        "sampling": settings.sampling,
        "confidence": settings.confidence,
        "bootstrap": bootstrap,
        "models": models,
        "tests": tests,
        "disagreements": _disagreements(models),
        "notes": notes,
    }


def _bootstrap_method(table: ScoreTable) -> Method:
    """How the measures without bias get their intervals."""
    return "bca" if len(table.positive) <= MOST_ROWS_FOR_BCA else "percentile"


def _notes(table: ScoreTable, settings: Settings, fewest: int) -> list[str]:
    notes = []
    if table.latin1:
        notes.append("The file is not UTF-8 and was read as Latin-1: are its names spelt right?")
    if table.left_out:
        notes.append(f"Columns left out, as they hold no numbers or few: {listed(table.left_out)}.")
    if settings.intervals and fewest < settings.least():
        notes.append(
            f"No intervals and tests: they need {settings.least()} rows of each class, there are "
            f"{fewest}."
        )
    elif settings.resamples is not None:
        biased = measure_names([name for name in REPORTED if name in BIASED])
        notes.append(
            f"Hulls and maxima ({biased}) lie too high in a sample; their intervals allow for "
            "that, roughly."
        )
    return notes


def _notes_on(table: ScoreTable, name: str, model: Mapping[str, Any]) -> list[str]:
    """Notes if a model's rows give no interval where they should, or if it is upside down."""
    notes, auc = [], model["auc"]["estimate"]
    if points := [m for m in REPORTED if model[m]["method"] == NO_INTERVAL]:
        names = measure_names(points)
        said = f"{names} of {shown(name)} stay the same whatever rows are drawn"
        if reason := no_interval_reason(table.positive, table.scores[name]):
            said = f"{shown(name)} {reason}"
        notes.append(f"{said}: these rows can't give an interval of {names}.")
    if auc < 0.5:
        notes.append(
            f"{shown(name)} ranks worse than chance: do its scores rise with "
            f"{shown(table.label)} = {shown(table.negative_label)}? Then give --positive "
            f"{shell(table.negative_label)}, or negate the column."
        )
    return notes


def _model(table: ScoreTable, score: Any, settings: Settings) -> dict[str, Any]:
    """Every measure of one model with its interval, and the operating point."""
    at: Any = {"prevalence": settings.prevalence, "cost_ratio": settings.cost_ratio}
    found = measures(table.positive, score, **at)
    intervals = _intervals(table, score, settings) if settings.intervals else {}
    model: dict[str, Any] = {}
    for name in REPORTED:
        estimate, method = intervals.get(name, (None, None))
        if estimate is not None and math.isnan(estimate.low):
            estimate, method = None, NO_INTERVAL
        values = dict.fromkeys(Estimate._fields) if estimate is None else estimate._asdict()
        # Where the analytic intervals are made; the resamples' are on the measure's own.
        scale = "logit" if method in ("delong", "influence") else None
        model[name] = {**values, "estimate": found[name], "method": method, "scale": scale}
    model["operating_point"] = {name: finite(found[name]) for name in OPERATING_POINT}
    return model


def _intervals(
    table: ScoreTable, score: Any, settings: Settings
) -> Mapping[str, tuple[Estimate, str]]:
    """Analytic intervals, or the bootstrap's: maxima and hulls less their bias."""
    rows = table.positive, score
    if settings.resamples is None:
        auc = delong_interval(*rows, confidence=settings.confidence, scale="logit")
        ends = 2 * auc.low - 1, 2 * auc.high - 1
        gini = Estimate(2 * auc.estimate - 1, 2 * auc.standard_error, *ends)
        auk = auk_interval(*rows, **settings.design(), scale="logit")
        return {"auc": (auc, "delong"), "gini": (gini, "delong"), "auk": (auk, "influence")}
    # Without bias "debiased" is the percentile interval.
    debiased = others = bootstrap_intervals(*rows, **settings.drawing(), method="debiased")
    if (method := _bootstrap_method(table)) == "bca":
        others = bootstrap_intervals(*rows, **settings.drawing(), method=method)
    return {
        name: (debiased[name], "bootstrap_debiased")
        if name in BIASED
        else (others[name], f"bootstrap_{method}")
        for name in REPORTED
    }


def _tests(table: ScoreTable, first: str, second: str, settings: Settings) -> list[dict[str, Any]]:
    """Paired tests of two models: analytic, or of every measure by the bootstrap."""
    rows = table.positive, table.scores[first], table.scores[second]
    if settings.resamples is None:
        auc = delong_test(*rows, confidence=settings.confidence)
        found = {"auc": auc, "auk": auk_test(*rows, **settings.design())}
        methods = {"auc": "delong", "auk": "influence"}
    else:
        drawn = bootstrap_tests(*rows, **settings.drawing())
        found = {name: drawn[name] for name in RANKED_BY}
        methods = dict.fromkeys(found, "bootstrap")
    tests: list[dict[str, Any]] = []
    for measure, one in found.items():
        values: dict[str, Any] = one._asdict()
        if one.standard_error == 0:  # none but the difference
            values = dict.fromkeys(values) | {"difference": one.difference}
        named = {"first": first, "second": second, "measure": measure}
        tests.append({**named, "method": methods[measure], **values})
    return tests


def _adjust(tests: list[dict[str, Any]]) -> None:
    """Add p_holm to the tests: adjusted within each measure for the number of pairs."""
    for measure in {test["measure"] for test in tests}:
        family = [test for test in tests if test["measure"] == measure]
        adjusted = holm([math.nan if (p := test["p_value"]) is None else p for test in family])
        for test, p_holm in zip(family, adjusted, strict=True):
            test["p_holm"] = finite(float(p_holm))


def _disagreements(models: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pairs of models that some measures rank one way and some the other."""
    found = []
    for first, second in combinations(models, 2):
        sides: dict[str, list[str]] = {first: [], second: []}
        for measure in RANKED_BY:
            a, b = (models[name][measure]["estimate"] for name in (first, second))
            if a != b:
                sides[first if a > b else second].append(measure)
        if sides[first] and sides[second]:
            preferred = {"first_preferred_by": sides[first], "second_preferred_by": sides[second]}
            found.append({"first": first, "second": second} | preferred)
    return found


def finite(value: float) -> float | None:
    """The number, or None for an infinite one, which JSON can't hold."""
    return value if math.isfinite(value) else None
