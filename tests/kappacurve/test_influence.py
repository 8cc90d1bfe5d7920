"""What rows add to a measure, and its variance: all pairs, derivatives, published values."""

import numpy as np
import pytest
from samples import all_pairs, draw

from kappacurve import auk_score, influence, interval


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_delong_is_the_sum_over_all_pairs(digits):
    """Equations 3 to 5 as they stand, and the placements themselves."""
    y, a, b = draw(4, digits=digits)
    won = np.array([all_pairs(y, score) for score in (a, b)])
    n1, n0 = (y == 1).sum(), (y == 0).sum()
    matrix = np.cov(won.mean(axis=2)) / n1 + np.cov(won.mean(axis=1)) / n0
    for k, score in enumerate((a, b)):
        found = interval(y, score, measure="auc")
        assert found.estimate == pytest.approx(won[k].mean(), abs=1e-14)
        assert found.standard_error**2 == pytest.approx(matrix[k, k], abs=1e-15)
    placed = [influence(y, score, measure="auc", prevalence=0.5) for score in (a, b)]
    for side, n in ((1, n1), (0, n0)):
        matrix = matrix - np.cov([rows[y == side] for rows in placed]) / n
    assert np.abs(matrix).max() < 1e-15
    rows = placed[0]
    assert rows[y == 1] == pytest.approx(won[0].mean(axis=1) - won[0].mean(), abs=1e-14)
    assert rows[y == 0] == pytest.approx(won[0].mean(axis=0) - won[0].mean(), abs=1e-14)


def test_errors_of_two_samples_give_the_statistic_of_proc():
    """AUCs 5/6 and 17/24; the stored value of pROC 1.18, testthat/test-roc.test.R."""
    first = interval([1, 1, 1, 0, 0], [2, 4, 5, 1, 3], measure="auc")
    other = interval([1, 1, 1, 0, 0, 0, 0], [1, 4, 3, 2, 0, 3, 2], measure="auc")
    errors = first.standard_error, other.standard_error
    assert errors == pytest.approx(((1 / 18) ** 0.5, (7 / 108) ** 0.5))
    statistic = (first.estimate - other.estimate) / np.hypot(*errors)
    assert statistic == pytest.approx(0.36028834606144605, rel=1e-12)
    assert first.df == pytest.approx(8 / 3)  # of 1/36 from three rows and 1/36 from two


@pytest.mark.parametrize("ratio", [1.0, 0.03, 20.0, 3.0])
@pytest.mark.parametrize(("prevalence", "share"), [(0.2, 0.25), (0.001, 0.1), (0.999, 0.25)])
@pytest.mark.parametrize("digits", [None, 0])
def test_influence_is_the_derivative_by_the_weight(ratio, digits, share, prevalence):
    y, a, _ = draw(6, n=40, prevalence=share, digits=digits)
    fixed = influence(y, a, prevalence=prevalence, cost_ratio=ratio)
    estimated = influence(y, a, cost_ratio=ratio)
    size = np.where(y == 1, y.sum(), (1 - y).sum())

    def slope(row, p):
        weights = 1 + np.outer([-1e-4, 1e-4], np.arange(40) == row)
        less, more = (
            auk_score(y, a, sample_weight=weight, prevalence=p, cost_ratio=ratio)
            for weight in weights
        )
        return (more - less) / 2e-4

    for row in [*range(0, 40, 13), int(np.argmin(a)), int(np.argmax(a))]:
        assert fixed[row] / size[row] == pytest.approx(slope(row, prevalence), abs=3e-7)
        assert estimated[row] / 40 == pytest.approx(slope(row, None), abs=3e-7)


@pytest.mark.parametrize("measure", ["auc", "auk", "brier_score", "log_loss"])
def test_influences_are_centred_and_give_the_error(measure):
    y, a, _ = draw(8)
    options = {"measure": measure, "sample_weight": 1.0 + np.arange(120) % 3}
    score, weight = 1 / (1 + np.exp(-a)), options["sample_weight"]
    rows = influence(y, score, **options)
    assert weight @ rows == pytest.approx(0, abs=1e-10)
    rows, variance = influence(y, score, prevalence=0.1, **options), 0.0
    for side, n in ((0, 90), (1, 30)):
        own = (weight * rows)[y == side]
        assert own.sum() == pytest.approx(0, abs=1e-10)
        variance += (own**2).sum() / weight[y == side].sum() ** 2 * n / (n - 1)
    found = interval(y, score, prevalence=0.1, **options)
    assert found.standard_error**2 == pytest.approx(variance)


def test_weighted_clusters_by_plain_loops():
    """Weighted placements, centred by class, summed by group (Obuchowski 1997)."""
    rng = np.random.default_rng(9)
    y, a, _ = draw(9, n=90, digits=1)
    weight, group = rng.random(90) + 0.2, rng.integers(0, 25, 90)
    won, (w1, w0) = all_pairs(y, a), (weight[y == 1], weight[y == 0])
    auc = w1 @ won @ w0 / w1.sum() / w0.sum()
    moved = np.empty(90)
    moved[y == 1] = w1 * (won @ w0 / w0.sum() - auc) / w1.sum()
    moved[y == 0] = w0 * (w1 @ won / w1.sum() - auc) / w0.sum()
    sums = [moved[group == g].sum() for g in np.unique(group)]
    n = len(sums)
    found = interval(y, a, measure="auc", sample_weight=weight, groups=group)
    assert found.estimate == pytest.approx(auc, abs=1e-14)
    assert found.standard_error**2 == pytest.approx(n / (n - 1) * np.sum(np.square(sums)))
    masses = np.array([weight[(y == 1) & (group == g)].sum() for g in np.unique(group)])
    assert f"count as {masses.sum() ** 2 / (masses @ masses):.3g} of equal size" in found.note


def test_an_estimated_prevalence_adds_its_own_error():
    """Weighted rows: what each moves in its class, and by the prevalence, are not apart."""
    y, a, _ = draw(7)
    weight = np.arange(120) % 3 + 1.0
    p = float(weight @ y / weight.sum())
    fixed = influence(y, a, sample_weight=weight, prevalence=p)
    estimated = influence(y, a, sample_weight=weight)
    totals = np.where(y == 1, weight[y == 1].sum(), weight[y == 0].sum())
    moved = weight * fixed / totals
    leaning = weight * estimated / weight.sum() - moved
    counts = np.where(y == 1, 30 / 29, 90 / 89)
    for prevalence, more in ((p, 0.0), (None, leaning @ (2 * moved + leaning))):
        found = interval(y, a, sample_weight=weight, prevalence=prevalence)
        assert found.standard_error == pytest.approx(np.sqrt(counts @ moved**2 + more))


def test_refusals_of_influence():
    y, a, _ = draw(1)
    with pytest.raises(ValueError, match="must be one of auc, auk, brier_score, log_loss"):
        influence(y, a, measure="h")
    with pytest.raises(ValueError, match="positive in every row"):
        influence(y, a, sample_weight=np.arange(120))
