"""Ben-David (2008), "About the relationship between ROC curves and Cohen's kappa".

Engineering Applications of Artificial Intelligence 21, 874-882. His TP, FN, FP and TN are shares
of all cases. P and N are the actual shares of the classes, Phat and Nhat the predicted ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.companions.printed_and_computed import (
    Companion,
    Row,
    compare_rows,
    list_rows,
    measure_matrix,
)
from study.figures.style import GREY, SMALL, both_columns, finish_panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Ben-David 2008"


class Example(NamedTuple):
    """A confusion matrix of section 4, the totals beside it, and what is printed of it."""

    cells: tuple[float, float, float, float]  # TP, FN, FP, TN
    totals: tuple[str, str, str, str]  # P, N, Phat, Nhat
    statistics: dict[str, str]


EXAMPLES = {
    "Example 1": Example(
        (0.25, 0.25, 0.25, 0.25),
        ("0.50", "0.50", "0.50", "0.50"),
        {"accuracy": "0.5", "Pc": "0.5", "K": "0"},
    ),
    "Example 2": Example(
        (0.40, 0.10, 0.10, 0.40),
        ("0.50", "0.50", "0.50", "0.50"),
        {"Pc": "0.5", "K": "0.6"},
    ),
    "Example 3": Example(
        (0.50, 0.00, 0.00, 0.50),
        ("0.50", "0.50", "0.50", "0.50"),
        {"accuracy": "1.00", "Pc": "0.5", "K": "1.00"},
    ),
    "Example 4": Example(
        (0.65, 0.05, 0.15, 0.15),
        ("0.70", "0.30", "0.80", "0.20"),
        {"accuracy": "0.80", "Pc": "0.625", "K": "0.474"},
    ),
    "Example 5": Example(
        (0.70, 0.00, 0.00, 0.30),
        ("0.70", "0.30", "0.70", "0.30"),
        {"accuracy": "1.00", "Pc": "0.58", "K": "1.00"},
    ),
    "Example 6": Example(
        (0.49, 0.21, 0.21, 0.09),
        ("0.70", "0.30", "0.70", "0.30"),
        {"accuracy": "0.58", "Pc": "0.58", "K": "0"},
    ),
}
NOTES = {
    ("Example 2", "Pc"): "The sentence announces the accuracy and leaves it out; it is 0.80.",
    ("Example 4", "Pc"): "0.7 x 0.8 + 0.3 x 0.2 is 0.62, to which the printed K belongs.",
}
# FP of the marked points in a figure with P = 0.5, and in one with P = 0.7.
MARKS = {0.5: (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5), 0.7: (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)}


def study_source(*, width: float) -> Companion:
    """Recompute the examples, the equations and the points of Figures 1 to 4.

    `width` is that of one column, in inches.
    """
    rows = [*list_examples(), *list_equations(), *list_figures()]
    return Companion(compare_rows(SOURCE, rows), {"kappa_plane": plot_kappa_plane(width)})


def solve_kappa(fp: float, tp: float, actual: float) -> float:
    """Kappa from FP, TP and P."""
    skew = (tp + fp) * (2 * actual - 1)  # 1 - 2N = 2P - 1
    return (tp - fp - skew) / (actual - skew)


def solve_tp(fp: float, kappa: float, actual: float, predicted: float, sign: int = 1) -> float:
    """TP from FP, kappa, P and Phat; printed with the sign -1 before FP."""
    return predicted * (1 - kappa) * (2 * actual - 1) + kappa * actual + sign * fp


def bound_fp(actual: float, predicted: float) -> tuple[float, float]:
    """Smallest and largest FP that the shares P and Phat allow."""
    return max(0.0, predicted - actual), min(1 - actual, predicted)


def list_examples() -> Iterator[Row]:
    """Totals, accuracy, Pc and K of the six examples, from their matrices."""
    for place, example in EXAMPLES.items():
        tp, fn, fp, tn = example.cells
        totals = dict(zip(("P", "N", "Phat", "Nhat"), example.totals, strict=True))
        yield from list_rows(
            place, totals, {"P": tp + fn, "N": fp + tn, "Phat": tp + fp, "Nhat": fn + tn}
        )
        statistics = measure_matrix(tp, fn, fp, tn)
        computed = {
            "accuracy": statistics["accuracy"],
            "Pc": statistics["chance agreement"],
            "K": statistics["kappa"],
        }
        for row in list_rows(place, example.statistics, computed):
            yield row._replace(note=NOTES.get((place, row.quantity), ""))


def list_equations() -> Iterator[Row]:
    """What the equations give for the examples, with the misprints of equations 4 and 14."""
    for place, example in EXAMPLES.items():
        tp, _, fp, tn = example.cells
        actual, negatives = 1 - (fp + tn), fp + tn
        kappa = example.statistics["K"]
        chance = (tp + fp) * (1 - 2 * negatives) + negatives
        note = NOTES["Example 4", "Pc"] if place == "Example 4" else ""
        yield Row("Equation 10", f"Pc of {place}", example.statistics["Pc"], chance, note)
        yield Row("Equation 13", f"K of {place}", kappa, solve_kappa(fp, tp, actual))
        if example.totals[0] == example.totals[1]:
            yield Row("Equation 15", f"K of {place}", kappa, 2 * (tp - fp))
            yield Row("Equation 16", f"TP of {place}", f"{tp:.2f}", 0.5 * float(kappa) + fp)

    tp, fn, fp, tn = EXAMPLES["Example 4"].cells
    actual, predicted = tp + fn, tp + fp
    note = "TP + FN is P, a row total; Phat is TP + FP (equation 6)."
    yield Row("Equation 4", "Phat of Example 4, TP + FN as printed", "0.80", tp + fn, note)
    fraction = (actual * predicted + (1 - actual) * (1 - predicted) - (1 - actual)) / (
        2 * actual - 1
    )
    note = "The fraction is Phat itself: the equation only says Phat = TP + FP, and 0/0 at P = N."
    yield Row("Equation 11", "TP of Example 4", "0.65", fraction - fp, note)
    k = solve_kappa(fp, tp, actual)
    printed = solve_tp(fp, k, actual, predicted, sign=-1)
    corrected = solve_tp(fp, k, actual, predicted)
    note = f"FP must be added (as in equation 16), which gives {corrected:.2f}. So in appendix A.4."
    yield Row("Equation 14", "TP of Example 4, - FP as printed", "0.65", printed, note)


def list_figures() -> Iterator[Row]:
    """The points of Figures 1 and 2 named in the text, and the order of the lines of Figure 4."""
    for fp, kappa, note in (
        ("0", "1", "perfect classifier"),
        ("0.1", "0.6", ""),
        ("0.25", "0", "random classifier"),
        ("0.5", "-1", "perfect disagreement; section 3 gives the range of kappa"),
    ):
        x = float(fp)
        computed = solve_kappa(x, 0.5 - x, 0.5)
        yield Row("Figures 1 and 2", f"K at FP = {fp}", kappa, computed, note)
    shares = np.array([0.5, 0.6, 0.7, 0.8, 0.9])
    heights = [solve_kappa(0.25, share - 0.25, 0.7) for share in shares]
    lowest, highest = shares[np.argmin(heights)], shares[np.argmax(heights)]
    yield Row("Figure 4", "Phat of the lowest line at FP = 0.25", "0.5", lowest)
    yield Row("Figure 4", "Phat of the highest line at FP = 0.25", "0.9", highest)


def plot_kappa_plane(width: float) -> Figure:
    """Figures 1 to 4: TP and kappa against FP, with the other one beside each point."""
    from matplotlib import pyplot as plt

    figure, grid = plt.subplots(2, 2, figsize=(both_columns(width), 3.9))
    panels: list[tuple[str, float, list[float]]] = [
        ("tp", 0.5, [0.5]),
        ("kappa", 0.5, [0.5]),
        ("tp", 0.7, [0.6]),
        ("kappa", 0.7, [0.5, 0.6, 0.7, 0.8, 0.9]),
    ]
    for axes, (height, actual, predicted_shares) in zip(grid.flat, panels, strict=True):
        for predicted, style in zip(predicted_shares, LINE_STYLES, strict=False):
            points = compute_points(actual, predicted)
            drawn: dict[str, Any] = style._asdict()
            label = f"{predicted:g}"
            axes.plot(points["fp"], points[height], markersize=4, label=label, **drawn)
            if len(predicted_shares) == 1:
                _label_points(axes, points, height)
        title = f"$P$ = {actual:g}"
        if len(predicted_shares) == 1:
            title += f", predicted {predicted_shares[0]:g}"
        axes.set_title(title, loc="right", color=GREY)
        label = "TP (share of all cases)" if height == "tp" else r"Cohen's kappa $\kappa$"
        axes.set(xlabel="FP (share of all cases)", ylabel=label)
        axes.margins(0.12)
        if height == "kappa":
            axes.axhline(0, **REFERENCE)
    circle = {"marker": "o", "markersize": 11, "mfc": "none", "mec": "0.3", "linestyle": "none"}
    grid[0, 0].plot(0.25, 0.25, **circle)  # the random classifier
    grid[0, 1].plot(0.25, 0.0, **circle)
    grid[1, 1].set(ylim=(-0.85, 2.2), yticks=(-0.5, 0, 0.5, 1))  # room for the legend
    grid[1, 1].legend(title="predicted share", loc="upper right", ncols=3, columnspacing=1)
    return finish_panels(figure)


def compute_points(actual: float, predicted: float) -> dict[str, np.ndarray]:
    """FP, TP and kappa of the marked points of a line that has these shares P and Phat."""
    low, high = bound_fp(actual, predicted)
    fp = np.array([mark for mark in MARKS[actual] if low - 1e-9 <= mark <= high + 1e-9])
    tp = predicted - fp
    kappa = [solve_kappa(*point, actual) for point in zip(fp, tp, strict=True)]
    return {"fp": fp, "tp": tp, "kappa": np.array(kappa)}


def _label_points(axes: Any, points: dict[str, np.ndarray], height: str) -> None:
    label = "kappa" if height == "tp" else "tp"
    name = {"kappa": r"$\kappa$", "tp": "TP"}[label]
    for i, value in enumerate(points[label]):
        text = f"{round(value, 9) + 0.0:.2f}".rstrip("0").rstrip(".").replace("-", "\u2212")
        axes.annotate(
            f"{name} = {text}" if i == 0 else text,
            (points["fp"][i], points[height][i]),
            xytext=(6, 4),
            textcoords="offset points",
            fontsize=SMALL,
        )
