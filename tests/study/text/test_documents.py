"""The paper's page of stored tables: complete, and it names what a run does not support."""

import re

import pytest

from study.paper.facts import gather_facts, judge_claims
from study.paper.tables import paper_tables
from study.text.documents import escape, fill, show, write_page


@pytest.fixture(scope="module")
def values(paper):
    tables, claims = paper
    values = gather_facts(tables) | paper_tables(tables, claims)
    return values | {"claims": claims, "sweep": True, "failed": []}


def test_splits_that_can_and_that_cannot_disagree_are_all(values):
    counts = values["disagreement"]
    assert (counts["can"] + counts["cannot disagree"] == 1000).all()
    assert (counts["do"] <= counts["can"]).all()


def test_a_run_that_does_not_support_a_sentence_says_so_on_top(values):
    large = vars(values["as_large"]) | {"value": 3.0}
    values = {**values, "as_large": type(values["as_large"])(**large)}
    failed = judge_claims(values)[1]
    assert len(failed) == 2
    text = fill("paper.md.jinja", values | {"failed": failed})
    for line in failed:
        assert 0 < text.index(escape(line)) < text.index("## ")
    assert escape(failed[0]) not in fill("paper.md.jinja", values)


@pytest.mark.parametrize("name", ["paper.md.jinja", "appendix.md.jinja"])
def test_texts_have_no_gaps_with_and_without_a_sweep_and_changes(values, name):
    of_changes = "changes", "matlab_network"
    few = {key: value for key, value in values.items() if key not in of_changes}
    few["sweep"] = False
    for text in (fill(name, values), fill(name, few)):
        assert not {"nan", "None"} & {*re.findall("[A-Za-z]+(?! of these)", text)}
    assert "measures_by_skew" not in fill(name, few)


def test_a_value_is_no_markup(tmp_path):
    text = escape("a_b* <script>alert(1)</script> [x](y) $z$ `c`")
    write_page(text, tmp_path / "page.html", "Title")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    body = page.partition("<body>")[2]
    assert "<script>" not in body and "<em>" not in body and "href" not in body


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.7961, 0.7158, 0.873), "0.796 (0.716 to 0.873)"),
        ((-0.5,), "\u22120.500"),
        ((float("nan"),), ""),
        ((0.5, float("nan"), float("nan")), "0.500"),
    ],
)
def test_numbers_are_shown_with_their_interval(numbers, text):
    assert show(*numbers) == text
