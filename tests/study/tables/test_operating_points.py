"""What models bring under constraints, against thresholds tried one by one."""

import numpy as np
import pandas as pd
import pytest

from kappacurve import paired_test
from study.tables.answer import corrected_test
from study.tables.operating_points import point_sentences, points_under_constraints

PAIR = ["good", "poor"]
OPTIONS = {"n_resamples": 100, "random_state": 1}


@pytest.fixture(scope="module")
def splits():
    """Five splits of 60 test rows; in the last one no budget fits the tied model."""
    rng = np.random.default_rng(3)
    parts = []
    for replicate in range(5):
        y = np.arange(60) < 15
        scores = {"good": rng.normal(size=60) + 2 * y, "poor": rng.normal(size=60) + y}
        scores["tied"] = np.zeros(60) if replicate == 4 else rng.normal(size=60)
        for model, score in scores.items():
            rows = {"replicate": replicate, "row": range(60), "minority": y.astype(int)}
            parts.append(pd.DataFrame({**rows, "model": model, "score": score}))
    return pd.concat(parts)


def recall_within(rows, budget):
    """The largest recall of a threshold that flags at most so many rows."""
    thresholds = [cut for cut in rows["score"] if (rows["score"] >= cut).sum() <= budget]
    return rows.loc[rows["score"] >= min(thresholds), "minority"].sum() / 15


def test_an_alert_budget_on_one_split_and_over_all(splits):
    shown = splits[splits["replicate"] == 0]
    conditions = {"prevalence": None, "cost_ratio": None}
    table, told = points_under_constraints(
        shown, ["flagged<=0.1"], PAIR, conditions, (splits, 0.5), **OPTIONS
    )
    recalls = table.query("measure == 'recall'").set_index(["model", "other"], drop=False)
    by_split = {
        model: [recall_within(rows, 6) for _, rows in own.groupby("replicate")]
        for model, own in splits.groupby("model")
        if model != "tied"
    }
    for model, expected in by_split.items():
        row = recalls[(recalls["model"] == model) & recalls["other"].isna()].iloc[0]
        assert row["value"] == pytest.approx(expected[0])
        assert row["low"] < row["value"] < row["high"]
        assert (row["splits"], row["mean"]) == (5, pytest.approx(np.mean(expected)))
        ends = [row["central_low"], row["central_high"]]
        assert ends == pytest.approx(np.quantile(expected, [0.025, 0.975]))
        # Six rows are flagged in every split: of the 45 others those that are no hits.
        spared = table.query("measure == 'specificity' and model == @model")["mean"].iloc[0]
        assert spared == pytest.approx(1 - np.mean(6 - 15 * np.array(expected)) / 45)
        own = shown[shown["model"] == model]
        flagged = own["score"] >= row["threshold"]
        assert own.loc[flagged, "minority"].sum() / 15 == pytest.approx(row["value"])
    (lead,) = recalls[recalls["other"].notna()].to_dict("records")
    assert lead["mean"] == pytest.approx(np.mean(by_split["good"]) - np.mean(by_split["poor"]))
    by_hand = np.subtract(by_split["good"], by_split["poor"])
    assert lead["p_corrected"] == pytest.approx(corrected_test(by_hand, 0.5)["p_value"])
    wide = shown.pivot_table(index="row", columns="model", values="score")
    options = {"measure": "recall", "at": "flagged<=0.1", **OPTIONS}
    test = paired_test(np.arange(60) < 15, wide["good"], wide["poor"], **options)
    found = [lead[name] for name in ("value", "low", "high", "p_value")]
    assert found == [test.difference, test.low, test.high, pytest.approx(test.p_value, nan_ok=True)]
    assert f"{lead['mean']:+.3f} (mean of 5 splits" in told[1]
    # Where all scores tie no threshold does, and nobody is flagged; what is held has no difference.
    tied = table[table["model"] == "tied"].set_index("measure")
    assert (tied.loc["recall", "splits"], tied.loc["recall", "central_low"]) == (5, 0)
    assert tied.loc["precision", "splits"] < 5
    assert tied.loc["threshold", "splits"] == tied.loc["precision", "splits"]
    assert np.isfinite(tied.loc["threshold", ["mean", "central_high"]].astype(float)).all()
    assert table.query("measure == 'flagged'")["other"].isna().all()


