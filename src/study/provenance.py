"""What a run was: versions, commit, config and the checksum of its data."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from study.code import SOURCE, code_of

PACKAGES = (
    *("numpy", "scipy", "pandas", "numba", "scikit-learn", "imbalanced-learn"),
    *("pyarrow", "matplotlib", "snakemake"),
)


def write_provenance(results: Path, config: Mapping[str, Any]) -> None:
    """Write provenance.json of a finished run; versions are those where Snakemake was started."""
    from kappacurve import __version__  # a plan is made with Snakemake alone

    data = json.loads((results / "data/provenance.json").read_text(encoding="utf-8"))
    record = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "kappacurve": __version__,
        "commit": _find_commit(),
        "code": code_of("all"),
        "python": platform.python_version(),
        "packages": {name: _find_version(name) for name in PACKAGES},
        "data": {key: data[key] for key in ("place", "rows", "sha256_of_canonical_table")},
        "config": config,
    }
    text = json.dumps(record, indent=2) + "\n"
    (results / "provenance.json").write_text(text, encoding="utf-8")


def _find_commit() -> str | None:
    """The clone's commit, with -dirty if files differ from it; None without git or its folder."""
    git = shutil.which("git")
    if git is None or not (SOURCE.parent / ".git").exists():
        return None
    command = [git, "-C", str(SOURCE.parent), "describe", "--always", "--abbrev=40", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() or None


def _find_version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
