"""Every claim is judged by the rule of its kind, and the kept verdicts follow from kept tables."""

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from study.companions.kaymak2010_experiment import PAPER, stated_sample
from study.labels import WITHHELD
from study.paper import cases
from study.paper.cases import CASES, cases_table, efficiency_table
from study.paper.claims import ABOUT, COLUMNS, judge, judged_claims
from study.paper.evidence import Case, readings_facts, readings_table
from study.paper.readings import READINGS
from study.paper.simulation import KEY
from study.published import published_numbers
from study.tables.shares import share_with_interval
from study.text.facts import to_json
from study.text.numbers import Fact
from study.text.tables import to_csv

CLAIMS = yaml.safe_load(ABOUT.read_text(encoding="utf-8"))["claims"]
ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "tests/reference"
TINY = 1e-9


def test_each_claim_has_a_key_of_its_own_and_a_short_quote():
    assert len({claim["key"] for claim in CLAIMS}) == len(CLAIMS)
    assert all(0 < len(claim["quote"].split()) <= 25 for claim in CLAIMS)


@pytest.mark.parametrize(
    ("case", "name", "wrong"),
    [
        ("dominance", "kappa_from_rates", lambda kappa: -kappa),
        ("kappa_range", "kappa_from_rates", lambda kappa: np.where(kappa < 0, 3 * kappa, kappa)),
        ("kappa_range", "kappa_from_rates", lambda kappa: np.where(kappa > 0, 3 * kappa, kappa)),
        ("kappa_range", "kappa_from_rates", lambda kappa: 0.5 * kappa + 1e-6),
        ("negative_kappa", "chance_agreement", lambda chance: chance + 0.1),
        ("no_normalisation", "kappa_from_rates", lambda kappa: kappa - 1e-6),
        ("one_to_one", "kappa_from_rates", lambda kappa: 0.9 * kappa),
        # The largest kappa at the corner after its own.
        ("gradient_exceeds_one", "kappa_from_rates", lambda kappa: np.roll(kappa, 1)),
        ("objective", "area_under_kappa", lambda area: area + np.sign(area - 0.1) * 1e-6),
        ("one_cost", "area_under_curve", lambda area: area + 1e-6),
        ("baker_wilcoxon", "auc_score", lambda auc: auc - 1e-6),
        ("baker_f1", "statistics", lambda of: of | {"f1": of["f1"] - 1e-6}),
        ("hand_hull", "roc_hull", lambda hull: (hull[0], hull[1] ** 1.02)),
        ("hand_hull", "area_under_curve", lambda area: 0.7 + 0 * area),
        # A random hull below 0, or above 1; the diagonal, or a perfect curve.
        ("hand_h_range", "h_of_hull", lambda h: h - (TINY < h < 1 - TINY)),
        ("hand_h_range", "h_of_hull", lambda h: h + (TINY < h < 1 - TINY)),
        ("hand_h_range", "h_of_hull", lambda h: max(h, 0.01)),
        ("hand_h_range", "h_of_hull", lambda h: min(h, 0.99)),
    ],
)
def test_a_wrong_measure_is_found_out(case, name, wrong, monkeypatch):
    right = getattr(cases, name)
    assert CASES[case]().holds or case == "objective"
    monkeypatch.setattr(cases, name, lambda *at, **more: wrong(right(*at, **more)))
    found = CASES[case]()
    assert not found.holds and found.value > 0


def test_a_measure_without_a_prevalence_and_costs_that_count_alike():
    still = cases.by_prevalence(lambda *curve: curve[0].size, "size", 11)
    assert still[:3] == (500, 500, False) and still.shown.startswith("size ")
    assert cases.by_prevalence(lambda *at: at[2], "p", 11)[:3] == (0, 500, True)
    few = cases.by_prevalence(lambda *at: 4e-9 * at[2], "p", 11)  # of p more than 1/4 apart
    assert 0.4 < few.value / 500 < 0.5
    assert cases.as_likely(1.0, 0.5, 0.25) == (1.0, 3, True, "")
    assert cases.as_likely(1.5, 0.5) == (0.0, 2, False, "1.5 is no share of a cost")


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


def between(low, high, **more):
    """An estimate whose mean, ends and number of splits all differ."""
    return {"value": (2 * low + high) / 3, "low": low, "high": high, "n": 2000, **more}


