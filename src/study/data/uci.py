"""German Credit from the UCI repository, under one deadline.

ucimlrepo sets no time-out, and a socket's time-out would not stop a server that drips one byte
a second. So the fetch runs in a child process, which is ended when the deadline has passed. The
child runs this file alone.
"""

from __future__ import annotations

import io
import subprocess
import sys
import urllib.request
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
        reason = f"no complete answer from {base_url} within {timeout_seconds:g} s"
        raise FetchError(reason) from None
    if child.returncode != 0:
        lines = child.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise FetchError(f"{base_url}: {lines[-1]}")
    return pd.read_csv(io.BytesIO(child.stdout))


def _main(dataset_id: str, base_url: str) -> None:
    """Print the table; what is set here ends with the child."""
    from ucimlrepo import fetch as ucimlrepo_fetch

    def on_server(address: str) -> str:
        """The server's answers and redirections may name any address."""
        if _server_of(address) != _server_of(base_url):
            sys.exit(f"it sends to {address!r}, which is not on that server.")
        return address

    class Redirects(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: Any) -> Any:
            on_server(args[-1])
            return super().redirect_request(*args)

    pandas: Any = pd
    read = pd.read_csv
    pandas.read_csv = lambda address: read(on_server(address))
    urllib.request.HTTPRedirectHandler = Redirects  # type: ignore[misc]
    ucimlrepo_fetch.API_BASE_URL = f"{base_url.rstrip('/')}/api/dataset"
    table = ucimlrepo_fetch.fetch_ucirepo(id=int(dataset_id)).data.original
    table.to_csv(sys.stdout, index=False)


def _server_of(address: str) -> tuple[str, str | None, int | None]:
    url = urlsplit(address)
    return url.scheme, url.hostname, url.port or {"http": 80, "https": 443}.get(url.scheme)


if __name__ == "__main__":
    _main(*sys.argv[1:])
