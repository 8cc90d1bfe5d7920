"""The study on two small families, from their files to the tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.bakeoff.draws import agreement, cells, draw_family, gain
from study.bakeoff.populations import crossing
from study.bakeoff.scores import generator, quarters, score_family
from study.bakeoff.summary import CONTRACT, MEAN, Summary
from study.data.archives import read_family
from study.settings.bakeoff import levels_of, read_bakeoff

ROOT = Path(__file__).parents[3]
OWN = """
splits: 1
draws: 6
test_draws: 2
resamples: 50
n_positive: [5]
prevalence: [0.1, 0.5]
headline: {n_positive: 5, prevalence: 0.1}
models: {forest: false, extra_trees: false, boosting: false, network: false, neighbors: false}
families:
  german: {path: %s, archive: null, sha256: null, target: class, tier: A}
  wdbc: {tier: A}
"""


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bakeoff")
    rows = (ROOT / "src/study/data/files/german.data").read_text().split("\n")
    names = [*(f"x{n}" for n in range(1, 21)), "class"]
    text = "\n".join([",".join(names), *(row.replace(" ", ",") for row in rows)])
    (folder / "german.csv").write_text(text)
    (folder / "own.yaml").write_text(OWN % (folder / "german.csv"))
    return read_bakeoff(ROOT / "config/bakeoff.yaml", folder / "own.yaml")


@pytest.fixture(scope="module")
def scores(settings):
    keys = ("seed", "splits", "most_rows")
    options = {key: settings[key] for key in keys}
    return {
        name: score_family(
            read_family(settings["families"][name], None), name, settings["models"], **options
        )
        for name in ("german", "wdbc")
    }


@pytest.fixture(scope="module")
def outcomes(settings, scores):
    levels = levels_of(settings)
    return pd.concat([draw_family(one, name, levels) for name, one in scores.items()])


@pytest.fixture(scope="module")
def summary(settings, outcomes):
    families = pd.DataFrame(
        {"family": ["german", "wdbc"], "tier": ["A", "B"], "archive": ["a", "b"]}
    )
    return Summary(outcomes, families, levels_of(settings))


def test_the_differences_keep_their_contract_and_auk_chooses_as_auc_at_one_half(summary):
    table = summary.differences()
    assert list(table) == CONTRACT
    assert set(table["families"]) == {2} and set(table["tier"]) == {"A+B"}
    assert (table["low"] <= table["high"]).all()
    assert {"cost_balanced", "precision_top", MEAN} <= set(table["goal"])
    found = table.query("measure == 'auk' and prevalence == 0.5")
    assert len(found) and (found[["difference", "low", "high"]] == 0).all(axis=None)
    control = summary.controls().query("outcome == 'largest difference at 1/2'")
    assert control["value"].tolist() == [0.0]


def test_every_table_has_rows(summary):
    assert set(summary.matrix()["outcome"]) >= {"gain", "agreement", "reliability", "validity"}
    assert set(summary.tests()["outcome"]) == {"power", "wrong", "size"}
    assert summary.headline()["families"].tolist()
    controls = summary.controls()
    assert {"random", "log_loss", "brier"} <= set(controls["measure"])
    assert {"shuffled_gain", "shuffled_agreement"} <= set(controls["outcome"])


def test_the_same_seed_draws_the_same(settings, scores, outcomes):
    again = draw_family(scores["wdbc"], "wdbc", levels_of(settings))
    first = outcomes.query("family == 'wdbc'").reset_index(drop=True)
    pd.testing.assert_frame_equal(again, first)


def test_a_draw_takes_at_most_a_quarter_of_the_positives(settings, outcomes):
    # Of german's 75 negatives in 1000 rows a quarter has 175: none for 2 % positive.
    drawn = outcomes.query("family == 'german' and n_positive > 0")
    assert set(drawn["n_negative"]) == {5, 45}
    assert {cell.n_negative for cell in cells(levels_of(settings))} == {5, 45, 245}


def test_groups_stay_in_one_quarter_and_classes_are_dealt_out_alike():
    random = np.random.default_rng(0)
    group = np.repeat(np.arange(500), 2)
    positive = (random.random(1000) < 0.1).astype(np.int64)
    found = quarters(positive, group, 600, generator(1, "family", 0))
    assert (found[::2] == found[1::2]).all()
    assert abs(np.mean(found >= 0) - 0.6) < 0.01
    counts = np.bincount(found[found >= 0], positive[found >= 0])
    assert counts.max() - counts.min() <= 4


def test_gain_and_agreement_by_hand():
    truth = np.array([1.0, 2.0, 6.0])
    values = np.array([[0.1, 0.2, 0.3], [0.3, 0.3, 0.1]])
    # The second draw's choice is shared by the first two models.
    assert gain(values, truth) == (pytest.approx((6 + 1.5) / 2 - 3), 3.0)
    clear = np.triu(np.ones((3, 3), dtype=bool), 1)
    assert agreement(values, truth, clear) == (pytest.approx((3 + 0.5) / 2), 3.0)


def test_auc_picks_the_loser_where_curves_cross(settings):
    table = crossing(levels_of(settings)).set_index(["goal", "measure"])
    assert table.loc[("cost_balanced", "auc"), "better"] == "A"
    assert table.loc[("precision_top", "auc"), "better"] == "B"
    assert table.loc[("precision_top", "auc"), "share_right"] < 0.5
