"""What models bring at a cost, under a limit or at a threshold, and tests between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from ..decisions.least_loss import loss_unit, trivial_losses
from ..decisions.operating import DECISIONS, find_tied_budget, operating_point
from ..inference.estimates import ROUNDING, Settings
from ..inference.flagging import AtConstraint, AtThreshold
from ..inference.influence import InfluenceModel
from ..validation import BoolArray, FloatArray, IntArray, Sample
from .sentences import tied_sentence

FOLDS = 5  # in which the threshold at a cost is chosen on the other rows
PRICED = ("net_benefit", "expected_loss")  # of decisions, at a cost alone
Records = list[dict[str, Any]]


def judge_at_cost(influences: InfluenceModel, settings: Settings) -> tuple[Records, Records]:
    """Loss and saving of each model, each fold judged at the others' threshold; and tests."""
    sample, p, ratio = influences.sample, influences.prevalence, influences.cost_ratio
    folds = deal_folds(sample, settings.random_state)
    chosen = {model: _cross_fit(influences, model, folds) for model in sample.scores}
    flagged = {model: rows_flagged for model, (rows_flagged, _) in chosen.items()}
    flags = InfluenceModel(replace(sample, scores=flagged), influences.stated_prevalence, ratio)
    flagging = AtThreshold(flags, dict.fromkeys(flagged, 0.5), settings)
    nobody, everybody = trivial_losses(p, ratio)
    least, rule = min((nobody, "nobody"), (everybody, "everybody"))
    everyone = np.ones(len(sample.positive), dtype=np.bool_)
    table = []
    for model, (_, thresholds) in chosen.items():
        result = flagging.estimate("expected_loss", model)
        ends = (result.estimate, result.low, result.high)
        loss, low, high = (loss_unit(ratio) * value for value in ends)
        row: dict[str, Any] = {"model": model, "loss": loss, "low": low, "high": high}
        row |= {"flag_nobody": nobody, "flag_everybody": everybody}
        row |= {"saving": least - loss, "saving_low": least - high, "saving_high": least - low}
        row |= {name: flagging.value(name, model) for name in ("flagged", "recall", "precision")}
        row |= {"flag": "by model" if row["saving"] > ROUNDING * least else rule}
        row |= {"threshold": _choose_threshold(influences, model, everyone)}
        row |= {"least_threshold": min(thresholds), "largest_threshold": max(thresholds)}
        table.append(row)
    return table, _scale(flagging.test_records("expected_loss", flagged), "difference", ratio)


def deal_folds(sample: Sample, random_state: int) -> IntArray:
    """The fold of each row, if stated; else groups as a whole, those with positives first."""
    if sample.folds is not None:
        return sample.folds
    n_folds = int(min(FOLDS, *sample.n_units()))
    codes = np.arange(len(sample.positive)) if sample.groups is None else sample.groups
    positives = np.bincount(codes, sample.positive)
    shuffled = np.random.default_rng(random_state).permutation(len(positives))
    order = shuffled[np.argsort(-positives[shuffled], kind="stable")]
    fold = np.empty(len(order), np.int64)
    fold[order] = np.arange(len(order)) % n_folds
    return np.asarray(fold[codes])


def _cross_fit(
    influences: InfluenceModel, model: str, folds: IntArray
) -> tuple[FloatArray, list[float]]:
    """Which rows (1) a model flags at the best thresholds of the other folds, and these."""
    positive, score = influences.sample.positive, influences.sample.scores[model]
    flagged = np.empty(len(score))
    thresholds = []
    for fold in np.unique(folds):
        others = folds != fold
        if positive[others].all() or not positive[others].any():
            others[:] = True  # without a row of each class elsewhere, all rows choose
        threshold = _choose_threshold(influences, model, others)
        thresholds.append(threshold)
        flagged[folds == fold] = score[folds == fold] >= threshold
    return flagged, thresholds


def _choose_threshold(influences: InfluenceModel, model: str, rows: BoolArray) -> float:
    """The threshold with the least loss in some rows."""
    sample = influences.sample
    return operating_point(
        sample.positive[rows],
        sample.scores[model][rows],
        cost_ratio=influences.cost_ratio,
        sample_weight=None if sample.weight is None else sample.weight[rows],
        prevalence=influences.stated_prevalence,
    ).threshold


def judge_at_limit(
    flagging: AtConstraint, at: str, quantities: Sequence[str]
) -> tuple[Records, Records]:
    """What each model brings under a constraint, and tests of its recall.

    Where the constraint holds the recall, the precision is tested.
    """
    tested = "precision" if "recall" in at else "recall"
    models = list(flagging.thresholds)
    table = [_describe(flagging, at, model, name) for model in models for name in quantities]
    return table, flagging.test_records(tested, models, f"{tested} at {at}")


def judge_at_threshold(
    flagging: AtThreshold, threshold: float, costed: Sequence[str], cost_ratio: float | None
) -> tuple[Records, Records]:
    """What each model brings at a threshold, and tests of the losses of `costed` models.

    Without a stated cost, acting from a probability tau on implies that a miss costs
    (1 - tau) / tau false alarms.
    """
    if cost_ratio is None:
        costed = costed if 0 < threshold < 1 else ()
        cost_ratio = (1 - threshold) / threshold if costed else 1.0
    influences, at = flagging.influences, str(threshold)
    priced = InfluenceModel(influences.sample, influences.stated_prevalence, cost_ratio)
    at_cost = AtThreshold(priced, flagging.thresholds, flagging.settings)
    table = [
        _describe(at_cost if quantity in PRICED else flagging, at, model, quantity)
        for model in flagging.thresholds
        for quantity in DECISIONS
        if quantity not in PRICED or model in costed
    ]
    tests = at_cost.test_records("expected_loss", costed, f"expected_loss at {at}")
    return table, _scale(tests, "difference", cost_ratio)


def _describe(
    flagging: AtThreshold | AtConstraint, at: str, model: str, quantity: str
) -> dict[str, Any]:
    """One quantity of the rows that a model flags."""
    influences, threshold = flagging.influences, flagging.thresholds[model]
    flagged = influences.sample.scores[model] >= threshold
    record = {
        "at": at,
        "model": model,
        "threshold": threshold,
        "flagged_rows": int(flagged.sum()),
        "flagged_positive_rows": int(flagged[influences.sample.positive].sum()),
        "cost_ratio": influences.cost_ratio,
        "quantity": quantity,
        **asdict(flagging.estimate(quantity, model)),
    }
    if quantity == "expected_loss":
        _scale([record], "estimate", influences.cost_ratio)
    return record


def _scale(records: Records, value: str, cost_ratio: float) -> Records:
    """Turn losses from shares of the costs into false alarms per 1,000 rows."""
    for record in records:
        for name in (value, "standard_error", "low", "high"):
            record[name] *= loss_unit(cost_ratio)
    return records


def note_ties(flagging: AtConstraint) -> list[str]:
    """What ties leave unspent of a budget, by model."""
    notes = []
    for model, curve in flagging.curves.items():
        rest = flagging.constraint, flagging.influences.prevalence
        tied = find_tied_budget(curve, flagging.sample.scores[model], *rest)
        if tied is not None:
            notes.append(tied_sentence(model, flagging.constraint, tied))
    return notes
