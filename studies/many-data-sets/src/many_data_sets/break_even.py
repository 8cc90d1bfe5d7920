"""How many negatives per positive AUK needs to beat AUC: influence functions of normal scores.

Negatives are standard normal, positives have the mean `separation`; two models differ a little in
it, and their scores are correlated within each class. Every measure agrees on the better model, so
only noise tells measures apart. The repository's docs/theory.md derives what is integrated here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import eval_hermitenorm, gammaln
from scipy.stats import norm

from kappacurve import batch_measures
from many_data_sets._experiment import FloatArray
from many_data_sets.scores import generator

PREVALENCES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)
SEPARATIONS = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0)
CORRELATIONS = (0.5, 0.8)
COSTS = (0.5, 0.8)
# Simulated at twelve points: 100 positives, and as many negatives as the break-even says.
SIMULATED = ((0.02, 0.05, 0.1, 0.3), (1.0, 2.0, 3.0))
POSITIVES, DRAWS, CORRELATION = 100, 4000, 0.5
POINTS, ORDER = 3001, 50  # of the grid of thresholds, and of the series of Hermite polynomials


class Noise(NamedTuple):
    """What a unit more of separation adds to an area; variance per positive and per negative."""

    lead: float
    positive: float
    negative: float

    def certainty(self, ratio: float) -> float:
        """(Lead / standard deviation)^2 a positive, with so many negatives per positive."""
        return self.lead**2 / (self.positive + self.negative / ratio)


def area_weight(fpr: FloatArray, tpr: FloatArray, prevalence: float, cost: float) -> FloatArray:
    """dAUK/dt at each false positive rate: what a small rise of the curve there adds to AUK."""
    p, q = prevalence, 1 - prevalence
    denominator = cost * p + (q - cost) * (p * tpr + q * fpr)
    return np.asarray(p * q * (cost * p + (q - cost) * fpr) / denominator**2)


@cache
def noise(prevalence: float, separation: float, correlation: float, cost: float) -> Noise:
    """Of the difference of two models' areas at a cost; cost 1 - prevalence is AUC."""
    score = np.linspace(-9, separation + 9, POINTS)
    step = score[1] - score[0]
    negative, positive = norm.pdf(score), norm.pdf(score - separation)
    weight = area_weight(norm.sf(score), norm.sf(score - separation), prevalence, cost)
    variances = []
    # A positive moves t at every threshold below it; a negative moves the thresholds below it.
    for density, other, centre in ((positive, negative, separation), (negative, positive, 0.0)):
        influence = (np.cumsum(weight * other) - weight * other / 2) * step
        influence -= (influence * density).sum() * step
        order = np.arange(1, ORDER)
        polynomials = eval_hermitenorm(order[:, None], score - centre)
        coefficients = polynomials @ (influence * density) * step / np.exp(gammaln(order + 1) / 2)
        shared = coefficients**2 @ correlation**order
        variances.append(2 * ((influence**2 * density).sum() * step - shared))
    return Noise(float((weight * negative * positive).sum() * step), *map(float, variances))


def efficiency(
    prevalence: float, separation: float, correlation: float, cost: float, ratio: float
) -> float:
    """Of AUK relative to AUC: how many positives with AUC are worth one with AUK."""
    auk, auc = (noise(prevalence, separation, correlation, c) for c in (cost, 1 - prevalence))
    return auk.certainty(ratio) / auc.certainty(ratio)


def break_even(prevalence: float, separation: float, correlation: float, cost: float) -> float:
    """Negatives per positive at which both are equally certain; nan if there is no such ratio."""
    auk, auc = (noise(prevalence, separation, correlation, c) for c in (cost, 1 - prevalence))
    gain, price = auk.lead**2, auc.lead**2
    above = price * auk.negative - gain * auc.negative
    below = gain * auc.positive - price * auk.positive
    return above / below if above > 0 and below > 0 else float("nan")


def break_even_table() -> pd.DataFrame:
    """The map: results/break_even.csv."""
    grid = product(PREVALENCES, SEPARATIONS, CORRELATIONS, COSTS)
    rows = [(*point, break_even(*point)) for point in grid]
    return pd.DataFrame(rows, columns=["prevalence", "separation", "correlation", "cost", "ratio"])


def simulated_table(seed: int) -> pd.DataFrame:
    """Twelve points at their break-even ratio, and what a positive is worth to AUC and AUK.

    `information`: certainty at the natural ratio as a share of what the Fisher information about
    a difference of two separations allows where the scale of the scores is known.
    """
    rows = []
    for p, separation in product(*SIMULATED):
        ratio = break_even(p, separation, CORRELATION, 0.5)
        negatives, natural = round(POSITIVES * ratio), (1 - p) / p
        found, error = _simulated(p, separation, negatives, seed)
        predicted = efficiency(p, separation, CORRELATION, 0.5, negatives / POSITIVES)
        limit = 1 / (2 * (1 - CORRELATION) * (1 + 1 / natural))
        information = (
            noise(p, separation, CORRELATION, c).certainty(natural) / limit for c in (1 - p, 0.5)
        )
        rows.append((p, separation, negatives, found, error, predicted, *information))
    columns = ["prevalence", "separation", "n_negative", "simulated", "standard_error"]
    columns += ["predicted", "information_auc", "information_auk"]
    return pd.DataFrame(rows, columns=columns).assign(n_positive=POSITIVES)


def _simulated(p: float, separation: float, negatives: int, seed: int) -> tuple[float, float]:
    """Efficiency of AUK in simulated samples, with its standard error by the jackknife."""
    at = noise(p, separation, CORRELATION, 1 - p)
    # Far enough apart for a clear lead, near enough for the limit of a small difference.
    step = float(1 / np.sqrt(POSITIVES * at.certainty(negatives / POSITIVES)))
    random = generator(seed, "break even", round(1000 * p), round(100 * separation))
    label = np.arange(POSITIVES + negatives) < POSITIVES
    common, *own = random.standard_normal((3, DRAWS, len(label)))
    values: dict[str, list[FloatArray]] = {"auc": [], "auk": []}
    for noise_of, mean in zip(own, (separation + step / 2, separation - step / 2), strict=True):
        scores = np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * noise_of
        measured = batch_measures(label, scores + mean * label, pos_label=True, prevalence=p)
        for name, both in values.items():
            both.append(measured[name])
    leads = [np.subtract(*both) for both in values.values()]
    blocks = np.array_split(np.arange(DRAWS), 40)
    left = [_squared_ratio([np.delete(lead, block) for lead in leads]) for block in blocks]
    error = np.sqrt((len(left) - 1) * np.var(left))
    return _squared_ratio(leads), float(error)


def _squared_ratio(leads: Iterable[FloatArray]) -> float:
    auc, auk = (lead.mean() / lead.std(ddof=1) for lead in leads)
    return float((auk / auc) ** 2)
