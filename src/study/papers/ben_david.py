"""Ben-David (2008), "About the relationship between ROC curves and Cohen's kappa".

His TP, FN, FP and TN are shares of all cases, so they sum to one; P and N are the true shares of
the classes, and the predicted share of positives is TP + FP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from kappacurve.roc import kappa_from_rates
from study.papers.agreement import Matrix
from study.papers.checks import Check, as_printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]


class Example(NamedTuple):
    """A printed confusion matrix of shares, and the three numbers printed for it."""

    what: str
    matrix: Matrix
    accuracy: str | None
    chance: str
    kappa: str


# Section 4. The accuracy of Example 2 is missing in the sentence that announces it.
EXAMPLES = {
    1: Example("random", Matrix(0.25, 0.25, 0.25, 0.25), "0.5", "0.5", "0"),
    2: Example("smarter", Matrix(0.40, 0.10, 0.10, 0.40), None, "0.5", "0.6"),
    3: Example("perfect", Matrix(0.50, 0.00, 0.00, 0.50), "1.00", "0.5", "1.00"),
    4: Example("imbalanced", Matrix(0.65, 0.05, 0.15, 0.15), "0.80", "0.625", "0.474"),
    5: Example("imbalanced, perfect", Matrix(0.70, 0.00, 0.00, 0.30), "1.00", "0.58", "1.00"),
    6: Example("imbalanced, random", Matrix(0.49, 0.21, 0.21, 0.09), "0.58", "0.58", "0"),
}
# Figure: (true share P, predicted shares, FP of the marked points).
FIGURES: dict[int, tuple[float, tuple[float, ...], tuple[float, ...]]] = {
    1: (0.5, (0.5,), (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5)),
    2: (0.5, (0.5,), (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5)),
    3: (0.7, (0.6,), (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)),
    4: (0.7, (0.5, 0.6, 0.7, 0.8, 0.9), (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)),
}


def kappa_from_shares(
    tp: npt.ArrayLike, fp: npt.ArrayLike, positive_share: float
) -> npt.NDArray[np.float64]:
    """Kappa from the shares TP and FP of all cases.

    Parameters
    ----------
    tp, fp : array-like in [0, 1]
        Broadcast against each other.
    positive_share : float in (0, 1)
        P, the true share of positives.

    References
    ----------
    Ben-David (2008), equation 13.

    Examples
    --------
    Example 4:

    >>> round(float(kappa_from_shares(0.65, 0.15, 0.7)), 3)
    0.474
    """
    tp, fp = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
    shift = (tp + fp) * (2 * positive_share - 1)
    return np.asarray((tp - fp - shift) / (positive_share - shift))


def tp_from_kappa(
    kappa: npt.ArrayLike, fp: npt.ArrayLike, positive_share: float, predicted_share: float
) -> npt.NDArray[np.float64]:
    """The share TP that gives a kappa, at a predicted share of positives.

    References
    ----------
    Ben-David (2008), equation 14, with the sign of FP as equations 13 and 16 need it: it is
    printed with a minus.

    Examples
    --------
    >>> round(float(tp_from_kappa(0.6, 0.10, 0.5, 0.5)), 12)
    0.4
    """
    k, fp = np.asarray(kappa, dtype=np.float64), np.asarray(fp, dtype=np.float64)
    chance = predicted_share * (1 - k) * (2 * positive_share - 1)
    return np.asarray(chance + k * positive_share + fp)


def fp_range(positive_share: float, predicted_share: float) -> tuple[float, float]:
    """Smallest and largest FP that the two shares allow.

    >>> fp_range(0.7, 0.75)
    (0.05, 0.3)
    """
    low = max(0.0, predicted_share - positive_share)
    return round(low, 12), round(min(1 - positive_share, predicted_share), 12)


def examples_table() -> pd.DataFrame:
    """Examples 1 to 6: accuracy, chance agreement and kappa, printed beside recomputed."""
    rows = []
    for number, one in EXAMPLES.items():
        matrix = one.matrix
        rows.append(
            {
                "example": number,
                "what": one.what,
                **matrix._asdict(),
                "accuracy_printed": one.accuracy,
                "accuracy": matrix.accuracy,
                "chance_printed": one.chance,
                "chance": matrix.expected_agreement,
                "kappa_printed": one.kappa,
                "kappa": matrix.kappa,
            }
        )
    return pd.DataFrame(rows)


def figure_points() -> pd.DataFrame:
    """Every marked point: figure, positive_share, predicted_share, fp, tp, kappa."""
    rows = []
    for figure, (positive, predicted_shares, marks) in FIGURES.items():
        for predicted in predicted_shares:
            low, high = fp_range(positive, predicted)
            for fp in marks:
                if low <= fp <= high:
                    tp = predicted - fp
                    kappa = float(kappa_from_shares(tp, fp, positive))
                    rows.append((figure, positive, predicted, fp, tp, kappa))
    names = ["figure", "positive_share", "predicted_share", "fp", "tp", "kappa"]
    return pd.DataFrame(rows, columns=names)


def checks() -> list[Check]:
    """Printed numbers and equations, held against the definition of kappa."""
    found = []
    for number, one in EXAMPLES.items():
        name, matrix = f"Example {number}", one.matrix
        if one.accuracy is not None:
            found.append(as_printed(f"{name}: accuracy", one.accuracy, matrix.accuracy))
        found.append(as_printed(f"{name}: chance", one.chance, matrix.expected_agreement))
        found.append(as_printed(f"{name}: kappa", one.kappa, matrix.kappa))
    four = EXAMPLES[4].matrix
    by_share = kappa_from_shares(four.tp, four.fp, four.prevalence)
    by_rates = kappa_from_rates(four.fpr, four.recall, four.prevalence)
    kappa, predicted = four.kappa, four.predicted_share
    back = tp_from_kappa(kappa, four.fp, four.prevalence, predicted)
    wrong_sign = float(back) - 2 * four.fp
    kappas = figure_points().query("figure == 4 and fp == 0.25")["kappa"].to_numpy()
    return [
        *found,
        Check("identity", "Equation 13 on Example 4 is kappa", kappa, float(by_share)),
        Check("identity", "Kaymak's equation 19 on Example 4 is the same", kappa, float(by_rates)),
        Check("own", "Equation 14 with +FP gives back TP of Example 4", four.tp, float(back)),
        Check(
            "printed",
            "Equation 14 with -FP, as printed, gives back TP of Example 4",
            four.tp,
            wrong_sign,
        ),
        Check(
            "printed",
            "Equation 4 with the predicted share, as printed: TP + FN of Example 4",
            predicted,
            four.tp + four.fn,
        ),
        Check(
            "printed",
            "Figure 4: lines rise with the predicted share",
            4,
            float((np.diff(kappas) > 0).sum()),
        ),
    ]


def figure_lines() -> Figure:
    """Figures 1 to 4, redrawn from equation 13 as panels a to d."""
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 5.6))
    points = figure_points()
    panels: list[Any] = list(grid.flat)
    for axes, (number, of_figure) in zip(panels, points.groupby("figure"), strict=True):
        height = "tp" if number in (1, 3) else "kappa"
        for (_, line), style in zip(
            of_figure.groupby("predicted_share", sort=False), LINE_STYLES, strict=False
        ):
            share = f"{line['predicted_share'].iloc[0]:g}"
            axes.plot(
                line["fp"],
                line[height],
                color=style.color,
                linestyle=style.linestyle,
                marker=style.marker,
                markersize=4,
                label=share,
            )
        if number != 4:
            _label_points(axes, of_figure, height)
        axes.set(xlabel="FP (share of all cases)")
        axes.set_ylabel("TP (share of all cases)" if height == "tp" else r"Cohen's kappa $\kappa$")
        axes.margins(0.12)
        letter(axes, "abcd"[int(str(number)) - 1])
    _finish(panels)
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
