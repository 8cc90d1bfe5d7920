"""Claims about every classifier: random cases, and a counterexample if one is met.

Each function is of one claim, by its key in claims.yaml, and needs no data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr, ndtri

from kappacurve import auc_score, plan_sample_size, roc_hull
from kappacurve.algebra import (
    area_under_curve,
    area_under_kappa,
    chance_agreement,
    h_of_hull,
    kappa_from_rates,
    perfect_auk,
    swapped_classes,
    tpr_from_kappa,
)
from study.arrays import BoolArray, FloatArray
from study.companions import hand2009
from study.companions.baker import MATRIX
from study.companions.checks import statistics
from study.companions.kaymak2010_experiment import STATED_SAMPLES, point_if_published, stated_sample

MANY, SOME = 20_000, 500  # points or matrices; curves
SLACK = 1e-9  # what counts as equal
COLUMNS = ["key", "value", "n", "holds", "shown"]


class Case(NamedTuple):
    """What cases show: a number, how many there were, whether all hold, one that fails."""

    value: float
    n: int
    holds: bool
    shown: str = ""


def cases_table() -> pd.DataFrame:
    """One row per claim: COLUMNS. The value is the largest difference, or the exceptions."""
    rows = [(key, *case()) for key, case in CASES.items()]
    return pd.DataFrame(rows, columns=COLUMNS)


def efficiency_table() -> pd.DataFrame:
    """How many positives AUC takes for one that AUK takes, to find a slightly better model.

    Scores are normal, of equal variance, correlated at 0.5 within the classes; at the sample's own
    prevalence, and with as many negatives as positives.
    """
    rows = []
    for p in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5):
        for separation in (1, 2):
            aucs = [float(ndtr((separation + more) / np.sqrt(2))) for more in (0.0, 0.02)]
            for sample, ratio in (("natural", (1 - p) / p), ("balanced", 1.0)):
                sizes = plan_sample_size(aucs, prevalence=p, correlation=0.5, ratio=ratio)
                auc, auk = (sizes[name].n_positive for name in ("auc", "auk"))
                rows.append((sample, p, separation, auc, auk, auc / auk))
    names = ["sample", "prevalence", "separation", "positives_auc", "positives_auk", "efficiency"]
    return pd.DataFrame(rows, columns=names)


def _random(key: int, *shape: int, low: float = 0.01, high: float = 0.99) -> Any:
    return np.random.default_rng([2010, key]).uniform(low, high, shape)


def _points(key: int) -> Any:
    """Random f, t and p of classifiers that are better than chance."""
    f, t, p = _random(key, 3, MANY)
    return np.minimum(f, t), np.maximum(f, t), p


def _matrices(key: int) -> FloatArray:
    """Random confusion matrices (tp, fn, fp, tn) with no empty cell."""
    rng = np.random.default_rng([2010, key])
    return rng.integers(1, 200, (4, MANY)).astype(np.float64)


def _hulls(key: int) -> list[tuple[FloatArray, FloatArray]]:
    """Random hulls of two to eight corners."""
    rng = np.random.default_rng([2010, key])
    hulls: list[tuple[FloatArray, FloatArray]] = []
    while len(hulls) < SOME:
        f, t = np.sort(rng.uniform(size=(2, rng.integers(2, 9))))
        hull = roc_hull(np.r_[0, f, 1], np.r_[0, t, 1])[:2]
        if area_under_curve(*hull) > 0.51:
            hulls.append(hull)
    return hulls


def _kappa(tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
    return 2 * (tp * tn - fn * fp) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def _counted(holds: BoolArray, show: Callable[[int], str]) -> Case:
    """Whether all cases hold, and the first that does not in words."""
    wrong = np.flatnonzero(~holds)
    shown = show(int(wrong[0])) if len(wrong) else ""
    return Case(float(len(wrong)), len(holds), not len(wrong), shown)


def _largest(gap: npt.ArrayLike) -> Case:
    sizes = np.abs(np.atleast_1d(gap))
    return Case(float(sizes.max()), sizes.size, bool(sizes.max() <= SLACK))


def dominance() -> Case:
    """A larger t at the same f gives a larger kappa, and a larger accuracy."""
    f, low, p = _random(1, 3, MANY)
    high = low + (1 - low) * _random(2, MANY)
    better = kappa_from_rates(f, high, p) > kappa_from_rates(f, low, p)
    return _counted(better, lambda i: f"f = {f[i]:.3f}, t = {low[i]:.3f} and {high[i]:.3f}")


def kappa_range() -> Case:
    """Kappa lies in [-1, 1], and is 0 at t = f, (0, 0) and (1, 1)."""
    f, t, p = _random(3, 3, MANY, low=0.0, high=1.0)
    kappa, chance = kappa_from_rates(f, t, p), kappa_from_rates(f, f, p)
    ends = kappa_from_rates(0, 0, p), kappa_from_rates(1, 1, p)
    zero = np.max(np.abs([chance, *ends]), axis=0) < SLACK
    inside = (np.abs(kappa) <= 1 + SLACK) & zero
    return _counted(inside, lambda i: f"f = {f[i]:.3f}, t = {t[i]:.3f}, p = {p[i]:.3f}")


def negative_kappa() -> Case:
    """Kappa and the accuracy less that of chance have one sign."""
    tp, fn, fp, tn = cells = _matrices(22)
    total = cells.sum(axis=0)
    positive, predicted = (tp + fn) / total, (tp + fp) / total
    beyond = (tp + tn) / total - chance_agreement(predicted, positive)
    kappa = _kappa(*cells)
    return _counted(np.sign(kappa) == np.sign(beyond.round(12)), lambda i: f"kappa {kappa[i]:.3f}")


def no_normalisation() -> Case:
    """A perfect classifier has kappa 1 at every prevalence; the area of its curve has not."""
    p = _random(4, MANY, low=0.001, high=0.999)
    return _counted(np.abs(kappa_from_rates(0, 1, p) - 1) < SLACK, lambda i: f"p = {p[i]:.3f}")


def perfect_area() -> Case:
    """The area under a perfect kappa curve at 10 % positives."""
    return Case(perfect_auk(0.1), 1, holds=False, shown=f"{perfect_auk(0.9):.3f} at 90 %")


def prefers_minority() -> Case:
    """One more correct row of the smaller class against one more of the larger."""
    cells = _matrices(5)
    more = cells[0] + cells[1] > cells[2] + cells[3]
    # The smaller class as the positive one: kappa is the same for either.
    tp, fn, fp, tn = np.where(more, cells[::-1], cells)
    smaller, larger = _kappa(tp + 1, fn - 1, fp, tn), _kappa(tp, fn, fp - 1, tn + 1)
    apart = tp + fn < fp + tn
    return _counted((smaller > larger)[apart], lambda i: f"case {i}")


def no_preference() -> Case:
    """One more correct row of either class, where both have as many."""
    missed, false = np.random.default_rng([2010, 23]).integers(1, 100, (2, MANY))
    right = _kappa(101 - missed, missed - 1, false, 100 - false)
    other = _kappa(100 - missed, missed, false - 1, 101 - false)
    return _counted(np.abs(right - other) < SLACK, lambda i: f"case {i}")


def specific_model() -> Case:
    """Of two matrices the one of larger specificity has fewer false negatives."""
    (_, fn, fp, tn), (_, other_fn, other_fp, other_tn) = _matrices(6), _matrices(7)
    more, fewer = tn / (fp + tn) > other_tn / (other_fp + other_tn), fn < other_fn
    return _counted(
        fewer[more],
        lambda i: (
            f"{fn[more][i]:g} false negatives at specificity "
            f"{(tn / (fp + tn))[more][i]:.3f}, {other_fn[more][i]:g} at a smaller one"
        ),
    )


def one_to_one() -> Case:
    """At given f and p kappa gives t back."""
    f, t, p = _points(8)
    back = tpr_from_kappa(f, kappa_from_rates(f, t, p), p)
    return _counted(np.abs(back - t) < SLACK, lambda i: f"f = {f[i]:.3f}, t = {t[i]:.3f}")


def gradient_exceeds_one() -> Case:
    """On hulls with p < 1/2: the slope before the corner of the largest kappa."""
    hulls, p = _hulls(9), _random(10, SOME, high=0.49)
    slopes = []
    for (f, t), share in zip(hulls, p, strict=True):
        best = int(kappa_from_rates(f, t, share).argmax())
        rise, run = t[best] - t[best - 1], f[best] - f[best - 1]
        slopes.append(rise / run if run > 0 else np.inf)
    return _counted(np.array(slopes) > 1, lambda i: f"slope {slopes[i]:.3f} at p = {p[i]:.3f}")


def unique_optimum() -> Case:
    """A hull with a side of slope 1, on which t - f, kappa at p = 1/2, is the same."""
    f, t = np.array([0, 0.25, 0.5, 1]), np.array([0, 0.5, 0.75, 1])
    kappa = kappa_from_rates(f, t, 0.5)
    best = np.isclose(kappa, kappa.max())
    shown = f"kappa {kappa.max():g} at f = {' and '.join(f'{rate:g}' for rate in f[best])}, p = 0.5"
    return Case(float(best.sum() > 1), 1, bool(best.sum() == 1), shown)


def objective() -> Case:
    """The AUK of a hull with the one class positive, and with the other; AUC is the same."""
    hulls, p = _hulls(24), _random(25, SOME)
    areas = [
        (area_under_kappa(*hull, share), area_under_kappa(*swapped_classes(*hull), 1 - share))
        for hull, share in zip(hulls, p, strict=True)
    ]
    return _counted(
        np.abs(np.diff(areas)[:, 0]) < SLACK,
        lambda i: f"AUK {areas[i][0]:.3f}, with the other class positive {areas[i][1]:.3f}",
    )


def hull() -> Case:
    """Random curves with a dent: their hulls at the curves' points, and the areas."""
    rng = np.random.default_rng([2010, 26])
    better: list[bool] = []
    while len(better) < SOME:
        f, t = (np.r_[0, np.sort(inner), 1] for inner in rng.uniform(size=(2, 6)))
        corners = roc_hull(f, t)[:2]
        if len(corners[0]) < len(f):
            above = np.interp(f, *corners) - t
            larger = area_under_curve(*corners) - area_under_curve(f, t)
            better.append(bool(above.min() > -SLACK and larger > 0))
    return _counted(np.array(better), lambda i: f"curve {i}")


