"""``compare``: its tables against the functions that make them, and its sentences."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from kappacurve import (
    compare,
    cost_threshold,
    explorer_page,
    interval,
    measures,
    operating_point,
    paired_test,
)
from kappacurve._decisions import _folds
from kappacurve.inference import bootstrap, covariance, max_t
from kappacurve.inference._sample import check_sample
from kappacurve.inference.bootstrap import draw_rows

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
    alone = {"method": "bootstrap", "cost_ratio": 4, "n_resamples": 40, "random_state": 3}
    for measure in ("auc", "gini", "auk", "average_precision", "h", "kappa_max"):
        row = one(drawn.measures, model="fair", measure=measure)
        found = interval(Y, SCORES["fair"], measure=measure, **alone)
        assert (row["low"], row["high"]) == (found.low, found.high)
        if measure != "gini":
            pair = {"first": names[0], "second": names[2]}
            row = one(drawn.tests, **pair, measure=measure)
            test = paired_test(
                Y, *(SCORES[name] for name in pair.values()), measure=measure, **alone
            )
            assert row["p_value"] == test.p_value
            assert row["low"] <= test.low < test.high <= row["high"]


def test_several_models_have_one_procedure_for_intervals_and_p_values(rng):
    """Never below one test; AUC's is max_t of `covariance`."""
    y = np.repeat([0, 1], [120, 50])
    leads = {"a": 0.4, "b": 0.8, "c": 1, "d": 1.5}
    scores = {name: y * lead + rng.normal(size=170) for name, lead in leads.items()}
    tests = compare(y, scores).tests.dropna(subset="p_adjusted")
    assert (tests["p_adjusted"] >= tests["p_value"] - 1e-12).all()
    found = max_t(*covariance(y, scores, measure="auc"), df=100)
    rows = tests[tests["measure"] == "auc"]
    assert rows["p_adjusted"].to_numpy() == pytest.approx(found.p_value, abs=0.01)
    assert rows["low"].to_numpy() == pytest.approx(found.low, abs=0.005)


def test_thresholds_of_the_resamples_are_those_of_their_rows(drawn):
    for model, score in SCORES.items():
        point = cost_threshold(Y, score, cost_ratio=4)
        row = one(drawn.thresholds, model=model, criterion="expected_loss")
        assert (row["threshold"], row["fpr"], row["tpr"]) == point[:3]
        (rows,) = draw_rows(Y, "random", 40, 3)
        thresholds = np.sort(
            [cost_threshold(Y[each], score[each], cost_ratio=4).threshold for each in rows]
        )
        assert (row["low"], row["high"]) == (thresholds[1], thresholds[38])


def test_decisions_stand_beside_flagging_nobody_and_all():
    """At given thresholds everything by hand: a missed positive costs 4, p is 0.1."""
    cuts = {"good": 1.0, "fair": 0.5}
    scores = {name: SCORES[name] for name in cuts}
    at = {"cost_ratio": 4, "prevalence": 0.1}
    found = compare(Y, scores, thresholds=cuts, **at)
    for model, cut in cuts.items():
        row = one(found.decisions, model=model)
        missed = (SCORES[model][Y == 1] < cut).mean()
        alarms = (SCORES[model][Y == 0] >= cut).mean()
        loss = 0.8 * 0.1 * missed + 0.2 * 0.9 * alarms
        assert row["loss"] == pytest.approx(loss)
        hits, wrong = 0.1 * (1 - missed), 0.9 * alarms
        assert row["precision"] == pytest.approx(hits / (hits + wrong))
        assert row["false_alarms_per_hit"] == pytest.approx(wrong / hits)
        measured = {"measure": "expected_loss", "threshold": cut}
        exact = interval(Y, SCORES[model], **measured, **at)
        assert (row["low"], row["high"]) == pytest.approx((exact.low, exact.high))
        assert (row["least_threshold"], row["largest_threshold"]) == (cut, cut)
        point = one(found.thresholds, model=model, criterion="expected_loss")
        assert (point["threshold"], point["printed"], point["fpr"]) == (cut, cut, alarms)
        assert point["value"] == pytest.approx(loss)
    assert any("costs" in said and "flagging nobody" in said for said in found.conclusion)
    ends = compare(Y, scores, thresholds={"good": -np.inf, "fair": np.inf}, **at)
    assert re.search(
        r"\n  at threshold +-inf +none\n  fpr, tpr there +1.0000, 1.0000 +0.0", str(ends)
    )
    with pytest.raises(ValueError, match="thresholds has none for the model 'fair'"):
        compare(Y, scores, thresholds={"good": 1}, **at)


