"""Scores of every model of a data set: splits, training, tuning and calibration."""

from __future__ import annotations

import importlib
import inspect
import logging
import warnings
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from many_data_sets.data_sets import Rows
from many_data_sets.measures import area_under_roc, negative_log_losses

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
log = logging.getLogger(__name__)
CALIBRATED = " calibrated"
CRITERIA = ("auc", "log_loss")
CERTAIN = 1e-6  # probabilities of a tree's leaf of one class are kept away from 0 and 1


def make_generator(seed: int, name: str, *numbers: int) -> np.random.Generator:
    """Random numbers of a data set, which do not depend on the other data sets."""
    return np.random.default_rng([seed, zlib.crc32(name.encode()), *numbers])


def name_tuned(learner: str, criterion: str) -> str:
    """Name of a learner that is tuned by a criterion."""
    return f"{learner} by {criterion}"


def list_menus(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """Names of the models of each menu, as trained and tuned."""
    menus = {name: config["menus"][name] for name in ("all", "strong", "trees")}
    for criterion in CRITERIA:
        for menu, learners in (("all", config["grids"]), ("strong", menus["strong"])):
            menus[f"{menu}_{criterion}"] = [name_tuned(learner, criterion) for learner in learners]
    return menus


def score_data_set(rows: Rows, name: str, config: Mapping[str, Any]) -> pd.DataFrame:
    """Log-odds of every model for the scored quarters: columns split, part, positive, models.

    The two scored quarters of a split are its parts 1 and 2. Each model has two columns:
    plain and calibrated.
    """
    tables = []
    for split in range(config["splits"]):
        random = make_generator(config["seed"], f"{name} practice", split)
        quarter = draw_quarters(rows, config["max_rows"], random)
        seed = int(random.integers(2**31))
        tables.append(score_split(rows, quarter, config, seed).assign(split=split))
        log.info("%s: split %d of %d is trained", name, split + 1, config["splits"])
    return pd.concat(tables, ignore_index=True)


def draw_quarters(rows: Rows, max_rows: int, random: np.random.Generator) -> IntArray:
    """Quarter of each row, 0 to 3, or -1 for a row that is not drawn; groups stay whole.

    Groups with and without a positive are dealt separately, so that each quarter gets its share.
    """
    has_positive = np.bincount(rows.group, rows.positive) > 0
    share = min(1.0, max_rows / len(rows.positive))
    quarter = np.full(len(has_positive), -1)
    for kind in (True, False):
        dealt = random.permutation(np.flatnonzero(has_positive == kind))
        dealt = dealt[: int(np.ceil(share * len(dealt)))]
        quarter[dealt] = np.arange(len(dealt)) % 4
    return np.asarray(quarter[rows.group], dtype=np.int64)


def score_split(
    rows: Rows, quarter: IntArray, config: Mapping[str, Any], seed: int
) -> pd.DataFrame:
    """Scores of one split; the two training quarters are the folds that tune and calibrate."""
    points: dict[str, Any] = {}
    points_of: dict[str, list[str]] = {}
    for learner, model in config["models"].items():
        grid = config["grids"].get(learner, [{}])
        points_of[learner] = [f"{learner} {number}" for number in range(len(grid))]
        for point, changes in zip(points_of[learner], grid, strict=True):
            points[point] = {**model, "parameters": {**model.get("parameters", {}), **changes}}
    first, second, scored = quarter == 0, quarter == 1, quarter >= 2
    folds = [(first, second), (second, first)]
    parts = [train_models(rows, train, test, points, seed) for train, test in folds]
    held_out = {point: np.concatenate([part[point] for part in parts]) for point in points}
    label = np.concatenate([rows.positive[test] for _, test in folds])
    chosen = {learner: names[0] for learner, names in points_of.items()}
    for learner in config["grids"]:
        for criterion in CRITERIA:
            values = {
                point: criterion_value(criterion, label, held_out[point])
                for point in points_of[learner]
            }
            chosen[name_tuned(learner, criterion)] = max(values, key=values.__getitem__)
    trained = {point: points[point] for point in dict.fromkeys(chosen.values())}
    scores = train_models(rows, first | second, scored, trained, seed)
    columns: dict[str, Any] = {"part": quarter[scored] - 1, "positive": rows.positive[scored]}
    for name, point in chosen.items():
        columns[name] = scores[point]
        columns[name + CALIBRATED] = calibrate(held_out[point], label, scores[point])
    return pd.DataFrame(columns)


def train_models(
    rows: Rows,
    train: npt.NDArray[np.bool_],
    test: npt.NDArray[np.bool_],
    models: Mapping[str, Mapping[str, Any]],
    seed: int,
) -> dict[str, FloatArray]:
    """Fit every model to some rows; its log-odds for others."""
    encoder = make_encoder(rows.features)
    X_train = encoder.fit_transform(rows.features[train])
    X_test = encoder.transform(rows.features[test])
    scores = {}
    for name, settings in models.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a poor fit is a model to choose among, too
            model = build_model(settings, seed).fit(X_train, rows.positive[train])
            scores[name] = log_odds(model, X_test)
    return scores


def build_model(settings: Mapping[str, Any], seed: int) -> Any:
    """Build an estimator of scikit-learn from its import path and parameters."""
    module, _, name = settings["estimator"].rpartition(".")
    estimator = getattr(importlib.import_module(module), name)
    seeded = "random_state" in inspect.signature(estimator).parameters
    return estimator(**settings["parameters"], **({"random_state": seed} if seeded else {}))


def make_encoder(features: pd.DataFrame) -> Any:
    """Impute and standardise numbers; give levels of at least 1 % of the rows a column."""
    numbers = features.select_dtypes("number").columns
    median = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    levels = OneHotEncoder(
        min_frequency=0.01, handle_unknown="infrequent_if_exist", sparse_output=False
    )
    return make_column_transformer(
        (make_pipeline(median, StandardScaler()), list(numbers)),
        (levels, list(features.columns.difference(numbers))),
    )


def log_odds(model: Any, X: FloatArray) -> FloatArray:
    """Scores as log-odds, without the ties of probabilities that round to 0 or 1."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64)
    if hasattr(model, "predict_joint_log_proba"):
        joint = model.predict_joint_log_proba(X)
        return np.asarray(joint[:, 1] - joint[:, 0], dtype=np.float64)
    share = np.clip(model.predict_proba(X)[:, 1], CERTAIN, 1 - CERTAIN)
    return np.asarray(np.log(share / (1 - share)), dtype=np.float64)


def calibrate(held_out: FloatArray, label: IntArray, scores: FloatArray) -> FloatArray:
    """Log-odds by the sigmoid that fits held-out scores to their labels best (Platt 1999)."""
    scale = held_out.std() or 1.0
    sigmoid = LogisticRegression(C=np.inf, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes that a model separates have no best sigmoid
        sigmoid.fit(held_out[:, None] / scale, label)
    return np.asarray(sigmoid.decision_function(scores[:, None] / scale), dtype=np.float64)


def criterion_value(criterion: str, label: IntArray, scores: FloatArray) -> float:
    """Value that tuning maximises: the AUC, or minus the log loss."""
    if criterion == "auc":
        return area_under_roc(label, scores)
    positive, negative = negative_log_losses(scores)
    return float(np.where(label == 1, positive, negative).mean())
