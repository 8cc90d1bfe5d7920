"""Hand's Example 3 on the bank's own data, if KAPPACURVE_LOAN_DATA names the file."""

import os

import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from study.papers import hand2009
from study.settings.companions import Hand, another_bank_file

FILE = os.environ.get("KAPPACURVE_LOAN_DATA")


@pytest.mark.skipif(not FILE, reason="KAPPACURVE_LOAN_DATA is not set")
def test_both_classifiers_are_as_printed(scores):
    assert another_bank_file(Hand(enabled=True, bank_data=FILE).bank_data) == ""
    bank = pd.read_csv(FILE)
    of_both = hand2009.example3_scores(bank)
    example = hand2009.example3(of_both)
    found = example.set_index(["model", "measure"])["found"]
    assert found["first", "auc"] == pytest.approx(0.5670, abs=5e-5)
    assert found["first", "h"] == pytest.approx(0.0382, abs=5e-5)
    assert found["second", "auc"] == pytest.approx(0.5906, abs=5e-5)
    assert found["second", "h"] == pytest.approx(0.0347, abs=5e-5)
    checks = hand2009.checks(scores, example).query("check.str.startswith('Example 3')")
    assert checks["holds"].tolist() == [True] * 4
    first = of_both[of_both["model"] == "first"]
    assert (len(first), first["bad"].sum()) == (1225, 323)
    assert found["first", "auc"] == pytest.approx(roc_auc_score(first["bad"], first["score"]))


def test_another_file_is_left_out_with_a_sentence_and_none_is_refused(tmp_path):
    made = tmp_path / "made.csv"
    made.write_text("yob,bad\n19,0\n")
    assert "made.csv is not TEC-2002-LOAN-DATA.csv (its SHA-256 is not b78" in another_bank_file(
        Hand(enabled=True, bank_data=str(made)).bank_data
    )
    assert another_bank_file(None) == ""
    with pytest.raises(ValueError, match="values do not fit") as refused:
        Hand(enabled=True, bank_data=str(tmp_path / "none.csv"))
    ((key, reason),) = refused.value.errors()[0]["ctx"]["found"]
    assert key == "bank_data"
    assert "there is no file" in reason
