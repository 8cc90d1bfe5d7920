"""Tables as files: what a page says, and that a browser sorts it as people expect."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.errors import ExperimentError
from study.pages.table_files import write_table, write_value

CHROMIUM = Path("/usr/bin/chromium")


class Cells(HTMLParser):
    """Every cell of a page's table: tag, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.cells, self.open = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag in ("td", "th"):
            self.cells.append([tag, dict(attrs), ""])
            self.open = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.open = False

    def handle_data(self, data):
        if self.open:
            self.cells[-1][2] += data

    def of(self, tag):
        return [(attrs, text) for name, attrs, text in self.cells if name == tag]


def html(folder, table, title="T", note=""):
    write_table(table, [folder / "t.html"], title=title, note=note)
    return (folder / "t.html").read_text()


@pytest.fixture
def table():
    return pd.DataFrame(
        {
            "what_it_is": ["<b>&", None, "z"],
            "value": [10.25, 9.123456, np.nan],
            "threshold": [np.inf, -1.0, 0.5],
            "rows": [100, 20, 3],
            "published": [0.6, np.nan, 0.1753],
            "p_value": [3.14159e-37, 0.5, 0.002],
            "holds": [True, False, True],
            "empty": [None, None, None],
        }
    )


def test_every_string_is_escaped(tmp_path):
    table = pd.DataFrame({'<i>"name"': ["</td><script>alert(1)</script>"]})
    page = html(tmp_path, table, "<script>", "a < b & c")
    assert page.count("<script>") == 1  # our own
    assert "a &lt; b &amp; c" in page
    cells = Cells(page)
    assert cells.of("th")[0][1] == '<i>"name"'
    assert cells.of("td")[0][1] == "</td><script>alert(1)</script>"


def test_cells_of_a_page(table, tmp_path):
    cells = Cells(html(tmp_path, table))
    heads = cells.of("th")
    assert [text for _, text in heads] == [
        "what it is",
        "value",
        "threshold",
        "rows",
        "published",
        "p value",
        "holds",
    ]
    assert all(attrs["aria-sort"] == "none" and attrs["scope"] == "col" for attrs, _ in heads)
    first, second, third = np.array(cells.of("td"), dtype=object).reshape(3, 7, 2).tolist()
    assert [text for _, text in first] == [
        "<b>&",
        "10.2500",
        "inf",
        "100",
        "0.60",  # as the paper prints it
        "3.14e-37",
        "yes",
    ]
    # The page sorts by the number, where the text is shorter.
    assert second[1] == [{"class": "number", "data-value": "9.123456"}, "9.1235"]
    assert "data-value" not in first[1][0]
    assert first[2][0]["data-value"] == "Infinity"
    assert first[5][0]["class"] == "number"
    assert [one[0]["class"] for one in (second[0], third[1])] == ["short none", "number none"]
    assert [one[1] for one in (second[0], third[1], second[4])] == ["\N{EN DASH}"] * 3


def test_a_page_needs_nothing_else(table, tmp_path):
    page = html(tmp_path, table)
    assert not re.search(r"https?:|\ssrc=|\shref=|@import|url\(", page)
    assert "<form" not in page  # three rows need no filter
    assert "<form" in html(tmp_path, pd.concat([table] * 5))


def test_an_empty_table_says_so(tmp_path):
    page = html(tmp_path, pd.DataFrame(columns=["cell", "reason"]))
    assert "no rows in this run" in page
    assert [text for _, text in Cells(page).of("th")] == ["cell", "reason"]


def test_long_text_is_wrapped_in_latex(tmp_path):
    table = pd.DataFrame({"a": ["50 % & more " * 5], "b": [1.5], "c": ["x"]})
    write_table(table, [tmp_path / "t.tex"], title="T")
    text = (tmp_path / "t.tex").read_text()
    assert r"\begin{tabular}{p{4.5cm}rl}" in text
    assert r"50 \% \& more" in text


