"""What the printed numbers allow: by the tables of the default run, and by plain loops."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest
from pytest import approx

from study.files import to_csv
from study.paper import explanations
from study.paper.explanations import (
    EXPLANATIONS,
    areas_of_splits,
    count_reversals,
    distance_from_splits,
    explanations_table,
    printed_areas,
)
from study.paper.numbers import printed_pairs
from study.paper.prevalences import chances_of_bad_rows, printed_table, stated_sample


def test_what_the_paper_prints_is_that_of_the_default_run(prevalences, counts, expected):
    """Prevalences by their ends; counts; and what is printed beside what is computed."""
    found = {"prevalences": prevalences, "counts": counts, "printed": printed_table()}
    for name, table in found.items():
        table = pd.read_csv(StringIO(to_csv(table)))
        pd.testing.assert_frame_equal(table, expected(f"tables/{name}"), rtol=0, atol=2e-6)


def test_chances_of_bad_rows_are_counted():
    """Of five rows, two of them bad, three test: one bad one in 6 of 10 draws, both in 3."""
    assert stated_sample() == (700, 86)
    assert chances_of_bad_rows((3, 2), 3) == approx({1: 0.6, 2: 0.3})


def test_a_random_classifier_guesses_with_the_class_shares():
    """0.07 of the cases are positive."""
    table = printed_table().set_index("place")
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
    kinds = ("table_4", "table_5", "threshold", "rates", "kappa", "difference")
    names = [f"{name}_possible" for name in kinds]
    expected = [[0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 1]]
    expected += [[1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0]]
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
    assert not table.loc["as section 2 suggests", "kappa_possible"]


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
    rivals = {"minority": "good is the positive class", "majority": "as section 2 suggests"}
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
