"""The public figures: what they draw is what the numbers say, and names stand as they are."""

import zlib
from contextlib import suppress
from io import BytesIO
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib import pyplot as plt

import kappacurve as kc
from kappacurve import plots
from kappacurve.plots import style
from kappacurve.plots.style import headline, house_style, save_figure

CURVES = {"A": ([0, 0.2, 1], [0, 0.8, 1]), "B": ([0, 0.5, 0.6, 1], [0, 0.5, 0.9, 1])}


def test_curves_stand_beside_their_kappa_curves():
    roc, kappa = plots.plot_curves(CURVES, 0.5).axes
    texts = [text.get_text() for text in kappa.get_legend().get_texts()]
    # At p = 1/2 kappa is t - f, so AUK = AUC - 1/2 and the largest kappa of A is 0.6.
    assert texts == ["A, AUK 0.300", "B, AUK 0.075"]
    assert [t.get_text() for t in roc.get_legend().get_texts()] == ["A, AUC 0.800", "B, AUC 0.575"]
    for axes, best in ((kappa, [[0.2, 0.6], [0.6, 0.3]]), (roc, [[0.2, 0.8], [0.6, 0.9]])):
        marks = [one.get_xydata()[0] for one in axes.get_lines() if one.get_label() == "_maximum"]
        assert np.allclose(marks, best)
    hull = plots.plot_curves({"B": CURVES["B"]}, 0.3, curve="hull").axes[0].get_lines()[0]
    assert hull.get_xydata().tolist() == [[0, 0], [0.6, 0.9], [1, 1]]
    # Each line by colour, and by dashes; and of many every one by both.
    lines = [line for line in roc.get_lines() if not line.get_label().startswith("_")]
    assert len({line.get_color() for line in lines}) == len(lines) == 2
    assert lines[0].is_dashed() != lines[1].is_dashed()
    assert len(set(style.line_styles(range(36)))) == 36
    with pytest.raises(ValueError, match="one to 36 can be told apart in a figure, got 37"):
        style.line_styles(range(37))


def test_curves_at_a_cost_are_of_its_kappa():
    y, score = np.repeat([0, 1], 5), np.repeat([1, 2, 1, 2], [4, 1, 1, 4])  # the curve of A
    curve = {"A": CURVES["A"]}
    kappa = plots.plot_curves(curve, 0.3, cost_ratio=4).axes[1]
    best = kc.measures(y, score, prevalence=0.3, cost_ratio=4)["kappa_max"]
    mark = next(one for one in kappa.get_lines() if one.get_label() == "_maximum")
    assert mark.get_ydata()[0] == pytest.approx(best)
    assert kappa.get_ylabel().endswith("at cost ratio 4")
    for ratio, equal in ((None, 0.5), (4, 0.2)):
        axes = plots.plot_auk_by_prevalence(curve, prevalence=[equal, 0.3], cost_ratio=ratio)
        line, mark = axes.get_lines()[:2]
        at = {"cost_ratio": ratio or 1}
        expected = [kc.auk_score(y, score, prevalence=p, **at) for p in (equal, 0.3)]
        assert line.get_ydata() == pytest.approx(expected)
        assert mark.get_xydata()[0] == pytest.approx([equal, expected[0]])


@pytest.mark.parametrize("options", [{}, {"cost_ratio": 4, "axis": "flagged"}])
def test_bands_are_the_bounds(options):
    axes = plots.plot_auk_bounds(0.75, auk=0.1, **options)
    assert axes.get_lines()[0].get_ydata()[0] == 0.1
    for band, kind in zip(axes.collections, ("raw", "hull"), strict=True):
        corners = band.get_paths()[0].vertices
        at = corners[np.isclose(corners[:, 0], 0.25, atol=0.001), 1]
        found = kc.bounds.auk_bounds(0.75, 0.25, curve=kind, **options)
        assert at.min() == pytest.approx(float(found.lower), abs=2e-3)
        assert at.max() == pytest.approx(float(found.upper), abs=2e-3)


SUFFIXES = (".pdf", ".svg", ".png")
OTHER_SETTINGS = {
    "axes.grid": True,
    "axes.facecolor": "0.9",
    "mathtext.fontset": "cm",
    "savefig.bbox": "tight",
}


