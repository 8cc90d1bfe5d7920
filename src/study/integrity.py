"""Whether a run's files are still as its jobs wrote them.

Of every file that it writes below results, a job leaves a record (size, time and checksum) among
Snakemake's own metadata. A run never takes a file that was edited, damaged or put there by hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from study.errors import ExperimentError

RESULTS = Path("results")
RECORDS = Path(".snakemake") / "written"
MOST_NAMED = 5
CHANGED = "changed since the run wrote it, or damaged"


def record(path: Path, draft: Path) -> None:
    """Record a file below results, or all files of a folder, before the draft gets its name."""
    if path.parts[0] != RESULTS.name:
        return
    for file in [draft, *draft.rglob("*")]:
        if file.is_file():
            target = _record(path / file.relative_to(draft))
            target.parent.mkdir(parents=True, exist_ok=True)
            known = [*_size_and_time(file), _checksum(file)]
            target.write_text(json.dumps(known), encoding="utf-8")


def is_changed(path: Path) -> bool:
    """Whether a file is there, but not as its job wrote it."""
    if not path.is_file() or (known := _known(path)) is None:
        return False
    return known[:2] != _size_and_time(path) and known[2] != _checksum(path)


def refuse_changed() -> None:
    """Raise ExperimentError if a file of the results is not as its job wrote it."""
    names = sorted(
        record.relative_to(RECORDS).with_suffix("") for record in RECORDS.rglob("*.json")
    )
    _refuse(CHANGED, filter(is_changed, map(RESULTS.joinpath, names)))


def refuse_inputs(paths: Iterable[Path]) -> None:
    """Raise ExperimentError if one of these files is changed, or below results without a record."""
    files = [path for path in paths if path.parts[0] == RESULTS.name and path.is_file()]
    _refuse(CHANGED, filter(is_changed, files))
    _refuse("not written by a run in this folder", [file for file in files if _known(file) is None])


def _refuse(why: str, files: Iterable[Path]) -> None:
    if named := list(map(str, files)):
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        raise ExperimentError(
            f"{why}: {', '.join(named[:MOST_NAMED])}{more}. Delete what is named, then run again."
        )


def _record(path: Path) -> Path:
    return RECORDS / f"{path.relative_to(RESULTS)}.json"


def _known(path: Path) -> list[Any] | None:
    """Size, time and checksum of a file below results as its job wrote it, if that is recorded."""
    try:
        size, time, checksum = json.loads(_record(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):  # also a record that a crash has cut off
        return None
    return [size, time, checksum]


def _size_and_time(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
