"""Models side by side: stored values of 52de2391, values by hand, and what the sentences say."""

import json
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


# Of `kappacurve measure docs/two_models.csv --cost-ratio 20 --at "flagged<=0.05"` at 52de2391; its
# losses are in cost shares, which are 1 / 21,000 of false alarms per 1,000 rows.
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
    stored, costs = STORED[model], row(two_models.costs, model=model)
    loss = 21000 * np.array(stored["loss"])
    assert costs[["flag_nobody", "flag_everybody"]].tolist() == pytest.approx([2000, 900])
    for columns, expected in (
        (["loss", "low", "high"], loss),
        (["saving", "saving_high", "saving_low"], 900 - loss),
        (["flagged", "recall", "precision"], stored["rates"]),
    ):
        assert costs[columns].tolist() == pytest.approx(list(expected), rel=1e-12)
    for quantity in ("recall", "precision"):
        found = row(two_models.decisions, model=model, quantity=quantity)
        values = found[["estimate", "low", "high"]].tolist()
        assert values == pytest.approx(stored[quantity], rel=1e-12)
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
        "Differences on the same rows, two-sided tests\n",
        "\nthreshold                                 1.721                       2.45\n",
    ):
        assert printed in text
    assert max(map(len, text.splitlines())) <= 100
    assert "<td>0.8339 (0.8149 to 0.8509)</td>" in two_models._repr_html_()


def test_many_models_wrap():
    many = {f"model with a name {k}": NOISE[k % 3] for k in range(6)}
    text = str(compare(LABELS, many, at="recall>=0.5"))
    assert max(map(len, text[: text.index("Differences")].splitlines())) <= 100
    assert not any(line.endswith((" ", "\\")) for line in text.splitlines())
    for name in many:
        assert text.count(f"{name}\n") + text.count(f"{name}  ") >= 2


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
    result = compare(LABELS, MODELS, cost_ratio=4, at="recall>=0.9")
    assert result.tests["measure"].nunique() == 4
    for _, family in result.tests.groupby("measure"):
        ordered = family.sort_values("p_value")
        p, adjusted = ordered["p_value"].to_numpy(), ordered["p_adjusted"].to_numpy()
        by_hand = np.maximum.accumulate([3 * p[0], 2 * p[1], p[2]])
        assert adjusted == pytest.approx(np.minimum(1, by_hand))
    assert result.sentences[0] == (
        "AUC: a is not clearly better than b (adjusted p = 0.49), better than c (adjusted p = "
        "0.0046)."
    )
    assert result.sentences[3].startswith("Where a miss costs 4 false alarms, flagging by a saves")
    assert result.sentences[4].startswith("Loss at this cost: a is not clearly better than b (adj")
    assert result.sentences[5].startswith("Precision at recall>=0.9: b is not clearly better than")


def cross_twice():
    rng = np.random.default_rng(97)
    labels = np.repeat([0, 1], [30, 10])
    return labels, {
        name: rng.normal(size=40) * rng.uniform(0.5, 2) + labels * rng.uniform(0.5, 1.5)
        for name in "ab"
    }


EIGHT = [0, 0, 1, 0, 0, 1, 1, 1]
RISING, WORSE = np.arange(8.0), [0, 1, 2, 6, 3, 4, 5, 7]
STEEP = np.r_[12, 11, 10, 3, 2, 1, 9:3:-1]
WHILE = (
    "By AUK in these rows, {} is better than {} while a miss costs less than {}; beyond that, {}."
)
SAME = "a and b have the same AUK whatever a miss costs."
ALWAYS = "By AUK in these rows, {} is better than {} whatever a miss costs."


