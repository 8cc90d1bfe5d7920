"""The kept results follow from the kept cells, with intervals and verdicts computed by hand."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from many_data_sets.intervals import (
    Mean,
    correlation_within_packages,
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
)

HOUSE = Path(__file__).parents[1]
QUESTIONS = read_questions(HOUSE / "questions.csv")


@pytest.fixture(scope="module")
def cells():
    return read_cells(HOUSE / "cells.csv.gz", HOUSE / "data_sets.csv")


# Which cells each hypothesis of protocol.md is about, written by hand: design, menu, outcome, goal.
HYPOTHESES = {
    6: ("stated", "all_log_loss", "gain", "mean", "log_loss", "auc"),
    7: ("stated", "all_log_loss", "gain", "mean", "log_loss_recalibrated", "auc"),
    8: ("stated", "strong_auc", "gain", "mean", "log_loss", "auc"),
    9: ("stated", "strong_log_loss", "gain", "mean", "log_loss_recalibrated", "auc"),
    10: ("own", "all", "gain", "cost_0.5", "auk", "auc"),
    11: ("own", "all", "power", "cost_0.5", "auk", "auc"),
    12: ("stated", "all", "power", "mean of costs", "auk", "auc"),
    13: ("stated", "all_log_loss", "gain", "mean", "log_loss_label_free", ""),
}


def test_each_hypothesis_is_judged_by_the_cells_it_was_registered_for():
    columns = ["design", "menu", "outcome", "goal", "measure", "versus"]
    asked = QUESTIONS[QUESTIONS["hypothesis"] != ""].set_index("hypothesis")
    found = {int(number): tuple(row) for number, row in asked[columns].iterrows()}
    assert found == HYPOTHESES
    assert (asked["n_positive"] == 25).all() and (asked["only"] == "").all()


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
