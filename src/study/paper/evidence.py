"""The evidence on the readings: one function per piece, the table of all of it, what it says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, Literal, NamedTuple

import pandas as pd

from kappacurve.algebra import kappa_from_rates
from kappacurve.bounds import Interval, intervals_in_words, printed_interval
from study.companions import kaymak2010_experiment as experiment
from study.companions.kaymak2010_experiment import Pair
from study.errors import ExperimentError
from study.paper import simulation
from study.paper.readings import Reading, View
from study.published import MODEL_LABELS, UNUSUAL, Numbers
from study.text.numbers import Fact, fact_of

log = logging.getLogger(__name__)
Answer = Literal["yes", "no", "undecided"]
Status = Literal["yes", "open", "no"]
Facts = dict[str, Any]
SIGNS = {"yes": "+", "no": "\N{MINUS SIGN}", "undecided": "?"}


class Case(NamedTuple):
    """What the evidence rests on; simulated: rows of `simulate` by their keys."""

    numbers: Numbers
    simulated: Mapping[tuple[str, ...], simulation.Row]
    sample: experiment.Sample


class Finding(NamedTuple):
    """What a piece of evidence says about a reading, and the numbers behind it."""

    answer: Answer
    value: float
    how: str


Piece = Callable[[Reading, Case], Finding]
TOO_FEW = "This run has too few splits of the paper's models."
UNKNOWN = Finding("undecided", float("nan"), "Not in this run.")


def readings_table(readings: Sequence[Reading], case: Case) -> pd.DataFrame:
    """One row per reading: its place on the axes, the answer of each piece, and compatible.

    A column is named after the printed fact that its piece uses. "one misprint" asks whether the
    fact could be explained if any one of its numbers were misprinted.
    """
    rows = []
    for reading in readings:
        answers = {name: finding.answer for name, finding in findings(reading, case).items()}
        departures = {"departures": reading.words}
        key = {**reading._asdict(), "area": reading.area.name}
        rows.append(key | departures | answers | {"compatible": compatible(answers)})
    return pd.DataFrame(rows)


def findings(reading: Reading, case: Case) -> dict[str, Finding]:
    """What every piece of evidence says about a reading."""
    found = {}
    for name, piece in EVIDENCE.items():
        try:
            found[name] = piece(reading, case)
        except ExperimentError as error:
            found[name] = UNKNOWN._replace(how=f"Not judged: {error}")
    return found


def compatible(answers: dict[str, Answer]) -> Status:
    """Whether the evidence allows a reading; each printed fact counts once.

    It is excluded if the triple and the areas both exclude it, or one of them whichever of its
    numbers is misprinted. It is open if less than that speaks against it.
    """
    against = [name for name, answer in answers.items() if answer == "no"]
    facts = {name.partition(":")[0] for name in against}
    if {"triple", "areas"} <= facts or any(name.endswith(MISPRINT) for name in against):
        return "no"
    return "open" if against else "yes"


def by_chance(chance: float) -> Answer:
    """Whether a chance reaches the level."""
    return "yes" if chance >= UNUSUAL else "no"


def chance_of(reading: Reading, view: View, case: Case, allowed: Callable[[float], bool]) -> float:
    """The chance that a random split's test rows have an allowed prevalence in equation 19."""
    if reading.share_minority is not None or view.share is None:
        return float(allowed(view.at(reading.nominal_share)))
    chances = experiment.chances_of_test_sets(case.sample)
    return sum(chance for share, chance in chances.items() if allowed(view.at(share)))


def digits(reading: Reading, case: Case) -> Finding:
    """Equation 19, or t - f, at the printed point."""
    point, view = experiment.published_point(reading.printed(case.numbers)), reading.view
    allowed = experiment.point_intervals(point)
    chance = chance_of(reading, view, case, lambda p: experiment.contains(allowed, p))
    at = view.at(reading.nominal_share)
    value = float(kappa_from_rates(point.fpr.value, point.tpr.value, at))
    if view.share is None:
        how = f"t - f is {value:.3f}"
    else:
        needed = intervals_in_words(allowed, 3)
        how = f"kappa {value:.3f} at p = {at:g}; the printed digits need p in {needed}"
        how += f"; chance of such a test set {chance:.2g}"
    return Finding(by_chance(chance), value, how)


def optimum(reading: Reading, case: Case) -> Finding:
    """If kappa is largest at the point, the hull lies below a line of slope eq. 26 through it."""
    numbers = reading.printed(case.numbers)
    if (auc := numbers.get(("Table 4", "hull", "neural_net", "auc"))) is None:
        return UNKNOWN
    point, view = experiment.published_point(numbers), reading.view
    needed = printed_interval(auc.value, auc.decimals).low
    chance = chance_of(reading, view, case, lambda p: experiment.largest_auc(point, p) >= needed)
    at = view.at(reading.nominal_share)
    value = experiment.largest_auc(point, at)
    how = f"a hull with its optimum there has an AUC of at most {value:.4f} at p = {at:g}"
    how += f"; chance of a test set that allows {auc.value:g}: {chance:.2g}"
    return Finding(by_chance(chance), value, how)


