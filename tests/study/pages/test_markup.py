"""Every kind of text that the appendix may hold, in both languages that it is written in."""

import pytest

from study.pages.document import read_document
from study.pages.latex import LatexRenderer, cell, escape
from study.pages.typesetting import TypstRenderer

TEXT = """
#####
Title
#####

First
=====

A *b* **c** ``d/e.f_g`` :math:`x_1^2` `link <https://x.example/a_b>`__.

.. math::

   y = \\frac{1}{2}

- one
- two 5 %

1. first
2. second

::

   as & is_

Second
======

End.
"""


@pytest.mark.parametrize(
    ("renderer", "fragments"),
    [
        (
            LatexRenderer,
            [
                r"A \emph{b} \textbf{c} \texttt{d/\allowbreak{}e.\allowbreak{}f\_\allowbreak{}g}",
                r"$x_1^2$ \href{https://x.example/a_b}{link}.",
                "\\[ y = \\frac{1}{2} \\]",
                "\\begin{itemize}\n\\item one\n\\item two 5\\,\\%\n\\end{itemize}",
                "\\begin{enumerate}\n\\item first\n\\item second\n\\end{enumerate}",
                "\\begin{verbatim}\nas & is_\n\\end{verbatim}",
                "\\section{First}",
            ],
        ),
        (
            TypstRenderer,
            [
                "#emph[b];",
                "#strong[c];",
                '#link("https://x.example/a_b")[link];',
                "#list([one], [two 5\u202f%])",
                "#enum([first], [second])",
                '#raw("as & is_", block: true)',
            ],
        ),
    ],
)
def test_markup(renderer, fragments):
    body = renderer(read_document(TEXT, {}, {}, {})).body()
    assert [one for one in fragments if one not in body] == []


def test_cells_and_words_of_latex():
    assert cell("\u22120.5\u00a0\u00d7\u00a010⁻¹⁰") == (
        r"$-$0.5~$\times$~10\textsuperscript{$-$}\textsuperscript{1}\textsuperscript{0}"
    )
    assert cell("a-b") == "a-b"
    assert r"\allowbreak{}" in cell("a_very.long_name_of.a_function")
    assert escape("50 % & more_{x} #1 $2 ~ ^ \\ \u00e9") != "50 % & more_{x} #1 $2 ~ ^ \\ \u00e9"
    assert r"\'{e}" in escape("\u00e9")
