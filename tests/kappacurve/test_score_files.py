"""Files of scores: what must be read alike, and what must be refused with one sentence."""

import bz2
import gzip
import io
import lzma
import os
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from kappacurve import _delimited
from kappacurve._delimited import Layout, read_exactly, read_fast
from kappacurve._file_source import Source
from kappacurve.score_files import ScoreFileError, read_scores

N = 60
RNG = np.random.default_rng(5)
Y = (RNG.random(N) < 0.4).astype(int)
A = RNG.normal(size=N) + Y
B = RNG.normal(size=N) + Y


def text(labels=("0", "1"), delimiter=",", end="\n", header=("y", "model_a", "model_b"), cell=str):
    lines = [delimiter.join(header)]
    for y, a, b in zip(Y, A, B, strict=True):
        lines.append(delimiter.join((labels[y], cell(repr(float(a))), cell(repr(float(b))))))
    return end.join(lines) + end


CLEAN = text()


def with_line(number, line, base=CLEAN):
    """The clean text with one line replaced; the header is line 1."""
    lines = base.splitlines()
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


def parquet(frame):
    data = io.BytesIO()
    frame.to_parquet(data, index=False)
    return data.getvalue()


FRAME = pd.DataFrame({"y": Y, "model_a": A, "model_b": B})
ARFF = (
    "% made by hand\n@relation scores\n@attribute y {0,1}\n"
    "@attribute model_a numeric\n@attribute model_b numeric\n@data\n"
) + CLEAN.split("\n", 1)[1]


def mixed_labels():
    """0, "0", 0.0, -0 and 1, "1", 1.0, 1e0 in turns."""
    ways = {0: ["0", '"0"', "0.0", "-0"], 1: ["1", '"1"', "1.0", "1e0"]}
    lines = [
        f"{ways[y][i % 4]},{float(a)!r},{float(b)!r}"
        for i, (y, a, b) in enumerate(zip(Y, A, B, strict=True))
    ]
    return "y,model_a,model_b\n" + "\n".join(lines)


HUGE = ("9007199254740992", "9007199254740993")
GOOD = {
    "clean": (CLEAN, None),
    "no line end at the end": (CLEAN.rstrip("\n"), None),
    "byte order mark": (b"\xef\xbb\xbf" + CLEAN.encode(), None),
    "byte order mark and quoted header": (
        b"\xef\xbb\xbf" + CLEAN.replace("y,model_a", '"y","model_a"').encode(),
        None,
    ),
    "windows line ends": (text(end="\r\n"), None),
    "old mac line ends": (text(end="\r"), None),
    "semicolons": (text(delimiter=";"), None),
    "tabs": (text(delimiter="\t"), None),
    "bars": (text(delimiter="|"), None),
    "gzip": (gzip.compress(CLEAN.encode()), None),
    "bzip2": (bz2.compress(CLEAN.encode()), None),
    "xz": (lzma.compress(CLEAN.encode()), None),
    "quoted numbers": (text(cell='"{}"'.format), None),
    "blanks around numbers": (text(cell=" {}  ".format), None),
    "blanks around names": (text(header=(" y ", "model_a ", " model_b")), None),
    "blank lines": ("\n" + CLEAN.replace("\n", "\n\n").replace("\n\n", "\n  \n", 3), None),
    "booleans": (text(labels=("False", "True")), None),
    "booleans in capitals": (text(labels=("FALSE", "true")), None),
    "minus one and one": (text(labels=("-1", "+1")), None),
    "labels as floats": (text(labels=("0.0", "1.0")), None),
    "labels of mixed types": (mixed_labels(), None),
    "words": (text(labels=("good", "bad")), "bad"),
    "huge labels": (text(labels=HUGE), HUGE[1]),
    "labels with blanks": (text(labels=(" good", "bad ")), "bad"),
    "latin-1 labels": (text(labels=("gültig", "ungültig")).encode("latin-1"), "ungültig"),
    "utf-8 labels": (text(labels=("gültig", "ungültig")), "ungültig"),
    "latin-1 in a column that is not needed": (
        (CLEAN.replace("\n", ",\xe9\n")).encode("latin-1"),
        None,
    ),
    "a delimiter in a quoted field": (CLEAN.replace("\n", ',"a, b"\n'), None),
    "a quoted line end": (CLEAN.replace("\n", ',"a\nb"\n'), None),
    "a quotation mark inside a field": (CLEAN.replace("\n", ',5" pipe\n'), None),
    "parquet": (parquet(FRAME), None),
    "parquet with words": (
        parquet(FRAME.assign(y=np.where(Y == 1, "bad", "good")).astype({"y": "category"})),
        "bad",
    ),
    "parquet with truth values": (parquet(FRAME.astype({"y": bool})), None),
    "arff": (ARFF, None),
}


