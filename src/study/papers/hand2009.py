"""Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve".

His class 0 are the cases: here the positive class, with higher scores where his are lower. His
cost share c is that of a missed case; here, as everywhere in this project, c is the share of a
false positive, so his c is our 1 - c.
"""  # noqa: E501  the title is as long as it is

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from scipy.integrate import quad
from scipy.stats import beta, norm

from kappacurve import HMeasureDisplay, measures, roc_hull
from kappacurve.algebra import area_under_curve, h_of_hull, implied_costs, loss_from_rates
from study.arrays import FloatArray
from study.papers.checks import Check, Study, beside_printed, check_table
from study.papers.curves import curves_of
from study.papers.errata import Recomputed, RunTables, recomputes
from study.papers.hand2009_figures import (
    CURVES,
    dented_curve,
    figure3,
    figure4,
    figure7,
    figure_dent,
    implied_weights_table,
)
from study.published import MODEL_LABELS

# Example 3: the columns of the bank's data behind each of the two classifiers.
EXAMPLE_3 = {
    "first": ["yob", "nkid", "dep", "phon"],
    "second": ["dhval", "dmort", "doutm", "doutl", "douthp", "doutcc"],
}
# Places whose curves are not given: ours are made to have what is printed.
OUR_CURVES = ("Table 1", "Figure 4", "Example 2 (")
WEIGHTS = (1.5, 2, 3, 4, 6)  # alpha and beta
# Instead of Example 3, where its data were not given.
NO_BANK_DATA = {
    "missing": "the loan data of Thomas, Edelman & Crook (2002), which the example needs",
    "how_to_get_it": 'take TEC-2002-LOAN-DATA.csv, the data set of the book "Credit Scoring and '
    'Its Applications", and set companions.hand.bank_data to its path; the run then makes the '
    "numbers of Example 3 and Figures 5, 6 and 7",
}


def study(
    original: pd.DataFrame, bank_data: pd.DataFrame | None = None, *, models: Sequence[str]
) -> Study:
    """Table 1, Figures 1-4, the special costs, our models' six panels, and Example 3 if given."""
    tables = {
        "table1": beside_printed("hand", table1()),
        "implied_weights": implied_weights_table(),
        "special_costs": special_costs_table(original),
        "h_by_weight": h_by_weight(original),
        "example3": pd.DataFrame([NO_BANK_DATA]),
    }
    figures = {"figures1_2": figure_dent(), "figure3": figure3(), "figure4": figure4()}
    for model in models:
        name = f"{MODEL_LABELS.get(model, model)}, original data"
        figures[f"six_panels_{model}"] = _six_panels(original, model, name)
    example = None
    if bank_data is not None:
        scores = example3_scores(bank_data)
        example = tables["example3"] = example3(scores)
        for number, model in zip((5, 6), EXAMPLE_3, strict=True):
            name = f"{model} classifier of Example 3"
            figures[f"figure{number}"] = _six_panels(scores, model, name)
        figures["figure7"] = figure7(scores, example)
    return Study({**tables, "checks": checks(original, example)}, figures)


def _six_panels(scores: pd.DataFrame, model: str, name: str) -> Figure:
    """Hand's six panels of a model's scores."""
    own = scores[scores["model"] == model]
    return HMeasureDisplay.from_predictions(own["bad"], own["score"], name=name).figure_


def minimum_loss(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, cost: npt.ArrayLike
) -> FloatArray:
    """Loss of the best vertex at each cost share of a false positive (equations 2 and 3, b = 1)."""
    of_a_miss = 1 - np.atleast_1d(np.asarray(cost, dtype=np.float64))[:, None]
    return np.asarray(loss_from_rates(fpr, tpr, prevalence, cost=of_a_miss).min(axis=1))


