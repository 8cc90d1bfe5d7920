"""A real browser, for the pages that people open."""

import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture(scope="module")
def open_page():
    """Open a file at a width; what it asks of a network, or complains of, fails its module."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium on the PATH")
    from playwright.sync_api import sync_playwright

    complaints, asked = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)

        def opened(file, width, height=900, **looks):
            page = browser.new_page(viewport={"width": width, "height": height}, **looks)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
            page.on("request", lambda request: asked.append(request.url))
            page.goto(file.as_uri())
            return page

        yield opened
        browser.close()
    assert complaints == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
