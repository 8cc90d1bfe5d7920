"""``kappacurve measure``: its numbers against others', its formats, its manners."""

import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hmeasure import h_score
from sklearn.metrics import cohen_kappa_score, roc_auc_score, roc_curve

from kappacurve import (
    auk_interval,
    auk_score,
    auk_test,
    bootstrap_intervals,
    bootstrap_tests,
    delong_interval,
    delong_test,
    measures,
)
from kappacurve.cli.main import COMMANDS, main
from kappacurve.cli.measure import repeat_option

N = 300
RNG = np.random.default_rng(3)
Y = np.arange(N) % 5 == 0
SCORES = {
    "model_a": RNG.normal(size=N) + Y,
    "model_b": RNG.normal(size=N) + 0.7 * Y,
}
CONTENT = "row,class,model_a,model_b,remark\n" + "".join(
    f"r{i},{'bad' if y else 'good'},{a!r},{b!r},none\n"
    for i, (y, a, b) in enumerate(
        zip(Y, SCORES["model_a"].tolist(), SCORES["model_b"].tolist(), strict=True)
    )
)
BASE = ["--label", "class", "--positive", "bad"]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(CONTENT)
    return path


@pytest.fixture
def run():
    def run(*arguments, **options):
        return CliRunner().invoke(main, ["measure", *map(str, arguments)], **options)

    return run


def report(done):
    assert done.exit_code == 0, done.output

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(done.output, parse_constant=refuse)


def test_measures_are_those_of_others_and_of_the_library(run, path):
    found = report(run(path, *BASE, "--format", "json"))
    assert (found["n"], found["n_positive"], found["n_negative"]) == (300, 60, 240)
    assert (found["positive"], found["negative"]) == ("bad", "good")
    assert found["prevalence"] == 0.2
    assert list(found["models"]) == ["model_a", "model_b"]
    for name, model in found["models"].items():
        score = SCORES[name]
        value = {k: v["estimate"] for k, v in model.items() if k != "operating_point"}
        assert value["auc"] == pytest.approx(roc_auc_score(Y, score), abs=1e-12)
        fpr, tpr, _ = roc_curve(Y, score, drop_intermediate=False)
        assert value["ks"] == pytest.approx(np.max(tpr - fpr), abs=1e-12)
        scaled = (score - score.min()) / np.ptp(score)
        assert value["h"] == pytest.approx(h_score(Y, scaled, severity_ratio=1), abs=1e-9)
        predicted = score >= model["operating_point"]["threshold"]
        assert value["kappa_max"] == pytest.approx(cohen_kappa_score(Y, predicted), abs=1e-12)
        expected = measures(Y, score)
        assert value == {k: expected[k] for k in value}
        assert model["operating_point"] == {k: expected[k] for k in ("threshold", "fpr", "tpr")}


def test_intervals_and_tests_are_the_library_s(run, path):
    found = report(run(path, *BASE, "--format", "json", "--confidence", 0.9))
    options = {"confidence": 0.9, "scale": "logit"}
    for name, model in found["models"].items():
        for measure, expected in (
            ("auc", delong_interval(Y, SCORES[name], **options)),
            ("auk", auk_interval(Y, SCORES[name], **options)),
        ):
            values = {key: model[measure][key] for key in expected._fields}
            assert values == pytest.approx(expected._asdict(), abs=1e-15)
        assert model["gini"]["low"] == 2 * model["auc"]["low"] - 1
        assert model["h"]["low"] is None
    auc, auk = found["tests"]
    first, second = SCORES.values()
    for test, expected in (
        (auc, delong_test(Y, first, second, confidence=0.9)),
        (auk, auk_test(Y, first, second, confidence=0.9)),
    ):
        assert {k: test[k] for k in expected._fields} == expected._asdict()
        assert (test["first"], test["second"]) == ("model_a", "model_b")


def test_prevalence_and_sampling_reach_the_library(run, path):
    arguments = (path, *BASE, "--format", "json")
    model = report(run(*arguments, "--prevalence", 0.02))["models"]["model_a"]
    assert model["auk"]["estimate"] == auk_score(Y, SCORES["model_a"], prevalence=0.02)
    expected = auk_interval(Y, SCORES["model_a"], prevalence=0.02, scale="logit")
    assert model["auk"]["high"] == expected.high
    model = report(run(*arguments, "--sampling", "random"))["models"]["model_a"]
    expected = auk_interval(Y, SCORES["model_a"], sampling="random", scale="logit")
    assert model["auk"]["standard_error"] == expected.standard_error


