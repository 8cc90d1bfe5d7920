"""The manifest: a checksum of every table and figure of the run, and what they were made from."""

import json
from pathlib import Path
from typing import Any

from _job import run
from study.manifest import digests, files_of_run, versions


def write_manifest(
    *,
    made: list[Path],
    project: Path,
    manifest: Path,
    config: dict[str, Any],
    provenance: Path,
) -> None:
    """Write it as JSON with sorted names, the same bytes for the same run."""
    # The manifest lies in the folder that it describes.
    files = digests(files_of_run(made), manifest.parent)
    record: dict[str, Any] = {"versions": versions(project), "config": config, "files": files}
    read = json.loads(provenance.read_text(encoding="utf-8"))
    record |= {"data_sha256": read["sha256_of_canonical_table"], "seed": config["seed"]}
    # A date in a config is no JSON; its text is.
    text = json.dumps(record, indent=1, sort_keys=True, default=str)
    manifest.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(write_manifest, snakemake)
