"""Intervals and tests of rankings and losses, by what each row adds or by resamples."""

from __future__ import annotations

from math import hypot, inf, nan, sqrt

import numpy as np

from ..validation import Sample
from .bootstrap import Bootstrap
from .ends import decision_ends, ranking_ends
from .estimates import (
    Estimate,
    Inference,
    PairedTest,
    Settings,
    logit_interval,
    note_groups,
    quantile_of,
    share_limits,
    standard_error,
)
from .exchange import ranking_test
from .influence import LOSSES, TINY, InfluenceModel, possible_range, range_of

MAXIMA = ("auch", "ks", "auk_hull", "h", "kappa_max")  # too high in a sample
RESAMPLED = ("auc", "auk", "average_precision", *MAXIMA, "expected_loss")


class Analytic(Inference):
    """Intervals and tests of the measures in `ANALYTIC`, by what each row adds."""

    def value(self, measure: str, model: str) -> float:
        """The measure of the rows, or its mean over the folds."""
        return self.influences.find(measure, model).value

    def interval(self, measure: str, model: str) -> Estimate:
        """Within folds Student's t on the logit scale, as for losses; else as in `ends`."""
        influences, confidence_level = self.influences, self.confidence_level
        sample, score = self.sample, self.sample.scores[model]
        result = influences.find(measure, model)
        variance, df = influences.variance(result)
        error, note = standard_error(variance), note_groups(sample)
        lowest, highest, _ = possible_range(influences, measure)
        if measure not in ("auc", "auk") or sample.folds is not None:
            spread, reason = error, "The folds do not vary: no interval."
            if sample.folds is None:
                df = influences.df
                spread = standard_error(max(variance, implied_variance(influences, measure, model)))
                reason = "The loss does not vary: no interval."
            quantile = quantile_of(confidence_level, df)
            low, high = logit_interval(result.value, spread, quantile, lowest, highest)
            if np.isnan(low):
                note = reason
        elif score.min() == score.max():
            low = high = nan
            note = "All rows have one score."
        elif ((score == score.min()) | (score == score.max())).all():
            low, high = decision_ends(influences, measure, model, confidence_level)
        else:
            low, high = ranking_ends(influences, measure, model, confidence_level)
        method = "delong" if measure == "auc" and sample.folds is None else "influence"
        # NaN stays NaN.
        low, high = float(np.maximum(low, lowest)), float(np.minimum(high, highest))
        return Estimate(result.value, error, low, high, method, df if error else inf, note)

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Of a ranking as `ranking_test`; of a loss, and within folds, Student's t."""
        influences = self.influences
        if measure in ("auc", "auk") and self.sample.folds is None:
            return ranking_test(influences, measure, first, second, self.confidence_level)
        difference = influences.find(measure, first) - influences.find(measure, second)
        widest = possible_range(influences, measure)[2]
        return self.test_by_influence(difference, widest, first, second)


