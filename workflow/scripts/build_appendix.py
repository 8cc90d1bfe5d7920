"""The appendix: one text, filled with the run's numbers, as PDF, LaTeX and Typst."""

import json
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from _job import run
from kappacurve.auk import perfect_auk
from study.analysis.summaries import ELEVEN, typical_distance
from study.data.classes import read_named
from study.manifest import versions
from study.pages.document import Document, read_document
from study.pages.facts import read_assumptions, setting_tables, settings_table
from study.pages.filled_text import fill_text
from study.pages.latex import LatexRenderer
from study.pages.renderer import file_stem
from study.pages.typesetting import TypstRenderer, compile_pdf

PACKAGES = (
    "kappacurve",
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "numba",
    "matplotlib",
    "snakemake",
)


def build_appendix(
    *,
    texts: list[Path],
    latex_template: Path,
    typst_template: Path,
    captions: list[Path],
    references: Path,
    default_config: Path,
    project: Path,
    data: list[Path],
    drawings: list[Path],
    provenance: Path,
    document: Path,
    latex: Path,
    latex_body: Path,
    typst: Path,
    tables: Path,
    figures: Path,
    title: str,
    config: dict[str, Any],
    verdict: Path | None = None,
    dataset: str = "",
) -> None:
    """Write the document in every format, its tables and its figures."""
    shown = {_name(path): _read(path, of_users=bool(dataset)) for path in data}
    assumptions = read_assumptions(default_config.read_text(encoding="utf-8"))
    shown["assumptions"], shown["settings"] = setting_tables(config, assumptions, _derived(shown))
    facts = _facts(config, provenance, dataset)
    found = versions(project)
    facts["versions"] = {name: found[name] for name in PACKAGES} | {"Python": found["python"]}
    byline = _byline(project)
    shown["declaration"] = settings_table(facts["declared"])
    text = fill_text(
        texts,
        title=title,
        captions=captions,
        config=config,
        tables=shown,
        verdict=verdict.read_text(encoding="utf-8") if verdict else "",
        facts_of_run=facts,
    )
    cited = yaml.safe_load(references.read_text(encoding="utf-8"))
    read = read_document(text, shown, {_name(path): path for path in drawings}, cited)
    _write_latex(read, latex_template, byline, latex, latex_body, tables)
    template = typst_template.read_text(encoding="utf-8")
    source = TypstRenderer(read).document_text(template, byline)
    _write_pdf(read, source, document)
    typst.write_text(source, encoding="utf-8")
    figures.mkdir()
    for name, path in read.figures.items():
        shutil.copyfile(path, figures / f"{file_stem(name)}.pdf")


def _facts(config: Mapping[str, Any], provenance: Path, dataset: str) -> dict[str, Any]:
    studies = config["companions"]
    return {
        "dataset": dataset,
        "declared": {**config["datasets"], **config["scores"]}.get(dataset, {}),
        "dimensions": len(ELEVEN),
        "typical_distance": typical_distance(),
        "trained": dataset in config["datasets"],
        "perfect_auk": perfect_auk,
        "provenance": json.loads(provenance.read_text(encoding="utf-8")),
        "studies": [name for name, own in studies.items() if own["enabled"]],
    }


def _read(path: Path, of_users: bool) -> pd.DataFrame:
    """A table, with the digits that a source prints, or the names that a user gave."""
    if of_users:
        return read_named(path)
    names = pd.read_csv(path, nrows=0).columns
    return pd.read_csv(path, dtype={name: str for name in names if name.endswith("printed")})


def _derived(shown: Mapping[str, pd.DataFrame]) -> dict[str, int]:
    """Settings that the run itself filled in."""
    sample = shown.get("paper/sample")
    return {} if sample is None else {"experiment.n_minority": int(sample["bad"].sum())}


def _byline(project: Path) -> str:
    """Who made the document, with which version: no date, so that each run gives the same."""
    about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    authors = ", ".join(one["name"] for one in about["authors"])
    return f"{authors}, {about['name']} {about['version']} ({about['license']} licence)"


def _name(path: Path) -> str:
    """What the text calls a file: its folder and name, companions' with the study."""
    parts = path.with_suffix("").parts
    return "/".join(parts[3:] if parts[1] == "datasets" else parts[1:])


def _write_latex(
    read: Document, template: Path, byline: str, latex: Path, body: Path, tables: Path
) -> None:
    renderer = LatexRenderer(read)
    text = renderer.document_text(template.read_text(encoding="utf-8"), byline)
    latex.write_text(text, encoding="utf-8")
    body.write_text(renderer.body_text(), encoding="utf-8")
    tables.mkdir()
    for stem, text in renderer.table_files().items():
        (tables / f"{stem}.tex").write_text(text, encoding="utf-8")


def _write_pdf(read: Document, source: str, document: Path) -> None:
    """Set the pages in a folder of their own, where the figures have their final names."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "figures").mkdir()
        for name, path in read.figures.items():
            shutil.copyfile(path, place / "figures" / f"{file_stem(name)}.pdf")
        (place / "appendix.typ").write_text(source, encoding="utf-8")
        compile_pdf(place / "appendix.typ", place / "appendix.pdf")
        shutil.copyfile(place / "appendix.pdf", document)


if __name__ == "__main__":
    run(build_appendix)
