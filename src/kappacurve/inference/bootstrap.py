"""Bootstrap intervals and paired tests for every measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from kappacurve._ranking import measure_scores
from kappacurve._validation import Axis, Cost, FloatArray, Scored, check_one_cost
from kappacurve.auk import auk_range
from kappacurve.h_measure import beta_at_cost
from kappacurve.inference._resampling import SortedScores, resampled
from kappacurve.inference.permutation import holds_size
from kappacurve.inference.results import (
    ROUNDING,
    Comparison,
    Estimate,
    Sampling,
    check_confidence,
    check_design,
    check_repeats,
    check_rows,
    no_interval_reason,
    normal_interval,
)
from kappacurve.kappa import error_weights, least_kappa_max
from kappacurve.measures import MEASURES, RANKING

# Maxima and measures of the hull: chance can only raise them, so they lie too high in a sample.
BIASED = tuple(name for name in RANKING if MEASURES[name].of_hull)
LOSS = "expected_loss"
# Resamples of the sample's stepped curve show only about half of that bias.
BIAS_BY_SHOWN_BIAS = 2.0
# By how much of the shown bias an interval is widened, if not by all that is taken off.
WIDENED_BY = {"h": 1.0}


def bootstrap_intervals(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    sampling: Sampling = "stratified",
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Bootstrap standard errors and intervals of all measures at once.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, confidence
        As in :func:`delong_interval`.
    prevalence : float in (0, 1), optional
        Class ratio at which kappa and H are evaluated; by default the share of positives in
        `y_true`, fixed ("stratified") or that of each resample ("random").
    cost, cost_ratio, axis
        As in :func:`kappacurve.measures`.
    sampling : {"stratified", "random"}, default "stratified"
        "stratified" draws as many rows of each class as there are; "random" draws rows whatever
        their class, for test sets whose class ratio came about by chance.
    n_resamples : int, default 2000
    seed : int, default 0
        The same seed, data and options give the same result on every run.

    Returns
    -------
    dict of Estimate
        By name, for all measures of :func:`kappacurve.measures` but the operating point.
        standard_error is the standard deviation of the resamples.

    Raises
    ------
    ValueError
        As :func:`delong_interval`, or if an option is unknown or out of range.

    Notes
    -----
    An interval is the normal one on the logit scale of the measure's range, as those of
    :func:`delong_interval`, with the resamples' standard deviation. Maxima and measures of the
    hull lie too high in a sample, and in resamples once more, but by less: about half as much.
    Their intervals are therefore centred at the estimate less twice the mean difference between
    resamples and sample, and the square of that correction, which is itself uncertain, is added to
    the variance (of H, of half of it: H would be covered too often).

    A hull is nowhere below its curve, so that the lower end of AUC and AUK holds for AUCH and the
    hull's AUK. With an AUC above 1/2, KS, the largest kappa and H cannot be 0: their lower ends
    are raised to the least value that the AUC's lower end allows. No two intervals contradict.

    The centring works in simulations, without a proof: the bootstrap is known to fail for such
    measures; docs/measures.md has the coverage. With separated classes or constant scores low and
    high are NaN: whatever rows are drawn, the scores rank them alike.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 10.6, on intervals less
    their bias. Kim & Pollard (1990), "Cube root asymptotics", Annals of Statistics 18, 191-219,
    doi:10.1214/aos/1176347498, on why maxima over a curve differ.

    Examples
    --------
    >>> y_true = [0, 0, 1, 0, 0, 0, 1, 0, 1, 1]
    >>> y_score = [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.55, 0.7, 0.8, 0.9]
    >>> found = bootstrap_intervals(y_true, y_score, n_resamples=200, seed=1)
    >>> round(found["auk"].estimate, 4), found["auk"].low < 0.2801 < found["auk"].high
    (0.2801, True)
    """
    check_confidence(confidence)
    scored = check_rows(y_true, y_score, pos_label, sample_weight)
    at = _conditions(scored, prevalence, cost, cost_ratio, axis, sampling)
    return Bootstrap([scored], at, sampling, n_resamples, seed).intervals(0, confidence)


