import math
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hmeasure import h_score
from hypothesis import given, strategies as st
from scipy.stats import mannwhitneyu
from sklearn.metrics import cohen_kappa_score, roc_auc_score

import kappacurve as kc
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.h_measure import beta_parameters, h_of_hull

FOUR = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]


@st.composite
def rankings(draw, max_size=40):
    """Labels of both classes with scores of which many are tied."""
    rows = st.tuples(st.booleans(), st.integers(-6, 6))
    drawn = draw(st.lists(rows, max_size=max_size))
    drawn += [(True, draw(st.integers(-6, 6))), (False, draw(st.integers(-6, 6)))]
    order = draw(st.permutations(range(len(drawn))))
    labels, scores = zip(*(drawn[i] for i in order), strict=True)
    return np.array(labels), np.array(scores, dtype=float)


def sample(rng, n=300, share=0.3, decimals=8, shift=1.0):
    y = np.zeros(n, dtype=int)
    y[: max(1, round(n * share))] = 1
    rng.shuffle(y)
    return y, (rng.normal(size=n) + shift * y).round(decimals)


# ---- published and hand-computed values ----


def test_hand_table_1():
    a = kc.measures([1, 0, 0, 1], [3, 2, 2, 1])
    assert (a["auc"], a["auch"]) == (0.5, 0.75)
    assert a["h"] == pytest.approx(47 / 135, abs=1e-15)
    shift = 1 - 1 / math.sqrt(2)
    b = np.array([0, 0, 1 - shift, 1]), np.array([0, shift, 1, 1])
    assert area_under_curve(*b) == pytest.approx(0.75, abs=1e-15)
    assert h_of_hull(*b, 0.5) == pytest.approx(shift, abs=1e-15)
    c = kc.measures([1, 1, 1, 0, 1, 0, 0, 0], [9, 9, 9, 9, 1, 1, 1, 1])
    assert (c["auc"], c["auch"]) == (0.75, 0.75)
    assert c["h"] == pytest.approx(23 / 80, abs=1e-15)


@pytest.mark.parametrize("p", [1e-200, 1e-17, 1 - 2.0**-53])
def test_prevalences_next_to_zero_and_one(rng, p):
    y, score = sample(rng)
    found = kc.measures(y, score, prevalence=p)
    assert found == {k: v for k, v in found.items() if np.isfinite(v)}
    assert 0 <= found["auk"] <= found["auk_hull"] <= 1
    assert 0 <= found["h"] <= 1
    assert kc.measures([0, 1], [0, 1], prevalence=p)["kappa_max"] == 1


def test_perfect_classifier():
    found = kc.measures([0] * 9 + [1], range(10))
    for name in ("auc", "auch", "gini", "ks", "h", "kappa_max", "tpr"):
        assert found[name] == 1
    assert found["fpr"] == 0
    assert found["threshold"] == 9
    assert round(found["auk"], 5) == 0.25295
    assert found["auk_trapezoid_hull"] == 0.5
    assert found["auk_hull"] < found["auk_trapezoid"] < 0.26


def test_constant_scores():
    found = kc.measures([0, 1, 0, 1, 1, 0, 0], [2.5] * 7)
    assert [found[k] for k in ("auc", "auch", "gini", "ks")] == [0.5, 0.5, 0, 0]
    for name in ("auk", "auk_hull", "auk_trapezoid", "h", "kappa_max", "fpr", "tpr"):
        assert found[name] == 0
    assert found["threshold"] == np.inf
    assert kc.h_measure_score([0, 1, 0], [1, 1, 1], cost_weight="hand2014") == 0


def test_scores_below_chance_are_reported_as_they_are():
    found = kc.measures([1, 1, 0, 0, 0], [1, 2, 3, 4, 5])
    assert (found["auc"], found["gini"], found["ks"], found["h"]) == (0, -1, 0, 0)
    assert found["auk"] < -0.1
    assert (found["auch"], found["auk_hull"], found["kappa_max"]) == (0.5, 0, 0)


# ---- against other implementations ----


