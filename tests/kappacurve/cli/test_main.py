import json

import numpy as np
import pytest
from click.testing import CliRunner

from kappacurve.auk import area_under_kappa
from kappacurve.cli.main import main

RAW = ["--curve", "raw"]
PAIR = ["audit", "--auc", "0.7186", "--auk", "0.1753"]
ROUNDED = ["audit", "--auc", 0.7, "--auk", 0.2004, "--prevalence", 0.5]


@pytest.fixture
def run():
    return lambda *arguments: CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            [*PAIR, "--prevalence", 0.11],
            [
                *("0.089539 to 0.133093", "published AUK is IMPOSSIBLE (above the range"),
                *("0.2004 to 0.3052, or 0.7596 to 0.9787", "over very few vertices could give"),
            ],
        ),
        ([*PAIR, "--prevalence", 0.89], ["published AUK is POSSIBLE.", "No loophole is needed"]),
        (
            ["audit", "--auc", 0.9, "--auk", 0.01, "--prevalence", 0.4],
            ["published AUK is IMPOSSIBLE (below the range", "Not even a trapezoid AUK"],
        ),
        # Raw curves allow more than hulls, and so does coarse rounding.
        (
            [*PAIR, "--prevalence", 0.15, "--curve", "raw"],
            ["prevalence 0.15, raw curve\n", "published AUK is POSSIBLE."],
        ),
        ([*ROUNDED, "--decimals", 3], ["published AUK is POSSIBLE."]),
    ],
)
def test_an_impossible_pair_is_a_finding_not_an_error(run, arguments, said):
    done = run(*arguments)
    assert done.exit_code == 0
    assert all(one in done.output for one in said)


@pytest.mark.parametrize(
    ("auc", "auk", "prevalence", "message"),
    [
        (71.86, 0.1, 0.1, "Error: --auc must lie between 0 and 1, got 71.86. Did you mean 0.7186?"),
        (0.7, 0.1, 11, "Error: --prevalence must lie strictly between 0 and 1, got 11.0.\n"),
    ],
)
def test_bad_numbers_get_one_line_and_exit_code_2(run, auc, auk, prevalence, message):
    done = run("audit", "--auc", auc, "--auk", auk, "--prevalence", prevalence)
    assert done.exit_code == 2
    assert done.output.startswith(message)
    assert done.output.count("\n") == 1
    assert "curve=" not in done.output


def test_audit_at_a_cost_and_over_the_flagged_share(run):
    pair = [*PAIR, "--prevalence", 0.11]
    found = json.loads(run(*pair, "--cost-ratio", 5, "--json").output)
    assert (found["cost_ratio"], found["possible"]) == (5, False)
    assert found["lower"] < 0.1757 < found["upper"]
    raw = json.loads(run(*pair, "--cost-ratio", 5, *RAW, "--json").output)
    step = np.array([0, 1 - 0.7186, 1 - 0.7186, 1]), np.array([0, 0, 1, 1])
    assert raw["lower"] == pytest.approx(area_under_kappa(*step, 0.11, cost=5 / 6), abs=1e-12)
    assert raw["upper"] > found["upper"]
    plateau = np.array([0, 0, 1, 1]), np.array([0, 0.7186, 0.7186, 1])
    most = area_under_kappa(*plateau, 0.11, axis="flagged")
    said = run(*pair, *RAW, "--axis", "flagged").output
    assert "over the flagged share, raw curve" in said
    assert f" to {most:.6f}\n" in said