def test_bootstrap_gives_every_measure_an_interval(run, path):
    arguments = (path, *BASE, "--format", "json", "--bootstrap", 60, "--seed", 4)
    found = report(run(*arguments))
    assert found == report(run(*arguments))
    assert found["bootstrap"] == {
        "resamples": 60,
        "seed": 4,
        "method": "bca",
        "method_of_maxima_and_hulls": "debiased",
    }
    expected = {
        method: bootstrap_intervals(Y, SCORES["model_b"], method=method, n_resamples=60, seed=4)
        for method in ("bca", "debiased")
    }
    for measure, values in found["models"]["model_b"].items():
        if measure != "operating_point":
            method = "bca" if measure in ("auc", "gini", "auk") else "debiased"
            assert values == expected[method][measure]._asdict() | {
                "method": f"bootstrap_{method}",
                "scale": None,
            }
    assert any("lie too high in a sample" in note for note in found["notes"])
    pair = bootstrap_tests(Y, *SCORES.values(), n_resamples=60, seed=4)
    tests = {test["measure"]: test for test in found["tests"]}
    assert tests["h"]["p_value"] == pair["h"].p_value
    assert tests["kappa_max"]["method"] == "bootstrap"
    assert tests["auc"] == {
        **{"first": "model_a", "second": "model_b", "measure": "auc", "method": "bootstrap"},
        **pair["auc"]._asdict(),
        "p_holm": pair["auc"].p_value,
    }


def test_bootstrap_of_many_rows_needs_no_row_left_out(run, path, monkeypatch):
    from kappacurve.cli import _report

    monkeypatch.setattr(_report, "MOST_ROWS_FOR_BCA", N - 1)
    found = report(run(path, *BASE, "--format", "json", "--bootstrap", 60, "--seed", 4))
    expected = bootstrap_intervals(Y, SCORES["model_a"], n_resamples=60, seed=4)
    model = found["models"]["model_a"]
    assert (model["auk"]["method"], model["h"]["method"]) == (
        "bootstrap_percentile",
        "bootstrap_debiased",
    )
    for measure in ("auk", "h"):
        assert model[measure]["low"] == expected[measure].low
    text = run(path, *BASE, "--bootstrap", 60, "--seed", 4).output
    assert "95 % intervals: bootstrap, 60 resamples, seed 4; class ratio fixed" in text
    assert "AUC, Gini and AUK percentile, hulls and maxima less their bias" in text
    assert "Hulls and maxima (AUCH, KS, AUK of the hull, H, maximum kappa) lie too high" in text


def test_p_values_of_many_pairs_are_adjusted(run, path):
    three = path.with_name("three.csv")
    header, *lines = CONTENT.splitlines()
    last = RNG.normal(size=N) + 0.2 * Y
    rows = [f"{line},{c!r}" for line, c in zip(lines, last.tolist(), strict=True)]
    three.write_text("\n".join([f"{header},model_c", *rows]) + "\n")
    found = report(run(three, *BASE, "--format", "json"))
    for measure in ("auc", "auk"):
        tests = [test for test in found["tests"] if test["measure"] == measure]
        by_p = sorted(tests, key=lambda test: test["p_value"])
        expected, floor = [], 0.0
        for test, times in zip(by_p, (3, 2, 1), strict=True):
            floor = max(floor, min(1.0, times * test["p_value"]))
            expected.append(floor)
        assert [test["p_holm"] for test in by_p] == pytest.approx(expected)
        assert by_p[0]["p_holm"] > by_p[0]["p_value"]
    text = run(three, *BASE).output
    assert "two-sided p, and adjusted for the 3 pairs (Holm)" in text
    assert f"p = {by_p[0]['p_value']:.2g}" in text
    assert f"Holm {by_p[0]['p_holm']:.2g}" in text
    table = list(csv.DictReader(io.StringIO(run(three, *BASE, "--format", "csv").stdout)))
    written = {row["p_holm"] for row in table if row["kind"] == "test" and row["measure"] == "auk"}
    assert written == {repr(test["p_holm"]) for test in by_p}
    # One pair has nothing to adjust: the column is there, the text is as short as before.
    [one] = {
        test["p_holm"] - test["p_value"]
        for test in report(run(path, *BASE, "--format", "json"))["tests"]
    }
    assert one == 0
    assert "Holm" not in run(path, *BASE).output


