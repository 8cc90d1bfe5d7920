"""What decisions bring, at a threshold from other rows or at the best under a constraint."""

from __future__ import annotations

from collections.abc import Callable
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from ._bootstrap import Bootstrap
from ._curve import Curves
from ._influence import Influence, Influences, range_of, widest_difference
from ._results import (
    Comparison,
    Deviations,
    Estimate,
    invert_interval,
    note_groups,
    percentile_test,
    quantile_of,
    root,
    share_limits,
    student_test,
    wilson_limits,
)
from .operating import (
    Constraint,
    ConstraintError,
    check_at,
    choose_points,
    decision_value,
    find_threshold,
)
from .validation import BoolArray, FloatArray, Sample

SHARES = ("recall", "precision", "specificity", "flagged")
CURVED = ("precision", "kappa")  # not linear in the shares flagged


def decide(
    rows: Influences, at: str | float, n_resamples: int, random_state: int
) -> AtThreshold | AtConstraint:
    """Decisions at a threshold that was chosen on other rows, or at the best under a constraint."""
    point = check_at(at)
    if isinstance(point, Constraint):
        return AtConstraint(rows, point, n_resamples, random_state)
    return AtThreshold(rows, dict.fromkeys(rows.sample.scores, point))


class AtThreshold:
    """What decisions bring at thresholds from other rows, by what each row adds."""

    def __init__(self, rows: Influences, thresholds: dict[str, float]) -> None:
        self._rows = rows
        self.thresholds = thresholds  # by model
        self.refusals: dict[str, str] = {}  # a threshold is always kept
        self._rates: dict[str, tuple[float, float]] = {}

    def decision(self, quantity: str, model: str) -> Decision:
        """Which rows a model flags, and what that brings."""
        rows = self._rows
        sample, p, ratio = rows.sample, rows.prevalence, rows.cost_ratio
        flagged = sample.scores[model] >= self.thresholds[model]
        if model not in self._rates:
            self._rates[model] = _rates(sample, flagged)
        f, t = self._rates[model]
        value = float(decision_value(quantity, f, t, p, ratio))
        # Derivatives by an imaginary step have no rounding.
        step = 1e-100j
        by_f, by_t, by_p = (
            float(np.imag(decision_value(quantity, f + df, t + dt, p + dp, ratio)) / 1e-100)
            for df, dt, dp in ((step, 0, 0), (0, step, 0), (0, 0, step))
        )

        def outcome(t: float, f: float) -> float:
            brought = float(decision_value(quantity, f, t, p, ratio))
            return value if np.isnan(brought) else brought  # nobody is flagged: up to there

        added = np.where(sample.positive, by_t, by_f) * flagged
        return Decision(Influence(value, added, by_p), flagged, outcome, (by_t, by_f))

    def value(self, quantity: str, model: str) -> float:
        """What the flagged rows bring."""
        return self.decision(quantity, model).found.value

    def interval(self, quantity: str, model: str, level: float) -> Estimate:
        """Agresti and Coull's limits of the shares flagged in each class, combined."""
        decision = self.decision(quantity, model)
        value = decision.found.value
        if np.isnan(value):
            return Estimate(nan, nan, nan, nan, "influence", note="No row is flagged.")
        variance, df = self._rows.variance(decision.found)
        low, high = decision_ends(self._rows, decision, level)
        least = range_of(self._rows, quantity)[0]
        note = note_groups(self._rows.sample)
        ends = max(least, low), min(1.0, high)
        return Estimate(value, root(variance), *ends, "influence", df, note)

    def test(self, quantity: str, first: str, second: str, level: float) -> Comparison:
        """Student's t; of precision and kappa both models' limits, combined as by Zou (2007)."""
        rows = self._rows
        a, b = self.decision(quantity, first), self.decision(quantity, second)
        difference = a.found - b.found
        if np.isnan(difference.value):
            reason = "A model flags no row."
            return Comparison(nan, nan, nan, nan, nan, nan, "influence", reason)
        widest = widest_difference(rows, quantity)
        if quantity not in CURVED or np.array_equal(a.flagged, b.flagged):
            return student_test(rows, difference, level, "influence", widest)
        deviations = self._deviations_of_both(a, b, difference)
        error = root(rows.variance(difference)[0])
        return invert_interval(rows.sample, difference.value, error, deviations, level, widest)

    def _deviations_of_both(self, a: Decision, b: Decision, difference: Influence) -> Deviations:
        rows = self._rows
        errors = [root(rows.variance(each.found)[0]) for each in (a, b)]
        variance, product = rows.variance(difference)[0], 2 * errors[0] * errors[1]
        common = errors[0] ** 2 + errors[1] ** 2 - variance
        correlation = min(1.0, common / product) if product else 0.0
        of_first, of_second = decision_deviations(rows, a), decision_deviations(rows, b)

        def deviations(quantile: float) -> tuple[float, float]:
            (down_a, up_a), (down_b, up_b) = of_first(quantile), of_second(quantile)
            down, up = (
                sqrt(max(0.0, x * x + y * y - 2 * correlation * x * y))
                for x, y in ((down_a, up_b), (up_a, down_b))
            )
            return down, up

        return deviations


