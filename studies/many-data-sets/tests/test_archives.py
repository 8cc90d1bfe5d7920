import gzip
import hashlib
import lzma
import os
import pickle
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from many_data_sets import archives
from many_data_sets._experiment import ExperimentError, FetchError
from many_data_sets.archives import UnobtainableError, fetch_archive, read_family, read_pickle
from many_data_sets.settings import Family

HOUSE = Path(__file__).parents[1]
TABLE = b"id;color;size;class\n1;1;0;yes\n2;2;5;no\n3;1;?;no\n4;1;0;no\n5;;7;odd\n"


def declared(content=TABLE, **own):
    own = {"separator": ";", "missing": ["?"], "target": "class", "positive": "yes"} | own
    own = {"archive": "some", "path": "some/data.csv", "leave_out": ["odd"]} | own
    return {
        "name": "mine",
        **Family(sha256=hashlib.sha256(content).hexdigest(), **own).model_dump(),
    }


@pytest.fixture
def wheel_of(tmp_path):
    def wheel_of(**files):
        path = tmp_path / "some-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(f"some/{name.replace('_', '.')}", content)
        return path

    return wheel_of


@pytest.fixture
def wheel(wheel_of):
    return wheel_of(data_csv=TABLE)


def test_a_table_inside_a_wheel(wheel):
    own = {"drop": ["id"], "categorical": ["color"], "zero_is_missing": ["size"]}
    family = read_family(declared(**own, rows=4, positives=1), wheel)
    assert family.features["color"].tolist() == ["1", "2", "1", "1"]
    np.testing.assert_array_equal(family.features["size"], [np.nan, 5, np.nan, np.nan])
    assert family.positive.tolist() == [1, 0, 0, 0]
    # Rows 1, 3 and 4 are alike.
    assert family.group.tolist() == [0, 1, 0, 0]


PLAIN = {"separator": ",", "missing": []}
ARFF = (
    b"% @data\n@relation r\n@attribute a numeric\n@ATTRIBUTE class {yes,no}\n@DATA\n1,yes\n2, no\n"
)


@pytest.mark.parametrize(
    ("content", "own", "names"),
    [
        (ARFF, PLAIN | {"format": "arff"}, "a"),
        (b"1,5,yes\n2,6,no\n", PLAIN | {"header": False}, "x1 x2"),
        (b"1,5\n2,6\n", PLAIN | {"header": False, "labels": "some/labels.txt"}, "x1 x2"),
        (b"junk\n1;yes\n2;no\n", {"columns": ["a", "class"], "skip_rows": 1}, "a"),
        (b"a;class\n1;yes\n2;no\n", {"columns": ["b", "class"], "skip_rows": 1}, "b"),
        (
            gzip.compress("é,class\n1,yes\n2,no\n".encode("latin-1")),
            PLAIN | {"encoding": "latin-1", "path": "some/data.csv.gz"},
            "é",
        ),
    ],
)
def test_a_file_is_read_as_it_is_declared(wheel_of, content, own, names):
    path = {"some/data.csv.gz": "data_csv_gz"}.get(own.get("path"), "data_csv")
    wheel = wheel_of(**{path: content, "labels_txt": "yes\nno\n"})
    family = read_family(declared(content, **own), wheel)
    assert list(family.features) == names.split()
    assert family.features.iloc[:, 0].tolist() == [1, 2] and family.positive.tolist() == [1, 0]


