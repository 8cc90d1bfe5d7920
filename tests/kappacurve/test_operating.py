"""Operating points under a constraint or at a cost, net benefit, and moved probabilities."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import kappacurve as kc
from kappacurve.curves.curve import roc_curves
from kappacurve.curves.kernels import sort_rows
from kappacurve.decisions.operating import check_at, choose_points, shorten_threshold

BUDGETS = ("fpr", "flagged")
TABLES = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=12)
CONSTRAINTS = st.tuples(
    st.sampled_from(["fpr", "flagged", "specificity", "recall", "precision"]),
    st.fractions(0, 1, max_denominator=12),
)


def try_thresholds(rows, p):
    """Thresholds that flag a positive, from the highest, with exact fractions of what they bring.

    Rows are labels, scores and integer weights.
    """
    n = {y: sum(w for label, _, w in rows if label == y) for y in (False, True)}
    p = Fraction(n[True], n[True] + n[False]) if p is None else p
    for threshold in sorted({score for _, score, _ in rows}, reverse=True):
        fp, tp = (
            sum(w for label, score, w in rows if label == y and score >= threshold) for y in n
        )
        t, f = Fraction(tp, n[True]), Fraction(fp, n[False])
        flagged = p * t + (1 - p) * f
        values = {"recall": t, "fpr": f, "specificity": 1 - f, "flagged": flagged}
        if tp:
            yield threshold, (tp, fp), values | {"precision": p * t / flagged}


def search_threshold(rows, quantity, bound, p):
    """The best of all thresholds that keep a bound and flag a positive, with its values."""
    sign = -1 if quantity in BUDGETS else 1
    found = [row for row in try_thresholds(rows, p) if sign * row[2][quantity] >= sign * bound]
    if not found or quantity == "recall":
        return found[0] if found else None
    return max(found, key=lambda row: (row[2]["recall"], row[0]))


@given(TABLES, CONSTRAINTS, st.sampled_from([None, Fraction(1, 10), Fraction(7, 8)]), st.booleans())
def test_the_best_of_all_thresholds(table, constraint, p, weighted):
    (quantity, bound), labels = constraint, [label for label, _ in table]
    assume(any(labels) and not all(labels))
    assume(bound > 0 or quantity in BUDGETS)
    weight = [1 + i % 3 if weighted else 1 for i in range(len(table))]
    rows = [(label, score, w) for (label, score), w in zip(table, weight, strict=True)]
    expected = search_threshold(rows, quantity, bound, p)
    sign = " <= " if quantity in BUDGETS else ">="
    arguments = labels, [score for _, score in table]
    options = {"at": f"{quantity}{sign}{float(bound)!r}", "sample_weight": weight}
    options["prevalence"] = None if p is None else float(p)
    if expected is None and quantity == "precision":
        with pytest.raises(ValueError, match=r"No threshold keeps precision>=.*the largest is"):
            kc.operating_point(*arguments, **options)
        return
    point = kc.operating_point(*arguments, **options)
    if expected is None:  # a budget that finds nobody is kept all the same
        used = {"fpr": point.fpr, "specificity": point.fpr - 1, "flagged": point.flagged}[quantity]
        assert point.true_positives == 0
        assert used <= (float(bound) if quantity in BUDGETS else -float(bound)) + 1e-12
        return
    threshold, counts, values = expected
    assert point.threshold == threshold
    assert (point.true_positives, point.false_positives) == counts
    found = point.tpr, point.fpr, point.flagged, point.precision
    exact = [float(values[name]) for name in ("recall", "fpr", "flagged", "precision")]
    assert found == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(
    ("threshold", "next_lower", "short"),
    [
        (2 / 3, 1 / 3, 0.666666),  # 0.666667 would lose the rows with this score
        (-1 / 3, -2 / 3, -0.333334),
        (0.3, 0.1, 0.3),
        (0.1 + 0.2, 0.3, 0.1 + 0.2),
        (0.123456789, 0.1234567, 0.12345678),
        (20232130.0, 20232129.0, 20232130.0),
        (123456.75, 123456.0, 123456.7),
        (1.23456789e-7, -np.inf, 1.23456e-7),
        (1e300, 1.0, 1e300),
        (0.0, -1.0, 0.0),
    ],
)
def test_a_threshold_is_shortened_without_losing_or_adding_a_row(threshold, next_lower, short):
    assert shorten_threshold(threshold, next_lower) == short


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, unique=True))
def test_a_short_threshold_flags_the_same_rows(scores):
    next_lower, threshold = sorted(scores)[-2:]
    assert next_lower < shorten_threshold(threshold, next_lower) <= threshold


def test_a_model_that_finds_nobody_within_a_budget_has_a_recall_of_0():
    """Its first two rows are negatives; the others' first is positive."""
    y, best, worst = np.repeat([1, 0], 20), np.arange(40, 0, -1), np.arange(40)
    point = kc.operating_point(y, worst, at="flagged<=0.05")
    assert (point.threshold, point.tpr, point.false_positives) == (38, 0, 2)
    found = kc.compare(y, {"best": best, "worst": worst}, at="flagged<=0.05", n_resamples=100)
    recalls = found.decisions.query("quantity == 'recall'")["estimate"].tolist()
    assert recalls == [0.1, 0]
    assert any(text.startswith("Recall at flagged<=0.05: best is") for text in found.sentences)


