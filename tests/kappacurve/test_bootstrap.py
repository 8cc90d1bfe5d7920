"""The bootstrap against all resamples of a tiny sample, and its tests against its intervals."""

from itertools import product

import numpy as np
import pytest
from samples import END_CURVES, RANKING, agresti_coull
from scipy.special import expit, logit
from scipy.stats import t as student

from kappacurve import area_under_kappa, batch_measures, interval, measures, paired_test
from kappacurve.inference.bootstrap import Bootstrap
from kappacurve.validation import check_sample


@pytest.fixture(scope="module")
def pair():
    rng = np.random.default_rng(30)
    y = (np.arange(150) < 40).astype(int)
    common = rng.normal(size=150)
    return y, common + rng.normal(size=150) + 1.5 * y, common + rng.normal(size=150) + 0.7 * y


def test_estimates_are_the_measures_and_the_seed_decides(pair):
    options = {"method": "bootstrap", "n_resamples": 40}
    known = measures(*pair[:2])
    for measure in RANKING:
        found = interval(*pair[:2], measure=measure, **options)
        assert found.estimate == known[measure]
        assert found == interval(*pair[:2], measure=measure, random_state=0, **options)
        assert found != interval(*pair[:2], measure=measure, random_state=5, **options)


def test_resamples_are_the_same_in_blocks_of_any_size(pair, monkeypatch):
    options = {"measure": "h", "method": "bootstrap", "n_resamples": 40}
    whole = interval(*pair[:2], **options)
    for block in (1000, 10):  # of six resamples, and of fewer scores than rows
        monkeypatch.setattr("kappacurve.inference.bootstrap.BLOCK", block)
        assert interval(*pair[:2], **options) == whole


def measured(name, y, scores, **at):
    """A measure of each row of scores; the least loss by trying every threshold."""
    if name != "expected_loss":
        return batch_measures(y, scores, **at)[name]
    flagged = scores[:, None] >= np.arange(1, 9)[:, None]
    t, f = (flagged[:, :, y == side].mean(axis=2) for side in (1, 0))
    return (np.mean(y) * (1 - t) + np.mean(1 - y) * f).min(axis=1) / 2


@pytest.mark.parametrize(
    ("name", "ratio", "least", "lowest", "bias", "widened"),
    [
        ("auc", 1, 0, 0, 0, 0),
        ("average_precision", 1, 0, 0, 0, 0),
        ("auk", 1, None, None, 0, 0),
        ("auk", 0.25, None, None, 0, 0),
        ("auch", 1, 0.5, 0, 2, 2),
        ("auk_hull", 1, 0, None, 2, 2),
        ("h", 1, 0, -1, 2, 1),
        ("kappa_max", 1, 0, -1, 2, 2),
        ("expected_loss", 1, 0, 0, 2, 2),
    ],
)
def test_intervals_by_hand(name, ratio, least, lowest, bias, widened):
    """From all 27 * 256 resamples: on the logit scale, less twice the bias, and widened by it.

    The scale begins at `lowest`, the values at `least`: by default those of the worst ranking.
    """
    y, score = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([6.0, 3, 5, 2, 7, 1, 4])
    ones, zeros = (list(product(side, repeat=len(side))) for side in (range(3), range(3, 7)))
    rows = np.array([[*one, *zero] for one in ones for zero in zeros])
    drawn = measured(name, y, score[rows], cost_ratio=ratio)
    options = {"confidence_level": 0.8, "n_resamples": 10_000, "measure": name}
    options |= {"method": "bootstrap", "prevalence": 3 / 7, "cost_ratio": ratio}
    found = interval(y, score, **options)
    estimate = measured(name, y, score[None], cost_ratio=ratio)[0]
    shown = drawn.mean() - estimate  # chance can only raise a maximum, or lower a least loss
    shown = min(0, shown) if name == "expected_loss" else max(0, shown)
    assert found.estimate == pytest.approx(estimate)
    assert found.standard_error == pytest.approx(drawn.std(), rel=0.02)
    worst, best = (area_under_kappa(*curve, 3 / 7, ratio) for curve in END_CURVES)
    highest = best if "auk" in name else 1
    lowest, least = worst if lowest is None else lowest, worst if least is None else least
    share = (estimate - bias * shown - lowest) / (highest - lowest)
    half = student.ppf(0.9, 3 - 1) * np.hypot(drawn.std(), widened * shown)
    half /= (highest - lowest) * share * (1 - share)
    expected = lowest + (highest - lowest) * expit(logit(share) + np.array([-half, half]))
    expected = np.maximum(expected, least)
    expected = min(expected[0], estimate), max(expected[1], estimate)
    assert (found.low, found.high) == pytest.approx(expected, abs=0.02)
    other = np.array([5.0, 7, 1, 3, 4, 6, 2])
    drawn = drawn - measured(name, y, other[rows], cost_ratio=ratio)
    test = paired_test(y, score, other, **options)
    difference = estimate - measured(name, y, other[None], cost_ratio=ratio)[0]
    assert test.difference == pytest.approx(difference)
    assert test.statistic == pytest.approx(difference / drawn.std(), rel=0.02)
    assert np.isnan([test.low, test.high, test.p_value]).all()  # of three positives


