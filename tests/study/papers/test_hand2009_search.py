import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from study.data.german_credit import BUNDLED_FILE, read_german_data
from study.errors import ExperimentError
from study.papers import hand2009_search


@pytest.fixture(scope="module")
def rows():
    return hand2009_search.rows_of(read_german_data(BUNDLED_FILE), np.arange(501, 1001))


def test_values_are_those_of_scikit_learn_on_the_held_out_rows(rows):
    subsets = [("checking_account", "duration"), ("age",)]
    tried = hand2009_search.try_subsets(rows, subsets)
    score = hand2009_search.score_subset(rows, subsets[0])
    assert tried["auc"][0] == pytest.approx(roc_auc_score(rows.bad[500:], score))
    swapped = hand2009_search.score_subset(rows.swapped(), subsets[0])
    assert tried["auc_swapped"][0] == pytest.approx(roc_auc_score(rows.bad[:500], swapped))


def test_disagreements_are_counted_pair_by_pair():
    rng = np.random.default_rng(3)
    names = ["auc", "h", "auc_swapped", "h_swapped"]
    tried = pd.DataFrame(rng.random((12, 4)), columns=names)
    differ = again = same = 0
    for i in range(12):
        for j in range(i):
            a, h, a2, h2 = (np.sign(tried[name][i] - tried[name][j]) for name in names)
            differ += a != h
            again += a2 != h2
            same += a != h and a2 != h2 and a == a2
    found = hand2009_search.disagreements(tried).set_index("quantity")["value"]
    assert found["pairs"] == 66
    assert found["pairs that AUC and H order differently"] == differ
    assert found["the same, halves swapped"] == again
    assert found["pairs that differ in both, the same way round"] == same


def test_the_pair_chosen_disagrees_and_no_pair_is_refused():
    tried = pd.DataFrame({"auc": [0.60, 0.65, 0.70], "h": [0.06, 0.07, 0.05]})
    pair = hand2009_search.choose_pair(tried)
    assert tried["auc"][pair.second] > tried["auc"][pair.first]
    assert tried["h"][pair.second] < tried["h"][pair.first]
    with pytest.raises(ExperimentError, match="subsets_per_size"):
        hand2009_search.choose_pair(tried.assign(h=tried["auc"]))