def test_a_budget_is_not_spent_on_negatives_alone():
    for at in ("flagged<=0.5", "fpr <= 50 %", "specificity>=50%", "precision>=0.5", "recall>=.5"):
        point = kc.operating_point([1, 0, 0, 0], [0.9, 0.5, 0.4, 0.3], at=at)
        assert (point.threshold, point.precision) == (0.9, 1)


@given(TABLES, st.floats(0.01, 0.99), st.sampled_from([None, 0.1, 0.8]))
def test_the_least_loss_of_all_thresholds(table, c, p):
    y, score = np.array([label for label, _ in table]), np.array([s for _, s in table])
    assume(y.any() and not y.all())
    ratio, share = c / (1 - c), y.mean() if p is None else p

    def loss(threshold):
        missed, alarmed = np.mean(score[y] < threshold), np.mean(score[~y] >= threshold)
        return float(c * share * missed + (1 - c) * (1 - share) * alarmed)

    thresholds = [np.inf, *np.unique(score)[::-1].tolist()]
    least = min(map(loss, thresholds))
    point = kc.operating_point(y, score, cost_ratio=ratio, prevalence=p)
    assert point.expected_loss == pytest.approx(least, abs=1e-15)
    assert point.threshold == next(t for t in thresholds if loss(t) <= least + 1e-14)
    for cut in (*thresholds, 4.5, -1e300):
        point = kc.operating_point(y, score, at=cut, cost_ratio=ratio, prevalence=p)
        assert point.threshold == cut
        assert point.expected_loss == pytest.approx(loss(cut), abs=1e-15)


def test_the_point_agrees_with_measures_and_kappa(rng):
    y = rng.random(200) < 0.3
    score = rng.normal(size=200).round(1) + y
    best = kc.operating_point(y, score, prevalence=0.1)
    known = kc.measures(y, score, prevalence=0.1)
    assert best[:3] == (known["threshold"], known["fpr"], known["tpr"])
    assert best.kappa == pytest.approx(known["kappa_max"], abs=1e-14)
    budget = kc.operating_point(y, score, at="flagged<=0.25", prevalence=0.1, cost_ratio=4)
    kappa = kc.kappa_from_rates(budget.fpr, budget.tpr, 0.1, 4)
    assert budget.kappa == pytest.approx(float(kappa), abs=1e-15)
    nobody = kc.operating_point(y, score, at=9.0)
    assert (nobody.flagged, nobody.true_positives) == (0, 0)
    assert np.isnan(nobody.precision)


@pytest.mark.parametrize("weight", [None, np.array([1.0, 2, 1, 3, 1, 1, 2, 1])])
@pytest.mark.parametrize("at", ["flagged<=0.5", "recall>=0.6", "precision>=0.5", 5.0])
@pytest.mark.parametrize("p", [None, 0.3])
def test_points_of_resamples_are_those_of_rows_so_often(at, p, weight):
    y, score = np.array([1, 0, 1, 1, 0, 0, 1, 0]) == 1, np.array([8.0, 7, 6, 6, 4, 4, 2, 1])
    counts = np.array([[1] * 8, [2, 1, 0, 1, 2, 0, 2, 1]], np.uint8)
    curves = roc_curves(sort_rows(y, score, weight), counts)
    places = choose_points(check_at(at), curves, curves.prevalence if p is None else p)
    for i, place in enumerate(places):
        weights = counts[i] * (1 if weight is None else weight)
        expected = kc.operating_point(y, score, at=at, sample_weight=weights, prevalence=p)
        f, t = (rate[i, place] for rate in curves.rates)
        assert (f, t) == pytest.approx(expected[1:3])


