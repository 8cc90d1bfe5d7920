"""The slider that opens the documentation, in a browser, against the package."""

import json
from pathlib import Path

import pandas as pd
import pytest
from draw_two_models import areas, sample

DOCS = Path(__file__).parents[1] / "docs"


def test_the_kept_rows_are_those_of_the_two_models():
    pd.testing.assert_frame_equal(pd.read_csv(DOCS / "two_models.csv"), sample())


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_areas_are_the_packages_and_the_winner_flips(open_page, tmp_path, width):
    (tmp_path / "_static").symlink_to(DOCS / "_static")
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
