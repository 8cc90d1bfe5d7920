"""Summary, rank reversals, their causes and agreement by cell of the sweep."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.errors import ExperimentError, ImpossibleError
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
    skipped: Path,
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
    Of a single model there is neither order nor agreement.
    """
    outputs = {name: paths for name, paths in files.items() if paths}
    published = published_lookup(cost_ratio) if of_the_paper else None
    tables: dict[str, list[pd.DataFrame]] = {name: [] for name in outputs}
    skipped_cells = []
    levels: dict[tuple[Any, ...], list[Level]] = {}
    per_cell = len(parts) // len(cells)
    for number, place in enumerate(cells):
        of_cell = slice(number * per_cell, (number + 1) * per_cell)
        try:
            cell = read_cell(parts[of_cell])
        except ImpossibleError as error:
            named = ", ".join(f"{name} {value}" for name, value in place.items())
            skipped_cells.append({"cell": named, "reason": str(error)})
            continue
        spread = summarise(cell, published)
        counts = {"drawn": spread["replicates"].max(), "left_out": spread["undefined"].max()}
        size = _size(cell.attrs) | counts
        by_name = {"summary": spread, "sizes": pd.DataFrame([size])}
        if pair:
            by_name["agreement_table"] = agreement(cell)
            by_name["rank_reversal"] = rank_reversals(cell, pair)
        for name, table in by_name.items():
            tables[name].append(table.assign(**place)[[*place, *table]])
        if ranks:
            others = tuple(place[name] for name in SWEPT[1:])
            level = Level(place, by_name["rank_reversal"], ranks[of_cell])
            levels.setdefault(others, []).append(level)
    if len(skipped_cells) == len(cells):
        reason = skipped_cells[0]["reason"]
        raise ExperimentError(f"config key sweep: the data can give none of its cells: {reason}")
    for own_levels in levels.values():
        rarity = rarity_table(own_levels, pair, prevalence, cost_ratio)
        tables["rarity"].append(rarity)
    pd.DataFrame(skipped_cells, columns=["cell", "reason"]).to_csv(skipped, index=False)
    for name, paths in outputs.items():
        write_table(pd.concat(tables[name], ignore_index=True), paths)


def _size(rows: Mapping[Any, Any]) -> dict[str, Any]:
    """Rows of a cell; those of the minority in the test are so many on average."""
    total = rows["majority"] + rows["minority"]
    test = total - rows["n_train"]
    counts = {"majority": rows["majority"], "minority": rows["minority"], "test": test}
    return counts | {"minority_in_test": test * rows["minority"] / total}


if __name__ == "__main__":
    run(summarise_sweep, snakemake)