@pytest.mark.parametrize("decimals", [0, 1, 8])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_h_against_pypi_hmeasure(rng, decimals, share):
    y, score = sample(rng, share=share, decimals=decimals)
    # It takes scores from 0 to 1 only.
    score = (score - score.min()) / (score.max() - score.min())
    ratio = y.sum() / (1 - y).sum()
    weights = {1.0: "hand2009", -1.0: "hand2014", None: "class_ratio", 0.5: (2, 3), 4.0: (2, 1.25)}
    for severity, weight in weights.items():
        expected = h_score(y, score, severity_ratio=severity)
        found = kc.h_measure_score(y, score, cost_weight=weight)
        assert found == pytest.approx(expected, abs=1e-12)
    assert beta_parameters("class_ratio", y.mean())[1] == pytest.approx(1 + 1 / ratio)


@pytest.mark.parametrize("decimals", [0, 1, 8])
def test_auc_against_scikit_learn_and_mann_whitney(rng, decimals):
    y, score = sample(rng, decimals=decimals)
    weight = rng.random(len(y))
    assert kc.auc_score(y, score) == pytest.approx(roc_auc_score(y, score), abs=1e-14)
    u = mannwhitneyu(score[y == 1], score[y == 0]).statistic
    assert kc.auc_score(y, score) == u / (y.sum() * (1 - y).sum())
    weighted = kc.auc_score(y, score, sample_weight=weight)
    assert weighted == pytest.approx(roc_auc_score(y, score, sample_weight=weight), abs=1e-13)


@given(rankings())
def test_at_equal_classes_auk_is_auc_minus_a_half(ranking):
    found = kc.measures(*ranking, prevalence=0.5)
    for auk, auc in (("auk", "auc"), ("auk_trapezoid", "auc"), ("auk_hull", "auch")):
        assert found[auk] == pytest.approx(found[auc] - 0.5, abs=1e-14)


@given(rankings(max_size=15))
def test_operating_point_against_brute_force(ranking):
    y, score = ranking
    candidates = [(0.0, 0.0, np.inf)]
    for threshold in sorted(set(score))[:0:-1]:
        said = score >= threshold
        kappa = cohen_kappa_score(y, said)
        if kappa > candidates[-1][0] + 1e-12:
            candidates.append((kappa, said[~y].mean(), threshold))
    found = kc.operating_point(y, score)
    assert found.kappa == pytest.approx(candidates[-1][0], abs=1e-13)
    assert (found.fpr, found.threshold) == candidates[-1][1:]


# ---- properties ----


def same(found, expected, but=()):
    return all(found[k] == expected[k] for k in expected if k not in but)


@given(rankings(), st.randoms(use_true_random=False))
def test_row_order_and_increasing_transforms_change_no_bit(ranking, random):
    y, score = ranking
    found = kc.measures(y, score)
    order = random.sample(range(len(y)), len(y))
    assert same(kc.measures(y[order], score[order]), found)
    for transform in (np.exp, np.arctan, lambda s: s**3 + 1e-3 * s, lambda s: 1e300 * s - 1):
        assert same(kc.measures(y, transform(score)), found, but=["threshold"])


