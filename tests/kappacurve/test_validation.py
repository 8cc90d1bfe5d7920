"""The one door: kinds of labels and scores that are taken, and sentences for the rest."""

import inspect
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import kappacurve as kc
from kappacurve import validation
from kappacurve.validation import check_sample

Y, S = np.array([0, 1, 0, 1, 0]), np.array([0.3, 0.6, 0.5, 0.4, 0.1])


@pytest.mark.parametrize(
    ("y", "pos_label"),
    [
        (Y.tolist(), None),
        (Y == 1, None),
        (Y == 0, False),
        (2 * Y - 1, None),
        (Y + 1, 2),
        (Y.astype(float), 1),
        (np.where(Y == 1, "ill", "well"), "ill"),
        (pd.Series(Y, index=list("edcba")), None),
        (pd.Series(Y, dtype="Int64"), None),
        (pd.Series(np.where(Y == 1, "ill", "well")).astype("category"), "ill"),
    ],
)
def test_kinds_of_labels_and_scores(y, pos_label):
    expected = kc.measures(Y, S)
    index = getattr(y, "index", None)
    series = pd.Series(S, index=index if isinstance(index, pd.Index) else None)
    for score in (S, S.tolist(), series.astype("Float64"), [Decimal(str(s)) for s in S]):
        assert kc.measures(y, score, pos_label=pos_label) == pytest.approx(expected, abs=1e-15)


def test_scores_of_several_models_come_in_a_mapping_or_any_data_frame():
    class Frame:  # as of another library: columns, and no index
        columns = ("a", "b")

        def __getitem__(self, name):
            return {"a": S, "b": -S}[name]

    for scores in ({"a": S, "b": -S}, pd.DataFrame({"a": S, "b": -S}), Frame()):
        sample = check_sample(Y, scores)
        assert list(sample.scores) == ["a", "b"]
        np.testing.assert_array_equal(sample.scores["b"], -S)


def test_tables_of_arrow():
    table = pa.table({"a": S, "b": [*map(int, 10 * S)]})
    sample = check_sample(pa.chunked_array([Y]), table)
    np.testing.assert_array_equal(sample.scores["a"], S)
    np.testing.assert_array_equal(sample.scores["b"], (10 * S).astype(int))
    with pytest.raises(ValueError, match="two models called 'a'"):
        validation.named_scores(pa.table([S, S], names=["a", "a"]))


def test_spellings_of_labels_are_joined():
    y = np.array(["refus\xe9", "ok", "refuse\u0301", " ok", "ok"])
    for label in ("refus\xe9", "refuse\u0301 "):
        assert check_sample(y, S, pos_label=label).positive.tolist() == [True, False] * 2 + [False]
    joined = r"Spellings of y_true joined: 'refuse\u0301' is 'refus\xe9', ' ok' is 'ok'."
    assert joined in kc.compare(y, {"a": S}, pos_label="refus\xe9").notes
    with pytest.raises(ValueError, match=r"two classes, found 3: '\.', '0', '1'"):
        check_sample([*"01.01"], S, pos_label="1")


def test_large_integers_that_stay_apart_are_taken():
    large = [2**53, 2**53 + 2, 2**60, 2**60 + 256, 2**53 - 1]
    assert kc.auk_score(Y, large) == kc.auk_score(Y, [2, 3, 4, 5, 1])


def test_spellings_of_groups_are_joined_and_named():
    groups = ["p1", "p1 ", "1", "1.0", " \u200b01"]
    assert check_sample(Y, S, groups=groups).groups.tolist() == [0, 0, 1, 1, 1]
    weight = [1, 1, 1, 1, 0]
    notes = kc.compare(Y, {"a": S}, sample_weight=weight, groups=groups).notes
    assert "1 rows of weight 0 are left out." in notes
    joined = r"'p1 ' is 'p1', '1.0' is '1', ' \u200b01' is '1'"
    assert f"Spellings of groups joined: {joined}." in notes


def test_rows_without_weight_might_as_well_be_absent():
    weight, groups = np.array([0, 2, 1, 1, 0]), np.array(["u", "v", "v", "u", "w"])
    found = check_sample(Y, S, sample_weight=weight, groups=groups)
    kept = weight > 0
    expected = check_sample(Y[kept], S[kept], sample_weight=weight[kept], groups=groups[kept])
    assert found.positive.tolist() == expected.positive.tolist() == [True, False, True]
    assert found.scores[""].tolist() == expected.scores[""].tolist() == S[kept].tolist()
    assert found.weight.tolist() == expected.weight.tolist() == [2, 1, 1]
    assert found.groups.tolist() == expected.groups.tolist() == [0, 0, 1]
    assert found.prevalence == 3 / 4
    assert found.n_units().tolist() == [1, 2]
    assert found.effective_units() == pytest.approx([1, 9 / 5])
    unweighted = check_sample(Y, S, groups=groups)
    # Negatives: one of u, v and w each; positives: one of v and u.
    assert unweighted.effective_units().tolist() == [3, 2]


