"""What the jobs of a run wrote: files that something else has changed since are named.

Beside its log, each job leaves a record of every file that it wrote: size, time and checksum.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from study.errors import ExperimentError

RESULTS = Path("results")
RECORDS = RESULTS / "logs" / "written"
MOST_NAMED = 5


def note(path: Path, draft: Path) -> None:
    """Record a file below results, or all files of a folder, before the draft gets its name."""
    if path.parts[0] != RESULTS.name:
        return
    for file in [draft, *draft.rglob("*")]:
        if file.is_file():
            record = _record(path / file.relative_to(draft))
            record.parent.mkdir(parents=True, exist_ok=True)
            found = [*_size_and_time(file), _checksum(file)]
            record.write_text(json.dumps(found), encoding="utf-8")


def is_changed(path: Path) -> bool:
    """Whether a file is there, but not as its job wrote it."""
    try:
        *known, checksum = json.loads(_record(path).read_text(encoding="utf-8"))
        return bool(known != _size_and_time(path) and checksum != _checksum(path))
    except (OSError, ValueError, TypeError):  # deleted, made before there were records, or halved
        return False


def refuse_changed() -> None:
    """Raise ExperimentError if a file of the results is not as its job wrote it."""
    paths = (
        RESULTS / one.relative_to(RECORDS).with_suffix("")
        for one in sorted(RECORDS.rglob("*.json"))
    )
    if found := [str(path) for path in paths if is_changed(path)]:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        raise ExperimentError(
            f"changed since the run wrote it, or damaged: {', '.join(found[:MOST_NAMED])}{more}. "
            "Delete what is named, then run again."
        )


def _record(path: Path) -> Path:
    return RECORDS / f"{path.relative_to(RESULTS)}.json"


def _size_and_time(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