def h_range() -> Case:
    """H of random hulls, of the diagonal and of a perfect classifier, at random prevalences."""
    diagonal = np.array([0, 1.0])
    perfect = np.array([0, 0, 1.0]), np.array([0, 1, 1.0])
    held = []
    for corners, p in zip(_hulls(27), _random(28, SOME), strict=True):
        ends = h_of_hull(diagonal, diagonal, p), h_of_hull(*perfect, p)
        inside = -SLACK <= h_of_hull(*corners, p) <= 1 + SLACK
        held.append(inside and bool(np.allclose(ends, (0, 1))))
    return _counted(np.array(held), lambda i: f"hull {i}")


def by_prevalence(measure: Callable[..., float], name: str, key: int, **shares: float) -> Case:
    """A measure of a hull, AUK or H, changes from p to another prevalence; its AUC has no p."""
    hulls, p = _hulls(key), _random(key + 1, 2, SOME, **shares)
    values = [
        [measure(*hull, share) for share in both] for hull, both in zip(hulls, p.T, strict=True)
    ]
    moved = np.abs(np.diff(values)[:, 0]) > SLACK
    return _counted(moved, lambda i: f"{name} {values[i][0]:.4f} at both")


def one_cost() -> Case:
    """AUK is the area of the weighted kappa at c = 1/2, AUC - 1/2 that at c = 1 - p."""
    gaps = []
    for hull, p in zip(_hulls(15), _random(16, SOME), strict=True):
        at_half = area_under_kappa(*hull, p, cost=0.5) - area_under_kappa(*hull, p)
        at_q = area_under_kappa(*hull, p, cost=1 - p) - (area_under_curve(*hull) - 0.5)
        gaps += [at_half, at_q]
    return _largest(gaps)


