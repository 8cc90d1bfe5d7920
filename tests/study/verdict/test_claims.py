"""A claim is judged by the tables of the run, whatever they say."""

import pandas as pd
import pytest

from study.verdict.claims import RULES, from_checks
from study.verdict.facts import number_in_words, printed_statements


def checks(*rows):
    columns = ["study", "kind", "check", "found", "difference", "low", "high", "holds"]
    return {"companions/checks": pd.DataFrame(rows, columns=columns)}


ROW = ("kaymak", "printed", "Table 1: kappa", 0.64, -0.0002, None, None, True)


@pytest.mark.parametrize(
    ("answers", "verdict", "value"),
    [
        ((True, True), "holds", 0.3),
        ((True, None), "undecided", 0.3),
        ((False, None), "does not hold", 0.64),
    ],
)
def test_a_claim_holds_if_all_its_checks_do_and_shows_the_worst(answers, verdict, value):
    other = ("kaymak", "printed", "Table 1: other", 0.3, 0.01, 0.2, 0.4, answers[1])
    tables = checks((*ROW[:-1], answers[0]), other)
    found = from_checks(tables, "kaymak", ["Table 1"], "found")
    assert (found[0], found[1][0]) == (verdict, value)
    assert from_checks(tables, "kaymak", ["Table 2"], "found") is None
    assert from_checks({}, "kaymak", ["Table 1"], "found") is None


def reversals(**columns):
    base = {"pair": "auc-auk", "positive_class": "majority", "pattern": "any", "curve": "raw"}
    return pd.DataFrame({**base, **columns})


@pytest.mark.parametrize(
    ("rare", "verdict"),
    [((0.10, 0.20), "holds"), ((0.01, 0.03), "undecided"), ((0.0, 0.01), "does not hold")],
)
def test_whether_disagreement_grows_with_the_skew(rare, verdict):
    low, high = rare
    table = reversals(
        skew=[0.3, 0.02, 0.5],
        replicates=500,
        share=[0.03, sum(rare) / 2, 0.9],
        low=[0.02, low, 0.8],
        high=[0.04, high, 1.0],
    )
    found = RULES["differ_more_if_rare"]({"sweep/rank_reversal": table})
    assert found[0] == verdict
    assert (found[3]["rare"], found[3]["common"]) == (2, 30)


def test_alike_on_the_original_data_counts_both_curves():
    table = pd.concat(
        [
            reversals(skew=0.3, replicates=500, reversals=[k]).assign(curve=curve)
            for curve, k in (("raw", 0), ("hull", 1), ("both", 0))
        ]
    )
    verdict, (share, low, high), _, words = RULES["alike_on_original"](
        {"sweep/rank_reversal": table}
    )
    assert (verdict, share, words["n"]) == ("holds", 0.998, 500)
    assert low < share < high


@pytest.mark.parametrize(("inside", "verdict"), [(1.0, "holds"), (0.1, "does not hold")])
def test_areas_are_counted_where_they_are_published(inside, verdict):
    row = {"positive_class": "majority", "model": "linear", "measure": "auk", "low": 0.0}
    table = pd.DataFrame(
        [row | {"published": 0.17, "high": inside}, row | {"published": None, "high": 1}]
    )
    found = RULES["areas_inside_majority"](
        {"tables/table4": table, "tables/table5": table.iloc[:0]}
    )
    assert (found[0], found[1][0], found[3]["n"]) == (verdict, float(verdict == "holds"), 1)


def test_numbers_are_read_as_their_words_say():
    claim = {"claim": "x: share of splits", "value": 0.042, "low": 0.031, "high": 0.056}
    assert number_in_words(claim) == "4.2 % [3.1, 5.6]"
    assert number_in_words({"claim": "x: rows", "value": 786.0, "low": None, "high": None}) == "786"


def test_statements_are_counted_per_source():
    table = checks(ROW, (*ROW[:-1], None), (*ROW[:-1], False), ("hand", "ours", *ROW[2:]))
    (counted,) = printed_statements(table["companions/checks"])
    assert [counted[name] for name in ("agree", "disagree", "undecided")] == [1, 1, 1]
