"""Baker, "Understanding diagnostic metrics for classifiers" (blog).

It follows R. S. Baker, "Big Data and Education", 8th edition (2024). Its worked example is a
detector of students who are off-task; off-task is the positive class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kappacurve import kappa_from_rates, measures
from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.companions.printed_and_computed import (
    Companion,
    Row,
    compare_rows,
    list_rows,
    measure_matrix,
)
from study.figures.style import GREY, finish_panels
from study.published import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Baker"
# TP, FN, FP, TN of section 2.
EXAMPLE = (20, 5, 15, 60)


def study_source(
    original: pd.DataFrame, paper: pd.DataFrame, *, models: Sequence[str], width: float
) -> Companion:
    """Recompute the worked example, and draw precision and recall of the experiment's models.

    Both tables of scores (minority, model, score) are of one split: of all 1,000 rows, and of
    the paper's sample. `width` is that of one column, in inches.
    """
    table = compare_rows(SOURCE, [*list_examples(), *list_statements()])
    figure = plot_precision_recall({"original": original, "paper": paper}, models, width)
    return Companion(table, {"precision_recall": figure})


def list_examples() -> Iterator[Row]:
    """Section 2 step by step: agreement, totals, expected agreement and kappa."""
    statistics = measure_matrix(*EXAMPLE)
    off_task, predicted_off_task = (
        statistics["share of positives"],
        statistics["share predicted positive"],
    )
    on_task, predicted_on_task = 1 - off_task, 1 - predicted_off_task
    class_agreement = {
        "expected agreement, on-task": on_task * predicted_on_task,
        "expected agreement, off-task": off_task * predicted_off_task,
    }
    yield from list_rows(
        "Worked example",
        {
            "percentage agreement": "0.80",
            "share on-task": "0.75",
            "share predicted on-task": "0.65",
            "share off-task": "0.25",
            "share predicted off-task": "0.35",
            "expected agreement, on-task": "0.4875",
            "expected agreement, off-task": "0.0875",
            "expected agreement": "0.575",
            "numerator of kappa": "0.225",
            "denominator of kappa": "0.425",
            "kappa": "0.529",
        },
        {
            "percentage agreement": statistics["accuracy"],
            "share on-task": on_task,
            "share predicted on-task": predicted_on_task,
            "share off-task": off_task,
            "share predicted off-task": predicted_off_task,
            **class_agreement,
            "expected agreement": sum(class_agreement.values()),
            "numerator of kappa": statistics["accuracy"] - statistics["chance agreement"],
            "denominator of kappa": 1 - statistics["chance agreement"],
            "kappa": statistics["kappa"],
        },
    )
    yield Row(
        "Worked example",
        "expected agreement, on-task, from the printed factors 0.275 x 0.365",
        "0.4875",
        0.275 * 0.365,
        "The factors are misprinted for 0.75 x 0.65; their printed product is right.",
    )


def list_statements() -> Iterator[Row]:
    """Numbers in the text around the example, and the statements that do not hold."""
    accuracy = measure_matrix(tp=0, fn=5, fp=0, tn=95)["accuracy"]
    yield Row("Section 1", "accuracy of always predicting a class of 95 %", "0.95", accuracy)
    yield Row(
        "Interpreting kappa",
        "kappa of inverted predictions, classes of equal size",
        "-1",
        float(kappa_from_rates(1.0, 0.0, 0.5)),
    )
    yield Row(
        "Interpreting kappa",
        "kappa of inverted predictions, 5 % failing students (section 1)",
        "-1",
        float(kappa_from_rates(1.0, 0.0, 0.05)),
        "Kappa of inverted predictions is -1 only if the classes have equal size.",
    )
    tp, fn, fp, tn = EXAMPLE
    yield Row(
        "ROC curve, axes",
        "true positive rate of the worked example, TP / FN as printed",
        "0.80",
        tp / fn,
        "0.80 is TP / (TP + FN), the source's own formula of recall. TP / FN and FP / TN are odds: "
        f"likewise FP / TN is {fp / tn:.2f}, and the false positive rate {fp / (fp + tn):.2f}.",
    )
    better, worse = compare_detectors()
    yield Row(
        "AUC and kappa",
        "cases in which AUC 0.55 is better than AUC 0.6 (of one tried)",
        "0",
        float(worse > better),
        "AUC 0.6 is said to be always better. A detector with t = 0.10 and f = 0 (AUC 0.55) has an "
        f"H-measure of {worse:.3f} at 25 % positive, one with t = 0.6 and f = 0.4 (AUC 0.6) of "
        f"{better:.3f}. Hand (2009) prints such a pair in Example 3.",
    )


def compare_detectors() -> tuple[float, float]:
    """H of a detector with AUC 0.6, and of one with AUC 0.55, at the example's 25 % positive.

    Each has one threshold, so its scores are 1 and 0, weighted by its rates.
    """
    labels, scores = [1, 1, 0, 0], [1, 0, 1, 0]
    larger = measures(labels, scores, sample_weight=[0.6, 0.4, 0.4, 0.6], prevalence=0.25)
    smaller = measures(labels, scores, sample_weight=[0.1, 0.9, 0.0, 1.0], prevalence=0.25)
    return larger["h"], smaller["h"]


def plot_precision_recall(
    samples: Mapping[str, pd.DataFrame], models: Sequence[str], width: float
) -> Figure:
    """Precision against recall of the models, with the average precision; a panel per sample."""
    from matplotlib import pyplot as plt
    from sklearn.metrics import average_precision_score, precision_recall_curve

    figure, panels = plt.subplots(len(samples), figsize=(width, 4.2), sharex=True)
    for axes, (sample, scores) in zip(panels, samples.items(), strict=True):
        share = float(scores["minority"].mean())
        for model, style in zip(models, LINE_STYLES, strict=False):
            rows = scores[scores["model"] == model]
            precision, recall, _ = precision_recall_curve(rows["minority"], rows["score"])
            area = average_precision_score(rows["minority"], rows["score"])
            label = f"{MODEL_LABELS[model]}, AP {area:.3f}"
            # At recall 0 no row is flagged: precision is undefined there and set to 1.
            flagged = recall > 0
            axes.step(
                np.append(recall[flagged], 0.0),
                np.append(precision[flagged], precision[flagged][-1]),
                where="post",
                color=style.color,
                label=label,
            )
        axes.axhline(share, **REFERENCE)
        axes.set_title(f"{sample} data, {100 * share:.1f} % bad", loc="right", color=GREY)
        axes.set(ylabel="precision", xlim=(-0.02, 1.02), ylim=(0, 1.04))
        axes.legend(loc="upper right")
    panels[-1].set_xlabel("recall $t$")
    return finish_panels(figure)
