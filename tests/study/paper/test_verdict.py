"""The verdict follows the data: papers made under each reading are recognised as that reading."""

import numpy as np
import pandas as pd
import pytest

from kappacurve import auc_score, auk_score, roc_vertices
from kappacurve.algebra import kappa_from_rates
from study.companions.kaymak2010_experiment import Sample
from study.paper.evidence import (
    EVIDENCE,
    Case,
    compatible,
    findings,
    readings_facts,
    readings_table,
)
from study.paper.readings import READINGS, RIGHT, STEPS
from study.paper.simulation import Splits, eight_areas, operating_points, simulate
from study.published import Numbers, Printed, published_numbers
from study.text.documents import Sources, Writer
from study.text.facts import short_answer


def reading(words, prevalence="test rows"):
    (only,) = (one for one in READINGS if (one.words, one.prevalence) == (words, prevalence))
    return only


TEXT = reading("as in the text")
MAJORITY = reading("good positive")
SWAPPED = reading("p and 1 - p interchanged")
DIFFERENCE = reading("0.328 is t - f")
OVER_T = reading("area over t")
OVER_T_DIFFERENCE = reading("area over t, 0.328 is t - f")
FLAGGED = reading("area over the flagged share")
SPECIFICITY = reading("0.60 is the specificity")


@pytest.fixture(scope="module")
def splits(kept):
    """Measured once, whichever tests ask."""
    return Splits("strathclyde", "neural_net", kept)


def made_under(own, splits):
    """The numbers that a paper would print of an ordinary replicate under a reading."""
    published = published_numbers()
    areas, _ = eight_areas(splits, published, own.area, own.share_minority, own.area.rules[0])
    point, _ = operating_points(splits, published, own)
    values = pd.concat([areas, point], axis=1, join="inner")
    nearest = ((values - values.median()) / values.std()).pow(2).sum(axis=1).idxmin()
    printed = {}
    for place, number in published_numbers().items():
        _, curve, model, measure = place
        value = values.loc[nearest, f"{curve} {model.replace('neural_net', 'network')} {measure}"]
        printed[place] = Printed(f"{value:.{number.decimals}f}")
    return own.printed(Numbers(printed))


def case_of(numbers, splits, readings):
    return Case(numbers, simulate(readings, [splits], numbers), Sample(786, 86, 286))


# A paper made under the first: which others have to be excluded.
RIVALS = [
    (TEXT, [MAJORITY, SWAPPED]),
    (MAJORITY, [TEXT, SPECIFICITY]),
    (SWAPPED, [TEXT, SPECIFICITY]),
    (OVER_T_DIFFERENCE, [TEXT]),
    (FLAGGED, [MAJORITY]),
    (reading("right Riemann sum"), [MAJORITY]),
    (reading("p = 0.21", "0.21"), [MAJORITY]),
]


@pytest.mark.parametrize(("own", "excluded"), RIVALS, ids=lambda one: getattr(one, "words", ""))
def test_a_paper_made_under_a_reading_is_recognised(own, excluded, splits):
    readings = [own, *excluded]
    table = readings_table(readings, case_of(made_under(own, splits), splits, readings))
    assert table["compatible"].iloc[0] != "no"
    assert table["compatible"].iloc[1:].tolist() == ["no"] * len(excluded)


def test_the_area_over_t_of_minority_is_the_area_over_f_of_majority(kept, splits):
    """So no area can tell these two readings apart; over the flagged share both are mixed."""
    one = kept[(kept["replicate"] == 0) & (kept["model"] == "linear")]
    minority, score = one["minority"].to_numpy(), one["score"].to_numpy()
    p = minority.mean()
    over_f, over_t = auk_score(minority, score), auk_score(1 - minority, -score)
    flagged = (1 - p) * over_f + p * over_t
    assert flagged == pytest.approx(auk_score(minority, score, axis="flagged"))
    for own, expected in ((TEXT, over_f), (MAJORITY, over_t), (OVER_T, over_t), (FLAGGED, flagged)):
        share = own.share_minority if own is not FLAGGED else float(p)
        values, _ = eight_areas(splits, published_numbers(), own.area, share, "exact")
        assert values.loc[0, "raw linear auk"] == pytest.approx(expected)


def test_areas_by_other_rules_are_those_of_the_points(kept, splits):
    """Of each replicate's own curve: trapezoids on the grid, rectangles at the right ends."""
    one = kept[(kept["replicate"] == 0) & (kept["model"] == "linear")]
    p = one["minority"].mean()
    fpr, tpr, _ = roc_vertices(one["minority"], one["score"])
    kappa = kappa_from_rates(fpr, tpr, p)
    raw = splits.areas(TEXT.view, None, RIGHT)["raw", "linear"].loc[0]
    assert raw["auk"] == pytest.approx((kappa[1:] * np.diff(fpr)).sum())
    assert raw["auc"] >= auc_score(one["minority"], one["score"])
    f = np.arange(11) / 10
    t = np.interp(f, fpr, tpr)
    coarse = splits.areas(TEXT.view, 0.2, "grid of 0.1")["raw", "linear"].loc[0]
    assert coarse["auk"] == pytest.approx(np.trapezoid(kappa_from_rates(f, t, 0.2), f))
    exact = splits.measures(TEXT.view, None)["hull", "linear"]["auk"]
    off = [
        (splits.areas(TEXT.view, None, rule)["hull", "linear"]["auk"] - exact).abs().mean()
        for rule in STEPS
    ]
    assert off == sorted(off)  # a finer grid is nearer


