"""Data sets are read as declared, and nothing of a package runs."""

import hashlib
import lzma
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from many_data_sets.data_sets import LISTS, read_data_set, read_declarations
from many_data_sets.errors import StudyError
from many_data_sets.pickles import read_pickle

HOUSE = Path(__file__).parents[1]
TABLE = b"id;color;size;class\n1;1;0;yes\n2;2;5;no\n3;1;?;no\n4;1;0;no\n5;;7;odd\n"
USUAL = {"name": "own", "package": "some", "path": "some/data.csv", "format": "csv"}
USUAL |= {"separator": ";", "header": "yes", "skip_rows": "0", "encoding": "utf-8"}
USUAL |= {"labels": "", "target": ["class"], "positive": "yes", "positive_if": ""}
USUAL |= {"distinct": "no", "group": "", "leave_out": ["odd"], "missing": ["?"]}


@pytest.fixture
def read(tmp_path):
    def read(positives=1, **changes):
        """Read a file from a wheel by a declaration."""
        declared = {**{key: [] for key in LISTS}, **USUAL, **changes}
        declared |= {"rows": "4", "positives": str(positives)}
        declared = {"sha256": hashlib.sha256(TABLE).hexdigest(), **declared}
        with zipfile.ZipFile(tmp_path / "some-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("some/data.csv", TABLE)
        return read_data_set(declared, tmp_path)

    return read


def test_a_table_inside_a_wheel(read):
    rows = read(drop=["id"], categorical=["color"], zero_is_missing=["size"])
    assert rows.features["color"].tolist() == ["1", "2", "1", "1"]
    np.testing.assert_array_equal(rows.features["size"], [np.nan, 5, np.nan, np.nan])
    assert rows.positive.tolist() == [1, 0, 0, 0]
    assert rows.group.tolist() == [0, 1, 0, 0]  # rows 1, 3 and 4 are alike


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"positives": 2}, "4 rows and 2 positives are declared, the file has 4 and 1"),
        ({"path": "some/other.csv"}, "some/other.csv of some cannot be read"),
        ({"sha256": "0" * 64}, "some/data.csv has the checksum [0-9a-f]{64}, data_sets"),
        ({"drop": ["sise"]}, "data_sets.csv, own: there is no column sise"),
    ],
)
def test_another_file_than_declared_is_refused_in_a_sentence(read, changes, sentence):
    with pytest.raises(StudyError, match=sentence):
        read(**changes)


def test_every_declaration_names_a_package_and_a_class():
    packages = pd.read_csv(HOUSE / "packages.csv")["package"]
    declared = read_declarations(HOUSE / "data_sets.csv")
    cells = pd.read_csv(HOUSE / "cells.csv.gz", usecols=["data_set"])
    # indo_rct has too few positives for any sample.
    assert {*declared} == {*cells["data_set"], "indo_rct"} and len(declared) == 65
    for declaration in declared.values():
        assert declaration["package"] in {*packages} and len(declaration["sha256"]) == 64
        assert bool(declaration["positive"]) != bool(declaration["positive_if"])
    # Of the installed scikit-learn.
    rows = read_data_set(declared["wdbc"], None)
    assert rows.features.shape == (569, 30) and rows.positive.sum() == 212


class Dangerous:
    def __reduce__(self):
        return os.mkdir, ("made by a pickle",)


def test_nothing_in_a_pickle_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StudyError, match="mkdir is not allowed"):
        read_pickle(lzma.compress(pickle.dumps(Dangerous())))
    assert not list(tmp_path.iterdir())


def test_a_pickle_holds_numbers_in_bytes_and_plain_values_in_lists_or_is_refused(monkeypatch):
    columns = {"a": [1, 2], "b": [0.5, np.nan], "c": ["x", "y"], "d": [1.5, 2.5]}
    frame = pd.DataFrame(columns, dtype=object)
    # A copy keeps both columns of floats in one array.
    frame = frame.astype({"a": "int64", "b": "float64", "d": "float64"}).copy()
    frame.columns = frame.columns.astype(object)
    for kind, module in (("DataFrame", "frame"), ("Index", "indexes.base")):
        # As pandas 2 wrote the files that there are.
        monkeypatch.setattr(getattr(pd, kind), "__module__", f"pandas.core.{module}")
    monkeypatch.setattr(pd.RangeIndex, "__module__", "pandas.core.indexes.range")
    content = pickle.dumps(frame, protocol=5)
    found = read_pickle(lzma.compress(content))
    pd.testing.assert_frame_equal(found, frame, check_column_type=False, check_dtype=False)
    # Bytes that claim to be objects would be taken for addresses.
    with pytest.raises(StudyError, match="an array of O8 is not allowed"):
        read_pickle(lzma.compress(content.replace(b"i8", b"O8")))
    buffer = np.ndarray, ((1,), np.dtype("f8"), b"8 bytes!")
    crafted = type("Crafted", (), {"__reduce__": lambda _: buffer})()
    with pytest.raises(StudyError, match="cannot be read safely"):
        read_pickle(lzma.compress(pickle.dumps(crafted)))
