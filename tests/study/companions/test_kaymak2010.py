import numpy as np
import pandas as pd
from pytest import approx

from study.companions import kaymak2010
from study.companions.curves import curve_of
from study.companions.kaymak2010_experiment import runs_in_words


def test_runs_in_words():
    assert runs_in_words([187, 186, 234, 232, 233, 281]) == "186-187, 232-234, 281"


def test_claims_of_sections_3_to_8_by_hand():
    """Six hulls in which every share is another; rates at, below and above what is compared."""
    curves = pd.DataFrame(
        {
            "model": ["linear"] * 2 + ["neural_net"] * 4,
            "prevalence": 0.11,
            "fpr": [0.1, 0.3, 0.60, 0.59, 0.61, 0.2],  # printed is 0.60
            "fpr_youden": [0.1, 0.4, 0.7, 0.8, 0.9, 0.1],
            "tpr": [0.2, 0.3, 0.40, 0.41, 0.39, 0.9],
            "unique": [True, False, False, False, False, False],
            "maxima_raw": [1, 1, 2, 3, 5, 9],
            "maxima_hull": [1, 1, 1, 1, 1, 2],
            "optimal": True,
            "auc": [0.70, 0.75, 0.6, 0.7, 0.8, 0.9],
            "auk_minority": [0.10, 0.11, 0.12, 0.10, 0.15, 0.13],
        }
    )
    grid = kaymak2010.GRID
    averages = {("minority", "linear"): grid * (1 - grid), ("majority", "linear"): grid}
    found = [one for one in kaymak2010.claims({}, curves, averages, ours=False) if one is not None]
    by_key = {one.key: one for one in found if one.key}
    shares = {
        "unique_maximum": 1 / 6,
        "one_peak": 2 / 6,
        "slope_at_optimum": 1,
        "optimum_moves_left": 5 / 6,
        "optimum_moves_left_strictly": 4 / 6,
        "place_of_optimum": 2 / 4,
        "place_of_optimum_good": 2 / 4,
    }
    assert {key: by_key[key].found for key in shares} == approx(shares)
    assert [by_key[key].expected for key in shares] == [0.5, None, 1, 1, 0.5, None, None]
    assert [by_key[key].n for key in ("one_peak", "place_of_optimum")] == [6, 4]
    assert by_key["multiclass_without_splitting"].holds  # (0.65 - 0.3475) / (1 - 0.3475)
    # One AUC leaves AUK no room at one half, and some at the stated prevalence.
    assert (by_key["width_at_half"].found, by_key["width_at_half"].holds) == (approx(0), True)
    assert (by_key["width_as_stated"].found > 0.01, by_key["width_as_stated"].holds) == (
        True,
        False,
    )
    r = np.corrcoef([0.6, 0.7, 0.8, 0.9], [0.12, 0.10, 0.15, 0.13])[0, 1]
    one = by_key["correlated"]  # of the network alone: two splits of the linear model are too few
    ends = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]))
    assert [one.found, one.low, one.high, one.n] == approx([r, *ends, 4], abs=1e-4)
    told = {one.check: one.found for one in found}
    assert told["Section 7: local maxima on average, raw curves"] == 3.5
    assert told["Section 7: kappa has one local maximum: share of hulls"] == approx(5 / 6)
    places = [value for name, value in told.items() if "f at the largest average" in name]
    assert places == approx([0.5, 1.0])


def test_kappa_is_averaged_over_the_splits_of_a_model():
    """Of half the rows bad kappa is t - f: 1 - f of a perfect model, and 0 of a constant score."""
    minority = np.array([0.0, 0, 1, 1])
    drawn = {
        (0, "linear"): curve_of("linear", minority, minority),
        (1, "linear"): curve_of("linear", minority, 0 * minority),
    }
    averages = kaymak2010.average_kappas(drawn)
    assert averages.keys() == {("minority", "linear"), ("majority", "linear")}
    for average in averages.values():
        np.testing.assert_allclose(average[1:], (1 - kaymak2010.GRID[1:]) / 2, atol=1e-15)
