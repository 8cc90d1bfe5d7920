"""What the correction of German Credit changes: one experiment on both, if UCI can be reached."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis.summaries import compare_summaries, summarise
from study.data.classes import GERMAN_CREDIT, OWN_COLUMN
from study.data.own_data import prepare
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError
from study.pages.table_files import write_table
from study.replicates.engine import Cell, run_replicates

log = logging.getLogger(__name__)
TITLE = "German Credit as UCI served it first, and South German Credit, the corrected data"


def compare_correction(
    *,
    features: Path,
    correction: list[Path],
    cell: dict[str, Any],
    seed: int,
    ask: bool,
    uci_url: str,
    timeout_seconds: float,
    declaration: dict[str, Any],
) -> None:
    """Write mean and sd of each measure on both data, or the reason why there are none."""
    table = compare_summaries({}, ("original", "corrected"))
    try:
        corrected = _corrected(ask, uci_url, timeout_seconds, declaration)
    except (FetchError, ExperimentError) as error:
        note = f"South German Credit (UCI {declaration['uci_id']}) could not be obtained: {error}"
        log.warning("%s", note)
    else:
        numbers = range(declaration["replicates"])
        summaries = {
            name: summarise(run_replicates(data, Cell(**cell), numbers, seed=seed).measures)
            for name, data in (("original", pd.read_csv(features)), ("corrected", corrected))
        }
        table = compare_summaries(summaries, ("original", "corrected"))
        note = (
            f"Means over {len(numbers)} random splits of each, every code as a 0/1 column; "
            "difference: corrected less original, with its 95 % interval."
        )
    write_table(table, correction, title=TITLE, note=note)


def _corrected(
    ask: bool, uci_url: str, timeout_seconds: float, declaration: dict[str, Any]
) -> pd.DataFrame:
    """Row, bad and the features of the corrected data."""
    if not ask:
        raise ExperimentError("data.source keeps this run from asking UCI.")
    table = fetch_uci(declaration["uci_id"], base_url=uci_url, timeout_seconds=timeout_seconds)
    target = declaration["target"]
    codes = [name for name in table.columns if name not in (*declaration["numeric"], target)]
    data = prepare(
        table, name="correction", target=target, positive=declaration["bad"], categorical=codes
    )
    return data.features.rename(columns={OWN_COLUMN: GERMAN_CREDIT.column})


if __name__ == "__main__":
    run(compare_correction)
