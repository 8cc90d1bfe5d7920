import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import cohen_kappa_score, roc_curve

from kappacurve import (
    along_segments,
    kappa_curve,
    kappa_from_rates,
    kappa_max_score,
    kappa_score,
    operating_point,
    optimal_slope,
    roc_hull,
    roc_vertices,
    tpr_from_kappa,
)

PREVALENCES = st.floats(0.001, 0.999)
RATES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("tp", "fn", "fp", "tn", "kappa"),
    [
        (0.05, 0.02, 0.03, 0.90, 0.640),  # Kaymak et al., Tables 1 to 3
        (0.04, 0.02, 0.03, 0.91, 0.589),
        (0.06, 0.02, 0.03, 0.89, 0.679),
        (20, 5, 15, 60, 0.529),  # Baker
        (9, 21, 18, 252, 0.244),  # Silipo and Widmann
        (18, 12, 22, 248, 0.452),
    ],
)
def test_published_confusion_matrices(tp, fn, fp, tn, kappa):
    n_pos, n_neg = tp + fn, fp + tn
    rates = kappa_from_rates(fp / n_neg, tp / n_pos, n_pos / (n_pos + n_neg))
    assert round(float(rates), 3) == kappa
    assert kappa_score([[tn, fp], [fn, tp]]) == pytest.approx(float(rates), abs=1e-14)


def test_kappa_max_of_silipo_and_widmann():
    assert round(kappa_max_score([[252, 18], [21, 9]]), 3) == 0.942
    assert round(kappa_max_score([[248, 22], [12, 18]]), 3) == 0.839  # they print 0.853


def test_kappa_max_does_not_depend_on_the_layout():
    matrix = np.array([[5, 2, 1], [0, 7, 3], [4, 1, 9]])
    order = [2, 0, 1]
    for same in (matrix.T, matrix[np.ix_(order, order)], matrix * 3.5):
        assert kappa_max_score(same) == pytest.approx(kappa_max_score(matrix), abs=1e-15)
    truth, said = np.repeat(np.indices(matrix.shape).reshape(2, -1), matrix.ravel(), axis=1)
    assert kappa_score(matrix) == pytest.approx(cohen_kappa_score(truth, said), abs=1e-15)


@pytest.mark.parametrize(
    "matrix", [[[1, 2]], [1, 2], [[5]], [[0, 0], [0, 0]], [[1, -1], [1, 1]], [[0, 0], [0, 7]]]
)
def test_confusion_matrices_that_are_none(matrix):
    with pytest.raises(ValueError, match="confusion"):
        kappa_score(matrix)


def test_kappa_of_rates_at_the_extremes():
    for p in (1e-9, 0.3, 1 - 1e-9):
        assert kappa_from_rates([0, 0, 1, 0.3], [0, 1, 1, 0.3], p).tolist() == [0, 1, 0, 0]
    assert kappa_from_rates(1, 0, 0.5) == -1


@given(RATES, RATES, PREVALENCES)
def test_swapping_the_classes_keeps_kappa(f, t, p):
    swapped = kappa_from_rates(1 - t, 1 - f, 1 - p)
    assert kappa_from_rates(f, t, p) == pytest.approx(swapped, rel=1e-9, abs=1e-12)


@given(RATES, RATES, PREVALENCES)
def test_tpr_from_kappa_is_the_inverse(f, t, p):
    found = tpr_from_kappa(f, kappa_from_rates(f, t, p), p)
    # Near f = 1 kappa hardly depends on t.
    assert kappa_from_rates(f, found, p) == pytest.approx(kappa_from_rates(f, t, p), abs=1e-11)
    assert found == pytest.approx(t, abs=1e-6)


@pytest.mark.parametrize(("f", "kappa", "p"), [(0.1, 0.95, 0.2), (0.5, -0.7, 0.9), (0.5, -3, 0.9)])
def test_a_kappa_out_of_reach_is_refused(f, kappa, p):
    with pytest.raises(ValueError, match="cannot be attained"):
        tpr_from_kappa(f, kappa, p)
    with pytest.raises(ValueError, match="cannot be attained"):
        tpr_from_kappa([0.2, f], [0.0, kappa], p)


@given(st.floats(0.05, 0.9), st.floats(0.05, 0.95), PREVALENCES)
def test_optimal_slope_follows_the_line_of_equal_kappa(f, t, p):
    slope, step = optimal_slope(f, t, p), 1e-6
    if 0 <= t + slope * step <= 1:
        moved = kappa_from_rates(f + step, t + slope * step, p)
        assert moved == pytest.approx(kappa_from_rates(f, t, p), abs=1e-12)


def test_optimal_slope_separates_the_hull_edges_at_the_optimum(rng):
    y = rng.random(400) < 0.2
    score = rng.normal(size=400) + y
    point = operating_point(y, score)
    hull = roc_hull(*roc_vertices(y, score)[:2])
    at = int(np.flatnonzero((hull.fpr == point.fpr) & (hull.tpr == point.tpr))[0])
    before = (hull.tpr[at] - hull.tpr[at - 1]) / (hull.fpr[at] - hull.fpr[at - 1])
    after = (hull.tpr[at + 1] - hull.tpr[at]) / (hull.fpr[at + 1] - hull.fpr[at])
    assert after <= optimal_slope(point.fpr, point.tpr, y.mean()) <= before


