"""Whom models flag and what that costs: at thresholds of other rows, or under a constraint."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve._messages import short_number
from kappacurve._ranking import measures_of
from kappacurve._validation import BoolArray, Conditions, FloatArray, Scored, check_number
from kappacurve.inference._placements import Area
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import Models, loss_stakes
from kappacurve.inference.permutation import FEWEST_FOR_BOOTSTRAP
from kappacurve.inference.points import AtConstraint, AtThresholds, own_thresholds
from kappacurve.inference.results import Estimate, Family
from kappacurve.kappa import loss_from_rates
from kappacurve.operating import DECIDED, Constraint, SortedRows, check_at, point_at

FOLDS = 5
RESAMPLES = 2000  # of a constraint, unless a number is given
COLUMNS = ["model", "loss", "standard_error", "low", "high", "in_sample", "flag_nobody", "flag_all"]
COLUMNS += ["saving", "saving_low", "saving_high", "least_threshold", "largest_threshold"]
COLUMNS += ["false_positives", "true_positives", "fpr", "tpr", "flagged", "precision"]
COLUMNS.append("false_alarms_per_hit")


class Decisions:
    """Whom each model flags: at given thresholds, or at those that are best on other folds.

    Folds hold whole groups, where there are any, and classes in equal shares.
    """

    def __init__(
        self,
        sample: Sample,
        at: Conditions,
        thresholds: Mapping[str, float] | None = None,
        random_state: int = 0,
    ) -> None:
        self._sample = sample
        self._at = at
        self._models = Models(sample, at)
        self.fitted = thresholds is None
        folds = _folds(sample, random_state)
        self._flagged: dict[str, BoolArray] = {}
        self._thresholds: dict[str, list[float]] = {}
        for model, score in sample.scores.items():
            if thresholds is not None:
                if model not in thresholds:
                    raise ValueError(f"thresholds has none for the model {model!r}.")
                self._thresholds[model] = [check_number("threshold", thresholds[model])]
                self._flagged[model] = score >= self._thresholds[model][0]
                continue
            flagged = self._flagged[model] = np.empty(len(score), bool)
            chosen = self._thresholds[model] = []
            for fold in np.unique(folds):
                held_out = folds == fold
                others = sample.positive[~held_out]
                # Without a row of each class elsewhere the threshold is that of all rows.
                rows = (
                    ~held_out
                    if 0 < np.count_nonzero(others) < len(others)
                    else np.ones_like(held_out)
                )
                chosen.append(short_threshold(score, self._best_on(model, rows)[0]))
                flagged[held_out] = score[held_out] >= chosen[-1]

    def _best_on(self, model: str, rows: BoolArray) -> tuple[float, float]:
        """The threshold of the least expected loss on some rows, and that loss."""
        sample = self._sample
        weight = None if sample.weight is None else sample.weight[rows]
        scored = Scored(sample.positive[rows], sample.scores[model][rows], weight)
        measured = measures_of(scored, self._at).measures
        return float(measured["cost_threshold"][0]), float(measured["expected_loss"][0])

    def _area(self, model: str) -> Area:
        return self._models.area_of_decisions(self._flagged[model], loss_stakes(self._at), (0, 1))

    def interval(self, model: str, level: float) -> Estimate:
        """Expected loss of a model's decisions."""
        area = self._area(model)
        if min(self._sample.units()) < 2:
            return Estimate(area.value, np.nan, np.nan, np.nan)
        return self._models.decided_interval(area, level)

    def tests(self, level: float) -> Family:
        """Paired tests of every two models' expected losses."""
        return self._models.tests_of({model: self._area(model) for model in self._flagged}, level)

    def table(self, level: float, lower: Collection[str] = ()) -> pd.DataFrame:
        """A row for each model: its loss, the baselines', the saving and whom it flags.

        Thresholds of the models in `lower` are turned back to their own scale.
        """
        p, positive = self._at.prevalence, self._sample.positive
        nobody, everyone = loss_from_rates([0, 1], [0, 1], p, cost=self._at.cost).tolist()
        least, rows = min(nobody, everyone), []
        for model, flagged in self._flagged.items():
            loss = self.interval(model, level)
            # Near the costs 0 and 1 a baseline loses nothing, and there is nothing to save.
            ends = loss.estimate, loss.high, loss.low
            saved = [1 - value / least if least > 1e-12 else np.nan for value in ends]
            fpr, tpr = (self._sample.share(flagged, side)[0] for side in (~positive, positive))
            hits, alarms = p * tpr, (1 - p) * fpr
            share = hits + alarms
            precision = hits / share if share else np.nan
            per_hit = alarms / hits if hits else np.nan
            in_sample = self._best_on(model, np.ones(len(flagged), bool))[1]
            sign = -1 if model in lower else 1
            cuts = sorted(sign * threshold for threshold in self._thresholds[model])
            counts = [np.count_nonzero(flagged & side) for side in (~positive, positive)]
            values = (*loss[:4], in_sample, nobody, everyone, *saved, cuts[0], cuts[-1], *counts)
            rows.append([model, *values, fpr, tpr, share, precision, per_hit])
        return pd.DataFrame(rows, columns=COLUMNS)


