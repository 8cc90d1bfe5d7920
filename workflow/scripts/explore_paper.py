"""The explorer of German Credit: the page's typical split, and the clearest reversal."""

from pathlib import Path
from typing import Any

from _job import job
from study.data.classes import read_names
from study.experiment.parquet import read_parquet
from study.figures.curves import choose_splits
from study.text.explorer import make_explorer


def explore_paper(
    *,
    measures: list[str],
    scores: list[str],
    provenance: str,
    names: dict[str, str] | None,
    page: str,
    **options: Any,
) -> None:
    """Write the page; it opens with good as the positive class, which fits the paper."""
    splits = choose_splits(read_parquet(measures))
    rows = read_parquet(scores, filters=[("replicate", "in", list(splits.values()))])
    classes = read_names(Path(provenance), names)
    html = make_explorer(rows, splits, names=classes, **options)
    Path(page).write_text(html, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with job(snakemake):
        explore_paper(
            measures=snakemake.input.measures,
            scores=snakemake.input.scores,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            page=snakemake.output.page,
            models=snakemake.params.models,
            setting=snakemake.params.setting,
            positive_class="majority",
        )
