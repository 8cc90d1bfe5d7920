"""What the explorer page says about chance: intervals, bands and tests by prevalence and cost."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtri

from kappacurve._validation import BoolArray, Conditions, FloatArray
from kappacurve.auk import areas_on_grid, auk_range
from kappacurve.comparison import ComparisonResult, compare
from kappacurve.inference._placements import Area
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import FEWEST_FOR_TESTS, Models
from kappacurve.inference.bands import kappa_band
from kappacurve.inference.bootstrap import Bootstrap
from kappacurve.inference.permutation import FEWEST_FOR_BOOTSTRAP
from kappacurve.inference.results import (
    no_interval_reason,
    normal_interval,
    normal_quantile,
    standard_error,
)
from kappacurve.kappa import tpr_from_kappa
from kappacurve.roc import swapped_classes

RocCurve = tuple[FloatArray, FloatArray]
LEVEL = 0.95
POINTS = 101  # of a band
MAXIMA = ("h", "kappa_max")  # whose intervals and tests are by resamples
RESAMPLES, RESAMPLES_OF_MANY, MANY_ROWS = 1000, 200, 20_000
MOST_ROWS = 200_000  # from which there are no resamples
MOST_OF_A_CLASS = 20_000  # rows from which standard errors on the grid are found


def packed(values: Any) -> dict[str, Any]:
    """Two bytes a value, units of the scale, keep the page small."""
    scale = max(1e-9, float(np.abs(values).max())) / 32767
    units = np.round(np.divide(values, scale)).astype("<i2").tobytes()
    return {"scale": scale, "units": base64.b64encode(units).decode()}


def inference_by_side(
    sample: Sample,
    curves: Sequence[RocCurve],
    prevalence: float | None,
    grids: Sequence[FloatArray],
) -> list[dict[str, Any]]:
    """Intervals and tests with either class as the positive one; p and c are then one minus it.

    `curves` are the ROC curves as they are drawn. Weighted or very many rows have none of H and
    the largest kappa, which would take minutes.
    """
    other = None if prevalence is None else 1 - prevalence
    negated = {name: -score for name, score in sample.scores.items()}
    swapped = sample._replace(positive=~sample.positive, scores=negated)
    sides = [
        _of_side(sample, curves, prevalence, grids),
        _of_side(
            *(swapped, [swapped_classes(*curve) for curve in curves]),
            *(other, [1 - grid for grid in grids]),
        ),
    ]
    enough = min(sample.units()) >= FEWEST_FOR_TESTS
    if sample.weight is None and enough and len(sample.positive) <= MOST_ROWS:
        maxima = _maxima(sample, prevalence)
        for side in sides:
            for shown, more in zip([*side["models"].values(), *side["tests"]], maxima, strict=True):
                shown |= more
    return sides


def _maxima(sample: Sample, prevalence: float | None) -> list[dict[str, Any]]:
    """H and the largest kappa of each model, then of each pair: the same for either class."""
    scores = sample.scores
    n = RESAMPLES if len(sample.positive) <= MANY_ROWS else RESAMPLES_OF_MANY
    at = Conditions(sample.prevalence() if prevalence is None else prevalence)
    drawn = Bootstrap(sample, at, False, n, random_state=0, n_jobs=-1)
    ends = [drawn.intervals(name, LEVEL) for name in scores]
    found: list[dict[str, Any]] = [
        {name: _rounded(each[name].low, each[name].high) for name in MAXIMA} for each in ends
    ]
    few = min(sample.units()) < FEWEST_FOR_BOOTSTRAP
    for pair in combinations(scores, 2):
        tests = drawn.tests(*pair, LEVEL)
        found.append(
            {
                name: {
                    "ends": _rounded(tests[name].low, tests[name].high),
                    "p": None if few else _p_value(tests[name].p_value),
                }
                for name in MAXIMA
            }
        )
    return found


def _rounded(*values: float) -> list[float] | None:
    known = _known(*values)
    return known and [round(value, 6) for value in known]


def _of_side(
    sample: Sample,
    curves: Sequence[RocCurve],
    prevalence: float | None,
    grids: Sequence[FloatArray],
) -> dict[str, Any]:
    positive, scores = sample.positive, sample.scores
    design: Any = {"sample_weight": sample.weight, "groups": sample.groups, "level": LEVEL}
    # The slider states a prevalence, so the class ratio is fixed at every position of it.
    design["sampling"] = "stratified"
    result = compare(positive, scores, prevalence=prevalence, **design)
    said = [*result.conclusion, *result.notes]
    models: dict[str, Any] = {
        name: {**_ends(result, name), "at": None, "band": None} for name in scores
    }
    tests = _tests(result, list(scores))
    if min(sample.units()) < FEWEST_FOR_TESTS:
        return {"said": said, "models": models, "tests": tests}
    low, high, halves_and_scores = _on_grid(sample, curves, grids)
    for i, (name, score) in enumerate(scores.items()):
        if no_interval_reason(positive, score) is None:
            models[name]["at"] = [packed(low[i]), packed(high[i])]
        models[name]["band"] = _band(positive, score, design)
    for test, (half, score) in zip(tests, halves_and_scores, strict=True):
        test |= {"half": packed(half), "score": packed(score)}
    return {"said": said, "models": models, "tests": tests}


def _ends(result: ComparisonResult, model: str) -> dict[str, Any]:
    rows = result.measures[result.measures["model"] == model].set_index("measure")
    return {name: _known(*rows.loc[name, ["low", "high"]]) for name in ("auc", "auk")}


def _tests(result: ComparisonResult, models: Sequence[str]) -> list[dict[str, Any]]:
    """What `compare` found of each pair: the ends of the difference and p, or None."""
    rows = {
        (row["first"], row["second"], row["measure"]): row
        for row in result.tests.to_dict("records")
    }
    tests = []
    for pair in combinations(models, 2):
        each: dict[str, Any] = {"pair": pair, "half": None, "auc": None, "auk": None}
        for name in ("auc", "auk"):
            if (row := rows.get((*pair, name))) is not None:
                ends = _known(row["low"], row["high"])
                each[name] = {"ends": ends, "p": _p_value(row["p_value"])}
        tests.append(each)
    return tests


def _known(*values: float) -> list[float] | None:
    return None if np.isnan(values).any() else [float(value) for value in values]


def _p_value(p: float) -> float | None:
    return None if np.isnan(p) else float(p)


def _on_grid(
    sample: Sample, curves: Sequence[RocCurve], grids: Sequence[FloatArray]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """By p and c: ends of each model's AUK; of each pair's test the half width and the score z.

    z is the normal quantile of its p value. The variance of a class that has very many rows is that
    of a sample of them, divided by all.
    """
    scores = sample.scores
    pairs = list(combinations(scores, 2))
    shape = len(grids[0]), len(grids[1])
    low, high = np.zeros((2, len(scores), *shape))
    tests = np.zeros((len(pairs), 2, *shape))
    fewer, sizes = _thinned(sample)
    models = Models(fewer, Conditions(0.5), estimated=False)
    values = [areas_on_grid(f, t, grids[0][:, None], grids[1]) for f, t in curves]
    for node in np.ndindex(*shape):
        at = Conditions(float(grids[0][node[0]]), float(grids[1][node[1]]))
        models = models.evaluated(at)
        for i, name in enumerate(scores):
            if fewer is sample:
                estimate = models.interval(name, "auk", LEVEL, "adjusted")
            else:
                error = _error(fewer, models.area(name, "auk"), sizes)
                span = auk_range(*at[:3])
                estimate = normal_interval(float(values[i][node]), error, LEVEL, "logit", span)
            low[(i, *node)], high[(i, *node)] = np.nan_to_num([estimate.low, estimate.high])
        for k, pair in enumerate(pairs):
            if fewer is sample:
                test = models.test(*pair, "auk", LEVEL)
                half = (test.high - test.low) / 2
                score = -ndtri(np.maximum(test.p_value, 1e-300) / 2) * np.sign(test.difference)
            else:
                lead = models.area(pair[0], "auk").minus(models.area(pair[1], "auk"))
                error = _error(fewer, lead, sizes)
                i, j = (list(scores).index(name) for name in pair)
                half = normal_quantile(LEVEL) * error
                score = float(values[i][node] - values[j][node]) / max(error, 1e-300)
            tests[(k, slice(None), *node)] = np.nan_to_num([half, np.clip(score, -8, 8)])
    return low, high, tests


def _thinned(sample: Sample) -> tuple[Sample, tuple[int, int]]:
    """The sample, or one of at most so many rows of each class; and how many there were."""
    sides = [np.flatnonzero(side) for side in (sample.positive, ~sample.positive)]
    sizes = len(sides[0]), len(sides[1])
    if max(sizes) <= MOST_OF_A_CLASS or not (sample.weight is None and sample.groups is None):
        return sample, sizes
    draw = np.random.default_rng(0)
    taken = np.concatenate(
        [
            draw.choice(rows, MOST_OF_A_CLASS, replace=False)
            if len(rows) > MOST_OF_A_CLASS
            else rows
            for rows in sides
        ]
    )
    scores = {name: score[taken] for name, score in sample.scores.items()}
    return Sample(sample.positive[taken], scores), sizes


def _error(sample: Sample, area: Area, sizes: tuple[int, int]) -> float:
    sides = area.rows[sample.positive], area.rows[~sample.positive]
    return standard_error(sum(own.var(ddof=1) / n for own, n in zip(sides, sizes, strict=True)))


def _band(positive: BoolArray, score: FloatArray, design: dict[str, Any]) -> list[dict[str, Any]]:
    """Ends of the true positive rate at even false positive rates; kappa's follow from them."""
    band = kappa_band(positive, score, prevalence=0.5, n_points=POINTS, **design)
    return [packed(tpr_from_kappa(band.fpr, end, 0.5)) for end in (band.low, band.high)]
