import numpy as np
import pandas as pd
import pytest

from study.data.encoding import encode
from study.data.german_credit import BUNDLED_FILE, read_german_data
from study.papers import silipo
from study.papers.checks import holds

SIZES = silipo.Sizes(1000, 0.1, 0.7)
BAD = np.repeat([True, False], [300, 700])


def test_printed_matrices():
    table = silipo.printed_table().set_index(["model", "measure"])["recomputed"]
    assert table["baseline", "kappa"] == pytest.approx(0.244, abs=5e-4)
    assert table["baseline", "kappa_max"] == pytest.approx(0.942, abs=5e-4)
    assert table["smote", "kappa"] == pytest.approx(0.452, abs=5e-4)
    assert table["smote", "kappa_max"] == pytest.approx(0.839, abs=5e-4)
    assert table["smote", "accuracy"] == pytest.approx(266 / 300)


@pytest.mark.parametrize("draw", silipo.DRAWS)
def test_class_counts_of_a_sample(draw):
    sample = silipo.draw_sample(BAD, SIZES, draw=draw, rng=np.random.default_rng(1))
    assert (len(sample.train), len(sample.test)) == (700, 300)
    assert (BAD[sample.train].sum(), BAD[sample.test].sum()) == (70, 30)


def test_rows_leak_only_if_drawn_before_the_split():
    rng = np.random.default_rng(2)
    leaks = {draw: [] for draw in silipo.DRAWS}
    for _ in range(60):
        for draw in silipo.DRAWS:
            sample = silipo.draw_sample(BAD, SIZES, draw=draw, rng=rng)
            leaks[draw].append([silipo.leak(sample, BAD), silipo.leak(sample, ~BAD)])
    assert np.max(leaks["after_split"]) == 0
    assert np.mean(leaks["before_split"], axis=0) == pytest.approx(
        [silipo.expected_leak(300, 70), silipo.expected_leak(700, 630)], abs=0.04
    )


@pytest.fixture(scope="module")
def replicates():
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    return silipo.replicate(
        features, sizes=SIZES, replicates=3, seed=1, neighbors=5, min_rows_per_leaf=2
    )


def test_replicates(replicates):
    assert len(replicates) == 3 * 2 * 2
    assert (replicates["tp"] + replicates["fn"] == 30).all()
    assert (replicates["fp"] + replicates["tn"] == 270).all()
    summary = silipo.summary(replicates).set_index(["draw", "model", "measure"])
    assert summary["printed"]["after_split", "smote", "kappa"] == "0.452"
    assert summary["printed"]["before_split", "baseline", "tp"] == "9"
    assert pd.isna(summary["printed"]["before_split", "baseline", "f1"])
    first = replicates.query("replicate == 0 and draw == 'after_split' and model == 'smote'")
    assert summary["one_split"]["after_split", "smote", "kappa"] == first["kappa"].item()


def test_a_replicate_does_not_depend_on_how_many_there_are(replicates):
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    one = silipo.replicate(
        features, sizes=SIZES, replicates=1, seed=1, neighbors=5, min_rows_per_leaf=2
    )
    pd.testing.assert_frame_equal(one, replicates.iloc[:4])


def test_what_the_source_gets_wrong_and_nothing_else(replicates):
    checks = silipo.checks(silipo.leak_table(replicates, SIZES), replicates=3)
    assert [one.check for one in checks if not holds(one)][:2] == [
        "smote: kappa_max, as printed",
        "smote: kappa peaks at prevalence 0.5, as the text says",
    ]
    # The mean leak of three replicates is loose; those without any must be exactly zero.
    assert [one.found for one in checks if one.expected == 0] == [0, 0]
