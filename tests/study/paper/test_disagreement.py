"""When two measures can disagree: the identity, its limit, and the counts of the splits."""

import numpy as np
import pytest
from pytest import approx

from kappacurve import area_under_kappa
from study.paper.disagreement import compare_curves, compare_splits, disagreement_table


def random_curve(rng):
    """Steps, and slanted pieces of tied scores."""
    scores = rng.integers(0, rng.integers(2, 60), size=rng.integers(3, 40))
    label = rng.permutation(np.arange(len(scores)) % 2)
    f, t = ([(scores[label == k] >= cut).mean() for cut in np.unique(scores)[::-1]] for k in (0, 1))
    return np.r_[0, f], np.r_[0, t]


def test_the_identity_gives_the_difference_of_the_areas_and_the_limit_its_order():
    rng = np.random.default_rng(37)
    shares = [0.02, 0.11, 0.5, 0.89]
    n_sure = 0
    for _ in range(300):
        first, second = random_curve(rng), random_curve(rng)
        found = compare_curves(first, second, shares)
        auc = np.trapezoid(first[1], first[0]) - np.trapezoid(second[1], second[0])
        auk = [area_under_kappa(*first, p) - area_under_kappa(*second, p) for p in shares]
        assert found["auc"] == approx(auc, abs=1e-12)
        assert found["auk"] == approx(auk, abs=1e-7)
        assert found["by_identity"] == approx(found["auk"], abs=1e-12)
        sure = np.abs(found["auc"]) > found["limit"] + 1e-9
        n_sure += sure.sum()
        assert (np.sign(auk)[sure] == np.sign(auc)).all()
    assert 300 < n_sure < 1200


@pytest.mark.parametrize(
    ("share", "variation"), [(0.3, 0.25), (0.2, 0.41), (0.11, 0.65), (0.05, 0.98), (0.02, 1.45)]
)
def test_the_weight_of_useless_models_varies_as_by_hand(share, variation):
    """Two curves next to the diagonal; cv^2 = (q-p)^2 / (pq ln^2(q/p)) - 1, for p as for q."""
    f = np.linspace(0, 1, 400)
    hardly = f + 1e-9 * np.sin(2 * np.pi * f)
    for p in (share, 1 - share):
        found = compare_curves((f, hardly), (f, f), [p])
        deviation = 1e-9 / np.sqrt(2)
        q = 1 - p
        exact = np.sqrt((q - p) ** 2 / (p * q * np.log(q / p) ** 2) - 1)
        assert found["limit"][0] / deviation == approx(exact, rel=1e-3)
        assert exact == approx(variation, abs=0.005)


def test_the_counts_are_those_of_the_orders(kept, measured):
    table = disagreement_table(compare_splits(kept)).set_index(["positive_class", "curve"])
    own = table[table["bad_share"] == "test rows"]
    orders = measured["test rows"].set_index(["positive_class", "curve", "replicate", "model"])
    orders = orders.sort_index()
    for key, row in own.iterrows():
        leads = (orders.loc[key].xs(name, level="model") for name in ("linear", "neural_net"))
        auc, auk = (
            np.subtract(*pair) for pair in zip(*((x["auc"], x["auk"]) for x in leads), strict=True)
        )
        assert row["disagree"] == (auc * auk < 0).sum()
        assert row["disagree"] <= row["splits"] - row["cannot"] and row["splits"] == 150
    even = table[table["bad_share"] == "0.5"]
    assert (even["cannot"] == 150).all() and (even["disagree"] == 0).all()
