"""The explorer of a run: its splits, its classes, and the scores as they are."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from explorer import make_explorer
from kappacurve import measures


def test_the_explorer_opens_with_the_chosen_splits_and_class():
    random = np.random.default_rng(5)
    rows = pd.MultiIndex.from_product([[3, 8], range(60)], names=["replicate", "row"])
    table = pd.DataFrame({"minority": random.random(120) < 0.3}, rows).astype(int)
    for model in ("linear", "neural_net"):
        table[model] = table["minority"] + random.normal(size=120)
    scores = table.melt("minority", var_name="model", value_name="score", ignore_index=False)
    page = make_explorer(
        scores.reset_index(),
        {"rare\nsplit": 8, "typical split": 3},
        models=["linear", "neural_net", "not_drawn"],
        setting={"prevalence": None, "cost_ratio": 5.0},
        names={"minority": "bad", "majority": "good"},
        positive_class="majority",
    )
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert [view["name"] for view in data["views"]] == ["rare split", "typical split"]
    assert (data["classes"], data["swapped"], data["cost_ratio"]) == (["good", "bad"], True, 5)
    for view, replicate in zip(data["views"], (8, 3), strict=True):
        own = table.loc[replicate]
        assert [model["name"] for model in view["models"]] == ["linear", "network"]
        for model, column in zip(view["models"], ("linear", "neural_net"), strict=True):
            auc = measures(own["minority"], own[column])["auc"]
            assert np.trapezoid(model["t"], model["f"]) == pytest.approx(auc)
            found = own.loc[own["minority"] == 1, column].to_numpy()
            for corner, threshold in list(zip(model["hull"], model["thresholds"], strict=True))[1:]:
                assert np.mean(found >= threshold) == pytest.approx(model["t"][corner])
