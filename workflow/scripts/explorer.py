"""The explorer page: of the paper's run the typical split and the clearest reversal."""

from pathlib import Path

import numpy as np
import pandas as pd

from _job import job
from kappacurve import explorer_page
from study.data.classes import read_names
from study.files import read_parquet
from study.labels import label
from study.paper.areas import choose_splits
from study.paper.cases import UCI_COST

with job(snakemake):
    splits = {"the split shown": 0}
    if snakemake.params.is_paper:
        splits = choose_splits(read_parquet(snakemake.input.measures))
    shown = {"filters": [("replicate", "in", list(splits.values()))]}
    scores = pd.concat(read_parquet(path, **shown) for path in snakemake.input.scores)
    by_model = scores.pivot_table("score", ["replicate", "minority", "row"], "model", sort=False)
    table = pd.concat({title: by_model.loc[number] for title, number in splits.items()})
    table = table.dropna(axis="columns")
    names = read_names(snakemake.input.provenance, snakemake.params.names)
    page = explorer_page(
        np.where(table.index.get_level_values("minority"), names["minority"], names["majority"]),
        {label(str(name)): table[name].to_numpy() for name in table},
        pos_label=names["minority"],
        split=table.index.get_level_values(0).str.replace("\n", " ").to_numpy(),
        prevalence=snakemake.params.setting["prevalence"],
        # The bank's question first: bad customers, at the cost that comes with the data.
        cost_ratio=UCI_COST
        if snakemake.params.is_paper
        else snakemake.params.setting["cost_ratio"] or 1.0,
        open_with=names["minority"],
        title=f"The models at every share of {names['minority']} rows and every cost of a miss",
        home="index.html",
    )
    Path(snakemake.output[0]).write_text(page, encoding="utf-8", newline="\n")
