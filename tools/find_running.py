"""Find running processes of a run in a folder, or jobs that outlived one.

Unlocking such a folder would let two runs write the same files. Jobs on other nodes of a cluster
are not seen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
LIST = ("ps", "-A", "-ww", "-o", "pid=", "-o", "args=")  # where there is no /proc: macOS
PYTHON = re.compile(r"python[\d.]*t?|pypy[\d.]*", re.IGNORECASE)


class Process(NamedTuple):
    """A process, with its working folder if the system tells it."""

    pid: int
    arguments: list[str]
    folder: Path | None


def processes(proc: Path = PROC, listing: tuple[str, ...] = LIST) -> Iterator[Process]:
    """All visible processes but this one."""
    found = _of_proc(proc) if (proc / "self" / "cmdline").exists() else _of_ps(listing)
    return (process for process in found if process.pid != os.getpid())


def _of_proc(proc: Path) -> Iterator[Process]:
    for entry in proc.glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        except OSError:  # it has ended
            continue
        try:
            folder = (entry / "cwd").readlink()
        except OSError:  # another user's
            folder = None
        yield Process(int(entry.name), [os.fsdecode(word) for word in words], folder)


def _of_ps(listing: tuple[str, ...]) -> Iterator[Process]:
    try:
        listed = subprocess.run(  # noqa: S603  a fixed command, no shell
            listing, capture_output=True, text=True, errors="replace", check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        sys.exit(
            "Can't see whether an earlier run is still at work here: there is no /proc, and no ps "
            "that lists processes. If you are sure that none is, finish it by "
            "`.venv/bin/snakemake --unlock` and `make reproduce`."
        )
    for line in listed.splitlines():
        pid, _, command = line.strip().partition(" ")
        yield Process(int(pid), command.split(" "), None)


def works_in(process: Process, folder: Path) -> bool:
    """Is it a job of this folder, or Snakemake at work in it?

    An editor that shows a script, or a shell that waits for `make`, is neither.
    """
    names = [word.rpartition("/")[2] for word in process.arguments]
    # Among the first words: ps shows a path with blanks as several of them.
    if not any(PYTHON.fullmatch(name) for name in names[:4]):
        return False
    command = " ".join(process.arguments)
    if f"{folder}/.snakemake/scripts/" in command:
        return True
    # --directory names the folder before Snakemake has changed to it.
    named = str(folder) in {word.rpartition("=")[2] for word in process.arguments}
    inside = process.folder == folder or named
    return "snakemake" in names and (
        inside or (process.folder is None and f"{folder}/" in f"{command}/")
    )
