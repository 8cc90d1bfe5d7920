"""The verdict follows the data: change the tables, and its sentences change."""

import json

import pandas as pd
import pytest

from study.papers.forensics import counts_table, prevalence_table
from study.published import AREAS, OPERATING_POINT, comparison
from study.verdict.facts import Results, verdict_facts
from study.verdict.text import verdict_text


@pytest.fixture(scope="module")
def allowed():
    """Tables that do not depend on the run."""
    return prevalence_table(), counts_table((270, 290), (0.09, 0.13), (268,))


@pytest.fixture
def facts(allowed):
    def of(measures, **more):
        tables = (
            comparison(measures, "hull", AREAS),
            comparison(measures, "raw", AREAS),
            comparison(measures, "hull", OPERATING_POINT),
        )
        return verdict_facts(Results(*tables, *allowed, **more))

    return of


@pytest.fixture
def verdict_of(facts):
    return lambda measures, **more: verdict_text(facts(measures, **more))


def test_verdict_of_one_split(verdict_of, measures):
    text = verdict_of(measures)
    assert "Table 4: **yes**; 4 of 4 values with good positive and 2 of 4" in text
    assert "Operating point: **yes**; 3 of 3 values with good positive" in text
    assert "Table 5: **not digit for digit**" in text
    assert "Table 4, good positive: reversal as published" in text
    assert "That holds 0.89: the majority class (good) was the positive one" in text
    assert "How often random splits show it needs replicates." in text
    assert "nan" not in text
    changed = verdict_of(measures.assign(auk=0.01, auk_trapezoid=0.01))
    assert "Table 4: **not digit for digit**; 2 of 4 values with good" in changed
    assert "Rank reversal: **no**" in changed


def test_verdict_of_replicates(verdict_of, measures, summary, reversal):
    text = verdict_of(measures, replicate_summary=summary, rank_reversal=reversal)
    assert "4 of 4 values with good positive and 2 of 4 values with bad positive lie in" in text
    assert "95 % in 0.7093 to 0.7893; the published value is inside (percentile 50.0)" in text
    assert "31 of 1000, 3.1% (95 % interval 2.2% to 4.4%)" in text
    assert "Rank reversal: **rare**" in text
    # 0.6781 is just below what the made-up replicates of the raw curve reach.
    assert "Table 5, neural net, AUC: 0.6781 lies outside" in text
    assert "- Table 4, linear" not in text
    low = summary.assign(high=summary["high"] - 0.04 - 0.03)
    outside = verdict_of(measures, replicate_summary=low, rank_reversal=reversal)
    assert "Table 4, linear, AUC: 0.7493 lies outside the central 95 %" in outside


def test_verdict_of_specifications(verdict_of, measures):
    table = pd.DataFrame(
        {
            "positive_class": ["good", "good", "bad", "bad"],
            "distance": [3.21, 4.0, 9.5, 20.0],
            "share_farther": [0.44, 0.1, 0.0, 0.0],
        }
    )
    text = verdict_of(measures, specification=table)
    assert "in 11 dimensions a typical replicate lies 3.3 away" in text
    assert "with good positive they lie 3.2 to 4.0 standard units" in text
    assert "10.0% to 44.0% of these lie farther out" in text


def test_verdict_of_both_networks(verdict_of, measures, summary):
    lm = summary[summary["model"] == "neural_net"].assign(model="neural_net_lm")
    far = (lm["measure"] == "kappa_max") & (lm["curve"] == "hull")
    lm.loc[far, ["low", "high"]] = [0.02, 0.31]
    both = measures[measures["model"] == "neural_net"].assign(model="neural_net_lm")
    text = verdict_of(pd.concat([measures, both]), replicate_summary=pd.concat([summary, lm]))
    line = next(one for one in text.splitlines() if one.startswith("- Operating point"))
    assert "with neural net (LM) in part**" in line
    assert "with neural net 3 of 3 values with good" in line
    assert "with neural net (LM) 2 of 3 values with good" in line
    assert "Table 4: **yes, value by value, if the good class is the positive one**" in text
    assert "with either network 4 of 4 values with good positive" in text
    assert "Operating point, neural net (LM), maximum kappa: 0.328 lies outside" in text


def test_verdict_says_that_a_pair_is_unusual_for_its_auc(verdict_of, measures, given_auc):
    text = verdict_of(measures, auk_given_auc=given_auc)
    short = text.partition("\n## ")[0]
    assert "unusual even with good positive" in short
    assert "reach it): neural net z 2.1 (10 of 274)." in short
    assert "with bad positive neural net z 5.9 (0 of 274)" in text
    less = given_auc.assign(z=given_auc["z"].where(given_auc["z"] > 5, 1.9))
    assert "even with good" not in verdict_of(measures, auk_given_auc=less)


def test_verdict_of_the_reversal_under_every_reading(verdict_of, measures, summary, reversal):
    large = reversal.assign(pattern="as_large", reversals=0)
    rows = {"positive_class": ["good", "bad"], "integration": ["exact", "trapezoid"]}
    rows |= {"distance": [3.0, 9.0], "share_farther": [0.4, 0.0], "replicates": [200, 200]}
    for curve, shares, counts in (
        ("raw", [0.01, 0.075], [0, 0]),
        ("hull", [0.02, 0.03], [0, 4]),
        ("both", [0.0, 0.035], [0, 0]),
    ):
        rows |= {f"reversal_share_{curve}": shares, f"as_large_{curve}": counts}
    more = {"replicate_summary": summary, "specification": pd.DataFrame(rows)}
    text = verdict_of(measures, rank_reversal=pd.concat([reversal, large]), **more)
    assert "in 0.0% to 3.5% of random splits on hull and raw curve both" in text
    assert "in 1.0% to 7.5% on one of the two" in text
    assert "on both curves never; on one curve with the exact AUK never" in text
    assert "on one curve with the trapezoid AUK in up to 2.0%" in text


def test_verdict_without_the_papers_models(verdict_of, measures):
    other = measures.assign(model=measures["model"].replace({"linear": "forest"}))
    text = verdict_of(other[other["model"] == "forest"])
    assert "Table 4: **unknown**; the run has no model to compare." in text


def test_facts_survive_json(facts, verdict_of, measures, reversal):
    found = json.loads(json.dumps(facts(measures, rank_reversal=reversal)))
    assert verdict_text(found) == verdict_of(measures, rank_reversal=reversal)
