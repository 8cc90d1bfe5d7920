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
    params, measures = snakemake.params, read_parquet(snakemake.input.measures)
    if params.is_paper:
        splits = choose_splits(measures)
    else:  # the first that has test rows of both classes
        first, last = measures.dropna(subset="auc")["replicate"].min(), measures["replicate"].max()
        splits = {f"Test rows of split {first + 1} of {last + 1}": first}
    shown = {"filters": [("replicate", "in", list(splits.values()))]}
    scores = pd.concat(read_parquet(path, **shown) for path in snakemake.input.scores)
    by_model = scores.pivot_table("score", ["replicate", "minority", "row"], "model", sort=False)
    by_model = by_model.dropna(axis="columns")
    if missing := sorted({*scores["model"]} - {*by_model}):
        splits = {f"{title}, without {', '.join(missing)}": n for title, n in splits.items()}
    table = pd.concat({title: by_model.loc[number] for title, number in splits.items()})
    names = read_names(snakemake.input.provenance, params.names)
    page = explorer_page(
        np.where(table.index.get_level_values("minority"), names["minority"], names["majority"]),
        {label(str(name)): table[name].to_numpy() for name in table},
        pos_label=names["minority"],
        split=table.index.get_level_values(0).str.replace("\n", " ").to_numpy(),
        prevalence=params.setting["prevalence"],
        # German Credit's own: a bad customer who is taken for a good one costs five of the reverse.
        cost_ratio=params.setting["cost_ratio"] or (UCI_COST if params.is_german_credit else 1.0),
        title=f"The models at every share of {names['minority']} rows and every cost of a miss",
        home="index.html",
    )
    Path(snakemake.output[0]).write_text(page, encoding="utf-8", newline="\n")
