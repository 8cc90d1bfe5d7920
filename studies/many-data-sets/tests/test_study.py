"""The study on small families and on stored predictions, from their files to the tables."""

import numpy as np
import pandas as pd
import pytest

from kappacurve import read_scores
from many_data_sets.archives import read_family
from many_data_sets.draws import (
    EQUAL,
    MEAN,
    Half,
    accuracy_against_kappa,
    choice,
    designs_of,
    draw_family,
    draw_rows,
)
from many_data_sets.scores import generator, platt, quarters, score_family, stored_family
from many_data_sets.settings import levels_of, training_of
from many_data_sets.summary import CONTRACT, Summary

OWN = """
splits: 1
draws: 6
ratio_draws: 3
resamples: 50
n_positive: [5]
prevalence: [0.1, 0.5]
ratio_n_positive: [5]
ratios: [1, 4]
cost_curve: [0.8]
headline: {n_positive: 5, prevalence: 0.1}
models: {%s}
families:
  mine: {path: %s, target: class, positive: "2", tier: A}
  wdbc: {tier: A, round: 2}
"""


@pytest.fixture(scope="module")
def settings(settings_with, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    random = np.random.default_rng(0)
    rows = pd.DataFrame(random.normal(size=(1000, 4)), columns=[*"abcd"])
    rows["color"] = random.choice(["red", "green"], 1000)
    positive = rows["a"] + random.normal(size=1000) > 0.7
    rows.assign(**{"class": np.where(positive, 2, 1)}).to_csv(folder / "mine.csv", index=False)
    slow = ("forest", "extra_trees", "boosting", "network", "tree_8", "tree_12")
    off = ", ".join(f"{model}: false" for model in slow)
    return settings_with(OWN % (off, folder / "mine.csv"))


@pytest.fixture(scope="module")
def scores(settings):
    options = {key: settings[key] for key in ("seed", "splits", "most_rows")}
    own = settings["models"], training_of(settings, "wdbc")["recalibrated"]
    return {
        name: score_family(read_family(settings["families"][name], None), name, *own, **options)
        for name in ("mine", "wdbc")
    }


@pytest.fixture(scope="module")
def outcomes(settings, scores):
    levels = levels_of(settings)
    return pd.concat([draw_family(one, name, levels) for name, one in scores.items()])


@pytest.fixture(scope="module")
def summary(settings, outcomes):
    told = {"family": ["mine", "wdbc"], "tier": ["A", "A"], "source": ["a", "b"], "round": [2, 2]}
    return Summary(outcomes, pd.DataFrame(told), levels_of(settings))


def test_the_differences_keep_their_contract_and_auk_chooses_as_auc_at_one_half(summary):
    table = summary.differences()
    assert list(table) == CONTRACT
    assert set(table["families"]) == {2} and set(table["tier"]) == {"A", "A+B"}
    assert (table["low"] <= table["high"]).all()
    assert (table["predicted_low"] <= table["low"]).all()
    assert {"cost_balanced", "precision_top", MEAN} <= set(table["goal"])
    assert {"log_loss", "brier", "log_loss_recalibrated"} <= set(table["measure"])
    found = table.query("measure == 'auk' and prevalence == 0.5")
    assert len(found) and (found[["difference", "low", "high"]] == 0).all(axis=None)
    # Recalibrated scores order the rows of a model as before: only their losses are measured.
    menus = set(table.query("measure == 'log_loss_recalibrated'")["menu"])
    assert "cheap" in menus and "all" not in menus


def test_two_families_give_tables_and_no_verdict(summary):
    assert set(summary.matrix()["outcome"]) == {"gain", "reliability", "validity"}
    assert set(summary.sensitivity()["truth"]) == {"oracle", "sample"}
    assert set(summary.sensitivity()["menu"]) == {"all", "cheap", "trees"}
    assert set(summary.ratio()["ratio"]) == {1, 4}
    assert set(summary.left_out()["what"]) == {"model"}  # one family is left without a source
    assert set(summary.hypotheses()["verdict"]) == {"too few families"}


def test_a_design_more_moves_no_other(settings, scores, outcomes):
    levels = levels_of(settings)
    more = draw_family(scores["wdbc"], "wdbc", {**levels, "prevalence": [0.1, 0.3, 0.5]})
    keys = [*outcomes.columns[:10]]
    first = outcomes.query("family == 'wdbc'").set_index(keys)["value"]
    again = more.set_index(keys)["value"].reindex(first.index)
    natural = first.index.get_level_values("design") == "natural"
    pd.testing.assert_series_equal(again[natural], first[natural])
    sizes = {(one.n_positive, one.n_negative) for one in designs_of(levels)}
    assert sizes == {(5, 45), (5, 5), (5, 20)}


def test_a_choice_is_shared_by_all_that_rounding_leaves_equal():
    values = np.array([[1.0, 1 - EQUAL / 2, 0.0], [EQUAL, 0.0, -1.0], [1.0, 1 - 2 * EQUAL, 0.0]])
    assert choice(values).tolist() == [[0.5, 0.5, 0], [0.5, 0.5, 0], [1, 0, 0]]


def test_samples_are_drawn_without_replacement_and_evenly():
    uniform = np.random.default_rng(0).random((3000, 5))
    rows = draw_rows(uniform, 4, 10, 2)
    assert (np.sort(rows)[:, 1:] > np.sort(rows)[:, :-1]).all()
    assert (rows[:, :2] < 4).all() and (rows[:, 2:] >= 4).all()
    counts = np.bincount(rows.ravel(), minlength=10)
    np.testing.assert_allclose(counts, [1500] * 10, rtol=0.08)


def test_groups_stay_in_one_quarter_and_classes_are_dealt_out_alike():
    random = np.random.default_rng(0)
    group = np.repeat(np.arange(500), 2)
    positive = (random.random(1000) < 0.1).astype(np.int64)
    found = quarters(positive, group, 600, generator(1, "family", 0))
    assert (found[::2] == found[1::2]).all()
    assert abs(np.mean(found >= 0) - 0.6) < 0.01
    counts = np.bincount(found[found >= 0], positive[found >= 0])
    assert counts.max() - counts.min() <= 4


def test_hits_by_chance_and_disagreement_by_hand():
    # Of four rows, one positive: A flags two with one hit, B none; accuracy ties, kappa does not.
    odds = np.array([[1.0, 1.0, -1.0, -1.0], [-1.0] * 4, [1.0, 1.0, 1.0, 1.0]])
    half = Half(odds.astype(np.int64), {"": odds}, 1)
    by_chance, disagree = accuracy_against_kappa([half])
    assert by_chance == pytest.approx(100 * (0.5 / 0.75 + 1 + 1) / 3)
    assert disagree == 0
    wrong = np.array([[1.0, -1, 1, 1, -1, -1, -1, -1, -1, -1], [-1.0] * 10, [1.0] * 10])
    half = Half(wrong.astype(np.int64), {"": wrong}, 2)
    # One pair of three: .7 and kappa .21 against .8 and kappa 0.
    assert accuracy_against_kappa([half])[1] == pytest.approx(100 / 3)


def test_platt_recalibrates_what_is_ten_times_too_sure():
    random = np.random.default_rng(0)
    odds = random.normal(size=20_000)
    label = (random.random(20_000) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    np.testing.assert_allclose(platt(10 * odds, label, np.array([-20.0, 20.0])), [-2, 2], atol=0.15)


def test_stored_predictions_are_families_without_training(settings, settings_with, tmp_path):
    random = np.random.default_rng(0)
    label = random.random(400) < 0.2
    for name, scale in (("one.csv", 1.0), ("two.csv", 5.0)):
        share = scale / (1 + np.exp(-random.normal(size=(400, 2)) - label[:, None]))
        table = pd.DataFrame(share, columns=["a", "b"]).assign(y=np.where(label, "yes", "no"))
        table.to_csv(tmp_path / name, index=False)
    found = settings_with(f"predictions: {{folder: {tmp_path}, target: y, positive: 'yes'}}")
    assert {"one", "two"} <= {*found["families"]} and found["families"]["one"]["predictions"]
    measures = {}
    for name in ("one", "two"):
        stored = read_scores(found["families"][name]["path"], label="y", positive="yes")
        table = stored_family(stored, name, seed=1, splits=2, most_rows=1000)
        assert table.groupby(["split", "part"]).size().between(198, 202).all()
        outcomes = draw_family(table, name, levels_of(settings))
        measures[name] = {*outcomes["measure"]}
    assert "log_loss" in measures["one"]
    assert "log_loss" not in measures["two"] and "auk" in measures["two"]  # no probabilities
