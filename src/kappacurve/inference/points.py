"""Inference at thresholds: a fixed one, or the best one of these rows under a constraint."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import Conditions, FloatArray, check_one_prevalence
from kappacurve.inference._placements import Area
from kappacurve.inference._resampling import draw_counts
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import FEWEST_FOR_TESTS, Models, Outcome, same
from kappacurve.inference.bootstrap import compared
from kappacurve.inference.permutation import FEWEST_FOR_BOOTSTRAP
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Family,
    Sampling,
    check_repeats,
    normal_quantile,
    wilson_interval,
)
from kappacurve.inference.simultaneous import together_by_resamples
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

    def __init__(
        self, sample: Sample, at: Conditions, estimated: bool, thresholds: Mapping[str, float]
    ) -> None:
        self._models, self._at = Models(sample, at, estimated), at
        self._p, self.thresholds = check_one_prevalence(at.prevalence), thresholds
        self._flagged = {
            model: score >= thresholds[model] for model, score in sample.scores.items()
        }

    def interval(self, model: str, quantity: str, level: float) -> Estimate:
        """Agresti and Coull's limits of the shares flagged in each class, combined."""
        area, outcome = self._decided(model, quantity)
        if np.isnan(area.value):
            return Estimate(nan, nan, nan, nan)
        span = _span(quantity, self._p, self._at)
        return self._models.decided_interval(area, self._flagged[model], outcome, span, level)

    def test(self, first: str, second: str, quantity: str, level: float) -> Comparison:
        """Student's t test of the difference, of precision and kappa by both models' intervals."""
        (area, outcome), (other, its) = (
            self._decided(model, quantity) for model in (first, second)
        )
        if np.isnan(area.value - other.value):
            return Comparison(nan, nan, nan, nan, nan, nan)
        flagged = [self._flagged[model] for model in (first, second)]
        if quantity in CURVED:
            tested = self._models.test_by_own_ends([area, other], flagged, [outcome, its], level)
        else:
            varying = its if same(flagged[0]) else outcome
            tested = self._models.decided_test([area, other], flagged, varying, level)
        least, most = _span(quantity, self._p, self._at)
        # Student's t of a few rows goes beyond what can differ.
        low, high = max(tested.low, least - most), min(tested.high, most - least)
        tested = tested._replace(low=low, high=high)
        few = min(self._models.sample.units()) < FEWEST_FOR_TESTS
        return tested._replace(p_value=nan) if few and tested.standard_error > 0 else tested

    def tests(self, quantity: str, level: float) -> Family:
        """Tests of every two models, with intervals that hold together and adjusted p values."""
        areas = {model: self._decided(model, quantity)[0] for model in self._flagged}
        # A model that flags nobody has no precision, and no test.
        models = [model for model, area in areas.items() if not np.isnan(area.value)]

        def test(first: str, second: str, at: float) -> Comparison:
            return self.test(first, second, quantity, at)

        own = [areas[model] for model in models], [self._flagged[model] for model in models]
        told = self._models.tests_of(models, *own, test, level, by_ends=quantity in CURVED)
        return {
            pair: told[pair] if pair in told else (test(*pair, level), nan)
            for pair in combinations(areas, 2)
        }

    def _decided(self, model: str, quantity: str) -> tuple[Area, Outcome]:
        """What a model's decisions bring, with what each row adds."""
        positive, flagged = self._models.sample.positive, self._flagged[model]
        rate = self._models.sample.share
        place = np.array([rate(flagged, positive)[0], rate(flagged, ~positive)[0], self._p])

        def value(t: Any, f: Any, p: Any) -> Any:
            return decided(quantity, f, t, p, self._at.cost)

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

        return Area(estimate, rows, float(by_p)), Outcome(brought, (by_tpr, by_fpr))