# Below, at and above the limit of 0, and of one half of the splits.
INTERVALS = [(0.1, 0.3, "holds"), (-0.3, -0.1, "does not hold"), (-0.1, 0.1, "undecided")]
INTERVALS += [(0.0, 0.3, "undecided"), (-0.3, 0.0, "undecided")]
BY_KIND = [
    ("equation", [{"value": 1e-12}, {"value": -1e-10}], "holds"),
    ("equation", [{"value": 1e-12}, {"value": -1e-9}], "holds"),
    ("equation", [{"value": 1e-12}, {"value": -1.1e-9}], "does not hold"),
    # What was found may be any number: the difference counts.
    ("equation", [{"value": 0.5, "difference": 0.0}], "holds"),
    ("printed value", [printed(0.6398, 0.640, 0.0005)], "holds"),
    ("printed value", [printed(0.6405, 0.640, 0.0005)], "holds"),  # a tie
    ("printed value", [printed(0.6409, 0.640, 0.0005)], "holds"),  # truncated
    ("printed value", [printed(0.6411, 0.640, 0.0005)], "does not hold"),
    ("printed value", [printed(0.6394, 0.640, 0.0005)], "does not hold"),
    ("printed value", [printed(-0.6409, -0.640, 0.0005)], "holds"),
    ("printed value", [printed(-0.6394, -0.640, 0.0005)], "does not hold"),
    ("printed value", [printed(0.6409, 0.640, 0.0005, relation="<")], "does not hold"),
    ("printed value", [printed(1.5 - TINY, 1, 0.25)], "holds"),
    ("printed value", [printed(1.5, 1, 0.25)], "does not hold"),  # prints as the next number
    ("printed value", [{"value": 0.1, "possible": False}], "does not hold"),
    ("printed value", [{"value": 0.1, "possible": "True"}], "holds"),
    ("always", [{"value": 0, "n": 2000, "holds": True}], "holds in 2,000 cases"),
    ("always", [*2 * [{"value": 0, "n": 9, "holds": True}]], "holds in 18 cases"),
    ("always", [{"value": v, "n": 9, "holds": not v} for v in (0, 1)], "does not hold"),
    ("typical", [share(70, 100)], "holds"),
    ("typical", [share(30, 100)], "does not hold"),
    ("typical", [share(50, 100)], "undecided"),
    *(("typical", [between(0.5 + low, 0.5 + high)], verdict) for low, high, verdict in INTERVALS),
    ("typical", [share(70, 100), share(50, 100)], "undecided"),  # the least counts
    ("typical", [share(4, 4)], "holds"),
    ("typical", [share(3, 3)], WITHHELD),
    ("possible", [share(1, 1000)], "shown"),
    ("possible", [share(0, 1000)], "not shown here"),
    ("possible", [share(0, 73)], "not shown here"),
    ("possible", [share(0, 72)], WITHHELD),
    ("possible", [{"value": 0, "low": 0, "high": 0.05, "n": 72}], WITHHELD),
    # The interval of 36 of 1000 ends below five per cent, that of 37 above it.
    ("observation", [share(37, 1000)], "usual"),
    ("observation", [share(36, 1000)], "rare"),
    ("observation", [between(0.01, 0.05)], "usual"),
    ("observation", [between(0.01, 0.05 - TINY)], "rare"),
    ("observation", [share(500, 1000), share(36, 1000)], "rare"),
    ("observation", [share(0, 1000)], "not seen in 1,000"),
    ("observation", [share(0, 73)], "not seen in 73"),
    ("observation", [share(0, 72)], WITHHELD),
    *(
        ("effect", [between(limit + low, limit + high, limit=limit)], verdict)
        for low, high, verdict in INTERVALS
        for limit in (0.0, 0.5)
    ),
    # Without an interval the value itself is held against the limit.
    *(
        ("effect", [{"value": value}], verdict)
        for value, verdict in ((TINY, "holds"), (0.0, "undecided"), (-TINY, "does not hold"))
    ),
    # Several estimates hold if all their intervals do.
    ("effect", [{"value": 0.2, "low": low, "high": 0.3} for low in (0.1, -0.1)], "undecided"),
]


@pytest.mark.parametrize(("kind", "rows", "verdict"), BY_KIND)
def test_each_kind_has_one_rule(kind, rows, verdict):
    limit = rows[0].get("limit", 0.0)
    assert judged(kind, *rows, limit=limit).verdict == verdict


