"""What the explorer page says about chance: intervals, bands and tests by prevalence and cost."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from kappacurve._validation import BoolArray, FloatArray, Scored
from kappacurve.auk import areas_on_grid, auk_range
from kappacurve.comparison import FEWEST_ROWS, ComparisonResult, compare
from kappacurve.inference._placements import Setting, ranking_of
from kappacurve.inference.bands import kappa_band
from kappacurve.inference.bootstrap import Bootstrap
from kappacurve.inference.permutation import FEWEST_FOR_ANALYTIC_TESTS, holds_size
from kappacurve.inference.results import no_interval_reason, normal_interval, standard_error
from kappacurve.kappa import tpr_from_kappa
from kappacurve.roc import swapped_classes

RocCurve = tuple[FloatArray, FloatArray]
CONFIDENCE = 0.95
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
    positive: BoolArray,
    scores: Mapping[str, FloatArray],
    curves: Sequence[RocCurve],
    prevalence: float | None,
    weight: FloatArray | None,
    grids: Sequence[FloatArray],
) -> list[dict[str, Any]]:
    """Intervals and tests with either class as the positive one; p and c are then one minus it.

    `curves` are the ROC curves as they are drawn. Weighted rows have neither.
    """
    other = None if prevalence is None else 1 - prevalence
    negated = {name: -score for name, score in scores.items()}
    sides = (
        (positive, scores, curves, prevalence, weight, grids),
        (
            *(~positive, negated, [swapped_classes(*curve) for curve in curves]),
            *(other, weight, [1 - grid for grid in grids]),
        ),
    )
    found = [_of_side(*side) for side in sides]
    enough = min(positive.sum(), (~positive).sum()) >= FEWEST_ROWS
    if weight is None and enough and len(positive) <= MOST_ROWS:
        maxima = _maxima(positive, scores, prevalence)
        for side in found:
            for one, more in zip([*side["models"].values(), *side["tests"]], maxima, strict=True):
                one |= more
    return found


def _maxima(
    positive: BoolArray, scores: Mapping[str, FloatArray], prevalence: float | None
) -> list[dict[str, Any]]:
    """H and the largest kappa of each model, then of each pair: the same for either class."""
    rows = [Scored(positive, score, None) for score in scores.values()]
    p = float(positive.mean()) if prevalence is None else prevalence
    n = RESAMPLES if len(positive) <= MANY_ROWS else RESAMPLES_OF_MANY
    at = {"prevalence": p, "cost": 0.5, "axis": "fpr"}
    drawn = Bootstrap(rows, at, "stratified", n, seed=0, n_jobs=-1)
    ends = [drawn.intervals(i, CONFIDENCE) for i in range(len(rows))]
    found: list[dict[str, Any]] = [
        {name: _rounded(one[name].low, one[name].high) for name in MAXIMA} for one in ends
    ]
    for i, j in combinations(range(len(rows)), 2):
        tests, few = drawn.tests(i, j, CONFIDENCE), not holds_size(positive)
        found.append(
            {
                name: {
                    "ends": _rounded(tests[name].low, tests[name].high),
                    "p": None if few else _known(tests[name].p_value),
                }
                for name in MAXIMA
            }
        )
    return found


def _rounded(*values: float) -> list[float] | None:
    known = _known(*values)
    return known and [round(value, 6) for value in known]


def _of_side(
    positive: BoolArray,
    scores: Mapping[str, FloatArray],
    curves: Sequence[RocCurve],
    prevalence: float | None,
    weight: FloatArray | None,
    grids: Sequence[FloatArray],
) -> dict[str, Any]:
    at: Any = {"prevalence": prevalence, "level": CONFIDENCE}
    found = compare(positive, scores, sample_weight=weight, **at)
    fewest = min(int(positive.sum()), int((~positive).sum()))
    said = [*found.conclusion, *found.notes]
    models: dict[str, Any] = {
        name: {**_ends(found, name), "at": None, "band": None} for name in scores
    }
    tests = _tests(found, list(scores))
    if fewest < FEWEST_ROWS or weight is not None:
        return {"said": said, "models": models, "tests": tests}
    low, high, errors = _on_grid(positive, scores, curves, grids)
    for i, (name, score) in enumerate(scores.items()):
        if no_interval_reason(positive, score) is None:
            models[name]["at"] = [packed(low[i]), packed(high[i])]
        models[name]["band"] = _band(positive, score)
    if fewest >= FEWEST_FOR_ANALYTIC_TESTS:
        for test, error in zip(tests, errors, strict=True):
            test["error"] = packed(error)
    return {"said": said, "models": models, "tests": tests}


def _ends(found: ComparisonResult, model: str) -> dict[str, Any]:
    rows = found.measures[found.measures["model"] == model].set_index("measure")
    return {name: _known(*rows.loc[name, ["low", "high"]]) for name in ("auc", "auk")}


def _tests(found: ComparisonResult, models: Sequence[str]) -> list[dict[str, Any]]:
    """What `compare` found of each pair: the ends of the difference and p, or None."""
    rows = {
        (one["first"], one["second"], one["measure"]): one for one in found.tests.to_dict("records")
    }
    tests = []
    for pair in combinations(models, 2):
        each: dict[str, Any] = {"pair": pair, "error": None, "auc": None, "auk": None}
        for name in ("auc", "auk"):
            if (row := rows.get((*pair, name))) is not None:
                ends = _known(row["low"], row["high"])
                each[name] = {"ends": ends, "p": _known(row["p_value"])}
        tests.append(each)
    return tests


def _known(*values: float) -> list[float] | None:
    return None if np.isnan(values).any() else [float(value) for value in values]


def _on_grid(
    positive: BoolArray,
    scores: Mapping[str, FloatArray],
    curves: Sequence[RocCurve],
    grids: Sequence[FloatArray],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ends of each model's AUK, and standard errors of each pair's difference, by p and c.

    The variance of a class that has very many rows is that of a sample of them, divided by all.
    """
    classes = [np.flatnonzero(side) for side in (positive, ~positive)]
    sizes = [len(rows) for rows in classes]
    draw = np.random.default_rng(0)
    for i, rows in enumerate(classes):
        if len(rows) > MOST_OF_A_CLASS:
            classes[i] = draw.choice(rows, MOST_OF_A_CLASS, replace=False)
    taken = np.concatenate(classes)
    first = np.arange(len(taken)) < len(classes[0])
    rankings = [ranking_of(Scored(first, each[taken], None)) for each in scores.values()]
    pairs = list(combinations(range(len(rankings)), 2))
    shape = len(grids[0]), len(grids[1])
    low, high = np.zeros((2, len(rankings), *shape))
    errors = np.zeros((len(pairs), *shape))
    areas = [areas_on_grid(f, t, grids[0][:, None], grids[1]) for f, t in curves]
    for at in np.ndindex(*shape):
        setting = Setting(float(grids[0][at[0]]), float(grids[1][at[1]]))
        placed = np.array([setting.placements(one)[0] for one in rankings])
        covariance = np.zeros((len(placed), len(placed)))
        for side, size in zip((first, ~first), sizes, strict=True):
            covariance += np.cov(placed[:, side]).reshape(covariance.shape) / size
        within = auk_range(*setting)
        for i, area in enumerate(areas):
            error = standard_error(covariance[i, i])
            found = normal_interval(float(area[at]), error, CONFIDENCE, "logit", within)
            low[(i, *at)], high[(i, *at)] = np.nan_to_num([found.low, found.high])
        for k, (i, j) in enumerate(pairs):
            both = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            errors[(k, *at)] = standard_error(both)
    return low, high, errors


def _band(positive: BoolArray, score: FloatArray) -> list[dict[str, Any]]:
    """Ends of the true positive rate at even false positive rates; kappa's follow from them."""
    band = kappa_band(positive, score, prevalence=0.5, level=CONFIDENCE, n_points=POINTS)
    return [packed(tpr_from_kappa(band.fpr, end, 0.5)) for end in (band.low, band.high)]