class AtConstraint:
    """What models bring at the best thresholds under a constraint, chosen again in resamples."""

    def __init__(
        self, rows: Influences, constraint: Constraint, n_resamples: int, random_state: int
    ) -> None:
        self._rows, self._constraint = rows, constraint
        p = rows.stated_prevalence
        drawn = Bootstrap(rows.sample, n_resamples, random_state, p, rows.cost_ratio)
        self.thresholds: dict[str, float] = {}
        self.refusals: dict[str, str] = {}  # why no threshold of a model keeps the constraint
        self._points: dict[str, FloatArray] = {}
        for model in rows.sample.scores:
            try:
                curve = drawn.curve(model)
                self.thresholds[model] = find_threshold(curve, constraint, rows.prevalence)
            except ConstraintError as error:
                self.refusals[model] = f"Model {model!r}: {error}" if model else str(error)
                continue
            points = [_choose_rates(curves, constraint, p) for curves in drawn.curves(model)]
            self._points[model] = np.concatenate(points, axis=1)

    def value(self, quantity: str, model: str) -> float:
        """What the rows' own threshold brings."""
        sample = self._rows.sample
        flagged = sample.scores[model] >= self.thresholds[model]
        f, t = _rates(sample, flagged)
        p, ratio = self._rows.prevalence, self._rows.cost_ratio
        return float(decision_value(quantity, f, t, p, ratio))

    def interval(self, quantity: str, model: str, level: float) -> Estimate:
        """Percentiles of the resamples, or the limits of their standard deviation if wider.

        A share has Wilson's limits at the number of rows that has this deviation. Resamples in
        which nobody is flagged have no precision: they count as 0 for the low end and as 1 for the
        high end.
        """
        estimate, values = self.value(quantity, model), self._resampled(quantity, model)
        if quantity == self._constraint.held:
            reason = f"The constraint holds {quantity}."
            return Estimate(estimate, nan, nan, nan, "bootstrap", note=reason)
        error, tail, quantile = _deviation(values), (1 - level) / 2, quantile_of(level)
        low = float(np.quantile(np.nan_to_num(values, nan=0.0), tail))
        high = float(np.quantile(np.nan_to_num(values, nan=1.0), 1 - tail))
        ends = estimate - quantile * error, estimate + quantile * error
        if quantity in SHARES:
            n = float(self._rows.units.min())
            if error > 0 and 0 < estimate < 1:
                n = max(1.0, estimate * (1 - estimate) / error**2)
            ends = wilson_limits(estimate, n, quantile)
        least = range_of(self._rows, quantity)[0]
        ends = max(least, min(low, ends[0])), min(1.0, max(high, ends[1]))
        return Estimate(estimate, error, *ends, "bootstrap", note=note_groups(self._rows.sample))

    def test(self, quantity: str, first: str, second: str, level: float) -> Comparison:
        """Test of the difference by percentiles; none of what the constraint holds."""
        difference = self.value(quantity, first) - self.value(quantity, second)
        differences = self._resampled(quantity, first) - self._resampled(quantity, second)
        known = ~np.isnan(differences)
        reason = ""
        if quantity == self._constraint.held:
            reason = f"The constraint holds {quantity}."
        elif 1 - known.mean() > (1 - level) / 2:
            reason = f"In {np.sum(~known)} of {len(known)} resamples a model flags no row."
        if reason:
            return Comparison(difference, nan, nan, nan, nan, nan, "bootstrap", reason)
        return percentile_test(self._rows.sample, difference, differences[known], level)

    def _resampled(self, quantity: str, model: str) -> FloatArray:
        f, t, p = self._points[model]
        return np.asarray(decision_value(quantity, f, t, p, self._rows.cost_ratio))


