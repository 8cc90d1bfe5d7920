"""Names of models stand in every figure as they are, and no character of theirs breaks a file."""

from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import pyplot as plt

import kappacurve as kc
from kappacurve import plots
from kappacurve.plots.style import headline, save_figure

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
    "h": lambda name: plots.HMeasureDisplay.from_predictions(Y, P, name=name).figure_,
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
