"""Tables as they stand on a page."""

import numpy as np
import pandas as pd
import pytest

from study.pages.page_table import Column, Group, page_table, write_value

DATA = pd.DataFrame(
    {
        "positive_class": ["good", "good", "bad"],
        "model": ["linear", "neural_net_lm", "linear"],
        "published": [0.7186, np.nan, 0.328],
        "share": [0.009, 0.5, 1.0],
        "percentile": [89.0, np.nan, 12.14],
    }
)


def test_groups_become_headings_and_values_text():
    table = page_table(DATA, group="positive_class", percent=["share"])
    assert table.columns == [
        Column("model", False, None),
        Column("published", True, None),
        Column("share", True, None),
        Column("percentile", True, None),
    ]
    assert table.groups == [
        Group(
            "good positive",
            [
                ["linear", "0.7186", "0.9\u202f%", "89.0"],
                ["neural net (LM)", "", "50.0\u202f%", ""],
            ],
        ),
        Group("bad positive", [["linear", "0.328", "100.0\u202f%", "12.1"]]),
    ]


def test_rows_and_columns_are_chosen():
    table = page_table(
        DATA,
        columns=["share", "model"],
        where={"model": "linear|logistic"},
        group="positive_class",
        head_of_group=1,
        labels={"share": "farther out"},
        widths=[20, 30],
    )
    assert table.columns == [Column("farther out", True, 0.2), Column("model", False, 0.3)]
    assert [group.rows for group in table.groups] == [
        [["0.0090", "linear"]],
        [["1.0000", "linear"]],
    ]


def test_no_row_left_is_a_table_without_groups_or_rows():
    assert page_table(DATA, where={"model": "none"}).groups == [Group("", [])]
    assert page_table(DATA, where={"model": "none"}, group="model").groups == []


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (None, "", ""),
        (float("nan"), "published", ""),
        (True, "holds", "yes"),
        (np.bool_(False), "holds", "no"),
        (np.int64(286), "replicates", "286"),
        (44850.0, "value", "44850"),
        (-0.5, "", "\u22120.5000"),
        (0.6, "published", "0.60"),
        ("before 5%", "why", "before 5\u202f%"),
        ("keep_majority_up", "sampling", "787"),
        ("smote: kappa_max, as printed", "check", "SMOTE: maximum kappa, as printed"),
        ("ben_david", "study", "Ben-David 2008"),
        (3.1e-37, "p_value", "3.1\u00a0\u00d7\u00a010⁻³⁷"),
        ("keep_majority", "what", "keep majority"),
        ("keep_majority", "value", "keep_majority"),
        ("auc-auk_trapezoid", "pair", "AUC against AUK, trapezoid rule"),
        ("linear and neural_net, same rows", "what", "linear and neural net, same rows"),
        ("auk", "measure", "AUK"),
        ("x_1", "what", "x_1"),
    ],
)
def test_values(value, column, text):
    assert write_value(value, column) == text


def test_numbers_as_a_source_prints_them_keep_their_digits_and_stand_right():
    data = pd.DataFrame({"printed": ["0.30", None], "value": [0.6, 0.3]})
    table = page_table(data, labels={"value": "published"})
    assert [column.numeric for column in table.columns] == [True, True]
    assert table.groups[0].rows == [["0.30", "0.60"], ["", "0.3"]]


def test_measures_side_by_side():
    data = pd.DataFrame(
        {
            "curve": ["a", "a", "b", "b"],
            "measure": ["auc", "h"] * 2,
            "printed": ["0.5", "0.348", "0.75", "0.293"],
            "recomputed": [0.5, 0.34815, 0.75, 0.29289],
        }
    )
    table = page_table(data, side_by_side="measure")
    assert [one.label for one in table.columns] == ["curve", "AUC printed", "AUC", "H printed", "H"]
    assert [one.numeric for one in table.columns] == [False, True, True, True, True]
    assert table.groups[0].rows[1] == ["b", "0.75", "0.7500", "0.293", "0.2929"]
