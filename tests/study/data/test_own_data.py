"""Tables that users bring: what is read, what becomes a feature, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from study.data.own_data import breast_cancer, prepare
from study.errors import ExperimentError
from study.models.fitting import scale
from study.settings.data import Data

DATA = Data.model_construct(target="t", positive="yes").model_dump(warnings=False)
YES_NO = ["yes", "no", "no", "yes"]
HOLES = {"n": [1, np.nan, 3, 40], "c": ["u", "v", None, "u"], "t": YES_NO}


def prepared(table, group=None, **changes):
    return prepare(pd.DataFrame(table), "own.csv", DATA | changes, group)


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
    category = {"kind": "category", "levels": 2}
    columns = {"n": {"kind": "number"}, **dict.fromkeys(("colour", "flag", "code"), category)}
    counts = {"features": 4, "missing_values": {}, "rows_dropped": 0}
    assert found.notes == counts | {"columns": columns}


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


def test_rows_with_missing_values_are_dropped_and_keep_their_numbers():
    found = prepared({**HOLES, "t": ["yes", "no", "no", "no"]}, missing="drop")
    assert found.features[["row", "n"]].to_numpy().tolist() == [[1, 1], [4, 40]]
    assert (found.notes["missing_values"], found.notes["rows_dropped"]) == ({"n": 1, "c": 1}, 2)


def test_missing_values_are_imputed_from_the_training_rows_alone():
    found = prepared(HOLES, missing="impute").features
    levels = found[["c_u", "c_v", "c_missing"]].to_numpy().tolist()
    assert levels == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    n = found[["n"]].to_numpy()
    assert np.isnan(n[1, 0])
    # Not yet filled in: the median is that of whichever rows come to train, 0 if they have none.
    train, _ = scale(n[[0, 1, 2]], n[[3]], "minmax")
    assert train.ravel().tolist() == [-1, 0, 1]  # 40 is a test row
    _, test = scale(np.full((2, 1), np.nan), np.array([[5.0], [np.nan]]), "minmax")
    assert test.tolist() == [[5], [0]]


def ages(typo):
    texts = [typo if i == 5 else str(20 + i) for i in range(40)]
    return {"age": texts, "t": ["yes", "no"] * 20}


def numbers(*texts):
    n = len(texts)
    return {"x": texts, "a": np.arange(n) / 2, "t": ["yes", *["no"] * (n - 1)]}


ONE = pd.DataFrame({"a": [1.5, 2, 3], "t": ["yes", "no", "no"]})
SIX, FIVE = ({"a": range(n), "t": [*"fedcba"][-n:]} for n in (6, 5))
IDS = {"id": range(40, 20, -1), "a": np.arange(20) / 3, "t": ["yes", "no"] * 10}
MORE = IDS | {f"code{i}": np.arange(20) * (i + 2) for i in range(4)}
GROUPS = {"who": ["z", "y", "z", "x"], "a": [1, 2, 3, 4], "part": [5, 6, 7, 8], "t": YES_NO}
BY_GROUP = {"group": "who"}
REFUSED = [
    # the two classes
    (ONE.assign(t=["x", "y", "x"]), {}, "data.positive: 'yes' is no class; there are x and y"),
    ({"a": [1, 2], "t": [True, False]}, {"positive": 1}, "1 is no class; there are false and true"),
    (SIX, {}, "t holds 6 different values (a, b, c, d, e, ...)"),
    (FIVE, {}, "5 different values (a, b, c, d, e)"),
    ({"a": [1, 2], "t": ["yes", None]}, {}, "data.target: 1 rows have no t; take them out."),
    # columns
    (ONE, {"drop": ["b"]}, "data.drop: there is no column b; there are a, t."),
    (ONE, {"drop": ["a"]}, "data.drop: no feature is left."),
    (HOLES, {}, "data.missing is refuse, but values are missing (n 1, c 1): choose drop or impute"),
    ({"a": [1, [2]], "t": ["yes", "no"]}, {}, "data.drop: column a holds lists or records"),
    ({"a": [1, np.inf], "t": ["yes", "no"]}, {}, "column a holds infinite values"),
    # A level's column would replace another column in silence.
    ({"a_c": [1, 2], "a": ["b", "c"], "t": ["yes", "no"]}, {}, "would be called a_c"),
    (numbers(*map(str, range(51))), {}, "column x, row 1: '0' is one of 51 different"),
    (MORE, {}, "data.drop: each row has another integer in id, code0, code1, code2, code3: add"),
    # numbers that would be taken for categories
    (numbers("1,5", "2", "-,25"), {}, "(own.csv, column x, row 1: '1,5'): set decimal: ','"),
    (numbers("5", "1,234", "1,234,567.5"), {}, "column x, row 2: '1,234'): set decimal: ','"),
    (numbers("7", "1.5"), {"decimal": ","}, "(own.csv, column x, row 2: '1.5'): set decimal: '.'"),
    (numbers(*["1,5"] * 11, *"abcdefghi"), {}, "numbers are written with a comma (own.csv, co"),
    (numbers(*["1.5"] * 11, *"abcdefghi"), {}, "'a' is not a number (11 of 20 are): correct it"),
    (
        ages("4o"),
        {},
        "config key data.categorical: own.csv, column age, row 6: '4o' is not a number (39 of 40 "
        "are): correct it, leave the cell empty if the value is missing, or list age under "
        "categorical.",
    ),
    # groups
    (GROUPS | {"who": ["z", None, "z", "x"]}, BY_GROUP, "split.column: 1 rows have no who"),
]


@pytest.mark.parametrize(("table", "changes", "message"), REFUSED, ids=[row[2] for row in REFUSED])
def test_refusals_are_one_sentence(table, changes, message):
    with pytest.raises(ExperimentError) as refusal:
        prepared(table, **changes)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("table", "changes", "levels"),
    [
        # Just not refused, or called a category by the user.
        (numbers("1,5", "2", "red", "blue"), {}, 4),  # half of them are numbers
        (numbers("1", "2", "red", "blue"), {}, 4),
        (numbers(*[f"n{i}" for i in range(50)]), {}, 50),
        (numbers("1,5", "2", "-,25"), {"categorical": ["x"]}, 3),
        ({"x": ages("4o")["age"], **ages("40")}, {"categorical": ["x"], "drop": ["age"]}, 40),
    ],
)
def test_texts_are_categories(table, changes, levels):
    columns = prepared(table, **changes).notes["columns"]
    assert columns["x"] == {"kind": "category", "levels": levels}


def test_a_column_may_be_named_or_left_out():
    assert list(prepared(IDS, numeric=["id"]).features) == ["row", "minority", "id", "a"]
    fewer = {name: [*values][:19] for name, values in IDS.items()}
    assert list(prepared(fewer).features)[2:] == ["id", "a"]
    assert list(prepared(numbers("1,5", "2", "-,25"), drop=["x"]).features)[2:] == ["a"]


def test_the_data_set_of_scikit_learn_has_its_classes_by_name():
    table = breast_cancer()
    assert table.shape == (569, 31)
    assert table["target"].value_counts().to_dict() == {"benign": 357, "malignant": 212}


def test_groups_are_no_features():
    found = prepared(GROUPS, **BY_GROUP)
    assert list(found.features) == ["row", "minority", "part", "a", "part_feature"]
    assert found.features["part"].tolist() == [0, 1, 0, 2]
    assert found.notes["groups"] == 3
