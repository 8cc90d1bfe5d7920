"""Paired permutation tests of every measure."""

from __future__ import annotations

from math import nan

import numpy as np

from kappacurve._measures import RANKING
from kappacurve._ranking import measure_scores
from kappacurve._validation import BoolArray, Conditions, FloatArray
from kappacurve.inference._resampling import BLOCK
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import Models
from kappacurve.inference.results import ROUNDING, Comparison, check_repeats, standard_error

# Rows of the rarer class from which the bootstrap's tests hold their size.
FEWEST_FOR_BOOTSTRAP = 20


def permutation_tests(
    sample: Sample, first: str, second: str, at: Conditions, n_permutations: int, random_state: int
) -> dict[str, Comparison]:
    """Paired tests of all measures: the two models' ranks exchanged row by row, or by groups.

    The null hypothesis is that, given the class of a row, either model could have given either of
    its two ranks: then all measures have equal values in the population, at every cost. Under it
    the test of scores that share a scale would be exact for any number of rows. Scores are made
    comparable by ranking each model's (ties share their mean rank); since exchanged ranks are no
    longer all different, the size is then only nearly exact, and below the stated one if there
    are very few rows of a class. With n of these only 2^(n - 1) exchanges of theirs differ: with
    four or fewer hardly anything can be found.
    """
    check_repeats("n_permutations", n_permutations)
    if sample.weight is not None:
        raise ValueError("method='permutation' takes no sample_weight: use 'analytic'.")
    positive, n = sample.positive, len(sample.positive)
    a, b = rank_rows(sample, first, second)
    codes = np.arange(n) if sample.groups is None else sample.groups

    def leads(exchanged: BoolArray) -> dict[str, FloatArray]:
        of_a, of_b = (
            measure_scores(positive[None], np.where(exchanged, *ranks), at).measures
            for ranks in ((b, a), (a, b))
        )
        return {name: of_a[name] - of_b[name] for name in RANKING}

    observed = {name: float(lead[0]) for name, lead in leads(np.zeros((1, n), bool)).items()}
    as_far = dict.fromkeys(RANKING, 1)
    random = np.random.default_rng(random_state)
    block = max(1, BLOCK // n)
    for start in range(0, n_permutations, block):
        size = min(block, n_permutations - start), int(codes.max()) + 1
        exchanged = random.integers(2, size=size, dtype=bool)[:, codes]
        for name, lead in leads(exchanged).items():
            as_far[name] += int(np.sum(np.abs(lead) >= abs(observed[name]) - ROUNDING))
    return {
        name: Comparison(
            lead, nan, nan, as_far[name] / (n_permutations + 1), nan, nan, "permutation"
        )
        for name, lead in observed.items()
    }


def studentised_permutation_test(
    sample: Sample,
    first: str,
    second: str,
    measure: str,
    at: Conditions,
    n_permutations: int,
    random_state: int,
) -> Comparison:
    """The same of a measure with an analytic error, by the difference over that error.

    The error is computed again in each exchange. Where both models are nearly perfect most
    exchanges change nothing, and the plain difference rejects too rarely; this one keeps its size.
    """
    check_repeats("n_permutations", n_permutations)
    if sample.weight is not None:
        raise ValueError("method='permutation' takes no sample_weight: use 'analytic'.")
    ranks = rank_rows(sample, first, second)
    codes = np.arange(len(sample.positive)) if sample.groups is None else sample.groups
    random = np.random.default_rng(random_state)

    def studentised(exchanged: BoolArray) -> tuple[float, float]:
        scores = {"a": np.where(exchanged, *ranks[::-1]), "b": np.where(exchanged, *ranks)}
        models = Models(sample._replace(scores=scores), at._replace(estimated=False))
        lead = models.area("a", measure).minus(models.area("b", measure))
        error = standard_error(models.spread(lead).variance)
        value = float(lead.value)
        return value, value / error if error else 0.0

    difference, observed = studentised(np.zeros(len(codes), bool))
    as_far = 1
    for _ in range(n_permutations):
        exchanged = random.integers(2, size=int(codes.max()) + 1, dtype=bool)[codes]
        as_far += abs(studentised(exchanged)[1]) >= abs(observed) - ROUNDING
    p_value = as_far / (n_permutations + 1)
    return Comparison(difference, nan, nan, p_value, nan, nan, "permutation")


def rank_rows(sample: Sample, first: str, second: str) -> list[FloatArray]:
    """Each model's ranks, ties sharing their mean rank, so that they can be exchanged."""
    from scipy.stats import rankdata  # here: it takes most of a second, and few need it

    return [rankdata(sample.scores[model]) for model in (first, second)]