def test_measures_that_tie_do_not_order_alike():
    y = [1, 1, 0, 0, 0, 0]
    tied = {"a": [6, 3, 5, 4, 2, 1], "b": [5, 4, 6, 3, 2, 1]}  # AUC 6/8 both; a has the top
    found = compare(y, tied, level=None)
    (pair,) = found.disagreements
    assert "auc" in pair["tied_by"] and "auk" in pair["first_preferred_by"]
    assert found.conclusion[-1] == (
        "In this sample, not tested: a has the better AUK, average precision; both have the same "
        "AUC, H."
    )
    alike = compare(y, {"a": tied["a"], "b": tied["a"]}, level=None)
    assert (alike.disagreements, len(alike.conclusion)) == ([], 1)


def test_noise_does_not_beat_flagging_nobody_once_thresholds_are_cross_fitted():
    rng = np.random.default_rng(4)
    y, seems, judged = np.arange(200) < 20, [], []
    for _ in range(20):
        noise = {"a": rng.normal(size=200), "b": rng.normal(size=200)}
        found = compare(y, noise, cost_ratio=8)
        seems.append(found.decisions["in_sample"].min() / found.decisions["flag_nobody"][0])
        judged.append(found.decisions["saving"].mean())
    assert np.mean(seems) < 0.97
    assert np.mean(judged) < 0
    said = compare(y, noise, cost_ratio=8).conclusion
    assert any("no model beats flagging nobody" in each for each in said)


