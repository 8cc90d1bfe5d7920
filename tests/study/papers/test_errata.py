"""The sources' contradictions come out of our own computation, and follow the data."""

from pathlib import Path

import pandas as pd
import pytest

from study.papers import forensics, kaymak2010_experiment, silipo_widmann
from study.papers.errata import RunTables
from study.papers.studies import all_errata


@pytest.fixture(scope="module")
def recomputed():
    return all_errata(RunTables())


def test_errata_are_those_of_the_reference(recomputed):
    kept = pd.read_csv(Path(__file__).parents[2] / "reference/forensics/errata.csv")
    known = recomputed["status"] != "needs replicates"
    assert recomputed.loc[~known, "where"].nunique() < 5 < known.sum()
    pd.testing.assert_frame_equal(recomputed[known], kept[known], check_dtype=False)


def test_only_what_a_source_prints_can_be_contradicted(recomputed):
    assert recomputed["source"].nunique() == 5
    assert not recomputed.duplicated(["source", "where", "printed"]).any()
    assert set(recomputed.loc[recomputed["status"] == "contradicted", "kind"]) == {"printed"}


def test_errata_use_the_replicates(summary, reversal, given_auc):
    evidence = RunTables(summary, reversal, given_auc)
    other = summary[summary["model"] == "linear"]  # without the network
    for lacking in (RunTables(), RunTables(replicate_summary=other)):
        found = kaymak2010_experiment.typical_operating_point(lacking)
        assert found.status == "needs replicates"
    found = kaymak2010_experiment.typical_operating_point(evidence)
    assert "bad positive: f 0.13, t 0.40" in found.recomputed
    assert "bad positive: f 23.5, t 26.4" in found.verdict
    assert "with good as the positive class" in found.verdict
    found = kaymak2010_experiment.auk_at_the_published_auc(evidence)
    assert found.status == "unusual"
    assert "good positive: neural net 2.1 (10 of 274); bad positive: neural" in found.recomputed
    assert "2.1 with good positive and 5.9 with bad" in found.verdict
    found = kaymak2010_experiment.rank_reversal(evidence)
    assert found.status == "unusual"
    assert "of 1000 splits" in found.recomputed
    assert "to 3.1 %" in found.recomputed


@pytest.mark.parametrize(("high", "status"), [(0.09, "contradicted"), (0.25, "agrees")])
def test_smote_is_held_to_its_printed_rise(high, status):
    row = {"printed": 0.207, "kappa": 0.07, "high": high, "accuracy": -0.03, "share": 0.1}
    run = RunTables(silipo_grid=pd.DataFrame([row, row | {"kappa": -0.02}]))
    found = silipo_widmann.rise_of_kappa_by_smote(run)
    assert found.status == status
    assert "-0.020 to 0.070 over 2 settings; a rise as large in at most 10%" in found.recomputed


def test_another_printed_point_or_more_reversals_flip_the_status(monkeypatch, reversal):
    common = RunTables(rank_reversal=reversal.assign(share=0.4))
    assert kaymak2010_experiment.rank_reversal(common).status == "agrees"
    point = forensics.published_point()
    at_the_stated_prevalence = point._replace(kappa=forensics.Printed("0.106"))
    monkeypatch.setattr(kaymak2010_experiment, "published_point", lambda: at_the_stated_prevalence)
    found = kaymak2010_experiment.kappa_at_the_published_point(RunTables())
    assert found.status == "agrees"
