"""The explorer of a table of your own: the split that is shown."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data.classes import read_names
from study.text.explorer import make_explorer


def explore_own_data(
    *, scores: str, provenance: str, names: dict[str, str] | None, page: str, **options: Any
) -> None:
    """Write the page."""
    rows = pd.read_csv(scores).assign(replicate=0)
    classes = read_names(Path(provenance), names)
    html = make_explorer(rows, {"the split shown": 0}, names=classes, **options)
    Path(page).write_text(html, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with job(snakemake):
        explore_own_data(
            scores=snakemake.input.scores,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            page=snakemake.output.page,
            models=snakemake.params.models,
            setting=snakemake.params.setting,
            positive_class="minority",
        )
