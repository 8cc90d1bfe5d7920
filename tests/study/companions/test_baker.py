import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from study.companions import baker


@pytest.mark.parametrize("rule", ["kappa_max", "share"])
def test_counts_are_those_of_the_threshold(scores, rule):
    table = baker.models_table({"original": scores}, rule)
    for row in table.to_dict("records"):
        one = scores[scores["model"] == row["model"]]
        predicted = one["score"] >= row["threshold"]
        assert row["tp"] == (predicted & (one["minority"] == 1)).sum()
        assert row["fp"] == (predicted & (one["minority"] == 0)).sum()
        assert row["share_minority"] == pytest.approx(0.3)
    if rule == "share":
        linear = table.iloc[0]
        assert linear["tp"] + linear["fp"] == 90
        assert linear["precision"] == linear["recall"]


def compared(scores, models, second):
    group = pd.Series("A191", pd.RangeIndex(1, 301), name="telephone")
    group[second] = "A192"
    return baker.auc_tests(scores, models, group)


def test_intervals_and_tests_have_each_their_error(scores):
    table = compared(scores, ["linear", "neural_net"], range(2, 301, 2))
    assert table["test"].value_counts().tolist() == [4, 4, 1]
    aucs = [roc_auc_score(one["minority"], one["score"]) for _, one in scores.groupby("model")]
    paired = table.query("test == 'paired'")[["auc", "other"]]
    assert paired.iloc[0].tolist() == pytest.approx(aucs)
    half = norm.ppf(0.975) * table["standard_error"]
    np.testing.assert_allclose(table["low"], table["difference"] - half)
    np.testing.assert_allclose(table["high"], table["difference"] + half)
    statistic = table["difference"] / table["test_error"]
    np.testing.assert_allclose(table["statistic"], statistic)
    np.testing.assert_allclose(table["p_value"], 2 * norm.sf(statistic.abs()))
    # The formula of Hanley and McNeil (1982), written out, at the AUC found.
    against = table.query("method == 'Hanley-McNeil' and test == 'one AUC against 0.5'")
    a = against["auc"]
    q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
    variance = (a * (1 - a) + 89 * (q1 - a**2) + 209 * (q2 - a**2)) / (90 * 210)
    np.testing.assert_allclose(against["standard_error"], np.sqrt(variance))
    # Under the hypothesis of no order the error is that of the rank sum test.
    rank_sum = np.sqrt((90 + 210 + 1) / (12 * 90 * 210))
    np.testing.assert_allclose(against["test_error"], rank_sum, rtol=2e-3)
