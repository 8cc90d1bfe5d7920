"""Summary, rank reversals, their causes and agreement by cell of the sweep."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.data.classes import read_names
from study.errors import ExperimentError, ImpossibleError
from study.parquet import read_parquet
from study.published import published_lookup
from study.settings.cells import SWEPT
from study.tables.parts import read_cell
from study.tables.rarity import Level, rarity_table
from study.tables.reversals import rank_reversals
from study.tables.summaries import agreement, summarise
from study.text.tables import write_table


def summarise_sweep(
    *,
    parts: list[Path],
    provenance: Path,
    skipped: Path,
    expected: dict[str, int],
    cells: list[dict[str, Any]],
    pair: list[str],
    prevalence: float | str,
    cost_ratio: float | None,
    of_the_paper: bool,
    ranks: list[Path] | None = None,
    **files: list[Path],
) -> None:
    """Write what the replicates say of each cell, and its size; list the cells left out.

    The parts come in the order of the cells, as many for each; ranks alike, if a pair is compared.
    """
    outputs = {name: paths for name, paths in files.items() if paths}
    published = published_lookup(cost_ratio) if of_the_paper else None
    tables: dict[str, list[pd.DataFrame]] = {name: [] for name in outputs}
    left_out = []
    levels: dict[tuple[Any, ...], list[Level]] = {}
    per_cell = len(parts) // len(cells)
    for number, place in enumerate(cells):
        of_cell = slice(number * per_cell, (number + 1) * per_cell)
        own = parts[of_cell]
        try:
            cell = read_cell(own, expected)
        except ImpossibleError as error:
            named = ", ".join(f"{name} {value}" for name, value in place.items())
            left_out.append({"cell": named, "reason": str(error)})
            continue
        spread = summarise(cell, published)
        drawn = {"drawn": spread["replicates"].max(), "left_out": spread["undefined"].max()}
        size = _size(read_parquet(own[0]).attrs) | drawn
        made = {
            "summary": spread,
            "agreement_table": agreement(cell),
            "sizes": pd.DataFrame([size]),
        }
        if pair:
            made["rank_reversal"] = rank_reversals(cell, (pair[0], pair[1]))
        for name, table in made.items():
            tables[name].append(table.assign(**place)[[*place, *table]])
        if ranks:
            others = tuple(place[name] for name in SWEPT[1:])
            level = Level(place, made["rank_reversal"], ranks[of_cell])
            levels.setdefault(others, []).append(level)
    if len(left_out) == len(cells):
        reason = left_out[0]["reason"]
        raise ExperimentError(f"config key sweep: the data can give none of its cells: {reason}")
    for own_levels in levels.values():
        found = rarity_table(own_levels, (pair[0], pair[1]), prevalence, cost_ratio)
        tables["rarity"].append(found)
    pd.DataFrame(left_out, columns=["cell", "reason"]).to_csv(skipped, index=False)
    for name, paths in outputs.items():
        table = pd.concat(tables[name], ignore_index=True)
        same = [one for one in SWEPT[1:] if len(set(table[one])) == 1]
        write_table(table, paths, shown=table.drop(columns=same), words=read_names(provenance))


def _size(rows: Mapping[Any, Any]) -> dict[str, Any]:
    """Rows of a cell; those of the minority in the test are so many on average."""
    kept = rows["majority"] + rows["minority"]
    test = kept - rows["n_train"]
    counts = {"majority": rows["majority"], "minority": rows["minority"], "test": test}
    return counts | {"minority_in_test": test * rows["minority"] / kept}


if __name__ == "__main__":
    run(summarise_sweep, snakemake)