def bootstrap_tests(
    y_true: npt.ArrayLike,
    y_score_a: npt.ArrayLike,
    y_score_b: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    sampling: Sampling = "stratified",
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
) -> dict[str, Comparison]:
    """Paired bootstrap tests of all measures between two sets of scores on the same rows.

    Parameters
    ----------
    y_true, y_score_a, y_score_b
        As in :func:`delong_test`. Resamples draw rows, so that pairs stay together.
    others
        As in :func:`bootstrap_intervals`.

    Returns
    -------
    dict of Comparison
        Under the names of :func:`bootstrap_intervals`. difference is a - b; standard_error the
        standard deviation of its resamples; low and high its percentile interval; statistic
        their ratio; p_value the share of resamples that lie as far from the difference as the
        difference from zero, counting the sample itself: 1 / (n_resamples + 1) at least. All but
        the difference are NaN where every resample has the same, and p_value with fewer than 20
        rows of a class, as in :func:`delong_test`.

    References
    ----------
    Hall & Wilson (1991), "Two guidelines for bootstrap hypothesis testing", Biometrics 47,
    757-762, guideline 1, doi:10.2307/2532163. Davison & Hinkley (1997), equation 4.11.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1] * 5
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9] * 5
    >>> b = [0.2, 0.6, 0.4, 0.7, 0.3, 0.5, 0.8, 0.9] * 5
    >>> found = bootstrap_tests(y_true, a, b, n_resamples=200)["h"]
    >>> round(found.difference, 4), found.p_value < 0.05
    (0.3452, True)
    """
    check_confidence(confidence)
    pair = [check_rows(y_true, y, pos_label, sample_weight) for y in (y_score_a, y_score_b)]
    at = _conditions(pair[0], prevalence, cost, cost_ratio, axis, sampling)
    found = Bootstrap(pair, at, sampling, n_resamples, seed).tests(0, 1, confidence)
    if holds_size(pair[0].positive):
        return found
    return {name: one._replace(p_value=nan) for name, one in found.items()}


class Bootstrap:
    """Resamples that several sets of scores share, each measured once for intervals and tests."""

    def __init__(
        self,
        scores: Sequence[Scored],
        at: dict[str, Any],
        sampling: Sampling,
        n_resamples: int,
        seed: int,
        n_jobs: int | None = None,
        progress: TextIO | None = None,
        with_loss: bool = False,
    ) -> None:
        check_repeats("n_resamples", n_resamples)
        self._scores, self._at = scores, at
        self._names = (*RANKING, *[LOSS] * with_loss)
        self.observed = [
            {name: float(value[0]) for name, value in measured.items()}
            for measured in (
                measure_scores(one.positive[None], one.score[None], **at).measures for one in scores
            )
        ]
        ready, drawn = [SortedScores(one, at) for one in scores], (seed, n_jobs, progress)
        self.drawn = resampled(ready, scores[0].positive, sampling, n_resamples, *drawn)

    def intervals(self, i: int, confidence: float) -> dict[str, Estimate]:
        """Intervals of all measures of the i-th scores."""
        scored = self._scores[i]
        found = {
            name: estimated(name, self.observed[i][name], self.drawn[i][name], confidence, self._at)
            for name in self._names
        }
        if no_interval_reason(scored.positive, scored.score):
            return {name: one._replace(low=nan, high=nan) for name, one in found.items()}
        share = self._at["prevalence"] or float(scored.positive.mean())
        return agreed(found, share, self._at["cost"])

    def tests(self, i: int, j: int, confidence: float) -> dict[str, Comparison]:
        """Tests of all measures between the i-th and the j-th scores."""
        return {
            name: compared(
                self.observed[i][name] - self.observed[j][name],
                self.drawn[i][name] - self.drawn[j][name],
                confidence,
            )
            for name in self._names
        }


