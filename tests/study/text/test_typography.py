"""Signs, ranges and quotation marks; and what they must leave alone."""

import pytest

from study.text.typography import typeset, typeset_markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.6% to 4.4 %", "0.6\u202f% to 4.4\u202f%"),
        (
            "\u22121.00 at p = 0.5, -0.60 at 0.25",
            "\u22121.00 at p\u00a0=\u00a00.5, \u22120.60 at 0.25",
        ),
        ("(5.5e-10)", "(5.5\u00a0\u00d7\u00a010⁻¹⁰)"),
        ("p and 1 - p, (a) - b", "p and 1 \u2212 p, (a) \u2212 b"),
        ("0.275 x 0.365", "0.275\u00a0\u00d7\u00a00.365"),
        ("186-189, 232-236 rows", "186\u2013189, 232\u2013236 rows"),
        ('splits "randomly"; "a b".', "splits “randomly”; “a b”."),
        ("the paper's AUK", "the paper\u2019s AUK"),
        ("1e-12 or 2.5e+3", "10⁻¹² or 2.5\u00a0\u00d7\u00a010³"),
    ],
)
def test_what_is_set(text, expected):
    assert typeset(text) == expected
    assert typeset(expected) == expected  # once is enough


@pytest.mark.parametrize(
    "text",
    [
        "10.1007/s10994-009-5119-5",
        "5'3 \" tall",
        "the paper's 'own' AUK",
        "https://x.example/1-2",
    ],
)
def test_what_stays(text):
    assert typeset(text) == text


def test_in_markdown_only_prose_is_set():
    text = "1-2 `1-2` $1-2$ [1-2](1-2) @k-1-2\n\n~~~{=html}\n1-2\n~~~\n\n1-2\n\n    1-2"
    expected = "1~2 `1-2` $1-2$ [1~2](1-2) @k-1-2\n\n~~~{=html}\n1-2\n~~~\n\n1~2\n\n    1-2"
    assert typeset_markdown(text) == expected.replace("1~2", "1\u20132")
