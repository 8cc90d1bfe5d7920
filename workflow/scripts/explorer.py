"""The explorer page: of German Credit the page's typical split and the clearest reversal."""

from pathlib import Path
from typing import Any

from _job import job
from study.data.classes import read_names
from study.experiment.parquet import read_parquet
from study.tables.reversals import choose_splits
from study.text.explorer import make_explorer


def write_explorer(
    *,
    measures: list[str],
    scores: list[str],
    provenance: str,
    names: dict[str, str] | None,
    page: str,
    **options: Any,
) -> None:
    """Write the page; without measures to choose splits by, it has the split that is shown."""
    splits = choose_splits(read_parquet(measures)) if measures else {"the split shown": 0}
    rows = read_parquet(scores, filters=[("replicate", "in", list(splits.values()))])
    classes = read_names(Path(provenance), names)
    html = make_explorer(rows, splits, names=classes, **options)
    Path(page).write_text(html, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with job(snakemake):
        write_explorer(
            measures=snakemake.input.measures,
            scores=snakemake.input.scores,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            page=snakemake.output.page,
            models=snakemake.params.models,
            setting=snakemake.params.setting,
            positive_class=snakemake.params.positive_class,
        )