ONES = np.ones(5)
OTHER_INDEX = pd.Series(ONES, index=list("abcde"))
REORDERED = pd.Series(S, index=[1, 0, 2, 3, 4])


@pytest.mark.parametrize(
    "rows",
    [
        {"y_score": REORDERED},
        {"y_score": {"m": S, "n": OTHER_INDEX}},
        {"y_score": pd.DataFrame({"m": REORDERED})},
        {"sample_weight": OTHER_INDEX},
        {"groups": OTHER_INDEX},
    ],
)
def test_rows_of_another_index_are_refused_in_one_place(rows):
    taken = {"y_true": pd.Series(Y), "y_score": S} | rows
    with pytest.raises(ValueError, match="have different indexes: align them, or give arrays"):
        check_sample(**taken)
    # Arrays go by position.
    check_sample(**(taken | {"y_true": Y}))


@pytest.mark.parametrize("beyond", [0.0, 1e-7])
def test_probabilities_have_the_tolerance_of_32_bits(beyond):
    score = np.array([-beyond, 0.5, 1 + beyond])
    assert validation.are_probabilities(score)
    assert validation.check_probabilities(score).tolist() == [0, 0.5, 1]
    assert not validation.are_probabilities(score + 1e-6)


def sample(y, score, **options):
    return lambda: check_sample(y, score, **options)


def batch(y, score, **options):
    return lambda: kc.batch_measures(y, score, **options)


def measures(**options):
    return lambda: kc.measures(Y, S, **options)


