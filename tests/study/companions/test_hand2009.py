import os

import numpy as np
import pandas as pd
import pytest

from study.companions import hand2009
from study.settings.config import Hand, another_bank_file

FILE = os.environ.get("KAPPACURVE_LOAN_DATA")  # the bank's own data, for Example 3


def test_table_1_is_exact():
    table = pd.DataFrame(hand2009.areas()).T
    assert table["h"].tolist() == pytest.approx([47 / 135, 1 - np.sqrt(0.5), 23 / 80])
    assert table["auch"].tolist() == pytest.approx([0.75] * 3)
    assert table["auc"].tolist() == pytest.approx([0.5, 0.75, 0.75])
    assert table["gini"].tolist() == pytest.approx([0, 0.5, 0.5])


def test_scores_of_example_3_do_not_depend_on_units():
    random = np.random.default_rng(6)
    columns = [name for names in hand2009.EXAMPLE_3.values() for name in names]
    bank = pd.DataFrame(random.normal(size=(400, len(columns))), columns=columns)
    bad = (bank.sum(axis=1) + random.normal(size=400) > 2).astype(int)
    found = hand2009.example3_scores(bank.assign(bad=bad))
    other = hand2009.example3_scores((1000 * bank + 7).assign(bad=bad))
    np.testing.assert_allclose(found["score"], other["score"], atol=1e-4)
    assert found.groupby("model", sort=False)["minority"].sum().tolist() == [bad.sum()] * 2
    # A fit without a penalty gives as many positives as there are.
    chances = 1 / (1 + np.exp(-found["score"]))
    assert chances.groupby(found["model"]).sum().tolist() == pytest.approx(
        [bad.sum()] * 2, abs=1e-3
    )


@pytest.mark.skipif(not FILE, reason="KAPPACURVE_LOAN_DATA is not set")
def test_both_classifiers_are_as_printed(scores):
    assert another_bank_file(Hand(enabled=True, bank_data=FILE).bank_data) == ""
    bank = pd.read_csv(FILE)
    of_both = hand2009.example3_scores(bank)
    example = hand2009.example3(of_both)
    kept = pd.read_csv(hand2009.KEPT_EXAMPLE_3)
    pd.testing.assert_frame_equal(example.astype(kept.dtypes), kept, atol=5e-7)
    checks = hand2009.checks(scores, example).query("check.str.startswith('Example 3')")
    assert checks["holds"].tolist() == [True] * 4
    first = of_both[of_both["model"] == "first"]
    assert (len(first), first["minority"].sum()) == (1225, 323)
    figures = hand2009.study(scores, bank, models=["linear"])[1]
    assert [len(figures[f"figure{number}"].axes) for number in (5, 6, 7)] == [6, 6, 1]
    # Figure 7 has both ROC curves, their hulls and the diagonal.
    assert len(figures["figure7"].axes[0].lines) == 5
