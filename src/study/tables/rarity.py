"""What makes AUC and AUK disagree where a class is rare: three things, varied apart.

A level of the sweep changes the prevalence at which AUK is taken, the number of minority rows in
the test, and how rare they are in training. No model is fitted for it: the ranks of the sweep's
cells are thinned, or measured at another prevalence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.parquet import read_parquet
from study.replicates.evaluation import measure_replicates
from study.settings.cells import SWEPT
from study.tables.reversals import rank_reversals

DESIGNS = ("all three", "prevalence", "test rows", "training rows")
SWEEP, PREVALENCE, TEST, TRAINING = DESIGNS
Rows = tuple[str, pd.DataFrame, Any]  # a design, the ranks of its rows, and their prevalence


class Level(NamedTuple):
    """A level of the sweep: what tells its cell, the reversals seen there, the parts of its ranks.

    Each has the columns of :attr:`study.replicates.engine.Replicates.ranks`.
    """

    place: dict[str, Any]
    reversals: pd.DataFrame
    parts: Sequence[Path]


def rarity_table(
    levels: Sequence[Level],
    pair: Sequence[str],
    prevalence: float | str,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """Share of replicates in which AUC and AUK disagree, by level and design.

    The levels differ by their skew alone. What a design does not vary is that of the base, the
    level nearest to the natural share. minority_in_test: minority rows that are tested, on average.

    The prevalence is that of the config key: a number, "nominal" (that of the level) or "test"
    (that of the test rows).
    """
    natural = read_parquet(levels[0].parts[0]).attrs["natural"]
    base = min(levels, key=lambda level: abs(level.place["skew"] - natural))
    tables = []
    for level in levels:
        measures = defaultdict(list)
        sizes = defaultdict(list)
        for part, base_part in zip(level.parts, base.parts, strict=True):  # of the same replicates
            ranks, of_base = (
                read_parquet(path, filters=[("model", "in", pair)]) for path in (part, base_part)
            )
            if ranks.empty:  # a part of other models
                continue
            for design, rows, at in _designs(ranks, of_base, level.place["skew"], prevalence):
                sizes[design].append(_sizes(rows)[1])
                if design != SWEEP:
                    measures[design].append(measure_replicates(rows, at, cost_ratio))
        by_design = {SWEEP: level.reversals}
        by_design |= {
            name: rank_reversals(pd.concat(found), pair) for name, found in measures.items()
        }
        for design, reversals in by_design.items():
            disagree = (reversals["pair"] == "auc-auk") & (reversals["pattern"] == "any")
            table = reversals[disagree].drop(columns=["pair", "pattern"])
            about = {**level.place, "design": design, "base": base.place["skew"]}
            about["minority_in_test"] = pd.concat(sizes[design]).mean()
            tables.append(table.assign(**about)[[*about, *table]])
    return pd.concat(tables, ignore_index=True)


def rarest(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Of a rarity table: the rows of the rarest level by design, and of the base, by class.

    Those of the raw curves, with the first level of all other settings; none if the base is the
    rarest, or one has no share. raised: whether the interval lies above that of the base.
    """
    others = [name for name in SWEPT[1:] if name in table]
    first = table[table["curve"] == "raw"].merge(table[others].head(1))
    first = first.set_index("positive_class")
    base = first[(first["skew"] == first["base"]) & (first["design"] == SWEEP)]
    least = first[first["skew"] == first["skew"].min()]
    by_name = {"base": base, **{name: least[least["design"] == name] for name in DESIGNS}}
    complete = all(len(rows) and rows["share"].notna().all() for rows in by_name.values())
    if not complete or (least["skew"] == least["base"]).all():
        return {}
    return {
        name: rows.assign(raised=rows["low"] > base["high"].reindex(rows.index))
        for name, rows in by_name.items()
    }


def _designs(
    ranks: pd.DataFrame, base: pd.DataFrame, skew: float, prevalence: float | str
) -> Iterator[Rows]:
    """What is measured of a level, whose ranks these are, by each design."""
    test_rows = ranks[ranks["test"]]
    stated = skew if isinstance(prevalence, str) else prevalence
    of_test_rows = test_rows.groupby("replicate")["minority"].mean()
    yield SWEEP, test_rows, None
    yield PREVALENCE, base, stated
    yield TEST, thinned(base, test_rows), of_test_rows if prevalence == "test" else stated
    yield TRAINING, ranks, stated


def thinned(ranks: pd.DataFrame, like: pd.DataFrame) -> pd.DataFrame:
    """As many rows of each class, in each replicate, as another table has; or all, if fewer.

    These are the first: rows stand in random order.
    """
    keys = ["replicate", "model", "minority"]
    number = ranks.groupby(keys).cumcount().to_numpy()
    wanted = _sizes(like).reindex(ranks["replicate"], fill_value=0).to_numpy()
    return ranks[number < wanted[np.arange(len(ranks)), ranks["minority"]]]


def _sizes(ranks: pd.DataFrame) -> pd.DataFrame:
    """Rows of each replicate (row) and class (column)."""
    of_first_model = ranks[ranks["model"] == ranks["model"].iloc[0]]
    labels = of_first_model.groupby("replicate")["minority"]
    return pd.DataFrame({0: labels.size() - labels.sum(), 1: labels.sum()})
