"""Measures of rows, of batches and as scorers, by hand and against other packages."""

import math
import os
import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hmeasure import h_score
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB

import kappacurve as kc
from kappacurve._measures import MEASURES
from kappacurve.algebra import area_under_curve, h_of_hull, implied_costs
from kappacurve.scorers import SCORERS, get_scorer

FOUR = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]


def sample(rng, share=0.3, decimals=8):
    y = rng.permutation(np.arange(300) < 300 * share).astype(int)
    return y, (rng.normal(size=300) + y).round(decimals)


def test_hand_table_1():
    a = kc.measures([1, 0, 0, 1], [3, 2, 2, 1])
    assert (a["auc"], a["auch"]) == (0.5, 0.75)
    assert a["h"] == pytest.approx(47 / 135, abs=1e-15)
    hull = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(implied_costs(*hull, 0.2), [[1, 1 / 9], [0.1, 0.9]], atol=1e-15)
    shift = 1 - 1 / math.sqrt(2)
    b = np.array([0, 0, 1 - shift, 1]), np.array([0, shift, 1, 1])
    assert area_under_curve(*b) == pytest.approx(0.75, abs=1e-15)
    assert h_of_hull(*b, 0.5) == pytest.approx(shift, abs=1e-15)
    c = kc.measures([1, 1, 1, 0, 1, 0, 0, 0], [9, 9, 9, 9, 1, 1, 1, 1])
    assert (c["auc"], c["auch"]) == (0.75, 0.75)
    assert c["h"] == pytest.approx(23 / 80, abs=1e-15)


def test_perfect_constant_and_reversed_scores_reach_the_ends_that_the_table_states():
    found = pd.DataFrame(kc.measures([0] * 999 + [1], s) for s in ([1] * 999 + [2], np.ones(1000)))
    found.loc[2] = kc.measures([0] * 999 + [1], [2] * 999 + [1])
    assert found["threshold"].tolist() == [2, np.inf, np.inf]
    assert found.loc[1:, ["ks", "auk_hull", "h", "kappa_max", "fpr", "tpr"]].eq(0).all(axis=None)
    for name in ("auc", "auch", "gini", "ks", "auk_hull", "average_precision", "h", "kappa_max"):
        assert found[name].min() == pytest.approx(MEASURES[name].low, abs=2e-3)
        if name != "auk_hull":
            assert found[name].max() == MEASURES[name].high
    everything = kc.measures(*FOUR, prevalence=1e-200, cost=1)
    for name, measure in MEASURES.items():
        if name in everything:
            assert measure.low <= everything[name] <= measure.high


@pytest.mark.parametrize("decimals", [0, 1, 8])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_h_against_pypi_hmeasure(rng, decimals, share):
    y, score = sample(rng, share=share, decimals=decimals)
    # It takes scores from 0 to 1 only.
    score = (score - score.min()) / (score.max() - score.min())
    weights = {1.0: "hand2009", -1.0: "hand2014", None: "class_ratio", 0.5: (2, 3)}
    for severity, weight in (weights | {1 / 99: (2, 100)}).items():
        expected = h_score(y, score, severity_ratio=severity)
        found = kc.h_measure_score(y, score, cost_weight=weight)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.3, [0.2, 0.3, 0.7]])
@pytest.mark.parametrize("cost", [None, 0.0, 0.9])
@pytest.mark.parametrize("decimals", [0, 8])
@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_a_batch_equals_a_loop_to_the_last_bit(rng, prevalence, cost, decimals, n_jobs):
    y = rng.random((3, 40)) < 0.4
    score = rng.normal(size=(3, 40)).round(decimals)
    at = {"cost": cost, "axis": "flagged"}
    for labels in (y, y[0]):
        found = kc.batch_measures(labels, score, prevalence=prevalence, n_jobs=n_jobs, **at)
        for i, p in enumerate(np.broadcast_to(prevalence, 3)):
            alone = kc.measures(np.broadcast_to(labels, y.shape)[i], score[i], prevalence=p, **at)
            assert list(found) == list(alone)
            assert {name: values[i] for name, values in found.items()} == alone


