"""Tables that users bring: what is read, what becomes a feature, and what is refused."""

import datetime
import decimal
import re

import pandas as pd
import pytest
import yaml

from study.data.own_data import prepare, read_table
from study.draw.models import code_class_weight
from study.errors import ExperimentError

RANDOM = {"by": "random", "column": None}


@pytest.fixture
def read(tmp_path):
    def prepared(content, split=RANDOM, name="own.csv", **changes):
        path = tmp_path / (name if isinstance(content, str | bytes) else "own.parquet")
        if isinstance(content, dict):
            pd.DataFrame(content).to_parquet(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        data = {"path": str(path), "target": "t", "positive": "yes", "drop": [], "read_csv": {}}
        data |= {"categorical": [], "missing": "refuse"} | changes
        return prepare(read_table(path, data), data, split)

    return prepared


HEADER = ["n", "colour", "flag", "code", "id", "t"]
TABLE = """n,colour,flag,code,id,t
1,red,True,007,9,yes
2.5,"1,5",False,7,8,no
3e0, red ,True,038.11,7,no
4,red,True,38.11,6,yes
"""


@pytest.mark.parametrize(
    ("change", "options"),
    [
        (str, {}),
        (lambda text: text.replace(",", ";").replace('"1;5"', "1,5"), {}),
        (lambda text: text.replace(",", "\t").replace('"1\t5"', "1,5"), {"sep": "\t"}),
        (lambda text: "made by hand\n" + text, {"skiprows": 1}),
        (lambda text: re.sub("(t|yes|no)\n", r"\1,more\n", text), {"index_col": "more"}),
        (
            lambda text: text[text.index("1") :],
            {"names": HEADER},
        ),
        (lambda text: text.replace("2.5", '"2,5"'), {"decimal": ","}),
        (lambda text: ("\ufeff" + text).encode("utf-16-le"), {"encoding": "utf-16"}),
    ],
)
def test_numbers_stay_and_texts_become_columns(read, change, options):
    found = read(change(TABLE), drop=["id"], categorical=["code"], read_csv=options)
    assert found.to_dict("list") == {
        "row": [1, 2, 3, 4],
        "minority": [1, 0, 0, 1],
        "x_n": [1, 2.5, 3, 4],
        "x_colour_1,5": [0, 1, 0, 0],
        "x_colour_red": [1, 0, 1, 1],
        "x_flag_False": [0, 1, 0, 0],
        "x_flag_True": [1, 0, 1, 1],
        "x_code_007": [1, 0, 0, 0],
        "x_code_038.11": [0, 0, 1, 0],
        "x_code_38.11": [0, 0, 0, 1],
        "x_code_7": [0, 1, 0, 0],
    }


def test_missing_values_become_gaps_and_a_level_or_go_with_their_rows(read):
    text = "n,c,t\n1.5,u,yes\n,v,no\n3,,no\n40,u,yes\n"
    found = read(text, missing="impute")
    levels = found[["x_c_u", "x_c_v", "x_c_nan"]].to_numpy().tolist()
    assert levels == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert found["x_n"].isna().tolist() == [False, True, False, False]
    found = read(text.replace("3,,no", "3,u,no"), missing="drop")
    kept = [[1, 1, 1.5], [3, 0, 3], [4, 1, 40]]
    assert found[["row", "minority", "x_n"]].to_numpy().tolist() == kept


@pytest.mark.parametrize(
    ("texts", "positive"), [("01 1", "1"), ("010 8", "010"), ("True no", True), ("0e1 0e2", "0e2")]
)
def test_classes_are_text(read, texts, positive):
    texts = texts.split()
    found = read(f"a,t\n1.5,{texts[0]}\n2.5,{texts[1]}\n", positive=positive)
    assert found["minority"].tolist() == [int(text == str(positive)) for text in texts]


def test_parquet_of_many_kinds(read):
    """What is dropped is never touched; integers and decimals are what their digits say."""
    table = {
        "who": [2**53 + 1, 2**53 + 2, 2**53 + 1, 2**53],
        "d": [decimal.Decimal(x) for x in ("0.10", "0.20", "0.30", "0.30")],
        "m": [None, 3, 4, 4],
        "lists": [[1.0], [2.0], None, [3.0]],
        "day": pd.Categorical(["mo", "tu", "mo", "mo"]),
        "t": ["yes", "no", "no", "yes"],
    }
    split = {"by": "group", "column": "who"}
    found = read(table, split, drop=["lists"], missing="impute")
    assert found["part"].tolist() == [0, 1, 0, 2]
    assert found["x_d"].tolist() == [0.1, 0.2, 0.3, 0.3]
    assert found["x_m"].tolist()[1:] == [3, 4, 4]
    assert found["x_day_mo"].tolist() == [1, 0, 1, 1]


OFFSETS = ["2024-03-31T03:10:00+02:00", "2024-03-31T01:50:00+01:00", "2024-03-31T01:00:00Z"]


@pytest.mark.parametrize(
    ("times", "ranks"),
    [
        (["2024-01-31", "2023-12-01", "2024-01-31"], [2, 1, 2]),
        (["31.01.2024", "1.12.2023", "31.01.2024"], [2, 1, 2]),
        (["7", "-1", "10"], [2, 1, 3]),
        (["2024.10", "2024.01", "2024.12"], [2, 1, 3]),
        (["1711846800.5", "1711846800.25", "1711846801.0625"], [2, 1, 3]),
        (OFFSETS, [3, 1, 2]),
        (
            [datetime.date(2024, 2, 1), datetime.date(2024, 1, 3), datetime.date(2024, 10, 1)],
            [2, 1, 3],
        ),
        (pd.to_datetime(OFFSETS, utc=True), [3, 1, 2]),
    ],
)
def test_rows_are_ranked_by_instants(read, times, ranks):
    table = {"when": times, "a": [1.5, 2, 3], "t": ["yes", "no", "no"]}
    content = table if not isinstance(times[0], str) else pd.DataFrame(table).to_csv(index=False)
    found = read(content, {"by": "time", "column": "when"})
    assert found["part"].tolist() == ranks
    assert list(found)[3:] == ["x_a"]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([f"2024.{month}" for month in range(1, 13)], "may hold months or versions"),
        (["1.2", "1.10", "1.11"], "may hold months or versions"),
        (["007", "7", "8"], "may hold months or versions"),
        ([*OFFSETS, "2024-03-31T02:00:00"], r"row 4 \(2024-03-31T02:00:00\) differs from most"),
        (["2024-01-02", "2024-01-03", OFFSETS[2]], r"row 3 \(2024-03-31T01:00:00Z\) differs"),
        (["2024-W01", "2024-W02", "2024-W10"], "row 1: '2024-W01' is no time"),
        (["31/12/2023", "01/02/2024", "02/02/2024"], "row 1: '31/12/2023' is no time"),
        (["2024-01-02", "2024-01-03", "late"], "row 3: 'late' is no time"),
        (["2024-01-02", "", "2024-01-03"], "when is missing in row 2"),
    ],
)
def test_times_that_have_two_readings_are_refused(read, times, message):
    rows = [f"{time},{i / 2},{'no' if i else 'yes'}" for i, time in enumerate(times)]
    with pytest.raises(ExperimentError, match=message):
        read("\n".join(["when,a,t", *rows]), {"by": "time", "column": "when"})