# Of three rows the one that decides; of effects the mean and the outermost ends.
SHOWN = [
    ("equation", {"value": [2e-12, -5.0, 3.0]}, (5.0, "b")),
    ("printed value", {"value": [1, 2, 3], "possible": [True, False, False]}, (2, "b")),
    ("printed value", {"value": [1, 2, 3], "possible": [True, True, True]}, (1, "a")),
    ("always", {"value": [1, 2, 3], "holds": [True, False, False]}, (2, -3, 20, "b")),
    ("always", {"value": [1, 2, 3], "holds": [True, True, True]}, (1, -5, 10, "a")),
    ("typical", {"value": [0.7, 0.6, 0.8]}, (0.6, -3, 20)),
    ("possible", {"value": [0.7, 0.6, 0.8]}, (0.7, -5, 10)),
    ("observation", {"value": [0.7, 0.8, 0.6]}, (0.6, -4, 40)),
    ("effect", {"value": [1, 2, 6]}, (3, -5, 40)),
]


@pytest.mark.parametrize(("kind", "columns", "expected"), SHOWN)
def test_the_number_that_shows_a_verdict_is_that_of_its_row(kind, columns, expected):
    whole = pd.DataFrame({"low": [-5, -3, -4], "high": [10, 20, 40], "n": 100, **columns})
    rows = whole.assign(shown=["a", "b", "c"]).to_dict("records")
    found = judged(kind, *rows)
    numbers = [found.value, found.low, found.high][: 3 if len(expected) > 2 else 1]
    assert [*numbers, found.why][: len(expected)] == list(expected)


def test_few_units_have_students_interval():
    """Ten data sets: 2 +- 2.262 * 3 / sqrt(10), though the given interval lies above 0."""
    row = {"value": 2.0, "low": 0.5, "high": 3.5, "sd": 3.0}
    found = judged("effect", {**row, "n": 10})
    assert found.verdict == "undecided"
    assert (found.low, found.high) == pytest.approx((-0.1461, 4.1461), abs=1e-3)
    for many in ({"n": 11}, {"n": 10, "sd": 0.0}, {"n": 10, "sd": float("nan")}):
        assert judged("effect", {**row, **many})[:4] == ("holds", 2.0, 0.5, 3.5)


def test_rows_are_those_of_the_last_round_with_the_named_levels_and_may_be_turned_round():
    names = ["round", "key", "value", "low", "high", "n"]
    shares = [(1, "a", 0.9, 0.8, 0.95, 90), (2, "a", 0.3, 0.1, 0.4, 80), (2, "b", 0.25, 0.2, 1, 70)]
    rows = pd.DataFrame([*shares, (2, "c", 0.0, 0.0, 0.1, 60)], columns=names).to_dict("records")
    given = {"row": {"key": ["a", "b"]}}
    assert judged("typical", *rows, **given)[1:4] == (0.25, 0.2, 1)
    turned = judged("typical", *rows, **given, complement=True)
    assert turned[1:4] == pytest.approx((0.7, 0.6, 0.9))
    beside = [{"row": {"key": "c"}, "words": "else", "unit": "share"}, {"row": {"key": "d"}}]
    assert judged("effect", *rows, **given, beside=beside).why == "else: 0.0 % [0.0, 10.0]"


def test_readings_under_which_a_printed_value_holds_are_named():
    row = {"value": 0.1, "rule": "exact", "possible": False, "possible_other": True}
    readings = [
        {"words": "the one", "row": {"rule": "exact"}, "use": {"possible": "possible_other"}},
        {"words": "the other", "row": {"rule": "exact"}},
        {"words": "none", "row": {"rule": "missing"}},
    ]
    claim = {"row": {"rule": "exact"}, "if": readings}
    assert judged("printed value", row, **claim).verdict == "holds if the one"
    assert judged("printed value", row, **claim | {"if": readings[1:]}).verdict == "does not hold"
    claim["if"] = [readings[0], {**readings[0], "words": "both"}]
    assert judged("printed value", row, **claim).verdict == "holds if the one, or if both"
    assert judged("printed value", {**row, "possible": True}, **claim).verdict == "holds"


def test_an_expectation_weighs_what_speaks_for_and_against():
    rows = pd.DataFrame({"key": ["a", "b"], "value": [2, 0], "low": [1, -1], "high": [3, 1]})
    parts = {
        "for": {"words": "a", "file": "t", "row": {"key": "a"}},
        "against": {"words": "c", "file": "t", "row": {"key": "a"}, "speaks": "against"},
        "open": {"words": "b", "file": "t", "row": {"key": "b"}},
    }
    pairs = [("for", "against"), ("for", "open"), ("against", "open"), ("open",)]
    verdicts = {("for",): "supported", ("against",): "not supported"}
    for names, verdict in (verdicts | dict.fromkeys(pairs, "mixed")).items():
        claim = {"kind": "expectation", "columns": {}, "evidence": [parts[name] for name in names]}
        found = judge(claim, {"t": rows}, PAPER)
        assert found.verdict == verdict
        assert all(f"{name}: " in found.why for name in names)
    claim["evidence"] = [parts["for"], parts["for"] | {"words": "A", "in_brief": "brief"}]
    found = judge(claim, {"t": rows}, PAPER)  # in the order of the claim
    told = found.verdict, found.why, found.in_brief
    assert told == ("supported", "for: a (2 [1, 3]), A (2 [1, 3])", "for: a (2 [1, 3]), brief")


