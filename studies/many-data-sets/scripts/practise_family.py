"""Train, tune and calibrate every model on a family, and see what measures make of the menus."""

import json
from pathlib import Path
from typing import Any

from _running import job
from many_data_sets.archives import read_family
from many_data_sets.practice import practise, write_cells
from many_data_sets.tuning import score_practice


def practise_family(name: str, settings: dict[str, Any], archive: Path | None, cells: Path) -> None:
    """Write its cells; `archive` is the record of its wheel."""
    record = json.loads(archive.read_text(encoding="utf-8")) if archive else {"wheel": None}
    wheel = record["wheel"] and Path(record["wheel"])
    family = read_family(settings["family"], wheel, **settings["uci"])
    scores = score_practice(family, name, settings["models"], settings)
    found = practise(scores, name, settings["menus"], settings)
    write_cells(found, settings["practice"]["main_n_positive"], cells)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        practise_family(
            snakemake.wildcards.family,
            snakemake.params.settings,
            Path(snakemake.input.archive) if snakemake.input.archive else None,
            Path(snakemake.output.cells),
        )
