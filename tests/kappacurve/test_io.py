"""Files of scores: what is read alike, and what is refused with one sentence."""

import bz2
import csv
import gzip
import io
import lzma
import os
import sys
import threading
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from pyarrow import feather, parquet

from kappacurve import measures
from kappacurve.files.scores import ScoreFileError, read_scores

N = 60
RANDOM = np.random.default_rng(5)
Y = (RANDOM.random(N) < 0.4).astype(int)
A, B = (RANDOM.normal(size=(2, N)) + Y).round(12)  # all digits fit into a workbook, too
FRAME = pd.DataFrame({"y": Y, "a": A, "b": B})


def as_text(labels=("0", "1"), **options):
    return FRAME.assign(y=np.take(labels, Y)).to_csv(index=False, **options)


def as_workbook(**sheets):
    with pd.ExcelWriter(file := io.BytesIO()) as book:
        for name, frame in sheets.items():
            frame.to_excel(book, sheet_name=name, index=False)
    return file.getvalue()


CLEAN = as_text()
WIDE = "".join(f",{'g' * 99}{i}" for i in range(1400))  # more than one field of csv may have
EMPTY = pd.DataFrame({"y": [None], "a": [None]})
WORDS = FRAME.assign(y=np.where(Y == 1, "bad", "good"))
READABLE = {  # contents, the positive class and the stated delimiter
    "byte order mark and quoted header": ("\ufeff" + CLEAN.replace("y,a", '"y","a"'), None),
    "delimiter in the file": ('"sep=^"\n' + as_text(sep="^"), None),
    "stated tab": (as_text(sep="\t"), None, "tab"),
    "stated character": (as_text(sep="^"), None, "^"),
    "blanks around numbers": (CLEAN.replace(",", "  ,  "), None),
    "blank lines": ("\n" + CLEAN.replace("\n", "\n\n"), None),
    "truth values": (as_text(("False", "True")), None),
    "minus one and one": (as_text(("-1", "+1")), None),
    "spellings of a number": (CLEAN.replace("\n1,", '\n"1.0",', 5), None),
    "codes with zeros": (as_text(("02", "01")), 1.0),
    "a code for a number": (as_text(("2", "1")), "01"),
    "a delimiter in a quoted field": (CLEAN.replace("\n", ',"a, b"\n'), None),
    "a blank before a quoted field": (CLEAN.replace("\n", ', "a, b"\n'), None),
    "words with blanks": (as_text((" good", "bad ")), "bad"),
    "parquet": (FRAME.to_parquet(), None),
    "parquet with words": (WORDS.to_parquet(), "bad"),
    "workbook": (as_workbook(scores=WORDS, note=FRAME.head(1)), "bad"),
    "form feed above the header": ("\f\n" + CLEAN, None),
    "line ends of Unicode": (CLEAN.replace("\n", ",x\u2028y\x85z\x0b\x1c\n"), None),
    "field of several lines": (CLEAN.replace("\n", ',"one, two\nthree ""four"""\n'), None),
    "inch marks": (CLEAN.replace("\n", ',5" pipe\n'), None),
    "wide header": (CLEAN.replace("\n", WIDE + "\n"), None),
    "unseen letters": ("\u200b" + as_text((" ill\xad", "e\u0301")).replace("a", "a\u200d", 1), "é"),
    "index of parquet": (FRAME.set_index("y").to_parquet(), None),
    "bytes in parquet": (WORDS.assign(y=WORDS["y"].str.encode("utf-8")).to_parquet(), "bad"),
    "blank rows of a sheet": (as_workbook(scores=pd.concat([FRAME[:9], EMPTY, FRAME[9:]])), None),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", READABLE)
def test_every_kind_of_file_gives_the_same_bits(path, name):
    content, positive, *delimiter = READABLE[name]
    options = {"positive": positive, "delimiter": delimiter[0] if delimiter else None}
    table = read_scores(write(path, content), label="y", scores=["b", "a"], **options)
    assert list(table.scores) == ["b", "a"]
    assert (table.scores["a"] == A).all()
    assert (table.scores["b"] == B).all()
    assert (table.positive == (Y == 1)).all()


def test_a_note_of_several_lines_is_no_row(path):
    """With one comma where a row has two; with two it could be a row that was swallowed."""
    head = 'y,score,note\n0,0.2,x\n1,0.5,"see, '
    table = read_scores(write(path, head + 'above\nend"\n'), label="y", scores=["score"])
    assert table.scores["score"].tolist() == [0.2, 0.5]
    with pytest.raises(ScoreFileError, match="line 3: a field in quotation marks goes on to line"):
        read_scores(write(path, head + 'above\n0,0.7,end"\n'), label="y")


def test_standard_input_and_a_pipe_are_read_once(monkeypatch, tmp_path):
    packed = gzip.compress(CLEAN.encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed)))
    os.mkfifo(pipe := tmp_path / "pipe")
    threading.Thread(target=write, args=(pipe, packed), daemon=True).start()
    for path, source in (("-", "standard input"), (pipe, str(pipe))):
        table = read_scores(path, label="y")
        assert table.source == source
        assert (table.scores["b"] == B).all()


