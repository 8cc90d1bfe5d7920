import numpy as np
import pytest

import kappacurve as kc


def models(seed, n=200):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    common = rng.normal(size=n)
    return y, {
        "early": (common + rng.normal(size=n) + y * rng.choice([0, 4], size=n)).round(1),
        "late": common + rng.normal(size=n) - 2 * ~y * (rng.random(n) < 0.7),
        "plain": common + rng.normal(size=n) + y,
    }


@pytest.mark.parametrize(("seed", "axis"), [(0, "fpr"), (3, "flagged")])
def test_all_ties_and_leaders_by_a_fine_grid(seed, axis):
    y, scores = models(seed)
    found = kc.auk_profile(y, scores, costs=[0, 0.5, 1], axis=axis)
    grid = (np.arange(300) + 0.5) / 300
    area = {
        name: np.array([kc.auk_score(y, one, cost=c, axis=axis) for c in grid])
        for name, one in scores.items()
    }
    for tie in found.ties:
        both = [kc.auk_score(y, scores[m], cost=tie.cost, axis=axis) for m in tie[1:]]
        assert both[0] == pytest.approx(both[1], abs=1e-8)
    for first, second in (("early", "late"), ("early", "plain"), ("late", "plain")):
        changes = np.count_nonzero(np.diff(area[first] > area[second]))
        inside = [tie for tie in found.ties if grid[0] < tie.cost < grid[-1]]
        assert changes == sum(set(tie[1:]) == {first, second} for tie in inside)
    for lead in found.leaders:
        inside = (grid > lead.low) & (grid < lead.high)
        assert (area[lead.model][inside] >= np.max(list(area.values()), axis=0)[inside]).all()
    assert (found.leaders[0].low, found.leaders[-1].high) == (0, 1)


def test_values_and_bands_are_those_of_the_interval():
    y, scores = models(1)
    found = kc.auk_profile(y, scores["late"], costs=[0, 0.3, 1], prevalence=0.1, sampling="random")
    for i, c in enumerate(found.costs):
        one = kc.interval(y, scores["late"], cost=c, prevalence=0.1, sampling="random")
        at_cost = found.auk["score"][i], found.low["score"][i], found.high["score"][i]
        assert at_cost == pytest.approx((one.estimate, one.low, one.high), abs=1e-12)
    assert kc.auk_profile(y, {"a": scores["late"], "b": scores["late"]}, costs=[0.5]).ties == []
