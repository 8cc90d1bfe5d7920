"""Verdicts follow from csv files alone: the run's, and others when a number in them is another."""

import numpy as np
import pandas as pd
import pytest

from study.paper.claims import CLAIMS, COLUMNS, PAPER, judge_claims

SETTINGS = {name: usual[0] for name, usual in PAPER.items()}
# The sixteen words of a run, and what their evidence has to say.
OF_THE_RUN = [
    ("better_measure", "open", "2.2 points [0.4, 4.0] on 43 data sets, -0.3 [-2.8, 1.8] on 13 oth"),
    ("more_powerful_choice", "open", "0.3 points [-0.3, 0.9]; 0 is a random choice, 100 the best"),
    ("more_powerful_test", "open", "2.2 percentage points more often [0.5, 3.8] at 5 % positives"),
    ("solves_key_problem", "partly", "by 0.707 more for one of two examples"),
    ("reversal", "rare", "0.9 % [0.5, 1.7] of 1000 splits, good positive; 0.7 % [0.3, 1.4] bad"),
    ("alike_on_original", "holds", "99.8 % [98.9, 100.0] of 500 splits"),
    ("table4", "only if", "at an AUC of 0.7493 the AUK is at most 0.149; 0.1672 is printed"),
    ("table5", "only if", "at an AUC of 0.6781 the AUK is at most 0.142; 0.1449 is printed"),
    ("operating_point", "only if", "at 11 % positives kappa is 0.106"),
    ("tables_in_our_splits", "only if", "bad positive none of 1000 splits lies farther out than"),
    ("samples_768", "fails", "it leaves 786"),
    ("rankings_differ", "holds", "4.2 % [3.1, 5.6] of 1000 splits"),
    ("skew_aware", "holds", "0 exceptions in 500 cases"),
    (
        "function_of_auc",
        "partly",
        "0.81 and 0.89 over splits; at one AUC the AUK can differ by 0.044",
    ),
    ("objective", "fails", "one curve has 0.148, and 0.141 with the other class positive"),
    ("unique_maximum", "holds", "100.0 % [99.8, 100.0] of 2,000 curves"),
]
CONDITIONS = {
    "table4": "89 % are positive, or the area is a coarse trapezoid sum",
    "table5": "the share is a little above 11 %, or 89 % are positive",
    "operating_point": "89 % are positive, or 0.328 is no kappa but 0.928 - 0.60",
    "tables_in_our_splits": "good is the positive class",
}


def judged(tables, **settings):
    return judge_claims(tables, SETTINGS | settings).set_index("key")


def test_the_sixteen_claims_of_a_run(tables):
    table = judge_claims(tables, SETTINGS)
    assert list(table) == COLUMNS
    assert table["number"].tolist() == list(range(1, 17))
    words = [(key, word) for key, word, _ in OF_THE_RUN]
    assert list(zip(table["key"], table["verdict"], strict=True)) == words
    for (_, _, text), evidence in zip(OF_THE_RUN, table["evidence"], strict=True):
        assert text in evidence
    assert dict(table.loc[table["condition"] != "", ["key", "condition"]].to_numpy()) == CONDITIONS
    groups = {"The conclusion": 4, "The example": 7, "The measure": 5}
    assert table.groupby("group", sort=False).size().to_dict() == groups
    assert all(len(item.quote.split()) <= 25 for item in CLAIMS)


