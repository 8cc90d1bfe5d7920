"""The sources' contradictions come out of our own computation, and follow the data."""

import importlib

import pytest

from study import published
from study.papers import forensics, kaymak2010_experiment
from study.papers.errata import Evidence
from study.papers.studies import all_errata


@pytest.fixture(scope="module")
def recomputed():
    return all_errata(Evidence())


@pytest.mark.parametrize(
    ("where", "status", "text"),
    [
        ("Section 8, operating point", "contradicted", "0.106 at p = 0.11, 0.331 at p = 0.89"),
        ("Section 8 with Table 4", "inconsistent", "at most 0.6985 at p = 0.11"),
        ("Table 4, neural net", "contradicted", "0.0895 to 0.1331"),
        ("Table 4, linear", "contradicted", "0.1046 to 0.1493"),
        ("Table 5, neural net", "contradicted", "0.0397 to 0.1423"),
        ("Section 8", "contradicted", "786 or 787"),
        ("Section 2, below Table 1", "contradicted", "random 0.870"),
        ("Tables 1-3", "imprecise", "own p: 0.640, 0.589, 0.679"),
        ("Section 6", "imprecise", "differ by up to 0.000 at p = 0.5, 0.044 at 0.11"),
        ("AUC, tests", "imprecise", "with 5 + 5 rows"),
        ("AUC and kappa, differences", "contradicted", "up to"),
        ("Equation 14", "contradicted", "0.35 as printed, 0.65 with + FP"),
        ("Equation 4", "contradicted", "P = 0.70, Phat = 0.80"),
        ("Example 4", "contradicted", "Pc = 0.620, K = 0.474"),
        ("Equation 11", "imprecise", "0/0"),
        ("Expected agreement, on-task", "contradicted", "0.75 x 0.65 = 0.4875"),
        ("Maximum kappa of the improved model", "contradicted", "0.839 from the counts, 0.853"),
        ("Kappa against the class share", "contradicted", "0.552 at p = 0.311; 0.519 at p = 0.5"),
        ("Interpreting kappa", "imprecise", "-1.00 at p = 0.5, -0.60 at 0.25"),
        ("Data", "imprecise", "900 good rows from 700"),
    ],
)
def test_errata(recomputed, where, status, text):
    row = recomputed[recomputed["where"] == where].iloc[0]
    assert row["status"] == status
    assert text in row["recomputed"]


def test_each_erratum_concludes_no_more_than_its_own_numbers(recomputed):
    verdicts = recomputed.groupby("where")["verdict"].first()
    optimum = verdicts["Section 8 with Table 4"]
    assert "needs p above 0.2188" in optimum
    assert "0.2188 to 0.2204, or 0.8417 to 0.9787" in optimum
    point = verdicts["Section 8, operating point"]
    assert "0.483 to 0.518, or 0.886 to 0.899" in point
    assert "leaves all of these open" in point
    joint = verdicts["Table 4 and the operating point"]
    assert "operating point alone, which needs no integral, leaves 0.483" in joint
    assert "Together they leave the majority class (good)" in joint


def test_every_erratum_names_the_function_that_recomputes_it(recomputed):
    assert recomputed["source"].nunique() == 5
    assert not recomputed.duplicated(["source", "where", "printed"]).any()
    for name in recomputed["function"]:
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function))
    assert not recomputed.isna().any().any()
    # Only what a source prints can be contradicted.
    assert set(recomputed.loc[recomputed["status"] == "contradicted", "kind"]) == {"printed"}
    assert set(recomputed["kind"]) == {"printed", "derived", "ours"}


def typical(table):
    return table[table["function"].str.endswith("typical_operating_point")].iloc[0]


def test_errata_use_the_replicates(summary, reversal, given_auc):
    assert typical(all_errata(Evidence()))["status"] == "needs replicates"
    table = all_errata(Evidence(summary, reversal, given_auc))
    assert "bad positive: f 0.13, t 0.40" in typical(table)["recomputed"]
    row = table[table["function"].str.endswith("auk_at_the_published_auc")].iloc[0]
    assert row["status"] == "unusual"
    assert "good positive: neural net 2.1 (10 of 274); bad positive: neural" in row["recomputed"]
    assert "2.1 with good positive and 5.9 with bad" in row["verdict"]
    assert "needs replicates" not in set(table["status"])
    assert "bad positive: f 23.5, t 26.4" in typical(table)["verdict"]
    assert "with good as the positive class" in typical(table)["verdict"]
    row = table[table["function"].str.endswith("rank_reversal")].iloc[0]
    assert row["status"] == "unusual"
    assert "of 1000 splits" in row["recomputed"]
    assert "to 3.1 %" in row["recomputed"]


def test_a_summary_without_the_network_is_like_none(summary):
    other = summary[summary["model"] == "linear"]
    assert typical(all_errata(Evidence(replicate_summary=other)))["status"] == "needs replicates"


def test_another_printed_point_or_more_reversals_flip_the_status(monkeypatch, reversal):
    common = Evidence(rank_reversal=reversal.assign(share=0.4))
    assert kaymak2010_experiment.rank_reversal(common).status == "agrees"
    point = forensics.published_point()
    at_the_stated_prevalence = point._replace(kappa=forensics.Printed("0.106"))
    monkeypatch.setattr(kaymak2010_experiment, "published_point", lambda: at_the_stated_prevalence)
    found = kaymak2010_experiment.kappa_at_the_published_point(Evidence())
    assert found.status == "agrees"


def test_a_missing_number_is_named_and_the_rest_goes_on(blank_number):
    line = blank_number("kaymak,Table 4,hull,neural_net,auk,")
    named = "kaymak, Table 4, hull, neural_net, auk has no value, so it is left out."
    assert published.missing_numbers() == [f"published.csv, line {line}: {named}"]
    found = kaymak2010_experiment.table4_neural_net(Evidence())
    assert found.status == "not compared"
    assert found.verdict.startswith("published.csv has no AUC with AUK for Table 4, neural_net")
    assert kaymak2010_experiment.number_of_samples(Evidence()).status == "contradicted"
