"""Files of scores: what is read alike, and what is refused with one sentence."""

import bz2
import csv
import gzip
import io
import lzma
import os
import threading
import zipfile

import numpy as np
import pandas as pd
import pytest

from kappacurve.io import ScoreFileError, read_scores, read_table

N = 60
RANDOM = np.random.default_rng(5)
Y = (RANDOM.random(N) < 0.4).astype(int)
A, B = (RANDOM.normal(size=(2, N)) + Y).round(12)  # all digits fit into a workbook, too
FRAME = pd.DataFrame({"y": Y, "a": A, "b": B})


def as_text(labels=("0", "1"), **options):
    return FRAME.assign(y=np.take(labels, Y)).to_csv(index=False, **options)


CLEAN = as_text()


def as_bytes(write):
    write(file := io.BytesIO())
    return file.getvalue()


def workbook(*sheets):
    def write(file):
        with pd.ExcelWriter(file) as book:
            for name, frame in sheets:
                frame.to_excel(book, sheet_name=name, index=False)

    return as_bytes(write)


WORDS = FRAME.assign(y=np.where(Y == 1, "bad", "good"))
READABLE = {  # contents and the positive class
    "clean": (CLEAN, None),
    "byte order mark and quoted header": ("\ufeff" + CLEAN.replace("y,a", '"y","a"'), None),
    "windows line ends": (as_text(lineterminator="\r\n"), None),
    "old mac line ends": (as_text(lineterminator="\r"), None),
    "semicolons": (as_text(sep=";"), None),
    "stated delimiter": ("sep=;\n" + as_text(sep=";"), None),
    "quoted and stated delimiter": ('"sep=|"\n' + as_text(sep="|"), None),
    "tabs": (as_text(sep="\t"), None),
    "gzip": (gzip.compress(CLEAN.encode()), None),
    "bzip2": (bz2.compress(CLEAN.encode()), None),
    "xz": (lzma.compress(CLEAN.encode()), None),
    "quoted numbers": (as_text(quoting=csv.QUOTE_ALL), None),
    "blanks around numbers": (CLEAN.replace(",", "  ,  "), None),
    "blank lines": ("\n" + CLEAN.replace("\n", "\n\n"), None),
    "truth values": (as_text(("False", "True")), None),
    "minus one and one": (as_text(("-1", "+1")), None),
    "spellings of a number": (CLEAN.replace("\n1,", '\n"1.0",', 5), None),
    "codes with zeros": (as_text(("02", "01")), "01"),
    "a code for a number": (as_text(("2", "1")), "01"),
    "a delimiter in a quoted field": (CLEAN.replace("\n", ',"a, b"\n'), None),
    "words with blanks": (as_text((" good", "bad ")), "bad"),
    "a number for the class": (CLEAN, 1.0),
    "parquet": (as_bytes(lambda file: FRAME.to_parquet(file)), None),
    "parquet with words": (as_bytes(lambda file: WORDS.to_parquet(file)), "bad"),
    "workbook": (workbook(("scores", FRAME), ("note", FRAME.head(1))), None),
    "workbook with words": (workbook(("scores", WORDS)), "bad"),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(path, content, **options):
    with pytest.raises(ScoreFileError) as caught:
        read_scores(write(path, content), **{"label": "y"} | options)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), "scores.csv")


@pytest.mark.parametrize("name", READABLE)
def test_every_kind_of_file_gives_the_same_bits(path, name):
    content, positive = READABLE[name]
    table = read_scores(write(path, content), label="y", scores=["b", "a"], positive=positive)
    assert list(table.scores) == ["b", "a"]
    assert (table.scores["a"] == A).all()
    assert (table.scores["b"] == B).all()
    assert (table.positive == (Y == 1)).all()


def with_row(number, row):
    lines = CLEAN.splitlines()
    lines[number] = row
    return "\n".join(lines) + "\n"


