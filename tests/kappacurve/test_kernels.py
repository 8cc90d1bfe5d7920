from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import kappacurve as kc
from kappacurve._kernels import Kernel, hull_of_rates, moments
from kappacurve._ranking import measure_ranking, ranked_rows
from kappacurve._validation import check_conditions, check_scored
from kappacurve.operating import SortedRows, check_at

MAX, TINY = np.finfo(float).max, np.nextafter(0, 1)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def assert_vertices_are_plain(positive, score):
    """Every distinct score is a threshold, to the last bit, with the rows at or above it."""
    fpr, tpr, thresholds = kc.roc_vertices(positive, score)
    cuts = np.unique(score)[::-1]
    np.testing.assert_array_equal(thresholds, [np.inf, *cuts])
    for rates, side in ((fpr, ~positive), (tpr, positive)):
        below = np.searchsorted(np.sort(score[side]), cuts)
        np.testing.assert_allclose(rates[1:], 1 - below / side.sum(), atol=1e-14)


@given(st.lists(st.tuples(FINITE, st.booleans())))
@example([(MAX, True), (-MAX, False), (TINY, False), (-TINY, True)])  # ranks are taken
@example([(-MAX, True), (np.nextafter(-MAX, 0), False), (-TINY, True)])
@example([(1.0, True), (np.nextafter(1, 2), False), (np.nextafter(1, 0), True)])
def test_thresholds_keep_every_bit_of_the_scores(rows):
    rows += [(0.0, True), (-0.0, False)]
    assert_vertices_are_plain(np.array([p for _, p in rows]), np.array([s for s, _ in rows]))


@pytest.mark.parametrize(("decimals", "scale"), [(16, 1.0), (1, 1e300), (1, 1e-300)])
def test_long_vectors_are_sorted_with_their_rows_and_by_threads(decimals, scale):
    rng = np.random.default_rng(3)
    score = scale * rng.normal(size=3000).round(decimals)
    # Neighbouring doubles, whose leading bits are the same.
    score[::3] = scale * (1 + rng.permutation(1000) * np.finfo(float).eps)
    positive = rng.random(3000) < 0.3
    assert_vertices_are_plain(positive, score)
    expected = kc.measures(positive, score)
    assert kc.measures(positive, score, n_jobs=3) == expected
    point = kc.operating_point(positive, score, at="recall>=0.7")  # by rows
    assert point.threshold == np.sort(score[positive])[::-1][int(np.ceil(0.7 * positive.sum())) - 1]


ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=60)
ROWS = ROWS.map(lambda rows: np.array([*rows, (True, 2), (False, 3)], dtype=float).T)


@given(
    ROWS,
    st.data(),
    st.floats(1e-4, 0.9999),
    st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
    st.sampled_from(["fpr", "flagged"]),
)
def test_weighted_rows_are_rows_so_often(rows, data, p, cost, axis):
    """Those of weights are formulas in rates, those of rows count."""
    at = {"prevalence": p, "cost": cost, "axis": axis}
    n = len(rows.T)
    weight = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)))
    weight[-2:] += 1  # a row of each class
    expected = kc.measures(*np.repeat(rows, weight, axis=1), **at)
    found = kc.measures(*rows, sample_weight=weight, **at)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(ROWS)
def test_areas_are_exact(rows):
    y, score = rows[0] == 1, rows[1]
    above = score[y][:, None] - score[~y][None, :]
    wins = Fraction(2 * int((above > 0).sum()) + int((above == 0).sum()), 2 * above.size)
    assert kc.auc_score(y, score) == float(wins)
    hull = kc.roc_hull(*kc.roc_vertices(y, score)[:2])
    sides = [(hull.fpr, (~y).sum()), (hull.tpr, y.sum())]
    fpr, tpr = ([Fraction(round(rate * n), int(n)) for rate in rates] for rates, n in sides)
    steps = [(f1 - f0, t1 - t0) for (f0, t0), (f1, t1) in pairwise(zip(fpr, tpr, strict=True))]
    # Slopes fall strictly: there is no corner too many.
    assert all(t0 * f1 > t1 * f0 for (f0, t0), (f1, t1) in pairwise(steps))
    area = sum(f * (t0 + t1) / 2 for (f, _), (t0, t1) in zip(steps, pairwise(tpr), strict=True))
    assert kc.measures(y, score)["auch"] == float(area)


@pytest.mark.parametrize("longest", [1, 2, 3, 8, 40])
def test_the_hull_with_the_most_corners_fits(longest, monkeypatch):
    # Interpreted, what is written beyond the end is an error.
    monkeypatch.setattr(Kernel, "__call__", lambda kernel, *args: kernel.function(*args))
    # All directions that fit into a square once, steepest first: no hull of n rows has more.
    pairs = ((x, y) for x in range(longest + 1) for y in range(longest + 1 - x))
    steps = [pair for pair in pairs if np.gcd(*pair) == 1]
    steps.sort(key=lambda s: -s[1] / s[0] if s[0] else -np.inf)
    label = np.concatenate([[True] * y + [False] * x for x, y in steps])
    score = np.repeat(np.arange(len(steps), 0, -1.0), [x + y for x, y in steps])
    fpr, tpr, _ = kc.roc_vertices(label, score)
    assert len(kc.roc_hull(fpr, tpr).fpr) == len(fpr) == len(steps) + 1
    assert kc.measures(label, score)["auch"] == pytest.approx(np.trapezoid(tpr, fpr), abs=1e-14)


