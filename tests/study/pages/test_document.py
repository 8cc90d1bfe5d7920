"""From the source text to LaTeX and the PDF: what is shown, and what is refused."""

import re
import shutil
from html import unescape
from pathlib import Path
from string import punctuation

import pandas as pd
import pypdfium2
import pytest

from study.errors import ExperimentError
from study.pages.document import Sources, read_document, write_document
from study.pages.filled_text import plain_words

ROOT = Path(__file__).parents[3]
LAYOUTS = {path.name: path for path in (ROOT / "workflow" / "appendix").glob("*.*")}
TABLE = pd.DataFrame({"model": ["linear", "neural_net"], "auc": [0.75, -0.5], "n": [3, 4]})
REFERENCES = [
    {
        "id": name,
        "type": "book",
        "author": [author],
        "title": title,
        "issued": {"date-parts": [[year]]},
        **more,
    }
    for name, author, title, year, more in (
        ("b", {"literal": "B"}, "Two", 2001, {"URL": "https://doi.org/10.1/b_1"}),
        ("a", {"family": "Möller", "given": "A."}, "One", 2000, {}),
    )
]
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
    figure = plt.figure()
    figure.savefig(folder / "drawing.pdf", metadata={"CreationDate": None})
    with plt.rc_context({"svg.hashsalt": "one"}):
        figure.savefig(folder / "drawing.svg", metadata={"Date": None})
    plt.close()
    write_document(read(text, folder / "drawing.pdf"), folder, LAYOUTS, "“A” & B", "x_1")
    return folder


def pdf_pages(path):
    with pypdfium2.PdfDocument(path) as pdf:
        pages = [" ".join(page.get_textpage().get_text_bounded().split()) for page in pdf]
    return [page.replace("\ufffe", "-") for page in pages]


def pdf_text(path):
    return " ".join(pdf_pages(path))


def test_every_format_shows_everything_and_has_the_same_bytes_each_time(tmp_path):
    first = written(tmp_path / "first")
    page = (first / "appendix.html").read_text(encoding="utf-8")
    words = unescape(re.sub(r"<script.*|<style.*?</style>|<[^>]+>", " ", page))
    seen = {"pdf": pdf_text(first / "appendix.pdf"), "html": words}
    for part in (
        "“A” & B x_1",
        "then stop ; and [1, 2] again [1] . “Its” kappa",
        "is a_b , [1] of 2.",
        "Table S1. A caption [x] with 11\u202f% and x_1.",
        "AUC n linear 0.7500 3 neural net \u22120.5000 4",
        "Figure S1. Another caption.",
        "Table S2. Long.",
        "so ; 5\u202f%",
        "[1] A. Möller (2000). One",
        "B (2001). Two. https://doi.org/10.1/b_1",
    ):
        for kind, text in seen.items():
            assert "".join(part.split()) in "".join(text.split()), (kind, part)
    assert "Not this" not in seen["pdf"] + seen["html"]
    assert 'alt="Another caption."' in page and page.count("<details") == 2
    assert page.count("<details id") - page.count(" open>") == 1  # the long table is folded
    second = written(tmp_path / "second")
    for path in sorted(first.rglob("*.*")):
        assert path.read_bytes() == (second / path.relative_to(first)).read_bytes(), path.name


def test_latex_of_the_parts(tmp_path):
    folder = written(tmp_path / "made")
    body, references, bib = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("body.tex", "references.tex", "references.bib")
    )
    assert "\\section{First}\n" in body  # without a label
    assert r"See Table~\ref{kappacurve:tab:one}; \emph{then} \textbf{stop}; and" in body
    assert r"\cite{kappacurve:a,kappacurve:b} again" in body
    assert r"\caption{A caption {[}x{]} with 11\,\% and x\_1.}\label{kappacurve:tab:one}" in body
    assert (
        r"\bibitem{kappacurve:b}  B (2001). Two. \url{https://doi.org/10.1/b_1}" in references
        and "bibitem" not in body
    )
    assert bib.startswith("@book{kappacurve:a,\n  author = {Möller, A.},\n")
    assert (folder / "tables" / "one.tex").read_text(encoding="utf-8").splitlines() == [
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
        (".. results-table:: tables/two\n\n   No.", "table tables/two, which there isn't"),
        (".. results-table:: tables/one\n   :colums: a\n\n   No.", "has no option colums"),
        (".. include:: /etc/passwd", "faulty"),
        (".. raw:: html\n\n   <b>", "RawBlock"),
        (".. csv-table::\n   :file: /etc/passwd", "faulty"),
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


def test_a_table_of_prose_becomes_a_list(tmp_path):
    text = (
        ".. results-list:: tables/one\n   :columns: model auc n\n   :labels: auc=area, n=\n\n"
        ":ref:`tables/one`\n\n.. results-table:: tables/one\n   :columns: model range\n"
        "   :range: auc n\n   :digits: auc=.2f\n\n   Ends."
    )
    found = pdf_text(written(tmp_path / "made", text) / "appendix.pdf")
    assert "• linear. Area: 0.7500. 3. • neural net. Area" in found
    assert "linear 0.75 to 3" in found


def test_print_keeps_short_tables_whole_and_lets_long_ones_go_on(tmp_path):
    tables = {
        f"tables/t{n}": pd.DataFrame({"name": [f"t{n}row{i}end" for i in range(rows)]})
        for n, rows in enumerate((20, 20, 20, 20, 200))
    }
    text = "\n\n".join(f".. results-table:: {name}\n\n   Cites :cite:`a`." for name in tables)
    document = read_document(text, Sources(tables, {}, REFERENCES))
    write_document(document, tmp_path, LAYOUTS, "T", "x")
    pages = pdf_pages(tmp_path / "appendix.pdf")
    for n in range(4):
        assert any(f"t{n}row0end" in page and f"t{n}row19end" in page for page in pages)
    assert all(any(f"t4row{i}end" in page for page in pages) for i in range(200))
    assert " ".join(pages).count("Cites [1]") == 5
