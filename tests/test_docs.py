"""What the pages, their opening slider and the gallery show is what the package computes."""

import doctest
import json
import re
import runpy
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from draw_two_models import areas, sample
from matplotlib import pyplot as plt

from kappacurve.cli.main import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [path for path in [ROOT / "README.md", *DOCS.glob("*.md")] if ">>> " in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_examples_run_as_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").symlink_to(DOCS)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("example", sorted((DOCS / "gallery").glob("*.py")), ids=lambda p: p.stem)
def test_gallery_draws_figures(example, monkeypatch):
    monkeypatch.chdir(example.parent)
    runpy.run_path(str(example))
    assert plt.get_fignums()


@pytest.mark.parametrize(
    ("command", "page"),
    [("measure", "README.md"), ("measure", "docs/start.md"), ("audit", "docs/reproduce.md")],
)
def test_a_page_shows_what_the_command_prints(command, page, monkeypatch):
    monkeypatch.chdir(ROOT)
    call, printed = re.search(
        rf"^kappacurve ({command} [^\n]*)\n```\n\n```text\n(.*?)```",
        Path(page).read_text(),
        re.DOTALL | re.MULTILINE,
    ).groups()
    done = CliRunner().invoke(main, call.split())
    assert done.exit_code == 0
    assert doctest.OutputChecker().check_output(printed, done.output, doctest.ELLIPSIS)


def test_the_kept_rows_are_those_of_the_two_models():
    pd.testing.assert_frame_equal(pd.read_csv(DOCS / "two_models.csv"), sample())


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_areas_are_the_packages_and_the_winner_flips(open_page, tmp_path, width):
    (tmp_path / "_static").mkdir()
    for file in (*(DOCS / "_static").iterdir(), ROOT / "src/kappacurve/explorer/kappa.js"):
        (tmp_path / "_static" / file.name).symlink_to(file)
    page = tmp_path / "page.html"
    start = (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    )
    look = '<link rel="stylesheet" href="_static/style.css">'
    page.write_text(start + look + (DOCS / "opening.html").read_text())
    opened = open_page(page, width)
    for c, said in (
        (0.5, "AUK model B leads"),
        (0.75, "model B leads"),
        (0.9, "1/2 model A leads"),
    ):
        opened.fill("#opening-cost", str(c))
        answer = opened.locator("#opening-answer")
        assert json.loads(answer.get_attribute("data-areas")) == pytest.approx(areas(c), abs=2e-5)
        assert said in answer.inner_text()
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
