import numpy as np
import pandas as pd

from study.pages.table_files import to_markdown, write_table
from study.papers.checks import COLUMNS, Check, as_printed, check_table, holds


def test_a_printed_number_holds_if_the_value_rounds_to_it():
    assert holds(as_printed("x", "0.474", 0.4736842))
    assert holds(as_printed("x", "0.288", 0.2875))  # a tie rounds either way
    assert not holds(as_printed("x", "0.625", 0.62))
    assert holds(as_printed("x", "0", 0.4))


def test_columns_and_rounding():
    table = check_table(
        "hand", [Check("printed", "one", 1.0, 1.0 + 1e-15), Check("own", "two", 0.5, np.nan)]
    )
    assert tuple(table) == COLUMNS
    assert table["difference"][0] == 0
    assert table["holds"].tolist() == [True, False]


def test_tables_for_programs_and_for_people(tmp_path):
    table = pd.DataFrame(
        {
            "what_it_is": ["a", "b"],
            "value": [-1e-18, 44850.0],
            "p_value": [3.14159e-37, 0.5],
            "holds": [True, False],
            "empty": [None, None],
        }
    )
    write_table(table, [tmp_path / "t.csv", tmp_path / "t.md"], title="Title", note="Note.")
    assert (tmp_path / "t.csv").read_text() == (
        "what_it_is,value,p_value,holds,empty\na,0.000000,3.14e-37,True,\nb,44850.000000,0.5,False,\n"
    )
    text = (tmp_path / "t.md").read_text()
    assert text.startswith("# Title\n\n| what it is")
    assert "| b            |   44850 | 0.5       | no      |" in text
    assert "empty" not in text
    assert text.endswith("\nNote.\n")


def test_markdown_marks_missing_values_by_nothing():
    text = to_markdown(pd.DataFrame({"a": [0.25, None], "b": ["x", None]}), "T")
    assert "nan" not in text.lower()
    assert "none" not in text.lower()
