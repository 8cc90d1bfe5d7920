"""Every node of a grid has the numbers of the doors that take one prevalence and one cost."""

from itertools import product

import numpy as np
import pytest

from kappacurve import interval, paired_test
from kappacurve.inference import auk_grid

N = 60
RANDOM = np.random.default_rng(0)
Y = RANDOM.random(N) < 0.3
SCORES = {
    "tied": (RANDOM.normal(size=N) + Y).round(1),
    "decision": RANDOM.normal(size=N) + Y > 0.5,
    "apart": RANDOM.normal(size=N) - 9 * Y,
    "one": np.ones(N),
}
DESIGNS = [
    {"sample_weight": weight, "groups": groups, "axis": axis}
    for weight, groups, axis in product(
        (None, RANDOM.random(N) + 0.2), (None, np.arange(N) // 4), ("fpr", "flagged")
    )
]
COSTS = (0.0, 0.01, 0.4, 1.0)


@pytest.mark.filterwarnings("ignore:The groups")
@pytest.mark.parametrize("p", [None, 0.001, 0.8])
@pytest.mark.parametrize("design", DESIGNS, ids=range(len(DESIGNS)))
def test_nodes_are_those_of_interval_and_test(design, p):
    found = auk_grid(Y, SCORES, prevalence=p, cost=COSTS, **design)
    for i, cost in enumerate(COSTS):
        at = design | {"prevalence": p, "cost": cost}
        for name, own in found.models.items():
            one = interval(Y, SCORES[name], **at)[:4]
            assert [part[i] for part in own] == pytest.approx(one, abs=1e-12, nan_ok=True)
        for (first, second), own in found.tests.items():
            one = paired_test(Y, SCORES[first], SCORES[second], method="analytic", **at)
            p_value = pytest.approx(one[3], abs=1e-12 * max(1, 1 / (one[1] or 1)), nan_ok=True)
            assert own.p_value[i] == p_value
            parts = [own[k][i] for k in (0, 1, 4, 5)]
            wanted = [one[k] for k in (0, 1, 4, 5)]
            assert parts == pytest.approx(wanted, abs=1e-12, nan_ok=True)
