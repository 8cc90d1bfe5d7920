"""A run that has the published hull numbers with good as the positive class; kept scores."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

MEASURED = {
    "linear": {"auc": 0.7493, "auk": 0.1672, "fpr": 0.5, "tpr": 0.9, "kappa_max": 0.3},
    "neural_net": {"auc": 0.7186, "auk": 0.1753, "fpr": 0.6, "tpr": 0.928, "kappa_max": 0.328},
}
WITH_MINORITY_POSITIVE = {"auk": 0.1, "fpr": 0.13, "tpr": 0.4, "kappa_max": 0.2}
OTHERS = {"h": 0.1, "threshold": 0.5, "n_positive": 250, "n_negative": 30}


@pytest.fixture
def measures():
    rows = [
        {"model": model, "positive_class": positive_class, "curve": curve}
        | MEASURED[model]
        | (WITH_MINORITY_POSITIVE if positive_class == "minority" else {})
        | OTHERS
        for model, positive_class, curve in product(
            MEASURED, ("majority", "minority"), ("raw", "hull")
        )
    ]
    table = pd.DataFrame(rows)
    return table.assign(auk_trapezoid=table["auk"] + 0.002)


@pytest.fixture
def reversal():
    row = {"pair": "auc-auk", "curve": "hull", "positive_class": "majority", "pattern": "published"}
    row |= {"replicates": 1000, "reversals": 31, "share": 0.031, "low": 0.022, "high": 0.044}
    return pd.DataFrame([row])


@pytest.fixture(scope="session")
def kept():
    """Kept scores of 150 replicates, 30 of 280 test rows bad: normal, the network's noisier."""
    rng = np.random.default_rng(1)
    label = np.repeat([0, 1], [250, 30])
    shape = (150, len(label))
    noise, more = rng.normal(size=shape), rng.normal(size=shape)
    of_model = {"linear": 0.95 * label + noise, "neural_net": 0.95 * label + noise + 0.7 * more}
    replicate, row = (index.ravel() for index in np.indices(shape))
    place = {"replicate": replicate, "row": row, "minority": np.tile(label, shape[0])}
    return pd.concat(
        pd.DataFrame({**place, "model": name, "score": score.ravel()})
        for name, score in of_model.items()
    )
