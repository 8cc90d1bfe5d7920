"""Snakemake's report of a run, and the report of a measured file, in a browser."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kappacurve.cli import main

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def report(run, snakemake):
    name = "styled_report.html"  # not in results/, which other tests list
    style = ROOT / "workflow/report/report.css"
    snakemake(run, "--report", name, "--report-stylesheet", style)
    return run / name


def test_the_report_has_every_figure_with_a_caption(run, report):
    page = report.read_text()
    assert len(page) < 15e6
    drawn = {path.relative_to(run).as_posix() for path in (run / "results").rglob("*.svg")}
    start = re.search(r'var results = (?={")', page).end()
    shown = json.JSONDecoder().raw_decode(page, start)[0]
    assert set(shown) == drawn | {"results/appendix/appendix.pdf"}
    assert all(len(entry["caption"] or "") > 40 for entry in shown.values())


@pytest.mark.parametrize("width", [375, 1400])
def test_the_report_asks_the_question_and_shows_each_category(report, open_page, width):
    page = open_page(report, width)
    question = page.locator("p", has_text="Question.").first
    question.wait_for(state="attached")
    assert question.evaluate("node => node.getBoundingClientRect().top") >= 0
    for number in range(1, 7):
        assert page.locator("nav").get_by_text(f"{number} ").first.is_visible()
    page.locator("nav").get_by_text("The paper's numbers").click()
    assert page.get_by_text("printed.svg").is_visible()


def test_the_explorer_of_a_run_opens_with_good_positive_and_leads_back(run, open_page, flaws):
    page = open_page(run / "results/explorer.html", 375)
    assert page.get_by_label("good", exact=True).is_checked()
    assert flaws(page) == []
    page.get_by_role("link", name="All results").click()
    assert "Does the AUK paper hold up?" in page.inner_text("h1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_the_report_of_a_measured_file(tmp_path, open_page, flaws, scheme):
    report = tmp_path / "measured.html"
    options = ["--label", "positive", "--positive", "1", "--report", str(report)]
    done = CliRunner().invoke(main, ["measure", str(ROOT / "docs/two_models.csv"), *options])
    assert done.exit_code == 0, done.output
    page = open_page(report, 375, color_scheme=scheme)
    assert flaws(page) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
