"""The pages of a run, its report and that of a measured file, in a browser."""

from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from kappacurve.cli import main

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
STYLE = ROOT / "workflow" / "report" / "report.css"
TWO_MODELS = ROOT / "docs" / "two_models.csv"
PAGES = ["index.html", "appendix/appendix.html"]


@pytest.fixture(scope="module")
def report(run, snakemake):
    name = "styled_report.html"  # not in results/, which other tests list
    snakemake(run, "--report", name, "--report-stylesheet", STYLE)
    return run / name


@pytest.mark.parametrize("width", [375, 1400])
def test_the_report_asks_the_question_and_shows_each_category(report, open_page, width):
    page = open_page(report, width)
    question = page.locator("p", has_text="Question.").first
    question.wait_for(state="attached")
    assert question.evaluate("node => node.getBoundingClientRect().top") >= 0
    categories = [f"{number} " for number in range(1, 7)]
    for category in categories:
        assert page.locator("nav").get_by_text(category).first.is_visible()
    page.locator("nav").get_by_text("The paper's numbers").click()
    assert page.get_by_text("published.svg").is_visible()


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of the report of ``kappacurve measure``."""
    folder = tmp_path_factory.mktemp("measured")
    options = ["--label", "positive", "--positive", "1", "--report", folder / "measured.html"]
    done = CliRunner().invoke(main, ["measure", str(TWO_MODELS), *map(str, options)])
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [*PAGES, "measured.html"])
def test_a_phone_shows_all_of_a_page(request, measured, open_page, flaws, name, scheme):
    folder = request.getfixturevalue("run") / "results" if name in PAGES else measured
    page = open_page(folder / name, 375, color_scheme=scheme)
    assert flaws(page) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_every_link_of_a_page_has_its_target(run, open_page):
    for name in PAGES:
        page = open_page((run / "results" / name).resolve(), 1400)
        for link in page.evaluate("[...document.querySelectorAll('a')].map((node) => node.href)"):
            path, _, place = unquote(link.removeprefix("file://")).partition("#")
            if link.startswith("file:"):
                assert Path(path).exists(), link
                assert not place or f'id="{place}"' in Path(path).read_text(), link
