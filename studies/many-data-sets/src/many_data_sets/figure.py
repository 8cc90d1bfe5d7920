"""The figure: what choosing by each measure gains, and what paired tests find."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from many_data_sets.results import MEAN_OF_COSTS, values_by_data_set

NAMES = {
    "log_loss_recalibrated": "log loss, calibrated",
    "log_loss": "log loss",
    "brier_recalibrated": "Brier score, calibrated",
    "brier": "Brier score",
    "auk": "AUK",
    "auc": "AUC",
    "average_precision": "average precision",
    "h": "H-measure",
    "log_loss_label_free": "log loss, labels shuffled",
}
TESTED = ("log_loss", "auk", "auc")
DARK, RED = "#332288", "#CC6677"
STYLE: dict[Any, Any] = {
    **{"font.size": 8, "axes.titlesize": 8, "axes.labelsize": 7.5, "legend.fontsize": 7},
    **{"axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "many-data-sets"},
    **{"font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"], "svg.fonttype": "none"},
}


def plot_figure(cells: pd.DataFrame, path: Path) -> None:
    """Draw the figure from the cells of every data set, as svg with the same bytes each time."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        figure = Figure(figsize=(7.2, 3.3), layout="constrained")
        left, right = figure.subplots(1, 2)
        few = plot_choice(left, cells)
        plot_tests(right, cells)
        figure.suptitle(
            f"With 25 positives, choosing by log loss brings you {few['log_loss']:.0f} % of the "
            f"way\nfrom a random model to the best; by AUK {few['auk']:.0f} %, by AUC "
            f"{few['auc']:.0f} %",
            fontsize=9,
            fontweight="bold",
        )
        figure.savefig(path, metadata={"Date": None})


def plot_choice(axes: Axes, cells: pd.DataFrame) -> pd.Series[float]:
    """Plot the gain by measure, from 25 positives and from all rows; that from 25 positives."""
    choice = {"menu": "all_log_loss", "goal": "mean"}
    few, n_few = mean_by_measure(cells, NAMES, outcome="gain", n_positive=25, **choice)
    ample, n_ample = mean_by_measure(cells, NAMES, outcome="ample", n_positive=0, **choice)
    heights = range(len(NAMES))[::-1]
    axes.hlines(heights, few, ample, color="0.75", lw=1.2, zorder=0)
    axes.plot(few, heights, "o", ms=4.5, color=DARK, label="25 positives")
    axes.plot(ample, heights, "o", ms=4.5, mfc="white", color=DARK, label="all rows")
    axes.axvline(0, color="0.6", lw=0.7, ls=":")
    axes.set(yticks=list(heights), yticklabels=list(NAMES.values()), xlim=(-5, 100))
    axes.set_xlabel("0: a model picked at random, 100: the best model")
    axes.set_title(f"Choosing among nine tuned models ({n_few} data sets; all rows: {n_ample})")
    axes.legend(loc="lower right", frameon=False)
    return few


def plot_tests(axes: Axes, cells: pd.DataFrame) -> None:
    """Plot how often tests find the better of two models, and how often the worse one."""
    heights = np.arange(len(TESTED))[::-1]
    bars = [("power", 0.18, DARK, "better model found")]
    bars += [("wrong", -0.18, RED, "worse model called better")]
    for outcome, shift, color, label in bars:
        test = {"menu": "all", "goal": MEAN_OF_COSTS, "n_positive": 25}
        shares, n = mean_by_measure(cells, TESTED, outcome=outcome, **test)
        axes.barh(heights + shift, shares, 0.34, color=color, label=label)
        for height, share in zip(heights, shares, strict=True):
            axes.text(share + 1, height + shift, f"{share:.1f}", va="center", fontsize=7)
    axes.set(yticks=list(heights), yticklabels=[NAMES[m] for m in TESTED], xlim=(0, 100))
    axes.set_xlabel("0: in no test, 100: in every test")
    axes.set_title(f"Testing two untuned models ({n} data sets)")
    axes.legend(loc="lower right", frameon=False)


def mean_by_measure(
    cells: pd.DataFrame, measures: Iterable[str], **cell: Any
) -> tuple[pd.Series[float], int]:
    """Means over data sets at 5 % positives, by measure, and how many data sets these are."""
    question = {"design": "stated", "key": "figure", "only": "", "versus": "", **cell}
    values = {
        measure: values_by_data_set(cells, {**question, "measure": measure})["value"]
        for measure in measures
    }
    means = pd.Series({measure: float(value.mean()) for measure, value in values.items()})
    return means, len(values["auc"])
