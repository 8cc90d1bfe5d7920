"""The documents: the page to open first, the verdict, and the appendix, all of the same facts."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve import __version__
from study.data.classes import read_names
from study.manifest import versions
from study.text.documents import Sources, Writer, web_page, write_appendix
from study.text.facts import facts_of_data, facts_of_paper, facts_of_run, from_json, to_json
from study.text.settings import read_assumptions, setting_tables
from study.text.tables import read_table

TITLE = "Reproducing “AUK: a simple alternative to the AUC”"
QUESTION = "Was the paper reproduced?"
PACKAGES = ["numpy", "scipy", "pandas", "scikit-learn", "numba", "matplotlib", "snakemake"]
PACKAGES += ["python"]


def _named(paths: list[Path], folder: Path, suffix: str) -> Iterator[tuple[str, Path]]:
    """What documents call files of this kind, such as tables/table4."""
    for path in paths:
        if path.suffix == suffix:
            yield path.relative_to(folder).with_suffix("").as_posix(), path


def write_documents(
    *,
    results: list[Path],
    provenance: Path,
    readings: list[Path],
    study_results: Path,
    captions: list[Path],
    defaults: Path,
    project: Path,
    facts: Path,
    index: Path,
    verdict: list[Path],
    appendix: list[Path],
    config: dict[str, Any],
) -> None:
    """Write the facts, the page, the verdict (of the paper's own data), and the appendix's files.

    `results` are what the documents may show (csv, pdf), `study_results` those of
    the study of many data sets, `captions` are the report's, `readings` the paper's.
    """
    folder = index.parent
    tables = {name: read_table(path) for name, path in _named(results, folder, ".csv")}
    tables["many_data_sets/results"] = pd.read_csv(study_results)
    data = json.loads(provenance.read_text(encoding="utf-8"))
    words = read_names(provenance, config["data"]["names"])
    counts = zip(words.values(), data["class_counts"].values(), strict=True)
    data["class_counts"] = dict(counts)
    run_facts = facts_of_run(tables, config, data["rows"], words)
    if readings:
        run_facts |= facts_of_paper(tables, from_json(readings[0]))
    facts.write_text(to_json(run_facts), encoding="utf-8", newline="\n")
    installed = versions(project)
    context = {"paper": "", "config": config, "data": data, "version": __version__}
    context["versions"] = {name: installed[name] for name in PACKAGES}
    assumptions = read_assumptions(defaults.read_text(encoding="utf-8")) if readings else {}
    derived = {"experiment.n_minority": run_facts["split"]["minority"]} if readings else {}
    tables["assumptions"], tables["settings"] = setting_tables(config, assumptions, derived)
    figures = dict(_named(results, folder, ".pdf"))
    texts = dict(_named(captions, Path(os.path.commonpath(captions)), ".rst"))
    pages = dict(_named(results, folder, ".html"))
    narrow = {
        f"figures/{path.stem}": path
        for _, path in _named(results, folder, ".svg")
        if path.parent.name == "narrow"
    }
    context |= facts_of_data(run_facts, data, config)
    sources = Sources(context | run_facts, tables, figures, texts, pages, narrow)
    for path in verdict:
        path.write_text(
            Writer(sources, plain=True).fill("verdict.md"), encoding="utf-8", newline="\n"
        )
    stated = config.get("document") or {}
    title = stated.get("title") or (TITLE if readings else f"Models on {config['data']['name']}")
    byline = ", ".join(filter(None, [stated.get("author"), f"made by kappacurve {__version__}"]))
    with tempfile.TemporaryDirectory() as place:
        numbered = write_appendix(sources, Path(place), title, byline)
        for path in appendix:
            shutil.move(Path(place, path.name), path)
    writer = Writer(sources, appendix=numbered)
    page = web_page(writer, writer.fill("index.md"), QUESTION if readings else title)
    index.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(write_documents, snakemake)
