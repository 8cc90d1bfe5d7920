"""One form of each number and sign; tables as files and pages, which a browser sorts."""

import re
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest
import yaml

from study.text import tables
from study.text.numbers import Fact, fact_of, units_of, write_number
from study.text.settings import read_assumptions, setting_tables
from study.text.tables import read_table, view, write_page, write_table
from study.text.typography import typeset, typeset_markdown


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.8812, "share", "88.1 %"),
        (0.11, "stated share", "11 %"),
        (-1e-9, "measure", "0.000"),
        (3e-10, "difference", "0"),
        (1e-9, "difference", "0"),
        (0.000337, "difference", "0.00034"),
        (99.97, "percentile", "> 99.5"),
        (0.04, "percentile", "< 0.5"),
        (0.06, "percentile", "0.1"),
        (99.94, "percentile", "99.9"),
        (0.6, "published", "0.60"),
        (3.0, "threshold", "3"),
        (-1e-7, "threshold", "-1e-07"),
        (10_000, "count", "10,000"),
        (9_999, "count", "9999"),
        (-10_000, "count", "-10,000"),
        (2.0, "number", "2"),
        (-3.0, "number", "-3"),
        (1.0, "number", "1.0000"),
        (float("nan"), "measure", ""),
    ],
)
def test_forms(value, unit, text):
    assert write_number(value, unit) == text


def test_an_interval_has_the_form_of_its_number():
    fact = Fact(0.153, "share", 0.1239, 0.18721)
    assert (str(fact), fact.ends) == ("15.3 % [12.4, 18.7]", "12.4 % to 18.7 %")
    assert [fact_of(value, "share") for value in (None, float("nan"))] == [None, None]
    assert fact_of(1, "share", 0, float("nan")) == Fact(1.0, "share", 0.0)
    # The ends have the unit of the column before them, but for a share that stands between.
    units = units_of(["share", "low", "high", "mean", "rising", "low", "kappa"])
    assert [*units.values()] == ["share", "measure", "share", "measure", "share", "measure"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.6% to 4.4 %", "0.6\u202f% to 4.4\u202f%"),
        ("\u22121.00 at p = 0.5, -0.6", "\u22121.00 at p\u00a0=\u00a00.5, \u22120.6"),
        ("(5.5e-10)", "(5.5\u00a0\u00d7\u00a010⁻¹⁰)"),
        ("1e-12 or 2.5e+3", "10⁻¹² or 2.5\u00a0\u00d7\u00a010³"),
        ("p and 1 - p, (a) - b", "p and 1 \u2212 p, (a) \u2212 b"),
        ("0.275 x 0.365", "0.275\u00a0\u00d7\u00a00.365"),
        ("186-189, 232-236 rows", "186\u2013189, 232\u2013236 rows"),
        ('splits "randomly"; "a b".', "splits “randomly”; “a b”."),
        ("the paper's AUK", "the paper\u2019s AUK"),
        *((text, text) for text in ("10.1007/s10994-009-5119-5", "https://x.example/1-2")),
        *((text, text) for text in ("5'3 \" tall", "the paper's 'own' AUK")),
    ],
)
def test_what_is_typeset_and_what_stays(text, expected):
    assert typeset(text) == expected
    assert typeset(expected) == expected  # once is enough


