"""The kept tables of one split follow from its kept scores and measures."""

import io
from pathlib import Path

import pandas as pd
import pytest

from study.models.fitting import score_scale
from study.published import AREAS, POINT_MEASURES, published_lookup
from study.replicates.evaluation import evaluate_curves, evaluate_measures
from study.tables import comparison
from study.tables.answer import rows_sentence, threshold_row
from study.tables.areas import rankings, split_and_replicates
from study.text.tables import read_table, to_csv

REFERENCE = Path(__file__).parents[2] / "reference"


def kept(path):
    return pd.read_csv(REFERENCE / path)


@pytest.fixture(scope="module")
def compared():
    return comparison.compare_models(kept("paper/scores.csv.gz"), seed=2010)


def beside_replicates(curve, names):
    measures, summary = kept("paper/measures.csv"), kept("replicates/summary.csv")
    return split_and_replicates(measures, curve, names, summary, published_lookup())


def thresholds(result):
    scores = kept("paper/scores.csv.gz")
    scales = {name: score_scale(name, {}) for name in scores["model"].unique()}
    return comparison.threshold_table(result, scores, scales)


TABLES = {
    "paper/measures.csv": lambda _: evaluate_measures(kept("paper/scores.csv.gz")),
    "paper/curves.csv.gz": lambda _: evaluate_curves(kept("paper/scores.csv.gz")),
    "tables/table4.csv": lambda _: beside_replicates("hull", AREAS),
    "tables/table5.csv": lambda _: beside_replicates("raw", AREAS),
    "tables/operating_point.csv": lambda _: beside_replicates("hull", POINT_MEASURES),
    "tables/original.csv": lambda _: rankings(kept("original/measures.csv")),
    "tables/bounds.csv": lambda _: comparison.bounds_table(kept("paper/measures.csv")),
    "tables/intervals.csv": comparison.interval_table,
    "tables/tests.csv": comparison.test_table,
    "tables/thresholds.csv": thresholds,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_kept_table_follows_from_what_it_is_made_of(name, compared):
    found = pd.read_csv(io.StringIO(to_csv(TABLES[name](compared))))
    pd.testing.assert_frame_equal(found, kept(name), rtol=0, atol=2e-6, check_dtype=False)


def test_the_kept_answer_follows_from_the_kept_tables():
    answer = kept("tables/answer.csv")
    leaders = answer[answer["about"] == "leader"].to_dict("records")
    sample, scores = kept("paper/sample.csv"), kept("paper/scores.csv.gz")
    cuts = read_table(REFERENCE / "tables/thresholds.csv")
    told = {
        "rows": rows_sentence(sample, scores, {"minority": "bad"}),
        "threshold": threshold_row(cuts, leaders, "bad")["sentence"],
    }
    assert answer.set_index("about")["sentence"][[*told]].to_dict() == told