def costs_by_classifier() -> Case:
    """How far two classifiers' weights on c = 1/2 are apart if all f count alike, as in AUK.

    Curves (b) and (c) of Hand's Figure 3: f is the best choice at the cost of the slope there.
    """
    weights = []
    for name in "bc":
        f, t = hand2009.CURVES[name]
        run = np.diff(f)
        slopes = np.divide(np.diff(t), run, out=np.full(len(run), np.inf), where=run > 0)
        weights.append(float(run[np.isclose(slopes, 1)].sum()))
    shown = f"{weights[0]:.3f} and {weights[1]:.3f} of all f are best at equal costs"
    gap = abs(weights[0] - weights[1])
    return Case(gap, 2, gap <= SLACK, shown)


def mean_of_scores() -> Case:
    """Hand's probability against AUC, for normal scores of two spreads."""
    found = hand2009.auc_by_the_mean_of_two_scores()
    _, values = found if found else (False, {"probability": np.nan, "auc": np.nan})
    gap = abs(values["probability"] - values["auc"])
    return Case(gap, 1, gap <= SLACK, "normal scores of standard deviations 1 and 3")


def samples() -> Case:
    """Rows that are left if all good rows are kept."""
    rows = stated_sample().rows
    shown = f"{rows} or {rows + 1}; or some good rows were deleted too"
    return Case(rows, 1, STATED_SAMPLES in (rows, rows + 1), shown)