def test_the_scale_of_the_intervals_is_said(run, path):
    assert "95 % intervals, logit scale: AUC and Gini by DeLong" in run(path, *BASE).output
    model = report(run(path, *BASE, "--format", "json"))["models"]["model_a"]
    scales = {name: one["scale"] for name, one in model.items() if name != "operating_point"}
    assert {name for name, scale in scales.items() if scale == "logit"} == {"auc", "gini", "auk"}
    rows = list(csv.DictReader(io.StringIO(run(path, *BASE, "--format", "csv").stdout)))
    assert {row["measure"] for row in rows if row["scale"] == "logit"} == {"auc", "gini", "auk"}


@pytest.mark.parametrize("options", [[], ["--bootstrap", 30]])
def test_one_score_for_all_rows_has_no_interval(run, path, options):
    lines = CONTENT.splitlines()
    lines = [f"{lines[0]},same", *(f"{line},0.5" for line in lines[1:])]
    path.write_text("\n".join(lines))
    found = report(run(path, *BASE, "--format", "json", *options))
    for measure, values in found["models"]["same"].items():
        if measure != "operating_point":
            assert values["low"] is None, measure
    assert any(note.startswith("same gives all rows one score:") for note in found["notes"])
    tests = [test for test in found["tests"] if test["second"] == "same"]
    assert all(test["p_value"] is not None for test in tests)  # the other model varies


def test_no_intervals(run, path):
    found = report(run(path, *BASE, "--no-intervals", "--format", "json"))
    assert found["tests"] == []
    assert found["models"]["model_a"]["auc"]["low"] is None
    assert run(path, *BASE, "--no-intervals", "--bootstrap", 9).exit_code == 2


@pytest.mark.parametrize(("n_positive", "has_interval"), [(9, False), (10, True)])
def test_few_rows_of_a_class(run, tmp_path, n_positive, has_interval):
    path = tmp_path / "few.csv"
    rows = [(i < n_positive, (7 * i) % 40) for i in range(40)]
    path.write_text("y,a,b\n" + "".join(f"{int(y)},{a},{a % 9}\n" for y, a in rows))
    found = report(run(path, "--label", "y", "--format", "json"))
    assert (found["models"]["a"]["auk"]["low"] is not None) == has_interval
    assert bool(found["tests"]) == has_interval
    said = any("they need 10 rows of each class, there are 9" in n for n in found["notes"])
    assert said != has_interval
    drawn = report(run(path, "--label", "y", "--format", "json", "--bootstrap", 20))
    assert drawn["models"]["a"]["auk"]["low"] is not None


