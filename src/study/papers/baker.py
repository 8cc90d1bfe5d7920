"""Baker, "Understanding diagnostic metrics for classifiers": one matrix, and our models by it.

"Bad" is the positive class of the German Credit data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve import kappa_from_rates, roc_vertices
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.h_measure import h_of_hull
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge
from study.papers.confusion import Confusion, count, shares, statistics
from study.papers.curves import ModelCurve, curves_of
from study.published import MODEL_LABELS

Rule = Literal["kappa_max", "share"]
SOURCE = Source("Baker, diagnostic metrics (blog)")

# Section 2: off-task is the positive class. Precision, recall and F1 are defined, not printed.
MATRIX = Confusion(tp=20, fn=5, fp=15, tn=60)
PRINTED = {"accuracy": "0.80", "expected_agreement": "0.575", "kappa": "0.529"}
# The expected on-task agreement and its factors, which are misprinted.
ON_TASK, ON_TASK_FACTORS = "0.4875", ("0.275", "0.365")
OF_COUNTS = ("accuracy", "kappa", "precision", "recall", "f1")

# In words, beside the numbers: what a measure looks at, what it can't tell, and what becomes of it
# when the class of interest grows and nothing else changes.
SEES_AND_MISSES = Path(__file__).with_suffix(".csv")


def matrix_table() -> pd.DataFrame:
    """The worked example: measure, printed, recomputed."""
    recomputed = statistics(MATRIX)
    names = ("accuracy", "expected_agreement", "kappa", "precision", "recall", "f1", "fpr")
    rows = [(name, PRINTED.get(name), recomputed[name]) for name in names]
    return pd.DataFrame(rows, columns=["measure", "printed", "recomputed"])


def operating_point(curve: ModelCurve, rule: Rule) -> tuple[float, float, float]:
    """Threshold, fpr and tpr of the vertex at which the counts are taken.

    "kappa_max" takes the vertex with the largest kappa; "share" the one at which the share of rows
    predicted bad is nearest to the share of bad ones.
    """
    share = curve.prevalence
    fpr, tpr, thresholds = roc_vertices(curve.bad, curve.score)
    if rule == "kappa_max":
        i = int(np.argmax(kappa_from_rates(fpr, tpr, share)))
    else:
        i = int(np.argmin(np.abs(share * tpr + (1 - share) * fpr - share)))
    return float(thresholds[i]), float(fpr[i]), float(tpr[i])


def precision_recall(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> FloatArray:
    """Precision at every vertex of a ROC curve but the first, where nothing is predicted.

    >>> precision_recall(np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0, 1.0]), 0.5)
    array([1.        , 0.66666667, 0.5       ])
    """
    true, false = prevalence * tpr[1:], (1 - prevalence) * fpr[1:]
    return np.asarray(true / (true + false))


def average_precision(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> float:
    """Precision at each vertex, weighted by the recall it adds; no line is drawn between them.

    The same sum as scikit-learn's ``average_precision_score``, at any prevalence.

    >>> average_precision(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]), 0.5)
    0.6666666666666666
    """
    return float(precision_recall(fpr, tpr, prevalence) @ np.diff(tpr))


def models_table(cohorts: Mapping[str, pd.DataFrame], rule: Rule) -> pd.DataFrame:
    """Counts at one threshold and what follows from them, for each cohort and model.

    Columns: cohort, model, threshold, tp, fn, fp, tn, accuracy, kappa, precision, recall, f1 and
    average_precision (which needs no threshold), share_bad.
    """
    rows = []
    for cohort, scores in cohorts.items():
        for curve in curves_of(scores):
            threshold = operating_point(curve, rule)[0]
            confusion = count(curve.bad, curve.score >= threshold)
            values = statistics(confusion)
            p = values["prevalence"]
            rows.append(
                {
                    "cohort": cohort,
                    "model": curve.model,
                    "threshold": threshold,
                    **confusion._asdict(),
                    **{name: values[name] for name in OF_COUNTS},
                    "average_precision": average_precision(curve.fpr, curve.tpr, p),
                    "share_bad": p,
                }
            )
    return pd.DataFrame(rows)


def sees_and_misses(curve: ModelCurve, prevalences: Sequence[float], rule: Rule) -> pd.DataFrame:
    """Every measure of one model as only the class sizes change, and what it sees and misses.

    The score distributions of both classes stay as they are, and so do the threshold and the
    rates (f, t) at it.

    Columns: measure, one column per prevalence, changes_by (largest less smallest), sees, misses,
    as_prevalence_grows.
    """
    _, fpr, tpr = operating_point(curve, rule)
    columns: dict[str, list[float]] = {}
    for p in prevalences:
        values = statistics(shares(fpr, tpr, p))
        columns[f"p_{p:g}"] = [
            *(values[name] for name in OF_COUNTS),
            average_precision(curve.fpr, curve.tpr, p),
            area_under_curve(curve.fpr, curve.tpr),
            area_under_kappa(curve.fpr, curve.tpr, p),
            h_of_hull(curve.hull_fpr, curve.hull_tpr, p),
        ]
    table = pd.DataFrame(columns)
    table["changes_by"] = table.max(axis=1) - table.min(axis=1)
    words = pd.read_csv(SEES_AND_MISSES)
    return pd.concat([words[["measure"]], table, words.drop(columns="measure")], axis="columns")


def checks(models: pd.DataFrame) -> list[Check]:
    """The printed example, and kappa of our models by equation 19."""
    example = statistics(MATRIX)
    product, expected = _on_task()
    from_factors = "expected on-task agreement from its printed factors"
    inverted = "kappa of inverted predictions is -1 at prevalence"
    statements = [
        *(
            as_printed(name.replace("_", " "), text, example[name])
            for name, text in PRINTED.items()
        ),
        as_printed("expected on-task agreement", ON_TASK, expected),
        Check("printed", from_factors, float(ON_TASK), product, 5e-5),
        *(
            Check("printed", f"{inverted} {p:g}", -1, float(kappa_from_rates(1, 0, p)))
            for p in (0.5, 0.25)
        ),
    ]
    for row in models.to_dict("records"):
        values = statistics(Confusion(*(row[name] for name in Confusion._fields)))
        rates = values["fpr"], values["recall"], values["prevalence"]
        name = f"{row['model']}, {row['cohort']} data: kappa by equation 19"
        statements.append(Check("identity", name, row["kappa"], float(kappa_from_rates(*rates))))
    return statements


def _on_task() -> tuple[float, float]:
    """Expected on-task agreement: the product of the printed factors, and the matrix's."""
    first, second = ON_TASK_FACTORS
    of = statistics(MATRIX)
    return float(first) * float(second), (1 - of["prevalence"]) * (1 - of["predicted_share"])


