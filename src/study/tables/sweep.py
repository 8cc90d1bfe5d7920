"""The measures, and how often they disagree, by the share of the minority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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
    """The tables of a sweep.

    Scenarios are measures by name, or the reason why the data can't give them; levels the scenario
    of each share; models the two whose order is compared.
    """
    spreads, reversals = {}, {}
    rows: list[dict[str, Any]] = []
    for skew, name in sorted(levels.items()):
        measures = scenarios[name]
        level = {"skew": skew, "scenario": name}
        if isinstance(measures, ImpossibleError):
            rows.append({**level, "replicates": 0, "reason": str(measures)})
            continue
        spreads[skew] = summarise(measures, MEASURES)
        reversals[skew] = reversals_table(measures, models)
        n_majority, n_minority = measures.attrs["majority"], measures.attrs["minority"]
        level |= {"majority": n_majority, "minority": n_minority}
        level["test"] = n_majority + n_minority - measures.attrs["n_train"]
        level["minority_in_test"] = level["test"] * n_minority / (n_majority + n_minority)
        rows.append({**level, **spreads[skew][COUNTS].max()})
    if not spreads:
        reason = rows[0]["reason"]
        raise ExperimentError(f"config key sweep.skew: the data can give no share: {reason}")
    integers = dict.fromkeys(["majority", "minority", "test", *COUNTS], "Int64")
    return SweepTables(
        pd.concat(spreads, names=["skew"]).reset_index("skew"),
        pd.concat(reversals, names=["skew"]).reset_index("skew"),
        pd.DataFrame(rows).reindex(columns=LEVEL_COLUMNS).astype(integers),
    )
