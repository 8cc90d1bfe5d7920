"""Fit the models once on the training rows; keep their scores on the test rows."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from typing import Any

import pandas as pd

from kappacurve.experiment.models import Scaling, build_model, scores_of
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
    X = features.drop(columns=["row", "bad"]).to_numpy(dtype=float)
    y = features["bad"].to_numpy()
    test = features.iloc[split.test][["row", "bad"]]
    tables = []
    for name, settings in models.items():
        model = build_model(name, settings, seed=seed, scaling=scaling)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X[split.train], y[split.train])
        for warning in caught:
            log.warning("%s: %s", name, str(warning.message).splitlines()[0])
        tables.append(test.assign(model=name, score=scores_of(model, X[split.test])))
        log.info("%s: fitted on %d rows, scored %d", name, len(split.train), len(split.test))
    return pd.concat(tables, ignore_index=True)