def _bounds(reading: Reading, case: Case, pairs: Sequence[Pair], trapezoid: str) -> Finding:
    """Bounds of the exact AUK, or a trapezoid over our hulls that bridges what they lack."""
    exact = _exact(reading, case, pairs)
    if exact.answer == "yes" or not reading.area.views:
        return exact
    needed = ", ".join(
        MODEL_LABELS[pair.model] + (f" {low:.4f} or more" if low > 0 else f" {high:.4f} or less")
        for pair in pairs
        for low, high in [simulation.gap_needed(pair, reading.area, reading.nominal_share)]
        if pair.curve == "hull" and (low > 0 or high < 0)
    )
    bridged = _of_splits(reading, case, trapezoid)
    how = f"{exact.how}; a trapezoid must lie off the exact AUK, {needed or 'by nothing'}"
    return bridged._replace(how=f"{how}: {bridged.how}")


def _exact(reading: Reading, case: Case, pairs: Sequence[Pair]) -> Finding:
    area = reading.area
    if len(area.views) == 1:
        intervals = (experiment.pair_intervals(pair, pair.curve) for pair in pairs)
        allowed = reduce(experiment.intersection, intervals, [Interval(0.0, 1.0)])
        chance = chance_of(reading, area.views[0], case, lambda p: experiment.contains(allowed, p))
        how = f"the pairs need p in {intervals_in_words(allowed)}; chance of such a test set"
        return Finding(by_chance(chance), chance, f"{how} {chance:.2g}")
    # Over the flagged share, or of t - f: at the stated prevalence, which is near the test set's.
    short = [
        f"{pair.place}, {MODEL_LABELS[pair.model]}"
        for pair in pairs
        for least, most in [simulation.gap_needed(pair, area, reading.nominal_share)]
        if not least <= 0 <= most
    ]
    how = f"out of the exact range: {'; '.join(short) or 'none'}"
    return Finding("no" if short else "yes", float(len(pairs) - len(short)), how)


def _of_splits(reading: Reading, case: Case, compared: str) -> Finding:
    """The largest share over the cells, and whether its interval reaches the level."""
    if not (rows := _simulated([reading], compared, case)):
        return UNKNOWN
    (row,) = rows
    how = (
        f"{row['count']:.0f} of {row['replicates']:.0f} splits ({row['encoding']}, "
        f"{MODEL_LABELS[row['network']]}, {row['integration']}), {row['low']:.1%} to "
        f"{row['high']:.1%}; the largest of {row['cells']} cells"
    )
    answer: Answer = "yes" if row["low"] >= UNUSUAL else "undecided"
    return Finding("no" if row["high"] < UNUSUAL else answer, float(row["share"]), how)


def _pairs(reading: Reading, case: Case) -> list[Pair]:
    return experiment.published_pairs(reading.printed(case.numbers))


def _with_a_misprint(reading: Reading, case: Case) -> Finding:
    """The bounds without the pair whose misprint would explain most."""
    pairs = _pairs(reading, case)
    rests = ([pair for pair in pairs if pair is not gone] for gone in pairs)
    answers = [_bounds(reading, case, rest, simulation.TRAPEZOID_BUT_ONE) for rest in rests]
    return min(answers, key=lambda finding: ("yes", "undecided", "no").index(finding.answer))


MISPRINT = "one misprint"
# By the printed fact that they use: the triple of section 8, or the eight areas of Tables 4 and 5.
# Of the triple's arithmetic one misprint undoes any part, so only the splits are asked again.
EVIDENCE: dict[str, Piece] = {
    "triple: digits": digits,
    "triple: place of the optimum": optimum,
    "triple: in our splits": partial(_of_splits, compared=simulation.THREE),
    f"triple: in our splits, {MISPRINT}": partial(_of_splits, compared=simulation.THREE_BUT_ONE),
    "areas: bounds": lambda reading, case: _bounds(
        reading, case, _pairs(reading, case), simulation.TRAPEZOID
    ),
    f"areas: bounds, {MISPRINT}": _with_a_misprint,
    "areas: AUK given AUC": partial(_of_splits, compared=simulation.GIVEN),
    "areas: in our splits": partial(_of_splits, compared=simulation.EIGHT),
    f"areas: in our splits, {MISPRINT}": partial(_of_splits, compared=simulation.EIGHT_BUT_ONE),
    "both: in our splits": partial(_of_splits, compared=simulation.ELEVEN),
}


