"""``compare``: its tables against the functions that make them, and its sentences."""

import io

import numpy as np
import pandas as pd
import pytest

from kappacurve import (
    bootstrap_intervals,
    bootstrap_tests,
    compare,
    cost_threshold,
    delong_interval,
    explorer_page,
    measures,
    permutation_tests,
    unpaired_test,
)
from kappacurve.inference import _resampling
from kappacurve.inference._resampling import draw_rows

N = 240
RNG = np.random.default_rng(19)
Y = np.arange(N) % 4 == 0
SCORES = {
    "good": RNG.normal(size=N) + 2 * Y,
    "fair": RNG.normal(size=N).round(1) + Y,
    "same <b>": RNG.normal(size=N) + 0.9 * Y,
}
KINDS = np.array(["a", "b", "c"])[np.arange(N) % 3]


def one(table, **values):
    """The only row of a table with these values."""
    chosen = table[np.logical_and.reduce([table[name] == value for name, value in values.items()])]
    assert len(chosen) == 1
    return chosen.iloc[0]


@pytest.fixture(scope="module")
def drawn():
    return compare(Y, SCORES, cost_ratio=4, n_resamples=40, random_state=3)


def test_one_bootstrap_gives_what_each_pair_alone_would(drawn):
    names = list(SCORES)
    alone = {"cost_ratio": 4, "n_resamples": 40, "seed": 3}
    estimates = bootstrap_intervals(Y, SCORES["fair"], **alone)
    for measure, found in estimates.items():
        if measure in set(drawn.measures["measure"]):
            row = one(drawn.measures, model="fair", measure=measure)
            assert row["estimate"] == found.estimate
            assert row["standard_error"] == found.standard_error
    tests = bootstrap_tests(Y, SCORES[names[0]], SCORES[names[2]], **alone)
    for measure in ("auc", "auk", "h", "kappa_max"):
        row = one(drawn.tests, first=names[0], second=names[2], measure=measure)
        assert row["p_value"] == tests[measure].p_value
        assert (row["low"], row["high"]) == (tests[measure].low, tests[measure].high)


def test_p_values_are_adjusted_for_all_pairs(drawn):
    for _, family in drawn.tests.groupby("measure"):
        smallest, middle, largest = family["p_value"].sort_values()
        expected = np.maximum.accumulate([3 * smallest, 2 * middle, largest]).clip(max=1)
        assert family["p_holm"].sort_values().tolist() == pytest.approx(expected.tolist())


def test_least_cost_of_the_resamples_is_that_of_their_rows(drawn):
    for model, score in SCORES.items():
        point = cost_threshold(Y, score, cost_ratio=4)
        row = one(drawn.thresholds, model=model, criterion="expected_loss")
        assert (row["threshold"], row["fpr"], row["tpr"]) == point[:3]
        ((_, rows),) = draw_rows(Y, "stratified", 40, 3)
        points = [cost_threshold(Y[each], score[each], cost_ratio=4) for each in rows]
        thresholds = np.sort([each.threshold for each in points])
        assert (row["low"], row["high"]) == (thresholds[1], thresholds[38])
        loss = one(drawn.measures, model=model, measure="expected_loss")
        assert loss["estimate"] == pytest.approx(point.loss, abs=1e-15)
        expected = np.std([each.loss for each in points], ddof=1)
        assert loss["standard_error"] == pytest.approx(expected, abs=1e-12)


def test_threads_and_blocks_do_not_change_a_byte(monkeypatch):
    monkeypatch.setattr(_resampling, "BLOCK", 7 * N)
    options = {"n_resamples": 40, "sampling": "random", "cost_ratio": 4}
    one_thread, three = (compare(Y, SCORES, n_jobs=n, **options) for n in (1, 3))
    for name in ("measures", "tests", "thresholds"):
        pd.testing.assert_frame_equal(
            getattr(one_thread, name), getattr(three, name), check_exact=True
        )


def test_a_long_bootstrap_says_what_is_left(monkeypatch):
    monkeypatch.setattr(_resampling, "SECONDS_IN_SILENCE", 0)
    monkeypatch.setattr(_resampling, "BLOCK", 7 * N)
    stream = io.StringIO()
    compare(Y, SCORES, n_resamples=40, progress=stream)
    first, *_, last = stream.getvalue().splitlines()
    assert first.startswith("7 of 40 resamples, ")
    assert last == "40 of 40 resamples, 0 s left"


def test_few_rows_of_a_class_are_tested_by_permutations():
    y = np.arange(60) < 9
    a, b = SCORES["good"][:60] + 2 * y, SCORES["fair"][:60]
    found = compare(y, {"a": a, "b": b}, n_permutations=99, random_state=5)
    expected = permutation_tests(y, a, b, n_permutations=99, seed=5)
    assert set(found.tests["method"]) == {"permutation"}
    for row in found.tests.itertuples():
        assert row.p_value == expected[row.measure].p_value
    assert found.measures["low"].isna().all()
    assert found.notes[0].startswith("No intervals: they need 10 rows of each class, there are 9.")
    ten = compare(np.arange(60) < 10, {"a": a, "b": b}, n_permutations=9)
    assert ten.measures["low"].notna().any()
    assert set(ten.tests["method"]) == {"permutation"}


