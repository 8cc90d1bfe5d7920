"""Formulas in Typst's spelling."""

import re
from pathlib import Path

import pytest
import typst

from study.pages.notation import typst_math

TEXTS = Path(__file__).parents[3] / "workflow" / "appendix" / "text"


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\kappa(f)", "kappa (f)"),
        (r"\frac{2p}{1-p}", "(2 p)/(1 - p)"),
        (r"\frac{\frac{1}{2}}{x}", "((1)/(2))/(x)"),
        (r"\mathrm{AUK} = \int_0^1 \kappa(f)\,df", '"AUK" = integral _ 0 ^ 1 kappa (f) thin d f'),
        (r"p_{e}^{2}", "p _ (e) ^ (2)"),
    ],
)
def test_translation(latex, expected):
    assert typst_math(latex) == expected


def test_an_unknown_command_is_refused():
    with pytest.raises(ValueError, match=r"uses \\oint"):
        typst_math(r"\oint x")


def test_every_formula_of_the_texts_is_set(tmp_path):
    text = "".join(path.read_text() for path in TEXTS.glob("*.rst"))
    formulas = re.findall(r":math:`([^`]*)`", text) + re.findall(r"\.\. math:: (.*)", text)
    assert formulas
    source = tmp_path / "formulas.typ"
    source.write_text("".join(f"$ {typst_math(one)} $\n" for one in formulas))
    assert typst.compile(source, format="pdf").startswith(b"%PDF")
