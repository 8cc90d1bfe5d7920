"""The tables that the claims read, with the numbers of a run."""

from pathlib import Path

import pandas as pd
import pytest

from study.paper.counts import counts_table
from study.paper.explanations import measure_settings
from study.paper.printed import prevalences_table
from study.tables.reversals import share_with_interval

REVERSALS = {
    ("both", "majority", "printed"): 9,
    ("both", "minority", "printed"): 7,
    ("raw", "majority", "any"): 42,
}
ORIGINAL = {("raw", "majority", "any"): 0, ("hull", "majority", "any"): 1}
GAP_NAMES = ["curve", "reversals", "largest_gap"]
GAPS = [("raw", 35, 0.0186), ("raw", 7, 0.0393), ("raw", 0, None), ("hull", 2, 0.0418)]
NAMES = ["key", "value", "cases", "low", "high"]
CASES = [
    ("miss_by_auc", 8.090909, 1),
    ("miss_by_kappa", 3.203093, 1),
    ("miss_by_linear", 3.268194, 1000, 2.464615, 4.348839),
    ("miss_by_neural_net", 3.890007, 1000, 2.901991, 5.533293),
    ("skew_moves_auk", 0.0, 500),
    ("class_moves_auk", 500.0, 500),
    ("auk_of_one_class", 0.148201, 1),
    ("auk_of_other_class", 0.141024, 1),
    ("auk_range", 0.043554, 1),
    ("unique_maximum", 1.0, 2000, 0.998083, 1.0),
]
STUDY = Path(__file__).parents[3] / "studies/many-data-sets"


@pytest.fixture(scope="session")
def prevalences():
    return prevalences_table()


@pytest.fixture(scope="session")
def counts():
    return counts_table()


@pytest.fixture(scope="session")
def measured(kept):
    """The splits' measures by the share of positives at which they are taken."""
    return measure_settings(kept)


def make_reversals(counts, n):
    rows = [
        {"curve": curve, "positive_class": side, "pattern": pattern, "reversals": count}
        | share_with_interval(count, n)
        for (curve, side, pattern), count in counts.items()
    ]
    return pd.DataFrame(rows).assign(scenario="paper", pair="auc-auk", replicates=n)


@pytest.fixture
def tables(prevalences, counts):
    explanations = [
        ("as the text says", 27.615912, 0, 1000),
        ("good is the positive class", 3.321392, 202, 1000),
    ]
    columns = ["explanation", "distance", "splits_farther", "splits"]
    return {
        "rank_reversal": make_reversals(REVERSALS, 1000),
        "reversal_by_gap": pd.DataFrame(GAPS, columns=GAP_NAMES).assign(positive_class="majority"),
        "original_reversal": make_reversals(ORIGINAL, 500),
        "sample": pd.DataFrame({"row": range(786)}),
        "prevalences": prevalences.copy(),
        "counts": counts.copy(),
        "explanations": pd.DataFrame(explanations, columns=columns),
        "cases": pd.DataFrame([dict(zip(NAMES, row, strict=False)) for row in CASES]),
        "results": pd.read_csv(STUDY / "results.csv"),
        "earlier_rounds": pd.read_csv(STUDY / "earlier_rounds.csv"),
    }
