"""Whom models flag and what that costs or brings: at thresholds, or under a constraint."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve._ranking import measures_of
from kappacurve._validation import BoolArray, Scored, are_probabilities, check_number
from kappacurve.inference._sample import Sample, check_design
from kappacurve.inference.analytic import Area, Models, loss_stakes
from kappacurve.inference.points import points
from kappacurve.inference.resampling import FEWEST_FOR_BOOTSTRAP
from kappacurve.inference.results import Comparison, Estimate, Family, Repeats, records_of
from kappacurve.kappa import loss_from_rates
from kappacurve.operating import DECIDED, Constraint, check_at, net_benefit, point_at

FOLDS = 5
NONE = Estimate(nan, nan, nan, nan)
COLUMNS = ["model", "loss", "standard_error", "low", "high", "in_sample", "flag_nobody", "flag_all"]
COLUMNS += ["saving", "saving_low", "saving_high", "least_threshold", "largest_threshold"]
COLUMNS += ["false_positives", "true_positives", "fpr", "tpr", "flagged", "precision"]
COLUMNS.append("false_alarms_per_hit")


class CostDecisions:
    """Whom each model flags: at given thresholds, or at those that are best on other folds."""

    def __init__(
        self, models: Models, thresholds: Mapping[str, float] | None = None, random_state: int = 0
    ) -> None:
        self._models = models
        self._sample = models.sample
        self._at = models.at
        self.fitted = thresholds is None
        self._flagged: dict[str, BoolArray] = {}
        self._thresholds: dict[str, list[float]] = {}
        folds = _folds(self._sample, random_state)
        for model, score in self._sample.scores.items():
            if thresholds is None:
                self._flagged[model], self._thresholds[model] = self._cross_fitted(model, folds)
            elif model not in thresholds:
                raise ValueError(f"thresholds has none for the model {model!r}.")
            else:
                self._thresholds[model] = [check_number("threshold", thresholds[model])]
                self._flagged[model] = score >= self._thresholds[model][0]

    def _cross_fitted(
        self, model: str, folds: npt.NDArray[np.intp]
    ) -> tuple[BoolArray, list[float]]:
        """Which rows a model flags at the thresholds of the other folds, and these."""
        score = self._sample.scores[model]
        flagged = np.empty(len(score), bool)
        thresholds = []
        for fold in np.unique(folds):
            held_out = folds == fold
            rows = ~held_out
            if len(np.unique(self._sample.positive[rows])) < 2:
                # Without a row of each class elsewhere the threshold is that of all rows.
                rows = np.ones_like(held_out)
            thresholds.append(self._sample.short_threshold(model, self._best_on(model, rows)[0]))
            flagged[held_out] = score[held_out] >= thresholds[-1]
        return flagged, thresholds

    def _best_on(self, model: str, rows: BoolArray) -> tuple[float, float]:
        """The threshold of the least expected loss on some rows, and that loss."""
        sample = self._sample
        weight = None if sample.weight is None else sample.weight[rows]
        scored = Scored(sample.positive[rows], sample.scores[model][rows], weight)
        measured = measures_of(scored, self._at).measures
        return float(measured["cost_threshold"][0]), float(measured["expected_loss"][0])

    def _area(self, model: str) -> Area:
        return self._models.area_of_decisions(self._flagged[model], loss_stakes(self._at))

    def interval(self, model: str, level: float) -> Estimate:
        """Expected loss of a model's decisions."""
        area = self._area(model)
        if min(self._sample.units()) < 2:
            return NONE._replace(estimate=area.value)
        return self._models.decided_interval(area, level)

    def tests(self, level: float) -> Family:
        """Paired tests of every two models' expected losses."""
        return self._models.tests_of({model: self._area(model) for model in self._flagged}, level)

    def table(self, level: float, lower: Collection[str] = ()) -> pd.DataFrame:
        """A row for each model: its loss, the baselines', the saving and whom it flags."""
        p = self._at.prevalence
        positive = self._sample.positive
        nobody, everyone = loss_from_rates([0, 1], [0, 1], p, cost=self._at.cost).tolist()
        least = min(nobody, everyone)
        rows = []
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
    models: Models,
    level: float | None,
    repeats: Repeats,
    lower: Collection[str] = (),
) -> dict[str, Any]:
    """Thresholds, counts and what they bring; with a level intervals and tests, too."""
    sample = models.sample
    conditions = models.at
    wanted = check_at(point)
    held = wanted.held if isinstance(wanted, Constraint) else None
    decisions = points(models, wanted, repeats, lower)
    by_model: dict[str, dict[str, Any]] = {}
    for name, threshold in decisions.thresholds.items():
        printed = sample.short_threshold(name, threshold) if held else threshold
        sign = -1 if name in lower else 1
        found = point_at(sample.scored(name), threshold, conditions.prevalence, conditions.cost)
        by_model[name] = {
            "threshold": sign * threshold,
            "printed": sign * printed,
            "lower": name in lower,
            "true_positives": found.true_positives,
            "false_positives": found.false_positives,
        }
        values = found._asdict() | {"recall": found.tpr, "specificity": 1 - found.fpr}
        for measure in DECIDED:
            estimate = NONE if level is None else decisions.interval(name, measure, level)
            by_model[name][measure] = estimate._asdict() | {"estimate": float(values[measure])}
    tests = []
    if level is not None:
        for measure in DECIDED:
            if measure != held:
                tests += records_of(decisions.tests(measure, level), measure=measure)
    return {
        "at": point,
        "method": None if level is None else decisions.method,
        "few": held in ("recall", "precision") and sample.units()[0] < FEWEST_FOR_BOOTSTRAP,
        "models": by_model,
        "tests": tests,
    }


def net_benefits(
    sample: Sample, thresholds: Sequence[float], level: float | None, **design: Any
) -> list[dict[str, Any]]:
    """The net benefit of each model at each threshold, with tests if its scores take them."""
    positive = sample.positive
    scores = sample.scores
    at: Any = "score" if are_probabilities(scores) else "best"
    trained_at = check_design(sample, **design).trained_at or {}
    rates: Any = {"prevalence": design["prevalence"], "sample_weight": sample.weight}
    benefits = []
    for tau in thresholds:
        flag_all = float(net_benefit(positive, np.ones(len(positive)), thresholds=tau, **rates))
        benefit: dict[str, Estimate] = {}
        gain: dict[str, Comparison] = {}
        for name, score in scores.items():
            of_model: Any = {"thresholds": tau, "trained_at": trained_at[name], **rates}
            value = float(net_benefit(positive, score, at=at, **of_model))
            benefit[name] = Estimate(value, nan, nan, nan)
            gain[name] = Comparison(value - max(flag_all, 0.0), nan, nan, nan, nan, nan)
        pairs = []
        if at == "score" and level is not None and min(sample.units()) > 1:
            default = {"": np.full(len(positive), float(flag_all > 0))}  # a model has a name
            both = sample._replace(scores=scores | default)
            tested = Models(both, check_design(both, **design, threshold=tau))
            for name in scores:
                benefit[name] = tested.interval(name, "net_benefit", level, "adjusted")
                gain[name] = tested.test(name, "", "net_benefit", level)
            pairs = records_of(tested.tests([*scores], "net_benefit", level))
        models = {name: benefit[name]._asdict() | {"gain": gain[name]._asdict()} for name in scores}
        design_point = {"threshold": tau, "at": at, "flag_all": flag_all}
        benefits.append(design_point | {"models": models, "tests": pairs})
    return benefits
