"""Cells of one real data set made again by plain loops, with scikit-learn's measures."""

import math
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.special import expit
from scipy.stats import t as student, ttest_ind
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

from kappacurve import auk_score, paired_test
from many_data_sets import cells as cells_module, scores as scores_module
from many_data_sets.cells import Direction, list_designs, make_cells, significant_signs, write_cells
from many_data_sets.data_sets import Rows, read_data_set, read_declarations
from many_data_sets.results import CELL
from many_data_sets.scores import (
    CALIBRATED,
    calibrate,
    criterion_value,
    draw_quarters,
    log_odds,
    make_generator,
    name_tuned,
    score_data_set,
)

HOUSE = Path(__file__).parents[1]
CONFIG = {
    **{"seed": 3, "splits": 1, "max_rows": 1000, "draws": 3, "test_draws": 2, "test_pairs": 2},
    **{"n_positive": [8], "prevalence": 0.3, "room": 2},
    "goals": ["cost_0.5", "cost_0.9", "precision_top"],
    "menus": {
        "all": ["logistic", "tree", "bayes"],
        "strong": ["logistic", "tree"],
        "trees": ["tree", "bayes"],
    },
    "models": {
        "logistic": {
            "estimator": "sklearn.linear_model.LogisticRegression",
            "parameters": {"C": 1.0, "max_iter": 300},
        },
        "tree": {
            "estimator": "sklearn.tree.DecisionTreeClassifier",
            "parameters": {"max_depth": 2, "min_samples_leaf": 5},
        },
        "bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"},
    },
    "grids": {"logistic": [{}, {"C": 1e-4}], "tree": [{}, {"max_depth": 6}]},
}
EVERY = CONFIG["menus"]["all"]


