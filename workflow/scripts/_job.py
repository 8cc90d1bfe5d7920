"""What every script does around its one function: find the package, log, write whole files.

A job's outputs are written under a temporary name and renamed when all of them are complete, so
that a killed or failing job leaves no half-written table behind.
"""

from __future__ import annotations

import errno
import glob
import logging
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

# The code of this checkout is the code that runs, whether or not it is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from study.errors import ExperimentError

# Errors of the disk that the user can fix: no space, a quota, a limit of size, no right to write.
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}


def run(function: Callable[..., None]) -> None:
    """Call the function with the inputs, outputs and params of the job, by their names.

    Inputs and outputs come as ``Path`` (a list of them where the rule lists several). The input
    ``code`` is left out: it is there for Snakemake alone.
    """
    # Processes that a job starts (joblib's, for an estimator with n_jobs) import nothing from the
    # working folder, where a pandas.py may lie.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Snakemake puts the object that describes the job into the script that it runs.
    snakemake = sys.modules["__main__"].snakemake
    _log_to(Path(snakemake.log[0]), snakemake.rule)
    inputs = {name: _paths(value) for name, value in snakemake.input.items() if name != "code"}
    finals = {name: _paths(value) for name, value in snakemake.output.items()}
    drafts = {name: _each(_draft, value) for name, value in finals.items()}
    _remove_drafts_of_killed_jobs(finals)
    try:
        function(**inputs, **drafts, **dict(snakemake.params.items()))
    except ExperimentError as error:
        _remove(drafts)
        logging.error("%s", error)
        sys.exit(1)
    except BaseException as error:
        _remove(drafts)
        if fixable := _of_the_machine(error):
            logging.error("%s", fixable)
        else:
            logging.exception("unexpected error; please report it with this log")
        sys.exit(1)
    for name, value in finals.items():
        for draft, final in zip(_flat(drafts[name]), _flat(value), strict=True):
            draft.replace(final)


def _of_the_machine(error: BaseException) -> str | None:
    """What to tell the user if memory, the disk or a damaged file is the cause, not the program."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this job: run with fewer --cores, or free some."
    if isinstance(error, OSError) and error.errno in DISK:
        place = f" {error.filename}" if error.filename else ""
        return f"can't read or write{place}: {os.strerror(error.errno)}. Fix that, then run again."
    # pyarrow is not imported for this: most jobs do without it.
    if type(error).__name__ == "ArrowInvalid" and "Parquet" in str(error):
        said = str(error).rstrip(".")
        return f"a file is damaged: {said}. Delete it, then run again."
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


def _paths(value: str | list[str]) -> Path | list[Path]:
    return Path(value) if isinstance(value, str) else [Path(one) for one in value]


def _flat(value: Path | list[Path]) -> list[Path]:
    return [value] if isinstance(value, Path) else value


def _each(change: Callable[[Path], Path], value: Path | list[Path]) -> Path | list[Path]:
    return change(value) if isinstance(value, Path) else [change(one) for one in value]


def _draft(path: Path) -> Path:
    return path.with_name(f".draft-{os.getpid()}-{path.name}")  # keeps the suffix


def _remove_drafts_of_killed_jobs(finals: dict[str, Path | list[Path]]) -> None:
    # Snakemake's lock sees to it that no other job makes the same files now.
    for path in (one for value in finals.values() for one in _flat(value)):
        stale = path.parent.glob(f".draft-*-{glob.escape(path.name)}")
        _remove({"stale": list(stale)})


def _remove(drafts: dict[str, Path | list[Path]]) -> None:
    for value in drafts.values():
        for path in _flat(value):
            if path.is_dir():
                shutil.rmtree(path)
            path.unlink(missing_ok=True)
