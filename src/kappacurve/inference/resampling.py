"""Intervals and paired tests of every measure, by a bootstrap or by permutations."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import combinations
from math import copysign, hypot, inf, nan
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from kappacurve._kernels import beta_at_cost
from kappacurve._measures import BIASED, LOSS, MEASURES, RANKING
from kappacurve._ranking import Ranking, measure_ranking, measure_scores, measures_of, ranked_rows
from kappacurve._validation import BoolArray, Conditions, FloatArray, Scored, check_jobs
from kappacurve.inference._sample import OF_RANKS, Sample
from kappacurve.inference.analytic import FEWEST_FOR_TESTS, Models
from kappacurve.inference.results import (
    ROUNDING,
    Comparison,
    Estimate,
    Family,
    Repeats,
    Scale,
    check_repeats,
    holm,
    no_interval_reason,
    normal_interval,
    normal_quantile,
    share_interval,
    standard_error,
    student_test,
    together_by_resamples,
)
from kappacurve.kappa import auk_range, error_weights, least_kappa, least_kappa_max
from kappacurve.roc import vertices_of

# Resamples are evaluated in blocks of about this many scores, so that memory stays bounded.
BLOCK = 2**21
# Rows of the rarer class from which the bootstrap's tests hold their size.
FEWEST_FOR_BOOTSTRAP = 20
# A bootstrap that takes longer says so: how long it will take, and how far it is.
SECONDS_IN_SILENCE = 5.0

Counts = npt.NDArray[np.uint8]  # (b, n): how often each row is in each resample
RESAMPLED = (*RANKING, LOSS)
# Resamples of the sample's stepped curve show only about half of that bias.
BIAS_BY_SHOWN_BIAS = 2.0
# By how much of the shown bias an interval is widened, if not by all that is taken off.
WIDENED_BY = {"h": 1.0}


class Bootstrap:
    """Resamples that several models share, each measured once for intervals and tests.

    An interval is Student's, with as many degrees of freedom as the smaller class has, on the logit
    scale of the measure's range, with the resamples' standard deviation.

    Maxima and measures of the hull lie too high in a sample, and in resamples once more, but by
    less: about half as much. Their intervals are therefore centred at the estimate less twice the
    mean difference between resamples and sample, and the square of that correction, which is itself
    uncertain, is added to the variance (of H, of half of it: H would be covered too often). The
    centring works in simulations, without a proof: the bootstrap is known to fail for such
    measures.
    """

    def __init__(
        self, models: Models, repeats: Repeats, n_jobs: int | None, progress: TextIO | None = None
    ) -> None:
        check_repeats("n_resamples", repeats[0])
        self._sample = sample = models.sample
        at = models.at
        self._at = at._replace(prevalence=None) if at.estimated else at
        self._df = max(1.0, min(sample.effective()) - 1)
        self.observed = {}
        for model in sample.scores:
            measured = measures_of(sample.scored(model), self._at).measures
            self.observed[model] = {name: float(value[0]) for name, value in measured.items()}
        self.drawn = resampled(sample, at, repeats, n_jobs, progress)

    def intervals(self, model: str, level: float) -> dict[str, Estimate]:
        """Intervals of all measures of a model."""
        return intervals_of([(self, model)], level)[0]

    def _intervals(self, model: str, level: float) -> dict[str, Estimate]:
        """Those of each measure by itself."""
        estimates = {
            name: self._estimated(name, self.observed[model][name], self.drawn[model][name], level)
            for name in RESAMPLED
        }
        low = min(estimates["ks"].low, self._lower_ks(model, level))
        estimates["ks"] = estimates["ks"]._replace(low=low)
        if no_interval_reason(self._sample.positive, self._sample.scores[model]):
            return {name: found._replace(low=nan, high=nan) for name, found in estimates.items()}
        return estimates

    def _lower_ks(self, model: str, level: float) -> float:
        """The lower limit of t - f at the threshold that makes it largest, by both shares' limits.

        Resamples of a few positives, all above the threshold, show hardly any error.
        """
        curve = vertices_of(self._sample.scored(model))
        quantile = normal_quantile(level)
        best = (curve.tpr - curve.fpr).argmax()
        t, f = float(curve.tpr[best]), float(curve.fpr[best])
        ones, zeros = self._sample.effective()
        least = share_interval(t, ones, quantile)[0]
        most = share_interval(f, zeros, quantile)[1]
        return max(0.0, t - f - hypot(t - least, most - f))

    def tests(self, first: str, second: str, level: float) -> dict[str, Comparison]:
        """Tests of all measures between two models."""
        return {
            name: compared(
                self.observed[first][name] - self.observed[second][name],
                self.drawn[first][name] - self.drawn[second][name],
                level,
            )
            for name in RESAMPLED
        }

    def families(self, level: float) -> dict[str, Family]:
        """Tests of all measures between every two models; of several with what holds together."""
        models = list(self.drawn)
        alone = {pair: self.tests(*pair, level) for pair in combinations(models, 2)}
        families = {}
        for name in RESAMPLED:
            drawn = np.column_stack([self.drawn[model][name] for model in models])
            values = [self.observed[model][name] for model in models]
            tests = {pair: by_measure[name] for pair, by_measure in alone.items()}
            families[name] = together_by_resamples(tests, values, drawn, level)
        return families

    def _estimated(self, name: str, estimate: float, drawn: FloatArray, level: float) -> Estimate:
        """Interval on the logit scale about the estimate less its bias, widened by that bias."""
        lowest, highest = MEASURES[name].low, MEASURES[name].high
        within = 2 * lowest - highest if name in BIASED else lowest, highest
        if name in ("auk", "auk_hull") and self._at.prevalence is not None:
            within = auk_range(*self._at[:3])
        elif name == "auk":
            within = min(-1.0, least_kappa(self._sample.prevalence(), self._at.cost)), 1
        if name == "auk":
            lowest = within[0]
        error = _spread(drawn)
        bias = 0.0
        if error and name in (*BIASED, LOSS):  # chance can only raise the one, lower the other
            bias = (min if name == LOSS else max)(0.0, float(np.mean(drawn)) - estimate)
        centre = estimate - BIAS_BY_SHOWN_BIAS * bias
        spread = float(np.hypot(error, WIDENED_BY.get(name, BIAS_BY_SHOWN_BIAS) * bias))
        scale: Scale = "logit" if within[0] < centre < within[1] else "plain"
        centred = normal_interval(centre, spread, level, scale, within, self._df)
        low, high = np.maximum(centred, lowest).tolist()
        # Less the bias, a narrow one need not reach the estimate. NaN stays NaN.
        low, high = float(np.minimum(low, estimate)), float(np.maximum(high, estimate))
        return Estimate(estimate, error, low, high, "bootstrap", self._df)


def intervals_of(drawn: Sequence[tuple[Bootstrap, str]], level: float) -> list[dict[str, Estimate]]:
    """Intervals of all measures of each model, of which no two contradict each other.

    Lower ends are raised to what the curve's areas imply. A hull is nowhere below its curve, so the
    curve's lower end holds for its area too. With an AUC above 1/2, KS, the largest kappa and H
    have a least value (of KS: 1 - sqrt(2 (1 - AUC))); that of H is found for all models in one
    call for each weight, which takes as long as for one.
    """
    found = []
    bounded: dict[tuple[float, float], list[Any]] = {}
    for bootstrap, model in drawn:
        estimates = bootstrap._intervals(model, level)
        found.append(estimates)
        auc = estimates["auc"].low
        if np.isnan(auc):
            continue
        for hull, curve in (("auch", "auc"), ("auk_hull", "auk")):
            if not np.isnan(estimates[hull].low):
                low = max(MEASURES[hull].low, estimates[curve].low)
                estimates[hull] = estimates[hull]._replace(
                    low=low, high=max(low, estimates[hull].high)
                )
        if auc <= 0.5:
            continue
        p = bootstrap._at.prevalence or bootstrap._sample.prevalence()
        cost = bootstrap._at.cost
        _raise(estimates, "ks", least_kappa_max(auc, p, "balanced"))
        _raise(estimates, "kappa_max", least_kappa_max(auc, p, cost))
        alpha, beta = map(float, beta_at_cost(*error_weights(cost, p, 1 - p)))
        if estimates["h"].low == 0 and np.isfinite(alpha + beta):
            bounded.setdefault((alpha, beta), []).append((estimates, auc, p))
    if bounded:
        from kappacurve.bounds.h_bounds import h_bounds

        for (alpha, beta), models in bounded.items():
            of_models, aucs, shares = zip(*models, strict=True)
            least = h_bounds(aucs, shares, alpha=alpha, beta=beta).lower
            for estimates, floor in zip(of_models, least.tolist(), strict=True):
                _raise(estimates, "h", floor)
    return found


def _raise(estimates: dict[str, Estimate], name: str, floor: float) -> None:
    low = max(estimates[name].low, floor)
    estimates[name] = estimates[name]._replace(low=low, high=max(low, estimates[name].high))


def compared(difference: float, drawn: FloatArray, level: float) -> Comparison:
    """Percentile interval of a difference, which it holds, and its test; none without an error."""
    error = _spread(drawn)
    if error == 0:
        return student_test(difference, error, inf, level, "bootstrap")  # p = 1, or none
    drawn = np.where(np.abs(drawn) < ROUNDING, 0.0, drawn)
    difference = 0.0 if abs(difference) < ROUNDING else difference
    least = 1 / (1 + len(drawn))  # the sample itself counts
    p_value = max(least, min(1.0, 2 * _tail(drawn * np.sign(difference))))
    low = high = nan
    if least < 1 - level - ROUNDING:  # else the resamples do not reach that far
        ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        low, high = min(float(ends[0]), difference), max(float(ends[1]), difference)
    return Comparison(difference, error, difference / error, p_value, low, high, "bootstrap")


def _tail(drawn: FloatArray) -> float:
    """The largest share of the resamples whose quantile is not above zero."""
    ordered = np.sort(drawn)
    n = int(np.searchsorted(ordered, 0.0, side="right"))
    if n in (0, len(ordered)):
        return float(n > 0)
    below, above = ordered[n - 1 : n + 1].tolist()
    return float(n - 1 - below / (above - below)) / (len(ordered) - 1)


def _spread(drawn: FloatArray) -> float:
    error = float(np.std(drawn, ddof=1))
    return error if error > ROUNDING else 0.0


def resampled(
    sample: Sample, at: Conditions, repeats: Repeats, n_jobs: int | None, progress: TextIO | None
) -> dict[str, dict[str, FloatArray]]:
    """All measures of every resample by model, the same for any number of threads."""
    n_threads = check_jobs(n_jobs)
    report = _Progress(progress, repeats[0])
    ready = [(scored, ranked_rows(scored)) for scored in map(sample.scored, sample.scores)]
    blocks: list[list[dict[str, FloatArray]]] = []
    waiting: deque[Future[list[dict[str, FloatArray]]]] = deque()

    def measured(counts: Counts) -> list[dict[str, FloatArray]]:
        return [_measures(*model, at, counts) for model in ready]

    def finish() -> None:
        blocks.append(waiting.popleft().result())
        report.done(len(blocks[-1][0]["auc"]))

    with ThreadPoolExecutor(n_threads) as pool:
        for counts in draw_counts(sample, at, repeats):
            waiting.append(pool.submit(measured, counts))
            if len(waiting) > n_threads:
                finish()
        while waiting:
            finish()
    return {
        model: _joined(parts)
        for model, parts in zip(sample.scores, zip(*blocks, strict=True), strict=True)
    }


def _measures(
    scored: Scored, ranking: Ranking, at: Conditions, counts: Counts
) -> dict[str, FloatArray]:
    """All measures of each resample: how often each row is drawn is all that it needs."""
    if at.estimated:
        at = at._replace(prevalence=None)  # that of each resample
    if scored.weight is None:
        positive = ranking.keys[0] & 1 == 1
        n_pos = counts[:, ranking.rows[positive]].sum(axis=1, dtype=np.int64)
        n_neg = counts[:, ranking.rows[~positive]].sum(axis=1, dtype=np.int64)
        return measure_ranking(ranking, n_neg, n_pos, at, counts=counts).measures
    measured = []
    for times in counts:
        rows = times > 0
        weight = scored.weight[rows] * times[rows]
        drawn = Scored(scored.positive[rows], scored.score[rows], weight)
        measured.append(measures_of(drawn, at).measures)
    return _joined(measured)


def _joined(parts: Sequence[dict[str, FloatArray]]) -> dict[str, FloatArray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class _Progress:
    """Lines on a stream with the time left, if all will take more than a few seconds."""

    def __init__(self, stream: TextIO | None, total: int) -> None:
        self._stream = stream
        self._total = total
        self._finished = 0
        self._start = self._next = time.monotonic()

    def done(self, resamples: int) -> None:
        self._finished += resamples
        now = time.monotonic()
        seconds = (now - self._start) * self._total / self._finished
        is_last = self._finished == self._total
        is_due = is_last or now >= self._next
        if self._stream is None or seconds < SECONDS_IN_SILENCE or not is_due:
            return
        is_terminal = self._stream.isatty()
        self._next = now + (0.5 if is_terminal else 30)
        left = self._start + seconds - now
        text = f"{self._finished} of {self._total} resamples, {left:.0f} s left"
        self._stream.write(f"\r{'' if is_last else text:<60}\r" if is_terminal else f"{text}\n")
        self._stream.flush()


def draw_counts(sample: Sample, at: Conditions, repeats: Repeats) -> Iterator[Counts]:
    """Blocks of resamples (b, n): how often each row is drawn, groups as a whole.

    With an estimated prevalence the class ratio is left to chance. A byte is enough: nothing is
    drawn 256 times in as many draws as there are rows.
    """
    n_resamples, random_state = repeats
    random = np.random.default_rng(random_state)
    positive, groups = sample.positive, sample.groups
    n = len(positive)
    # Which class is drawn first does not depend on which is called positive, so that measures that
    # a swap of the classes leaves alone have the same interval both ways.
    strata = [np.flatnonzero(positive == side) for side in (positive[-1], ~positive[-1])]
    block = max(1, BLOCK // n)
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        counts = np.empty((size, n), np.uint8)
        if groups is not None:
            n_groups = int(groups.max()) + 1
            for row in counts:
                while True:
                    drawn = random.integers(n_groups, size=n_groups)
                    row[:] = np.bincount(drawn, minlength=n_groups)[groups]
                    # Without one of the classes no measure is defined.
                    if row[positive].any() and row[~positive].any():
                        break
            yield counts
            continue
        if at.estimated:
            rows = random.integers(n, size=(size, n))
            while len(single := _of_one_class(positive, rows)):
                rows[single] = random.integers(n, size=(len(single), n))
        else:
            rows = np.hstack([c[random.integers(len(c), size=(size, len(c)))] for c in strata])
        for row, drawn in zip(counts, rows, strict=True):
            row[:] = np.bincount(drawn, minlength=n)
        yield counts


def _of_one_class(positive: BoolArray, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Which resamples have rows of one class alone, to draw again: mostly their first rows tell."""
    found = np.arange(len(rows))
    for drawn in (rows[:, :64], rows):
        of_drawn = positive[drawn[found]]
        found = found[(of_drawn == of_drawn[:, :1]).all(axis=1)]
    return found


