"""ARFF files: what SciPy reads is read alike, and what it refuses is read as well."""

import io

import numpy as np
import pytest
from scipy.io import arff

from kappacurve._arff import ArffError, read_arff_text
from kappacurve.score_files import read_scores
from study.data.own_data import read_table

PLAIN = """% made by hand
@RELATION 'two words'

@attribute 'home town' {Ulm, Bonn}
@attribute age REAL
@Attribute n integer
@data
% a comment
Ulm,1.5,2
Bonn,?,-3
?,1e-3,4
Bonn,.5,5
"""
WORDS = """@relation r
@attribute name string
@attribute größe numeric
@attribute klasse {'sehr süß',bitter}
@attribute day date 'yyyy-MM-dd'
@data
'Müller, Jürgen',0.5,'sehr süß',2001-01-01
"O\\"Neil",?,bitter,?
'it\\'s',2,bitter,''
"""


def test_what_scipy_reads_is_read_alike():
    data, meta = arff.loadarff(io.StringIO(PLAIN))
    found = read_arff_text(PLAIN)
    assert found.names == meta.names()
    assert found.numeric == [False, True, True]
    for i in (1, 2):
        np.testing.assert_array_equal(found.numbers(i), data[found.names[i]])
    words = [None if one == b"?" else one.decode() for one in data["home town"]]
    assert found.column(0) == words
    assert found.lines == [9, 10, 11, 12]


def test_text_attributes_and_words_that_are_not_ascii():
    found = read_arff_text(WORDS)
    assert found.names == ["name", "größe", "klasse", "day"]
    assert found.column(0) == ["Müller, Jürgen", 'O"Neil', "it's"]
    assert found.column(2) == ["sehr süß", "bitter", "bitter"]
    assert found.column(3) == ["2001-01-01", None, ""]
    assert read_arff_text("@relation r\n@attribute a real\n@attribute b real\n@data\n1\t2\n").rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no line @data"),
        ("@relation r\nx\n@data\n", "line 2 is no @attribute, and @data has not come yet"),
        ("@attribute a\n@data\n", "line 1 is no attribute's name and type"),
        ("@attribute a relational\n@data\n", "line 1: unknown type relational"),
        ("@attribute a {x,y}\n@data\nz\n", "line 3, column a: 'z' is not among its values"),
        ("@attribute a {x,y}\n@data\nx,y\n", "line 3 has 2 values for 1 attributes"),
        ("@attribute a {x,y}\n@data\n{0 x}\n", "line 3 is a sparse row"),
        ("@attribute a string\n@data\n'x\n", "line 3: quotation marks do not match"),
        ("@attribute a real\n@data\n1,5\n", "line 3 has 2 values for 1 attributes"),
    ],
)
def test_what_is_no_arff_is_refused_by_line(text, message):
    with pytest.raises(ArffError) as refusal:
        read_arff_text(text)
    assert message in str(refusal.value)


def test_a_word_among_numbers_is_refused_by_line():
    with pytest.raises(ArffError, match="line 3, column a: '4o' is not a number"):
        read_arff_text("@attribute a real\n@data\n4o\n").numbers(0)


def test_both_readers_of_the_project_take_them(tmp_path):
    path = tmp_path / "own.arff"
    path.write_text(WORDS.replace("?,bitter", "1,bitter"), encoding="utf-8")
    table = read_scores(path, label="klasse", positive="sehr süß")
    assert table.positive.tolist() == [True, False, False]
    assert table.scores["größe"].tolist() == [0.5, 1, 2]
    assert table.left_out == ("name", "day")
    whole = read_table(path)
    assert whole["klasse"].tolist() == ["sehr süß", "bitter", "bitter"]
    assert whole["größe"].tolist() == [0.5, 1, 2]
    assert whole["day"].isna().tolist() == [False, True, False]