@given(TABLES, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_loss_kappa_and_net_benefit_say_the_same(rows, tau, p):
    """L = c (p - NB), and kappa is the net benefit beyond flagging as many rows blindly."""
    assume(len({y for y, _ in rows}) == 2)
    y, probability = np.array(rows).T / [[1], [5]]
    ratio = (1 - tau) / tau
    found = float(kc.net_benefit(y, probability, thresholds=tau, prevalence=p))
    point = kc.operating_point(y, probability, at=tau, cost_ratio=ratio, prevalence=p)
    assert point.expected_loss == pytest.approx((1 - tau) * (p - found), abs=1e-12)
    best = float(kc.net_benefit(y, probability, thresholds=tau, rule="best", prevalence=p))
    least = kc.operating_point(y, probability, cost_ratio=ratio, prevalence=p).expected_loss
    assert best == pytest.approx(p - least / (1 - tau))
    flag_all = p - (1 - p) * tau / (1 - tau)
    beyond = found - point.flagged * flag_all
    assert point.kappa * (p - point.flagged * flag_all) == pytest.approx(beyond, abs=1e-12)


def test_limits_of_net_benefit():
    """At 0 all are flagged, and what they bring is the prevalence; by default 0.01 to 0.99."""
    y, probability = np.arange(100) < 14, np.linspace(0, 1, 100)
    assert kc.net_benefit(y, probability, thresholds=0) == pytest.approx(0.14)
    assert len(kc.net_benefit(y, probability)) == 99
    at_best = kc.net_benefit(y, probability, rule="best", thresholds=[0, 0.5])
    assert at_best == pytest.approx([0.14, 0])
    # 32-bit probabilities may leave [0, 1] by their rounding.
    nearly = np.append(-1e-8, probability[1:])
    assert kc.net_benefit(y, nearly, thresholds=0) == pytest.approx(0.14)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0.001, 0.999))
def test_moved_probabilities_are_bayes(old, new, density):
    """P(y | x) at either prevalence, of densities 1 - u of negatives and u of positives."""
    before, after = (
        share * density / (share * density + (1 - share) * (1 - density)) for share in (old, new)
    )
    assert kc.adjust_prevalence(before, old, new) == pytest.approx(after, rel=1e-9)
    assert kc.adjust_prevalence([0.0, 1.0], old, new).tolist() == [0, 1]


Y = [0, 0, 1, 1]
NO_CONSTRAINTS = {
    "flagged < 0.1": "such as",
    "auc>=0.9": "such as",
    "recall<=0.9": "recall is bounded by >=",
    "fpr>=0.1": "fpr is bounded by <=",
    "precision>=half": "the bound of precision is a number above 0 and up to 1, or a percentage, ",
    "recall>=0": "the bound of recall is a number above 0 and up to 1, or a percentage, got",
    "fpr<=-0.1": "the bound of fpr is a number from 0 to 1, or a percentage, got 'fpr<=-0.1'",
    "flagged<=1.5": r"the bound of flagged .* got 'flagged<=1\.5'\.$",
    "flagged<=5": r"did you mean 0\.05\?",
    "flagged<=101%": "the bound of flagged",
    float("nan"): "got nan",
}
REFUSED = [
    *((partial(kc.operating_point, Y, Y, at=at), text) for at, text in NO_CONSTRAINTS.items()),
    (lambda: kc.operating_point(Y, Y, cost_ratio=0), "cost_ratio must be positive and finite"),
    (lambda: kc.net_benefit(Y, Y, thresholds=[0, 1]), "at least 0 and below 1, got .0, 1."),
    (lambda: kc.net_benefit(Y, Y, thresholds=-0.1), "at least 0 and below 1, got -0.1"),
    (lambda: kc.net_benefit(Y, Y, rule="all"), 'rule must be "score" or "best"'),
    (lambda: kc.net_benefit(Y, Y, at="best"), "at is called rule now, so write rule='best'"),
    (lambda: kc.net_benefit(Y, [0, 0.5, 0, 1.5]), "y_prob must be probabilities, got 0 to 1.5"),
    (lambda: kc.adjust_prevalence(0.5, 0, 0.1), "training_prevalence must lie strictly between"),
    (lambda: kc.adjust_prevalence([2.0], 0.2, 0.1), r"y_prob must lie in \[0, 1\]"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