@pytest.fixture(scope="module")
def rows():
    """Four noisy columns of breast_cancer: a real data set that needs no download."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[:, :4]
    noisy = X + 2 * X.std().to_numpy() * np.random.default_rng(1).normal(size=X.shape)
    return Rows(noisy, (y == 0).to_numpy().astype(np.int64), np.arange(569))


@pytest.fixture(scope="module")
def scores(rows):
    return score_data_set(rows, "cancer", CONFIG)


class Recorded(np.random.Generator):
    """Keeps the orders and numbers that it gave."""

    def permutation(self, n):
        self.given.append(super().permutation(n))
        return self.given[-1]

    def random(self, size):
        self.given.append(super().random(size))
        return self.given[-1]


@pytest.fixture
def made(scores, monkeypatch):
    """The cells, the rows of each sample as drawn, and the pairs and rows that were swapped."""
    drawn, draw_samples, Recorded.given = [], Direction.draw_samples, []

    def draw_and_keep(direction):
        drawn.append(draw_samples(direction))
        return drawn[-1]

    def make_recorded(*numbers):
        return Recorded(make_generator(*numbers).bit_generator)

    monkeypatch.setattr(Direction, "draw_samples", draw_and_keep)
    monkeypatch.setattr(cells_module, "make_generator", make_recorded)
    cells = make_cells(scores, "cancer", CONFIG)
    orders = [given[:2] for given in Recorded.given if given.ndim == 1]
    turns = [given < 0.5 for given in Recorded.given if given.ndim == 2 and len(given) == 2]
    swapped = iter([*zip(orders, turns, strict=True)])
    return cells.set_index(["design", "menu", "outcome", "goal"]), iter(drawn), swapped


def quarters_of(scores):
    """Both parts, each with its positives first."""
    return [
        part.sort_values("positive", ascending=False, kind="stable", ignore_index=True)
        for _, part in scores.groupby("part")
    ]


def worth_of(score, label, p, goal):
    """What a model is worth for a goal, with the cheapest threshold."""
    cuts = [np.inf, *sorted({*score}, reverse=True)]
    corners = [
        ((score >= cut)[label == 0].mean(), (score >= cut)[label == 1].mean()) for cut in cuts
    ]
    if goal != "precision_top":
        c = float(goal.removeprefix("cost_"))
        costs = [c * p * (1 - t) + (1 - c) * (1 - p) * f for f, t in corners]
        return -min(costs), cuts[int(np.argmin(costs))]
    before = (0.0, 0.0)
    for f, t in corners:
        flagged = p * t + (1 - p) * f
        if flagged >= 0.1:
            least = p * before[1] + (1 - p) * before[0]
            return p * (before[1] + (0.1 - least) / (flagged - least) * (t - before[1])) / 0.1, None
        before = f, t
    raise AssertionError


def measured(table, model, label, p, share):
    """The measures of a model on some rows, each class weighted to the prevalence."""
    score = table[model].to_numpy()
    weight = np.where(label == 1, p / label.mean(), (1 - p) / (1 - label.mean()))
    values = {
        "auc": roc_auc_score(label, score),
        "auk": auk_score(label, score, prevalence=p, pos_label=1),
        "average_precision": average_precision_score(label, score, sample_weight=weight),
    }
    shift = math.log(p / (1 - p)) - math.log(share / (1 - share))
    for name, column in (("log_loss", model), ("log_loss_recalibrated", model + CALIBRATED)):
        chance = 1 / (1 + np.exp(-table[column].to_numpy() - shift))
        values[name] = -log_loss(label, np.clip(chance, 1e-15, 1 - 1e-15), sample_weight=weight)
        brier = np.average((chance - label) ** 2, weights=weight)
        values[name.replace("log_loss", "brier")] = -brier
    return values


def gain_of(values, worths):
    """What the best by some values is worth above the average model, and the best of all."""
    best = max(values.values())
    chosen = [worths[model] for model in values if values[model] > best - 1e-9]
    usual = np.mean([worths[model] for model in values])
    return np.mean(chosen) - usual, max(worths[model] for model in values) - usual


@pytest.mark.slow
def test_plain_loops_give_the_same_cells(scores, made):
    cells, drawn, swapped = made
    ranks = scores[EVERY].rank(method="dense").add_suffix(" rank")
    quarters = quarters_of(scores.join(ranks))
    menus = {
        **CONFIG["menus"],
        "all_auc": [name_tuned(model, "auc") for model in CONFIG["grids"]],
        "strong_log_loss": [name_tuned(model, "log_loss") for model in CONFIG["menus"]["strong"]],
    }
    for design, p in (("own", scores["positive"].mean()), ("stated", 0.3), ("balanced", 0.3)):
        gains, tests = {}, {}
        for sampled, other in (quarters, quarters[::-1]):
            samples = [sampled.iloc[places] for places in next(drawn)]
            tables = [("gain", samples)]
            if design != "balanced":
                tables += [("ample", [sampled]), ("validity", [other])]
            other_label = other["positive"].to_numpy()
            truth = {
                (model, goal): worth_of(other[model].to_numpy(), other_label, p, goal)
                for model in {model for menu in menus.values() for model in menu}
                for goal in CONFIG["goals"]
            }
            for (outcome, parts), (menu, models) in product(tables, menus.items()):
                share = (other if outcome == "validity" else sampled)["positive"].mean()
                for part in parts:
                    label = part["positive"].to_numpy()
                    values = {model: measured(part, model, label, p, share) for model in models}
                    for measure, goal in product(values[models[0]], CONFIG["goals"]):
                        own = {model: values[model][measure] for model in models}
                        worths = {model: truth[model, goal][0] for model in models}
                        pair = np.array(gain_of(own, worths)) / len(parts)
                        gains.setdefault((menu, outcome, goal, measure), []).append(pair)
            if design != "balanced":
                samples = [sampled.iloc[places] for places in next(drawn)]
                add_tests(tests, samples, sampled["positive"].mean(), other, truth, p, swapped)
        for (*cell, measure), pairs in gains.items():
            gained, possible = np.sum(pairs, axis=0)
            value = cells.loc[(design, *cell), measure]
            assert value == pytest.approx(100 * gained / possible, abs=1e-6)
        for (outcome, goal, measure), values in tests.items():
            value = cells.loc[(design, "all", outcome, goal), measure]
            assert value == pytest.approx(100 * np.mean(values)), (outcome, goal, measure)
    assert not [*drawn] and not [*swapped]


def add_tests(found, samples, share, other, truth, p, swapped):
    """What tests find in samples, by outcome, goal and measure; also of models that are swapped."""
    label, pairs = other["positive"].to_numpy() == 1, [*combinations(EVERY, 2)]
    better = {}  # 1 for the first of a pair if it costs clearly less on the other quarter
    for goal, pair in product(("cost_0.5", "cost_0.9"), pairs):
        c = float(goal.removeprefix("cost_"))
        flagged = [other[model].to_numpy() >= truth[model, goal][1] for model in pair]
        costs = [np.where(label, c * p * ~flags, (1 - c) * (1 - p) * flags) for flags in flagged]
        apart = costs[0] - costs[1]
        error = math.sqrt(sum(apart[side].var(ddof=1) / side.sum() for side in (label, ~label)))
        lead = truth[pair[0], goal][0] - truth[pair[1], goal][0]
        better[goal, pair] = np.sign(lead) * (abs(lead) > 2 * error)
    swaps = [next(swapped) for _ in range(2)]
    for measure in ("auc", "auk", "log_loss"):
        tables = [rows_of(sample, measure, p, share) for sample in samples]
        for pair in pairs:
            results = [
                lead_of(sample, *table[[*pair]].to_numpy().T, measure, p)
                for sample, table in zip(samples, tables, strict=True)
            ]
            leads, significant = np.array(results).T
            for goal in ("cost_0.5", "cost_0.9"):
                if sign := better[goal, pair]:
                    signs = (sign * np.sign(leads) * significant)[:2]
                    found.setdefault(("power", goal, measure), []).extend(signs == 1)
                    found.setdefault(("wrong", goal, measure), []).extend(signs == -1)
                    signal = sign * leads.mean() / leads.std(ddof=1)
                    found.setdefault(("signal", goal, measure), []).append(signal)
        for sample, table, (order, turns) in zip(samples, tables, swaps, strict=False):
            for number, turn in zip(order, turns, strict=True):
                first, second = table[[*pairs[number]]].to_numpy().T
                mixed = np.where(turn, second, first), np.where(turn, first, second)
                significant = lead_of(sample, *mixed, measure, p)[1]
                found.setdefault(("size", "none", measure), []).append(significant)


def rows_of(sample, measure, p, share):
    """Of every model: its ranks, or what each row adds to minus the log loss."""
    if measure != "log_loss":
        return sample[[f"{model} rank" for model in EVERY]].set_axis(EVERY, axis=1)
    label = sample["positive"].to_numpy()[:, None]
    odds = sample[EVERY] + math.log(p / (1 - p) * (1 - share) / share)
    return -np.log1p(np.exp((1 - 2 * label) * odds)) * np.where(label, p, 1 - p)


def lead_of(sample, first, second, measure, p):
    """The lead of the first model, and whether a test at 5 % finds it."""
    label = sample["positive"].to_numpy()
    if measure != "log_loss":
        test = paired_test(label, first, second, measure=measure, prevalence=p, pos_label=1)
        return test.difference, test.p_value < 0.05
    parts = [(first - second)[label == side] for side in (1, 0)]
    errors = [part.var(ddof=1) / len(part) for part in parts]
    freedom = sum(errors) ** 2 / sum(
        error**2 / (len(part) - 1) for error, part in zip(errors, parts, strict=True)
    )
    lead = sum(part.mean() for part in parts)
    return lead, 2 * student.sf(abs(lead) / math.sqrt(sum(errors)), freedom) < 0.05


def test_samples_have_the_negatives_of_their_prevalence():
    """At 0.2 and 0.3: 8 positives in 40 and in 26.7 rows."""
    designs = [("own", 8, 32, 0.2), ("stated", 8, 19, 0.3), ("balanced", 8, 8, 0.3)]
    assert list_designs(CONFIG, 0.2) == designs


def test_a_sample_needs_its_room(scores):
    """A quarter has some 50 positives, a sample 8."""
    assert make_cells(scores, "cancer", CONFIG | {"room": 10}).empty


def test_a_significant_lead_is_that_of_welch(rng):
    """The lead is the mean over positives less that of the negatives' opposite."""
    apart = rng.normal(size=(400, 7)) + rng.normal(size=(400, 1)) * np.r_[1, 1, 1, -1, -1, -1, -1]
    apart[:, :3] += rng.uniform(-3, 3, size=(400, 1))
    test = ttest_ind(apart[:, :3], -apart[:, 3:], axis=1, equal_var=False)
    lead = apart[:, :3].mean(axis=1) + apart[:, 3:].mean(axis=1)
    expected = np.sign(lead) * (test.pvalue < 0.05)
    assert (significant_signs(apart, lead, 3) == expected).all()
    assert {*expected} == {-1, 0, 1}