def _conditions(
    scored: Scored,
    prevalence: float | None,
    cost: Cost | None,
    cost_ratio: float | None,
    axis: Axis,
    sampling: Sampling,
) -> dict[str, Any]:
    """At what all resamples are measured."""
    p, estimated = check_design(scored, prevalence, sampling)
    fixed = None if estimated else p
    return {"prevalence": fixed, "cost": check_one_cost(cost, cost_ratio), "axis": axis}


def estimated(
    name: str, estimate: float, drawn: FloatArray, confidence: float, at: dict[str, Any]
) -> Estimate:
    """Interval on the logit scale about the estimate less its bias, widened by that bias.

    There is none if all resamples are the same.
    """
    lowest, highest = (0, 1) if name == LOSS else MEASURES[name][1:3]
    within = 2 * lowest - highest if name in BIASED else lowest, highest
    if name in ("auk", "auk_hull") and at["prevalence"] is not None:
        within = auk_range(**at)
    error = _spread(drawn)
    shown = 0.0
    if error and name in (*BIASED, LOSS):  # chance can only raise the one, and lower the other
        shown = (min if name == LOSS else max)(0.0, float(np.mean(drawn)) - estimate)
    centre = estimate - BIAS_BY_SHOWN_BIAS * shown
    spread = float(np.hypot(error, WIDENED_BY.get(name, BIAS_BY_SHOWN_BIAS) * shown))
    centred = normal_interval(centre, spread, confidence, "logit", within)
    return Estimate(estimate, error, *np.maximum(centred[2:], lowest).tolist())


def agreed(
    found: Mapping[str, Estimate], prevalence: float, cost: Cost = 0.5
) -> dict[str, Estimate]:
    """Raise lower ends to what the curve's areas imply, so that no two intervals contradict.

    A hull is nowhere below its curve, so the curve's lower end holds for its area too. With an AUC
    above 1/2, KS, the largest kappa and H have a least value (of KS: 1 - sqrt(2 (1 - AUC))).
    """
    held, auc = dict(found), found["auc"].low
    if np.isnan(auc):
        return held
    for hull, curve in (("auch", "auc"), ("auk_hull", "auk")):
        low = max(MEASURES[hull].low, found[curve].low)
        held[hull] = held[hull]._replace(low=low, high=max(low, held[hull].high))
    if auc <= 0.5:
        return held
    floors = {"ks": least_kappa_max(auc, prevalence, "balanced")}
    floors["kappa_max"] = least_kappa_max(auc, prevalence, cost)
    if held["h"].low == 0:  # the bound takes a tenth of a second
        from kappacurve.bounds.h_bounds import h_bounds

        weight = beta_at_cost(*error_weights(cost, prevalence, 1 - prevalence))
        if np.isfinite(weight).all():
            alpha, beta = map(float, weight)
            floors["h"] = float(h_bounds(auc, prevalence, alpha=alpha, beta=beta).lower)
    for name, floor in floors.items():
        low = max(held[name].low, floor)
        held[name] = held[name]._replace(low=low, high=max(low, held[name].high))
    return held


def compared(difference: float, drawn: FloatArray, confidence: float) -> Comparison:
    """Test of a difference from its resamples; none if they are all the same."""
    error = _spread(drawn)
    # Centred at the difference: the resamples then show how far chance takes a true zero.
    as_far = np.abs(drawn - difference) >= abs(difference) - ROUNDING
    p_value = float((1 + as_far.sum()) / (1 + len(drawn)))
    if error == 0:
        return Comparison(difference, error, nan, nan, nan, nan)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = (float(end) for end in np.quantile(drawn, tails))
    return Comparison(difference, error, difference / error, p_value, low, high)


def _spread(drawn: FloatArray) -> float:
    error = float(np.std(drawn, ddof=1))
    return error if error > ROUNDING else 0.0
