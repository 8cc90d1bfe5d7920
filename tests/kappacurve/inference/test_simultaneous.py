"""Max-t against Tukey's distribution, plain tests and its own definition; bands of kappa curves."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm, studentized_range, t as student

from kappacurve import auc_score, kappa_band
from kappacurve.algebra import kappa_from_rates
from kappacurve.inference import max_t, max_t_of_resamples, wilson_interval


@pytest.mark.parametrize(("k", "df"), [(3, 10), (4, 5), (6, 40)])
def test_independent_values_are_tukey_s_range(k, df):
    """Of values ten times as large, with errors of ten."""
    values = np.zeros(k)
    values[0] = 30.0
    found = max_t(values, np.eye(k) * 50, df=df)
    assert found.p_value[0] == pytest.approx(
        studentized_range.sf(3 * np.sqrt(2), k, df), rel=0.02, abs=1e-4
    )
    half = studentized_range.ppf(0.95, k, df) * 10 / np.sqrt(2)
    assert (found.high - found.low) / 2 == pytest.approx(np.full(len(found.pairs), half), rel=2e-3)


def test_two_models_have_the_plain_test():
    found = max_t([0.8, 0.7], [[0.003, 0.001], [0.001, 0.002]], df=7, level=0.9)
    error = np.sqrt(0.003)
    assert found.p_value[0] == pytest.approx(2 * student.sf(0.1 / error, 7), rel=1e-12)
    half = student.ppf(0.95, 7) * error
    assert (found.low[0], found.high[0]) == pytest.approx((0.1 - half, 0.1 + half), rel=1e-12)


@pytest.mark.parametrize(("k", "far"), [(6, 9), (12, 30)])
def test_far_out_it_lies_between_one_test_and_bonferroni_s_sum(k, far):
    found = max_t([far, *[0] * (k - 1)], np.eye(k) / 2)
    one, pairs = 2 * norm.sf(far), k * (k - 1) / 2
    assert one * (1 - 1e-9) <= found.p_value[0] <= pairs * one * (1 + 1e-9)


def test_resamples_by_their_definition(rng):
    values = np.array([5.0, 3, 0])
    drawn = values + rng.integers(-8, 9, (199, 3)) * [1, 2, 1]  # some as far out as the sample
    found = max_t_of_resamples(values, drawn, level=0.75)
    moved = [[row[i] - row[j] - values[i] + values[j] for i, j in found.pairs] for row in drawn]
    error = np.std(moved, axis=0, ddof=1)
    largest = [max(abs(m) / e for m, e in zip(row, error, strict=True)) for row in moved]
    for i, reach in enumerate(np.abs(found.difference) / error):
        assert found.p_value[i] == pytest.approx((1 + sum(m >= reach for m in largest)) / 200)
    # With the sample itself 49 of 200 may lie beyond an interval, and are less than a quarter.
    half = sorted(largest)[-49] * error
    assert found.low == pytest.approx(found.difference - half)
    assert found.high == pytest.approx(found.difference + half)
    assert found.standard_error == pytest.approx(error)
    for n in (18, 20):
        few = max_t_of_resamples(values, drawn[:n])
        assert np.isinf(few.high).all() == np.isinf(few.low).all() == (n == 18)


@pytest.mark.parametrize("level", [0.95, 0.99])
@pytest.mark.parametrize("df", [np.inf, 5, 23, 1000.5])
def test_models_that_never_differ_are_equal_and_leave_the_others_alone(df, level):
    matrix = np.array([[0.02, 0.01], [0.01, 0.03]])
    plain = max_t([0.8, 0.7], matrix, df=df, level=level)
    twice = max_t([0.8, 0.8, 0.7], matrix[np.ix_([0, 0, 1], [0, 0, 1])], df=df, level=level)
    assert twice.p_value.tolist() == [1.0, *[pytest.approx(plain.p_value[0], rel=1e-9)] * 2]
    assert np.isnan(twice.low[0])
    assert twice.low[1] == pytest.approx(plain.low[0], rel=1e-9)
    drawn = np.random.default_rng(0).normal(size=(50, 1)) * [1, 1]
    for pair in ([1, 0], [0, 1], [0, 0]):
        for found in (max_t(pair, np.zeros((2, 2))), max_t_of_resamples(pair, drawn + pair)):
            assert np.isnan([found.low[0], found.high[0]]).all()
            assert found.p_value == pytest.approx([np.nan if any(pair) else 1], nan_ok=True)


DRAWN = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 1.0]])
REFUSED = [
    (lambda: max_t([1.0], [[1.0]]), "must"),
    (lambda: max_t([1.0, 2.0], np.ones((3, 3))), "must"),
    (lambda: max_t([1.0, 2.0], [[1, 2], [2, 1]]), "must"),
    (lambda: max_t([1.0, 2.0], [[1, 0], [0.5, 1]]), "must"),
    (lambda: max_t([1.0, np.nan], np.eye(2)), "must"),
    (lambda: max_t([1.0, 2.0], np.eye(2), df=0), "must"),
    (lambda: max_t([1.0, 2.0, 3.0], np.eye(3), df=[5, 0, 5]), "must"),
    (lambda: max_t([1.0, 2.0], [[1, 0], [0, np.inf]]), "must"),
    (lambda: max_t([[1.0, 2.0]], np.eye(2)), "must"),
    (lambda: max_t_of_resamples([0.0], DRAWN[:, :1]), "must"),
    (lambda: max_t_of_resamples([0.0, 1.0], DRAWN[:1]), "at least 2"),
    (lambda: max_t_of_resamples([0.0, 1.0, 2.0], DRAWN), "must"),
    (lambda: max_t_of_resamples([0.0, np.nan], DRAWN), "finite"),
    (lambda: max_t_of_resamples([0.0, 1.0], np.where(DRAWN == 0.5, np.nan, DRAWN)), "finite"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def draw(seed, sizes=(40, 110), separation=1.0):
    y = np.arange(sum(sizes)) < sizes[0]
    return y, np.random.default_rng(seed).normal(size=len(y)) + separation * y


def test_the_limits_at_one_rate_by_hand():
    """Five positives above all of 20 negatives, five below: t is 1/2 everywhere inside."""
    y = np.repeat([1, 0, 1], [5, 20, 5])
    band = kappa_band(y, -np.arange(30.0), n_points=5, prevalence=0.5)
    wilson = binomtest(5, 10).proportion_ci(method="wilson")
    # Within two standard deviations of rate 1/2 the curve is flat: the binomial error alone.
    assert band.low[2] == pytest.approx(wilson.low - 0.5, abs=1e-12)
    assert band.high[2] == pytest.approx(wilson.high - 0.5, abs=1e-12)
    # At rate 1/4, too; and 10 of 30 rows might be fewer or more positives.
    share = binomtest(10, 30).proportion_ci(method="wilson")
    cells = ((0.5, 1 / 3), *((t, 1 / 3) for t in wilson), *((0.5, p) for p in share))
    kappa, least, most, few, many = (kappa_from_rates(0.25, *each, cost=0.3) for each in cells)
    random = kappa_band(y, -np.arange(30.0), n_points=5, cost=0.3)
    assert few < kappa < many
    assert random.low[1] == pytest.approx(kappa - np.hypot(kappa - least, kappa - few))
    assert random.high[1] == pytest.approx(kappa + np.hypot(most - kappa, many - kappa))
    assert random.low[-1] == random.high[-1] == 0
    # At rate 0 the curve steps from 0 to 1/2; every curve ends at (1, 1).
    assert band.low[0] == 0
    assert band.low[-1] == band.high[-1] == 0


def test_a_simultaneous_band_has_the_least_quantile_that_holds_simulated_curves():
    """By samples of our own, binormal with the AUC of the rows; the quantile is in steps of 0.1."""
    y, score = draw(3, (10, 20), 1.2)
    n_points, level, rates = 41, 0.9, np.linspace(0, 1, 41)
    options = {"n_points": n_points, "sampling": "stratified"}
    wide = kappa_band(y, score, simultaneous=True, level=level, n_resamples=1000, **options)
    separation = np.sqrt(2) * norm.ppf((200 * auc_score(y, score) + 0.5) / 201)
    true = kappa_from_rates(rates, norm.cdf(norm.ppf(rates) + separation), 1 / 3)
    random = np.random.default_rng(5)
    drawn = [random.normal(size=30) + separation * y for _ in range(300)]

    def band(rows, quantile):
        return kappa_band(y, rows, level=2 * norm.cdf(quantile) - 1, **options)

    used = [q for q in np.arange(1, 6, 0.1) if np.allclose(band(score, q).low, wide.low, atol=1e-9)]
    assert len(used) == 1
    held = []
    for quantile in (used[0] - 0.2, used[0]):
        bands = [band(rows, quantile) for rows in drawn]
        inside = [(b.low <= true + 1e-12) & (true <= b.high + 1e-12) for b in bands]
        held.append(np.mean([one.all() for one in inside]))
    assert held[0] < level <= held[1] + 0.02


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_band_of_weighted_rows_of_three_scores_by_hand(level):
    """Each class has as many rows as its rates' variances at the two thresholds tell, averaged."""
    random = np.random.default_rng(2)
    y, score = np.arange(60) % 3 == 0, random.integers(0, 3, 60).astype(float)
    weight = random.integers(1, 6, 60).astype(float)
    z, (rates, counts) = norm.ppf((1 + level) / 2), ([], [])
    for side in (~y, y):
        share, n = weight[side] / weight[side].sum(), side.sum()
        flagged = [score[side] >= level_of for level_of in (2, 1)]
        at = [float(share @ each) for each in flagged]
        real = sum(np.sum((share * (each - r)) ** 2) for each, r in zip(flagged, at, strict=True))
        counts.append(n * sum(r * (1 - r) / n for r in at) / real)
        rates.append([0, *at, 1])
    grid, p = np.linspace(0, 1, 7), 0.3
    half = z * np.sqrt(grid * (1 - grid) / counts[0])
    t, down, up = (np.interp(grid + by, *rates) for by in (0, -half, half))
    least, most = wilson_interval(t, counts[1], z)
    low, high = t - np.hypot(t - least, t - down), t + np.hypot(most - t, up - t)
    found = kappa_band(y, score, sample_weight=weight, prevalence=p, level=level, n_points=7)
    for end, own in ((found.low, np.maximum(low, 0)), (found.high, np.minimum(high, 1))):
        assert end[:-1] == pytest.approx(kappa_from_rates(grid, own, p)[:-1], abs=1e-12)


def test_rows_that_are_repeated_in_groups_or_weigh_alike_have_the_band_of_the_rows():
    y, score = draw(8, (24, 30))
    options = {"n_points": 9, "sampling": "stratified"}
    alone = kappa_band(y, score, **options)
    twice = [np.repeat(values, 2) for values in (y, score, np.arange(54))]
    grouped = kappa_band(*twice[:2], groups=twice[2], **options)
    weighted = kappa_band(
        y, score, sample_weight=np.where(y, 2.0, 5.0), prevalence=24 / 54, **options
    )
    for found in (grouped, weighted):
        assert found.low == pytest.approx(alone.low, abs=1e-12)
        assert found.high == pytest.approx(alone.high, abs=1e-12)
    below = kappa_band(y, -score, prevalence=0.02, cost=0.999)
    assert below.low.min() < -1
