"""The tables that the claims read, with the numbers of a run."""

import pandas as pd
import pytest

from study.experiment.measures import measure_replicates, measure_trapezoids
from study.paper.printed_numbers import prevalences_table
from study.tables.shares import share_with_interval

REVERSALS = {
    ("both", "majority", "published"): 9,
    ("both", "minority", "published"): 7,
    ("raw", "majority", "any"): 42,
}
NAMES = ["key", "value", "cases", "low", "high"]
CASES = [
    ("one_cost", 0.0, 20_000),
    ("equal_costs", 0.707107, 2),
    ("skew_moves_auk", 0.0, 500),
    ("class_moves_auk", 500.0, 500),
    ("auk_of_one_class", 0.148201, 1),
    ("auk_of_other_class", 0.141024, 1),
    ("auk_range", 0.043554, 1),
    ("correlation_linear", 0.812689, 1000, 0.790523, 0.832728),
    ("correlation_neural_net", 0.891804, 1000, 0.878372, 0.903829),
    ("unique_maximum", 1.0, 2000, 0.998083, 1.0),
]
EFFECT_NAMES = ["key", "estimate", "low", "high", "data_sets", "registered"]
EFFECTS = [
    ("choice_25_at_5", 2.2279, 0.3679, 3.9520, 43, None),
    ("choice", 0.2526, -0.3454, 0.8507, 57, None),
    ("power_5", 2.1769, 0.5439, 3.8100, 43, "hypothesis 12: confirmed"),
    ("power_own_cost", 1.0714, 0.1187, 1.9484, 49, "hypothesis 11: confirmed"),
    ("power_four_costs", 0.1411, -0.6550, 0.9372, 57, None),
    ("false_direction", -0.0483, -0.1509, 0.0544, 43, None),
    ("false_direction_auk", 0.5936, 0.3400, 0.8923, 43, None),
    ("false_direction_auc", 0.6419, 0.3835, 0.9518, 43, None),
]
EARLIER = [("choice_25_at_5_new", -0.3097, -2.7987, 1.8476, 13, "hypothesis 2: not confirmed")]


@pytest.fixture(scope="session")
def prevalences():
    return prevalences_table()


@pytest.fixture(scope="session")
def measured(kept):
    """The splits' measures, and with each class at the share of the other one."""
    other_share = 1 - kept.groupby("replicate")["minority"].mean()
    own = measure_replicates(kept).merge(measure_trapezoids(kept), how="left")
    return own, measure_replicates(kept, other_share)


@pytest.fixture
def tables(prevalences):
    kind = ["curve", "positive_class", "pattern"]
    reversals = [
        {**dict(zip(kind, place, strict=True)), **share_with_interval(count, 1000)}
        for place, count in REVERSALS.items()
    ]
    of_original = [{"curve": curve, **share_with_interval(0, 500)} for curve in ("raw", "hull")]
    original = {"scenario": "original", "positive_class": "majority", "pattern": "any"}
    explanations = [
        ("as the text says", 9.488169, 0, 1000),
        ("good is the positive class", 3.321392, 202, 1000),
    ]
    columns = ["explanation", "distance", "splits_farther", "splits"]
    return {
        "rank_reversal": pd.DataFrame(reversals).assign(
            scenario="paper", replicates=1000, pair="auc-auk"
        ),
        "original_reversal": pd.DataFrame(of_original).assign(
            **original, replicates=500, pair="auc-auk"
        ),
        "sample": pd.DataFrame({"row": range(786)}),
        "prevalences": prevalences.copy(),
        "explanations": pd.DataFrame(explanations, columns=columns),
        "cases": pd.DataFrame([dict(zip(NAMES, row, strict=False)) for row in CASES]),
        "results": pd.DataFrame(EFFECTS, columns=EFFECT_NAMES),
        "earlier_rounds": pd.DataFrame(EARLIER, columns=EFFECT_NAMES),
    }
