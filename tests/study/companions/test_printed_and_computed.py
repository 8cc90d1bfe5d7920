"""What agrees and what does not, and the rule by which it does."""

import numpy as np
import pytest
from pytest import approx

from companions import study_companions
from study.companions.printed_and_computed import COLUMNS, compare_numbers

# How many numbers a source prints, and in their order the computed values that do not agree.
STORED = {
    "ben_david2008": (
        68,
        # Pc of Example 4 and of equation 10, equations 4 and 14 as printed
        [0.62, 0.62, 0.7, 0.35],
    ),
    "hand2009": (24, [0.584236, 1 - 1e-9]),
    "baker": (
        17,
        # 0.275 x 0.365; -2 p (1 - p) / (1 - 2 p (1 - p)) at p = 0.05; TP / FN; a counterexample
        [0.100375, -0.095 / 0.905, 4, 1],
    ),
    "silipo_widmann": (
        24,
        # (p_max - p_e) / (1 - p_e) of 30 and 40 bad among 300: p_max 29/30, p_e 119/150; the
        # prevalence of the largest kappa; the mean change of kappa in 12 draws of either order
        [(29 / 30 - 119 / 150) / (1 - 119 / 150), 0.310979, -0.066143, -0.044226],
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


def test_the_companion_that_fails_is_named(inputs, tmp_path, caplog):
    inputs.paper.to_csv(tmp_path / "table.csv")
    tables = dict.fromkeys(["paper", "original", "features"], tmp_path / "table.csv")
    settings = {"models": [], "seed": 1, "document": {"font": "sans", "width": "240pt"}}
    with pytest.raises(ModuleNotFoundError):
        study_companions(names=["nowhere"], tables=tables, files=[], **settings)
    assert caplog.messages == [
        "nowhere failed: remove it from the config key companions to get the others."
    ]
