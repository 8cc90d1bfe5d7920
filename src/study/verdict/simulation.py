"""The kept scores of all replicates, evaluated under every reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from kappacurve.bounds import auk_bounds, printed_interval
from study.analysis.joint import POINT, Distance, joint_distance, joint_values
from study.analysis.parts import Kinds, by_kind
from study.analysis.reversals import AUK_BY, published_reversals
from study.analysis.shares import share_with_interval
from study.papers.forensics import Pair, published_pairs
from study.published import Numbers, values_by_model
from study.replicates.evaluation import measure_replicates
from study.verdict.readings import Reading, View

# Tests of a reading in simulation.
JOINT, AREAS, GIVEN = "joint", "joint, areas only", "AUK given AUC"
TRAPEZOID, COINCIDENCE = "trapezoid", "coincidence"
REVERSAL, AS_LARGE = "reversal", "reversal as large"


COLUMNS = ["reading", "evidence", "encoding", "network", "integration", "replicates"]
COLUMNS += ["distance", "typical", "count", "share", "low", "high"]
# Fewer replicates than this say nothing about eleven numbers.
LEAST = 30
Row = dict[str, object]
# Measures of a cell at a prevalence of bad rows, by positive class.
Measured = Callable[[float | str | None], dict[str, Kinds]]


class Cell(NamedTuple):
    """Kept scores of the linear model and one network."""

    encoding: str
    network: str
    scores: pd.DataFrame


def simulate(readings: Iterable[Reading], cells: Sequence[Cell], numbers: Numbers) -> pd.DataFrame:
    """What the replicates of each cell say about each reading, by either integration rule.

    count: replicates that lie farther out than the published numbers (joint, areas only, AUK given
    AUC), whose trapezoid AUKs lie as far from the exact ones as the bounds need (trapezoid), whose
    printed digits would coincide as 0.928 - 0.60 = 0.328 does (coincidence), or that show the
    published reversal on hull and raw curve both (reversal; as large: with gaps as large).
    """
    rows = []
    for cell in cells:
        if cell.scores.groupby("model")["replicate"].nunique().min() < LEAST:
            continue
        # Readings share views: what one of them needs is computed once.
        kinds = cache(lambda of_bad, cell=cell: by_kind(measure_replicates(cell.scores, of_bad)))
        areas_alone = cache(partial(_of_areas, kinds, cell.network, numbers))
        for reading in readings:
            place = {"reading": reading.key, "encoding": cell.encoding, "network": cell.network}
            found = list(areas_alone(reading.areas, reading.share_bad)) if reading.areas else []
            if reading.point is not None:
                found += _with_point(reading, reading.point, kinds, cell.network, numbers)
            rows += [{**place, **one} for one in found]
    return pd.DataFrame(rows, columns=COLUMNS)


def _of_areas(
    kinds: Measured, network: str, numbers: Numbers, view: View, share_bad: float
) -> list[Row]:
    """The tests that need no operating point."""
    areas, lookup = kinds(view.of_bad)[view.positive], values_by_model(numbers)
    rows = []
    for integration in AUK_BY:
        values, printed = joint_values(areas, areas, network, integration, lookup)
        names = [name for name in printed if name.split()[-1] not in POINT]
        for evidence, given in ((AREAS, []), (GIVEN, [n for n in names if n.endswith("auc")])):
            found = joint_distance(values[names], printed, given)
            rows.append(_distance_row(evidence, integration, found))
        reversals = published_reversals(areas, network, integration)
        for evidence, name in ((REVERSAL, "reversals_both"), (AS_LARGE, "as_large_both")):
            rows.append(_counted(evidence, integration, int(reversals[name]), len(values)))
    pairs = [pair for pair in published_pairs(numbers) if pair.curve == "hull"]
    beyond = []
    for pair in pairs:
        one = areas["hull", "linear" if pair.model == "linear" else network].dropna()
        least, most = gap_needed(pair, view.at(share_bad))
        beyond.append((one["auk_trapezoid"] - one["auk"]).between(least - 1e-9, most + 1e-9))
    both = pd.concat(beyond, axis=1, join="inner").all(axis=1)
    return [*rows, _counted(TRAPEZOID, "trapezoid", int(both.sum()), len(both))]


def _with_point(
    reading: Reading, view: View, kinds: Measured, network: str, numbers: Numbers
) -> list[Row]:
    """The tests that look at the operating point."""
    point = kinds(view.of_bad)[view.positive]
    hull = point["hull", network].dropna()
    shown = (1 - hull["fpr"] if reading.specificity else hull["fpr"]).round(2)
    same = (hull["tpr"].round(3) - shown - hull["kappa_max"].round(3)).abs() < 1e-9
    rows = [_counted(COINCIDENCE, "either", int(same.sum()), len(same))]
    if reading.areas is not None:
        areas = kinds(reading.areas.of_bad)[reading.areas.positive]
        lookup = values_by_model(reading.numbers(numbers))
        for integration in AUK_BY:
            joint = joint_values(areas, point, network, integration, lookup)
            rows.append(_distance_row(JOINT, integration, joint_distance(*joint)))
    return rows


def _distance_row(evidence: str, integration: str, found: Distance) -> Row:
    counted = _counted(evidence, integration, found.farther, found.replicates)
    return {**counted, "distance": found.distance, "typical": found.typical}


def _counted(evidence: str, integration: str, k: int, n: int) -> Row:
    place = {"evidence": evidence, "integration": integration, "replicates": n, "count": k}
    return {**place, **share_with_interval(k, n)}


@cache
def gap_needed(pair: Pair, prevalence: float) -> tuple[float, float]:
    """How far the trapezoid AUK must lie from the exact one to give the printed AUK, from, to.

    Any gap will do where the exact bounds allow the printed AUK.
    """
    bounds = auk_bounds(pair.auc.value, prevalence)
    printed = printed_interval(pair.auk.value, pair.auk.decimals)
    above, below = printed.low - float(bounds.upper), float(bounds.lower) - printed.high
    return above if above > 0 else -np.inf, -below if below > 0 else np.inf
