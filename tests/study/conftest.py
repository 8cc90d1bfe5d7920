"""A run that has the published numbers with good as the positive class."""

import pandas as pd
import pytest

MEASURED = {
    "linear": {"auc": 0.7493, "auk": 0.1672, "fpr": 0.5, "tpr": 0.9, "kappa_max": 0.3},
    "neural_net": {"auc": 0.7186, "auk": 0.1753, "fpr": 0.6, "tpr": 0.928, "kappa_max": 0.328},
}


@pytest.fixture
def measures():
    """A run that has the published hull numbers with good positive, and others with bad."""
    rows = []
    for model, found in MEASURED.items():
        for positive_class in ("good", "bad"):
            for curve in ("raw", "hull"):
                row = {"model": model, "positive_class": positive_class, "curve": curve, **found}
                row |= {"h": 0.1, "threshold": 0.5, "n_positive": 250, "n_negative": 30}
                if positive_class == "bad":
                    row |= {"auk": 0.1, "fpr": 0.13, "tpr": 0.4, "kappa_max": 0.2}
                row["auk_trapezoid"] = row["auk"] + 0.002
                rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def summary(measures):
    """Replicates around that run; those with good positive hold the published values."""
    rows = []
    for one in measures.to_dict("records"):
        for name in ("auc", "auk", "auk_trapezoid", "h", "kappa_max", "fpr", "tpr"):
            row = {k: one[k] for k in ("model", "positive_class", "curve")}
            row |= {"measure": name, "mean": one[name], "sd": 0.02, "published": None}
            row |= {"low": one[name] - 0.04, "high": one[name] + 0.04, "percentile": 50.0}
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def given_auc():
    """Good positive: nearly ordinary; bad positive: far out."""
    rows = []
    for positive_class, z, reaching in (("good", 2.1, 10), ("bad", 5.9, 0)):
        for integration in ("exact", "trapezoid"):
            row = {"positive_class": positive_class, "curve": "hull", "model": "neural_net"}
            row |= {"integration": integration, "z": z, "near": 274, "reaching": reaching}
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def reversal():
    row = {"pair": "auc-auk", "curve": "hull", "positive_class": "good"}
    row |= {"pattern": "published", "replicates": 1000, "reversals": 31, "share": 0.031}
    return pd.DataFrame([row | {"low": 0.022, "high": 0.044}])
