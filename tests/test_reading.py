"""Random files, well and ill formed, against a reader of a few lines: what is read is what it says.

A file is refused in a sentence, or every row of it is read, with the numbers that Python reads.
"""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest

from kappacurve import ScoreFileError, read_scores
from study.data.own_data import prepare, read_table
from study.errors import ExperimentError

IDS = ["007", "7", "0e1", "00", "p 1", "Łódź", "TRUE", "1e3", "+1", "-", "n/k", "a'b"]
NUMBERS = ["{:.3f}", "{!r}", "{:.2e}", "{:+.4f}", "{:.0f}"]
ODD = [*'",;\t\nx\ufeff\0_ e-\r\xa0\u0663', "'", '""']


def make_rows(random):
    """Texts of the columns id, y, a, b with both classes, in some order."""
    n = int(random.integers(4, 30))
    labels = ["yes", "no", *random.choice(["yes", "no"], n - 2).tolist()]
    form = NUMBERS[random.integers(len(NUMBERS))]
    a, b = (
        [form.format(x) for x in (random.normal(size=n) * 10.0 ** random.integers(-3, 4)).tolist()]
        for _ in range(2)
    )
    columns = {"id": random.choice(IDS, n).tolist(), "y": labels, "a": a, "b": b}
    order = random.permutation(list(columns)).tolist()
    return {name: columns[name] for name in order}


def make_text(random, columns):
    """A CSV in one of many dialects; then one file in two has a fault somewhere."""
    target = io.StringIO()
    end = ["\n", "\r\n"][random.integers(2)]
    quoting = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC][random.integers(3)]
    sign = ",;\t|"[random.integers(4)]
    writer = csv.writer(target, delimiter=sign, lineterminator=end, quoting=quoting)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    text = target.getvalue()
    is_faulty = bool(random.integers(2))
    if is_faulty:
        start = text.index(end) + len(end)
        at = int(random.integers(start, len(text)))
        odd = str(random.choice([*ODD, sign, end, sign * 3 + end]))
        cut = int(random.integers(0, 3))
        whole = [text[:at] + odd + text[at + cut :], text[:at], text[:at] + text[at + cut :]]
        text = whole[random.integers(len(whole))]
    return text, sign, is_faulty


def read_naively(text, sign, skips_blanks):
    """The rows of a file whose quotes are as they should be; blank lines are none."""
    lines = io.StringIO(text, newline="")
    rows = list(csv.reader(lines, delimiter=sign, skipinitialspace=skips_blanks))
    header, *rows = [row for row in rows if len(row) > 1 or "".join(row).strip()]
    assert {len(row) for row in rows} == {len(header)}
    return {name: [row[i].strip() for row in rows] for i, name in enumerate(header)}


def check_scores(path, expected):
    """Whether the library reads the file; if so, it must hold these cells."""
    try:
        found = read_scores(path, label="y", scores=["a", "b"], group="id", positive="yes")
    except ScoreFileError as error:
        assert len(str(error).splitlines()) == 1
        return False
    assert found.groups.tolist() == expected["id"]
    assert found.positive.tolist() == [text == "yes" for text in expected["y"]]
    for name in "ab":
        assert found.scores[name].tolist() == [float(text) for text in expected[name]]
    return True


def check_features(path, expected):
    """Whether the study reads the file; if so, it must hold these cells."""
    options = {"keep_default_na": False}
    data = {"path": str(path), "target": "y", "positive": "yes", "drop": [], "read_csv": options}
    data |= {"categorical": [], "missing": "refuse"}
    try:
        found = prepare(read_table(path, data), data, {"by": "group", "column": "id"})
    except ExperimentError:
        return False
    assert (
        found["part"].tolist() == pd.factorize(np.array(expected["id"], dtype=object))[0].tolist()
    )
    assert found["minority"].tolist() == [int(text == "yes") for text in expected["y"]]
    for name in {"x_a", "x_b"} & {*found}:
        assert found[name].tolist() == [float(text) for text in expected[name[2:]]]
    return True


@pytest.mark.parametrize("seed", range(3))
def test_what_is_read_is_what_the_file_says(tmp_path, seed):
    random = np.random.default_rng(seed)
    n_read = n_faulty = 0
    for i in range(20):
        columns = make_rows(random)
        text, sign, is_faulty = make_text(random, columns)
        suffix = ["csv", "tsv", "csv.gz", "parquet"][random.integers(4)]
        path = tmp_path / f"{i}.{suffix}"
        if suffix == "parquet":
            numbers = {name: np.array(columns[name], dtype=float) for name in "ab"}
            pd.DataFrame(columns | numbers).to_parquet(path)
            is_faulty, expected = False, columns
        else:
            content = text.encode()
            path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
            expected = None
        for check in (check_scores, check_features):
            try:
                naive = expected or read_naively(text, sign, check is check_scores)
            except (AssertionError, ValueError, csv.Error):
                naive = {}
            is_read = check(path, naive)
            assert is_read or is_faulty or check is check_features
            n_read += is_read
        n_faulty += is_faulty
        if is_read and suffix != "parquet" and '"' not in text:
            assert len(naive["y"]) == len([x for x in text.splitlines() if x.strip()]) - 1
    assert n_read > 10 and n_faulty > 3
