"""The page and the appendix in a browser, on a phone and on a desk."""

import pytest

pytestmark = pytest.mark.slow
SCREEN = 812  # of a phone of 375 pixels


@pytest.fixture(scope="module", params=["paper", "own"])
def results(request):
    return request.getfixturevalue(f"{request.param}_results")


@pytest.mark.parametrize("width", [375, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "appendix/appendix.html"])
def test_pages_fit_the_window_in_clear_colours(results, open_page, flaws, name, width, scheme):
    page = open_page(results / name, width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert flaws(page) == []


def test_the_first_figure_is_near_the_top_of_a_phone(results, open_page):
    page = open_page(results / "index.html", 375, height=SCREEN)
    assert page.locator("img").first.bounding_box()["y"] < 1.5 * SCREEN


def test_tables_of_the_models_stand_one_below_the_other(paper_results, open_page):
    page = open_page(paper_results / "index.html", 375)
    first, second, *_ = (table.bounding_box() for table in page.locator("table.areas").all())
    assert second["y"] >= first["y"] + first["height"]
    assert first["x"] >= 0 and first["x"] + first["width"] <= 375


def test_a_claim_opens_by_keyboard_to_its_section_and_sources(paper_results, open_page):
    page = open_page(paper_results / "index.html", 1400)
    claim = page.locator("details.claim").nth(8)
    source = claim.get_by_text("Section 8. From tables/prevalences.csv")
    assert source.is_hidden() and claim.get_by_text("At 11 % positives kappa is").is_visible()
    claim.locator("summary").focus()
    page.keyboard.press("Enter")
    assert source.is_visible()
    assert claim.get_by_text("about 280 rows were tested").is_visible()


def test_the_page_prints_on_paper(results, open_page):
    page = open_page(results / "index.html", 1400)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 1000})  # of A4
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    assert page.locator("table").first.is_visible()
