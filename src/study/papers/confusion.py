"""A confusion matrix of two classes and the statistics that the sources read off it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import kappa_of_confusion
from kappacurve.algebra import chance_agreement, joint_from_rates, kappa_max_of_confusion
from study.papers.checks import beside_printed
from study.published import printed_by


class Confusion(NamedTuple):
    """Counts, or shares of all cases; "positive" is the class of interest."""

    tp: float
    fn: float
    fp: float
    tn: float


def count(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> Confusion:
    """Counts of true and predicted labels, both True for the positive class."""
    true, said = np.asarray(truth, bool), np.asarray(predicted, bool)
    return Confusion(*(int((a & b).sum()) for a in (true, ~true) for b in (said, ~said)))


def shares(fpr: float, tpr: float, prevalence: float) -> Confusion:
    """Shares of all cases at a point of the ROC plane."""
    fp, tp = joint_from_rates(fpr, tpr, prevalence)
    tn, fn = joint_from_rates(1 - fpr, 1 - tpr, prevalence)
    return Confusion(float(tp), float(fn), float(fp), float(tn))


def statistics(confusion: Confusion) -> dict[str, float]:
    """What the sources read off a matrix; precision is nan if nothing is predicted positive.

    Kaymak, Ben-David & Potharst (2010), equations 1-7, 11 and 12.
    """
    tp, fn, fp, tn = confusion
    total = sum(confusion)
    prevalence, predicted_share = (tp + fn) / total, (tp + fp) / total
    return {
        "prevalence": prevalence,
        "predicted_share": predicted_share,
        "accuracy": (tp + tn) / total,
        "expected_agreement": float(chance_agreement(predicted_share, prevalence)),
        "kappa": kappa_of_confusion([[tp, fn], [fp, tn]]),
        "kappa_max": kappa_max_of_confusion([[tp, fn], [fp, tn]]),
        "precision": tp / (tp + fp) if tp + fp else float("nan"),
        "recall": tp / (tp + fn),
        "fpr": fp / (fp + tn),
        "f1": 2 * tp / (2 * tp + fp + fn),
    }


def printed_matrices(source: str) -> dict[str, Confusion]:
    """The confusion matrices that a source prints, by their places."""
    return {
        place: Confusion(*(numbers[cell].value for cell in Confusion._fields))
        for place, numbers in printed_by(source).items()
        if set(Confusion._fields) <= set(numbers)
    }


def matrix_statistics(source: str) -> dict[str, dict[str, float]]:
    """The statistics of the printed matrices, by their places."""
    return {place: statistics(matrix) for place, matrix in printed_matrices(source).items()}


def matrices_table(source: str) -> pd.DataFrame:
    """One row per printed matrix: its cells, and its statistics with what is printed of them."""
    table = pd.DataFrame(
        [
            {"place": place, **matrix._asdict(), **statistics(matrix)}
            for place, matrix in printed_matrices(source).items()
        ]
    )
    recomputed = beside_printed(source, matrix_statistics(source))
    printed = recomputed.pivot_table("printed", "place", "measure", aggfunc="first")
    for measure in printed:
        texts = table["place"].map(printed[measure])
        table.insert(list(table).index(measure), f"{measure}_printed", texts)
    return table
