"""Class counts, rows and splits: by hand, and against imbalanced-learn and scikit-learn."""

import numpy as np
import pytest
from imblearn.under_sampling import RandomUnderSampler
from sklearn.model_selection import train_test_split

from study.draw.sampling import class_counts, split_groups, split_rows, undersample
from study.errors import ExperimentError

TOTAL = {"skew": 0.11, "scheme": "total"}


@pytest.mark.parametrize(
    ("settings", "majority", "minority"),
    [
        ({"skew": 0.11}, 700, 86),  # 700 * 0.11 / 0.89 is 86.52
        ({"skew": 0.11, "scheme": "keep_majority_up"}, 700, 87),
        (TOTAL | {"total": 768}, 684, 84),
        ({"skew": 0.3}, 700, 300),  # 299.99999999999994
        ({"skew": 0.3, "scheme": "keep_majority_up"}, 700, 300),
        ({"skew": 0.5}, 300, 300),
        ({"skew": 0.45}, 366, 300),  # 300 * 0.55 / 0.45 is 366.67
        ({"skew": 0.45, "scheme": "keep_majority_up"}, 367, 300),
        ({"skew": None}, 700, 300),
    ],
)
def test_class_counts_by_hand(settings, majority, minority):
    assert class_counts(700, 300, **settings) == (majority, minority)


@pytest.mark.parametrize("settings", [{"skew": 0.0001}, TOTAL, TOTAL | {"total": 787}])
def test_counts_that_the_data_do_not_have_are_refused(settings):
    with pytest.raises(ExperimentError, match=r"experiment\.skew: .* but the data have"):
        class_counts(700, 300, **settings)


@pytest.mark.parametrize(("seed", "skew"), [(0, 0.11), (1, 0.5)])
def test_undersampling_gives_the_rows_of_imbalanced_learn(seed, skew):
    minority = np.random.default_rng(seed).permutation([1] * 300 + [0] * 700)
    counts = class_counts(700, 300, skew=skew)
    wanted = {0: counts.majority, 1: counts.minority}
    sampler = RandomUnderSampler(sampling_strategy=wanted, random_state=seed)
    sampler.fit_resample(np.arange(1000)[:, None], minority)
    rows = undersample(minority, counts, seed)
    assert (rows == sampler.sample_indices_).all()
    assert tuple(np.bincount(minority[rows])) == counts


@pytest.mark.parametrize("stratify", [False, True])
def test_a_split_gives_the_rows_of_scikit_learn(stratify):
    minority = np.repeat([0, 1], [700, 86])
    for seed in range(5):
        options = {"random_state": seed, "stratify": minority if stratify else None}
        train, test = train_test_split(np.arange(786), train_size=500, **options)
        found = split_rows(minority, 500, seed, stratify=stratify)
        assert (found[0] == train).all() and (found[1] == test).all()


@pytest.mark.parametrize(("n_train", "trained"), [(0, 3), (4, 3), (5, 6), (7, 6), (8, 9), (12, 9)])
def test_as_many_groups_train_as_come_closest_and_one_is_left(n_train, trained):
    groups = np.repeat([5, 3, 8, 1], 3)
    train, test = split_groups(groups, n_train, 2)
    assert (len(train), len(test)) == (trained, 12 - trained)
    assert not set(groups[train]) & set(groups[test])
    first, other = (set(groups[split_groups(groups, 3, seed)[0]]) for seed in (2, 3))
    assert first != other
