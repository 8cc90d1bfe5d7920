"""What every script does around its one function: find the package, log, write whole files."""

from __future__ import annotations

import ctypes
import errno
import glob
import logging
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

# The code of this checkout is the code that runs, whether or not it is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from kappacurve._messages import printable
from study import integrity
from study.errors import ExperimentError

# Errors of the disk that the user can fix: no space, a quota, a limit of size, no right to write.
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
DISK |= {errno.EISDIR, errno.ENOTDIR, errno.EEXIST}
PR_SET_PDEATHSIG = 1

F = TypeVar("F", bound=Callable[..., None])


def job(function: F) -> F:
    """Run a script's function where Snakemake has started the script; an import only defines it."""
    if function.__module__ == "__main__":
        _die_with_snakemake()
        run(function)
    return function


def _die_with_snakemake() -> None:
    """On Linux; a job that outlives a killed Snakemake would write into the next run's files."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # It may have been killed before; in a container it is process 1, which else adopts orphans.
        if b"snakemake" not in Path(f"/proc/{os.getppid()}/cmdline").read_bytes():
            sys.exit(1)


def run(function: Callable[..., None]) -> None:
    """Call the function with the inputs, outputs and params of the job, by their names.

    Inputs and outputs come as ``Path`` (a list of them where the rule lists several). The input
    ``code`` is there for Snakemake alone. Outputs are renamed when all of them are complete, so
    that a killed or failing job leaves no half-written table behind.
    """
    # Processes that a job starts (joblib's, for an estimator with n_jobs) import nothing from the
    # working folder, where a pandas.py may lie.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Snakemake puts the object that describes the job into the script that it runs.
    snakemake = sys.modules["__main__"].snakemake
    _log_to(Path(snakemake.log[0]), snakemake.rule)
    inputs = {name: _each(Path, value) for name, value in snakemake.input.items() if name != "code"}
    outputs = {name: _each(_draft, value) for name, value in snakemake.output.items()}
    finals = [Path(path) for path in snakemake.output]
    # Of killed jobs: Snakemake's lock sees to it that no other job makes the same files now.
    for path in finals:
        for draft in path.parent.glob(f".draft-*-{glob.escape(path.name)}"):
            _remove(draft)
    try:
        integrity.refuse_inputs(map(Path, snakemake.input))
        function(**inputs, **outputs, **dict(snakemake.params.items()))
        for path in finals:
            if path.is_dir() and not _draft(path).is_dir():
                raise ExperimentError(
                    f"{path} is a folder, but a file belongs there: move it away."
                )
            integrity.record(path, _draft(path))
    except BaseException as error:
        for path in finals:
            _remove(_draft(path))
        if fixable := _fixable(error):
            logging.error("%s", fixable)
        else:
            logging.exception("unexpected error; please report it with this log")
        sys.exit(1)
    for path in finals:
        if path.is_dir() and _draft(path).is_dir():  # nothing replaces a folder that holds files
            shutil.rmtree(path)
        _draft(path).replace(path)


def _fixable(error: BaseException) -> str | None:
    """What to tell the user if input, memory or the disk is the cause."""
    if isinstance(error, ExperimentError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this job: run with fewer --cores, or free some."
    if isinstance(error, OSError) and error.errno in DISK:
        place = f" {error.filename}" if error.filename else ""
        return f"can't read or write{place}: {os.strerror(error.errno)}. Fix that, then run again."
    return None


class _OneLine(logging.Formatter):
    """Each message in one line: it may name files and columns of a stranger."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 logging's name
        record.message = printable(record.message.strip())
        return super().formatMessage(record)


def _log_to(path: Path, rule: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    to_file = logging.FileHandler(path, mode="w", encoding="utf-8")
    to_file.setFormatter(_OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    to_console = logging.StreamHandler()
    to_console.setFormatter(_OneLine(f"[{rule}] %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[to_file, to_console], force=True)
    logging.captureWarnings(capture=True)
    # The log may lie on the disk that is full: the console has the message then.
    logging.raiseExceptions = False
    # fontTools reports each table of each font that it embeds.
    logging.getLogger("fontTools").setLevel(logging.WARNING)


def _each(change: Callable[[str], Path], value: str | list[str]) -> Path | list[Path]:
    return change(value) if isinstance(value, str) else [change(name) for name in value]


def _draft(path: str | Path) -> Path:
    return Path(path).with_name(f".draft-{os.getpid()}-{Path(path).name}")  # keeps the suffix


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
