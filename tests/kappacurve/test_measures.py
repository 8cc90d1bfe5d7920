"""Measures of rows and of batches: by hand, by brute force and by other weights."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import kappacurve as kc

CASE = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.3, 0.3, 0.4, 0.4, 0.9, 0.2, 0.6, 0.7, 0.1]
ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40)
ROWS = ROWS.map(lambda rows: np.array([*rows, (True, 2), (False, 3)], dtype=float).T)


def test_hand_table_1():
    """Hand (2009), Table 1: H of his curves (a), (c) and, at the limit, (b)."""
    a = kc.measures([1, 0, 0, 1], [3, 2, 2, 1])
    assert (a["auc"], a["auch"]) == (0.5, 0.75)
    assert a["h"] == pytest.approx(47 / 135, abs=1e-15)
    c = kc.measures([1, 1, 1, 0, 1, 0, 0, 0], [9, 9, 9, 9, 1, 1, 1, 1])
    assert (c["auc"], c["auch"]) == (0.75, 0.75)
    assert c["h"] == pytest.approx(23 / 80, abs=1e-15)
    # Two uniform densities, shifted: the hull (0, shift), (1 - shift, 1).
    shift = 1 - 1 / math.sqrt(2)
    scores, sides = [3, 2, 2, 1], np.array([shift, 1 - shift, 1 - shift, shift])
    b = kc.measures([1, 1, 0, 0], scores, sample_weight=sides)
    assert b["h"] == pytest.approx(shift, abs=1e-15)


def test_perfect_constant_and_reversed_scores():
    y = np.arange(1000) == 999
    perfect, constant, reversed_ = (kc.measures(y, sign * y) for sign in (1, 0, -1))
    ones = ("auc", "auch", "ks", "average_precision", "h", "kappa_max", "tpr")
    assert [perfect[name] for name in ones] == [1] * 7
    zeros = ("ks", "auk_hull", "h", "kappa_max", "fpr", "tpr")
    for found in (constant, reversed_):
        assert [found[name] for name in zeros] == [0] * 6
        assert (found["auch"], found["threshold"]) == (0.5, math.inf)
    assert (constant["auc"], constant["auk"], reversed_["auc"]) == (0.5, 0, 0)
    assert reversed_["auk"] < 0


@pytest.mark.parametrize("p", [0.003, 0.11, 0.4, 0.8, 0.97])
@pytest.mark.parametrize("c", [0.05, 0.5, 0.7])
def test_auk_without_errors_in_closed_form(p, c):
    """-(p/a) [1 + ((1-c)/a) ln(p/(1-c))] with a = 1 - p - c."""
    a = 1 - p - c
    expected = -p / a * (1 + (1 - c) / a * math.log(p / (1 - c)))
    found = kc.auk_score([0, 1], [0, 1], prevalence=p, cost_ratio=c / (1 - c))
    assert found == pytest.approx(expected, abs=1e-12)


@given(ROWS, st.sampled_from([None, 0.1, 0.7]), st.sampled_from([0.2, 1.0, 7.0]), st.booleans())
def test_measures_by_brute_force(rows, p, ratio, weighted):
    """AUK by quadrature; KS, largest kappa, least loss and average precision of all thresholds."""
    y, score = rows[0] == 1, rows[1]
    weight = np.where(np.arange(len(y)) % 2, 0.7, 0.3 if weighted else 0.7)
    found = kc.measures(y, score, prevalence=p, cost_ratio=ratio, sample_weight=weight)
    p, c = np.average(y, weights=weight) if p is None else p, ratio / (1 + ratio)
    cuts = np.append(np.inf, np.unique(score)[::-1])

    def kappa(f, t):
        flagged, loss = p * t + (1 - p) * f, c * p * (1 - t) + (1 - c) * (1 - p) * f
        return 1 - loss / (c * p * (1 - flagged) + (1 - c) * (1 - p) * flagged)

    f, t = (
        np.array([np.average(score[side] >= cut, weights=weight[side]) for cut in cuts])
        for side in (~y, y)
    )
    best = int(np.argmax(kappa(f, t) > kappa(f, t).max() - 1e-13))
    flagged, loss = p * t + (1 - p) * f, c * p * (1 - t) + (1 - c) * (1 - p) * f
    nodes, sizes = np.polynomial.legendre.leggauss(60)
    along = (nodes + 1) / 2
    pieces = kappa(*(rate[:-1, None] + np.diff(rate)[:, None] * along for rate in (f, t)))
    expected = {
        "prevalence": p,
        "auc": np.trapezoid(t, f),
        "auk": np.diff(f) @ pieces @ sizes / 2,
        "ks": (t - f).max(),
        "kappa_max": kappa(f, t).max(),
        "fpr": f[best],
        "tpr": t[best],
        "expected_loss": loss.min(),
        "average_precision": np.diff(t) @ (p * t[1:] / flagged[1:]),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-13)
    assert found["threshold"] == cuts[best]


@given(ROWS)
def test_areas_are_exact(rows):
    y, score = rows[0] == 1, rows[1]
    above = score[y][:, None] - score[~y][None, :]
    wins = Fraction(2 * int((above > 0).sum()) + int((above == 0).sum()), 2 * above.size)
    found = kc.measures(y, score)
    assert found["auc"] == float(wins)
    # The hull's corners in integers, by trying every slope.
    points = {(int((score[~y] >= s).sum()), int((score[y] >= s).sum())) for s in {*score, np.inf}}
    points = sorted(points)
    corner, area = points[0], 0
    while corner != points[-1]:
        following = max(
            (point for point in points if point > corner),
            key=lambda b: (math.atan2(b[1] - corner[1], b[0] - corner[0]), b),
        )
        area += (following[0] - corner[0]) * (following[1] + corner[1])
        corner = following
    assert found["auch"] == float(Fraction(area, 2 * int(y.sum()) * int((~y).sum())))


@pytest.mark.parametrize("prevalence", [None, 0.3, [0.2, 0.3, 0.7]])
@pytest.mark.parametrize("cost", [{}, {"cost_ratio": 9.0}])
def test_a_batch_equals_a_loop_to_the_last_bit(rng, prevalence, cost):
    y, score = rng.random((3, 40)) < 0.4, rng.normal(size=(3, 40)).round(1)
    for labels in (y, y[0]):
        found = kc.batch_measures(labels, score, prevalence=prevalence, **cost)
        for i, p in enumerate(np.broadcast_to(prevalence, 3)):
            row = np.broadcast_to(labels, y.shape)[i]
            alone = kc.measures(row, score[i], prevalence=p, **cost)
            assert {name: values[i] for name, values in found.items()} == alone
    assert kc.auk_score(row, score[i], prevalence=p, **cost) == alone["auk"]


@pytest.mark.parametrize("p", [None, 0.01, 0.9])
@pytest.mark.parametrize("ratio", [0.02, 1, 999])
def test_h_at_a_cost_is_that_of_the_beta_weight_with_its_mean_there(p, ratio):
    weight = (2, 2 * ratio) if ratio > 1 else (2 / ratio, 2)
    expected = kc.h_measure_score(*CASE, prevalence=p, cost_weight=weight)
    found = kc.measures(*CASE, prevalence=p, cost_ratio=ratio)["h"]
    assert found == pytest.approx(expected, abs=1e-10)


def test_h_keeps_its_digits_where_it_is_tiny():
    """The value is that of exact fractions: at the ratio 1/9 the weight is Beta(18, 2)."""
    y, score = [1, 1, 1, 1, 0, 0, 0], [1, 5, 2, 4, 1, 3, 3]
    found = kc.measures(y, score, prevalence=1 - 1e-6, cost_ratio=1 / 9)["h"]
    assert found == pytest.approx(1.8999573e-10, rel=1e-5)