def permutation_test(
    sample: Sample, first: str, second: str, measure: str, at: Conditions, repeats: Repeats
) -> Comparison:
    """Paired test of one measure, of ranks by the difference over its error.

    The error is computed again in each exchange. Where both models are nearly perfect most
    exchanges change nothing, and the plain difference rejects too rarely; this one keeps its size.
    """
    if measure not in OF_RANKS or min(sample.units()) < FEWEST_FOR_TESTS:
        return permutation_tests(sample, first, second, at, repeats)[measure]
    check_repeats("n_permutations", repeats[0])
    ranks = rank_rows(sample, first, second)
    fixed = at._replace(estimated=False)

    def studentised(exchanged: BoolArray) -> tuple[float, float]:
        scores = {"a": np.where(exchanged, *ranks[::-1]), "b": np.where(exchanged, *ranks)}
        models = Models(sample._replace(scores=scores), fixed)
        lead = models.area("a", measure).minus(models.area("b", measure))
        error = standard_error(models.spread(lead).variance)
        value = float(lead.value)
        if error == 0:  # nothing overlaps: a lead then is as far out as can be
            return value, copysign(inf, value) if abs(value) > ROUNDING else 0.0
        return value, value / error

    difference, observed = studentised(np.zeros(len(sample.positive), bool))
    as_far = 1
    for (exchanged,) in exchanges(sample, repeats, block=1):
        as_far += abs(studentised(exchanged)[1]) >= abs(observed) - ROUNDING
    return _by_permutations(difference, as_far, repeats)


