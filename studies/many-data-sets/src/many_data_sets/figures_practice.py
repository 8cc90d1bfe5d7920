"""Figure of round 3: validity beside noise, and the tests' power beside choice."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.plots.style import TWO_COLUMNS, headline
from many_data_sets.draws import MEAN
from many_data_sets.measures import MEASURES

ARMS = (
    *("log_loss_recalibrated", "log_loss", "brier_recalibrated", "brier"),
    *("auc", "auk", "h", "average_precision", "log_loss_label_free"),
)
LOOKS = {"auc": ("0.4", "o"), "auk": ("#332288", "D"), "log_loss": ("#CC6677", "s")}
NAMES = MEASURES | {"log_loss_label_free": "log loss, labels shuffled"}


def figure_practice(choice: pd.DataFrame, power: pd.DataFrame, n_positive: int) -> Figure:
    """Choices with few and with all rows by measure; power against choice by positives."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.9))
    tuned = choice[(choice["menu"] == "all_log_loss") & (choice["design"] == "stated")]
    drawn = (tuned["outcome"] == "gain") & (tuned["n_positive"] == n_positive)
    few, ample = (
        tuned[rows].set_index("measure")["attained"].reindex(ARMS)
        for rows in (drawn, tuned["outcome"] == "ample")
    )
    heights = range(len(ARMS))[::-1]
    left.hlines(heights, few, ample, color="0.7", lw=1.2)
    left.plot(few, heights, "o", ms=4.5, color="#332288", label=f"{n_positive} positives")
    left.plot(
        ample, heights, "o", ms=4.5, mfc="white", color="#332288", label="all rows of a quarter"
    )
    left.set_yticks(heights, [NAMES[arm] for arm in ARMS], fontsize=7)
    left.set_xlabel("per cent of the attainable gain")
    left.set_title("choice: validity beside noise", fontsize=8)
    left.legend(loc="center left", fontsize=6)
    found = power[(power["outcome"] == "power") & (power["goal"] == MEAN)]
    gains = choice[(choice["menu"] == "all") & (choice["outcome"] == "gain")]
    for design, line in (("stated", "-"), ("own", ":")):
        for measure, (color, marker) in LOOKS.items():
            own, gain = (
                part[(part["design"] == design) & (part["measure"] == measure)]
                .set_index("n_positive")["attained"]
                .sort_index()
                for part in (found, gains)
            )
            style: Any = {"ls": line, "color": color, "marker": marker, "ms": 3.5, "lw": 1}
            name = {"label": MEASURES[measure]} if design == "stated" else {}
            right.plot(own, gain.reindex(own.index), **style, **name)
            for size in own.index if measure == "auc" else ():
                place = {"textcoords": "offset points", "xytext": (3, -8), "fontsize": 6}
                right.annotate(str(size), (own[size], gain[size]), **place)
    right.set_xlabel("power: per cent of the better models found")
    right.set_ylabel("choice: per cent of the gain")
    right.set_title("power beside choice, as trained", fontsize=8)
    right.legend(loc="lower right", fontsize=7)
    tests = found[(found["design"] == "stated") & (found["n_positive"] == n_positive)]
    at = tests.set_index("measure")["attained"]
    arms = few.drop("log_loss_label_free").dropna()
    sentence = (
        f"Chosen by {NAMES[str(arms.idxmax())]} {arms.max():.0f} % of the gain, "
        f"by AUC {few['auc']:.0f} %, by AUK {few['auk']:.0f} %; "
        f"AUK's test finds {at['auk']:.0f} %, AUC's {at['auc']:.0f} %"
    )
    base = tuned[tuned["measure"] == "auc"].set_index(["outcome", "n_positive"])["families"]
    about = (
        f"{base['gain', n_positive]} data sets with {n_positive} positives at 5 %, "
        f"{base['ample'].item()} with all rows; left: nine learners tuned by log loss; "
        f"right: ten models, 10 to 50 positives, solid: 5 %, dotted: natural ratio"
    )
    headline(figure, sentence, about)
    return figure
