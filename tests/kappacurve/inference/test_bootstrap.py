import numpy as np
import pytest
from scipy.stats import norm

from kappacurve import auk_interval, auk_test, delong_interval, delong_test, kappa_band
from kappacurve.auk import perfect_auk
from kappacurve.inference._resampling import SortedScores, draw_rows, resampled
from kappacurve.inference.bootstrap import BIASED, bootstrap_intervals, bootstrap_tests
from kappacurve.inference.results import check_rows
from kappacurve.kappa import kappa_from_rates
from kappacurve.measures import RANKING, measures
from kappacurve.roc import kappa_curve


@pytest.fixture(scope="module")
def pair():
    rng = np.random.default_rng(30)
    y = (np.arange(150) < 40).astype(int)
    common = rng.normal(size=150)
    return y, common + rng.normal(size=150) + 1.5 * y, common + rng.normal(size=150) + 0.7 * y


@pytest.fixture(scope="module")
def found(pair):
    y, a, _ = pair
    return bootstrap_intervals(y, a, n_resamples=400, seed=4)


def test_estimates_are_the_measures(pair, found):
    y, a, _ = pair
    raw, hull = measures(y, a), measures(y, a, hull=True)
    assert set(found) == set(RANKING)
    for name, estimate in found.items():
        expected = hull[name.removesuffix("_hull")] if name.endswith("_hull") else raw[name]
        assert estimate.estimate == pytest.approx(expected, abs=1e-15)
        assert estimate.low <= estimate.high


def test_errors_and_ends_agree_with_the_analytic_ones(pair, found):
    y, a, _ = pair
    # The standard deviation of 400 resamples is itself known to 1 / sqrt(800) = 3.5 per cent.
    for name, exact in (("auc", delong_interval(y, a)), ("auk", auk_interval(y, a))):
        assert found[name].standard_error == pytest.approx(exact.standard_error, rel=0.11)
        assert found[name].low == pytest.approx(exact.low, abs=0.6 * exact.standard_error)
        assert found[name].high == pytest.approx(exact.high, abs=0.6 * exact.standard_error)
    assert found["gini"].standard_error == pytest.approx(2 * found["auc"].standard_error)


def test_random_class_ratio_agrees_with_the_analytic_error(pair):
    y, a, _ = pair
    drawn = bootstrap_intervals(y, a, n_resamples=400, seed=4, sampling="random")["auk"]
    exact = auk_interval(y, a, sampling="random").standard_error
    assert drawn.standard_error == pytest.approx(exact, rel=0.11)


def test_the_seed_decides(pair, found):
    again, other = (bootstrap_intervals(*pair[:2], n_resamples=400, seed=seed) for seed in (4, 5))
    assert again == found
    assert other["auk"] != found["auk"]


def test_bca_lowers_the_intervals_of_maxima(pair):
    y, a, _ = pair
    options = {"n_resamples": 300, "seed": 6}
    percentile = bootstrap_intervals(y, a, method="percentile", **options)
    corrected = bootstrap_intervals(y, a, method="bca", **options)
    for name in ("auch", "ks", "h", "kappa_max"):
        assert corrected[name].estimate == percentile[name].estimate
        assert corrected[name].high < percentile[name].high
    gap = abs(corrected["auc"].low - percentile["auc"].low)
    assert gap < 0.5 * percentile["auc"].standard_error


def test_debiased_intervals_by_hand(pair):
    """Centre less twice the shown bias, its square added to the variance; others as before."""
    y, a, _ = pair
    options = {"n_resamples": 300, "seed": 6}
    found = bootstrap_intervals(y, a, confidence=0.9, **options)
    percentile = bootstrap_intervals(y, a, confidence=0.9, method="percentile", **options)
    scored = check_rows(y, a, None, None)
    scores = SortedScores(scored, {"prevalence": y.mean()})
    (drawn,) = resampled([scores], scored.positive, "stratified", 300, 6)
    assert set(BIASED) < set(RANKING)
    for name in RANKING:
        assert found[name].estimate == percentile[name].estimate
        assert found[name].standard_error == percentile[name].standard_error
        if name not in BIASED:
            assert found[name] == percentile[name]
            continue
        bias = 2 * (drawn[name].mean() - found[name].estimate)
        assert bias > 0
        half = norm.ppf(0.95) * np.sqrt(drawn[name].var(ddof=1) + bias**2)
        centre = found[name].estimate - bias
        assert found[name].low == pytest.approx(centre - half, abs=1e-12)
        assert found[name].high == pytest.approx(centre + half, abs=1e-12)


def test_debiased_intervals_stay_in_the_range_of_a_measure():
    rng = np.random.default_rng(1)
    y = np.arange(40) < 8
    noise = bootstrap_intervals(y, rng.normal(size=40) - y, n_resamples=100)
    assert noise["auch"].low == 0.5
    assert all(noise[name].low == 0 for name in ("ks", "h", "kappa_max", "auk_hull"))
    nearly = y + np.r_[-0.9, np.zeros(38), 0.2]
    found = bootstrap_intervals(y, nearly, n_resamples=100, prevalence=0.1)
    assert found["auk_hull"].high == perfect_auk(0.1)
    assert all(0 <= found[name].low <= found[name].high <= 1 for name in BIASED)


