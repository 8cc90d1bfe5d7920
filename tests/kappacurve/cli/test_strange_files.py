"""A stranger's file forges no line, moves no cursor and breaks no page, and has all its answers."""

import json
import re

import pytest
from click.testing import CliRunner

from kappacurve.cli.main import main
from kappacurve.explorer import inference, page as explorer

FAKE = "\x1b[31m\nFAKE  0.9999"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / f"scores{FAKE}.csv"
    head = ["y", *(f'"{name}{FAKE}"' for name in ("label", "x", "fold")), "other"]
    lines = [
        f'{row % 2},"{row % 2}{FAKE}",{0.3 * (row % 2) + row / 60},"{row % 3}{FAKE}",{row % 7 / 7}'
        for row in range(42)
    ]
    path.write_text("\n".join([",".join(head), *lines]), newline="")
    return path


def said(*arguments, code=0):
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == code, done.output
    return done.output


def assert_is_plain(text):
    assert "FAKE" in text
    assert not re.search(r"^\s*FAKE", text, re.MULTILINE)
    # Matplotlib writes spaces so that an svg keeps them.
    assert {each for each in text if not each.isprintable()} <= {"\n", "\N{NO-BREAK SPACE}"}


OPTIONS = ["--label", f"label{FAKE}", "--positive", f"1{FAKE}", "--score", f"x{FAKE}"]
TWO = [*OPTIONS, "--score", "other"]
FOLDS = ["--cv", f"fold{FAKE}", "--net-benefit", "0.3", "--cost-ratio", "2"]


def test_what_is_printed_and_the_pages(file, tmp_path, monkeypatch):
    monkeypatch.setattr(explorer, "ERROR_NODES", 5)
    monkeypatch.setattr(inference, "RESAMPLES", 20)
    assert_is_plain(said("plan", file, *OPTIONS, "--half-width", "0.05"))
    assert_is_plain(said("measure", file, *TWO, *FOLDS, "--report", tmp_path / "page.html"))
    assert_is_plain((tmp_path / "page.html").read_text("utf-8"))
    said("explore", file, *TWO, "-o", tmp_path / "explore.html")
    page = (tmp_path / "explore.html").read_text("utf-8")
    names = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    assert_is_plain("\n".join([*names["models"], *names["classes"]]))
    assert FAKE not in page


def test_json_has_the_names_themselves(file):
    found = json.loads(said("measure", file, *TWO, *FOLDS, "--format", "json"))
    assert [*found["models"]] == [f"x{FAKE}", "other"]
    assert found["positive"] == f"1{FAKE}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["measure", FAKE, "--label", "y"],
        ["measure", "FILE", "--label", FAKE],
        ["measure", "FILE", "--label", "y", "--score", FAKE],
        ["measure", "FILE", "--label", f"label{FAKE}"],
        ["explore", "FILE", *OPTIONS, "-o", "page.html"],
        ["measure", "FILE", "--label", "y", "--output", f"{FAKE}/none"],
    ],
)
def test_errors_are_one_plain_line(arguments, file):
    named = [str(file) if each == "FILE" else each for each in arguments]
    done = CliRunner().invoke(main, named)
    assert done.exit_code in (1, 2)
    assert_is_plain(done.output)


def test_a_constant_column_has_a_loss_at_a_cost(tmp_path):
    path = tmp_path / "constant.csv"
    path.write_text("y,base\n" + "1,7\n" * 20 + "0,7\n" * 40)
    text = said("measure", path, "--label", "y", "--cost-ratio", "5")
    # One of both errors costs 1: flagging all costs 2/3 of 1/6, flagging nobody 1/3 of 5/6.
    assert re.search(r"expected loss +0\.1111 ", text)
    assert "95 % intervals by influence function" in text
    assert "class ratio of these rows as random" in text


def test_the_page_of_more_models_than_a_figure_tells_apart(tmp_path):
    names = [f"m{i}" for i in range(37)]
    rows = [[row % 2, *((row * (i + 3)) % 13 for i in range(37))] for row in range(30)]
    table = "\n".join(",".join(map(str, line)) for line in [["y", *names], *rows])
    (tmp_path / "many.csv").write_text(table)
    chosen = [word for name in names for word in ("--score", name)]
    options = ["--no-intervals", "--report", tmp_path / "page.html"]
    said("measure", tmp_path / "many.csv", "--label", "y", *chosen, *options)
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "37 models can't be told apart in a figure" in html
    assert "<svg" not in html
    assert "m36" in html
