"""Operating points under a constraint, against a search through all thresholds in plain loops."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from kappacurve import expected_loss, measures, operating_point
from kappacurve.algebra import kappa_from_rates

TABLES = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=12)
CONSTRAINTS = st.tuples(
    st.sampled_from(["fpr", "flagged", "specificity", "recall", "precision"]),
    st.fractions(0, 1, max_denominator=12),
)


def brought(rows, threshold, p):
    """Exact fractions of what a threshold brings; weights are whole numbers of rows."""
    n = {y: sum(w for label, _, w in rows if label == y) for y in (False, True)}
    hits = {y: sum(w for label, score, w in rows if label == y and score >= threshold) for y in n}
    t, f = Fraction(hits[True], n[True]), Fraction(hits[False], n[False])
    p = Fraction(n[True], n[True] + n[False]) if p is None else p
    flagged = p * t + (1 - p) * f
    precision = p * t / flagged if flagged else None
    return {"recall": t, "fpr": f, "specificity": 1 - f, "flagged": flagged, "precision": precision}


def searched(rows, quantity, bound, p):
    """The best threshold, by the rule of its constraint, of all that keep it."""
    found = []
    for threshold in [np.inf, *sorted({score for _, score, _ in rows}, reverse=True)]:
        value = brought(rows, threshold, p)
        if value[quantity] is None:
            continue
        keeps = (
            value[quantity] <= bound if quantity in ("fpr", "flagged") else value[quantity] >= bound
        )
        if keeps:
            found.append((value, threshold))
    if quantity == "recall":
        found = found[:1]
    elif quantity == "precision":
        most = max((value["recall"] for value, _ in found), default=0)
        found = [each for each in found if each[0]["recall"] == most][:1]
    return found[-1] if found and found[-1][0]["recall"] > 0 else None


@given(TABLES, CONSTRAINTS, st.sampled_from([None, Fraction(1, 10), Fraction(7, 8)]), st.booleans())
def test_the_best_of_all_thresholds(table, constraint, p, weighted):
    (quantity, bound), labels = constraint, [label for label, _ in table]
    assume(any(labels) and not all(labels))
    assume(bound > 0 or quantity in ("fpr", "flagged"))
    weight = [1 + i % 3 if weighted else 1 for i in range(len(table))]
    rows = [(label, score, w) for (label, score), w in zip(table, weight, strict=True)]
    expected = searched(rows, quantity, bound, p)
    sign = "<=" if quantity in ("fpr", "flagged") else ">="
    arguments = labels, [score for _, score in table]
    options = {"at": f"{quantity}{sign}{float(bound)!r}", "sample_weight": weight}
    options["prevalence"] = None if p is None else float(p)
    if expected is None:
        with pytest.raises(ValueError, match="No threshold meets"):
            operating_point(*arguments, **options)
        return
    point, (value, threshold) = operating_point(*arguments, **options), expected
    assert point.threshold == threshold
    names = {"fpr": "fpr", "tpr": "recall", "flagged": "flagged", "precision": "precision"}
    for name, known in names.items():
        assert getattr(point, name) == pytest.approx(float(value[known]), abs=1e-12)
    flagged = [row for row in rows if row[1] >= point.threshold]
    assert point.true_positives == sum(w for label, _, w in flagged if label)
    assert point.false_positives == sum(w for label, _, w in flagged if not label)


def test_the_point_agrees_with_the_other_doors(rng):
    y = rng.random(200) < 0.3
    score = rng.normal(size=200).round(1) + y
    at = {"prevalence": 0.1, "cost_ratio": 4}
    best = operating_point(y, score, **at)
    known = measures(y, score, **at)
    assert best[:3] == (known["threshold"], known["fpr"], known["tpr"])
    assert best.kappa == pytest.approx(known["kappa_max"], abs=1e-14)
    fixed = operating_point(y, score, at=best.threshold, **at)
    assert fixed == best
    assert fixed.expected_loss == pytest.approx(
        expected_loss(y, score, threshold=best.threshold, **at), abs=1e-15
    )
    budget = operating_point(y, score, at="flagged<=0.25", **at)
    kappa = kappa_from_rates(budget.fpr, budget.tpr, 0.1, cost_ratio=4)
    assert budget.kappa == pytest.approx(float(kappa), abs=1e-15)


def test_a_tie_across_the_budget_is_left_out():
    """Ten rows, of which four have the top score: a budget of three tenths flags none of them."""
    y, score = [1, 0, 1, 0, 1, 0, 0, 0, 0, 0], [2, 2, 2, 2, 1, 0, 0, 0, 0, 0]
    assert operating_point(y, score, at="flagged<=0.4").threshold == 2
    with pytest.raises(ValueError, match=r"No threshold meets flagged<=0\.3 .* nearest .* 0\.4"):
        operating_point(y, score, at="flagged<=0.3")


def test_nobody_flagged_has_no_precision():
    point = operating_point([0, 1], [1, 1], at=5)
    assert (point.flagged, point.true_positives) == (0, 0)
    assert np.isnan(point.precision)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("flagged < 0.1", "such as"),
        ("auc>=0.9", "such as"),
        ("recall<=0.9", "recall is bounded by >="),
        ("fpr>=0.1", "fpr is bounded by <="),
        ("precision>=half", "a number above 0"),
        ("recall>=0", "a number above 0"),
        ("flagged<=20", "a number from 0 to 1"),
        ("fpr<=nan", "a number from 0 to 1"),
        (float("nan"), "got nan"),
    ],
)
def test_what_can_not_be_read_is_said_in_a_sentence(at, message):
    with pytest.raises(ValueError, match=message):
        operating_point([0, 1], [0, 1], at=at)
