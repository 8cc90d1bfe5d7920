import hashlib
import io

import pandas as pd
import pytest

from study.data.german_credit import (
    ATTRIBUTES,
    BUNDLED_FILE,
    CANONICAL_SHA256,
    checksum,
    from_uci_columns,
    read_german_data,
    require_known,
    to_csv_text,
)
from study.errors import ExperimentError


@pytest.fixture
def table():
    return read_german_data(BUNDLED_FILE)


def test_bundled_file_is_the_one_that_uci_serves():
    content = BUNDLED_FILE.read_bytes()
    assert len(content) == 79_793
    expected = "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871"
    assert hashlib.sha256(content).hexdigest() == expected


def test_canonical_table(table):
    assert table.shape == (1000, 22)
    assert table["class"].value_counts().to_dict() == {"good": 700, "bad": 300}
    assert table["row"].tolist() == list(range(1, 1001))
    assert not table.isna().any().any()
    assert checksum(table) == CANONICAL_SHA256
    require_known(table, "anywhere")


def test_columns_in_another_order_give_the_same_table(table):
    names = {name: f"Attribute{i}" for i, name in enumerate(ATTRIBUTES, start=1)}
    served = table.drop(columns="row").rename(columns=names)
    served["class"] = served["class"].map({"good": 1, "bad": 2})
    assert checksum(from_uci_columns(served[served.columns[::-1]])) == CANONICAL_SHA256


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda t: t.assign(age=t["age"].where(t["row"] != 5, 99)),
            r"1 cells of column age differ, first in row 5: '99' instead of '53'",
        ),
        (
            lambda t: t.assign(duration=t["duration"].astype(float)),
            r"1000 cells of column duration differ, first in row 1: '6.0' instead of '6'",
        ),
    ],
)
def test_other_data_are_refused_with_the_first_difference(table, change, message):
    with pytest.raises(ExperimentError, match=message) as refusal:
        require_known(change(table), "somewhere")
    assert "data.source" in str(refusal.value)


def test_missing_file(tmp_path):
    with pytest.raises(ExperimentError, match="No such file"):
        read_german_data(tmp_path / "german.data")


@pytest.mark.parametrize("content", ["", "a,b,c\n1,2,3\n", "1 2 3\n1 2 3 4\n", "\xff\xfe"])
def test_other_formats_are_refused(tmp_path, content):
    path = tmp_path / "german.data"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ExperimentError, match=r"german\.data"):
        read_german_data(path)


def test_text_does_not_depend_on_the_platform(table):
    assert "\r" not in to_csv_text(table)
    pd.testing.assert_frame_equal(
        table.astype(str), pd.read_csv(io.StringIO(to_csv_text(table)), dtype=str)
    )
