"""Files of scores and tables: what must be read alike, and what is refused with one sentence."""

import bz2
import csv
import errno
import gzip
import io
import lzma
import os
import resource
import string
import subprocess
import time
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kappacurve import io as files
from kappacurve.io import ScoreFileError, read_scores, read_table

N = 60
RNG = np.random.default_rng(5)
Y = (RNG.random(N) < 0.4).astype(int)
A, B = RNG.normal(size=(2, N)) + Y
FRAME = pd.DataFrame({"y": Y, "model_a": A, "model_b": B})
TWO = ["model_a", "model_b"]


def text(labels=("0", "1"), **options):
    return FRAME.assign(y=np.take(labels, Y)).to_csv(index=False, **options)


CLEAN = text()


def with_line(number, line, base=CLEAN):
    """The clean text with one line replaced; the header is line 1."""
    lines = base.splitlines()
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


def parquet(frame):
    frame.to_parquet(data := io.BytesIO(), index=False)
    return data.getvalue()


GAP = FRAME.assign(model_a=FRAME["model_a"].where(FRAME.index != 4))
WORDS = FRAME.assign(y=np.where(Y == 1, "bad", "good")).astype({"y": "category"})
GOOD = {  # contents, some with the positive class
    "clean": CLEAN,
    "byte order mark and quoted header": "\ufeff" + CLEAN.replace("y,model_a", '"y","model_a"'),
    "windows line ends": text(lineterminator="\r\n"),
    "old mac line ends": text(lineterminator="\r"),
    "semicolons": text(sep=";"),
    "tabs": text(sep="\t"),
    "gzip": gzip.compress(CLEAN.encode(), mtime=0),
    "bzip2": bz2.compress(CLEAN.encode()),
    "xz": lzma.compress(CLEAN.encode()),
    "quoted numbers": text(quoting=csv.QUOTE_ALL),
    "quoted numbers after blanks": text(quoting=csv.QUOTE_ALL).replace(",", " ,  "),
    "blanks around numbers": CLEAN.replace(",", "  ,  "),
    "blank lines": "\n" + CLEAN.replace("\n", "\n\n").replace("\n\n", "\n  \n", 3),
    "booleans": text(("False", "True")),
    "minus one and one": text(("-1", "+1")),
    "labels of mixed types": CLEAN.replace("\n1,", '\n"1.0",', 5).replace("\n0,", "\n-0,", 3),
    "a delimiter in a quoted field": CLEAN.replace("\n", ',"a, b"\n'),
    "a quoted line end": CLEAN.replace("\n", ',"a\nb"\n'),
    "parquet": parquet(FRAME),
    "words": (text(("good", "bad")), "bad"),
    "labels with blanks": (text((" good", "bad ")), "bad"),
    "parquet with words": (parquet(WORDS), "bad"),
    "parquet with bytes": (parquet(FRAME.assign(y=[b"\xc3\xa9" if y else b"e" for y in Y])), "é"),
    "a positive class that is no text": (CLEAN, 1.0),
}


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(path, **options):
    with pytest.raises(ScoreFileError) as caught:
        read_scores(path, **{"label": "y"} | options)
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 800
    return said


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv"


@pytest.mark.parametrize("name", GOOD)
def test_what_can_be_read_gives_the_same_numbers(path, name):
    content, positive = GOOD[name] if isinstance(GOOD[name], tuple) else (GOOD[name], None)
    table = read_scores(write(path, content), label="y", scores=TWO[::-1], positive=positive)
    assert list(table.scores) == TWO[::-1]
    assert (table.scores["model_a"] == A).all()
    assert (table.scores["model_b"] == B).all()
    assert (table.positive == (Y == 1)).all()
    assert table.positive.dtype == bool