def test_in_markdown_only_prose_is_set():
    text = "1-2 `1-2` $1-2$ [1-2](1-2) @k-1-2\n\n~~~{=html}\n1-2\n~~~\n\n1-2\n\n    1-2"
    expected = "1~2 `1-2` $1-2$ [1~2](1-2) @k-1-2\n\n~~~{=html}\n1-2\n~~~\n\n1~2\n\n    1-2"
    assert typeset_markdown(text) == expected.replace("1~2", "1\u20132")


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
            "n": [3, 20_000, 5],
            "printed": ["0.60", "1", None],
            "as_printed": ["x", "1", None],
            "empty": [None, None, None],
        }
    )
    page = html(tmp_path, table)
    heads = re.findall(r'<th scope="col"[^>]*aria-sort="none"><button type="button">(.*?)<', page)
    assert heads[:6] == ["what it is", "value", "threshold", "published", "p value", "holds"]
    assert heads[6:] == ["n", "printed", "as printed"]
    # A number that is longer than its text stands beside it: the page sorts by it.
    assert re.findall(r"<td.*?</td>", page)[:11] == [
        '<td class="short">&lt;b&gt;&amp;</td>',
        '<td class="number">10.2500</td>',
        '<td class="number" data-value="Infinity">inf</td>',
        '<td class="number">0.60</td>',  # as the paper prints it
        '<td class="number" data-value="3.14159e-37">3.1\u00a0\u00d7\u00a010⁻³⁷</td>',
        '<td class="short">yes</td>',
        *('<td class="number">3</td>', '<td class="number">0.60</td>', '<td class="short">x</td>'),
        '<td class="short none">\N{EN DASH}</td>',
        '<td class="number" data-value="9.123456">9.1235</td>',
    ]
    assert "no rows in this run" in html(tmp_path, table.iloc[:0])


@pytest.mark.parametrize(
    ("rows", "filtered", "opening"), [(12, 0, 12), (13, 1, 13), (20, 1, 20), (21, 1, 14)]
)
def test_a_long_page_opens_with_few_rows_and_has_a_filter(tmp_path, rows, filtered, opening):
    page = html(tmp_path, pd.DataFrame({"n": range(rows)}))
    shown = re.findall(r"<tr( class=.more.)?>\s*<td", page)
    assert (page.count("<form"), len(shown), shown.count("")) == (filtered, rows, opening)


def test_a_page_opens_with_the_rows_of_its_note_and_holds_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "_about", lambda: {"p/t": {"first": {"curve": ["hull"]}}})
    path = tmp_path / "p" / "t.html"
    path.parent.mkdir()
    shown = pd.DataFrame({"curve": ["raw", "hull"] * 20, "n": range(40)})
    table = shown.assign(more=0.5)
    write_page(table, path, shown=shown)
    page = path.read_text()
    rows = re.findall(r"<tr( class=.more.)?>\s*<td[^>]*>(raw|hull)</td><td[^>]*>(\d+)<", page)
    assert [int(n) for more, _, n in rows if not more] == list(range(1, 29, 2))  # fourteen
    assert len(rows) == 40 and ">more<" not in page
    data = re.search(r'download="t.csv" href="data:text/csv;base64,([^"]+)"', page)
    assert b64decode(data[1]).decode() == tables.to_csv(table)


def test_what_is_read_is_rounded_as_the_csv(tmp_path):
    """0.42884990 is 0.428850 in the csv: 0.4288 in one place and 0.4289 in another would be two."""
    table = pd.DataFrame({"x": [0.4288499025, 0.42885, -1e-9]})
    write_table(table, [tmp_path / "t.csv"])
    again = view(pd.read_csv(tmp_path / "t.csv")).columns[0].texts
    assert again == view(table).columns[0].texts == ["0.4289", "0.4289", "0.0000"]
    (tmp_path / "t.csv").write_text("n,none,x,printed\n3,,0.5,0.60\n,,0.25,\n")
    row, empty = read_table(tmp_path / "t.csv").to_dict("records")
    assert [str(row[name]) for name in ("n", "none", "x", "printed")] == ["3", "nan", "0.5", "0.60"]
    assert all(pd.isna(empty[name]) for name in ("n", "none", "printed"))