WRONG = [(0, 1), (np.inf, 1), (1,), "hand", 3]  # weights
REFUSED = [
    (sample([-1, -1], [1, 2]), "only the negative class: curves need both"),
    (sample([1, 1], [1, 2]), "only the positive class"),
    (sample([-1, 0], [1, 2]), "y_true holds -1, 0: say by pos_label which one is positive"),
    (sample([1, 2], [1, 2]), "y_true holds 1, 2: say by pos_label"),
    (sample([1, 2], [1, 2], pos_label=7), "pos_label=7 is not among the labels of y_true: 1, 2"),
    (sample(range(3), range(3)), r"two classes, found 3: 0, 1, 2\. Compare one class with"),
    (sample(range(5), range(5)), r"found 5: 0, 1, 2, 3, 4\."),
    (sample(range(6), range(6)), r"found 6: 0, 1, 2, 3, 4, \.\.\."),
    (sample([0, 1, np.nan], [1, 2, 3]), "missing values"),
    (sample(pd.Series([0, 1, None], dtype="Int64"), [1, 2, 3]), "missing values"),
    (sample(["a", "b", None], [1, 2, 3]), "missing values"),
    (sample(np.array([0, "a"], object), [0, 1], pos_label="a"), "labels of one type"),
    (sample([], []), "y_true must be one-dimensional and not empty"),
    (sample([[0, 1]], [0, 1]), "y_true must be one-dimensional"),
    (sample([0, 1], [[0, 1], [1, 0]]), "column of the positive class"),
    (sample([0, 1], [np.nan, 1]), "y_score must be finite, found nan at row 0"),
    (sample([0, 1], {"m": [0, np.inf]}), "y_score of model 'm' must be finite, found inf at row 1"),
    (sample([0, 1], [1j, 2]), "y_score must hold numbers only"),
    (sample([0, 1, 1], [0, 1]), r"y_score must have one value per row, got \(2,\) for 3 rows"),
    (sample([0, 1], np.array([2**53, 2**53 + 1])), "are one 64-bit float: give ranks"),
    (sample([0, 1], np.array([2**53, 2**53 + 1], object)), "are one 64-bit float"),
    (sample([0, 1], [Decimal("0.1"), Decimal("0.10000000000000000001")]), "are one 64-bit float"),
    (sample([0, 1], np.longdouble("0.1") + np.array([0, 1e-19], np.longdouble)), "are one 64-bit"),
    (sample([0, 1], np.array(["0.1", "1_0"], object)), "hold numbers only: found text"),
    (sample([0, 1], [0, 1], groups=["a", ""]), "groups has a missing value at row 1"),
    (lambda: validation.check_share("p", 1 - 1e-16), "must not be nearer to 1 than 2e-16"),
    *((lambda n=n: validation.check_integer("n", n, 2), f" 2, got {n}") for n in (1, True, 2.0)),
    (lambda: validation.named_scores(SimpleNamespace(collect=print)), r"call \.collect\(\) first"),
    (sample([0, 1], np.ma.array([1, 2], mask=[0, 1])), "y_score must not hold masked values"),
    (sample([0, 1], {}), "y_score holds no model"),
    (sample([0, 1], {1: [0, 1], "1": [0, 1]}), "two models called '1'"),
    (sample([0, 1], [0, 1], sample_weight=[1, 0]), "only the negative class: curves need both"),
    (sample([0, 1], [0, 1], sample_weight=[0, 0]), "zero in every row"),
    (sample([0, 1], [0, 1], sample_weight=[1, -1]), "not negative"),
    (sample([0, 1], [0, 1], sample_weight=[1, 1, 1]), "sample_weight must have one value per row"),
    (sample([0, 1], [0, 1], sample_weight=[1e-160, 2e-160]), "between 1e-100 and 1e100"),
    (sample([0, 1], [0, 1], sample_weight=[1e160, 2e160]), "between 1e-100 and 1e100"),
    (sample([0, 0, 1], [0, 1, 2], sample_weight=[1, 1, 1e20]), "a class is lost"),
    (sample([0, 1], [0, 1], groups=[1, None]), "groups has a missing value at row 1"),
    (sample([0, 1], [0, 1], groups=[[1, 2]]), "groups must have one value per row"),
    (batch([0, 1, 1], [[0, 1]]), r"shape \(1, 2\) of y_score, or \(2,\)"),
    (batch([0, 1], [0, 1]), "must be of shape .* see measures"),
    (batch([1, 1], [[0, 1]]), "y_true holds only the positive class"),
    (batch([[0, 1], [1, 1]], [[0, 1], [0, 1]]), "in replicate 1 holds only the positive"),
    (batch([[]], [[]]), "y_score is empty"),
    (batch([0, 1], [[0, 1], [0, np.nan]]), "found nan at replicate 1, row 1"),
    (batch([0, 1], [[0, 1]], prevalence=[0.2, 0.7]), "one for each of the 1 replicates"),
    (measures(prevalence=0), "prevalence must lie strictly between 0 and 1, got 0"),
    (measures(prevalence=11), r"between 0 and 1, got 11.0: did you mean 0\.11\?"),
    (measures(prevalence=[0.1, 0.2]), "prevalence must be one number, got an array"),
    (measures(prevalence=5e-324), "prevalence must not be below 1e-200"),
    *((measures(cost_ratio=ratio), "cost_ratio must be positive") for ratio in (0, -1, np.inf)),
    (measures(cost_ratio="x"), "cost_ratio must be a number, got 'x'"),
    (lambda: validation.check_share("p", 95), r"p must lie .* 0 and 1, .*: did you mean 0\.95\?"),
    *((lambda w=w: kc.h_measure_score(Y, S, cost_weight=w), "two positive") for w in WRONG),
    (lambda: kc.roc_hull([[0, 1]], [[0, 1]]), "must be vectors of one length"),
    (lambda: kc.roc_hull([0.1, 1], [0, 1]), r"start at \(0, 0\)"),
    (lambda: kc.roc_hull([0, 0.9], [0, 1]), r"end at \(1, 1\)"),
    (lambda: kc.roc_hull([0, 0.5, 0.2, 1], [0, 0.2, 0.5, 1]), "must not decrease"),
    (lambda: kc.area_under_kappa([0, 1], [0, 1], 1), "prevalence must lie strictly between"),
    (lambda: kc.kappa_from_rates(-0.1, 1, 0.5), r"fpr must lie in \[0, 1\], got -0.1 to -0.1"),
    (lambda: kc.kappa_from_rates(0.1, 1.1, 0.5), r"tpr must lie in \[0, 1\], got 1.1 to 1.1"),
    (lambda: kc.kappa_from_rates(0, 1, [0.5, 1]), "prevalence must lie strictly between"),
    *((lambda r=r: kc.kappa_from_rates(0, 1, 0.5, [1, r]), "be positive") for r in (0, -1, np.inf)),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_lies_at_a_limit_is_taken():
    for options in ({"cost_ratio": 1e-300}, {"cost_ratio": 1e300}, {"prevalence": 1e-200}):
        found = kc.measures(Y, S, **options)
        assert found["auc"] == 5 / 6
        assert all(map(np.isfinite, found.values()))
    assert kc.measures([0, 1], [1e308, 1.7e308])["auc"] == 1  # though their sum is infinite
    for weight in ([1e-100, 2e-100], [2.5e99, 7.5e99]):
        assert kc.measures([0, 1], [1, 2], sample_weight=weight)["auc"] == 1


def test_replicates_align_by_sample():
    y = pd.Series([0, 1, 1, 0], index=list("abcd"))
    scores = pd.DataFrame([[1.0, 2, 3, 4], [4, 3, 2, 1]], columns=list("abcd"))
    assert kc.batch_measures(y, scores)["auc"].tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="different indexes"):
        kc.batch_measures(y, scores[list("bacd")])


def test_the_same_arguments_come_in_the_same_order():
    order = ["sample_weight", "groups", "folds", "pos_label", "prevalence", "cost_ratio"]
    public = [getattr(kc, name) for name in kc.__all__]
    functions = [getattr(found, "from_predictions", found) for found in public]
    for function in filter(callable, functions):
        if isinstance(function, type):  # results have no such arguments
            continue
        names = [name for name in inspect.signature(function).parameters if name in order]
        assert names == sorted(names, key=order.index), function
