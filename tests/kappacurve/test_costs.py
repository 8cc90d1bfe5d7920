"""Who costs least at which cost of a miss, and what kappa pays for one."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from samples import all_losses

from kappacurve import implied_cost_ratio, kappa_from_rates, operating_point
from kappacurve.curves.curve import sample_curve
from kappacurve.decisions.costs import find_least_loss
from kappacurve.validation import check_sample

TABLE = pd.read_csv(Path(__file__).parents[2] / "docs/two_models.csv")
INSIDE = st.floats(0.02, 0.98)


def draw_models(rng):
    """Labels, three models with ties, two of which may rank alike, weights and a prevalence."""
    n = int(rng.integers(4, 16))
    y = rng.permutation(np.arange(n) < rng.integers(1, n - 1)).astype(int)
    scores = {name: rng.integers(0, 6, n) + y * rng.integers(0, 4) for name in "ab"}
    scores["c"] = 2 * scores["a"] if rng.random() < 0.2 else rng.integers(0, 3, n)
    weight = rng.choice([0.3, 1, 1.7], n) if rng.random() < 0.5 else np.ones(n)
    p = np.average(y, weights=weight) if rng.random() < 0.5 else rng.uniform(0.02, 0.98)
    return y, scores, weight, p


def test_ranges_are_those_of_all_thresholds():
    rng = np.random.default_rng(0)
    for _ in range(500):
        y, scores, weight, p = draw_models(rng)
        sample = check_sample(y, scores, sample_weight=weight)
        ranges = find_least_loss({m: sample_curve(sample, m)[:2] for m in scores}, p)
        assert ranges[0].cost_ratio_low == 0
        assert ranges[-1].cost_ratio_high == np.inf
        for one, following in pairwise(ranges):
            assert one.cost_ratio_high == following.cost_ratio_low
            assert one[2:] != following[2:]
        for low, high, flag, models in ranges:
            share = rng.uniform(low / (1 + low), 1 if high == np.inf else high / (1 + high))
            ratio = share / (1 - share)
            losses = {m: all_losses(y, s, p, ratio, weight).min() for m, s in scores.items()}
            least = min(losses.values())
            if flag == "by model":
                assert models == tuple(
                    m for m in scores if losses[m] <= least + 1e-12 * (1 + ratio)
                )
                assert least < min(ratio * p, 1 - p)
            else:
                assert least == pytest.approx(ratio * p if flag == "nobody" else 1 - p)


def test_the_two_models_of_the_docs_tie_at_a_cost_of_8_148():
    y = TABLE["positive"].to_numpy()
    sample = check_sample(y, TABLE[["A", "B"]])
    ranges = find_least_loss({m: sample_curve(sample, m)[:2] for m in "AB"}, y.mean())
    assert [one.models for one in ranges] == [("B",), ("A",)]
    assert ranges[0].cost_ratio_high == pytest.approx(8.148, abs=5e-4)
    for ratio, losses in {5: (338, 273), 9: (414, 432)}.items():
        points = [operating_point(y, TABLE[m], cost_ratio=ratio) for m in "AB"]
        found = [1000 * (1 + ratio) * point.expected_loss for point in points]
        assert found == pytest.approx(losses, abs=0.5)


def test_useless_models_cost_no_less_than_nobody_and_everybody():
    chance = np.array([0.0, 1.0])
    ranges = find_least_loss({"a": (chance, chance)}, 0.2)
    assert ranges == [(0, 4, "nobody", ()), (4, np.inf, "everybody", ())]


@given(INSIDE, INSIDE, INSIDE, st.floats(0.05, 20))
def test_kappa_pays_the_implied_cost(f, t, p, ratio):
    """One missed positive less raises kappa as much as R* false alarms less: by differences."""
    step = 1e-6
    by_t, by_f = (
        (kappa_from_rates(f + df, t + dt, p, ratio) - kappa_from_rates(f - df, t - dt, p, ratio))
        / (2 * step)
        for df, dt in ((0, step), (step, 0))
    )
    by_miss, by_alarm = by_t / p, -by_f / (1 - p)
    k = kappa_from_rates(f, t, p, ratio)
    if -1 <= k <= 1:
        found = implied_cost_ratio(k, p, ratio)
        assert by_miss >= 0 or found == 0
        if found not in (0, np.inf):
            share = by_miss / (by_miss + by_alarm)
            assert found / (1 + found) == pytest.approx(share, abs=1e-5)


def test_implied_costs_at_11_percent_and_at_the_ends():
    found = implied_cost_ratio([0, 0.1, 0.2, 0.328, 0.5, 1], 0.11)
    assert found.round(1).tolist() == [8.1, 5.7, 4.3, 3.2, 2.3, 1.0]
    assert implied_cost_ratio(1, [0.01, 0.6], 7).tolist() == pytest.approx([7, 7])
    assert implied_cost_ratio(-1, [0.2, 0.8]).tolist() == [np.inf, 0]
    for arguments in ((1.1, 0.5), (0, 0), (0, 0.5, -1)):
        with pytest.raises(ValueError, match="must"):
            implied_cost_ratio(*arguments)