def test_rows_columns_and_groups_are_those_declared(wheel_of):
    rows = ["1;1;a;x;yes", "1;2;;x;no", "2;2;;x;no", "3;3;c;x;yes", ";4;d;x;no", ";5;e;x;no"]
    content = "\n".join(["g;b_1;b_2;place;class", *rows, "9;9;f;y;yes", "9;9;f;;yes"]).encode()
    own = {"keep": ["b_*"], "only": {"place": "x"}, "group": "g", "rows": 6, "positives": 2}
    family = read_family(declared(content, **own), wheel_of(data_csv=content))
    assert family.features["b_1"].tolist() == [1, 2, 2, 3, 4, 5]
    assert family.features["b_2"].tolist() == ["a", "missing", "missing", "c", "d", "e"]
    assert family.group.tolist() == [0, 0, 0, 1, 2, 3]  # also by way of a row that is alike


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"rows": 5}, "it holds 4 rows, not 5"),
        ({"positives": 2}, "it holds 1 positives, not 2"),
        ({"path": "some/other.csv"}, "can't be read"),
        ({"positive": "never"}, "'never' is not one of two classes of class"),
        (
            {"target": None, "positive": None, "positive_if": "id > 0"},
            "'id > 0' is not one of two classes of id",
        ),
        *(({key: ["sise"]}, "no column sise") for key in ("drop", "categorical")),
        *(
            ({key: of}, "no column sise")
            for key, of in (("group", "sise"), ("only", {"sise": "1"}))
        ),
        (
            {"zero_is_missing": ["sise"]},
            "there is no column sise; there are id, color, size, class",
        ),
    ],
)
def test_other_rows_or_columns_are_missing_with_the_reason(wheel, own, said):
    with pytest.raises(UnobtainableError, match=said):
        read_family(declared(**own), wheel)


def test_other_bytes_are_not_read(wheel):
    with pytest.raises(UnobtainableError, match=r"the checksum [0-9a-f]{12}\.\.\., not the"):
        read_family({**declared(), "sha256": "0" * 64}, wheel)


@pytest.mark.parametrize("sha256", [None, "0" * 64])
def test_a_wheel_is_downloaded_and_nothing_is_built(tmp_path, monkeypatch, sha256):
    (tmp_path / ".draft-my-data-1").mkdir()  # of a killed run
    calls = []

    def run(command, **_):
        draft = Path(command[command.index("--dest") + 1])
        listed = Path(command[command.index("--requirement") + 1]).read_text()
        calls.append((listed, {*command} & {"--no-deps", "--only-binary", "--require-hashes"}))
        (draft / "my_data-1.0-py3-none-any.whl").write_bytes(b"wheel")

    monkeypatch.setattr(archives.subprocess, "run", run)
    found = fetch_archive("my-data==1.0", sha256, tmp_path)
    assert [*tmp_path.iterdir()] == [found] and found.name == "my_data-1.0-py3-none-any.whl"
    own = (f" --hash=sha256:{sha256}", {"--require-hashes"}) if sha256 else ("", set())
    assert calls == [(f"my-data==1.0{own[0]}", {"--no-deps", "--only-binary"} | own[1])]
    # One that is there is taken, unless it was changed since it was fetched.
    fetch_archive("my-data==1.0", hashlib.sha256(b"wheel").hexdigest(), tmp_path)
    assert len(calls) == 1
    fetch_archive("my-data==1.0", "1" * 64, tmp_path)
    assert len(calls) == 2


FAILED = subprocess.CalledProcessError(1, "pip", stderr="ERROR: first\nERROR: last\nnote\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FAILED, "pip can't download some==1: last$"),
        (subprocess.CalledProcessError(1, "pip", stderr="note"), "some==1: no message$"),
        (subprocess.TimeoutExpired("pip", 300), "timed out after 300 seconds"),
        (None, "pip downloaded no wheel of some==1$"),
    ],
)
def test_why_a_wheel_is_missing_is_said(tmp_path, monkeypatch, error, said):
    def run(*_, **options):
        assert options["check"] and options["timeout"] == 300
        if error:
            raise error

    monkeypatch.setattr(archives.subprocess, "run", run)
    with pytest.raises(UnobtainableError, match=said):
        fetch_archive("some==1", None, tmp_path)


