"""Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve".

His class 0 are the cases: here the positive class, with higher scores where his are lower. His
cost share c is that of a missed case; here, as everywhere in this project, c is the share of a
false positive, so his c is our 1 - c.
"""  # noqa: E501  the title is as long as it is

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import betainc, ndtr, ndtri

from kappacurve import HMeasureDisplay, measures, roc_hull
from kappacurve.algebra import area_under_curve, h_of_hull, implied_costs, loss_from_rates
from kappacurve.plots.style import REFERENCE, TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.companions.checks import Check, Recomputed, Source, Study
from study.companions.curves import LINES, curves_of, panels
from study.published import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = Source("hand")
# ASSUME: Figure 3 itself is not described in words; these are the curves (fpr, tpr) that give
# Table 1: (a) three steps, (b) two uniform scores, one shifted, (c) two straight segments.
_SHIFT = 1 - np.sqrt(0.5)
CURVES = {
    "a": (np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])),
    "b": (np.array([0.0, 0.0, 1 - _SHIFT, 1.0]), np.array([0.0, _SHIFT, 1.0, 1.0])),
    "c": (np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0])),
}
# Two hulls whose AUCs put the weights of Example 2 on one cost.
EXAMPLE_2 = {
    "first": (np.array([0.0, 0.4, 1.0]), np.array([0.0, 0.9, 1.0])),
    "second": (np.array([0.0, 0.1, 1.0]), np.array([0.0, 0.225, 1.0])),
}
# Places whose curves are not given: ours are made to have what is printed.
OUR_CURVES = ("Table 1", "Figure 4", "Example 2 (")
# ASSUME: Figures 1 and 2 are given as drawings only. Here the density of the positive class is
# that of the negative one, a standard normal, times these factors (rescaled) between the
# thresholds t1 to t4: two falling steps, nothing from t2 to t3, a step again.
THRESHOLDS = (-1.2, -0.4, 0.3, 1.1)
FACTORS = (2.4, 1.6, 0.0, 0.7, 0.1)
# Example 3: the columns of the bank's data behind each of the two classifiers.
EXAMPLE_3 = {
    "first": ["yob", "nkid", "dep", "phon"],
    "second": ["dhval", "dmort", "doutm", "doutl", "douthp", "doutcc"],
}
# What example3() found in the bank's data, which may not be passed on.
KEPT_EXAMPLE_3 = Path(__file__).with_name("hand_example3.csv")
# Instead of the table of Example 3, where its data were not given.
NO_BANK_DATA = {
    "missing": "the loan data of Thomas, Edelman & Crook (2002), which the example needs",
    "how_to_get_it": 'take TEC-2002-LOAN-DATA.csv, the data set of the book "Credit Scoring and '
    'Its Applications", and set companions.hand.bank_data to its path; the run then makes the '
    "numbers of Example 3 and Figures 5, 6 and 7",
}
WEIGHTS = (1.5, 2, 3, 4, 6)  # alpha and beta

CURVE = LINES[0]
HULL = {**LINES[1], "linewidth": 1.2}


def study(
    original: pd.DataFrame, bank_data: pd.DataFrame | None = None, *, models: Sequence[str]
) -> Study:
    """Table 1, Figures 1-4, the special costs, our models' six panels, and Example 3 if given.

    Without its data the checks of Example 3 take the values that we once found in them.
    """
    tables = {
        "table1": pd.DataFrame(
            [(*where, printed.text, value) for *where, printed, value in SOURCE.beside(areas())],
            columns=["place", "measure", "printed", "recomputed"],
        ),
        "implied_weights": implied_weights_table(),
        "special_costs": special_costs_table(original),
        "h_by_weight": h_by_weight(original),
        "example3": pd.DataFrame([NO_BANK_DATA]),
    }
    figures = {"figures1_2": figure_dent(), "figure3": figure3(), "figure4": figure4()}
    for model in models:
        name = f"{MODEL_LABELS[model]}, original data"
        figures[f"six_panels_{model}"] = _six_panels(original, model, name)
    example = pd.read_csv(KEPT_EXAMPLE_3)
    if bank_data is not None:
        scores = example3_scores(bank_data)
        example = tables["example3"] = example3(scores)
        for number, model in zip((5, 6), EXAMPLE_3, strict=True):
            name = f"{model} classifier of Example 3"
            figures[f"figure{number}"] = _six_panels(scores, model, name)
        figures["figure7"] = figure7(scores, example)
    return {**tables, "checks": checks(original, example)}, figures


