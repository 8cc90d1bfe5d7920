"""One form of each number and sign, and what typography must leave alone."""

import pytest

from study.text.numbers import Fact, fact_of, units_of, write_number
from study.text.typography import typeset, typeset_markdown


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.8812, "share", "88.1 %"),
        (0.11, "stated share", "11 %"),
        (0.4288499025, "measure", "0.429"),
        (-1e-9, "measure", "0.000"),
        (1.85, "points", "1.9"),
        (3e-10, "difference", "0"),
        (1e-9, "difference", "0"),
        (0.000337, "difference", "0.00034"),
        (-0.25, "difference", "-0.25"),
        (99.97, "percentile", "> 99.5"),
        (0.04, "percentile", "< 0.5"),
        (0.06, "percentile", "0.1"),
        (99.94, "percentile", "99.9"),
        (0.6, "published", "0.60"),
        (0.1, "threshold", "0.1"),
        (3.0, "threshold", "3"),
        (-1e-7, "threshold", "-1e-07"),
        (10_000, "count", "10,000"),
        (9_999, "count", "9999"),
        (-10_000, "count", "-10,000"),
        (2.0, "number", "2"),
        (-3.0, "number", "-3"),
        (1.0, "number", "1.0000"),
        (-0.25, "number", "-0.2500"),
        (3.1e-12, "p value", "3.1e-12"),
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
