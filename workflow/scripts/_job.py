"""What every script does around its one function: find the package, log, say what went wrong.

A script ends with ``with job(snakemake):`` and a call with named arguments.
"""

from __future__ import annotations

import csv
import ctypes
import gc
import logging
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# The code of this checkout is the code that runs, whether or not it is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from study.errors import ExperimentError

# By default Python looks for garbage after every 700 new objects: an eighth of a job's time.
gc.set_threshold(100_000)
PR_SET_PDEATHSIG = 1


@contextmanager
def job(snakemake: Any) -> Iterator[None]:
    """The work of a script: logged, ended with Snakemake, its errors in a sentence."""
    _die_with_snakemake()
    # Processes that a job starts (joblib's, for an estimator with n_jobs) import nothing from the
    # working folder, where a pandas.py may lie.
    os.environ["PYTHONSAFEPATH"] = "1"
    _log_to(Path(snakemake.log[0]), snakemake.rule)
    try:
        yield
    except Exception as error:
        if fixable := _fixable(error) or _find_damage(snakemake.input):
            for line in getattr(error, "lines", [fixable]):
                logging.error("%s", " ".join(line.split()))
        else:
            logging.exception("unexpected error; please report it with this log")
        sys.exit(1)
    # Without Python's last search, through all that was imported: 0.3 s of a job.
    gc.freeze()


def _die_with_snakemake() -> None:
    # A job that outlives a killed Snakemake would write into the files of the next run. Linux ends
    # it with its parent; the parent may have gone before that was asked for (a job that is adopted
    # has another, which in a container is process 1).
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if b"snakemake" not in Path(f"/proc/{os.getppid()}/cmdline").read_bytes():
            sys.exit(1)


def _fixable(error: Exception) -> str | None:
    """What to tell the user if input, memory or the disk is the cause."""
    if isinstance(error, ExperimentError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this job: run with fewer --cores, or free some."
    if isinstance(error, OSError) and error.errno:  # no space, no right to write, and the like
        place = f" {error.filename}" if error.filename else ""
        return f"can't read or write{place}: {os.strerror(error.errno)}. Fix that, then run again."
    return None


def _find_damage(paths: Iterable[str]) -> str | None:
    """The first csv that is no whole table of lines, such as one of a full disk."""
    for path in paths:
        if path.endswith(".csv") and Path(path).is_file():
            try:
                with Path(path).open(encoding="utf-8", newline="") as file:
                    widths = {len(row) for row in csv.reader(file)}
            except (UnicodeDecodeError, csv.Error):
                widths = set()
            if len(widths) != 1 or Path(path).read_bytes()[-1:] != b"\n":
                return f"{path} is damaged: delete it and run again."
    return None


def _log_to(path: Path, rule: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    to_file = logging.FileHandler(path, mode="w", encoding="utf-8")
    to_file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    to_console = logging.StreamHandler()
    to_console.setFormatter(logging.Formatter(f"[{rule}] %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[to_file, to_console], force=True)
    logging.captureWarnings(capture=True)
    # The log may lie on the disk that is full: the console has the message then.
    logging.raiseExceptions = False
    # fontTools reports each table of each font that it embeds.
    logging.getLogger("fontTools").setLevel(logging.WARNING)
