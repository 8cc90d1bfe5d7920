"""Inference at thresholds: a fixed one, or the best one of these rows under a constraint."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

from kappacurve._validation import Conditions, FloatArray
from kappacurve.inference.analytic import Area, Decisions, Models
from kappacurve.inference.resampling import FEWEST_FOR_BOOTSTRAP, compared, draw_counts
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Family,
    Repeats,
    check_repeats,
    normal_quantile,
    together_by_resamples,
    wilson_interval,
    without_p_value,
)
from kappacurve.kappa import least_kappa
from kappacurve.operating import Constraint, SortedRows, decided

SHARES = ("recall", "precision", "specificity", "flagged")
# No straight lines in the shares flagged.
CURVED = ("precision", "kappa")
# Of the derivatives of what decisions bring, as a share of what is flagged.
STEP = 1e-6


class AtThresholds:
    """What decisions at thresholds from other rows bring, by what each row adds."""

    method = "influence"

    def __init__(self, models: Models, thresholds: Mapping[str, float]) -> None:
        self._models = models
        self.thresholds = thresholds

    def interval(self, model: str, quantity: str, level: float) -> Estimate:
        """Agresti and Coull's limits of the shares flagged in each class, combined."""
        area = self._area(model, quantity)
        if np.isnan(area.value):
            return Estimate(nan, nan, nan, nan)
        return self._models.decided_interval(area, level)

    def test(self, first: str, second: str, quantity: str, level: float) -> Comparison:
        """Student's t test of the difference, of precision and kappa by both models' intervals."""
        areas = self._area(first, quantity), self._area(second, quantity)
        if np.isnan(areas[0].value - areas[1].value):
            return Comparison(nan, nan, nan, nan, nan, nan)
        return self._models.test_of(*areas, level)

    def tests(self, quantity: str, level: float) -> Family:
        """Tests of every two models, with intervals that hold together and adjusted p values."""
        areas = {model: self._area(model, quantity) for model in self.thresholds}
        # A model that flags nobody has no precision, and no test.
        known = {model: area for model, area in areas.items() if not np.isnan(area.value)}
        tests = self._models.tests_of(known, level)
        return {
            pair: tests[pair] if pair in tests else (self.test(*pair, quantity, level), nan)
            for pair in combinations(areas, 2)
        }

    def _area(self, model: str, quantity: str) -> Area:
        """What a model's decisions bring, with what each row adds."""
        sample, at = self._models.sample, self._models.at
        p = at.prevalence
        positive = sample.positive
        flagged = sample.scores[model] >= self.thresholds[model]
        place = np.array([*(sample.share(flagged, side)[0] for side in (positive, ~positive)), p])

        def value(t: Any, f: Any, p: Any) -> Any:
            return decided(quantity, f, t, p, at.cost)

        # Central differences, one-sided at the ends of the rates.
        t, f, p = place
        share = float(decided("flagged", f, t, p)) or 1.0
        steps = STEP * np.diag([min(1, share / p), min(1, share / (1 - p)), p * (1 - p)])
        ends = np.clip([place + steps, place - steps], 0, 1)
        above, below = (value(*rows.T) for rows in ends)
        by_tpr, by_fpr, by_p = (above - below) / np.diagonal(ends[0] - ends[1])
        rows = np.where(positive, by_tpr, by_fpr) * flagged
        estimate = float(value(*place))

        def brought(t: float, f: float) -> float:
            found = float(value(t, f, p))
            return estimate if np.isnan(found) else found  # nobody is flagged: up to there

        span = _span(quantity, at)
        decisions = Decisions(flagged, brought, (by_tpr, by_fpr), span, quantity in CURVED)
        within = span[0] - span[1], span[1] - span[0]
        return Area(estimate, rows, float(by_p), decisions=decisions, within=within)


