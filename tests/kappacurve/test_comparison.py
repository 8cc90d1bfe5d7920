"""Models side by side: stored values of 52de2391, values by hand, and what the sentences say."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

from kappacurve import calibration, compare, interval, measures, operating_point, paired_test
from kappacurve.comparison.compare import deal_folds, judge_at_cost
from kappacurve.comparison.results import (
    _costs_table,
    _leads_table,
    calibration_sentences,
    constant_sentences,
    leader_sentence,
    least_loss_sentence,
    p_value_text,
    reversed_sentences,
    saving_sentence,
)
from kappacurve.decisions.costs import CostRange
from kappacurve.inference.estimates import Estimate, Settings
from kappacurve.inference.influence import InfluenceModel
from kappacurve.validation import check_sample

DOCS = Path(__file__).parents[2] / "docs"
TABLE = pd.read_csv(DOCS / "two_models.csv")
Y, SCORES = TABLE["positive"].to_numpy(), {name: TABLE[name].to_numpy() for name in "AB"}
RANDOM = np.random.default_rng(3)
N = 120
LABELS = (np.arange(N) % 4 == 0).astype(int)
NOISE = RANDOM.normal(size=(3, N))
MODELS = {
    name: noise + k * LABELS for name, noise, k in zip("abc", NOISE, (1.6, 0.9, 0.2), strict=True)
}


def row(table, **keys):
    found = table[np.logical_and.reduce([table[key] == value for key, value in keys.items()])]
    assert len(found) == 1
    return found.iloc[0]


def test_five_models_fit_one_screen():
    logits = {f"model {k}": NOISE[k % 3] * 1.2 - k / 5 * LABELS + 2 * LABELS for k in range(5)}
    models = {name: 1 / (1 + np.exp(-logit)) for name, logit in logits.items()}
    result = compare(LABELS, models)
    lines = str(result).splitlines()
    assert len(lines) <= 49
    assert max(map(len, lines)) <= 100
    assert not any(line.endswith((" ", "\\")) for line in lines)
    assert len(result.tests) == 10 * 6  # all pairs
    assert len(repr(result).splitlines()) == 1
    assert "120 rows, 30 positive" in repr(result)


def test_terms_are_explained_on_demand_alone():
    result = compare(LABELS, MODELS, cost_ratio=2)
    assert "the chance that a positive row scores above" not in str(result)
    for term in ("AUC: the chance that a positive row scores above", "(fold) is judged", "p: the"):
        assert term in " ".join(result.explain().split())


def test_numbers_are_those_of_the_functions_for_one_measure():
    options = {"sample_weight": RANDOM.uniform(0.5, 2, N), "groups": np.arange(N) // 2}
    options |= {"prevalence": 0.1, "cost_ratio": 3, "confidence_level": 0.9, "n_resamples": 50}
    result = compare(LABELS, MODELS, at=["flagged<=0.2", 0.5], **options)
    points = dict.fromkeys(("auc", "auk", "h", "average_precision"))
    for measure, at in (points | {"precision": "flagged<=0.2", "kappa": 0.5}).items():
        expected = interval(LABELS, MODELS["b"], measure=measure, at=at, **options)
        if at is None:
            found = row(result.measures, measure=measure, model="b")
        else:
            found = row(result.decisions, at=str(at), quantity=measure, model="b")
        assert found["estimate"] == pytest.approx(expected.estimate, abs=1e-13)
        assert found[["low", "high"]].tolist() == [expected.low, expected.high]
    for measure, at in (points | {"recall": "flagged<=0.2"}).items():
        tests = paired_test(LABELS, MODELS, measure=measure, at=at, **options)
        name = measure if at is None else f"{measure} at {at}"
        for (first, second), expected in tests.items():
            found = row(result.tests, measure=name, first=first, second=second)
            assert found["p_value"] == expected.p_value
            assert found["difference"] == expected.difference


def test_p_values_of_several_models_are_adjusted_by_holm():
    result = compare(LABELS, MODELS, cost_ratio=4, at="recall>=0.9")
    assert result.tests["measure"].nunique() == 6
    for _, family in result.tests.groupby("measure"):
        ordered = family.sort_values("p_value")
        by_hand = np.maximum.accumulate(ordered["p_value"] * [3, 2, 1])
        assert ordered["p_adjusted"].tolist() == pytest.approx(np.minimum(1, by_hand).tolist())
    assert result.sentences[0] == (
        "AUC: a is better than c (adjusted p = 0.0046), not clearly better than b (p = 0.49)."
    )
    assert result.sentences[4].startswith("Where a miss costs 4 false alarms, flagging by a saves")
    assert result.sentences[5].startswith("Loss at this cost: a is better than c (adjusted p")
    assert result.sentences[6].startswith("Precision at recall>=0.9: b is not clearly better than")
    assert any("Holm's method for all pairs of one measure" in note for note in result.notes)


def test_average_precision_and_h_are_resampled_where_that_is_cheap(monkeypatch):
    for more, is_resampled in ((0, False), (1, True)):
        monkeypatch.setattr("kappacurve.comparison.compare.MAX_RESAMPLED", N * 3 * 2000 + more)
        result = compare(LABELS, MODELS)
        resampled = {"h", "average_precision"} & set(result.tests["measure"])
        assert len(resampled) == 2 * is_resampled
        assert any("ask for them by --resamples" in note for note in result.notes) != is_resampled


def test_models_that_rank_alike_are_named():
    """a and twice a rank all rows alike; c is worse than both."""
    models = {"a": MODELS["a"], "twice": 2 * MODELS["a"], "c": MODELS["c"]}
    result = compare(LABELS, models)
    assert "a and twice rank all rows alike." in result.notes
    assert result.sentences[0].startswith("AUC: a is better than c (adjusted p")
    assert result.sentences[0].endswith("), equal to twice.")


CALIBRATED = ("intercept", "observed_over_expected", "slope")
EIGHT = [0, 0, 1, 0, 0, 1, 1, 1]
RISING, WORSE = np.arange(8.0), [0, 1, 2, 6, 3, 4, 5, 7]
APPARENT = "Least loss in these rows (apparent: they also set the thresholds): "


@pytest.mark.parametrize(
    ("labels", "scores", "ends", "sentence"),
    [
        (Y, SCORES, [8.148], "B while a miss costs less than 8.1 false alarms, A beyond."),
        # By hand: the hull has the corners (0, 3/4) and (1/2, 1), so a costs R/8 or 1/4 per row.
        (EIGHT, {"last": -RISING, "a": RISING}, [], "a whatever a miss costs."),
        (EIGHT, {"a": RISING, "b": 2 * RISING}, [], "a and b alike whatever a miss costs."),
        # Both have the corner (1/2, 1), which is best from R = 2 on.
        (
            EIGHT,
            {"a": RISING, "b": WORSE},
            [2],
            "a while a miss costs less than 2 false alarms, a and b alike beyond.",
        ),
        (
            np.repeat([0, 1], 10),
            {"constant": np.zeros(20)},
            [1],
            "no model costs less than flagging nobody or everybody, at any cost.",
        ),
        # One threshold, at (1/4, 1/2): nobody up to 1/2, everybody from 3/2 on.
        (
            [0, 0, 0, 0, 1, 1, 1, 1],
            {"a": [0, 0, 0, 1, 0, 0, 1, 1]},
            [0.5, 1.5],
            "a while a miss costs 0.5 to 1.5 false alarms; flag nobody below, everybody beyond.",
        ),
    ],
)
def test_the_least_loss_by_cost(labels, scores, ends, sentence):
    result = compare(labels, scores)
    assert result.ties["cost_ratio_high"].tolist() == pytest.approx([*ends, np.inf], abs=5e-4)
    ranges = [CostRange(*row) for row in result.ties.itertuples(index=False)]
    said = least_loss_sentence(ranges, True, None)
    is_clear = " State a cost (--cost-ratio, cost_ratio=) to see whether it is clear."
    assert said == APPARENT + sentence + is_clear * (not sentence.startswith("no model"))
    at_cost = compare(labels, scores, cost_ratio=5)
    assert at_cost.ties.equals(result.ties)
    assert not any(text.startswith("Least loss") for text in at_cost.sentences)


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (5, "a while a miss costs less than 99 false alarms, b up to 198, a up to 297, b up to 396,"
            " a up to 495"),
        (6, "a and b take turns, in 6 ranges, while a miss costs less than 594 false alarms"),
    ],
)  # fmt: skip
def test_from_six_ranges_on_models_take_turns(n, text):
    ranges = [CostRange(99 * k, 99 * k + 99, "by model", tuple("ab"[k % 2])) for k in range(n)]
    everybody = CostRange(99 * n, np.inf, "everybody", ())
    assert least_loss_sentence([*ranges, everybody], True, 0.02) == (
        "Least loss in these rows at 2 % positives (apparent: they also set the thresholds): "
        f"{text}; flag everybody beyond. State a cost (--cost-ratio, cost_ratio=) to see whether "
        "it is clear."
    )


@pytest.mark.parametrize(("shift", "positives"), [(-1, 20), (0, 20), (0, 5), (0, 1)])
def test_models_that_save_a_row_or_two_are_not_named(shift, positives):
    """Of inverted or useless scores some are the cheapest at some cost, where one row decides."""
    labels = np.arange(200) < positives
    scores = np.random.default_rng(3).normal(size=(5, 200)) + shift * labels
    models = dict(zip("abcde", scores, strict=True))
    for chosen in (models, {"a": models["a"]}):
        result = compare(labels, chosen, n_resamples=2)
        assert "by model" in [*result.ties["flag"]]
        reason = "not given, because no model ranks clearly better than by chance."
        assert result.sentences[-1] == APPARENT + reason


def test_from_four_models_on_each_stands_beside_the_best():
    four = MODELS | {"d": NOISE[0] + NOISE[1]}
    for models in (MODELS, four):
        result = compare(LABELS, models, n_resamples=2)
        assert ("Differences to the best model" in str(result)) == (len(models) == 4)
        assert ("(adjusted p = " in result.sentences[0]) == (len(models) == 3)


def test_differences_to_the_best_model_by_hand():
    """In the order of the tests; the difference is that of the other model."""
    tests = pd.DataFrame({"measure": "auc", "first": [*"aaab"], "second": [*"bbcc"]})
    tests.loc[0, "measure"] = "h"
    tests = tests.assign(difference=[0.1, -0.2, 0.1, 0.3], p_adjusted=[0.03, np.nan, 0.02, 0.01])
    table = _leads_table(tests, 1.0)
    assert [*table.index] == ["H", "AUC"]
    assert table["a"].tolist() == ["best", "-0.2000 (not tested)"]
    assert table["b"].tolist() == ["-0.1000 (p = 0.03)", "best"]
    assert table["c"].tolist() == ["-", "-0.3000 (p = 0.01)"]


@pytest.mark.parametrize(
    ("p", "text"), [(0.0001, "= 0.0001"), (0.0000999, "< 0.0001"), (np.nan, "not tested")]
)
def test_a_p_value_in_words(p, text):
    assert p_value_text(p) == text


def test_a_clear_lead_is_one_by_the_adjusted_p():
    """0.0501 is clear at a level of 0.9 alone."""
    table = pd.DataFrame({"first": list("aab"), "second": list("bcc")})
    table = table.assign(difference=[0.1, 0.2, 0.1], p_adjusted=[0.0501, 0.0499, np.nan])
    at_95, at_90 = (leader_sentence("auc", table, 1.0, level) for level in (0.95, 0.9))
    assert at_95 == (
        "AUC: a is better than c (adjusted p = 0.05), not clearly better than b (p = 0.05)."
    )
    assert at_90 == "AUC: a is better than b (adjusted p = 0.05) and c (p = 0.05)."
    turned = table.assign(difference=[-0.1, -0.2, -0.1], p_adjusted=[0.2, 0.01, np.nan])
    assert leader_sentence("auc", turned, 1.0, 0.95) == (
        "AUC: c is better than a (adjusted p = 0.01), not tested against b."
    )
    assert leader_sentence("log_loss", turned, 1.0, 0.95).startswith("Log loss: a is better than c")


@pytest.mark.parametrize(
    ("savings", "models", "clear"),
    [
        # The saving and the low end of its interval, by model.
        ({"a": (3, 1)}, "a", ". Clear savings: a"),
        ({"a": (3, 0)}, "a", ", but no saving is clear"),
        ({"a": (3, 1), "b": (2, 1)}, "a", ". Clear savings: a and b"),
        ({"a": (2, 1), "b": (3, -1)}, "b", ". Clear savings: a"),
        ({"a": (2, 1), "b": (3, 0), "c": (1, 0.5), "d": (2, 0)}, "b", ". Clear savings: a and c"),
        ({"a": (2, 0), "b": (3, 1), "c": (3 - 1e-13, 1)}, "b or c", ". Clear savings: b and c"),
        ({"a": (3, -1), "b": (3, 1), "c": (2, 1)}, "a or b", ". Clear savings: b and c"),
    ],
)
def test_all_models_that_save_most_are_named_and_those_that_save_clearly(savings, models, clear):
    trivial = {"flag": "by model", "flag_nobody": 9.0, "flag_everybody": 8.0, "apparent": False}
    rows = [
        {"model": model, "loss": 8.0 - saving, "saving": saving, "saving_low": low, **trivial}
        for model, (saving, low) in savings.items()
    ]
    assert saving_sentence(rows, 5) == (
        f"Where a miss costs 5 false alarms, flagging by {models} saves the cost of 3.0 false "
        f"alarms per 1,000 rows over flagging everybody{clear}."
    )


def test_a_model_without_errors_saves_what_its_loss_leaves_at_a_stated_share():
    """Its loss does not vary over the rows; the limits of the shares flagged do."""
    labels = np.repeat([0, 1], [180, 20])
    found = compare(labels, {"a": labels * 2.0}, cost_ratio=5, prevalence=0.1)
    costs = found.costs.iloc[0]
    loss = interval(
        labels, labels * 2.0, measure="expected_loss", at=1, cost_ratio=5, prevalence=0.1
    )
    expected = 500 - 6000 * loss.high, 500
    assert (costs["saving_low"], costs["saving_high"]) == pytest.approx(expected)
    assert expected[0] > 300
    assert found.sentences[0].endswith("over flagging nobody. Clear savings: a.")


def test_no_model_is_called_better_where_none_is_worth_using():
    """Both models rank all 50 negatives above all 50 positives."""
    useless = np.repeat([1.0, 0.0], 50)
    models = {"useless": useless, "worse": 2 * useless + np.tile([0.0, 0.5], 50)}
    labels = 1 - useless
    result = compare(labels, models, cost_ratio=0.5, at=[0.5, 3.0])
    assert any(text.endswith("flag nobody.") for text in result.sentences)
    assert not any("at this cost" in text for text in result.sentences)
    useless_at = [text for text in result.sentences if text.startswith("At ")]
    assert useless_at == [
        "At 0.5 no loss is below that of flagging nobody.",
        "At 3.0 no loss is below that of flagging nobody.",
    ]
    good = compare(labels, {"good": labels, "useless": useless}, cost_ratio=0.5, at=0.5)
    assert not any(text.startswith("At ") for text in good.sentences)


def test_losses_are_called_useless_not_models_whose_loss_is_not_known():
    """A score without a cost has no loss at 0.8; here it would be 0, as it separates the classes.

    10 of 30 rows are positive and no probability reaches 0.8, so the loss is that of nobody.
    """
    labels, low = np.repeat([1, 0], [10, 20]), np.linspace(0.1, 0.6, 30)
    models = {"score": 5.0 * labels, "p": low}
    for at in (0.65, 0.7, 0.8, 0.9):  # where the two losses of flagging nobody differ by rounding
        sentences = compare(labels, models, at=at, n_resamples=2).sentences
        assert f"At {at} no loss is below that of flagging nobody." in sentences


def test_no_threshold_is_recommended_that_costs_more_than_nobody_or_everybody():
    rng = np.random.default_rng(5)
    followed = 0
    for _ in range(200):
        n, ratio = int(rng.integers(20, 60)), float(np.exp(rng.normal(0, 1.5)))
        y = rng.permutation(np.arange(n) < rng.integers(3, n - 2)).astype(int)
        scores = {name: (rng.normal(size=n) + k * y).round(1) for name, k in (("a", 0), ("b", 0.7))}
        costs, _ = judge_at_cost(InfluenceModel(check_sample(y, scores), None, ratio), Settings())
        thresholds = _costs_table(pd.DataFrame(costs), scores).loc["threshold"]
        nobody, everybody = 1000 * ratio * y.mean(), 1000 * (1 - y.mean())
        least, rule = min((nobody, "nobody"), (everybody, "everybody"))
        for found in costs:
            if found["flag"] != "by model":
                assert thresholds[found["model"]] == f"none: flag {rule}"
                continue
            followed += 1
            threshold = found["threshold"]
            flagged = scores[found["model"]] >= float(thresholds[found["model"]])
            assert (flagged == (scores[found["model"]] >= threshold)).all()
            loss = 1000 * np.mean(np.where(y == 1, ratio * ~flagged, flagged))
            assert loss <= least * (1 + 1e-12)
            assert found["loss"] < least
        advice = saving_sentence(costs, ratio)
        is_to_follow = min(costs, key=lambda found: found["loss"])["flag"] == "by model"
        assert advice.endswith(f"flag {rule}.") != is_to_follow
    assert followed > 50


VOTES = (np.arange(N) % 3 + LABELS) / 3


@pytest.mark.parametrize("score", [VOTES, VOTES - 4 / 3, 20232130 + 3.0 * np.arange(N)])
def test_a_printed_threshold_flags_the_printed_rows(score):
    """Votes of three trees, votes against, and large numbers."""
    lines = str(compare(LABELS, {"a": score}, at="flagged<=0.5")).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("At flagged"))
    threshold, count = (line.split()[-1] for line in lines[start + 2 : start + 4])
    assert "e" not in threshold
    assert np.sum(score >= float(threshold)) == int(count)


@pytest.fixture(scope="module")
def two_models():
    return compare(Y, SCORES, cost_ratio=20, at="flagged<=0.3")


def test_at_a_limit_the_loss_stands_beside_that_of_nobody_and_everybody(two_models):
    found = row(two_models.decisions, model="A", quantity="expected_loss")
    flagged = SCORES["A"] >= found["threshold"]
    loss = 1000 * np.mean(np.where(Y == 1, 20 * ~flagged, flagged))
    assert found["estimate"] == pytest.approx(loss)
    assert found["low"] < loss < found["high"]
    (table,) = [text for text in str(two_models).split("\n\n") if text.startswith("At flagged")]
    heading, *lines = table.splitlines()
    assert heading.endswith("(loss of flagging nobody 2000.0, everybody 900.0)")
    assert any(line.split()[:5] == f"loss per 1,000 rows {loss:.1f}".split() for line in lines)


@pytest.mark.parametrize("groups", [None, np.arange(N) // 3])
@pytest.mark.parametrize("weight", [None, np.arange(N) % 3 + 1.0])
def test_every_fold_is_judged_at_a_threshold_of_the_others(weight, groups):
    rows = {"sample_weight": weight, "groups": groups}
    folds, ratio = deal_folds(check_sample(LABELS, MODELS, **rows), 0), 4.0
    w = np.ones(N) if weight is None else weight
    unit = np.arange(N) if groups is None else groups
    assert all(len(set(folds[unit == code])) == 1 for code in set(unit))
    assert sorted(set(folds)) == [0, 1, 2, 3, 4]
    acted, thresholds = {}, {}
    for model, score in MODELS.items():
        acted[model], thresholds[model] = np.zeros(N), []
        for fold in range(5):
            others, losses = folds != fold, {}
            for threshold in [np.inf, *score[others]]:
                wrong = np.where(LABELS == 1, ratio * (score < threshold), score >= threshold)
                losses[threshold] = (w * wrong)[others].sum()
            least = min(losses.values()) * (1 + 1e-9)
            best = max(threshold for threshold, loss in losses.items() if loss <= least)
            acted[model][folds == fold] = score[folds == fold] >= best
            thresholds[model].append(best)
    result = compare(LABELS, MODELS, cost_ratio=ratio, **rows)
    options = rows | {"measure": "expected_loss", "at": 0.5, "cost_ratio": ratio}
    # In false alarms per 1,000 rows.
    positive, share = LABELS == 1, np.average(LABELS, weights=w)
    nobody, everybody = 4000 * share, 1000 * (1 - share)
    expected, found = interval(LABELS, acted["a"], **options), row(result.costs, model="a")
    loss = 5000 * np.array([expected.estimate, expected.low, expected.high])
    recall = np.average(acted["a"][positive], weights=w[positive])
    trivial = np.full(N, nobody > everybody)
    three = {"confidence_level": 1 - 0.05 / 3}  # models
    saved = paired_test(LABELS, trivial, acted["a"], **options, **three)
    for columns, values in (
        (["loss", "low", "high"], loss),
        (["saving"], [min(nobody, everybody) - loss[0]]),
        (
            ["saving", "saving_low", "saving_high"],
            [5000 * saved.difference, 5000 * saved.low, 5000 * saved.high],
        ),
        (["flag_nobody", "flag_everybody", "recall"], [nobody, everybody, recall]),
        (["least_threshold"], [min(thresholds["a"])]),
        (["largest_threshold"], [max(thresholds["a"])]),
    ):
        assert found[columns].tolist() == pytest.approx(list(values))
    test = paired_test(LABELS, acted["a"], acted["c"], **options)
    found = row(result.tests, measure="expected_loss", first="a", second="c")
    assert found["p_value"] == pytest.approx(test.p_value)
    assert found["difference"] == pytest.approx(5000 * test.difference)


def test_few_positives_are_dealt_to_as_many_folds():
    sample = check_sample(np.arange(30) % 10 == 0, np.arange(30.0))
    for seed in range(5):
        folds = deal_folds(sample, seed)
        assert np.bincount(folds).tolist() == [10, 10, 10]
        assert sorted(folds[sample.positive]) == [0, 1, 2]


def test_where_the_other_folds_lack_a_class_all_rows_choose():
    """Groups are dealt by their positives; both with a negative fall into the second fold."""
    groups = np.repeat(np.arange(6), [12, 11, 10, 10, 8, 8])
    y = np.ones(59, dtype=int)
    y[[33, 51]] = 0
    score = np.where(groups % 2 == 0, 1.0, 2.0 + y)
    result = compare(y, {"a": score, "b": 2 * score}, groups=groups, cost_ratio=1)
    costs = result.costs.iloc[0]
    # The second fold separates its classes at 3; of all rows flagging everybody is cheaper.
    assert (costs["least_threshold"], costs["largest_threshold"]) == (1, 3)
    assert costs["apparent"]
    assert not any(text.startswith("Loss at this cost") for text in result.sentences)


@pytest.mark.parametrize(
    ("labels", "groups", "ratio", "loss", "advice"),
    [
        # By hand: flagging the last three misses one of 4 positives, which costs 2 of 8 rows, as
        # do two false alarms; everybody costs 4.
        (EIGHT, [0] * 8, 2, 250, "flagging by a saves the cost of 250.0 false alarms per 1,000 "
            "rows over flagging everybody (apparent: the same rows set the threshold)."),
        # A single positive above all rows but one: a false alarm instead of a miss saves nothing.
        ([0] * 6 + [1, 0], None, 1, 125, "no model saves anything over flagging nobody: flag "
            "nobody."),
    ],
)  # fmt: skip
def test_a_loss_on_the_rows_that_set_the_threshold_is_called_apparent(
    labels, groups, ratio, loss, advice
):
    result = compare(labels, {"a": RISING}, groups=groups, cost_ratio=ratio)
    assert result.costs["loss"].item() == pytest.approx(loss)
    assert result.costs["apparent"].item()
    assert "\n(apparent: the same rows set the threshold; flagging nobody" in str(result)
    terms = " ".join(result.explain().split())
    assert "Costs are apparent, that is too low, because the same rows set the threshold" in terms
    assert "rows that did not choose" not in terms
    (sentence,) = result.sentences
    assert sentence.endswith(advice)


def test_savings_at_a_cost():
    constant = compare(LABELS, {"a": MODELS["a"], "constant": np.zeros(N)}, cost_ratio=1)
    assert "none: flag nobody" in str(constant)
    assert "constant: All rows have one score." in constant.notes
    assert "kappa at cost ratio 2 " in str(compare(LABELS, MODELS, cost_ratio=2, at=0.5))
    alone = compare(LABELS, {"b": MODELS["b"]}, cost_ratio=3, at=0.5, prevalence=0.2)
    heading = "At 0.5, where a miss costs 3 false alarms (loss of flagging nobody 600.0, everybody "
    assert heading + "800.0)" in str(alone)
    assert any(note.startswith("Flagged rows and the positives") for note in alone.notes)
    perfect = compare(LABELS, {"a": LABELS + 0.1 * NOISE[0].clip(-1, 1)}, cost_ratio=7)
    assert perfect.tests.empty
    assert perfect.sentences == [
        "Where a miss costs 7 false alarms, flagging by a saves the cost of 750.0 false alarms per "
        "1,000 rows over flagging everybody. Clear savings: a."
    ]


def test_probabilities_are_judged_model_by_model():
    a, b = 1 / (1 + np.exp(-NOISE[:2] - LABELS))
    first = np.arange(N) == 0
    rounded = np.where(first, np.float32(1) + np.finfo(np.float32).eps, a)
    clean = compare(LABELS, {"a": rounded, "b": b})
    assert len(clean.measures) == 12
    assert not any("Brier" in text for text in clean.notes)
    outside = compare(LABELS, {"a": np.where(first, 1.01, a), "b": b})
    for measure in ("brier_score", "log_loss"):
        kept = row(outside.measures, measure=measure)
        assert kept.equals(row(clean.measures, measure=measure, model="b"))
        assert (kept["model"], kept["perfect"]) == ("b", 0)
    note = "No Brier score and log loss of a: the scores are not probabilities (a goes from"
    assert any(text.startswith(note) and "to 1.01)." in text for text in outside.notes)
    stated = compare(LABELS, {"a": a, "b": b}, prevalence=0.01)
    assert "brier_score" not in set(stated.measures["measure"])
    assert any("adjust_prevalence" in text for text in stated.notes)
    (leader,) = [text for text in clean.sentences if text.startswith("Log loss: ")]
    losses = clean.measures[clean.measures["measure"] == "log_loss"].set_index("model")["estimate"]
    assert leader.startswith(f"Log loss: {losses.idxmin()} is ")


@pytest.mark.parametrize("cost_ratio", [None, 5])
def test_what_models_bring_at_a_number(cost_ratio):
    """From 1/16 on a miss is worth 15 false alarms, unless a cost is stated; rows are counted."""
    a, b = 1 / (1 + np.exp(2 - NOISE[:2] - LABELS))
    ratio = 15 if cost_ratio is None else cost_ratio
    models, weight = {"a": a, "b": b, "score": NOISE[2]}, np.full(N, 0.5)
    options = {"at": [1 / 16, 1 / 16], "cost_ratio": cost_ratio, "sample_weight": weight}
    result = compare(LABELS, models, **options)
    found = result.decisions.set_index(["model", "quantity"])["estimate"]
    assert found.index.is_unique
    for model, score in (("a", a), ("b", b)):
        flagged = score >= 1 / 16
        counts = row(result.decisions, model=model, quantity="recall").filter(like="flagged_")
        assert counts.tolist() == [flagged.sum(), LABELS[flagged].sum()]
        assert found[model, "precision"] == pytest.approx(LABELS[flagged].mean())
        assert found[model, "f1"] == pytest.approx(f1_score(LABELS, flagged))
        assert found[model, "mcc"] == pytest.approx(matthews_corrcoef(LABELS, flagged))
        loss = 1000 * np.mean(np.where(LABELS == 1, ratio * ~flagged, flagged))
        assert found[model, "expected_loss"] == pytest.approx(loss)
        benefit = (flagged[LABELS == 1].sum() - flagged[LABELS == 0].sum() / ratio) / N
        assert found[model, "net_benefit"] == pytest.approx(benefit)
    has_loss = cost_ratio is not None
    assert (("score", "expected_loss") in found.index) == has_loss
    assert any("no loss of score" in note for note in result.notes) != has_loss
    tested = set(result.tests["measure"])
    assert "expected_loss at 0.0625" in tested
    assert not tested & {"recall at 0.0625", "precision at 0.0625"}
    options = {"measure": "expected_loss", "at": 1 / 16, "cost_ratio": ratio}
    test = paired_test(LABELS, a, b, **options)
    pair = row(result.tests, measure="expected_loss at 0.0625", first="a", second="b")
    assert pair["difference"] == pytest.approx(1000 * (1 + ratio) * test.difference)
    assert pair["p_value"] == pytest.approx(test.p_value)
    assert any(text.startswith("Loss at 0.0625: ") for text in result.sentences)
    trivial = f"(loss of flagging nobody {250 * ratio:.1f}, everybody 750.0)"
    assert f"At 0.0625, where a miss costs {ratio} false alarms {trivial}" in str(result)


@pytest.mark.parametrize("threshold", [0, 1])
def test_a_loss_that_no_threshold_implies_is_said_to_be_missing(threshold):
    """At 0 all rows are flagged, at 1 none: no finite cost of a miss belongs to either."""
    models = {"a": 1 / (1 + np.exp(-NOISE[0])), "score": MODELS["b"] - 9}
    notes = " ".join(compare(LABELS, models, at=[threshold, 0.5], n_resamples=2).notes)
    reason = "only a threshold between 0 and 1 implies a cost, so state what a miss costs"
    assert f"At {threshold} there is no loss of a and score: {reason}" in notes
    assert "At 0.5 there is no loss of score: the scores are not" in notes
    assert f"At {threshold} {'no row is' if threshold else 'all rows are'} flagged." in notes
    priced = compare(LABELS, models, at=threshold, cost_ratio=2, n_resamples=2)
    assert not any("no loss" in note for note in priced.notes)


def test_a_model_that_no_threshold_brings_to_a_constraint_is_named():
    flipped = {"a": MODELS["a"], "bad": -MODELS["a"]}
    result = compare(LABELS, flipped, at="precision>=0.8")
    alone = compare(LABELS, {"a": MODELS["a"]}, at="precision>=0.8")
    assert result.decisions.equals(alone.decisions)
    best = max(
        operating_point(LABELS, flipped["bad"], at=t).precision for t in flipped["bad"][LABELS == 1]
    )
    assert any("'bad'" in note and f"{best:.4g}" in note for note in result.notes)
    assert compare(LABELS, {"a": -MODELS["a"]}, at="precision>=0.8").decisions.empty


def test_ties_at_a_limit_are_named_with_what_drawing_among_them_brings():
    """By hand: 2 rows above, then 10 rows tie, 4 of them positive; 8 negatives below."""
    y = np.repeat([1, 1, 1, 0, 0], [1, 1, 4, 6, 8])
    score = np.repeat([3.0, 2.0, 1.0, 0.0], [1, 1, 10, 8])
    found = compare(y, {"a": score, "untied": np.arange(20.0)}, at="flagged<=0.35").notes
    # 7 of 20 rows fit: 5 of the 10 that tie, with 2 of their 4 positives on average.
    (note,) = [text for text in found if "tie at the next score" in text]
    assert note.startswith("flagged<=0.35: a uses 10 of 35 %, because 10 rows tie at the next")
    assert "raise recall from 0.3333 to 0.6667 on average" in note
    rng = np.random.default_rng(0)
    drawn = [y[2:12][rng.permutation(10)[:5]].sum() + 2 for _ in range(4000)]
    assert np.mean(drawn) / 6 == pytest.approx(2 / 3, abs=0.01)
    for at in ("flagged<=0.1", "flagged<=0.14", "recall>=0.5", 2.5):  # spent, or nothing to spend
        assert not any("tie at" in text for text in compare(y, {"a": score}, at=at).notes)


def test_percentages_are_recognised():
    notes = compare(Y, {"p": 100 / (1 + np.exp(-SCORES["A"]))}).notes
    assert any(note.startswith("If the scores of p are percentages, divide") for note in notes)
    half = np.arange(len(Y)) % 2 / 2
    others = {"rank": np.arange(len(Y)) % 90, "signed": SCORES["A"], "over": 99.7 + half}
    assert not any("percentages" in note for note in compare(Y, others, n_resamples=2).notes)
    assert any("percentages" in note for note in compare(Y, {"p": 99.5 + half}).notes)


def test_few_rows():
    single = compare([0, 0, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 4, 3, 2]}, cost_ratio=2, at=2)
    assert single.tests.empty
    assert single.measures["low"].isna().all()
    assert "No intervals and tests: a class has only one row." in single.notes
    assert "Measures at 25 % positives\n" in str(single)
    assert len(single.sentences) == 2  # of the cost, and of the threshold that costs 500, too
    found = single.decisions[single.decisions["model"] == "a"].set_index("quantity")["estimate"]
    assert found[["flagged", "recall", "precision"]].tolist() == pytest.approx([0.75, 1, 1 / 3])
    three = compare([0, 0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 4, 5, 3, 6], "b": [1, 4, 3, 2, 5, 3, 2]})
    assert three.tests["p_adjusted"].isna().all()
    assert not any(text.startswith("AUC") for text in three.sentences)
    assert "not tested" in str(three)


def test_the_dictionary_has_stable_names_and_no_nan(two_models):
    found = two_models.to_dict()
    names = "measures tests calibration costs decisions ties sentences notes n_rows n_positive "
    assert list(found) == [*names.split(), "prevalence", "cost_ratio", "confidence_level"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    names = "measure model estimate standard_error low high method df note perfect reference"
    assert [*found["measures"][0]] == names.split()
    for name, value in (("auk", measures(Y, Y, cost_ratio=20)["auk"]), ("auc", 1)):
        assert row(two_models.measures, measure=name, model="A")["perfect"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "value"), [("cost_ratio", 0), ("prevalence", 1), ("confidence_level", 95)]
)
def test_options_out_of_range_are_named(name, value):
    with pytest.raises(ValueError, match=name):
        compare(LABELS, MODELS, **{name: value})


def test_names_of_groups_change_no_number(rng):
    y, score, groups = np.arange(60) % 3 == 0, rng.normal(size=60), rng.permutation(60) // 3
    models, options = {"a": score, "b": score.round()}, {"at": "recall>=0.8", "n_resamples": 50}
    found = compare(y, models, groups=groups, **options)
    assert compare(y, models, groups=99 - groups, **options).to_dict() == found.to_dict()


def test_calibration_and_references_of_probabilities():
    logit = 1.6 * NOISE[0] - 1.5 + 2 * LABELS
    models = {"twice": 1 / (1 + np.exp(-logit - 2)), "extreme": 1 / (1 + np.exp(-4 * logit))}
    models["plain"] = 10 * NOISE[1]
    result = compare(LABELS, models)
    assert set(result.calibration["model"]) == {"twice", "extreme"}
    found = row(result.calibration, model="twice", quantity="observed_over_expected")
    expected = calibration(LABELS, models["twice"]).observed_over_expected
    assert (found["estimate"], found["low"]) == (expected.estimate, expected.low)
    times = f"{models['twice'].sum() / 30:.2g}"
    assert any(
        sentence.startswith(f"Calibration of twice: it predicts {times} times as many positives")
        for sentence in result.sentences
    )
    assert any("extreme: its probabilities are too extreme" in text for text in result.sentences)
    swapped = compare(LABELS, {"swapped": 1 - models["twice"]}, n_resamples=2).sentences
    assert any("probabilities fall where positives are more frequent" in text for text in swapped)
    losses = result.measures.set_index(["measure", "model"])
    assert losses.loc[("brier_score", "twice"), "reference"] == pytest.approx(3 / 16)
    entropy = -0.25 * np.log(0.25) - 0.75 * np.log(0.75)
    assert losses.loc[("log_loss", "twice"), "reference"] == pytest.approx(entropy)
    assert "Brier score (0.1875 without a model)" in str(result)
    # What holds for all models is said once, and what every miscalibration has is not said.
    notes = compare(LABELS, models, groups=np.arange(N) // 8, n_resamples=2).notes
    (note,) = [text for text in notes if "of equal size" in text]
    assert note.startswith("The groups of a class count as 15 of equal size")
    assert not any("above 0 in every sample" in text for text in notes)


def calibration_of(**models):
    """A table of calibration: (low, high) of observed over expected and of the slope by model."""
    rows = [
        {"model": model, "quantity": quantity, "estimate": (low + high) / 2}
        | {"low": low, "high": high}
        for model, ends in models.items()
        for quantity, (low, high) in zip(CALIBRATED, ((-1, 1), *ends), strict=True)
    ]
    return pd.DataFrame(rows)


def test_the_calibration_of_many_models_is_in_one_sentence_a_fault():
    """A predicts 1 / 0.5 times the positives, B 1 / 1.25 times with a slope of 0.5."""
    right = ((0.9, 1.1), (0.8, 1.2))
    many = calibration_of(
        A=((0.4, 0.6), right[1]), B=((1.1, 1.4), (0.3, 0.7)), C=right, D=((1, 1.2), (0.9, 1))
    )
    assert calibration_sentences(many) == [
        "Predicted over actual positives: A 2, B 0.8.",
        "Slopes that are not 1: B 0.5.",
        "Calibration of C and D: no clear fault.",
    ]
    faultless = calibration_of(**dict.fromkeys("ABCD", right))
    assert calibration_sentences(faultless) == ["Calibration of A, B, C and D: no clear fault."]
    each = [f"Calibration of {model}: no clear fault." for model in "AB"]
    assert calibration_sentences(calibration_of(A=right, B=right)) == each


def test_calibration_that_could_not_be_fitted_is_not_judged():
    """Positives have 0.12 and negatives 0.1, so any slope is too small; 20.4 are expected of 20."""
    labels = np.repeat([1, 0], [20, 180])
    flat = np.where(labels == 1, 0.12, 0.1)
    right = 0.08 + 0.04 * (np.arange(200) * 37 % 200) / 200  # 20 expected, without a ranking
    models = {"flat": flat, "far": 4 * flat, "right": right, "equal": np.full(200, 0.1)}
    result = compare(labels, {name: models[name] for name in ("flat", "far")}, n_resamples=2)
    not_judged = "the slope could not be fitted and is not judged."
    assert [text for text in result.sentences if text.startswith("Calibration")] == [
        f"Calibration of flat: {not_judged}",
        f"Calibration of far: it predicts 4.1 times as many positives as there are; {not_judged}",
    ]
    assert any(note.endswith("no finite slope fits.") for note in result.notes)
    many = compare(labels, models, n_resamples=2).sentences
    assert f"Calibration of flat, far and equal: {not_judged}" in many
    assert "Calibration of right: no clear fault." in many
    assert "Predicted over actual positives: far 4.1." in many


def test_a_model_worse_than_the_share_of_positives_is_named():
    models = {"noise": 1 / (1 + np.exp(-3 * NOISE[0])), "low": -MODELS["a"]}
    result = compare(LABELS, models)
    worse = "By Brier score and log loss, noise is clearly worse than predicting the share of pos"
    assert any(sentence.startswith(worse) for sentence in result.sentences)
    assert any(note.startswith("low: the AUC is clearly below 0.5") for note in result.notes)


def test_a_loss_whose_interval_holds_that_of_the_share_is_not_called_worse():
    cells = [
        *("brier_score", "a", 0.20, 0.1876, 0.1875),
        *("log_loss", "a", 0.60, 0.56, 0.5623),
        *("brier_score", "c", 0.19, np.nan, 0.1875),
        *("brier_score", "b", 0.19, 0.18, 0.1875),
        *("brier_score", "d", 0.18, 0.17, 0.1875),
    ]
    names = ["measure", "model", "estimate", "low", "reference"]
    table = pd.DataFrame(np.reshape(np.array(cells, dtype=object), (5, 5)), columns=names)
    end = "than predicting the share of positives for every row."
    assert constant_sentences(table) == [
        f"By Brier score, a is clearly worse {end}",
        f"By log loss, a is no better {end}",
        f"By Brier score, c and b are no better {end}",  # in the order given
    ]


def test_of_many_useless_models_none_is_called_reversed():
    """Of 20, by chance, one has an AUC whose own interval lies below 0.5 in 40 % of samples."""
    noise = np.random.default_rng(4).normal(size=(20, 300))
    models = {f"m{i}": score for i, score in enumerate(noise)}
    found = compare(np.repeat([0, 1], [270, 30]), models, n_resamples=2)
    assert found.measures.query("measure == 'auc'")["high"].min() < 0.5
    assert not any("clearly below 0.5" in note for note in found.notes)


def test_an_auc_whose_interval_ends_at_chance_is_not_called_reversed():
    areas = {model: Estimate(0.3, 0.1, 0.1, high) for model, high in (("a", 0.5), ("b", 0.4999))}
    (sentence,) = reversed_sentences(areas)
    assert sentence.startswith("b: the AUC is clearly below 0.5")


def test_three_positives_have_no_interval_of_a_resampled_difference():
    """It left out 0 in 22 of 100 samples of equal models; nor are notes of a p value given."""
    labels = np.repeat([0, 1], [297, 3])
    noise = np.random.default_rng(1).normal(size=(2, 300))
    found = compare(labels, {"a": noise[0] + labels, "b": noise[1] + 3 * labels}, n_resamples=100)
    tests = found.tests.set_index("measure")
    assert tests.loc[["average_precision", "h"], ["low", "high"]].isna().all(axis=None)
    assert tests.loc[["auc", "auk"], ["low", "high"]].notna().all(axis=None)
    assert "No p value: 3 rows of a class, 5 needed." in found.notes
    assert not any("exchanging" in note or "large differences" in note for note in found.notes)


def test_many_pairs_need_many_resamples():
    """The smallest p is 1 / (1 + resamples), times 15 pairs: 0.05 takes 299 resamples."""
    models = {f"m{i}": LABELS + (i + 1) * NOISE[0] for i in range(6)}
    start = "By 298 resamples no adjusted p of 15 pairs is below 0.05: no model can be clearly"
    (note,) = [
        text for text in compare(LABELS, models, n_resamples=298).notes if "pairs is" in text
    ]
    assert note.startswith(start)
    assert "--resamples 600" in note
    assert not any("pairs is" in text for text in compare(LABELS, models, n_resamples=300).notes)


def test_decisions_have_no_losses_of_probabilities():
    flags = compare(LABELS, {"a": (MODELS["a"] > 0) * 1.0}, n_resamples=2)
    assert set(flags.measures["measure"]) == {"auc", "auk", "average_precision", "h"}


def test_a_threshold_is_called_what_the_user_wrote():
    found = compare(LABELS, MODELS, at=[1, "1e-3", 0.5], cost_ratio=2, n_resamples=2)
    assert found.decisions["at"].unique().tolist() == ["1", "1e-3", "0.5"]
    assert found.decisions.query("at == '1e-3'")["threshold"].eq(0.001).all()
    assert "\nAt 1, where a miss costs 2 false alarms" in str(found)
