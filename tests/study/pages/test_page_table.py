"""Tables as they stand on a page of the appendix."""

import numpy as np
import pandas as pd

from study.pages.page_table import page_table

DATA = pd.DataFrame(
    {
        "positive_class": ["majority", "majority", "minority"],
        "model": ["linear", "neural_net_lm", "linear"],
        "published": [0.7186, np.nan, 0.328],
        "share": [0.009, 0.5, 1.0],
        "percentile": [89.0, np.nan, 12.14],
    }
)


def rows(table):
    return [list(texts) for _, texts in table.rows()]


def test_groups_become_headings_and_values_text():
    table = page_table(DATA.iloc[[0, 2, 1]], {"group": "positive_class", "percent": "share"})
    assert [column.label for column in table.columns] == [
        *("model", "published", "share", "percentile")
    ]
    assert [column.numbers is None for column in table.columns] == [True, False, False, False]
    assert table.headings == {0: "majority positive", 2: "minority positive"}
    assert rows(table) == [
        ["linear", "0.7186", "0.9\u202f%", "89.0"],
        ["neural net (LM)", "", "50.0\u202f%", ""],
        ["linear", "0.328", "100.0\u202f%", "12.1"],
    ]


def test_rows_and_columns_are_chosen():
    options = {
        "columns": "share model",
        "where": "model=linear|logistic",
        "group": "positive_class",
        "head-of-group": "1",
        "labels": "share=farther out",
        "digits": "share=.1f",
        "widths": "20 30",
    }
    table = page_table(DATA, options)
    assert [column.label for column in table.columns] == ["farther out", "model"]
    assert table.widths == [0.2, 0.3]
    assert rows(table) == [["0.0", "linear"], ["1.0", "linear"]]
