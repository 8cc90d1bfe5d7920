"""Fit the models once on the training rows; keep their scores on the test rows."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.data.classes import GERMAN_CREDIT
from study.models.registry import IntArray, Scaling, fit_and_score, scale
from study.replicates.sampling import Split

log = logging.getLogger(__name__)


def train_and_score(
    features: pd.DataFrame,
    split: Split,
    models: Mapping[str, Mapping[str, Any]],
    *,
    seed: int,
    scaling: Scaling = "standard",
    column: str = GERMAN_CREDIT.column,
) -> pd.DataFrame:
    """Scores of every model on the test rows.

    Parameters
    ----------
    features : DataFrame
        Columns row, bad (0/1) and the features.
    split : Split
        Positions of the training and the test rows in `features`.
    models : mapping
        Settings of each model, by its name.
    column : str
        The 0/1 column of the classes, by default bad.

    Returns
    -------
    DataFrame
        Columns row, bad, model, score (higher = more likely bad); one row per test row and model.
    """
    X, y = as_arrays(features, column)
    test = features.iloc[split.test][["row", column]]
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


def as_arrays(
    features: pd.DataFrame, column: str = GERMAN_CREDIT.column
) -> tuple[FloatArray, IntArray]:
    """Features (n, d) and label bad (n,) of a table with the columns row, bad and the features."""
    X = features.drop(columns=["row", column]).to_numpy(dtype=np.float64)
    return np.ascontiguousarray(X), features[column].to_numpy(dtype=np.int64)
