"""``compare``: its tables against the functions that make them, and its sentences."""

import itertools
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

import kappacurve as kc
from kappacurve import compare, cost_threshold, interval, paired_test
from kappacurve.comparison_result import p_text
from kappacurve.inference import resampling

# Six positives above eight negatives: all but one, half of them, none; and a tie of all.
CLASSES = [1] * 6 + [0] * 8
A = [14, 13, 12, 11, 10, 4, 9, 8, 7, 6, 5, 3, 2, 1]
B = [14, 13, 9, 8, 3, 1, 12, 11, 10, 7, 6, 5, 4, 2]
C = [1, 2, 3, 4, 5, 6, 14, 13, 12, 11, 10, 9, 8, 7]
K = [1] * 14


def one(table, **values):
    """The only row of a table with these values."""
    chosen = table[(table[[*values]] == pd.Series(values)).all(axis=1)]
    assert len(chosen) == 1
    return chosen.iloc[0]


def test_a_report_to_the_letter():
    """With folds, a constraint, a threshold, a turned model and a name that needs quotes.

    AUC is 43/48 and 27/48, in the folds 1 and 10/12 of the first; at a cost ratio of 1/2 and a
    prevalence of 0.1 flagging nobody costs 0.1 / 3.
    """
    turned = {"m": A, "b\n": np.negative(B)}
    options = {"cost_ratio": 0.5, "prevalence": 0.1, "level": 0.8, "cv": [1, 2] * 7}
    found = compare(CLASSES, turned, at=["flagged<=0.25", 9.5], lower=["b\n"], **options)
    assert str(found) == Path(__file__).with_name("report.txt").read_text()


E = [14, 13, 9, 8, 3, 2, 12, 11, 10, 7, 6, 5, 4, 1]
U, V = [7, 6, 0, 5, 1, 2, 3, 4, 8], [1, 5, 8, 3, 6, 4, 7, 0, 2]  # tie at the costs 0.161 and 0.91
THRESHOLDS = {"a": np.inf, "b": -np.inf}
CASES = [  # in the order of conclusions.txt
    ({"a": A, "b": B, "c": C, "k": K}, {}),
    ({"b": B, "e": E, "k": K}, {}),
    ({"a": A, "d": [14, 13, 12, 11, 4, *A[4:5], *A[6:]], "k": K}, {"cost_ratio": 4}),
    # A baseline saves nothing, and at the balanced cost both are the same.
    ({"a": A, "b": B}, {"cost": 0.9, "thresholds": THRESHOLDS}),
    ({"a": A, "b": B}, {"cost": "balanced", "thresholds": THRESHOLDS, "level": 0.999}),
    # 5 of the 6 are found and one other is flagged: half of 2/14 is lost, of half of 6/14.
    ({"a": A, "b": B}, {"cost": 0.5, "thresholds": {"a": 8.5, "b": 8.5}, "groups": range(14)}),
    # A p value of exactly 1 - level is not small.
    ({"a": A, "b": B}, {"n_permutations": 3, "level": 0.75}),
    ({"u": U, "v": V}, {"cost": 0.1, "level": None}),
    # The areas of ranks tie at 6/8, and a has the top.
    ({"u": [6, 3, 5, 4, 2, 1], "v": [5, 4, 6, 3, 2, 1]}, {"level": None}),
    *(({"u": U, "v": V}, {"cost": cost}) for cost in (0.1, 0.5, 0.95)),
]
SAID = Path(__file__).with_name("conclusions.txt").read_text().split("\n\n")


@pytest.mark.parametrize(("case", "said"), [*zip(CASES, SAID, strict=True)])
def test_the_conclusion_to_the_letter(case, said):
    """The last sentence alone where dots stand for the others."""
    scores, options = case
    n = len(next(iter(scores.values())))
    found = compare(np.arange(n) < {6: 2, 9: 4, 14: 6}[n], scores, **options).conclusion
    expected = f"... {found[-1]}" if said.startswith("...") else " ".join(found)
    assert " ".join(said.split()) == expected


def test_the_notes_to_the_letter():
    assert compare(CLASSES, {"k": K, "c": C}).notes == (
        "Intervals and tests take the class ratio of these rows as random, as in a cohort.",
        "k gives all rows one score: these rows can't give an interval of AUC, Gini, AUK.",
        "c ranks worse than chance: are its scores read the wrong way round? (See lower, on the "
        "command line --lower.)",
        "No test where a difference does not vary across resamples, or a class has too few rows.",
    )


