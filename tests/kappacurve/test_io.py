"""Files of scores: what is read alike, and what is refused with one sentence."""

import bz2
import csv
import gzip
import io
import lzma
import os
import threading

import numpy as np
import pandas as pd
import pytest

from kappacurve.files.scores import ScoreFileError, read_scores, read_table

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
WORDS = FRAME.assign(y=np.where(Y == 1, "bad", "good"))
READABLE = {  # contents, the positive class and the stated delimiter
    "byte order mark and quoted header": ("\ufeff" + CLEAN.replace("y,a", '"y","a"'), None),
    "windows line ends": (as_text(lineterminator="\r\n"), None),
    "old mac line ends": (as_text(lineterminator="\r"), None),
    "semicolons": (as_text(sep=";"), None),
    "delimiter in the file": ('"sep=|"\n' + as_text(sep="|"), None),
    "stated tab": (as_text(sep="\t"), None, "tab"),
    "stated character": (as_text(sep="^"), None, "^"),
    "gzip": (gzip.compress(CLEAN.encode()), None),
    "bzip2": (bz2.compress(CLEAN.encode()), None),
    "xz": (lzma.compress(CLEAN.encode()), None),
    "quoted numbers": (as_text(quoting=csv.QUOTE_ALL), None),
    "blanks around numbers": (CLEAN.replace(",", "  ,  "), None),
    "blank lines": ("\n" + CLEAN.replace("\n", "\n\n"), None),
    "truth values": (as_text(("False", "True")), None),
    "minus one and one": (as_text(("-1", "+1")), None),
    "spellings of a number": (CLEAN.replace("\n1,", '\n"1.0",', 5), None),
    "codes with zeros": (as_text(("02", "01")), 1.0),
    "a code for a number": (as_text(("2", "1")), "01"),
    "a delimiter in a quoted field": (CLEAN.replace("\n", ',"a, b"\n'), None),
    "words with blanks": (as_text((" good", "bad ")), "bad"),
    "parquet": (FRAME.to_parquet(), None),
    "parquet with words": (WORDS.to_parquet(), "bad"),
    "workbook": (as_workbook(scores=WORDS, note=FRAME.head(1)), "bad"),
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


def test_standard_input_and_a_pipe_are_read_once(monkeypatch, tmp_path):
    packed = gzip.compress(CLEAN.encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed)))
    os.mkfifo(pipe := tmp_path / "pipe")
    threading.Thread(target=write, args=(pipe, packed), daemon=True).start()
    for path, source in (("-", "standard input"), (pipe, str(pipe))):
        table = read_scores(path, label="y")
        assert table.source == source
        assert (table.scores["b"] == B).all()


def with_row(number, row):
    lines = CLEAN.splitlines()
    lines[number] = row
    return "\n".join(lines) + "\n"


