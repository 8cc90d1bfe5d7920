"""Paired permutation tests of every measure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import copysign, inf, nan

import numpy as np

from kappacurve._measures import RANKING
from kappacurve._ranking import measure_scores
from kappacurve._validation import BoolArray, Conditions, FloatArray
from kappacurve.inference._sample import OF_RANKS, Sample
from kappacurve.inference.analytic import FEWEST_FOR_TESTS, Models
from kappacurve.inference.bootstrap import BLOCK
from kappacurve.inference.results import (
    ROUNDING,
    Comparison,
    Family,
    Repeats,
    check_repeats,
    holm,
    standard_error,
)

# Rows of the rarer class from which the bootstrap's tests hold their size.
FEWEST_FOR_BOOTSTRAP = 20


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
    return _compared(difference, as_far, repeats)


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
    return {name: _compared(lead, as_far[name], repeats) for name, lead in observed.items()}


def _compared(difference: float, as_far: int, repeats: Repeats) -> Comparison:
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
