"""Specification curves: sorted values, and the choices behind each."""

import pandas as pd
import pytest

from study.pages.specifications import plot_specifications


def test_specifications_are_sorted_and_their_choices_marked():
    table = pd.DataFrame(
        {"d": [3.0, 1.0, 2.0], "class": ["x", "y", "x"], "n": [1, 1, 2], "same": ["s", "s", "s"]}
    )
    figure = plot_specifications(
        table, "d", {"n": "rows", "same": "same"}, group="class", labels={"x": "X", "y": "Y"}
    )
    top, below = figure.axes
    drawn = {line.get_label(): line.get_xydata().tolist() for line in top.get_lines()}
    assert drawn == {"X": [[2, 2], [3, 3]], "Y": [[1, 1]]}
    assert [text.get_text() for text in below.get_yticklabels()] == ["rows: 1", "rows: 2"]
    chosen = [line.get_xdata().tolist() for line in below.get_lines() if line.get_marker() == "s"]
    assert chosen == [[1, 3], [2]]


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="no column 'n'"):
        plot_specifications(pd.DataFrame({"d": [1]}), "d", {"n": ""})
