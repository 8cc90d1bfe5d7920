import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import beta

from kappacurve.algebra import area_under_curve, h_of_hull
from kappacurve.bounds import h_bounds

PREVALENCES = np.array([0.02, 0.11, 0.5, 0.7, 0.97])


@pytest.mark.parametrize("weight", [(2, 2), (20, 30), (1, 400), (5000, 5000)])
@pytest.mark.parametrize("auc", [0.51, 0.75, 0.9, 0.99])
def test_both_ends_are_attained_by_their_hulls(auc, weight):
    bounds = h_bounds(auc, PREVALENCES, alpha=weight[0], beta=weight[1])
    for i, p in enumerate(PREVALENCES):
        for value, hull in (
            (bounds.lower[i], bounds.lower_curve),
            (bounds.upper[i], bounds.upper_curve),
        ):
            fpr, tpr = hull.fpr[i], hull.tpr[i]
            moves = np.concatenate(([True], (np.diff(fpr) > 0) | (np.diff(tpr) > 0)))
            assert area_under_curve(fpr, tpr) == pytest.approx(auc, abs=2e-5)
            assert h_of_hull(fpr[moves], tpr[moves], p, *weight) == pytest.approx(value, abs=2e-5)


@pytest.mark.parametrize(("auc", "p"), [(0.6, 0.3), (0.75, 0.11), (0.9, 0.7), (0.92, 0.2)])
def test_lower_end_is_that_of_a_linear_programme(auc, p):
    """Mixtures of 41 triangles at 40 costs: the least H is a linear programme."""
    starts = np.linspace(0, 1, 41)
    fpr = starts
    rows = np.where(fpr >= starts[:, None], 1.0, fpr / np.where(starts > 0, starts, 1)[:, None])
    edges = np.linspace(0, 1, 41)
    cost, mass = (edges[1:] + edges[:-1]) / 2, np.diff(beta(2, 2).cdf(edges))
    # Variables: weights of the triangles, smallest loss at each cost (at most that of each point).
    n, m = len(starts), len(cost)
    limits, at = [], []
    for k, c in enumerate(cost):
        for f, t in [(0.0, np.zeros(n)), *zip(fpr, rows.T, strict=True)]:
            loss = np.zeros(m)
            loss[k] = 1
            limits.append(np.concatenate(((1 - c) * p * t, loss)))
            at.append(c * (1 - p) * f + (1 - c) * p)
    equal = np.zeros((2, n + m))
    equal[0, :n], equal[1, :n] = 1, starts
    goal = np.concatenate((np.zeros(n), -mass))
    best = linprog(goal, A_ub=np.array(limits), b_ub=at, A_eq=equal, b_eq=[1, 2 * (1 - auc)])
    assert best.status == 0
    trivial = np.sum(mass * np.minimum(cost * (1 - p), (1 - cost) * p))
    found = 1 + best.fun / trivial
    assert float(h_bounds(auc, p).lower) == pytest.approx(found, abs=2e-3)


def test_shapes_and_swapped_classes():
    assert h_bounds(0.7, np.full((2, 3), 0.4)).lower.shape == (2, 3)
    # With a symmetric weight H does not change when the classes swap roles.
    one, other = h_bounds(0.8, 0.2), h_bounds(0.8, 0.8)
    assert one.lower == pytest.approx(float(other.lower), abs=1e-9)
    assert one.upper == pytest.approx(float(other.upper), abs=1e-9)


def test_many_aucs_in_one_call_are_those_of_one_after_the_other():
    aucs, at = [0.5, 0.52, 0.8, 0.999, 1.0], [0.02, 0.5, 0.9, 0.97, 0.3]
    found = h_bounds(aucs, at)
    # No room at either end.
    ends = [found.lower[0], found.upper[0], found.lower[4], found.upper[4]]
    assert ends == pytest.approx([0, 0, 1, 1], abs=1e-12)
    for i, (auc, p) in enumerate(zip(aucs, at, strict=True)):
        one = h_bounds(auc, p)
        assert [found.lower[i], found.upper[i]] == pytest.approx([*map(float, one[:2])], abs=1e-12)
