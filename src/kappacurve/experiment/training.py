"""Fit the models once on the training rows; keep their scores on the test rows."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from kappacurve._validation import FloatArray
from kappacurve.experiment.models import IntArray, Scaling, fit_and_score, scale
from kappacurve.experiment.sampling import Split

log = logging.getLogger(__name__)


def train_and_score(
    features: pd.DataFrame,
    split: Split,
    models: Mapping[str, Mapping[str, Any]],
    *,
    seed: int,
    scaling: Scaling = "standard",
) -> pd.DataFrame:
    """Scores of every model on the test rows.

    Parameters
    ----------
    features : DataFrame
        Columns row, bad (0/1) and the features.
    split : Split
        Positions of the training and the test rows in `features`.
    models : mapping
        Settings of each model, by its name in the registry.

    Returns
    -------
    DataFrame
        Columns row, bad, model, score (higher = more likely bad); one row per test row and model.
    """
    X, y = as_arrays(features)
    test = features.iloc[split.test][["row", "bad"]]
    X_train, X_test = scale(X[split.train], X[split.test], scaling)
    tables = []
    for name, settings in models.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            score = fit_and_score(name, settings, X_train, y[split.train], X_test, seed=seed)
        for warning in caught:
            log.warning("%s: %s", name, str(warning.message).splitlines()[0])
        tables.append(test.assign(model=name, score=score))
        log.info("%s: fitted on %d rows, scored %d", name, len(split.train), len(split.test))
    return pd.concat(tables, ignore_index=True)


def as_arrays(features: pd.DataFrame) -> tuple[FloatArray, IntArray]:
    """Features (n, d) and label bad (n,) of a table with the columns row, bad and the features."""
    X = features.drop(columns=["row", "bad"]).to_numpy(dtype=np.float64)
    return np.ascontiguousarray(X), features["bad"].to_numpy(dtype=np.int64)