@given(rankings(), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_collinear_vertices_change_nothing(ranking, p, where):
    fpr, tpr, _ = kc.roc_vertices(*ranking)
    more = [np.insert(v, range(1, len(v)), v[:-1] + where * np.diff(v)) for v in (fpr, tpr)]
    assert area_under_kappa(*more, p) == pytest.approx(area_under_kappa(fpr, tpr, p), abs=1e-14)
    hull, again = kc.roc_hull(fpr, tpr), kc.roc_hull(*more)
    assert h_of_hull(again.fpr, again.tpr, p) == pytest.approx(
        h_of_hull(hull.fpr, hull.tpr, p), abs=1e-13
    )


@given(rankings(), st.floats(0.01, 0.99))
def test_swapping_the_classes(ranking, p):
    y, score = ranking
    found, swapped = kc.measures(y, score), kc.measures(~y, -score)
    for name in ("auc", "auch", "gini", "ks", "h", "kappa_max"):
        assert swapped[name] == pytest.approx(found[name], abs=1e-14)
    one = kc.h_measure_score(y, score, prevalence=p, cost_weight=(1.5, 4))
    other = kc.h_measure_score(~y, -score, prevalence=1 - p, cost_weight=(4, 1.5))
    assert one == pytest.approx(other, abs=1e-12)
    one = kc.h_measure_score(y, score, prevalence=p, cost_weight="hand2014")
    other = kc.h_measure_score(~y, -score, prevalence=1 - p, cost_weight="hand2014")
    assert one == pytest.approx(other, abs=1e-12)


@given(rankings(max_size=20), st.data())
def test_weights_equal_repetition(ranking, data):
    y, score = ranking
    counts = st.lists(st.integers(0, 4), min_size=len(y), max_size=len(y))
    weight = np.array(data.draw(counts))
    weight[[np.flatnonzero(y)[0], np.flatnonzero(~y)[0]]] += 1
    found = kc.measures(y, score, sample_weight=weight)
    expected = kc.measures(np.repeat(y, weight), np.repeat(score, weight))
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name
    assert (
        kc.operating_point(y, score, sample_weight=0.25 * weight).threshold
        == (expected["threshold"])
    )


@given(st.lists(rankings(max_size=0), min_size=1, max_size=4), st.data())
def test_a_batch_equals_a_loop_to_the_last_bit(seeds, data):
    n = data.draw(st.integers(2, 40))
    b = len(seeds)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    y = rng.random((b, n)) < 0.4
    y[:, 0], y[:, 1] = True, False
    score = rng.normal(size=(b, n)).round(data.draw(st.sampled_from([0, 1, 8])))
    at = {"prevalence": data.draw(st.sampled_from([None, 0.3]))}
    at |= {"cost": data.draw(st.sampled_from([None, 0.0, 0.9])), "axis": "flagged"}
    found, common = (kc.batch_measures(labels, score, **at) for labels in (y, y[0]))
    for i in range(b):
        alone = kc.measures(y[i], score[i], **at)
        assert list(found) == list(alone)
        assert {k: v[i] for k, v in found.items()} == alone
        assert {k: v[i] for k, v in common.items()} == kc.measures(y[0], score[i], **at)


def test_each_replicate_may_have_its_own_prevalence(rng):
    y, score = sample(rng, n=50)
    found = kc.batch_measures(y, np.stack([score, score]), prevalence=[0.2, 0.7])
    for i, p in enumerate((0.2, 0.7)):
        assert found["auk"][i] == kc.auk_score(y, score, prevalence=p)
    with pytest.raises(ValueError, match="one for each of the 2 replicates"):
        kc.batch_measures(y, np.stack([score, score]), prevalence=[0.2, 0.7, 0.1])


@pytest.mark.parametrize("prevalence", [None, 0.3, [0.2, 0.3, 0.4, 0.5, 0.6]])
def test_any_number_of_threads_gives_the_same_bits(rng, prevalence):
    y, score = sample(rng, n=50)
    scores = score + rng.normal(size=(5, 50)).round(1)
    found = [kc.batch_measures(y, scores, prevalence=prevalence, n_jobs=k) for k in (1, 2, -1)]
    for name, values in found[0].items():
        assert [one[name].tolist() for one in found[1:]] == [values.tolist()] * 2
    y, score = sample(rng, n=30_000)
    assert kc.measures(y, score) == kc.measures(y, score, n_jobs=2)
    with pytest.raises(ValueError, match="n_jobs must be at least 1, or -1"):
        kc.measures(y, score, n_jobs=0)


# ---- options ----


def test_single_scores_are_the_entries_of_measures(rng):
    y, score = sample(rng)
    found, hull = kc.measures(y, score), kc.measures(y, score, hull=True)
    assert kc.auc_score(y, score) == found["auc"]
    assert kc.auch_score(y, score) == found["auch"] == hull["auc"]
    assert kc.gini_score(y, score) == found["gini"]
    assert hull["gini"] == 2 * found["auch"] - 1
    assert hull["auk_trapezoid"] == found["auk_trapezoid_hull"]
    assert kc.ks_score(y, score) == found["ks"]
    assert kc.auk_score(y, score) == found["auk"]
    assert kc.auk_score(y, score, hull=True) == found["auk_hull"] == hull["auk"]
    for curve in (False, True):
        entry = "auk_trapezoid_hull" if curve else "auk_trapezoid"
        trapezoid = kc.auk_score(y, score, hull=curve, integration="trapezoid")
        assert trapezoid == found[entry]
    assert kc.h_measure_score(y, score) == found["h"] == hull["h"]
    assert kc.h_measure_score(y, score, cost_weight=(2, 2)) == found["h"]
    point = kc.operating_point(y, score)
    assert tuple(point) == tuple(found[k] for k in ("threshold", "fpr", "tpr", "kappa_max"))


def test_measures_table(rng):
    y, score = sample(rng)
    scores = {"b": score, "a": -score}
    table = kc.measures_table(y, scores)
    assert table.index.tolist() == ["b", "a"]
    assert table.loc["a"].to_dict() == kc.measures(y, -score)
    pd.testing.assert_frame_equal(kc.measures_table(y, pd.DataFrame(scores)), table)
    with pytest.raises(ValueError, match="Model 'c': y_score must be finite"):
        kc.measures_table([0, 1], {"b": [0, 1], "c": [0, np.nan]})
    with pytest.raises(ValueError, match="at least one model"):
        kc.measures_table([0, 1], {})


# ---- what is accepted and what is refused ----

Y, S = np.array([0, 1, 0, 1, 0]), np.array([0.3, 0.6, 0.5, 0.4, 0.1])
WORDS = np.where(Y == 1, "ill", "well")


@pytest.mark.parametrize(
    ("y", "pos_label"),
    [
        (Y.tolist(), None),
        (Y.astype(bool), None),
        (Y.astype(bool), True),
        (1 - Y, 0),
        (Y == 0, False),
        (2 * Y - 1, None),
        (Y.astype(float), None),
        (Y.astype(np.uint8), 1),
        (Y + 1, 2),
        (WORDS, "ill"),
        (WORDS.tolist(), "ill"),
        (WORDS.astype(object), "ill"),
        (pd.Series(Y, index=list("edcba")), None),
        (pd.Series(Y).astype("Int64"), None),
        (pd.Series(Y == 1).astype("boolean"), None),
        (pd.Series(WORDS).astype("category"), "ill"),
        (pd.Series(WORDS).astype("string"), "ill"),
    ],
)
def test_kinds_of_labels(y, pos_label):
    assert kc.measures(y, S, pos_label=pos_label) == kc.measures(Y, S)


@pytest.mark.parametrize(
    "score",
    [
        S.tolist(),
        tuple(S),
        pd.Series(S, index=range(5, 0, -1)),
        pd.Series(S).astype("Float64"),
        S.astype(object),
        np.repeat(S, 2)[::2],
    ],
)
def test_kinds_of_scores(score):
    assert kc.measures(Y, score) == kc.measures(Y, S)


def test_polars():
    polars = pytest.importorskip("polars")
    assert kc.measures(polars.Series(Y), polars.Series(S)) == kc.measures(Y, S)
    words = polars.Series(WORDS.tolist())
    assert kc.measures(words, polars.Series(S), pos_label="ill") == kc.measures(Y, S)


@pytest.mark.parametrize(
    ("y", "score", "options", "message"),
    [
        ([1, 1], [0, 1], {}, "only the positive class"),
        ([0, 0], [0, 1], {}, "only the negative class"),
        ([0, 1], [0, 1], {"sample_weight": [1, 0]}, "only the negative class"),
        ([0, 1], [np.nan, 1], {}, "found nan at row 0"),
        ([0, 1], [0, np.inf], {}, "found inf at row 1"),
        ([0, 1], [-np.inf, 0], {}, "found -inf at row 0"),
        ([0, 1, 1], [0, 1], {}, "same length, got 3 and 2"),
        ([[0], [1]], [0, 1], {}, "y_true must be one-dimensional"),
        ([0, 1], [[0, 1], [1, 0]], {}, "column of the positive class"),
        ([0, 1], 3, {}, "y_score must be one-dimensional"),
        ([], [], {}, "empty"),
        ([0, 1], ["a", "b"], {}, "y_score must hold numbers"),
        ([0, 1], ["1", "2"], {}, "y_score must hold numbers"),
        ([0, 1], [1j, 2], {}, "y_score must hold numbers"),
        ([0, 1], [None, "b"], {}, "y_score must hold numbers"),
        ([0, 1, 2], [0, 1, 2], {}, "two classes, found 0, 1, 2"),
        (range(7), range(7), {}, r"found 0, 1, 2, 3, 4, \.\.\. \(7 classes\)"),
        ([1, 2], [0, 1], {}, "pos_label is needed"),
        (["a", "b"], [0, 1], {}, "pos_label is needed"),
        ([0, 1], [0, 1], {"pos_label": 2}, "pos_label=2 is not among"),
        (["a", "b"], [0, 1], {"pos_label": "c"}, "pos_label='c' is not among"),
        ([0, np.nan], [0, 1], {}, "missing values"),
        ([0, None], [0, 1], {}, "missing values"),
        ([0, 1], [0, 1], {"prevalence": 0}, "strictly between 0 and 1"),
        ([0, 1], [0, 1], {"prevalence": [0.1, 0.2]}, "prevalence must be one number, got an array"),
        ([0, 1], [0, 1], {"prevalence": 1.0}, "strictly between 0 and 1"),
        ([0, 1], [0, 1], {"prevalence": np.nan}, "strictly between 0 and 1"),
        ([0, 1], [0, 1], {"sample_weight": [1]}, "one value per row"),
        ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "not negative"),
        ([0, 1], [0, 1], {"sample_weight": [1, np.nan]}, "finite"),
        ([0, 1], [0, 1], {"sample_weight": [0, 0]}, "zero in every row"),
        ([0, 1], [0, 1], {"sample_weight": [1e300, 1e-300]}, "sample_weight goes from 1e-300 to"),
        ([0, 1], [0, 1], {"sample_weight": [1e308, 1e308]}, "or the sum is infinite"),
        ([0, 1], [0, 1], {"prevalence": 5e-324}, "prevalence must not be below 1e-200"),
    ],
)
def test_refusals(y, score, options, message):
    with pytest.raises(ValueError, match=message):
        kc.measures(y, score, **options)
    if "prevalence" not in options:
        with pytest.raises(ValueError, match=message):
            kc.roc_vertices(y, score, **options)


