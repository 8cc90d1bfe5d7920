"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.tables import rankings, split_and_replicates
from study.data.classes import read_names
from study.pages.table_files import write_table
from study.published import ALSO_BESIDE, AREAS, POINT_MEASURES, published_lookup

ALSO = [name for names in ALSO_BESIDE.values() for name in names]


def make_tables(
    *,
    measures: Path,
    original: Path | list[Path],
    summary: Path | list[Path],
    provenance: Path,
    cost_ratio: float | None,
    pair: list[str],
    of_the_paper: bool,
    original_tables: list[Path],
    **outputs: list[Path],
) -> None:
    """Write each table in every format asked for.

    Without a summary there is one split, whose areas compare_models.py shows with their tests.
    """
    split, names = pd.read_csv(measures), read_names(provenance)
    spread = pd.read_csv(summary) if isinstance(summary, Path) else None
    published = published_lookup(cost_ratio) if of_the_paper else None
    at = "" if cost_ratio is None else f", kappa at a cost ratio of {cost_ratio:g}:1"
    for curve, columns, output, title in (
        ("hull", AREAS, "table4", "Table 4: areas under the convex curves (hull)"),
        ("raw", AREAS, "table5", "Table 5: areas under the non-convex curves (raw)"),
        ("hull", POINT_MEASURES, "operating_point", "Section 8: where kappa is largest (hull)"),
    ):
        title = title if of_the_paper else title.partition(": ")[2].capitalize()
        table = split_and_replicates(split, curve, columns, spread, published)
        chosen = {"model": pair, "measure": [name for name in columns if name not in ALSO]}
        looks = {"first": chosen, "names": names}
        write_table(table, outputs[output], title=f"{title}{at}", **looks)
    if isinstance(original, Path):
        title = f"The original data (30 % bad): measures and ranks{at}"
        write_table(rankings(pd.read_csv(original)), original_tables, title=title, names=names)


if __name__ == "__main__":
    run(make_tables, snakemake)
