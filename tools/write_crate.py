"""Describe the run in results/ as a research object (RO-Crate 1.1), from its manifest.

The only date is that of the manifest, so one run gives the same bytes each time.
"""

import json
import mimetypes
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

ROOT = Path(__file__).parents[1]
LICENCE = "https://spdx.org/licenses/MIT"
DATA = "https://doi.org/10.24432/C5NC77"
PAPER = "https://repub.eur.nl/pub/19678/"
EXTRA = {
    ".parquet": "application/vnd.apache.parquet",
    ".typ": "text/x-typst",
    ".md": "text/markdown",
}


def crate_of(results: Path, software: dict[str, Any]) -> ROCrate:
    """The crate of a run: every file of its manifest, the software, the paper and the data."""
    listed = results / "manifest.json"
    manifest = json.loads(listed.read_text(encoding="utf-8"))
    crate = ROCrate(version="1.1")

    def entity(address: str, kind: str, **properties: Any) -> ContextEntity:
        return crate.add(ContextEntity(crate, address, properties={"@type": kind, **properties}))

    crate.name = "A run of kappacurve: Kaymak, Ben-David & Potharst (2010) reproduced"
    crate.description = f"Tables, figures and documents of one run with seed {manifest['seed']}."
    crate.license = entity(LICENCE, "CreativeWork", name="MIT licence")
    crate.datePublished = datetime.fromtimestamp(listed.stat().st_mtime, UTC).date()
    authors = entity(
        "#authors",
        "Organization",
        name=software["authors"][0]["name"],
        url=software["repository-code"],
    )
    crate.root_dataset["author"] = crate.root_dataset["publisher"] = authors
    program = entity(
        software["repository-code"],
        "SoftwareSourceCode",
        name=software["title"],
        version=software["version"],
        license={"@id": LICENCE},
        softwareRequirements=[f"{name} {one}" for name, one in manifest["versions"].items()],
    )
    data = entity(
        DATA, "CreativeWork", name="Statlog (German Credit Data)", author="Hofmann, Hans (1994)"
    )
    paper = entity(PAPER, "ScholarlyArticle", name=software["references"][0]["title"])
    crate.root_dataset["isBasedOn"] = [paper, data]
    files = [(name, {"sha256": digest}) for name, digest in manifest["files"].items()]
    made = [_file(crate, results / name, name, **own) for name, own in files]
    made.append(_file(crate, listed, listed.name, description="Checksums, config, versions, seed"))
    run = entity("#run", "CreateAction", name="snakemake", object=data, result=made)
    run["instrument"] = program
    crate.root_dataset["mentions"] = run
    return crate


def _file(crate: ROCrate, path: Path, name: str, **properties: str) -> Any:
    kind = EXTRA.get(path.suffix) or mimetypes.guess_type(path)[0] or "text/plain"
    about = {"name": name, "encodingFormat": kind, "contentSize": str(path.stat().st_size)}
    return crate.add_file(path, name, properties={**about, **properties})


if __name__ == "__main__":
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    target = ROOT / "results" / "ro-crate-metadata.json"
    if not target.with_name("manifest.json").exists():
        sys.exit("There is no complete run in results/ to describe: start one with make reproduce.")
    text = json.dumps(crate_of(ROOT / "results", citation).metadata.generate(), indent=1)
    target.write_text(text + "\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: written.")
