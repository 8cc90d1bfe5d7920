"""Max-t against Tukey's distribution, plain tests and its own definition."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import norm, studentized_range, t as student

from kappacurve.inference import max_t, max_t_of_resamples


@pytest.mark.parametrize(("k", "df"), [(3, 10), (4, 5), (6, 40), (8, 200)])
def test_independent_values_are_tukey_s_range(k, df):
    values = np.zeros(k)
    values[0] = 3.0
    found = max_t(values, np.eye(k) / 2, df=df)
    assert found.p_value[0] == pytest.approx(
        studentized_range.sf(3 * np.sqrt(2), k, df), rel=0.02, abs=1e-4
    )
    half = studentized_range.ppf(0.95, k, df) / np.sqrt(2)
    assert (found.high - found.low) / 2 == pytest.approx(np.full(len(found.pairs), half), rel=2e-3)


def test_two_models_have_the_plain_test():
    found = max_t([0.8, 0.7], [[0.003, 0.001], [0.001, 0.002]], df=7, level=0.9)
    error = np.sqrt(0.003)
    assert found.p_value[0] == pytest.approx(2 * student.sf(0.1 / error, 7), rel=1e-12)
    half = student.ppf(0.95, 7) * error
    assert (found.low[0], found.high[0]) == pytest.approx((0.1 - half, 0.1 + half), rel=1e-12)


def test_far_out_it_lies_between_one_test_and_bonferroni_s_sum():
    found = max_t([20.0, 0, 0, 0], np.eye(4) / 2)
    one = 2 * norm.sf(20)
    assert one <= found.p_value[0] <= 6 * one


@given(st.integers(0, 10**6), st.sampled_from([0.8, 0.95, 0.99]), st.booleans())
def test_an_interval_excludes_zero_if_and_only_if_p_is_small(seed, level, resampled):
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 6))
    root = random.normal(size=(k, k))
    values = 1.5 * random.normal(size=k)
    if resampled:
        drawn = values + random.normal(size=(int(random.integers(20, 300)), k)) @ root
        found = max_t_of_resamples(values, drawn, level=level)
    else:
        df = random.uniform(3, 40, k * (k - 1) // 2)
        found = max_t(values, root @ root.T, df=df, level=level)
        single = 2 * student.sf(np.abs(found.difference / found.standard_error), df)
        assert (found.p_value >= single - 1e-12).all()
        assert (found.p_value <= np.minimum(1, len(df) * single) + 1e-12).all()
    excludes = (found.low > 0) | (found.high < 0)
    assert (excludes == (found.p_value < 1 - level)).all()


def test_resamples_by_their_definition(rng):
    values = np.array([0.5, 0.3, 0.0])
    drawn = values + rng.normal(size=(199, 3)) * [0.1, 0.2, 0.1]
    found = max_t_of_resamples(values, drawn, level=0.9)
    moved = [[row[i] - row[j] - values[i] + values[j] for i, j in found.pairs] for row in drawn]
    error = np.std(moved, axis=0, ddof=1)
    largest = [max(abs(m) / e for m, e in zip(row, error, strict=True)) for row in moved]
    for i, reach in enumerate(np.abs(found.difference) / error):
        assert found.p_value[i] == pytest.approx((1 + sum(m >= reach for m in largest)) / 200)


@pytest.mark.parametrize("level", [0.95, 0.99])
@pytest.mark.parametrize("df", [np.inf, 5, 23, 1000.5])
def test_models_that_never_differ_are_equal_and_leave_the_others_alone(df, level):
    matrix = np.array([[0.02, 0.01], [0.01, 0.03]])
    plain = max_t([0.8, 0.7], matrix, df=df, level=level)
    twice = max_t([0.8, 0.8, 0.7], matrix[np.ix_([0, 0, 1], [0, 0, 1])], df=df, level=level)
    assert twice.p_value.tolist() == [1.0, *[pytest.approx(plain.p_value[0], rel=1e-9)] * 2]
    assert np.isnan(twice.low[0])
    assert twice.low[1] == pytest.approx(plain.low[0], rel=1e-9)
    assert np.isnan(max_t([1.0, 0.0], np.zeros((2, 2))).p_value[0])
    drawn = np.random.default_rng(0).normal(size=(50, 1)) * [1, 1]
    assert max_t_of_resamples([0, 0], drawn).p_value.tolist() == [1.0]


DRAWN = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 1.0]])
REFUSED = [
    (lambda: max_t([1.0], [[1.0]]), "must"),
    (lambda: max_t([1.0, 2.0], np.ones((3, 3))), "must"),
    (lambda: max_t([1.0, 2.0], [[1, 2], [2, 1]]), "must"),
    (lambda: max_t([1.0, 2.0], [[1, 0], [0.5, 1]]), "must"),
    (lambda: max_t([1.0, np.nan], np.eye(2)), "must"),
    (lambda: max_t([1.0, 2.0], np.eye(2), df=0), "must"),
    (lambda: max_t([1.0, 2.0], np.eye(2), df=[1, 2]), "must"),
    (lambda: max_t_of_resamples([0.0, np.nan], DRAWN), "finite"),
    (lambda: max_t_of_resamples([0.0, 1.0], np.where(DRAWN == 0.5, np.nan, DRAWN)), "finite"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