@pytest.fixture(params=[False, True], ids=["small", "large"])
def path(request, tmp_path, monkeypatch):
    """Where a test writes; as if small or large, so that both readers of text are tried."""
    if request.param:
        monkeypatch.setattr(_delimited, "SMALL", 0)
    return tmp_path / "scores.csv"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", GOOD)
def test_what_can_be_read_gives_the_same_numbers(path, name):
    content, positive = GOOD[name]
    table = read_scores(
        write(path, content), label="y", scores=["model_b", "model_a"], positive=positive
    )
    assert list(table.scores) == ["model_b", "model_a"]
    assert (table.scores["model_a"] == A).all()
    assert (table.scores["model_b"] == B).all()
    assert (table.positive == (Y == 1)).all()
    assert table.positive.dtype == bool


BAD = {
    "empty": (b"", "scores.csv is empty."),
    "blank lines only": ("\n\n  \n", "holds nothing but blank lines."),
    "header only": ("y,model_a,model_b\n", "column y holds no rows"),
    "one class": (CLEAN.replace("\n0,", "\n1,"), "column y holds one class only, '1'"),
    "words": (with_line(17, "1,abc,2"), "scores.csv, line 17, column model_a: 'abc' is not a n"),
    "blank score": (with_line(17, "1,,2"), "line 17, column model_a: the score is missing:"),
    "nan score": (with_line(17, "1,2,NaN"), "line 17, column model_b: the score is missing ('N"),
    "infinite score": (with_line(9, "1,-inf,2"), "line 9, column model_a: '-inf' is not finite"),
    "too large": (with_line(9, "1,1e999,2"), "line 9, column model_a: '1e999' is too large"),
    "decimal comma": (
        text(delimiter=";", cell=lambda x: x.replace(".", ",")),
        "line 2, column model_a: '",
    ),
    "decimal comma between commas": (
        text(cell=lambda x: x.replace(".", ",")),
        "line 2: 5 fields delimited by comma where the header has 3",
    ),
    "underscore": (with_line(9, "1,1_0,2"), "line 9, column model_a: '1_0' is not a number."),
    "blank label": (with_line(3, ",1,2"), "line 3, column y: the label is missing: fill it in"),
    "NA label": (with_line(3, "NA,1,2"), "line 3, column y: the label is missing ('NA')"),
    "column missing": (
        text(header=("y", "Model-A", "b")),
        "has no column model_a. Did you mean 'Model-A'? Its columns: y, Model-A, b.",
    ),
    "column missing, nothing near": (
        text(header=("y", "x", "model_b")).replace("model_b", "z"),
        "has no column model_a. Its columns: y, x, z.",
    ),
    "duplicate column": (
        CLEAN.replace("model_b", "model_a"),
        "column model_a stands more than once in the header (fields 2 and 3): rename one.",
    ),
    "delimiter not known": (
        text(delimiter=":"),
        "has no column y. Its only column is 'y:model_a:model_b': is it delimited by",
    ),
    "three classes": (with_line(30, "2,1,2"), "line 30, column y: '2' is a third class after '"),
    "huge labels of three classes": (
        with_line(30, "9007199254740994,1,2", text(labels=HUGE)),
        "line 30, column y: '9007199254740994' is a third class",
    ),
    "words of two classes": (
        text(labels=("good", "bad one")),
        "holds 'bad one' and 'good': say which class is positive, --positive 'bad one' or "
        "--positive good.",
    ),
    "too many fields": (with_line(8, "1,2,3,4"), "line 8: 4 fields delimited by comma where the"),
    "too few fields": (with_line(8, "1,2"), "line 8: 2 fields delimited by comma where the header"),
    "a bad line after a quoted line end": (
        with_line(5, '"x",1,2', with_line(3, '1,1,"2\n"').replace("\n\n", "\n")),
        "line 5, column y: 'x' is a third class",
    ),
    "open quotation mark": (
        with_line(8, '1,"2,3'),
        "lines 8 to 61: 2 fields delimited by comma where the header has 3: is a field missing, or "
        "a quotation mark left open?",
    ),
    "NUL bytes": (with_line(8, "1,\0,3"), "is not text (it holds NUL bytes)"),
    "late NUL bytes": (
        CLEAN * 1 + "1,2,3\n" * 1000 + "1,\0,3\n",
        "line 1062, column model_a: '\\x00'",
    ),
    "noise": (bytes(range(256)) * 30, "is not text"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(50), "is not text"),
    "utf-16": (CLEAN.encode("utf-16"), "is UTF-16 text: save it as UTF-8"),
    "zip": (b"PK\x03\x04" + bytes(100), "is a zip archive or an Excel workbook"),
    "cut gzip": (gzip.compress(CLEAN.encode())[:-30], "is damaged or cut off"),
    "cut xz": (lzma.compress(CLEAN.encode())[:-30], "is damaged or cut off"),
    "broken bzip2": (b"BZh9" + bytes(100), "scores.csv"),
    "gzip of nothing": (gzip.compress(b""), "scores.csv is empty."),
    "cut parquet": (parquet(FRAME)[:-30], "can't be read as Parquet"),
    "parquet with null": (
        parquet(FRAME.assign(model_a=FRAME["model_a"].where(FRAME.index != 4))),
        "row 5, column model_a: the score is missing",
    ),
    "parquet without a label": (
        parquet(FRAME.assign(y=FRAME["y"].astype("Int64").where(FRAME.index != 4))),
        "row 5, column y: the label is missing",
    ),
    "parquet with words": (
        parquet(FRAME.assign(model_a="x")),
        "column model_a holds",
    ),
    "parquet with a broken name": (
        parquet(FRAME).replace(b"model_b", b"model_\xee"),
        "can't be read as Parquet",
    ),
    "arff with an unprintable word": (
        ARFF.replace("model_b numeric", "model_b num\x1dric"),
        "can't be read as ARFF: line 5: unknown type num\\x1dric.",
    ),
    "unprintable label": (
        text(labels=("0", "1\x07")),
        "holds '0' and '1\\x07': say which class is positive, --positive 0 or --positive VALUE.",
    ),
    "long label": (
        text(labels=("0", "9" * 400 + "x")),
        f"holds '0' and '{'9' * 37}...': say which class is positive, --positive 0 or --positive V",
    ),
    "broken arff": (ARFF.replace("{0,1}", "{0"), "can't be read as ARFF"),
    "arff with a missing score": (
        ARFF + "1,?,2\n",
        "line 67, column model_a: the score is missing",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_can_not_be_read_gets_one_sentence(path, name):
    content, message = BAD[name]
    with pytest.raises(ScoreFileError) as caught:
        read_scores(write(path, content), label="y", scores=["model_a", "model_b"])
    said = str(caught.value)
    assert message in said
    assert "scores.csv" in said
    assert said.isprintable()
    assert len(said) < 600


def test_missing_file_and_folder(tmp_path):
    (tmp_path / "scores.csv").write_text(CLEAN)
    with pytest.raises(ScoreFileError, match=r"score\.csv does not exist\. Did you mean 'scores"):
        read_scores(tmp_path / "score.csv", label="y")
    with pytest.raises(ScoreFileError, match="There is no folder"):
        read_scores(tmp_path / "no" / "score.csv", label="y")
    with pytest.raises(ScoreFileError, match="is a folder: name a file in it"):
        read_scores(tmp_path, label="y")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path):
    path = write(tmp_path / "scores.csv", CLEAN)
    path.chmod(0)
    with pytest.raises(ScoreFileError, match="can't be read: Permission denied"):
        read_scores(path, label="y")


def test_without_names_all_columns_of_numbers_are_scores(path):
    rows = CLEAN.splitlines()
    content = [rows[0] + ",name,"] + [f"{row},x{i},{i}" for i, row in enumerate(rows[1:])]
    table = read_scores(write(path, "\n".join(content)), label="y")
    assert list(table.scores) == ["model_a", "model_b"]
    assert table.left_out == ("name", "column 5 (no name)")


def test_a_column_with_a_gap_is_a_column_of_numbers(path):
    """It must not be left out in silence."""
    with pytest.raises(ScoreFileError, match="line 17, column model_a: the score is missing"):
        read_scores(write(path, with_line(17, "1,,2")), label="y")


@pytest.mark.parametrize("cell", ["abc", "inf", "?", "0,4"])
def test_one_bad_cell_does_not_take_its_column_away(path, cell):
    with pytest.raises(ScoreFileError, match="line 17, column model_a: ") as refusal:
        read_scores(write(path, with_line(17, f'1,"{cell}",2')), label="y")
    assert repr(cell) in str(refusal.value)


def test_a_column_with_few_numbers_is_left_out(path):
    content = "y,a,mostly\n1,2,x1\n0,3,x2\n1,4,7\n0,2,x3\n"
    assert read_scores(write(path, content), label="y").left_out == ("mostly",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "y,a\n1,\n0,z\n",
            "has no column of numbers but the label y: line 3, column a: 'z' is not a number.",
        ),
        ('y,a\n1,"0,5"\n0,"0,7"\n', "line 2, column a: '0,5' has a decimal comma: write"),
        ("y;a\n1;0,5\n0;0,7\n", "line 2, column a: '0,5' has a decimal comma: write"),
        ("y,a\n1,0,5\n0,0,7\n", "line 2: 3 fields delimited by comma where the header has 2"),
        ("y,a\n", "holds a header but no rows."),
        ("y\n1\n0\n", "has no column of numbers but the label y."),
    ],
)
def test_no_column_of_numbers(path, content, message):
    with pytest.raises(ScoreFileError) as refusal:
        read_scores(write(path, content), label="y")
    assert message in str(refusal.value)


