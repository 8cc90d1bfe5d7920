"""``kappacurve measure``: its numbers against others', its formats, its manners."""

import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import __version__, compare, interval, measures, net_benefit, paired_test
from kappacurve.cli.main import main

N = 300
RNG = np.random.default_rng(3)
Y = np.arange(N) % 5 == 0
SCORES = {"model_a": RNG.normal(size=N) + Y, "model_b": RNG.normal(size=N) + 0.7 * Y}
W, DAY = np.arange(N) % 3 + 0.5, 20240101 + np.arange(N) // 100
PATIENT = np.array([f"p{i}" for i in np.arange(N) // 4])
CONTENT = "row,class,model_a,model_b,remark\n" + "".join(
    f"r{i},{'bad' if y else 'good'},{a!r},{b!r},none\n"
    for i, (y, a, b) in enumerate(zip(Y, *(s.tolist() for s in SCORES.values()), strict=True))
)
BASE = ["--label", "class", "--positive", "bad"]
COMMAND = [sys.executable, "-m", "kappacurve.cli.main", "measure"]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(CONTENT)
    return path


def run(*arguments, **options):
    return CliRunner().invoke(main, ["measure", *map(str, arguments)], **options)


def report(*arguments, **options):
    done = run(*arguments, "--format", "json", **options)
    assert done.exit_code == 0, done.output
    assert "NaN" not in done.stdout
    assert "Infinity" not in done.stdout
    return json.loads(done.stdout)


def wide(tmp_path, separator=",", **columns):
    """A file of these columns beside the label."""
    path = tmp_path / "wide.csv"
    table = pd.DataFrame({"y": Y.astype(int), **columns})
    table.to_csv(path, index=False, sep=separator, decimal="," if separator == ";" else ".")
    return path


def rows(found):
    """As JSON has them, where null is no number."""
    records = found.to_dict("records") if isinstance(found, pd.DataFrame) else found
    return json.loads(re.sub("NaN|-?Infinity", "null", json.dumps(records)))


@pytest.mark.parametrize(
    ("options", "design"),
    [
        (["--prevalence", 0.02, "--lower", "model_b"], {"prevalence": 0.02, "lower": ["model_b"]}),
        (["--sampling", "random", "--level", 0.9], {"sampling": "random", "level": 0.9}),
        (["--weight", "w", "--cv", "day"], {"sample_weight": W, "cv": DAY}),
        (["--group", "patient"], {"groups": PATIENT}),
        (["--cost-ratio", 5, "--bootstrap", 9], {"cost_ratio": 5, "n_resamples": 9}),
        (["--at", "flagged<=0.1", "--at", 0.5], {"at": ["flagged<=0.1", 0.5]}),
    ],
)
def test_json_holds_what_compare_finds(tmp_path, options, design):
    path = wide(tmp_path, w=W, day=DAY, patient=PATIENT, **SCORES)
    taken = [word for name in SCORES for word in ("--score", name)]
    found = report(path, "--label", "y", *taken, *options)
    expected = compare(Y, SCORES, **design)
    assert (found["n"], found["n_positive"]) == (300, 60)
    assert (found["positive"], found["negative"]) == ("1", "0")
    for row in rows(expected.measures):
        assert found["models"][row.pop("model")][row.pop("measure")] == row
    for row in rows(expected.thresholds.drop(columns="printed")):
        name = {"kappa_max": "operating_point", "expected_loss": "cost_point"}
        assert found["models"][row.pop("model")][name[row.pop("criterion")]] == row
    for name in ("tests", "global_tests", "decisions", "folds"):
        assert found[name] == rows(getattr(expected, name))
    assert found["at"] == rows(expected.points)
    assert found["conclusion"][-len(expected.conclusion) :] == list(expected.conclusion)
    assert ("groups" in design) == ("Values of patient repeat" not in found["conclusion"][0])


def test_json_says_what_made_it(path):
    found = report(path, *BASE)
    assert found["version"] == __version__
    assert found["call"].endswith(f"measure {path} --label class --positive bad --format json")
    assert found["date"] == datetime.date.today().isoformat()
    assert "Not taken (not mostly numeric): row, remark." in found["notes"]
    assert report("-", *BASE, input=CONTENT)["models"] == found["models"]


def test_output_is_written_whole_or_not_at_all(path, tmp_path):
    out = tmp_path / "out" / "report.json"
    out.parent.mkdir()
    assert run(path, *BASE, "--format", "json", "--output", out).output == ""
    before = out.read_bytes()
    assert json.loads(before)["n"] == N
    assert run(path, "--label", "nothing", "--output", out).exit_code == 1
    assert out.read_bytes() == before
    (tmp_path / "old").hardlink_to(out)  # a file is replaced, not written into
    assert run(path, *BASE, "--output", out).exit_code == 0
    assert (tmp_path / "old").read_bytes() == before != out.read_bytes()
    assert [each.name for each in out.parent.iterdir()] == ["report.json"]
    assert run(path, *BASE, "--output", "-").output.encode() == out.read_bytes()
    assert "the name must end in .html" in run(path, *BASE, "--report", "-").output
    # Links and devices are written to, not replaced.
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    assert run(path, *BASE, "--output", link).exit_code == 0
    assert link.is_symlink() and (tmp_path / "target").read_bytes() == out.read_bytes()
    if Path("/dev/full").exists():
        said = "Error: /dev/full can't be written: No space left on device.\n"
        assert run(path, *BASE, "--output", "/dev/full").output == said


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("--prevalence nan", 2, "between 0 and 1, got nan."),
        ("--trained-at model_a=1", 2, "1.0 is not in the range 0<x<1"),
        ("--trained-at 0.2 --trained-at model_a=0.3", 2, "give one share"),
        ("--trained-at a=0.2 --trained-at a=0.3", 2, "a is given twice"),
        ("--trained-at x=0.5", 2, "trained_at names 'x'; the models are"),
        ("--at flagged<0.1", 2, "got 'flagged<0.1'"),
        ("--output .", 2, "File '.' is a directory."),
        ("--report page.txt", 2, "the name must end in .html."),
        ("--at precision>=0.99", 2, "Model 'model_a': No threshold meets prec"),
        ("--label clas", 1, "has no column clas. Did you mean 'class'?"),
    ],
)
def test_mistakes_on_the_command_line_are_code_2_and_of_files_code_1(path, options, code, message):
    done = run(path, *BASE, *options.split())
    assert (done.exit_code, done.output.count("\n")) == (code, 4 if code == 2 else 1)
    assert message in done.output
    assert "there is no file none.csv" in run("none.csv").output


