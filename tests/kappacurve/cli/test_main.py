"""What the commands print, to the letter; ``kappacurve audit`` and ``kappacurve plan``."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import plan_sample_size
from kappacurve.algebra import area_under_kappa
from kappacurve.cli.main import main

HERE = Path(__file__).parent


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def printed_by(name):
    """The commands of a file, each with what it prints, or with its first lines before dots."""
    text = re.sub("^#.*\n", "", (HERE / name).read_text(), flags=re.MULTILINE)
    parts = (part.partition("\n") for part in re.split(r"(?:^|\n)\$ ", text)[1:])
    return [(shlex.split(command), printed) for command, _, printed in parts]


@pytest.mark.filterwarnings("ignore")  # of few groups: notes say it
@pytest.mark.parametrize(
    ("command", "printed"),
    [each for name in ("audit", "measure", "plan") for each in printed_by(f"{name}.txt")],
)
def test_what_is_printed_to_the_letter(command, printed, monkeypatch):
    """An impossible pair is a finding, not an error."""
    monkeypatch.chdir(HERE)
    done = run(*command)
    assert done.exit_code == 0
    head, dots, _ = printed.partition("\n...\n")
    assert head == (done.output.partition("\n\n")[0] if dots else done.output)


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
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"Error: --{message}\n")


AUDITED = "audit --auc 0.8 --auk 0.3 --prevalence 0.3"
PLANNED = "plan --auc 0.7 --auc 0.8 --correlation"
MEASURED = "measure few.csv --label y --decimal , --score good"


@pytest.mark.parametrize(
    ("command", "defaults"),
    [
        (AUDITED, "--decimals 4 --axis fpr --curve hull"),
        (f"{PLANNED} 0.6 --prevalence 0.05 --json", "--power 0.8 --level 0.95"),
        (f"{MEASURED} --bootstrap 9", "--random-state 0 --level 0.95 --format table"),
    ],
)
def test_options_that_are_left_out_have_the_values_that_the_help_tells(
    command, defaults, monkeypatch
):
    monkeypatch.chdir(HERE)
    left_out, given = (run(*command.split(), *more.split()) for more in ("", defaults))
    assert left_out.exit_code == 0 and left_out.output == given.output


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("command", "taken", "refused"),
    [
        (f"{AUDITED} --decimals", [0, 12], [-1, 13]),
        (f"{AUDITED} --cost-ratio", [0], [-0.1, np.inf]),
        ("plan --auc 0.7 --prevalence 0.2 --half-width", [0.05], [0]),
        (f"{PLANNED} 0.5 --prevalence 0.2 --correlation", [-0.9], [-1, 1]),
        (f"{PLANNED} 0.5 --ratio", [0.5], [0]),
        (f"{PLANNED} 0.5 --ratio 4 --power", [0.5], [0, 1]),
        ("plan few.csv --label y --auc", [], [0.7]),
        (f"{MEASURED} --bootstrap", [2], [1]),
        (f"{MEASURED} --cost-ratio", [0], [-0.1]),
        (f"{MEASURED} --net-benefit", [0], [-0.1]),
        (f"{MEASURED} --random-state", [0], [-1]),
        (f"{MEASURED} --level", [0.001], [0]),
    ],
)
def test_the_ends_of_what_options_take(command, taken, refused, monkeypatch):
    monkeypatch.chdir(HERE)
    for values, code in ((taken, 0), (refused, 2)):
        for value in values:
            done = run(*command.split(), value)
            assert done.exit_code == code, done.output
    assert run(command.split()[0]).exit_code == 2  # without any


def audited(auc, auk, prevalence, *options):
    words = ["--auc", auc, "--auk", auk, "--prevalence", prevalence, *options, "--json"]
    return json.loads(run("audit", *words).output)


def test_an_auc_of_one_half_has_a_trapezoid_and_one_below_none():
    for auc, known in ((0.5, True), (0.4999, False)):
        found = audited(auc, 0, 0.3, "--curve", "raw")
        assert (found["trapezoid_lower"] is not None) == known
        assert (found["trapezoid_possible"] is not None) == known
    # At the prevalence 1/2 the AUK is AUC - 1/2.
    assert audited(0.05, -0.45, 0.5, "--curve", "raw")["possible"]


def test_audit_at_a_cost_and_over_the_flagged_share():
    pair = 0.7186, 0.1753, 0.11
    # Below the exact range, and within that of a trapezoid over one corner.
    below = audited(0.7186, 0.08, 0.11)
    assert (below["possible"], below["trapezoid_possible"]) == (False, True)
    found = audited(*pair, "--cost-ratio", 5)
    assert (found["cost_ratio"], found["possible"]) == (5, False)
    assert found["lower"] < 0.1757 < found["upper"]
    raw = audited(*pair, "--cost-ratio", 5, "--curve", "raw")
    step = [0, 1 - 0.7186, 1 - 0.7186, 1], [0, 0, 1, 1]
    assert raw["lower"] == pytest.approx(area_under_kappa(*step, 0.11, cost=5 / 6), abs=1e-12)
    assert raw["upper"] > found["upper"]
    words = "--auc 0.7186 --auk 0.1753 --prevalence 0.11 --curve raw --axis flagged"
    said = run("audit", *words.split()).output
    assert said.splitlines()[0].endswith("prevalence 0.11, over the flagged share, raw curve")
    plateau = [0, 0, 1, 1], [0, 0.7186, 0.7186, 1]
    assert f" to {area_under_kappa(*plateau, 0.11, axis='flagged'):.6f}\n" in said


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