def test_same_bytes_whatever_the_settings_of_matplotlib(tmp_path):
    for name, settings in (("a", {}), ("b", OTHER_SETTINGS)):
        with mpl.rc_context(settings):
            before = dict(mpl.rcParams)
            with house_style():
                figure = plots.plot_curves(CURVES, 0.2)
                figure.axes[0].errorbar([0.5], [0.5], yerr=0.1)
                save_figure(figure, [tmp_path / f"{name}{one}" for one in SUFFIXES])
            assert dict(mpl.rcParams) == before
    for one in SUFFIXES:
        assert (tmp_path / f"a{one}").read_bytes() == (tmp_path / f"b{one}").read_bytes()


def test_fonts_of_a_pdf_have_outlines_and_nothing_to_typeset_with(tmp_path):
    with house_style():
        save_figure(plots.plot_curves(CURVES, 0.2), [tmp_path / "figure.pdf"])
    fonts = 0
    for stream in (tmp_path / "figure.pdf").read_bytes().split(b"stream\n")[1:]:
        with suppress(zlib.error):
            data = zlib.decompressobj().decompress(stream)
            if data[:4] == b"\0\1\0\0":
                fonts += 1
                tables = set(TTFont(BytesIO(data)).keys())
                assert {"glyf", "hmtx"} <= tables
                assert not {"GSUB", "GPOS", "GDEF", "kern"} & tables
    assert fonts


def test_colours_stand_out_from_white(contrast):
    """By WCAG 2: 3 of lines and marks, 4.5 of what is read as text."""
    assert contrast("black", "white") == 21
    assert min(contrast(look.color, "white") for look in style.LINE_STYLES) >= 3
    assert min(contrast(look.color, "white") for look in style.CLASS_STYLES.values()) >= 4.5


Y = np.repeat([0, 1], 20)
SCORE = np.random.default_rng(0).normal(size=40) + Y
P = 1 / (1 + np.exp(-SCORE))
CURVE = kc.roc_vertices(Y, SCORE)[:2]
ODD = "_two \\$ {x} $\\frac{\nFAKE \x1b[31m\x00"
SHOWN = {
    "$a_{b}$": "$a_{b}$",
    r"_two \$ {x} $\frac{": r"'_two \$ {x} $\frac{'",
    ODD: r"'_two \\$ {x} $\\frac{\nFAKE \x1b[31m\x00'",
}
FIGURES = {
    "curves": lambda name: plots.plot_curves({name: CURVE}, 0.3),
    "many curves": lambda name: plots.plot_curves(
        {name: CURVE, **dict.fromkeys("abc", CURVE)}, 0.3
    ),
    "comparison": lambda name: kc.compare(Y, {name: SCORE, "other": P}, level=None).plot(),
    "by prevalence": lambda name: plots.plot_auk_by_prevalence({name: CURVE}).figure,
    "kappa": lambda name: plots.KappaCurveDisplay.from_predictions(Y, P, name=name).figure_,
    "hull": lambda name: plots.RocHullDisplay.from_predictions(Y, P, name=name).figure_,
    "decision": lambda name: plots.DecisionCurveDisplay.from_predictions(Y, P, name=name).figure_,
    "profile": lambda name: plots.AukProfileDisplay.from_predictions(Y, {name: P}).figure_,
}


def texts_of(svg):
    """Elements and the texts in them."""
    every = ElementTree.parse(svg).iter()  # noqa: S314 a file of ours
    return {(each.tag.rpartition("}")[2], "".join(each.itertext()).strip()) for each in every}


@pytest.mark.parametrize(
    ("figure", "name"), [*((each, ODD) for each in FIGURES), *(("kappa", one) for one in SHOWN)]
)
def test_a_name_is_shown_as_it_is(figure, name, tmp_path):
    save_figure(FIGURES[figure](name), [tmp_path / "figure.svg"])
    texts = [text for tag, text in texts_of(tmp_path / "figure.svg") if tag == "text"]
    assert any(text.startswith(SHOWN[name]) for text in texts), texts


def test_a_headline_is_no_formula_and_is_described_as_it_reads(tmp_path):
    figure = plt.subplots()[0]
    headline(figure, "well & $fine_ leads $x\x1b", "$a_{b$ positive, 5 %")
    save_figure(figure, [tmp_path / "figure.svg"])
    sentence, about = r"well & $fine_ leads $x\x1b", "$a_{b$ positive, 5\N{NO-BREAK SPACE}%"
    assert {("title", sentence), ("text", sentence), ("desc", about), ("text", about)} <= texts_of(
        tmp_path / "figure.svg"
    )
