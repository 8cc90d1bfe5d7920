"""Replicates: the same alone and in parts, by groups, with a class or a model missing."""

import numpy as np
import pandas as pd
import pytest

from failed_fits import failures_table
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.errors import ExperimentError, ImpossibleError
from study.experiment.measures import MEASURES
from study.experiment.replicates import (
    check_split,
    draw_replicates,
    draw_sample,
    fit_once,
    measure_scenario,
)
from study.experiment.scenarios import chunk_setting, make_scenarios
from study.settings import read_config

GERMAN = encode(read_german_data(BUNDLED_FILE), "strathclyde")
PAPER = chunk_setting(make_scenarios(read_config({}))["paper"], "built_in", 0)
PAPER["models"] = {name: PAPER["models"][name] for name in ("linear", "neural_net")}
LINEAR = PAPER | {"models": {"linear": {}}}
GROUPS = LINEAR | {"split": "group", "skew": None, "n_train": 0.6}
SEED = 2010


def draw(setting, numbers, features=GERMAN, seed=SEED):
    return draw_replicates(features, setting, numbers, seed=seed)


def test_forty_replicates_are_the_same_one_by_one_and_in_parts():
    whole = draw(PAPER, range(40))
    for numbers in ([[n] for n in range(40)], [range(17), range(17, 40)]):
        parts = [draw(PAPER, part) for part in numbers]
        scores = pd.concat(parts, ignore_index=True)
        pd.testing.assert_frame_equal(scores, whole, check_exact=True)
        measured = pd.concat([measure_scenario(part, PAPER) for part in parts], ignore_index=True)
        pd.testing.assert_frame_equal(measured, measure_scenario(whole, PAPER), check_exact=True)
    assert measure_scenario(whole, PAPER).attrs == {"majority": 700, "minority": 86, "n_train": 500}
    assert (whole.groupby(["replicate", "model"]).size() == 286).all()
    # The first is the split of Tables 4 and 5; the values were stored.
    sample = draw_sample(GERMAN, PAPER, 0, seed=SEED)
    assert sample["row"].sum() == 390_037 and sample["minority"].sum() == 86
    assert set(whole.query("replicate == 0")["row"]) < set(sample["row"])
    keys = ["model", "positive_class", "curve"]
    first = measure_scenario(whole, PAPER).query("replicate == 0").set_index(keys)
    stored = {
        ("linear", "majority"): (0.8062130177514792, 0.2123096701931724),
        ("linear", "minority"): (0.8062130177514792, 0.13646051438088524),
        ("neural_net", "majority"): (0.7349852071005917, 0.13703840617049157),
        ("neural_net", "minority"): (0.7349852071005917, 0.10097098559836615),
    }
    for key, areas in stored.items():
        assert tuple(first.loc[(*key, "hull"), ["auc", "auk"]]) == pytest.approx(areas, abs=1e-12)


def test_models_and_scenarios_do_not_change_each_others_replicates():
    alone = draw(LINEAR, range(3))
    both = draw(PAPER, range(3)).query("model == 'linear'").reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, both, check_exact=True)
    # Common random numbers: the same rows are kept, and fewer training rows leave more to test.
    other = draw(LINEAR | {"n_train": 400}, range(3))
    tested, more = (scores.groupby("replicate")["row"].agg(set) for scores in (alone, other))
    assert (tested < more).all()


def test_all_rows_stay_in_their_order_where_nothing_is_deleted():
    untouched = LINEAR | {"skew": None}
    assert draw_sample(GERMAN, untouched, 1, seed=SEED)["row"].tolist() == [*range(1, 1001)]
    counts = {"majority": 700, "minority": 300, "n_train": 500}
    assert draw(untouched, [0]).attrs == {**counts, "failures": {}}


def test_no_group_is_on_both_sides():
    part = np.random.default_rng(0).integers(0, 90, len(GERMAN))
    part[:200] = 90  # a large one
    grouped = GERMAN.assign(part=part)
    found = draw(GROUPS, range(6), grouped)
    for _, scores in found.groupby("replicate"):
        test = scores["row"].to_numpy() - 1
        train = np.setdiff1d(np.arange(1000), test)
        assert not {*part[test]} & {*part[train]}
        assert 450 < len(train) < 750
    assert len({*found.groupby("replicate").size()}) > 1
    # Replicates of different sizes are measured apart.
    alone = measure_scenario(draw(GROUPS, [5], grouped), GROUPS)
    together = measure_scenario(found, GROUPS).query("replicate == 5").reset_index(drop=True)
    pd.testing.assert_frame_equal(together, alone, check_exact=True)
    # The group is no feature: other numbers for the same groups change nothing.
    renamed = draw(GROUPS, range(6), GERMAN.assign(part=part * 1000))
    pd.testing.assert_frame_equal(found, renamed, check_exact=True)


def test_by_time_the_last_rows_test():
    when = np.random.default_rng(0).permutation(1000) // 4
    found = draw(GROUPS | {"split": "time"}, range(2), GERMAN.assign(part=when))
    last = set(GERMAN["row"][when >= 150])
    assert [set(rows) for _, rows in found.groupby("replicate")["row"]] == [last, last]


@pytest.mark.parametrize("trained", [0, 1])
def test_a_split_without_a_class_is_kept_and_undefined(trained):
    """Two groups, each of one class: whichever trains, the other side lacks a class."""
    grouped = GERMAN.assign(part=(GERMAN["minority"] == trained).astype(int))
    found = draw(GROUPS | {"n_train": 0.5}, range(2), grouped)
    assert found[["score", "probability"]].isna().all(axis=None)
    measured = measure_scenario(found, GROUPS)
    assert measured["replicate"].value_counts().tolist() == [4, 4]
    assert measured[list(MEASURES)].isna().all(axis=None)
    sample = GERMAN.assign(row=range(1, 1001))
    with pytest.raises(ExperimentError, match="hold one class only: choose another seed, a larger"):
        check_split(sample, found.query("replicate == 0"))


