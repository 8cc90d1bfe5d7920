"""The verdict follows the data: papers made under each reading are recognised as that reading."""

import json
from functools import cache, partial

import pytest

from study.analysis.joint import joint_values
from study.analysis.parts import by_kind
from study.published import Printed, published_numbers, values_by_model
from study.replicates.evaluation import measure_replicates
from study.verdict import simulation
from study.verdict.evidence import Case, matrix
from study.verdict.facts import verdict_facts, verdict_text
from study.verdict.readings import BAD, GOOD, READINGS, Reading
from study.verdict.simulation import Cell, simulate

BY_KEY = {reading.key: reading for reading in READINGS}


@pytest.fixture(scope="module", autouse=True)
def measured(kept):
    """Measures of the scores at a prevalence: all readings share a few of them."""
    found = cache(partial(measure_replicates, kept))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "measure_replicates", lambda _, of_bad: found(of_bad))
        yield found


def made_under(reading, measured):
    """The numbers that a paper would print of an ordinary replicate under a reading."""
    areas, point = (
        by_kind(measured(view.of_bad))[view.positive] for view in (reading.areas, reading.point)
    )
    lookup = values_by_model(published_numbers())
    values, _ = joint_values(areas, point, "neural_net", "exact", lookup)
    nearest = ((values - values.median()) / values.std()).pow(2).sum(axis=1).idxmin()
    printed = {}
    for place, number in published_numbers().items():
        _, curve, model, measure = place
        value = values.loc[nearest, f"{curve} {model.replace('neural_net', 'network')} {measure}"]
        shown = 1 - value if reading.specificity and measure == "fpr" else value
        printed[place] = Printed(f"{shown:.{number.decimals}f}")
    return printed


def judged(numbers, kept, readings=READINGS):
    simulated = simulate(readings, [Cell("strathclyde", "neural_net", kept)], numbers)
    case = Case(numbers, simulated, (268, 280), (270, 290), (0.09, 0.13))
    table = matrix(readings, case)
    return table, verdict_facts(readings, table, case)


# A paper made under the first: which readings may not be excluded, and which have to be.
RIVALS = {
    "T": (["T", "T weighted", "T nominal"], ["G", "I", "T at 30 %", "T over t"]),
    "G": (["G", "G nominal"], ["T", "T specificity", "T over t", "T at 30 %"]),
    "I": (["I", "I nominal"], ["T", "T specificity", "T over t", "T at 30 %"]),
    "T nominal": (["T nominal", "T"], ["G", "I"]),
    "G nominal": (["G nominal", "G"], ["T"]),
    "I nominal": (["I nominal", "I"], ["T"]),
    "T difference": (["T difference"], ["G", "I"]),
    "G difference": (["G difference"], ["T", "T difference"]),
    "I difference": (["I difference"], ["T", "T difference"]),
    "T at 30 %": (["T at 30 %"], ["T", "G", "I"]),
    "T specificity": (["T specificity"], ["G", "I", "T over t"]),
    "T over t": (["T over t"], ["T", "G", "I"]),
    "T weighted": (["T weighted", "T"], ["G", "I"]),
}


@pytest.mark.parametrize("key", [reading.key for reading in READINGS])
def test_a_paper_made_under_a_reading_is_recognised(key, kept, measured):
    stay, go = RIVALS[key]
    readings = [one for one in READINGS if one.key in {*stay, *go}]
    _, facts = judged(made_under(BY_KEY[key], measured), kept, readings)
    status = {one["key"]: one["status"] for one in facts["readings"]}
    assert {name: status[name] for name in stay if status[name] == "excluded"} == {}
    assert {name: status[name] for name in go if status[name] != "excluded"} == {}


def test_sentences_follow_the_data(kept, measured):
    swapped, plain = (judged(made_under(BY_KEY[key], measured), kept)[1] for key in ("G", "T"))
    text = verdict_text(json.loads(json.dumps(swapped)))
    first, second, third, fourth, fifth = text.split("\n\n")[1].split("\n")
    assert "readings that we tried: G (good positive)" in first
    assert "the share of *good* rows enters equation 19" in first
    assert "T (bad positive, as in the text) is not compatible with the answers to" in second
    assert "confidence: high" in second
    assert third.startswith("3. What is undecided: nothing decides between G")
    assert "of 150 random splits" in fourth
    assert "upper limit 2.5 %" in fourth
    assert "768 samples" in fifth
    other = verdict_text(plain)
    assert "readings that we tried: T (bad positive, as in the text)" in other
    assert "T (bad positive, as in the text) is not compatible" not in other
    assert len(text.split()) <= 700


def test_a_reading_without_evidence_and_a_missing_number_are_said(kept, caplog):
    readings = (
        Reading("T", "", BAD, BAD),
        Reading("G", "", GOOD, GOOD),
        Reading("X", "", None, None),
    )
    gone = ("Section 8", "hull", "neural_net", "tpr")
    numbers = {place: one for place, one in published_numbers().items() if place != gone}
    table, facts = judged(numbers, kept, readings)
    assert "reading X has no evidence: give it areas or a point." in caplog.text
    assert set(table["reading"]) == {"T", "G"}
    by_piece = table.query("reading == 'T'").set_index("evidence")
    missing = "Not judged: published.csv has no value for Section 8, hull, neural_net, tpr"
    assert by_piece.loc["equation 19", "how"].startswith(missing)
    assert by_piece.loc["equation 19", "compatible"] == "undecided"
    assert by_piece.loc["AUK bounds, exact", "compatible"] == "no"
    text = verdict_text(facts)
    assert missing in text
    assert "X has no evidence and is left out." in text
    assert "at its operating point kappa is" not in text


@pytest.fixture(scope="module")
def published(kept):
    return judged(published_numbers(), kept[kept["replicate"] < 20])


def test_without_enough_replicates_the_simulation_is_undecided(published):
    table, facts = published
    simulated = table[table["evidence"].str.startswith(("joint", "AUK given"))]
    assert set(simulated["compatible"]) == {"undecided"}
    text = verdict_text(facts)
    assert "unknown, as this run has too few replicates" in text
    assert "T (bad positive, as in the text) is not compatible" in text


@pytest.mark.parametrize(
    ("key", "piece", "value", "compatible"),
    [
        ("T", "equation 19", 0.106, "no"),
        ("G", "equation 19", 0.331, "yes"),
        ("T difference", "equation 19", 0.328, "yes"),
        ("T specificity", "equation 19", 0.221, "no"),
        ("T", "place of the optimum", 0.6985, "no"),
        ("G", "place of the optimum", 0.8820, "yes"),
        ("T", "AUK bounds, exact", 5.5e-10, "no"),
        # t = 0.928 rounded to three digits needs at least 69 positives.
        ("I", "counts, rounded", 0, "no"),
        ("G", "counts, rounded", 3, "yes"),
    ],
)
def test_arithmetic_on_the_published_numbers(published, key, piece, value, compatible):
    found = published[0].set_index(["reading", "evidence"]).loc[(key, piece)]
    assert found["value"] == pytest.approx(value, abs=5e-4)
    assert found["compatible"] == compatible
