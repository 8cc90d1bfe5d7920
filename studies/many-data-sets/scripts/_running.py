"""What every script does around its function: find the code, log, end in a sentence."""

import ctypes
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The code of this checkout runs, whether or not it is installed: the experiment's, and the study's.
sys.path.insert(0, str(Path(__file__).parent / "../../../src"))
sys.path.insert(0, str(Path(__file__).parent / "../src"))

from many_data_sets._experiment import ExperimentError

PR_SET_PDEATHSIG = 1


@contextmanager
def job(log: str) -> Iterator[None]:
    """Log to the file and the console; what the user can fix is one sentence, no traceback."""
    if sys.platform == "linux":
        # A job that outlives a killed Snakemake would write into the next run's files.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if b"snakemake" not in Path(f"/proc/{os.getppid()}/cmdline").read_bytes():
            sys.exit(1)  # it was killed before
    # Processes that a job starts import nothing from the working folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    both = logging.FileHandler(log, mode="w", encoding="utf-8"), logging.StreamHandler()
    logging.basicConfig(level=logging.INFO, format="%(message)s", handlers=both, force=True)
    logging.captureWarnings(capture=True)
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # a line a table of each font
    try:
        yield
    except ExperimentError as error:
        logging.error("%s", error)
        sys.exit(1)
    except Exception:
        logging.exception("unexpected error; please report it with this log")
        sys.exit(1)
