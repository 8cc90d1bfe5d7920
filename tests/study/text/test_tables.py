"""Tables as files: what a page says, and that a browser sorts it as people expect."""

import re
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest

from study.text import tables
from study.text.tables import read_table, view, write_page, write_table


def html(folder, table):
    write_page(table, folder / "t.html", title="T")
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
        '<td class="number" data-value="3.14159e-37">3.1\u00a0\u00d7\u00a010⁻³⁷</td>',
        '<td class="short">yes</td>',
        '<td class="short none">\N{EN DASH}</td>',
        '<td class="number" data-value="9.123456">9.1235</td>',
    ]
    assert "<form" not in page  # three rows need no filter
    assert "<form" in html(tmp_path, pd.concat([table] * 5))
    assert "no rows in this run" in html(tmp_path, table.iloc[:0])


def test_what_is_read_is_rounded_as_the_csv(tmp_path):
    """0.42884990 is 0.428850 in the csv: 0.4288 in one place and 0.4289 in another would be two."""
    table = pd.DataFrame({"x": [0.4288499025, 0.42885, -1e-9]})
    write_table(table, [tmp_path / "t.csv"])
    again = view(pd.read_csv(tmp_path / "t.csv")).columns[0].texts
    assert again == view(table).columns[0].texts == ["0.4289", "0.4289", "0.0000"]


def test_a_page_opens_with_few_rows_and_holds_the_file(tmp_path, monkeypatch):
    about = {"p/t": {"first": {"curve": ["hull"]}}}
    monkeypatch.setattr(tables, "_about", lambda: about)
    path = tmp_path / "p" / "t.html"
    path.parent.mkdir()
    table = pd.DataFrame({"curve": ["raw", "hull"] * 20, "n": range(40)})
    write_page(table, path)
    page = path.read_text()
    rows = re.findall(r"<tr( class=.more.)?>\s*<td[^>]*>(raw|hull)</td><td[^>]*>(\d+)<", page)
    assert [int(n) for more, _, n in rows if not more] == list(range(1, 29, 2))  # fourteen
    assert len(rows) == 40
    data = re.search(r'download="t.csv" href="data:text/csv;base64,([^"]+)"', page)
    assert b64decode(data[1]).decode() == table.to_csv(index=False)


TABLE = pd.DataFrame(
    {
        "positive_class": ["minority", "majority", "minority"],
        "model": ["linear", "linear", "neural_net"],
        "share": [0.0421, 0.5, 1.0],
        "low": [0.03, 0.4, 0.9],
        "high": [0.05, 0.6, 1.0],
        "nothing": [None, None, None],
    }
)


def test_a_view_chooses_groups_and_joins():
    shown = view(
        TABLE,
        ["model", "range", "share", "nothing"],
        where={"model": "linear"},
        group="positive_class",
        head=1,
        span=["low", "high"],
        labels={"range": "95 %"},
        words={"minority": "default", "majority": "good"},
    )
    assert [column.label for column in shown.columns] == ["model", "95 %", "share"]
    assert [*shown.rows()] == [
        ("default positive", ("linear", "3.0\u202f% to 5.0\u202f%", "4.2\u202f%")),
        ("good positive", ("linear", "40.0\u202f% to 60.0\u202f%", "50.0\u202f%")),
    ]


def test_a_long_table_goes_on_with_its_headings(monkeypatch):
    monkeypatch.setattr(tables, "ON_ONE_PAGE", 2)
    frame = pd.DataFrame({"model": ["linear", "linear", "linear", "logistic"], "n": [1, 2, 3, 4]})
    pages = view(frame, group="model").pages()
    rows = {name: list(page.rows()) for name, page in pages.items()}
    first, then = [("linear", ("1",)), (None, ("2",))], [(None, ("3",)), ("logistic", ("4",))]
    assert rows == {"": first, "_2": then}


def test_every_language_says_the_same():
    shown = view(TABLE, ["model", "share"], group="positive_class", typographic=False)
    words = ["model", "share", "minority positive", "linear", "4.2 %", "neural net", "100.0 %"]
    words += ["majority positive", "linear", "50.0 %"]
    assert re.findall(r">([^<\n]+)<", shown.html()) == words
    assert re.findall(r'"([^"]*)"', shown.typst()) == words
    cells = re.findall(r"[^|\n*]+", shown.markdown())
    assert [cell for cell in cells if "--" not in cell] == words


def test_columns_take_their_share_of_the_line():
    shown = view(TABLE, ["model", "share"], widths=[25, 50])
    assert shown.typst().startswith("table(columns: (25%, 50%,), align: (left, right,),")
    sides = re.findall(r"(ragged\w+)\\arraybackslash}p{([\d.]+)", shown.latex())
    assert sides == [("raggedright", "0.229"), ("raggedleft", "0.458")]  # less what stands between


@pytest.mark.slow
def test_a_click_sorts_by_number(open_page, tmp_path):
    values = [10.0, 9.00001, 9.00002, np.nan, -1.5, 100.0, *np.arange(20.0, 30.0)]
    table = pd.DataFrame({"name": [f"row {i}" for i in range(len(values))], "value": values})
    path = tmp_path / "t.html"
    write_page(table, path, title="T")
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


def test_counts_are_read_as_counts_and_printed_digits_as_printed(tmp_path):
    (tmp_path / "one.csv").write_text("n,none,x,printed\n3,,0.5,0.60\n,,0.25,\n")
    row, empty = read_table(tmp_path / "one.csv").to_dict("records")
    assert [str(row[name]) for name in ("n", "none", "x", "printed")] == ["3", "nan", "0.5", "0.60"]
    assert all(pd.isna(empty[name]) for name in ("n", "none", "printed"))
