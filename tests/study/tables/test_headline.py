"""The numbers of Tables 4 and 5 at the default config, computed a second way.

The scores are those that the default run has to give. Everything after that is done again here by
loops over thresholds and shares of the confusion matrix, without the package's curves and areas.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.replicates.evaluation import evaluate_measures

MODELS = ("linear", "logistic", "neural_net")


@pytest.fixture(scope="module")
def scores():
    return pd.read_csv(Path(__file__).parents[2] / "reference/paper/scores.csv.gz")


def vertices(positive, score, p):
    """False and true positive rate and kappa at every threshold."""
    points = [(0.0, 0.0, 0.0)]
    for threshold in sorted(set(score), reverse=True):
        f, t = ((score >= threshold)[one].mean() for one in (~positive, positive))
        points.append((f, t, kappa_of_shares(f, t, p)))
    return points


def corners(points):
    """Of the hull: from each corner to the point in the steepest direction, the farthest one."""
    found = [points[0]]
    while found[-1][:2] != (1.0, 1.0):
        f, t, _ = found[-1]
        ahead = [one for one in points if one[0] > f or (one[0] == f and one[1] > t)]
        steepness = [np.arctan2(one[1] - t, one[0] - f) for one in ahead]
        best = [one for one, s in zip(ahead, steepness, strict=True) if s > max(steepness) - 1e-12]
        found.append(max(best, key=lambda one: one[0] + one[1]))
    return found


def kappa_of_shares(f, t, p):
    """(agreement - chance) / (1 - chance), from the four shares of the confusion matrix."""
    tp, fp = p * t, (1 - p) * f
    agreement = tp + (1 - p - fp)
    chance = p * (tp + fp) + (1 - p) * (1 - tp - fp)
    return (agreement - chance) / (1 - chance)


def area_by_midpoints(points, p, pieces=400):
    """Area under kappa with the ROC points joined by straight lines."""
    inside = (np.arange(pieces) + 0.5) / pieces
    total = 0.0
    for (f0, t0, _), (f1, t1, _) in pairwise(points):
        kappa = kappa_of_shares(f0 + inside * (f1 - f0), t0 + inside * (t1 - t0), p)
        total += (f1 - f0) * kappa.mean()
    return total


def h_by_midpoints(points, p, pieces=20_000):
    """One less the loss over costs with weight 6 c (1 - c), as a share of not looking."""
    cost = (np.arange(pieces) + 0.5) / pieces
    losses = [cost * (1 - p) * f + (1 - cost) * p * (1 - t) for f, t, _ in points]
    trivial = np.minimum(cost * (1 - p), (1 - cost) * p)
    weight = cost * (1 - cost)
    return 1 - (weight * np.min(losses, axis=0)).sum() / (weight * trivial).sum()


@pytest.mark.parametrize("positive_class", ["majority", "minority"])
@pytest.mark.parametrize("model", MODELS)
def test_tables_4_and_5_by_plain_loops(scores, model, positive_class):
    one = scores[scores["model"] == model]
    positive = (one["minority"] == (positive_class == "minority")).to_numpy()
    score = one["score"].to_numpy() * (1 if positive_class == "minority" else -1)
    assert len(positive) == 286
    p = positive.mean()
    raw = vertices(positive, score, p)
    hull = corners(raw)
    assert 2 < len(hull) < len(raw)
    measures = evaluate_measures(one).set_index(["positive_class", "curve"])
    for curve, points in (("raw", raw), ("hull", hull)):
        f, t, kappa = np.array(points).T
        expected = {
            "auc": np.sum(np.diff(f) * (t[1:] + t[:-1]) / 2),
            "auk": area_by_midpoints(points, p),
            "auk_trapezoid": np.sum(np.diff(f) * (kappa[1:] + kappa[:-1]) / 2),
            "h": h_by_midpoints(hull, p),
            "kappa_max": max(kappa),
        }
        for measure, value in expected.items():
            tolerance = 1e-6 if measure in ("auk", "h") else 1e-12
            found = measures.loc[(positive_class, curve), measure]
            assert found == pytest.approx(value, abs=tolerance), (curve, measure)
