"""Baker, "Understanding diagnostic metrics for classifiers" (blog).

It follows R. S. Baker, "Big Data and Education", 8th edition (2024). Its worked example is a
detector of students who are off-task; off-task is the positive class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from kappacurve import kappa_from_rates, measures
from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.companions.printed import (
    Companion,
    Inputs,
    Numbers,
    compare_numbers,
    list_numbers,
    measure_matrix,
)
from study.figures.style import GREY, finish_panels
from study.printed import MODEL_LABELS

# TP, FN, FP, TN of section 2.
EXAMPLE = (20, 5, 15, 60)
DETECTORS = "AUC and kappa", "cases in which AUC 0.55 is better than AUC 0.6 (of one tried)"


def study_source(inputs: Inputs) -> Companion:
    """Recompute the worked example, and draw precision and recall of the experiment's models."""
    h = compare_detectors()
    is_better = {DETECTORS: float(h["smaller"] > h["larger"])}
    numbers = compute_example() | compute_statements() | is_better
    table = compare_numbers("Baker", numbers, {DETECTORS: h})
    samples = {"original": inputs.original, "paper": inputs.paper}
    figure = plot_precision_recall(samples, inputs.models, inputs.width)
    return Companion(table, {"precision_recall": figure})


def compute_example() -> Numbers:
    """Section 2 step by step: agreement, totals, expected agreement and kappa."""
    found = measure_matrix(*EXAMPLE)
    off_task, predicted_off_task = found["share of positives"], found["share predicted positive"]
    on_task, predicted_on_task = 1 - off_task, 1 - predicted_off_task
    steps = {
        "percentage agreement": found["accuracy"],
        "share on-task": on_task,
        "share predicted on-task": predicted_on_task,
        "share off-task": off_task,
        "share predicted off-task": predicted_off_task,
        "expected agreement, on-task": on_task * predicted_on_task,
        "expected agreement, off-task": off_task * predicted_off_task,
        "expected agreement": found["chance agreement"],
        "numerator of kappa": found["accuracy"] - found["chance agreement"],
        "denominator of kappa": 1 - found["chance agreement"],
        "kappa": found["kappa"],
        "expected agreement, on-task, from the printed factors 0.275 x 0.365": 0.275 * 0.365,
    }
    return list_numbers("Worked example", steps)


def compute_statements() -> Numbers:
    """Numbers in the text around the example, and the statements that do not hold."""
    tp, fn, _, _ = EXAMPLE
    always = "accuracy of always predicting a class of 95 %"
    inverted = "kappa of inverted predictions"
    equal, rare = (
        f"{inverted}, classes of equal size",
        f"{inverted}, 5 % failing students (section 1)",
    )
    as_printed = "true positive rate of the worked example, TP / FN as printed"
    return {
        ("Section 1", always): measure_matrix(tp=0, fn=5, fp=0, tn=95)["accuracy"],
        ("Interpreting kappa", equal): float(kappa_from_rates(1.0, 0.0, 0.5)),
        ("Interpreting kappa", rare): float(kappa_from_rates(1.0, 0.0, 0.05)),
        ("ROC curve, axes", as_printed): tp / fn,
    }


def compare_detectors() -> dict[str, float]:
    """H of detectors with AUC 0.6 (larger) and 0.55 (smaller), at the example's 25 % positive.

    Each has one threshold, so its scores are 1 and 0, weighted by its rates.
    """
    labels, scores = [1, 1, 0, 0], [1, 0, 1, 0]
    larger = measures(labels, scores, sample_weight=[0.6, 0.4, 0.4, 0.6], prevalence=0.25)
    smaller = measures(labels, scores, sample_weight=[0.1, 0.9, 0.0, 1.0], prevalence=0.25)
    return {"larger": larger["h"], "smaller": smaller["h"]}


def plot_precision_recall(
    samples: Mapping[str, pd.DataFrame], models: Sequence[str], width: float
) -> Figure:
    """Precision against recall of the models, with the average precision; a panel per sample."""
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
