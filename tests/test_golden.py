"""Numbers of the library and of 40 replicates that must not move, and three of the study's.

Tables of a whole run stand in tests/expected; `make verify` compares a run with them.
"""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import verify
from pytest import approx

import kappacurve as kc
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.experiment.replicates import draw_replicates, measure_scenario
from study.experiment.scenarios import FAST_GROUP, chunk_setting, make_scenarios
from study.settings import read_config

ROOT = Path(__file__).parents[1]
TWO_MODELS = pd.read_csv(ROOT / "docs/two_models.csv")
Y = TWO_MODELS["positive"].to_numpy()
A, B = TWO_MODELS["A"].to_numpy(), TWO_MODELS["B"].to_numpy()
GROUPS = {"groups": np.arange(len(Y)) // 3}
WEIGHTS = {"sample_weight": 1.0 + np.arange(len(Y)) % 3}
RARE = {"prevalence": 0.02}
BUDGET = {"at": "flagged<=0.1", "n_resamples": 200}


def near(values):
    return approx(values, rel=1e-12)


def test_values_of_a_few_rows_and_of_rates():
    found = kc.measures([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert (found["auc"], found["auk"]) == near((0.875, 0.375))
    assert (found["kappa_max"], found["threshold"]) == near((0.5, 0.8))
    kappas = kc.kappa_from_rates(0.6, 0.928, [0.11, 0.89])
    assert kappas == near([0.10595266062892153, 0.3305280840586633])
    areas = [kc.auk_score([0, 1], [0, 1], prevalence=p) for p in (0.1, 0.5, 0.9)]
    assert areas == near([0.2529493476356564, 0.5, 0.5968500049627907])
    assert kc.h_measure_score([0, 1, 1], [0, 0, 1], prevalence=0.5) == near(47 / 135)
    bounds = kc.auk_bounds(0.7186, [0.11, 0.5, 0.89])
    assert bounds.lower == near([0.08953927427163359, 0.2186, 0.11023966176354948])
    assert bounds.upper == near([0.13309315838974264, 0.2186, 0.21413472203243805])


MEASURES = {  # of model A and of model B
    "auc": (0.833920987654321, 0.8052518518518519),
    "auk": (0.14715768896439993, 0.16380724542087555),
    "average_precision": (0.27462871148649803, 0.5969253964075477),
    "h": (0.08984271388884002, 0.367228426615423),
    "ks": (0.5396296296296297, 0.5203703703703704),
    "kappa_max": (0.30282909930715934, 0.5257826887661142),
    "threshold": (1.118, 2.257),
    "fpr": (0.12481481481481481, 0.013703703703703704),
    "tpr": (0.5133333333333333, 0.43666666666666665),
    "auch": (0.8398006172839506, 0.8154425925925926),
    "auk_hull": (0.1512572420294539, 0.16731054486657448),
}


def test_measures_of_two_models():
    of_a, of_b = kc.measures(Y, A), kc.measures(Y, B)
    for name, expected in MEASURES.items():
        assert (of_a[name], of_b[name]) == near(expected), name


@pytest.mark.parametrize(
    ("score", "areas", "point", "benefits"),
    [
        (
            A,
            (0.04144970811250183, 0.09744165507212849, 0.1471757363642185),
            (1.412, 0.32, 32 / 99),
            (0.05396296296296296, 0.0045714285714285735),
        ),
        (
            B,
            (0.05847711917751215, 0.11381516091138114, 0.1645356898429314),
            (1.683, 0.5433333333333333, 163 / 299),
            (0.05203703703703704, 0.03838095238095238),
        ),
    ],
    ids="AB",
)
def test_options_points_and_benefits_of_two_models(score, areas, point, benefits):
    options = (RARE, RARE | {"cost_ratio": 5}, WEIGHTS)
    assert [kc.auk_score(Y, score, **chosen) for chosen in options] == near(areas)
    found = kc.operating_point(Y, score, at="flagged<=0.1")
    assert (found.threshold, found.tpr, found.precision) == near(point)
    found = kc.net_benefit(Y, score, thresholds=[0.1, 0.3], rule="best")
    assert tuple(found) == near(benefits)


@pytest.mark.parametrize(
    ("score", "measure", "options", "standard_error", "low", "high"),
    [
        (A, "auc", {}, 0.009161219938203957, 0.8148544631900028, 0.8509301822238642),
        (A, "auc", GROUPS, 0.009490874395297888, 0.8141059854558165, 0.8514773196096276),
        (A, "auc", WEIGHTS, 0.009946300800680775, 0.8135935816175145, 0.8527889767074404),
        (A, "auk", {}, 0.007682838232684992, 0.1319205956834538, 0.16204120255235077),
        (A, "auk", GROUPS, 0.007383412526485951, 0.13253952080691148, 0.16149999165161902),
        (A, "auk", WEIGHTS, 0.00828424512122431, 0.13081353139269056, 0.16330239803678456),
        (A, "auk", RARE, 0.0020876121509977976, 0.03730603024599532, 0.04548419652659519),
        (A, "recall", BUDGET, 0.025429202690216725, 0.27243175580257667, 0.37627045867852094),
        (B, "auc", {}, 0.01686674453415001, 0.7698139056243727, 0.8359989629879797),
        (B, "auc", GROUPS, 0.016936061318342913, 0.769622138291538, 0.836077126161513),
        (B, "auc", WEIGHTS, 0.0180911009925693, 0.7688971430399022, 0.8399049641354926),
        (B, "auk", {}, 0.008841344603844229, 0.14573423511320022, 0.18040764885121024),
        (B, "auk", GROUPS, 0.00857246191598242, 0.14681249672505356, 0.18042963174813637),
        (B, "auk", WEIGHTS, 0.009517572037702206, 0.14571380449243598, 0.1830291966215543),
        (B, "auk", RARE, 0.0027584390422565265, 0.05282067089143181, 0.06361972081528303),
        (B, "recall", BUDGET, 0.026128696238125786, 0.48761057028525967, 0.594635092505755),
    ],
)
def test_intervals(score, measure, options, standard_error, low, high):
    found = kc.interval(Y, score, measure=measure, **options)
    assert (found.standard_error, found.low, found.high) == near((standard_error, low, high))


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("brier_score", (0.2714107794366577, 0.2638549082572377, 0.2791009885305718)),
        ("log_loss", (0.754778388706729, 0.7365879101257952, 0.7734180920257485)),
    ],
)
def test_intervals_of_probabilities(measure, expected):
    found = kc.interval(Y, 1 / (1 + np.exp(-A)), measure=measure)
    assert (found.estimate, found.low, found.high) == near(expected)


@pytest.mark.parametrize(
    ("measure", "options", "difference", "standard_error", "p_value"),
    [
        ("auc", {}, 0.028669135802469103, 0.013987705856391844, 0.041147591435970736),
        ("auk", {}, -0.016649556456475645, 0.006194419801365927, 0.007470437062037337),
        ("auk", GROUPS, -0.016649556456475645, 0.006225453321710454, 0.007897404532323196),
        (
            "average_precision",
            {"n_resamples": 200},
            *(-0.3222966849210497, 0.022461873096023585, 0.004975124378109453),
        ),
    ],
)
def test_paired_tests(measure, options, difference, standard_error, p_value):
    found = kc.paired_test(Y, A, B, measure=measure, **options)
    expected = near((difference, standard_error, p_value))
    assert (found.difference, found.standard_error, found.p_value) == expected


def test_sums_and_sums_of_squares_of_40_replicates():
    """Over three models, both classes, hull and curve."""
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    setting = chunk_setting(make_scenarios(read_config({}))["paper"], FAST_GROUP, 0)
    drawn = measure_scenario(draw_replicates(features, setting, range(40), seed=2010), setting)
    expected = {
        "auc": (361.00750042984214, 272.89449645255917),
        "auk": (72.07214356515593, 12.009307510698335),
        "h": (53.724444606748676, 7.433398163894578),
        "ks": (201.14664442084427, 88.09621304522574),
        "kappa_max": (140.11432286215313, 43.71996066877207),
    }
    for name, sums in expected.items():
        values = drawn[name].to_numpy()
        assert (values.sum(), (values**2).sum()) == near(sums), name


def test_findings_of_the_study_of_many_data_sets():
    results = pd.read_csv(ROOT / "studies/many-data-sets/results.csv", index_col="key")["estimate"]
    keys = ["log_loss_25", "choice_25_at_5", "power_own_cost"]
    assert results[keys].tolist() == approx([5.05814, 2.227907, 1.071429], abs=1e-6)


def test_verify_names_a_table_that_differs_and_one_that_is_not_there(tmp_path):
    results = shutil.copytree(ROOT / "tests/expected", tmp_path / "results")
    assert verify.find_differences(results) == {}
    path = results / "tables/table4.csv"
    path.write_text(path.read_text().replace("0.795583", "0.795593", 1))
    (results / "split/sample.csv").unlink()
    assert verify.find_differences(results).keys() == {"tables/table4.csv", "split/sample.csv"}
