import pytest

from study.data.encoding import ENCODINGS, encode
from study.data.german_credit import BUNDLED_FILE, read_german_data


@pytest.fixture(scope="module")
def table():
    return read_german_data(BUNDLED_FILE)


def test_strathclyde_rows_as_printed_in_german_data_numeric(table):
    features = encode(table, "strathclyde").drop(columns=["row", "bad"])
    assert features.shape == (1000, 24)
    printed = """
    1 6 4 12 5 5 3 4 1 67 3 2 1 2 1 0 0 1 0 0 1 0 0 1
    2 48 2 60 1 3 2 2 1 22 3 1 1 1 1 0 0 1 0 0 1 0 0 1
    4 12 4 21 1 4 3 3 1 49 3 1 2 1 1 0 0 1 0 0 1 0 1 0
    """
    rows = [[int(cell) for cell in line.split()] for line in printed.strip().splitlines()]
    assert features.head(3).to_numpy().tolist() == rows


def test_amounts_are_rounded_half_to_even(table):
    halves = table["amount"] % 100 == 50
    assert halves.any()
    rounded = encode(table, "strathclyde")["amount_hundreds"][halves]
    assert (rounded % 2 == 0).all()


def test_onehot_has_one_column_for_each_code(table):
    features = encode(table, "onehot")
    assert features.shape == (1000, 2 + 61)
    for attribute in ("purpose", "job"):
        block = features.filter(regex=f"^{attribute}_A")
        assert (block.sum(axis=1) == 1).all()
    # A410 is a code of its own, not A41 with a zero.
    assert {"purpose_A41", "purpose_A410"} <= set(features)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_rows_and_labels_come_along(table, encoding):
    features = encode(table, encoding)
    assert features["row"].tolist() == table["row"].tolist()
    assert (features["bad"] == (table["class"] == "bad")).all()
    assert features.drop(columns=["row", "bad"]).dtypes.map(lambda kind: kind.kind == "i").all()
