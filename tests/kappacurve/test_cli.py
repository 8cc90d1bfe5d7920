"""The command: one answer in text, JSON and Python, and mistakes in one line."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import compare
from kappacurve.cli import main
from kappacurve.comparison.audit import check_printed, describe_check

RANDOM = np.random.default_rng(11)
N = 200
Y = (np.arange(N) % 5 == 0).astype(int)
FRAME = pd.DataFrame({"y": np.where(Y == 1, "bad", "good"), "a": RANDOM.normal(size=N) + 1.2 * Y})
FRAME["b"] = 1 / (1 + np.exp(-RANDOM.normal(size=N) - Y))
FRAME["w"], FRAME["patient"] = RANDOM.uniform(1, 2, N), np.arange(N) // 2
OPTIONS = ["--label", "y", "--positive", "bad", "--score", "a", "--score", "b"]
AUDIT = ["audit", "--auc", "0.7186", "--auk", "0.1753", "--prevalence", "0.11"]


@pytest.fixture
def path(tmp_path):
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path / "scores.csv"


def run(*arguments, code=0):
    found = CliRunner().invoke(main, [*map(str, arguments)])
    assert found.exit_code == code, found.output
    return found.stdout if code == 0 else found.stderr


def run_json(*arguments):
    return json.loads(run(*arguments, "--format", "json"))


AT = ["--at", "flagged<=0.1", "--at", 0.5]
GROUPED = {"sample_weight": FRAME["w"], "groups": FRAME["patient"]}
GROUPED |= {"prevalence": 0.05, "confidence_level": 0.9}
CASES = [
    ([], {}),
    (["--cost-ratio", 20, *AT], {"cost_ratio": 20, "at": ["flagged<=0.1", 0.5]}),
    (["--weight=w", "--group=patient", "--prevalence", "5 %", "--confidence-level", 0.9], GROUPED),
    (["--resamples", 50], {"n_resamples": 50}),
]


@pytest.mark.parametrize(("options", "keywords"), CASES)
def test_text_json_and_python_have_the_same_numbers(path, options, keywords):
    expected = compare(FRAME["y"], FRAME[["a", "b"]], pos_label="bad", **keywords).to_dict()
    found = run_json("measure", path, *OPTIONS, *options)
    names = ("file", "label", "positive", "negative", "group", "weight", "fold")
    grouping = ["patient", "w"] if "groups" in keywords else [None, None]
    heads = [str(path), "y", "bad", "good", *grouping, None]
    assert [found.pop(name) for name in names] == heads
    own = expected.pop("notes")
    notes = found.pop("notes")
    assert notes[len(notes) - len(own) :] == own
    assert found == expected
    lines = run("measure", path, *OPTIONS, *options)
    assert lines.startswith(f"{path}: 200 rows, 40 positive (y = bad), 160 negative (y = good)")
    for row in [*found["measures"], *found["decisions"]]:
        places = ".1f" if row.get("quantity") == "expected_loss" else ".4f"
        digits = f"{row['estimate']:{places}}"
        if row["low"] is not None:
            digits += f" ({row['low']:{places}} to {row['high']:{places}})"
        assert digits in lines
    whole = " ".join(lines.split())
    how = f", in {N // 2} groups (patient), weighted by w Measures at"
    assert (how in whole) == ("groups" in keywords)
    for sentence in [*found["sentences"], *notes]:
        assert " ".join(sentence.split()) in whole


def test_terms_are_explained_on_demand(path):
    plain = run("measure", path, *OPTIONS)
    explained = run("measure", path, *OPTIONS, "--explain")
    assert explained.startswith(plain)
    assert "\n\nAUC: the chance that" in explained[len(plain) - 1 :]


def test_lower_scores_that_mean_positive(path):
    found = run_json("measure", path, *OPTIONS, "--at", "recall>=0.8")
    FRAME.assign(a=-FRAME["a"], **{"-b": 1.5}).to_csv(path, index=False)
    lower = run_json("measure", path, *OPTIONS, "--at", "recall>=0.8", "--lower", "a")
    for key in ("measures", "decisions"):
        assert {row["model"] for row in lower[key]} == {"-a", "b"}
        assert [row["estimate"] for row in lower[key]] == [row["estimate"] for row in found[key]]
    assert "-a is a negated, as are its thresholds." in lower["notes"]
    refused = run("measure", path, *OPTIONS, "--score=-b", "--lower", "b", code=2)
    assert "there is a column -b, too" in refused
    refused = run("measure", path, *OPTIONS[:4], "--score", "b", "--lower", "a", code=2)
    assert "--lower a: name this score by --score a, too." in refused


def test_a_ranking_from_below_is_advised_what_can_be_followed(path):
    """Of a score that --lower negated, too, which is no score that --lower can name."""
    advice = "the AUC is clearly below 0.5, so low values seem to mean positive: negate the "
    advice += "scores (by --lower, or without it where it is given)."
    other_class = "If the other class is the one to be found, state that by --positive"
    negated = run_json("measure", path, *OPTIONS, "--lower", "a")["notes"]
    assert f"-a: {advice}" in negated
    assert not any(note.startswith(other_class) for note in negated)  # b ranks well
    good = run_json("measure", path, "--label", "y", "--positive", "good", *OPTIONS[4:])["notes"]
    assert f"a: {advice}" in good
    assert any(note.startswith(other_class) for note in good)


def test_output_report_and_page(path, tmp_path):
    file, page = tmp_path / "out.txt", tmp_path / "page.html"
    assert run("measure", path, *OPTIONS, "--output", file, "--report", page) == ""
    assert file.read_text() == run("measure", path, *OPTIONS)
    report = page.read_text()
    found = run_json("measure", path, *OPTIONS)
    for text in [f"{row['estimate']:.4f}" for row in found["measures"]] + found["sentences"]:
        assert text in report
    assert "http" not in report.replace("http://www.w3.org/2000/svg", "")
    run("explore", path, *OPTIONS, "--cost-ratio", 4, "-o", page)
    assert '"cost_ratio": 4.0' in page.read_text()
    shown = CliRunner().invoke(main, ["explore", str(path), *OPTIONS, "--output", "-"])
    assert shown.stdout.lower().startswith("<!doctype html>")
    assert '"cost_ratio": 1.0' in shown.stdout
    assert shown.stderr.startswith("Values of patient repeat: ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["measure", "none.csv", "--label", "y"], 1, "none.csv can't be read: No such file"),
        (["measure", "{path}"], 2, "Missing option '--label'"),
        (["measure", "{path}", "--label", "Y"], 1, "has no column Y. Did you mean y?"),
        (["measure", "{path}", *OPTIONS[:2]], 1, "say which one is positive, --positive CLASS"),
        (["measure", "{path}", *OPTIONS, "--at", "flagged>=1"], 2, "flagged is bounded by <="),
        (["measure", "{path}", *OPTIONS, "--prevalence", 2], 2, "0<x<1: did you mean 0.02?"),
        (["measure", "{path}", *OPTIONS, "--prevalence", "110%"], 2, "not in the range 0<x<1."),
        (["measure", "{path}", *OPTIONS, "--cost-ratio", "11%"], 2, "'11%' is not a number."),
        (["measure", "{path}", *OPTIONS, "--prevalence", -1], 2, "-1.0 is not in the range 0<x<1."),
        (["measure", "{path}", *OPTIONS, "--report", "a.pdf"], 2, "end its name in .html"),
        (["explore", "{path}", *OPTIONS, "-o", "a.pdf"], 2, "end its name in .html"),
        (["measure", "{path}", *OPTIONS, "--cost-ratio", 0], 2, "0.0 is not in the range x>0"),
        (["measure", "{path}", *OPTIONS, "--output", "{path}/x"], 1, "x can't be written: Not a"),
        (["explore", "{path}", *OPTIONS], 2, "Missing option '--output'"),
        (["measure", "{path}", *OPTIONS, "--at", "1_0"], 2, "1_0"),
        (["measure", "{path}", *OPTIONS, "--cost-ratio", "1_0"], 2, "'1_0' is not a number"),
        (["measure", "{path}", *OPTIONS, "--missing-value", "bad"], 1, "is missing ('bad')"),
        (["audit", "--auc", 71, "--auk", 0.1, "--prevalence", 0.1], 2, "did you mean 0.71?"),
        (["audit", "--auc", 0.7], 2, "--auc 0.7 is not used: AUC and AUK are checked tog"),
        (["audit"], 2, "nothing to check: give rates and --rows, or --auc, --auk and --prev"),
        (["audit", "--tpr", 0.7, "--rows", 9, "--prevalence", "0.0"], 2, "strictly between 0 and"),
    ],
)
def test_mistakes_end_with_one_sentence_and_their_code(path, arguments, code, message):
    error = run(*[str(part).format(path=path) for part in arguments], code=code)
    assert message in error
    assert error.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in error


def test_outputs_are_written_whole_and_never_over_each_other(path, tmp_path):
    link, out = tmp_path / "link.csv", tmp_path / "out.txt"
    link.hardlink_to(path)
    for options in (["measure", "--output"], ["measure", "--report"], ["explore", "-o"]):
        refused = run(options[0], path, *OPTIONS, options[1], link, code=2)
        assert "is the file of scores: give the output another name" in refused
    refused = run("measure", path, *OPTIONS, "--output", out, "--report", out, code=2)
    assert f"Two outputs would be written to {out}." in refused
    assert "written to standard output" in run("measure", path, *OPTIONS, "--report", "-", code=2)
    assert run("measure", path, *OPTIONS, "--output", "-").startswith(f"{path}: 200 rows")
    run("measure", path, *OPTIONS, "--output", "/dev/null")
    out.write_text("kept")
    full = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, full[1]))
    try:
        found = CliRunner().invoke(main, ["measure", str(path), *OPTIONS, "--output", str(out)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, full)
        signal.signal(signal.SIGXFSZ, handler)
    assert found.exit_code == 1
    assert f"{out} can't be written: File too large." in found.stderr
    assert out.read_text() == "kept"
    assert {file.name for file in tmp_path.iterdir()} == {"scores.csv", "link.csv", "out.txt"}


def test_the_screen(tmp_path):
    file = tmp_path / "scores.csv"
    rows = "".join(f"{('rot', 'Łuk')[i % 3 > 0]},{i % 7}\n" for i in range(40))
    file.write_text("y,a\n" + rows, encoding="utf-8")
    command = [sys.executable, "-m", "kappacurve.cli"]
    measure = [*command, "measure", str(file), "--label", "y", "--positive", "rot"]
    audit = [*command, *AUDIT]
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(measure, env=latin, capture_output=True, check=True)
    assert b"negative (y = \\u0141uk)" in done.stdout
    for arguments in (measure, audit):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 1
        assert done.stderr == b"Error: standard output can't be written: No space left on device.\n"
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(arguments, stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        assert done.stderr == b""


def test_rows_that_do_not_fit_into_memory(path, monkeypatch):
    def fill(*_, **__):
        raise MemoryError

    monkeypatch.setattr("kappacurve.comparison.compare.compare", fill)
    assert "Error: The rows do not fit into memory." in run("measure", path, *OPTIONS, code=1)


def test_names_of_a_strange_file_are_printed_harmlessly(path):
    path.write_text("y,\x1b[31mred\n1,2.5\n0,1\n1,3\n0,2\n")
    assert "\\x1b[31mred" in run("measure", path, "--label", "y")
    assert "\\x1b[31mred" in run("measure", path, "--label", "z", code=1)


def test_audit():
    """The numbers of the check, in text and in JSON; digits are read as they are typed."""
    printed = {"fpr": "0.60", "tpr": "0.928", "kappa": "0.328"}
    options = [part for name, text in printed.items() for part in (f"--{name}", text)]
    found = check_printed(printed, rows=286, prevalence="0.11", largest_kappa=True)
    arguments = ["audit", *options, "--rows", 286, "--prevalence", "0.11", "--largest-kappa"]
    assert run_json(*arguments) == found
    assert run(*arguments) == describe_check(found)


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [(["--help"], {"numpy"}), (["--version"], {"numpy"}), (AUDIT, {"numba", "pandas", "scipy"})],
)
def test_doors_load_little(arguments, unused):
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code += f"from kappacurve.cli import main; main({arguments})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "click" in done.stderr.split()
    assert not unused & {*done.stderr.split()}
