"""Models on one test set: measures with intervals, pairwise tests, and what their AUCs allow."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import isnan
from typing import Any

import pandas as pd

from kappacurve import (
    Comparison,
    Estimate,
    auk_bounds,
    auk_interval,
    auk_test,
    bootstrap_intervals,
    delong_interval,
    delong_test,
    permutation_tests,
)
from kappacurve.inference.bootstrap import agreed
from kappacurve.inference.permutation import FEWEST_FOR_ANALYTIC_TESTS
from kappacurve.inference.results import holm
from study.data.classes import Classes
from study.errors import ExperimentError
from study.replicates.evaluation import Oriented, orientations

BOOTSTRAPPED = ("auch", "auk_hull", "h", "ks", "kappa_max")
# Beyond so many rows resampling takes minutes, and its intervals are narrow anyway.
MOST_ROWS_TO_RESAMPLE = 20_000


def _sides(
    table: pd.DataFrame, classes: Classes, prevalence: float | None
) -> tuple[Oriented, Oriented]:
    """The table's scores towards the class 1, then towards the class 0."""
    is_one, score = table[classes.column].to_numpy() == 1, table["score"].to_numpy()
    zero, one = orientations(is_one, score, prevalence, classes)
    return one, zero


def interval_table(
    scores: pd.DataFrame,
    classes: Classes,
    *,
    seed: int,
    prevalence: float | None = None,
    n_resamples: int = 2000,
) -> pd.DataFrame:
    """Every measure of every model with a 95 % interval over test rows.

    The scores have the columns row, the classes' column, model, score (higher = more likely the
    class 1). kappa and H are evaluated at the prevalence of the class 1, by default the test rows'.

    AUC and AUK have analytic intervals on the logit scale; those of hulls and maxima are resampled
    and allow for their bias, see :func:`kappacurve.bootstrap_intervals`. Above 20,000 rows only the
    AUC and the AUK have intervals. Where the rows can't give one (perfect separation, one score for
    all), low and high are missing and interval is "none".

    Raises
    ------
    ExperimentError
        If a class has fewer than two rows.
    """
    rows = []
    for model, table in scores.groupby("model", sort=False):
        if min(ones := int(table[classes.column].sum()), len(table) - ones) < 2:
            raise ExperimentError(
                f"of {len(table)} test rows {ones} are {classes.one}, but intervals need two of "
                "each class: bring more rows, choose another seed or stratify: true."
            )
        for side in _sides(table, classes, prevalence):
            found = _intervals(side, seed, n_resamples)
            for measure, (estimate, method) in found.items():
                place = {"positive_class": side.positive_class, "model": model, "measure": measure}
                rows.append({**place, "value": estimate.estimate, **_ends(estimate, method)})
    order = {classes.one: 0, classes.zero: 1}
    frame = pd.DataFrame(rows)
    places = frame["positive_class"].map(order).argsort(kind="stable")
    return frame.iloc[places].reset_index(drop=True)


def _ends(estimate: Estimate, method: str) -> dict[str, Any]:
    """Ends of an interval and how they were found, if the rows give one."""
    interval = "none" if isnan(estimate.low) else method
    return {"low": estimate.low, "high": estimate.high, "interval": interval}


def _intervals(side: Oriented, seed: int, n_resamples: int) -> dict[str, tuple[Estimate, str]]:
    labelled = (side.positive, side.score)
    share: Any = side.prevalence  # one for all rows
    found = {
        "auc": (delong_interval(*labelled, scale="logit"), "DeLong"),
        "auk": (auk_interval(*labelled, prevalence=share, scale="logit"), "analytic"),
    }
    if len(side.score) <= MOST_ROWS_TO_RESAMPLE:
        resampled = bootstrap_intervals(
            *labelled, prevalence=share, n_resamples=n_resamples, seed=seed
        )
        analytic = {name: one for name, (one, _) in found.items()}
        at = side.positive.mean() if share is None else share
        both = agreed(resampled | analytic, float(at))
        found |= {name: (both[name], "bootstrap") for name in BOOTSTRAPPED}
    return found


def paired_tests(
    scores: pd.DataFrame, classes: Classes, *, prevalence: float | None = None
) -> pd.DataFrame:
    """Paired tests of every two models: DeLong's of the AUC, and the AUK's for either class.

    positive_class is empty for the AUC, where it makes no difference; p_holm adjusts within each
    measure and positive class for the number of pairs. Where the difference (a - b) has no error,
    low, high (95 %) and both p values are missing: there is nothing to test by. With few rows of a
    class the tests are permutation tests, which have no error and no interval.
    """
    by_model = {
        str(name): one.sort_values("row") for name, one in scores.groupby("model", sort=False)
    }
    rows = []
    for a, b in combinations(by_model, 2):
        both = {"model_a": a, "model_b": b}
        of_both = (_sides(by_model[name], classes, prevalence) for name in (a, b))
        for one, other in zip(*of_both, strict=True):
            tests = _tests(one, other)
            if one.sign > 0:
                auc = tests["auc"]._asdict()
                rows.append({"measure": "auc", "positive_class": "", **both, **auc})
            place = {"measure": "auk", "positive_class": one.positive_class}
            rows.append({**place, **both, **tests["auk"]._asdict()})
    columns = ["measure", "positive_class", "model_a", "model_b", "difference", "standard_error"]
    table = pd.DataFrame(rows, columns=[*columns, "low", "high", "p_value"])
    families = table.groupby(["measure", "positive_class"])["p_value"]
    return table.assign(p_holm=families.transform(holm))


def _tests(one: Oriented, other: Oriented) -> Mapping[str, Comparison]:
    """Tests of the AUC and the AUK."""
    scored = one.positive, one.score, other.score
    share: Any = one.prevalence  # one for all rows
    n_positive = int(one.positive.sum())
    if min(n_positive, len(one.positive) - n_positive) < FEWEST_FOR_ANALYTIC_TESTS:
        return permutation_tests(*scored, prevalence=share)
    return {"auc": delong_test(*scored), "auk": auk_test(*scored, prevalence=share)}


def bounds_table(measures: pd.DataFrame) -> pd.DataFrame:
    """The AUKs that each model's hull could have with the AUC that it has.

    The measures are those of :func:`study.replicates.evaluation.evaluate_measures`. place, of the
    AUK between its bounds from 0 to 1 (missing if they meet), says how much it adds to the AUC.
    """
    columns = ["positive_class", "model", "prevalence", "auc", "auk"]
    table = measures.loc[measures["curve"] == "hull", columns].reset_index(drop=True)
    bounds = [auk_bounds(*map(float, one)) for one in table[["auc", "prevalence"]].to_numpy()]
    table.insert(4, "lowest", [float(one.lower) for one in bounds])
    table["highest"] = [float(one.upper) for one in bounds]
    width = (table["highest"] - table["lowest"]).where(lambda width: width > 0)
    return table.assign(place=((table["auk"] - table["lowest"]) / width).clip(0, 1))