def test_label_can_not_be_a_score(path):
    with pytest.raises(ScoreFileError, match="is the label and can't be a score as well"):
        read_scores(write(path, CLEAN), label="y", scores=["y"])


def test_positive_class(path):
    write(path, text(labels=("Good", "Bad")))
    assert (read_scores(path, label="y", positive="Good").positive == (Y == 0)).all()
    with pytest.raises(ScoreFileError, match=r"class 'bad' is not in column y.* mean 'Bad'"):
        read_scores(path, label="y", positive="bad")
    write(path, CLEAN)
    assert (read_scores(path, label="y", positive="0.0").positive == (Y == 0)).all()


def test_delimiter_can_be_stated(path):
    write(path, text(delimiter=":"))
    assert (read_scores(path, label="y", delimiter=":").scores["model_a"] == A).all()
    with pytest.raises(ScoreFileError, match="one character such as"):
        read_scores(path, label="y", delimiter="::")


def test_delimiter_is_the_one_that_shows_the_label(path):
    content = text(delimiter=";", header=("y", "model_a", "b, the, second, model"))
    assert "b, the, second, model" in read_scores(write(path, content), label="y").scores


def test_parquet_without_pyarrow(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ScoreFileError, match="needs pyarrow: pip install pyarrow, or save"):
        read_scores(write(path, GOOD["parquet"][0]), label="y")
    assert (read_scores(write(path, CLEAN), label="y").scores["model_a"] == A).all()


