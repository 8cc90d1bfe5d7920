import numpy as np

from study.papers.checks import COLUMNS, Check, as_printed, check_table


def test_a_printed_number_holds_if_the_value_rounds_to_it():
    assert as_printed("x", "0.474", 0.4736842).holds
    assert as_printed("x", "0.288", 0.2875).holds  # a tie rounds either way
    assert not as_printed("x", "0.625", 0.62).holds
    assert as_printed("x", "0", 0.4).holds


def test_columns_and_rounding():
    checks = [Check("own", "one", 1.0, 1.0 + 1e-15), Check("own", "two", 0.5, np.nan)]
    table = check_table("silipo", {"SMOTE": {"kappa": 0.4516, "f1": 0.1}}, checks)
    assert list(table) == list(COLUMNS)
    assert table["check"].tolist() == ["SMOTE: kappa", "one", "two"]  # its F1 is not printed
    assert table["difference"][1] == 0
    assert table["holds"].tolist() == [True, True, False]


def test_at_least_at_most_and_nothing_expected():
    assert Check("ours", "x", 0.5, 0.5, relation=">=").holds
    assert not Check("ours", "x", 0.5, 0.6, relation="<=").holds
    assert Check("ours", "x", None, 0.6).holds is None
