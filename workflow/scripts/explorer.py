"""The explorer: the compared models of the split shown at every prevalence and cost."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve import explorer_page
from study.data.classes import read_names
from study.published import MODEL_LABELS


def write_explorer(
    *,
    scores: str,
    provenance: str,
    models: list[str],
    setting: dict[str, Any],
    names: dict[str, str] | None,
    positive_class: str,
    page: str,
) -> None:
    """Write the page, with this class as the positive one."""
    rows = pd.read_csv(scores)
    table = rows.pivot_table(index=["row", "minority"], columns="model", values="score")
    minority = table.index.get_level_values("minority").to_numpy() == 1
    shown = {MODEL_LABELS[name]: table[name].to_numpy() for name in models if name in table}
    called = read_names(Path(provenance), names)
    prevalence, ratio = setting["prevalence"], setting["cost_ratio"] or 1.0
    positive = minority
    if positive_class == "majority":
        positive, ratio = ~minority, 1 / ratio
        shown = {name: -score for name, score in shown.items()}
        prevalence = None if prevalence is None else 1 - prevalence
    title = f"{called[positive_class]} positive"
    if len(shown) == 2:
        title = f"Two models, {title}"
    html = explorer_page(positive, shown, prevalence=prevalence, cost_ratio=ratio, title=title)
    Path(page).write_text(html, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with job(snakemake):
        write_explorer(
            scores=snakemake.input.scores,
            provenance=snakemake.input.provenance,
            models=snakemake.params.models,
            setting=snakemake.params.setting,
            names=snakemake.params.names,
            positive_class=snakemake.params.positive_class,
            page=snakemake.output.page,
        )
