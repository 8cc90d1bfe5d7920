"""The manifest of the study of many data sets: its settings and the checksums of its files."""

import json
from pathlib import Path
from typing import Any

from _job import run
from study.manifest import digests, versions


def list_bakeoff(
    *, made: list[Path], project: Path, manifest: Path, settings: dict[str, Any]
) -> None:
    """Write it as JSON with sorted names."""
    files = digests(made, manifest.parent)
    record = {"config": settings, "files": files, "versions": versions(project)}
    text = json.dumps(record, indent=1, sort_keys=True)
    manifest.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(list_bakeoff)