REFUSED = {
    "empty": (b"", "scores.csv is empty."),
    "blank": (b"\n \n", "scores.csv is empty."),
    "no rows": ("y,a\n", "scores.csv has no rows."),
    "web page": ("<!DOCTYPE html>\n<html><body>Log in</body></html>", "is a web page (HTML)"),
    "table of a web page": ("  <table><tr><td>y</td></tr></table>", "is a web page (HTML)"),
    "title": ("UTF-8\n" + CLEAN, "line 1, 'UTF-8', is not a header of the 3 columns below it"),
    "comment": ("# by hand\n# 2020\n" + CLEAN, "line 1, '# by hand', is not a header"),
    "wide comment": ("# by, hand, 2020\n" + CLEAN, "line 1, '# by, hand, 2020', is not a header"),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel workbook (.xls)"),
    "utf-16": (CLEAN.encode("utf-16"), "is UTF-16 text: convert it"),
    "latin-1": (as_text(("gut", "schön")).encode("latin-1"), "is not UTF-8 text: convert it"),
    "binary": (CLEAN.encode() + b"\0", "is not text (it holds NUL bytes)"),
    "missing column": ("y,A\n1,2\n", "has no column a. Did you mean A? Its columns: y, A."),
    "one column": ("y\n1\n", "It has one column, 'y': if it has more, state the --delimiter."),
    "repeated column": (CLEAN.replace("b", "a", 1), "column a appears twice in the header"),
    "long row": (with_row(7, "1,2,3,4"), "Expected 3 fields in line 8, saw 4"),
    "long first row": (with_row(1, "1,2,3,4"), "the first row has more fields than the header"),
    "short row": (with_row(7, "1,2"), "line 8: 2 fields where the header has 3"),
    "open quotation mark": (with_row(7, '1,"2,3'), "a quotation mark left open?"),
    "missing label": (with_row(7, ",1,2"), "row 7, column y: the value is missing."),
    "missing score": (with_row(7, "1,,2"), "row 7, column a: the number is missing."),
    "word for a score": (
        with_row(7, "1,None,2"),
        "row 7, column a: the number is missing ('None')",
    ),
    "not a number": (with_row(7, "1,high,2"), "row 7, column a: 'high' is not a number."),
    "infinite": (with_row(7, "1,inf,2"), "row 7, column a: 'inf' is infinite or too large."),
    "too large": (with_row(7, "1,1e999,2"), "column a: 'inf' is infinite or too large."),
    "decimal comma": (with_row(7, '1,"0,5",2'), "'0,5' has a decimal comma: say so by --decimal ,"),
    "parquet with a gap": (
        as_bytes(lambda file: FRAME.assign(a=FRAME["a"].where(FRAME.index != 4)).to_parquet(file)),
        "row 5, column a: the number is missing.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_sentence_says_what_was_found_and_where(path, name):
    content, message = REFUSED[name]
    assert message in refusal(path, content, scores=["a"])


def test_a_stated_delimiter(path):
    table = read_scores(write(path, as_text(sep="\t")), label="y", delimiter="tab")
    assert (table.scores["a"] == A).all()
    odd = CLEAN.replace(",", "^")
    assert (read_scores(write(path, odd), label="y", delimiter="^").scores["a"] == A).all()
    assert "It has one column, 'y^a^b': if it has more, state" in refusal(path, odd)
    assert "delimiter must be one character" in refusal(path, odd, delimiter="semicolon")


def test_other_files(tmp_path, path):
    with pytest.raises(ScoreFileError, match="can't be read: No such file"):
        read_scores(tmp_path / "none.csv", label="y")
    with zipfile.ZipFile(archive := io.BytesIO(), "w") as packed:
        packed.writestr("scores.csv", CLEAN)
    assert refusal(path, archive.getvalue()) == "scores.csv is a zip archive: unpack it."
    book = workbook(("note", pd.DataFrame({"by": ["me"]})), ("scores", FRAME))
    message = refusal(path, book)
    assert "the first sheet, 'note', has no column y, but the sheet 'scores' has" in message


def test_the_first_five_cells_are_named(path):
    lines = CLEAN.splitlines()
    for row in range(10, 20):
        lines[row] = f"1,x,{'' if row == 12 else 2}"
    message = refusal(path, "\n".join(lines), scores=["a", "b"])
    rows = "row 10, column a: 'x' is not a number; row 11, column a: 'x' is not a number; "
    assert rows + "row 12, column a: 'x' is not a number; row 12, column b: the number" in message
    assert "row 14" not in message


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize(
    "cells",
    [
        ["895", "1019", "1234567", "12"],
        ["-895", "+1000", "2000", "999999"],
        ["1", "2000", "3000", "0"],
    ],
)
def test_a_separator_of_thousands_is_never_read_as_a_decimal_sign(path, cells, mark, decimal):
    numbers = [f"{int(cell):,}".replace(",", mark) for cell in cells]
    rows = "".join(f"{i % 2};{number}\n" for i, number in enumerate(numbers))
    message = refusal(path, f"y;a\n{rows}", scores=["a"], decimal=decimal)
    grouped = max(numbers, key=len)
    if grouped.count(mark) > 1:  # can't be a fraction
        assert f"such as {grouped}: write {grouped.replace(mark, '')}." in message
    else:
        grouped = next(number for number in numbers if mark in number)
        assert f"{grouped} can mean {grouped.replace(mark, '')} or" in message
    assert "--decimal" not in message


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
    table = read_scores(write(path, two), label="y", positive="yes")
    assert table.negative_label == word
    three = f"y,a\n{word},1.5\nyes,2\nno,3\n"
    table = read_scores(write(path, three), label="y", positive=word)
    assert table.positive.tolist() == [True, False, False]
    message = refusal(path, three, positive="yes")
    assert f"row 1, column y: the value is missing ('{word}')" in message
    assert "state it as the positive one" in message


def test_positive_class(path):
    content = "y,a\nyes,1.5\nno,2\nYes,3\n"
    table = read_scores(write(path, content), label="y", positive="yes")
    assert table.positive.tolist() == [True, False, False]
    assert table.negative_label == "all others: no, Yes"
    assert "Yes in column y is not yes and counts as negative." in table.notes
    assert "has the classes 'yes', 'no', 'Yes': say which one is positive" in refusal(path, content)
    message = refusal(path, content, positive="yess")
    assert "has no class 'yess'; it has 'yes', 'no', 'Yes'. Did you mean yes?" in message
    assert "one class only, '1'" in refusal(path, "y,a\n1,2.5\n1.0,3\n")


def test_columns_that_look_like_scores(path):
    rows = range(40)
    frame = pd.DataFrame({"y": np.arange(40) % 2, "model": np.sin(rows), "row": rows})
    frame = frame.assign(number=rows, flag=np.arange(40) % 2, name="x", weight=2.5)
    frame["patient"] = np.arange(40) // 4
    frame["rank"] = np.arange(40)[::-1] * 2
    table = read_scores(write(path, frame.to_csv(index=False)), label="y")
    assert list(table.scores) == ["model", "rank"]
    notes = " ".join(table.notes)
    assert "Taken as scores, as none were named: model, rank." in notes
    assert "Values of patient repeat" in notes
    assert "Not taken (only 0 and 1): flag." in notes
    table = read_scores(path, label="y", scores=["flag"], weight="weight", group="patient")
    assert (table.weights == 2.5).all()
    assert (table.groups == np.arange(40) // 4).all()
    assert table.notes == ()


def test_one_row_per_model_is_refused(path):
    assert "one row per model and case" in refusal(path, "y,model,score\n1,a,0.5\n0,a,0.4\n")


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CLEAN.encode())))
    table = read_scores("-", label="y")
    assert table.source == "standard input"
    assert (table.scores["a"] == A).all()


def test_a_pipe_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=write, args=(tmp_path / "pipe", gzip.compress(CLEAN.encode())))
    writer.start()
    assert (read_scores(tmp_path / "pipe", label="y").scores["b"] == B).all()
    writer.join()


def test_a_table_keeps_what_is_written(path):
    content = "id,code,number,gap,word\n9007199254740993,01,1.5,1,a\n9007199254740995,2,2.5,,None\n"
    table = read_table(write(path, content))
    assert table["id"].tolist() == [9007199254740993, 9007199254740995]
    assert table["number"].tolist() == [1.5, 2.5]
    assert np.isnan(table["gap"][1])
    assert table["word"].tolist() == ["a", "None"]
    large = "id\n9007199254740993\n\n9007199254740995\nNA\n"
    assert read_table(write(path, large))["id"].tolist()[0] == "9007199254740993"
    with pytest.raises(ScoreFileError, match=r"1,019 can mean 1019 or 1\.019"):
        read_table(write(path, 'a;b\n"1,019";x\n"895";y\n'))
    with pytest.raises(ScoreFileError, match="column 2 has no name"):
        read_table(write(path, "a,,b\n1,2,3\n"))
