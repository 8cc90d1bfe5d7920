"""Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve".

His class 0 are the cases: here the positive class, with higher scores where his are lower. His
cost share c is that of a missed case; here, as everywhere in this project, c is the share of a
false positive, so his c is our 1 - c.
"""  # noqa: E501  the title is as long as it is

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.integrate import quad
from scipy.stats import norm

from kappacurve import measures, roc_hull
from kappacurve.auk import area_under_curve
from kappacurve.h_measure import h_of_hull, implied_costs
from study.arrays import FloatArray
from study.papers.checks import Check, Evidence, Finding, Source, as_printed, judge
from study.papers.curves import curves_of

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
_A = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])
_B = np.array([0.0, 0.0, 1 - _SHIFT, 1.0]), np.array([0.0, _SHIFT, 1.0, 1.0])
_C = np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0])
CURVES = {
    "a": Curve(*_A, "0.5", "0", "0.75", "0.348"),
    "b": Curve(*_B, "0.75", "0.5", "0.75", "0.293"),
    "c": Curve(*_C, "0.75", "0.5", "0.75", "0.288"),
}
PRINTED_WEIGHT = {"b": "0.7", "c": "0"}  # of c = 1/2 in Figure 4

# ASSUME: Figures 1 and 2 are given as drawings only. Here the density of the positive class is
# that of the negative one, a standard normal, times these factors (rescaled) between the
# thresholds t1 to t4: two falling steps, nothing from t2 to t3, a step again.
THRESHOLDS = (-1.2, -0.4, 0.3, 1.1)
FACTORS = (2.4, 1.6, 0.0, 0.7, 0.1)

# Example 3: the columns of the bank's data behind each of the two classifiers, and their AUC and H.
EXAMPLE_3 = {
    "first": (["yob", "nkid", "dep", "phon"], {"auc": "0.567", "h": "0.038"}),
    "second": (
        ["dhval", "dmort", "doutm", "doutl", "douthp", "doutcc"],
        {"auc": "0.591", "h": "0.035"},
    ),
}


def minimum_loss(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, cost: npt.ArrayLike
) -> FloatArray:
    """Loss of the best vertex at each cost share of a false positive (equations 2 and 3, b = 1).

    >>> minimum_loss(*_C, 0.5, [0.0, 0.5, 1.0])
    array([0.   , 0.125, 0.   ])
    """
    c = np.atleast_1d(np.asarray(cost, dtype=np.float64))[:, None]
    loss = c * (1 - prevalence) * fpr + (1 - c) * prevalence * (1 - tpr)
    return np.asarray(loss.min(axis=1))


