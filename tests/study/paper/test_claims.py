"""Verdicts follow from csv files alone: the run's, and others when a number in them is another."""

import numpy as np
import pandas as pd
import pytest

from study.paper.claims import COLUMNS, PAPER, judge_claims
from study.paper.explanations import AS_STATED, GOOD_POSITIVE

SETTINGS = {name: usual[0] for name, usual in PAPER.items()}


SHARE_OF_GOOD = "kappa is taken at the share of good customers"


def judged(tables, **settings):
    return judge_claims(tables, SETTINGS | settings).set_index("key")


def test_the_sixteen_claims_of_a_run(tables, expected):
    table = judge_claims(tables, SETTINGS)
    claims = expected("tables/claims").fillna("")
    pd.testing.assert_frame_equal(table, claims[COLUMNS], check_dtype=False)
    groups = {"The conclusion": 4, "The example": 7, "The measure": 5}
    assert table.groupby("group", sort=False).size().to_dict() == groups
    quotes = table["claim"].str.findall("“(.*?)”").explode().dropna()
    assert all(len(quote.split()) <= 25 for quote in quotes)
    # Of the words that a config may replace by its own there is none in a quotation.
    assert not quotes.str.contains(r"\b(?:good|bad)\b").any()


SHOWN = {"low": 0.1, "equal_packages_low": 0.1}
IMPOSSIBLE = {"possible_other": False, "possible_test_rows": False}
BAD, GOOD = (("explanation", name) for name in (AS_STATED, GOOD_POSITIVE))
# A claim, its table, the rows (by a column) whose numbers become others, and the word then.
CHANGES = [
    ("better_measure", "results", "key", "choice_own_cost", SHOWN, "partly"),
    ("better_measure", "earlier_rounds", "key", "choice_25_at_2_new", {"high": 0.1}, "open"),
    ("prefers_minority", "cases", "key", "miss_by_kappa", {"value": 9.0}, "holds"),
    ("prefers_minority", "cases", "key", "miss_by_kappa", {"value": 0.5}, "fails"),
    ("more_powerful", "results", "key", "power_own_cost", SHOWN, "holds"),
    ("more_powerful", "results", "key", "power_5", {"equal_packages_low": -0.1}, "open"),
    ("solves_key_problem", "cases", "key", "miss_by_linear", {"value": 3.890007}, "holds"),
    ("reversal", "rank_reversal", "curve", "both", {"low": 0.06, "high": 0.2}, "holds"),
    ("reversal", "rank_reversal", "curve", "both", {"low": 0.04, "high": 0.2}, "open"),
    ("alike_on_original", "original_reversal", "curve", "hull", {"reversals": 490}, "rare"),
    ("table4", "prevalences", "place", "Table 4", {"possible": True}, "holds"),
    ("table5", "prevalences", "place", "Table 5", {"possible": True}, "holds"),
    ("table5", "prevalences", "place", "Table 5", IMPOSSIBLE, "fails"),
    ("tables_in_our_splits", "explanations", *BAD, {"splits_farther": 90}, "holds"),
    ("tables_in_our_splits", "explanations", *GOOD, {"splits_farther": 9}, "rare"),
    ("rankings_differ", "rank_reversal", "curve", "raw", {"share": 0.0}, "open"),
    ("skew_aware", "cases", "key", "skew_moves_auk", {"value": 1.0}, "fails"),
    ("function_of_auc", "cases", "key", "auk_range", {"value": 0.0}, "holds"),
    ("objective", "cases", "key", "class_moves_auk", {"value": 0.0}, "holds"),
    ("unique_maximum", "cases", "key", "unique_maximum", {"low": 0.1, "high": 0.4}, "fails"),
    ("unique_maximum", "cases", "key", "unique_maximum", {"low": 0.4}, "open"),
]


@pytest.fixture(scope="module")
def judged_run(tables_of_run):
    return judged(tables_of_run)


@pytest.mark.parametrize(("key", "name", "column", "level", "numbers", "word"), CHANGES)
def test_another_number_in_a_csv_changes_the_word(
    tables, judged_run, key, name, column, level, numbers, word
):
    table = tables[name]
    table.loc[table[column] == level, list(numbers)] = list(numbers.values())
    found = judged(tables)
    assert found.loc[key, ["verdict", "condition"]].tolist() == [word, ""]
    others = ~found["source"].str.contains(name)
    pd.testing.assert_frame_equal(found[others], judged_run[others])


@pytest.mark.parametrize(
    ("low", "said"),
    [(0.1, "a lead is shown, too: 0.1 (0.1 to 0.9)."), (0, "no lead is shown: 0.1 (0.0 to 0.9).")],
)
def test_the_lead_at_four_costs_is_shown_where_its_interval_lies_above_0(tables, low, said):
    results = tables["results"]
    results.loc[results["key"] == "power_four_costs", "low"] = low
    assert judged(tables).loc["more_powerful", "evidence"].endswith(said)


@pytest.mark.parametrize(
    ("low", "said"), [(0.1, "share it led by 0.3 (0.1"), (0, "share no lead is shown: 0.3 (0.0")]
)
def test_the_lead_at_the_own_share_is_shown_where_its_interval_lies_above_0(tables, low, said):
    results = tables["results"]
    results.loc[results["key"] == "choice", "low"] = low
    assert f"{said} to 0.9)." in judged(tables).loc["better_measure", "evidence"]


def test_what_else_fits_the_areas_is_named_unless_the_rates_fit_too(tables):
    table = tables["explanations"]
    said = "With p and 1 - p interchanged 284 would; no counts print the rates then."
    found = judged(tables).loc["tables_in_our_splits"]
    assert found["evidence"].endswith(said)
    # Both ways take kappa at 89 %, so the areas alone do not tell the class.
    assert found["condition"] == SHARE_OF_GOOD
    table.loc[table["explanation"] == "p and 1 - p interchanged", "splits_farther"] = 9
    condition = judged(tables).loc["tables_in_our_splits", "condition"]
    assert condition == "good is the positive class"
    table.loc[table["explanation"] == "p and 1 - p interchanged", "rates_possible"] = True
    assert judged(tables).loc["tables_in_our_splits", "evidence"].endswith("none does.")


def test_a_condition_is_named_only_where_it_explains_the_number(tables):
    is_trapezoid = tables["prevalences"]["rule"] == "trapezoid"
    tables["prevalences"].loc[is_trapezoid, "possible"] = False
    assert judged(tables).loc["table4", "condition"] == SHARE_OF_GOOD
    tables["sample"] = pd.DataFrame({"row": range(768)})
    assert judged(tables).loc["samples_768", "verdict"] == "holds"
    counts = tables["counts"]
    tables["counts"] = counts[counts["test_rows"] != 280]
    condition = judged(tables).loc["operating_point", "condition"]
    assert condition == "good is the positive class, and 0.328 is the difference of the rates"
    # Were counts of bad customers to print the rates, too, the class would be open.
    is_cut = counts["digits"].eq("cut")
    tables["counts"] = counts[is_cut].assign(digits="rounded")
    found = judged(tables)
    assert found.loc["operating_point", "verdict"] == "fails"
    assert "no counts" not in found.loc["samples_768", "evidence"]


OF_SPLITS = {"reversal", "tables_in_our_splits", "solves_key_problem"}
WITHHELD = {
    "skew": {*OF_SPLITS, "samples_768"},
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
