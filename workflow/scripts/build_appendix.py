"""The appendix: one text, filled with the run's numbers, as PDF, LaTeX and Typst."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from _job import run
from kappacurve import __version__
from kappacurve.algebra import perfect_auk
from study.manifest import versions
from study.pages.document import Sources, read_document, write_document
from study.pages.filled_text import (
    fill_text,
    read_assumptions,
    setting_tables,
)

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


def _read(path: Path) -> pd.DataFrame:
    """A table, with the digits that a source prints."""
    names = pd.read_csv(path, nrows=0).columns
    return pd.read_csv(path, dtype={name: str for name in names if name.endswith("printed")})


def build_appendix(
    *,
    texts: list[Path],
    sources: list[Path],
    results: list[Path],
    files: list[Path],
    title: str,
    config: dict[str, Any],
) -> None:
    """Write FILES: the document in every format, its tables and its figures.

    `sources` are the report's captions (rst), the layouts (tex, typ), references.yaml, the default
    config, pyproject.toml, CITATION.cff and the tables of the study of many data sets; `results`
    hold what the text may show: tables (csv), figures (pdf), verdict.md and provenance.json. The
    text calls each by its path below the folder in which the document's own folder is.
    """
    source = {path.name: path for path in sources}
    folder = files[0].parents[1]
    shown = {
        (path.relative_to(folder).with_suffix("").as_posix(), path.suffix): path for path in results
    }
    tables = {name: _read(path) for (name, suffix), path in shown.items() if suffix == ".csv"}
    provenance = json.loads(shown["data/provenance", ".json"].read_text(encoding="utf-8"))
    found = versions(source["pyproject.toml"])
    facts = {
        "config": config,
        "perfect_auk": perfect_auk,
        "provenance": provenance,
        "studies": [name for name, own in config["companions"].items() if own["enabled"]],
        "versions": {name: found[name] for name in PACKAGES} | {"Python": found["python"]},
    }
    assumptions = read_assumptions(source["config.yaml"].read_text(encoding="utf-8"))
    derived = {"experiment.n_minority": int(tables["paper/sample"]["minority"].sum())}
    tables["assumptions"], tables["settings"] = setting_tables(config, assumptions, derived)
    study, names = (pd.read_csv(source[f"{name}.csv"]) for name in ("headline", "measures"))
    study["measure"] = study["measure"].map(dict(names.itertuples(index=False)))
    tables["many_data_sets/headline"] = study.dropna(subset="measure")
    captions = {path.stem: path for path in sources if path.suffix == ".rst"}
    text = fill_text(texts, captions, tables, facts)
    figures = {name: path for (name, suffix), path in shown.items() if suffix == ".pdf"}
    references = yaml.safe_load(source["references.yaml"].read_text(encoding="utf-8"))
    verdict = shown.get(("forensics/verdict", ".md"))
    said = verdict.read_text(encoding="utf-8") if verdict else ""
    document = read_document(text, Sources(tables, figures, references, said))
    byline = _byline(yaml.safe_load(source["CITATION.cff"].read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory() as drafts:
        write_document(document, Path(drafts), source, title, byline)
        for name, path in zip(FILES, files, strict=True):
            shutil.move(Path(drafts, name), path)


if __name__ == "__main__":
    run(build_appendix, snakemake)
