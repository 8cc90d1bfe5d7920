"""The compiled path: weights and resamples are rows so often, and every bit of a score counts."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import kappacurve as kc
from kappacurve.curves.kernels import compiled, hull_places, measure_resamples, sort_rows

MAX, LEAST = np.finfo(float).max, np.nextafter(0, 1)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=60)
ROWS = ROWS.map(lambda rows: np.array([*rows, (True, 2), (False, 3)], dtype=float).T)
AT = ({}, {"prevalence": 0.3, "cost_ratio": 4.0})


@given(st.lists(st.tuples(FINITE, st.booleans())))
@example([(MAX, True), (-MAX, False), (LEAST, False), (-LEAST, True)])
@example([(1.0, True), (np.nextafter(1, 2), False), (np.nextafter(1, 0), True)])
def test_every_distinct_score_is_a_threshold(rows):
    rows += [(0.0, True), (-0.0, False)]
    positive, score = np.array([p for _, p in rows]), np.array([s for s, _ in rows])
    fpr, _, thresholds = kc.kappa_curve(positive, score)
    cuts = np.unique(score)[::-1]
    np.testing.assert_array_equal(thresholds, [np.inf, *cuts])
    below = np.searchsorted(np.sort(score[~positive]), cuts)
    np.testing.assert_allclose(fpr[1:], 1 - below / (~positive).sum(), atol=1e-14)
    best = kc.measures(positive, score)
    assert best["threshold"] in thresholds
    assert best["tpr"] == np.mean(score[positive] >= best["threshold"])


def test_the_threshold_is_never_minus_zero():
    for weight in (None, [1, 2, 1, 2]):
        at = kc.measures([1, 1, 0, 0], [1.0, -0.0, -LEAST, -1.0], sample_weight=weight)["threshold"]
        assert at == 0 and not np.signbit(at)


@given(ROWS, st.data(), st.sampled_from(AT))
def test_weighted_rows_are_rows_so_often(rows, data, at):
    n = len(rows.T)
    weight = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)))
    weight[-2:] += 1  # a row of each class
    expected = kc.measures(*np.repeat(rows, weight, axis=1), **at)
    assert kc.measures(*rows, sample_weight=weight, **at) == expected
    other_unit = kc.measures(*rows, sample_weight=0.1 * weight, **at)
    assert other_unit["threshold"] == expected["threshold"]
    assert other_unit == pytest.approx(expected, rel=1e-11, abs=1e-14)


def test_weights_of_any_unit_keep_their_digits(rng):
    y, score = rng.random(5000) < 0.1, rng.normal(size=5000).round(2)
    assert kc.measures(y, score, sample_weight=np.full(5000, 0.1)) == kc.measures(y, score)
    weight = rng.integers(1, 4, 5000)
    expected = kc.measures(y, score, sample_weight=weight)
    found = kc.measures(y, score, sample_weight=0.1 * weight)
    assert found == pytest.approx(expected, rel=4e-15)


@pytest.mark.parametrize("at", AT)
@pytest.mark.parametrize("weight", [None, np.array([1.0, 2, 1, 3, 1, 1, 2, 1])])
def test_resamples_are_rows_so_often(at, weight):
    y, score = np.array([1, 0, 0, 0, 0, 1, 1, 1]) == 1, np.array([6.0, 7, 1, 4, 4, 2, 8, 6])
    counts = np.array([[1] * 8, [2, 1, 0, 1, 2, 0, 2, 1], [0, 3, 1, 0, 0, 2, 0, 3]], np.uint8)
    rows = sort_rows(y, score, weight)
    found = measure_resamples(rows, counts, **at)
    for i, times in enumerate(counts):
        drawn = {} if weight is None else {"sample_weight": np.repeat(weight, times)}
        expected = kc.measures(np.repeat(y, times), np.repeat(score, times), **at, **drawn)
        assert {name: values[i] for name, values in found.items()} == expected


def test_without_a_cache_kernels_compile_all_the_same(monkeypatch):
    """As on a machine where neither the package nor the home folder can be written."""
    from numba.core import caching

    def refuse(_):
        raise OSError("read-only file system")

    for name in dir(caching):
        if name.endswith("Locator") and hasattr(getattr(caching, name), "ensure_cache_path"):
            monkeypatch.setattr(getattr(caching, name), "ensure_cache_path", refuse)
    hull = compiled(hull_places.py_func)(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    assert hull.tolist() == [0, 1, 2]
