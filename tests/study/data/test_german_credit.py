import pytest

from study.data.german_credit import (
    ATTRIBUTES,
    BUNDLED_FILE,
    encode,
    from_uci_columns,
    read_german_data,
)
from study.errors import ExperimentError


@pytest.fixture
def table():
    return read_german_data(BUNDLED_FILE)


def test_canonical_table_and_uci_columns_in_another_order(table):
    assert table["class"].value_counts().to_dict() == {"good": 700, "bad": 300}
    assert table["row"].tolist() == list(range(1, 1001))
    names = {name: f"Attribute{i}" for i, name in enumerate(ATTRIBUTES, start=1)}
    served = table.drop(columns="row").rename(columns=names)
    served["class"] = served["class"].map({"good": 1, "bad": 2})
    assert from_uci_columns(served[served.columns[::-1]], "UCI").equals(table)


@pytest.mark.parametrize("content", ["", "a,b,c\n1,2,3\n", "1 2 3\n1 2 3 4\n", "\xff\xfe"])
def test_other_formats_are_refused(tmp_path, content):
    path = tmp_path / "german.data"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ExperimentError, match=r"german\.data"):
        read_german_data(path)


def test_strathclyde_rows_as_printed_in_german_data_numeric(table):
    features = encode(table, "strathclyde").drop(columns=["row", "minority"])
    assert features.shape == (1000, 24)
    printed = """
    1 6 4 12 5 5 3 4 1 67 3 2 1 2 1 0 0 1 0 0 1 0 0 1
    2 48 2 60 1 3 2 2 1 22 3 1 1 1 1 0 0 1 0 0 1 0 0 1
    4 12 4 21 1 4 3 3 1 49 3 1 2 1 1 0 0 1 0 0 1 0 1 0
    """
    rows = [[int(cell) for cell in line.split()] for line in printed.strip().splitlines()]
    assert features.head(3).to_numpy().tolist() == rows


def test_onehot_has_one_column_for_each_code(table):
    features = encode(table, "onehot")
    assert features.shape == (1000, 2 + 61)
    assert (features["minority"] == (table["class"] == "bad")).all()
    for attribute in ("purpose", "job"):
        assert (features.filter(regex=f"^{attribute}_A").sum(axis=1) == 1).all()
    # A410 is a code of its own, not A41 with a zero.
    assert {"purpose_A41", "purpose_A410"} <= set(features)
