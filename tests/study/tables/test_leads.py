"""Who leads in what share of the splits, by hand, and the corrected test by its formula."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from study.experiment.files import to_csv
from study.experiment.replicates import describe_splits
from study.tables.leads import (
    COLUMNS,
    LEAST_LOSS,
    corrected_test,
    distinct_splits,
    leads_table,
    ratio_of_rows,
)


def replicates(**auc):
    """Raw measures of the minority with these AUCs by model; AUK and H are ordered the same."""
    tables = [
        pd.DataFrame({"replicate": range(len(values)), "auc": values}).assign(model=model)
        for model, values in auc.items()
    ]
    table = pd.concat(tables, ignore_index=True).assign(positive_class="minority", curve="raw")
    return table.assign(auk=table["auc"] / 4, h=table["auc"] / 2)


AUC = {
    "a": [0.8, 0.7, 0.9, 0.8, 0.6, 0.8],
    "b": [0.7, 0.7, 0.8, 0.9, 0.5, 0.6],
    "neural_net_lm": [0.95] * 6,
}


def splits(n, positives=9):
    """So many positives in the test rows of each of n distinct splits."""
    return pd.Series(positives, index=range(n))


def test_leads_by_hand():
    table = leads_table(replicates(**AUC), splits(6), 0.5, 0.2)
    assert list(table) == COLUMNS
    auc = table[table["measure"] == "auc"].set_index("model")
    assert list(auc.index) == ["a", "b"]  # the best mean first; the other network takes no part
    assert auc["splits"].tolist() == [6, 6]
    assert auc["leads"].tolist() == [4, 1]  # a tie is nobody's
    assert auc["mean"].tolist() == pytest.approx([4.6 / 6, 4.2 / 6])
    assert auc.loc["a", "share"] == 4 / 6
    assert pd.isna(auc.loc["a", "difference"])
    assert auc.loc["b", "difference"] == pytest.approx(0.4 / 6)
    # Of three models, each p value is one of three.
    three = leads_table(replicates(**AUC, c=[0.1, 0.3, 0.2, 0.1, 0.4, 0.2]), splits(6), 0.5, 0.2)
    (p_value,) = three.query("measure == 'auc' and model == 'b'")["p_value"]
    lead = np.subtract(AUC["a"], AUC["b"])
    assert p_value == pytest.approx(corrected_test(lead, 0.5, 3)["p_value"])
    assert p_value > auc.loc["b", "p_value"]


def test_a_model_that_fails_in_some_splits_stays_in_the_table():
    """In two splits: all models are compared over the others. In half of them: not compared."""
    nan = float("nan")
    table = leads_table(replicates(**AUC, c=[nan, nan, 0.2, 0.1, 0.4, 0.2]), splits(6), 0.5, 0.2)
    auc = table[table["measure"] == "auc"].set_index("model")
    assert auc["splits"].to_dict() == {"a": 4, "b": 4, "c": 4}
    assert auc["mean"].to_dict() == pytest.approx({"a": 0.775, "b": 0.7, "c": 0.225})
    table = leads_table(replicates(**AUC, c=[nan, nan, nan, 0.1, 0.4, 0.4]), splits(6), 0.5, 0.2)
    auc = table[table["measure"] == "auc"].set_index("model")
    without = leads_table(replicates(**AUC), splits(6), 0.5, 0.2).query("measure == 'auc'")
    compared = auc.loc[["a", "b"]].drop(columns="note")
    pd.testing.assert_frame_equal(compared, without.set_index("model").drop(columns="note"))
    assert auc.loc["c", ["splits", "mean"]].tolist() == [3, pytest.approx(0.3)]
    assert auc.loc["c", "note"] == "Not compared: it has values in 3 of 6 splits."


@pytest.mark.parametrize("tests", [1, 3])
def test_the_corrected_test_is_that_of_nadeau_and_bengio(tests):
    """Variance (1/J + n2/n1) s^2 with J - 1 degrees of freedom: their equation 9."""
    lead = np.array([0.1, 0.0, 0.1, -0.1, 0.1, 0.2, 0.05])
    spread = np.sqrt((1 / 7 + 0.4) * lead.var(ddof=1))
    found = corrected_test(lead, 0.4, tests)
    p_value = min(1, tests * 2 * student.sf(lead.mean() / spread, 6))
    assert found["p_value"] == pytest.approx(p_value)
    low, high = student.interval(1 - 0.05 / tests, 6, lead.mean(), spread)
    assert (found["lower"], found["upper"]) == pytest.approx((low, high))


def test_test_rows_are_those_that_do_not_train():
    assert ratio_of_rows({"majority": 700, "minority": 86, "n_train": 500}) == 286 / 500


def test_of_few_splits_or_one_model_nothing_is_claimed():
    claims = ["share", "low", "high", "difference", "lower", "upper", "p_value"]
    few = "Nothing can be said by 6 distinct splits with 3.5 test rows of the rarer class in the "
    few += "median: 5 of each are needed."
    for n, positives, note in (
        (5, 9, None),
        (5, [1, 5, 5, 2, 7], None),  # at least five in half of the splits
        (4, 9, few.replace("6 d", "4 d").replace("3.5", "9")),
        (6, [3, 4, 5, 2, 9, 1], few),
    ):
        table = leads_table(replicates(**AUC), splits(n, positives), 0.5, 0.2)
        found = table.loc[table["model"] == "b", claims]
        assert found.notna().all(axis=None) if note is None else found.isna().all(axis=None)
        assert table["note"].isna().all() if note is None else table["note"].eq(note).all()
        assert (table["splits"] == n).all()
    alone = leads_table(replicates(a=AUC["a"]), splits(6), 0.5, 0.2)
    assert alone[claims].isna().all(axis=None) and len(alone) == 3


def test_splits_are_those_of_all_models():
    measures = replicates(a=AUC["a"], b=AUC["b"][:5])
    assert (leads_table(measures, splits(6), 0.5, 0.2)["splits"] == 5).all()
    same = leads_table(replicates(a=[0.7] * 5, b=[0.6] * 5), splits(5), 0.5, 0.2)
    assert same["difference"].dropna().tolist() == pytest.approx([0.1, 0.025, 0.05])
    assert same["p_value"].isna().all()  # leads that do not vary have no test


def test_a_split_that_is_drawn_again_counts_once():
    rows = pd.DataFrame({"replicate": [0, 0, 1, 1, 2, 2, 3, 3], "row": [1, 2, 2, 1, 1, 3, 1, 3]})
    rows["minority"] = rows["row"].eq(2) * 1
    both = pd.concat([rows.assign(model="a"), rows.assign(model="b", row=9)])
    assert distinct_splits(describe_splits(both)).to_dict() == {
        0: 1,
        2: 0,
    }  # test rows of the rarer class
    swapped = both.assign(minority=1 - both["minority"])
    assert distinct_splits(describe_splits(swapped)).to_dict() == {0: 1, 2: 0}


@pytest.mark.parametrize(
    ("limit", "bounded", "left_out"),
    [
        ("recall>=0.8", {"a": 0.01, "b": 0.65}, {"a": "recall 0.01"}),
        ("flagged<=0.1", {"a": 0.12, "b": 0.121}, {"b": "flagged 0.121"}),
        ("fpr<=0.1", {"a": 0.9, "b": 0.1}, {}),
    ],
)
def test_a_model_far_from_a_limit_on_the_test_rows_leads_nobody(limit, bounded, left_out):
    """Flagging few rows is no merit of a model that does not find what was asked for."""
    measures = replicates(**{name: AUC[name] for name in "ab"})
    quantity, other = ("recall", "flagged") if "recall" in limit else ("flagged", "recall")
    measures[f"{quantity} at {limit}"] = measures["model"].map(bounded)
    measures[f"{other} at {limit}"] = measures["auc"]
    table = leads_table(measures, splits(6), 0.5, 0.2)
    for name in (quantity, other):
        rows = table[table["measure"] == f"{name} at {limit}"].set_index("model")
        notes = rows["note"].dropna().str.removeprefix("Not compared: on the test rows it has ")
        assert notes.to_dict() == {model: f"{words}." for model, words in left_out.items()}
        assert left_out.keys() <= {rows.index[-1]}


def test_csv_has_six_decimals_and_three_digits_of_a_p_value():
    table = pd.DataFrame({"x": [1 / 3, -1e-9], "p_value": [0.000123456, np.nan], "n": [1, 2]})
    assert to_csv(table) == "x,p_value,n\n0.333333,0.000123,1\n0.0,,2\n"


def test_losses_stand_above_the_ranking_beside_what_needs_no_model():
    """Flagging everybody is dearer than nobody on average, so it is not shown."""
    measures = replicates(**{name: AUC[name] for name in "ab"})
    loss = {"a": [40, 60, 50, 45, 55, 50], "b": [50, 70, 60, 55, 65, 60]}
    measures["expected_loss"] = np.ravel([loss["a"], loss["b"]]).astype(float)
    measures["loss_nobody"], measures["loss_everybody"] = 55.0, [10.0, *[70.0] * 5] * 2
    measures["recall"] = 0.5
    measures["by_probability"] = np.repeat([1.0, 0.0], 6)
    measures["observed_over_expected"] = 1.5
    measures["calibration_slope"] = [0.5, 1.5, *[np.nan] * 4] * 2
    table = leads_table(measures, splits(6), 0.5, 0.2)
    names = ["expected_loss", "recall", "auc", "auk", "h"]
    names += ["observed_over_expected", "calibration_slope"]
    assert list(table["measure"].unique()) == names
    losses = table[table["measure"] == "expected_loss"].set_index("model")
    assert losses["mean"].to_dict() == {"a": 50, "(nobody)": 55, "b": 60}
    assert losses["leads"].to_dict() == {"a": 4, "(nobody)": 1, "b": 0}  # 55 is a tie
    assert losses["difference"].tolist()[1:] == [-5, -10]
    assert losses["note"].dropna().to_dict() == {"b": LEAST_LOSS}
    slopes = table[table["measure"] == "calibration_slope"].set_index("model")
    assert slopes[["splits", "mean"]].to_numpy().tolist() == [[2, 1], [2, 1]]
    assert slopes[["leads", "share", "difference", "p_value"]].isna().all(axis=None)
