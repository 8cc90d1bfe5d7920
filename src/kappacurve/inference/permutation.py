"""Paired permutation tests of every measure."""

from __future__ import annotations

import warnings
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import Axis, BoolArray, Cost, FloatArray, check_one_cost
from kappacurve.inference._resampling import BLOCK
from kappacurve.inference.results import (
    ROUNDING,
    Comparison,
    check_design,
    check_repeats,
    check_rows,
)
from kappacurve.measures import RANKING, batch_measures

# Rows of the rarer class from which DeLong's, the AUK's and the bootstrap's tests hold their size;
# docs/measures.md has the table.
FEWEST_FOR_ANALYTIC_TESTS = 20


def holds_size(positive: BoolArray) -> bool:
    """Whether a test other than by permutation holds its size; warns if it does not."""
    fewest = min(int(positive.sum()), int((~positive).sum()))
    if fewest < FEWEST_FOR_ANALYTIC_TESTS:
        warnings.warn(
            f"No p value: with {fewest} rows of a class this test does not hold its size, which "
            f"takes {FEWEST_FOR_ANALYTIC_TESTS}. Use permutation_tests.",
            stacklevel=3,
        )
    return fewest >= FEWEST_FOR_ANALYTIC_TESTS


def permutation_tests(
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
    n_permutations: int = 2000,
    seed: int = 0,
) -> dict[str, Comparison]:
    """Paired permutation tests of all measures: the two models' ranks exchanged row by row.

    They hold their size with any number of rows, which the other tests do not.

    Parameters
    ----------
    y_true, y_score_a, y_score_b, pos_label, sample_weight
        As in :func:`delong_test`.
    prevalence, cost, cost_ratio, axis
        As in :func:`kappacurve.measures`.
    n_permutations : int, default 2000
        Each exchanges the two ranks in a random half of the rows and measures both models again.
    seed : int, default 0
        The same seed gives the same result.

    Returns
    -------
    dict of Comparison
        Under the names of :func:`bootstrap_intervals`. difference is a - b; p_value the share of
        permutations with a difference at least as large on either side, counting the sample
        itself. There is no interval: standard_error, statistic, low and high are NaN.

    Raises
    ------
    ValueError
        As :func:`delong_test`, or if an option is out of range.

    Notes
    -----
    The null hypothesis is that, given the class of a row, either model could have given either of
    its two ranks: then all measures have equal values in the population, at every cost. Under it
    the test of scores that share a scale would be exact for any number of rows. Scores are made
    comparable by ranking each model's (ties share their mean rank); since exchanged ranks are no
    longer all different, the size is then only nearly exact, and below the stated one if there
    are very few rows of a class. With n of these only 2^(n - 1) exchanges of theirs differ: with
    four or fewer hardly anything can be found.

    Models with the same value of a measure but different curves are outside the hypothesis.

    References
    ----------
    Venkatraman & Begg (1996), "A distribution-free procedure for comparing receiver operating
    characteristic curves from a paired experiment", Biometrika 83, 835-848, for exchanging ranks;
    Bandos, Rockette & Gur (2005), "A permutation test sensitive to differences in areas for
    comparing ROC curves from a paired design", Statistics in Medicine 24, 2873-2893.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9]
    >>> b = [0.2, 0.6, 0.4, 0.7, 0.3, 0.5, 0.8, 0.9]
    >>> permutation_tests(y_true, a, b)["auc"].difference
    0.25
    """
    from scipy.stats import rankdata  # here: it takes most of a second, and few need it

    check_repeats("n_permutations", n_permutations)
    pair = [check_rows(y_true, y, pos_label, sample_weight) for y in (y_score_a, y_score_b)]
    p, _ = check_design(pair[0], prevalence, "stratified")
    at: Any = {"prevalence": p, "cost": check_one_cost(cost, cost_ratio), "axis": axis}
    positive, n = pair[0].positive, len(pair[0].positive)
    a, b = (rankdata(scored.score) for scored in pair)

    def leads(exchanged: BoolArray) -> dict[str, FloatArray]:
        of_a, of_b = (
            batch_measures(positive, np.where(exchanged, *ranks), **at)
            for ranks in ((b, a), (a, b))
        )
        return {name: of_a[name] - of_b[name] for name in RANKING}

    observed = {name: float(lead[0]) for name, lead in leads(np.zeros((1, n), bool)).items()}
    as_far = dict.fromkeys(RANKING, 1)
    random = np.random.default_rng(seed)
    block = max(1, BLOCK // n)
    for start in range(0, n_permutations, block):
        size = min(block, n_permutations - start), n
        for name, lead in leads(random.integers(2, size=size, dtype=bool)).items():
            as_far[name] += int(np.sum(np.abs(lead) >= abs(observed[name]) - ROUNDING))
    return {
        name: Comparison(lead, nan, nan, as_far[name] / (n_permutations + 1), nan, nan)
        for name, lead in observed.items()
    }
