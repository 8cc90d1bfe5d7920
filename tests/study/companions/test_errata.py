"""The sources' contradictions come out of our own computation, and follow the data."""

from pathlib import Path

import pandas as pd
import pytest

from study.companions import kaymak2010_experiment
from study.companions.errata import all_errata
from study.published import Printed


def of(function, **tables):
    errata = all_errata(tables)
    return errata[errata["function"].str.endswith(f".{function}")].iloc[0]


@pytest.mark.parametrize(("high", "status"), [(0.09, "contradicted"), (0.25, "agrees")])
def test_smote_is_held_to_its_printed_rise(high, status):
    row = {"of_matrices": 0.207, "kappa": 0.07, "high": high, "accuracy": -0.03, "share": 0.1}
    grid = pd.DataFrame([row, row | {"kappa": -0.02}])
    found = of("rise_of_kappa_by_smote", silipo_grid=grid)
    assert found["status"] == status
    assert "-0.020 to 0.070 over 2 settings; a rise as large in at most 10%" in found["recomputed"]


def test_another_printed_point_or_more_reversals_flip_the_status(monkeypatch):
    kept = Path(__file__).parents[2] / "reference/tables/rank_reversal.csv"
    common = pd.read_csv(kept).assign(share=0.4)
    assert of("rank_reversal", rank_reversal=common)["status"] == "agrees"
    point = kaymak2010_experiment.published_point()
    at_the_stated_prevalence = point._replace(kappa=Printed("0.106"))
    monkeypatch.setattr(kaymak2010_experiment, "published_point", lambda: at_the_stated_prevalence)
    assert of("kappa_at_the_published_point")["status"] == "agrees"
