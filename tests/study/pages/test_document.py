"""From the source text to LaTeX and the PDF: what is shown, and what is refused."""

import shutil
from pathlib import Path
from string import punctuation

import pandas as pd
import pypdfium2
import pytest

from study.errors import ExperimentError
from study.pages.document import Sources, prose_page, read_document, write_document
from study.pages.filled_text import plain_words

ROOT = Path(__file__).parents[3]
LAYOUTS = {path.name: path for path in (ROOT / "workflow" / "appendix").glob("*.*")}
TABLE = pd.DataFrame({"model": ["linear", "neural_net"], "auc": [0.75, -0.5], "n": [3, 4]})
REFERENCES = {
    "b": {"authors": "B", "year": 2001, "title": "Two", "where": "J 2", "doi": "10.1/b_1"},
    "a": {"authors": "Möller", "year": 2000, "title": "One", "where": "J 1"},
}
TEXT = """
First
=====

See :ref:`tables/one`; *then* **stop**; and :cite:`a,b` again :cite:`a`. "Its" kappa
:math:`\\frac{1}{\\kappa}` is ``a_b``, [1] of 2.

.. results-table:: tables/one
   :group: model

   A caption [x] with 11 % and x_1.

.. results-figure:: figures/one
   :width: 80%

   Another caption.

.. verdict:: Why

.. results-table:: tables/long
   :widths: 40 30 30

   Long.
"""
VERDICT = "# Title\n\nIn short.\n\n## Why\n\n- **so**; 5 %\n\n## Other\n\nNot this.\n"


def read(text=TEXT, figure=Path("one.pdf")):
    tables = {"tables/one": TABLE, "tables/long": pd.concat([TABLE] * 60)}
    return read_document(text, Sources(tables, {"figures/one": figure}, REFERENCES, VERDICT))


def written(folder, text=TEXT):
    import matplotlib.pyplot as plt

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    figure = folder / "drawing.pdf"
    plt.figure().savefig(figure, metadata={"CreationDate": None})
    plt.close()
    write_document(read(text, figure), folder, LAYOUTS, "A & B", "x_1")
    return folder


def pdf_text(path):
    pdf = pypdfium2.PdfDocument(path)
    try:
        return " ".join(
            " ".join(page.get_textpage().get_text_bounded().split()) for page in pdf
        ).replace("\ufffe", "-")
    finally:
        pdf.close()


def test_the_pdf_shows_everything_and_has_the_same_bytes_each_time(tmp_path):
    first = written(tmp_path / "first")
    text = pdf_text(first / "appendix.pdf")
    for part in (
        "A & B x_1 1 First",
        "See Table S1; then stop; and [1, 2] again [1]. “Its” kappa",
        "is a_b, [1] of 2.",
        "Table S1. A caption [x] with 11\u202f% and x_1.",
        "AUC n linear 0.7500 3 neural net \u22120.5000 4",
        "Figure S1. Another caption.",
        "Long. Part 1 of 3.",
        "so; 5\u202f%",
        "[1] Möller (2000). One. J 1. [2] B (2001). Two. J 2. https://doi.org/10.1/b_1",
    ):
        assert " ".join(part.split()) in " ".join(text.split()), part
    assert "Not this" not in text
    second = written(tmp_path / "second")
    for name in ("appendix.pdf", "appendix.tex", "body.tex", "appendix.typ", "tables/one.tex"):
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


def test_latex_of_the_parts():
    document = read()
    assert "\\section{First}\n" in document.latex  # without a label
    assert r"See Table~\ref{kappacurve:tab:one}; \emph{then} \textbf{stop}; and" in document.latex
    assert r"\cite{kappacurve:a,kappacurve:b} again" in document.latex
    assert (
        r"\caption{A caption {[}x{]} with 11\,\% and x\_1.}\label{kappacurve:tab:one}"
        in document.latex
    )
    entry = r"\bibitem{kappacurve:b} B (2001). Two. J 2. \url{https://doi.org/10.1/b_1}"
    assert entry in document.references and "bibitem" not in document.latex
    assert document.bib.startswith("@misc{kappacurve:a,\n  author = {{Möller}},\n")
    assert document.tables["tables/one"].splitlines() == [
        r"\begin{tabular}{rr}",
        r"\toprule",
        r"AUC & n \\",
        r"\midrule",
        r"\multicolumn{2}{l}{\emph{linear}} \\",
        r"0.7500 & 3 \\",
        r"\addlinespace",
        r"\multicolumn{2}{l}{\emph{neural net}} \\",
        r"\ensuremath{-}0.5000 & 4 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("See :ref:`tables/two`.", "refers to tables/two, which it doesn't show"),
        ("As in :cite:`c`.", "cites c, which is not in the references"),
        ("As in :sup:`c`.", "Superscript"),
        (".. resuts-table:: tables/one\n\n   No.", "unknown directive resuts-table"),
        (".. results-table:: tables/two\n\n   No.", "table tables/two, which there isn't"),
        (".. results-table:: tables/one\n   :colums: a\n\n   No.", "has no option colums"),
        (".. results-table:: tables/one\n   :where: auk=1\n\n   No.", "has no 'auk'"),
        (".. results-table:: tables/one", "has no caption"),
        (".. verdict:: Who", "the verdict has no section 'Who'"),
        (".. include:: /etc/passwd", "faulty"),
        (".. raw:: html\n\n   <b>", "RawBlock"),
    ],
)
def test_a_faulty_text_is_refused_in_words(text, message):
    with pytest.raises(ExperimentError, match=message):
        read(text)


def test_words_from_data_stay_words(tmp_path):
    words = ["*bad*", "a_", "|b|", ":ref:`x`", "<b>", "[1]_", "x__", r"\input{x}", "$x$"]
    words += [f"x{sign}y" for sign in punctuation.replace("'", "").replace('"', "")]
    text = "\n\n".join(f"Class {plain_words(word)} here." for word in words)
    found = pdf_text(written(tmp_path / "made", text) / "appendix.pdf")
    for word in words:
        assert f"Class {word} here." in found


def test_prose_keeps_its_structure():
    page = prose_page("# Is 1 < 2?\n\n**Yes**, see `a_b`: 5 %.\n\n## Why\n\n- one\n- two\n")
    for part in (
        "<title>Is 1 &lt; 2?</title>",
        "<p><strong>Yes</strong>, see <code>a_b</code>: 5\u202f%.</p>",
        "<h2>Why</h2>",
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
    ):
        assert part in page


def test_a_table_of_prose_becomes_a_list(tmp_path):
    text = (
        ".. results-list:: tables/one\n   :columns: model auc n\n   :labels: auc=area, n=\n\n"
        ":ref:`tables/one`\n\n.. results-table:: tables/one\n   :columns: model range\n"
        "   :range: auc n\n   :digits: auc=.2f\n\n   Ends."
    )
    found = pdf_text(written(tmp_path / "made", text) / "appendix.pdf")
    assert "• linear. Area: 0.7500. 3. • neural net. Area" in found
    assert "linear 0.75 to 3" in found