def averaged_loss(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> float:
    """The minimum loss averaged over the costs that the AUC implies, Hand's L_G.

    It equals 2 p (1 - p) (1 - AUC) for a concave curve (section 4).
    """
    cost, weight = implied_costs(fpr, tpr, prevalence)
    return float(weight @ minimum_loss(fpr, tpr, prevalence, cost))


def averaged_loss_of_normal_scores(separation: float, prevalence: float) -> float:
    """L_G of two normal scores, by quadrature of equation 7 over the threshold."""
    p = prevalence

    def weighted_loss(threshold: float) -> float:
        mass_positive = p * norm.pdf(threshold - separation)
        mass_negative = (1 - p) * norm.pdf(threshold)
        cost = mass_positive / (mass_positive + mass_negative)
        loss = cost * (1 - p) * norm.sf(threshold)
        loss += (1 - cost) * p * norm.cdf(threshold - separation)
        return float(loss * (mass_positive + mass_negative))

    return float(quad(weighted_loss, -8, 8 + separation, epsabs=1e-12)[0])


def excess_loss_in_the_dent() -> float:
    """How much more t3 loses than the best of t1, t2 and t4, at the cost kindest to it."""
    fpr, tpr, _ = dented_curve()
    cost = np.linspace(0, 1, 2001)
    t3 = minimum_loss(fpr[[3]], tpr[[3]], 0.5, cost)
    others = minimum_loss(fpr[[1, 2, 4]], tpr[[1, 2, 4]], 0.5, cost)
    return float((t3 - others).min())


def table1() -> dict[str, dict[str, float]]:
    """Table 1: AUC, Gini, AUCH and H of the curves of Figure 3."""
    found = {}
    for name, (fpr, tpr) in CURVES.items():
        hull, auc = roc_hull(fpr, tpr), area_under_curve(fpr, tpr)
        found[f"Table 1 ({name})"] = {
            "auc": auc,
            "gini": 2 * auc - 1,
            "auch": area_under_curve(hull.fpr, hull.tpr),
            "h": h_of_hull(hull.fpr, hull.tpr, 0.5),
        }
    return found


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


def example3_scores(bank: pd.DataFrame) -> pd.DataFrame:
    """Scores (bad, model, score) of Example 3's two classifiers on the rows they are fitted to.

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
        parts.append(pd.DataFrame({"bad": bank["bad"], "model": model, "score": score}))
    return pd.concat(parts, ignore_index=True)


def example3(scores: pd.DataFrame) -> pd.DataFrame:
    """Example 3: AUC, H and our AUK of both classifiers (model, measure, printed, found)."""
    rows = [
        (one.model, name, found[name])
        for one in curves_of(scores)
        for found in [measures(one.bad, one.score)]
        for name in ("auc", "h", "auk")
    ]
    table = pd.DataFrame(rows, columns=["model", "measure", "found"])
    printed = beside_printed("hand", _places(table)).set_index(["place", "measure"])["printed"]
    texts = [printed.get((f"Example 3 ({model})", name)) for model, name, _ in rows]
    table.insert(2, "printed", texts)
    return table


def _places(example: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Example 3 as the printed numbers have it: by place and measure."""
    return {
        f"Example 3 ({model})": dict(zip(rows["measure"], rows["found"], strict=True))
        for model, rows in example.groupby("model")
    }


def checks(scores: pd.DataFrame, example: pd.DataFrame | None = None) -> pd.DataFrame:
    """Table 1, Figure 4, the dent of Figure 1, L_G, the special costs, and Example 3 if given."""
    at_half = implied_weights_table().query("cost == 0.5").set_index("curve")["weight"]
    weights = {f"Figure 4 ({name})": {"weight of c = 0.5": at_half[name]} for name in "bc"}
    examples = {} if example is None else _places(example)
    saved = min(excess_loss_in_the_dent(), 0.0)
    costs = special_costs_table(scores)[["measure", "choice", "model", "directly", "from_loss"]]
    statements = [
        Check("derived", "Figure 1: t3 is best at no cost (loss saved by it, our curve)", 0, saved),
        *_averaged_losses(scores),
        *(
            Check("derived", f"{measure} from the loss at {choice} costs: {model}", *losses)
            for measure, choice, model, *losses in costs.itertuples(index=False)
        ),
    ]
    grid = np.linspace(0, 1, 10001)
    mode = {"Beta(2, 4)": {"mode": float(grid[beta.pdf(grid, 2, 4).argmax()])}}
    found = {**table1(), **weights, **examples, **_example2(), **mode}
    return check_table("hand", found, [*statements, *_weights(scores)], ours=OUR_CURVES)


def _example2() -> dict[str, dict[str, float]]:
    """Two hulls whose AUCs put the weights of Example 2 on one cost; his c = 0.1 is our 0.9."""
    first = np.array([0.0, 0.4, 1.0]), np.array([0.0, 0.9, 1.0])
    second = np.array([0.0, 0.1, 1.0]), np.array([0.0, 0.225, 1.0])
    found: dict[str, dict[str, float]] = {"Example 2": {"times as serious, c = 0.1": 0.9 / 0.1}}
    for name, hull in (("first", first), ("second", second)):
        cost, weight = implied_costs(*hull, 0.8)
        found[f"Example 2 ({name})"] = {"weight of c = 0.1": weight[np.isclose(cost, 0.9)].item()}
    return found


def h_by_weight(scores: pd.DataFrame) -> pd.DataFrame:
    """H and ranking of the models under Beta(alpha, beta) weights of his cost c = 1 - ours."""
    curves = list(curves_of(scores))
    rows = []
    for his_alpha, his_beta in product(WEIGHTS, WEIGHTS):
        # His c is our 1 - c, so his alpha is our beta.
        h = {one.model: h_of_hull(*one.hull, one.prevalence, his_beta, his_alpha) for one in curves}
        ranking = " > ".join(sorted(h, key=lambda model: -h[model]))
        rows.append({"alpha": his_alpha, "beta": his_beta, **h, "ranking": ranking})
    return pd.DataFrame(rows)


def _weights(scores: pd.DataFrame) -> list[Check]:
    """Average sensitivity, and asymmetric weights on the cost."""
    by_weight = h_by_weight(scores)
    ranking = by_weight.set_index(["alpha", "beta"])["ranking"]
    agree = [float(ranking[a, b] == ranking[2, 2]) for a, b in ((2, 4), (4, 2))]
    average = "average sensitivity over the share accepted is pi0/2 + pi1 AUC"
    below = "Section 6: share of Beta(2, 4) between 0 and 0.5"
    return [
        *(
            Check("derived", f"Section 2: {average}: {one.model}", expected, found)
            for one in curves_of(scores)
            for p, (fpr, tpr) in [(one.prevalence, one.raw)]
            for expected in [p / 2 + (1 - p) * area_under_curve(fpr, tpr)]
            for found in [float(np.trapezoid(tpr, p * tpr + (1 - p) * fpr))]
        ),
        Check("printed", below, 0.5, float(beta.cdf(0.5, 2, 4)), 0, ">="),
        Check("ours", "Beta(2, 4) ranks our models as Beta(2, 2) does", None, agree[0]),
        Check("ours", "Beta(4, 2) ranks our models as Beta(2, 2) does", None, agree[1]),
        Check(
            "ours",
            f"rankings of our models over {len(by_weight)} weights Beta(alpha, beta)",
            None,
            by_weight["ranking"].nunique(),
        ),
    ]


def _averaged_losses(scores: pd.DataFrame) -> list[Check]:
    name = "L_G = 2 pi0 pi1 (1 - AUC): normal scores"
    expected = 2 * 0.3 * 0.7 * norm.sf(np.sqrt(0.5))
    statements = [Check("derived", name, expected, averaged_loss_of_normal_scores(1.0, 0.3))]
    for curve in curves_of(scores):
        name = f"L_G = 2 pi0 pi1 (1 - AUCH): hull of {curve.model}"
        p, expected = curve.prevalence, 1 - area_under_curve(*curve.hull)
        found = averaged_loss(*curve.hull, p)
        statements.append(Check("derived", name, 2 * p * (1 - p) * expected, found))
    return statements


@recomputes
def range_of_the_cost(_: RunTables) -> Recomputed:
    """The cost share c that belongs to a cost ratio of 10^9."""
    ratio = 1e9
    return ratio <= 1, {"cost": ratio / (1 + ratio)}


@recomputes
def auc_by_the_mean_of_two_scores(_: RunTables) -> Recomputed:
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
    return abs(probability - auc) < 1e-4, {"probability": probability, "auc": auc}