def test_each_suffix_has_its_format(tmp_path, table):
    names = ["t.csv", "t.md", "t.tex", "t.html"]
    shown = table[["rows"]].rename(columns={"rows": "lines"})
    write_table(table, [tmp_path / name for name in names], title="T", shown=shown)
    csv, md, tex, page = ((tmp_path / name).read_text() for name in names)
    assert csv.splitlines()[1] == "<b>&,10.250000,inf,100,0.600000,3.14e-37,True,"
    assert md.startswith("# T\n\n| lines |\n|------:|\n|   100 |\n")
    assert r"\toprule" in tex
    assert page.startswith("<!doctype html>")
    with pytest.raises(ExperimentError, match=r"t\.xls: a table is written as csv, md, tex or"):
        write_table(table, [tmp_path / "t.xls"], title="T")


def test_all_formats_and_documents_round_the_same_six_decimals(tmp_path):
    """0.42884990 is 0.428850 in the csv: 0.4288 in one place and 0.4289 in another would be two."""
    table = pd.DataFrame({"h": [0.4288499025, 0.42885, -1e-9]})
    paths = [tmp_path / f"t.{kind}" for kind in ("csv", "md", "tex", "html")]
    write_table(table, paths, title="T", shown=table.copy())
    texts = [write_value(value) for value in pd.read_csv(paths[0])["h"]]
    assert texts[0] == texts[1]
    assert texts[2] == "0.0000"
    for path in paths[1:]:
        found = re.findall(r"-?\d\.\d{4}(?=[ <])", path.read_text())
        assert found == texts, path.suffix


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (None, "", ""),
        (float("nan"), "published", ""),
        (np.bool_(False), "holds", "no"),
        (np.int64(286), "replicates", "286"),
        (44850.0, "value", "44850"),
        (0.6, "published", "0.60"),
        (0.0123456, "p_value", "0.0123"),
        ("keep_majority_up", "sampling", "787"),
        ("keep_majority_up", "value", "keep_majority_up"),
        ("ben_david", "study", "Ben-David 2008"),
        ("auc-auk_trapezoid", "pair", "AUC against AUK, trapezoid rule"),
        ("linear and neural_net, same rows", "what", "linear and neural net, same rows"),
        ("auk", "measure", "AUK"),
    ],
)
def test_values(value, column, text):
    assert write_value(value, column) == text


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM.is_file():
        pytest.skip(f"no browser: {CHROMIUM} is missing (Debian: apt install chromium)")
    with api.sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )


@pytest.mark.slow
def test_a_click_sorts_by_number(browser, tmp_path):
    values = [10.0, 9.00001, 9.00002, np.nan, -1.5, 100.0, *np.arange(20.0, 30.0)]
    table = pd.DataFrame({"name": [f"row {i}" for i in range(len(values))], "value": values})
    path = tmp_path / "t.html"
    write_table(table, [path], title="T")
    page = browser.new_page(viewport={"width": 400, "height": 600})
    trouble = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(path.as_uri())

    def names():
        return page.locator("tbody tr:not([hidden]) td:first-child").all_inner_texts()

    def state():
        return [one.get_attribute("aria-sort") for one in page.locator("th").all()]

    written = names()
    button = page.get_by_role("button", name="value", exact=True)
    button.click()
    assert names()[:4] == ["row 4", "row 1", "row 2", "row 0"]  # not "-1.5, 10, 100, 20"
    assert names()[-2:] == ["row 5", "row 3"]
    assert state() == ["none", "ascending"]
    button.press("Enter")
    assert names()[0] == "row 5"
    assert names()[-1] == "row 3"  # what is missing stays last
    assert state() == ["none", "descending"]
    button.press("Enter")
    assert names() == written
    page.get_by_role("button", name="name", exact=True).click()
    assert names() == [f"row {i}" for i in range(len(values))]  # row 2 before row 10
    page.get_by_label("Show rows with").fill("ROW 9.0")
    assert names() == ["row 1", "row 2"]
    assert page.locator("caption").inner_text() == "2 of 16 rows"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert trouble == []
    page.close()


@pytest.mark.parametrize("name", ["p_value", "p_holm"])
def test_small_p_values_keep_three_digits(tmp_path, name):
    path = tmp_path / "a.csv"
    write_table(pd.DataFrame({name: [3.14159e-37, 0.0123456]}), [path], title="Tests")
    assert path.read_text() == f"{name}\n3.14e-37\n0.0123\n"