def difference_of_rates() -> Case:
    """Whether the operating point's printed kappa is t - f."""
    point = point_if_published()
    if point is None:
        return Case(np.nan, 0, holds=False)
    difference = point.tpr.value - point.fpr.value
    return Case(difference, 1, point.kappa.is_of(difference))


def as_likely(*costs: float) -> Case:
    """The uniform density on [0, 1] at some costs."""
    density = np.less_equal(costs, 1).astype(float)
    shown = f"{costs[0]:g} is no share of a cost" if costs[0] > 1 else ""
    return Case(float(density[0]), len(costs), bool(np.ptp(density) == 0), shown)


def wilcoxon() -> Case:
    """AUC against the share of pairs in the right order, ties by half."""
    gaps = []
    rng = np.random.default_rng([2010, 17])
    for _ in range(SOME):
        positive, negative = rng.integers(0, 9, 12), rng.integers(0, 7, 20)
        ahead = np.sign(positive[:, None] - negative).mean() / 2 + 0.5
        truth = np.repeat([1, 0], [12, 20])
        gaps.append(auc_score(truth, np.concatenate([positive, negative])) - ahead)
    return _largest(gaps)


def f1() -> Case:
    """F1 against the harmonic mean of precision and recall."""
    gaps = []
    for cells in _matrices(18)[:, :SOME].T:
        of = statistics(*cells)
        gaps.append(of["f1"] - 2 / (1 / of["precision"] + 1 / of["recall"]))
    return _largest(gaps)


def rates() -> Case:
    """FP / TN of the source's matrix against FP / (FP + TN)."""
    gap = MATRIX["fp"] / MATRIX["tn"] - MATRIX["fpr"]
    shown = f"TP / FN is {MATRIX['tp'] / MATRIX['fn']:g}, which is no rate"
    return Case(gap, 1, holds=False, shown=shown)