GROUPED = {"skew": None, "split": "group"}
FEW = pd.concat([GERMAN.query("minority == 0").head(60), GERMAN.query("minority == 1").head(20)])


@pytest.mark.parametrize(
    ("changes", "features", "sentence"),
    [
        ({"skew": 0.02}, FEW, "only 1 row of a class is left, and training and test need one each"),
        ({"skew": None}, FEW.tail(21), "only 1 row of a class is left"),
        ({"skew": 0.01}, FEW, "a skew of 0.01 here needs 60 majority and 0 minority rows"),
        ({"skew": None, "n_train": 79}, FEW, "n_train is 79, but the sample has 80 rows"),
        ({"skew": None, "n_train": 0.02}, FEW, "n_train is 1, but the sample has 80 rows"),
        ({"skew": None, "n_train": 79, "stratify": True}, FEW, "train, and two must be left for"),
        (GROUPED | {"n_train": 79}, FEW.assign(part=range(80)), "n_train is 79, but the sample"),
        (GROUPED | {"split": "time", "n_train": 99}, FEW.assign(part=range(80)), "n_train is 99"),
        (GROUPED | {"n_train": 0.5}, FEW.assign(part=0), "all rows are of one group"),
    ],
)
def test_rows_that_the_data_do_not_have_are_refused_by_a_sentence(changes, features, sentence):
    with pytest.raises(ImpossibleError, match=sentence) as refusal:
        draw(LINEAR | changes, range(3), features)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("stratify", [False, True])
def test_few_rows_are_drawn_and_measured_where_it_is_possible(stratify):
    setting = PAPER | {"skew": 0.05, "n_train": 0.6, "stratify": stratify}
    found = draw(setting, range(30), FEW)
    measured = measure_scenario(found, setting).query("curve == 'raw' and model == 'linear'")
    assert measured.attrs == {"majority": 60, "minority": 3, "n_train": 37}
    missing = measured.groupby("replicate")["auc"].agg(lambda column: column.isna().all())
    by_hand = found.query("model == 'linear'").groupby("replicate")["minority"].sum()
    assert (missing == by_hand.isin([0, 3])).all()  # a side without a minority row
    assert missing.any() != stratify


def test_a_fit_that_did_not_converge_is_logged_for_one_fit_alone(caplog):
    logistic = "sklearn.linear_model.LogisticRegression"
    hasty = {"hasty": {"estimator": logistic, "parameters": {"max_iter": 1}}}
    draw(PAPER | {"models": hasty}, range(2))
    assert not caplog.records
    draw(PAPER | {"models": hasty}, range(1))
    (message,) = caplog.messages
    assert message.startswith("hasty: ConvergenceWarning in 1 of 1 replicates, such as: lbfgs")
    assert "\n" not in message


BROKEN = {"estimator": "sklearn.svm.SVC", "parameters": {"kernel": "precomputed"}}
# Without six rows of the minority to train on, SMOTE has no neighbours.
SMOTE = {"estimator": "sklearn.naive_bayes.GaussianNB", "resampling": "smote"}


def test_a_model_that_fails_leaves_the_others_as_they_are(caplog):
    found = draw(PAPER | {"models": {"linear": {}, "broken": BROKEN}}, range(2))
    scores = found.set_index("model")["score"]
    assert scores["linear"].tolist() == draw(LINEAR, range(2))["score"].tolist()
    assert scores["broken"].isna().all()
    measured = measure_scenario(found, PAPER).set_index("model")
    (message,) = caplog.messages
    assert message.startswith("broken could not be fitted in 2 of 2 replicates, such as: Precomp")
    assert measured.loc["broken", list(MEASURES)].isna().all(axis=None)
    (reason,) = measured.loc["broken", "failure"].unique()
    assert reason.startswith("Precomputed matrix must be a square matrix")
    assert measured.loc["linear", list(MEASURES)].notna().all(axis=None)
    assert measured.loc["linear", "failure"].isna().all()
    check_split(GERMAN, found.query("replicate == 0"))
    failed = found.query("replicate == 0 and model == 'broken'")
    with pytest.raises(ExperimentError, match="none of the models could be fitted"):
        check_split(GERMAN, failed)


def test_a_model_that_fails_in_some_splits_is_counted():
    setting = LINEAR | {"skew": None, "n_train": 25, "models": {"linear": {}, "smote": SMOTE}}
    few = pd.concat([FEW.query("minority == 0").head(40), FEW.query("minority == 1").head(10)])
    found = draw(setting, range(20), few)
    trained = 10 - found.query("model == 'linear'").groupby("replicate")["minority"].sum()
    failed = int((trained < 6).sum())
    assert 0 < failed < 20
    table = failures_table({"mine": measure_scenario(found, setting)})
    assert table.drop(columns="reason").to_numpy().tolist() == [["mine", "smote", 20, failed]]
    assert table["reason"].item().startswith("Expected n_neighbors <= n_samples_fit")
    with pytest.raises(ExperimentError) as refusal:
        fit_once(
            few, setting | {"n_train": 10, "models": {"smote": SMOTE, "broken": BROKEN}}, seed=1
        )
    assert str(refusal.value).count("can't be fitted: ") == 2
    fit_once(GERMAN, PAPER | {"models": {"smote": SMOTE}}, seed=1)