class AtConstraint:
    """What models bring at the best thresholds under a constraint, found again in resamples."""

    method = "bootstrap"

    def __init__(self, models: Models, constraint: Constraint, repeats: Repeats) -> None:
        self._sample = models.sample
        self._at = models.at
        self._constraint = constraint
        self._repeats = repeats
        self._p = models.at.prevalence
        self._rows = {name: SortedRows(self._sample.scored(name)) for name in self._sample.scores}
        self.thresholds = {model: self._threshold(model) for model in self._rows}

    def _threshold(self, model: str) -> float:
        try:
            return self._rows[model].threshold(self._constraint, self._p)
        except ValueError as error:
            raise ValueError(f"Model {model!r}: {error}" if model else str(error)) from None

    @cached_property
    def _points(self) -> dict[str, FloatArray]:
        """fpr, tpr, prevalence and place of the threshold of each model in each resample."""
        p = None if self._at.estimated else self._p
        check_repeats("n_resamples", self._repeats[0])
        blocks = [
            [rows.points(self._constraint, counts, p) for rows in self._rows.values()]
            for counts in draw_counts(self._sample, self._at, self._repeats)
        ]
        return dict(zip(self._rows, map(np.concatenate, zip(*blocks, strict=True)), strict=True))

    def value(self, model: str, quantity: str) -> float:
        """What the rows' own threshold brings."""
        flagged = self._sample.scores[model] >= self.thresholds[model]
        positive = self._sample.positive
        fpr, tpr = (self._sample.share(flagged, side)[0] for side in (~positive, positive))
        return float(decided(quantity, fpr, tpr, self._p, self._at.cost))

    def interval(self, model: str, quantity: str, level: float) -> Estimate:
        """Percentiles of the resamples, or the limits of their standard deviation if wider.

        A share has Wilson's limits at the number of rows that has this deviation. Resamples in
        which nobody is flagged have no precision: they count as 0 for the low end and as 1 for
        the high end.
        """
        estimate = self.value(model, quantity)
        drawn = self._drawn(model, quantity)
        if quantity == self._constraint.held:
            return Estimate(estimate, nan, nan, nan, "bootstrap")
        error = float(np.nanstd(drawn, ddof=1))
        tail = (1 - level) / 2
        quantile = normal_quantile(level)
        low = float(np.quantile(np.nan_to_num(drawn, nan=0.0), tail))
        high = float(np.quantile(np.nan_to_num(drawn, nan=1.0), 1 - tail))
        ends = np.array([estimate - quantile * error, estimate + quantile * error])
        if quantity in SHARES:
            n = float(min(self._sample.units()))
            if error > 0 and 0 < estimate < 1:
                n = max(1.0, estimate * (1 - estimate) / error**2)
            ends = np.array(wilson_interval(estimate, n, quantile))
        ends = np.clip(ends, *_span(quantity, self._at)).tolist()
        return Estimate(estimate, error, min(low, ends[0]), max(high, ends[1]), "bootstrap")

    def test(self, first: str, second: str, quantity: str, level: float) -> Comparison:
        """Test of the difference; none of what the constraint holds."""
        difference = self.value(first, quantity) - self.value(second, quantity)
        drawn = self._drawn(first, quantity) - self._drawn(second, quantity)
        known = ~np.isnan(drawn)
        lost = 1 - known.mean() > (1 - level) / 2  # an end of the interval
        if lost or quantity == self._constraint.held:
            return Comparison(difference, nan, nan, nan, nan, nan, "bootstrap")
        tested = compared(difference, drawn[known], level)
        few = min(self._sample.units()) < FEWEST_FOR_BOOTSTRAP
        return without_p_value(tested, few)

    def tests(self, quantity: str, level: float) -> Family:
        """Tests of every two models, with intervals that hold together and adjusted p values."""
        pairs = combinations(self.thresholds, 2)
        alone = {pair: self.test(*pair, quantity, level) for pair in pairs}
        found = {pair: (test, nan) for pair, test in alone.items()}
        drawn = {model: self._drawn(model, quantity) for model in self.thresholds}
        # Models of whose resamples too many flag nobody have no test.
        tail = (1 - level) / 2
        models = [model for model in drawn if np.isnan(drawn[model]).mean() <= tail]
        if len(models) < 2 or quantity == self._constraint.held:
            return found
        values = [self.value(model, quantity) for model in models]
        family = {pair: alone[pair] for pair in combinations(models, 2)}
        table = np.column_stack([drawn[model] for model in models])
        known = ~np.isnan(table).any(axis=1)
        return found | together_by_resamples(family, values, table[known], level)

    def _drawn(self, model: str, quantity: str) -> FloatArray:
        fpr, tpr, p, _ = self._points[model].T
        return decided(quantity, fpr, tpr, p, self._at.cost)


def points(
    models: Models, point: Constraint | float, repeats: Repeats, lower: Collection[str] = ()
) -> AtThresholds | AtConstraint:
    """Models' decisions at a threshold, or at the best ones under a constraint.

    A threshold is on the scale of each model's scores, also of those in `lower`.
    """
    if isinstance(point, Constraint):
        return AtConstraint(models, point, repeats)
    thresholds = {name: -point if name in lower else point for name in models.sample.scores}
    return AtThresholds(models, thresholds)


def _span(quantity: str, at: Conditions) -> tuple[float, float]:
    """What a quantity can be."""
    return (least_kappa(at.prevalence, at.cost) if quantity == "kappa" else 0.0), 1.0