def short_threshold(score: FloatArray, threshold: float) -> float:
    """A number of few digits that flags the same of these rows."""
    below = float(np.max(score[score < threshold], initial=-np.inf))
    return short_number(below, float(threshold))


def _folds(sample: Sample, random_state: int) -> npt.NDArray[np.intp]:
    """The fold of each row: groups as a whole, those with positives dealt out first."""
    n_folds = min(FOLDS, *sample.units())
    codes = np.arange(len(sample.positive)) if sample.groups is None else sample.groups
    positives = np.bincount(codes, sample.positive)
    shuffled = np.random.default_rng(random_state).permutation(len(positives))
    order = shuffled[np.argsort(-positives[shuffled], kind="stable")]
    fold_of = np.empty(len(order), np.intp)
    fold_of[order] = np.arange(len(order)) % n_folds
    return fold_of[codes]


def decisions_at(
    point: str | float,
    sample: Sample,
    conditions: Conditions,
    level: float | None,
    n_resamples: int | None,
    random_state: int,
    lower: Collection[str] = (),
) -> dict[str, Any]:
    """Thresholds, counts, what they bring with intervals, and tests; no inference without a level.

    A given threshold is on the scale of each model's scores, also of those in `lower`.
    """
    wanted = check_at(point)
    constraint = None
    inference: AtConstraint | AtThresholds | None = None
    if isinstance(wanted, Constraint):
        constraint = wanted
        models = {name: SortedRows(sample.scored(name)) for name in sample.scores}
        thresholds = own_thresholds(models, constraint, conditions.prevalence)
        if level is not None:
            n = n_resamples or RESAMPLES
            inference = AtConstraint(sample, conditions, constraint, n, random_state)
    else:
        thresholds = {name: -wanted if name in lower else wanted for name in sample.scores}
        if level is not None:
            inference = AtThresholds(sample, conditions, thresholds)
    decided: dict[str, dict[str, Any]] = {}
    tests: list[dict[str, Any]] = []
    for name, threshold in thresholds.items():
        printed = threshold
        if constraint is not None:
            printed = short_threshold(sample.scores[name], threshold)
        sign = -1 if name in lower else 1
        found = point_at(sample.scored(name), threshold, conditions.prevalence, conditions.cost)
        decided[name] = {
            "threshold": sign * threshold,
            "printed": sign * printed,
            "lower": name in lower,
            "true_positives": found.true_positives,
            "false_positives": found.false_positives,
        }
        values = found._asdict() | {"recall": found.tpr, "specificity": 1 - found.fpr}
        for measure in DECIDED:
            estimate = Estimate(float(values[measure]), nan, nan, nan)
            if inference is not None and level is not None:
                estimate = inference.interval(name, measure, level)
            decided[name][measure] = estimate._asdict() | {"estimate": float(values[measure])}
    if inference is not None and level is not None:
        held = None if constraint is None else constraint.held
        for measure in DECIDED:
            if measure == held:
                continue
            for (first, second), (test, adjusted) in inference.tests(measure, level).items():
                named = {"first": first, "second": second, "measure": measure}
                tests.append(named | test._asdict() | {"p_adjusted": adjusted})
    goal = constraint is not None and constraint.quantity in ("recall", "precision")
    return {
        "at": point,
        "method": None if inference is None else inference.method,
        "few": goal and sample.units()[0] < FEWEST_FOR_BOOTSTRAP,
        "models": decided,
        "tests": tests,
    }