def test_a_view_chooses_groups_and_joins():
    shown = view(
        TABLE,
        ["model", "range", "share", "nothing"],
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
    where = {"holds": True, "model": ["linear", "logistic"]}
    shown = view(TABLE.assign(holds=[True, False, True]), ["holds", "model"], where=where)
    assert [*shown.rows()] == [(None, ("yes", "linear"))]


def test_ends_that_are_missing_and_tables_without_rows():
    frame = TABLE.assign(low=[0.03, np.nan, np.nan], high=[0.05, 0.6, np.nan])
    shown = view(frame, ["model", "range", "nothing"], span=["low", "high"], typographic=False)
    assert shown.columns[1].texts == ["3.0 % to 5.0 %", " to 60.0 %", ""]
    assert len(shown.columns) == 2
    nothing = view(frame, ["model", "nothing"], where={"model": "x"}, group="positive_class")
    assert [column.label for column in nothing.columns] == ["model", "nothing"]
    assert [*nothing.pages()] == [""] and [*nothing.rows()] == []


def test_a_csv_has_six_decimals_significant_p_values_and_whole_thresholds():
    columns = {"x": [0.1234567, -1e-9, np.nan], "p_value": [0.00012345, 1.0, np.nan]}
    columns |= {"threshold": [0.1, 2.0, np.nan], "n": [1, 2, 3], "ok": [True, False, True]}
    assert tables.to_csv(pd.DataFrame(columns)).splitlines() == [
        "x,p_value,threshold,n,ok",
        *("0.123457,0.000123,0.1,1,True", "0.000000,1,2,2,False", ",,,3,True"),
    ]


@pytest.mark.parametrize(
    ("place", "back"),
    [
        *(("results/t.html", ""), ("t.html", ""), ("results/a/t.html", "../index.html")),
        ("results/a/b/t.html", "../../index.html"),
    ],
)
def test_a_page_leads_back_from_its_folder(tmp_path, place, back):
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    write_page(TABLE, path, title="T")
    assert re.findall(r'href="([./]*index\.html)"', path.read_text()) == [back] * bool(back)


def test_labels_and_values_are_those_of_people():
    frame = pd.DataFrame(
        {
            "rank_auk": [1, 2],
            "kappa_printed": ["0.60", "0.5"],
            "pair": ["auc-auk", "auk-h"],
            "model": ["smote", "mine_own"],
            "draw": ["before_split", "after_split"],
            "check": ["of linear and neural_net", "nonlinear"],
            "file": ["a_b", "c_d"],
            "value": [0.5, 3.0],
            "unit": ["share", "number"],
        }
    )
    shown = view(frame, [*frame][:-1], typographic=False)
    heads = ["rank by AUK", "kappa printed", "pair", "model", "draw", "check", "file", "value"]
    assert [column.label for column in shown.columns] == heads
    first = ("1", "0.60", "AUC against AUK", "SMOTE", "before split", "of linear and neural net")
    then = ("2", "0.5", "AUK against H", "mine_own", "after split", "nonlinear", "c_d", "3")
    assert [cells for _, cells in shown.rows()] == [(*first, "a_b", "50.0 %"), then]


def test_a_long_table_goes_on_with_its_headings():
    """24 rows stay together in print."""
    frame = pd.DataFrame({"model": ["linear"] * 25 + ["logistic"] * 24, "n": range(49)})
    pages = view(frame, group="model").pages()
    rows = {name: list(page.rows()) for name, page in pages.items()}
    assert {name: len(page) for name, page in rows.items()} == {"": 24, "_2": 24, "_3": 1}
    assert rows[""][:2] == [("linear", ("0",)), (None, ("1",))]
    assert rows["_2"][:2] == [(None, ("24",)), ("logistic", ("25",))]
    assert [*view(frame[:24]).pages()] == [""]
    frame["model"] = ["linear"] * 24 + ["logistic"] * 25
    pages = view(frame, group="model").pages()
    assert [next(page.rows())[0] for page in pages.values()] == ["linear", "logistic", None]


def test_every_language_says_the_same():
    shown = view(TABLE, ["model", "share"], group="positive_class", typographic=False)
    words = ["model", "share", "minority positive", "linear", "4.2 %", "neural net", "100.0 %"]
    words += ["majority positive", "linear", "50.0 %"]
    assert re.findall(r">([^<\n]+)<", shown.html()) == words
    assert re.findall(r'"([^"]*)"', shown.typst()) == words
    assert shown.markdown().splitlines() == [
        *("|model|share|", "|:--|--:|", "|*minority positive*||", "|linear|4.2 %|"),
        *("|neural net|100.0 %|", "|*majority positive*||", "|linear|50.0 %|"),
    ]
    assert view(pd.DataFrame({"a": ["x|y"]})).markdown() == "|a|\n|:--|\n|x\\|y|"


def test_columns_take_their_share_of_the_line():
    shown = view(TABLE, ["model", "share"], widths=[25, 50])
    assert shown.typst().startswith("table(columns: (25%, 50%,), align: (left, right,),")
    sides = re.findall(r"(ragged\w+)\\arraybackslash}p{([\d.]+)", shown.latex())
    assert sides == [("raggedright", "0.229"), ("raggedleft", "0.458")]  # less what stands between


def test_long_texts_have_wider_columns_and_long_names_may_break():
    kinds = {36: "short", 37: "long", 100: "long", 101: "prose"}
    shown = view(pd.DataFrame({f"of {n}": ["x", n * "x"] for n in kinds}))
    assert re.findall(r'<th scope="col" class="(\w+)">', shown.html()) == [*kinds.values()]
    assert r"{lp{4.5cm}p{4.5cm}p{4.5cm}}" in shown.latex()
    names = [22 * "a" + ".b", 22 * "a" + ".bc", 22 * "a" + "_bc", 22 * "a" + " .b"]
    lines = view(pd.DataFrame({"a": names})).latex().splitlines()
    ends = [line.lstrip("a") for line in lines[4:8]]
    assert ends == [r".b \\", r".\allowbreak{}bc \\", r"\_\allowbreak{}bc \\", r" .b \\"]


def test_settings_stand_once_either_as_assumed_or_in_their_section():
    text = "a:\n  # ASSUME: why.\n  # And more.\n  b: 1\n  c: [2, 3]\n  d: null\n  e: null\n"
    text += "m:\n  # ASSUME: because.\n  n:\n    x: {y: true}\n    z: {}\n  o: {}\np: false\n"
    assumptions = read_assumptions(text)
    assumed, others = setting_tables(yaml.safe_load(text), assumptions | {"gone": ""}, {"a.d": 5})
    assert assumed.to_numpy().tolist() == [
        ["a.b", "1", "why. And more."],
        ["m.n", "x.y yes; z none", "because."],
    ]
    assert others.to_numpy().tolist() == [
        ["a", "c 2, 3; d derived: 5; e none"],
        ["m", "o without settings"],
        ["p", "no"],
    ]


@pytest.mark.slow
def test_a_click_sorts_by_number(open_page, tmp_path):
    values = [10.0, 9.00001, 9.00002, np.nan, -1.5, 100.0, *np.arange(20.0, 30.0)]
    table = pd.DataFrame({"name": [f"row {i}" for i in range(len(values))], "value": values})
    path = tmp_path / "t.html"
    write_page(table, path, title="T")
    page = open_page(path, 400, 600)

    def names():
        return page.locator("tbody tr:not([hidden]) td:first-child").all_inner_texts()

    written = names()
    button = page.get_by_role("button", name="value", exact=True)
    button.click()
    assert names()[:4] == ["row 4", "row 1", "row 2", "row 0"]  # not "-1.5, 10, 100, 20"
    assert names()[-2:] == ["row 5", "row 3"]
    assert page.locator("th[aria-sort=ascending]").inner_text() == "value"
    button.press("Enter")
    assert (names()[0], names()[-1]) == ("row 5", "row 3")  # what is missing stays last
    button.press("Enter")
    assert names() == written
    page.get_by_role("button", name="name", exact=True).click()
    assert names() == [f"row {i}" for i in range(len(values))]  # row 2 before row 10
    page.get_by_label("Show rows with").fill("ROW 9.0")
    assert names() == ["row 1", "row 2"]
    assert page.locator("caption").inner_text() == "2 of 16 rows"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
