import numpy as np
import pandas as pd
import pytest

from study.replicates.evaluation import measure_replicates
from study.tables.joint import auk_given_auc, joint_distance, specification_table


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


def test_distance_given_a_number_is_that_of_the_regression_residual(values):
    """(1, -1) is three standard deviations below the line, though each alone is ordinary."""
    found = joint_distance(values[["x", "y"]], {"x": 1.0, "y": -1.0}, ["x"])
    slope, intercept = np.polyfit(values["x"], values["y"], 1)
    residual = values["y"] - intercept - slope * values["x"]
    expected = abs(-1 - intercept - slope) / np.sqrt((residual**2).sum() / (len(values) - 1))
    assert found.distance == pytest.approx(expected)
    assert found.farther < 5


@pytest.fixture(scope="module")
def few(kept):
    return kept[kept["replicate"] < 60]


def test_nominal_prevalence_is_an_evaluation_of_the_same_scores(few):
    place = {"skew": 0.11, "encoding": "strathclyde", "network": "neural_net"}
    found = specification_table([(place, few), (place | {"encoding": "onehot"}, few)])
    assert found["distance"].is_monotonic_increasing
    by_prevalence = found.groupby("prevalence").size()
    assert by_prevalence.to_dict() == {"nominal": 8, "test": 8}
    assert set(found["replicates"]) == {60}
    own, nominal = (measure_replicates(few, at) for at in (None, 30 / 280))
    pd.testing.assert_frame_equal(own, nominal, rtol=1e-9)


def test_the_other_share_is_that_of_the_other_class(few):
    """A slip of p and 1 - p leaves the curve, and evaluates kappa at the other prevalence."""
    slip = measure_replicates(few, "other").query("positive_class == 'minority'")
    at = measure_replicates(few, 250 / 280).query("positive_class == 'minority'")
    pd.testing.assert_frame_equal(slip, at, rtol=1e-9)


def test_auk_given_auc_of_five_splits():
    """The line is 0.1 + 0.5 (auc - 0.7); residuals of 1, -2, 0, 2, -1 hundredths leave it there."""
    auc = np.array([0.60, 0.65, 0.70, 0.75, 0.80])
    residuals = np.array([1, -2, 0, 2, -1]) / 100  # both their sum and that by AUC are zero
    found = auk_given_auc(auc, 0.1 + 0.5 * (auc - 0.7) + residuals, (0.70, 0.14))
    assert found["expected"] == pytest.approx(0.1)
    assert found["sd"] == pytest.approx(np.sqrt(10 / 3) / 100)
    assert found["z"] == pytest.approx(0.04 / found["sd"])
