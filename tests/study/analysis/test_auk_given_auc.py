import numpy as np
import pandas as pd
import pytest

from study.analysis.auk_given_auc import AukGivenAuc, auk_given_auc, auk_given_auc_table
from study.published import published_lookup


def test_z_by_simulation():
    """The standardised residual of a bivariate normal, whose regression is known."""
    rng = np.random.default_rng(1)
    auc = rng.normal(0.72, 0.04, 200_000)
    auk = 0.12 + 0.5 * (auc - 0.72) + rng.normal(0, 0.01, len(auc))
    found = auk_given_auc(auc, auk, (0.70, 0.14))
    assert found.expected == pytest.approx(0.11, abs=2e-4)
    assert found.sd == pytest.approx(0.01, rel=0.01)
    assert found.z == pytest.approx(3, abs=0.05)
    # Unconditionally the same AUK would be an ordinary one.
    assert (0.14 - auk.mean()) / auk.std() < 1


def test_table_has_the_published_pairs_of_every_model_that_stands_for_one():
    lookup = published_lookup()
    rows = []
    for curve in ("hull", "raw"):
        for model in ("linear", "logistic", "neural_net"):
            for i, auc in enumerate((0.6, 0.7, 0.8, np.nan)):
                row = {"replicate": i, "positive_class": "bad", "curve": curve, "model": model}
                rows.append({**row, "auc": auc, "auk": auc / 4 + 0.01 * (i == 1)})
    measures = pd.DataFrame(rows).assign(auk_trapezoid=lambda t: t["auk"] + 0.1)
    table = auk_given_auc_table(measures)
    assert tuple(table)[-len(AukGivenAuc._fields) :] == AukGivenAuc._fields
    assert set(table["model"]) == {"linear", "neural_net"}
    assert (table["replicates"] == 3).all()
    for row in table.to_dict("records"):
        assert row["auc"] == lookup[row["curve"], row["model"], "auc"]
        assert row["z"] == pytest.approx((row["auk"] - row["expected"]) / row["sd"])
    by_rule = table.groupby("integration")["expected"].mean()
    assert by_rule["trapezoid"] - by_rule["exact"] == pytest.approx(0.1)
