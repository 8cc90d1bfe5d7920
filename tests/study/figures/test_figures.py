"""What the study's figures promise: one colour for each model, and a sentence that is true."""

from itertools import product
from xml.etree import ElementTree

import pandas as pd
from matplotlib import pyplot as plt

from kappacurve.plots.style import headline, house_style, save_figure
from study.figures import headlines
from study.figures.paper_figures import figure_auk_by_prevalence
from study.figures.replicate_figures import FIGURES, Words

NAMES = {"majority": "good", "minority": "bad"}


def test_a_model_has_one_colour_whoever_is_drawn_beside_it():
    models = ["linear", "logistic", "neural_net"]
    kinds = [("model", models), ("positive_class", ["majority", "minority"])]
    corners = {"fpr": [0.0, 0.2, 1.0], "tpr": [0.0, 0.7, 1.0], "curve": "raw"}
    curves = pd.DataFrame(corners).merge(every(kinds), how="cross")
    kinds += [("measure", ["auc", "auk", "h"]), ("skew", [0.1, 0.3])]
    cell = {"encoding": "a", "sampling": "b", "trainer": "c", "n_train": 1, "curve": "raw"}
    shown = {"replicates": 9, "mean": 0.5, "low": 0.4, "high": 0.6}
    summary = every(kinds).assign(**cell, **shown)
    pair = figure_auk_by_prevalence(curves, ["linear", "neural_net"], "bad")
    three = figure_auk_by_prevalence(curves, models, "bad")
    sweep = FIGURES["sweep"](summary, Words(NAMES, models[:2]))
    found = [_colors(figure.axes[0]) for figure in (pair, three, sweep)]
    assert found[0].items() <= found[1].items() == found[2].items()
    assert len(set(found[1].values())) == len(models)
    plt.close("all")


def every(kinds):
    names, levels = zip(*kinds, strict=True)
    return pd.DataFrame(product(*levels), columns=names)


def _colors(axes):
    handles, labels = axes.get_legend_handles_labels()
    lines = [getattr(handle, "lines", [handle])[0] for handle in handles]
    # At the shares of the sweep, which differ in the number of test rows, no line joins points.
    assert all(line.get_linestyle() == "None" for line in lines if len(line.get_xdata()) == 2)
    return dict(zip(labels, (line.get_color() for line in lines), strict=True))


def test_sentences_say_what_the_tables_say():
    skews = pd.DataFrame(
        {"skew": [0.5, 0.02, 0.02], "pair": "auc-auk", "share": [0.002, 0.1, 0.124]}
    )
    told = headlines.of_reversal_by_skew(skews, NAMES)
    assert told.endswith(
        "in 10.0 to 12.4 % of the splits at 2 % bad rows, 0.2 % of the splits at 50 %"
    )
    assert headlines.of_reversal_by_skew(skews.assign(share=float("nan")), NAMES) == ""
    sides = ["majority", "minority", "majority"]
    choices = pd.DataFrame({"positive_class": sides, "distance": [1.0, 2.0, 3.0]})
    assert "With good positive, 1 of 2" in headlines.of_specification(choices, NAMES)
    assert "With good positive, all 1" in headlines.of_specification(choices[:2], NAMES)
    by_prevalence = pd.DataFrame({"a": [0.2, 0.1], "b": [0.1, 0.2]}, index=[0.1, 0.3])
    assert headlines.of_prevalences(by_prevalence).endswith("changes at a prevalence of 0.3")
    assert headlines.of_prevalences(by_prevalence[["a"]]).endswith("the same at every prevalence")


def test_a_sentence_over_curves_names_no_winner_that_the_test_does_not():
    """A large difference without, and a small one with, a small p value."""
    tests = pd.DataFrame(
        {
            "measure": ["auc", "auc", "auk"],
            "model_a": ["linear", "linear", "linear"],
            "model_b": ["neural_net", "svm", "svm"],
            "difference": [0.3, -0.01, -0.2],
            "p_value": [0.06, 0.001, 0.04],
            "p_adjusted": [0.08, 0.01, 0.051],
        }
    )
    told = headlines.of_curves(tests)
    assert told == "Statistically significant on these rows: AUC: svm above linear"
    unclear = "No difference in AUC or AUK is statistically significant on these rows"
    assert headlines.of_curves(tests.drop(1)) == unclear
    # Two models alone have nothing to adjust for.
    pair = tests.assign(p_adjusted=float("nan")).drop(1)
    assert headlines.of_curves(pair).endswith("AUK: svm above linear")
    assert headlines.of_curves(tests[:0]) == ""


def test_a_sentence_stands_above_the_panels_and_names_the_drawing(tmp_path):
    with house_style():
        figure, axes = plt.subplots(figsize=(3.4, 2))
        axes.set_title("panel")
        headline(figure, "A < B, " * 20, "5 % of " * 30)
        path = tmp_path / "drawing.svg"
        save_figure(figure, [path])
    sentence, about = (text.get_window_extent() for text in figure.texts)
    assert about.y0 < about.y1 < sentence.y0 < sentence.y1 <= figure.bbox.y1
    assert axes.get_tightbbox().y1 <= about.y0
    assert max(sentence.x1, about.x1) <= figure.bbox.x1
    drawing = ElementTree.parse(path).getroot()  # noqa: S314
    told = [
        drawing.find(f"{{http://www.w3.org/2000/svg}}{name}").text for name in ("title", "desc")
    ]
    assert drawing.get("role") == "img"
    assert told == [("A < B, " * 20).strip(), ("5\N{NO-BREAK SPACE}% of " * 30).strip()]
