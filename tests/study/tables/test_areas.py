"""The tables of one split beside its replicates, from tables in which every number is different."""

import numpy as np
import pandas as pd
import pytest

from study.tables.areas import rankings, split_and_replicates

KEYS = ["positive_class", "model", "curve"]


def split(*rows):
    return pd.DataFrame(rows, columns=[*KEYS, "auc", "auk", "h"])


def test_a_split_stands_beside_its_replicates_and_the_printed_numbers():
    measures = split(
        ("minority", "linear", "raw", 0.71, 0.11, 0.21),
        ("minority", "linear", "hull", 0.72, 0.12, 0.22),
        ("majority", "linear", "hull", 0.73, 0.13, 0.23),
        ("majority", "tree", "hull", 0.74, 0.14, 0.24),
    )
    spread = pd.DataFrame(
        [
            ("majority", "linear", "hull", "auc", 9, 0.5, 0.05),
            ("majority", "linear", "raw", "auc", 9, 0.6, 0.06),
            ("majority", "linear", "hull", "auk", 9, 0.7, 0.07),
        ],
        columns=[*KEYS, "measure", "replicates", "mean", "sd"],
    )
    published = {("hull", "linear", "auk"): 0.1672}
    table = split_and_replicates(measures, "hull", ("auc", "auk"), spread, published)
    columns = ["positive_class", "model", "measure", "published", "reproduced", "mean", "sd"]
    nan = np.nan
    expected = [
        ("majority", "linear", "auc", nan, 0.73, 0.5, 0.05),
        ("majority", "linear", "auk", 0.1672, 0.13, 0.7, 0.07),
        ("majority", "tree", "auc", nan, 0.74, nan, nan),
        ("majority", "tree", "auk", nan, 0.14, nan, nan),
        ("minority", "linear", "auc", nan, 0.72, nan, nan),
        ("minority", "linear", "auk", 0.1672, 0.12, nan, nan),
    ]
    pd.testing.assert_frame_equal(table, pd.DataFrame(expected, columns=columns))
    alone = split_and_replicates(measures, "raw", ("h",))
    assert alone.to_dict("records") == [
        {"positive_class": "minority", "model": "linear", "measure": "h", "value": 0.21}
    ]


@pytest.mark.parametrize(
    ("measure", "ranks"), [("auc", [1, 3, 1]), ("auk", [3, 2, 1]), ("h", [2, 1, 2])]
)
def test_models_of_a_class_are_ranked_by_each_measure_and_ties_share_the_better(measure, ranks):
    table = rankings(
        split(
            ("minority", "a", "raw", 0.8, 0.1, 0.2),
            ("minority", "b", "raw", 0.7, 0.2, 0.3),
            ("minority", "c", "raw", 0.8, 0.3, 0.2),
            ("minority", "a", "hull", 0.9, 0.9, 0.9),
            ("majority", "a", "raw", 0.1, 0.05, 0.1),
        )
    )
    assert table["curve"].tolist() == ["raw"] * 4 + ["hull"]
    assert table["positive_class"].tolist()[:2] == ["majority", "minority"]
    assert table[f"rank_{measure}"].tolist() == [1, *ranks, 1]
