"""The figures of the verdict."""

import matplotlib.pyplot as plt
import pandas as pd
import pypdfium2
import pytest

from kappacurve.plots.style import house_style, save_figure
from study.figures.curves import figure_dominating
from study.figures.marks import set_letters
from study.figures.prevalences import figure_prevalences
from study.figures.reversing_split import RARE, TYPICAL, choose_splits, figure_reversing_split
from study.paper.printed_numbers import prevalences_table
from study.replicates.evaluation import measure_replicates

# AUC and AUK of the linear model and of the network: on curve and hull both, but for the last.
SPLITS = [(0.80, 0.20, 0.70, 0.10), (0.80, 0.20, 0.72, 0.12), (0.80, 0.20, 0.60, 0.02)]
SPLITS += [(0.80, 0.20, 0.79, 0.21), (0.80, 0.20, 0.75, 0.25), (0.80, 0.20, 0.70, 0.30)]


def measures_of(splits, last_on_hull=True):
    rows = []
    for number, (*linear, auc, auk) in enumerate(splits):
        for curve in ("raw", "hull"):
            agrees = curve == "hull" and number == len(splits) - 1 and not last_on_hull
            network = (auc, linear[1] / 2) if agrees else (auc, auk)
            for model, areas in (("linear", linear), ("neural_net", network)):
                rows.append((number, model, "majority", curve, *areas))
    columns = ["replicate", "model", "positive_class", "curve", "auc", "auk"]
    return pd.DataFrame(rows, columns=columns)


def test_the_clearest_reversal_stands_beside_a_typical_split():
    assert choose_splits(measures_of(SPLITS)) == {TYPICAL: 1, RARE: 5}
    # One that the hulls do not show is none.
    assert choose_splits(measures_of(SPLITS, last_on_hull=False)) == {TYPICAL: 1, RARE: 4}
    assert choose_splits(measures_of(SPLITS[:3])) == {TYPICAL: 0}


@pytest.fixture
def drawn():
    yield lambda figure: [axes.get_title(loc="right") for axes in figure.axes]
    plt.close("all")


def test_both_figures_are_drawn(kept, drawn):
    measures = measure_replicates(kept)
    titles = drawn(figure_reversing_split(measures, kept))
    assert titles[:2] == [title for title in (TYPICAL, RARE) if title in choose_splits(measures)]
    figure = figure_prevalences(prevalences_table(), width=7)
    assert drawn(figure)[:2] == ["Table 4, linear", "Table 4, neural net"]
    rows = [label.get_text() for label in figure.axes[4].get_yticklabels()]
    assert rows[0] == "Table 4, linear" and rows[-1] == "operating point" and len(rows) == 5


@pytest.mark.parametrize(
    ("width", "font", "named"), [(3.0, "serif", "STIX"), (5.5, "sans", "DejaVuSans")]
)
def test_a_figure_is_as_wide_as_asked_with_letters_of_eight_points(
    tmp_path, kept, width, font, named
):
    with house_style():
        figures = {
            "prevalences": figure_prevalences(prevalences_table(), width),
            "reversing_split": figure_reversing_split(measure_replicates(kept), kept, width),
            "figure1": figure_dominating([1.8, 0.9], 0.3, width),
        }
        for name, figure in figures.items():
            path = tmp_path / f"{name}.pdf"
            save_figure(set_letters(figure, font), [path])
            with pypdfium2.PdfDocument(path) as pdf:
                assert pdf[0].get_width() == pytest.approx(72 * width, abs=0.01)
                text = pdf[0].get_textpage()
                letters = [i for i, sign in enumerate(text.get_text_range()) if sign.strip()]
                sizes = {round(pypdfium2.raw.FPDFText_GetFontSize(text, i), 3) for i in letters}
            assert sizes == {8}, name
            assert named.encode() in path.read_bytes()