def test_paired_tests_agree_with_the_analytic_ones(pair):
    found = bootstrap_tests(*pair, n_resamples=400, seed=7)
    for name, exact in (("auc", delong_test(*pair)), ("auk", auk_test(*pair))):
        assert found[name].difference == pytest.approx(exact.difference, abs=1e-15)
        assert found[name].standard_error == pytest.approx(exact.standard_error, rel=0.11)
        assert found[name].p_value == pytest.approx(exact.p_value, abs=0.03)
    swapped = bootstrap_tests(pair[0], pair[2], pair[1], n_resamples=400, seed=7)
    assert swapped["h"].difference == -found["h"].difference
    assert swapped["h"].p_value == found["h"].p_value


def test_identical_scores_do_not_differ(pair):
    y, a, _ = pair
    for found in bootstrap_tests(y, a, a, n_resamples=20).values():
        assert found == (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize("method", ["debiased", "percentile", "bca"])
def test_perfect_and_constant_scores_give_points(method):
    y = np.repeat([0, 1], [9, 5])
    for score, auc in ((y * 1.0, 1.0), (np.zeros(14), 0.5)):
        found = bootstrap_intervals(y, score, method=method, n_resamples=20)
        assert found["auc"] == (auc, 0.0, auc, auc)
        assert all(estimate.standard_error == 0 for estimate in found.values())


def test_resamples_keep_the_class_counts_or_not(pair):
    positive = pair[0] == 1
    ((stratified, rows),) = draw_rows(positive, "stratified", 50, 0)
    assert (stratified.sum(axis=1) == positive.sum()).all()
    assert (positive[rows] == stratified).all()
    # Drawn at random they differ, but both classes are always there.
    ((drawn, _),) = draw_rows(np.arange(12) < 2, "random", 500, 0)
    assert len(np.unique(drawn.sum(axis=1))) > 4
    assert 0 < drawn.sum(axis=1).min() <= drawn.sum(axis=1).max() < 12


def test_blocks_bound_the_memory():
    blocks = list(draw_rows(np.arange(2**20) < 9, "stratified", 5, 0))
    assert [len(rows) for _, rows in blocks] == [2, 2, 1]


def test_stated_prevalence_is_used_in_every_resample(pair):
    y, a, _ = pair
    options = {"n_resamples": 30, "seed": 2, "prevalence": 0.5}
    for sampling in ("stratified", "random"):
        found = bootstrap_intervals(y, a, sampling=sampling, **options)
        assert found["auk"].low == pytest.approx(found["auc"].low - 0.5, abs=1e-12)


def test_band_holds_the_curve_and_ends_at_zero(pair):
    y, a, _ = pair
    band = kappa_band(y, a, n_resamples=200, n_points=51)
    fpr, kappa, _ = kappa_curve(y, a)
    assert band.low[-1] == band.high[-1] == 0
    inside = np.interp(fpr, band.fpr, band.low) <= kappa + 0.05
    assert inside[fpr > 0.05].all()
    wider = kappa_band(y, a, n_resamples=200, n_points=51, confidence=0.99)
    assert (wider.high >= band.high).all()
    drawn = kappa_band(y, a, n_resamples=50, n_points=5, sampling="random")
    assert drawn.fpr.shape == (5,)


def same_tests(y, score, **options):
    return bootstrap_tests(y, score, score, **options)


@pytest.mark.parametrize(
    ("function", "options", "sentence"),
    [
        (bootstrap_intervals, {"sample_weight": np.ones(150)}, "sample_weight is not supported"),
        (bootstrap_intervals, {"method": "basic"}, 'method must be "debiased", "percentile" or "b'),
        (same_tests, {"n_resamples": 1}, "n_resamples must be at least 2"),
        (same_tests, {"confidence": 1}, "confidence must lie"),
        (kappa_band, {"sampling": "none"}, "sampling must be"),
    ],
)
def test_refusals(pair, function, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        function(*pair[:2], **options)
    with pytest.raises(ValueError, match="at least two rows of each class"):
        function([0, 0, 1], [1, 2, 3])


def test_band_covers_the_true_curve_at_any_one_rate():
    """Normal scores, whose kappa curve is known: about 90 of 100 bands hold it at each rate."""
    y, prevalence = np.repeat([0, 1], [150, 50]), 0.25
    rates = np.array([0.2, 0.4, 0.6, 0.8])
    true = kappa_from_rates(rates, norm.cdf(norm.ppf(rates) + 1), prevalence)
    rng = np.random.default_rng(4)
    held = np.zeros((100, 4))
    for i in range(100):
        band = kappa_band(
            y, rng.normal(size=200) + y, confidence=0.9, n_resamples=100, n_points=6, seed=i
        )
        held[i] = (band.low[1:5] <= true) & (true <= band.high[1:5])
    assert held.mean() == pytest.approx(0.9, abs=0.05)
    assert (held.mean(axis=0) > 0.8).all()
