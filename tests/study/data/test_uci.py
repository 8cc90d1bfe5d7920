"""German Credit, and the fetch from UCI, against a server on this machine that speaks its API."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from study.data import german_credit as uci
from study.errors import ExperimentError

NAMES = [f"Attribute{i}" for i in range(1, len(uci.ATTRIBUTES) + 1)]
TABLE = uci.read_german_data(uci.BUNDLED_FILE)


def served():
    """The table as UCI's API has it."""
    table = TABLE.drop(columns="row").set_axis([*NAMES, "class"], axis=1)
    return table.assign(**{"class": table["class"].map({"good": 1, "bad": 2})})


def test_features_are_those_that_uci_prints():
    assert uci.from_uci_columns(served().iloc[:, ::-1], "UCI").equals(TABLE)
    assert TABLE["class"].value_counts().to_dict() == {"good": 700, "bad": 300}
    printed = """
    1 6 4 12 5 5 3 4 1 67 3 2 1 2 1 0 0 1 0 0 1 0 0 1
    2 48 2 60 1 3 2 2 1 22 3 1 1 1 1 0 0 1 0 0 1 0 0 1
    4 12 4 21 1 4 3 3 1 49 3 1 2 1 1 0 0 1 0 0 1 0 1 0
    """  # as in german.data-numeric
    rows = [[int(cell) for cell in line.split()] for line in printed.strip().splitlines()]
    features = uci.encode(TABLE, "strathclyde").drop(columns=["row", "minority"])
    assert features.head(3).to_numpy().tolist() == rows
    features = uci.encode(TABLE, "onehot")
    assert features.shape == (1000, 2 + 61)
    assert {"purpose_A41", "purpose_A410"} <= set(features)


class Handler(BaseHTTPRequestHandler):
    """What UCI's API answers for data set 144, or the server's fault."""

    def do_GET(self):
        server, is_csv = self.server, "dataset" not in self.path
        body, fault = server.csv if is_csv else server.describe(), server.fault
        if fault == "down":
            return self.send_error(502)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault != "drip":
            is_cut = fault == ("cut csv" if is_csv else "cut metadata")
            return self.wfile.write(body[: len(body) // (1 + is_cut)])
        with contextlib.suppress(OSError):
            for byte in body:
                if server.stopped.wait(0.1):
                    return
                self.wfile.write(bytes([byte]))

    def log_message(self, *args):
        pass


class UciServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault, self.stopped = "", threading.Event()
        self.csv = served().to_csv(index=False).encode()

    def describe(self):
        url = f"http://127.0.0.1:{self.server_port}/data.csv"
        variables = [{"name": name, "role": "Feature"} for name in NAMES]
        variables.append({"name": "class", "role": "Target"})
        data = {"uci_id": 144, "name": "Statlog", "variables": variables, "data_url": url}
        return json.dumps({"status": 200, "data": data | dict.fromkeys(EMPTY)}).encode()


EMPTY = ("additional_info", "intro_paper")


@pytest.fixture
def server(monkeypatch):
    with UciServer() as running:
        monkeypatch.setattr(uci, "URL", f"http://127.0.0.1:{running.server_port}")
        monkeypatch.setattr(uci, "DEADLINE", 60.0)
        thread = threading.Thread(target=running.serve_forever, args=(0.05,))
        thread.start()
        yield running
        running.stopped.set()
        running.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("fault", "code", "why"),
    [
        ("down", b"A11,6,", "could not be fetched"),
        ("cut metadata", b"A11,6,", "could not be fetched"),
        ("cut csv", b"A11,6,", "could not be fetched|are not the ones"),
        ("", b"A12,6,", "are not the ones this project knows"),
    ],
)
def test_auto_falls_back_where_uci_alone_refuses(server, fault, code, why):
    table, place, note = uci.load_german_credit("auto")
    assert table.equals(TABLE) and "144" in place and not note
    server.fault, server.csv = fault, server.csv.replace(b"A11,6,", code, 1)
    table, place, note = uci.load_german_credit("auto")
    assert table.equals(TABLE) and place == "german.data" and "bundled copy is used" in note
    with pytest.raises(ExperimentError, match=rf"({why}).* data\.source to bundled"):
        uci.load_german_credit("uci")


def test_an_answer_without_a_table(monkeypatch):
    answer = type("Answer", (), {"data": type("Data", (), {"original": None})})
    monkeypatch.setattr("ucimlrepo.fetch.fetch_ucirepo", lambda **_: answer)
    with pytest.raises(ExperimentError, match=r"could not be fetched .*\(no table\)"):
        uci.fetch_uci()


def test_the_deadline_covers_the_whole_fetch(server, monkeypatch):
    server.fault = "drip"
    monkeypatch.setattr(uci, "DEADLINE", 1)
    start = time.monotonic()
    with pytest.raises(ExperimentError, match="no complete answer within 1 s"):
        uci.fetch_uci()
    assert time.monotonic() - start < 30
