"""Pack the run in results/ for reviewers and archives: `make artefact` writes results/artefact.zip.

It holds every file of the manifest, the claims with their commands, the locks, and a description
(RO-Crate 1.1, profile Process Run Crate 0.5). The same folder gives the same bytes.
"""

from __future__ import annotations

import csv
import json
import mimetypes
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

ROOT = Path(__file__).resolve().parents[1]
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
CRATE = "https://w3id.org/ro/crate/1.1"
LICENCE = "https://spdx.org/licenses/MIT"
DATA = "https://doi.org/10.24432/C5NC77"
PAPER = "https://repub.eur.nl/pub/19678/"
OF_THE_REPOSITORY = ["LICENSE", "CITATION.cff", "environment.yml", "requirements/runtime.lock"]
OF_THE_REPOSITORY += ["config/config.yaml", "tests/reference/tolerances.yaml"]
KINDS = {".md": "text/markdown", ".lock": "text/plain"}
KINDS |= {".yaml": "application/yaml", ".yml": "application/yaml", ".cff": "application/yaml"}
KEPT = "studies/many-data-sets/"
METADATA = "ro-crate-metadata.json"
PAGE = """\
# A run of kappacurve

Kaymak, Ben-David & Potharst (2010), *AUK: a simple alternative to the AUC*, reproduced on German
Credit. `make reproduce` makes all of it. `make verify AGAINST=artefact.zip` holds your run against
this one: it names the files with other bytes, and every value outside its tolerance
(`tests/reference/tolerances.yaml`). Begin with `results/appendix/appendix.pdf`.

| claim | verdict | command | file | tolerance |
|---|---|---|---|---|
"""


def claims_page(claims: Path, tolerances: dict[str, Any]) -> str:
    """What a reviewer does: each claim with the command, file and tolerance that show it."""
    lines = []
    with claims.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            commands, shown, tolerance = [], [], []
            for file_name in row["file"].split("; "):
                # What the repository keeps is of the study of many data sets.
                kept = file_name.startswith(KEPT)
                shown.append(file_name if kept else f"results/{file_name}")
                commands.append(
                    "make -C studies/many-data-sets" if kept else f"snakemake --cores 4 {shown[-1]}"
                )
                tolerance.append(_tolerance(file_name, tolerances))
            cells = [row["claim"], row["verdict"]]
            for texts in (commands, shown):
                cells.append(", ".join(f"`{text}`" for text in dict.fromkeys(texts)))
            cells.append(", ".join(dict.fromkeys(tolerance)))
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return PAGE + "\n".join(lines) + "\n"


def _tolerance(name: str, tolerances: dict[str, Any]) -> str:
    if name.startswith(KEPT):
        return "not compared"
    rules = [one for one in tolerances["rules"] if fnmatchcase(name, one["tables"])]
    return next(f"{one['atol']:g}" for one in rules if one["columns"] == "*" and "rows" not in one)


def crate_of(files: dict[str, Path], manifest: Any, citation: Any) -> Any:
    """The metadata of the research object: its files, and the run that made them."""
    graph: dict[str, Any] = {}

    def entity(address: str, kind: str, **properties: Any) -> dict[str, str]:
        graph.setdefault(address, {"@id": address, "@type": kind, **properties})
        return {"@id": address}

    address = citation["repository-code"]
    author = entity(
        "#authors",
        "Organization",
        name=citation["authors"][0].get("name", "the authors of CITATION.cff"),
    )
    program = entity(
        "#kappacurve",
        "SoftwareApplication",
        name=citation["title"],
        softwareVersion=str(citation["version"]),
        **({"url": address} if "OWNER" not in address else {}),
        license={"@id": LICENCE},
        softwareRequirements=[f"{name} {one}" for name, one in manifest["versions"].items()],
    )
    parts = [
        entity(
            name,
            "File",
            name=name,
            encodingFormat=KINDS.get(path.suffix) or mimetypes.guess_type(name)[0] or "text/plain",
            contentSize=str(path.stat().st_size),
            **({"sha256": digest} if (digest := manifest["files"].get(name[8:])) else {}),
        )
        for name, path in sorted(files.items())
    ]
    parts.append(entity("README.md", "File", name="README.md", encodingFormat="text/markdown"))
    data = entity(DATA, "CreativeWork", name="Statlog (German Credit Data)")
    made = [{"@id": name} for name in sorted(files) if name.startswith("results/")]
    run = entity(
        "#run",
        "CreateAction",
        name="make reproduce",
        instrument=program,
        agent=author,
        object=data,
        result=made,
    )
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": [entity(PROFILE, "CreativeWork", name="Process Run Crate", version="0.5")],
        "name": "A run of kappacurve: Kaymak, Ben-David & Potharst (2010) reproduced",
        "description": f"Tables, figures and documents of one run with seed {manifest['seed']}.",
        "datePublished": str(citation["date-released"]),
        "license": entity(LICENCE, "CreativeWork", name="MIT licence"),
        "author": author,
        "publisher": author,
        "isBasedOn": [
            entity(PAPER, "ScholarlyArticle", name=citation["references"][0]["title"]),
            data,
        ],
        "hasPart": parts,
        "mentions": [run],
    }
    about = {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"}}
    terms = "https://w3id.org/ro/terms/workflow-run#"
    contexts = [f"{CRATE}/context", {"sha256": f"{terms}sha256"}]
    whole = [{**about, "conformsTo": {"@id": CRATE}}, root, *graph.values()]
    return {"@context": contexts, "@graph": whole}


def artefact(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the archive of the run in a folder."""
    results = folder / "results"
    manifest = json.loads((results / "manifest.json").read_text(encoding="utf-8"))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    tolerances = (ROOT / "tests" / "reference" / "tolerances.yaml").read_text(encoding="utf-8")
    files = {f"results/{name}": results / name for name in [*manifest["files"], "manifest.json"]}
    claims = results / "forensics" / "claims.csv"
    with claims.open(encoding="utf-8", newline="") as file:
        named = {name for row in csv.DictReader(file) for name in row["file"].split("; ")}
        kept = sorted(name for name in named if name.startswith(KEPT))
    files |= {name: ROOT / name for name in [*OF_THE_REPOSITORY, *kept]}
    crate = crate_of(files, manifest, citation)
    yield METADATA, json.dumps(crate, indent=1).encode()
    yield "README.md", claims_page(claims, yaml.safe_load(tolerances)).encode()
    for name, path in sorted(files.items()):
        yield name, path.read_bytes()


def write_zip(path: Path, members: Iterator[tuple[str, bytes]]) -> None:
    """Without dates or owners."""
    draft = path.with_name(f".draft-{path.name}")
    with ZipFile(draft, "w") as archive:
        for name, content in members:
            entry = ZipInfo(name)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    draft.replace(path)


if __name__ == "__main__":
    try:
        write_zip(Path("results/artefact.zip"), artefact(Path()))
    except FileNotFoundError as error:
        sys.exit(f"there is no {error.filename}: finish a run first (make reproduce).")
    print("The archive is results/artefact.zip; its README.md begins with the claims.")
