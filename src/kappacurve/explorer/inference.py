"""What the explorer page says about chance: intervals, bands and tests by prevalence and cost."""

from __future__ import annotations

import base64
import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from kappacurve._validation import Conditions, FloatArray
from kappacurve.comparison import compare
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import FEWEST_FOR_TESTS, Models
from kappacurve.inference.bands import kappa_band
from kappacurve.inference.grid import at_nodes, grid_of
from kappacurve.inference.resampling import FEWEST_FOR_BOOTSTRAP, Bootstrap, intervals_of
from kappacurve.inference.results import (
    logit_ends,
    no_interval_reason,
    normal_quantile,
    standard_errors,
)
from kappacurve.kappa import PERFECT, WORST, areas_on_grid, tpr_from_kappa
from kappacurve.roc import swapped_classes

RocCurve = tuple[FloatArray, FloatArray]
LEVEL = 0.95
POINTS = 101  # of a band
MAXIMA = ("h", "kappa_max")  # whose intervals and tests are by resamples
RESAMPLES, RESAMPLES_OF_MANY, MANY_ROWS = 1000, 200, 20_000
MOST_ROWS = 200_000  # from which there are no resamples
MOST_OF_A_CLASS = 20_000  # rows from which standard errors on the grid are found


class Split(NamedTuple):
    """Rows with the ROC curves of their models as they are drawn, at a prevalence or their own."""

    sample: Sample
    curves: Sequence[RocCurve]
    prevalence: float | None

    def swapped(self) -> Split:
        """The other class as the positive one."""
        negated = {name: -score for name, score in self.sample.scores.items()}
        return Split(
            self.sample._replace(positive=~self.sample.positive, scores=negated),
            [swapped_classes(*curve) for curve in self.curves],
            None if self.prevalence is None else 1 - self.prevalence,
        )


def packed(values: Any) -> dict[str, Any]:
    """Two bytes a value, units of the scale, keep the page small."""
    scale = max(1e-9, float(np.abs(values).max())) / 32767
    units = np.round(np.divide(values, scale)).astype("<i2").tobytes()
    return {"scale": scale, "units": base64.b64encode(units).decode()}


def inference_by_side(
    splits: Sequence[Split], grids: Sequence[FloatArray]
) -> list[list[dict[str, Any]]]:
    """Intervals and tests of each split, with either class as the positive one.

    p and c are then one minus it. Weighted or very many rows have none of H and the largest kappa,
    which would take minutes.
    """
    swapped = [1 - grid for grid in grids]
    sides = [[_of_side(split, grids), _of_side(split.swapped(), swapped)] for split in splits]
    resampled = [i for i, split in enumerate(splits) if _is_resampled(split.sample)]
    for i, maxima in zip(resampled, _maxima([splits[i] for i in resampled]), strict=True):
        for side in sides[i]:  # the same for either class
            side["measures"] |= maxima
    return sides


def _is_resampled(sample: Sample) -> bool:
    enough = min(sample.units()) >= FEWEST_FOR_TESTS
    return sample.weight is None and enough and len(sample.positive) <= MOST_ROWS


def _maxima(splits: Sequence[Split]) -> list[dict[str, Any]]:
    """H and the largest kappa of each split, whose intervals are found together."""
    drawn = []
    for sample, _, prevalence in splits:
        n = RESAMPLES if len(sample.positive) <= MANY_ROWS else RESAMPLES_OF_MANY
        at = Conditions(sample.prevalence() if prevalence is None else prevalence)
        drawn.append(Bootstrap(Models(sample, at), (n, 0), n_jobs=-1))
    models = [(bootstrap, name) for bootstrap in drawn for name in bootstrap.drawn]
    intervals = iter(intervals_of(models, LEVEL))
    maxima = []
    for bootstrap, split in zip(drawn, splits, strict=True):
        few = min(split.sample.units()) < FEWEST_FOR_BOOTSTRAP
        ends = {name: next(intervals) for name in bootstrap.drawn}
        pairs = [bootstrap.tests(*pair, LEVEL) for pair in combinations(bootstrap.drawn, 2)]
        by_measure: dict[str, Any] = {}
        for measure in MAXIMA:
            tests = [pair[measure] for pair in pairs]
            by_measure[measure] = {
                "ends": {name: _rounded(found[measure][2:4]) for name, found in ends.items()},
                "tests": [_test(_rounded(t[4:6]), np.nan if few else t.p_value) for t in tests],
            }
        maxima.append(by_measure)
    return maxima