class Resampled(Inference):
    """Intervals and tests of the measures in `RESAMPLED`, by the bootstrap."""

    def __init__(self, influences: InfluenceModel, settings: Settings) -> None:
        super().__init__(influences, settings)
        p, ratio = influences.stated_prevalence, influences.cost_ratio
        self.drawn = Bootstrap(self.sample, settings.n_resamples, settings.random_state, p, ratio)

    def value(self, measure: str, model: str) -> float:
        """The measure of the rows, or its mean over the folds."""
        return self.drawn.observed[model][measure]

    def interval(self, measure: str, model: str) -> Estimate:
        """Student's t on the logit scale, with the resamples' standard deviation.

        Maxima and measures of the hull are too high in a sample, and again in its resamples, but
        there by about half as much: the interval is centred at the estimate less twice the bias
        that the resamples show, whose square is added to the variance (of H, of half of it).
        """
        influences, drawn = self.influences, self.drawn
        estimate, values = self.value(measure, model), drawn.resampled[model][measure]
        df, error = influences.df, standard_error(np.var(values, ddof=1))
        if reason := _why_no_interval(self.sample, model):
            return Estimate(estimate, error, nan, nan, "bootstrap", df, reason)
        lowest, highest = range_of(influences, measure)
        least = lowest
        if measure in MAXIMA:
            least = 0.5 if measure == "auch" else 0.0
            if measure != "auk_hull" or drawn.prevalence is None:
                lowest = 2 * least - highest  # the logit scale reaches below the least value
        bias = 0.0
        if error and measure in (*MAXIMA, "expected_loss"):
            shown = float(np.mean(values)) - estimate
            bias = min(0.0, shown) if measure == "expected_loss" else max(0.0, shown)
        centre, spread = estimate - 2 * bias, hypot(error, (1 if measure == "h" else 2) * bias)
        quantile = quantile_of(self.confidence_level, df)
        low = high = nan
        if lowest < centre < highest:
            low, high = logit_interval(centre, spread, quantile, lowest, highest)
        elif error:
            low = max(lowest, centre - quantile * spread)
            high = min(highest, centre + quantile * spread)
        # Corrected for bias, a narrow interval may miss the estimate. NaN stays NaN.
        low, high = float(np.maximum(low, least)), float(np.maximum(high, least))
        low, high = float(np.minimum(low, estimate)), float(np.maximum(high, estimate))
        if measure == "ks":
            low = min(low, self._lower_ks(model))
        if measure in ("auk", "auk_hull"):
            high = float(np.minimum(high, max(estimate, possible_range(influences, "auk")[1])))
        note = "The resamples do not vary: no interval."
        if error:
            note = note_groups(self.sample)
        return Estimate(estimate, error, low, high, "bootstrap", df, note)

    def test(self, measure: str, first: str, second: str) -> PairedTest:
        """Percentile interval of a difference, and the p value at which it just excludes zero."""
        difference = self.value(measure, first) - self.value(measure, second)
        values = self.drawn.resampled
        differences = values[first][measure] - values[second][measure]
        return self.test_by_percentiles(difference, differences, first, second)

    def _lower_ks(self, model: str) -> float:
        """The lower limit of t - f at the threshold that makes it largest, by both shares' limits.

        Resamples of a few positives, all above that threshold, show hardly any error.
        """
        f, t = (rate[0] for rate in self.drawn.curve(model).rates)
        best = int((t - f).argmax())
        zeros, ones = self.influences.effective_units.tolist()
        quantile = quantile_of(self.confidence_level)
        least = share_limits(float(t[best]), ones, quantile)[0]
        most = share_limits(float(f[best]), zeros, quantile)[1]
        return max(0.0, float(t[best] - f[best]) - hypot(t[best] - least, most - f[best]))


def implied_variance(influences: InfluenceModel, measure: str, model: str) -> float:
    """Variance of a mean loss if the probabilities are right; 0 where the losses contradict them.

    Where large losses are rare a sample may hold none, and its own variance is too small. Losses
    that lie more than two standard errors below what the probabilities imply contradict them: they
    are not extreme enough, and would imply far too much.
    """
    sample, p = influences.sample, influences.sample.prevalence
    if abs(influences.prevalence - p) * len(sample.positive) > 1:
        return 0.0  # the probabilities belong to another share of positives
    q = np.clip(sample.scores[model], TINY, 1 - TINY)
    if_positive, if_negative = LOSSES[measure](q)
    mean = q * if_positive + (1 - q) * if_negative
    share = sample.weights / sample.weights.sum()
    is_open = (q > TINY) & (q < 1 - TINY)  # 0 and 1 imply that the loss is 0
    mean *= is_open
    within = float(share**2 @ (is_open * q * (1 - q) * (if_positive - if_negative) ** 2))
    expected = float(share @ mean)
    if expected - influences.find(measure, model).value > 2 * sqrt(within):
        return 0.0
    between = share * (mean - expected)
    if sample.groups is not None:
        between = np.bincount(sample.groups, between)
    variance = within + float(between @ between)
    if not influences.is_estimated:  # less what the number of positives explains
        positives = float(share @ q)
        slope = (share * q) @ if_positive / positives
        slope -= (share * (1 - q)) @ if_negative / (1 - positives)
        variance -= float(slope**2 * positives * (1 - positives) * (share @ share))
    return max(0.0, variance)


def _why_no_interval(sample: Sample, model: str) -> str:
    """Why resampling gives no interval, or "": such scores are the same in all resamples."""
    score = sample.scores[model]
    ones, zeros = score[sample.positive], score[~sample.positive]
    if ones.min() > zeros.max() or ones.max() < zeros.min():
        return "The scores separate the classes: resampling gives no interval."
    return "All rows have one score." if score.min() == score.max() else ""