def _six_panels(scores: pd.DataFrame, model: str, name: str) -> Figure:
    """Hand's six panels of a model's scores."""
    rows = scores[scores["model"] == model]
    return HMeasureDisplay.from_predictions(rows["minority"], rows["score"], name=name).figure_


def minimum_loss(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, cost: npt.ArrayLike
) -> FloatArray:
    """Loss of the best vertex at each cost share of a false positive (equations 2 and 3, b = 1)."""
    of_a_miss = 1 - np.asarray(cost, dtype=np.float64)[:, None]
    return np.asarray(loss_from_rates(fpr, tpr, prevalence, cost=of_a_miss).min(axis=1))


def normal_density(x: Any) -> Any:
    """Of the standard normal distribution."""
    return np.exp(-np.square(x) / 2) / np.sqrt(2 * np.pi)


def _l_g_of_normal_scores() -> tuple[float, float]:
    """L_G of normal scores one apart: by their AUC, and by quadrature of equation 7."""
    from scipy.integrate import quad

    p = 0.3

    def weighted_loss(threshold: float) -> float:
        mass_positive = p * normal_density(threshold - 1)
        mass_negative = (1 - p) * normal_density(threshold)
        cost = mass_positive / (mass_positive + mass_negative)
        loss = cost * (1 - p) * ndtr(-threshold) + (1 - cost) * p * ndtr(threshold - 1)
        return float(loss * (mass_positive + mass_negative))

    by_auc = 2 * p * (1 - p) * ndtr(-np.sqrt(0.5))
    return float(by_auc), float(quad(weighted_loss, -8, 9, epsabs=1e-12)[0])


def dented_curve() -> tuple[FloatArray, FloatArray, float]:
    """The curve of Figures 1 and 2 (fpr, tpr), and the scale of its positive density.

    Low scores are positive here, as in the source; the densities' ratio is constant between the
    thresholds, so the curve is straight between its vertices: t4, t3, t2 and t1.
    """
    below = np.diff(ndtr([-np.inf, *THRESHOLDS, np.inf]))
    positive = below * np.array(FACTORS)
    scale = positive.sum()
    fpr = np.concatenate(([0.0], np.cumsum(below)))
    tpr = np.concatenate(([0.0], np.cumsum(positive / scale)))
    fpr[-1] = tpr[-1] = 1.0
    return fpr, tpr, float(scale)


def areas() -> dict[str, dict[str, float]]:
    """AUC, Gini, AUCH and H of the curves of Figure 3, by their places in Table 1."""
    measured = {}
    for name, (fpr, tpr) in CURVES.items():
        hull = roc_hull(fpr, tpr)
        auc = area_under_curve(fpr, tpr)
        measured[f"Table 1 ({name})"] = {
            "auc": auc,
            "gini": 2 * auc - 1,
            "auch": area_under_curve(hull.fpr, hull.tpr),
            "h": h_of_hull(hull.fpr, hull.tpr, 0.5),
        }
    return measured


def implied_weights_table() -> pd.DataFrame:
    """The weights of Figure 4: curve, cost, weight; and zero at c = 1/2 where there is none."""
    rows = []
    for name in "bc":
        cost, weight = implied_costs(*CURVES[name], 0.5)
        pairs = dict(zip(cost.tolist(), weight.tolist(), strict=True))
        rows += [(name, c, w) for c, w in sorted({0.5: 0.0, **pairs}.items())]
    return pd.DataFrame(rows, columns=["curve", "cost", "weight"])


def special_costs_table(scores: pd.DataFrame) -> pd.DataFrame:
    """Error rate and KS as the minimum loss at one cost each (section 4), and directly."""
    rows = []
    for curve in curves_of(scores):
        p = curve.prevalence
        equal, inverse = minimum_loss(*curve.hull, p, [0.5, p]).tolist()
        fpr, tpr = curve.raw  # though the loss was taken from the hull
        error_rate = float(np.min((1 - p) * fpr + p * (1 - tpr)))
        ks = float(np.max(tpr - fpr))
        from_inverse = 1 - inverse / (p * (1 - p))
        rows += [
            (curve.model, "equal", 0.5, equal, "smallest error rate", 2 * equal, error_rate),
            (curve.model, "inverse to class size", p, inverse, "KS", from_inverse, ks),
        ]
    names = ["model", "choice", "cost", "minimum_loss", "measure", "from_loss", "directly"]
    return pd.DataFrame(rows, columns=names)


