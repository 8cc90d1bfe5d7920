"""Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve".

His class 0 are the cases: here the positive class, with higher scores where his are lower. His
cost share c is that of a missed case; here, as everywhere in this project, c is the share of a
false positive, so his c is our 1 - c.
"""  # noqa: E501  the title is as long as it is

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.integrate import quad
from scipy.stats import norm

from kappacurve import roc_hull, roc_vertices
from kappacurve.auk import area_under_curve
from kappacurve.h_measure import h_of_hull, implied_costs
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge

FloatArray = npt.NDArray[np.float64]
SOURCE = Source("Hand 2009")


class Curve(NamedTuple):
    """A ROC polyline with the four numbers that Table 1 prints for it."""

    fpr: FloatArray
    tpr: FloatArray
    auc: str
    gini: str
    auch: str
    h: str


_SHIFT = 1 - np.sqrt(0.5)
# ASSUME: the figure itself is not described in words; these are the curves that give Table 1: (a)
# a curve of three steps, (b) two uniform scores, one shifted, (c) two straight segments.
CURVES = {
    "a": Curve(
        np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.5, 1.0]), "0.5", "0", "0.75", "0.348"
    ),
    "b": Curve(
        np.array([0.0, 0.0, 1 - _SHIFT, 1.0]),
        np.array([0.0, _SHIFT, 1.0, 1.0]),
        "0.75",
        "0.5",
        "0.75",
        "0.293",
    ),
    "c": Curve(
        np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0]), "0.75", "0.5", "0.75", "0.288"
    ),
}
PRINTED_WEIGHT = {"b": "0.7", "c": "0"}  # of c = 1/2 in Figure 4

# ASSUME: Figures 1 and 2 are given as drawings only. Here the density of the positive class is
# that of the negative one, a standard normal, times these factors (rescaled) between the
# thresholds t1 to t4: two falling steps, nothing from t2 to t3, a step again.
THRESHOLDS = (-1.2, -0.4, 0.3, 1.1)
FACTORS = (2.4, 1.6, 0.0, 0.7, 0.1)


class ImpliedWeight(NamedTuple):
    """The costs at which a concave curve's AUC looks, and how much it weighs each."""

    cost: FloatArray
    weight: FloatArray