class Decision(NamedTuple):
    """Which rows are flagged, and what that brings, with what each row adds to it.

    `outcome` gives it by the shares of positives and of negatives that are flagged, `slopes` are
    its derivatives by them.
    """

    found: Influence
    flagged: BoolArray
    outcome: Callable[[float, float], float]
    slopes: tuple[float, float]


def decision_deviations(rows: Influences, decision: Decision) -> Deviations:
    """How far below and above its value the limits of a decision's outcome lie.

    Agresti and Coull's limits of the share flagged in each class, at the number of rows that has
    its variance; the distances of what they bring are squared and added (Newcombe 1998, method 10;
    Zou & Donner 2008, Statistics in Medicine 27, 1693-1702). A plain interval has no width where
    all rows of a class are flagged, or none.
    """
    sample, found = rows.sample, decision.found
    shares, sizes, explained = [], [], 0.0
    effective = rows.effective_units
    sides = (sample.positive, effective[1]), (~sample.positive, effective[0])
    for (side, units), slope in zip(sides, decision.slopes, strict=True):
        share, spread = share_of_class(sample, decision.flagged, side)
        shares.append(share)
        sizes.append(max(1.0, share * (1 - share) / spread) if spread > 1e-15 else float(units))
        explained += slope**2 * spread * units / (units - 1)
    counted = counts_positives(rows)
    # What an estimated prevalence, and groups that hold both classes, add to the variance.
    extra = 0.0 if counted else max(0.0, rows.variance(found)[0] - explained)
    t, f = shares
    centre = decision.outcome(t, f)

    def deviations(quantile: float) -> tuple[float, float]:
        down = up = quantile**2 * extra
        if counted:
            ends = wilson_limits(rows.prevalence, len(sample.positive), quantile)
            by_prevalence = [found.slope * (end - rows.prevalence) for end in ends]
            down, up = down + min(by_prevalence) ** 2, up + max(by_prevalence) ** 2
        ends_t, ends_f = (
            share_limits(share, n, quantile) for share, n in zip(shares, sizes, strict=True)
        )
        for outcomes in (
            [decision.outcome(end, f) for end in ends_t],
            [decision.outcome(t, end) for end in ends_f],
        ):
            down, up = down + (min(outcomes) - centre) ** 2, up + (max(outcomes) - centre) ** 2
        return sqrt(down), sqrt(up)

    return deviations


def decision_ends(rows: Influences, decision: Decision, level: float) -> tuple[float, float]:
    down, up = decision_deviations(rows, decision)(quantile_of(level))
    return decision.found.value - down, decision.found.value + up


def _choose_rates(curves: Curves, constraint: Constraint, prevalence: float | None) -> FloatArray:
    """Rates and prevalence (3, b) at the best threshold of each curve under a constraint."""
    p = curves.prevalence if prevalence is None else np.full(len(curves.fps), prevalence)
    chosen = choose_points(constraint, curves, p)[:, None]
    rates = [np.take_along_axis(rate, chosen, axis=1)[:, 0] for rate in curves.rates]
    return np.stack([*rates, p])


def share_of_class(sample: Sample, flagged: BoolArray, side: BoolArray) -> tuple[float, float]:
    """Weighted share of the rows of a class that are flagged, and its variance, not corrected."""
    hits, weight = flagged[side].astype(np.float64), sample.weights[side]
    share = float(np.average(hits, weights=weight))
    moved = weight / weight.sum() * (hits - share)
    if sample.groups is not None:
        moved = np.bincount(sample.groups[side], moved)
    return share, float(moved @ moved)


def _rates(sample: Sample, flagged: BoolArray) -> tuple[float, float]:
    """False and true positive rate of flagged rows."""
    sides = ~sample.positive, sample.positive
    f, t = (share_of_class(sample, flagged, side)[0] for side in sides)
    return f, t


def counts_positives(rows: Influences) -> bool:
    """Whether the prevalence is counted: estimated from independent rows of equal weight."""
    return rows.is_estimated and rows.sample.groups is None and not np.ptp(rows.sample.weights)


def _deviation(values: FloatArray) -> float:
    """Standard deviation of the resamples in which there is a value."""
    known = values[~np.isnan(values)]
    return float(np.std(known, ddof=1)) if len(known) > 1 else nan
