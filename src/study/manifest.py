"""The manifest of a run: what it made, as checksums, and what it was made from."""

from __future__ import annotations

import hashlib
import platform
import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import kappacurve

# Where the data came from and when, and therefore different in every run.
OUTSIDE = ("provenance.json",)


def files_of_run(listed: Iterable[Path]) -> list[Path]:
    """The listed files with the other formats beside them, and all files of listed folders.

    ``a/table.csv`` stands for ``a/table.tex`` and so on, too: one rule makes all formats.
    """
    files: set[Path] = set()
    for path in listed:
        files.update(path.rglob("*") if path.is_dir() else path.parent.glob(f"{path.stem}.*"))
    # Snakemake keeps a hidden timestamp in a folder that is an output.
    return sorted(
        path
        for path in files
        if path.is_file() and path.name not in OUTSIDE and not path.name.startswith(".")
    )


def digests(files: Iterable[Path], root: Path) -> dict[str, str]:
    """SHA-256 of each file, by its path below the root."""
    by_name = {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    return dict(sorted(by_name.items()))


def versions(project: Path) -> dict[str, str]:
    """Versions of Python and of the run-time dependencies that a pyproject.toml lists.

    A package without metadata has none.
    """
    stated = tomllib.loads(project.read_text(encoding="utf-8"))
    listed = [*stated["project"]["dependencies"], *stated["dependency-groups"]["pipeline"]]
    names = sorted(re.split(r"[<>=!~\[; ]", line)[0] for line in listed)
    interpreter = {"python": platform.python_version(), "kappacurve": kappacurve.__version__}
    return interpreter | {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
