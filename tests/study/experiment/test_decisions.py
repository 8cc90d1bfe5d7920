"""What decisions bring on test rows, by hand, and at thresholds of the training rows alone."""

import numpy as np
import pandas as pd
import pytest

from kappacurve import calibration, operating_point
from study.experiment.decisions import Fitted, measure_decisions
from study.experiment.replicates import draw_replicates, draw_sample, measure_scenario

TRAIN, TEST = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 1])
SETTING = {"prevalence": None, "cost_ratio": 4, "at": ["flagged<=0.5"]}


def decide(probability, setting=SETTING, **options):
    training = np.array([0.1, 0.2, 0.3, 0.4, 0.35, 0.6])
    score = np.array([0.1, 0.36, 0.2, 0.3, 0.9])
    options = {"resampled": False} | options
    fitted = Fitted(score, probability, training)
    return measure_decisions(TRAIN, TEST, fitted, setting, **options)


def test_a_probability_is_flagged_from_1_in_1_plus_r_on():
    found = decide(np.array([0.1, 0.2, 0.3, 0.19, 0.9]))
    # Two of three negatives and one of two positives are flagged: 4 for the miss, 2 false alarms.
    assert found["expected_loss"] == pytest.approx(1000 * (4 + 2) / 5)
    assert (found["recall"], found["flagged"]) == (0.5, pytest.approx(0.6))
    assert (found["loss_nobody"], found["loss_everybody"]) == pytest.approx((1600, 600))
    assert found["brier"] == pytest.approx((0.01 + 0.04 + 0.09 + 0.81**2 + 0.01) / 5)
    assert found["brier_share"] == pytest.approx((3 / 9 + 2 * 4 / 9) / 5)
    assert found["observed_over_expected"] == pytest.approx(2 / 1.69)


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_the_slope_of_the_log_odds_is_that_of_the_library(prevalence):
    rng = np.random.default_rng(1)
    log_odds = np.append(rng.normal(size=200), [40, -1])
    y = np.append(rng.random(200) < 1 / (1 + np.exp(-2 * log_odds[:200])), [1, 1]).astype(int)
    probability = 1 / (1 + np.exp(-log_odds))
    probability[-2] = 1  # has no log odds
    train = np.repeat([0, 1], [160, 40])  # a fifth: the prevalence that may be stated
    share = y.mean()
    setting = {"prevalence": prevalence, "cost_ratio": None, "at": []}
    fitted = Fitted(log_odds, probability, np.zeros(200))
    found = measure_decisions(train, y, fitted, setting, resampled=False)
    weight = np.where(y == 1, 0.2 / share, 0.8 / (1 - share)) if prevalence else None
    expected = calibration(y, probability, sample_weight=weight).slope.estimate
    assert found["calibration_slope"] == pytest.approx(expected, abs=1e-8)
    assert 0.1 < expected < 2
    # Probabilities that separate the classes have none.
    assert np.isnan(decide(np.array([0.1, 0.2, 0.3, 0.7, 0.9]))["calibration_slope"])


def test_other_thresholds_are_those_of_the_training_rows():
    """Least loss on them: 0.35 (one false alarm); half of them are flagged from 0.35 on."""
    found = decide(None)
    assert found["expected_loss"] == pytest.approx(1000 * (4 + 1) / 5)
    assert (found["recall at flagged<=0.5"], found["flagged at flagged<=0.5"]) == (0.5, 0.4)
    assert "brier" not in found and found["by_probability"] == 0
    # No threshold of the training rows has that precision and flags a positive: nobody is flagged.
    training = np.array([0.9, 0.9, 0.9, 0.9, 0.1, 0.1])
    limits = SETTING | {"at": ["precision>=0.9"]}
    fitted = Fitted(np.ones(5), None, training)
    found = measure_decisions(TRAIN, TEST, fitted, limits, resampled=False)
    assert found["flagged at precision>=0.9"] == 0


def test_probabilities_of_balanced_rows_are_moved_back():
    """Odds of 0.34 / 0.66 are half of that where a third is positive: just above 1 / 3.9."""
    found = decide(
        np.array([0.3, 0.34, 0.3, 0.3, 0.5]), SETTING | {"cost_ratio": 3.9}, resampled=True
    )
    assert (found["recall"], found["flagged"]) == (0.5, pytest.approx(0.4))


def test_a_replicate_has_them_without_a_look_at_its_test_rows():
    """The linear model again, whose threshold the library finds on the training rows."""
    rng = np.random.default_rng(2)
    labels = (rng.random(300) < 0.3).astype(int)
    features = pd.DataFrame({"row": range(1, 301), "minority": labels})
    features["x"] = rng.normal(size=300) + labels
    setting = {"models": {"linear": {}}, "split": "random", "n_train": 0.6, "skew": None}
    setting |= {"stratify": True, "scaling": "standard", "prevalence": None, "cost_ratio": 3}
    setting |= {"sampling": "keep_majority", "total": None}
    plain = measure_scenario(draw_replicates(features, setting, [0, 1], seed=1), setting)
    setting["at"] = ["recall>=0.8"]
    scores = draw_replicates(features, setting, [0, 1], seed=1)
    measured = measure_scenario(scores, setting)
    pd.testing.assert_frame_equal(measured[list(plain)], plain, check_exact=True)
    row = measured.query("replicate == 1 and positive_class == 'minority' and curve == 'raw'")
    test = scores[scores["replicate"] == 1]
    sample = draw_sample(features, setting, 1, seed=1)
    train = features[features["row"].isin(set(sample["row"]) - set(test["row"]))]
    # One feature: scores are a line of it, which rises.
    points = {"": {"cost_ratio": 3}, " at recall>=0.8": {"at": "recall>=0.8"}}
    x = features.set_index("row")["x"].loc[test["row"]].to_numpy()
    for name, options in points.items():
        threshold = operating_point(train["minority"], train["x"], **options).threshold
        point = operating_point(test["minority"], x, at=threshold, cost_ratio=3)
        assert row[f"recall{name}"].item() == pytest.approx(point.tpr)
        assert row[f"flagged{name}"].item() == pytest.approx(point.flagged)
        if not name:
            assert row["expected_loss"].item() == pytest.approx(4000 * point.expected_loss)
