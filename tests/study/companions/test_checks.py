import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from study.companions.checks import (
    COLUMNS,
    Check,
    Source,
    of_predictions,
    printed_outcomes,
    share_check,
    statistics,
)


def test_columns_and_rounding():
    checks = [Check("own", "one", 1.0, 1.0 + 1e-15), Check("own", "two", 0.5, np.nan)]
    checks.append(share_check("own", "without replicates", []))
    table = Source("silipo").check_table({"SMOTE": {"kappa": 0.4516, "f1": 0.1}}, checks)
    assert list(table) == COLUMNS
    assert table["check"].tolist() == ["SMOTE: kappa", "one", "two"]  # its F1 is not printed
    assert table["difference"][1] == 0
    assert table["holds"].tolist() == [True, True, False]


def test_at_least_at_most_and_nothing_expected():
    assert Check("ours", "x", 0.5, 0.5, relation=">=").holds
    assert not Check("ours", "x", 0.5, 0.6, relation="<=").holds
    assert Check("ours", "x", None, 0.6).holds is None
    splits = {"relation": "within", "low": 0.1, "high": 0.2}
    assert Check("printed", "at the end", 0.2, 0.15, **splits).holds
    assert Check("printed", "outside", 0.21, 0.15, **splits).holds is None
    assert Check("printed", "ruled out", 0.15, 0.15, **splits, impossible="why").holds is False


def test_what_is_undecided_neither_agrees_nor_disagrees(tmp_path):
    share = Check("printed", "share", 0.5, 0.5, relation=">=", low=0.4, high=0.6)
    checks = [Check("printed", "a", 1, 1), Check("printed", "b", 1, 2), share]
    checks += [Check("ours", "c", 1, 2)]
    table = Source("silipo").check_table({}, checks)
    table.to_csv(tmp_path / "checks.csv", index=False)
    for one in (table, pd.read_csv(tmp_path / "checks.csv")):
        counts = printed_outcomes(one)
        assert counts.to_dict("index") == {"silipo": {"agree": 1, "disagree": 1, "undecided": 1}}


@pytest.mark.parametrize("matrix", [(20, 5, 15, 60), (9, 21, 18, 252), (1, 0, 3, 2)])
def test_counts_and_statistics_against_scikit_learn(matrix):
    truth = np.repeat([1, 1, 0, 0], matrix)
    predicted = np.repeat([1, 0, 1, 0], matrix)
    found = statistics(*matrix)
    assert of_predictions(truth, predicted) == found
    for name, reference in (
        ("accuracy", metrics.accuracy_score),
        ("kappa", metrics.cohen_kappa_score),
        ("precision", metrics.precision_score),
        ("recall", metrics.recall_score),
        ("f1", metrics.f1_score),
    ):
        assert found[name] == pytest.approx(reference(truth, predicted))
