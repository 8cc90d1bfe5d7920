"""Ben-David (2008), "About the relationship between ROC curves and Cohen's kappa".

His TP, FN, FP and TN are shares of all cases, so they sum to one; P and N are the true shares of
the classes, and the predicted share of positives is TP + FP (Phat here).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kappacurve.algebra import (
    along_segments,
    area_under_kappa,
    kappa_from_joint,
    kappa_from_rates,
    tp_from_kappa,
)
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from study.companions.checks import Check, Recomputed, Source, Study, by_equation_19, share_check
from study.companions.curves import ModelCurve, curve_table, curves_of, leads, replicated
from study.tables.reversals import past_rounding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Section 4. The accuracy of Example 2 is missing in the sentence that announces it.
SOURCE = Source("ben_david")
EXAMPLES = SOURCE.matrices
(FOUR,) = (place for place in EXAMPLES if place.startswith("Example 4"))
OF_4 = EXAMPLES[FOUR]
# FP of the marked points, and of each figure: true share P, predicted shares, marks.
HALF = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5)
RARE = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
FIGURES: dict[int, tuple[float, tuple[float, ...], tuple[float, ...]]] = {
    **dict.fromkeys((1, 2), (0.5, (0.5,), HALF)),
    3: (0.7, (0.6,), RARE),
    4: (0.7, (0.5, 0.6, 0.7, 0.8, 0.9), RARE),
}


def study(original: pd.DataFrame, replicates: pd.DataFrame) -> Study:
    """Examples 1-6 and Figures 1-4 from the formulas, and section 3's claims on our splits."""
    claims: list[Check | None] = [*map(area_in_his_plane, curves_of(original))]
    claims += section3(curve_table(replicated(replicates)))
    tables = {"examples": SOURCE.matrices_table(), "figure_points": figure_points()}
    return {**tables, "checks": checks(claims)}, {"figures1_to_4": figure_lines()}


def fp_range(positive_share: float, predicted_share: float) -> tuple[float, float]:
    """Smallest and largest FP that the two shares allow."""
    low = max(0.0, predicted_share - positive_share)
    return round(low, 12), round(min(1 - positive_share, predicted_share), 12)


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


def checks(more: Sequence[Check | None] = ()) -> pd.DataFrame:
    """Printed numbers and equations, held against the definition of kappa, and more."""
    tp = OF_4["tp"]
    p = OF_4["prevalence"]
    wrong_sign, right_sign = _equation_14()
    kappas = figure_points().query("figure == 4 and fp == 0.25")["kappa"].to_numpy()
    rising = float((np.diff(kappas) > 0).sum())
    wrong_14 = "Equation 14 with -FP, as printed, gives back TP of Example 4"
    wrong_4 = "Equation 4 with the predicted share, as printed: TP + FN of Example 4"
    right_11 = "Equation 11 gives TP of Example 4 from FP"
    least = "Figure 4: least FP at a predicted share of"
    equations = [
        *_equations(),
        by_equation_19("Kaymak's equation 19 on Example 4 is the same", OF_4),
        Check("ours", "Equation 14 with +FP gives back TP of Example 4", tp, right_sign),
        Check("printed", wrong_14, tp, wrong_sign, key="bd_equation_14"),
        Check("printed", wrong_4, OF_4["predicted_share"], p, key="bd_equation_4"),
        Check("derived", right_11, tp, _fraction_of_11(OF_4) - OF_4["fp"], key="bd_equation_11"),
        Check(
            "printed", "Figure 4: lines rise with the predicted share", 4, rising, key="bd_figure_4"
        ),
        *(Check("derived", f"{least} {q:g}", q - 0.7, fp_range(0.7, q)[0]) for q in (0.8, 0.9)),
    ]
    return SOURCE.check_table(EXAMPLES, [*equations, *more])


def _equations() -> list[Check]:
    """Equations 10, 13, 15 and 16 from their own terms, beside the definitions, on the examples."""
    every = pd.DataFrame(EXAMPLES.values())
    p = every["prevalence"]
    by_chance = every["expected_agreement"]
    kappa = every["kappa"]
    skew = every["predicted_share"] * (2 * p - 1)
    lead = every["tp"] - every["fp"]
    equal = np.isclose(p, 0.5)  # P = N
    gaps = {
        "10 is the agreement by chance": skew + (1 - p) - by_chance,
        "13 is kappa": (lead - skew) / (p - skew) - kappa,
        "10 at P = N is 1/2": by_chance[equal] - 0.5,
        "15 is kappa at P = N": (2 * lead - kappa)[equal],
        "16 is TP at P = N": (0.5 * kappa - lead)[equal],
    }
    of = {name: f"largest difference, {len(gap)} examples" for name, gap in gaps.items()}
    return [
        Check(
            "derived", f"Equation {name}: {of[name]}", 0, float(gap.abs().max()), key="bd_equations"
        )
        for name, gap in gaps.items()
    ]


