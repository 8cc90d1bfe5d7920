"""Models side by side: stored values of 52de2391, values by hand, and what the sentences say."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kappacurve import auk_score, compare, interval, measures, operating_point, paired_test

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


@pytest.fixture(scope="module")
def two_models():
    return compare(Y, SCORES, cost_ratio=20, at="flagged<=0.05")


# Of `kappacurve measure docs/two_models.csv --cost-ratio 20 --at "flagged<=0.05"` at 52de2391.
STORED = {
    "A": {
        "loss": (0.023682539682539687, 0.021884467764010537, 0.02652229695082149),
        "rates": (0.5203333333333333, 0.9633333333333334, 0.18513773222293403),
        "recall": (0.15, 0.10855068019625336, 0.18949153553734766),
        "precision": (0.3020134228187919, 0.2147293064876958, 0.38313822899201494),
    },
    "B": {
        "loss": (0.03688888888888889, 0.031878795921676494, 0.04253036564397573),
        "rates": (0.3426666666666666, 224 / 300, 0.21789883268482496),
        "recall": (0.41333333333333333, 0.36936332305459824, 0.4532875258737533),
        "precision": (0.8266666666666667, 0.7242140842846112, 0.8993288590604027),
    },
}


@pytest.mark.parametrize("model", "AB")
def test_costs_and_decisions_are_those_of_the_first_version(two_models, model):
    stored = STORED[model]
    costs = row(two_models.costs, model=model)
    loss = 21000 * np.array(stored["loss"])  # in false alarms per 1,000 rows, not in cost shares
    assert costs[["loss", "low", "high"]].tolist() == pytest.approx(loss.tolist(), rel=1e-12)
    assert costs["flag_nobody"] == pytest.approx(2000)
    assert costs["flag_everybody"] == pytest.approx(900)
    saving = costs[["saving", "saving_high", "saving_low"]].tolist()
    assert saving == pytest.approx((900 - loss).tolist(), rel=1e-12)
    rates = costs[["flagged", "recall", "precision"]].tolist()
    assert rates == pytest.approx(stored["rates"], rel=1e-12)
    for quantity in ("recall", "precision"):
        found = row(two_models.decisions, model=model, quantity=quantity)
        values = found[["estimate", "low", "high"]].tolist()
        assert values == pytest.approx(stored[quantity], rel=1e-12)


def test_tests_are_those_of_the_first_version(two_models):
    loss = row(two_models.tests, measure="expected_loss")
    assert loss["p_value"] == pytest.approx(1.6366125370867571e-06, rel=1e-9)
    assert loss["difference"] == pytest.approx(-0.0132063492063492 * 21000)
    recall = row(two_models.tests, measure="recall at flagged<=0.05")
    assert recall["p_value"] == pytest.approx(0.0004997501249375312)


def test_the_sentences_and_the_text(two_models):
    assert compare(Y, SCORES).sentences == [
        "AUC: A is better than B (p = 0.041).",
        "AUK: B is better than A (p = 0.0075).",
        "Not tested: B has the better average precision and H.",
        "By AUK in these rows, B is better than A while a miss costs less than 3.4 false alarms; "
        "beyond that, A.",
    ]
    assert (
        "Where a miss costs 20 false alarms, flagging by A saves the cost of 402.7 false alarms "
        "per 1,000 rows over flagging everybody." in two_models.sentences
    )
    text = str(two_models)
    for printed in (
        "0.8339 (0.8149 to 0.8509)",
        "AUK at cost ratio 20 (at most 0.6214)",
        "+0.0621 (+0.0247 to +0.0994)",
        "497.3 (459.6 to 557.0)",
    ):
        assert printed in text
    assert max(map(len, text.splitlines())) <= 100
    assert "<td>0.8339 (0.8149 to 0.8509)</td>" in two_models._repr_html_()


def test_many_models_wrap():
    many = {f"model with a name {k}": NOISE[k] for k in range(3)}
    many |= {f"another model {k}": NOISE[k] for k in range(3)}
    lines = str(compare(LABELS, many, at="recall>=0.5")).splitlines()
    assert (
        max(map(len, lines[: next(i for i, line in enumerate(lines) if "Differences" in line)]))
        <= 100
    )
    assert not any(line.endswith((" ", "\\")) for line in lines)
    for name in many:
        assert sum(line.endswith(name) or f"{name} " in line for line in lines) > 2


def test_numbers_are_those_of_the_functions_for_one_measure():
    weight, groups = RANDOM.uniform(0.5, 2, N), np.arange(N) // 2
    options = {"sample_weight": weight, "groups": groups, "prevalence": 0.1, "cost_ratio": 3}
    result = compare(LABELS, MODELS, confidence_level=0.9, n_resamples=50, **options)
    options["confidence_level"] = 0.9
    for measure in ("auc", "auk", "h", "average_precision"):
        for model, score in MODELS.items():
            found = row(result.measures, measure=measure, model=model)
            expected = interval(LABELS, score, measure=measure, n_resamples=50, **options)
            assert found["estimate"] == pytest.approx(expected.estimate, abs=1e-13)
            assert found[["low", "high"]].tolist() == [expected.low, expected.high]
        tests = paired_test(LABELS, MODELS, measure=measure, n_resamples=50, **options)
        for (first, second), expected in tests.items():
            found = row(result.tests, measure=measure, first=first, second=second)
            assert found["p_value"] == expected.p_value
            assert found["difference"] == expected.difference


def test_p_values_of_several_models_are_adjusted_by_holm():
    tests = compare(LABELS, MODELS).tests
    for _, family in tests.groupby("measure"):
        ordered = family.sort_values("p_value")
        p, adjusted = ordered["p_value"].to_numpy(), ordered["p_adjusted"].to_numpy()
        by_hand = [min(1, max(3 * p[0], 0)), min(1, max(3 * p[0], 2 * p[1]))]
        by_hand.append(min(1, max(by_hand[1], p[2])))
        assert adjusted == pytest.approx(by_hand)
    assert compare(LABELS, MODELS).sentences[0] == (
        "AUC: a is not clearly better than b (adjusted p = 0.49), better than c (adjusted p = "
        "0.0046)."
    )


def test_the_tie_is_where_both_have_the_same_auk():
    result = compare(Y, SCORES)
    (tie,) = result.ties
    assert {tie["first"], tie["second"]} == {"A", "B"}
    areas = [auk_score(Y, score, cost_ratio=tie["cost_ratio"]) for score in SCORES.values()]
    assert areas[0] == pytest.approx(areas[1], abs=1e-9)
    for ratio, leader in ((0.99, "B"), (1.01, "A")):
        at = {m: auk_score(Y, s, cost_ratio=ratio * tie["cost_ratio"]) for m, s in SCORES.items()}
        assert max(at, key=at.get) == leader


def test_a_tie_at_a_cost_of_the_grid():
    """Equal AUCs at equal shares: the AUKs are equal where a miss costs one false alarm."""
    labels = np.repeat([1, 0], 6)
    steep = np.r_[12, 11, 10, 3, 2, 1, 9:3:-1]
    result = compare(labels, {"steep": steep, "late": -steep[::-1]})
    assert [tie["cost_ratio"] for tie in result.ties] == [pytest.approx(1)]
    assert "while a miss costs less than 1 false alarm; beyond that" in result.sentences[-1]


def test_ties_of_curves_that_never_cross_or_are_equal():
    score = np.arange(8.0)
    labels = [0, 0, 1, 0, 0, 1, 1, 1]
    worse = compare(labels, {"a": score, "b": [0, 1, 2, 6, 3, 4, 5, 7]})
    assert worse.ties == []
    assert worse.sentences[-1] == "By AUK in these rows, a is better than b whatever a miss costs."
    same = compare(labels, {"a": score, "b": 2 * score})
    assert same.sentences[0] == "AUC: a and b have the same value."
    assert same.sentences[-1] == "a and b have the same AUK whatever a miss costs."


@pytest.mark.parametrize("groups", [None, np.arange(N) // 3])
@pytest.mark.parametrize("weight", [None, np.arange(N) % 3 + 1.0])
def test_every_fold_is_judged_at_a_threshold_of_the_others(weight, groups):
    from kappacurve.comparison import _folds
    from kappacurve.validation import check_sample

    sample = check_sample(LABELS, MODELS, sample_weight=weight, groups=groups)
    folds, ratio, score = _folds(sample, 0), 4.0, MODELS["a"]
    unit = np.arange(N) if groups is None else groups
    assert all(len(set(folds[unit == code])) == 1 for code in set(unit))
    assert sorted(set(folds)) == [0, 1, 2, 3, 4]
    w = np.ones(N) if weight is None else weight
    flagged = np.zeros(N, bool)
    for fold in range(5):
        others = folds != fold
        losses = {}
        for threshold in [np.inf, *score[others]]:
            wrong = np.where(LABELS == 1, ratio * (score < threshold), score >= threshold)
            losses[threshold] = (w * wrong)[others].sum()
        least = min(losses.values())
        best = max(t for t, loss in losses.items() if loss <= least * (1 + 1e-9))
        flagged[folds == fold] = score[folds == fold] >= best
    loss = 1000 * (w * np.where(LABELS == 1, ratio * ~flagged, flagged)).sum() / w.sum()
    result = compare(LABELS, MODELS, sample_weight=weight, groups=groups, cost_ratio=ratio)
    assert row(result.costs, model="a")["loss"] == pytest.approx(loss)


def test_a_model_without_skill_saves_nothing():
    result = compare(LABELS, {"a": NOISE[0], "b": NOISE[1]}, cost_ratio=1)
    assert "no model saves anything over flagging nobody" in " ".join(result.sentences)
    perfect = compare(LABELS, {"a": LABELS + 0.1 * NOISE[0].clip(-1, 1)}, cost_ratio=7)
    assert row(perfect.costs, model="a")["saving"] == pytest.approx(750)  # flagging everybody
    assert perfect.sentences == [
        "Where a miss costs 7 false alarms, flagging by a saves the cost of 750.0 false alarms per "
        "1,000 rows over flagging everybody."
    ]


def test_probabilities_are_judged_model_by_model():
    a, b = 1 / (1 + np.exp(-NOISE[:2] - LABELS))
    clean = compare(LABELS, {"a": a, "b": b})
    rounded = np.where(np.arange(N) == 0, np.float32(1) + np.finfo(np.float32).eps, a)
    almost = compare(LABELS, {"a": rounded, "b": b})
    assert len(almost.measures) == len(clean.measures) == 12
    outside = compare(LABELS, {"a": np.where(np.arange(N) == 0, 1.01, a), "b": b})
    assert list(outside.measures[outside.measures["measure"] == "log_loss"]["model"]) == ["b"]
    for result in (almost, outside):
        for measure in ("brier_score", "log_loss"):
            kept, whole = (row(r.measures, measure=measure, model="b") for r in (result, clean))
            assert kept.equals(whole)
    note = "No Brier score and log loss of a: the scores are not probabilities (a goes from"
    assert any(text.startswith(note) and "to 1.01)." in text for text in outside.notes)
    assert not any("Brier" in text for text in almost.notes)
    stated = compare(LABELS, {"a": a, "b": b}, prevalence=0.01)
    assert "brier_score" not in set(stated.measures["measure"])
    assert any("adjust_prevalence" in text for text in stated.notes)


def test_a_model_that_no_threshold_brings_to_a_constraint_is_named():
    flipped = {"a": MODELS["a"], "bad": -MODELS["a"]}
    result = compare(LABELS, flipped, at="precision>=0.8")
    assert list(result.decisions["model"].unique()) == ["a"]
    best = max(
        operating_point(LABELS, flipped["bad"], at=t).precision for t in flipped["bad"][LABELS == 1]
    )
    assert any("'bad'" in note and f"{best:.4g}" in note for note in result.notes)
    alone = compare(LABELS, {"a": MODELS["a"]}, at="precision>=0.8")
    assert result.decisions.equals(alone.decisions)
    none = compare(LABELS, {"a": -MODELS["a"], "b": -MODELS["a"]}, at="precision>=0.8")
    assert none.decisions.empty
    assert len(none.measures)


def test_a_threshold_gives_its_counts_in_rows_also_with_weights():
    weight = np.full(N, 0.5)
    result = compare(LABELS, MODELS, at=[0.5, "recall>=0.9", 0.5], sample_weight=weight)
    for model, score in MODELS.items():
        found = row(result.decisions, at="0.5", model=model, quantity="precision")
        flagged = score >= 0.5
        assert found["flagged_rows"] == flagged.sum()
        assert found["flagged_positive_rows"] == LABELS[flagged].sum()
        assert found["estimate"] == pytest.approx(LABELS[flagged].mean())
    assert "precision at recall>=0.9" in set(result.tests["measure"])


def test_few_rows():
    one = compare([0, 0, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 4, 3, 2]}, cost_ratio=2, at="fpr<=0.5")
    assert one.tests.empty
    at_two = compare([0, 0, 0, 1], {"a": [1, 2, 3, 4]}, at=2).decisions.set_index("quantity")
    assert at_two["estimate"].to_dict() == {
        "flagged": 0.75,
        "recall": 1.0,
        "precision": pytest.approx(1 / 3),
        "kappa": pytest.approx(0.2),
    }
    assert one.measures["low"].isna().all()
    assert "No intervals and tests: a class has only one row." in one.notes
    assert one.sentences[0].startswith("Not tested: a has the better AUC, AUK at cost ratio 2,")
    three = compare([0, 0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 4, 5, 3, 6], "b": [1, 4, 3, 2, 5, 3, 2]})
    assert three.tests["p_adjusted"].isna().all()
    assert three.sentences[0] == "AUC: a is not tested against b."
    assert "not tested" in str(three)


def test_the_dictionary_has_stable_names_and_no_nan(two_models):
    found = two_models.to_dict()
    assert list(found) == [
        *("measures", "tests", "costs", "decisions", "ties", "sentences", "notes", "n_rows"),
        *("n_positive", "prevalence", "cost_ratio", "confidence_level"),
    ]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found["measures"][0]) == {
        *("measure", "model", "estimate", "standard_error", "low", "high", "method", "df", "note"),
        "perfect",
    }
    auk = next(each for each in found["measures"] if each["measure"] == "auk")
    perfect = measures(Y, Y, cost_ratio=20)["auk"]
    assert auk["perfect"] == pytest.approx(perfect)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_ratio": 0}, "cost_ratio"),
        ({"prevalence": 1}, "prevalence"),
        ({"confidence_level": 95}, "confidence_level"),
        ({"at": "flagged>=0.1"}, "flagged is bounded by <="),
        ({"at": "alerts<=0.1"}, "at must be a threshold or a constraint"),
    ],
)
def test_options_out_of_range_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        compare(LABELS, MODELS, **options)


def test_every_model_has_a_row_for_every_measure():
    result = compare(LABELS, MODELS, prevalence=0.3)
    assert len(result.measures) == 3 * 4
    assert [tuple(pair) for pair in result.tests[["first", "second"]].to_numpy()] == 2 * [
        *combinations("abc", 2)
    ]
    single = compare(LABELS, {"a": MODELS["a"]})
    assert single.sentences == single.ties == []
    assert single.tests.empty


def test_names_of_groups_change_no_number(rng):
    y, score = np.arange(60) % 3 == 0, rng.normal(size=60)
    groups = rng.permutation(60) // 3
    options = {"at": ["recall>=0.8"], "n_resamples": 50}
    found = [
        compare(y, {"a": score, "b": score.round()}, groups=names, **options).to_dict()
        for names in (groups, 99 - groups, pd.factorize(groups)[0])
    ]
    assert found[0] == found[1] == found[2]