def readings_facts(
    readings: Sequence[Reading],
    table: pd.DataFrame,
    case: Case,
    specification: pd.DataFrame | None = None,
    differs: str = "",
) -> Facts:
    """What the table of the readings says, for :func:`study.text.facts.facts_of_paper`.

    The table is that of :func:`readings_table`; the specification that of
    :func:`study.tables.joint.specification_table`; differs: in what the run's setting is not the
    paper's.
    """
    status = dict(zip(readings, table["compatible"], strict=True))
    fits = [reading for reading in readings if status[reading] == "yes"]
    fitting = {reading.departures for reading in fits}
    smallest = [least for least in fitting if not any({*other} < {*least} for other in fitting)]
    smallest.sort(key=lambda least: (len(least), least))
    chosen = [_best(departures, status) for departures in ((), *smallest)]
    alone = dict.fromkeys(one.departures for one in readings if len(one.departures) == 1)
    shown = [_shown(reading, status, case) for reading in chosen]
    point = experiment.point_if_published()
    hows = {how for row in shown for how in row["how"].values()}
    coincidences = _simulated(
        [reading for reading in fits if reading.view.share], simulation.COINCIDENCE, case
    )
    return {
        "level": Fact(UNUSUAL, "stated share"),
        "stated": Fact(experiment.STATED_PREVALENCE, "plain"),
        "skew": f"{100 * experiment.STATED_PREVALENCE:g} %",
        "combinations": len(readings),
        "statuses": {name: [*status.values()].count(name) for name in ("yes", "open", "no")},
        "single": [", ".join(least) for least in smallest if len(least) == 1],
        "pairs": [", ".join(least) for least in smallest if len(least) == 2],
        "alone": {departure[0]: status[_best(departure, status)] for departure in alone},
        "text_status": status[chosen[0]],
        "kappa": fact_of(findings(chosen[0], case)["triple: digits"].value, "measure"),
        "printed": None if point is None else [number.text for number in point],
        "shown": shown,
        "evidence": list(EVIDENCE),
        "differs": differs,
        "no_splits": "" if shown[0]["distances"][simulation.ELEVEN] else differs or TOO_FEW,
        "not_judged": sorted(how for how in hows if how.startswith("Not judged")),
        "reversal": _reversal(fits, case, specification),
        # Where 0.328 is not t - f: in how many splits at most kappa has the digits of t - f.
        "coincidence": fact_of(max((row["share"] for row in coincidences), default=None), "share"),
        "samples": {
            "stated": experiment.STATED_SAMPLES,
            "left": experiment.stated_sample().rows,
            "pima": experiment.PIMA,
        },
    }


def _best(departures: tuple[str, ...], status: Mapping[Reading, str]) -> Reading:
    """The reading with these departures that fits best; the text leaves two prevalences open."""
    order = ("yes", "open", "no")
    candidates = [reading for reading in status if reading.departures == departures]
    return min(candidates, key=lambda reading: order.index(status[reading]))


def _shown(reading: Reading, status: Mapping[Reading, str], case: Case) -> Facts:
    """A row of the evidence: signs, and the numbers behind them."""
    found = findings(reading, case)
    distances: dict[str, Any] = dict.fromkeys((simulation.ELEVEN, simulation.EIGHT))
    for compared in distances:
        for row in _simulated([reading], compared, case):
            distances[compared] = {
                "cells": int(row["cells"]),
                "share": fact_of(row["share"], "share", row["low"], row["high"]),
                **{name: fact_of(row[name], "distance") for name in ("near", "far", "typical")},
            }
    return {
        "words": reading.words,
        "one_departure": len(reading.departures) == 1,
        "prevalence": reading.prevalence,
        "compatible": status[reading],
        "signs": {name: SIGNS[one.answer] for name, one in found.items()},
        "how": {name: one.how for name, one in found.items()},
        "distances": distances,
    }


def _simulated(readings: Sequence[Reading], compared: str, case: Case) -> list[Any]:
    """What the replicates say of these readings, those of equal parts once."""
    keys = dict.fromkeys(simulation.key_of(reading, compared) for reading in readings)
    return [case.simulated[key] for key in keys if key in case.simulated]


def _reversal(
    fits: Sequence[Reading], case: Case, specification: pd.DataFrame | None
) -> Facts | None:
    """How often random splits show the published reversal on hull and raw curve both.

    The range over all readings that fit, and its maximum over all cells with an interval.
    """
    fits = [reading for reading in fits if not reading.area.crossed]
    if not (rows := _simulated(fits, simulation.REVERSAL, case)):
        return None
    most = max(rows, key=lambda row: row["share"])
    largest = most["share"], most["low"], max(row["high"] for row in rows)
    if specification is not None:
        majority = specification[specification["positive_class"] == "majority"]
        if len(majority) and majority["reversal_share_both"].max() > largest[0]:
            cell = majority.iloc[int(majority["reversal_share_both"].argmax())]
            share, low = (cell[f"reversal_{name}_both"] for name in ("share", "low"))
            largest = share, low, majority["reversal_high_both"].max()
    return {
        "least": fact_of(min(row["least"] for row in rows), "share"),
        "most": fact_of(largest[0], "share", *largest[1:]),
        "readings": len(fits),
        "as_large": max(int(row["count"]) for row in _simulated(fits, simulation.AS_LARGE, case)),
    }
