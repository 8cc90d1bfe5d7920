"""The measures, and how often they disagree, by the share of the minority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from study.errors import ExperimentError, ImpossibleError
from study.tables.areas import summarise
from study.tables.reversals import reversals_table

MEASURES = ("auc", "auk", "h", "ks", "kappa_max")
COUNTS = ["replicates", "undefined"]
LEVEL_COLUMNS = ["skew", "scenario", "majority", "minority", "test", "minority_in_test"]
LEVEL_COLUMNS += [*COUNTS, "reason"]


class SweepTables(NamedTuple):
    """Spread of the measures and rank reversals at each share, and one row per share.

    In `levels`, test and minority_in_test are test rows, those of the minority on average;
    undefined are replicates in which a class is missing; reason says why a share was skipped.
    """

    measures: pd.DataFrame
    reversals: pd.DataFrame
    levels: pd.DataFrame


def sweep_tables(
    scenarios: Mapping[str, pd.DataFrame | ImpossibleError],
    levels: Mapping[float, str],
    models: Sequence[str],
) -> SweepTables:
    """The tables of a sweep; the level that is the experiment's own is the experiment.

    Parameters
    ----------
    scenarios : mapping of str to DataFrame
        Measures by scenario, or the reason why the data can't give it.
    levels : mapping of float to str
        The scenario of each share.
    models : sequence of str
        The two models whose order is compared.
    """
    spreads, reversals, rows = [], [], []
    for skew, name in sorted(levels.items()):
        measures = scenarios[name]
        level = {"skew": skew, "scenario": name}
        if isinstance(measures, ImpossibleError):
            rows.append({**level, "replicates": 0, "reason": str(measures)})
            continue
        spread = summarise(measures, MEASURES)
        spreads.append(_insert_skew(spread, skew))
        reversals.append(_insert_skew(reversals_table(measures, models), skew))
        rows.append({**level, **_count_rows(measures), **spread[COUNTS].max()})
    if not spreads:
        reason = rows[0]["reason"]
        raise ExperimentError(f"config key sweep.skew: the data can give no share: {reason}")
    measures_by_skew, reversals_by_skew = (
        pd.concat(parts, ignore_index=True) for parts in (spreads, reversals)
    )
    by_level = pd.DataFrame(rows).reindex(columns=LEVEL_COLUMNS)
    integers = dict.fromkeys(["majority", "minority", "test", *COUNTS], "Int64")
    return SweepTables(measures_by_skew, reversals_by_skew, by_level.astype(integers))


def _insert_skew(table: pd.DataFrame, skew: float) -> pd.DataFrame:
    return table.assign(skew=skew)[["skew", *table]]


def _count_rows(measures: pd.DataFrame) -> dict[str, float]:
    """Rows of each class, and of the test."""
    majority, minority, n_train = (
        measures.attrs[name] for name in ("majority", "minority", "n_train")
    )
    test = majority + minority - n_train
    return {
        "majority": majority,
        "minority": minority,
        "test": test,
        "minority_in_test": test * minority / (majority + minority),
    }
