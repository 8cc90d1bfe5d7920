"""The tables that the claims read, with the numbers of a run."""

from pathlib import Path

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
ORIGINAL = {("raw", "majority", "any"): 0, ("hull", "majority", "any"): 1}
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
STUDY = Path(__file__).parents[3] / "studies/many-data-sets"


@pytest.fixture(scope="session")
def prevalences():
    return prevalences_table()


@pytest.fixture(scope="session")
def measured(kept):
    """The splits' measures, and with each class at the share of the other one."""
    other_share = 1 - kept.groupby("replicate")["minority"].mean()
    own = measure_replicates(kept).merge(measure_trapezoids(kept), how="left")
    return own, measure_replicates(kept, other_share)


def make_reversals(counts, n):
    rows = [
        {"curve": curve, "positive_class": side, "pattern": pattern} | share_with_interval(count, n)
        for (curve, side, pattern), count in counts.items()
    ]
    return pd.DataFrame(rows).assign(scenario="paper", pair="auc-auk", replicates=n)


@pytest.fixture
def tables(prevalences):
    explanations = [
        ("as the text says", 9.488169, 0, 1000),
        ("good is the positive class", 3.321392, 202, 1000),
    ]
    columns = ["explanation", "distance", "splits_farther", "splits"]
    return {
        "rank_reversal": make_reversals(REVERSALS, 1000),
        "original_reversal": make_reversals(ORIGINAL, 500),
        "sample": pd.DataFrame({"row": range(786)}),
        "prevalences": prevalences.copy(),
        "explanations": pd.DataFrame(explanations, columns=columns),
        "cases": pd.DataFrame([dict(zip(NAMES, row, strict=False)) for row in CASES]),
        "results": pd.read_csv(STUDY / "results.csv"),
        "earlier_rounds": pd.read_csv(STUDY / "earlier_rounds.csv"),
    }