def test_single_scores_are_the_entries_of_measures(rng):
    y, score = sample(rng)
    found, hull = kc.measures(y, score), kc.measures(y, score, curve="hull")
    assert (hull["auc"], hull["gini"]) == (found["auch"], 2 * found["auch"] - 1)
    for name, integration in (("auk", "exact"), ("auk_trapezoid", "trapezoid")):
        assert kc.auk_score(y, score, integration=integration) == found[name]
        assert kc.auk_score(y, score, integration=integration, curve="hull") == hull[name]
        assert hull[name] == found[f"{name}_hull"]
    for weight in (None, (2, 2)):
        assert kc.h_measure_score(y, score, cost_weight=weight) == found["h"] == hull["h"]


Y, S = np.array([0, 1, 0, 1, 0]), np.array([0.3, 0.6, 0.5, 0.4, 0.1])


@pytest.mark.parametrize(
    ("y", "pos_label"),
    [
        (Y == 0, False),
        (2 * Y - 1, None),
        (Y + 1, 2),
        (pd.Series(Y, index=list("edcba")), None),
        (pd.Series(np.where(Y == 1, "ill", "well")).astype("category"), "ill"),
    ],
)
def test_kinds_of_labels_and_scores(y, pos_label):
    expected = kc.measures(Y, S)
    index = getattr(y, "index", None)
    for score in (S, S.tolist(), pd.Series(S, index=index).astype("Float64")):
        assert kc.measures(y, score, pos_label=pos_label) == expected


def measures(y, score, **options):
    return lambda: kc.measures(y, score, **options)


def batch(y, score, **options):
    return lambda: kc.batch_measures(y, score, **options)


