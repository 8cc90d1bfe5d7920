"""Pack the run in results/ for reviewers and archives: `make artefact` writes results/artefact.zip.

It holds every file of the manifest, the claims with their commands, the locks, and a description of
each job (RO-Crate 1.1, profile Process Run Crate 0.5). The same folder gives the same bytes.
"""

from __future__ import annotations

import csv
import json
import mimetypes
import sys
from base64 import urlsafe_b64decode
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
KINDS = {".typ": "text/x-typst", ".md": "text/markdown", ".lock": "text/plain"}
KINDS |= {".yaml": "application/yaml", ".yml": "application/yaml", ".cff": "application/yaml"}
KEPT = "src/study/"
METADATA = "ro-crate-metadata.json"
OWN = {"README.md": "text/markdown", "times.json": "application/json"}
PAGE = """\
# A run of kappacurve

Kaymak, Ben-David & Potharst (2010), *AUK: a simple alternative to the AUC*, reproduced on German
Credit. `make reproduce` makes all of it. `make verify AGAINST=artefact.zip` holds your run against
this one: it names the files with other bytes, and every value outside its tolerance
(`tests/reference/tolerances.yaml`). Begin with `results/appendix/appendix.pdf`. Minutes are those
of the jobs that lead to a file, one after the other; `times.json` has each job's.

| claim | verdict | command | file | tolerance | minutes |
|---|---|---|---|---|---|
"""
Job = dict[str, Any]


def read_jobs(folder: Path) -> list[Job]:
    """The jobs that wrote the results in a folder, from Snakemake's records of their outputs."""
    jobs: dict[tuple[Any, ...], Job] = {}
    for record in (folder / ".snakemake" / "metadata").rglob("*"):
        if not record.is_file():
            continue
        told = json.loads(record.read_text(encoding="utf-8"))
        output = _decoded(record.relative_to(folder / ".snakemake" / "metadata"))
        if (folder / output).exists():
            inputs = sorted(one for one in told["input"] if one.startswith("results/"))
            params = [str(one).replace(f"{ROOT}/", "") for one in told["params"]]
            times = {"start": told["starttime"], "end": told["endtime"]}
            log = told["log"][0] if told["log"] else ""
            own = {"rule": told["rule"], "inputs": inputs, "params": params, "outputs": [], **times}
            jobs.setdefault((told["rule"], log), own)["outputs"].append(output)
    for job in jobs.values():
        job["outputs"].sort()
    return sorted(jobs.values(), key=lambda job: (job["rule"], job["outputs"]))


def _decoded(name: Path) -> str:
    """Snakemake names a record by its output's path in base 64, cut into folders if it is long."""
    return urlsafe_b64decode("".join(part.removeprefix("@") for part in name.parts)).decode()


def minutes_to(name: str, jobs: list[Job]) -> float:
    """Minutes of the jobs that lead to a result, one after the other."""
    by_output = {output: number for number, job in enumerate(jobs) for output in job["outputs"]}
    waiting, needed = [f"results/{name}"], set()
    while waiting:
        number = by_output.get(waiting.pop())
        if number is not None and number not in needed:
            needed.add(number)
            waiting += jobs[number]["inputs"]
    return sum(jobs[number]["end"] - jobs[number]["start"] for number in needed) / 60


def claims_page(claims: Path, jobs: list[Job], tolerances: dict[str, Any]) -> str:
    """What a reviewer does: each claim with the command, file, tolerance and time that show it."""
    lines = []
    with claims.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["file"].removeprefix(KEPT)
            shown, minutes = f"results/{name}", f"{minutes_to(name, jobs):.1f}"
            command = f"snakemake --cores 4 {shown}"
            if name != row["file"]:  # of the study of many data sets, which the repository keeps
                shown, command, minutes = row["file"], "make many-data-sets", "not in this run"
            cells = [row["claim"], row["verdict"], f"`{command}`", f"`{shown}`"]
            cells += [_tolerance(name, tolerances), minutes]
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return PAGE + "\n".join(lines) + "\n"


def _tolerance(name: str, tolerances: dict[str, Any]) -> str:
    if name not in tolerances["tables"]:
        return "not compared"
    rules = [one for one in tolerances["rules"] if fnmatchcase(name, one["tables"])]
    return next(f"{one['atol']:g}" for one in rules if one["columns"] == "*" and "rows" not in one)


def crate_of(files: dict[str, Path], manifest: Any, jobs: list[Job], citation: Any) -> Any:
    """The metadata of the research object: its files, the software, and an action for each job."""
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
    parts += [entity(name, "File", name=name, encodingFormat=kind) for name, kind in OWN.items()]

    def data(path: str) -> list[dict[str, str]]:
        """A file of the archive, the files of a folder, or something that was left out of it."""
        inside = [name for name in files if name == path or name.startswith(f"{path}/")]
        left_out = {"name": path, "description": "made by the run, not in this archive"}
        return [{"@id": name} for name in inside] or [
            entity(f"#{path}", "CreativeWork", **left_out)
        ]

    actions = []
    for number, job in enumerate(jobs):
        values = [
            entity(f"#job-{number}-{place}", "PropertyValue", name=f"param {place}", value=value)
            for place, value in enumerate(job["params"])
        ]
        given = [one for path in job["inputs"] for one in data(path)] + values
        made = [one for path in job["outputs"] for one in data(path)]
        own = {"name": job["rule"], "instrument": program, "agent": author, "result": made}
        own["object"] = given or [entity(DATA, "CreativeWork", name="Statlog (German Credit Data)")]
        own["description"] = f"Job of the rule {job['rule']}; its times are in times.json"
        actions.append(entity(f"#job-{number}", "CreateAction", **own))
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
            entity(DATA, "CreativeWork", name="Statlog (German Credit Data)"),
        ],
        "hasPart": parts,
        "mentions": actions,
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
        kept = sorted({row["file"] for row in csv.DictReader(file) if KEPT in row["file"]})
    files |= {name: ROOT / name for name in [*OF_THE_REPOSITORY, *kept]}
    jobs = read_jobs(folder)
    times = {f"#job-{n}": [job["start"], job["end"]] for n, job in enumerate(jobs)}
    crate = crate_of(files, manifest, jobs, citation)
    yield METADATA, json.dumps(crate, indent=1).encode()
    yield "README.md", claims_page(claims, jobs, yaml.safe_load(tolerances)).encode()
    yield "times.json", json.dumps(times, indent=1).encode()
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