def test_a_reader_that_leaves_is_no_error(path):
    """As head does: no traceback, no message."""
    with subprocess.Popen([*COMMAND, path, *BASE], stdout=-1, stderr=-1) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_page_is_one_offline_file_and_the_same_each_time(path, tmp_path):
    pages = [tmp_path / f"{name}.html" for name in "ab"]
    for page in pages:
        assert run(path, *BASE, "--cost-ratio", 5, "--report", page).exit_code == 0
    first, second = (page.read_text().replace(str(page), "") for page in pages)
    assert first == second
    costs = "Kappa, AUK and H where a missed positive costs 5 false alarms"
    for part in ("<svg role=", "No difference is", "Paired tests", "--report", costs):
        assert part in first
    assert not re.search(r"(src|href)=.http", first)
    assert first.index("<h1>Which model is better?") < first.index("<svg") < first.index("<table")
    assert first.count("--score was not given") == 1


def test_folds_are_told_apart_by_all_their_digits(tmp_path):
    path = wide(tmp_path, day=DAY, **SCORES)
    options = (path, "--label", "y", "--cv", "day", "--exclude", "day")
    assert {row["fold"] for row in report(*options)["folds"]} == {*map(str, DAY), "mean"}
    path = wide(tmp_path, day=np.where(np.arange(N) < 100, "mean", "b"), **SCORES)
    assert "A fold can't be called mean" in run(path, "--label", "y", "--cv", "day").output


def test_decimal_commas_and_scores_that_are_lower_for_positives(tmp_path):
    path = wide(tmp_path, ";", low=-SCORES["model_a"])
    options = (path, "--label", "y", "--decimal", ",")
    found = report(*options, "--lower", "low")["models"]["low"]
    expected = measures(Y, SCORES["model_a"])
    assert found["auc"]["estimate"] == expected["auc"]
    assert found["operating_point"]["threshold"] == -expected["threshold"]
    path.write_text(path.read_text().replace(",", ".", 1))
    assert "has a point, and the decimal is a comma" in run(*options).output


@pytest.mark.parametrize("command", ["measure", "explore"])
def test_no_output_replaces_the_data_or_another_output(path, tmp_path, command):
    (tmp_path / "sub").mkdir()
    same = tmp_path / "sub" / ".." / "scores.csv"
    done = CliRunner().invoke(main, [command, str(path), *BASE, "--output", str(same)])
    assert done.exit_code == 2
    assert "is the file of scores: give it another name" in done.output
    assert path.read_text() == CONTENT
    page = tmp_path / "page.html"
    said = run(path, *BASE, "--output", page, "--report", page).output
    assert f"--report {page} is --output: give it another name" in said
    assert not page.exists()