def as_parquet(scores):
    return pd.DataFrame({"y": np.arange(len(scores)) % 2, "a": scores}).to_parquet()


def with_row(number, row):
    lines = CLEAN.splitlines()
    lines[number] = row
    return "\n".join(lines) + "\n"


BOOK = as_workbook(note=pd.DataFrame({"by": ["me"], "when": [1]}), scores=FRAME)
NO_YES = "y,a\nno,1.5\nYes,2.5\n"
LONG = "y,model,score\n1,a,0.5\n"
FOLDED = "y,a,g,f\n0,1,p1,south\n1,3,p2,south\n0,2,p2,north\n1,4,p3,north\n"
BIG = [1152921504606847028, 1152921504606847019]
TINY = Decimal("1e-20")
STATED = {"missing_values": [-99]}
LARGE = "which are one number for 64-bit floats: write ranks"
feather.write_feather(FRAME, FEATHER := io.BytesIO(), compression="uncompressed")
TWICE = pa.BufferOutputStream()
parquet.write_table(pa.table([Y, A, B], names=["y", "a", "a"]), TWICE)
TITLED = as_workbook(scores=FRAME.T.reset_index().T.set_axis(["Scores of 2020", "", ""], axis=1))
GAP = FRAME.assign(a=FRAME["a"].where(FRAME.index != 4)).to_parquet()
NO_WORD = WORDS.assign(c=WORDS["y"].where(FRAME.index != 4)).to_parquet()
REFUSED = {  # contents, what is said, and options
    "no file": (None, "scores.csv can't be read: No such file or directory."),
    "blank": (b"\n \n", "scores.csv is empty."),
    "no rows": ("y,a\n", "scores.csv has no rows."),
    "web page": ("\n<!DOCTYPE html>\n<html><body>Log in</body></html>", "is a web page (HTML)"),
    "title": ("UTF-8\n" + as_text(sep=";"), "It has one, 'UTF-8': state the --delimiter if"),
    "comment": ("# by hand\n# 2020\n" + CLEAN, "line 3: 3 fields where the header has 1, '# by"),
    "wide comment": ("# by, hand, 2020\n" + CLEAN, "Its columns: # by, hand, 2020."),
    "title of a sheet": ("\ntitle,,\n" + CLEAN, "has no column y. It has one, 'title': state"),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel workbook (.xls)"),
    "second sheet": (BOOK, "Its columns: by, when."),
    "archive": (b"PK\x03\x04\x14\0", "scores.csv is a zip or OpenDocument file: unpack"),
    "utf-16": (CLEAN.encode("utf-16"), "is UTF-16 text: convert it"),
    "latin-1": (as_text(("gut", "schön")).encode("latin-1"), "is not UTF-8 text: convert it"),
    "binary": (CLEAN.encode() + b"\0", "is not text (it holds NUL bytes)"),
    "delimiter": (CLEAN, "delimiter must be one ASCII character", {"delimiter": "semicolon"}),
    "a name for a list": (CLEAN, "scores must be a list of columns", {"scores": "a"}),
    "blank workbook": (as_workbook(scores=pd.DataFrame()), "scores.csv is empty."),
    "blank in quotation marks": (CLEAN + '""\n', "has 61 rows, but 62 are read"),
    "thousands": ("y;a\n0;0,5\n1;1.019\n", "'1.019' can mean 1019 or 1.019:", {"decimal": ","}),
    "missing column": ("y,A\n1,2\n", "has no column a. Did you mean A? Its columns: y, A."),
    "one column": ("y^a\n1^2\n", "It has one, 'y^a': state the --delimiter if it has"),
    "repeated column": (CLEAN.replace("b", "a", 1), "column a appears twice: rename"),
    "one row per model": (LONG, "one row per model and case: give", {"scores": None}),
    "long row": (with_row(7, "1,2,3,4"), "line 8: 4 fields where the header has 3"),
    "long first row": (with_row(1, "1,2,3,4"), "line 2: 4 fields where the header has 3"),
    "short row": (with_row(7, "1,2"), "line 8: 2 fields where the header has 3"),
    "open quotation mark": (with_row(7, '1,"2,3'), "a quotation mark left open, or"),
    "missing label": (with_row(7, ",1,2"), "row 7, column y: the value is missing. Correct or"),
    "word for a score": (with_row(7, "1,None,2"), "row 7, column a: the value is missing ('None')"),
    "too large": (with_row(7, "1,1e999,2"), "row 7, column a: 'inf' is not a finite number."),
    "decimal comma": (with_row(7, '1,"0,5",2'), "the file have one, say so by --decimal , ("),
    "comma and gap": (
        'y,a,b\n0,1.5,2.5\n1,,\n1,2.5,"0,5"\n',
        "row 2, column b: the value is missing; row 3, column b: '0,5' has a decimal comma. If the",
        {"scores": ["b"]},
    ),
    "missing group": (with_row(7, "1,2,null"), "row 7, column b: the value is", {"group": "b"}),
    "no class in parquet": (NO_WORD, "row 5, column c: the", {"label": "c", "positive": "bad"}),
    "no group in parquet": (NO_WORD, "row 5, column c: the", {"group": "c", "positive": "bad"}),
    "gap in parquet": (GAP, "row 5, column a: the value is missing. Correct or remove these rows."),
    "five cells": (
        "y,a,b\n0,1.5,2.5\n" + "1,x,\n" * 5,
        "column b: the value is missing; row 4, column a: 'x' is not a finite number; and 5 more.",
        {"scores": ["b", "a"]},
    ),
    "open quotation mark closed": (
        "y,a,c\n" + "1,2.5,ok\n0,1.5,ok\n" * 3 + '0,2.5,"open\n1,3.5,ok\n0,1.5,"again\n1,4.5,ok\n',
        "line 8: a field in quotation marks goes on to line 10 and holds what look like rows.",
    ),
    "open quotation mark at the end": (CLEAN + '1,2,"3', "quotation mark is left open in line 62"),
    "open quotation mark in the header": ('y,"b,a\n1,2,"3\n0,2,3\n', "goes on to line 2"),
    "form feed among rows": (with_row(7, "\f"), "line 8: 1 fields where the header has 3"),
    "utf-32": (CLEAN.encode("utf-32"), "is UTF-32 text: convert it"),
    "zst": (b"\x28\xb5\x2f\xfd\0", "is packed by Zstandard: unpack it"),
    "feather": (FEATHER.getvalue(), "is a Feather (Arrow) file: save it as Parquet or CSV"),
    "json": (FRAME.to_json(orient="records"), "is JSON: save the table as CSV"),
    "packed json": (gzip.compress(FRAME.to_json().encode()), "is JSON: save the table as CSV"),
    "json lines": (FRAME.to_json(orient="records", lines=True), "with lines=True if each"),
    "late nul": (CLEAN * 200 + "\0", "is not text (it holds NUL bytes)"),
    "equal names in parquet": (TWICE.getvalue().to_pybytes(), "column a appears twice"),
    "equal names in a workbook": (as_workbook(scores=FRAME.set_axis([*"yaa"], axis=1)), "twice"),
    "title in a workbook": (
        TITLED,
        "It has one, 'Scores of 2020': state the --delimiter if it has more, delete a title above "
        "the header, or move the sheet to the front.",
    ),
    "stated missing": (CLEAN + "1,-99.0,2\n", "a: the value is missing ('-99.0')", STATED),
    "large integers": (f"y,a\n1,{BIG[0]}\n0,{BIG[1]}\n", LARGE),
    "large integers beside others": (f"y,a\n1,{BIG[0]}\n0,{BIG[1]}\n1,1.5\n", LARGE),
    "sixteen digits": ("y,a\n1,9007199254740993\n0,9007199254740992\n1,1.5\n", LARGE),
    "large integers in parquet": (as_parquet(BIG), LARGE),
    "large integers and a gap": (as_parquet(pd.array([*BIG, None], "Int64")), LARGE),
    "decimals in parquet": (as_parquet([Decimal("0.1"), Decimal("0.1") + TINY]), LARGE),
    "long fractions": ("y,a\n1,0.99999999999999999991\n0,0.99999999999999999992\n", LARGE),
    "one class": ("y,a\n1,2.5\n1.0,3\n", "column y has one class only, '1'"),
    "no positive class": (NO_YES, "has 'no', 'Yes': say which one is positive"),
    "percent signs": (
        "y,a\n1,37 %\n0,5%\n",
        "row 1, column a: '37 %' has a percent sign; row 2, column a: '5%' has a percent sign. "
        "Percent signs are not read: remove them, and divide probabilities by 100.",
    ),
    "percent signs in every column": (
        "y,a\n1,37 %\n0,5%\n",
        "Not taken (percent signs are not read: remove them): a.",
        {"scores": None},
    ),
    "negative weight": (
        "y,a,w\n1,1.5,2\n0,2.5,-0.5\n",
        "row 2, column w: '-0.5' is negative. Correct",
        {"weight": "w"},
    ),
    "no weight": ("y,a,w\n1,2.5,0\n0,3.5,0\n", "column w is 0 in every row", {"weight": "w"}),
    "one fold": (FOLDED.replace("north", "south"), "column f has one fold only", {"fold": "f"}),
    "fold without a class": (
        FOLDED + "0,1,p4,west\n",
        "fold 'west' of column f has no positive row, and curves need both classes",
        {"fold": "f"},
    ),
    "group in two folds": (
        FOLDED,
        "the rows of 'p2' in column g are in folds 'south' and 'north' of column f, so",
        {"fold": "f", "group": "g"},
    ),
    "unknown class": (NO_YES, "it has 'no', 'Yes'. Did you mean Yes?", {"positive": "yess"}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_sentence_says_what_was_found_and_where(path, name):
    content, expected, *options = REFUSED[name]
    if content is not None:
        write(path, content)
    with pytest.raises(ScoreFileError) as caught:
        read_scores(path, **{"label": "y", "scores": ["a"]} | (options[0] if options else {}))
    message = str(caught.value).replace(str(path), "scores.csv")
    assert expected in message
    assert "\n" not in message


def test_a_fold_whose_rows_have_no_weight_does_not_count(path):
    write(path, FOLDED.replace(",f", ",f,w").replace("th", "th,1") + "0,1,p4,west,0\n")
    table = read_scores(path, label="y", scores=["a"], fold="f", weight="w")
    assert table.folds.tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("cells", [[895, 1019, 1234567, 12], [-895, 1019, 2000], [1, 2000, 0]])
def test_a_separator_of_thousands_is_never_read_as_a_decimal_sign(path, cells, mark, decimal):
    numbers = [f"{cell:,}".replace(",", mark) for cell in cells]
    rows = "".join(f"{i % 2};{number}\n" for i, number in enumerate(numbers))
    with pytest.raises(ScoreFileError) as caught:
        read_scores(write(path, f"y;a\n{rows}"), label="y", scores=["a"], decimal=decimal)
    grouped = max(numbers[1:], key=len)
    assert f"a has {grouped} beside {cells[0]}: write {grouped.replace(mark, '')} if" in str(caught)
    assert f"or {cells[0]}{mark}0 if it is a decimal" in str(caught)


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
        (["0.500", "895", "1.019"], "."),  # 0.500 is no group of thousands
        (["1.0190", "895", "2.500"], "."),
        (["1.019", "1895", "2.500"], "."),  # an integer of four digits without a separator
        (["1.019", "2.500", "895.000"], "."),
        (["0,5", "895", "1,019"], ","),
        (["1e3", "1.019", "895"], "."),
    ],
)
def test_decimals_that_can_be_nothing_else_are_read(path, cells, decimal):
    rows = "".join(f"{i % 2};{cell}\n" for i, cell in enumerate(cells))
    table = read_scores(write(path, f"y;a\n{rows}"), label="y", scores=["a"], decimal=decimal)
    assert table.scores["a"].tolist() == [float(cell.replace(",", ".")) for cell in cells]


