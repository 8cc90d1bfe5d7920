"""Tables 4 and 5, the operating point, rank reversals, and who leads."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.experiment.files import read_measures, write_table
from study.printed import printed_lookup
from study.tables.areas import AREAS, POINT_MEASURES, areas_table
from study.tables.leads import distinct_splits, leads_table, ratio_of_rows
from study.tables.reversals import reversals_by_gap, reversals_table


def make_tables(
    *,
    measures: list[Path],
    pair: list[str],
    cost_ratio: float | None,
    has_printed: bool,
    at_tolerance: float,
    written: Any,
) -> None:
    """Write each table, of German Credit beside what the paper prints."""
    own = read_measures(measures)
    printed = printed_lookup(cost_ratio) if has_printed else None
    write_table(areas_table(own, "hull", AREAS, printed), Path(written.table4))
    write_table(areas_table(own, "raw", AREAS, printed), Path(written.table5))
    points = areas_table(own, "hull", POINT_MEASURES, printed)
    write_table(points, Path(written.operating_point))

    as_large = has_printed and cost_ratio is None
    scenarios = {measures[0].parent.name: reversals_table(own, pair, as_large=as_large)}
    reversals = pd.concat(scenarios, names=["scenario"]).reset_index("scenario")
    write_table(reversals, Path(written.rank_reversal))
    write_table(reversals_by_gap(own, pair), Path(written.reversal_by_gap))

    leads = leads_table(own, distinct_splits(own), ratio_of_rows(own.attrs), at_tolerance)
    write_table(leads, Path(written.leads))


if __name__ == "__main__":
    with job(snakemake):
        make_tables(
            measures=[Path(path) for path in snakemake.input.measures],
            pair=snakemake.params.pair,
            cost_ratio=snakemake.params.cost_ratio,
            has_printed=snakemake.params.has_printed,
            at_tolerance=snakemake.params.at_tolerance,
            written=snakemake.output,
        )
