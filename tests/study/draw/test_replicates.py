"""Splits: the same alone, in parts and for every model; groups and times; scaling."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from study.config import PAPER, make_scenarios, read_config, yaml
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.draw.replicates import draw_scores, scale, split_replicate
from study.errors import ExperimentError

GERMAN = encode(read_german_data(BUNDLED_FILE), "strathclyde")
CONFIG = read_config(yaml.safe_load(PAPER.read_text(encoding="utf-8")))
SETTING = make_scenarios(CONFIG)["experiment"]
GROUPS = SETTING | {"skew": None, "n_train": 0.6, "split": {"by": "group", "column": "part"}}


def draw(numbers, model="linear", features=GERMAN, **changes):
    return draw_scores(features, SETTING | changes, CONFIG["models"][model], numbers, 2010)


@pytest.mark.parametrize("model", ["linear", "neural_net"])
def test_splits_are_the_same_one_by_one_and_in_parts(model):
    whole = draw(range(6), model)
    for parts in ([[n] for n in range(6)], [range(2), range(2, 6)]):
        joined = pd.concat([draw(part, model) for part in parts], ignore_index=True)
        pd.testing.assert_frame_equal(joined, whole, check_exact=True)
    assert (whole.groupby("replicate").size() == 286).all()
    assert (whole["n_train"] == 500).all()


def test_models_and_scenarios_share_their_splits():
    linear, network = draw(range(3)), draw(range(3), "neural_net")
    assert (linear["row"] == network["row"]).all()
    more = draw(range(3), n_train=400)
    tested, wider = (scores.groupby("replicate")["row"].agg(set) for scores in (linear, more))
    assert (tested < wider).all()
    assert tested.map(frozenset).nunique() == 3


def test_no_group_trains_and_tests_and_its_number_is_no_feature():
    part = np.random.default_rng(0).integers(0, 90, len(GERMAN))
    part[:200] = 90  # a large one
    found = draw(range(6), features=GERMAN.assign(part=part), **GROUPS)
    for _, scores in found.groupby("replicate"):
        test = scores["row"].to_numpy() - 1
        train = np.setdiff1d(np.arange(1000), test)
        assert not {*part[test]} & {*part[train]}
        assert 450 < len(train) < 750
    renamed = draw(range(6), features=GERMAN.assign(part=part * 1000), **GROUPS)
    pd.testing.assert_frame_equal(found.drop(columns="part"), renamed.drop(columns="part"))


def test_by_time_the_last_rows_test():
    when = np.random.default_rng(0).permutation(1000) // 4
    setting = GROUPS | {"split": {"by": "time", "column": "part"}}
    found = draw(range(2), features=GERMAN.assign(part=when), **setting)
    last = set(GERMAN["row"][when >= 150])
    assert [set(rows) for _, rows in found.groupby("replicate")["row"]] == [last, last]


def test_a_split_whose_training_rows_lack_a_class_has_missing_scores():
    grouped = GERMAN.assign(part=GERMAN["minority"])
    found = draw(range(2), features=grouped, **GROUPS | {"n_train": 0.5})
    assert found["score"].isna().all()


def test_a_single_row_of_a_class_is_refused():
    few = GERMAN.assign(minority=(GERMAN["row"] == 1).astype(int))
    with pytest.raises(ExperimentError, match="1000 rows, 1 of them positive, are too few"):
        split_replicate(few, SETTING | {"skew": None}, 0, 2010)


@pytest.mark.parametrize("n_train", [785, 0.999])
def test_too_few_test_rows_are_refused(n_train):
    with pytest.raises(ExperimentError, match=r"too few if 785 train: .*experiment\.n_train"):
        split_replicate(GERMAN, SETTING | {"n_train": n_train}, 0, 2010)


@pytest.mark.parametrize(
    ("scaling", "scaler"), [("standard", StandardScaler()), ("minmax", MinMaxScaler((-1, 1)))]
)
def test_scaling_is_that_of_scikit_learn_and_missing_numbers_are_medians(scaling, scaler):
    X = np.random.default_rng(5).normal(size=(300, 5))
    X[:, 4] = 1
    train, test = scale(X[:200], X[200:], scaling)
    np.testing.assert_allclose(train[:, :4], scaler.fit_transform(X[:200])[:, :4], atol=1e-14)
    np.testing.assert_allclose(test[:, :4], scaler.transform(X[200:])[:, :4], atol=1e-14)
    assert (test[:, 4] == 0).all()
    rows = np.array([[1, np.nan], [5, np.nan], [9, np.nan], [np.nan, np.nan]])
    train, test = scale(rows, np.array([[np.nan, 4], [13, np.nan]]), scaling)
    spread = math.sqrt(8) if scaling == "standard" else 4
    assert train[:, 0] == pytest.approx(np.array([-4, 0, 4, 0]) / spread)
    assert (train[:, 1] == 0).all()
    assert test.tolist() == [[0, 4], [pytest.approx(8 / spread), 0]]
