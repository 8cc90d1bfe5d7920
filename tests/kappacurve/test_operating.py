"""ROC vertices, operating points under a constraint, and the net benefit at a threshold."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy.spatial import ConvexHull
from scipy.stats import sem, ttest_rel
from sklearn.metrics import cohen_kappa_score, roc_curve

import kappacurve as kc
from kappacurve.algebra import along_segments, kappa_from_rates


@pytest.mark.parametrize("decimals", [1, 8])
def test_vertices_are_those_of_scikit_learn(rng, decimals):
    y = rng.random(300) < 0.4
    score = rng.normal(size=300).round(decimals)
    weight = rng.integers(1, 5, 300).astype(float)
    for sample_weight in (None, weight):
        fpr, tpr, thresholds = kc.roc_vertices(y, score, sample_weight=sample_weight)
        expected = roc_curve(y, score, sample_weight=sample_weight, drop_intermediate=False)
        np.testing.assert_allclose(fpr, expected[0], atol=1e-14)
        np.testing.assert_allclose(tpr, expected[1], atol=1e-14)
        np.testing.assert_array_equal(thresholds, expected[2])


def test_hull_drops_collinear_and_repeated_vertices():
    fpr = [0, 0, 0, 0.1, 0.2, 0.3, 0.6, 1, 1]
    tpr = [0, 0, 0.3, 0.4, 0.5, 0.6, 0.6, 1, 1]
    assert kc.roc_hull(fpr, tpr).index.tolist() == [0, 2, 5, 7]


def test_hull_against_qhull(rng):
    fpr, tpr = (np.concatenate(([0], np.sort(rng.random(500)), [1])) for _ in range(2))
    below = ConvexHull(np.column_stack((np.append(fpr, 1), np.append(tpr, 0))))
    corners = {*below.vertices} - {len(fpr)}
    assert {*kc.roc_hull(fpr, tpr).index.tolist()} == corners


@pytest.mark.parametrize("curve", ["raw", "hull"])
@pytest.mark.parametrize(("decimals", "shift"), [(1, 1), (0, -1)])
def test_kappa_curve_is_what_the_thresholds_give_and_the_operating_point_its_top(
    rng, curve, decimals, shift
):
    y = rng.random(200) < 0.3
    score = rng.normal(size=200).round(decimals) + shift * y
    fpr, kappa, thresholds = kc.kappa_curve(y, score, curve=curve)
    assert (fpr[0], fpr[-1], kappa[0], kappa[-1], thresholds[0]) == (0, 1, 0, 0, np.inf)
    for k, threshold in zip(kappa[1:-1], thresholds[1:-1], strict=True):
        assert k == pytest.approx(cohen_kappa_score(y, score >= threshold), abs=1e-13)
    first = int(np.argmax(kappa > kappa.max() - 1e-12))
    point = kc.operating_point(y, score)
    assert (point.threshold, point.fpr) == (thresholds[first], fpr[first])
    assert point.kappa == pytest.approx(kappa[first], abs=1e-13)


def test_points_along_segments():
    fpr, tpr = along_segments([0, 0.1, 1], [0, 0.9, 1])
    assert np.diff(fpr).max() <= 0.005 + 1e-12
    assert np.diff(tpr).max() <= 0.005 + 1e-12
    assert len(fpr) == 1 + 180 + 180
    assert {(0.1, 0.9), (1.0, 1.0)} <= set(zip(fpr.tolist(), tpr.tolist(), strict=True))


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
    sign = -1 if quantity in ("fpr", "flagged") else 1
    thresholds = [np.inf, *sorted({score for _, score, _ in rows}, reverse=True)]
    found = [(brought(rows, threshold, p), threshold) for threshold in thresholds]
    found = [
        each
        for each in found
        if each[0][quantity] is not None and sign * each[0][quantity] >= sign * bound
    ]
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
            kc.operating_point(*arguments, **options)
        return
    point, (value, threshold) = kc.operating_point(*arguments, **options), expected
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
    best, known = kc.operating_point(y, score, **at), kc.measures(y, score, **at)
    assert best[:3] == (known["threshold"], known["fpr"], known["tpr"])
    assert best.kappa == pytest.approx(known["kappa_max"], abs=1e-14)
    assert kc.operating_point(y, score, at=best.threshold, **at) == best
    loss = kc.expected_loss(y, score, threshold=best.threshold, **at)
    assert best.expected_loss == pytest.approx(loss, abs=1e-15)
    budget = kc.operating_point(y, score, at="flagged<=0.25", **at)
    kappa = kappa_from_rates(budget.fpr, budget.tpr, 0.1, cost_ratio=4)
    assert budget.kappa == pytest.approx(float(kappa), abs=1e-15)


def test_nobody_flagged_has_no_precision():
    point = kc.operating_point([0, 1], [1, 1], at=5)
    assert (point.flagged, point.true_positives) == (0, 0)
    assert np.isnan(point.precision)


# The prediction model of dcurves' example data (cancer ~ cancerpredmarker, 105 of 750 rows
# positive): rows of each class at or above the thresholds, and what dcurves 1.1.7 prints there.
TAUS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
POSITIVES, NEGATIVES = [96, 87, 82, 75, 72, 62, 57], [320, 193, 128, 98, 72, 49, 36]
PRINTED = [0.105544, 0.087407, 0.079216, 0.067333, 0.064000, 0.054667, 0.050154]
ALL = [0.094737, 0.044444, -0.011765, -0.075000, -0.146667, -0.228571, -0.323077]


def example():
    """Rows whose probabilities lie at the thresholds (0 below the first) as often as there."""
    counts = [-np.diff([n, *above, 0]) for above, n in ((POSITIVES, 105), (NEGATIVES, 645))]
    return np.repeat([1, 0], [105, 645]), np.repeat([0.0, *TAUS] * 2, np.concatenate(counts))


def test_dcurves_example():
    y, probability = example()
    found = kc.net_benefit(y, probability, thresholds=TAUS)
    np.testing.assert_allclose(found, PRINTED, atol=5e-7)
    np.testing.assert_allclose(kc.net_benefit(y, np.ones(750), thresholds=TAUS), ALL, atol=5e-7)
    # dcurves takes the probabilities as those of the stated prevalence.
    stated = {"prevalence": 0.05, "trained_at": 0.05}
    at_five_per_cent = kc.net_benefit(y, probability, thresholds=[0.05, 0.2], **stated)
    np.testing.assert_allclose(at_five_per_cent, [0.020908, -0.000371], atol=5e-7)


def test_limits_of_thresholds():
    """At 0 all are flagged, and what they bring is the prevalence; by default 0.01 to 0.99."""
    y, probability = example()
    assert kc.net_benefit(y, probability, thresholds=0) == pytest.approx(105 / 750)
    by_default = kc.net_benefit(y, probability)
    assert len(by_default) == 99
    assert by_default[[4, 19, 34]] == pytest.approx([PRINTED[0], PRINTED[3], PRINTED[6]], abs=5e-7)
    at_best = kc.net_benefit(y, 1 - probability, at="best", thresholds=[0, 0.5])
    assert at_best == pytest.approx([105 / 750, 0])


def test_weights_and_the_standard():
    y, probability = example()
    at = {"sample_weight": np.where(y == 1, 2.0, 3.0), "standardized": True}
    odds = np.array(TAUS) / (1 - np.array(TAUS))
    expected = 1 / 105 * (np.array(POSITIVES) - 1.5 * odds * np.array(NEGATIVES))
    found = kc.net_benefit(y, probability, thresholds=TAUS, **at)
    np.testing.assert_allclose(found, expected, atol=1e-14)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 10)), min_size=2, max_size=30).filter(
        lambda rows: len({y for y, _ in rows}) == 2
    ),
    st.floats(0.01, 0.99),
    st.floats(0.01, 0.99),
)
def test_loss_kappa_and_net_benefit_say_the_same(rows, tau, p):
    y, probability = np.array(rows).T / [[1], [10]]
    at = {"prevalence": p}
    found = float(kc.net_benefit(y, probability, thresholds=tau, trained_at=p, **at))
    loss = kc.expected_loss(y, probability, cost=1 - tau, threshold=tau, **at)
    assert loss == pytest.approx((1 - tau) * (p - found), abs=1e-12)
    best = float(kc.net_benefit(y, probability, thresholds=tau, at="best", **at))
    assert best == pytest.approx(
        p - kc.expected_loss(y, probability, cost=1 - tau, **at) / (1 - tau)
    )
    f, t = (float((probability[y == each] >= tau).mean()) for each in (0, 1))
    share, flag_all = p * t + (1 - p) * f, p - (1 - p) * tau / (1 - tau)
    kappa = float(kappa_from_rates(f, t, p, cost=1 - tau))
    assert kappa * (p - share * flag_all) == pytest.approx(found - share * flag_all, abs=1e-12)


def test_interval_and_paired_test_are_of_the_mean_over_rows():
    """Against scipy's t test of what each row adds: a positive 1, a negative minus the odds."""
    y, probability = example()
    other = np.random.default_rng(5).permutation(probability)
    at = {"measure": "net_benefit", "threshold": 0.2, "sampling": "random"}
    rows = [np.where(y == 1, 1.0, -0.25) * (each >= 0.2) for each in (probability, other)]
    found = kc.interval(y, probability, **at)
    assert found.estimate == pytest.approx(0.067333, abs=5e-7)
    assert found.standard_error == pytest.approx(sem(rows[0]), rel=2e-3)
    assert found.low < found.estimate < found.high
    test = kc.paired_test(y, probability, other, **at)
    assert test.difference == pytest.approx(np.mean(rows[0] - rows[1]), abs=1e-12)
    assert test.statistic == pytest.approx(ttest_rel(*rows).statistic, rel=5e-3)


