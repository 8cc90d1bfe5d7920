import numpy as np
import pandas as pd
import pytest

from study.companions import silipo_widmann as silipo
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data

WORKFLOW = silipo.Workflow(
    1, 3, 1000, 0.1, 0.7, neighbors=5, min_rows_per_leaf=2, n_levels=3, n_test_sets=400
)
MINORITY = np.repeat([True, False], [300, 700])


def test_rows_leak_only_if_drawn_before_the_split():
    rng = np.random.default_rng(2)
    leaks = {draw: [] for draw in silipo.DRAWS}
    for _ in range(60):
        for draw in silipo.DRAWS:
            train, test = silipo.draw_sample(MINORITY, WORKFLOW, draw=draw, rng=rng)
            assert (len(train), len(test)) == (700, 300)
            assert (MINORITY[train].sum(), MINORITY[test].sum()) == (70, 30)
            leaked = np.isin(test, train)
            leaks[draw].append([leaked[MINORITY[test]].mean(), leaked[~MINORITY[test]].mean()])
    assert np.max(leaks["after_split"]) == 0
    expected = [silipo.expected_leak(300, 70), silipo.expected_leak(700, 630)]
    assert np.mean(leaks["before_split"], axis=0) == pytest.approx(expected, abs=0.04)


def grown(n_replicates):
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    encodings = {"strathclyde": features}
    return silipo.grow_trees(encodings, WORKFLOW._replace(n_replicates=n_replicates))


@pytest.fixture(scope="module")
def runs():
    return grown(3)


@pytest.fixture(scope="module")
def replicates(runs):
    return runs.query("scaling == 'none' and min_rows_per_leaf == 2")


def test_replicates(runs, replicates):
    assert len(runs) == 4 * len(replicates) == 4 * 3 * 2 * 2
    assert (runs["tp"] + runs["fn"] == 30).all()
    assert (runs["fp"] + runs["tn"] == 270).all()
    summary = silipo.summary(replicates).set_index(["draw", "model", "measure"])
    assert summary["printed"]["after_split", "SMOTE", "kappa"] == "0.452"
    assert summary["printed"]["before_split", "baseline", "tp"] == "9"
    assert pd.isna(summary["printed"]["before_split", "baseline", "f1"])
    # A replicate does not depend on how many there are.
    pd.testing.assert_frame_equal(grown(1), runs.iloc[:16])
