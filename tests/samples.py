"""Rows that several tests draw, and the pairs of them that an AUC counts."""

import numpy as np


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
