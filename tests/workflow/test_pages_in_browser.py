"""The page to open first and Snakemake's report, in a browser, on a phone and a wide screen."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow
STYLE = Path(__file__).parents[2] / "workflow" / "report" / "report.css"


@pytest.fixture(scope="module")
def report(run, snakemake):
    name = "styled_report.html"  # not in results/, which other tests list
    done = snakemake(run, "--report", name, "--report-stylesheet", STYLE)
    assert done.returncode == 0, done.stdout
    return run / name


@pytest.mark.parametrize("width", [375, 1400])
def test_question_and_answer_of_the_report_can_be_scrolled_to(report, open_page, width):
    page = open_page(report, width)
    for text in ("Question.", "Answer."):
        part = page.locator("p", has_text=text).first
        part.wait_for(state="attached")
        assert part.evaluate("one => one.getBoundingClientRect().top") >= 0


@pytest.mark.parametrize("width", [375, 1400])
def test_the_first_page_fits_and_its_links_have_their_files(run, open_page, width):
    page = open_page(run / "results/index.html", width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    heading = page.locator("h1")
    assert heading.evaluate("one => one.getBoundingClientRect().top") >= 0
    assert page.locator(".answer li").count() == 5
    for image in page.locator("img").all():
        assert image.evaluate("one => one.naturalWidth") > 300
        assert len(image.get_attribute("alt")) > 40
    links = [link.get_attribute("href") for link in page.locator("a").all()]
    files = {unquote(urlsplit(link).path) for link in links} - {"report.html"}  # made afterwards
    assert {name for name in files if not (run / "results" / name).is_file()} == set()
