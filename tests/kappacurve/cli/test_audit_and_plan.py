"""``kappacurve audit`` and ``kappacurve plan``."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import plan_sample_size
from kappacurve.algebra import area_under_kappa
from kappacurve.cli.main import main


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


PAIR = ["--auc", 0.7186, "--auk", 0.1753]
HALF = ["--auc", 0.7, "--prevalence", 0.5]  # the exact AUK is AUC - 1/2
IMPOSSIBLE = "IMPOSSIBLE ({} the range, rounding taken in)"
LOOPHOLE = "Not even a trapezoid AUK over one corner gives the published value."
NEEDLESS = "No loophole is needed: an exact integral gives the published AUK."


@pytest.mark.parametrize(
    ("options", "pair", "exact", "verdict", "prevalences", "trapezoid"),
    [
        (
            [*PAIR, "--prevalence", 0.11],
            "AUC 0.7186, AUK 0.1753, prevalence 0.11, convex hull",
            "0.089539 to 0.133093",
            IMPOSSIBLE.format("above"),
            "0.2004 to 0.3052, or 0.7596 to 0.9787",
            "0.072979 to 0.290159.\nSo a trapezoid AUK over very few vertices could give the "
            "published value; an integral along the ROC curve can't.",
        ),
        (
            ["--auc", 0.9, "--auk", 0.01, "--prevalence", 0.4],
            "AUC 0.9000, AUK 0.0100, prevalence 0.4, convex hull",
            "0.369117 to 0.378417",
            IMPOSSIBLE.format("below"),
            "0.0012 to 0.0033, or above 0.9987",
            f"0.380952 to 0.413793.\n{LOOPHOLE}",
        ),
        # Rounded to three digits the AUC may be 0.7005, and the AUK 0.2005 or less.
        (
            [*HALF, "--auk", 0.201, "--decimals", 3],
            "AUC 0.700, AUK 0.201, prevalence 0.5, convex hull",
            "0.200000 to 0.200000",
            "POSSIBLE",
            "0.4435 to 0.8544",
            f"0.200000 to 0.200000.\n{NEEDLESS}",
        ),
        (
            [*HALF, "--auk", 0.2015, "--decimals", 4],
            "AUC 0.7000, AUK 0.2015, prevalence 0.5, convex hull",
            "0.200000 to 0.200000",
            IMPOSSIBLE.format("above"),
            "0.5108 to 0.8461",
            f"0.200000 to 0.200000.\n{LOOPHOLE}",
        ),
        # Below 1/2 there is no hull.
        (
            ["--auc", 0.4, "--auk", -0.1, "--prevalence", 0.3, "--curve", "raw", "--decimals", 2],
            "AUC 0.40, AUK -0.10, prevalence 0.3, raw curve",
            "-0.131501 to -0.045239",
            "POSSIBLE",
            "0.1429 to 0.7418",
            None,
        ),
    ],
)
def test_an_audit_to_the_letter(options, pair, exact, verdict, prevalences, trapezoid):
    """An impossible pair is a finding, not an error."""
    done = run("audit", *options)
    assert done.exit_code == 0
    said = f"{pair}\n\nExact AUK at this AUC and prevalence: {exact}\nThe published AUK is "
    said += f"{verdict}.\nPrevalences at which the pair is possible: {prevalences}\n"
    said += f"\nTrapezoid rule over a hull with one corner: {trapezoid}\n" if trapezoid else ""
    assert done.output == said


@pytest.mark.parametrize(
    ("auc", "prevalence", "message"),
    [
        (71.86, 0.1, "auc must lie between 0 and 1, got 71.86. Did you mean 0.7186?"),
        (50, 0.1, "auc must lie between 0 and 1, got 50.0. Did you mean 0.5?"),
        (49.9, 0.1, "auc must lie between 0 and 1, got 49.9."),
        (100, 0.1, "auc must lie between 0 and 1, got 100.0. Did you mean 1?"),
        (100.1, 0.1, "auc must lie between 0 and 1, got 100.1."),
        (0.7, 11, "prevalence must lie strictly between 0 and 1, got 11.0."),
        (0.4, 0.1, "auc is 0.4, but a convex hull has at least 0.5: use --curve raw."),
    ],
)
def test_bad_numbers_get_one_line_and_exit_code_2(auc, prevalence, message):
    done = run("audit", "--auc", auc, "--auk", 0.1, "--prevalence", prevalence)
    assert (done.exit_code, done.output) == (2, f"Error: --{message}\n")


def test_audit_at_a_cost_and_over_the_flagged_share():
    pair = ["audit", *PAIR, "--prevalence", 0.11]
    found = json.loads(run(*pair, "--cost-ratio", 5, "--json").output)
    assert (found["cost_ratio"], found["possible"]) == (5, False)
    assert found["lower"] < 0.1757 < found["upper"]
    raw = json.loads(run(*pair, "--cost-ratio", 5, "--curve", "raw", "--json").output)
    step = [0, 1 - 0.7186, 1 - 0.7186, 1], [0, 0, 1, 1]
    assert raw["lower"] == pytest.approx(area_under_kappa(*step, 0.11, cost=5 / 6), abs=1e-12)
    assert raw["upper"] > found["upper"]
    plateau = [0, 0, 1, 1], [0, 0.7186, 0.7186, 1]
    most = area_under_kappa(*plateau, 0.11, axis="flagged")
    said = run(*pair, "--curve", "raw", "--axis", "flagged").output
    assert said.splitlines()[0].endswith("prevalence 0.11, over the flagged share, raw curve")
    assert f" to {most:.6f}\n" in said


def test_a_plan_from_two_expected_areas():
    expected = ["--correlation", 0.6, "--prevalence", 0.05, "--ratio", 10]
    done = run("plan", "--auc", 0.75, "--auc", 0.80, *expected, "--power", 0.8)
    assert done.exit_code == 0
    plan = plan_sample_size((0.75, 0.80), correlation=0.6, prevalence=0.05, ratio=10)
    for name, size in plan.items():
        (line,) = [line for line in done.output.splitlines() if line.startswith(name.upper())]
        assert line.split()[2:4] == [str(size.n_positive), str(size.n_negative)]


def test_a_plan_from_a_pilot_file(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [90, 30])
    rows = pd.DataFrame({"y": y, "a": y + rng.normal(size=120), "b": -y + 2 * rng.normal(size=120)})
    rows.to_csv(tmp_path / "pilot.csv", index=False)
    given = [tmp_path / "pilot.csv", "--label", "y", "--score", "a", "--score", "b", "--lower", "b"]
    found = json.loads(run("plan", *given, "--half-width", 0.05, "--json").output)
    plan = plan_sample_size(y_true=y, y_score={"a": rows.a, "b": -rows.b}, half_width=0.05)
    assert found["auk"] == pytest.approx(plan["auk"]._asdict())
    assert found["auc"]["n_negative"] == 3 * found["auc"]["n_positive"]
