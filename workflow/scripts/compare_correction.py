"""What the correction of German Credit changes: one experiment on both, if UCI can be reached."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.analysis.summaries import compare_summaries, summarise
from study.data.classes import GERMAN_CREDIT, OWN_COLUMN
from study.data.own_data import prepare
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError
from study.pages.table_files import write_table
from study.replicates.engine import Cell, run_replicates

log = logging.getLogger(__name__)
TITLE = "German Credit as UCI served it first, and South German Credit, the corrected data"


@job
def compare_correction(
    *,
    features: Path,
    correction: list[Path],
    cell: dict[str, Any],
    seed: int,
    ask: bool,
    uci: dict[str, Any],
    declaration: dict[str, Any],
) -> None:
    """Write mean and sd of each measure on both data, or the reason why there are none."""
    summaries: dict[str, pd.DataFrame] = {}
    try:
        if not ask:
            raise ExperimentError("data.source keeps this run from asking UCI.")
        found = fetch_uci(declaration["uci_id"], **uci)
        target = declaration["target"]
        codes = [name for name in found.columns if name not in (*declaration["numeric"], target)]
        corrected = prepare(
            {"UCI's table": found},
            name="correction",
            target=target,
            positive=declaration["bad"],
            categorical=codes,
        ).features.rename(columns={OWN_COLUMN: GERMAN_CREDIT.column})
    except (FetchError, ExperimentError) as error:
        note = f"South German Credit (UCI {declaration['uci_id']}) could not be obtained: {error}"
        log.warning("%s", note)
    else:
        numbers = range(declaration["replicates"])
        for name, data in {"original": pd.read_csv(features), "corrected": corrected}.items():
            drawn = run_replicates(data, Cell(**cell), numbers, seed=seed)
            summaries[name] = summarise(drawn.measures)
        note = (
            f"Means over {len(numbers)} random splits of each, every code as a 0/1 column; "
            "difference: corrected less original, with its 95 % interval."
        )
    table = compare_summaries(summaries, ("original", "corrected"))
    write_table(table, correction, title=TITLE, note=note)