def h_by_weight(scores: pd.DataFrame) -> pd.DataFrame:
    """H and ranking of the models under Beta(alpha, beta) weights of his cost c = 1 - ours."""
    curves = list(curves_of(scores))
    rows = []
    for his_alpha, his_beta in product(WEIGHTS, WEIGHTS):
        # His c is our 1 - c, so his alpha is our beta.
        h = {
            curve.model: h_of_hull(*curve.hull, curve.prevalence, his_beta, his_alpha)
            for curve in curves
        }
        ranking = " > ".join(sorted(h, key=lambda model: -h[model]))
        rows.append({"alpha": his_alpha, "beta": his_beta, **h, "ranking": ranking})
    return pd.DataFrame(rows)


def example3_scores(bank: pd.DataFrame) -> pd.DataFrame:
    """Scores (minority, model, score) of Example 3's two classifiers, on the rows of their fit.

    They are logistic regressions without a penalty; the rows with an unknown year of birth
    (yob = 99) stay in.
    """
    from sklearn.linear_model import LogisticRegression

    parts = []
    for model, columns in EXAMPLE_3.items():
        features = bank[columns].to_numpy(dtype=np.float64)
        scaled = (features - features.mean(axis=0)) / features.std(axis=0)
        fitted = LogisticRegression(C=np.inf, max_iter=1000, tol=1e-8).fit(scaled, bank["bad"])
        score = fitted.decision_function(scaled)
        parts.append(pd.DataFrame({"minority": bank["bad"], "model": model, "score": score}))
    return pd.concat(parts, ignore_index=True)


def example3(scores: pd.DataFrame) -> pd.DataFrame:
    """Example 3: AUC, H and our AUK of both classifiers (model, measure, printed, found)."""
    rows = []
    for curve in curves_of(scores):
        measured = measures(curve.minority, curve.score)
        of = SOURCE.printed[f"Example 3 ({curve.model})"]
        for name in ("auc", "h", "auk"):
            rows.append((curve.model, name, of[name].text if name in of else None, measured[name]))
    return pd.DataFrame(rows, columns=["model", "measure", "printed", "found"])


def checks(scores: pd.DataFrame, example: pd.DataFrame | None = None) -> pd.DataFrame:
    """Table 1, Figure 4, the dent of Figure 1, L_G, the special costs, and Example 3 if given."""
    at_half = implied_weights_table().query("cost == 0.5").set_index("curve")["weight"]
    grid = np.linspace(0, 1, 10001)
    # His c = 0.1 is our 0.9.
    values: dict[str, dict[str, float]] = {
        **areas(),
        **{f"Figure 4 ({name})": {"weight of c = 0.5": at_half[name]} for name in "bc"},
        "Example 2": {"times as serious, c = 0.1": 0.9 / 0.1},
        "Beta(2, 4)": {"mode": float(grid[(grid * (1 - grid) ** 3).argmax()])},
    }
    for name, hull in EXAMPLE_2.items():
        cost, weight = implied_costs(*hull, 0.8)
        values[f"Example 2 ({name})"] = {"weight of c = 0.1": weight[np.isclose(cost, 0.9)].item()}
    if example is not None:
        for model, rows in example.groupby("model"):
            measured = dict(zip(rows["measure"], rows["found"], strict=True))
            values[f"Example 3 ({model})"] = measured
    return SOURCE.check_table(values, _statements(scores), ours=OUR_CURVES)