@pytest.mark.parametrize(
    ("y", "score", "message"),
    [
        ([0, 1], [0, 1], "for one vector of scores use measures"),
        ([0, 1], [[0, 1, 2]], r"shape \(1, 3\) of y_score or \(3,\)"),
        ([[0, 1], [1, 1]], [[0, 1], [0, 1]], "in replicate 1 holds only the positive"),
        ([0, 0], [[0, 1], [0, 1]], "y_true holds only the negative"),
        ([0, 1], [[0, 1], [0, np.nan]], "found nan at replicate 1, row 1"),
        (np.empty((0, 2)), np.empty((0, 2)), "empty"),
    ],
)
def test_refusals_of_batches(y, score, message):
    with pytest.raises(ValueError, match=message):
        kc.batch_measures(y, score)


def test_the_diagonal_has_an_h_of_zero_without_rounding():
    diagonal = np.array([0.0, 1.0])
    for p in np.linspace(0.01, 0.99, 99):
        for weight in ((2, 2), (1.3, 4.7)):
            assert h_of_hull(diagonal, diagonal, p, *weight) == 0


def test_refusals_of_options():
    with pytest.raises(ValueError, match="integration"):
        kc.auk_score(*FOUR, integration="simpson")
    wrong = [(0, 1), (1, 0), (-1, 1), (np.inf, 1), (1, np.inf), (1, np.nan), (1,), (1, 2, 3)]
    for weight in ("hand", ("a", "b"), *wrong):
        with pytest.raises(ValueError, match="cost_weight"):
            kc.h_measure_score(*FOUR, cost_weight=weight)


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
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = kc.no_such_name


def test_frames_of_other_libraries():
    y, scores = FOUR[0], {"a": FOUR[1], "b": [4, 3, 2, 1]}
    table = pa.table(
        {"y": y, "word": ["no", "no", "yes", "yes"], "true": np.array(y) == 1, **scores}
    )
    expected = kc.measures_table(y, scores)
    chosen = table.select(["a", "b"])
    for labels in (table["y"], table["true"], table["word"].dictionary_encode(), table["word"]):
        positive = "yes" if "str" in str(labels.type) else None
        pd.testing.assert_frame_equal(
            kc.measures_table(labels, chosen, pos_label=positive), expected
        )
    assert kc.auk_score(table["y"], table["a"]) == expected.loc["a", "auk"]
    assert list(kc.auk_profile(y, chosen).auk) == ["a", "b"]
    with pytest.raises(TypeError, match="mapping from names or a data frame, got list"):
        kc.measures_table(y, [1, 2])
    with pytest.raises(ValueError, match="Model 'word': y_score must hold numbers only"):
        kc.measures_table(y, table.select(["word"]))
