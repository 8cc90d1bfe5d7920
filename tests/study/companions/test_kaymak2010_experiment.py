"""What the published numbers imply about prevalence and test set."""

from study.companions.kaymak2010_experiment import counts_table, prevalence_table, runs_in_words
from study.companions.studies import all_errata
from study.figures.paper_figures import figure_prevalence
from study.published import missing_numbers


def test_runs_in_words():
    assert runs_in_words([187, 186, 234, 232, 233, 281]) == "186-187, 232-234, 281"


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
