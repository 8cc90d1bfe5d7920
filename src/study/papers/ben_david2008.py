"""Ben-David (2008), "About the relationship between ROC curves and Cohen's kappa".

His TP, FN, FP and TN are shares of all cases, so they sum to one; P and N are the true shares of
the classes, and the predicted share of positives is TP + FP (Phat here).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve import chance_agreement, kappa_from_joint, kappa_from_rates, tp_from_kappa
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge
from study.papers.confusion import Confusion, statistics

SOURCE = Source("Ben-David 2008")


class Example(NamedTuple):
    """A printed confusion matrix of shares, and the three numbers printed for it."""

    what: str
    matrix: Confusion
    accuracy: str | None
    chance: str
    kappa: str


# Section 4. The accuracy of Example 2 is missing in the sentence that announces it.
EXAMPLES = {
    1: Example("random", Confusion(0.25, 0.25, 0.25, 0.25), "0.5", "0.5", "0"),
    2: Example("smarter", Confusion(0.40, 0.10, 0.10, 0.40), None, "0.5", "0.6"),
    3: Example("perfect", Confusion(0.50, 0.00, 0.00, 0.50), "1.00", "0.5", "1.00"),
    4: Example("imbalanced", Confusion(0.65, 0.05, 0.15, 0.15), "0.80", "0.625", "0.474"),
    5: Example("imbalanced, perfect", Confusion(0.70, 0.00, 0.00, 0.30), "1.00", "0.58", "1.00"),
    6: Example("imbalanced, random", Confusion(0.49, 0.21, 0.21, 0.09), "0.58", "0.58", "0"),
}
EXAMPLE_4 = EXAMPLES[4].matrix
# Figure: (true share P, predicted shares, FP of the marked points).
FIGURES: dict[int, tuple[float, tuple[float, ...], tuple[float, ...]]] = {
    1: (0.5, (0.5,), (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5)),
    2: (0.5, (0.5,), (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5)),
    3: (0.7, (0.6,), (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)),
    4: (0.7, (0.5, 0.6, 0.7, 0.8, 0.9), (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)),
}


def fp_range(positive_share: float, predicted_share: float) -> tuple[float, float]:
    """Smallest and largest FP that the two shares allow.

    >>> fp_range(0.7, 0.75)
    (0.05, 0.3)
    """
    low = max(0.0, predicted_share - positive_share)
    return round(low, 12), round(min(1 - positive_share, predicted_share), 12)


def examples_table() -> pd.DataFrame:
    """Examples 1 to 6: accuracy, chance agreement and kappa, printed beside recomputed."""
    rows = [
        (
            *(number, what, *matrix, accuracy, of["accuracy"]),
            *(chance, of["expected_agreement"], kappa, of["kappa"]),
        )
        for number, (what, matrix, accuracy, chance, kappa) in EXAMPLES.items()
        for of in [statistics(matrix)]
    ]
    names = ["example", "what", *Confusion._fields, "accuracy_printed", "accuracy"]
    names += ["chance_printed", "chance", "kappa_printed", "kappa"]
    return pd.DataFrame(rows, columns=names)


def figure_points() -> pd.DataFrame:
    """Every marked point: figure, positive_share, predicted_share, fp, tp, kappa."""
    rows = [
        (figure, positive, predicted, fp, predicted - fp)
        for figure, (positive, predicted_shares, marks) in FIGURES.items()
        for predicted in predicted_shares
        for low, high in [fp_range(positive, predicted)]
        for fp in marks
        if low <= fp <= high
    ]
    names = ["figure", "positive_share", "predicted_share", "fp", "tp"]
    table = pd.DataFrame(rows, columns=names)
    return table.assign(kappa=kappa_from_joint(table["fp"], table["tp"], table["positive_share"]))


def checks() -> list[Check]:
    """Printed numbers and equations, held against the definition of kappa."""
    return [*_examples(), *_equations()]


def _examples() -> list[Check]:
    return [
        as_printed(f"Example {row['example']}: {name}", row[f"{name}_printed"], row[name])
        for row in examples_table().to_dict("records")
        for name in ("accuracy", "chance", "kappa")
        if isinstance(row[f"{name}_printed"], str)
    ]


def _equations() -> list[Check]:
    tp, fn, fp, _tn = EXAMPLE_4
    four, (wrong_sign, right_sign) = statistics(EXAMPLE_4), _equation_14()
    p, kappa = four["prevalence"], four["kappa"]
    by_joint = float(kappa_from_joint(fp, tp, p))
    by_rates = float(kappa_from_rates(four["fpr"], four["recall"], p))
    kappas = figure_points().query("figure == 4 and fp == 0.25")["kappa"].to_numpy()
    rising = float((np.diff(kappas) > 0).sum())
    wrong_14 = "Equation 14 with -FP, as printed, gives back TP of Example 4"
    wrong_4 = "Equation 4 with the predicted share, as printed: TP + FN of Example 4"
    return [
        Check("identity", "Equation 13 on Example 4 is kappa", kappa, by_joint),
        Check("identity", "Kaymak's equation 19 on Example 4 is the same", kappa, by_rates),
        Check("own", "Equation 14 with +FP gives back TP of Example 4", tp, right_sign),
        Check("printed", wrong_14, tp, wrong_sign),
        Check("printed", wrong_4, four["predicted_share"], tp + fn),
        Check("printed", "Figure 4: lines rise with the predicted share", 4, rising),
    ]


def _equation_14() -> tuple[float, float]:
    """TP of Example 4 from its kappa, with the printed -FP and with the right +FP."""
    four = statistics(EXAMPLE_4)
    fp = EXAMPLE_4.fp
    tp = float(tp_from_kappa(fp, four["kappa"], four["predicted_share"], four["prevalence"]))
    return tp - 2 * fp, tp


@SOURCE.says("Equation 14", "TP = Phat(1-K)(1-2N) + KP - FP")
def sign_in_equation_14(_: Evidence) -> Finding:
    """TP of Example 4 from its kappa, with either sign of FP."""
    printed, corrected = _equation_14()
    return Finding(
        f"Example 4 (TP {EXAMPLE_4.tp}): {printed:.2f} as printed, {corrected:.2f} with + FP",
        judge(abs(printed - EXAMPLE_4.tp) < 1e-9),
        "FP must be added; equations 13 and 16 have the right sign.",
    )


@SOURCE.says("Equation 4", "Phat = TP + FN")
def sum_in_equation_4(_: Evidence) -> Finding:
    """TP + FN of Example 4 beside the true and the predicted share."""
    p, predicted = (statistics(EXAMPLE_4)[name] for name in ("prevalence", "predicted_share"))
    row_total = EXAMPLE_4.tp + EXAMPLE_4.fn
    return Finding(
        f"Example 4: TP + FN = {row_total:.2f}, P = {p:.2f}, Phat = {predicted:.2f}",
        judge(abs(row_total - predicted) < 1e-9),
        "TP + FN is P, the row total; Phat is TP + FP (equation 6).",
    )


@SOURCE.says("Example 4", "Pc = 0.625")
def chance_agreement_of_example_4(_: Evidence) -> Finding:
    """Agreement by chance from the totals of the example."""
    four, printed = statistics(EXAMPLE_4), EXAMPLES[4]
    chance = four["expected_agreement"]
    return Finding(
        f"Pc = {chance:.3f}, K = {four['kappa']:.3f}",
        judge(as_printed("Pc", printed.chance, chance).holds),
        f"The printed kappa of {printed.kappa} belongs to the recomputed Pc.",
    )


@SOURCE.says("Equation 11", "TP = (P Phat + N Nhat - N)/(1-2N) - FP")
def tautology_in_equation_11(_: Evidence) -> Finding:
    """The fraction of equation 11 in Example 4, and in Example 2 where N = 0.5."""

    def fraction(matrix: Confusion) -> tuple[float, float, float]:
        of = statistics(matrix)
        n, predicted = 1 - of["prevalence"], of["predicted_share"]
        return float(chance_agreement(predicted, 1 - n)) - n, 1 - 2 * n, predicted

    above, below, predicted = fraction(EXAMPLE_4)
    above_half, below_half, _share = fraction(EXAMPLES[2].matrix)
    return Finding(
        f"Example 4: fraction {above / below:.2f}, Phat {predicted:.2f}; "
        f"Example 2: {above_half:g}/{below_half:g}",
        judge(abs(above / below - predicted) > 1e-9, "imprecise"),
        "The fraction is Phat itself, so the equation only says Phat = TP + FP, and nothing "
        "at N = 0.5.",
    )


@SOURCE.says("Figure 4", "lines for P = 0.7 and Phat from 0.5 to 0.9")
def range_of_figure_4(_: Evidence) -> Finding:
    """Smallest share of false positives that leaves TP at or below P."""
    p, predicted_shares, _marks = FIGURES[4]
    least = {share: fp_range(p, share)[0] for share in predicted_shares}
    return Finding(
        "FP at least " + ", ".join(f"{fp:.1f} for {share:g}" for share, fp in least.items()),
        judge(max(least.values()) == 0, "imprecise"),
        "TP = Phat - FP can't exceed P: the upper lines exist only from there on.",
    )


def figure_lines() -> Figure:
    """Figures 1 to 4, redrawn from equation 13 as panels a to d."""
    figure, grid = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 5.6))
    points = figure_points()
    for axes, (number, of_figure) in zip(grid.flat, points.groupby("figure"), strict=True):
        height = "tp" if number in (1, 3) else "kappa"
        lines = of_figure.groupby("predicted_share", sort=False)
        for (share, line), style in zip(lines, LINE_STYLES, strict=False):
            drawn = {"color": style.color, "linestyle": style.linestyle, "marker": style.marker}
            axes.plot(line["fp"], line[height], markersize=4, label=f"{share:g}", **drawn)
        if number != 4:
            _label_points(axes, of_figure, height)
        axes.set(xlabel="FP (share of all cases)")
        axes.set_ylabel("TP (share of all cases)" if height == "tp" else r"Cohen's kappa $\kappa$")
        axes.margins(0.12)
        letter(axes, "abcd"[int(str(number)) - 1])
    _finish(list(grid.flat))
    return figure


def _label_points(axes: Any, points: pd.DataFrame, height: str) -> None:
    name, other = (r"$\kappa$", "kappa") if height == "tp" else ("TP", "tp")
    for i, point in enumerate(points.to_dict("records")):
        value = f"{round(point[other], 9) + 0.0:.2f}".rstrip("0").rstrip(".").replace("-", "\u2212")
        axes.annotate(
            f"{name} = {value}" if i == 0 else value,
            (point["fp"], point[height]),
            xytext=(6, 4),
            textcoords="offset points",
            fontsize=7,
        )


def _finish(panels: list[Any]) -> None:
    notes = ["$P$ = 0.5", "$P$ = 0.5", "$P$ = 0.7, predicted 0.6", "$P$ = 0.7"]
    circle = {"marker": "o", "markersize": 11, "mfc": "none", "mec": "0.3", "linestyle": "none"}
    panels[0].plot(0.25, 0.25, **circle)
    panels[1].plot(0.25, 0.0, **circle)
    for axes, note in zip(panels, notes, strict=True):
        axes.set_title(note, loc="right", color="0.35")
    for axes in (panels[1], panels[3]):
        axes.axhline(0, **REFERENCE)
    panels[3].legend(title="predicted share", loc="upper right", title_fontsize=7)