@pytest.mark.parametrize(
    ("condition", "positive"),
    [
        *(("size == 5", "0100"), ("size < 5", "1010"), ("size <= 5", "1110"), ("size > 5", "0001")),
        *(("size >= 5", "0101"), ("id >= 2 and color < 2", "0011")),  # the last row has no color
    ],
)
def test_a_target_derived_from_numbers(wheel, condition, positive):
    own = {"target": None, "positive": None, "positive_if": condition, "leave_out": []}
    family = read_family(declared(**own), wheel)
    assert "".join(map(str, family.positive)) == positive
    assert not {*condition.split()} & {*family.features}


@pytest.mark.parametrize(("distinct", "rows"), [(True, 2), (False, 3)])
def test_equal_rows_are_taken_once_if_asked(tmp_path, distinct, rows):
    (tmp_path / "a.csv").write_text("a,class\n1,yes\n1,yes\n2,no\n")
    own = {"path": str(tmp_path / "a.csv"), "target": "class", "positive": "yes"}
    own = Family(distinct=distinct, **own).model_dump() | {"name": "mine"}
    assert read_family(own, None).positive.tolist() == [1, 1, 0][-rows:]


def test_a_typo_in_a_declaration_of_ones_own_file_is_an_error(tmp_path):
    (tmp_path / "a.csv").write_bytes(TABLE.replace(b";", b","))
    own = Family(path=str(tmp_path / "a.csv"), target="class", positive="yes", drop=["ID"])
    with pytest.raises(ExperimentError, match=r"families\.mine: there is no column ID"):
        read_family({"name": "mine", **own.model_dump()}, None)


class Dangerous:
    def __reduce__(self):
        return os.mkdir, ("made by a pickle",)


def test_nothing_in_a_pickle_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnobtainableError, match="mkdir is not allowed"):
        read_pickle(lzma.compress(pickle.dumps(Dangerous())))
    assert not list(tmp_path.iterdir())


def test_a_pickle_holds_numbers_in_bytes_and_plain_values_in_lists_or_is_refused(monkeypatch):
    frame = pd.DataFrame({"a": [1, 2], "b": [0.5, np.nan], "c": ["x", "y"]}, dtype=object)
    frame = frame.astype({"a": "int64", "b": "float64"})
    frame.columns = frame.columns.astype(object)
    for kind, home in (("DataFrame", "frame"), ("Index", "indexes.base")):
        # As pandas 2 wrote the files that there are.
        monkeypatch.setattr(getattr(pd, kind), "__module__", f"pandas.core.{home}")
    monkeypatch.setattr(pd.RangeIndex, "__module__", "pandas.core.indexes.range")
    content = pickle.dumps(frame, protocol=5)
    found = read_pickle(lzma.compress(content))
    pd.testing.assert_frame_equal(found, frame, check_column_type=False, check_dtype=False)
    # Bytes that claim to be objects would be taken for addresses.
    with pytest.raises(UnobtainableError, match="an array of O8 is not allowed"):
        read_pickle(lzma.compress(content.replace(b"i8", b"O8")))
    buffer = np.ndarray, ((1,), np.dtype("f8"), b"8 bytes!")
    crafted = type("Crafted", (), {"__reduce__": lambda _: buffer})()
    with pytest.raises(UnobtainableError, match="can't be read safely"):
        read_pickle(lzma.compress(pickle.dumps(crafted)))


def test_a_family_from_uci_is_read_or_missing(settings_with, monkeypatch):
    own = settings_with(HOUSE / "examples/own.yaml")["families"]["german_from_uci"]
    table = pd.DataFrame({"age": [30, 40, 50], "class": [1, 2, 1]})
    monkeypatch.setattr(archives, "fetch_uci", lambda number: {144: table}[number])
    assert read_family(own, None).positive.tolist() == [0, 1, 0]

    def down(_):
        raise FetchError("no complete answer")

    monkeypatch.setattr(archives, "fetch_uci", down)
    with pytest.raises(UnobtainableError, match="no complete answer"):
        read_family(own, None)
