"""Class counts, rows, and splits of replicates, with the rows of the usual libraries."""

import numpy as np
import pandas as pd
import pytest
from imblearn.under_sampling import RandomUnderSampler
from sklearn.model_selection import train_test_split

from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.errors import ExperimentError
from study.replicates.counts import class_counts
from study.replicates.engine import Cell, run_replicates, single_split
from study.replicates.evaluation import MEASURES
from study.replicates.sampling import replicate_seeds, split_groups, split_rows, undersample


@pytest.mark.parametrize(
    ("settings", "majority", "minority"),
    [
        ({"skew": 0.11, "n_minority": 300}, 700, 300),
        ({"skew": 0.5, "n_minority": 1}, 700, 1),
        ({"skew": 0.11, "scheme": "total", "total": 768}, 684, 84),
        ({"skew": 0.11, "scheme": "total", "total": 700, "n_minority": 80}, 620, 80),
        ({"skew": 0.11, "scheme": "keep_majority_up"}, 700, 87),
        ({"skew": 0.3, "scheme": "keep_majority_up"}, 700, 300),
        ({"skew": 0.3}, 700, 300),
        ({"skew": 0.5}, 300, 300),
        ({"skew": None}, 700, 300),
    ],
)
def test_class_counts(settings, majority, minority):
    assert class_counts(700, 300, **settings) == (majority, minority)


def test_impossible_counts_are_refused():
    total = {"skew": 0.11, "scheme": "total"}
    few = ({"skew": 0.11, "n_minority": n} for n in (0, 301))
    for settings in (*few, {"skew": 0.0001}, total, total | {"total": 787}):
        with pytest.raises(ExperimentError, match=r"change skew, total or n_minority\.$"):
            class_counts(700, 300, **settings)


def test_seeds_depend_on_root_and_replicate_alone():
    assert replicate_seeds(1, 5) == replicate_seeds(1, 5)
    many = {seed for replicate in range(100) for seed in replicate_seeds(1, replicate)}
    assert len(many) == 300
    assert not many & set(replicate_seeds(2, 0))


@pytest.mark.parametrize(("seed", "skew"), [(0, 0.11), (1, 0.5)])
def test_undersampling_gives_the_rows_of_imbalanced_learn(seed, skew):
    minority = np.random.default_rng(seed).permutation([1] * 300 + [0] * 700)
    counts = class_counts(700, 300, skew=skew)
    wanted = {0: counts.majority, 1: counts.minority}
    sampler = RandomUnderSampler(sampling_strategy=wanted, random_state=seed)
    _, labels = sampler.fit_resample(np.arange(1000)[:, None], minority)
    rows = undersample(minority, counts, seed)
    assert (rows == sampler.sample_indices_).all()
    assert tuple(np.bincount(minority[rows])) == tuple(np.bincount(labels)) == counts


@pytest.mark.parametrize("stratify", [False, True])
def test_split_gives_the_rows_of_scikit_learn(stratify):
    minority = np.repeat([0, 1], [700, 86])
    for seed in range(5):
        options = {"random_state": seed, "stratify": minority if stratify else None}
        train, test = train_test_split(np.arange(786), train_size=500, **options)
        found = split_rows(minority, 500, seed, stratify=stratify)
        assert (found.train == train).all()
        assert (found.test == test).all()


def test_two_rows_at_least_on_either_side_of_a_split():
    minority = np.array([0, 1, 0, 1, 0, 0])
    assert [len(split_rows(minority, n, 1).test) for n in (2, 4)] == [4, 2]
    for n in (1, 5):
        with pytest.raises(ExperimentError, match=f"n_train is {n}, but the sample has 6 rows"):
            split_rows(minority, n, 1)


@pytest.mark.parametrize(("n_train", "trained"), [(0, 3), (4, 3), (5, 6), (7, 6), (8, 9), (12, 9)])
def test_as_many_groups_train_as_come_closest_and_one_is_left(n_train, trained):
    groups = np.repeat([5, 3, 8, 1], 3)
    train, test = split_groups(groups, n_train, 2)
    assert (len(train), len(test)) == (trained, 12 - trained)
    assert not set(groups[train]) & set(groups[test])
    first, other = (set(groups[split_groups(groups, 3, seed).train]) for seed in (2, 3))
    assert first != other


MODELS = {"linear": {}, "neural_net": {}}
COLUMNS = (
    "replicate,dataset,skew,encoding,sampling,n_train,stratify,model,positive_class,curve,"
    "auc,auk,auk_trapezoid,h,ks,kappa_max,fpr,tpr,threshold"
)


@pytest.fixture(scope="module")
def features():
    return encode(read_german_data(BUNDLED_FILE), "strathclyde")


