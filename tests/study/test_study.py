"""Damaged files, published numbers, and the commit of a run."""

import json
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from pyarrow.parquet import read_schema

from study import provenance
from study.errors import ExperimentError
from study.files import read_parquet, write_parquet
from study.paper.numbers import Printed, printed_numbers, printed_pairs, printed_point


def test_a_flipped_bit_is_damage_and_not_another_value(tmp_path):
    """Random numbers, which no compression makes shorter: nearly every byte is one of a value."""
    table = pd.DataFrame({"a": np.random.default_rng(1).normal(size=5000)})
    path = tmp_path / "t.parquet"
    write_parquet(table, path)
    pd.testing.assert_frame_equal(read_parquet(path), table)
    write_parquet(table[1:], path)
    assert read_schema(path).names == ["a"]  # without its index
    whole = path.read_bytes()
    for place in range(1000, 30_000, 2900):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ExperimentError, match=r"t\.parquet can't be read .*delete it"):
            read_parquet(path)


def test_printed_numbers_are_those_of_the_paper():
    by_place = defaultdict(list)
    for (place, *_), printed in printed_numbers().items():
        by_place[place].append(printed.value)
    assert by_place == {
        "Table 4": [0.7493, 0.1672, 0.7186, 0.1753],
        "Table 5": [0.7227, 0.1404, 0.6781, 0.1449],
        "Section 8": [0.328, 0.60, 0.928],
    }
    pairs = [(pair.place, pair.auc.value, pair.auk.value) for pair in printed_pairs()]
    assert pairs == [
        (place, *by_place[place][i : i + 2]) for place in ("Table 4", "Table 5") for i in (0, 2)
    ]
    assert [number.text for number in printed_point()] == ["0.60", "0.928", "0.328"]


@pytest.mark.parametrize(
    ("text", "holds", "not_quite"),
    [("0.60", (0.595, 0.605), (0.5949, 0.6051)), ("12", (11.5, 12.5), (11.49, 12.51))],
)
def test_a_printed_number_stands_for_all_that_round_to_it(text, holds, not_quite):
    printed = Printed(text)
    assert all(map(printed.is_of, holds)) and not any(map(printed.is_of, not_quite))


def test_a_folder_that_git_does_not_know_has_no_commit(tmp_path, monkeypatch):
    for name in (".git", "data"):
        (tmp_path / name).mkdir()
    data = {"place": "own", "rows": 3, "sha256_of_canonical_table": "0"}
    (tmp_path / "data/provenance.json").write_text(json.dumps(data))
    monkeypatch.setattr(provenance, "SOURCE", tmp_path / "src")
    provenance.write_provenance(tmp_path, {"seed": 1})
    record = json.loads((tmp_path / "provenance.json").read_text())
    assert (record["commit"], record["config"], record["data"]) == (None, {"seed": 1}, data)
