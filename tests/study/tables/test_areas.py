"""Tables 4 and 5: spread, percentile and the split shown, by hand."""

import numpy as np
import pandas as pd
import pytest

from study.printed import printed_lookup
from study.tables.areas import AREAS, POINT_MEASURES, areas_table, summarise

AUC = np.array([0.7, 0.72, 0.76, 0.78, np.nan])


def test_table_4_by_hand(make_replicates):
    measures = make_replicates({"logistic": {"auc": AUC}, "linear": {"auc": AUC}})
    table = areas_table(measures, "hull", AREAS, printed_lookup())
    columns = "positive_class,model,measure,printed,split,mean,sd,low,high,percentile"
    assert ",".join(table) == columns
    assert list(table["positive_class"].unique()) == ["majority", "minority"]
    auc = table.set_index(["positive_class", "model", "measure"]).loc["minority", "linear", "auc"]
    assert auc["printed"] == 0.7493  # between the second and the third of four
    assert auc["percentile"] == 50
    assert auc["split"] == 0.7
    assert auc["mean"] == pytest.approx(0.74)
    assert auc["sd"] == pytest.approx(np.sqrt((0.04**2 + 0.02**2) * 2 / 3))
    assert auc["low"] == pytest.approx(0.7 + 0.075 * 0.02)
    assert auc["high"] == pytest.approx(0.78 - 0.075 * 0.02)
    of_logistic = table[table["model"] == "logistic"]
    assert of_logistic[["printed", "percentile"]].isna().all(axis=None)
    # Other data have nothing printed.
    point = areas_table(measures, "raw", POINT_MEASURES)
    assert not {"printed", "percentile"} & set(point)
    assert set(point["measure"]) == {*POINT_MEASURES}


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([0.1, np.inf, 0.3], [np.nan, np.nan, 0.1, 0.3, np.inf]),  # and break nothing
        ([0.1, 0.3], [0.2, np.sqrt(0.02), 0.105, 0.2, 0.295]),
        ([0.4, np.nan], [0.4, np.nan, 0.4, 0.4, 0.4]),  # one value has no spread
        ([np.nan], [np.nan] * 5),
    ],
)
def test_the_spread_of_few_or_infinite_values(values, spread, make_replicates):
    summary = summarise(make_replicates({"linear": {"threshold": values}}), ["threshold"])
    found = summary.loc[0, ["mean", "sd", "low", "median", "high"]].tolist()
    assert found == pytest.approx(spread, nan_ok=True)
    assert summary.loc[0, "undefined"] == pd.isna(values).sum()
