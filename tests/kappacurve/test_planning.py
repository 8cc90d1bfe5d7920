"""Sizes of samples, and profiles of the AUK over all costs."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtri

from kappacurve import auk_profile, auk_score, interval, paired_test, plan_sample_size
from kappacurve.inference import covariance


def two_models(rng, n_positive, n_negative, aucs, correlation):
    y = np.repeat([1, 0], [n_positive, n_negative])
    first, second = rng.normal(size=(2, len(y)))
    second = correlation * first + np.sqrt(1 - correlation**2) * second
    means = np.sqrt(2) * ndtri(aucs)
    return y, {"a": first + means[0] * y, "b": second + means[1] * y}


@pytest.mark.parametrize(
    ("aucs", "correlation", "prevalence", "ratio", "cost"),
    [((0.75, 0.85), 0.3, 0.05, 10, 0.5), ((0.7, 0.85), 0.2, 0.1, 1, 0.8)],
)
def test_power_and_half_width_are_what_was_asked(aucs, correlation, prevalence, ratio, cost):
    at = {"prevalence": prevalence, "cost": cost}
    plan = plan_sample_size(aucs, correlation=correlation, ratio=ratio, **at)
    for name, size in plan.items():
        rng = np.random.default_rng(1)
        sizes = size.n_positive, size.n_negative
        draws = (two_models(rng, *sizes, aucs, correlation) for _ in range(1000))
        tests = [paired_test(*rows, measure=name, **at)["a", "b"] for rows in draws]
        assert np.mean([test.p_value < 0.05 for test in tests]) == pytest.approx(0.8, abs=0.03)
        widths = [(test.high - test.low) / 2 for test in tests]
        assert np.mean(widths) == pytest.approx(size.half_width, rel=0.04)


def test_a_large_pilot_plans_as_its_true_areas_do():
    rng = np.random.default_rng(3)
    y, scores = two_models(rng, 40_000, 80_000, (0.7, 0.8), 0.5)
    at = {"prevalence": 0.1, "ratio": 5, "power": 0.9}
    by_pilot = plan_sample_size(y_true=y, y_score=scores, **at)
    by_areas = plan_sample_size((0.7, 0.8), correlation=0.5, **at)
    for name in ("auc", "auk"):
        assert by_pilot[name].n_positive == pytest.approx(by_areas[name].n_positive, rel=0.08)
        assert by_pilot[name].n_negative == 5 * by_pilot[name].n_positive


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


def test_an_interval_of_one_model_has_the_half_width_by_delong():
    rng = np.random.default_rng(4)
    y, scores = two_models(rng, 300, 900, (0.8, 0.8), 0)
    size = plan_sample_size(y_true=y, y_score=scores["a"], half_width=0.03)["auc"]
    auc, matrix = covariance(y, {"a": scores["a"]}, measure="auc")
    assert size.effect == pytest.approx(auc[0], abs=1e-12)
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
        ({"auc": 0.7, "prevalence": 0.1, "half_width": 1e-200}, "No sample of up to .* half_width"),
        ({"auc": 0.7, "prevalence": 0.1, "half_width": 5e-324}, "No sample of up to"),
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
