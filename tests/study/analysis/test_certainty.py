"""How reliably a measure ranks two models, against hand-computed values."""

from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp

from study.analysis.certainty import COMPARED, ranking_certainty

PAIR = ("linear", "neural_net")


def rows(linear, network):
    """Replicates whose AUCs are given; all other measures are noise that favours nobody."""
    rng = np.random.default_rng(len(linear))
    tables = []
    for model, auc in zip(PAIR, (linear, network), strict=True):
        values = {name: rng.random(len(auc)) for name in COMPARED} | {"auc": auc}
        place = {"model": model, "positive_class": "good", "curve": "raw"}
        tables.append(pd.DataFrame({"replicate": range(len(auc)), **place, **values}))
    return pd.concat(tables, ignore_index=True)


def auc_row(table):
    return table.set_index("measure").loc["auc"]


def test_by_hand():
    one = auc_row(ranking_certainty(rows([0.8, 0.7, 0.9, 0.6], [0.7, 0.5, 0.9, 0.7]), PAIR))
    lead = np.array([0.1, 0.2, 0.0, -0.1])
    assert one["better"] == "linear"
    assert one["replicates"] == 4
    assert one["effect"] == pytest.approx(0.05 / np.sqrt(0.05 / 3))
    # The t statistic of the paired test is the effect times the root of n.
    assert one["effect"] * 2 == pytest.approx(ttest_1samp(lead, 0).statistic)
    assert one["share"] == 0.5  # a tie is not ahead


def test_the_other_model_may_be_better():
    there = auc_row(ranking_certainty(rows([0.8, 0.7, 0.9], [0.7, 0.5, 0.9]), PAIR))
    back = auc_row(ranking_certainty(rows([0.7, 0.5, 0.9], [0.8, 0.7, 0.9]), PAIR))
    assert (there["better"], back["better"]) == PAIR
    numbers = ["effect", "effect_low", "effect_high", "share", "low", "high"]
    assert there[numbers].tolist() == pytest.approx(back[numbers].tolist())


def test_interval_of_the_effect_holds_the_truth_as_often_as_it_says(rng):
    """Leads are normal with mean 1 and standard deviation 1, so the effect is 1."""
    held = []
    for _ in range(80):
        leads = {name: rng.normal(1, 1, 100) for name in COMPARED}
        table = rows(np.zeros(100), np.zeros(100)).assign(**dict.fromkeys(COMPARED, 0.0))
        table.loc[table["model"] == "linear", list(COMPARED)] = pd.DataFrame(leads).to_numpy()
        found = ranking_certainty(table, PAIR)
        held += ((found["effect_low"] < 1) & (found["effect_high"] > 1)).tolist()
    assert len(held) == 400
    assert 0.92 < np.mean(held) < 0.98
    # A normal lead is ahead with the probability that belongs to its effect.
    one = auc_row(ranking_certainty(rows(rng.normal(1, 1, 20_000), np.zeros(20_000)), PAIR))
    assert one["low"] < NormalDist().cdf(1) < one["high"]


@pytest.mark.parametrize("equal", [[0.5, 0.5, 0.5], [0.7]])
def test_without_spread_there_is_no_effect(equal):
    one = auc_row(ranking_certainty(rows(equal, equal), PAIR))
    assert np.isnan(one["effect"])
    assert one["share"] == 0


def test_a_lead_that_is_the_same_in_every_split_has_no_noise_to_be_told_by():
    # The mean of equal numbers is not always equal to them: rounding alone is no spread.
    one = auc_row(ranking_certainty(rows(np.full(11, 0.7), np.full(11, 0.6)), PAIR))
    assert np.isnan(one["effect"])
    assert one["share"] == 1