@pytest.mark.parametrize("patient", [PATIENT, np.arange(N) // 4])
def test_groups_that_nobody_named_are_asked_for(tmp_path, patient):
    path = wide(tmp_path, patient=patient, **SCORES)
    found = report(path, "--label", "y")
    assert list(found["models"]) == list(SCORES)
    assert "give --group patient" in found["conclusion"][0]
    text = run(path, "--label", "y").output
    assert text.splitlines()[0].endswith("; values of patient repeat")
    assert "): patient." in text
    assert "repeat" not in run(path, "--label", "y", "--group", "patient").output


def test_a_killed_command_leaves_no_copy_of_what_was_piped(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([*COMMAND, "-", *BASE], stdin=-1, env=environment) as process:
        # More than the pipe holds: when it is written, the command has copied most of it.
        process.stdin.write(b"class,model\n" + b"good,0.25\n" * 300_000)
        process.kill()
    assert list(tmp_path.iterdir()) == []


PROBABILITIES = {
    "good": 1 / (1 + np.exp(3 - RNG.normal(size=N) - 2.4 * Y)),
    "poor": RNG.uniform(0, 0.4, N),
}


def test_net_benefit_against_the_better_default_and_the_other_model(tmp_path):
    path = wide(tmp_path, **PROBABILITIES)
    good, poor = PROBABILITIES.values()
    options = [path, "--label", "y", "--net-benefit", 0.05, "--net-benefit", 0.3]
    low, found = report(*options, "--prevalence", 0.1)["net_benefit"]
    assert low["flag_all"] == pytest.approx(0.1 - 0.9 / 19)
    at = {"measure": "net_benefit", "prevalence": 0.1}
    for own, pair, tau in (
        (found["models"]["good"]["gain"], (good, np.zeros(N)), 0.3),
        (low["models"]["poor"]["gain"], (poor, np.ones(N)), 0.05),
        (found["tests"][0], (good, poor), 0.3),
    ):
        test = paired_test(Y, *pair, threshold=tau, **at)
        assert [own["difference"], own["low"]] == pytest.approx([test.difference, test.low])
        assert own["p_value"] == pytest.approx(test.p_value)
    ends = interval(Y, good, threshold=0.3, **at)
    assert found["models"]["good"]["low"] == pytest.approx(ends.low)


def test_the_words_and_gains_of_net_benefits_by_hand(tmp_path):
    """At 0.2 flagging all 20 of 60 and 40 others is worth 1/3 - 2/3/4, at 0.5 less than nothing."""
    y = np.arange(60) < 20
    models = {"sure": np.where(y, 0.9, 0.1), "half": np.where(np.arange(60) < 10, 0.9, 0.1)}
    table = pd.DataFrame({"y": y.astype(int), **models, "none": np.full(60, 0.2)})
    table.to_csv(tmp_path / "s.csv", index=False)
    options = [tmp_path / "s.csv", "--label", "y", "--score", "sure", "--score", "half"]
    options += ["--score", "none", "--net-benefit", 0.2, "--net-benefit", 0.5]
    for more in ([], ["--no-intervals"]):
        at = report(*options, *more)["net_benefit"]
        gains = [[own["gain"]["difference"] for own in each["models"].values()] for each in at]
        assert gains[0] == pytest.approx([1 / 6, 0, 0], abs=1e-12)
        assert gains[1] == pytest.approx([1 / 3, 1 / 6, 0], abs=1e-12)
        assert [each["flag_all"] for each in at] == pytest.approx([1 / 6, -1 / 3])
        text = run(*options, *more).output
        chance = "" if more else ", which is more than chance"
        assert f"At 0.2 sure gains 0.1667 per row over flagging all rows{chance}.\n" in text
        assert f"At 0.5 sure gains 0.3333 per row over flagging nobody{chance}.\n" in text
        assert text.count("p, of pairs max-t") == (0 if more else 2)
    # The ten hits of half are worth 10/60, as much as flagging all but for rounding.
    del options[3:5]
    text = run(*options).output
    assert "At 0.2 no model is better than flagging all rows.\n" in text
    assert "more than flagging all rows  p\n" in text


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_positive", [1, 2])
def test_a_net_benefit_has_an_interval_from_two_rows_of_a_class_on(tmp_path, n_positive):
    lines = [f"{int(i < n_positive)},{(9 - i) / 10}" for i in range(9)]
    (tmp_path / "few.csv").write_text("y,a\n" + "\n".join(lines))
    (found,) = report(tmp_path / "few.csv", "--label", "y", "--net-benefit", 0.85)["net_benefit"]
    assert found["models"]["a"]["estimate"] == pytest.approx(1 / 9)
    assert (found["models"]["a"]["low"] is None) == (n_positive == 1)


def test_scores_that_are_no_probabilities_take_the_best_threshold_of_a_net_benefit(tmp_path):
    path = wide(tmp_path, **PROBABILITIES, weight=1 + Y)
    options = [path, "--label", "y", "--net-benefit", 0.3, "--lower", "poor", "--weight", "weight"]
    (found,) = report(*options, "--no-intervals")["net_benefit"]
    at = {"thresholds": 0.3, "sample_weight": 1 + Y, "at": "best"}
    expected = float(net_benefit(Y, -PROBABILITIES["poor"], **at))
    assert found["models"]["poor"]["estimate"] == pytest.approx(expected)
    assert found["models"]["good"]["low"] is None
    assert "each model at the score that is best for it" in run(*options).output