def at(constraint):
    return lambda: kc.operating_point([0, 1], [0, 1], at=constraint)


Y = [0, 0, 1, 1]
REFUSED = [
    (lambda: kc.roc_hull([[0, 1]], [[0, 1]]), "fpr and tpr"),
    (lambda: kc.roc_hull([0.1, 1], [0, 1]), "fpr and tpr"),
    (lambda: kc.roc_hull([0, 0.5, 0.2, 1], [0, 0.2, 0.5, 1]), "fpr and tpr"),
    (lambda: kc.roc_hull([0, 0.2, 0.5, 1], [0, 0.5, 0.2, 1]), "must not decrease"),
    (lambda: kc.roc_hull([0, 1], [0.1, 1]), r"start at \(0, 0\)"),
    (lambda: kc.roc_hull([0, 0.9], [0, 1]), r"end at \(1, 1\)"),
    (lambda: kc.roc_hull([0, 1], [0, 0.9]), r"end at \(1, 1\)"),
    (lambda: kc.roc_hull([0], [0]), "one-dimensional and equally long"),
    (lambda: along_segments([0, 1], [0, 1], step=np.nan), "step must be positive"),
    (at("flagged < 0.1"), "such as"),
    (at("auc>=0.9"), "such as"),
    (at("recall<=0.9"), "recall is bounded by >="),
    (at("fpr>=0.1"), "fpr is bounded by <="),
    (at("precision>=half"), "a number above 0"),
    (at("recall>=0"), "a number above 0"),
    (at("flagged<=20"), "a number from 0 to 1"),
    (at("fpr<=nan"), "a number from 0 to 1"),
    (at(float("nan")), "got nan"),
    (lambda: kc.net_benefit(Y, Y, thresholds=[0, 1]), "at least 0 and below 1, got .0, 1."),
    (lambda: kc.net_benefit(Y, Y, thresholds=-0.1), "at least 0 and below 1, got -0.1"),
    (lambda: kc.net_benefit(Y, [0, 0.5, 1, -0.1]), "from -0.1 to 1, outside"),
    (lambda: kc.net_benefit(Y, [0, 0.5, 0, 1.5]), "from 0 to 1.5, outside"),
    (lambda: along_segments([0, 1], [0, 1], step=0), "step must be positive"),
    (lambda: along_segments([[0, 1]], [[0, 1]]), "one-dimensional and equally long"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