def _statements(scores: pd.DataFrame) -> list[Check]:
    """What follows from his equations, and how our models rank by weights on the cost."""
    curves = list(curves_of(scores))
    fpr, tpr, _ = dented_curve()
    costs = np.linspace(0, 1, 2001)
    t3, others = (minimum_loss(fpr[at], tpr[at], 0.5, costs) for at in ([3], [1, 2, 4]))
    saved = min(float((t3 - others).min()), 0.0)
    l_g = "L_G = 2 pi0 pi1"
    implied = "hand_implied_costs"
    by_auc, by_costs = _l_g_of_normal_scores()
    statements = [
        Check("derived", "Figure 1: t3 is best at no cost (loss saved by it, our curve)", 0, saved),
        Check("derived", f"{l_g} (1 - AUC): normal scores", by_auc, by_costs, key=implied),
    ]
    for curve in curves:
        # L_G is the minimum loss, averaged over the costs that the AUC implies (section 4).
        p = curve.prevalence
        cost, weight = implied_costs(*curve.hull, p)
        expected = 2 * p * (1 - p) * (1 - area_under_curve(*curve.hull))
        averaged = float(weight @ minimum_loss(*curve.hull, p, cost))
        name = f"{l_g} (1 - AUCH): hull of {curve.model}"
        statements.append(Check("derived", name, expected, averaged, key=implied))
    for row in special_costs_table(scores).to_dict("records"):
        name = f"{row['measure']} from the loss at {row['choice']} costs: {row['model']}"
        values = row["directly"], row["from_loss"]
        statements.append(Check("derived", name, *values, key="hand_special_costs"))
    for curve in curves:
        p = curve.prevalence
        fpr, tpr = curve.raw
        average = "average sensitivity over the share accepted is pi0/2 + pi1 AUC"
        expected = p / 2 + (1 - p) * area_under_curve(fpr, tpr)
        area = float(np.trapezoid(tpr, p * tpr + (1 - p) * fpr))
        name = f"Section 2: {average}: {curve.model}"
        statements.append(Check("derived", name, expected, area, key="hand_average_sensitivity"))
    ranking = h_by_weight(scores).set_index(["alpha", "beta"])["ranking"]
    below = "Section 6: share of Beta(2, 4) between 0 and 0.5"
    alike = "ranks our models as Beta(2, 2) does"
    different = f"rankings of our models over {len(ranking)} weights Beta(alpha, beta)"
    return [
        *statements,
        Check("printed", below, 0.5, float(betainc(2, 4, 0.5)), 0, ">=", key="hand_beta_2_4"),
        Check("ours", f"Beta(2, 4) {alike}", None, float(ranking[2, 4] == ranking[2, 2])),
        Check("ours", f"Beta(4, 2) {alike}", None, float(ranking[4, 2] == ranking[2, 2])),
        Check("ours", different, None, ranking.nunique()),
    ]


def range_of_the_cost() -> Recomputed:
    """The cost share c that belongs to a cost ratio of 10^9."""
    ratio = 1e9
    return ratio <= 1, {"cost": ratio / (1 + ratio)}


def auc_by_the_mean_of_two_scores() -> Recomputed:
    """That probability for normal scores with standard deviations 1 and 3, prior 1/2."""
    from scipy.integrate import quad

    gap = 1.0
    spread = 3.0
    auc = float(ndtr(gap / np.hypot(1, spread)))
    slope = (spread**2 - 1) / (spread**2 + 1)
    sd = 2 * spread / np.hypot(1, spread)

    def integrand(t: float) -> float:
        # Given the mean t, the difference of the scores is normal again.
        density = (normal_density(t) + normal_density((t - gap) / spread) / spread) / 2
        return float(density * ndtr((gap + slope * (2 * t - gap)) / sd))

    probability = quad(integrand, -40, 40, limit=200)[0]
    return abs(probability - auc) < 1e-4, {"probability": probability, "auc": auc}


def figure_dent() -> Figure:
    """Figures 1 and 2: a ROC curve with a dent and its hull, and the scores behind both."""
    from matplotlib import pyplot as plt

    figure, (roc, scores) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 3.0))
    fpr, tpr, scale = dented_curve()
    hull = roc_hull(fpr, tpr)
    _roc_and_hull(roc, fpr, tpr)
    for i in range(1, 5):
        roc.plot(fpr[i], tpr[i], marker="o", markersize=4, color=CURVE["color"])
        offset = (-13, 4) if i != 3 else (-4, -13)
        roc.annotate(f"$t_{i}$", (fpr[i], tpr[i]), xytext=offset, textcoords="offset points")
    _finish_roc(roc)
    _densities(scores, hull.fpr, hull.tpr, scale)
    letter(roc, "a")
    letter(scores, "b")
    return figure


