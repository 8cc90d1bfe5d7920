"""Draw small samples of a family's scored rows and see what each measure makes of them."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.bakeoff.draws import draw_family as draw
from study.parquet import read_parquet, write_parquet


def draw_family(*, scores: Path, outcomes: Path, name: str, levels: dict[str, Any]) -> None:
    """Write every outcome; none of a family that is missing."""
    table = read_parquet(scores)
    outcomes_of = draw(table, name, levels) if len(table) else pd.DataFrame({"family": []})
    write_parquet(outcomes_of, outcomes)


if __name__ == "__main__":
    run(draw_family, snakemake)
