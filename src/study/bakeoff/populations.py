"""Known populations: normal scores, of which it is known what each measure should say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

from kappacurve import auk_score
from kappacurve.inference import influence
from study.arrays import FloatArray, IntArray
from study.bakeoff.measures import MEASURES, Curves, auk_at, goals_at
from study.bakeoff.scores import generator

LARGE = 20_000  # rows of each class that stand for a population
DRAWS = 3000
COSTS = (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.99, 1.0)


class Normal(NamedTuple):
    """Scores of a model: negatives standard normal, positives with this mean and deviation."""

    mean: float
    deviation: float = 1.0


# (a) A is the better one on the whole, B among the rows with the largest scores.
CROSSING = {"A": Normal(1.6), "B": Normal(2.0, 2.0)}
# (b) Equal variances: every measure prefers the first.
SEPARATIONS = ((1.0, 0.8), (2.0, 1.8))
CORRELATIONS = (0.0, 0.5)


def curve_of(model: Normal, prevalence: float) -> Curves:
    """The model's own curve, at so many thresholds that its steps do not matter."""
    threshold = np.linspace(12, -8, 20001)
    curve = object.__new__(Curves)
    curve.p = prevalence
    curve.fpr = norm.sf(threshold)[None]
    curve.tpr = norm.sf((threshold - model.mean) / model.deviation)[None]
    return curve


def crossing(levels: Mapping[str, Any]) -> pd.DataFrame:
    """Which of two crossing models each goal prefers, and how often each measure picks it."""
    p, n = levels["headline"]["prevalence"], levels["headline"]["n_positive"]
    n_negative = round(n * (1 - p) / p)
    random = generator(levels["seed"], "crossing")
    scores = np.stack([_sample(one, n, n_negative, random) for one in CROSSING.values()], axis=1)
    curves = Curves(_ranks(scores.reshape(-1, n + n_negative)), n, p)
    rows = []
    for goal in goals_at(p, levels["costs"], levels["top_share"]):
        a, b = (float(goal.value(curve_of(one, p))[0]) for one in CROSSING.values())
        for name, measure in MEASURES.items():
            if measure.at_cost and goal.cost is None:
                continue
            values = measure.of(curves, goal.cost) if measure.at_cost else measure.of(curves)
            lead = np.subtract(*values.reshape(-1, 2).T) * np.sign(a - b)
            share = float((lead > 0).mean() + (lead == 0).mean() / 2)
            rows.append((goal.name, "A" if a > b else "B", a, b, name, share))
    columns = ["goal", "better", "value_a", "value_b", "measure", "share_right"]
    return pd.DataFrame(rows, columns=columns)


def _sample(
    model: Normal, n_positive: int, n_negative: int, random: np.random.Generator
) -> FloatArray:
    scores = random.standard_normal((DRAWS, n_positive + n_negative))
    scores[:, :n_positive] = scores[:, :n_positive] * model.deviation + model.mean
    return scores


def _ranks(scores: FloatArray) -> IntArray:
    return np.argsort(np.argsort(scores, axis=1), axis=1)


def efficiency(levels: Mapping[str, Any]) -> pd.DataFrame:
    """(mean lead / its standard deviation)^2 of every measure over that of AUC.

    By simulation, and for AUC and the AUK at a cost by influence functions on a large sample.
    """
    tables = []
    n = levels["headline"]["n_positive"]
    for place, (pair, correlation) in enumerate(
        (pair, correlation) for pair in SEPARATIONS for correlation in CORRELATIONS
    ):
        large = _correlated(pair, correlation, 1, LARGE, LARGE, levels["seed"], place)[:, 0]
        for p in levels["prevalence"]:
            for sample, share in dict.fromkeys([("natural", p), ("balanced", 0.5)]):
                n_negative = round(n * (1 - share) / share)
                scores = _correlated(pair, correlation, DRAWS, n, n_negative, levels["seed"], place)
                found = pd.DataFrame(_of_design(scores, large, n, p))
                design = {"separation": pair[0], "correlation": correlation, "prevalence": p}
                design |= {"sample": sample, "n_positive": n, "n_negative": n_negative}
                tables.append(found.assign(**design)[[*design, *found]])
    return pd.concat(tables, ignore_index=True)


def _correlated(
    pair: tuple[float, float], correlation: float, draws: int, n: int, rest: int, *seed: int
) -> FloatArray:
    """Scores (2, draws, rows) of two models, positives first."""
    common, *own = generator(seed[0], "efficiency", *seed[1:], n).standard_normal(
        (3, draws, n + rest)
    )
    scores = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * np.stack(own)
    scores[:, :, :n] += np.array(pair)[:, None, None]
    return np.asarray(scores)


def _of_design(scores: FloatArray, large: FloatArray, n: int, p: float) -> Iterable[dict[str, Any]]:
    curves = Curves(_ranks(scores.reshape(-1, scores.shape[2])), n, p)
    simulated: dict[Any, FloatArray] = {
        (name, None): one.of(curves) for name, one in MEASURES.items() if not one.at_cost
    }
    simulated |= {("auk_goal", cost): auk_at(curves, cost) for cost in COSTS}
    known = {"auc": 1 - p, "auk": 0.5}
    base = None
    for (measure, cost), values in simulated.items():
        lead = np.subtract(*values.reshape(2, -1))
        certainty = float(lead.mean() / lead.std(ddof=1))
        row = {"measure": measure, "cost": cost, "lead": lead.mean(), "sd": lead.std(ddof=1)}
        at = known.get(measure, cost)
        theory = np.nan if at is None else _by_influence(large, n, scores.shape[2] - n, p, at)
        base = base or (certainty, theory)
        row["efficiency"] = (certainty / base[0]) ** 2
        row["efficiency_by_influence"] = (theory / base[1]) ** 2
        yield row


def _by_influence(large: FloatArray, n: int, rest: int, p: float, cost: float) -> float:
    """Mean lead over its standard deviation, from the influence of each row of a large sample."""
    label = np.arange(large.shape[1]) < LARGE
    options: dict[str, Any] = {"pos_label": True, "prevalence": p, "cost": cost}
    change = np.subtract(*(influence(label, one, **options) for one in large))
    first, second = (auk_score(label, scores, **options) for scores in large)
    return float((first - second) / np.sqrt(change[label].var() / n + change[~label].var() / rest))
