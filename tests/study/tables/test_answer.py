"""Which model leads over random splits: by hand, and against an independent formula."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student, ttest_1samp
from sklearn.metrics import log_loss

from kappacurve import compare
from study.tables.answer import (
    corrected_test,
    leaders_of_one_split,
    leaders_over_splits,
    measures_by_split,
    paired_wins,
    threshold_row,
)


def wide(**models):
    return pd.DataFrame(models, dtype=float).rename_axis("replicate")


def test_wins_by_hand():
    """The model with the larger mean stands first; a tie is no win, a missing split no split."""
    auc = wide(a=[0.7, 0.8, 0.6, 0.6, np.nan], b=[0.6, 0.9, 0.5, 0.6, 0.1])
    row = paired_wins({"auc": auc}, 0.5).iloc[0]
    assert row[["measure", "model_a", "model_b"]].tolist() == ["auc", "a", "b"]
    assert row[["splits", "ahead", "ties"]].tolist() == [4, 2, 1]
    assert row["mean"] == pytest.approx(0.025)
    # Leads of -0.1, 0, 0.1 and 0.1: 2.5 % of the three steps between them from either end.
    assert [row["low"], row["high"]] == pytest.approx([-0.0925, 0.1])
    assert paired_wins({"auc": auc[["a"]]}, 0.5).empty
    # Of a loss the smaller mean is the better, and ahead is below.
    less = paired_wins({"log_loss": auc}, 0.5).iloc[0]
    assert less[["model_a", "splits", "ahead", "ties"]].tolist() == ["b", 4, 2, 1]
    assert less["mean"] == pytest.approx(-0.025)


def test_the_corrected_test_widens_the_error_by_shared_rows():
    lead = np.array([0.01, 0.03, 0.02, 0.05, -0.01, 0.04])
    plain = corrected_test(lead, 0.0)
    expected = ttest_1samp(lead, 0)
    assert plain["p_value"] == pytest.approx(expected.pvalue)
    assert (plain["lower"], plain["upper"]) == pytest.approx(expected.confidence_interval(0.95))
    # Nadeau & Bengio (2003): (1/J + n_test/n_train) s^2 in place of s^2/J.
    found = corrected_test(lead, 2 / 3)
    statistic = lead.mean() / np.sqrt((1 / 6 + 2 / 3) * lead.var(ddof=1))
    assert found["p_value"] == pytest.approx(2 * student.sf(statistic, 5))
    # One of three tests: its interval excludes zero where its p value is below 0.05.
    three = corrected_test(lead, 0.0, 3)
    assert three["p_value"] == pytest.approx(3 * plain["p_value"])
    assert (three["lower"] > 0) == (three["p_value"] < 0.05)
    assert corrected_test(np.array([-0.01, 0.01, 0.02]), 0.5, 3)["p_value"] == 1
    assert np.isnan(corrected_test(np.zeros(4), 0.5)["p_value"])
    assert np.isnan(corrected_test(lead[:1], 0.5)["p_value"])
    assert corrected_test(lead[:2], 0.0)["p_value"] == pytest.approx(0.295167, abs=1e-6)


def test_the_leader_is_counted_where_it_is_ahead_of_all_others():
    auc = wide(a=[0.9, 0.8, 0.7, 0.9], b=[0.8, 0.7, 0.8, 0.9], c=[0.1, 0.1, 0.1, 0.1])
    by_measure = {"auc": auc}
    (row,) = leaders_over_splits(by_measure, paired_wins(by_measure, 0.5))
    assert (row["model"], row["other"], row["splits"], row["share"]) == ("a", "b", 4, 0.5)
    assert (row["value"], row["difference"]) == pytest.approx((0.825, 0.025))
    assert "to c is statistically significant; that to b is not" in row["sentence"]
    assert leaders_over_splits({"auc": auc[["a"]]}, paired_wins({}, 0.5)) == []


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        ((0.0499, 0.0499), "The difference to b and c is statistically significant ("),
        ((0.0499, 0.05), "to b is statistically significant; that to c is not ("),
        ((0.05, 0.0499), "to c is statistically significant; that to b is not ("),
        ((0.05, 0.0501), "No difference to b and c is statistically significant ("),
        ((np.nan, 0.05), "No difference to c is statistically significant ("),
        ((np.nan, np.nan), "No test of the differences is possible."),
    ],
)
def test_a_lead_is_significant_below_the_level_alone(p_values, said):
    by_measure = {"auc": wide(a=[0.9, 0.8], b=[0.8, 0.6], c=[0.1, 0.2])}
    wins = paired_wins(by_measure, 0.5).assign(lower=np.nan)
    wins["p_value"] = [*p_values, 0.001]  # the last is of b and c
    (row,) = leaders_over_splits(by_measure, wins)
    assert said in row["sentence"]


def test_losses_of_each_split():
    """The log loss is scikit-learn's, of the models that have probabilities."""
    rng = np.random.default_rng(2)
    label, rows = np.tile([1, 0, 0, 0], 10), []
    for replicate in range(3):
        chance = np.clip(0.2 + 0.3 * label + rng.normal(0, 0.1, 40), 0, 1)
        for model, known in (("a", chance), ("b", np.full(40, np.nan))):
            own = {"replicate": replicate, "row": range(40), "minority": label, "model": model}
            rows.append(pd.DataFrame({**own, "score": chance, "probability": known}))
    scores = pd.concat(rows)
    place = {"positive_class": "minority", "curve": "raw", "auc": 0.5, "auk": 0.1, "h": 0.1}
    measures = scores[["replicate", "model"]].drop_duplicates().assign(**place)
    found = measures_by_split(measures, scores, cost_ratio=4)
    one = scores.query("replicate == 1 and model == 'a'")
    expected = log_loss(one["minority"], one["probability"])
    assert found["log_loss"].loc[1, "a"] == pytest.approx(expected)
    assert list(found["log_loss"]) == ["a"]
    # A chance of nothing for what happened is cut off, not infinite.
    never = measures_by_split(measures, scores.assign(probability=1 - scores["minority"]))
    assert never["log_loss"].to_numpy() == pytest.approx(-np.log(np.finfo(float).eps))
    # The same scores: the same loss at the declared cost, of the splits that have both classes.
    one_class = scores[(scores["replicate"] > 0) | (scores["minority"] == 1)]
    losses = measures_by_split(measures, one_class, prevalence=0.1, cost_ratio=4)["expected_loss"]
    assert losses.index.tolist() == [1, 2]
    np.testing.assert_array_equal(losses["a"], losses["b"])
    by_model = {"a": one["score"].to_numpy(), "b": one["score"].to_numpy()}
    library = compare(one["minority"], by_model, level=None, prevalence=0.1, cost_ratio=4).measures
    library = library.set_index(["measure", "model"])["estimate"]
    assert losses.loc[1, "a"] == library["expected_loss", "a"] > 0