def expected_agreement() -> Case:
    """With fewer than 30 % positives, against 1/2, at rates of models that beat chance."""
    f, t, p = _points(29)
    p = 0.3 * p
    predicted = p * t + (1 - p) * f
    by_chance = chance_agreement(predicted, p)
    return _counted(
        by_chance > 0.5,
        lambda i: f"{by_chance[i]:.3f}: true {p[i]:.3f}, predicted {predicted[i]:.3f}",
    )


def above_diagonal() -> Case:
    """Normal scores of unequal spread: AUC above 1/2, and a curve that crosses the diagonal."""
    gap, spread = _random(19, 2, SOME, low=0.2, high=3.0)
    f = np.linspace(0.001, 0.999, 999)[:, None]
    lowest = (ndtr((gap + ndtri(f)) / spread) - f).min(axis=0)
    auc = ndtr(gap / np.hypot(1, spread))
    return _counted(
        lowest > -SLACK,
        lambda i: f"AUC {auc[i]:.3f}, curve {-lowest[i]:.3f} below the diagonal",
    )


def margins() -> Case:
    """At one true share: the largest kappa falls as the predicted share moves away from it."""
    p, q = _random(20, 2, MANY)
    further = np.where(q > p, q + (1 - q) * 0.5, q * 0.5)
    largest, less = _largest_kappa(p, q), _largest_kappa(p, further)
    return _counted(less < largest, lambda i: f"true {p[i]:.3f}, predicted {q[i]:.3f}")


def edge() -> Case:
    """Of all matrices with given margins: the one of the largest kappa has a false count of 0."""
    matrices = _matrices(21)[:, :SOME]
    at_edge = []
    for tp, fn, fp, tn in matrices.T:
        positive, predicted, negative = tp + fn, tp + fp, fp + tn
        hits = np.arange(max(0, predicted - negative), min(positive, predicted) + 1)
        missed, false = positive - hits, predicted - hits
        best = int(_kappa(hits, missed, false, negative - false).argmax())
        at_edge.append(min(missed[best], false[best]) == 0)
    return _counted(np.array(at_edge), lambda i: f"margins of {matrices[:, i]}")


def _largest_kappa(p: Any, q: Any) -> Any:
    """By the largest accuracy that the margins allow."""
    by_chance = p * q + (1 - p) * (1 - q)
    return (np.minimum(p, q) + np.minimum(1 - p, 1 - q) - by_chance) / (1 - by_chance)


CASES: dict[str, Callable[[], Case]] = {
    "dominance": dominance,
    "kappa_range": kappa_range,
    "negative_kappa": negative_kappa,
    "no_normalisation": no_normalisation,
    "perfect_area": perfect_area,
    "prefers_minority": prefers_minority,
    "no_preference": no_preference,
    "specific_model": specific_model,
    "one_to_one": one_to_one,
    "gradient_exceeds_one": gradient_exceeds_one,
    "unique_optimum": unique_optimum,
    "objective": objective,
    "hand_hull": hull,
    "hand_h_range": h_range,
    "skew_aware": partial(by_prevalence, area_under_kappa, "AUK", 11, high=0.5),
    "one_cost": one_cost,
    "costs_by_classifier": costs_by_classifier,
    "samples_768": samples,
    "difference_of_rates": difference_of_rates,
    "hand_class_priors": partial(by_prevalence, h_of_hull, "H", 13),
    "hand_mean_of_scores": mean_of_scores,
    "hand_range_of_costs": partial(as_likely, 1e9, 1e-9, 0.5),
    # The shares that belong to these as cost ratios, c / (1 + c).
    "hand_range_of_ratios": partial(as_likely, 0.999999999, 1e-9, 0.5),
    "baker_wilcoxon": wilcoxon,
    "baker_f1": f1,
    "baker_rates": rates,
    "baker_above_diagonal": above_diagonal,
    "baker_expected_agreement": expected_agreement,
    "silipo_margins": margins,
    "silipo_edge": edge,
}