def test_a_model_that_no_threshold_lets_meet_a_constraint_is_left_out(splits):
    last = splits[splits["replicate"] == 4]
    table, told = points_under_constraints(last, ["fpr<=0.2"], ["good", "tied"], {}, **OPTIONS)
    assert set(table["model"]) == {"good", "poor"}
    assert table["other"].isna().all()
    assert told[-1].startswith("tied: No threshold meets fpr<=0.2")
    assert "nearest has fpr 1." in told[-1]


def test_one_model_alone_in_groups(splits):
    good = splits.query("replicate == 0 and model == 'good'")
    groups = pd.Series(np.arange(60) // 2, index=range(60))
    options = {"groups": groups, **OPTIONS}
    with pytest.warns(UserWarning, match="The groups that hold a class tell as much as 7"):
        table, told = points_under_constraints(good, ["recall>=0.8"], [], {}, **options)
    row = table.set_index("measure").loc["precision"]
    assert (table["splits"].isna().all(), len(told)) == (True, 1)
    assert f"precision on the rows of the tables: good {row['value']:.3f}" in told[0]


def test_the_values_of_the_pair_are_told_and_its_difference():
    """By precision where recall is held; over splits their mean and spread."""
    own = {"at": "recall>=0.8", "measure": "precision"}
    rows = [
        own | {"model": "good", "value": 0.71, "low": 0.6, "high": 0.8},
        own | {"model": "other", "value": 0.5, "low": 0.4, "high": 0.55},
        own | {"model": "poor", "value": 0.42, "low": 0.3, "high": 0.51},
        own | {"model": "good", "value": 0.71, "low": 0.6, "high": 0.8, "measure": "recall"},
    ]
    lead = own | {"model": "good", "other": "poor", "value": 0.29, "low": 0.1, "high": 0.48}
    lead |= {"mean": -0.25, "central_low": -0.5, "central_high": 0.01}
    told = "At recall>=0.8, precision on the rows of the tables: good 0.710 (95 % interval 0.600 "
    told += "to 0.800), poor 0.420 (95 % interval 0.300 to 0.510)."
    assert point_sentences("recall>=0.8", rows, {"tied": "no."}, PAIR) == [told, "tied: no."]
    assert "good 0.710" in point_sentences("fpr<=0.1", rows, {}, [])[0]
    assert ", other 0.500 (" in point_sentences("recall>=0.8", rows, {}, [])[0]
    beginning = "At recall>=0.8, the difference in precision of good to poor, "
    single = "+0.290 (95 % interval +0.100 to +0.480), "
    several = "-0.250 (mean of 2 splits, central 95 % -0.500 to +0.010), "
    for splits, p_value, p_corrected, words in (
        (1, 0.0499, 0.5, f"{single}is statistically significant."),
        (1, 0.05, 0.01, f"{single}is not statistically significant."),
        (1, np.nan, 0.01, f"{single}can't be tested."),
        (2, 0.5, 0.0499, f"{several}is statistically significant."),
        (2, 0.01, 0.05, f"{several}is not statistically significant."),
    ):
        row = lead | {"splits": splits, "p_value": p_value, "p_corrected": p_corrected}
        assert point_sentences("recall>=0.8", [row], {}, PAIR) == [beginning + words]
    rounding = row | {"mean": -1e-17, "central_high": -1e-17}  # alone has no minus
    (told,) = point_sentences("recall>=0.8", [rounding], {}, PAIR)
    assert "+0.000 (mean of 2 splits, central 95 % -0.500 to +0.000)" in told