def zipped(name, content):
    with zipfile.ZipFile(archive := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(name, content)
    return archive.getvalue()


def workbook(frame):
    pytest.importorskip("openpyxl")
    frame.to_excel(book := io.BytesIO(), index=False)
    return book.getvalue()


MORE_DIGITS = "has more digits than a 64-bit number holds"
BAD = {
    "empty": (b"", "scores.csv is empty."),
    "blank": (b"\n \n", "scores.csv holds nothing but blank lines."),
    "zip": (zipped("scores.csv", CLEAN), "scores.csv is a zip archive: unpack it."),
    "zstd": (b"\x28\xb5\x2f\xfd\x24", "is compressed by zstd: unpack it, or"),
    "no rows": ("y,model_a,model_b\n", "scores.csv has no rows."),
    "one column": (
        "y\n1\n",
        "no column model_a. Its only column is 'y': does it need --delimiter?",
    ),
    "other columns": ("y,modelA\n1,2\n", "Did you mean 'modelA'? Its columns: y, modelA."),
    "twice": (
        CLEAN.replace("_b", "_a", 1),
        "column model_a stands more than once in the header (fields 2 and 3)",
    ),
    "decimal comma": (with_line(3, '1,"0,5",2'), "'0,5' has a decimal comma (write a point, or"),
    "lists": (
        parquet(FRAME.assign(model_a=[[1.0]] * N)),
        "scores.csv: column model_a holds list<element: double>, not single values.",
    ),
    "open quotation mark": (
        with_line(8, '1,"2,3'),
        "EOF inside string starting at row 7. Is a delimiter missing or too many, or a quotation",
    ),
    "an integer of 400 digits": (
        with_line(3, f"1,{'9' * 400},2"),
        "99...' is infinite or too large",
    ),
    "NUL bytes": (with_line(8, "1,\0,3"), "is not text (it holds NUL bytes)"),
    "utf-16": (CLEAN.encode("utf-16"), "is UTF-16 text: convert it (iconv -f UTF-16"),
    "latin-1": (text(("gut", "schön")).encode("latin-1"), "is not UTF-8 text: convert it"),
    "arff": (
        "% by hand\n@relation r\n@attribute y {0,1}\n@data\n1\n",
        "is ARFF: convert it to CSV",
    ),
    "two decimals that would become ties": (
        with_line(3, "1,0.12345678901234567891,2", with_line(5, "0,.1234567890123456789,2")),
        f"row 4, column model_a: '.1234567890123456789' {MORE_DIGITS}",
    ),
    "nines that would become a tie": (
        "y,model_a,model_b\n0,0.3,1\n1,0.29999999999999999999,2\n",
        f"row 2, column model_a: '0.29999999999999999999' {MORE_DIGITS}",
    ),
    "parquet with null": (parquet(GAP), "row 5, column model_a: the score is missing. Correct"),
    "parquet with decimals that would become ties": (
        parquet(FRAME.assign(model_a=[Decimal(f"1.{i:020}") for i in range(N)])),
        f"row 2, column model_a: '1.00000000000000000001' {MORE_DIGITS}",
    ),
    "parquet with integers that would become ties": (
        parquet(FRAME.assign(model_a=2**53 + np.arange(N))),
        f"row 2, column model_a: '9007199254740993' {MORE_DIGITS}",
    ),
} | {
    f"the score {cell[:20]}": (with_line(3, f"1,{cell},2"), f"{cell[-18:]}' {what}")
    for cell, what in (
        ("1e400", "is infinite or too large for a 64-bit number"),
        ("-1e-400", "is not 0 and too small for a 64-bit number"),
        ("9007199254740993", MORE_DIGITS),
        ("9007199254740993.0", MORE_DIGITS),
    )
}


@pytest.mark.parametrize("name", BAD)
def test_what_can_not_be_read_gets_one_sentence(path, name):
    content, message = BAD[name]
    said = refusal(write(path, content), scores=TWO)
    assert message in said
    assert "scores.csv" in said


def test_the_first_five_bad_cells_are_named(path):
    lines = CLEAN.splitlines()
    lines[2], lines[4] = "1,x,", "?,1,2"
    lines[6:9] = ["1,true,2", "1,inf,1", "1,y,z"]
    assert refusal(write(path, "\n".join(lines)), scores=TWO) == (
        f"{path}, row 2, column model_a: 'x' is not a number; row 2, column model_b: the score "
        "is missing; row 4, column y: the label is missing ('?'); row 7, column model_a: 'inf' "
        "is infinite or too large for a 64-bit number; row 8, column model_a: 'y' is not a "
        "number. Correct or remove what is named."
    )


@pytest.mark.parametrize("at", [2, 5, 15])
@pytest.mark.parametrize("row", ["1,2,3,x,", "1,2,3", "1,2,3,x,y,z"])
def test_a_row_of_another_width_is_seen_wherever_it_stands(path, at, row):
    """Also where only a column that is not needed lacks."""
    lines = ["y,a,b,remark", *(f"{i % 2},{i},{-i}," for i in range(15))]
    write(path, "\n".join(lines))
    assert read_scores(path, label="y", scores=["a"]).scores["a"].tolist() == list(range(15))
    lines[at - 1] = row
    wide = f"Expected 4 fields in line {at}, saw {row.count(',') + 1}."
    if row == "1,2,3":
        wide = f"line {at}: 3 fields where the first line has 4."
    elif at == 2:
        wide = "the first row has more fields than the header"
    assert wide in refusal(write(path, "\n".join(lines)), scores=["a"])


COLUMNS = ",".join(f"c{i}" for i in range(1001))
MANY_COLUMNS = "has 1001 columns besides the label: name those that hold scores."
HOSTILE = {
    "workbook": (
        zipped("xl/workbook.xml", b" " * 2**22),
        "unpacks to more than 0.00195312 GiB: if that is what",
    ),
    "short rows": (f"y,{COLUMNS}\n" + "1\n" * 2**17, "line 2: 1 fields"),
    "cells": ("y,a\n" + "1,2\n" * 2**17, "2 columns and 131,073 lines, more than 262,144 cells"),
    "columns": (f"y,{COLUMNS}\n1" + ",1" * 1001, MANY_COLUMNS),
} | {
    f"header of {header[:4]!r}": (gzip.compress(header + b"\n" * 2**12, mtime=0), "scores.csv")
    for header in (b"a" * 2**22, b"," * 2**21, b'"\n"' + b"," * 2**21, b'"' + b"\n" * 2**22)
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_would_fill_the_memory_is_refused_soon(path, name, monkeypatch):
    content, message = HOSTILE[name]
    if name in ("workbook", "cells"):
        monkeypatch.setattr(files, "MOST_UNPACKED", 2**21)
        monkeypatch.setattr(files, "MOST_CELLS", 2**18)
    write(path, content)
    start = time.process_time()
    assert message in refusal(path, scores=["c1"] if "rows" in name or "header" in name else None)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("content", "limit", "value", "said"),
    [
        (GOOD["parquet"], "MOST_CELLS", 3 * N, "has 180 cells, more than 179: take out columns"),
        (GOOD["gzip"], "MOST_UNPACKED", len(CLEAN), "unpacks to more than"),
        (None, "MOST_OF_WORKBOOK", 183, "reaches row 61 and column 3, more than 182"),
        (None, "MOST_ROWS_OF_WORKBOOK", 61, "reaches row 61 and column 3"),
        (CLEAN, "MOST_CELLS", 3000, "3 columns and 1,000 lines, more than 2,999 cells"),
        (CLEAN, "MOST_COLUMNS", 2, "has 2 columns besides the label: name those"),
    ],
)
def test_what_just_fits_is_taken(path, monkeypatch, content, limit, value, said):
    write(path, workbook(FRAME) if content is None else content)
    monkeypatch.setattr(files, limit, value)
    assert list(read_scores(path, label="y").scores) == TWO
    monkeypatch.setattr(files, limit, value - 1)
    assert said in refusal(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_a_pipe_is_read_and_what_never_ends_is_not_read_for_ever(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "MOST_UNPACKED", 2**22)
    start = time.process_time()
    assert "/dev/zero is not text (it holds NUL bytes)" in refusal(Path("/dev/zero"))
    os.mkfifo(pipe := tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"cat > {pipe}"], stdin=-1) as writer:
        writer.stdin.write(GOOD["gzip"])
        writer.stdin.close()
        assert (read_scores(pipe, label="y").scores["model_a"] == A).all()
    both_ends = os.open(pipe, os.O_RDWR)  # so that neither waits for the other to open it
    with subprocess.Popen(["yes", "1,2"], stdout=both_ends) as endless:
        try:
            assert "pipe gives more than 0.00390625 GiB: save it to a file" in refusal(pipe)
        finally:
            endless.kill()
            os.close(both_ends)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("place", ["XFD1048576", "A99999999", "B1048577"])
def test_one_cell_far_away_does_not_fill_the_memory(path, place):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["y", "model"])
    book.save(content := io.BytesIO())
    row = place.lstrip(string.ascii_uppercase)
    cell = f'<row r="{row}"><c r="{place}"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"</sheetData>", cell.encode()))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = refusal(path)
    assert "reaches row" in said
    assert "delete what lies outside the table" in said
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**18  # KiB


