"""Two orders of 286 customers that print every number of Tables 4 and 5 and of the threshold.

test_sets.csv: how many of 251 good customers each model ranks above each of the 35 bad ones. It
proves that the printed numbers are consistent if good customers are positive and 0.328 is the
difference of the rates, not that they were so obtained. By other code than the library's.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.spatial import ConvexHull
from sklearn.metrics import roc_auc_score, roc_curve

import study.paper
from study.paper.numbers import printed_numbers, printed_point

ORDERS = pd.read_csv(Path(study.paper.__file__).with_name("test_sets.csv"))
GOOD, BAD = 251, 35


def kappa(f, t):
    """Chance agreement from the counts of a confusion matrix, good positive."""
    tp, fp, n = GOOD * t, BAD * f, GOOD + BAD
    agreement = (tp + BAD - fp) / n
    chance = (GOOD * (tp + fp) + BAD * (n - tp - fp)) / n**2
    return (agreement - chance) / (1 - chance)


def area(f, t):
    pieces = zip(f[:-1], f[1:], t[:-1], t[1:], strict=True)
    return sum(
        quad(lambda x, a, b, c, d: kappa(x, c + (d - c) * (x - a) / (b - a)), a, b, (a, b, c, d))[0]
        for a, b, c, d in pieces
        if b > a
    )


def curves_of(model):
    """Raw curve and hull of scores that fall from 0; those of bad customers lie between."""
    good, bad = -np.arange(GOOD) - 1.0, -ORDERS[model].to_numpy() - 0.5 - 1e-6 * np.arange(BAD)
    y, score = np.repeat([1, 0], [GOOD, BAD]), np.r_[good, bad]
    f, t, _ = roc_curve(y, score, drop_intermediate=False)
    points = np.vstack([np.c_[f, t], [1.0, 0.0]])
    corners = points[ConvexHull(points).vertices]
    corners = corners[corners[:, 0] <= corners[:, 1]]
    hull = corners[np.lexsort((corners[:, 1], corners[:, 0]))].T
    return {"raw": (f, t), "hull": hull}, roc_auc_score(y, score)


@pytest.mark.parametrize("model", ["linear", "neural_net"])
def test_the_areas_print(model):
    curves, auc = curves_of(model)
    printed = {key[1:]: number for key, number in printed_numbers().items()}
    assert printed["raw", model, "auc"].is_of(auc)
    for curve, (f, t) in curves.items():
        assert printed[curve, model, "auc"].is_of(np.trapezoid(t, f))
        assert printed[curve, model, "auk"].is_of(area(f, t))


def test_the_best_threshold_prints_and_0_328_is_the_difference_of_its_rates():
    f, t = curves_of("neural_net")[0]["hull"]
    best = kappa(f, t).argmax()
    point = printed_point()
    assert point.fpr.is_of(f[best]) and point.tpr.is_of(t[best])
    assert point.kappa.is_of(t[best] - f[best]) and not point.kappa.is_of(kappa(f, t)[best])
