"""Splits of a family, and the scores of every model on the half that does not train."""

from __future__ import annotations

import logging
import warnings
import zlib
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kappacurve.io import ScoreTable
from many_data_sets._experiment import (
    BoolArray,
    FloatArray,
    IntArray,
    build_estimator,
    failures_named,
)
from many_data_sets.archives import Family

log = logging.getLogger(__name__)
RECALIBRATED, RANKS_ONLY = " recalibrated", "ranks only"
CERTAIN = 1e-6  # a leaf of one class says no more than this


def generator(seed: int, name: str, *numbers: int) -> np.random.Generator:
    """Random numbers of a family, whatever the others are."""
    return np.random.default_rng([seed, zlib.crc32(name.encode()), *numbers])


def quarters(
    positive: IntArray, group: IntArray, most_rows: int, random: np.random.Generator
) -> IntArray:
    """The quarter, 0 to 3, of each row, or -1; a group is never divided.

    Groups with and without a positive are dealt out apart, so that each quarter gets its share.
    """
    has_positive = np.bincount(group, positive) > 0
    share = min(1.0, most_rows / len(positive))
    quarter = np.full(len(has_positive), -1)
    for kind in (True, False):
        dealt = random.permutation(np.flatnonzero(has_positive == kind))
        dealt = dealt[: int(np.ceil(share * len(dealt)))]
        quarter[dealt] = np.arange(len(dealt)) % 4
    return quarter[group]


def score_split(
    family: Family,
    quarter: IntArray,
    models: Mapping[str, Mapping[str, Any]],
    recalibrated: Collection[str],
    seed: int,
) -> pd.DataFrame:
    """Log-odds of every model for the rows that are scored: part, positive, a column a model.

    Those of a model that is recalibrated stand once more in a column with that word.
    """
    first, second, scored = quarter == 0, quarter == 1, quarter >= 2
    columns: dict[str, Any] = {"part": quarter[scored] - 1, "positive": family.positive[scored]}
    columns |= trained(family, first | second, scored, models, seed)
    own = {name: models[name] for name in models if name in recalibrated}
    # Two-fold: each training quarter is scored by models of the other.
    folds = (first, second), (second, first)
    outside = [trained(family, fit, rest, own, seed) for fit, rest in folds]
    label = np.concatenate([family.positive[rest] for _, rest in folds])
    for name in own:
        scores = np.concatenate([part[name] for part in outside])
        columns[name + RECALIBRATED] = platt(scores, label, columns[name])
    return pd.DataFrame(columns)


def trained(
    family: Family,
    train: BoolArray,
    scored: BoolArray,
    models: Mapping[str, Mapping[str, Any]],
    seed: int,
) -> dict[str, FloatArray]:
    """Log-odds of every model, fitted to some rows, for others."""
    encoder = _encoder(family.features)
    X_train = encoder.fit_transform(family.features[train])
    X_scored = encoder.transform(family.features[scored])
    y_train = family.positive[train]
    trained = {}
    for name, settings in models.items():
        # What a model says of its own fit is no error here: a poor model takes part, too.
        with warnings.catch_warnings(), failures_named(name, settings, y_train):
            warnings.simplefilter("ignore")
            model = build_estimator(settings, seed=seed)
            model.fit(X_train, y_train)
            trained[name] = log_odds(model, X_scored)
    return trained


def platt(scores: FloatArray, label: IntArray, new: FloatArray) -> FloatArray:
    """New scores as log-odds by the sigmoid that fits scores to labels best (Platt 1999)."""
    from sklearn.linear_model import LogisticRegression

    scale = scores.std() or 1.0
    sigmoid = LogisticRegression(C=np.inf, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes that a model separates have no best sigmoid
        sigmoid.fit(scores[:, None] / scale, label)
    return np.asarray(sigmoid.decision_function(new[:, None] / scale), dtype=np.float64)


def _encoder(features: pd.DataFrame) -> Any:
    """Imputes and standardises numbers; gives levels of at least 1 % a column."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = features.select_dtypes("number").columns
    median = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    levels = OneHotEncoder(
        min_frequency=0.01, handle_unknown="infrequent_if_exist", sparse_output=False
    )
    others = features.columns.difference(numbers)
    scaled = make_pipeline(median, StandardScaler())
    return make_column_transformer((scaled, list(numbers)), (levels, list(others)))


def log_odds(model: Any, X: FloatArray) -> FloatArray:
    """Scores as log-odds, without the ties of probabilities that round to 0 or 1."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64)
    if hasattr(model, "predict_joint_log_proba"):
        joint = model.predict_joint_log_proba(X)
        return np.asarray(joint[:, 1] - joint[:, 0], dtype=np.float64)
    share = np.clip(model.predict_proba(X)[:, 1], CERTAIN, 1 - CERTAIN)
    return np.asarray(np.log(share / (1 - share)), dtype=np.float64)


def score_family(
    family: Family,
    name: str,
    models: Mapping[str, Any],
    recalibrated: Collection[str] = (),
    *,
    seed: int,
    splits: int,
    most_rows: int,
) -> pd.DataFrame:
    """The scores of all splits, in one table with the column split."""
    tables = []
    for split in range(splits):
        random = generator(seed, name, split)
        quarter = quarters(family.positive, family.group, most_rows, random)
        seed_of_models = int(random.integers(2**31))
        scores = score_split(family, quarter, models, recalibrated, seed_of_models)
        tables.append(scores.assign(split=split))
        log.info("%s: split %d of %d trained", name, split + 1, splits)
    return pd.concat(tables, ignore_index=True)


def stored_family(
    table: ScoreTable, name: str, *, seed: int, splits: int, most_rows: int
) -> pd.DataFrame:
    """Stored scores as those of a family: nothing is trained, so every row is in a part.

    Scores of which one lies outside [0, 1] only rank: the column `ranks_only` says so.
    """
    scores = pd.DataFrame(table.scores)
    ranks_only = bool(((scores < 0) | (scores > 1)).to_numpy().any())
    if not ranks_only:
        scores = scores.clip(CERTAIN, 1 - CERTAIN).transform(lambda p: np.log(p / (1 - p)))
    tables = []
    for split in range(splits):
        random = generator(seed, name, split)
        positive, group = table.positive.astype(np.int64), np.arange(len(scores))
        part = quarters(positive, group, most_rows, random)
        own = scores.assign(part=part % 2 + 1, positive=positive, split=split)
        tables.append(own[part >= 0].assign(**{RANKS_ONLY: ranks_only}))
    return pd.concat(tables, ignore_index=True)
