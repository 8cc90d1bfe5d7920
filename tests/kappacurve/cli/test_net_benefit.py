import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import interval, net_benefit, paired_test
from kappacurve.cli.main import main

RNG = np.random.default_rng(6)
Y = np.arange(400) % 5 == 0
GOOD = 1 / (1 + np.exp(3 - RNG.normal(size=400) - 2.4 * Y))
POOR = RNG.uniform(0, 0.4, size=400)


@pytest.fixture
def file(tmp_path):
    rows = pd.DataFrame({"y": Y.astype(int), "good": GOOD, "poor": POOR, "weight": 1 + Y})
    rows.to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path / "scores.csv"


def run(file, *arguments):
    given = ["measure", file, "--label", "y", "--score", "good", "--score", "poor", *arguments]
    done = CliRunner().invoke(main, [str(each) for each in given])
    assert done.exit_code == 0, done.output
    return done.output


def test_each_model_against_the_better_default_and_the_other_model(file):
    at = {"measure": "net_benefit", "threshold": 0.3, "prevalence": 0.1}
    options = ["--net-benefit", 0.05, "--net-benefit", 0.3, "--prevalence", 0.1]
    low, found = json.loads(run(file, *options, "--format", "json"))["net_benefit"]
    assert low["flag_all"] == pytest.approx(0.1 - 0.9 / 19)
    assert found["flag_all"] < 0
    expected = interval(Y, GOOD, **at)
    shown = found["models"]["good"]
    assert (shown["estimate"], shown["low"]) == pytest.approx(expected[0:3:2])
    nobody = paired_test(Y, GOOD, np.zeros(400), **at)
    assert shown["gain"]["p_value"] == pytest.approx(nobody.p_value)
    everybody = paired_test(Y, POOR, np.ones(400), **{**at, "threshold": 0.05})
    assert low["models"]["poor"]["gain"]["difference"] == pytest.approx(everybody.difference)
    (test,) = found["tests"]
    assert test["p_value"] == pytest.approx(paired_test(Y, GOOD, POOR, **at).p_value)
    text = run(file, *options)
    assert f"good gains {nobody.difference:.4f} per row over flagging nobody" in text


def test_scores_that_are_no_probabilities_take_the_best_threshold(file):
    weight = ["--weight", "weight", "--no-intervals"]
    options = ["--net-benefit", 0.3, "--lower", "poor", *weight]
    (found,) = json.loads(run(file, *options, "--format", "json"))["net_benefit"]
    at = {"thresholds": 0.3, "sample_weight": 1 + Y, "at": "best"}
    assert found["models"]["poor"]["estimate"] == pytest.approx(float(net_benefit(Y, -POOR, **at)))
    assert found["models"]["good"]["low"] is None
    assert "each model at the score that is best for it" in run(file, *options)
