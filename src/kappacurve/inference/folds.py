"""Measures within the folds of a cross-validation, and their mean.

Each fold's scores come from a model of their own, so that only scores of one fold are compared. A
measure is its mean over the folds; what the rows add to it is pooled (LeDell, Petersen & van der
Laan 2015, Electronic Journal of Statistics 9, 1583-1607, doi:10.1214/15-EJS1035, for the AUC).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..curves.kernels import measure_rows
from ..validation import IntArray, Sample
from .bootstrap import Bootstrap, ByModel
from .estimates import (
    Estimate,
    PairedTest,
    logit_interval,
    note_groups,
    quantile_of,
    root,
    student_test,
)
from .influence import Influence, InfluenceModel, possible_range

DIFFERENT = 1e-3  # p value below which the scores of folds are called different


def model_influences(
    sample: Sample, prevalence: float | None = None, cost_ratio: float = 1.0
) -> InfluenceModel:
    """What rows add to measures, within folds if there are any."""
    kind = InfluenceModel if sample.folds is None else FoldedInfluences
    return kind(sample, prevalence, cost_ratio)


def draw_resamples(
    sample: Sample,
    n_resamples: int = 2000,
    random_state: int = 0,
    prevalence: float | None = None,
    cost_ratio: float = 1.0,
) -> Bootstrap:
    """Resamples of the rows, within folds if there are any."""
    kind = Bootstrap if sample.folds is None else FoldedBootstrap
    return kind(sample, n_resamples, random_state, prevalence, cost_ratio)


class FoldedInfluences(InfluenceModel):
    """What rows add to the mean of a measure over the folds, all at the same prevalence."""

    def __init__(
        self, sample: Sample, prevalence: float | None = None, cost_ratio: float = 1.0
    ) -> None:
        super().__init__(sample, prevalence, cost_ratio)
        self._parts = [
            InfluenceModel(part, self.prevalence, self.cost_ratio) for part in sample.parts
        ]

    def find(self, measure: str, model: str) -> Influence:
        """The mean over the folds; a row's part of it is centred in its fold and class."""
        if (measure, model) in self._found:
            return self._found[measure, model]
        sample, n_folds = self.sample, len(self._parts)
        rows = np.zeros(len(sample.positive))
        results = [part.find(measure, model) for part in self._parts]
        for fold, result in enumerate(results):
            values = np.zeros(len(rows))
            values[sample.folds == fold] = result.rows
            for side in (~sample.positive, sample.positive):
                inside = side & (sample.folds == fold)
                weight = sample.weights[inside]
                centred = values[inside] - np.average(values[inside], weights=weight)
                rows[inside] = centred * sample.weights[side].sum() / (n_folds * weight.sum())
        value, slope = (
            float(np.mean([getattr(result, name) for result in results]))
            for name in ("value", "slope")
        )
        self._found[measure, model] = Influence(value, rows, slope)
        return self._found[measure, model]


class FoldedBootstrap(Bootstrap):
    """Resamples within the folds, at the same prevalence; each measure is its mean over the folds.

    Its curves are those of the pooled rows.
    """

    def __init__(
        self,
        sample: Sample,
        n_resamples: int = 2000,
        random_state: int = 0,
        prevalence: float | None = None,
        cost_ratio: float = 1.0,
    ) -> None:
        super().__init__(sample, n_resamples, random_state, prevalence, cost_ratio)
        p = sample.prevalence if prevalence is None else prevalence
        self._parts = [
            Bootstrap(part, n_resamples, random_state + fold, p, cost_ratio)
            for fold, part in enumerate(sample.parts)
        ]

    @cached_property
    def observed(self) -> dict[str, dict[str, float]]:
        """All measures of the sample itself, by model."""
        at = self.prevalence, self.cost_ratio
        return {model: mean_measures(self.sample, model, *at) for model in self.sample.scores}

    @cached_property
    def resampled(self) -> ByModel:
        """All measures of each resample, by model."""
        return {
            model: {
                name: np.mean([part.resampled[model][name] for part in self._parts], axis=0)
                for name in self._parts[0].resampled[model]
            }
            for model in self.sample.scores
        }


def folded_interval(
    influences: FoldedInfluences, measure: str, model: str, level: float
) -> Estimate:
    """Interval of a mean over folds: Student's t on the logit scale of the measure's range."""
    result = influences.find(measure, model)
    variance, df = influences.variance(result)
    error = root(variance)
    lowest, highest, _ = possible_range(influences, measure)
    ends = logit_interval(result.value, error, quantile_of(level, df), lowest, highest)
    note = note_groups(influences.sample) if error else "The folds do not vary: no interval."
    return Estimate(result.value, error, *ends, "influence", df, note)


def folded_test(
    influences: FoldedInfluences, measure: str, first: str, second: str, level: float
) -> PairedTest:
    """Student's t test of the difference of two means over folds."""
    difference = influences.find(measure, first) - influences.find(measure, second)
    widest = possible_range(influences, measure)[2]
    return student_test(influences, difference, level, (first, second), widest)


def mean_measures(
    sample: Sample, model: str, prevalence: float | None, cost_ratio: float
) -> dict[str, float]:
    """All measures of a ranking by name: of the rows, or their means over the folds."""
    p = prevalence
    if sample.folds is not None and prevalence is None:
        p = sample.prevalence
    results = [
        measure_rows(part.positive, part.scores[model], part.weight, p, cost_ratio)
        for part in sample.parts
    ]
    return {name: float(np.mean([result[name] for result in results])) for name in results[0]}


def do_folds_differ(sample: Sample, folds: IntArray, model: str) -> bool:
    """Whether the scores of a class differ between folds (Kruskal & Wallis 1952, both classes)."""
    from scipy.special import chdtrc

    n_folds = int(folds.max()) + 1
    statistic = df = 0.0
    for side in (~sample.positive, sample.positive):
        score, fold = sample.scores[model][side], folds[side]
        _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
        if len(counts) < 2:
            continue
        sizes = np.bincount(fold, minlength=n_folds)
        means = np.bincount(fold, ranks, minlength=n_folds) / sizes
        statistic += float(sizes @ (means - ranks.mean()) ** 2 / ranks.var(ddof=1))
        df += n_folds - 1
    return df > 0 and float(chdtrc(df, statistic)) < DIFFERENT
