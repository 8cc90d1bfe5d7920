"""The paired test of AUC and AUK: Student's t, all exchanges, and what always holds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from samples import all_pairs, draw
from scipy.stats import t as student

from kappacurve import interval, paired_test
from kappacurve.inference.influence import InfluenceModel
from kappacurve.inference.limits import EXCHANGED, SignedSum, exchange_parts
from kappacurve.validation import check_sample


def test_far_from_the_ends_it_is_student_s_t():
    y, a, b = draw(5, n=600)
    result = paired_test(y, a, b, measure="auc")
    won = all_pairs(y, a) - all_pairs(y, b)
    parts = [won.mean(axis=axis).var(ddof=1) / n for axis, n in ((1, 150), (0, 450))]
    df = sum(parts) ** 2 / (parts[0] ** 2 / 149 + parts[1] ** 2 / 449)
    statistic = won.mean() / np.sqrt(sum(parts))
    half = student.ppf(0.975, df) * np.sqrt(sum(parts))
    expected = statistic, 2 * student.sf(abs(statistic), df), won.mean() - half, won.mean() + half
    found = result.statistic, result.p_value, result.low, result.high
    assert found == pytest.approx(expected, rel=1e-9)
    assert result.note == ""


def test_a_difference_that_no_row_varies_has_no_test():
    """Each positive row is above one negative more by the first model, each of 20 by 1 / 20."""
    y, first = np.tile([0, 1], 20), np.arange(40)
    second = first.reshape(20, 2)[:, ::-1].ravel()
    for measure in ("auc", "auk"):  # alike at a share of a half
        result = paired_test(y, first, second, measure=measure)
        assert (result.difference, result.standard_error) == (pytest.approx(1 / 20), 0)
        assert np.isnan([result.p_value, result.low, result.high]).all()


def runs(score):
    """The ranks of each row's score, from 0: a tied score has several."""
    return [np.flatnonzero(np.sort(score) == value) for value in score]


def order(first, second):
    """The chance that a rank of the first is above one of the second; ties count half."""
    return np.mean(
        [(one > two) + 0.5 * (one == two) for one, two in product(first, second)], dtype=float
    )