def test_without_names_all_columns_of_numbers_are_scores(path):
    rows = CLEAN.splitlines()
    content = [rows[0] + ",name,,"] + [f"{row},x{i},{i}," for i, row in enumerate(rows[1:])]
    table = read_scores(write(path, "\n".join(content)), label="y")
    assert list(table.scores) == TWO
    assert list(table.left_out) == ["name", "column 5 (no name)", "column 6 (no name)"]
    for content, said in (
        # A bad cell is named and does not take its column away.
        (with_line(17, "1,abc,2"), "row 16, column model_a: 'abc'"),
        ("y,a\n1,2\n0,z\n1,w\n", "has no column of numbers but the label"),
        (
            "row,y,model,score\n1,0,model_a,0.5\n1,0,model_b,0.2\n",
            "put the models side by side, for example by table.pivot(index=[row, label], columns=",
        ),
    ):
        assert said in refusal(write(path, content))


def test_columns_that_are_no_scores_stay_out_unless_they_are_named(path):
    others = {
        "patient_id": (N - np.arange(N), "row numbers, it seems"),
        "fold": (np.arange(N) % 3, "a fold, a group or a weight by name"),
        "Weight": (0.5, "a fold, a group or a weight by name"),
        "alarm": (Y, "only 0 and 1"),
        "number": (3 * np.arange(N), "row numbers, it seems"),
    }

    def read(table, **options):
        table.to_csv(path, index=False)
        return read_scores(path, label="y", **options)

    table = FRAME.assign(**{name: values for name, (values, _) in others.items()})
    scores = read(table)
    assert list(scores.scores) == TWO
    assert scores.left_out == {name: why for name, (_, why) in others.items()}
    assert scores.grouping == ()  # the numbers of the rows do not repeat
    assert list(read(table, scores=["alarm"]).scores) == ["alarm"]
    only = read(table, exclude=[*TWO, "number"], also=["fold"])
    assert list(only.scores) == ["alarm"]  # something must be left
    assert only.others["fold"].tolist() == table["fold"].tolist()
    repeated = read(table.assign(patient_id=np.arange(N) // 3))
    assert repeated.grouping == ("patient_id",)
    assert repeated.left_out["patient_id"].startswith("groups of rows, it seems")
    # Not a model, whatever its name says of it, unless it is asked for, or holds no integers.
    patients = FRAME.assign(patient=np.arange(N) // 3)
    repeated = read(patients)
    assert list(repeated.scores) == TWO
    assert repeated.grouping == ("patient",) == tuple(repeated.left_out)
    named = read(patients, scores=["model_a", "patient"])
    assert (list(named.scores), named.grouping) == (["model_a", "patient"], ())
    assert "patient" in read(FRAME.assign(patient=A.round(1))).scores


def test_positive_class(path):
    write(path, text(("Good", "Bad")))
    assert (read_scores(path, label="y", positive="Good").positive == (Y == 0)).all()
    said = "class 'bad' is not in column y, which holds 'Bad' and 'Good'. Did you mean 'B"
    assert said in refusal(path, positive="bad")
    three = read_scores(write(path, CLEAN.replace("\n1,", "\nx,", 3)), label="y", positive="0")
    assert (three.positive == (Y == 0)).all()
    assert three.negative_label == "all others: x, 1"
    assert "holds '0' and '1' and 'x': say which class is positive" in refusal(path)
    write(path, text(("0", "1\x07")))
    assert "say which class is positive, --positive 0 or --positive VALUE." in refusal(path)
    for options in ({"scores": ["y"]}, {"label": 0}, {"scores": "model_a"}, {"scores": [1]}):
        refusal(path, **options)


@pytest.mark.parametrize(
    ("values", "chosen"),
    [
        ("1 x 2 z", True),  # a half
        ("1 x z", False),
        ("1,5 x 2.5 z", True),
        ("1 ? x", True),  # what is missing says neither
        ("? na", False),
        ("inf -infinity x x", True),
    ],
)
def test_half_of_the_values_make_a_column_one_of_numbers(path, values, chosen):
    cells = values.split()
    lines = [f'{i % 2},{i + 0.5},"{cell}"' for i, cell in enumerate(cells)]
    write(path, "y,model,a\n" + "\n".join(lines))
    if chosen:
        assert "column a: " in refusal(path)
    else:
        assert read_scores(path, label="y").left_out == {"a": "not mostly numeric"}


@pytest.mark.parametrize(("n", "more"), [(5, ""), (7, " and 2 more")])
def test_the_first_five_classes_are_named(path, n, more):
    write(path, "y,m\n" + "\n".join(f"{'gfedcba'[i]},{i}" for i in range(7 - n, 7)))
    listed = " and ".join(f"'{letter}'" for letter in "abcde") + more
    said = f"scores.csv: column y holds {listed}: say which class is positive, --positive a or "
    said += "--positive b (the others together are the negative class)."
    assert refusal(path).endswith(said)
    others = read_scores(path, label="y", positive="a").negative_label
    assert others == "all others: " + {5: "e, d, c, b", 7: "g, f, e, d, c, ... (6 in all)"}[n]


TOO_LARGE = "does not fit into memory."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), TOO_LARGE),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), TOO_LARGE),
        (pd.errors.ParserError("Error tokenizing data. C error: out of memory"), TOO_LARGE),
        (OSError(errno.EIO, "Input/output error"), "can't be read: Input/output error."),
        (ImportError("No x."), "can't be read: No x; install it, or save the table as CSV."),
    ],
)
def test_what_another_package_raises_is_one_sentence(path, monkeypatch, error, said):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(pd, "read_csv", fail)
    assert refusal(write(path, CLEAN)) == f"{path} {said}"


