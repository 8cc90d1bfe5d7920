"""Sizes of samples, and profiles of the AUK over all costs."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import multivariate_normal, norm

from kappacurve import auk_profile, auk_score, interval, plan_sample_size
from kappacurve.inference import covariance


def test_the_variance_of_an_auc_is_that_of_two_normal_scores():
    """That of the share of negatives below a positive, by the distribution of two of them."""
    areas, shared = np.array([0.7, 0.8]), 0.5
    at = ndtri(areas)

    def covariance_of(i, j):
        both = multivariate_normal([0, 0], [[1, rho := (1 if i == j else shared) / 2], [rho, 1]])
        return both.cdf(at[[i, j]]) - areas[i] * areas[j]

    variance = covariance_of(0, 0) + covariance_of(1, 1) - 2 * covariance_of(0, 1)
    variance *= 1 + 1 / 3  # that of negatives is the same
    size = plan_sample_size(areas, correlation=shared, ratio=3, power=0.9, level=0.9)["auc"]
    assert size[:3] == (pytest.approx(-0.1, abs=1e-6), 72, 3 * 72)
    assert 71 < (ndtri(0.95) + ndtri(0.9)) ** 2 * variance / 0.01 < 72
    error = np.sqrt(variance / 72)
    assert size.half_width == pytest.approx(ndtri(0.95) * error, rel=1e-4)
    reached = norm.cdf(0.1 / error - ndtri(0.95)) + norm.cdf(-0.1 / error - ndtri(0.95))
    assert size.power == pytest.approx(reached, abs=1e-4)


@pytest.mark.parametrize("axis", ["fpr", "flagged"])
def test_a_pilot_of_normal_quantiles_plans_as_its_true_areas_do(axis):
    def quantiles(n):
        return ndtri((np.arange(n) + 0.5) / n)

    at = {"prevalence": 0.1, "ratio": 5, "cost": 0.8, "axis": axis, "half_width": 0.03}
    y, score = np.repeat([0, 1], 2000), np.tile(quantiles(2000), 2)
    by_areas = plan_sample_size(0.8, **at)
    score += np.sqrt(2) * ndtri(0.8) * y
    by_pilot = plan_sample_size(y_true=y, y_score=score, **at)
    first, other = map(np.ravel, np.meshgrid(*2 * [quantiles(60) / quantiles(60).std()]))
    pair, y = (first, first * 0.5 + other * np.sqrt(0.75)), np.repeat([0, 1], 3600)
    means = np.sqrt(2) * ndtri([0.7, 0.8])
    scores = {k: np.tile(s, 2) + m * y for k, s, m in zip("ab", pair, means, strict=True)}
    of_two = plan_sample_size((0.7, 0.8), correlation=0.5, **at)
    pilot_of_two = plan_sample_size(y_true=y, y_score=scores, **at)
    for name in ("auc", "auk"):
        for found, expected, rel in ((by_pilot, by_areas, 1e-3), (pilot_of_two, of_two, 0.02)):
            assert found[name] == pytest.approx(expected[name], rel=rel, nan_ok=True)
            assert found[name].n_negative == 5 * found[name].n_positive


@pytest.mark.parametrize("name", ["auc", "auk"])
def test_no_smaller_sample_would_do(name):
    known = {"auc": (0.75, 0.8), "correlation": 0.6, "ratio": 3, "axis": "flagged", "cost": 0.3}
    size = plan_sample_size(**known, power=0.9)[name]
    assert 0.9 <= size.power < 0.91 and size.n_negative == 3 * size.n_positive
    for power, more in ((size.power - 1e-5, 0), (size.power + 1e-5, 1)):
        assert plan_sample_size(**known, power=power)[name].n_positive == size.n_positive + more
    for factor, more in ((1 + 1e-9, 0), (1 - 1e-9, 1)):
        narrow = plan_sample_size(**known, half_width=size.half_width * factor)[name]
        assert narrow.n_positive == size.n_positive + more
    turned = plan_sample_size(**known | {"auc": (0.8, 0.75)}, power=0.9)[name]
    assert turned.effect == pytest.approx(-size.effect)
    assert turned[1:] == pytest.approx(size[1:])


def test_the_balanced_cost_makes_auk_the_auc_and_the_ratio_the_prevalence():
    plan = plan_sample_size((0.7, 0.8), correlation=0.5, prevalence=0.2, cost=0.8)
    assert plan["auk"] == pytest.approx(plan["auc"], abs=1e-6)
    assert plan["auc"].effect == pytest.approx(-0.1, abs=1e-6)
    assert plan["auc"].n_negative == 4 * plan["auc"].n_positive
    assert plan == plan_sample_size((0.7, 0.8), correlation=0.5, ratio=4, cost=0.8)
    single = plan_sample_size(0.7, ratio=4, half_width=0.05)["auc"]
    assert single.effect == pytest.approx(0.7, abs=1e-6) and np.isnan(single.power)


def test_an_interval_of_one_model_has_the_half_width_by_delong(rng):
    y = np.repeat([1, 0], [300, 900])
    score = rng.normal(size=1200) + 1.2 * y
    size = plan_sample_size(y_true=y, y_score=score, half_width=0.03)["auc"]
    auc, matrix = covariance(y, {"a": score}, measure="auc")
    assert size.effect == pytest.approx(auc[0], abs=1e-12)
    wide = plan_sample_size(y_true=y, y_score=score, ratio=0.5, half_width=0.9)["auc"]
    assert wide[1:3] == (2, 2)  # the fewest of a class
    # As many rows as the pilot has would give its own interval.
    pilot = 1.959964 * np.sqrt(matrix[0, 0])
    assert size.n_positive == pytest.approx(300 * (pilot / 0.03) ** 2, abs=1.01)
    assert 0.0298 < size.half_width <= 0.03


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"auc": (0.7, 0.8), "prevalence": 0.1}, "Give the correlation"),
        ({"auc": (0.7, 0.8), "correlation": 0.5}, "Give the prevalence, or ratio"),
        ({"auc": 0.7, "ratio": 1}, "give half_width, or a second model"),
        ({"auc": (0.7, 0.7), "ratio": 1, "correlation": 0.5}, "The two models do not differ"),
        ({"auc": (0.7, 0.8, 0.9)}, "one number or two"),
        ({"auc": 1}, "auc must lie strictly between 0 and 1, got 1"),
        ({"auc": (0.7, 0.8), "correlation": 1}, "correlation must lie strictly between -1 and 1"),
        ({"auc": 0.7, "power": 1}, "power must lie strictly between 0 and 1, got 1"),
        ({"auc": 0.7, "ratio": 0}, "ratio must be above 0, got 0"),
        ({"auc": 0.7, "half_width": np.inf}, "half_width must be above 0, got inf"),
        ({"auc": 0.7, "y_true": [0, 1]}, "Give auc, or a pilot"),
        ({"y_true": [0, 1]}, "Give auc, or a pilot"),
        ({"y_true": [0, 1], "y_score": {key: [0, 1] for key in "abc"}}, "one model or two, got 3"),
        ({"auc": 0.7, "prevalence": 0.1, "half_width": 1e-200}, "No sample of up to .* half_width"),
        ({"auc": 0.7, "prevalence": 1e-30, "half_width": 0.1}, "No sample of up to"),
        ({"auc": 0.7, "ratio": 5e-324, "half_width": 0.1}, "prevalence must"),
        ({"auc": (0.7, 0.7 + 1e-9), "ratio": 1, "correlation": 0.5}, "No sample .* this power"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match=message):
        plan_sample_size(**arguments)


def models(seed):
    rng = np.random.default_rng(seed)
    y = rng.random(200) < 0.2
    common = rng.normal(size=200)
    early, late, plain = common + rng.normal(size=(3, 200))
    early += y * rng.choice([0, 4], size=200)
    late -= 2 * ~y * (rng.random(200) < 0.7)
    return y, {"early": early.round(1), "late": late, "plain": plain + y}


@pytest.mark.parametrize(("seed", "axis"), [(0, "fpr"), (3, "flagged")])
def test_all_ties_and_leaders_by_a_fine_grid(seed, axis):
    y, scores = models(seed)
    found = auk_profile(y, scores, costs=[0, 0.5, 1], axis=axis)
    grid = (np.arange(300) + 0.5) / 300
    area = {
        name: np.array([auk_score(y, one, cost=c, axis=axis) for c in grid])
        for name, one in scores.items()
    }
    for tie in found.ties:
        both = [auk_score(y, scores[m], cost=tie.cost, axis=axis) for m in tie[1:]]
        assert both[0] == pytest.approx(both[1], abs=1e-8)
    for first, second in combinations(scores, 2):
        changes = np.count_nonzero(np.diff(area[first] > area[second]))
        inside = [tie for tie in found.ties if grid[0] < tie.cost < grid[-1]]
        assert changes == sum(set(tie[1:]) == {first, second} for tie in inside)
    for lead in found.leaders:
        inside = (grid > lead.low) & (grid < lead.high)
        assert (area[lead.model][inside] >= np.max(list(area.values()), axis=0)[inside]).all()
    assert (found.leaders[0].low, found.leaders[-1].high) == (0, 1)


def test_values_and_bands_are_those_of_the_interval():
    y, scores = models(1)
    found = auk_profile(y, scores["late"], costs=[0, 0.3, 1], prevalence=0.1, sampling="random")
    for i, c in enumerate(found.costs):
        one = interval(y, scores["late"], cost=c, prevalence=0.1, sampling="random")
        at_cost = found.auk["score"][i], found.low["score"][i], found.high["score"][i]
        assert at_cost == pytest.approx((one.estimate, one.low, one.high), abs=1e-12)
    assert auk_profile(y, {"a": scores["late"], "b": scores["late"]}, costs=[0.5]).ties == []
    assert auk_profile(y, scores["late"]).costs == pytest.approx(np.arange(101) / 100)
