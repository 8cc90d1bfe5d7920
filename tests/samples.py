"""Rows that several tests draw, pairs that an AUC counts, measures, and limits of shares."""

import numpy as np
from scipy.stats import norm

RANKING = ("auc", "auk", "average_precision", "auch", "ks", "auk_hull", "h", "kappa_max")
END_CURVES = ([0, 1, 1], [0, 0, 1]), ([0, 0, 1], [0, 1, 1])  # of the worst and the perfect ranking


def draw(seed, n=120, prevalence=0.25, digits=None, separation=1.0):
    """Labels and two correlated normal scores; rounded to `digits` they have ties."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[: round(n * prevalence)] = 1
    rng.shuffle(y)
    common = rng.normal(size=n)
    a = common + rng.normal(size=n) + separation * y
    b = common + rng.normal(size=n) + 0.5 * separation * y
    return (y, a, b) if digits is None else (y, a.round(digits), b.round(digits))


def all_pairs(y, score):
    """1 where a positive (row) is above a negative (column), 1/2 where they tie."""
    difference = score[y == 1][:, None] - score[y == 0]
    return (difference > 0) + 0.5 * (difference == 0)


def wilson(share, n, level=0.95):
    """The shares p with (share - p)^2 = z^2 p (1 - p) / n."""
    square = norm.isf((1 - level) / 2) ** 2 / n
    return np.sort(np.roots([1 + square, -2 * share - square, share**2]))


def agresti_coull(count, n, level=0.95):
    """About Wilson's centre, with the error of a share at that."""
    z, centre = norm.isf((1 - level) / 2), wilson(count / n, n, level).mean()
    half = z * np.sqrt(centre * (1 - centre) / (n + z**2))
    return np.array([centre - half, centre + half])