def test_a_decimal_comma(path):
    base = text(sep=";", decimal=",")
    table = read_scores(write(path, base), label="y", decimal=",")
    assert (table.scores["model_b"] == B).all()
    write(path, with_line(4, "1;0.5;2", base))
    said = "row 3, column model_a: '0.5' has a point, and the decimal is a comma."
    assert said in refusal(path, scores=TWO, decimal=",")
    for i, digits in ((4, "0,12345678901234567891"), (6, "0,1234567890123456789")):
        base = with_line(i, f"1;{digits};2", base)
    said = refusal(write(path, base), scores=TWO, decimal=",")
    assert f"row 5, column model_a: '{digits}' {MORE_DIGITS}" in said


def test_one_class_is_none(path):
    said = "scores.csv: column y holds one class only, 'a': curves need both classes."
    assert refusal(write(path, "y,m\na,1\na,2\n")).endswith(said)


def test_delimiter_can_be_stated_and_is_else_the_one_that_shows_the_label(path):
    write(path, text(sep=":"))
    assert (read_scores(path, label="y", delimiter=":").scores["model_a"] == A).all()
    for other in ("::", "\n", 1):
        assert "one character such as" in refusal(path, delimiter=other)
    write(path, text(sep=";").replace("model_b", "b, the, second, model"))
    assert "b, the, second, model" in read_scores(path, label="y").scores