@pytest.mark.filterwarnings("ignore:.*simulated samples")
def test_compiled_or_not_the_bits_are_the_same(monkeypatch):
    y = [0, 1, 0, 0, 1, 1, 0, 1, 0]
    score = np.array([-3, -1.5, -1.5, -0.0, 0.0, 0.7, 0.7, 0.9, 0.1])

    def everything():
        found = [kc.measures(y, score), kc.measures(y, score, sample_weight=np.arange(1, 10))]
        drawn = {"measure": ["auc", "h"], "method": "bootstrap", "n_resamples": 5}
        found += [kc.interval(y, score, **drawn), kc.interval(y, score, measure="auc")]
        return [*found, kc.interval(y, score, axis="flagged", cost=0.2)]

    monkeypatch.setattr(Kernel, "__call__", lambda kernel, *args: kernel.compiled(*args))
    expected = everything()
    monkeypatch.setattr(Kernel, "__call__", lambda kernel, *args: kernel.function(*args))
    assert everything() == expected


@pytest.mark.parametrize("x", [0, 5e-5, -9.9e-5, 1.1e-4, -9e-4, 2e-3, -0.049, 0.051, -0.1, 0.2])
def test_moments_on_both_sides_of_where_their_series_change(x):
    """By 60 terms of the power series in exact numbers."""
    steps = [(-1) ** j * (j + 1) * Fraction(x) ** j for j in range(60)]
    expected = [float(sum(s / (j + k + 1) for j, s in enumerate(steps))) for k in range(3)]
    assert moments(x) == pytest.approx(expected, rel=6e-16 if abs(x) < 0.05 else 1e-13)


@pytest.mark.parametrize("weight", [None, [1, 2, 1, 3, 1, 1, 2, 1]])
@pytest.mark.parametrize(
    "at", ["flagged<=0.5", "fpr<=0.6", "specificity>=0.4", "recall>=0.6", "precision>=0.5"]
)
@pytest.mark.parametrize("p", [None, 0.3])
def test_points_of_resamples_are_those_of_rows_so_often(at, p, weight):
    """Of all rows once, and of some of them, in which five are positive and four are not."""
    y, score = [1, 0, 1, 1, 0, 0, 1, 0], [8, 7, 6, 6, 4, 4, 2, 1]
    counts = np.array([[1] * 8, [2, 1, 0, 1, 2, 0, 2, 1]], np.uint8)
    rows = SortedRows(check_scored(y, score, None, weight))
    found = rows.points(check_at(at), counts, p)
    for (fpr, tpr, share, place), times in zip(found, counts, strict=True):
        taken = times * (1 if weight is None else np.array(weight))
        expected = kc.operating_point(y, score, at=at, sample_weight=taken, prevalence=p)
        assert (fpr, tpr) == pytest.approx(expected[1:3])
        assert share == pytest.approx(p or np.average(y, weights=taken))
        assert sorted(score)[int(place)] == expected.threshold


@pytest.mark.parametrize("at", [{}, {"prevalence": 0.3, "cost": 0.8, "axis": "flagged"}])
def test_measures_of_resamples_are_those_of_repeated_rows(at):
    y, score = np.array([1, 0, 1, 1, 0, 0, 1, 0]), np.array([8, 7, 6, 6, 4, 4, 2, 1])
    counts = np.array([[1] * 8, [2, 1, 0, 1, 2, 0, 2, 1], [0, 3, 1, 0, 0, 2, 0, 3]], np.uint8)
    sizes = counts[:, y == 0].sum(axis=1), counts[:, y == 1].sum(axis=1)
    ranking = ranked_rows(check_scored(y, score))
    found = measure_ranking(ranking, *sizes, check_conditions(**at), counts).measures
    for i, times in enumerate(counts):
        expected = kc.measures(np.repeat(y, times), np.repeat(score, times), **at)
        assert {name: found[name][i] for name in expected} == expected


def test_without_a_cache_kernels_compile_all_the_same(monkeypatch):
    """As on a machine where neither the package nor the home directory can be written."""
    from numba.core import caching

    def refuse(_):
        raise OSError("read-only file system")

    for name in dir(caching):
        if name.endswith("Locator") and hasattr(getattr(caching, name), "ensure_cache_path"):
            monkeypatch.setattr(getattr(caching, name), "ensure_cache_path", refuse)
    hull = Kernel(hull_of_rates.function)
    polyline = np.array([0, 0, 0.5, 0.5, 1]), np.array([0, 0.5, 0.5, 1, 1])
    assert hull.compiled(*polyline, 0.0).tolist() == [0, 1, 3, 4]


def test_the_threshold_is_never_minus_zero():
    for extreme in (1.0, MAX):  # with MAX ranks are taken
        threshold = kc.measures([1, 1, 0, 0], [extreme, -0.0, -TINY, -extreme])["threshold"]
        assert threshold == 0 and not np.signbit(threshold)