@pytest.mark.parametrize("decimals", [1, 8])
def test_vertices_are_those_of_scikit_learn(rng, decimals):
    y = rng.random(300) < 0.4
    score = rng.normal(size=300).round(decimals)
    weight = rng.integers(1, 5, 300).astype(float)
    for sample_weight in (None, weight):
        fpr, tpr, thresholds = roc_vertices(y, score, sample_weight=sample_weight)
        expected = roc_curve(y, score, sample_weight=sample_weight, drop_intermediate=False)
        np.testing.assert_allclose(fpr, expected[0], atol=1e-14)
        np.testing.assert_allclose(tpr, expected[1], atol=1e-14)
        np.testing.assert_array_equal(thresholds, expected[2])


def test_hull_drops_collinear_and_repeated_vertices():
    fpr = [0, 0, 0, 0.1, 0.2, 0.3, 0.6, 1, 1]
    tpr = [0, 0, 0.3, 0.4, 0.5, 0.6, 0.6, 1, 1]
    hull = roc_hull(fpr, tpr)
    assert hull.index.tolist() == [0, 2, 5, 7]
    again = roc_hull(hull.fpr, hull.tpr)
    np.testing.assert_array_equal(again.fpr, hull.fpr)


def test_hull_against_qhull(rng):
    from scipy.spatial import ConvexHull

    fpr = np.concatenate(([0], np.sort(rng.random(500)), [1]))
    tpr = np.concatenate(([0], np.sort(rng.random(500)), [1]))
    below = ConvexHull(np.column_stack((np.append(fpr, 1), np.append(tpr, 0))))
    corners = {i for i in below.vertices if i < len(fpr)}
    assert set(roc_hull(fpr, tpr).index.tolist()) == corners


@pytest.mark.parametrize(
    ("fpr", "tpr"),
    [
        ([[0, 1]], [[0, 1]]),
        ([0, 0, 1], [0, 1]),
        ([], []),
        ([0, 1], [0, 0.5]),
        ([0.1, 1], [0, 1]),
        ([0, 0.5, 0.2, 1], [0, 0.2, 0.5, 1]),
        ([0, 1], [0]),
    ],
)
def test_polylines_that_are_none(fpr, tpr):
    with pytest.raises(ValueError, match="fpr and tpr"):
        roc_hull(fpr, tpr)


def test_kappa_curve_is_what_the_thresholds_give(rng):
    y = rng.random(200) < 0.3
    score = rng.normal(size=200).round(1) + y
    for hull in (False, True):
        fpr, kappa, thresholds = kappa_curve(y, score, hull=hull)
        assert (fpr[0], fpr[-1], kappa[0], kappa[-1], thresholds[0]) == (0, 1, 0, 0, np.inf)
        for k, threshold in zip(kappa[1:-1], thresholds[1:-1], strict=True):
            assert k == pytest.approx(cohen_kappa_score(y, score >= threshold), abs=1e-13)


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.1, np.nan])
def test_prevalence_out_of_range(p):
    for call in (kappa_from_rates, optimal_slope, tpr_from_kappa):
        with pytest.raises(ValueError, match="prevalence"):
            call(0.1, 0.1, p)
    with pytest.raises(ValueError, match="prevalence"):
        kappa_curve([0, 1], [0, 1], prevalence=p)


def test_rates_out_of_range():
    with pytest.raises(ValueError, match="tpr must lie between 0 and 1"):
        kappa_from_rates(0.1, 1.1, 0.5)
    with pytest.raises(ValueError, match="fpr must hold numbers"):
        kappa_from_rates("0.1", 1.0, 0.5)


def test_points_along_segments():
    fpr, tpr = along_segments([0, 0.1, 1], [0, 0.9, 1])
    assert np.diff(fpr).max() <= 0.005 + 1e-12
    assert np.diff(tpr).max() <= 0.005 + 1e-12
    assert len(fpr) == 1 + 180 + 180
    assert {(0.1, 0.9), (1.0, 1.0)} <= set(zip(fpr.tolist(), tpr.tolist(), strict=True))
    assert [one.tolist() for one in along_segments([0, 0, 1], [0, 1, 1], step=1)] == [
        [0, 0, 1],
        [0, 1, 1],
    ]
    for step in (0, -1, np.nan):
        with pytest.raises(ValueError, match="step must be positive"):
            along_segments([0, 1], [0, 1], step=step)


def test_messages_name_the_rate():
    with pytest.raises(ValueError, match=r"^fpr must lie between"):
        tpr_from_kappa(-0.1, 0.1, 0.5)
    with pytest.raises(ValueError, match=r"^fpr must lie between"):
        optimal_slope(2, 0.1, 0.5)
    with pytest.raises(ValueError, match=r"^tpr must lie between"):
        optimal_slope(0.1, 2, 0.5)


@given(RATES, PREVALENCES)
def test_a_kappa_beyond_its_limit_by_rounding_gives_no_rate_beyond_one(f, p):
    most = float(kappa_from_rates(f, 1, p))
    assert tpr_from_kappa(f, most + 5e-13, p) <= 1