def test_numbers_are_read_to_the_last_bit(path):
    """Seventeen digits and more, in parts: no two distinct scores may become one."""
    rng = np.random.default_rng(8)
    values = rng.normal(size=3000) * 10.0 ** rng.integers(-300, 300, size=3000)
    written = [f"{v:.17g}" if i % 2 else f"{v:.25e}" for i, v in enumerate(values)]
    write(path, "y,a\n" + "\n".join(f"{i % 2},{v}" for i, v in enumerate(written)))
    found = read_scores(path, label="y").scores["a"]
    assert found.tolist() == [float(v) for v in written]


def test_ties_are_ties_however_they_are_written(path):
    """Across the parts in which a long file is looked through."""
    ways = [["0.1", "1e-1", ".10", "0.1000000000000000000000"], ["0", "-0.0", "0e-999", "0e9"]]
    written = [way[i % 4] for i in range(40_000) for way in ways]
    lines = [f"{i % 2},{each}" for i, each in enumerate(written)]
    found = read_scores(write(path, "y,a\n" + "\n".join(lines)), label="y", scores=["a"])
    assert set(found.scores["a"]) == {0.1, 0.0}
    lines[-2] = "0,0.1000000000000000000001"
    said = refusal(write(path, "y,a\n" + "\n".join(lines)), scores=["a"])
    assert "row 79999, column a: '0.1000000000000000000001' has more digits than" in said


