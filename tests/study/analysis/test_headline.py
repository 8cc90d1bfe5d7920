"""The numbers of Tables 4 and 5 at the default config, computed a second way.

The models are trained as the default run trains them. Everything after that is done again here by
loops over thresholds, confusion matrices and scikit-learn, without the package's curves and areas.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.published import AREAS, comparison
from study.replicates.engine import Cell, single_split
from study.replicates.evaluation import evaluate_measures
from study.settings.cells import paper_cell

CONFIG = yaml.safe_load((Path(__file__).parents[3] / "config/config.yaml").read_text())
MODELS = ("linear", "logistic", "neural_net")


@pytest.fixture(scope="module")
def scores():
    features = encode(read_german_data(BUNDLED_FILE), CONFIG["experiment"]["encoding"])
    cell = Cell(**paper_cell(CONFIG, list(MODELS)))
    return single_split(features, cell, seed=CONFIG["seed"])[1]


@pytest.fixture(scope="module")
def tables(scores):
    measures = evaluate_measures(scores)
    return {curve: comparison(measures, curve, (*AREAS, "kappa_max")) for curve in ("raw", "hull")}


def vertices(positive, score):
    """False and true positive rate and scikit-learn's kappa at every threshold."""
    points = [(0.0, 0.0, 0.0)]
    for threshold in sorted(set(score), reverse=True):
        predicted = score >= threshold
        kappa = 0.0 if predicted.all() else cohen_kappa_score(positive, predicted)
        points.append((predicted[~positive].mean(), predicted[positive].mean(), kappa))
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


@pytest.mark.parametrize("positive_class", ["good", "bad"])
@pytest.mark.parametrize("model", MODELS)
def test_tables_4_and_5_by_plain_loops(scores, tables, model, positive_class):
    one = scores[scores["model"] == model]
    positive = (one["bad"] == (positive_class == "bad")).to_numpy()
    score = one["score"].to_numpy() * (1 if positive_class == "bad" else -1)
    assert len(positive) == 286
    p = positive.mean()
    raw = vertices(positive, score)
    for f, t, kappa in raw:
        assert kappa == pytest.approx(kappa_of_shares(f, t, p), abs=1e-12)
    hull = corners(raw)
    assert 2 < len(hull) < len(raw)
    for curve, points in (("raw", raw), ("hull", hull)):
        f, t, kappa = np.array(points).T
        expected = {
            "auc": np.sum(np.diff(f) * (t[1:] + t[:-1]) / 2),
            "auk": area_by_midpoints(points, p),
            "auk_trapezoid": np.sum(np.diff(f) * (kappa[1:] + kappa[:-1]) / 2),
            "h": h_by_midpoints(hull, p),
            "kappa_max": max(kappa),
        }
        if curve == "raw":
            assert expected["auc"] == pytest.approx(roc_auc_score(positive, score), abs=1e-12)
        table = tables[curve]
        found = table[(table["model"] == model) & (table["positive_class"] == positive_class)]
        reproduced = found.set_index("measure")["reproduced"]
        for measure, value in expected.items():
            tolerance = 1e-6 if measure in ("auk", "h") else 1e-12
            assert reproduced[measure] == pytest.approx(value, abs=tolerance), (curve, measure)