def test_lower_scores_may_mean_the_positive_class():
    turned = compare(Y, {"good": -SCORES["good"], "fair": SCORES["fair"]}, lower=["good"])
    plain = compare(Y, {name: SCORES[name] for name in ("good", "fair")})
    pd.testing.assert_frame_equal(turned.measures, plain.measures)
    pd.testing.assert_frame_equal(turned.tests, plain.tests)
    assert turned.thresholds["threshold"][0] == -plain.thresholds["threshold"][0]
    assert "or lower" in turned._repr_html_()


def test_folds_are_measured_apart_at_the_prevalence_of_all():
    folds = np.repeat(["one", "two"], [100, N - 100])
    found = compare(Y, SCORES, cv=folds).folds
    expected = measures(Y[:100], SCORES["fair"][:100], prevalence=0.25)
    for measure in ("auc", "auk", "h"):
        assert (
            one(found, fold="one", model="fair", measure=measure)["estimate"] == expected[measure]
        )
        both = found[(found["model"] == "fair") & (found["measure"] == measure)]
        values = both.set_index("fold")["estimate"]
        assert values["mean"] == pytest.approx((values["one"] + values["two"]) / 2)
    with pytest.raises(ValueError, match="Fold 0: "):
        compare(Y, SCORES, cv=np.arange(N) % 4)


def test_weights_leave_the_measures_only():
    weight = np.arange(N) % 3
    found = compare(Y, SCORES, sample_weight=weight, cost_ratio=2)
    expected = measures(Y, SCORES["good"], sample_weight=weight, cost_ratio=2)
    assert one(found.measures, model="good", measure="auk")["estimate"] == expected["auk"]
    assert found.tests.empty
    assert found.measures["low"].isna().all()
    assert "a weight does not tell how many rows it stands for" in found.notes[0]


def test_sentences_begin_with_what_is_more_than_chance():
    found = compare(Y, SCORES)
    assert found.conclusion[0].startswith("By AUC, AUK good leads fair")
    pair = {name: SCORES[name] for name in ("fair", "same <b>")}
    close = compare(Y, pair)
    auc, auk = close.tests["p_value"]
    said = f"No difference can be told from chance: AUC p = {auc:.2g}, AUK p = {auk:.2g}."
    assert close.conclusion[0] == said
    same = compare(Y, {"good": SCORES["good"], "sure": SCORES["good"] + 1e3 * Y}).tests
    assert (same["p_value"] < 1).all()


def test_less_is_better_of_a_cost():
    scores = {"good": SCORES["good"], "fair": SCORES["fair"]}
    found = compare(Y, scores, cost_ratio=4, n_resamples=200)
    assert one(found.tests, measure="expected_loss")["difference"] < 0
    assert "expected loss" in found.conclusion[0]
    assert found.conclusion[0].startswith("good is ahead of fair by")


def test_a_notebook_shows_a_page_and_a_figure():
    found = compare(Y, SCORES)
    page = found._repr_html_()
    assert "same &lt;b&gt;" in page
    assert "<b>" not in page
    legend = found.plot().axes[0].get_legend()
    areas = measures(Y, SCORES["good"])
    assert legend.get_texts()[0].get_text() == f"good, AUC {areas['auc']:.3f}"


ROWS = np.arange(40) % 2
MODEL = np.random.default_rng(3).normal(size=40) + ROWS


def test_one_rule_for_names_of_models():
    turned = {0: -MODEL, 1: MODEL}
    found = compare(ROWS, turned, lower=[0])
    assert found.thresholds["lower"].tolist() == [True, False]
    first, second = found.measures.query("measure == 'auc'")["estimate"]
    assert first == second
    for scores, lower, said in (
        ({"m": MODEL, "0m": MODEL}, "m", "lower must be a list of names"),
        ({"m": MODEL}, ["n"], "lower: 'n' is not among the models"),
        ({1: MODEL, "1": -MODEL}, [], "two entries called '1'"),
        (pd.DataFrame(np.c_[MODEL, -MODEL], columns=["m", "m"]), [], "two entries called 'm'"),
    ):
        for function in (compare, explorer_page):
            with pytest.raises(ValueError, match=said):
                function(ROWS, scores, lower=lower)


def test_rows_that_would_be_paired_wrongly_or_lost_are_refused():
    masked = np.ma.masked_greater(MODEL, 1)
    series = pd.Series(MODEL)
    shuffled = pd.Series(ROWS).sample(frac=1, random_state=0)
    huge = 2**53 + np.arange(40)
    for function in (measures, lambda y, score: compare(y, {"m": score})):
        with pytest.raises(ValueError, match="y_score must not hold masked values"):
            function(ROWS, masked)
        with pytest.raises(ValueError, match="y_true must not hold masked values"):
            function(np.ma.array(ROWS, mask=ROWS == 1), MODEL)
        with pytest.raises(ValueError, match="y_true and y_score have different indices"):
            function(shuffled, series)
        with pytest.raises(ValueError, match="integers that 64-bit floats can't tell apart"):
            function(ROWS, huge)
        function(shuffled.to_numpy(), series)
        function(pd.Series(ROWS), series)
    with pytest.raises(ValueError, match="different indices"):
        compare(shuffled, pd.DataFrame({"m": -series}), lower=["m"])


def test_an_unpaired_test_without_information_has_no_p_value():
    perfect = delong_interval(ROWS, ROWS)
    found = unpaired_test(perfect, delong_interval(ROWS, MODEL))
    assert np.isnan(found.p_value)