def test_labels_are_compared_exactly(path):
    lines = ["y,a", "9007199254740993.0,1", "9007199254740992,2", "9007199254740992.0,3"]
    write(path, "\n".join(lines))
    found = read_scores(path, label="y", positive="9007199254740993")
    assert found.positive.tolist() == [True, False, False]
    write(path, "y,a,id\n0,1,9007199254740993.0\n1,2,9007199254740992.0\n")
    assert len(set(read_scores(path, label="y", also=["id"]).others["id"])) == 2
    write(path, "y,a\n1e400,1\n1e401,2\n0,3\n")
    assert "holds '0' and '1e400' and '1e401'" in refusal(path)


def test_a_table_of_any_columns(path):
    table = read_table(write(path, "a;b\n1,5;\n-,25;7\n"), decimal=",")
    assert table["a"].tolist() == [1.5, -0.25]
    assert table["b"].isna().tolist() == [True, False]
    table = read_table(write(path, "31;Ulm\n47;Bonn\n"), header=False)
    assert table.to_dict("list") == {"column_1": [31, 47], "column_2": ["Ulm", "Bonn"]}
    with pytest.raises(ScoreFileError, match=r"column a stands more than once .* \(fields 1 and 2"):
        read_table(write(path, "a, a ,t\n1,2,x\n"))
    frame = pd.DataFrame({"age": [31, 47], "ill": ["yes", "no"]})
    frame.set_index(pd.Index(["u", "v"])).to_parquet(path)
    pd.testing.assert_frame_equal(read_table(path), frame)
    with pytest.raises(ScoreFileError, match="names its columns itself"):
        read_table(path, header=False)


def test_the_first_sheet_of_a_workbook(path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(path, engine="openpyxl") as book:
        WORDS.assign(name="x").to_excel(book, index=False)
        FRAME.iloc[:3].to_excel(book, sheet_name="other")
    table = read_scores(path, label="y", positive="bad")
    assert (table.positive == (Y == 1)).all()
    assert table.scores["model_a"].tolist() == pytest.approx(A.tolist(), abs=1e-15)
    assert list(table.left_out) == ["name"]
    assert read_table(path)["model_b"].tolist() == pytest.approx(B.tolist(), abs=1e-15)
    said = refusal(write(path, workbook(GAP)))
    assert "row 5, column model_a: the score is missing." in said