@pytest.mark.parametrize("word", ["None", "NA", "N/A", "null"])
def test_a_word_for_missing_is_a_class_if_stated_or_if_there_are_two(path, word):
    two = f"y,a\n{word},1.5\nyes,2\n{word},3\n"
    assert read_scores(write(path, two), label="y", positive="yes").negative_label == word
    three = f"y,a\n{word},1.5\nyes,2\nYes,3\n"
    table = read_scores(write(path, three), label="y", positive=word)
    assert table.positive.tolist() == [True, False, False]
    assert table.negative_label == "all others: yes, Yes"
    missing = rf"row 1, column y: the value is missing \('{word}'\).* state it as the positive one"
    with pytest.raises(ScoreFileError, match=missing):
        read_scores(path, label="y", positive="yes")


def test_a_class_of_another_case_is_named(path):
    table = read_scores(write(path, "y,a\nyes,1.5\nno,2\nYes,3\n"), label="y", positive="yes")
    assert table.positive.tolist() == [True, False, False]
    assert "Yes in column y is not yes and counts as negative." in table.notes
    mixed = "y,a\nTrue,1.5\n0,2\n1,3\nFalse,4\n"
    table = read_scores(write(path, mixed), label="y", scores=["a"], positive=1)
    assert table.positive.tolist() == [False, False, True, False]
    assert table.notes == ("true in column y is not 1 and counts as negative.",)
    table = read_scores(path, label="y", scores=["a"], positive="false")
    assert table.notes == ("0 in column y is not false and counts as negative.",)


