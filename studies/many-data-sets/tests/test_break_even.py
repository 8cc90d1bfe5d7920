"""The theory of docs/theory.md against the library's own influence functions and areas."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from kappacurve.inference import influence
from many_data_sets import break_even as theory
from many_data_sets.break_even import break_even, efficiency, noise, simulated_table

HALF = 3000
KEPT = Path(__file__).parents[1] / "kept"


@pytest.mark.parametrize(("p", "separation", "cost"), [(0.02, 1.0, 0.5), (0.1, 2.5, 0.9)])
def test_the_noise_is_that_of_the_librarys_influence_functions(p, separation, cost):
    quantile = norm.ppf((np.arange(HALF) + 0.5) / HALF)
    score, label = np.r_[quantile + separation, quantile], np.arange(2 * HALF) < HALF
    found = influence(label, score, pos_label=True, prevalence=p, cost=cost)
    expected = noise(p, separation, 0.0, cost)  # uncorrelated: twice the variance of one model
    assert 2 * found[label].var() == pytest.approx(expected.positive, rel=0.01)
    assert 2 * found[~label].var() == pytest.approx(expected.negative, rel=0.01)


def test_both_are_equally_certain_at_the_break_even_and_auk_gains_beyond_it():
    ratio = break_even(0.05, 1.25, 0.5, 0.5)
    assert efficiency(0.05, 1.25, 0.5, 0.5, ratio) == pytest.approx(1, abs=1e-9)
    assert efficiency(0.05, 1.25, 0.5, 0.5, 2 * ratio) > 1
    assert efficiency(0.05, 1.25, 0.5, 0.5, ratio / 2) < 1
    assert np.isnan(break_even(0.2, 1.0, 0.5, 0.8))  # cost 1 - p: AUK is AUC less one half


def test_the_kept_map_is_that_of_the_theory():
    kept = pd.read_csv(KEPT / "break_even.csv")
    points = (theory.PREVALENCES, theory.SEPARATIONS, theory.CORRELATIONS, theory.COSTS)
    assert [kept[name].unique().tolist() for name in [*kept][:4]] == [*map(list, points)]
    assert len(kept) == 7 * 11 * 2 * 2
    for *point, ratio in kept[::17].to_numpy().tolist():
        assert break_even(*point) == pytest.approx(ratio, abs=1e-6, nan_ok=True)


def test_simulated_efficiencies_agree_with_the_theory(monkeypatch):
    kept = pd.read_csv(KEPT / "break_even_simulated.csv")
    z = (kept["simulated"] - kept["predicted"]) / kept["standard_error"]
    assert len(z) == 12 and z.abs().max() < 3 and (z**2).sum() < 28.3  # 99.5 % of chi square
    one = kept.query("prevalence == 0.3 and separation == 2").reset_index(drop=True)
    monkeypatch.setattr(theory, "SIMULATED", ((0.3,), (2.0,)))
    pd.testing.assert_frame_equal(simulated_table(2010), one, atol=1e-6, rtol=0)
