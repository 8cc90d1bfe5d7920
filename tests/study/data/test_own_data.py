"""Tables that users bring: what is read, what becomes a feature, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml

from kappacurve.files.frames import Table
from prepare_own_data import prepare_own_data
from study.data.own_data import breast_cancer, prepare, read_table
from study.errors import ExperimentError, TableError
from study.settings import Data

DATA = Data.model_construct(target="t", positive="yes").model_dump(warnings=False)
YES_NO = ["yes", "no", "no", "yes"]
HOLES = {"n": [1, np.nan, 3, 40], "c": ["u", "v", None, "u"], "t": YES_NO}


def prepared(table, group=None, by="group", **changes):
    data = DATA | changes
    if not isinstance(table, Table):
        table = Table("own.csv", pd.DataFrame(table), data["decimal"])
    return prepare(table, data, group, by)


def test_numbers_stay_and_texts_become_columns():
    table = {
        "n": [1, 2.5, 3, 4],
        "colour": ["red", "1,5", "red", "red"],
        "flag": [True, False, True, True],
        "code": [7, 7, 8, 7],
        "id": [9, 8, 7, 6],
        "t": YES_NO,
    }
    found = prepared(table, drop=["id"], categorical=["code"])
    assert found.features.to_dict("list") == {
        "row": [1, 2, 3, 4],
        "minority": [1, 0, 0, 1],
        "n": [1, 2.5, 3, 4],
        "colour_red": [1, 0, 1, 1],
        "flag_true": [1, 0, 1, 1],
        "code_8": [0, 0, 1, 0],
    }
    assert found.names == {"minority": "yes", "majority": "no"}
    notes = {"features": 4, "missing_values": {}, "rows_dropped": 0, "spellings_joined": {}}
    assert found.notes == notes


@pytest.mark.parametrize(
    ("target", "positive", "classes"),
    [
        ([1.0, 0.0], 1, ("0", "1")),
        ([1.5, 2], 1.5, ("2", "1.5")),
        (["Yes", "No"], True, ("No", "Yes")),
        ([" ill ", "well"], "ill", ("well", "ill")),
        ([1, 2], "01", ("2", "1")),
        (["01", "02"], 1, ("02", "01")),
        (["None", "Disease"], "None", ("Disease", "None")),
        (["Disease", "NA"], "Disease", ("NA", "Disease")),
    ],
)
def test_spellings_of_the_positive_class(target, positive, classes):
    found = prepared({"a": [3, 4], "t": target}, positive=positive)
    assert (found.names["majority"], found.names["minority"]) == classes
    assert found.features["minority"].tolist() == [1, 0]


def test_rows_with_missing_values_are_dropped_and_keep_their_numbers():
    found = prepared({**HOLES, "t": ["yes", "no", "no", "no"]}, missing="drop")
    assert found.features[["row", "n"]].to_numpy().tolist() == [[1, 1], [4, 40]]
    assert (found.notes["missing_values"], found.notes["rows_dropped"]) == ({"n": 1, "c": 1}, 2)


def test_missing_values_become_gaps_and_a_level():
    found = prepared(HOLES, missing="impute").features
    levels = found[["c_u", "c_v", "c_missing"]].to_numpy().tolist()
    assert levels == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert np.isnan(found["n"]).tolist() == [False, True, False, False]


def ages(typo):
    texts = [typo if i == 5 else str(20 + i) for i in range(40)]
    return {"age": texts, "t": ["yes", "no"] * 20}


def numbers(*texts):
    n = len(texts)
    return {"x": texts, "a": np.arange(n) / 2, "t": ["yes", *["no"] * (n - 1)]}


ONE = pd.DataFrame({"a": [1.5, 2, 3], "t": ["yes", "no", "no"]})
SIX, FIVE = ({"a": range(n), "t": [*"fedcba"][-n:]} for n in (6, 5))


def ids(numbers):
    n = len(numbers)
    return {"id": numbers, "a": np.arange(n) / 3, "t": ["yes", "no"] * (n // 2)}


NOT = "is not a number, as most cells of the column seem to be: correct the cell"
FIRST = 2**53 - 9  # integers from here on are not told apart by floats
IDS = {"id": range(40, 20, -1), "a": np.arange(20) / 3, "t": ["yes", "no"] * 10}
MORE = IDS | {f"code{i}": np.arange(20) * (i + 2) for i in range(4)}
GROUPS = {"who": ["z", "y", "z", "x"], "a": [1, 2, 3, 4], "part": [5, 6, 7, 8], "t": YES_NO}
BY_GROUP = {"group": "who"}
REFUSED = [
    # the two classes
    (ONE.assign(t=["x", "y", "x"]), {}, "data.positive: 'yes' is no class; there are x and y"),
    ({"a": [1, 2], "t": [True, False]}, {"positive": 1}, "1 is no class; there are false and true"),
    ({"a": [1, 2, 3], "t": ["yes", "no", "NA"]}, {}, "1 rows have no t, such as row 3 ('NA')"),
    ({"a": [1, 2], "t": ["yes", None]}, {}, "data.target: 1 rows have no t, such as row 2"),
    (SIX, {}, "t holds 6 different values (a, b, c, d, e, ...)"),
    (FIVE, {}, "5 different values (a, b, c, d, e)"),
    # columns
    (ONE, {"drop": ["b"]}, "data.drop: there is no column b; there are a, t."),
    (ONE, {"drop": ["a"]}, "data.drop: no feature is left."),
    (HOLES, {}, "data.missing is refuse, but values are missing (n 1, c 1): choose drop or impu"),
    (HOLES | {"c": ["NA", "v", "none", "NA"]}, {}, "are missing (n 1, c 3): choose drop"),
    (HOLES | {"t": ["yes", "no", "yes", "yes"]}, {"missing": "drop"}, "the 2 rows without missing"),
    ({"a": [1, [2]], "t": ["yes", "no"]}, {}, "data.drop: column a holds lists or records"),
    ({"a": [1, np.inf], "t": ["yes", "no"]}, {}, "column a holds infinite values"),
    # A level's column would replace another column in silence.
    ({"a_c": [1, 2], "a": ["b", "c"], "t": ["yes", "no"]}, {}, "would be called a_c"),
    (numbers(*(f"n{i // 2}" for i in range(102))), {}, "column x has 51 different texts, such as"),
    (MORE, {}, "data.drop: each row has another value in id, code0, code1, code2, code3: add"),
    (ids([str(FIRST + i) for i in range(39)] + [""]), {"missing": "drop"}, "another value in id:"),
    (ids([str(FIRST + i // 2) for i in range(40)]), {}, "which are one number for 64-bit floats"),
    (ids([None, *map(float, range(39))]), {"missing": "drop"}, "another value in id: add"),
    (ids([f"n{i}" for i in range(40)]), {}, "another value in id: add what identifies rows to d"),
    # numbers that would be taken for categories
    (numbers("1,5", "2", "-,25"), {}, f"own.csv, column x, row 1: '1,5' {NOT}"),
    (numbers("5", "1,234", "1,234,567.5"), {}, f"row 2: '1,234' {NOT}"),
    (numbers("1020", "1.019"), {"decimal": ","}, f"row 2: '1.019' {NOT}"),
    (numbers("7", "1.5"), {"decimal": ","}, "data.decimal is ',', and with it own.csv, column x"),
    (numbers("895", "1\u2019019", "-2'019"), {}, f"row 2: '1\u2019019' {NOT}"),
    (numbers(*["1,5"] * 11, *"abcdefghi"), {}, f"row 1: '1,5' {NOT}"),
    (numbers(*["1.5e3"] * 11, *"abcdefghi"), {}, f"row 12: 'a' {NOT}"),
    (ages("4o"), {}, f"own.csv, column age, row 6: '4o' {NOT}"),
    # groups
    (GROUPS | {"who": ["z", None, "z", "x"]}, BY_GROUP, "split.column: 1 rows have no who"),
]


@pytest.mark.parametrize(("table", "changes", "message"), REFUSED, ids=[row[2] for row in REFUSED])
def test_refusals_are_one_sentence(table, changes, message):
    with pytest.raises(ExperimentError) as refusal:
        prepared(table, **changes)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_all_faults_of_a_table_are_listed_with_a_config_that_accepts_it():
    n = 40
    table = {
        "Nr.": range(n),
        "enrolled": [f"{1 + i % 28:02d}.08.1992" for i in range(n)],
        "weight": [f"{50 + i % 7},{i % 5}" for i in range(n)],
        "cd4": [None, *np.arange(n - 1) / 2],
        "age": ["n.d.", *[f"{20 + i % 9}" for i in range(n - 1)]],
        "note": ["x"] * n,
        "t": ["yes", "no"] * (n // 2),
    }
    with pytest.raises(TableError) as refusal:
        prepared(table, drop=["note"])
    *sentences, heading = refusal.value.lines[:6]
    assert len(sentences) == 5 and all(line.startswith("config key data.") for line in sentences)
    assert "holds dates, such as 01.08.1992" in str(refusal.value)
    assert heading == "To accept the table without the columns under drop, write under data:"
    changes = yaml.safe_load("\n".join(refusal.value.lines[6:]))
    drop = {"drop": ["note", "enrolled", "Nr."]}
    assert changes == {"decimal": ",", "missing": "impute", "missing_values": ["n.d."]} | drop
    table["age"][0] = None  # as a file is read with missing_values
    found = prepared(table, **changes).features
    assert list(found)[2:] == ["weight", "cd4", "age"]
    with pytest.raises(TableError) as refusal:
        prepared(ONE, drop=["b"], numeric=["c"])
    assert len(refusal.value.lines) == 2


@pytest.mark.parametrize(
    "times",
    [
        ["2024-01-31", "2023-12-01", "2024-01-31", "2022-05-05"],
        ["31.01.2024", "1.12.2023", "31.01.2024", "5.5.2022"],
        [7, 5.5, "7", -1],
        pd.to_datetime(["2024-01-31", "2023-12-01", "2024-01-31", "2022-05-05"]),
    ],
)
def test_rows_are_ranked_by_time(times):
    found = prepared({"when": times, "a": [1, 2, 3, 4], "t": YES_NO}, group="when", by="time")
    assert found.features["part"].tolist() == [2, 1, 2, 0]
    assert list(found.features)[3:] == ["a"]
    with pytest.raises(ExperimentError, match=r"row 4: 'late' is no time: write dates as 2024-"):
        prepared({"when": [1, 2, 3, "late"], "a": [1, 2, 3, 4], "t": YES_NO}, "when", by="time")


@pytest.mark.parametrize(
    ("table", "changes", "levels"),
    [
        # Just not refused, or called a category by the user.
        (numbers("1,5", "2", "red", "blue"), {}, 4),  # half of them are numbers
        (numbers("1", "2", "red", "blue"), {}, 4),
        (numbers(*(f"n{i // 2}" for i in range(100))), {}, 50),
        (numbers(*(f"n{i}" for i in range(99))), {"categorical": ["x"]}, 99),
        (numbers("NA", "none", "NA", "b"), {"categorical": ["x"]}, 3),
        (numbers("1,5", "2", "-,25"), {"categorical": ["x"]}, 3),
        ({"x": ages("4o")["age"], **ages("40")}, {"categorical": ["x"], "drop": ["age"]}, 40),
    ],
)
def test_texts_are_categories(table, changes, levels):
    found = prepared(table, **changes).features
    assert len([name for name in found if name.startswith("x_")]) == levels


def test_a_column_may_be_named_or_left_out():
    assert list(prepared(IDS, numeric=["id"]).features) == ["row", "minority", "id", "a"]
    fewer = {name: [*values][:19] for name, values in IDS.items()}
    assert list(prepared(fewer).features)[2:] == ["id", "a"]
    assert list(prepared(numbers("1,5", "2", "-,25"), drop=["x"]).features)[2:] == ["a"]


def test_identifiers_and_words_of_a_file_keep_what_is_written(tmp_path):
    file = tmp_path / "own.csv"
    rows = [f"{2**53 + i if i else ''},{i / 7:.4f},{'None' if i % 3 else 'ill'}" for i in range(30)]
    file.write_text("\n".join(["id,a,t", *rows]))
    table = read_table(file, DATA)
    with pytest.raises(ExperimentError, match="another value in id: add what identifies rows"):
        prepared(table, missing="impute", positive="ill")
    found = prepared(table, drop=["id"], positive="None")
    assert found.names == {"minority": "None", "majority": "ill"}
    assert found.features["minority"].sum() == 20
    table.frame["c"] = ["b", "NA", "c"] * 10
    found = prepared(table, drop=["id"], positive="ill", missing="drop")
    notes = {"features": 2, "missing_values": {"c": 10}, "rows_dropped": 10}
    assert found.notes == notes | {"spellings_joined": {}}


def test_a_file_without_a_header_has_numbered_columns(tmp_path):
    file = tmp_path / "own.csv"
    file.write_text("1.5;yes\n2;no\n3;no\n")
    data = DATA | {"header": "none", "target": "column_2"}
    found = prepared(read_table(file, data), target="column_2")
    table = {"column_1": [1.5, 2, 3], "column_2": ["yes", "no", "no"]}
    assert found.table.to_dict("list") == table
    assert found.features["minority"].tolist() == [1, 0, 0]
    pd.DataFrame(table).to_parquet(file)
    with pytest.raises(ExperimentError, match="only a text can be without a header"):
        read_table(file, data)


@pytest.mark.parametrize(("majority", "warned"), [("Yes", 1), ("no", 0)])
def test_classes_that_differ_by_case_alone_are_pointed_out(majority, warned, tmp_path, caplog):
    file = tmp_path / "own.csv"
    file.write_text(f"a,t\n1.5,yes\n2,{majority}\n")
    prepare_own_data(file=file, data=DATA | {"source": "file"}, group=None, folder=tmp_path)
    classes = json.loads((tmp_path / "provenance.json").read_text())["classes"]
    assert classes == {"minority": "yes", "majority": majority}
    assert pd.read_csv(tmp_path / "table.csv")["row"].tolist() == [1, 2]
    assert len([record for record in caplog.records if record.levelname == "WARNING"]) == warned


def test_the_data_set_of_scikit_learn_has_its_classes_by_name():
    table = breast_cancer().frame
    assert table.shape == (569, 31)
    assert table["target"].value_counts().to_dict() == {"benign": 357, "malignant": 212}


def test_groups_are_no_features():
    found = prepared(GROUPS, **BY_GROUP)
    assert list(found.features) == ["row", "minority", "part", "a", "part_feature"]
    assert found.features["part"].tolist() == [0, 1, 0, 2]
    assert found.notes["groups"] == 3


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_a_file_of_any_kind_gives_the_same_features(tmp_path, kind):
    rows = np.arange(60)
    frame = pd.DataFrame(
        {
            "patient": [f"p{row // 4}" + " " * (row % 2) for row in rows],
            "size": ["n.d." if row == 7 else f"{row / 8}" for row in rows],
            "colour": np.where(rows % 3, "bleue\u0301", np.where(rows % 2, "bleu\xe9", "red")),
            "out": np.where(rows % 4, "no", "yes"),
        }
    )
    file = tmp_path / f"own.{kind}"
    writer = {"csv": frame.to_csv, "parquet": frame.to_parquet, "xlsx": frame.to_excel}[kind]
    writer(file, index=False)
    data = DATA | {"target": "out", "missing": "impute", "missing_values": ["n.d."]}
    found = prepare(read_table(file, data), data, "patient")
    assert (found.features["part"] == rows // 4).all()
    assert found.notes["groups"] == 15
    assert found.notes["missing_values"] == {"size": 1}
    assert found.features["size"].drop(7).tolist() == [row / 8 for row in rows if row != 7]
    assert [name for name in found.features if name.startswith("colour")] == ["colour_red"]
    assert found.notes["spellings_joined"]["patient"][0] == "'p0 ' is 'p0'"
    assert found.features["minority"].sum() == 15
