import numpy as np
import pandas as pd
import pytest

from study.replicates.evaluation import measures_by_kind
from study.tables.joint import (
    auk_given_auc,
    auk_given_auc_table,
    joint_distance,
    specification_table,
)


@pytest.fixture
def values():
    rng = np.random.default_rng(3)
    x = rng.normal(size=400)
    y = 2 * x + rng.normal(size=400)
    return pd.DataFrame({"x": x, "y": y, "z": rng.normal(size=400)})


def left_out(values, point):
    """Distance of a point from the rows, by numpy's covariance."""
    off = point - values.mean(axis=0)
    return float(np.sqrt(off @ np.linalg.inv(np.cov(values.T)) @ off))


def test_distance_is_out_of_sample_and_leaves_each_replicate_out(values):
    numbers, point = values.to_numpy(), np.array([1.0, -1.0, 0.5])
    found = joint_distance(values, dict(zip(values, point, strict=True)))
    own = [left_out(np.delete(numbers, i, axis=0), numbers[i]) for i in range(len(numbers))]
    assert found.distance == pytest.approx(left_out(numbers, point))
    assert found.typical == pytest.approx(np.median(own))
    assert found.farther == (np.array(own) > found.distance).sum()
    printed = dict(zip(values, point, strict=True))
    few = joint_distance(values[:5], printed)
    assert few.distance == pytest.approx(left_out(numbers[:5], point))
    assert np.isnan(joint_distance(values[:4], printed).distance)


def test_distance_given_a_number_is_that_of_the_regression_residual(values):
    """(1, -1) is three standard deviations below the line, though each alone is ordinary."""
    found = joint_distance(values[["x", "y"]], {"x": 1.0, "y": -1.0}, ["x"])
    slope, intercept = np.polyfit(values["x"], values["y"], 1)
    residual = values["y"] - intercept - slope * values["x"]
    expected = abs(-1 - intercept - slope) / np.sqrt((residual**2).sum() / (len(values) - 1))
    assert found.distance == pytest.approx(expected)
    assert found.farther < 5


def test_nominal_prevalence_is_an_evaluation_of_the_same_scores(kept):
    few = kept[kept["replicate"] < 60]
    place = {"skew": 0.11, "encoding": "strathclyde", "network": "neural_net"}
    found = specification_table([([place], few), ([place | {"encoding": "onehot"}], few)])
    assert found["distance"].is_monotonic_increasing
    by_prevalence = found.groupby("prevalence").size()
    assert by_prevalence.to_dict() == {"nominal": 8, "test": 8}
    assert set(found["replicates"]) == {60}
    farther = found["share_farther"] * 60
    np.testing.assert_allclose(farther, farther.round(), atol=1e-9)
    assert found["share_farther"].is_monotonic_decreasing
    # How many of our areas lie below the printed one, in per cent, and half of those at it.
    ours = measures_by_kind(few)["majority"]["hull", "linear"]
    own = found.query("prevalence == 'test' and positive_class == 'majority'")
    for rule, name in (("exact", "auk"), ("trapezoid", "auk_trapezoid")):
        row = own[own["integration"] == rule].iloc[1]
        below = 100 * (ours[["auc", name]] < [0.7493, 0.1672]).mean()
        assert [row["hull linear auc"], row["hull linear auk"]] == pytest.approx([*below])


def test_auk_given_auc_of_five_splits():
    """The line is 0.1 + 0.5 (auc - 0.7); residuals of 1, -2, 0, 2, -1 hundredths leave it there."""
    auc = np.array([0.60, 0.65, 0.70, 0.75, 0.80])
    residuals = np.array([1, -2, 0, 2, -1]) / 100  # both their sum and that by AUC are zero
    auk = 0.1 + 0.5 * (auc - 0.7) + residuals
    found = auk_given_auc(auc, auk, (0.70, 0.14))
    assert found["expected"] == pytest.approx(0.1)
    assert found["sd"] == pytest.approx(np.sqrt(10 / 3) / 100)
    assert found["z"] == pytest.approx(0.04 / found["sd"])
    # Within 0.02 of an AUC of 0.72 is one of them, and as large an AUK reaches.
    for at, near, reaching in ((0.1, 1, 1), (0.1001, 1, 0), (0.0999, 1, 1)):
        found = auk_given_auc(np.array([0.6, 0.65, 0.7001, 0.7401, 0.8]), auk, (0.72, at))
        assert (found["near"], found["reaching"]) == (near, reaching)


def test_auks_are_held_against_the_printed_ones_where_there_are_three():
    """Of the two models that the paper has, by either rule of integration."""
    rows = [
        {"positive_class": "minority", "curve": "hull", "model": model, "auc": auc, "auk": auc / 5}
        for model, aucs in {
            "linear": [0.70, 0.74, 0.75, np.nan],
            "neural_net": [0.7, 0.8, 0.8, 0.7],
            "logistic": [0.6, 0.7, 0.8],
        }.items()
        for auc in aucs
    ]
    table = pd.DataFrame(rows)
    found = auk_given_auc_table(table.assign(auk_trapezoid=2 * table["auk"]))
    assert found["model"].tolist() == ["linear", "linear"]
    assert found["integration"].tolist() == ["exact", "trapezoid"]
    assert found["expected"].tolist() == pytest.approx([0.7493 / 5, 2 * 0.7493 / 5])
    assert (found[["auc", "auk", "replicates"]] == [0.7493, 0.1672, 3]).all(axis=None)
    assert found[["near", "reaching"]].to_numpy().tolist() == [[2, 0], [2, 2]]
