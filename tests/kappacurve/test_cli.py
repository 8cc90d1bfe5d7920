"""The command: one answer in text, JSON and Python, and mistakes in one line."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import auk_bounds, auk_score, compare, prevalence_intervals
from kappacurve.cli import main

TWO_MODELS = str(Path(__file__).parents[2] / "docs" / "two_models.csv")
RANDOM = np.random.default_rng(11)
N = 200
Y = (np.arange(N) % 5 == 0).astype(int)
FRAME = pd.DataFrame({"y": np.where(Y == 1, "bad", "good"), "a": RANDOM.normal(size=N) + 1.2 * Y})
FRAME["b"] = 1 / (1 + np.exp(-RANDOM.normal(size=N) - Y))
FRAME["w"], FRAME["patient"] = RANDOM.uniform(1, 2, N), np.arange(N) // 2
OPTIONS = ["--label", "y", "--positive", "bad", "--score", "a", "--score", "b"]


@pytest.fixture
def path(tmp_path):
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    return str(tmp_path / "scores.csv")


def run(*arguments, code=0):
    found = CliRunner().invoke(main, [*map(str, arguments)])
    assert found.exit_code == code, found.output
    return found.stdout if code == 0 else found.stderr


CASES = [
    [],
    ["--cost-ratio", 20, "--at", "flagged<=0.1", "--at", 0.5],
    ["--weight", "w", "--group", "patient", "--prevalence", 0.05, "--confidence-level", 0.9],
    ["--weight", "w", "--cost-ratio", 0.5, "--at", "precision >= 0.99"],
]


@pytest.mark.parametrize("options", CASES)
def test_text_json_and_python_have_the_same_numbers(path, options):
    printed = run("measure", path, *OPTIONS, *options)
    found = json.loads(run("measure", path, *OPTIONS, *options, "--format", "json"))
    names = {"--cost-ratio": "cost_ratio", "--prevalence": "prevalence"}
    names["--confidence-level"] = "confidence_level"
    given = list(zip(options[::2], options[1::2], strict=True))
    keywords = {names[key]: value for key, value in given if key in names}
    keywords["at"] = [value for key, value in given if key == "--at"]
    if "--weight" in options:
        keywords["sample_weight"] = FRAME["w"]
    if "--group" in options:
        keywords["groups"] = FRAME["patient"]
    result = compare(FRAME["y"], FRAME[["a", "b"]], pos_label="bad", **keywords)
    head = ("file", "label", "positive", "negative")
    assert [found[key] for key in head] == [path, "y", "bad", "good"]
    expected = result.to_dict()
    notes, own = found.pop("notes"), expected.pop("notes")
    assert notes[-len(own) :] == own
    assert {key: value for key, value in found.items() if key not in head} == expected
    for table in ("measures", "decisions"):
        for row in found[table]:
            digits = f"{row['estimate']:.4f}"
            if row["low"] is not None:
                digits += f" ({row['low']:.4f} to {row['high']:.4f})"
            assert digits in printed
    for row in found["costs"]:
        assert f"{row['loss']:.1f} ({row['low']:.1f} to {row['high']:.1f})" in printed
    for test in found["tests"]:
        if test["measure"] != "expected_loss" and test["low"] is not None:
            assert (
                f"{test['difference']:+.4f} ({test['low']:+.4f} to {test['high']:+.4f})" in printed
            )
    whole = " ".join(printed.split())
    for sentence in [*found["sentences"], *notes]:
        assert " ".join(sentence.split()) in whole


def test_the_first_lines():
    printed = run("measure", TWO_MODELS, "--label", "positive", "--positive", 1)
    lines = printed.splitlines()
    assert lines[0] == (
        f"{TWO_MODELS}: 3000 rows, 300 positive (positive = 1), 2700 negative (positive = 0)"
    )
    assert lines[2] == "Measures at 10 % positives, with 95 % intervals"
    assert "AUC: A is better than B (p = 0.041)." in lines


def test_lower_scores_that_mean_positive(path):
    turned = FRAME.assign(a=-FRAME["a"])
    turned.to_csv(Path(path).with_name("turned.csv"), index=False)
    arguments = [*OPTIONS, "--at", "recall>=0.8", "--format", "json"]
    found = json.loads(run("measure", path, *arguments))
    file = Path(path).with_name("turned.csv")
    lower = json.loads(run("measure", file, *arguments, "--lower", "a"))
    assert [row["estimate"] for row in lower["measures"]] == [
        row["estimate"] for row in found["measures"]
    ]
    assert lower["measures"][0]["model"] == "-a"
    assert "-a is a negated; its threshold is one of -a." in lower["notes"]
    FRAME.assign(**{"-a": 1.5}).to_csv(path, index=False)
    refused = run("measure", path, *OPTIONS, "--score=-a", "--lower", "a", code=2)
    assert "there is a column -a, too" in refused
    assert "--lower z is not a column" in run("measure", path, *OPTIONS, "--lower", "z", code=2)


def test_output_and_report(path, tmp_path):
    text = run("measure", path, *OPTIONS)
    assert run("measure", path, *OPTIONS, "--output", tmp_path / "out.txt") == ""
    assert (tmp_path / "out.txt").read_text() == text
    run("measure", path, *OPTIONS, "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    found = json.loads(run("measure", path, *OPTIONS, "--format", "json"))
    for row in found["measures"]:
        assert f"{row['estimate']:.4f}" in page
    for sentence in found["sentences"]:
        assert sentence in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "is the file of scores" in run("measure", path, *OPTIONS, "--output", path, code=2)
    assert Path(path).read_text().startswith("y,a,b")


def test_explore_writes_a_page(path, tmp_path):
    run("explore", path, *OPTIONS, "--cost-ratio", 4, "-o", tmp_path / "page.html")
    assert '"cost_ratio": 4.0' in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["measure", "none.csv", "--label", "y"], 1, "none.csv can't be read: No such file"),
        (["measure", "{path}"], 2, "Missing option '--label'"),
        (["measure", "{path}", "--label", "Y"], 1, "has no column Y. Did you mean y?"),
        (["measure", "{path}", *OPTIONS[:2]], 1, "say which one is positive, --positive CLASS"),
        (["measure", "{path}", *OPTIONS, "--at", "flagged>=1"], 2, "flagged is bounded by <="),
        (["measure", "{path}", *OPTIONS, "--prevalence", 2], 2, "2.0 is not in the range 0<x<1"),
        (["measure", "{path}", *OPTIONS, "--cost-ratio", 0], 2, "0.0 is not in the range x>0"),
        (["measure", "{path}", *OPTIONS, "--weight", "y"], 1, "'good' is not a finite number"),
        (["measure", "{path}", *OPTIONS, "--output", "{path}/x"], 1, "x can't be written: Not a"),
        (["explore", "{path}", *OPTIONS], 2, "Missing option '--output'"),
        (["audit", "--auc", 71, "--auk", 0.1, "--prevalence", 0.1], 2, "did you mean 0.71?"),
        (["audit", "--auc", 0.7, "--auk", 3, "--prevalence", 0.1], 2, "auk must lie between"),
    ],
)
def test_mistakes_end_with_one_sentence_and_their_code(path, arguments, code, message):
    error = run(*[str(part).format(path=path) for part in arguments], code=code)
    assert message in error
    assert error.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in error


def test_names_of_a_strange_file_are_printed_harmlessly(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("y,\x1b[31mred\n1,2.5\n0,1\n1,3\n0,2\n")
    assert "\x1b" not in run("measure", file, "--label", "y")
    assert "\x1b" not in run("measure", file, "--label", "z", code=1)


def audited(*arguments):
    return run("audit", *arguments), json.loads(run("audit", *arguments, "--format", "json"))


def test_audit_of_the_published_pair():
    text, found = audited("--auc", 0.7186, "--auk", 0.1753, "--prevalence", 0.11)
    hull = found["curves"]["hull"]
    assert hull["lower"] == pytest.approx(0.0895392742716336)  # stored values of 52de2391
    assert hull["upper"] == pytest.approx(0.133093158389743)
    assert np.round(hull["prevalences"], 4).tolist() == [[0.2004, 0.3052], [0.7596, 0.9787]]
    assert not hull["possible"]
    assert hull["possible_with_other_class"]
    assert found["curves"]["raw"]["upper"] == auk_bounds(0.7186, 0.11, curve="raw").upper
    assert text.count("IMPOSSIBLE") == 2
    assert "20.04 to 30.52 % and 75.96 to 97.87 % positives" in text
    assert "if the other class, with 89 % of the rows, was the positive one" in text


def test_audit_of_a_model_that_exists():
    score = RANDOM.normal(size=N) + Y
    from kappacurve import measures

    auc, auk = measures(Y, score)["auc"], auk_score(Y, score)
    text, found = audited("--auc", f"{auc:.4f}", "--auk", f"{auk:.4f}", "--prevalence", 0.2)
    assert found["curves"]["raw"]["possible"]
    assert "under a ROC curve, the pair is possible" in text
    assert "was the positive one" not in text
    expected = prevalence_intervals(round(auc, 4), round(auk, 4), curve="raw")
    assert found["curves"]["raw"]["prevalences"] == [list(each) for each in expected]
    text, found = audited("--auc", 0.4, "--auk", 0.3, "--prevalence", 0.11)
    assert list(found["curves"]) == ["raw"]
    assert "possible with no share of positives" in text
