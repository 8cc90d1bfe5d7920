"""What every script of the Snakefile does around its function."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from many_data_sets.errors import StudyError


@contextmanager
def job(log: str) -> Iterator[None]:
    """Log to a file and the console; an error about the data is one sentence."""
    handlers = logging.FileHandler(log, mode="w", encoding="utf-8"), logging.StreamHandler()
    logging.basicConfig(level=logging.INFO, format="%(message)s", handlers=handlers, force=True)
    try:
        yield
    except StudyError as error:
        logging.error("%s", error)
        sys.exit(1)
    except Exception:
        logging.exception("unexpected error")
        sys.exit(1)