def test_one_row_of_a_class(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("y,a,b\n1,3,1\n0,2,2\n0,1,3\n")
    found = report(run(path, "--label", "y", "--bootstrap", 20, "--format", "json"))
    assert found["models"]["a"]["auc"] == {
        "estimate": 1.0,
        "standard_error": None,
        "low": None,
        "high": None,
        "method": None,
        "scale": None,
    }
    assert any("they need 2 rows of each class, there are 1" in note for note in found["notes"])


def test_infinite_numbers_are_null(run, tmp_path):
    """Scores that are always wrong: predict no positives; a difference without variance."""
    path = tmp_path / "wrong.csv"
    rows = [(i < 12, i) for i in range(30)]
    path.write_text("y,right,wrong\n" + "".join(f"{int(y)},{-i},{i}\n" for y, i in rows))
    found = report(run(path, "--label", "y", "--format", "json"))
    assert found["models"]["wrong"]["operating_point"]["threshold"] is None
    for test in found["tests"]:
        assert test["difference"] > 0
        for name in ("standard_error", "statistic", "low", "high", "p_value", "p_holm"):
            assert test[name] is None
    for name in ("right", "wrong"):
        assert found["models"][name]["auc"]["low"] is None
    text = run(path, "--label", "y").output
    assert "p = " not in text
    assert "AUC  +1.0000  no test" in text
    assert "Note: No test where a difference is the same whatever rows are drawn" in text
    assert "right separates the classes perfectly: these rows can't give an interval of AUC" in text
    assert "wrong separates the classes perfectly, the wrong way round: these rows can't" in text
    [note] = [note for note in found["notes"] if note.startswith("wrong ranks worse than chance")]
    assert note.endswith("rise with y = 0? Then give --positive 0, or negate the column.")
    assert "none: predict no positives" in run(path, "--label", "y").output


@pytest.mark.parametrize("prevalence", ["0.999999", "0.999999999", "0.000000001"])
def test_perfect_scores_at_an_extreme_prevalence(run, tmp_path, prevalence):
    """Their AUK is the highest that there is, where the logit scale ends."""
    path = tmp_path / "perfect.csv"
    path.write_text("y,a\n" + "".join(f"{int(i > 25)},{i}\n" for i in range(40)))
    found = report(run(path, "--label", "y", "--prevalence", prevalence, "--format", "json"))
    auk = found["models"]["a"]["auk"]
    highest = auk_score([0, 1], [0, 1], prevalence=float(prevalence))
    assert auk["estimate"] == pytest.approx(highest, rel=1e-6)
    assert auk["low"] is auk["high"] is None


def test_measures_that_disagree_are_pointed_out(run, tmp_path):
    """Two positives of four at the top, or all in the middle."""
    path = tmp_path / "s.csv"
    path.write_text(
        "y,early,even\n1,9,7\n1,8,6\n1,1,5\n1,0,4\n0,7,9\n0,6,8\n0,5,2\n0,4,1\n0,3,0\n0,2,-1\n"
    )
    arguments = (path, "--label", "y", "--prevalence", 0.05)
    found = report(run(*arguments, "--format", "json"))
    [pair] = found["disagreements"]
    values = {
        name: {k: v["estimate"] for k, v in model.items() if k != "operating_point"}
        for name, model in found["models"].items()
    }
    for measure in pair["first_preferred_by"]:
        assert values["early"][measure] > values["even"][measure]
    for measure in pair["second_preferred_by"]:
        assert values["early"][measure] < values["even"][measure]
    assert "auc" in pair["second_preferred_by"]
    assert "h" in pair["first_preferred_by"]
    text = run(*arguments).output
    assert "THE MEASURES RANK THESE MODELS DIFFERENTLY" in text
    assert "  even above early: AUC" in text
    rows = csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout))
    rows = [row for row in rows if row["kind"] == "disagreement"]
    for side, other in (("first", "second"), ("second", "first")):
        mine = [row for row in rows if row["model"] == pair[side]]
        assert [row["measure"] for row in mine] == pair[f"{side}_preferred_by"]
        assert {row["compared_with"] for row in mine} == {pair[other]}
        assert all(float(row["estimate"]) > 0 for row in mine)


def test_models_that_all_measures_rank_alike(run, tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("y,a,b\n1,9,1\n1,8,1\n0,7,1\n0,6,1\n")
    found = report(run(path, "--label", "y", "--format", "json"))
    assert found["disagreements"] == []
    assert "All measures rank the models alike." in run(path, "--label", "y").output


def test_table(run, path):
    text = run(path, *BASE, "--score", "model_a", "model_b").output
    assert f"{path}: 300 rows, 60 positive (class = bad), 240 negative (class = good)" in text
    assert "Prevalence 0.2, the share of positives" in text
    found = delong_interval(Y, SCORES["model_a"], scale="logit")
    assert f"{found.estimate:.4f} ({found.low:.4f} to {found.high:.4f})" in text
    assert f"p = {auk_test(Y, *SCORES.values()).p_value:.2g}" in text
    assert "Note" not in text
    assert all(len(line) <= 100 or str(path) in line for line in text.splitlines())


def test_many_models_go_into_blocks(run, tmp_path):
    path = tmp_path / "s.csv"
    names = [f"a_rather_long_name_{i}" for i in range(7)]
    rows = [f"{i % 2}," + ",".join(str((i * k) % 11) for k in range(1, 8)) for i in range(30)]
    path.write_text("y," + ",".join(names) + "\n" + "\n".join(rows))
    text = run(path, "--label", "y").output
    assert all(name in text for name in names)
    assert text.count("maximum kappa") >= 3
    assert all(len(line) <= 100 for line in text.split("Paired")[0].splitlines()[3:])


def test_csv_is_tidy_and_has_all_digits(run, path):
    rows = list(csv.DictReader(io.StringIO(run(path, *BASE, "--format", "csv").stdout)))
    mine = [row for row in rows if (row["kind"], row["model"]) == ("measure", "model_a")]
    auk = [row for row in mine if row["measure"] == "auk"]
    assert [float(row["estimate"]) for row in auk] == [auk_score(Y, SCORES["model_a"])]
    assert {row["kind"] for row in rows} == {"measure", "operating_point", "test"}
    assert all(None not in row and float(row["prevalence"]) == 0.2 for row in rows)
    [test] = [row for row in rows if row["kind"] == "test" and row["measure"] == "auk"]
    assert float(test["p_value"]) == auk_test(Y, *SCORES.values()).p_value
    assert (test["model"], test["compared_with"]) == ("model_a", "model_b")


def test_notes_beside_csv_go_to_standard_error(run, path):
    done = run(path, *BASE, "--format", "csv")
    assert "Note: Columns left out, as they hold no numbers or few: row, remark." in done.stderr
    assert "Note" not in done.stdout


def test_scores_left_out_are_named(run, path):
    text = run(path, *BASE).output
    assert "--score was not given: all columns of numbers, model_a, model_b." in text
    assert "Columns left out, as they hold no numbers or few: row, remark." in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["FILE", *BASE, "--score", "model_b", "model_a"],
        ["FILE", *BASE, "--score", "model_b", "--score", "model_a"],
        ["FILE", "--score=model_b", "model_a", *BASE],
        ["--score", "model_b", "model_a", *BASE, "FILE"],
        [*BASE, "--score", "model_b", "model_a", "FILE"],
        [*BASE, "--score", "model_b", "model_a", "--", "FILE"],
        [*BASE, "--score", "model_b", "model_a", "-"],
    ],
)
def test_ways_to_name_scores(run, path, arguments):
    words = [path if word == "FILE" else word for word in arguments]
    # The same rows twice: in the file, and on standard input for "-".
    found = report(run("--format=json", *words, input=CONTENT))
    assert list(found["models"]) == ["model_b", "model_a"]


