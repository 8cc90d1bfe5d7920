"""What the published numbers imply about prevalence and test set."""

from functools import cache

import pytest

from study.pages.paper_figures import figure_prevalence
from study.papers.kaymak2010_experiment import JOINT, counts_table, prevalence_table, runs_in_words
from study.papers.studies import all_errata
from study.published import missing_numbers

prevalences = cache(prevalence_table)


def intervals(table, *wanted):
    chosen = (table[["place", "model", "rule"]] == list(wanted)).all(axis="columns")
    return table.loc[chosen, ["low", "high"]].to_numpy().ravel().tolist()


def test_prevalences_of_table_4_and_the_operating_point():
    table = prevalences()
    network = intervals(table, "Table 4", "neural_net", "exact")
    assert network == pytest.approx([0.2004, 0.3052, 0.7596, 0.9787], abs=1e-4)
    linear = intervals(table, "Table 4", "linear", "exact")
    assert linear == pytest.approx([0.1385, 0.2204, 0.8417, 1.0], abs=1e-4)
    both = intervals(table, "Table 4", "all", "exact")
    assert both == pytest.approx([0.2004, 0.2204, 0.8417, 0.9787], abs=1e-4)
    assert intervals(table, JOINT, "all", "exact") == pytest.approx([0.886, 0.899], abs=6e-4)


def test_only_the_trapezoid_rule_leaves_table_4_possible_as_stated():
    table = prevalences().query("place == 'Table 4' and model != 'all'")
    assert table.groupby("rule")["possible"].all().to_dict() == {
        "exact": False,
        "trapezoid": True,
    }


def test_counts():
    table = counts_table((150, 320), (0.09, 0.13), (268, 286))
    fits = table[table["compositions"] > 0]
    by_digits = fits.groupby("digits")["n_test"].apply(runs_in_words)
    assert by_digits.to_dict() == {
        "rounded": "186-187, 232-234, 279-281",
        "truncated": "187-189, 234-236, 280-283",
    }
    assert set(fits["positive_class"]) == {"good"}
    best = fits.query("n_test == 280 and digits == 'rounded'").iloc[0]
    assert best[["n_bad", "false_positives", "true_positives"]].tolist() == [30, 18, 232]
    assert best["kappa"] == pytest.approx(0.328, abs=5e-5)
    assert best["aucs_possible"]
    assert set(table.loc[table["n_test"].isin([268, 286]), "compositions"]) == {0}


def test_a_missing_number_is_said_and_the_rest_goes_on(blank_number, caplog):
    line = blank_number("kaymak,Section 8,hull,neural_net,tpr,")
    named = "kaymak, Section 8, hull, neural_net, tpr has no value, so it is left out."
    assert missing_numbers() == [f"published.csv, line {line}: {named}"]
    table = prevalence_table()
    assert "published.csv has no value for Section 8, hull, neural_net, tpr: fill" in caplog.text
    assert set(table["place"]) == {"Table 4", "Table 5"}
    assert counts_table((270, 290), (0.09, 0.13), (268,)).empty
    errata = all_errata({}).set_index("where")
    assert errata.loc["Table 4, linear", "status"] == "contradicted"
    assert "not compared" in set(errata.loc["Section 8, operating point", "status"])
    figure_prevalence()
