"""Sweep and sensitivity: scenarios as they are stored, and those that the data can't give."""

import numpy as np
import pandas as pd
import pytest

from study.errors import ExperimentError, ImpossibleError
from study.experiment.files import nothing_drawn, read_measures, read_scenarios, write_parquet
from study.printed import PAPER_PAIR
from study.tables.reversals import count_reversals, distance_from_splits, printed_areas
from study.tables.sensitivity import sensitivity_table
from study.tables.sweep import sweep_tables

ROWS = {"majority": 700, "minority": 86, "n_train": 500}


@pytest.fixture
def draw_splits():
    """Splits whose areas lie about the printed ones, of two models."""

    def draw(n, models=PAPER_PAIR, seed=1):
        rng = np.random.default_rng(seed)
        areas = printed_areas() + rng.normal(scale=0.03, size=(n, 2, 2, 2))
        tables = []
        for i, curve in enumerate(("hull", "raw")):
            for j, model in enumerate(models):
                for side in ("majority", "minority"):
                    values = {"auc": areas[:, 0, i, j], "auk": areas[:, 1, i, j], "h": 0.1}
                    place = {"model": model, "positive_class": side, "curve": curve}
                    tables.append(pd.DataFrame({"replicate": range(n), **place, **values}))
        return areas, pd.concat(tables, ignore_index=True).assign(ks=0.2, kappa_max=0.3)

    return draw


def test_parts_are_read_as_scenarios_with_the_reason_of_those_that_are_missing(
    draw_splits, tmp_path
):
    _, measures = draw_splits(6)
    (tmp_path / "paper").mkdir()
    (tmp_path / "skew_0.9").mkdir()
    parts = [tmp_path / "paper" / f"built_in-000{number}.parquet" for number in (0, 1)]
    for number, path in enumerate(parts):
        part = measures[measures["replicate"] // 3 == number]
        part.attrs = ROWS
        write_parquet(part, path)
    empty = tmp_path / "skew_0.9" / "built_in-0000.parquet"
    write_parquet(nothing_drawn("too few rows."), empty)
    scenarios = read_scenarios([*parts, empty])
    assert list(scenarios) == ["paper", "skew_0.9"]
    assert len(scenarios["paper"]) == len(measures) and scenarios["paper"].attrs == ROWS
    assert str(scenarios["skew_0.9"]) == "too few rows."
    with pytest.raises(ImpossibleError, match="too few"):
        read_measures([empty])


def test_the_sweep_has_its_levels_in_order_and_says_why_one_is_missing(draw_splits):
    _, measures = draw_splits(20)
    measures.attrs = ROWS
    few = measures.copy()
    few.loc[few["replicate"] == 3, ["auc", "auk", "h"]] = np.nan  # not ks
    few.attrs = ROWS | {"minority": 14}
    scenarios = {"paper": measures, "skew_0.02": few, "skew_0.9": ImpossibleError("too few.")}
    levels = {0.9: "skew_0.9", 0.11: "paper", 0.02: "skew_0.02"}
    tables = sweep_tables(scenarios, levels, PAPER_PAIR)
    assert tables.levels["skew"].tolist() == [0.02, 0.11, 0.9]
    assert tables.levels["minority"].tolist()[:2] == [14, 86]
    assert tables.levels["minority_in_test"].tolist()[1] == pytest.approx(286 * 86 / 786)
    assert tables.levels["undefined"].tolist()[:2] == [1, 0]
    assert tables.levels["reason"].tolist()[2] == "too few."
    columns = "skew,model,positive_class,curve,measure,replicates,undefined,mean,sd,low,median,high"
    assert ",".join(tables.measures) == columns
    assert list(tables.measures["skew"].unique()) == [0.02, 0.11]
    kind = {"model": "linear", "positive_class": "minority", "curve": "hull", "measure": "auk"}
    row = tables.measures.query("skew == 0.11").set_index([*kind]).loc[tuple(kind.values())]
    own = measures.query("model == 'linear' and positive_class == 'minority' and curve == 'hull'")
    assert row["mean"] == pytest.approx(own["auk"].mean())
    assert set(tables.reversals.groupby("skew")["replicates"].first()) == {19, 20}
    with pytest.raises(ExperimentError, match=r"sweep\.skew: the data can give no share: too few"):
        sweep_tables(scenarios, {0.9: "skew_0.9"}, PAPER_PAIR)


def test_sensitivity_by_hand(draw_splits):
    areas, measures = draw_splits(50)
    _, other = draw_splits(40, ("linear", "neural_net_lm"), seed=2)
    scenarios = {
        "paper": measures,
        "matlab_network": other,
        "at_cost": measures,
        "768_rows": ImpossibleError("too few."),
    }
    changes = {
        "matlab_network": {"models": ["linear", "neural_net_lm"]},
        "at_cost": {"cost_ratio": 5},
        "768_rows": {"sampling": "total", "total": 768},
    }
    table = sensitivity_table(scenarios, changes, PAPER_PAIR, "majority", has_printed=True)
    table = table.set_index("scenario")
    paper = table.loc["paper"]
    means = areas[:, :, 0].mean(axis=0).T.ravel()
    assert paper[["auc_a", "auk_a", "auc_b", "auk_b"]].tolist() == pytest.approx(list(means))
    assert paper["reversals"] == count_reversals(areas) and paper["replicates"] == 50
    # The printed areas are the centre of these splits: nearly all lie farther out.
    assert paper["distance"] < 1 and paper["splits_farther"] >= 45
    # Eight areas have no covariance that can be inverted in nine splits less the one left out.
    few, enough = (distance_from_splits(areas[:n], printed_areas())["distance"] for n in (9, 10))
    assert np.isnan(few) and np.isfinite(enough)
    matlab = table.loc["matlab_network"]
    assert matlab["model_b"] == "neural_net_lm"
    assert matlab["change"] == "models: linear and neural_net_lm"
    # A Monte Carlo error of .03 / sqrt(40) = .005 allows two decimals.
    assert matlab["auc_b"] == round(matlab["auc_b"], 2) != 0
    assert pd.isna(table.loc["at_cost", "distance"]) and pd.notna(table.loc["at_cost", "share"])
    assert table.loc["768_rows", "reason"] == "too few."
    assert table.loc["768_rows", "change"] == "sampling: total, total: 768"
    assert table.loc["768_rows", "replicates"] == 0
    own = sensitivity_table({"experiment": measures}, {}, PAPER_PAIR, "minority", has_printed=False)
    assert own["distance"].isna().all()
