"""What the study's figures promise: one colour for each model."""

import pandas as pd
from matplotlib import pyplot as plt

from study.pages.paper_figures import figure_auk_by_prevalence
from study.pages.replicate_figures import FIGURES


def test_a_model_has_one_colour_whoever_is_drawn_beside_it():
    corners = {"fpr": [0.0, 0.2, 1.0], "tpr": [0.0, 0.7, 1.0], "curve": "raw"}
    models = ["linear", "logistic", "neural_net"]
    curves = pd.concat(
        pd.DataFrame({**corners, "model": model, "positive_class": side})
        for model in models
        for side in ("good", "bad")
    )
    cell = {"encoding": "a", "sampling": "b", "trainer": "c", "n_train": 1, "curve": "raw"}
    summary = pd.DataFrame(
        {**cell, "skew": skew, "model": model, "positive_class": side, "measure": measure}
        | {"mean": 0.5, "low": 0.4, "high": 0.6}
        for skew in (0.1, 0.3)
        for model in models
        for side in ("good", "bad")
        for measure in ("auc", "auk", "h")
    )
    pair = figure_auk_by_prevalence(curves, ["linear", "neural_net"], "good")
    three = figure_auk_by_prevalence(curves, models, "good")
    found = [_colors(figure.axes[0]) for figure in (pair, three, FIGURES["sweep"](summary))]
    assert found[0].items() <= found[1].items() == found[2].items()
    assert len(set(found[1].values())) == len(models)
    plt.close("all")


def _colors(axes):
    handles, labels = axes.get_legend_handles_labels()
    lines = [getattr(handle, "lines", [handle])[0] for handle in handles]
    # At the shares of the sweep, which differ in the number of test rows, no line joins points.
    assert all(line.get_linestyle() == "None" for line in lines if len(line.get_xdata()) == 2)
    return dict(zip(labels, (line.get_color() for line in lines), strict=True))