def test_columns_that_look_like_scores(path):
    rows = np.arange(40)
    frame = pd.DataFrame({"y": rows % 2, "model": np.sin(rows), "row": rows, "number": rows})
    frame = frame.assign(flag=rows % 2, name="x", weight=2.5, patient=rows // 4, one=1.0)
    frame["client_no"], frame["rank"] = 7000 + 3 * rows, -2 * rows
    table = read_scores(write(path, frame.to_csv(index=False)), label="y")
    assert list(table.scores) == ["model", "one", "rank"]
    assert table.notes == (
        "Taken as scores, as none were named: model, one, rank; if one is not, name the others by "
        "--score.",
        "Not taken (by its name a row number, fold, group or weight): row, weight, patient, "
        "client_no.",
        "Not taken (row numbers, it seems): number.",
        "Not taken (only 0 and 1): flag.",
        "Not taken (not mostly numbers): name.",
        "Values of patient repeat: if rows with the same value belong together, give --group "
        "patient; without it the intervals are too narrow.",
    )
    table = read_scores(path, label="y", scores=["flag"], weight="weight", group="patient")
    assert (table.weights == 2.5).all()
    assert (table.groups == rows // 4).all()
    assert table.notes == ()
    write(path, frame[["y", "model"]].to_csv())
    assert read_scores(path, label="y").notes[1] == "Not taken (no name): column 1."
    # An index without a name.
    write(path, frame[["y", "model"]].set_axis(np.cos(rows)).to_parquet())
    assert list(read_scores(path, label="y").scores) == ["model"]
    write(path, frame[["y", "name", "weight"]].to_csv(index=False))
    with pytest.raises(ScoreFileError, match="no columns that look like scores: name them, --sc"):
        read_scores(path, label="y")


@pytest.mark.parametrize("package", ["openpyxl", "pyarrow"])
def test_a_missing_package_is_named(path, monkeypatch, package):
    write(path, FRAME.to_parquet() if package == "pyarrow" else as_workbook(scores=FRAME))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ScoreFileError, match=f"needs the package {package}: install it, or save"):
        read_scores(path, label="y")


def writers(frame):
    """One table in every kind of file."""
    text = frame.to_csv(index=False)
    return {
        "csv": text.encode(),
        "packed csv": lzma.compress(text.encode()),
        "parquet": frame.to_parquet(),
        "workbook": as_workbook(scores=frame),
    }


KINDS = ["csv", "packed csv", "parquet", "workbook"]
PATIENTS = np.arange(N) // 4


@pytest.mark.parametrize("kind", KINDS)
def test_groups_are_compared_as_labels_are(path, kind):
    codes = [f"p{i}" + " " * (row % 2) for row, i in enumerate(PATIENTS)]
    numbers = [[str(i), f"{i}.0", f"0{i}"][row % 3] for row, i in enumerate(PATIENTS)]
    frame = FRAME.assign(patient=codes, number=numbers)
    write(path, writers(frame)[kind])
    for group, joined in (("patient", "'p0 ' is 'p0'"), ("number", "'0.0' is '0', '00' is '0'")):
        table = read_scores(path, label="y", scores=["a"], group=group)
        assert (table.groups == PATIENTS).all()
        assert table.notes[-1].startswith(f"Spellings joined in column {group}: {joined}, ")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mark", [".", "\\N", "#NULL!", "#N/A", "n.d."])
def test_marks_of_missing_values_are_no_classes(path, kind, mark):
    y = FRAME["y"].astype(object).where(FRAME.index != 4, mark)
    write(path, writers(FRAME.assign(y=y, a=A.astype(str)).astype({"y": str}))[kind])
    with pytest.raises(ScoreFileError, match="row 5, column y: the value is missing"):
        read_scores(path, label="y", positive=1, scores=["a"], missing_values=["N.D.", "n.d."])


@pytest.mark.parametrize("kind", KINDS)
def test_two_forms_of_a_letter_are_one_class(path, kind):
    y = np.where(Y == 0, "ok", np.where(PATIENTS % 2, "refus\xe9", "refuse\u0301"))
    write(path, writers(FRAME.assign(y=y))[kind])
    table = read_scores(path, label="y", positive="refus\xe9")
    assert (table.positive == (Y == 1)).all()
    assert any("'refus\\xe9'" in note for note in table.notes)


LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cf"]) | st.sampled_from(',;|"\n\t ')
CLASSES = [("0", "1"), ("bad", "good"), ("n. i. O.", "i. O."), ("-1", "1")]
DIALECTS = [(",", "."), (";", ","), ("\t", ","), ("|", ".")]
QUOTING = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]


