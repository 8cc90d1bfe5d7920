"""The manifest: a checksum of every table and figure of the run, and what they were made from."""

import json
from pathlib import Path
from typing import Any

from _job import run
from study.manifest import digests, files_of_run, versions


def write_manifest(
    *,
    made: list[Path],
    provenance: Path | list[Path],
    project: Path,
    manifest: Path,
    config: dict[str, Any],
) -> None:
    """Write it as JSON with sorted names, the same bytes for the same run."""
    # Several are those of the user's own data, in folders of their names.
    found = {
        path.parts[-3]: json.loads(path.read_text(encoding="utf-8"))["sha256_of_canonical_table"]
        for path in ([provenance] if isinstance(provenance, Path) else provenance)
    }
    record = {
        "versions": versions(project),
        "data_sha256": next(iter(found.values())) if isinstance(provenance, Path) else found,
        "seed": config["seed"],
        "config": config,
        # The manifest lies in the folder that it describes.
        "files": digests(files_of_run(made), manifest.parent),
    }
    # A date in a config is no JSON; its text is.
    text = json.dumps(record, indent=1, sort_keys=True, default=str)
    manifest.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(write_manifest)
