"""What the study's figures promise: one colour for each model, and the numbers of the tables."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from study.figures.replicates import FIGURES, Words

NAMES = {"majority": "good", "minority": "bad"}


def every(kinds):
    names, levels = zip(*kinds, strict=True)
    return pd.DataFrame(product(*levels), columns=names)


def test_a_model_has_one_colour_whoever_is_drawn_beside_it():
    models = ["linear", "logistic", "neural_net"]
    kinds = [("model", models), ("positive_class", ["majority", "minority"])]
    kinds += [("measure", ["auc", "auk", "h"]), ("skew", [0.1, 0.3])]
    cell = {"encoding": "a", "sampling": "b", "n_train": 1, "curve": "raw"}
    summary = every(kinds).assign(**cell, replicates=9, mean=0.5, low=0.4, high=0.6)
    words = Words(NAMES, models[:2])
    own = [summary.assign(model=name) for name in ("mine", "yours")]
    two, three, with_own = (
        _looks(FIGURES["sweep"](table, words).axes[0])
        for table in (summary[summary["model"] != "logistic"], summary, pd.concat([summary, *own]))
    )
    assert two.items() <= three.items() <= with_own.items()
    assert len({*with_own.values()}) == len(models) + 2


def _looks(axes):
    handles, labels = axes.get_legend_handles_labels()
    lines = [handle.lines[0] for handle in handles]
    # At the shares of the sweep, which differ in the number of test rows, no line joins points.
    assert all(line.get_linestyle() == "None" for line in lines)
    looks = ((line.get_color(), line.get_marker()) for line in lines)
    return dict(zip(labels, looks, strict=True))


def test_areas_without_a_published_value_are_drawn_without_a_star():
    """As the AUKs at a cost ratio: rows of two tables, whose numbers repeat."""
    kinds = product(("majority", "minority"), ("linear", "neural_net"), ("auc", "auk"))
    rows = pd.DataFrame(kinds, columns=["positive_class", "model", "measure"])
    spread = {"mean": 0.7, "sd": 0.1, "low": 0.5, "high": 0.8}
    rows = rows.assign(published=[0.75, float("nan")] * 4, **spread)
    tables = pd.concat([rows.assign(table=name) for name in ("table4", "table5")])
    figure = FIGURES["published"](tables, Words(NAMES, ("linear", "neural_net")))
    auc, auk = (axes.lines for axes in figure.axes)
    of_auc, of_auk = (
        [[*line.get_xdata()] for line in lines if line.get_marker() == "*"] for lines in (auc, auk)
    )
    assert of_auc == [[0.75] * 4] and pd.isna(of_auk).all()
    means = [line.get_xdata() for line in auk if line.get_marker() != "*"]
    assert [list(values) for values in means] == [[0.7] * 4] * 2
    plt.close(figure)


def test_shares_are_drawn_in_per_cent_beside_each_other():
    kinds = [("positive_class", ["majority", "minority"]), ("pair", ["auc-auk", "auc-h", "auk-h"])]
    table = every([*kinds, ("skew", [0.3, 0.1]), ("curve", ["raw", "hull"])])
    table["share"] = 0.01 * np.arange(1, len(table) + 1)
    cell = {"encoding": "a", "sampling": "b", "n_train": 1, "pattern": "any"}
    ends = {"low": table["share"] - 0.01, "high": table["share"] + 0.02}
    figure = FIGURES["reversal_by_skew"](
        table.assign(**cell, **ends, replicates=9), Words(NAMES, ())
    )
    for axes, side in zip(figure.axes, ("majority", "minority"), strict=True):
        rows = table[(table["positive_class"] == side) & (table["curve"] == "raw")]
        assert [one.get_text() for one in axes.get_xticklabels()] == ["10", "30"]
        for number, (bars, (_, own)) in enumerate(
            zip(axes.containers, rows.groupby("pair"), strict=True)
        ):
            points, _, (intervals,) = bars.lines
            assert points.get_ydata() == pytest.approx(100 * own["share"])
            assert points.get_xdata() == pytest.approx(np.array([1, 0]) + (number - 1) * 0.7 / 3)
            drawn = np.array([segment[:, 1] for segment in intervals.get_segments()])
            off = drawn - 100 * own["share"].to_numpy()[:, None]
            assert off == pytest.approx(np.array([[-1, 2]] * 2))