def implied_cost_weight(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> ImpliedWeight:
    """The discrete distribution over costs that the AUC of a hull implies.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_vertices,)
        Corners of a concave ROC curve from (0, 0) to (1, 1).
    prevalence : float in (0, 1)

    Returns
    -------
    cost : ndarray of shape (n_vertices - 1,) in [0, 1]
        For each segment the cost share of a false positive at which its ends lose the same.
    weight : ndarray of shape (n_vertices - 1,)
        Share of all scores on the segment; the sum is one.

    References
    ----------
    Hand (2009), equations 8 to 10.

    Examples
    --------
    Figure 4, the curve (b): about 0.7 on c = 1/2.

    >>> cost, weight = implied_cost_weight(CURVES["b"].fpr, CURVES["b"].tpr, 0.5)
    >>> cost, weight.round(3)
    (array([1. , 0.5, 0. ]), array([0.146, 0.707, 0.146]))
    """
    return ImpliedWeight(*implied_costs(fpr, tpr, prevalence))


def minimum_loss(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, cost: npt.ArrayLike
) -> FloatArray:
    """Loss of the best vertex at each cost share of a false positive.

    References
    ----------
    Hand (2009), equations 2 and 3 with b = 1.

    Examples
    --------
    >>> curve = CURVES["c"]
    >>> minimum_loss(curve.fpr, curve.tpr, 0.5, [0.0, 0.5, 1.0])
    array([0.   , 0.125, 0.   ])
    """
    c = np.atleast_1d(np.asarray(cost, dtype=np.float64))[:, None]
    loss = c * (1 - prevalence) * fpr + (1 - c) * prevalence * (1 - tpr)
    return np.asarray(loss.min(axis=1))


def averaged_loss(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> float:
    """The minimum loss averaged over the costs that the AUC implies, Hand's L_G.

    It equals 2 p (1 - p) (1 - AUC) for a concave curve (Hand 2009, section 4).

    >>> curve = CURVES["c"]
    >>> averaged_loss(curve.fpr, curve.tpr, 0.5)
    0.125
    """
    cost, weight = implied_cost_weight(fpr, tpr, prevalence)
    return float(weight @ minimum_loss(fpr, tpr, prevalence, cost))


def averaged_loss_of_normal_scores(separation: float, prevalence: float) -> float:
    """L_G of two normal scores, by quadrature of Hand's equation 7 over the threshold.

    >>> round(averaged_loss_of_normal_scores(1.0, 0.5), 6)
    0.119875
    >>> round(float(norm.sf(np.sqrt(0.5))) / 2, 6)
    0.119875
    """
    p = prevalence

    def weighted_loss(threshold: float) -> float:
        mass_positive = p * norm.pdf(threshold - separation)
        mass_negative = (1 - p) * norm.pdf(threshold)
        cost = mass_positive / (mass_positive + mass_negative)
        loss = cost * (1 - p) * norm.sf(threshold)
        loss += (1 - cost) * p * norm.cdf(threshold - separation)
        return float(loss * (mass_positive + mass_negative))

    return float(quad(weighted_loss, -8, 8 + separation, epsabs=1e-12)[0])


class Dented(NamedTuple):
    """The example of Figures 1 and 2: a ROC curve with a dent, and its two score densities."""

    fpr: FloatArray
    tpr: FloatArray
    density_scale: float


def dented_curve() -> Dented:
    """ROC polyline of the scores of Figure 2, with a vertex at each of t4, t3, t2 and t1.

    Low scores are positive here, as in the source; the densities' ratio is constant between the
    thresholds, so the curve is straight between its vertices.
    """
    below = np.diff(norm.cdf([-np.inf, *THRESHOLDS, np.inf]))
    positive = below * np.array(FACTORS)
    scale = positive.sum()
    fpr = np.concatenate(([0.0], np.cumsum(below)))
    tpr = np.concatenate(([0.0], np.cumsum(positive / scale)))
    fpr[-1] = tpr[-1] = 1.0
    return Dented(fpr, tpr, float(scale))


def excess_loss_in_the_dent() -> float:
    """How much more t3 loses than the best of t1, t2 and t4, at the cost kindest to it."""
    fpr, tpr, _ = dented_curve()
    cost = np.linspace(0, 1, 2001)
    t3 = minimum_loss(fpr[[3]], tpr[[3]], 0.5, cost)
    others = minimum_loss(fpr[[1, 2, 4]], tpr[[1, 2, 4]], 0.5, cost)
    return float((t3 - others).min())


def table1() -> pd.DataFrame:
    """Table 1: AUC, Gini, AUCH and H of the curves of Figure 3, printed beside recomputed."""
    rows = []
    for name, curve in CURVES.items():
        hull_fpr, hull_tpr, _ = roc_hull(curve.fpr, curve.tpr)
        auc = area_under_curve(curve.fpr, curve.tpr)
        recomputed = {
            "auc": auc,
            "gini": 2 * auc - 1,
            "auch": area_under_curve(hull_fpr, hull_tpr),
            "h": h_of_hull(hull_fpr, hull_tpr, 0.5),
        }
        rows += [
            (name, measure, getattr(curve, measure), value) for measure, value in recomputed.items()
        ]
    return pd.DataFrame(rows, columns=["curve", "measure", "printed", "recomputed"])


def implied_weights_table() -> pd.DataFrame:
    """The weights of Figure 4: curve, cost, weight; and zero at c = 1/2 where there is none."""
    rows = []
    for name in PRINTED_WEIGHT:
        cost, weight = implied_cost_weight(CURVES[name].fpr, CURVES[name].tpr, 0.5)
        pairs = dict(zip(cost.tolist(), weight.tolist(), strict=True))
        rows += [(name, c, w) for c, w in sorted({0.5: 0.0, **pairs}.items())]
    return pd.DataFrame(rows, columns=["curve", "cost", "weight"])


class Scored(NamedTuple):
    """One model's ROC curve and hull, with bad as the positive class."""

    model: str
    prevalence: float
    fpr: FloatArray
    tpr: FloatArray
    hull_fpr: FloatArray
    hull_tpr: FloatArray


def curves_of(scores: pd.DataFrame) -> Iterator[Scored]:
    """Curve and hull of every model in a table of scores (bad, model, score)."""
    for model, table in scores.groupby("model", sort=False):
        fpr, tpr, _ = roc_vertices(table["bad"], table["score"])
        hull = roc_hull(fpr, tpr)
        yield Scored(str(model), float(table["bad"].mean()), fpr, tpr, hull.fpr, hull.tpr)


def special_costs_table(scores: pd.DataFrame) -> pd.DataFrame:
    """Error rate and KS as the minimum loss at one cost each.

    Returns
    -------
    DataFrame
        model, choice, cost, minimum_loss, measure (what the loss amounts to), from_loss and
        directly (the measure without any loss).

    References
    ----------
    Hand (2009), section 4: equal costs give the error rate, costs in inverse proportion to the
    class sizes give the Kolmogorov-Smirnov statistic.
    """
    rows = []
    for model, p, fpr, tpr, hull_fpr, hull_tpr in curves_of(scores):
        equal, inverse = minimum_loss(hull_fpr, hull_tpr, p, [0.5, p]).tolist()
        # On the raw vertices, though the loss was taken from the hull.
        error_rate = float(np.min((1 - p) * fpr + p * (1 - tpr)))
        ks = float(np.max(tpr - fpr))
        from_inverse = 1 - inverse / (p * (1 - p))
        rows += [
            (model, "equal", 0.5, equal, "smallest error rate", 2 * equal, error_rate),
            (model, "inverse to class size", p, inverse, "KS", from_inverse, ks),
        ]
    names = ["model", "choice", "cost", "minimum_loss", "measure", "from_loss", "directly"]
    return pd.DataFrame(rows, columns=names)


def checks(scores: pd.DataFrame) -> list[Check]:
    """Table 1, Figure 4, the dent of Figure 1, L_G and the special costs."""
    return [*_printed(), *_averaged_losses(scores), *_special_costs(scores)]


def _printed() -> list[Check]:
    statements = [
        as_printed(f"Table 1 ({row['curve']}): {row['measure']}", row["printed"], row["recomputed"])
        for row in table1().to_dict("records")
    ]
    weights = implied_weights_table().query("cost == 0.5").set_index("curve")["weight"]
    statements += [
        as_printed(f"Figure 4: weight of c = 0.5 for ({name})", printed, float(weights[name]))
        for name, printed in PRINTED_WEIGHT.items()
    ]
    saved = min(excess_loss_in_the_dent(), 0.0)
    return [
        *statements,
        Check("printed", "Figure 1: t3 is best at no cost (loss saved by it)", 0, saved),
    ]


def _averaged_losses(scores: pd.DataFrame) -> list[Check]:
    name = "L_G = 2 pi0 pi1 (1 - AUC): normal scores"
    expected = 2 * 0.3 * 0.7 * norm.sf(np.sqrt(0.5))
    statements = [Check("identity", name, expected, averaged_loss_of_normal_scores(1.0, 0.3))]
    for model, p, _fpr, _tpr, hull_fpr, hull_tpr in curves_of(scores):
        name = f"L_G = 2 pi0 pi1 (1 - AUCH): hull of {model}"
        expected = 2 * p * (1 - p) * (1 - area_under_curve(hull_fpr, hull_tpr))
        statements.append(Check("identity", name, expected, averaged_loss(hull_fpr, hull_tpr, p)))
    return statements


def _special_costs(scores: pd.DataFrame) -> list[Check]:
    return [
        Check(
            "identity",
            f"{row['measure']} from the loss at {row['choice']} costs: {row['model']}",
            row["directly"],
            row["from_loss"],
        )
        for row in special_costs_table(scores).to_dict("records")
    ]


@SOURCE.says("Section 6", "a uniform c treats c = 10^9 and 10^-9 like c = 1/2")
def range_of_the_cost(_: Evidence) -> Finding:
    """The cost share c that belongs to a cost ratio of 10^9."""
    ratio = 1e9
    share = ratio / (1 + ratio)
    return Finding(
        f"c = {share:.9f} for a cost ratio of 1e9",
        judge(ratio <= 1),
        "c is a share in [0, 1]; the sentence means the cost ratio, and in c all such ratios lie "
        "within 1e-9 of the end.",
    )


@SOURCE.says(
    "Section 2", "AUC = probability of classifying both right if their mean is the threshold"
)
def auc_by_the_mean_of_two_scores(_: Evidence) -> Finding:
    """That probability for normal scores with standard deviations 1 and 3, prior 1/2."""
    gap, spread = 1.0, 3.0
    auc = float(norm.cdf(gap / np.hypot(1, spread)))
    slope = (spread**2 - 1) / (spread**2 + 1)
    sd = 2 * spread / np.hypot(1, spread)

    def integrand(t: float) -> float:
        # Given the mean t, the difference of the scores is normal again.
        density = (norm.pdf(t) + norm.pdf(t, gap, spread)) / 2
        return float(density * norm.cdf((gap + slope * (2 * t - gap)) / sd))

    probability = quad(integrand, -40, 40, limit=200)[0]
    return Finding(
        f"{probability:.4f} against AUC {auc:.4f}",
        judge(abs(probability - auc) < 1e-4),
        "It holds where the scores of the classes have equal shape, not in general.",
    )
