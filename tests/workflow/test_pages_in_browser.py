"""The pages of a run and of a measured file in a browser, on a phone and a wide screen."""

import re
from base64 import b64decode
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from kappacurve.cli.main import main

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
STYLE = ROOT / "workflow" / "report" / "report.css"
TWO_MODELS = ROOT / "docs" / "two_models.csv"


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


PAGES = ["index.html", "appendix/appendix.html", "forensics/claims.html", "tables/table5.html"]
# Elements that stick out of the window, and are in no box that scrolls.
TOO_WIDE = """() => [...document.body.querySelectorAll("*")].filter((one) => {
  for (let box = one.parentElement; box; box = box.parentElement)
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowX)) return false;
  return one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1;
}).map((one) => one.outerHTML.slice(0, 80))"""
# The contrast of WCAG between each text and what it stands on: those below 4.5.
FAINT = """() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => channels(color).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const below = (one) => {
    for (let box = one; box; box = box.parentElement) {
      const color = getComputedStyle(box).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
  };
  return [...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => {
      const style = getComputedStyle(one);
      const ink = one instanceof SVGElement ? style.fill : style.color;
      const pair = [ink, below(one)].map(light);
      return [(Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05), one.outerHTML.slice(0, 80)];
    }).filter(([contrast]) => contrast < 4.5);
}"""


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
def test_a_phone_shows_all_of_a_page_in_colours_that_can_be_read(
    run, measured, open_page, name, scheme
):
    folder = run / "results" if name in PAGES else measured
    page = open_page(folder / name, 375, color_scheme=scheme)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(FAINT) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    for image in page.locator("img").all():
        drawing = b64decode(image.evaluate("one => one.currentSrc").partition(",")[2]).decode()
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', drawing)[1])
        sizes = re.findall(r"<text[^>]*(?:font|font-size): ([\d.]+)px", drawing)  # no subscripts
        letters = min(map(float, sizes))
        shown = image.evaluate("one => one.getBoundingClientRect().width")
        assert letters * shown / width >= 8, image.get_attribute("alt")
        assert len(image.get_attribute("alt")) > 40


def test_every_link_of_a_page_has_its_target_and_leads_back(run, open_page):
    places = {}
    for name in [*PAGES, "explorer.html"]:
        page = open_page((run / "results" / name).resolve(), 1400)
        links = page.evaluate("[...document.querySelectorAll('a')].map((one) => one.href)")
        targets = {link for link in links if link.startswith("file:")}
        places[page.url] = targets
        assert places.keys() & targets or name == "index.html", name
    for link in set().union(*places.values()):
        path, _, place = unquote(link.removeprefix("file://")).partition("#")
        if not path.endswith("report.html"):  # made afterwards
            assert Path(path).is_file(), link
            assert not place or f'id="{place}"' in Path(path).read_text(), link


def test_a_word_is_explained_to_those_who_use_the_keyboard(run, open_page):
    page = open_page(run / "results/index.html", 375)
    word = page.locator(".word", has_text="AUK").first
    tip = page.get_by_role("tooltip")
    word.focus()
    assert "Area under the kappa curve" in tip.inner_text()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 375
    page.keyboard.press("Escape")
    assert tip.is_hidden()
