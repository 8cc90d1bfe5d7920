"""German Credit, and the fetch from UCI, against a server on this machine that speaks its API."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from prepare_german_credit import prepare_german_credit
from study.data import german_credit
from study.data.german_credit import (
    ATTRIBUTES,
    BUNDLED_FILE,
    encode,
    fetch_uci,
    from_uci_columns,
    read_german_data,
)
from study.errors import ExperimentError
from study.printed import CLASS_COUNTS

NAMES = [f"Attribute{i}" for i in range(1, len(ATTRIBUTES) + 1)]


@pytest.fixture
def table():
    return read_german_data(BUNDLED_FILE)


def served():
    """The table as UCI's API has it."""
    table = read_german_data(BUNDLED_FILE).drop(columns="row").set_axis([*NAMES, "class"], axis=1)
    return table.assign(**{"class": table["class"].map({"good": 1, "bad": 2})})


def test_canonical_table_and_uci_columns_in_another_order(table):
    assert table["class"].value_counts()[["good", "bad"]].tolist() == [*CLASS_COUNTS.values()]
    assert table["row"].tolist() == list(range(1, 1001))
    assert from_uci_columns(served().iloc[:, ::-1], "UCI").equals(table)


@pytest.mark.parametrize("content", ["", "a,b,c\n1,2,3\n", "1 2 3\n1 2 3 4\n", "\xff\xfe"])
def test_other_formats_are_refused(tmp_path, content):
    path = tmp_path / "german.data"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ExperimentError, match=r"german\.data"):
        read_german_data(path)


def test_features_of_both_encodings(table):
    features = encode(table, "strathclyde")
    assert features.shape == (1000, 2 + 24)
    printed = """
    1 6 4 12 5 5 3 4 1 67 3 2 1 2 1 0 0 1 0 0 1 0 0 1
    2 48 2 60 1 3 2 2 1 22 3 1 1 1 1 0 0 1 0 0 1 0 0 1
    4 12 4 21 1 4 3 3 1 49 3 1 2 1 1 0 0 1 0 0 1 0 1 0
    """  # as in german.data-numeric
    rows = [[int(cell) for cell in line.split()] for line in printed.strip().splitlines()]
    assert features.head(3).drop(columns=["row", "minority"]).to_numpy().tolist() == rows
    features = encode(table, "onehot")
    assert features.shape == (1000, 2 + 61)
    assert (features["minority"] == (table["class"] == "bad")).all()
    for attribute in ("purpose", "job"):
        assert (features.filter(regex=f"^{attribute}_A").sum(axis=1) == 1).all()
    # A410 is a code of its own, not A41 with a zero.
    assert {"purpose_A41", "purpose_A410"} <= set(features)


ENOUGH = 60.0  # seconds, for a fetch that is meant to succeed on a busy machine


class UciServer(ThreadingHTTPServer):
    """What UCI's API answers for data set 144, or a fault, if named so of metadata or csv alone."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.fault = ""
        self.csv = served().to_csv(index=False).encode()
        self.stopped = threading.Event()

    def metadata(self):
        variables = [{"name": name, "role": "Feature"} for name in NAMES]
        variables.append({"name": "class", "role": "Target"})
        data = {"uci_id": 144, "name": "Statlog (German Credit Data)", "variables": variables}
        data |= {"data_url": f"{self.url}/static/public/144/data.csv"}
        data |= {"additional_info": None, "intro_paper": None}
        return json.dumps({"status": 200, "data": data}).encode()


class Handler(BaseHTTPRequestHandler):
    server: UciServer

    def do_GET(self):
        asked = "metadata" if self.path.startswith("/api/dataset?id=144") else "csv"
        body = self.server.metadata() if asked == "metadata" else self.server.csv
        fault, _, of = self.server.fault.partition(" ")
        fault = fault if of in ("", asked) else ""
        if fault == "down":
            return self.send_error(502)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault != "drip":
            return self.wfile.write(body[: len(body) // (1 + (fault == "cut"))])
        with contextlib.suppress(OSError):
            for byte in body:
                if self.server.stopped.wait(0.1):
                    return
                self.wfile.write(bytes([byte]))

    def log_message(self, *args):
        pass


@pytest.fixture
def server(monkeypatch):
    with UciServer() as running:
        monkeypatch.setattr(german_credit, "URL", running.url)
        monkeypatch.setattr(german_credit, "DEADLINE", ENOUGH)
        thread = threading.Thread(target=running.serve_forever, args=(0.05,))
        thread.start()
        yield running
        running.stopped.set()
        running.shutdown()
        thread.join()


@pytest.mark.parametrize("fault", ["down", "cut metadata", "cut csv"])
def test_no_fault_passes_for_a_table(server, fault):
    server.fault = fault
    with pytest.raises(ExperimentError, match=r"could not be fetched|are not the ones"):
        from_uci_columns(fetch_uci(144), "UCI")


def test_the_deadline_covers_the_whole_fetch(server, monkeypatch):
    server.fault = "drip"
    monkeypatch.setattr(german_credit, "DEADLINE", 2)
    start = time.monotonic()
    with pytest.raises(ExperimentError, match=r"no complete answer within 2 s"):
        fetch_uci(144)
    assert time.monotonic() - start < ENOUGH / 2


@pytest.mark.parametrize(
    ("fault", "code", "why"),
    [
        ("down", b"A11,6,", "could not be fetched"),
        ("", b"A12,6,", "are not the ones this project knows"),
    ],
)
def test_auto_falls_back_where_uci_alone_refuses(server, tmp_path, caplog, fault, code, why):
    def download(source):
        prepare_german_credit(file=None, source=source, folder=tmp_path)
        record = json.loads((tmp_path / "provenance.json").read_text())
        return record, (tmp_path / "table.csv").read_bytes()

    found, table = download("auto")
    assert (found["source_used"], found["rows"]) == ("uci", 1000)
    assert found["class_counts"] == {"good": 700, "bad": 300}
    server.fault, server.csv = fault, server.csv.replace(b"A11,6,", code, 1)
    record, fallen_back = download("auto")
    assert fallen_back == table
    assert record["source_used"] == "bundled"
    assert why in record["note"]
    warnings = [line.message for line in caplog.records if line.levelname == "WARNING"]
    assert warnings == [record["note"]]
    with pytest.raises(ExperimentError, match=rf"{why}.* data\.source to bundled"):
        download("uci")