@pytest.mark.parametrize(
    ("cells", "stated", "readings"),
    [
        (["1,5", "-,25", "3"], {}, {"1.5", "0.25", "-0.25"}),
        (["1.234,5", "2", "3"], {}, {"1234.5"}),
        (["1,234", "2,345", "3"], {}, {"1.234", "1234"}),
        (["1.234", "2.345", "3"], {"decimal": ","}, {"1.234", "1234"}),
        (["1'019", "2'345'678", "3"], {}, {"1019", "2345678"}),
        (["1\u2019019,5", "2", "3"], {}, {"1019.5"}),
        (["1\u202f019", "2", "3"], {}, {"1019"}),
    ],
)
def test_digits_with_other_separators_give_one_sentence_and_its_cure(read, cells, stated, readings):
    """Thirty columns of an export; with each of the lines the table is read, as the line says."""
    quoted = [";".join([f"{cell}"] * 30) for cell in cells]
    names = [f"x{i}" for i in range(30)]
    rows = [f"{row};{'no' if i else 'yes'}" for i, row in enumerate(quoted)]
    text = "\n".join([";".join([*names, "t"]), *rows])
    options = {"sep": ";"} | stated
    with pytest.raises(ExperimentError) as refusal:
        read(text, read_csv=options)
    sentence, *lines = str(refusal.value).splitlines()
    assert ", ".join(names) in sentence and sentence.count("config key") == 1
    values = set()
    for line in lines:
        found = read(text, read_csv=yaml.safe_load(line)["read_csv"])
        cell, said = re.search(r"# (.*) is (\S+)$", line).groups()
        assert f"{found['x_x7'][cells.index(cell)]:.15g}" == said
        values.add(said)
    assert values and values <= readings