def section3(curves: pd.DataFrame) -> list[Check | None]:
    """Section 3's two claims at the largest kappa of the replicates' curves."""
    lead = leads(curves, ["kappa", "accuracy"])
    if lead.empty:
        return []
    hits = "Section 3 (A): share of the hits due to chance, on our splits"
    third = "Section 3 (A): more than a third is: share of curves"
    of_chance = curves["chance"]
    apart = "Section 3 (B): kappa and accuracy rank our two models apart: share"
    reversal = past_rounding(lead.to_numpy()).prod(axis=1) < 0
    differs = "bd_kappa_ranks_differently"
    return [
        Check("ours", hits, 1 / 3, float(of_chance.mean()), 0, ">="),
        share_check("ours", apart, reversal, 0.5, key=differs),
        share_check("ours", third, of_chance > 1 / 3, key="bd_hits_by_chance"),
    ]


def area_in_his_plane(curve: ModelCurve) -> Check:
    """The area in the plane of FP (a share of all cases) and kappa is (1 - p) AUK."""
    p = curve.prevalence
    f, t = along_segments(*curve.raw, step=0.001)
    area = float(np.trapezoid(kappa_from_rates(f, t, p), (1 - p) * f))
    name = f"Section 6: area in the (FP, K) space is (1 - p) AUK: {curve.model}"
    return Check("derived", name, (1 - p) * area_under_kappa(*curve.raw, p), area, 1e-4)


def _equation_14() -> tuple[float, float]:
    """TP of Example 4 from its kappa, with the printed -FP and with the right +FP."""
    fp = OF_4["fp"]
    tp = float(tp_from_kappa(fp, OF_4["kappa"], OF_4["predicted_share"], OF_4["prevalence"]))
    return tp - 2 * fp, tp


def sign_in_equation_14() -> Recomputed:
    """TP of Example 4 from its kappa, with either sign of FP."""
    printed, corrected = _equation_14()
    values = {"tp": OF_4["tp"], "printed": printed, "corrected": corrected}
    return abs(printed - OF_4["tp"]) < 1e-9, values


def sum_in_equation_4() -> Recomputed:
    """TP + FN of Example 4, the true share, beside the predicted share."""
    return abs(OF_4["prevalence"] - OF_4["predicted_share"]) < 1e-9, OF_4


def chance_agreement_of_example_4() -> Recomputed:
    """Agreement by chance from the totals of the example."""
    printed = SOURCE.printed[FOUR]["expected_agreement"]
    return printed.is_of(OF_4["expected_agreement"]), OF_4


def _parts_of_11(of: Mapping[str, float]) -> tuple[float, float]:
    """Numerator and denominator of equation 11's fraction."""
    negatives = 1 - of["prevalence"]
    return of["expected_agreement"] - negatives, 1 - 2 * negatives


def _fraction_of_11(of: Mapping[str, float]) -> float:
    above, below = _parts_of_11(of)
    return above / below


def tautology_in_equation_11() -> Recomputed:
    """The fraction of equation 11 in Example 4, and in Example 2 where N = 0.5."""
    fraction = _fraction_of_11(OF_4)
    predicted = OF_4["predicted_share"]
    above, below = _parts_of_11(EXAMPLES["Example 2 (smarter)"])
    values = {"fraction": fraction, "predicted": predicted, "above": above, "below": below}
    return abs(fraction - predicted) > 1e-9, values


def figure_lines() -> Figure:
    """Figures 1 to 4, redrawn from equation 13 as panels a to d."""
    from matplotlib import pyplot as plt

    figure, grid = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 5.6))
    notes = ["$P$ = 0.5", "$P$ = 0.5", "$P$ = 0.7, predicted 0.6", "$P$ = 0.7"]
    by_figure = figure_points().groupby("figure")
    for axes, (number, points), note in zip(grid.flat, by_figure, notes, strict=True):
        height = "tp" if number in (1, 3) else "kappa"
        lines = points.groupby("predicted_share", sort=False)
        for (share, line), style in zip(lines, LINE_STYLES, strict=False):
            drawn: dict[str, Any] = style._asdict()
            axes.plot(line["fp"], line[height], markersize=4, label=f"{share:g}", **drawn)
        if number != 4:
            _label_points(axes, points, height)
        label = "TP (share of all cases)" if height == "tp" else r"Cohen's kappa $\kappa$"
        letter(axes, "abcd"[int(str(number)) - 1])
        axes.set_title(note, loc="right", color="0.35")
        axes.set(xlabel="FP (share of all cases)", ylabel=label)
        axes.margins(0.12)
    circle = {"marker": "o", "markersize": 11, "mfc": "none", "mec": "0.3", "linestyle": "none"}
    grid[0, 0].plot(0.25, 0.25, **circle)
    grid[0, 1].plot(0.25, 0.0, **circle)
    for axes in grid[:, 1]:
        axes.axhline(0, **REFERENCE)
    grid[1, 1].legend(title="predicted share", loc="upper right", title_fontsize=7)
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
