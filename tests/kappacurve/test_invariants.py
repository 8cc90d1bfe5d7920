"""What holds for every ranking, and errors that are no crashes.

``HYPOTHESIS_PROFILE=many pytest tests/kappacurve/test_invariants.py`` tries thousands of examples.
"""

import inspect

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import kappacurve as kc

# Two rows of a class are enough for everything here, if not for a p value.
pytestmark = pytest.mark.filterwarnings("ignore")

ROWS = st.lists(st.tuples(st.booleans(), st.integers(-6, 6).map(float)), max_size=38)
RANKINGS = ROWS.map(lambda rows: [*map(np.array, zip(*rows, (True, 2), (False, 3), strict=True))])
SHARES = st.floats(0.01, 0.99)


@given(RANKINGS, st.randoms(use_true_random=False))
def test_row_order_and_increasing_transforms_change_no_bit(ranking, random):
    y, score = ranking
    found = kc.measures(y, score)
    order = random.sample(range(len(y)), len(y))
    assert kc.measures(y[order], score[order]) == found
    for transform in (np.exp, np.arctan, lambda s: s**3 + 1e-3 * s, lambda s: 1e300 * s - 1):
        moved = kc.measures(y, transform(score))
        assert moved | {"threshold": found["threshold"]} == found


@given(RANKINGS, SHARES, st.floats(0.1, 10))
def test_swapping_the_classes_and_the_sign_of_the_scores(ranking, p, ratio):
    """Everything but the AUK and average precision stays, if the costs are swapped, too."""
    y, score = ranking
    found = kc.measures(y, score, prevalence=p, cost_ratio=ratio)
    swapped = kc.measures(~y, -score, prevalence=1 - p, cost_ratio=1 / ratio)
    for name in ("auc", "auch", "ks", "h", "kappa_max", "expected_loss"):
        assert swapped[name] == pytest.approx(found[name], abs=1e-11)


@given(RANKINGS, SHARES, st.floats(0.1, 10))
def test_areas_of_hulls_bounds_and_equal_weights(ranking, p, ratio):
    found = kc.measures(*ranking, prevalence=p, cost_ratio=ratio)
    assert found["auch"] >= max(0.5, found["auc"])
    assert found["auk_hull"] >= max(-1e-15, found["auk"] - 1e-15)
    assert 0 <= found["h"] <= 1
    found = kc.measures(*ranking, prevalence=p)
    for curve, auc, auk in (("hull", "auch", "auk_hull"), ("raw", "auc", "auk")):
        low, high = kc.auk_bounds(found[auc], p, curve=curve)
        assert low - 1e-9 <= found[auk] <= high + 1e-9
    # Where both errors cost the same in all, kappa is t - f.
    found = kc.measures(*ranking, prevalence=p, cost_ratio=(1 - p) / p)
    assert found["auk"] == pytest.approx(found["auc"] - 0.5, abs=1e-13)
    assert found["kappa_max"] == pytest.approx(found["ks"], abs=1e-13)


ATOMS = st.one_of(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=3),
    st.sampled_from([2**63, -(2**63) - 1, 10**400, float("nan"), -float("inf"), 1j, b"a"]),
)
NESTED = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=5), max_leaves=8)
ARRAYS = [np.array(3.0), np.zeros((0, 3)), np.zeros((2, 2, 2)), np.array([1, None], object)]
ARRAYS += [np.array([1, 0, 1], kind) for kind in ("i1", "u8", "S2", "M8[s]", "c16")]
ARRAYS += [pd.Series([1, 0, 2], index=["same"] * 3), pd.DataFrame({"a": [1, np.nan]})]
ARRAYS += [pd.Series(["x", 1, None]).astype("category"), pd.Series([0, None, 1], dtype="Int64")]
TABLES = st.dictionaries(st.text(max_size=2), NESTED, max_size=2)
JUNK = st.one_of(NESTED, TABLES, st.sampled_from(ARRAYS))
# Half of the arguments are what the function wants, so that junk comes past the first check.
FINE = st.floats(0, 1) | st.sampled_from(
    [[0, 1, 0, 1], [0.25, 0.5, 0.5, 0.75], [0, 0.5, 1], [[3, 1], [1, 3]], "auc", "auk", 0.1]
)
NAMES = ["adjust_prevalence", "area_under_kappa", "auk_bounds", "auk_score", "batch_measures"]
NAMES += ["h_measure_score", "kappa_curve", "kappa_from_rates", "measures", "net_benefit"]
NAMES += ["operating_point", "prevalence_intervals", "roc_hull"]
OPTIONS = ("pos_label", "sample_weight", "prevalence", "cost_ratio", "at", "curve", "decimals")


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_junk_is_refused_or_measured_but_never_crashes(name, data):
    function = getattr(kc, name)
    parameters = inspect.signature(function).parameters
    arguments = {
        parameter.name: data.draw(st.one_of(JUNK, FINE), label=parameter.name)
        for parameter in parameters.values()
        if parameter.default is parameter.empty
    }
    if data.draw(st.booleans(), label="with options"):
        for option in filter(parameters.__contains__, OPTIONS):
            arguments[option] = data.draw(st.one_of(JUNK, FINE, st.none()), label=option)
    try:
        function(**arguments)
    except (ValueError, TypeError) as error:
        assert str(error), "an error without a word"
