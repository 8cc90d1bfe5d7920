"""Quarters, scores and draws of families, and stored predictions."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, cohen_kappa_score
from sklearn.naive_bayes import GaussianNB

from kappacurve import read_scores
from many_data_sets.archives import Family
from many_data_sets.draws import EQUAL, Half, accuracy_against_kappa, choice, draw_family, draw_rows
from many_data_sets.scores import generator, platt, quarters, score_family, stored_family
from many_data_sets.settings import levels_of

MODELS = {
    "logistic": {"estimator": "sklearn.linear_model.LogisticRegression"},
    "tree": {"estimator": "sklearn.tree.DecisionTreeClassifier"},
    "bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"},
}


def test_scores_are_those_of_scikit_learn_on_gaps_and_rare_levels(caplog):
    caplog.set_level("INFO")
    random = np.random.default_rng(0)
    features = pd.DataFrame(random.normal(size=(700, 2)), columns=["a", "b"])
    positive = (features["a"] + random.normal(size=700) > 1).astype(np.int64).to_numpy()
    features.loc[::7, "a"] = np.nan
    color = random.choice(np.array(["red", "blue"], dtype=object), 700)
    rows = [
        np.flatnonzero(quarters(positive, np.arange(700), 590, generator(3, "mine", split)) == n)
        for split in (0, 1)
        for n in range(4)
    ][4:]
    first, second, *others = rows
    train, scored = np.sort(np.r_[first, second]), np.sort(np.r_[*others])
    color[train[:3]], color[train[3]], color[scored[:9]] = "gold", "teal", "pink"
    family = Family(features.assign(color=color), positive, np.arange(700))

    def prepared(fit, of):
        """A level needs 1 % of the rows; the others, and what is new, stand together."""
        a, b = features.to_numpy().T
        columns = [np.where(np.isnan(a), np.nanmedian(a[fit]), a), b, np.isnan(a)]
        columns = [(one - one[fit].mean()) / one[fit].std() for one in columns]
        common = [one for one in np.unique(color[fit]) if (color[fit] == one).mean() >= 0.01]
        columns += [*(color == one for one in common), ~np.isin(color, common)]
        return np.column_stack(columns)[of]

    def fitted(model, fit):
        return model.fit(prepared(fit, fit), positive[fit])

    levels = {"seed": 3, "splits": 2, "most_rows": 590}
    table = score_family(family, "mine", MODELS, ["logistic"], **levels)
    assert caplog.messages == [f"mine: split {number} of 2 trained" for number in (1, 2)]
    found = table[table["split"] == 1]
    assert found["positive"].tolist() == positive[scored].tolist()
    assert (found["part"].to_numpy() == np.where(np.isin(scored, others[0]), 1, 2)).all()
    assert 0.01 < (color[train] == "gold").mean() < 0.011
    logistic = fitted(LogisticRegression(), train).decision_function(prepared(train, scored))
    np.testing.assert_allclose(found["logistic"], logistic, atol=1e-3)
    joint = fitted(GaussianNB(), train).predict_joint_log_proba(prepared(train, scored))
    np.testing.assert_allclose(found["bayes"], joint[:, 1] - joint[:, 0], atol=1e-6)
    # Leaves of one class say one in a million.
    assert {*found["tree"].round(4)} == {-13.8155, 13.8155}
    outside = [
        fitted(LogisticRegression(), fit).decision_function(prepared(fit, rest))
        for fit, rest in ((np.sort(first), np.sort(second)), (np.sort(second), np.sort(first)))
    ]
    label = positive[np.r_[np.sort(second), np.sort(first)]]
    expected = platt(np.concatenate(outside), label, logistic)
    np.testing.assert_allclose(found["logistic recalibrated"], expected, atol=1e-3)
    assert [name for name in table if name.endswith("recalibrated")] == ["logistic recalibrated"]


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
    assert (found[::2] == found[1::2]).all() and {*found} == {-1, 0, 1, 2, 3}
    assert abs(np.mean(found >= 0) - 0.6) < 0.01
    counts = np.bincount(found[found >= 0], positive[found >= 0])
    assert counts.max() - counts.min() <= 4


def test_hits_by_chance_and_disagreement_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    odds = random.integers(-2, 3, size=(12, 50)).astype(float)
    halves = [
        Half(own.astype(np.int64), {"": own}, n)
        for own, n in ((odds[:, :30], 12), (odds[:, 30:], 4))
    ]
    label = np.repeat([1, 0, 1, 0], [12, 18, 4, 16])
    hits = np.array([accuracy_score(label, one > 0) for one in odds])
    kappa = np.array([cohen_kappa_score(label, one > 0) for one in odds])
    by_chance, disagree = accuracy_against_kappa(halves)
    assert by_chance == pytest.approx(100 * np.mean((hits - kappa) / (1 - kappa) / hits))
    signs = [(hits[i] - hits[j]) * (kappa[i] - kappa[j]) for i, j in combinations(range(12), 2)]
    assert disagree == pytest.approx(100 * np.mean(np.array(signs) < 0))


def test_platt_recalibrates_what_is_ten_times_too_sure():
    random = np.random.default_rng(0)
    odds = random.normal(size=20_000)
    label = (random.random(20_000) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    np.testing.assert_allclose(platt(10 * odds, label, np.array([-20.0, 20.0])), [-2, 2], atol=0.15)


def test_stored_predictions_are_families_without_training(settings_with, tmp_path):
    random = np.random.default_rng(0)
    label = random.random(400) < 0.2
    share = 1 / (1 + np.exp(-random.normal(size=(400, 2)) - label[:, None]))
    share[:2] = [[0, 1], [1, 0]]  # still probabilities
    for name, scale in (("One file.v2.csv", 1.0), ("two.csv", 5.0), (".hidden.csv", 1.0)):
        table = pd.DataFrame(scale * share, columns=["a", "b"])
        table.assign(y=np.where(label, "yes", "no")).to_csv(tmp_path / name, index=False)
    small = "draws: 2, n_positive: [5], prevalence: [0.1], ratio_n_positive: [5], ratios: [1]"
    stored = f"predictions: {{folder: {tmp_path}, target: y, positive: 'yes'}}"
    own = f"{{{small}, headline: {{n_positive: 5, prevalence: 0.1}}, {stored}}}"
    settings = settings_with(own)
    assert "hidden" not in settings["families"] and settings["families"]["two"]["predictions"]
    tables, measures = [], []
    for name in ("one_file", "two"):
        scores = read_scores(settings["families"][name]["path"], label="y", positive="yes")
        tables.append(stored_family(scores, name, seed=1, splits=2, most_rows=1000))
        assert tables[-1].groupby(["split", "part"]).size().between(198, 202).all()
        assert tables[-1].groupby("split")["positive"].sum().tolist() == [label.sum()] * 2
        measures.append({*draw_family(tables[-1], name, levels_of(settings))["measure"]})
    assert "log_loss" in measures[0]
    assert "log_loss" not in measures[1] and "auk" in measures[1]
    odds = np.log(share[2:] / (1 - share[2:])).ravel()
    expected = np.sort(np.r_[odds, odds, [-13.815510] * 4, [13.815510] * 4])
    assert np.sort(tables[0][["a", "b"]].to_numpy().ravel()) == pytest.approx(expected, abs=1e-5)
    half = stored_family(scores, "two", seed=1, splits=1, most_rows=200)
    assert half["part"].value_counts().between(98, 103).all()
