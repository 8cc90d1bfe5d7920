"""Tables that users bring: what is read, what becomes a feature, and what is refused."""

import re

import numpy as np
import pandas as pd
import pytest

from study.data.own_data import prepare
from study.errors import ExperimentError
from study.models.fitting import scale
from study.settings.data import Data, Experiment

DATA = Data.model_construct(target="t", positive="yes").model_dump(warnings=False)
EXPERIMENT = Experiment().model_dump()


def prepared(table, split=None, n_train=0.6, **changes):
    tables = table if "t" not in table else {"own.csv": pd.DataFrame(table)}
    experiment = EXPERIMENT | {"n_train": n_train} | ({"split": split} if split else {})
    return prepare(tables, DATA | changes, experiment)


YES_NO = ["yes", "no", "no", "yes"]


def test_numbers_stay_and_texts_become_columns():
    found = prepared(
        {
            "n": [1, 2.5, 3, 4],
            "colour": ["red", "1,5", "red", "red"],
            "flag": [True, False, True, True],
            "code": [7, 7, 8, 7],
            "id": [9, 8, 7, 6],
            "t": YES_NO,
        },
        drop=["id"],
        categorical=["code"],
    )
    assert found.features.to_dict("list") == {
        "row": [1, 2, 3, 4],
        "minority": [1, 0, 0, 1],
        "n": [1, 2.5, 3, 4],
        "colour_red": [1, 0, 1, 1],
        "flag_true": [1, 0, 1, 1],
        "code_8": [0, 0, 1, 0],
    }
    assert found.names == {"minority": "yes", "majority": "no"}
    category = {"kind": "category", "levels": 2}
    columns = {"n": {"kind": "number"}, **dict.fromkeys(("colour", "flag", "code"), category)}
    assert found.notes == {
        **{"features": 4, "missing_values": {}, "rows_dropped": 0},
        "columns": columns,
    }


@pytest.mark.parametrize(
    ("target", "positive", "classes"),
    [
        ([1.0, 0.0], 1, ("0", "1")),
        ([1.5, 2], 1.5, ("2", "1.5")),
        (["Yes", "No"], True, ("No", "Yes")),
        ([" ill ", "well"], "ill", ("well", "ill")),
    ],
)
def test_spellings_of_the_positive_class(target, positive, classes):
    found = prepared({"a": [3, 4], "t": target}, positive=positive)
    assert (found.names["majority"], found.names["minority"]) == classes
    assert found.features["minority"].tolist() == [1, 0]


HOLES = {"n": [1, np.nan, 3, 40], "c": ["u", "v", None, "u"], "t": YES_NO}


def test_rows_with_missing_values_are_dropped_and_keep_their_numbers():
    found = prepared({**HOLES, "t": ["yes", "no", "no", "no"]}, missing="drop")
    assert found.features["row"].tolist() == [1, 4]
    assert found.features["n"].tolist() == [1, 40]
    assert found.notes["missing_values"] == {"n": 1, "c": 1}
    assert found.notes["rows_dropped"] == 2


def test_missing_values_are_imputed_from_the_training_rows_alone():
    found = prepared(HOLES, missing="impute")
    assert found.features["c_missing"].tolist() == [0, 0, 1, 0]
    assert found.features[["c_u", "c_v"]].to_numpy().tolist() == [[1, 0], [0, 1], [0, 0], [1, 0]]
    n = found.features[["n"]].to_numpy()
    assert np.isnan(n[1, 0])
    # Not yet filled in: the median is that of whichever rows come to train.
    train, test = scale(n[[0, 1, 2]], n[[3]], "standard")
    filled = np.array([1, 2, 3])  # the median of 1 and 3; 40 is a test row
    assert train.ravel() == pytest.approx((filled - 2) / filled.std())
    assert test.item() == pytest.approx(38 / filled.std())


@pytest.mark.parametrize(
    ("table", "changes", "message"),
    [
        ({"a": [1, 2], "t": ["x", "y"]}, {}, "data.positive: 'yes' is no class; there are x and y"),
        ({"a": [1, 2], "t": [True, False]}, {"positive": 1}, "1 is no class; there are false"),
        (HOLES, {}, "data.missing is refuse, but values are missing (n 1, c 1): choose drop"),
        ({"a": [[1], [2]], "t": ["yes", "no"]}, {}, "data.drop: column a holds lists or records"),
        ({"a": [1, np.inf], "t": ["yes", "no"]}, {}, "column a holds infinite values"),
        (
            {"name": list(map(str, range(51))), "t": ["yes"] + ["no"] * 50},
            {},
            "data.drop: own.csv, column name, row 1: '0' is one of 51 different texts",
        ),
        # A level's column would replace another column in silence.
        ({"a_c": [1, 2], "a": ["b", "c"], "t": ["yes", "no"]}, {}, "would be called a_c"),
    ],
)
def test_refusals(table, changes, message):
    with pytest.raises(ExperimentError) as refusal:
        prepared(table, **changes)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("decimal", "texts", "shown"),
    [
        (".", ["1,5", "2", "-,25"], "row 1: '1,5'): set decimal: ','"),
        (".", ["5", "1,234", "1,234,567.5"], "row 2: '1,234'): set decimal"),
        (",", ["7", "1.5"], "row 2: '1.5'): set decimal: '.'"),
    ],
)
def test_numbers_with_another_sign_are_not_taken_for_categories(decimal, texts, shown):
    table = {"x": texts, "a": np.arange(len(texts)), "t": ["yes", *["no"] * (len(texts) - 1)]}
    options = {"decimal": decimal, "missing": "impute"}
    with pytest.raises(ExperimentError, match=re.escape(f"(own.csv, column x, {shown}")):
        prepared(table, **options)
    # Left out, or called a category, it is as the user says.
    assert list(prepared(table, drop=["x"], **options).features)[2:] == ["a"]
    found = prepared(table, categorical=["x"], **options).notes["columns"]["x"]
    assert found["levels"] == len(set(texts) - {None})


