"""Every claim is judged by the rule of its kind, whatever the tables say."""

import pandas as pd
import pytest
import yaml

from study.companions.kaymak2010_experiment import PAPER
from study.paper.cases import CASES, cases_table, power_table
from study.paper.claims import ABOUT, COLUMNS, KINDS, WITHHELD, judge, judged_claims
from study.published import STUDY_LABELS
from study.tables.shares import share_with_interval
from study.text.facts import printed_statements

ABOUT_CLAIMS = yaml.safe_load(ABOUT.read_text(encoding="utf-8"))
CLAIMS = ABOUT_CLAIMS["claims"]


def test_keys_are_unique():
    keys = [claim["key"] for claim in CLAIMS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["key"])
def test_each_claim_has_its_authors_words_and_says_where_its_numbers_are(claim):
    assert claim["paper"] in STUDY_LABELS
    assert 0 < len(claim["quote"].split()) <= 25
    assert claim["kind"] in KINDS
    assert claim.get("cause", "setting_not_as_printed") in ABOUT_CLAIMS["causes"]
    assert set(claim.get("needs", ())) <= set(PAPER)
    parts = claim.get("evidence", [claim])
    for part in [*parts, *claim.get("beside", ()), *claim.get("if", ())]:
        file = part.get("file", claim.get("file"))
        assert file
        if file == "forensics/cases":
            assert part["row"]["key"] in CASES


def judged(kind, *rows, settings=None, **claim):
    """The verdict on rows of a table, without the words that belong to it."""
    given = {"kind": kind, "file": "table", "row": {}, "columns": {}, **claim}
    return judge(given, {"table": pd.DataFrame(rows)}, settings or PAPER)


def share(k, n):
    counted = share_with_interval(k, n)
    return {"value": counted.pop("share"), **counted, "n": n}


def printed(found, expected, tolerance, **more):
    row = {"value": found, "expected": expected, "tolerance": tolerance, "relation": "="}
    return {**row, "holds": abs(found - expected) <= tolerance, **more}


INTERVALS = [(0.1, 0.3, "holds"), (-0.3, -0.1, "does not hold"), (-0.1, 0.1, "undecided")]
BY_KIND = [
    ("equation", [{"value": 1e-12}, {"value": -1e-10}], "holds"),
    ("equation", [{"value": 1e-12}, {"value": -1e-6}], "does not hold"),
    # What was found may be any number: the difference counts.
    ("equation", [{"value": 0.5, "difference": 0.0}], "holds"),
    ("printed value", [printed(0.6398, 0.640, 0.0005)], "holds"),
    ("printed value", [printed(0.6405, 0.640, 0.0005)], "holds"),  # a tie
    ("printed value", [printed(0.6409, 0.640, 0.0005)], "holds"),  # truncated
    ("printed value", [printed(0.6411, 0.640, 0.0005)], "does not hold"),
    ("printed value", [printed(0.6394, 0.640, 0.0005)], "does not hold"),
    ("printed value", [{"value": 0.1, "possible": False}], "does not hold"),
    ("printed value", [{"value": 0.1, "possible": "True"}], "holds"),
    ("always", [{"value": 0, "n": 2000, "holds": True}], "holds in 2,000 cases"),
    ("always", [*2 * [{"value": 0, "n": 9, "holds": True}]], "holds in 18 cases"),
    ("always", [{"value": v, "n": 9, "holds": not v} for v in (0, 1)], "does not hold"),
    ("typical", [share(70, 100)], "holds"),
    ("typical", [share(30, 100)], "does not hold"),
    ("typical", [share(50, 100)], "undecided"),
    ("typical", [share(4, 4)], "holds"),
    ("typical", [share(3, 3)], WITHHELD),
    ("possible", [share(1, 1000)], "shown"),
    ("possible", [share(0, 1000)], "not shown here"),
    ("possible", [share(0, 12)], WITHHELD),
    # The interval of 36 of 1000 ends below five per cent, that of 37 above it.
    ("observation", [share(37, 1000)], "usual"),
    ("observation", [share(36, 1000)], "rare"),
    ("observation", [share(0, 1000)], "not seen in 1,000"),
    ("observation", [share(0, 73)], "not seen in 73"),
    ("observation", [share(0, 72)], WITHHELD),
    *(
        ("effect", [{"value": (low + high) / 2, "low": low, "high": high, "n": 20}], verdict)
        for low, high, verdict in INTERVALS
    ),
    # Several estimates hold if all their intervals do.
    ("effect", [{"value": 0.2, "low": low, "high": 0.3} for low in (0.1, -0.1)], "undecided"),
]


