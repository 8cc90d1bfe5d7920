"""What holds for every public function: ranges, symmetries, and errors that are no crashes.

``HYPOTHESIS_PROFILE=many pytest tests/kappacurve/test_invariants.py`` tries thousands of examples.
"""

import inspect
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from matplotlib import pyplot as plt

import kappacurve as kc

# Two rows of a class are enough for everything here, if not for a p value.
pytestmark = pytest.mark.filterwarnings("ignore:No p value")

PREVALENCES = st.floats(0.001, 0.999)


@st.composite
def rankings(draw, min_each=1, max_size=40):
    """Labels of both classes with scores of which many are tied."""
    values = st.one_of(st.integers(-6, 6).map(float), st.floats(-1e6, 1e6))
    n_positive = draw(st.integers(min_each, max_size // 2))
    n_negative = draw(st.integers(min_each, max_size // 2))
    y = np.repeat([True, False], [n_positive, n_negative])
    score = np.array(draw(st.lists(values, min_size=len(y), max_size=len(y))))
    order = np.array(draw(st.permutations(range(len(y)))))
    return y[order], score[order]


@given(rankings(), PREVALENCES)
def test_ranges(ranking, p):
    found = kc.measures(*ranking, prevalence=p)
    for name in ("auc", "auch", "ks", "h", "kappa_max", "fpr", "tpr"):
        assert 0 <= found[name] <= 1, name
    assert -1 <= found["gini"] <= 1
    for name in ("auk", "auk_hull", "auk_trapezoid", "auk_trapezoid_hull"):
        assert -1 < found[name] < 1, name
    assert found["auk"] <= found["auk_hull"] + 1e-14
    assert found["auk_hull"] <= kc.auk_score([0, 1], [0, 1], prevalence=p) + 1e-14
    assert found["auc"] <= found["auch"]
    assert max(0, found["gini"]) <= 2 * found["ks"] + 1e-12  # half the square under the largest gap
    assert found["threshold"] == np.inf or found["threshold"] in ranking[1]


@given(rankings(), PREVALENCES, st.floats(0, 1), st.sampled_from([(2, 2), (2, 4), (1.1, 1.9)]))
@settings(max_examples=settings().max_examples // 2)
def test_the_bounds_hold_every_curve(ranking, p, c, weight):
    y, score = ranking
    found = kc.measures(y, score, prevalence=p)
    for cost, axis in itertools.product((0.5, c), ("fpr", "flagged")):
        for curve, auc in (("hull", "auch"), ("raw", "auc")):
            at = {"cost": cost, "axis": axis}
            bounds = kc.bounds.auk_bounds(found[auc], p, curve=curve, **at)
            auk = kc.auk_score(y, score, prevalence=p, curve=curve, **at)
            assert bounds.lower - 1e-9 <= auk <= bounds.upper + 1e-9
    limits = kc.bounds.h_bounds(found["auch"], p, alpha=weight[0], beta=weight[1])
    h = kc.h_measure_score(y, score, prevalence=p, cost_weight=weight)
    assert limits.lower - 1e-9 <= h <= limits.upper + 1e-9


@given(rankings(min_each=2), st.data())
def test_tests_are_antisymmetric_and_intervals_hold_the_estimate(ranking, data):
    y, a = ranking
    b = np.array(data.draw(st.lists(st.integers(-3, 3), min_size=len(y), max_size=len(y))), float)
    for measure in ("auc", "auk"):
        options = {"measure": measure, "method": "analytic"}
        one, other = kc.paired_test(y, a, b, **options), kc.paired_test(y, b, a, **options)
        assert other.difference == pytest.approx(-one.difference, abs=1e-14)
        assert other.standard_error == pytest.approx(one.standard_error, abs=1e-12)
        assert other.p_value == pytest.approx(one.p_value, abs=1e-6, nan_ok=True)
        assert np.isnan(one.p_value) or 0 <= one.p_value <= 1
        equal = kc.paired_test(y, a, a, **options)
        assert (equal.difference, equal.standard_error) == (0, 0)
    for scale in ("plain", "logit", "adjusted"):
        for found in kc.interval(y, a, measure=["auc", "auk"], scale=scale).values():
            assert found.standard_error >= 0
            if found.standard_error > 0:  # else there may be no interval
                assert found.low - 1e-12 <= found.estimate <= found.high + 1e-12


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


def _array(values, make):
    try:
        return make(values)
    except (ValueError, TypeError, OverflowError, Warning):
        return values


KINDS = (
    lambda values: pd.Series(values, index=["same"] * len(values)),
    lambda values: pd.DataFrame({"a": values}),
    lambda values: pd.Series(values).astype("category"),
    lambda values: np.array([*values, None], dtype=object),
    *(lambda values, kind=kind: np.asarray(values, kind) for kind in ("i1", "u8", "S2", "M8[s]")),
)
JUNK = st.one_of(
    NESTED,
    st.builds(_array, st.lists(ATOMS, max_size=5), st.sampled_from(KINDS)),
    st.dictionaries(st.text(max_size=2), NESTED, max_size=2),
    st.just(np.array(3.0)),
    st.just(np.zeros((0, 3))),
    st.just(np.zeros((2, 2, 2))),
)
# Half of the arguments are what the function wants, so that junk comes past the first check.
FINE = st.one_of(
    st.just([0, 1, 0, 1]),
    st.just([0.25, 0.5, 0.5, 0.75]),
    st.just([0, 0.5, 1]),
    st.just([[3, 1], [1, 3]]),
    st.just({"a": [0, 0.5, 1], "b": [0.1, 0.2, 0.2]}),
    st.just({"a": ([0, 0.5, 1], [0, 0.75, 1])}),
    st.floats(0, 1),
    st.sampled_from(["a", "auc", "auk", 3]),
)
# Rows for these are given in numbers; a junk number of rows would be as many as it says.
COUNTS = {"consistent_counts": {"n": [40, 41]}}
DISPLAYS = {"AukProfileDisplay", "HMeasureDisplay", "KappaCurveDisplay", "RocHullDisplay"}
# # Named tuples and an error: what functions take, return and raise.
TYPES = {"Comparison", "ComparisonResult", "Estimate", "MEASURES", "ScoreFileError"}
MODULES = ("algebra", "bounds", "inference", "plots")
FUNCTIONS = {name: getattr(kc, name) for name in set(kc.__all__) - {*MODULES, "io"}}
FUNCTIONS |= {
    name: getattr(getattr(kc, module), name)
    for module in MODULES
    for name in getattr(kc, module).__all__
}
FUNCTIONS = {
    name: function
    for name, function in FUNCTIONS.items()
    if name in DISPLAYS or inspect.isfunction(function)
}
OPTIONS = ("pos_label", "sample_weight", "prevalence", "level", "cost", "axis")


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - TYPES))
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_junk_is_refused_or_measured_but_never_crashes(name, data):
    function = FUNCTIONS[name]
    function = function.from_predictions if name in DISPLAYS else function
    parameters = inspect.signature(function).parameters
    arguments = {
        one.name: data.draw(st.one_of(JUNK, FINE), label=one.name)
        for one in parameters.values()
        if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    }
    if data.draw(st.booleans(), label="with options"):
        for option in filter(parameters.__contains__, OPTIONS):
            arguments[option] = data.draw(st.one_of(JUNK, FINE, st.none()), label=option)
    try:
        function(**{**arguments, **COUNTS.get(name, {})})
    except (ValueError, TypeError) as error:
        assert str(error), "an error without a word"
    finally:
        plt.close("all")