@given(st.data())
def test_random_tables_in_random_dialects(tmp_path_factory, data):
    n = data.draw(st.integers(2, 12))
    names = data.draw(st.sampled_from(CLASSES))
    y = np.array([0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    number = st.floats(-1e6, 1e6).map(lambda x: x + 0.0) | st.sampled_from([0.5, -1.25, 1e-9])
    score = data.draw(st.lists(number, min_size=n, max_size=n))
    notes = data.draw(st.lists(st.text(LETTERS, max_size=12), min_size=n, max_size=n))
    delimiter, decimal = data.draw(st.sampled_from(DIALECTS))
    frame = pd.DataFrame({"note": notes, "y": np.take(names, y), "m": 2.5, "score": score})
    frame["k"] = 7.25
    text = frame.to_csv(
        index=False,
        sep=delimiter,
        decimal=decimal,
        quoting=data.draw(st.sampled_from(QUOTING)),
        lineterminator=data.draw(st.sampled_from(["\n", "\r\n", "\r"])),
    )
    pack = data.draw(st.sampled_from([bytes, gzip.compress, bz2.compress, lzma.compress]))
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig"]))
    file = write(tmp_path_factory.getbasetemp() / "random.csv", pack(text.encode(encoding)))
    table = read_scores(file, label="y", scores=["score"], positive=names[1], decimal=decimal)
    assert table.positive.tolist() == (y == 1).tolist()
    assert table.scores["score"].tolist() == score
    assert measures(table.positive, table.scores["score"]) == measures(y, score)