@pytest.mark.parametrize(("kind", "rows", "verdict"), BY_KIND)
def test_each_kind_has_one_rule(kind, rows, verdict):
    assert judged(kind, *rows).verdict == verdict


def test_few_units_have_students_interval():
    """Six data sets: 2 +- 2.571 * 2 / sqrt(6), though the given interval lies above 0."""
    row = {"value": 2.0, "low": 0.5, "high": 3.5, "sd": 2.0}
    found = judged("effect", {**row, "n": 6})
    assert found.verdict == "undecided"
    assert (found.low, found.high) == pytest.approx((-0.0988, 4.0988), abs=1e-3)
    assert judged("effect", {**row, "n": 11}).verdict == "holds"


def test_readings_under_which_a_printed_value_holds_are_named():
    row = {"value": 0.1, "rule": "exact", "possible": False, "possible_other": True}
    readings = [
        {"words": "the one", "row": {"rule": "exact"}, "use": {"possible": "possible_other"}},
        {"words": "the other", "row": {"rule": "exact"}},
    ]
    found = judged("printed value", row, row={"rule": "exact"}, **{"if": readings})
    assert found.verdict == "holds if the one"


def test_an_expectation_weighs_what_speaks_for_and_against():
    rows = pd.DataFrame(
        [
            {"key": key, "value": v, "low": v - 1, "high": v + 1}
            for key, v in zip("ab", (2, 0), strict=True)
        ]
    )
    parts = {
        "for": {"words": "a", "file": "t", "row": {"key": "a"}},
        "against": {"words": "c", "file": "t", "row": {"key": "a"}, "speaks": "against"},
        "open": {"words": "b", "file": "t", "row": {"key": "b"}},
    }
    verdicts = {
        ("for",): "supported",
        ("against",): "not supported",
        ("for", "against"): "mixed",
        ("for", "open"): "mixed",
    }
    for names, verdict in verdicts.items():
        claim = {"kind": "expectation", "columns": {}, "evidence": [parts[name] for name in names]}
        found = judge(claim, {"t": rows}, PAPER)
        assert found.verdict == verdict
        assert all(f"{name}: " in found.why for name in names)


def test_a_claim_is_withheld_where_the_run_has_another_setting_or_no_table():
    own = {"kind": "observation", "file": "table", "row": {}, "columns": {}, "needs": ["skew"]}
    tables = {"table": pd.DataFrame([share(500, 1000)])}
    assert judge(own, tables, PAPER).verdict == "usual"
    other = judge(own, tables, {**PAPER, "skew": 0.3})
    assert (other.verdict, other.why) == (
        WITHHELD,
        "The paper's minority share is 0.11, this run's 0.3.",
    )
    assert judge(own, {}, PAPER).verdict == WITHHELD
    few = judged("observation", share(0, 12), beside=[{"words": "raw curves", "row": {}}])
    assert "raw curves" not in few.why


def test_no_claim_disappears_from_a_run_without_tables():
    table = judged_claims({"forensics/cases": cases_table()}, PAPER)
    assert list(table) == COLUMNS
    assert table["key"].tolist() == [claim["key"] for claim in CLAIMS]
    by_key = table.set_index("key")
    assert by_key.loc["dominance", "verdict"].startswith("holds in")
    assert by_key.loc["reversal", "verdict"] == WITHHELD
    assert by_key.loc["samples_768", ["verdict", "value"]].tolist() == ["does not hold", 786]
    assert by_key.loc["table4", "cause"] == by_key.loc["operating_point", "cause"] != ""


def test_power_is_the_lead_of_auk_by_goal():
    rows = [("power", "top", "auc", 21, 30.0), ("power", "top", "auk", 21, 34.0)]
    tests = pd.DataFrame(rows, columns=["outcome", "goal", "measure", "families", "value"])
    assert power_table(tests)["difference"].tolist() == [4.0]


def test_statements_are_counted_per_source():
    rows = [("kaymak", "printed", True), ("kaymak", "printed", None), ("kaymak", "printed", False)]
    table = pd.DataFrame([*rows, ("hand", "ours", True)], columns=["study", "kind", "holds"])
    (counted,) = printed_statements(table)
    assert [counted[name] for name in ("agree", "disagree", "undecided")] == [1, 1, 1]