def test_a_claim_is_withheld_where_the_run_has_another_setting_or_no_table():
    own = {"kind": "observation", "file": "table", "row": {}, "columns": {}, "needs": ["skew"]}
    tables = {"table": pd.DataFrame([share(500, 1000)])}
    assert judge(own, tables, PAPER).verdict == "usual"
    other = judge(own, tables, {**PAPER, "skew": 0.3})
    assert other.verdict == WITHHELD
    assert other.why == "The paper's minority share is 0.11, this run's 0.3."
    assert judge(own, {}, PAPER).verdict == WITHHELD
    few = judged("observation", share(0, 12), beside=[{"words": "raw curves", "row": {}}])
    assert "raw curves" not in few.why


def test_no_claim_disappears_from_a_run_without_tables():
    cases = pd.read_csv(REFERENCE / "forensics/cases.csv")
    table = judged_claims({"forensics/cases": cases}, PAPER)
    assert list(table) == COLUMNS
    assert table["key"].tolist() == [claim["key"] for claim in CLAIMS]
    by_key = table.set_index("key")
    assert by_key.loc["dominance", "verdict"].startswith("holds in")
    assert by_key.loc["reversal", "verdict"] == WITHHELD
    assert by_key.loc["samples_768", ["verdict", "value"]].tolist() == ["does not hold", 786]
    assert by_key.loc["table4", "cause"] == by_key.loc["operating_point", "cause"] != ""


def test_readings_follow_from_the_simulation():
    path = REFERENCE / "forensics/simulation.csv.gz"
    rows = pd.read_csv(path, dtype=dict.fromkeys(KEY, str)).fillna(dict.fromkeys(KEY, ""))
    simulated = {tuple(row[key] for key in KEY): row for row in rows.to_dict("records")}
    case = Case(published_numbers(), simulated, stated_sample())
    table = readings_table(READINGS, case)
    kept = pd.read_csv(REFERENCE / "forensics/readings.csv.gz", dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(table.astype(str), kept)
    specification = pd.read_csv(REFERENCE / "tables/specification.csv")
    facts = to_json(readings_facts(READINGS, table, case, specification))
    told = (REFERENCE / "forensics/readings.json").read_text(encoding="utf-8")
    # The numbers of the kept simulation have six decimals.
    found, expected = (
        json.loads(text, parse_float=lambda digits: round(float(digits), 4))
        for text in (facts, told)
    )
    for name, fact in expected.items():
        assert found[name] == fact, name
    # The largest share of a cell with the majority positive, and the highest end of any.
    n = len(specification)
    own = {"low": np.linspace(0.4, 0.6, n), "share": np.linspace(0.5, 0.7, n)}
    own["high"] = np.linspace(0.9, 0.8, n)
    cells = specification.assign(positive_class=["majority"] * (n - 1) + ["minority"])
    cells = cells.assign(**{f"reversal_{name}_both": values for name, values in own.items()})
    reversal = readings_facts(READINGS, table, case, cells)["reversal"]
    assert reversal["most"] == Fact(own["share"][-2], "share", own["low"][-2], 0.9)


@pytest.fixture(scope="module")
def tables():
    places = [(REFERENCE, path) for path in REFERENCE.rglob("*.csv*")]
    names = [path.relative_to(folder).as_posix().partition(".")[0] for folder, path in places]
    found = {name: pd.read_csv(path) for name, (_, path) in zip(names, places, strict=True)}
    study = (ROOT / "studies/many-data-sets").glob("*.csv")
    return found | {f"many_data_sets/{path.stem}": pd.read_csv(path) for path in study}


def test_claims_follow_from_the_tables(tables):
    made = {
        "forensics/cases": cases_table(),
        "forensics/efficiency": efficiency_table(),
    }
    claims = {"forensics/claims": judged_claims({**tables, **made}, PAPER)}
    for name, table in (made | claims).items():
        found = pd.read_csv(io.StringIO(to_csv(table)))
        pd.testing.assert_frame_equal(found, tables[name], rtol=0, atol=2e-6, check_dtype=False)