def test_repeated_option():
    assert repeat_option("-s", ["x", "-s", "a", "b", "-t", "c"]) == [
        "x",
        "-s",
        "a",
        "-s",
        "b",
        "-t",
        "c",
    ]
    assert repeat_option("-s", ["-s", "a", "--", "b"]) == ["-s", "a", "--", "b"]
    assert repeat_option("-s", ["-s"]) == ["-s"]


def test_standard_input(run):
    found = report(run("-", *BASE, "--format", "json", input=CONTENT))
    assert found["file"] == "standard input"
    assert found["n"] == N


def test_output_is_written_whole_or_not_at_all(run, path, tmp_path):
    out = tmp_path / "out" / "report.json"
    out.parent.mkdir()
    done = run(path, *BASE, "--format", "json", "--output", out)
    assert (done.exit_code, done.output) == (0, "")
    before = out.read_bytes()
    assert json.loads(before)["n"] == N
    assert run(path, "--label", "nothing", "--output", out).exit_code == 1
    assert out.read_bytes() == before
    assert [each.name for each in out.parent.iterdir()] == ["report.json"]


def test_links_and_devices_are_not_replaced(run, path, tmp_path):
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    assert run(path, *BASE, "--output", link).exit_code == 0
    assert link.is_symlink()
    assert "300 rows" in target.read_text()
    assert run(path, *BASE, "--output", "/dev/null").exit_code == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_full_disk(run, path):
    done = run(path, *BASE, "--output", "/dev/full")
    assert (done.exit_code, done.output) == (
        1,
        "Error: /dev/full can't be written: No space left on device.\n",
    )
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, str(path), *BASE]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert ended.returncode == 1
    assert ended.stderr == b"Error: The report can't be written: No space left on device.\n"


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_plot(run, path, tmp_path, suffix):
    first, second = tmp_path / f"first.{suffix}", tmp_path / f"second.{suffix}"
    for picture in (first, second):
        assert run(path, *BASE, "--plot", picture, "--prevalence", 0.1).exit_code == 0
    assert first.read_bytes() == second.read_bytes()
    start = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[suffix]
    assert first.read_bytes().startswith(start)
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        f"first.{suffix}",
        "scores.csv",
        f"second.{suffix}",
    ]