class AtConstraint:
    """What models bring at the best thresholds under a constraint, chosen anew in resamples.

    Raises a ValueError if no threshold of a model meets the constraint.
    """

    method = "bootstrap"

    def __init__(
        self,
        sample: Sample,
        at: Conditions,
        estimated: bool,
        constraint: Constraint,
        n_resamples: int,
        random_state: int,
    ) -> None:
        check_repeats("n_resamples", n_resamples)
        self._sample, self._at, self._constraint = sample, at, constraint
        self._p = check_one_prevalence(at.prevalence)
        models = {model: SortedRows(sample.scored(model)) for model in sample.scores}
        self.thresholds = own_thresholds(models, constraint, self._p)
        blocks: dict[str, list[FloatArray]] = {model: [] for model in models}
        sampling: Sampling = "random" if estimated else "stratified"
        design = sampling, n_resamples, random_state, sample.groups
        for counts in draw_counts(sample.positive, *design):
            for model, rows in models.items():
                blocks[model].append(
                    rows.points(constraint, counts, None if estimated else self._p)
                )
        self._points = {model: np.concatenate(each) for model, each in blocks.items()}

    def value(self, model: str, quantity: str) -> float:
        """What the rows' own threshold brings."""
        flagged, positive = self._flagged(model), self._sample.positive
        fpr, tpr = (self._sample.share(flagged, side)[0] for side in (~positive, positive))
        return float(decided(quantity, fpr, tpr, self._p, self._at.cost))

    def interval(self, model: str, quantity: str, level: float) -> Estimate:
        """Percentiles of the resamples, or the limits of their standard deviation if wider.

        A share has Wilson's limits at the number of rows that has this deviation. Resamples in
        which nobody is flagged have no precision: they count as 0 for the low end and as 1 for
        the high end.
        """
        estimate, drawn = self.value(model, quantity), self._drawn(model, quantity)
        if quantity == self._constraint.held:
            return Estimate(estimate, nan, nan, nan, "bootstrap")
        error = float(np.nanstd(drawn, ddof=1))
        tail, quantile = (1 - level) / 2, normal_quantile(level)
        low = float(np.quantile(np.nan_to_num(drawn, nan=0.0), tail))
        high = float(np.quantile(np.nan_to_num(drawn, nan=1.0), 1 - tail))
        ends = np.array([estimate - quantile * error, estimate + quantile * error])
        if quantity in SHARES:
            n = float(min(self._sample.units()))
            if error > 0 and 0 < estimate < 1:
                n = max(1.0, estimate * (1 - estimate) / error**2)
            ends = np.array(wilson_interval(estimate, n, quantile))
        ends = np.clip(ends, *_span(quantity, self._p, self._at)).tolist()
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
        return tested._replace(p_value=nan) if few and tested.standard_error > 0 else tested

    def tests(self, quantity: str, level: float) -> Family:
        """Tests of every two models, with intervals that hold together and adjusted p values."""
        alone = {
            pair: self.test(*pair, quantity, level) for pair in combinations(self.thresholds, 2)
        }
        found = {pair: (test, nan) for pair, test in alone.items()}
        drawn = {model: self._drawn(model, quantity) for model in self.thresholds}
        # Models of whose resamples too many flag nobody have no test.
        models = [
            model for model, each in drawn.items() if np.isnan(each).mean() <= (1 - level) / 2
        ]
        if len(models) < 2 or quantity == self._constraint.held:
            return found
        told = np.column_stack([drawn[model] for model in models])
        values = [self.value(model, quantity) for model in models]
        family = {pair: alone[pair] for pair in combinations(models, 2)}
        known = ~np.isnan(told).any(axis=1)
        return found | together_by_resamples(family, values, told[known], level)

    def _flagged(self, model: str) -> npt.NDArray[np.bool_]:
        return self._sample.scores[model] >= self.thresholds[model]

    def _drawn(self, model: str, quantity: str) -> FloatArray:
        fpr, tpr, p, _ = self._points[model].T
        return decided(quantity, fpr, tpr, p, self._at.cost)


def own_thresholds(
    models: Mapping[str, SortedRows], constraint: Constraint, prevalence: float
) -> dict[str, float]:
    """The threshold of each model; raise, with its name, if none meets the constraint."""
    thresholds = {}
    for model, rows in models.items():
        try:
            thresholds[model] = rows.threshold(constraint, prevalence)
        except ValueError as error:
            raise ValueError(f"Model {model!r}: {error}" if model else str(error)) from None
    return thresholds


def points(
    sample: Sample,
    at: Conditions,
    estimated: bool,
    wanted: Constraint | float,
    n_resamples: int,
    random_state: int,
) -> AtThresholds | AtConstraint:
    """Models' decisions at a threshold, or at the best ones under a constraint."""
    if isinstance(wanted, Constraint):
        return AtConstraint(sample, at, estimated, wanted, n_resamples, random_state)
    return AtThresholds(sample, at, estimated, dict.fromkeys(sample.scores, wanted))


def _span(quantity: str, p: float, at: Conditions) -> tuple[float, float]:
    """What a quantity can be."""
    return (least_kappa(p, at.cost) if quantity == "kappa" else 0.0), 1.0
