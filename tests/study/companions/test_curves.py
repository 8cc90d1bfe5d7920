from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy.signal import find_peaks

from kappacurve import auc_score, auk_score
from study.companions.curves import curve_table, intersect, local_maxima, replicated, slopes_enclose


@pytest.fixture(scope="module")
def replicates():
    """Six replicates of two models; in the last the network's AUK is larger, but not its AUC."""
    rng = np.random.default_rng(1)
    minority = np.repeat([1, 0], [12, 88])
    own = pd.DataFrame({"minority": minority})
    return pd.concat(
        own.assign(replicate=number, model=model, score=rng.normal(size=100) + effect * minority)
        for number in range(6)
        for model, effect in (("linear", 1.2), ("neural_net", 0.8))
    )


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 5))
def test_local_maxima_are_those_of_scipy(heights, prominence):
    peaks, _ = find_peaks(np.array(heights, dtype=float), prominence=prominence)
    assert local_maxima(np.array(heights), prominence) == len(peaks)


def test_measures_are_those_of_the_library(replicates):
    curves = curve_table(replicated(replicates))
    assert len(curves) == 12
    assert (curves["maxima_hull"] == 1).all()
    assert curves["optimal"].all()
    row = curves.iloc[0]
    one = replicates.query("replicate == 0 and model == @row.model")
    auk = auk_score(1 - one["minority"], -one["score"], curve="hull")
    assert row["auk"] == pytest.approx(auk)
    assert row["auc"] >= auc_score(one["minority"], one["score"])


def test_the_best_vertex_lies_between_a_steeper_and_a_flatter_side():
    """At p = 1/2 kappa is largest where the slope passes 1, which a side may have."""
    fpr, tpr = np.array([0, 0.1, 0.4, 0.6, 1]), np.array([0, 0.4, 0.8, 1, 1])
    enclosed = [slopes_enclose(fpr, tpr, 0.5, vertex) for vertex in range(5)]
    assert enclosed == [False, False, True, True, False]
    assert slopes_enclose(np.array([0, 0, 1]), np.array([0, 0.5, 1]), 0.5, 1)


def _limits(curve, at, *, right):
    """Twelve times t, just right or just left of f, on a curve of whole numbers (exact)."""
    for (f, t), (f_next, t_next) in pairwise(curve):
        if (f <= at < f_next) if right else (f < at <= f_next):
            return t + Fraction(t_next - t, f_next - f) * (at - f)
    raise AssertionError(at)


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=2, max_size=2))
def test_intersections_of_exact_step_curves(steps):
    """Paths of six steps up and six to the right, and their chords of two steps each."""
    curves = []
    for ups in steps:
        path, f, t = [(0, 0)], 0, 0
        for up in ups:
            up = t < 6 and (up or f == 6)
            f, t = f + (not up), t + up
            path.append((f, t))
        curves.append(path[::2])
    leads = [
        _limits(curves[0], at, right=right) - _limits(curves[1], at, right=right)
        for at in range(7)
        for right in (True, False)
        if (at < 6 if right else at > 0)
    ]
    crossed = max(leads) > 0 > min(leads)
    scaled = [tuple(np.array(axis) / 6 for axis in zip(*path, strict=True)) for path in curves]
    assert intersect(*scaled) == crossed