def test_plot_of_many_rows_and_odd_names_is_small(run, tmp_path, rng):
    y, score = np.arange(20_000) % 2, rng.normal(size=20_000)
    path = tmp_path / "s.csv"
    lines = (f"{a},{b},{b:.1f}" for a, b in zip(y, (score + y).tolist(), strict=True))
    path.write_text("y,$x_,_b\n" + "\n".join(lines))
    assert run(path, "--label", "y", "--plot", tmp_path / "p.svg").exit_code == 0
    assert (tmp_path / "p.svg").stat().st_size < 1_500_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing FILE"),
        (["FILE", "--score", "model_a"], "Missing option '--label'"),
        (["FILE", "--label", "class", "--prevalence", "1"], "1.0 is not in the range 0<x<1"),
        (["FILE", "--label", "class", "--prevalence", "nan"], "nan is not a number."),
        (["FILE", "--label", "class", "--prevalence", "1e-320"], "is not in the range 0<x<1"),
        (["FILE", "--label", "class", "--confidence", "nan"], "nan is not a number."),
        (["FILE", "--label", "class", "--plot", "x.jpg"], "the name must end in .pdf, .svg, .png."),
        (["FILE", "--label", "class", "--output", "no/x.csv"], "there is no folder no."),
        (["FILE", "--label", "class", "--output", "."], ". is a folder"),
        (["FILE", "--label", "class", "--delimiter", "ab"], "give one character such as"),
        (["FILE", "--label", "class", "--format", "xml"], "'xml' is not one of"),
        (["FILE", "--label", "class", "--bootstrap", "1"], "1 is not in the range x>=2"),
        (["FILE", "--labl", "class"], "No such option"),
    ],
)
def test_mistakes_on_the_command_line_are_code_2(run, path, arguments, message):
    done = run(*[path if word == "FILE" else word for word in arguments or ["--label", "y"]])
    assert done.exit_code == 2
    assert message in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--label", "class"], "holds 'bad' and 'good': say which class is positive, --positive b"),
        (["--label", "clas", "--positive", "bad"], "has no column clas. Did you mean 'class'?"),
        ([*BASE, "--score", "remark"], "scores.csv, line 2, column remark: 'none' is not a number"),
    ],
)
def test_files_that_do_not_fit_are_code_1(run, path, arguments, message):
    done = run(path, *arguments)
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert message in done.output
    assert done.output.count("\n") == 1


def test_named_delimiters(run, tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text(CONTENT.replace(",", "\t"))
    for name in ("tab", "\\t", "\t"):
        assert run(path, *BASE, "--delimiter", name).exit_code == 0
    assert run(path, *BASE, "--delimiter", ";").exit_code == 1


COMMAND = [sys.executable, "-m", "kappacurve.cli.main", "measure"]


def test_a_reader_that_leaves_is_no_error(path):
    """As head does: no traceback, no message."""
    command = [*COMMAND, str(path), *BASE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == b""


def test_ctrl_c_is_quiet(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*COMMAND, str(pipe), *BASE]
    with (
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Tests in the background ignore the signal, and their children would too.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as process,
        pipe.open("w"),  # opens when the command has opened it too
    ):
        # A signal that comes between two instructions and a blocking read waits for the next one.
        for _ in range(60):
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)
                break
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert output == b""
    assert errors.strip() == b"Aborted!"


LIMITED = """
import resource, sys
import pandas
from pathlib import Path
from kappacurve.cli.main import main

small, large, *options = sys.argv[1:]
main(["measure", small, *options], standalone_mode=False)  # all libraries are loaded now
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 25 * 2**20,) * 2)
main(["measure", large, *options])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="tells memory by /proc")
def test_a_file_larger_than_memory_is_one_sentence(path, tmp_path):
    lines = path.read_text().splitlines()
    large = tmp_path / "large.csv"
    large.write_text("\n".join([lines[0], *lines[1:] * (1_500_000 // len(lines))]))
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), str(large), *BASE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"Error: {large} does not fit into memory.\n"


def test_rows_that_are_too_many_to_measure_are_one_sentence(run, path, monkeypatch):
    def report_of(*_):
        raise MemoryError

    monkeypatch.setattr("kappacurve.cli._report.report_of", report_of)
    result = run(path, *BASE)
    assert result.exit_code == 1
    assert re.search(
        r"^Error: \d+ rows do not fit into memory: try --no-intervals\.$", result.stderr
    )


def test_help_needs_no_heavy_import():
    code = (
        "import sys; from kappacurve.cli.main import main\n"
        "try: main(['measure', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'scipy', 'pandas', 'numba', 'matplotlib', 'sklearn', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_every_command_is_listed():
    folder = Path(sys.modules["kappacurve.cli.measure"].__file__).parent
    modules = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert modules == {*COMMANDS, "main"}
    assert CliRunner().invoke(main, ["nothing"]).exit_code == 2