@pytest.mark.parametrize("unit", [0.2, 5.0])
def test_calibration_is_the_sigmoid_of_largest_likelihood(unit, rng):
    """There, residuals sum to 0, and do so when multiplied by the scores."""
    label = np.repeat([0, 1], [120, 30])
    scores = unit * (rng.normal(size=150) + label)
    residuals = label - expit(calibrate(scores, label, scores))
    assert residuals.mean() == pytest.approx(0, abs=1e-4)
    assert (residuals * scores / unit).mean() == pytest.approx(0, abs=1e-4)


def test_the_seeds_of_the_models_are_those_of_the_kept_cells(monkeypatch):
    """Other seeds would train other models, and `make cells` would not find the kept cells."""
    seeds = []

    def keep_seed(*arguments):
        seeds.append(arguments[-1])
        return pd.DataFrame({"part": [1]})

    monkeypatch.setattr(scores_module, "score_split", keep_seed)
    config = yaml.safe_load((HOUSE / "config.yaml").read_text(encoding="utf-8"))
    declared = read_declarations(HOUSE / "data_sets.csv")["wdbc"]
    score_data_set(read_data_set(declared, None), "wdbc", config)
    assert seeds[:2] == [1886306234, 684479704]


def test_tuning_takes_the_point_that_two_folds_prefer(scores):
    assert criterion_value("auc", np.array([0, 1, 1]), np.array([0.0, 1.0, -1.0])) == 0.5
    value = criterion_value("log_loss", np.array([1, 0]), np.zeros(2))
    assert value == pytest.approx(-math.log(2))
    # A penalty of 1e-4 leaves nearly equal probabilities, which log loss refuses.
    assert (scores[name_tuned("logistic", "log_loss")] == scores["logistic"]).all()
    calibrated = scores["logistic" + CALIBRATED].rank()
    assert (calibrated == scores["logistic"].rank()).all()