@pytest.mark.parametrize("digits", [None, 0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_null_distribution_of_an_auc_is_that_of_all_exchanges(grouped, weighted, digits):
    y, a, b = draw(3, n=9, prevalence=0.4, digits=digits)
    weight = np.arange(9) % 3 + 1.0 if weighted else np.ones(9)
    groups = np.array([0, 0, 1, 1, 2, 3, 4, 5, 6]) if grouped else np.arange(9)
    ranks, ones, zeros = (runs(a), runs(b)), np.flatnonzero(y), np.flatnonzero(1 - y)

    def auc(chosen):
        """Of rows that take their ranks from either model."""
        pairs = [
            (weight[i] * weight[j], order(ranks[chosen[i]][i], ranks[chosen[j]][j]))
            for i, j in product(ones, zeros)
        ]
        return np.average([won for _, won in pairs], weights=[size for size, _ in pairs])

    expected = []
    for signs in product((0, 1), repeat=groups.max() + 1):
        chosen = np.array(signs)[groups]
        expected.append(auc(chosen) - auc(1 - chosen))
    sample = check_sample(y, {"a": a, "b": b}, sample_weight=weight, groups=groups)
    parts = exchange_parts(InfluenceModel(sample), "auc", "a", "b")
    assert parts.sum() == pytest.approx(expected[0], abs=1e-12)
    np.testing.assert_allclose(
        np.sort([signs @ parts for signs in product((-1, 1), repeat=len(parts))]),
        np.sort(expected),
        atol=1e-12,
    )
    null, count = SignedSum(parts), np.asarray(expected)
    for least in (0.0, expected[0], max(expected)):
        above, equal = count > least + 1e-9, np.abs(count - least) <= 1e-9
        assert null.tail(least) == pytest.approx(np.mean(above + 0.5 * equal), abs=1e-12)


def test_many_parts_are_normal_beyond_the_largest():
    parts = np.random.default_rng(8).exponential(size=60)
    signs = np.random.default_rng(9).choice([-1, 1], size=(40_000, 60))
    null, sums = SignedSum(parts), signs @ parts
    for least in (0, 8, 15, 25):
        assert null.tail(least) == pytest.approx(np.mean(sums >= least), abs=0.008)
    assert null.tail(null.quantile(0.025)) == pytest.approx(0.025, abs=1e-6)


def test_quantiles_of_five_signs_by_hand():
    """A sum of 5 has the probability 1 / 32, and one of 3 has 5 / 32; equal ones count half."""
    null = SignedSum(np.ones(5))
    assert null.quantile(0.05) == pytest.approx(3, abs=1e-6)
    assert null.quantile(0.01) == pytest.approx(5, abs=1e-6)


def separated(seed):
    """Few rows near or at the end of the range, some with ties, weights or groups."""
    rng = np.random.default_rng(seed)
    n1, n0 = rng.integers(5, 30), rng.integers(5, 90)
    y = np.repeat([1, 0], [n1, n0])
    a, b = rng.normal(size=(2, n1 + n0)) + rng.choice([1, 3, 5, 50], size=(2, 1)) * y
    if seed % 3 == 0:
        a, b = a.round(), b.round()
    options = {"measure": ("auc", "auk")[seed % 2]}
    if seed % 4 == 0:
        options["sample_weight"] = rng.exponential(size=n1 + n0) + 0.2
    if seed % 5 == 0:
        options["groups"] = rng.permutation(np.arange(n1 + n0) // 2)
    if seed % 7 == 0:
        options |= {"prevalence": 0.1, "cost_ratio": 5.0}
    return y, a, b, options


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_p_and_the_interval_always_agree(seed, level):
    y, a, b, options = separated(seed)
    result = paired_test(y, a, b, confidence_level=level, **options)
    swapped = paired_test(y, b, a, confidence_level=level, **options)
    assert result.difference == pytest.approx(-swapped.difference, abs=1e-12)
    assert (result.low, result.high) == pytest.approx(
        (-swapped.high, -swapped.low), abs=1e-9, nan_ok=True
    )
    assert np.isnan(result.low) or result.low <= result.difference <= result.high
    if not np.isnan(result.p_value):
        assert result.p_value == pytest.approx(swapped.p_value, abs=1e-9)
        outside = result.low > 0 or result.high < 0
        assert (result.p_value < 1 - level) == outside


def test_two_perfect_models_do_not_differ_but_others_might():
    """Nothing varies, and yet one row may tell them apart: the interval is that of one row more."""
    y = np.repeat([1, 0], [12, 60])
    a, b = np.arange(72)[::-1], np.r_[np.arange(100, 112), np.arange(60)]
    result = paired_test(y, a, b, measure="auc")
    assert (result.difference, result.standard_error, result.statistic) == (0, 0, 0)
    assert result.p_value == pytest.approx(1)
    longest = student.ppf(0.975, 11) * np.sqrt(2) / 12
    assert longest < 1 - interval(y, a, measure="auc").low
    assert (-result.low, result.high) == pytest.approx((longest, longest))
    assert EXCHANGED in result.note


@pytest.mark.parametrize("below", [[-13.5, -14.5, -15.5], [-16.2, -16.3, -16.4, -16.5]])
def test_beside_a_perfect_model_p_counts_all_exchanges_and_a_quarter_of_a_row(below):
    """A row of 12 moves the AUC by 1/12; a clear difference lies its critical value above 0."""
    y = np.repeat([1, 0], 12)
    a, b = -np.arange(24.0), -np.arange(24.0)
    b[12 - len(below) : 12] = below  # the last positives fall below the first negatives
    result = paired_test(y, a, b, measure="auc")
    parts = exchange_parts(InfluenceModel(check_sample(y, {"a": a, "b": b})), "auc", "a", "b")
    parts = np.append(parts[np.abs(parts) > 1e-12], 0.25 / 12)
    sums = np.array(list(product((-1, 1), repeat=len(parts)))) @ parts
    above, equal = sums > result.difference + 1e-9, np.abs(sums - result.difference) <= 1e-9
    assert result.p_value == pytest.approx(2 * np.mean(above + 0.5 * equal))
    critical = min(value for value in sums if np.mean(sums > value + 1e-9) <= 0.025)
    assert (result.low > 0) == (len(below) == 4)
    if result.low > 0:
        assert result.low == pytest.approx(result.difference - critical, abs=1e-8)


@pytest.mark.parametrize(("n", "is_noted"), [(10, True), (11, False)])
def test_ten_rows_of_a_class_are_called_few(n, is_noted):
    y = np.repeat([1, 0], [n, 60])
    note = paired_test(y, -np.arange(n + 60), y - np.arange(n + 60) % 3, measure="auc").note
    assert note.startswith(EXCHANGED)
    assert (
        note.endswith("With so few rows of a class only large differences are found.") == is_noted
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_units_that_count_as_fewer_than_five_have_no_p_value(weighted):
    y, a, b = draw(4, n=80, separation=5.0)
    if weighted:  # 3 of 20 positives have nearly all the weight
        options = {"sample_weight": np.where((y == 1) & (np.cumsum(y) <= 3), 99.0, 1.0)}
    else:
        options = {"groups": np.where(y == 1, np.arange(80) % 4, 4 + np.arange(80))}
    result = paired_test(y, a, b, measure="auc", **options)
    assert np.isnan(result.p_value)
    assert result.note.startswith("No p value: ")
    assert np.isfinite([result.low, result.high]).all()