def test_the_single_split_is_replicate_0(features):
    sample, scores = single_split(features, Cell(MODELS), seed=2010)
    assert sample["minority"].value_counts().to_dict() == {0: 700, 1: 86}
    assert set(scores["row"]) < set(sample["row"])
    assert scores.groupby("model").size().to_dict() == dict.fromkeys(MODELS, 286)
    found = run_replicates(features, Cell(MODELS), range(2), seed=2010)
    assert ",".join(found.measures) == COLUMNS
    assert {*zip(found.measures["skew"], found.measures["n_train"], strict=True)} == {(0.11, 500)}
    first = found.scores
    first = first[first["replicate"] == 0].drop(columns="replicate")
    pd.testing.assert_frame_equal(scores, first, check_exact=True)


def test_no_group_is_on_both_sides(features):
    part = np.random.default_rng(0).integers(0, 90, len(features))
    part[:200] = 90  # a large one
    grouped = features.assign(part=part)
    cell = Cell({"linear": {}}, skew=None, split="group", n_train=0.6)
    found = run_replicates(grouped, cell, range(6), seed=1)
    whole = set(range(1, 1001))
    for _, scores in found.scores.groupby("replicate"):
        rows = scores["row"].to_numpy()
        test, train = set(part[rows - 1]), set(part[sorted(whole - set(rows)) - np.int64(1)])
        assert not test & train
        assert 450 < 1000 - len(rows) < 750
    # Replicates of different sizes are measured apart.
    alone = run_replicates(grouped, cell, [5], seed=1).measures
    assert {*zip(alone["skew"], alone["n_train"], strict=True)} == {(0.3, 600)}
    both = found.measures.query("replicate == 5").reset_index(drop=True)
    pd.testing.assert_frame_equal(both, alone)
    assert len(set(found.scores["replicate"].value_counts())) > 1
    with pytest.raises(ExperimentError, match="all rows are of one group"):
        run_replicates(features.assign(part=0), cell, range(1), seed=1)


def test_chunks_make_no_difference(features):
    cell = Cell(MODELS, stratify=True, prevalence=0.05)
    whole = run_replicates(features, cell, range(5), seed=3)
    parts = [run_replicates(features, cell, r, seed=3) for r in ([0, 1], [2, 3, 4])]
    for name in ("measures", "scores"):
        together = pd.concat([getattr(part, name) for part in parts], ignore_index=True)
        pd.testing.assert_frame_equal(getattr(whole, name), together, check_exact=True)


@pytest.mark.parametrize("tested", [0, 1])
def test_splits_without_a_class_are_kept_and_undefined(features, tested):
    """Two groups, each of one class: whichever trains, the other side lacks a class."""
    grouped = features.assign(part=(features["minority"] == tested).astype(int))
    cell = Cell(MODELS, skew=None, split="group", n_train=0.5)
    found = run_replicates(grouped, cell, range(2), seed=5)
    assert found.scores[["score", "probability"]].isna().all(axis=None)
    assert found.measures["replicate"].value_counts().tolist() == [8, 8]
    assert found.measures[list(MEASURES)].isna().all(axis=None)
    with pytest.raises(ExperimentError, match="hold one class only: choose another seed, a large"):
        single_split(grouped, cell, seed=5)


def test_one_training_row_of_a_class_is_enough(features):
    """Of two groups the one that comes closest to the wanted rows trains."""
    for label in (0, 1):
        own = features["minority"] == label
        part = (own & (own.cumsum() > 1)).astype(int)  # all of a class but its first row
        part[features.index[~own][-5:]] = 1
        cell = Cell({"linear": {}}, skew=None, split="group", n_train=int((part == 0).sum()))
        grouped = features.assign(part=part)
        found = run_replicates(grouped, cell, range(4), seed=5).scores
        tested = found[found["row"].isin(grouped.loc[part == 1, "row"])]
        assert len(tested) and tested["score"].notna().all()
        assert tested["minority"].nunique() == 2


def test_a_fit_that_did_not_converge_is_told_of_one_fit_alone(features, caplog):
    logistic = "sklearn.linear_model.LogisticRegression"
    cell = Cell({"hasty": {"estimator": logistic, "parameters": {"max_iter": 1}}})
    run_replicates(features, cell, range(2), seed=1)
    assert not caplog.records
    run_replicates(features, cell, range(1), seed=1)
    (told,) = caplog.messages
    assert told.startswith("hasty: ConvergenceWarning in 1 of 1 replicates, such as: lbfgs")
    assert "\n" not in told


def test_a_model_that_fails_leaves_the_others_as_they_are(features, caplog):
    broken = {"estimator": "sklearn.svm.SVC", "parameters": {"kernel": "precomputed"}}
    cell = Cell({"linear": {}, "broken": broken})
    found = run_replicates(features, cell, range(2), seed=1).scores.set_index("model")["score"]
    alone = run_replicates(features, Cell({"linear": {}}), range(2), seed=1).scores["score"]
    assert found["linear"].tolist() == alone.tolist()
    assert found["broken"].isna().all()
    (told,) = [one.getMessage() for one in caplog.records]
    assert "broken: UserWarning in 2 of 2 replicates, such as: config key models.bro" in told
    assert set(single_split(features, cell, seed=1)[1]["model"]) == {"linear"}
    with pytest.raises(ExperimentError, match="none of the models could be fitted"):
        single_split(features, Cell({"broken": broken}), seed=1)