def test_named_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = os.fork()
    if child == 0:
        pipe.write_text(CLEAN)
        os._exit(0)
    table = read_scores(pipe, label="y")
    os.waitpid(child, 0)
    assert (table.scores["model_a"] == A).all()


def test_scores_that_are_truth_values(path):
    content = "y,a\n" + "\n".join(f"{y},{a > 0}" for y, a in zip(Y, A, strict=True))
    assert (read_scores(write(path, content), label="y", scores=["a"]).scores["a"] == (A > 0)).all()


def test_the_fast_reader_takes_clean_text_and_agrees_to_the_last_bit(tmp_path):
    """Seventeen digits and more, in parts: no two distinct scores may become one."""
    rng = np.random.default_rng(8)
    values = rng.normal(size=3000) * 10.0 ** rng.integers(-300, 300, size=3000)
    written = [f"{v:.17g}" if i % 2 else f"{v:.25e}" for i, v in enumerate(values)]
    lines = [f"{'no' if i % 3 else 'yes'},{v}" for i, v in enumerate(written)]
    source = Source(write(tmp_path / "s.csv", "y,a\n" + "\n".join(lines)))
    layout = Layout(
        "utf-8", ",", ["y", "a"], _delimited.choose_by_name("s", ["y", "a"], "y", ["a"])
    )
    fast, exact = read_fast(source, layout), read_exactly(source, layout)
    assert fast is not None
    assert fast.scores[0].tolist() == exact.scores[0].tolist() == [float(v) for v in written]
    assert (fast.codes == exact.codes).all()


