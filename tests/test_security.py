"""What SECURITY.md promises of data files: they are never unpickled, and their words are text."""

import pickle
from pathlib import Path

import pandas as pd
import pytest

from kappacurve import ScoreFileError, compare, read_scores
from kappacurve.explorer import explorer_page
from study.data.own_data import read_table
from study.errors import ExperimentError

MARKUP = '</script><script>alert("x")</script>'


class Touching:
    """Creates a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet", "pkl"])
def test_a_data_file_is_never_unpickled(tmp_path, suffix):
    marker, scores = tmp_path / "marker", tmp_path / f"scores.{suffix}"
    scores.write_bytes(pickle.dumps(Touching(marker)))
    with pytest.raises(ScoreFileError):
        read_scores(scores, label="y", scores="a")
    with pytest.raises(ExperimentError):
        read_table(scores, {"drop": [], "read_csv": {}, "target": "t"})
    assert not marker.exists()


def test_words_from_data_are_no_markup_of_a_page():
    """A model and a class with such a name: in the page they are data, or escaped."""
    y, scores = [MARKUP, "b"] * 9, {MARKUP: range(18)}
    page = explorer_page(y, scores, pos_label=MARKUP, title=MARKUP)
    assert MARKUP not in page and "alert" in page
    found = compare(pd.Series(y), scores, pos_label=MARKUP)
    assert set(found.measures["model"]) == {MARKUP}