@SOURCE.says("Expected agreement, on-task", f"{' x '.join(ON_TASK_FACTORS)} = {ON_TASK}")
def expected_on_task_agreement(_: Evidence) -> Finding:
    """The printed product, and that of the shares in the matrix."""
    product, expected = _on_task()
    of = statistics(MATRIX)
    return Finding(
        f"{' x '.join(ON_TASK_FACTORS)} = {product:.4f}; "
        f"{1 - of['prevalence']:g} x {1 - of['predicted_share']:g} = {expected:.4f}",
        judge(abs(product - float(ON_TASK)) < 5e-5),
        f"The factors are misprinted, the result is right: kappa {of['kappa']:.3f}.",
    )


@SOURCE.says("ROC, axes", "FPR relative to TN, TPR relative to FN")
def denominators_of_the_rates(_: Evidence) -> Finding:
    """Both rates of Baker's own matrix, by the printed and by the usual denominators."""
    tp, fn, fp, tn = MATRIX
    of = statistics(MATRIX)
    return Finding(
        f"FP/TN = {fp / tn:.2f}, TP/FN = {tp / fn:.2f}; FP/(FP+TN) = {of['fpr']:.2f}, "
        f"TP/(TP+FN) = {of['recall']:.2f}",
        judge(tp / fn <= 1),
        "The denominators are all negatives and all positives; the printed ones are odds, and can "
        "exceed 1.",
    )


@SOURCE.says("Interpreting kappa", "kappa = -1 if predictions are the inverse of the data")
def kappa_of_inverted_predictions(_: Evidence) -> Finding:
    """Kappa of f = 1, t = 0 at three prevalences: -1 for balanced classes only."""
    half, quarter, tenth = kappa_from_rates(1, 0, [0.5, 0.25, 0.1]).tolist()
    return Finding(
        f"{half:.2f} at p = 0.5, {quarter:.2f} at 0.25, {tenth:.2f} at 0.1",
        judge(abs(quarter + 1) < 1e-9, "imprecise"),
        "True at 50 % only.",
    )


def figure_precision_recall(cohorts: Mapping[str, pd.DataFrame], models: Sequence[str]) -> Figure:
    """Precision against recall of the models, one panel per cohort, with the average precision."""
    figure, panels = plt.subplots(1, len(cohorts), figsize=(TWO_COLUMNS, 3.0), sharey=True)
    for axes, (cohort, scores), name in zip(panels, cohorts.items(), "ab", strict=True):
        share = float(scores["bad"].mean())
        of_model = {curve.model: curve for curve in curves_of(scores)}
        for model, style in zip(models, LINE_STYLES, strict=False):
            fpr, tpr = of_model[model].fpr, of_model[model].tpr
            area = average_precision(fpr, tpr, share)
            precision = precision_recall(fpr, tpr, share)
            # Each stretch of recall has the precision of the vertex at its right end.
            recalled = tpr[1:] > 0
            axes.step(
                np.concatenate(([0.0], tpr[1:][recalled])),
                np.concatenate((precision[recalled][:1], precision[recalled])),
                where="pre",
                color=style.color,
                linestyle=style.linestyle,
                label=f"{MODEL_LABELS.get(model, model)}, AP {area:.3f}",
            )
        axes.axhline(share, **REFERENCE)
        axes.set(xlabel="recall $t$", xlim=(-0.02, 1.02), ylim=(0, 1.04))
        axes.set_title(f"{cohort} data, {100 * share:.1f} % bad", loc="right", color="0.35")
        axes.legend(loc="upper right")
        letter(axes, name)
    panels[0].set_ylabel("precision")
    return figure