@pytest.mark.parametrize(
    ("labels", "scores", "costs", "sentence"),
    [
        (Y, SCORES, [3.3517], WHILE.format("B", "A", "3.4 false alarms", "A")),
        (
            *cross_twice(),
            [0.5105, 64.76],
            WHILE.format("a", "b", "0.51 false alarms", "b (they change places again at 65)"),
        ),
        # Equal AUCs at equal shares: the AUKs are equal where a miss costs one false alarm.
        (
            np.repeat([1, 0], 6),
            {"steep": STEEP, "late": -STEEP[::-1]},
            [1],
            WHILE.format("steep", "late", "1 false alarm", "late"),
        ),
        (EIGHT, {"a": RISING, "b": WORSE}, [], ALWAYS.format("a", "b")),
        (EIGHT, {"last": -RISING, "b": WORSE, "a": RISING}, [], ALWAYS.format("a", "b")),
        (EIGHT, {"a": RISING, "b": 2 * RISING}, [], SAME),
    ],
)
def test_ties(labels, scores, costs, sentence):
    result = compare(labels, scores)
    assert [tie["cost_ratio"] for tie in result.ties] == pytest.approx(costs, rel=1e-3)
    assert result.sentences[-1] == sentence
    for tie in result.ties:
        first, second = scores[tie["first"]], scores[tie["second"]]
        before, at_tie, after = (
            auk_score(labels, first, cost_ratio=factor * tie["cost_ratio"])
            - auk_score(labels, second, cost_ratio=factor * tie["cost_ratio"])
            for factor in (0.99, 1, 1.01)
        )
        assert at_tie == pytest.approx(0, abs=1e-9)
        assert before * after < 0


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


def test_savings_at_a_cost():
    useless = compare(LABELS, {"a": NOISE[0], "b": NOISE[1]}, cost_ratio=1)
    assert "no model saves anything over flagging nobody" in " ".join(useless.sentences)
    constant = compare(LABELS, {"a": MODELS["a"], "constant": np.zeros(N)}, cost_ratio=1)
    assert "flags nobody" in str(constant)
    assert "constant: All rows have one score." in constant.notes
    perfect = compare(LABELS, {"a": LABELS + 0.1 * NOISE[0].clip(-1, 1)}, cost_ratio=7)
    assert perfect.tests.empty
    assert perfect.ties == []
    assert perfect.sentences == [
        "Where a miss costs 7 false alarms, flagging by a saves the cost of 750.0 false alarms per "
        "1,000 rows over flagging everybody."
    ]


def test_probabilities_are_judged_model_by_model():
    a, b = 1 / (1 + np.exp(-NOISE[:2] - LABELS))
    first = np.arange(N) == 0
    clean = compare(LABELS, {"a": a, "b": b})
    rounded = np.where(first, np.float32(1) + np.finfo(np.float32).eps, a)
    almost = compare(LABELS, {"a": rounded, "b": b})
    assert len(almost.measures) == len(clean.measures) == 12
    assert not any("Brier" in text for text in almost.notes)
    outside = compare(LABELS, {"a": np.where(first, 1.01, a), "b": b})
    for measure in ("brier_score", "log_loss"):
        (kept,) = outside.measures[outside.measures["measure"] == measure].to_dict("records")
        assert kept == row(clean.measures, measure=measure, model="b").to_dict()
        assert kept["perfect"] == 0
    note = "No Brier score and log loss of a: the scores are not probabilities (a goes from"
    assert any(text.startswith(note) and "to 1.01)." in text for text in outside.notes)
    stated = compare(LABELS, {"a": a, "b": b}, prevalence=0.01)
    assert "brier_score" not in set(stated.measures["measure"])
    assert any("adjust_prevalence" in text for text in stated.notes)
    (leader,) = [text for text in clean.sentences if text.startswith("Log loss: ")]
    losses = clean.measures[clean.measures["measure"] == "log_loss"].set_index("model")["estimate"]
    assert leader.startswith(f"Log loss: {losses.idxmin()} is ")


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
    assert compare(LABELS, {"a": -MODELS["a"]}, at="precision>=0.8").decisions.empty


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
    assert [*found["measures"][0]] == [
        *("measure", "model", "estimate", "standard_error", "low", "high", "method", "df", "note"),
        "perfect",
    ]
    for name, value in (("auk", measures(Y, Y, cost_ratio=20)["auk"]), ("auc", 1)):
        assert row(two_models.measures, measure=name, model="A")["perfect"] == pytest.approx(value)


def test_options_out_of_range_are_named():
    for name, value in {"cost_ratio": 0, "prevalence": 1, "confidence_level": 95}.items():
        with pytest.raises(ValueError, match=name):
            compare(LABELS, MODELS, **{name: value})


def test_names_of_groups_change_no_number(rng):
    y, score = np.arange(60) % 3 == 0, rng.normal(size=60)
    groups = rng.permutation(60) // 3
    options = {"at": ["recall>=0.8"], "n_resamples": 50}
    found = [
        compare(y, {"a": score, "b": score.round()}, groups=names, **options).to_dict()
        for names in (groups, 99 - groups, pd.factorize(groups)[0])
    ]
    assert found[0] == found[1] == found[2]
