"""No two numbers, and no sentence, of one report contradict each other, whatever the rows.

``HYPOTHESIS_PROFILE=many pytest tests/kappacurve/cli/test_no_contradiction.py`` looks for hours.
"""

import json
import re
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st

from kappacurve.cli.main import main

pytestmark = pytest.mark.filterwarnings("ignore:The groups that hold")  # a note says it, too
LESS_IS_BETTER = ["expected_loss", "brier_score", "log_loss"]
NAMES = {"AUC": "auc", "AUK": "auk", "average precision": "average_precision", "H": "h"}
# As sentences call them.
NAMES |= zip(("expected loss", "Brier score", "log loss"), LESS_IS_BETTER, strict=True)


@st.composite
def files(draw):
    """Rows, and how they are to be measured."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_positive, n_negative = draw(st.integers(2, 30)), draw(st.integers(2, 50))
    y = rng.permutation(np.repeat([True, False], [n_positive, n_negative]))
    scores, shared = {}, rng.normal(size=len(y))
    for i in range(draw(st.integers(2, 4))):
        own = rng.normal(size=len(y)) + shared + draw(st.sampled_from([-0.5, 0.0, 1.0, 2.5])) * y
        scores[f"m{i}"] = own.round(draw(st.sampled_from([0, 1, 8])))
    if draw(st.booleans()):  # one model nearly repeats another: measures of the two may tie
        scores["m1"] = np.where(rng.random(len(y)) < 0.1, scores["m1"], scores["m0"])
    size = draw(st.sampled_from([None, None, 1e-8, 1e9]))
    if size:  # thresholds of few digits lie between neighbours that hardly differ
        scores = {name: size * (1 + 1e-9 * own) for name, own in scores.items()}
    taus, is_probability = [], not size and draw(st.booleans())
    if is_probability:
        scores = {name: np.round(1 / (1 + np.exp(1 - own)), 4) for name, own in scores.items()}
        taus = draw(st.lists(st.sampled_from([0.05, 0.2, 0.4, 0.7]), max_size=2, unique=True))
    design = {
        "prevalence": draw(st.sampled_from([None, None, 0.02, 0.3, 0.9])),
        "cost-ratio": draw(st.sampled_from([None, 0.2, 1, 4, 5, 12])),
        "trained-at": draw(st.sampled_from([None, None, 0.1])),
        "sampling": draw(st.sampled_from([None, "stratified", "random"])),
        "bootstrap": draw(st.sampled_from([None, None, 12, 60])),
        "level": draw(st.sampled_from([0.95, 0.95, 0.8])),
        "lower": draw(st.sampled_from([None, None, "m0"])) if not taus else None,
        "weight": draw(st.sampled_from([None, None, "w"])),
        "group": draw(st.sampled_from([None, None, "patient"])),
    }
    frame = pd.DataFrame({"y": y.astype(int), **scores})
    frame["w"] = np.round(rng.uniform(0.5, 3, len(y)), 1)
    frame["patient"] = rng.permutation(len(y)) // 2
    return frame, scores, design, taus


def report(folder, frame, scores, design, taus):
    path = folder / "scores.csv"
    frame.to_csv(path, index=False)
    options = [word for name in scores for word in ("--score", name)]
    options += [f"--{name}={value}" for name, value in design.items() if value is not None]
    options += [f"--net-benefit={tau}" for tau in taus]
    command = ["measure", str(path), "--label", "y", "--format", "json", *options]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def holds(one, name):
    """The interval, if there is one, holds the number itself."""
    assert one["low"] is None or one["low"] - 1e-12 <= one[name] <= one["high"] + 1e-12


def rejects(test, level, name="p_value"):
    """p says what the interval says."""
    holds(test, "difference")
    p = test[name]
    if None not in (test["low"], p) and abs(p - 1 + level) > 1e-9:
        assert (test["low"] > 0 or test["high"] < 0) == (p < 1 - level), test


def lead(found, measure, first, second):
    """By how much the first model is the better one; exactly zero where they tie."""
    a, b = (found["models"][name][measure]["estimate"] for name in (first, second))
    return 0.0 if abs(a - b) < 1e-12 else (b - a if measure in LESS_IS_BETTER else a - b)


def check_models(found, design):
    drawn = design["sampling"] != "stratified" and design["prevalence"] is None
    assert found["sampling"] == ("random" if drawn else "stratified")
    for own in found["models"].values():
        for name, row in own.items():
            if name not in ("operating_point", "cost_point"):
                holds(row, "estimate")
        assert own["operating_point"]["value"] == own["kappa_max"]["estimate"]
        for end in ("estimate", "low", "high"):
            if own["gini"][end] is not None:
                assert own["gini"][end] == pytest.approx(2 * own["auc"][end] - 1, abs=1e-9)


def check_tests(found):
    for test in found["tests"]:
        measured = [found["models"][test[each]][test["measure"]] for each in ("first", "second")]
        lead_of_first = measured[0]["estimate"] - measured[1]["estimate"]
        assert test["difference"] == pytest.approx(lead_of_first, abs=1e-12)
        rejects(test, found["level"], "p_adjusted")
    for benefit in found["net_benefit"]:
        check_net_benefit(benefit, found)


def check_decision(row, found):
    own = found["models"][row["model"]]
    assert row["loss"] == own["expected_loss"]["estimate"]
    holds(row | {end: row[f"saving_{end}"] for end in ("low", "high")}, "saving")
    assert own["cost_point"]["value"] == pytest.approx(row["in_sample"], abs=1e-12)


def check_net_benefit(benefit, found):
    flag_all = benefit["flag_all"]
    for own in benefit["models"].values():
        gain = own["gain"]
        holds(own, "estimate")
        rejects(gain, found["level"])
        assert gain["difference"] == pytest.approx(own["estimate"] - max(flag_all, 0), abs=1e-12)
        # Less a number that is known the interval is the same, moved.
        known = flag_all <= 0 or found["sampling"] == "stratified"
        if known and None not in (own["low"], gain["low"]):
            ends = own["low"] - max(flag_all, 0), own["high"] - max(flag_all, 0)
            assert (gain["low"], gain["high"]) == pytest.approx(ends, abs=1e-9)
    for test in benefit["tests"]:
        values = [benefit["models"][test[m]]["estimate"] for m in ("first", "second")]
        assert test["difference"] == pytest.approx(values[0] - values[1], abs=1e-12)
        rejects(test, found["level"], "p_adjusted")


def check_sentences(found):
    """Who leads, who is ahead and who ties: as the numbers say."""
    tests = {(t["first"], t["second"], t["measure"]): t for t in found["tests"]}
    tests |= {(b, a, name): test for (a, b, name), test in tests.items()}
    measures = [name for name in next(iter(found["models"].values())) if "_point" not in name]
    measures.remove("gini")
    alpha, said = 1 - found["level"], " ".join(found["conclusion"])

    def named(text):
        return [NAMES[each] for each in re.sub(r" \(p[^)]*\)", "", text).split(", ")]

    ahead = re.findall(r"(m\d) is ahead of (m\d) by (.*?)\.(?: |$)", said)
    leads = re.findall(r"By ([^.]*?) (m\d) leads ([m\d, ]+) \(", said)
    for better, worse, by in ahead + [(leader, beaten, by) for by, leader, beaten in leads]:
        for measure, each in product(named(by), worse.split(", ")):
            assert tests[better, each, measure]["p_adjusted"] < alpha
            assert lead(found, measure, better, each) > 0
    if "No difference is statistically significant" in said:
        adjusted = [
            test["p_adjusted"] for (*_, name), test in tests.items() if name in NAMES.values()
        ]
        assert not any(p < alpha for p in adjusted if p is not None)
    for better, by in re.findall(r"(m\d) has the better (.*?)[;.]", said):
        (other,) = {*found["models"]} - {better}
        for measure in named(by):
            assert lead(found, measure, better, other) > 0
            assert tests.get((better, other, measure), {"p_adjusted": None})["p_adjusted"] is None
    for by, leader, each in re.findall(r"By ([^.]*?) the lead of (m\d) over ([m\d, ]+) is", said):
        for measure, one in product(named(by), each.split(", ")):
            assert tests[leader, one, measure]["p_adjusted"] >= alpha
            assert lead(found, measure, leader, one) > 0
    pairs = {(each["first"], each["second"]): each for each in found["disagreements"]}
    preferred = (1, "first_preferred_by"), (-1, "second_preferred_by"), (0, "tied_by")
    for first, second in combinations(found["models"], 2):
        sides = {m: np.sign(lead(found, m, first, second)) for m in measures}
        assert ((first, second) in pairs) == (len(set(sides.values())) > 1), sides
        for sign, name in preferred if (first, second) in pairs else ():
            own = {m for m, side in sides.items() if side == sign}
            assert {*pairs[first, second][name]} == own
    assert ("All measures order the models alike" in said) == (not pairs)


@given(files())
@settings(max_examples=settings().max_examples // 2)
def test_no_two_numbers_of_a_report_contradict(tmp_path_factory, drawn):
    frame, scores, design, taus = drawn
    found = report(tmp_path_factory.getbasetemp(), frame, scores, design, taus)
    check_models(found, design)
    check_tests(found)
    check_sentences(found)
    for row in found["decisions"]:
        check_decision(row, found)
