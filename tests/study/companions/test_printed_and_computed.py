"""What agrees and what does not, and the rule by which it does."""

import numpy as np
import pytest
from pytest import approx

from companions import study_companions
from study.companions.printed import COLUMNS, compare_numbers

# How many numbers a source prints, and in their order the computed values that do not agree.
STORED = {
    "ben_david2008": (
        53,
        # Pc of Example 4, equations 4 and 14 as printed
        [0.62, 0.7, 0.35],
    ),
    "hand2009": (23, [1 - 1e-9]),
    "baker": (
        17,
        # 0.275 x 0.365; -2 p (1 - p) / (1 - 2 p (1 - p)) at p = 0.05; TP / FN; a counterexample
        [0.100375, -0.095 / 0.905, 4, 1],
    ),
    "silipo_widmann": (
        23,
        # (p_max - p_e) / (1 - p_e) of 30 and 40 bad among 300: p_max 29/30, p_e 119/150; the
        # prevalence of the largest kappa
        [(29 / 30 - 119 / 150) / (1 - 119 / 150), 0.310979],
    ),
}


@pytest.mark.parametrize("name", STORED)
def test_what_agrees_and_what_does_not(study, name):
    n_printed, differing = STORED[name]
    table = study(name).table
    assert len(table) == n_printed
    wrong = table[table["agrees"] == "no"]
    assert wrong["computed"].tolist() == approx(differing, abs=1e-6)
    assert wrong["note"].str.len().min() > 0


def test_a_number_agrees_if_it_rounds_to_the_printed_digits():
    place = "Worked example", "kappa"
    for computed, agrees in ((0.52949, "yes"), (0.52951, "no")):
        table = compare_numbers("Baker", {place: computed})
        assert list(table) == COLUMNS
        assert table.to_numpy().tolist() == [["Baker", *place, "0.529", computed, agrees, ""]]
    zero = compare_numbers("Ben-David 2008", {("Example 1", "K"): -1e-17})
    assert zero["agrees"].item() == "yes" and not np.signbit(zero["computed"].item())


def test_one_run_is_rare_or_not_by_the_runs_that_show_as_much():
    place = "Figure 2, SMOTE", "change of kappa"
    named = {place: {"runs": 150, "as_large": 2, "leak": 0}}
    for as_large, word in ((2, "rare"), (3, "yes")):  # Wilson's upper ends: 4.7 and 5.7 %
        runs = {place: (as_large, 150)}
        table = compare_numbers("Silipo & Widmann", {place: -0.02}, named, runs)
        assert table["agrees"].tolist() == [word]


def test_the_companion_that_fails_is_named(inputs, tmp_path, caplog):
    inputs.paper.to_csv(tmp_path / "table.csv")
    tables = dict.fromkeys(["paper", "original", "features"], tmp_path / "table.csv")
    settings = {"models": [], "seed": 1, "document": {"font": "sans", "width": "240pt"}}
    with pytest.raises(ModuleNotFoundError):
        study_companions(names=["nowhere"], tables=tables, page="", files=[], **settings)
    assert caplog.messages == [
        "nowhere failed: remove it from the config key companions to get the others."
    ]
