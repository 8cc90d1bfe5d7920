"""The sentences over the study's figures follow from their tables."""

import pandas as pd

from many_data_sets.figures import figure_families, figure_measures


def sentence(figure):
    return next(" ".join(t.get_text().split()) for t in figure.texts if t.get_gid() == "sentence")


def test_the_best_measure_stands_first_whatever_it_is():
    rows = {"h": (3.04, 2.0), "auk": (-1.0, 1.0), "ks": (9.0, -9.0)}
    table = pd.DataFrame(
        [(n, name, value) for name, both in rows.items() for n, value in enumerate(both, 1)],
        columns=["round", "measure", "difference"],
    ).assign(goal="mean", low=-10.0, high=10.0, predicted_low=-20.0, predicted_high=20.0)
    assert sentence(figure_measures(table)) == (
        "Points gained on AUC: H, Beta(2, 2) +3.0 (round 1's data sets) and +2.0 (new sources), "
        "AUK \N{MINUS SIGN}1.0 (round 1's data sets) and +1.0 (new sources)"
    )


def test_data_sets_are_counted_by_round():
    table = pd.DataFrame(
        {"round": [1, 1, 2], "family": ["a", "b", "c"], "auk": [1.0, -1.0, 2.0]}
        | {"log_loss": [1.0, 1.0, -1.0], "auk_mc_sd": 1.0, "log_loss_mc_sd": 1.0}
    )
    assert sentence(figure_families(table)) == (
        "Data sets in which a measure leads AUC: AUK 1 of 2 (round 1's data sets) and 1 of 1 "
        "(new sources), log loss 2 of 2 (round 1's data sets) and 0 of 1 (new sources)"
    )