HEAD = "a,t\n1.5,yes\n2.5,no\n"
REFUSED = [
    (HEAD + "3,Total\n", {}, r"two classes, but t has .*Total \(1, as in row 3\)"),
    (HEAD + "3,-9\n3,no\n", {}, r"no \(2, as in row 4\)"),
    (HEAD, {"positive": 1}, r"not 1: write it as in the file"),
    (HEAD + ",\n", {}, "t is missing in row 3"),
    (HEAD + "3,NA\n", {}, "t is missing in row 3.*keep_default_na"),
    (HEAD + ",no\n", {}, r"data\.missing: values are missing \(a 1\): choose drop or impute"),
    (HEAD + "3,no,\n", {}, "can't be read: .*Expected 2 fields in line 4, saw 3"),
    (HEAD + "3\n", {}, "row 3 has not as many cells as the header"),
    ("a,t\n0,1.5,yes\n1,2.5,no\n", {}, "Expected 2 fields in line 2, saw 3"),
    ("a,a,t\n1.5,1.5,yes\n", {}, "two columns are called a"),
    (HEAD + '"3,no\n', {}, "can't be read: unexpected end of data"),
    ('c,a,t\n"x,1,no\n"y,2,yes\nz,3,no\n', {}, "can't be read: ',' expected after"),
    ('c,t,a\n"x,no,1\ny",yes,2\nz,no,3\n', {}, "row 1 holds what are rows in a cell"),
    (HEAD.replace("a", "ä", 1).encode("cp1252"), {}, "no UTF-8 text: state {encoding: cp1252}"),
    (HEAD, {"read_csv": {"seperator": ";"}}, "unexpected keyword argument 'seperator'"),
    ("", {}, "can't be read"),
    (HEAD, {"name": "own.xlsx"}, "is a workbook: save its sheet as CSV"),
    (HEAD, {"drop": ["b"]}, "there is no column b; there are a, t"),
    (HEAD, {"target": "T"}, "there is no column T"),
    ("id,a,t\n" + "".join(f"{i},1,yes\n" for i in range(9)) + "9,2,no\n", {}, "id has another int"),
    (f"id,t\n{2**53 + 1},yes\n{2**53},no\n{2**53},no\n", {}, "integers beyond 2.53"),
    (HEAD + "3,no\n4o,no\n", {}, "a has numbers, but '4o' in row 4"),
    (HEAD + "3,no\n\ufeff4,no\n", {}, "a has numbers, but .* in row 4"),
    (HEAD + "3,no\ninf,no\n", {}, "a has numbers, but 'inf' in row 4"),
    ("a,t\n" + "".join(f"n{i},no\n" for i in range(50)) + "o,yes\n", {}, "51 texts, such as"),
]


@pytest.mark.parametrize(("content", "changes", "message"), REFUSED, ids=lambda x: str(x)[:40])
def test_what_is_refused_is_said_in_a_sentence(read, content, changes, message):
    with pytest.raises(ExperimentError, match=message) as refusal:
        read(content, **changes)
    assert str(refusal.value).startswith("config key data")


def test_weights_by_the_names_of_the_classes():
    names = {"minority": "bad", "majority": "good"}
    weights = {"class_weight": {"good": 1, "bad": 5}}
    model = {"estimator": "x.Y", "parameters": {"estimator": {"parameters": weights}, "C": [1, 2]}}
    found = code_class_weight(model, names)["parameters"]
    assert found == {"estimator": {"parameters": {"class_weight": {0: 1, 1: 5}}}, "C": [1, 2]}
    assert code_class_weight({"class_weight": "balanced"}, names) == {"class_weight": "balanced"}
    with pytest.raises(ExperimentError, match="names 0, bad, but the classes are good and bad"):
        code_class_weight({"class_weight": {"0": 1, "bad": 5}}, names)