def test_pure_leaves_have_finite_log_odds():
    class Tree:
        def predict_proba(self, _):
            return np.array([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])

    assert log_odds(Tree(), np.zeros((3, 1))) == pytest.approx(
        [-math.log(999_999), -math.log(3), math.log(999_999)]
    )


def test_quarters_share_out_the_positives_and_keep_groups_whole():
    positive = np.r_[np.ones(40, dtype=int), np.zeros(160, dtype=int)]
    group = np.arange(200) // 2
    rows = Rows(pd.DataFrame(index=range(200)), positive, group)
    quarter = draw_quarters(rows, 100, np.random.default_rng(0))
    assert (quarter.reshape(-1, 2) == quarter.reshape(-1, 2)[:, :1]).all()
    assert (np.bincount(quarter + 1) == [100, 26, 26, 24, 24]).all()
    drawn = np.bincount(quarter[positive == 1] + 1)
    assert drawn[0] == 20 and {*drawn[1:]} == {4, 6}


def test_written_cells_are_means_and_single_goals_of_the_main_size(tmp_path):
    keys = [("own", 25, "all", outcome, goal) for outcome in ("gain", "power") for goal in "ba"]
    keys += [("own", 9, "all", *cell) for cell in (("gain", "a"), ("gain", "mean"))]
    keys += [("own", 9, "all", "size", "none"), ("own", 0, "all", "ample", "a")]
    cells = pd.DataFrame(keys, columns=CELL).assign(prevalence=0.123456, h=1.25, auc=12.3456)
    write_cells(cells, "some", 25, tmp_path / "cells.csv")
    lines = (tmp_path / "cells.csv").read_text().splitlines()
    assert lines[:2] == [
        "data_set,design,n_positive,menu,outcome,goal,prevalence,auc,h",
        "some,own,0,all,ample,a,0.1235,12.3,1.2",
    ]
    assert [line.split(",")[2] for line in lines[2:]] == ["9", "9", "25", "25", "25", "25"]
