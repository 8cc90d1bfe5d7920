"""Draw small samples of a family's scored rows and see what each measure makes of them."""

from pathlib import Path
from typing import Any

import pandas as pd

from _running import job
from many_data_sets._experiment import read_parquet, write_parquet
from many_data_sets.draws import draw_family


def draw_samples(name: str, levels: dict[str, Any], scores: Path, outcomes: Path) -> None:
    """Write every outcome; none of a family that is missing."""
    table = read_parquet(scores)
    found = draw_family(table, name, levels) if len(table) else pd.DataFrame({"family": []})
    write_parquet(found, outcomes)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        draw_samples(
            snakemake.wildcards.family,
            snakemake.params.levels,
            Path(snakemake.input.scores),
            Path(snakemake.output.outcomes),
        )
