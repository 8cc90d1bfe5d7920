"""Tables of several models on one test set, against the package's own inference."""

import numpy as np
import pandas as pd
import pytest

import kappacurve as kc
from study.tables import comparison
from study.tables.comparison import compare_models


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    positive = rng.random(120) < 0.25
    wide = {
        "row": range(1, 121),
        "minority": positive.astype(int),
        "fine": rng.normal(size=120) + 1.5 * positive,
        "tied": (rng.normal(size=120) + positive).round(),
        "worse": rng.normal(size=120) - 0.5 * positive,
    }
    long = pd.DataFrame(wide).melt(["row", "minority"], var_name="model", value_name="score")
    chance = 1 / (1 + np.exp(-long["score"]))
    return long.assign(probability=chance.where(long["model"] == "fine"))


def one_of(scores, model):
    one = scores[scores["model"] == model]
    return one["minority"].to_numpy(), one["score"].to_numpy()


def test_numbers_are_those_of_the_package_in_any_order_of_rows(scores):
    options = {"seed": 1, "prevalence": 0.1, "cost_ratio": 10, "n_resamples": 50}
    result, turned = (compare_models(rows, **options) for rows in (scores, scores.iloc[::-1]))
    by_key = [
        comparison.interval_table(one).set_index(["model", "measure"]).sort_index()
        for one in (result, turned)
    ]
    pd.testing.assert_frame_equal(*by_key)
    y, fine = one_of(scores, "fine")
    expected = kc.auk_score(y, fine, prevalence=0.1, cost_ratio=10)
    assert by_key[0].loc[("fine", "auk"), "value"] == pytest.approx(expected)
    alone = compare_models(scores.query("model == 'tied'"), seed=1, n_resamples=2)
    assert comparison.test_table(alone).empty


def test_a_cost_and_a_constraint_reach_the_library(scores):
    options = {"cost_ratio": 10, "at": ["flagged<=0.3"], "n_resamples": 20}
    y = one_of(scores, "fine")[0] == 1
    by_model = {name: one_of(scores, name)[1] for name in ("fine", "tied", "worse")}
    expected = kc.compare(y, by_model, random_state=1, **options)
    result = compare_models(scores, seed=1, **options)
    held = comparison.interval_table(result).query("at == 'flagged<=0.3'")
    assert held["model"].value_counts().to_dict() == dict.fromkeys(by_model, 6)
    recall = held.query("model == 'fine' and measure == 'recall'").iloc[0]
    point = kc.operating_point(y, by_model["fine"], at="flagged<=0.3")
    assert recall["value"] == point.tpr and recall["low"] < point.tpr < recall["high"]
    tests = comparison.test_table(result)
    assert set(tests.loc[tests["at"].notna(), "measure"]) >= {"recall", "expected_loss"}
    assert tests["at"].isna().any()
    assert str(compare_models(scores, seed=1, **options)) == str(expected)
    assert "flagged<=0.3" in str(expected) and str(expected) != str(compare_models(scores, seed=1))


@pytest.mark.parametrize(("rows", "resamples"), [(20_000, 2000), (20_001, 1000)])
def test_many_rows_have_fewer_resamples(rows, resamples, monkeypatch):
    asked = []
    monkeypatch.setattr(comparison, "compare", lambda *_, **more: asked.append(more["n_resamples"]))
    own = {"row": range(rows), "minority": [1] + [0] * (rows - 1), "model": "a", "score": 0.5}
    for wanted in (None, 7):
        compare_models(pd.DataFrame(own), seed=1, n_resamples=wanted)
    assert asked == [resamples, 7]
