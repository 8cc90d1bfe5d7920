"""What the printed numbers allow: by the values of 52de2391, and by plain loops."""

import numpy as np
import pandas as pd
import pytest
from pytest import approx

from study.paper import explanations
from study.paper.explanations import (
    EXPLANATIONS,
    areas_of_splits,
    count_reversals,
    distance_from_splits,
    explanations_table,
    printed_areas,
)
from study.paper.printed import chances_of_bad_rows, printed_table, stated_sample
from study.printed import printed_pairs

# By place, model and rule: lower and upper, whether it is possible at 11 %, at 89 % and at shares
# of test rows, and the ends of both intervals.
STORED = """\
Table 4, linear, exact: 0.104568 0.149298 0 1 0 0.138469 0.220367 0.841695 1
Table 4, linear, trapezoid: 0.089751 0.319498 1 1 1 0 0.252827 0.747173 1
Table 4, neural_net, exact: 0.089539 0.133093 0 1 0 0.200428 0.305212 0.759585 0.978689
Table 5, neural_net, exact: 0.039703 0.142290 0 1 1 0.115195 0.402825 0.693474 1
Section 8, neural_net, kappa: 0.105953 0.105953 0 1 0 0.483237 0.517948 0.885929 0.898980
"""


def test_prevalences_are_the_stored_ones(prevalences):
    rows = prevalences.set_index(["place", "model", "rule"]).sort_index()
    for line in STORED.splitlines():
        place, _, stored = line.partition(": ")
        *numbers, low, high, low_2, high_2 = map(float, stored.split())
        found = rows.loc[tuple(place.split(", ")), "lower":].to_numpy(dtype=float)
        expected = [[*numbers, low, high], [*numbers, low_2, high_2]]
        assert found == approx(np.array(expected), abs=1e-6)
    joint = rows.loc[("Table 4 and Section 8", "all", "exact"), ["low", "high"]]
    assert joint.to_numpy().ravel() == approx([0.885929, 0.898980], abs=1e-6)


def test_chances_of_bad_rows_are_counted():
    """Of five rows, two of them bad, three test: one bad one in 6 of 10 draws, both in 3."""
    assert stated_sample() == (700, 86)
    assert chances_of_bad_rows((3, 2), 3) == approx({1: 0.6, 2: 0.3})


def test_printed_beside_computed():
    table = printed_table().set_index("place")
    assert table.index[~table["agrees"]].tolist() == [
        "Section 2: accuracy of a random classifier",
        "Section 8: kappa at f = 0.60, t = 0.928, 11 % positives",
        "Section 8: rows at 11 % bad customers",
        "Table 4, linear: largest AUK of its AUC, 11 % positives",
        "Table 4, neural_net: largest AUK of its AUC, 11 % positives",
        "Table 5, neural_net: largest AUK of its AUC, 11 % positives",
    ]
    kappas = [f"Table {place}: kappa" for place in ("1 (A)", "2 (B)", "3 (C)")]
    stored = [0.639769, 0.588816, 0.678663]
    assert table.loc[kappas, "computed"].tolist() == approx(stored, abs=1e-6)
    # 0.07 of the cases are positive.
    guesses = 0.07**2 + 0.93**2
    assert table.loc["Section 2: accuracy of a random classifier", "computed"] == approx(guesses)


def mahalanobis(point, others):
    offset = point - others.mean(axis=0)
    return np.sqrt(offset @ np.linalg.solve(np.cov(others.T), offset))


def test_distances_leave_each_split_out():
    rng = np.random.default_rng(1)
    areas = rng.normal(size=(31, 2, 2, 2)) @ np.array([[1, 0.5], [0, 1]])
    values = areas.reshape(31, 8)
    distance = mahalanobis(np.full(8, 1.5), values)
    splits = np.array([mahalanobis(values[i], np.delete(values, i, axis=0)) for i in range(31)])
    found = distance_from_splits(areas, np.full((2, 2, 2), 1.5))
    assert found["distance"] == approx(distance) and found["typical"] == approx(np.median(splits))
    assert (found["splits_farther"], found["splits"]) == ((splits > distance).sum(), 31)
    assert np.isnan(distance_from_splits(areas[:9], np.zeros((2, 2, 2)))["distance"])