def test_four_models_under_a_constraint_stand_in_two_blocks():
    scores = {"a": A, "b": B, "e": E, "d": np.roll(A, 1)}
    text = str(compare(CLASSES, scores, at="fpr<=0.25", n_resamples=20))
    how = "intervals and p together for all 6 pairs (max-t; permutation tests: Holm)"
    assert f"\nPaired tests on the same rows, two-sided p, {how}\n" in text
    at = text[text.index("At fpr<=0.25, each model at its own threshold") :]
    assert [head.split() for head in re.findall(r"\n +(a +b +e|d)\n", at)] == [[*"abe"], ["d"]]
    assert at.count("Intervals are those") == 1
    assert at.rindex("  threshold") < at.index("Intervals are those") < at.index("Paired diff")


@pytest.mark.parametrize(
    ("n_positive", "methods"),
    [(4, "permutation"), (5, "delong influence permutation"), (20, "delong influence")],
)
def test_methods_are_those_for_so_many_rows_of_the_rarer_class(n_positive, methods):
    y = np.arange(60) < n_positive
    scores = {"a": y + np.arange(60) % 7, "b": y + np.arange(60) % 5}
    assert {*compare(y, scores, n_permutations=9).tests["method"]} == {*methods.split()}
    weighted = compare(y, scores, n_permutations=9, sample_weight=np.ones(60)).tests["method"]
    assert {*weighted} == {*methods.split()} - {"permutation"}


N = 240
RNG = np.random.default_rng(19)
Y = np.arange(N) % 4 == 0
SCORES = {
    "good": RNG.normal(size=N) + 2 * Y,
    "fair": RNG.normal(size=N).round(1) + Y,
    "same <b>": RNG.normal(size=N) + 0.9 * Y,
}


def test_one_bootstrap_gives_what_each_pair_alone_would():
    options = {"cost_ratio": 4, "n_resamples": 40, "random_state": 3}
    drawn, alone = compare(Y, SCORES, **options), options | {"method": "bootstrap"}
    for measure in ("auc", "gini", "auk", "average_precision", "h", "kappa_max"):
        row = one(drawn.measures, model="fair", measure=measure)
        assert (row["low"], row["high"]) == interval(Y, SCORES["fair"], measure=measure, **alone)[
            2:4
        ]
        if measure != "gini":
            row = one(drawn.tests, first="good", second="same <b>", measure=measure)
            pair = SCORES["good"], SCORES["same <b>"]
            test = paired_test(Y, *pair, measure=measure, **alone)
            assert row["p_value"] == test.p_value
            assert row["low"] <= test.low < test.high <= row["high"]


