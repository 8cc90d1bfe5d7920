"""What decisions bring, at a threshold from other rows or at the best under a constraint."""

from __future__ import annotations

from math import nan

import numpy as np

from ..curves.curve import Curves
from ..decisions.operating import (
    Constraint,
    ConstraintError,
    check_at,
    choose_points,
    decision_value,
    find_threshold,
)
from ..validation import FloatArray
from .bootstrap import Bootstrap
from .estimates import (
    Estimate,
    PairedTest,
    Settings,
    combine_limits,
    flag_rows,
    jeffreys_limits,
    note_groups,
    note_weights,
    quantile_of,
    share_limits,
    standard_error,
    wilson_limits,
)
from .influence import Influence, InfluenceModel, range_of
from .limits import Inference

SHARES = ("recall", "precision", "specificity", "flagged")


def decide(
    influences: InfluenceModel, at: str | float, settings: Settings
) -> AtThreshold | AtConstraint:
    """Decisions at a threshold that was chosen on other rows, or at the best under a constraint."""
    point = check_at(at)
    if isinstance(point, Constraint):
        return AtConstraint(influences, point, settings)
    thresholds = dict.fromkeys(influences.sample.scores, point)
    return AtThreshold(influences, thresholds, settings)


class AtThreshold(Inference):
    """What decisions bring at fixed thresholds, with errors from what each row adds."""

    def __init__(
        self, influences: InfluenceModel, thresholds: dict[str, float], settings: Settings
    ) -> None:
        super().__init__(influences, settings)
        self.thresholds = thresholds  # by model
        self.refusals: dict[str, str] = {}  # a threshold is always kept
        self._flagged = {
            model: flag_rows(influences.sample, threshold, model)
            for model, threshold in thresholds.items()
        }

    def value(self, measure: str, model: str) -> float:
        """What the flagged rows bring."""
        return self._outcome(measure, *self._flagged[model].shares)

    def interval(self, measure: str, model: str) -> Estimate:
        """Limits of the shares flagged in each class, combined."""
        influences, flagged = self.influences, self._flagged[model]
        result, slopes = self._influence(measure, model)
        if np.isnan(result.value):
            which = "all rows are" if flagged.flagged.all() else "no row is"
            reason = f"At {self.thresholds[model]:.16g} {which} flagged."
            return Estimate(nan, nan, nan, nan, "influence", note=reason)

        def outcome(f: float, t: float) -> float:
            value = self._outcome(measure, f, t)
            return result.value if np.isnan(value) else value  # nobody is flagged: up to there

        variance, df = influences.variance(result)
        # Agresti and Coull's limits lean towards 1/2, and with them a kappa's towards 0.
        limits = jeffreys_limits if measure in ("kappa", "mcc") else share_limits
        low, high = combine_limits(
            influences, flagged, result, slopes, outcome, self.confidence_level, limits
        )
        least, largest = range_of(influences, measure)
        low, high = max(least, low), min(largest, high)
        note = " ".join(filter(None, (note_groups(self.sample), note_weights(self.sample))))
        return Estimate(result.value, standard_error(variance), low, high, "influence", df, note)

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Student's t test of the difference of the rows' influences."""
        results = [self._influence(measure, model)[0] for model in (first, second)]
        difference = results[0] - results[1]
        if np.isnan(difference.value):
            reason = f"At {self.thresholds[first]:.16g} a model flags no row, or all."
            return PairedTest(nan, nan, nan, nan, nan, nan, "influence", reason)
        least, largest = range_of(self.influences, measure)
        return self.test_by_influence(difference, largest - least, first, second)

    def _outcome(self, measure: str, f: float, t: float) -> float:
        p, ratio = self.influences.prevalence, self.influences.cost_ratio
        return float(decision_value(measure, f, t, p, ratio))

    def _influence(self, measure: str, model: str) -> tuple[Influence, tuple[float, float]]:
        """What each row adds, and the derivatives by the shares of negatives and positives."""
        p, ratio = self.influences.prevalence, self.influences.cost_ratio
        flagged, (f, t), _ = self._flagged[model]
        # Derivatives by an imaginary step have no rounding.
        step = 1e-100j
        by_f, by_t, by_p = (
            float(np.imag(decision_value(measure, f + df, t + dt, p + dp, ratio)) / 1e-100)
            for df, dt, dp in ((step, 0, 0), (0, step, 0), (0, 0, step))
        )
        added = np.where(self.sample.positive, by_t, by_f) * flagged
        return Influence(self.value(measure, model), added, by_p), (by_f, by_t)


class AtConstraint(Inference):
    """What models bring at the best thresholds under a constraint, chosen again in resamples."""

    def __init__(
        self, influences: InfluenceModel, constraint: Constraint, settings: Settings
    ) -> None:
        super().__init__(influences, settings)
        self.constraint = constraint
        p = influences.stated_prevalence
        seed, ratio = settings.random_state, influences.cost_ratio
        drawn = Bootstrap(self.sample, settings.n_resamples, seed, p, ratio)
        self.curves = {model: drawn.curve(model) for model in self.sample.scores}
        self.thresholds: dict[str, float] = {}
        self.refusals: dict[str, str] = {}  # why no threshold of a model keeps the constraint
        self._points: dict[str, FloatArray] = {}
        for model, curve in self.curves.items():
            try:
                self.thresholds[model] = find_threshold(curve, constraint, influences.prevalence)
            except ConstraintError as error:
                self.refusals[model] = f"Model {model!r}: {error}" if model else str(error)
                continue
            points = [_choose_rates(curves, constraint, p) for curves in drawn.curves(model)]
            self._points[model] = np.concatenate(points, axis=1)
        self._at_rows = AtThreshold(influences, self.thresholds, settings)

    def value(self, measure: str, model: str) -> float:
        """What the rows' own threshold brings."""
        return self._at_rows.value(measure, model)

    def interval(self, measure: str, model: str) -> Estimate:
        """Percentiles of the resamples, or the limits of their standard deviation if wider.

        A share has Wilson's limits at the number of rows that has this deviation; where resamples
        do not vary, anything else has the limits of a threshold from other rows. Resamples in which
        nobody is flagged have no precision: they count as 0 for the low end and as 1 for the high
        end.
        """
        estimate, values = self.value(measure, model), self._resampled(measure, model)
        if measure == self.constraint.held:
            reason = f"The constraint holds {measure}."
            return Estimate(estimate, nan, nan, nan, "bootstrap", note=reason)
        known = values[~np.isnan(values)]
        error = float(np.std(known, ddof=1)) if len(known) > 1 else nan
        tail, quantile = (1 - self.confidence_level) / 2, quantile_of(self.confidence_level)
        low = float(np.quantile(np.nan_to_num(values, nan=0.0), tail))
        high = float(np.quantile(np.nan_to_num(values, nan=1.0), 1 - tail))
        ends = estimate - quantile * error, estimate + quantile * error
        if measure in SHARES:
            n = float(self.influences.units.min())
            if error > 0 and 0 < estimate < 1:
                n = max(1.0, estimate * (1 - estimate) / error**2)
            ends = wilson_limits(estimate, n, quantile)
        elif error == 0:  # resamples of separated classes do not vary
            fixed = self._at_rows.interval(measure, model)
            ends = fixed.low, fixed.high
        least = range_of(self.influences, measure)[0]
        ends = max(least, min(low, ends[0])), min(1.0, max(high, ends[1]))
        return Estimate(estimate, error, *ends, "bootstrap", note=note_groups(self.sample))

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Test of the difference by percentiles; none of what the constraint holds."""
        difference = self.value(measure, first) - self.value(measure, second)
        differences = self._resampled(measure, first) - self._resampled(measure, second)
        known = ~np.isnan(differences)
        reason = ""
        if measure == self.constraint.held:
            reason = f"The constraint holds {measure}."
        elif 1 - known.mean() > (1 - self.confidence_level) / 2:
            reason = f"In {np.sum(~known)} of {len(known)} resamples a model flags no row."
        if reason:
            return PairedTest(difference, nan, nan, nan, nan, nan, "bootstrap", reason)
        return self.test_by_percentiles(difference, differences[known], first, second)

    def _resampled(self, measure: str, model: str) -> FloatArray:
        f, t, p = self._points[model]
        return np.asarray(decision_value(measure, f, t, p, self.influences.cost_ratio))


def _choose_rates(curves: Curves, constraint: Constraint, prevalence: float | None) -> FloatArray:
    """Rates and prevalence (3, b) at the best threshold of each curve under a constraint."""
    p = curves.prevalence if prevalence is None else np.full(len(curves.fps), prevalence)
    chosen = choose_points(constraint, curves, p)[:, None]
    rates = [np.take_along_axis(rate, chosen, axis=1)[:, 0] for rate in curves.rates]
    return np.stack([*rates, p])
