"""German Credit from the UCI repository, under one deadline.

ucimlrepo sets no time-out, and a socket's time-out would not stop a server that drips one byte
a second. So the fetch runs in a child process, which is ended when the deadline has passed. The
child runs this file alone.
"""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any
from urllib.parse import urlsplit

import pandas as pd


class FetchError(Exception):
    """UCI could not be reached in time, or did not answer with a table."""


def fetch_uci(dataset_id: int, *, base_url: str, timeout_seconds: float) -> pd.DataFrame:
    """Table of a UCI data set, as the API at the URL serves it; FetchError past the deadline."""
    # With no folder but Python's own to import from (-P): no pandas.py of the working folder runs.
    command = [sys.executable, "-P", __file__, str(dataset_id), base_url]
    try:
        child = subprocess.run(  # noqa: S603  the arguments are a number and a URL, no shell
            command, capture_output=True, timeout=timeout_seconds, check=False
        )
    except subprocess.TimeoutExpired:
        told = f"no complete answer from {base_url} within {timeout_seconds:g} s"
        raise FetchError(told) from None
    if child.returncode != 0:
        lines = child.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise FetchError(f"{base_url}: {lines[-1]}")
    return pd.read_csv(io.BytesIO(child.stdout))


def _main(dataset_id: str, base_url: str) -> None:
    from ucimlrepo import fetch as ucimlrepo_fetch

    def read_csv(address: str) -> pd.DataFrame:
        """The address stands in the answer of the server, who may write any there."""
        own, named = urlsplit(base_url), urlsplit(address)
        if named.scheme not in ("http", "https") or named.hostname != own.hostname:
            sys.exit(f"its answer names the table {address!r}, which is not on that server.")
        return read(address)

    pandas: Any = pd
    read, pandas.read_csv = pd.read_csv, read_csv
    ucimlrepo_fetch.API_BASE_URL = f"{base_url.rstrip('/')}/api/dataset"
    try:
        table = ucimlrepo_fetch.fetch_ucirepo(id=int(dataset_id)).data.original
    finally:
        pandas.read_csv = read
    table.to_csv(sys.stdout, index=False)


if __name__ == "__main__":
    _main(*sys.argv[1:])
