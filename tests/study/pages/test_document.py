"""The source text: directives, roles and what they refuse."""

from pathlib import Path

import pandas as pd
import pytest

from study.errors import ExperimentError
from study.pages.document import read_document
from study.pages.facts import plain
from study.pages.latex import LatexRenderer
from study.pages.typesetting import TypstRenderer

TABLE = pd.DataFrame({"model": ["linear", "neural_net"], "auc": [0.75, -0.5], "n": [3, 4]})
REFERENCES = {
    "b": {"authors": "B", "year": 2001, "title": "Two", "where": "J 2", "doi": "10.1/b"},
    "a": {"authors": "Ä", "year": 2000, "title": "One", "where": "J 1"},
}
TEXT = """
#####
Title
#####

First
=====

See :ref:`tables/one`; *then* **stop**; and :cite:`a, b` again :cite:`a`.

.. results-table:: tables/one

   A caption with 11 % and x_1.

.. results-figure:: figures/one
   :width: 80%

   Another caption.

Second
======

The end.
"""


def read(text=TEXT):
    return read_document(
        text, {"tables/one": TABLE}, {"figures/one": Path("some/one.pdf")}, REFERENCES
    )


def test_a_document_lists_what_it_shows_in_order():
    document = read()
    assert list(document.tables) == ["tables/one"]
    assert document.figures == {"figures/one": Path("some/one.pdf")}
    assert list(document.references) == ["a", "b"]  # by first citation, not by the file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("See :ref:`tables/two`.", "refers to tables/two, which it doesn't show"),
        ("See :cite:`c`.", "cites c, which is not in the references"),
        (".. results-table:: tables/two\n\n   No.", "there is no table tables/two"),
        (".. results-figure:: figures/two\n\n   No.", "there is no figure figures/two"),
        (".. results-table:: tables/one\n   :columns: auk\n\n   No.", "has no 'auk'"),
        (".. results-table:: tables/one\n   :where: auk=1\n\n   No.", "has no 'auk'"),
        (".. results-table:: tables/one", "Content block expected"),
        ("*never ends", "Inline emphasis start-string without end-string"),
        (".. include:: /etc/passwd", "directive disabled"),
        (".. raw:: html\n\n   <b>", "directive disabled"),
    ],
)
def test_a_faulty_text_is_refused_in_words(text, message):
    with pytest.raises(ExperimentError, match=message):
        read(text)


def test_latex_numbers_escapes_and_points():
    renderer = LatexRenderer(read())
    body = renderer.body_text()
    assert r"\section{First}" in body
    assert r"See Table~\ref{tab:one}; \emph{then} \textbf{stop}; and \cite{a,b} again" in body
    assert r"\caption{A caption with 11\,\% and x\_1.}" in body
    assert r"\includegraphics[width=0.8\linewidth]{figures/one.pdf}" in body
    assert r"\bibitem{a} \"{A} (2000). One. J 1. " in body
    assert r"\bibitem{b} B (2001). Two. J 2. \url{https://doi.org/10.1/b}" in body
    assert renderer.table_files() == {
        "one": "\\begin{tabular}{lrr}\n\\toprule\nmodel & AUC & n \\\\\n\\midrule\n"
        "linear & 0.7500 & 3 \\\\\nneural net & $-$0.5000 & 4 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    }
    assert renderer.document_text("<@TITLE@ @BYLINE@>", "A & B") == r"<Title A \& B>"


def test_typst_ends_each_call_so_that_no_semicolon_is_lost():
    text = TypstRenderer(read()).document_text("@TITLE@|@BYLINE@|@BODY@", "x_1")
    assert text.startswith(r"Title|x\_1|")
    assert "#heading(level: 1)[First]" in text
    assert "See #ref(<table-one>);; #emph[then]; #strong[stop];; and " in text
    assert r"\[#link(<reference-a>)[1];, #link(<reference-b>)[2];\]" in text
    assert 'image("figures/one.pdf", width: 80%)' in text
    assert "caption: [A caption with 11\u202f% and x\\_1.]" in text


@pytest.mark.parametrize("renderer", [LatexRenderer, TypstRenderer])
def test_markup_that_no_format_knows_is_an_error_not_a_gap(renderer):
    with pytest.raises(NotImplementedError, match="can't render"):
        renderer(read("One.\n\n----\n\nTwo.")).body()


@pytest.mark.parametrize(
    "word", ["*bad*", "`x", "a_", "|b|", ":ref:`x`", "\\", "<b>", "[1]_", "x__"]
)
def test_words_from_data_stay_words(word):
    document = read(f"Class {plain(word)} here.")
    assert document.tree.astext().strip() == f"Class {word} here."
