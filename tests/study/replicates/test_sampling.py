import numpy as np
import pytest
from hypothesis import given, strategies as st
from imblearn.under_sampling import RandomUnderSampler
from sklearn.model_selection import train_test_split

from study.errors import ExperimentError
from study.replicates.counts import class_counts
from study.replicates.sampling import replicate_seeds, split_groups, split_rows, undersample


@pytest.mark.parametrize(
    ("settings", "majority", "minority"),
    [
        ({"skew": 0.11, "n_minority": 300}, 700, 300),
        ({"skew": 0.5, "n_minority": 1}, 700, 1),
        ({"skew": 0.11, "scheme": "total", "total": 768}, 684, 84),
        ({"skew": 0.11, "scheme": "total", "total": 700, "n_minority": 80}, 620, 80),
        ({"skew": 0.11, "scheme": "keep_majority_up"}, 700, 87),
        ({"skew": 0.3}, 700, 300),
        ({"skew": 0.5}, 300, 300),
        ({"skew": None}, 700, 300),
    ],
)
def test_class_counts(settings, majority, minority):
    assert class_counts(700, 300, **settings) == (majority, minority)


@given(st.floats(0.005, 0.995))
def test_share_is_the_largest_not_above_the_skew_or_next_to_it(skew):
    majority, minority = class_counts(700, 300, skew=skew)
    assert majority == 700 or minority == 300
    if majority == 700:  # one more bad row would be above the skew
        assert minority / (majority + minority) <= skew + 1e-9
        assert (minority + 1) / (majority + minority + 1) > skew - 1e-9
    else:  # one more good row would be below it
        assert minority / (majority + minority) >= skew - 1e-9
        assert minority / (majority + 1 + minority) < skew + 1e-9


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