def _densities(axes: Any, hull_fpr: FloatArray, hull_tpr: FloatArray, scale: float) -> None:
    score = np.linspace(-3, 3, 1201)
    ratio = np.array(FACTORS) / scale
    # On the hull the ratio of the densities is the slope of each segment.
    slopes = np.diff(hull_tpr) / np.diff(hull_fpr)
    corners = ndtri(hull_fpr[1:-1])
    below = normal_density(score)
    axes.plot(score, below, label="negative class", color="0.2", linestyle="-", linewidth=0.9)
    by_curve = below * ratio[np.searchsorted(THRESHOLDS, score)]
    by_hull = below * slopes[np.searchsorted(corners, score)]
    axes.plot(score, by_curve, label="positive class", **CURVE)
    axes.plot(score, by_hull, label="positive class, hull", **HULL)
    beside = {"xytext": (2, -6), "textcoords": "offset points"}
    for i, threshold in enumerate(THRESHOLDS, start=1):
        axes.axvline(threshold, **REFERENCE)
        axes.annotate(f"$t_{i}$", (threshold, 1), xycoords=("data", "axes fraction"), **beside)
    axes.set(xlabel="score (low: positive)", ylabel="density", xlim=(-3, 3))
    axes.set_ylim(0, float(by_curve.max()) * 1.3)
    white = {"frameon": True, "facecolor": "white", "edgecolor": "none", "framealpha": 1}
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.9), **white)


def figure3() -> Figure:
    """Figure 3: the curves (a), (b) and (c) with their hulls, side by side."""
    printed = [SOURCE.printed[f"Table 1 ({name})"] for name in CURVES]
    figure, row = panels([f"AUC {of['auc'].text}, H {of['h'].text}" for of in printed], 2.9)
    for axes, curve in zip(row, CURVES.values(), strict=True):
        _roc_and_hull(axes, *curve, clip_on=False)
        _finish_roc(axes, legend=axes is row[0])
        axes.label_outer()
    return figure


def figure7(scores: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Figure 7: the ROC curves of Example 3's two classifiers in one plot, their hulls thin."""
    from matplotlib import pyplot as plt

    measured = example.set_index(["model", "measure"])["found"]
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS / 2, 3.2))
    for curve, line in zip(curves_of(scores), LINES, strict=False):
        name = curve.model
        label = f"{name}: AUC {measured[name, 'auc']:.3f}, H {measured[name, 'h']:.3f}"
        axes.plot(*curve.raw, label=label, **line)
        axes.plot(*curve.hull, linewidth=0.6, **line)
    _finish_roc(axes)
    return figure


def figure4() -> Figure:
    """Figure 4: the cost weights that the AUC implies for the curves (b) and (c)."""
    limits: dict[str, Any] = {"xlim": (-0.08, 1.08), "ylim": (0, 0.85)}
    label = "cost share $c$ of a false positive"
    figure, row = panels([f"curve ({of}) of Figure 3" for of in "bc"], 2.4, xlabel=label, **limits)
    by_curve = implied_weights_table().groupby("curve")
    for axes, (_, weights) in zip(row, by_curve, strict=True):
        axes.vlines(weights["cost"], 0, weights["weight"], color=CURVE["color"], linewidth=2.5)
        dots = {"color": CURVE["color"], "marker": "o", "ls": "none", "clip_on": False}
        axes.plot(weights["cost"], weights["weight"], **dots)
        for cost, weight in zip(weights["cost"], weights["weight"], strict=True):
            above = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center"}
            axes.annotate(f"{weight:.3f}", (cost, weight), **above)
    row[0].set_ylabel("weight implied by the AUC")
    return figure


def _roc_and_hull(axes: Any, fpr: FloatArray, tpr: FloatArray, **style: Any) -> None:
    hull = roc_hull(fpr, tpr)
    axes.plot(fpr, tpr, label="ROC curve", **style, **CURVE)
    axes.plot(hull.fpr, hull.tpr, label="convex hull", **style, **HULL)


def _finish_roc(axes: Any, *, legend: bool = True) -> None:
    axes.plot([0, 1], [0, 1], **REFERENCE)
    axes.set_box_aspect(1)
    axes.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.03))
    if legend:
        axes.legend(loc="lower right")