def averaged_loss(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> float:
    """The minimum loss averaged over the costs that the AUC implies, Hand's L_G.

    It equals 2 p (1 - p) (1 - AUC) for a concave curve (section 4).

    >>> averaged_loss(*_C, 0.5)
    0.125
    """
    cost, weight = implied_costs(fpr, tpr, prevalence)
    return float(weight @ minimum_loss(fpr, tpr, prevalence, cost))


def averaged_loss_of_normal_scores(separation: float, prevalence: float) -> float:
    """L_G of two normal scores, by quadrature of equation 7 over the threshold.

    >>> round(averaged_loss_of_normal_scores(1.0, 0.5), 6)
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


def dented_curve() -> tuple[FloatArray, FloatArray, float]:
    """The curve of Figures 1 and 2 (fpr, tpr), and the scale of its positive density.

    Low scores are positive here, as in the source; the densities' ratio is constant between the
    thresholds, so the curve is straight between its vertices: t4, t3, t2 and t1.
    """
    below = np.diff(norm.cdf([-np.inf, *THRESHOLDS, np.inf]))
    positive = below * np.array(FACTORS)
    scale = positive.sum()
    fpr = np.concatenate(([0.0], np.cumsum(below)))
    tpr = np.concatenate(([0.0], np.cumsum(positive / scale)))
    fpr[-1] = tpr[-1] = 1.0
    return fpr, tpr, float(scale)


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
        hull = roc_hull(curve.fpr, curve.tpr)
        auc = area_under_curve(curve.fpr, curve.tpr)
        rows += [
            (name, "auc", curve.auc, auc),
            (name, "gini", curve.gini, 2 * auc - 1),
            (name, "auch", curve.auch, area_under_curve(hull.fpr, hull.tpr)),
            (name, "h", curve.h, h_of_hull(hull.fpr, hull.tpr, 0.5)),
        ]
    return pd.DataFrame(rows, columns=["curve", "measure", "printed", "recomputed"])


def implied_weights_table() -> pd.DataFrame:
    """The weights of Figure 4: curve, cost, weight; and zero at c = 1/2 where there is none."""
    rows = []
    for name in PRINTED_WEIGHT:
        cost, weight = implied_costs(CURVES[name].fpr, CURVES[name].tpr, 0.5)
        pairs = dict(zip(cost.tolist(), weight.tolist(), strict=True))
        rows += [(name, c, w) for c, w in sorted({0.5: 0.0, **pairs}.items())]
    return pd.DataFrame(rows, columns=["curve", "cost", "weight"])


def special_costs_table(scores: pd.DataFrame) -> pd.DataFrame:
    """Error rate and KS as the minimum loss at one cost each (section 4).

    Columns: model, choice, cost, minimum_loss, measure (what the loss amounts to), from_loss and
    directly (the measure without any loss).
    """
    rows = []
    for curve in curves_of(scores):
        model, p = curve.model, curve.prevalence
        equal, inverse = minimum_loss(curve.hull_fpr, curve.hull_tpr, p, [0.5, p]).tolist()
        # On the raw vertices, though the loss was taken from the hull.
        error_rate = float(np.min((1 - p) * curve.fpr + p * (1 - curve.tpr)))
        ks = float(np.max(curve.tpr - curve.fpr))
        from_inverse = 1 - inverse / (p * (1 - p))
        rows += [
            (model, "equal", 0.5, equal, "smallest error rate", 2 * equal, error_rate),
            (model, "inverse to class size", p, inverse, "KS", from_inverse, ks),
        ]
    names = ["model", "choice", "cost", "minimum_loss", "measure", "from_loss", "directly"]
    return pd.DataFrame(rows, columns=names)


def example3_scores(bank: pd.DataFrame) -> pd.DataFrame:
    """Scores (bad, model, score) of Example 3's two classifiers on the rows they are fitted to.

    They are logistic regressions without a penalty; the rows with an unknown year of birth
    (yob = 99) stay in.
    """
    from sklearn.linear_model import LogisticRegression

    parts = []
    for model, (columns, _printed) in EXAMPLE_3.items():
        features = bank[columns].to_numpy(dtype=np.float64)
        scaled = (features - features.mean(axis=0)) / features.std(axis=0)
        fitted = LogisticRegression(C=np.inf, max_iter=1000, tol=1e-8).fit(scaled, bank["bad"])
        score = fitted.decision_function(scaled)
        parts.append(pd.DataFrame({"bad": bank["bad"], "model": model, "score": score}))
    return pd.concat(parts, ignore_index=True)


def example3(scores: pd.DataFrame) -> pd.DataFrame:
    """Example 3: AUC, H and our AUK of both classifiers (model, measure, printed, found)."""
    rows = []
    for curve in curves_of(scores):
        found, (_, printed) = measures(curve.bad, curve.score), EXAMPLE_3[curve.model]
        rows += [
            (curve.model, name, printed.get(name), found[name]) for name in ("auc", "h", "auk")
        ]
    return pd.DataFrame(rows, columns=["model", "measure", "printed", "found"])


def checks(scores: pd.DataFrame, example: pd.DataFrame | None = None) -> list[Check]:
    """Table 1, Figure 4, the dent of Figure 1, L_G, the special costs, and Example 3 if given."""
    weights = implied_weights_table().query("cost == 0.5").set_index("curve")["weight"]
    shown = [] if example is None else example.dropna(subset="printed").to_dict("records")
    return [
        *(
            as_printed(f"Table 1 ({row['curve']}): {row['measure']}", *list(row.values())[2:])
            for row in table1().to_dict("records")
        ),
        *(
            as_printed(f"Figure 4: weight of c = 0.5 for ({name})", printed, float(weights[name]))
            for name, printed in PRINTED_WEIGHT.items()
        ),
        Check(
            "printed",
            "Figure 1: t3 is best at no cost (loss saved by it)",
            0,
            min(excess_loss_in_the_dent(), 0.0),
        ),
        *(
            as_printed(
                f"Example 3, {row['model']} classifier: {row['measure']}",
                row["printed"],
                row["found"],
            )
            for row in shown
        ),
        *_averaged_losses(scores),
        *(
            Check("identity", f"{measure} from the loss at {choice} costs: {model}", direct, loss)
            for model, choice, _, _, measure, loss, direct in special_costs_table(
                scores
            ).itertuples(index=False)
        ),
    ]


def _averaged_losses(scores: pd.DataFrame) -> list[Check]:
    name = "L_G = 2 pi0 pi1 (1 - AUC): normal scores"
    expected = 2 * 0.3 * 0.7 * norm.sf(np.sqrt(0.5))
    statements = [Check("identity", name, expected, averaged_loss_of_normal_scores(1.0, 0.3))]
    for curve in curves_of(scores):
        name = f"L_G = 2 pi0 pi1 (1 - AUCH): hull of {curve.model}"
        hull, p = (curve.hull_fpr, curve.hull_tpr), curve.prevalence
        expected = 2 * p * (1 - p) * (1 - area_under_curve(*hull))
        statements.append(Check("identity", name, expected, averaged_loss(*hull, p)))
    return statements


@SOURCE.says("Section 6", "a uniform c treats c = 10^9 and 10^-9 like c = 1/2")
def range_of_the_cost(_: Evidence) -> Finding:
    """The cost share c that belongs to a cost ratio of 10^9."""
    ratio = 1e9
    return Finding(
        f"c = {ratio / (1 + ratio):.9f} for a cost ratio of 1e9",
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
