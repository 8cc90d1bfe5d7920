"""The kit for a LaTeX paper: Tables 4 and 5 and the figures, as wide as its column."""

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from study.figures.headlines import one_size, take_headline
from study.figures.paper_figures import curve_figures
from study.figures.replicate_figures import FIGURES, Words

from _job import run
from kappacurve.plots.style import save_figure
from study.data.classes import read_names
from study.settings.config import inches
from study.text.documents import Sources, Writer
from study.text.kit import wide, write_kit

LETTERS = 8  # points
FAMILY = {"serif": "serif", "sans": "sans-serif"}


def make_kit(
    *,
    curves: Path,
    measures: Path,
    tests: Path,
    tables: list[Path],
    captions: list[Path],
    provenance: Path,
    citation: Path,
    licence: Path,
    folder: Path,
    config: dict[str, Any],
    kit: dict[str, Any],
    models: list[str],
    names: dict[str, str] | None,
    pair: list[str],
    of_the_paper: bool,
    **replicates: list[Path],
) -> None:
    """Write a folder of tables, figures, captions, references and what reads them in.

    `replicates` are the tables of the figures of replicates (such as rank_reversal).
    """
    data = json.loads(provenance.read_text(encoding="utf-8"))
    words = read_names(provenance, names)
    width = inches(kit["width"])
    (folder / "figures").mkdir(parents=True)
    views = {path.stem: wide(pd.read_csv(path), words, of_the_paper) for path in tables}
    writer = Writer(Sources({"config": config}, captions={path.stem: path for path in captions}))
    texts = {name: str(writer.caption(name)) for name in views}
    with one_size(FAMILY[kit["font"]], LETTERS):
        for name, figure in [
            *curve_figures(
                *map(pd.read_csv, (curves, measures, tests)),
                models=models,
                names=words,
                cost_ratio=config["experiment"]["cost_ratio"],
                of_the_paper=of_the_paper,
                width=width,
            ),
            *(
                (name, FIGURES[name](pd.read_csv(path), Words(words, pair), width))
                for name, paths in replicates.items()
                for path in paths
            ),
        ]:
            texts[name] = take_headline(figure, away=kit["headline"] == "none")
            save_figure(figure, [folder / f"figures/{name}.pdf"])
    about = {
        **{key: config["document"][key] for key in ("title", "author")},
        "width": kit["width"],
        "paper": of_the_paper,
        "place": "Statlog German Credit" if of_the_paper else data["place"],
        "sha256": data["sha256_of_canonical_table"],
        "data_licence": data.get("licence", "not known to this software"),
    }
    write_kit(folder, views, texts, about, yaml.safe_load(citation.read_text(encoding="utf-8")))
    shutil.copyfile(licence, folder / "LICENSE")


if __name__ == "__main__":
    run(make_kit, snakemake)
