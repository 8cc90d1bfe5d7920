"""The PDF: the same bytes each time, with the text that was written."""

from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given, settings, strategies as st

from study.pages.document import read_document
from study.pages.typesetting import TypstRenderer, compile_pdf

TEMPLATE = (Path(__file__).parents[3] / "workflow/appendix/template.typ").read_text()


def pdf_text(path):
    pdf = pypdfium2.PdfDocument(path)
    try:
        return "\n".join(page.get_textpage().get_text_bounded() for page in pdf)
    finally:
        pdf.close()


def compiled(folder, text):
    document = read_document(text, {}, {}, {})
    source = folder / "page.typ"
    source.write_text(TypstRenderer(document).document_text(TEMPLATE), encoding="utf-8")
    compile_pdf(source, folder / "page.pdf")
    return folder / "page.pdf"


def test_the_same_source_gives_the_same_bytes(tmp_path):
    text = "#####\nTitle\n#####\n\nA paragraph with :math:`\\kappa` and ``code``."
    first = compiled(tmp_path, text).read_bytes()
    assert compiled(tmp_path, text).read_bytes() == first


@pytest.mark.parametrize("line", ["2010. is no list", "= no heading", "- no list", "// no comment"])
def test_text_that_looks_like_markup_stays_text(tmp_path, line):
    text = pdf_text(compiled(tmp_path, f"See\n\\{line}"))
    assert " ".join(text.split()) == f"See {line} 1"  # and the page number


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126), min_size=1))
def test_any_ascii_word_comes_out_as_it_went_in(tmp_path_factory, word):
    escaped = "".join(f"\\{character}" for character in word)
    text = pdf_text(compiled(tmp_path_factory.mktemp("page"), f"x{escaped}x"))
    typed = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2212: "-", 0x2013: "-"}
    plain = text.translate(typed)
    assert f"x{word}x" in "".join(plain.split()).replace("\ufffe", "-")
