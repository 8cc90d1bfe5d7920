"""Summary and rank reversals by cell of the sweep."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.errors import ExperimentError, ImpossibleError
from study.published import published_lookup
from study.tables.files import write_table
from study.tables.parts import read_cell
from study.tables.reversals import rank_reversals
from study.tables.summaries import summarise


def summarise_sweep(
    *,
    parts: list[Path],
    skipped: Path,
    cells: list[dict[str, Any]],
    pair: list[str],
    cost_ratio: float | None,
    of_the_paper: bool,
    **files: Path | list[Path],
) -> None:
    """Write what the replicates say of each cell, and its size; list the cells left out.

    The parts come in the order of the cells, as many for each. Of a single model there is no order.
    """
    outputs = {name: path for name, path in files.items() if isinstance(path, Path)}
    published = published_lookup(cost_ratio) if of_the_paper else None
    tables: dict[str, list[pd.DataFrame]] = {name: [] for name in outputs}
    skipped_cells = []
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
            by_name["rank_reversal"] = rank_reversals(cell, pair)
        for name, table in by_name.items():
            tables[name].append(table.assign(**place)[[*place, *table]])
    if len(skipped_cells) == len(cells):
        reason = skipped_cells[0]["reason"]
        raise ExperimentError(f"config key sweep: the data can give none of its cells: {reason}")
    pd.DataFrame(skipped_cells, columns=["cell", "reason"]).to_csv(skipped, index=False)
    for name, path in outputs.items():
        write_table(pd.concat(tables[name], ignore_index=True), path)


def _size(rows: Mapping[Any, Any]) -> dict[str, Any]:
    """Rows of a cell; those of the minority in the test are so many on average."""
    total = rows["majority"] + rows["minority"]
    test = total - rows["n_train"]
    counts = {"majority": rows["majority"], "minority": rows["minority"], "test": test}
    return counts | {"minority_in_test": test * rows["minority"] / total}


if __name__ == "__main__":
    run(summarise_sweep, snakemake)