REFUSED = [
    (measures([1, 1], [0, 1]), "only the positive class"),
    (measures([0, 1], [0, 1], sample_weight=[1, 0]), "only the negative class"),
    (measures([0, 1], [np.nan, 1]), "found nan at row 0"),
    (measures([0, 1], [[0, 1], [1, 0]]), "column of the positive class"),
    (measures(range(5), range(5)), r"two classes, found 0, 1, 2, 3, 4\.$"),
    (measures(range(6), range(6)), r"found 0, 1, 2, 3, 4, \.\.\. \(6 classes\)"),
    (measures([0, 1], [0, 1], sample_weight=[0, 0]), "zero in every row"),
    (measures([0, 1], [0, 1], sample_weight=[1, 1, 1]), "got 3 for 2 rows"),
    (measures([0, 1, 1], [0, 1]), "same length, got 3 and 2"),
    (measures([], []), "y_true is empty"),
    *(
        (lambda weight=weight: kc.h_measure_score(*FOUR, cost_weight=weight), "two positive numb")
        for weight in ((0, 1), (1, 0), (np.inf, 1), (1, np.inf), (1,), "hand", 3)
    ),
    (measures([1, 2], [0, 1]), "pos_label is needed"),
    (measures([1, 2], [0, 1], pos_label=7), "pos_label=7 is not among the labels"),
    *(
        (measures(y, [1, 2, 3]), "missing values")
        for y in ([0, 1, None], [0, 1, np.nan], np.array([0, 1, np.nan], dtype=object))
    ),
    (measures([0, "a"], [0, 1], pos_label="b"), "pos_label='b' is not among the labels"),
    (measures([0, 1], [0, 1], cost="x"), "from 0 to 1 or \"balanced\", got 'x'"),
    (measures([0, 1], [0, 1], cost=1.1), "cost must lie between 0 and 1, got 1.1"),
    (measures([0, 1], [0, 1], cost=-0.1), "cost must lie between 0 and 1, got -0.1"),
    (measures([0, 1], [0, 1], cost_ratio=np.inf), "cost_ratio must be finite and not negative"),
    (measures([0, 1], [0, 1], n_jobs=-2), "n_jobs must be at least 1, or -1"),
    (measures([0, 1], [0, 1], n_jobs=1.5), "n_jobs must be at least 1, or -1"),
    (batch([0, 1, 1], [[0, 1]]), r"shape \(1, 2\) of y_score or \(2,\)"),
    (batch([0, 1], [0, 1]), "for one vector of scores use measures"),
    (batch([1, 1], [[0, 1]]), "y_true holds only the positive class"),
    (measures([0, 1], [0, 1], prevalence=0), "strictly between 0 and 1"),
    (
        measures([0, 1], [0, 1], prevalence=[0.1, 0.2]),
        "prevalence must be one number, got an array",
    ),
    (measures([0, 1], [0, 1], sample_weight=[1, -1]), "not negative"),
    (measures([0, 0, 1], [0, 1, 2], sample_weight=[1e20, 1e20, 1]), "goes from 1 to 1e.20, which"),
    (measures([1, 1, 0], [0, 1, 2], sample_weight=[1e20, 1e20, 1]), "goes from 1 to 1e.20, which"),
    (measures([0, 1], [0, 1], sample_weight=[1e-160, 2e-160]), "sample_weight must be from 1e-100"),
    (measures([0, 1], [0, 1], sample_weight=[1e160, 2e160]), "sample_weight must be from 1e-100"),
    (measures([0, 1], [0, 1], prevalence=5e-324), "prevalence must not be below 1e-200"),
    (measures([0, 1], [0, 1], cost_ratio=-1), "cost_ratio must be finite and not negative, got -1"),
    (measures([0, 1], [0, 1], cost=0, cost_ratio=1), "say the same: give one of them"),
    (measures([0, 1], [0, 1], axis="tpr"), 'axis must be "fpr" or "flagged", got \'tpr\''),
    (measures([2**53, 2**53 + 1, 0.5], [0, 1, 2], pos_label=0.5), "must hold two classes, found"),
    (measures([0, 1], [0, 1], n_jobs=0), "n_jobs must be at least 1, or -1"),
    *(
        (measures([0, 1, 1][: len(score)], score), "can't hold or tell apart")
        for score in (
            [2**53, 2**53 + 1],
            [2**53, 2**53 + 1, 0.5],
            np.array([2**53, 2**53 + 1], dtype=object),
            [Decimal("0.1"), Decimal("0.1") + Decimal("1e-20")],
            [Decimal("1e-400"), Decimal(1)],
            [Decimal("1e400"), Decimal(1)],
            [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)],
            np.longdouble([0, 1e-19]) + 1,
            np.longdouble([1, 1]) * np.longdouble("1e-400"),
        )
    ),
    (batch([[0, 1], [1, 1]], [[0, 1], [0, 1]]), "in replicate 1 holds only the positive"),
    (batch([[]], [[]]), "y_score is empty"),
    (batch([0, 1], [[0, 1], [0, np.nan]]), "found nan at replicate 1, row 1"),
    (batch([0, 1], [[0, 1]], prevalence=[0.2, 0.7]), "one for each of the 1 replicates"),
    (
        lambda: get_scorer("fpr"),
        "no scorer 'fpr'; known are auc, .*, kappa_max, expected_loss, net_benefit",
    ),
    (lambda: get_scorer("auc", prevalence=0.5), r"'auc' takes pos_label, not 'prevalence'"),
    (lambda: get_scorer("auk", sample_weight=[1, 2]), "not 'sample_weight'"),
    (lambda: get_scorer("auk", cost=0.2, cost_ratio=2), "give one of them"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_lies_at_a_limit_is_taken():
    for options in ({"cost": 0}, {"cost": 1}, {"cost_ratio": 0}, {"prevalence": 1e-200}):
        assert kc.measures(*FOUR, **options)["auc"] == 7 / 8
    for weight in ([1e-100, 2e-100], [2.5e99, 7.5e99]):
        assert kc.measures([0, 1], [1, 2], sample_weight=weight)["auc"] == 1
    assert kc.auc_score([0, 1], [2**53, 2**53 + 2]) == 1


def test_numbers_that_lose_no_order_are_taken_however_they_come():
    y, score = FOUR
    for kind in (Decimal, lambda s: Fraction(str(s)), lambda s: Decimal(s) + Decimal("1e-25")):
        assert kc.measures(y, [kind(s) for s in score]) == kc.measures(*FOUR)
    assert kc.measures(y, np.longdouble(score)) == kc.measures(*FOUR)
    large = np.array([2**60, 2**61, 2**61, 2**70], dtype=object)
    assert kc.auc_score(y, large) == 7 / 8


def test_labels_are_compared_exactly():
    near = np.array([2**53, 2**53 + 1] * 2)
    for y in (near, near.astype(object), [float(2**53), 2**53 + 1] * 2):
        assert kc.auc_score(y, [0, 1, 2, 3], pos_label=float(2**53)) == 1 / 4
    groups = [2**53 + i // 2 if i > 1 else 0.5 for i in range(60)]
    rows = [0, 1] * 30, np.arange(60.0) % 7
    assert kc.interval(*rows, groups=groups) == kc.interval(*rows, groups=[*map(str, groups)])


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import sys, kappacurve\n"
        "heavy = {'numba', 'sklearn', 'matplotlib', 'pandas', 'scipy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert all(hasattr(kappacurve, name) for name in kappacurve.__all__)\n"
        "assert set(kappacurve.__all__) <= set(dir(kappacurve))\n"
        "import kappacurve.measures\n"
        "assert kappacurve.measures([0, 1], [0, 1])['auc'] == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    # The first 20,000 elements are looped over without a compiler.
    code = (
        "import sys, numpy, kappacurve\n"
        "for n, compiled in ((12_000, False), (7_998, False), (2, True)):\n"
        "    kappacurve.roc_hull(*numpy.linspace((0, 0), (1, 1), n).T)\n"
        "    assert ('numba' in sys.modules) == compiled, n\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # sooner
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = kc.no_such_name


def test_frames_of_other_libraries():
    y, scores = FOUR[0], {"b": [4, 3, 2, 1], "a": FOUR[1]}
    words = pa.array(["no", "no", "yes", "yes"])
    table = pa.table({"y": y, "word": words, "coded": words.dictionary_encode(), **scores})
    expected = kc.compare(y, scores, level=None).measures
    for labels, positive in ((y, None), (table["word"], "yes"), (table["coded"], "yes")):
        for frame in (pd.DataFrame(scores), table.select(["b", "a"])):
            found = kc.compare(labels, frame, pos_label=positive, level=None).measures
            pd.testing.assert_frame_equal(found, expected)
    assert kc.auk_score(table["y"], table["a"]) == kc.auk_score(*FOUR)
    for frame, error, message in (
        ([1, 2], TypeError, "mapping from names or a data frame, got list"),
        (table.select(["word"]), ValueError, "Model 'word': y_score must hold numbers only"),
        ({}, ValueError, "at least one model"),
    ):
        with pytest.raises(error, match=message):
            kc.compare(y, frame)


X, LABELS = make_classification(200, weights=[0.7], class_sep=0.5, random_state=3)


def test_every_scorer_in_cross_validation():
    scoring = {name: get_scorer(name) for name in SCORERS}
    found = cross_validate(LogisticRegression(), X, LABELS, scoring=scoring, cv=3)
    expected = cross_val_score(LogisticRegression(), X, LABELS, scoring="roc_auc", cv=3)
    np.testing.assert_allclose(found["test_auc"], expected, atol=1e-14)
    assert np.isfinite([found[f"test_{name}"] for name in SCORERS]).all()


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB()])
@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_words_as_labels(model, pos_label):
    words = np.where(LABELS == 1, "well", "ill")
    model.fit(X, words)
    proba = model.predict_proba(X)[:, list(model.classes_).index(pos_label)]
    found = get_scorer("auk", pos_label=pos_label)(model, X, words)
    assert found == pytest.approx(kc.auk_score(words, proba, pos_label=pos_label), abs=1e-12)


def test_scorers_take_probabilities_or_weights_and_travel_to_other_processes():
    model = LogisticRegression().fit(X, LABELS)
    rows = LABELS, model.predict_proba(X)[:, 1]
    for name, options, expected in (
        ("net_benefit", {}, kc.net_benefit(*rows, thresholds=0.5)),
        (
            "net_benefit",
            {"threshold": 0.2, "prevalence": 0.1},
            kc.net_benefit(*rows, thresholds=0.2, prevalence=0.1),
        ),
        (
            "expected_loss",
            {"cost_ratio": 5, "threshold": 1 / 6},
            -kc.expected_loss(*rows, cost_ratio=5, threshold=1 / 6),
        ),
    ):
        assert get_scorer(name, **options)(model, X, LABELS) == expected
    at = {"sample_weight": np.arange(200) % 3}
    scorer = pickle.loads(pickle.dumps(get_scorer("auk", cost_ratio=5)))  # noqa: S301 its own bytes
    expected = kc.auk_score(LABELS, model.decision_function(X), cost_ratio=5, **at)
    assert scorer(model, X, LABELS, **at) == expected
