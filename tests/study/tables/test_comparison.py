"""The split shown, compared: the library's numbers, as tables."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.metrics import log_loss, roc_auc_score

import kappacurve as kc
from study.tables import comparison
from study.tables.comparison import compare_models, intervals_table, tests_table as make_tests_table


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    positive = rng.random(120) < 0.25
    wide = {
        "row": range(1, 121),
        "minority": positive.astype(int),
        "fine": rng.normal(size=120) + 1.5 * positive,
        "tied": (rng.normal(size=120) + positive).round(),
        "not_fitted": np.nan,
    }
    table = pd.DataFrame(wide).melt(["row", "minority"], var_name="model", value_name="score")
    # Of "tied" the probabilities tell fewer rows apart than the scores.
    chances = expit(table["score"]).where(table["model"] == "fine", 0.25)
    return table.assign(probability=chances)


def test_numbers_are_those_of_the_library_in_any_order_of_rows(scores, monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", 50)
    options = {"seed": 1, "prevalence": 0.1, "cost_ratio": 10, "at": ["flagged<=0.3"]}
    result, turned = (compare_models(rows, **options) for rows in (scores, scores.iloc[::-1]))
    keys = ["at", "model", "measure"]
    tables = [
        intervals_table(found).sort_values(keys, ignore_index=True) for found in (result, turned)
    ]
    pd.testing.assert_frame_equal(*tables)
    table = tables[0].fillna({"at": ""}).set_index(keys)
    fine = scores[scores["model"] == "fine"]
    auk = kc.auk_score(fine["minority"], fine["score"], prevalence=0.1, cost_ratio=10)
    assert table.loc[("", "fine", "auk"), "value"] == pytest.approx(auk)
    assert table.loc[("flagged<=0.3", "fine", "recall"), "value"] > 0.5
    assert ("", "tied", "expected_loss") in table.index
    assert "not_fitted" not in set(tables[0]["model"])
    tests = make_tests_table(result).fillna({"at": ""}).set_index(["at", "measure"])
    assert set(tests.index) >= {("", "auc"), ("", "expected_loss"), ("flagged<=0.3", "recall")}
    gap = table.loc[("", "fine", "auk"), "value"] - table.loc[("", "tied", "auk"), "value"]
    assert tests.loc[("", "auk"), "difference"] == pytest.approx(gap)
    assert make_tests_table(compare_models(fine, seed=1)).empty
    assert tests.loc[("", "auc"), "model_a"] == "fine"  # models in the order of their rows
    assert make_tests_table(turned)["model_a"].iloc[0] == "tied"


def test_probabilities_are_compared_where_they_tell_as_many_rows_apart(scores, monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", 50)
    table = intervals_table(compare_models(scores, seed=1)).set_index(["model", "measure"])["value"]
    by_model = scores.groupby("model")
    fine, tied = by_model.get_group("fine"), by_model.get_group("tied")
    loss = log_loss(fine["minority"], fine["probability"])
    assert table["fine", "log_loss"] == pytest.approx(loss)
    assert ("tied", "log_loss") not in table
    assert table["tied", "auc"] == pytest.approx(roc_auc_score(tied["minority"], tied["score"]))


@pytest.mark.parametrize(("rows", "resamples"), [(20_000, 2000), (20_001, 1000)])
def test_many_rows_have_fewer_resamples(rows, resamples, monkeypatch):
    asked = []
    monkeypatch.setattr(comparison, "compare", lambda *_, **more: asked.append(more["n_resamples"]))
    own = {"row": range(rows), "minority": [1] + [0] * (rows - 1), "model": "a", "score": 0.5}
    own["probability"] = np.nan
    compare_models(pd.DataFrame(own), seed=1)
    assert asked == [resamples]
