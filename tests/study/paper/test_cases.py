"""Cases on constructed curves and on splits: stored values, and small ones by hand."""

import numpy as np
import pandas as pd
import pytest
from pytest import approx

from kappacurve import implied_cost_ratio
from study.paper import cases
from study.paper.cases import cases_table, measure_thresholds
from study.paper.explanations import measure_settings


def test_cases_are_the_stored_ones_and_those_of_the_splits(measured, tables):
    table = cases_table(measured["test rows"], 280 / 500).set_index("key")
    stored = tables["cases"].set_index("key")
    fixed = ["miss_by_auc", "miss_by_kappa", *stored.loc["skew_moves_auk":"auk_range"].index]
    columns = ["value", "cases"]
    expected = stored.loc[fixed, columns].to_numpy()
    assert table.loc[fixed, columns].to_numpy() == approx(expected, abs=1e-6)
    assert table.loc["unique_maximum", "cases"] == 300


def test_the_mean_largest_kappa_of_each_model():
    rows = [(model, kappa) for model in ("linear", "neural_net") for kappa in (0, 0.2, None)]
    measures = pd.DataFrame(rows, columns=["model", "kappa_max"])
    measures = measures.assign(curve="raw", positive_class="minority", unique_maximum=1.0)
    measures = measures.assign(replicate=[0, 1, 2] * 2, least_loss=[3, 2, 1, 2, 2, 3])
    measures["loss_without_model"] = [4, 3, 3] * 2
    table = cases_table(measures, 0.5).set_index("key")
    row = table.loc["miss_by_linear"]
    assert row["value"] == implied_cost_ratio(0.1, 0.11) and row["cases"] == 2
    assert 4.2 < row["low"] < row["value"] < row["high"] < 8.1
    # One split has a tie, and each model costs less in one of the other two.
    assert table.loc[["cheaper_linear", "cheaper_neural_net"], "value"].tolist() == approx(
        [1 / 3] * 2
    )
    losses = table.loc["loss_linear":"loss_without_model", ["value", "low", "high"]]
    assert losses.loc["loss_linear"].tolist() == approx([2000, 1050, 2950])
    assert losses["value"].tolist() == approx([2000, 7000 / 3, 10000 / 3])
    # Differences of -1000, 0 and 2000: Student's t of 2 degrees, as many standard errors as
    # splits that share rows ask for.
    error = np.sqrt((1 / 3 + 0.5) * 7e6 / 3)
    found = table.loc["loss_difference", ["value", "low", "high"]].tolist()
    assert found == approx([1000 / 3, 1000 / 3 - 4.302653 * error, 1000 / 3 + 4.302653 * error])


def test_splits_of_one_class_are_left_out(kept):
    few = kept[kept["replicate"] < 4].copy()
    few.loc[few["replicate"] == 2, "minority"] = 1
    few.loc[few["replicate"] == 3, "minority"] = 0
    few.loc[few["replicate"] == 1, "score"] = np.nan  # of training rows of one class
    table = cases_table(measure_settings(few)["test rows"], 0.5).set_index("key")
    assert table.loc["unique_maximum", "cases"] == 2  # one split of two models
    assert table.loc["loss_without_model", "value"] == approx(5000 * 30 / 280)  # flagging nobody


@pytest.mark.parametrize(
    ("positive", "score", "unique", "least_loss"),
    [  # where a miss costs 5: errors of the best threshold over the rows
        ([1, 0, 1, 0], [4, 3, 2, 1], 0, 1 / 4),  # kappa 0, 1/2, 0, 1/2, 0
        ([1, 0, 1, 0], [4, 3, 3, 1], 0, 1 / 4),  # 0, 1/2, 1/2, 0
        ([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], 1, 1 / 5),
        ([1] + [0] * 6, [1, 2, 3, 4, 5, 6, 7], 0, 5 / 7),  # flagging nobody
    ],
)
def test_the_largest_kappa_and_the_least_loss(positive, score, unique, least_loss):
    table = pd.DataFrame({"replicate": 0, "model": "m", "minority": positive, "score": score})
    found = measure_thresholds(table).set_index("curve").loc["raw"]
    assert found[["unique_maximum", "least_loss"]].tolist() == [unique, approx(least_loss)]


def test_the_trapezoid_rule_joins_the_kappas_of_the_vertices():
    """Kappas 0, 6/11, 1/6, 8/13, 2/7 and 0; the hull has no 1/6 and 2/7."""
    table = pd.DataFrame({"minority": [1, 1, 0, 0, 0], "score": [0.9, 0.4, 0.6, 0.3, 0.1]})
    table = table.assign(replicate=0, model="m")
    found = measure_thresholds(pd.concat([table, table.assign(replicate=1, minority=0)]))
    raw = ((6 / 11 + 1 / 6) + (8 / 13 + 2 / 7) + 2 / 7) / 2 / 3
    hull = (6 / 11 + 8 / 13) / 2 / 3 + 8 / 13 / 2 * 2 / 3
    areas = found.set_index("curve")["auk_trapezoid"]
    assert areas.to_dict() == approx({"raw": raw, "hull": hull})
    assert found["replicate"].tolist() == [0, 0]


def test_a_wrong_measure_is_found_out(monkeypatch):
    hulls = cases.random_hulls()
    monkeypatch.setattr(cases, "area_under_kappa", lambda *_: 0.5)
    assert cases.skew_moves_auk(hulls).value == 500
    assert next(cases.auk_of_both_classes(hulls)).value == 0
