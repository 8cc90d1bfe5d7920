"""Ben-David (2008), "About the relationship between ROC curves and Cohen's kappa".

Engineering Applications of Artificial Intelligence 21, 874-882. His TP, FN, FP and TN are shares
of all cases. P and N are the actual shares of the classes, Phat and Nhat the predicted ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.companions.printed import (
    Companion,
    Inputs,
    Numbers,
    compare_numbers,
    list_numbers,
    measure_matrix,
)
from study.figures.style import GREY, SMALL, both_columns, finish_panels

# TP, FN, FP and TN of the matrices of section 4.
EXAMPLES = {
    "Example 1": (0.25, 0.25, 0.25, 0.25),
    "Example 2": (0.40, 0.10, 0.10, 0.40),
    "Example 3": (0.50, 0.00, 0.00, 0.50),
    "Example 4": (0.65, 0.05, 0.15, 0.15),
    "Example 5": (0.70, 0.00, 0.00, 0.30),
    "Example 6": (0.49, 0.21, 0.21, 0.09),
}
# FP of the marked points in a figure with P = 0.5, and in one with P = 0.7.
MARKS = {0.5: (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5), 0.7: (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)}


def study_source(inputs: Inputs) -> Companion:
    """Recompute the examples, the equations and the points of Figures 1 to 4."""
    numbers = compute_examples() | compute_misprints() | compute_figures()
    table = compare_numbers("Ben-David 2008", numbers)
    return Companion(table, {"kappa_plane": plot_kappa_plane(inputs.width)})


def solve_kappa(fp: Any, tp: Any, actual: float) -> Any:
    """Kappa from FP, TP and P."""
    skew = (tp + fp) * (2 * actual - 1)  # 1 - 2N = 2P - 1
    return (tp - fp - skew) / (actual - skew)


def compute_examples() -> Numbers:
    """Totals, accuracy, Pc and K of the six matrices, and TP by equation 16.

    That equation is of classes of equal size: the table has no others.
    """
    numbers: Numbers = {}
    for name, (tp, fn, fp, tn) in EXAMPLES.items():
        found = measure_matrix(tp, fn, fp, tn)
        kappa = found["kappa"]
        totals = {"P": tp + fn, "N": fp + tn, "Phat": tp + fp, "Nhat": fn + tn}
        statistics = {"accuracy": found["accuracy"], "Pc": found["chance agreement"], "K": kappa}
        numbers |= list_numbers(name, totals | statistics)
        numbers["Equation 16", f"TP of {name}"] = 0.5 * kappa + fp
    return numbers


def compute_misprints() -> Numbers:
    """What equations 4, 11 and 14 give for Example 4 as they are printed."""
    tp, fn, fp, _ = EXAMPLES["Example 4"]
    actual, predicted = tp + fn, tp + fp
    fraction = (actual * predicted + (1 - actual) * (1 - predicted) - (1 - actual)) / (
        2 * actual - 1
    )
    kappa = solve_kappa(fp, tp, actual)
    before_fp = predicted * (1 - kappa) * (2 * actual - 1) + kappa * actual
    return {
        ("Equation 4", "Phat of Example 4, TP + FN as printed"): tp + fn,
        ("Equation 11", "TP of Example 4"): fraction - fp,
        ("Equation 14", "TP of Example 4, - FP as printed"): before_fp - fp,
    }


def compute_figures() -> Numbers:
    """The points of Figures 1 and 2 named in the text, and the order of the lines of Figure 4."""
    points = {f"K at FP = {fp:g}": solve_kappa(fp, 0.5 - fp, 0.5) for fp in (0, 0.1, 0.25, 0.5)}
    shares = np.array([0.5, 0.6, 0.7, 0.8, 0.9])
    heights = [solve_kappa(0.25, share - 0.25, 0.7) for share in shares]
    ends = {"lowest": shares[np.argmin(heights)], "highest": shares[np.argmax(heights)]}
    lines = {f"Phat of the {end} line at FP = 0.25": float(ends[end]) for end in ends}
    return list_numbers("Figures 1 and 2", points) | list_numbers("Figure 4", lines)


def plot_kappa_plane(width: float) -> Figure:
    """Figures 1 to 4: TP and kappa against FP, with the other one beside each point."""
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
    low, high = max(0.0, predicted - actual), min(1 - actual, predicted)
    fp = np.array([mark for mark in MARKS[actual] if low - 1e-9 <= mark <= high + 1e-9])
    tp = predicted - fp
    return {"fp": fp, "tp": tp, "kappa": solve_kappa(fp, tp, actual)}


def _label_points(axes: Any, points: dict[str, np.ndarray], height: str) -> None:
    """Write beside each point what its height does not show: kappa, or TP."""
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