def test_rows_of_a_group_are_never_judged_by_one_another():
    groups = np.repeat(np.arange(N // 5), 5)
    sample = check_sample(Y, SCORES, groups=groups)
    folds = _folds(sample, 0)
    assert all(len(np.unique(folds[groups == group])) == 1 for group in np.unique(groups))
    alone = _folds(check_sample(Y, SCORES), 0)
    assert np.ptp(np.bincount(alone[Y == 1])) <= 1


def test_threads_and_blocks_do_not_change_a_byte(monkeypatch):
    monkeypatch.setattr(bootstrap, "BLOCK", 7 * N)
    options = {"n_resamples": 40, "sampling": "random", "cost_ratio": 4}
    one_thread, three = (compare(Y, SCORES, n_jobs=n, **options) for n in (1, 3))
    for name in ("measures", "tests", "thresholds"):
        pd.testing.assert_frame_equal(
            getattr(one_thread, name), getattr(three, name), check_exact=True
        )


def test_few_rows_of_a_class():
    y = np.arange(60) < 9
    a, b = SCORES["good"][:60] + 2 * y, SCORES["fair"][:60]
    found = compare(y, {"a": a, "b": b}, n_permutations=99, random_state=5)
    methods = found.tests.set_index("measure")["method"]
    assert (methods["auc"], methods["auk"], methods["h"]) == ("delong", "influence", "permutation")
    options = {"method": "permutation", "n_resamples": 99, "random_state": 5}
    for row in found.tests[found.tests["method"] == "permutation"].itertuples():
        assert row.p_value == paired_test(y, a, b, measure=row.measure, **options).p_value
    auk = one(found.measures, model="a", measure="auk")
    assert (auk["low"], auk["high"]) == interval(y, a)[2:4]
    four = compare(np.arange(60) < 4, {"a": a, "b": b}, n_permutations=9)
    assert set(four.tests["method"]) == {"permutation"}
    single = compare(np.arange(60) < 1, {"a": a, "b": b}, cost_ratio=2)
    assert single.decisions["loss"].notna().all()
    assert single.notes[0].startswith("No intervals: they need 2 rows of each class, there are 1.")


def test_groups_are_said_and_widen_the_intervals():
    groups = np.arange(N) // 4
    found, alone = (compare(Y, SCORES, groups=each) for each in (groups, None))
    n_groups = len(np.unique(groups))
    assert f"The rows were taken as {n_groups} independent groups." in found.conclusion
    row = one(found.tests, first="good", second="fair", measure="auk")
    expected = paired_test(Y, SCORES["good"], SCORES["fair"], groups=groups)
    assert row["p_value"] == expected.p_value
    assert row["p_value"] != one(alone.tests, first="good", second="fair", measure="auk")["p_value"]
    few = compare(Y, SCORES, groups=np.arange(N) % 7)
    # Of 60 positives four groups hold 9 and three 8: 60^2 / (4 * 81 + 3 * 64) = 6.98.
    assert few.notes[1].startswith("The groups that hold a class tell as much as 6.98 of equal")


def test_lower_scores_may_mean_the_positive_class():
    turned = compare(Y, {"good": -SCORES["good"], "fair": SCORES["fair"]}, lower=["good"])
    plain = compare(Y, {name: SCORES[name] for name in ("good", "fair")})
    pd.testing.assert_frame_equal(turned.measures, plain.measures)
    pd.testing.assert_frame_equal(turned.tests, plain.tests)
    assert turned.thresholds["threshold"][0] == -plain.thresholds["threshold"][0]
    assert "or lower" in turned._repr_html_()
    assert np.isnan(one(plain.measures, model="good", measure="h")["low"])


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


def test_weights_have_intervals_and_tests():
    design = {"sample_weight": np.arange(N) % 3, "cost_ratio": 2}
    found = compare(Y, SCORES, **design)
    auk = one(found.measures, model="good", measure="auk")
    assert auk["estimate"] == measures(Y, SCORES["good"], **design)["auk"]
    assert (auk["low"], auk["high"]) == interval(Y, SCORES["good"], **design)[2:4]
    assert found.tests["p_value"].notna().any()


@pytest.mark.filterwarnings("ignore:.*simulated samples")
@pytest.mark.parametrize("trained_at", [None, 0.5, {"good": 0.5}])
def test_probabilities_are_shifted_to_a_stated_prevalence(trained_at):
    """By Bayes' theorem: the odds times those of 0.1 over those of training, 1:3 or 1:1."""
    scores = {name: 1 / (1 + np.exp(-score)) for name, score in SCORES.items()}
    at = {"prevalence": 0.1, "trained_at": trained_at}
    own = at | {"trained_at": 0.5 if trained_at else None}
    found = compare(Y, scores, **at)
    odds = scores["good"] / (1 - scores["good"]) / 9 * (3 if trained_at is None else 1)
    shifted = odds / (1 + odds)
    log_loss = 0.1 * np.mean(-np.log(shifted[Y])) + 0.9 * np.mean(-np.log(1 - shifted[~Y]))
    benefit = 0.1 * np.mean(shifted[Y] >= 0.2) - 0.9 / 4 * np.mean(shifted[~Y] >= 0.2)
    row = one(found.measures, model="good", measure="log_loss")
    assert row["estimate"] == pytest.approx(log_loss)
    for measure in ("brier_score", "log_loss"):
        row = one(found.measures, model="good", measure=measure)
        alone = interval(Y, scores["good"], measure=measure, **own)
        assert (row["low"], row["high"]) == alone[2:4]
    worth = interval(Y, scores["good"], measure="net_benefit", threshold=0.2, **own)
    assert worth.estimate == pytest.approx(benefit)
    said = "0.25 (that of these rows)" if trained_at is None else "0.5 (as given)"
    if isinstance(trained_at, dict):
        said = "good 0.5, fair 0.25, same <b> 0.25"
    assert f"in training, {said}, to 0.1" in found.notes[1]
    unknown = compare(Y, SCORES, prevalence=0.1)
    assert not {"brier_score", "log_loss"} & {*unknown.measures["measure"]}
    assert "these scores are no probabilities" in unknown.notes[1]


def test_sentences_begin_with_what_is_more_than_chance():
    found = compare(Y, SCORES)
    assert found.conclusion[0].startswith("By AUC, AUK good leads fair")
    close = compare(Y, {name: SCORES[name] for name in ("fair", "same <b>")})
    auc, auk = close.tests["p_value"]
    said = f"No difference is statistically significant: AUC p = {auc:.2g}, AUK p = {auk:.2g}."
    assert close.conclusion[0] == said
    same = compare(Y, {"good": SCORES["good"], "sure": SCORES["good"] + 1e3 * Y}).tests
    assert (same["p_value"] < 1).all()
    pair = {name: SCORES[name] for name in ("good", "fair")}
    costly = compare(Y, pair, cost_ratio=4, n_resamples=200, sampling="stratified")
    assert one(costly.tests, measure="expected_loss")["difference"] < 0
    assert costly.conclusion[0].startswith("good is ahead of fair by")
    assert "expected loss" in costly.conclusion[0]


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
    for function in (measures, lambda y, score: compare(y, {"m": score})):
        with pytest.raises(ValueError, match="y_score must not hold masked values"):
            function(ROWS, masked)
        with pytest.raises(ValueError, match="y_true must not hold masked values"):
            function(np.ma.array(ROWS, mask=ROWS == 1), MODEL)
        with pytest.raises(ValueError, match="y_true and y_score have different indices"):
            function(shuffled, series)
        function(shuffled.to_numpy(), series)
        function(pd.Series(ROWS), series)
    with pytest.raises(ValueError, match="different indices"):
        compare(shuffled, pd.DataFrame({"m": -series}), lower=["m"])


@pytest.mark.parametrize("cost", [0, 1])
def test_costs_at_which_a_baseline_loses_nothing(cost):
    found = compare(ROWS, {"m": MODEL, "n": -MODEL}, cost=cost)
    assert found.decisions[["saving", "saving_low", "saving_high"]].isna().all(axis=None)
    assert any("there is nothing to save" in said for said in found.conclusion)
    assert "nan" not in str(found)


def test_an_unpaired_test_is_welch_s_on_delong_s_components():
    """An AUC is the mean of the positives' placements, and of the negatives'."""
    y, score = np.arange(30) < 12, np.random.default_rng(4).normal(size=(2, 30))
    score[0] += y
    found = [interval(y, each, measure="auc") for each in score]
    variances, freedom = [], []
    for each in score:
        wins = each[y][:, None] > each[~y]
        parts = [wins.mean(axis=axis).var(ddof=1) / n for axis, n in ((1, 12), (0, 18))]
        variances.append(sum(parts))
        freedom.append(sum(parts) ** 2 / (parts[0] ** 2 / 11 + parts[1] ** 2 / 17))
    lead = found[0].estimate - found[1].estimate
    df = sum(variances) ** 2 / sum(v**2 / d for v, d in zip(variances, freedom, strict=True))
    test = found[0].unpaired_test(found[1])
    assert test.p_value == pytest.approx(2 * student.sf(lead / np.sqrt(sum(variances)), df))
    half = student.ppf(0.975, df) * np.sqrt(sum(variances))
    assert test[4:6] == pytest.approx((lead - half, lead + half))


def test_with_degrees_of_freedom_of_rows_the_unpaired_test_is_that_of_proc():
    """delong.unpaired.test of pROC in fractions: AUCs 5/6 and 17/24, variances 1/18 and 7/108.

    df = (13/108)^2 / ((1/18)^2 / 4 + (7/108)^2 / 6) = 1014/103.
    """
    one = interval([1, 1, 1, 0, 0], [2, 4, 5, 1, 3], measure="auc")
    other = interval([1, 1, 1, 0, 0, 0, 0], [1, 4, 3, 2, 0, 3, 2], measure="auc")
    found = one._replace(df=4).unpaired_test(other._replace(df=6))
    assert found.statistic == pytest.approx(0.36028834606144605, rel=1e-12)
    assert found.p_value == pytest.approx(0.7262412914312545, rel=1e-10)
    assert one.unpaired_test(other).p_value > found.p_value  # of fewer degrees of freedom


def test_an_unpaired_test_without_information_has_no_p_value():
    perfect, other = (interval(ROWS, score, measure="auc") for score in (ROWS, MODEL))
    assert np.isnan(perfect.unpaired_test(other).p_value)
    assert np.isnan(other.unpaired_test(perfect).p_value)


def test_options_that_are_refused():
    for options, said in (
        ({"cv": [None, 1] * 20}, "cv must give the fold of every row"),
        ({"cv": np.where(ROWS, np.nan, 1)}, "cv must give the fold of every row"),
        ({"n_jobs": 0, "n_resamples": 5}, "n_jobs must be at least 1"),
        ({"trained_at": 0}, "trained_at must lie strictly between 0 and 1, got 0"),
        ({"trained_at": {"m": 1.5}}, "trained_at must lie strictly between 0 and 1, got 1.5"),
        ({"trained_at": {"x": 0.5}}, "trained_at names 'x'; the models are 'm'"),
        ({"at": "flagged<=0"}, "No threshold meets flagged<=0 .* nearest has flagged 0.025"),
    ):
        with pytest.raises(ValueError, match=said):
            compare(ROWS, {"m": MODEL}, **options)
    compare(ROWS, {"m": MODEL}, n_jobs=np.int64(2), n_resamples=20)


@pytest.mark.parametrize("at", [np.float32(0.5), np.int64(1), "flagged<=0.4"])
def test_one_threshold_of_any_kind(at):
    y, score = [0, 0, 0, 1, 1] * 2, [0.1, 0.2, 0.6, 0.7, 1] * 2
    (point,) = compare(y, {"a": score}, at=at, level=None).points
    found = operating_point(y, score, at=at)
    assert point["models"]["a"]["threshold"] == found.threshold
    assert point["models"]["a"]["true_positives"] == found.true_positives