ALL_DIFFER = {"share": 0.98, "low": 0.97, "high": 0.99}
# A claim, its table, the rows (by a column) whose numbers become others, and the word then.
CHANGES = [
    ("better_measure", "earlier_rounds", "key", "choice_25_at_5_new", {"low": 0.1}, "holds"),
    ("better_measure", "earlier_rounds", "key", "choice_25_at_5_new", {"high": -0.1}, "partly"),
    ("more_powerful_choice", "results", "key", "choice", {"low": 0.1}, "holds"),
    ("more_powerful_choice", "results", "key", "choice", {"high": -0.1}, "fails"),
    ("more_powerful_test", "results", "key", "false_direction", {"low": 0.1}, "partly"),
    ("more_powerful_test", "results", "key", "power_four_costs", {"low": 0.1}, "holds"),
    ("solves_key_problem", "cases", "key", "equal_costs", {"value": 0.0}, "holds"),
    ("solves_key_problem", "cases", "key", "one_cost", {"value": 0.1}, "fails"),
    ("reversal", "rank_reversal", "curve", "both", {"low": 0.06, "high": 0.2}, "holds"),
    ("reversal", "rank_reversal", "curve", "both", {"low": 0.04, "high": 0.2}, "open"),
    ("alike_on_original", "original_reversal", "curve", "hull", ALL_DIFFER, "rare"),
    ("table4", "prevalences", "place", "Table 4", {"possible": True}, "holds"),
    ("table5", "prevalences", "place", "Table 5", {"possible": True}, "holds"),
    ("operating_point", "prevalences", "rule", "kappa", {"possible": True}, "holds"),
    ("tables_in_our_splits", "explanations", "distance", 9.488169, {"splits_farther": 90}, "holds"),
    ("tables_in_our_splits", "explanations", "distance", 3.321392, {"splits_farther": 9}, "rare"),
    ("rankings_differ", "rank_reversal", "curve", "raw", {"share": 0.0}, "open"),
    ("skew_aware", "cases", "key", "skew_moves_auk", {"value": 1.0}, "fails"),
    ("function_of_auc", "cases", "key", "auk_range", {"value": 0.0}, "holds"),
    ("objective", "cases", "key", "class_moves_auk", {"value": 0.0}, "holds"),
    ("unique_maximum", "cases", "key", "unique_maximum", {"low": 0.1, "high": 0.4}, "fails"),
    ("unique_maximum", "cases", "key", "unique_maximum", {"low": 0.4}, "open"),
]


@pytest.mark.parametrize(("key", "name", "column", "level", "numbers", "word"), CHANGES)
def test_another_number_in_a_csv_changes_the_word(tables, key, name, column, level, numbers, word):
    table = tables[name]
    table.loc[table[column] == level, list(numbers)] = list(numbers.values())
    found = judged(tables)
    assert found.loc[key, "verdict"] == word
    assert found.loc[key, "condition"] == ""
    same = [other for other, *_ in OF_THE_RUN if name not in found.loc[other, "source"]]
    expected = {other: verdict for other, verdict, _ in OF_THE_RUN if other in same}
    assert found.loc[same, "verdict"].to_dict() == expected


def test_a_condition_is_named_only_where_it_explains_the_number(tables):
    tables["sample"] = pd.DataFrame({"row": range(768)})
    assert judged(tables).loc["samples_768", "verdict"] == "holds"
    of_table_4 = tables["prevalences"]["place"] == "Table 4"
    tables["prevalences"].loc[of_table_4, "possible_other"] = False
    assert judged(tables).loc["table4", "condition"] == "the area is a coarse trapezoid sum"
    tables["prevalences"][["possible", "possible_other", "possible_test_rows"]] = False
    found = judged(tables)
    assert found.loc[["table4", "table5"], "verdict"].tolist() == ["fails", "fails"]
    # The difference of the printed rates needs no prevalence.
    assert found.loc["operating_point", "condition"] == "0.328 is no kappa but 0.928 - 0.60"


OF_SPLITS = {"reversal", "tables_in_our_splits", "function_of_auc"}
WITHHELD = {
    "skew": {*OF_SPLITS, "samples_768"},
    "n_minority": {*OF_SPLITS, "samples_768"},
    "sampling": {"samples_768"},
    "n_train": OF_SPLITS,
    "hidden_units": {*OF_SPLITS, "alike_on_original"},
    "prevalence": {"reversal", "alike_on_original", "rankings_differ"},
    "cost_ratio": {"reversal", "alike_on_original", "rankings_differ"},
}


@pytest.mark.parametrize(("setting", "keys"), WITHHELD.items())
def test_another_setting_withholds_the_claims_that_need_the_papers(tables, setting, keys):
    found = judged(tables, **{setting: 5.5})
    withheld = found[found["verdict"] == ""]
    assert set(withheld.index) == keys
    assert withheld["evidence"].str.startswith(f"Not judged: {setting} is 5.5 in this run").all()
    assert (judged(tables, prevalence="nominal")["verdict"] != "").all()


def test_a_claim_without_its_rows_is_withheld_with_the_reason(tables):
    tables["original_reversal"] = tables["original_reversal"].head(0)
    tables["explanations"]["distance"] = np.nan
    withheld = judged(tables).query("verdict == ''")["evidence"]
    assert withheld.index.tolist() == ["alike_on_original", "tables_in_our_splits"]
    start = "This run has no numbers for it: "
    assert withheld.iloc[0].startswith(f"{start}0 rows have curve raw, pair auc-auk")
    assert withheld.iloc[1] == f"{start}it has too few splits."
