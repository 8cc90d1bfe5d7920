"""Tables as files: what a page says, and that a browser sorts it as people expect."""

import re
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest

from study.pages.table_files import write_table, write_value


def html(folder, table):
    write_table(table, [folder / "t.html"], title="T")
    return (folder / "t.html").read_text()


def test_cells_of_a_page(tmp_path):
    table = pd.DataFrame(
        {
            "what_it_is": ["<b>&", None, "z"],
            "value": [10.25, 9.123456, np.nan],
            "threshold": [np.inf, -1.0, 0.5],
            "published": [0.6, np.nan, 0.1753],
            "p_value": [3.14159e-37, 0.5, 0.002],
            "holds": [True, False, True],
            "empty": [None, None, None],
        }
    )
    page = html(tmp_path, table)
    heads = re.findall(r'<th scope="col"[^>]*aria-sort="none"><button type="button">(.*?)<', page)
    assert heads == ["what it is", "value", "threshold", "published", "p value", "holds"]
    # A number that is longer than its text stands beside it: the page sorts by it.
    assert re.findall(r"<td.*?</td>", page)[:8] == [
        '<td class="short">&lt;b&gt;&amp;</td>',
        '<td class="number">10.2500</td>',
        '<td class="number" data-value="Infinity">inf</td>',
        '<td class="number">0.60</td>',  # as the paper prints it
        '<td class="number" data-value="3.14159e-37">3.14e-37</td>',
        '<td class="short">yes</td>',
        '<td class="short none">\N{EN DASH}</td>',
        '<td class="number" data-value="9.123456">9.1235</td>',
    ]
    assert "<form" not in page  # three rows need no filter
    assert "<form" in html(tmp_path, pd.concat([table] * 5))
    assert "no rows in this run" in html(tmp_path, table.iloc[:0])


def test_all_formats_and_documents_round_the_same_six_decimals(tmp_path):
    """0.42884990 is 0.428850 in the csv: 0.4288 in one place and 0.4289 in another would be two."""
    table = pd.DataFrame({"h": [0.4288499025, 0.42885, -1e-9]})
    paths = [tmp_path / f"t.{kind}" for kind in ("csv", "tex", "html")]
    write_table(table, paths, title="T", shown=table.copy())
    texts = [write_value(value) for value in pd.read_csv(paths[0])["h"]]
    assert texts[0] == texts[1]
    assert texts[2] == "0.0000"
    for path in paths[1:]:
        found = re.findall(r"-?\d\.\d{4}(?=[ <])", path.read_text())
        assert found == texts, path.suffix


def test_a_page_opens_with_few_rows_and_holds_the_file(tmp_path):
    table = pd.DataFrame({"curve": ["raw", "hull"] * 20, "n": range(40)})
    write_table(table, [tmp_path / "t.html"], title="T", first={"curve": ["hull"]})
    page = (tmp_path / "t.html").read_text()
    rows = re.findall(r"<tr( class=.more.)?>\s*<td[^>]*>(raw|hull)</td><td[^>]*>(\d+)<", page)
    assert [int(n) for more, _, n in rows if not more] == list(range(1, 29, 2))  # fourteen
    assert len(rows) == 40
    data = re.search(r'download="t.csv" href="data:text/csv;base64,([^"]+)"', page)
    assert b64decode(data[1]).decode() == table.to_csv(index=False)


@pytest.mark.slow
def test_a_click_sorts_by_number(open_page, tmp_path):
    values = [10.0, 9.00001, 9.00002, np.nan, -1.5, 100.0, *np.arange(20.0, 30.0)]
    table = pd.DataFrame({"name": [f"row {i}" for i in range(len(values))], "value": values})
    path = tmp_path / "t.html"
    write_table(table, [path], title="T")
    page = open_page(path, 400, 600)

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
