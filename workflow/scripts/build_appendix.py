"""The appendix: one text, filled with the run's numbers, as PDF, LaTeX and Typst."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from _job import job
from kappacurve import __version__
from kappacurve.algebra import perfect_auk
from study.data.classes import read_named
from study.manifest import versions
from study.pages.document import Sources, read_document, write_document
from study.pages.filled_text import (
    fill_text,
    read_assumptions,
    setting_tables,
    settings_table,
)
from study.settings.models import Dataset

FILES = ["appendix.pdf", "appendix.html", "appendix.tex", "body.tex"]
FILES += ["references.tex", "references.bib", "appendix.typ", "tables", "figures"]
PACKAGES = ["kappacurve", "numpy", "scipy", "pandas", "scikit-learn", "numba", "matplotlib"]
PACKAGES += ["snakemake"]


def _byline(citation: dict[str, Any]) -> str:
    """Who made the document, with which version, where it is: each run gives the same."""
    names = (
        author.get("name") or f"{author['given-names']} {author['family-names']}"
        for author in citation["authors"]
    )
    dated = f"kappacurve {__version__} of {citation['date-released']}"
    return f"{', '.join(names)} ({dated}, {citation['repository-code']})"


def _name(path: Path) -> str:
    """What the text calls a file: its folder and name, companions' with the study."""
    parts = path.with_suffix("").parts
    return "/".join(parts[3:] if parts[1] == "datasets" else parts[1:])


def _read(path: Path) -> pd.DataFrame:
    """A table, with the digits that a source prints."""
    names = pd.read_csv(path, nrows=0).columns
    return pd.read_csv(path, dtype={name: str for name in names if name.endswith("printed")})


@job
def build_appendix(
    *,
    texts: list[Path],
    sources: list[Path],
    results: list[Path],
    files: list[Path],
    title: str,
    config: dict[str, Any],
    dataset: str = "",
) -> None:
    """Write FILES: the document in every format, its tables and its figures.

    `sources` are the report's captions (rst), the layouts (tex, typ), references.yaml, the default
    config, pyproject.toml, CITATION.cff and the tables of the study of many data sets; `results`
    hold what the text may show: tables (csv), figures (pdf), verdict.md and provenance.json. A
    `dataset` is the user's; without one it is the reproduction.
    """
    source = {path.name: path for path in sources}
    shown = {(_name(path), path.suffix): path for path in results}
    read = read_named if dataset else _read
    tables = {name: read(path) for (name, suffix), path in shown.items() if suffix == ".csv"}
    provenance = json.loads(shown["data/provenance", ".json"].read_text(encoding="utf-8"))
    declared = config["datasets"].get(dataset, {})
    found = versions(source["pyproject.toml"])
    facts = {
        "config": config,
        "dataset": dataset,
        "declared": declared,
        "drawn": "replicates/summary" in tables,
        "perfect_auk": perfect_auk,
        "provenance": provenance,
        "studies": [name for name, own in config["companions"].items() if own["enabled"]],
        "versions": {name: found[name] for name in PACKAGES} | {"Python": found["python"]},
    }
    assumptions = read_assumptions(source["config.yaml"].read_text(encoding="utf-8"))
    derived = {}
    if "paper/sample" in tables and not dataset:
        derived["experiment.n_minority"] = int(tables["paper/sample"]["bad"].sum())
    tables["assumptions"], tables["settings"] = setting_tables(config, assumptions, derived)
    study, names = (pd.read_csv(source[f"{name}.csv"]) for name in ("headline", "measures"))
    study["measure"] = study["measure"].map(dict(names.itertuples(index=False)))
    tables["many_data_sets/headline"] = study.dropna(subset="measure")
    usual = Dataset.model_construct().model_dump(warnings=False)
    own = {key: value for key, value in declared.items() if value != usual.get(key)}
    tables["declaration"] = settings_table(own)
    tables["models"] = settings_table(config.get("models", {}))
    captions = {path.stem: path for path in sources if path.suffix == ".rst"}
    text = fill_text(texts, captions, tables, facts)
    figures = {name: path for (name, suffix), path in shown.items() if suffix == ".pdf"}
    references = yaml.safe_load(source["references.yaml"].read_text(encoding="utf-8"))
    verdict = shown.get(("forensics/verdict", ".md"))
    said = verdict.read_text(encoding="utf-8") if verdict else ""
    document = read_document(text, Sources(tables, figures, references, said))
    byline = _byline(yaml.safe_load(source["CITATION.cff"].read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory() as folder:
        write_document(document, Path(folder), source, title, byline)
        for name, path in zip(FILES, files, strict=True):
            shutil.move(Path(folder, name), path)