def test_texts_of_which_half_are_numbers_are_categories():
    table = {"x": ["1,5", "2", "red", "blue"], "a": [1, 2, 3, 5], "t": YES_NO}
    assert prepared(table).notes["columns"]["x"] == {"kind": "category", "levels": 4}


def test_a_target_has_two_values_or_some_of_its_others_are_named():
    six = {"a": range(6), "t": [*"fedcba"]}
    with pytest.raises(
        ExperimentError, match=r"t holds 6 different values \(a, b, c, d, e, \.\.\.\)"
    ):
        prepared(six)
    five = {name: [*values][1:] for name, values in six.items()}
    with pytest.raises(ExperimentError, match=r"t holds 5 different values \(a, b, c, d, e\)"):
        prepared(five)


@pytest.mark.parametrize("typo", ["4o", "12 345"])
def test_one_word_among_numbers_does_not_make_a_category(typo):
    ages = [str(20 + i) for i in range(40)]
    ages[5] = typo
    table = {"age": ages, "t": ["yes" if i % 3 else "no" for i in range(40)]}
    with pytest.raises(ExperimentError) as refusal:
        prepared(table)
    assert str(refusal.value) == (
        f"config key data.categorical: own.csv, column age, row 6: {typo!r} is not a "
        "number (39 of 40 are): correct it, leave the cell empty if the value is missing, or "
        "list age under categorical."
    )
    assert prepared(table, categorical=["age"]).notes["columns"]["age"]["levels"] == 40


def test_a_column_that_numbers_the_rows_is_refused_unless_it_is_named():
    table = {"id": range(40, 20, -1), "a": np.arange(20) / 3, "t": ["yes", "no"] * 10}
    with pytest.raises(ExperimentError, match=r"data\.drop: each row has another integer in id"):
        prepared(table)
    assert list(prepared(table, numeric=["id"]).features) == ["row", "minority", "id", "a"]
    more = table | {f"code{i}": np.arange(20) * (i + 2) for i in range(4)}
    with pytest.raises(
        ExperimentError, match="another integer in id, code0, code1, code2, code3: add"
    ):
        prepared(more)


def test_rows_of_a_second_file_are_the_test_rows():
    one = pd.DataFrame({"a": [1.5, 2], "c": ["u", "v"], "t": ["yes", "no"]})
    two = pd.DataFrame({"t": ["no", "yes"], "c": ["w", "u"], "a": [7, 8]})
    found = prepared({"one.csv": one, "two.csv": two}).features
    assert found["part"].tolist() == [0, 0, 1, 1]
    assert found["row"].tolist() == [1, 2, 3, 4]
    assert found[["minority", "a", "c_w"]].to_numpy().tolist()[2:] == [[0, 7, 1], [1, 8, 0]]
    with pytest.raises(
        ExperimentError, match=r"test_path: one and two need .* only one has c, d\."
    ):
        prepared({"one": one, "two": two.rename(columns={"c": "d"})})


def test_test_rows_that_were_trained_on_are_refused_or_told(caplog):
    one = pd.DataFrame({"a": [1.5, 2, 3], "t": ["yes", "no", "no"]})
    with pytest.raises(
        ExperimentError, match=r"experiment\.test_path: two\.csv has the same rows as one"
    ):
        prepared({"one.csv": one, "two.csv": one[["t", "a"]].iloc[::-1]})
    prepared({"one.csv": one, "two.csv": one.iloc[:2]})
    assert "2 of 2 rows of two.csv are in one.csv too" in caplog.text


def test_groups_are_no_features():
    table = {"who": ["z", "y", "z", "x"], "a": [1, 2, 3, 4], "part": [5, 6, 7, 8], "t": YES_NO}
    found = prepared(table, split={"by": "group", "column": "who"})
    assert list(found.features) == ["row", "minority", "part", "a", "part_feature"]
    assert found.features["part"].tolist() == [0, 1, 0, 2]
    assert found.notes["groups"] == 3
    table["who"][1] = None
    with pytest.raises(ExperimentError, match=r"experiment\.split\.column: 1 rows have no who"):
        prepared(table, split={"by": "group", "column": "who"}, missing="impute")


@pytest.mark.parametrize(
    ("times", "n_train", "test", "last"),
    [
        ([2003, 2001, 2002, 2002], 0.5, [1, 0, 0, 0], "2002"),
        (["2024-01-10", "2023-12-31", "2024-01-09", "2024-02"], 1, [1, 0, 1, 1], "2023-12-31"),
        (["2024-01-10 09:00", "2024-01-10 10:00", "2024-01-09", "2023"], 3, [0, 1, 0, 0], None),
        (["2024-01-10", "31.12.2023", "2024-01-09", "2024"], 2, "'31.12.2023' is no time", None),
        ([1, 1, 1, 1], 2, "no row is later than the first 2, so none is left", None),
    ],
)
def test_the_latest_rows_are_the_test_rows(times, n_train, test, last):
    table = {"when": times, "a": [1, 2, 3, 5], "t": YES_NO}
    options = {"split": {"by": "time", "column": "when"}, "n_train": n_train}
    if isinstance(test, str):
        with pytest.raises(
            ExperimentError, match=rf"experiment\.split\.column: .*{re.escape(test)}"
        ):
            prepared(table, **options)
        return
    found = prepared(table, **options)
    assert found.features["part"].tolist() == test
    assert found.notes["trained_until"] == (last or times[0])
    assert list(found.features)[3:] == ["a"]
