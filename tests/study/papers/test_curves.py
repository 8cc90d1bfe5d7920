import numpy as np
import pandas as pd
import pytest

from kappacurve import auc_score, auk_score
from study.papers.curves import curve_table, intersect, local_maxima, replicated
from study.papers.kaymak2010 import reversing


@pytest.fixture(scope="module")
def replicates():
    """Six replicates of two models; in the last the network's AUK is larger, but not its AUC."""
    rng, parts = np.random.default_rng(1), []
    minority = np.repeat([1, 0], [12, 88])
    for number in range(6):
        for model, effect in (("linear", 1.2), ("neural_net", 0.8)):
            score = rng.normal(size=100) + effect * minority
            parts.append(
                pd.DataFrame({"replicate": number, "minority": minority, "model": model, "score": score})
            )
    return pd.concat(parts, ignore_index=True)


def test_local_maxima_are_counted_between_plateaus():
    assert local_maxima(np.array([0, 1, 1, 0.5, 0.5, 0.2])) == 1
    assert local_maxima(np.array([0, 1, 0.5, 0.5, 0.7, 0.7, 0.1])) == 2
    assert local_maxima(np.array([0, -0.2, -0.1])) == 0


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


def test_the_most_decisive_reversal_comes_first():
    network = [(0, 0.70, 0.10), (1, 0.79, 0.21), (2, 0.75, 0.25)]
    rows = [(n, "linear", 0.80, 0.20) for n in range(3)]
    rows += [(n, "neural_net", *areas) for n, *areas in network]
    found = reversing(pd.DataFrame(rows, columns=["replicate", "model", "auc", "auk"]))
    assert found.index.tolist() == [2, 1]
    assert found.iloc[0].tolist() == pytest.approx([0.05, 0.05])


def test_curves_intersect_if_each_is_above_somewhere():
    low, high = (np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.5, 1.0])), np.array([0.0, 0.4, 1.0])
    assert intersect(low, (high, np.array([0.0, 0.9, 1.0])))
    assert not intersect(low, (np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.6, 1.0])))
    assert not intersect(low, low)