def permutation_tests(
    sample: Sample, first: str, second: str, at: Conditions, repeats: Repeats
) -> dict[str, Comparison]:
    """Paired tests of all measures: the two models' ranks exchanged row by row, or by groups.

    The null hypothesis is that, given the class of a row, either model could have given either of
    its two ranks: then all measures have equal values in the population, at every cost. Since
    exchanged ranks are no longer all different, the size is only nearly exact, and below the stated
    one with very few rows of a class: with four or fewer hardly anything can be found.
    """
    check_repeats("n_permutations", repeats[0])
    positive = sample.positive
    n = len(positive)
    a, b = rank_rows(sample, first, second)

    def leads(exchanged: BoolArray) -> dict[str, FloatArray]:
        of_a, of_b = (
            measure_scores(positive[None], np.where(exchanged, *ranks), at).measures
            for ranks in ((b, a), (a, b))
        )
        return {name: of_a[name] - of_b[name] for name in RANKING}

    observed = {name: float(lead[0]) for name, lead in leads(np.zeros((1, n), bool)).items()}
    as_far = dict.fromkeys(RANKING, 1)
    for exchanged in exchanges(sample, repeats, max(1, BLOCK // n)):
        for name, lead in leads(exchanged).items():
            as_far[name] += int(np.sum(np.abs(lead) >= abs(observed[name]) - ROUNDING))
    return {name: _by_permutations(lead, as_far[name], repeats) for name, lead in observed.items()}


def _by_permutations(difference: float, as_far: int, repeats: Repeats) -> Comparison:
    """A test by how many of the permutations, the rows' own counted, lie as far out."""
    p_value = as_far / (repeats[0] + 1)
    return Comparison(difference, nan, nan, p_value, nan, nan, "permutation")


def permutation_families(sample: Sample, at: Conditions, repeats: Repeats) -> dict[str, Family]:
    """Tests of all measures between every two models, with p values adjusted by Holm."""
    tests = {
        pair: permutation_tests(sample, *pair, at, repeats)
        for pair in combinations(sample.scores, 2)
    }
    families = {}
    for name in RANKING:
        found = [by_measure[name] for by_measure in tests.values()]
        adjusted = holm([test.p_value for test in found]).tolist()
        families[name] = dict(zip(tests, zip(found, adjusted, strict=True), strict=True))
    return families


def exchanges(sample: Sample, repeats: Repeats, block: int) -> Iterator[BoolArray]:
    """Blocks (b, n) of which rows exchange their ranks, groups as a whole."""
    codes = np.arange(len(sample.positive)) if sample.groups is None else sample.groups
    n_permutations, random_state = repeats
    random = np.random.default_rng(random_state)
    for start in range(0, n_permutations, block):
        size = min(block, n_permutations - start), int(codes.max()) + 1
        yield random.integers(2, size=size, dtype=bool)[:, codes]


def rank_rows(sample: Sample, first: str, second: str) -> list[FloatArray]:
    """Each model's ranks, ties sharing their mean rank, so that they can be exchanged."""
    from scipy.stats import rankdata  # here: it takes most of a second, and few need it

    if sample.weight is not None:
        raise ValueError("method='permutation' takes no sample_weight: use 'analytic'.")
    return [rankdata(sample.scores[model]) for model in (first, second)]
