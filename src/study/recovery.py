"""The command of a run that has not finished, by which `make recover` finishes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

RECORD = Path(".snakemake") / "unfinished.json"


class Unfinished(NamedTuple):
    """Snakemake's arguments, and the checksums of the config files as they were read."""

    arguments: list[str]
    configs: dict[str, str]

    def changed(self) -> list[str]:
        """Config files that are not as they were read."""
        return [name for name, checksum in self.configs.items() if _checksum(name) != checksum]


def begin(arguments: Sequence[str], configs: Iterable[str | Path]) -> None:
    """Note the run that begins in the current folder."""
    names = [str(Path(name).absolute()) for name in configs]
    found = Unfinished(list(arguments), {name: _checksum(name) for name in names})
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(found._asdict(), indent=1), encoding="utf-8")


def end(folder: Path = Path()) -> None:
    """Forget it."""
    (folder / RECORD).unlink(missing_ok=True)


def unfinished(folder: Path) -> Unfinished | None:
    """The run that began in a folder and has not finished, if there is one."""
    try:
        return Unfinished(**json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):  # never begun, or killed as it was noted
        return None


def _checksum(name: str) -> str:
    path = Path(name)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"
