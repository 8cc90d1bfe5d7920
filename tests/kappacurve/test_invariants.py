"""What holds for every public function: row order, costs, and errors that are no crashes.

``HYPOTHESIS_PROFILE=many pytest tests/kappacurve/test_invariants.py`` tries thousands of examples.
"""

import inspect

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from matplotlib import pyplot as plt

import kappacurve as kc

# Two rows of a class are enough for everything here, if not for a p value.
pytestmark = pytest.mark.filterwarnings("ignore:No p value")

COSTS = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(1e-9, 1 - 1e-9))
ROWS = st.lists(st.tuples(st.booleans(), st.integers(-6, 6).map(float)), max_size=38)
RANKINGS = ROWS.map(lambda rows: [*map(np.array, zip(*rows, (True, 2), (False, 3), strict=True))])


@given(RANKINGS, st.randoms(use_true_random=False))
def test_row_order_and_increasing_transforms_change_no_bit(ranking, random):
    y, score = ranking
    found = kc.measures(y, score)
    order = random.sample(range(len(y)), len(y))
    assert kc.measures(y[order], score[order]) == found
    for transform in (np.exp, np.arctan, lambda s: s**3 + 1e-3 * s, lambda s: 1e300 * s - 1):
        moved = kc.measures(y, transform(score))
        assert moved | {"threshold": found["threshold"]} == found


@given(RANKINGS, COSTS)
def test_the_least_expected_cost_against_all_thresholds(ranking, c):
    y, score = ranking

    def loss(threshold):
        missed, alarmed = y & (score < threshold), ~y & (score >= threshold)
        return float(np.mean(c * missed + (1 - c) * alarmed))

    thresholds = [np.inf, *np.unique(score)[::-1]]
    least = min(map(loss, thresholds))
    found = kc.cost_threshold(y, score, cost=c)
    assert found.loss == pytest.approx(least, abs=1e-15)
    assert found.threshold == next(t for t in thresholds if loss(t) <= least + 1e-14)
    assert found.loss == kc.expected_loss(y, score, cost=c, threshold=found.threshold)
    for at in (*thresholds, 4.5, -np.inf):
        assert kc.expected_loss(y, score, cost=c, threshold=at) == pytest.approx(loss(at))
    with pytest.raises(ValueError, match="threshold must be a number, got nan"):
        kc.expected_loss(y, score, threshold=np.nan)


# ---- whatever comes in ----

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**63, -(2**63) - 1, 10**400, float("nan"), float("inf"), -float("inf")]),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=3).filter(lambda text: text != "-"),
    st.binary(max_size=2),
)
NESTED = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=5), max_leaves=8)
JUNK = st.one_of(
    NESTED,
    st.dictionaries(st.text(max_size=2), NESTED, max_size=2),
    st.sampled_from(
        [
            *(np.array(3.0), np.zeros((0, 3)), np.zeros((2, 2, 2)), np.array([1, None], object)),
            *(np.array([1, 0, 1], kind) for kind in ("i1", "u8", "S2", "M8[s]", "c16")),
            *(pd.Series([1, 0, 2], index=["same"] * 3), pd.DataFrame({"a": [1, np.nan]})),
            *(pd.Series(["x", 1, None]).astype("category"), pd.Series([0, None, 1], dtype="Int64")),
        ]
    ),
)
# Half of the arguments are what the function wants, so that junk comes past the first check.
FINE = st.floats(0, 1) | st.sampled_from(
    [
        *([0, 1, 0, 1], [0.25, 0.5, 0.5, 0.75], [0, 0.5, 1], [[3, 1], [1, 3]]),
        *("a", "auc", "auk", 3),
        {"a": [0, 0.5, 1], "b": [0.1, 0.2, 0.2]},
        {"a": ([0, 0.5, 1], [0, 0.75, 1])},
    ]
)
# Rows for these are given in numbers; a junk number of rows would be as many as it says.
COUNTS = {"consistent_counts": {"n": [40, 41]}}
MODULES = ("algebra", "bounds", "inference", "plots")
PUBLIC = {
    name: getattr(module, name)
    for module in (kc, *(getattr(kc, name) for name in MODULES))
    for name in module.__all__
}
FUNCTIONS = {name: getattr(thing, "from_predictions", thing) for name, thing in PUBLIC.items()}
FUNCTIONS = {name: thing for name, thing in FUNCTIONS.items() if inspect.isroutine(thing)}
OPTIONS = ("pos_label", "sample_weight", "prevalence", "level", "cost", "axis")


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_junk_is_refused_or_measured_but_never_crashes(name, data):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    arguments = {
        one.name: data.draw(st.one_of(JUNK, FINE), label=one.name)
        for one in parameters.values()
        if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    }
    if data.draw(st.booleans(), label="with options"):
        for option in filter(parameters.__contains__, OPTIONS):
            arguments[option] = data.draw(st.one_of(JUNK, FINE, st.none()), label=option)
    try:
        FUNCTIONS[name](**{**arguments, **COUNTS.get(name, {})})
    except (ValueError, TypeError) as error:
        assert str(error), "an error without a word"
    finally:
        plt.close("all")
