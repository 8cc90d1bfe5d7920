"""A table from the UCI repository, under one deadline."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any

from study.errors import ExperimentError

if TYPE_CHECKING:
    import pandas as pd


URL = "https://archive.ics.uci.edu"
DEADLINE = 8.0  # seconds


def fetch_uci(dataset_id: int) -> pd.DataFrame:
    """Table of a UCI data set, as its API serves it; ExperimentError past the deadline.

    ucimlrepo sets no time-out, and a socket's time-out would not stop a server that drips one byte
    a second: the thread is left behind and ends with the job. Whatever an answer or a redirection
    leads to, the caller knows the table by its checksum.
    """
    from ucimlrepo import fetch

    answer: dict[str, Any] = {}

    def ask() -> None:
        try:
            answer["table"] = fetch.fetch_ucirepo(id=dataset_id).data.original
        except Exception as error:  # of ucimlrepo, pandas, urllib or http
            answer["error"] = str(error) or type(error).__name__

    fetch.API_BASE_URL = f"{URL}/api/dataset"
    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(DEADLINE)
    if "table" in answer:
        table: pd.DataFrame = answer["table"]
        return table
    reason = answer.get("error", f"no complete answer within {DEADLINE:g} s")
    raise ExperimentError(
        f"UCI's data set {dataset_id} could not be fetched from {URL} ({reason}). Try again "
        "later, or set data.source to bundled, the copy of German Credit in this repository, or "
        "to file."
    )
