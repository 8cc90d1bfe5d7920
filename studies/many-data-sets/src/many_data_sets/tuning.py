"""Menus of round 3: every model as trained, tuned by AUC and by log loss, and calibrated."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import batch_measures
from many_data_sets._experiment import FloatArray, IntArray
from many_data_sets.archives import Family
from many_data_sets.measures import row_losses
from many_data_sets.scores import RECALIBRATED, generator, platt, quarters, trained

log = logging.getLogger(__name__)
TUNED_BY = ("auc", "log_loss")


def tuned(learner: str, criterion: str) -> str:
    """The name of a learner that is tuned."""
    return f"{learner} by {criterion}"


def menus_of(menus: Mapping[str, list[str]], practice: Mapping[str, Any]) -> dict[str, list[str]]:
    """Names of the models of each menu: as trained, and tuned."""
    found = {"all": menus["all"], "strong": practice["strong"], "trees": menus["trees"]}
    for criterion in TUNED_BY:
        for menu, learners in (("all", practice["grids"]), ("strong", practice["strong"])):
            found[f"{menu}_{criterion}"] = [tuned(learner, criterion) for learner in learners]
    return found


def score_practice(
    family: Family, name: str, models: Mapping[str, Any], levels: Mapping[str, Any]
) -> pd.DataFrame:
    """Log-odds of the models of every menu, plain and calibrated, for the scored quarters."""
    practice, tables = levels["practice"], []
    for split in range(practice["splits"]):
        random = generator(levels["seed"], f"{name} practice", split)
        quarter = quarters(family.positive, family.group, practice["most_rows"], random)
        seed = int(random.integers(2**31))
        table = score_tuned(family, quarter, models, practice["grids"], seed)
        tables.append(table.assign(split=split))
        log.info("%s: split %d of %d trained", name, split + 1, practice["splits"])
    return pd.concat(tables, ignore_index=True)


def score_tuned(
    family: Family,
    quarter: IntArray,
    models: Mapping[str, Mapping[str, Any]],
    grids: Mapping[str, list[dict[str, Any]]],
    seed: int,
) -> pd.DataFrame:
    """Scores of one split; the training quarters are the two folds that tune and calibrate."""
    first, second, scored = quarter == 0, quarter == 1, quarter >= 2
    points: dict[str, Any] = {}
    grid_of: dict[str, list[str]] = {}
    for learner, model in models.items():
        grid = grids.get(learner, [{}])
        grid_of[learner] = [f"{learner} {number}" for number in range(len(grid))]
        for point, changed in zip(grid_of[learner], grid, strict=True):
            points[point] = {**model, "parameters": {**model["parameters"], **changed}}
    folds = (first, second), (second, first)
    outside = [trained(family, fit, rest, points, seed) for fit, rest in folds]
    label = np.concatenate([family.positive[rest] for _, rest in folds])
    held_out = {point: np.concatenate([part[point] for part in outside]) for point in points}
    chosen = {learner: own[0] for learner, own in grid_of.items()}
    for learner in grids:
        for criterion in TUNED_BY:
            chosen[tuned(learner, criterion)] = max(
                grid_of[learner], key=lambda point: worth(criterion, label, held_out[point])
            )
    needed = {point: points[point] for point in dict.fromkeys(chosen.values())}
    whole = trained(family, first | second, scored, needed, seed)
    columns: dict[str, Any] = {"part": quarter[scored] - 1, "positive": family.positive[scored]}
    for column, best in chosen.items():
        columns[column] = whole[best]
        columns[column + RECALIBRATED] = platt(held_out[best], label, whole[best])
    return pd.DataFrame(columns)


def worth(criterion: str, label: IntArray, log_odds: FloatArray) -> float:
    """What tuning maximises."""
    if criterion == "auc":
        return float(batch_measures(label, log_odds[None], pos_label=1)["auc"][0])
    of_positives, of_negatives = row_losses(log_odds, 0.0)["log_loss"]
    return float(np.where(label == 1, of_positives, of_negatives).mean())