@pytest.mark.parametrize("minority", [0, 1])
def test_a_replicate_of_one_class_has_no_areas(kept, minority):
    few = kept[kept["replicate"] < 3].copy()
    few.loc[few["replicate"] == 1, "minority"] = minority
    splits = Splits("strathclyde", "neural_net", few)
    for rule in (RIGHT, "grid of 0.1"):
        assert [*splits.areas(TEXT.view, None, rule)["hull", "linear"].index] == [0, 2]


def test_interchanged_columns_show_no_reversal():
    crossed = reading("columns of AUK interchanged").printed(published_numbers())
    for place in (("Table 4", "hull"), ("Table 5", "raw")):
        for name in ("auc", "auk"):
            one, other = (crossed[*place, model, name] for model in ("linear", "neural_net"))
            assert one.value > other.value


def test_each_printed_fact_counts_once():
    fits = dict.fromkeys(EVIDENCE, "yes")
    assert compatible(fits) == "yes"
    names = ("digits", "place of the optimum", "in our splits")
    triple = fits | {f"triple: {name}": "no" for name in names}
    assert compatible(triple) == "open"
    assert compatible(triple | {"triple: in our splits, one misprint": "no"}) == "no"
    assert compatible(triple | {"areas: bounds": "no"}) == "no"
    assert compatible(fits | {"both: in our splits": "no"}) == "open"
    assert compatible(fits | {"triple: digits": "undecided"}) == "yes"


def test_without_some_printed_areas_the_others_are_judged(kept, splits):
    gone = {("Table 4", "hull", model, "auk") for model in ("linear", "neural_net")}
    numbers = Numbers({at: one for at, one in published_numbers().items() if at not in gone})
    found = findings(TEXT, case_of(numbers, splits, [TEXT]))
    for name in ("areas: in our splits", "both: in our splits"):
        assert "of 150 splits" in found[name].how
    few = Splits("strathclyde", "neural_net", kept[kept["replicate"] < 29])
    none = findings(TEXT, case_of(numbers, few, [TEXT]))["both: in our splits"]
    assert (none.answer, none.how) == ("undecided", "Not in this run.")


def test_the_first_page_follows_the_data(splits):
    readings, texts = [TEXT, MAJORITY, OVER_T_DIFFERENCE], {}
    for own in (MAJORITY, TEXT):
        case = case_of(made_under(own, splits), splits, readings)
        found = readings_facts(readings, readings_table(readings, case), case)
        words = {"minority": "minority", "majority": "majority"}
        words["words"] = {"minority": "bad", "majority": "good"}
        facts = words | found | short_answer(found, []) | {"causes": {}, "claims": [], "paper": ""}
        texts[own.words] = Writer(Sources(facts), plain=True).fill("findings.md")
    of_majority, of_text = texts["good positive"], texts["as in the text"]
    assert "cannot have been computed as the text says: at false positive rate f = " in of_majority
    assert "One departure from the text explains them: good positive." in of_majority
    assert "768 samples" in of_majority
    assert "can have been computed as the text says." in of_text
    assert len(of_majority.split()) <= 200


def test_what_is_counted_in_the_splits_and_which_cell_is_told(kept):
    """Counted by hand in two cells of 70 and 80 replicates, under each rule of integration.

    Both classes are as frequent, so that kappa is t - f.
    """
    even = kept[kept["row"] >= 220]
    parts = {"a": even[even["replicate"] < 70], "b": even[even["replicate"] >= 70]}
    cells = [Splits(name, "neural_net", scores) for name, scores in parts.items()]
    rows = simulate([TEXT], cells, published_numbers())
    found = {key[-1]: row for key, row in rows.items()}
    counts = {}
    for cell in cells:
        for rule in TEXT.area.rules:
            areas, printed = eight_areas(cell, published_numbers(), TEXT.area, None, rule)
            shown = np.ones((2, len(areas)), dtype=bool)
            for curve in ("raw", "hull"):
                for name, sign in (("auc", 1), ("auk", -1)):
                    one, other = f"{curve} linear {name}", f"{curve} network {name}"
                    lead = sign * (areas[one] - areas[other])
                    shown &= [lead > 0, lead >= sign * (printed[one] - printed[other])]
            counts[cell.encoding, rule] = shown.sum(axis=1), len(areas)
    for place, compared in enumerate(("reversal", "reversal as large")):
        shares = {key: count[place] / n for key, (count, n) in counts.items()}
        row = found[compared]
        told = row["encoding"], row["integration"]
        assert (row["cells"], row["share"]) == (len(counts), max(shares.values()))
        assert row["least"] == min(shares.values()) <= row["low"] <= row["share"] < row["high"]
        assert (row["count"], row["replicates"]) == (counts[told][0][place], counts[told][1])
    points = [operating_points(cell, published_numbers(), TEXT)[0] for cell in cells]
    same = [
        np.isclose(one.iloc[:, 2].round(3) - one.iloc[:, 1].round(2), one.iloc[:, 0].round(3))
        for one in points
    ]
    assert 0 < found["kappa has the digits of t - f"]["share"] == max(map(np.mean, same)) < 1
    bridged, of_one = found["trapezoid rule"], found["trapezoid rule, one pair"]
    assert bridged["replicates"] == {"a": 70, "b": 80}[bridged["encoding"]]
    assert 0 <= bridged["share"] <= of_one["share"] < 1
    assert found["eight areas but one"]["share"] >= found["eight areas"]["share"]
    assert found["eight areas"]["near"] < found["eight areas"]["far"]