BOOK = as_workbook(note=pd.DataFrame({"by": ["me"]}), scores=FRAME)
NO_YES = "y,a\nno,1.5\nYes,2.5\n"
LONG = "y,model,score\n1,a,0.5\n"
GAP = FRAME.assign(a=FRAME["a"].where(FRAME.index != 4)).to_parquet()
NO_WORD = WORDS.assign(c=WORDS["y"].where(FRAME.index != 4)).to_parquet()
REFUSED = {  # contents, what is said, and options
    "no file": (None, "scores.csv can't be read: No such file or directory."),
    "blank": (b"\n \n", "scores.csv is empty."),
    "no rows": ("y,a\n", "scores.csv has no rows."),
    "web page": ("\n<!DOCTYPE html>\n<html><body>Log in</body></html>", "is a web page (HTML)"),
    "title": ("UTF-8\n" + as_text(sep=";"), "line 1, 'UTF-8', is not a header of the 3 columns"),
    "comment": ("# by hand\n# 2020\n" + CLEAN, "line 1, '# by hand', is not a header"),
    "wide comment": ("# by, hand, 2020\n" + CLEAN, "line 1, '# by, hand, 2020', is not a header"),
    "title of a sheet": ("\ntitle,,\n" + CLEAN, "line 2, 'title,,', is not a header"),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel workbook (.xls)"),
    "second sheet": (
        BOOK,
        "first sheet, 'note', has no column y, but the sheet 'scores' has: move",
    ),
    "archive": (b"PK\x03\x04\x14\0", "scores.csv is a zip archive: unpack it."),
    "utf-16": (CLEAN.encode("utf-16"), "is UTF-16 text: convert it"),
    "latin-1": (as_text(("gut", "schön")).encode("latin-1"), "is not UTF-8 text: convert it"),
    "binary": (CLEAN.encode() + b"\0", "is not text (it holds NUL bytes)"),
    "delimiter": (CLEAN, "delimiter must be one character or tab", {"delimiter": "semicolon"}),
    "missing column": ("y,A\n1,2\n", "has no column a. Did you mean A? Its columns: y, A."),
    "one column": ("y^a\n1^2\n", "It has one column, 'y^a': if it has more, state the --delimiter"),
    "repeated column": (CLEAN.replace("b", "a", 1), "column a appears twice in the header"),
    "one row per model": (LONG, "one row per model and case: give", {"scores": None}),
    "long row": (with_row(7, "1,2,3,4"), "Expected 3 fields in line 8, saw 4"),
    "long first row": (with_row(1, "1,2,3,4"), "the first row has more fields than the header"),
    "short row": (with_row(7, "1,2"), "line 8: 2 fields where the header has 3"),
    "open quotation mark": (with_row(7, '1,"2,3'), "a quotation mark left open?"),
    "missing label": (with_row(7, ",1,2"), "row 7, column y: the value is missing. Correct or"),
    "word for a score": (with_row(7, "1,None,2"), "row 7, column a: the value is missing ('None')"),
    "too large": (with_row(7, "1,1e999,2"), "row 7, column a: 'inf' is not a finite number."),
    "decimal comma": (
        with_row(7, '1,"0,5",2'),
        "'0,5' has a decimal comma. If the numbers of the file have one, say so by --decimal , (",
    ),
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
        "row 3, column b: the value is missing; row 4, column a: 'x' is not a finite number. Corr",
        {"scores": ["b", "a"]},
    ),
    "one class": ("y,a\n1,2.5\n1.0,3\n", "column y has one class only, '1'"),
    "no positive class": (NO_YES, "has the classes 'no', 'Yes': say which one is positive"),
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


def test_columns_that_look_like_scores(path):
    rows = np.arange(40)
    frame = pd.DataFrame({"y": rows % 2, "model": np.sin(rows), "row": rows, "number": rows})
    frame = frame.assign(
        flag=rows % 2, name="x", weight=2.5, patient=rows // 4, rank=-2 * rows, one=1.0
    )
    table = read_scores(write(path, frame.to_csv(index=False)), label="y")
    assert list(table.scores) == ["model", "rank", "one"]
    assert table.notes == (
        "Taken as scores, as none were named: model, rank, one.",
        "Not taken (by its name a row number, fold, group or weight): row, weight, patient.",
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
    write(path, frame[["y", "name", "weight"]].to_csv(index=False))
    with pytest.raises(ScoreFileError, match="no columns that look like scores: name them, --sc"):
        read_scores(path, label="y")


def test_a_table_keeps_what_is_written(path):
    content = "id,code,number,gap,word\n9007199254740993,01,1.5,7,a\n9007199254740995,2,2.5,,None\n"
    table = read_table(write(path, content))
    assert table["id"].tolist() == [9007199254740993, 9007199254740995]
    assert table["number"].tolist() == [1.5, 2.5]
    assert table["gap"].dropna().tolist() == [7]
    assert table["word"].tolist() == ["a", "None"]
    assert read_table(path, header=False)["column_3"].tolist() == ["number", "1.5", "2.5"]
    large = "id\n9007199254740993\n\n9007199254740995\nNA\n"
    assert read_table(write(path, large))["id"].tolist()[0] == "9007199254740993"
    for content, message in (
        ('a;b\n"1,019";x\n"895";y\n', "1,019 beside 895"),
        ("a,,b\n1,2,3\n", "column 2 has no name"),
    ):
        with pytest.raises(ScoreFileError, match=message):
            read_table(write(path, content))
    with pytest.raises(ScoreFileError, match="only a text can be without a header"):
        read_table(write(path, READABLE["parquet"][0]), header=False)