def test_what_rounding_makes_is_no_direction_of_its_own():
    """An area that repeats another but for its last digits tells nothing more."""
    rng = np.random.default_rng(2)
    areas = rng.normal(size=(50, 2, 2, 2))
    areas[:, 1, 1, 1] = areas[:, 0, 0, 0] + 1e-9 * rng.normal(size=50)
    expected = mahalanobis(np.zeros(7), areas.reshape(50, 8)[:, :7])
    found = distance_from_splits(areas, np.zeros((2, 2, 2)))
    assert found["distance"] == approx(expected, rel=1e-6)


def test_a_reversal_shows_on_hull_and_curve_both():
    shown = np.array([[[0.8, 0.7], [0.8, 0.7]], [[0.1, 0.2], [0.1, 0.2]]])  # measure, curve, model
    on_hull, tie = shown.copy(), shown.copy()
    on_hull[1, 1] = (0.2, 0.1)
    tie[0, 0] = (0.7 + 1e-15, 0.7)
    assert count_reversals(np.array([shown, on_hull, tie, shown[::-1]])) == 1


def test_which_explanation_makes_which_numbers_possible(measured, counts):
    table = explanations_table(measured, counts)
    names = [f"{name}_possible" for name in ("table_4", "table_5", "rates", "kappa", "difference")]
    only_areas = [1, 1, 0, 0, 0]
    expected = [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [1, 1, 1, 0, 1]]
    expected += [only_areas, only_areas]
    assert table[names].to_numpy(dtype=int).tolist() == expected
    assert (table["splits"] == 150).all()
    # These two differ in what is possible alone.
    assert table["distance"].iloc[[0, 3]].tolist() != table["distance"].iloc[[1, 5]].tolist()
    assert table["distance"].iloc[3] == table["distance"].iloc[5]
    # Digits that are cut off leave bad positive possible, with p and 1 - p interchanged.
    of_768 = counts["test_rows"].eq(268) & counts["digits"].eq("cut")
    cut = counts[of_768].assign(test_rows=286, digits="rounded")
    table = explanations_table(measured, cut).set_index("explanation")
    assert table.loc["p and 1 - p interchanged", names[:-1]].all()
    assert not table.loc["as the text says", "kappa_possible"]


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=[item.name for item in EXPLANATIONS])
def test_numbers_made_under_an_explanation_lie_among_its_splits(
    explanation, measured, counts, monkeypatch
):
    areas = areas_of_splits(measured[explanation.measured], explanation)
    nearest = np.abs(areas - np.median(areas, axis=0)).max(axis=(1, 2, 3)).argmin()
    monkeypatch.setattr(explanations, "printed_areas", lambda: areas[nearest].round(4))
    table = explanations_table(measured, counts).set_index("explanation")
    farther = table["splits_farther"] / table["splits"]
    assert farther[explanation.name] > 0.5
    rivals = {"minority": "good is the positive class", "majority": "as the text says"}
    if explanation.measured != "interchanged":
        assert farther[rivals[explanation.positive]] < 0.05


def test_printed_areas_are_in_the_order_of_the_splits():
    printed = printed_areas()
    assert printed[0, 0].tolist() == [0.7493, 0.7186] and printed[1, 1].tolist() == [0.1404, 0.1449]
    rows = [
        {"replicate": 0, "positive_class": "minority", "curve": pair.curve, "model": pair.model}
        | {"auc": pair.auc.value, "auk": pair.auk.value}
        for pair in printed_pairs()
    ]
    (areas,) = areas_of_splits(pd.DataFrame(rows), EXPLANATIONS[0])
    assert areas.tolist() == printed.tolist()
