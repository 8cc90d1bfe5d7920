"""The kept results follow from the kept cells, with intervals and verdicts computed by hand."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import t as student

from many_data_sets.figure import plot_figure
from many_data_sets.intervals import (
    Mean,
    correlated_interval,
    correlation_within_packages,
    equal_packages,
    mean_over_data_sets,
    p_value,
    package_interval,
    verdict,
)
from many_data_sets.results import (
    answer_questions,
    compare_cells,
    join_cells,
    read_cells,
    read_questions,
    write_results,
)

HOUSE = Path(__file__).parents[1]
QUESTIONS = read_questions(HOUSE / "questions.csv")
RESULTS = pd.read_csv(HOUSE / "results.csv", index_col="key")
CONFIG = yaml.safe_load((HOUSE / "config.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cells():
    return read_cells(HOUSE / "cells.csv.gz", HOUSE / "data_sets.csv")


def test_results_and_figure_are_made_again_to_the_byte(cells, tmp_path):
    settings = {name: CONFIG[name] for name in ("resamples", "test_resamples", "seed")}
    table = answer_questions(QUESTIONS, cells, **settings)
    write_results(table, tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_bytes() == (HOUSE / "results.csv").read_bytes()
    plot_figure(cells, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes() == (HOUSE / "figure.svg").read_bytes()


# Which cells each hypothesis of protocol.md is about, written by hand: design, menu, outcome, goal.
HYPOTHESES = {
    6: ("stated", "all_log_loss", "gain", "mean", "log_loss", "auc"),
    7: ("stated", "all_log_loss", "gain", "mean", "log_loss_recalibrated", "auc"),
    8: ("stated", "strong_auc", "gain", "mean", "log_loss", "auc"),
    9: ("stated", "strong_log_loss", "gain", "mean", "log_loss_recalibrated", "auc"),
    10: ("own", "all", "gain", "cost_0.5", "auk", "auc"),
    11: ("own", "all", "power", "cost_0.5", "auk", "auc"),
    12: ("stated", "all", "power", None, "auk", "auc"),
    13: ("stated", "all_log_loss", "gain", "mean", "log_loss_label_free", None),
}


@pytest.mark.parametrize("number", HYPOTHESES)
def test_each_hypothesis_is_judged_by_the_cells_it_was_registered_for(cells, number):
    design, menu, outcome, goal, measure, versus = HYPOTHESES[number]
    where = (cells["design"] == design) & (cells["menu"] == menu) & (cells["n_positive"] == 25)
    rows = cells[where & (cells["outcome"] == outcome)]
    if goal:
        rows = rows[rows["goal"] == goal]
    value = rows[measure] - (rows[versus] if versus else 0.0)
    by_data_set = value.dropna().groupby(rows["data_set"]).mean()
    (row,) = RESULTS[RESULTS["registered"].fillna("").str.startswith(f"hypothesis {number}:")].iloc
    assert row["estimate"] == pytest.approx(by_data_set.mean(), abs=1e-4)
    assert row["data_sets"] == len(by_data_set)
    above = row["low"] > 0 and row["packages"] >= 10
    assert row["registered"].endswith(": confirmed") == above == (number != 13)


@pytest.mark.parametrize(
    ("low", "high", "packages", "words"),
    [
        (0.1, 3.0, 10, "confirmed"),
        (0.0, 3.0, 10, "not confirmed"),
        (-3.0, 0.0, 10, "not confirmed"),
        (-3.0, -0.1, 10, "refuted"),
        (0.1, 3.0, 9, "too few packages"),
        (math.nan, math.nan, 10, "not confirmed"),
    ],
)
def test_a_verdict_needs_ten_packages_and_both_intervals(low, high, packages, words):
    assert verdict(Mean(1.0, low, high, 20, packages)) == words


def test_few_packages_are_the_units_of_a_clustered_interval():
    values, packages = np.array([1.0, 2.0, 3.0, 6.0]), np.array([0, 0, 1, 2])
    # Sums about the mean of 3: -3, 0, 3; 16/6 effective packages.
    margin = student.isf(0.025, 16 / 6 - 1) * math.sqrt(1.5 * 18) / 4
    clustered = package_interval(values, packages, 100, 1)
    assert clustered == pytest.approx([3 - margin, 3 + margin])
    # Between packages 13.5 / 2, within them 0.5, mean size (4 - 6 / 4) / 2.
    between, within, size = 13.5 / 2, 0.5, 1.25
    correlation = (between - within) / (between + (size - 1) * within)
    assert correlation_within_packages(values, packages) == pytest.approx(correlation)
    effective = 4 / (1 + correlation * 2 / 4)
    margin = student.isf(0.025, effective - 1) * values.std(ddof=1) / math.sqrt(effective)
    correlated = correlated_interval(values, packages)
    assert correlated == pytest.approx([3 - margin, 3 + margin])
    mean = mean_over_data_sets(values, packages, 100, 1)
    assert mean == Mean(
        3.0, min(clustered[0], correlated[0]), max(clustered[1], correlated[1]), 4, 3
    )


def test_more_packages_are_resampled():
    values, packages = np.repeat(np.arange(11.0), 2), np.repeat(np.arange(11), 2)
    margin = 1.96 * math.sqrt(10 / 11)  # of a mean of eleven draws from 0 to 10
    interval = package_interval(values, packages, 4000, 1)
    assert interval == pytest.approx([5 - margin, 5 + margin], abs=0.15)


def test_packages_that_weigh_the_same():
    values, packages = np.array([1.0, 2.0, 3.0, 6.0]), np.array([0, 0, 1, 2])
    # Means of the packages: 1.5, 3 and 6, with mean 3.5 and squared deviations 4, 0.25, 6.25.
    margin = student.isf(0.025, 2) * math.sqrt(10.5 / 2 / 3)
    assert equal_packages(values, packages) == pytest.approx((3.5, 3.5 - margin, 3.5 + margin))
    assert math.isnan(equal_packages(values, np.zeros(4, dtype=int))[1])


@pytest.mark.parametrize("n_packages", [5, 11])
def test_a_p_value_is_below_the_level_where_both_intervals_leave_out_zero(n_packages):
    packages = np.repeat(np.arange(n_packages), 2)
    values = np.sin(np.arange(2 * n_packages)) + packages % 3
    for shift in np.linspace(0.2, 2.0, 10):
        mean = mean_over_data_sets(values - shift, packages, 4000, 1)
        leaves_out_zero = mean.low > 0 or mean.high < 0
        assert (p_value(values - shift, packages, 4000, 1) < 0.05) == leaves_out_zero


def test_no_interval_without_a_degree_of_freedom_and_no_correlation_without_groups():
    assert math.isnan(package_interval(np.arange(4.0), np.zeros(4, dtype=int), 10, 1)[0])
    # One package holds all but two data sets.
    most = mean_over_data_sets(np.arange(13.0), np.repeat([0, 1], [11, 2]), 100, 1)
    assert math.isnan(most.low) and math.isnan(most.high)
    for packages in (np.zeros(4, dtype=int), np.arange(4), np.array([0, 0, 1, 1])):
        assert correlation_within_packages(np.array([1.0, 9.0, 2.0, 8.0]), packages) == 0


def test_a_question_without_cells_is_named(cells):
    question = QUESTIONS.head(1).assign(menu="nothing")
    with pytest.raises(ValueError, match=r"choice_25_at_5: no cell is .*menu=nothing"):
        answer_questions(question, cells, resamples=10, test_resamples=10, seed=1)


def test_remade_cells_are_compared_with_the_kept_ones(tmp_path):
    kept = pd.read_csv(HOUSE / "cells.csv.gz").head(3)
    changed = kept.copy()
    changed.loc[1, "auk"] += 0.1
    for name, table in (("a", kept), ("b", changed)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        join_cells([tmp_path / f"{name}.csv"], tmp_path / f"{name}.csv.gz")
    (row,) = compare_cells(tmp_path / "a.csv.gz", tmp_path / "b.csv.gz").to_dict("records")
    assert row["measure"] == "auk" and row["remade"] - row["kept"] == pytest.approx(0.1)