def _of_side(split: Split, grids: Sequence[FloatArray]) -> dict[str, Any]:
    """What is known of AUC and AUK just here, and of the AUK by p and c."""
    sample = split.sample
    design: Any = {"sample_weight": sample.weight, "groups": sample.groups, "level": LEVEL}
    # The slider states a prevalence, so the class ratio is fixed at every position of it.
    design["sampling"] = "stratified"
    result = compare(sample.positive, sample.scores, prevalence=split.prevalence, **design)
    pairs = list(combinations(sample.scores, 2))
    ends = result.measures.set_index(["measure", "model"])[["low", "high"]]
    by_permutation = result.tests.set_index(["measure", "first", "second"])["p_value"]
    enough = min(sample.units()) >= FEWEST_FOR_TESTS
    models = Models(sample, Conditions(result.design["prevalence"]))

    def tested(measure: str, pair: tuple[str, str]) -> dict[str, Any] | None:
        """Each pair by itself, as elsewhere on the page, and not together with the others."""
        if not enough:
            p_value = by_permutation.get((measure, *pair))
            return None if p_value is None else _test(None, p_value)
        test = models.test(*pair, measure, LEVEL)
        return _test(_known(test[4:6]), test.p_value)

    side: dict[str, Any] = {
        "said": [*result.conclusion, *result.notes],
        "pairs": pairs,
        "measures": {
            measure: {
                "ends": {name: _known(ends.loc[measure, name]) for name in sample.scores},
                "tests": [tested(measure, pair) for pair in pairs],
            }
            for measure in ("auc", "auk")
        },
        "grid": None,
        "bands": None,
    }
    if enough:
        side["grid"] = _on_grid(split, grids)
        side["bands"] = {
            name: _band(sample, score, design) for name, score in sample.scores.items()
        }
    return side


def _test(ends: list[float] | None, p_value: float) -> dict[str, Any]:
    return {"ends": ends, "p": None if np.isnan(p_value) else float(p_value)}


def _known(ends: Any) -> list[float] | None:
    return None if np.isnan(ends).any() else [float(end) for end in ends]


def _rounded(ends: Any) -> list[float] | None:
    known = _known(ends)
    return known and [round(end, 6) for end in known]


def _on_grid(split: Split, grids: Sequence[FloatArray]) -> dict[str, Any]:
    """By p and c: ends of each model's AUK; of each pair's test the half width and normal score."""
    sample = split.sample
    p = grids[0][:, None]
    fewer, shares = _thinned(sample)
    models = Models(fewer, Conditions(0.5))
    if fewer is sample:
        found = grid_of(models, p, grids[1], LEVEL)
        ends: Mapping[str, Any] = {name: model[2:4] for name, model in found.models.items()}
        tests = [
            ((test.high - test.low) / 2, _score(test.p_value) * np.sign(test.difference))
            for test in found.tests.values()
        ]
    else:
        ends, tests = _of_many(models, split.curves, shares, *np.broadcast_arrays(p, grids[1]))
    return {
        "ends": {
            name: None
            if no_interval_reason(sample.positive, sample.scores[name])
            else [packed(np.nan_to_num(end)) for end in both]
            for name, both in ends.items()
        },
        "tests": [
            {
                "half": packed(np.nan_to_num(half)),
                "score": packed(np.nan_to_num(np.clip(score, -8, 8))),
            }
            for half, score in tests
        ],
    }


def _score(p_value: FloatArray) -> FloatArray:
    return np.asarray(-ndtri(np.maximum(p_value, 1e-300) / 2))


def _thinned(sample: Sample) -> tuple[Sample, FloatArray]:
    """The sample, or one of at most so many rows of each class; and which share of it that is."""
    sides = [np.flatnonzero(side) for side in (~sample.positive, sample.positive)]
    sizes = np.array([len(side) for side in sides])
    if max(sizes) <= MOST_OF_A_CLASS or not (sample.weight is None and sample.groups is None):
        return sample, np.ones(2)
    random = np.random.default_rng(0)
    rows = np.concatenate(
        [random.permutation(side)[:MOST_OF_A_CLASS] for side in sides]  # all of a smaller class
    )
    scores = {name: score[rows] for name, score in sample.scores.items()}
    return Sample(sample.positive[rows], scores), np.minimum(1, MOST_OF_A_CLASS / sizes)


def _of_many(
    models: Models, curves: Sequence[RocCurve], shares: FloatArray, p: FloatArray, c: FloatArray
) -> tuple[dict[str, Any], list[Any]]:
    """The same of the curves of all rows, with the variances of a sample that has these shares."""
    names = list(models.sample.scores)
    z = normal_quantile(LEVEL)
    pairs = list(combinations(range(len(names)), 2))
    sums = at_nodes(models, p.ravel(), c.ravel(), (0.0, 0.0), len(pairs))[1]
    error = standard_errors(models.variances(sums * [*shares, 1.0])[0]).T.reshape(-1, *p.shape)
    values = [areas_on_grid(*curve, p, c) for curve in curves]
    span = [areas_on_grid(*curve, p, c) for curve in (WORST, PERFECT)]
    ends = {
        name: logit_ends(value, z * of_model, *span)
        for name, value, of_model in zip(names, values, error, strict=False)
    }
    tests = [
        (z * of_pair, (values[i] - values[j]) / np.maximum(of_pair, 1e-300))
        for (i, j), of_pair in zip(pairs, error[len(names) :], strict=True)
    ]
    return ends, tests


def _band(sample: Sample, score: FloatArray, design: dict[str, Any]) -> list[dict[str, Any]]:
    """Ends of the true positive rate at even false positive rates; kappa's follow from them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few groups, which the page says once
        band = kappa_band(sample.positive, score, prevalence=0.5, n_points=POINTS, **design)
    return [packed(tpr_from_kappa(band.fpr, end, 0.5)) for end in (band.low, band.high)]