def split_of(measure, estimates, tests):
    """A comparison on one split: estimates by model, and tests (first, second, lead, ends, p)."""
    measures = pd.DataFrame({"model": [*estimates], "estimate": [*estimates.values()]})
    columns = ["first", "second", "difference", "low", "high", "p_adjusted"]
    return SimpleNamespace(
        measures=measures.assign(measure=measure),
        tests=pd.DataFrame(tests, columns=columns).assign(measure=measure),
    )


def test_one_splits_leader_is_told_with_its_tests_nearest_first():
    tests = [
        ("a", "b", -0.2, -0.35, -0.05, 0.01),
        ("b", "c", 0.1, -0.02, 0.22, 0.05),
        ("a", "c", -0.1, -0.3, 0.1, 0.5),
    ]
    (row,) = leaders_of_one_split(split_of("auk", {"a": 0.6, "b": 0.8, "c": 0.7}, tests))
    assert row["sentence"] == (
        "AUK: b is best on these rows (0.800). The difference to a is statistically significant; "
        "that to c is not (+0.100 to c, 95 % interval -0.020 to +0.220)."
    )
    told = [row[name] for name in ("model", "value", "splits", "other", "difference", "lower")]
    assert told == ["b", 0.8, 1, "c", 0.1, -0.02]
    assert (row["upper"], row["p_value"]) == (0.22, 0.05)
    # Of a loss the least is best, and the nearest is the least above it.
    (row,) = leaders_of_one_split(split_of("log_loss", {"a": 0.6, "b": 0.8, "c": 0.7}, tests))
    told = [row[name] for name in ("model", "other", "difference", "upper")]
    assert told == ["a", "c", -0.1, 0.1]
    (row,) = leaders_of_one_split(split_of("h", {"a": 0.6, "b": 0.5}, []))
    untested = "H: a is best on these rows (0.600). No test of the differences is possible."
    assert row["sentence"] == untested
    assert leaders_of_one_split(split_of("h", {"a": 0.6, "b": np.nan}, [])) == []


THRESHOLDS = pd.DataFrame(
    {
        "measure": ["kappa_max", "kappa_max", "expected_loss", "expected_loss"],
        "model": ["a", "b", "a", "b"],
        "value": [0.41, 0.32, 0.23, 0.14],
        "threshold": [1.25, np.inf, -0.5, 0.75],
        "low": [1.0, np.nan, np.nan, 0.61234],
        "high": [1.5, np.nan, np.nan, 0.98765],
        "scale": ["decision function", "as given", "decision function", "probability"],
        "probability": [0.123456, np.nan, np.nan, 0.75],
        "missed": [3, 21, 5, 6],
        "false_alarms": [7, 0, 8, 9],
        "n_positive": 21,
        "n_negative": 79,
    }
)


@pytest.mark.parametrize(
    ("rows", "leaders", "best", "told"),
    [
        (
            *(
                slice(4),
                {"auc": "a", "auk": "a", "expected_loss": "b"},
                "Lowest expected loss of b",
            ),
            "0.140: ill predicted from a score of 0.75 on (probability; 95 % interval 0.612 to "
            "0.988), which misses 6 of 21 and raises 9 false alarms in 79 others.",
        ),
        (
            *(slice(2), {"auc": "b", "auk": "a"}, "Highest maximum kappa of a"),
            "0.410: ill predicted from a score of 1.25 on (decision function; probability 0.123; "
            "95 % interval 1 to 1.5), which misses 3 of 21 and raises 7 false alarms in 79 others.",
        ),
        # Led by a model that has no threshold: the first that has.
        (
            *(slice(1, 3), {"expected_loss": "c"}, "Lowest expected loss of a"),
            "0.230: ill predicted from a score of -0.5 on (decision function), which misses 5 of "
            "21 and raises 8 false alarms in 79 others.",
        ),
        (slice(2), {"auk": "b"}, "Highest maximum kappa of b", "0.320: ill is never predicted."),
    ],
)
def test_the_threshold_is_that_of_the_leader_by_cost_or_else_by_auk(rows, leaders, best, told):
    leading = [{"measure": measure, "model": model} for measure, model in leaders.items()]
    row = threshold_row(THRESHOLDS.iloc[rows], leading, "ill")
    where = "on the rows of the tables, which choose its threshold"
    assert row["sentence"] == f"{best} {where}, {told}"
    kept = THRESHOLDS.query("measure == @row['measure'] and model == @row['model']").iloc[0]
    assert row["value"] == kept["threshold"]
    assert [row["low"], row["high"]] == pytest.approx([kept["low"], kept["high"]], nan_ok=True)