def test_the_interval_of_a_difference_has_the_percentiles_of_resamples(rng):
    y, score, other = np.repeat([1, 0], [6, 9]), rng.normal(size=15), rng.normal(size=15)
    score[:6] += 1
    rows = np.hstack([rng.integers(0, 6, (4000, 6)), rng.integers(6, 15, (4000, 9))])
    pairs = [
        np.asarray(x)[rows][:, :6, None] > np.asarray(x)[rows][:, None, 6:] for x in (score, other)
    ]
    drawn = pairs[0].mean(axis=(1, 2)) - pairs[1].mean(axis=(1, 2))
    options = {"confidence_level": 0.8, "n_resamples": 10_000, "measure": "auc"}
    test = paired_test(y, score, other, method="bootstrap", prevalence=0.4, **options)
    assert (test.low, test.high) == pytest.approx(tuple(np.quantile(drawn, [0.1, 0.9])), abs=0.02)


@pytest.mark.parametrize("design", ["plain", "weights", "groups", "stated"])
def test_the_bootstrap_has_the_analytic_error(pair, design):
    options = {
        "plain": {},
        "weights": {"sample_weight": 1.0 + np.arange(150) % 2},
        "groups": {"groups": np.arange(150) // 2},
        "stated": {"prevalence": 0.4, "sample_weight": 1.0 + np.arange(150) % 2},
    }[design] | {"n_resamples": 1500, "random_state": 7}
    drawn, exact = (interval(*pair[:2], method=m, **options) for m in ("bootstrap", "analytic"))
    assert drawn.standard_error == pytest.approx(exact.standard_error, rel=0.11)


@pytest.mark.parametrize("name", ["ks", "auc"])
def test_a_test_rejects_just_where_its_interval_excludes_zero(name, rng):
    """The level at which an interval begins to hold zero is one minus p, ties and all."""
    y = np.repeat([0, 1], [30, 22])
    score = rng.normal(size=52)
    for shift in (0.3, 0.8, 3.0):
        pair = (y + score).round(1), (y + score + shift * rng.normal(size=52)).round(1)
        options = {"measure": name, "method": "bootstrap", "n_resamples": 60}
        p = paired_test(y, *pair, **options).p_value
        levels = {0.05, 0.5, 0.9, 0.95, 1 - p - 1e-9, 1 - p + 1e-9}
        for level in (level for level in levels if 0 < level < 60 / 61):
            found = paired_test(y, *pair, confidence_level=level, **options)
            assert found.low <= found.difference <= found.high
            assert (found.low > 0 or found.high < 0) == (p < 1 - level)
            turned = paired_test(y, *pair[::-1], confidence_level=level, **options)
            assert turned.p_value == found.p_value == p
            assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


@pytest.mark.parametrize(("n", "known"), [(19, False), (20, True), (99, True)])
def test_models_that_always_differ_have_the_least_p_value(n, known):
    y = np.repeat([0, 1], [30, 22])
    scores = y + np.linspace(0, 1.1, 52), np.arange(52) % 7
    found = paired_test(y, *scores, measure="auc", method="bootstrap", n_resamples=n)
    assert (found.p_value, found.low > 0) == (1 / (n + 1), known)
    assert ("too few for an interval" in found.note) == (not known)


@pytest.mark.parametrize("groups", [None, np.arange(12) // 2])
def test_every_resample_has_both_classes_and_groups_are_whole(groups):
    y = np.arange(12) % 6 == 0
    sample = check_sample(y, np.arange(12) % 5, groups=groups)
    for counts in Bootstrap(sample, 300).draw_counts():
        assert counts[:, y].any(axis=1).all()
        assert counts[:, ~y].any(axis=1).all()
        if groups is None:
            assert (counts.sum(axis=1) == 12).all()
        else:
            assert (counts[:, ::2] == counts[:, 1::2]).all()
    fixed = Bootstrap(check_sample(y, np.arange(12) % 5), 50, 3, 0.5)
    assert all((counts[:, y].sum(axis=1) == 2).all() for counts in fixed.draw_counts())


def test_all_resamples_above_a_threshold_leave_ks_a_wide_interval():
    """Five positives above 95 of 100 negatives: resamples show hardly any error.

    The low end is that of Agresti and Coull's limits of both shares, added as squares.
    """
    y = np.r_[np.ones(5), np.zeros(100)]
    score = np.r_[np.arange(200.0, 205), np.arange(95), 300 + np.arange(5)]
    found = interval(y, score, measure="ks", prevalence=0.05, n_resamples=200)
    assert found.estimate == pytest.approx(0.95)
    down = 1 - agresti_coull(5, 5)[0], agresti_coull(5, 100)[1] - 0.05
    assert found.low == pytest.approx(0.95 - np.hypot(*down))


def test_the_low_end_of_ks_is_no_less_than_chance():
    """Eight groups nearly alike: resamples vary little, limits for eight units lie below 0."""
    score = np.tile([10.0, 11.0, 0.0, 1.0, 20.0, 21.0], 8)
    score[:2] = 5.0, -1.0
    y, groups = np.tile([1, 1, 0, 0, 0, 0], 8), np.repeat(np.arange(8), 6)
    found = interval(y, score, measure="ks", groups=groups, n_resamples=200)
    assert found.estimate == pytest.approx(15 / 16 - 1 / 2)
    assert found.low == 0