@pytest.mark.parametrize(
    "line",
    ["1,2", "1,2,3,4", '1,2,3"', "1,\0,2", "1,x,2", "1,,2", "1,inf,2", "2,1,2", '1,"2', "1,\t2,3"],
)
def test_the_fast_reader_gives_up_on_what_is_unusual(tmp_path, line):
    source = Source(write(tmp_path / "s.csv", with_line(17, line)))
    names = ["y", "model_a", "model_b"]
    chosen = _delimited.choose_by_name("s", names, "y", names[1:])
    assert read_fast(source, Layout("utf-8", ",", names, chosen)) is None
    clean = Source(write(tmp_path / "clean.csv", CLEAN))
    assert read_fast(clean, Layout("utf-8", ",", names, chosen)) is not None


PIECES = [
    *(
        b",",
        b'"',
        b"\n",
        b"\r",
        b" ",
        b"\t",
        b";",
        b"\0",
        b"nan",
        b"inf",
        b"1e999",
        b"0x1p3",
        b"1_0",
    ),
    *(b"\xef\xbb\xbf", b"\xe9", b"\xc3\xa9", b"\xd9\xa1", b"\xe2\x80\xa8", b"\x1c", b"true", b"2"),
    *(b'""', b"1e-400", b"+", b".", b"e5", b"9" * 400, b"model_a", b"?", b"1e99999999999999999999"),
]


def mutated(rng, content):
    """Some bytes put in, taken out or replaced."""
    for _ in range(rng.integers(1, 5)):
        at, size = rng.integers(len(content) + 1), rng.integers(5)
        content = content[:at] + PIECES[rng.integers(len(PIECES))] + content[at + size :]
    return content


@pytest.mark.parametrize("name", GOOD)
def test_broken_files_are_read_alike_by_both_readers_or_refused(tmp_path, monkeypatch, name):
    """A small fuzzer with a fixed seed."""
    content = GOOD[name][0]
    content = content if isinstance(content, bytes) else content.encode()
    rng = np.random.default_rng(list(name.encode()))
    for _ in range(12):
        path = write(tmp_path / "s.csv", mutated(rng, content[: len(content) // 4]))
        found = []
        for small in (2**18, 0):
            monkeypatch.setattr(_delimited, "SMALL", small)
            try:
                table = read_scores(path, label="y", positive=GOOD[name][1])
            except ScoreFileError as error:
                assert str(error).isprintable()
                found.append(str(error))
            else:
                scores = {key: values.tolist() for key, values in table.scores.items()}
                found.append((table.positive.tolist(), scores))
        assert found[0] == found[1]


def test_reading_leaves_no_file_open(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for content in (CLEAN, gzip.compress(CLEAN.encode())):
            read_scores(write(path, content), label="y")