@pytest.mark.parametrize(("n_jobs", "groups"), [(3, None), (-1, np.arange(N) // 2)])
def test_threads_and_blocks_do_not_change_a_byte(n_jobs, groups, monkeypatch):
    """Blocks of seven resamples, of which forty have five and a part."""
    options = {"n_resamples": 40, "sampling": "random", "groups": groups, "cost_ratio": 4}
    whole = compare(Y, SCORES, **options)
    monkeypatch.setattr(resampling, "BLOCK", 7 * N)
    parts = compare(Y, SCORES, n_jobs=n_jobs, **options)
    for name in ("measures", "tests", "thresholds"):
        pd.testing.assert_frame_equal(*(getattr(each, name) for each in (whole, parts)))


def test_one_row_of_a_class_has_no_interval_and_two_rows_have_one():
    a = SCORES["good"][:60] + 2 * (np.arange(60) < 9)
    single = compare(np.arange(60) < 1, {"a": a, "b": a}, cost_ratio=2)
    assert single.decisions["loss"].notna().all()
    assert single.notes == (
        "No intervals: they need 2 rows of each class, there are 1.",
        "Losses are of the rows that chose the thresholds.",
    )
    two = compare(np.arange(60) < 2, {"a": a}).measures
    assert one(two, measure="auc")["low"] > 0


def test_groups_count_as_rows_do():
    groups = np.arange(N) // 4
    found, alone = (compare(Y, SCORES, groups=each) for each in (groups, None))
    pair = {"first": "good", "second": "fair", "measure": "auk"}
    expected = paired_test(Y, SCORES["good"], SCORES["fair"], groups=groups)
    p_value = one(found.tests, **pair)["p_value"]
    assert p_value == expected.p_value != one(alone.tests, **pair)["p_value"]


def test_the_design_the_methods_and_the_folds_of_weighted_rows():
    """Rows of weight zero are none; folds are measured at the prevalence of all rows."""
    rows = np.arange(60)
    y, score, weight = rows % 3 == 0, (rows * 7 + 1) % 60 / 59, rows % 4 + 0.0
    weight[y] *= 3
    fold = np.array([1, 2, 2.5])[rows // 20]
    design = {"sample_weight": weight, "cost_ratio": 2, "level": 0.9}
    found = compare(y, {"m": score}, groups=rows // 5, cv=fold, **design)
    p = weight[y].sum() / weight.sum()
    expected = {"n": 45, "n_positive": 15, "n_negative": 30, "groups": 12, "weighted": True}
    expected |= {"prevalence": p, "cost": 2 / 3, "sampling": "random"}
    expected |= {"level": 0.9, "cross_fitted": True, "prevalence_is_given": False}
    assert {name: found.design[name] for name in expected} == pytest.approx(expected)
    assert found.design["h_weight"] == pytest.approx((2, 4))
    table = found.measures.set_index("measure")
    on_logit, plain = (table.index[table["scale"] == "logit"], table.index[table["scale"].isna()])
    assert {*on_logit} == {"auc", "gini", "auk"}
    assert table.loc[["brier_score", "log_loss"], "method"].tolist() == ["influence"] * 2
    assert table.loc[["h", "average_precision"], "method"].isna().all()
    assert {"brier_score", "h"} <= {*plain}
    by_fold = found.folds.set_index(["fold", "measure"])["estimate"]
    for name in ("auc", "auk", "average_precision"):
        own = []
        for each in (1, 2, 2.5):
            here = fold == each
            at = {"sample_weight": weight[here], "prevalence": p, "cost_ratio": 2}
            own.append(kc.measures(y[here], score[here], **at)[name])
        known = by_fold[[(each, name) for each in ("1", "2", "2.5", "mean")]]
        assert known.tolist() == pytest.approx([*own, np.mean(own)])


def test_a_threshold_is_chosen_without_the_groups_that_it_judges(rng):
    """Five groups are five folds: each is left out in turn."""
    y = np.resize([1, 0, 0], 30) == 1
    score, group = rng.normal(size=30).round(1) + y, np.arange(30) % 5
    found = compare(y, {"a": score}, groups=group, cost_ratio=3).decisions.iloc[0]
    others = [group != k for k in range(5)]
    cuts = [cost_threshold(y[rows], score[rows], cost_ratio=3).threshold for rows in others]
    flagged = score >= np.array(cuts)[group]
    counts = found["true_positives"], found["false_positives"]
    assert counts == (np.sum(flagged & y), np.sum(flagged & ~y))
    # Printed with few digits, they flag the same rows.
    for end, cut in (("least", min(cuts)), ("largest", max(cuts))):
        assert (score >= found[f"{end}_threshold"]).sum() == (score >= cut).sum()


def test_where_the_other_folds_have_one_class_the_threshold_is_that_of_all_rows():
    """Both negatives are in the groups 0 and 2, which share a fold: all rows choose 2 for them.

    They choose 6 for group 1, of which no row is flagged.
    """
    y, group = [1, 1, 1, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 2, 2]
    found = compare(y, {"m": [9, 8, 7, 4, 3, 2, 6, 1]}, groups=group, cost=0.5).decisions.iloc[0]
    assert (found["true_positives"], found["false_positives"]) == (4, 1)
    assert (found["least_threshold"], found["largest_threshold"]) == (2, 6)


WEIGHTS = [1, 2, 1, 3, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("threshold", "weight", "tpr", "fpr", "alarms_per_hit", "counts"),
    [
        (7, None, 2 / 3, 1 / 5, 2.7, (2, 1)),
        (7, WEIGHTS, 3 / 4, 3 / 8, 4.5, (2, 1)),
        (0, None, 1, 1, 9, (3, 5)),
        (np.inf, None, 0, 0, np.nan, (0, 0)),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_decisions_by_hand(threshold, weight, tpr, fpr, alarms_per_hit, counts, sign):
    """Flagging nobody costs 0.8 of 10 %, and flagging all 0.2 of 90 %.

    Apparent is what the two highest scores bring, without a false alarm.
    """
    score = np.array([9, 8, 1, 7, 2, 2, 2, 0])
    options = {"lower": ["m"] * (sign < 0), "thresholds": {"m": sign * threshold}}
    options |= {"prevalence": 0.1, "cost_ratio": 4, "sample_weight": weight}
    result = compare([1] * 3 + [0] * 5, {"m": sign * score}, **options)
    found = result.decisions.iloc[0]
    hits, alarms = 0.1 * tpr, 0.9 * fpr
    loss = 0.08 - 0.8 * hits + 0.2 * alarms
    expected = {
        **{"loss": loss, "in_sample": 0.08 / (3 if weight is None else 4)},
        **{"flag_nobody": 0.08, "flag_all": 0.18, "saving": 1 - loss / 0.08},
        **{"saving_low": 1 - found["high"] / 0.08, "saving_high": 1 - found["low"] / 0.08},
        **{"least_threshold": sign * threshold, "largest_threshold": sign * threshold},
        **{"true_positives": counts[0], "false_positives": counts[1], "fpr": fpr, "tpr": tpr},
        **{"flagged": hits + alarms, "false_alarms_per_hit": alarms_per_hit},
        "precision": 1 / (1 + alarms_per_hit),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)
    row = one(result.thresholds, criterion="expected_loss")
    assert row[["lower", "threshold", "printed"]].tolist() == [sign < 0, *2 * [sign * threshold]]
    assert row[["fpr", "tpr", "value"]].tolist() == pytest.approx([fpr, tpr, loss])
    shown = ("none" if threshold == np.inf else f"{sign * threshold}") + " or lower" * (sign < 0)
    assert re.search(rf"\n *at threshold +{shown}\n", str(result))


@pytest.mark.parametrize("weight", [None, WEIGHTS])
def test_a_model_without_errors_costs_nothing(weight):
    y, score = [1, 1, 1, 0, 0, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2]
    assert kc.cost_threshold(y, score, sample_weight=weight)[:4] == (7, 0, 1, 0)
    found = compare(y, {"m": score}, cost=0.5, sample_weight=weight, thresholds={"m": 6.5})
    assert found.decisions.loc[0, ["loss", "in_sample"]].tolist() == [0, 0]


def test_costs_at_which_two_models_tie():
    def lead(cost):
        return np.subtract(*(kc.auk_score(np.arange(9) < 4, score, cost=cost) for score in (U, V)))

    expected = [brentq(lead, *ends) for ends in ((0.1, 0.3), (0.8, 0.97))]
    found = compare(np.arange(9) < 4, {"u": U, "v": V}).design["auk_ties"]
    assert found == pytest.approx(expected, abs=5e-4)


def test_ends_of_a_threshold_are_quantiles_of_the_resamples_thresholds():
    """Of all 108 draws of two positives and three negatives; the upper end is infinite."""
    y, score = np.array([1, 1, 0, 0, 0]), np.array([3.0, 5, 1, 2, 4])
    draws = map(list, itertools.product([0, 1], [0, 1], *[[2, 3, 4]] * 3))
    every = np.sort([cost_threshold(y[rows], score[rows], cost=0.3).threshold for rows in draws])
    options = {"cost": 0.3, "sampling": "stratified", "n_resamples": 400, "level": 0.8}
    row = one(compare(y, {"a": score}, **options).thresholds, criterion="expected_loss")
    assert row[["low", "threshold", "high"]].tolist() == [every[11], 5, every[96]] == [3, 5, np.inf]


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


def test_a_notebook_shows_a_page_and_a_figure():
    found = compare(Y, SCORES)
    page = found._repr_html_()
    assert "same &lt;b&gt;" in page
    assert "Gini" in page and "Gini" not in str(found)  # where there is room, all measures
    assert "<b>" not in page
    legend = found.plot().axes[0].get_legend()
    area = kc.auc_score(Y, SCORES["good"])
    assert legend.get_texts()[0].get_text() == f"good, AUC {area:.3f}"


def test_a_plot_of_very_many_rows_keeps_the_hull_and_evenly_spread_vertices():
    y = np.arange(6000) % 3 == 0
    score = np.arange(6000) + 900.0 * y
    line = compare(y, {"m": score}, level=None).plot().axes[0].get_lines()[0]
    drawn = {*map(tuple, line.get_xydata().tolist())}
    fpr, tpr, _ = kc.roc_vertices(y, score)
    hull = kc.roc_hull(fpr, tpr).index
    assert {*zip(fpr[hull].tolist(), tpr[hull].tolist(), strict=True)} <= drawn
    assert 5000 <= len(drawn) <= 5000 + len(hull) < len(fpr)


@pytest.mark.parametrize(
    ("p", "text"), [(0.0456, "= 0.046"), (1e-300, "= 1e-300"), (9e-301, "< 1e-300")]
)
def test_p_values_have_two_digits(p, text):
    assert p_text(p) == text


ROWS = np.arange(40) % 2
MODEL = np.random.default_rng(3).normal(size=40) + ROWS


def test_one_rule_for_names_of_models():
    found = compare(ROWS, {0: -MODEL, 1: MODEL}, lower=[0])
    assert found.thresholds["lower"].tolist() == [True, False]
    first, second = found.measures.query("measure == 'auc'")["estimate"]
    assert first == second
    for scores, lower, said in (
        ({"m": MODEL, "0m": MODEL}, "m", "lower must be a list of names"),
        ({"m": MODEL}, ["n"], "lower: 'n' is not among the models"),
        ({1: MODEL, "1": -MODEL}, [], "two entries called '1'"),
        (pd.DataFrame(np.c_[MODEL, -MODEL], columns=["m", "m"]), [], "two entries called 'm'"),
    ):
        for function in (compare, kc.explorer_page):
            with pytest.raises(ValueError, match=said):
                function(ROWS, scores, lower=lower)


def test_rows_that_would_be_paired_wrongly_or_lost_are_refused():
    masked, series = np.ma.masked_greater(MODEL, 1), pd.Series(MODEL)
    shuffled = pd.Series(ROWS).sample(frac=1, random_state=0)
    for function in (kc.measures, lambda y, score: compare(y, {"m": score})):
        for y, score, said in (
            (ROWS, masked, "y_score must not hold masked values"),
            (np.ma.array(ROWS, mask=ROWS == 1), MODEL, "y_true must not hold masked values"),
            (shuffled, series, "y_true and y_score have different indices"),
        ):
            with pytest.raises(ValueError, match=said):
                function(y, score)
        function(shuffled.to_numpy(), series)
        function(pd.Series(ROWS), series)
    with pytest.raises(ValueError, match="different indices"):
        compare(shuffled, pd.DataFrame({"m": -series}), lower=["m"])


@pytest.mark.parametrize("cost", [0, 1])
def test_costs_at_which_a_baseline_loses_nothing(cost):
    found = compare(ROWS, {"m": MODEL, "n": -MODEL}, cost=cost)
    assert found.decisions[["saving", "saving_low", "saving_high"]].isna().all(axis=None)
    assert any("there is nothing to save" in said for said in found.conclusion)
    assert "\nH, one error is free  " in str(found)
    assert "nan" not in str(found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"cv": [None, 1] * 20}, "cv must give the fold of every row"),
        ({"cv": ROWS}, "Fold 0: "),
        ({"cv": ROWS[1:]}, r"each of the 40 rows, got shape \(39,\)"),
        ({"cv": np.resize(["mean", "mean", "b", "b"], 40)}, "A fold can't be called mean"),
        ({"cv": np.where(ROWS, np.nan, 1)}, "cv must give the fold of every row"),
        ({"trained_at": 0}, "trained_at must lie strictly between 0 and 1, got 0"),
        ({"trained_at": {"m": 1.5}}, "trained_at must lie strictly between 0 and 1, got 1.5"),
        ({"trained_at": {"x": 0.5}}, "trained_at names 'x'; the models are 'm'"),
        ({"cost": 0.5, "thresholds": {"x": 1}}, "thresholds has none for the model 'm'"),
        ({"at": "flagged<=0"}, "No threshold meets flagged<=0 .* nearest has flagged 0.025"),
    ],
)
def test_options_that_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        compare(ROWS, {"m": MODEL}, **options)


@pytest.mark.parametrize("at", [np.float32(0.5), np.int64(1), "flagged<=0.1"])
def test_at_a_threshold_every_model_has_its_counts_and_the_numbers_of_the_doors(at):
    options = {"cost_ratio": 4, "prevalence": 0.1, "n_resamples": np.int64(40)}
    scores = {name: SCORES[name] for name in ("good", "fair")}
    (point,) = compare(Y, scores, at=at, n_jobs=np.int64(2), **options).points
    options["at"] = at
    for name, score in scores.items():
        own = point["models"][name]
        found = kc.operating_point(Y, score, at=at, cost_ratio=4, prevalence=0.1)
        counts = own["true_positives"], own["false_positives"]
        assert own["threshold"] == found.threshold
        assert counts == (found.true_positives, found.false_positives)
        flagged = score >= own["printed"]
        assert counts == (np.sum(flagged & Y), np.sum(flagged & ~Y))
        alone = interval(Y, score, measure="precision", **options)
        ends = [own["precision"][key] for key in ("estimate", "low", "high")]
        assert ends == pytest.approx([alone.estimate, alone.low, alone.high], abs=1e-14)
    assert compare(Y, scores, at=at, level=None).points[0]["tests"] == []
    test = paired_test(Y, *scores.values(), measure="kappa", **options)
    (kappa,) = (each for each in point["tests"] if each["measure"] == "kappa")
    assert (kappa["difference"], kappa["p_value"]) == (test.difference, test.p_value)
    if at == "flagged<=0.1":
        assert "flagged" not in {each["measure"] for each in point["tests"]}
        assert np.isnan(point["models"]["good"]["flagged"]["low"])
