"""An interval of one model's measure, and a paired test of two models."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy.typing as npt

from kappacurve._validation import Axis, Conditions, Cost, check_choice, check_named
from kappacurve.inference._sample import TrainedAt, check_design, check_sample
from kappacurve.inference.analytic import ANALYTIC, FEWEST_FOR_TESTS, Models
from kappacurve.inference.points import points
from kappacurve.inference.resampling import (
    FEWEST_FOR_BOOTSTRAP,
    RESAMPLED,
    Bootstrap,
    permutation_test,
)
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Sampling,
    Scale,
    check_level,
    without_p_value,
)
from kappacurve.operating import DECIDED, EXAMPLES, Constraint, check_at

Method = Literal["auto", "analytic", "bootstrap"]
TestMethod = Literal["auto", "analytic", "bootstrap", "permutation"]
KNOWN = tuple(dict.fromkeys((*ANALYTIC, *RESAMPLED)))


class _Options(TypedDict, total=False):
    """What `interval` and `paired_test` take by name."""

    level: float
    pos_label: Any
    sample_weight: npt.ArrayLike | None
    groups: npt.ArrayLike | None
    prevalence: float | None
    cost: Cost | None
    cost_ratio: float | None
    axis: Axis
    threshold: float | None
    at: str | float | None
    sampling: Sampling | None
    n_resamples: int
    random_state: int
    n_jobs: int | None


class _IntervalOptions(_Options, total=False):
    method: Method
    trained_at: float | None
    scale: Scale


class _TestOptions(_Options, total=False):
    measure: str
    method: TestMethod
    trained_at: TrainedAt


@overload
def interval(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    measure: str = "auk",
    **options: Unpack[_IntervalOptions],
) -> Estimate: ...


@overload
def interval(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    measure: list[str] | tuple[str, ...],  # a string is a sequence of strings, too
    **options: Unpack[_IntervalOptions],
) -> dict[str, Estimate]: ...


def interval(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    measure: str | Sequence[str] = "auk",
    method: Method = "auto",
    level: float = 0.95,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    trained_at: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    threshold: float | None = None,
    at: str | float | None = None,
    sampling: Sampling | None = None,
    scale: Scale = "adjusted",
    n_resamples: int = 2000,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Estimate | dict[str, Estimate]:
    """A measure of one model's scores with its standard error and confidence interval.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans, strings); finite scores, higher for positives.
    measure : str or sequence of str, default "auk"
        "auc", "gini", "auk", "expected_loss", "net_benefit", "brier_score", "log_loss", or one of
        the others that :func:`kappacurve.measures` returns, such as "h", "ks", "kappa_max" or
        "average_precision". With `at` what decisions bring: "recall", "precision", "specificity",
        "flagged", "kappa" or "expected_loss". With several the result is a dict.
    method : {"auto", "analytic", "bootstrap"}, default "auto"
        "analytic" is DeLong's variance of the AUC and the Gini coefficient, and the influence
        function of the AUK and of means over rows. "bootstrap" resamples rows, for any ranking
        measure. "auto" is analytic where there is such an error, else the bootstrap. The result
        names the method taken.
    level : float in (0, 1), default 0.95
        Level of the interval.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        How many rows of the population each row stands for. Only their ratios within a class
        matter for the error; rows of weight 0 are left out.
    groups : array-like of shape (n_samples,), optional
        Such as the patient of each row: only rows of different groups are independent.
    prevalence : float in (0, 1), optional
        Class ratio at which to evaluate; by default the (weighted) share of positives.
    trained_at : float in (0, 1), optional
        Share of positives in the training rows (after resampling), to which probabilities
        belong; by default that of `y_true`. At another `prevalence` their odds are shifted.
    cost, cost_ratio : number in [0, 1] or "balanced"; number >= 0, optional
        Cost of a missed positive as a share of both errors, by default 1/2 ("balanced" is
        1 - prevalence), or over that of a false alarm.
    axis : {"fpr", "flagged"}, default "fpr"
        Over what the AUK is taken: false positive rate, or share of rows predicted positive.
    threshold : float, optional
        Of "expected_loss": rows with at least this score are flagged. It must have been chosen on
        other rows. Without it the loss is that of the best threshold, by the bootstrap. Of
        "net_benefit": the threshold probability, which flags and weighs.
    at : str or float, optional
        Where rows are flagged: a constraint as in :func:`kappacurve.operating_point`, such as
        "flagged<=0.1", by the bootstrap; or a threshold that was chosen on other rows.
    sampling : {"random", "stratified"}, optional
        Whether the class ratio of the rows was left to chance, as in a cohort, or fixed by design;
        by default random. A stated `prevalence` is always fixed. Groups are always drawn at random.
    scale : {"adjusted", "logit", "plain"}, default "adjusted"
        Where an analytic interval of AUC, Gini or AUK is symmetric. "adjusted" is the logit scale
        after each class got two pseudo-rows of weight 0.1, one at either end of all scores;
        "logit" leaves them out; "plain" is the measure's own scale. Means over rows are always on
        their own scale.
    n_resamples : int, default 2000
        Of the bootstrap.
    random_state : int, default 0
        Of the bootstrap: the same number gives the same result.
    n_jobs : int, optional
        Threads, by default one, -1 for one per processor; the result is the same for any number.

    Returns
    -------
    Estimate, or dict of str to Estimate
        estimate, standard_error >= 0, low <= high in the range of the measure, and the method:
        "delong", "influence" or "bootstrap". low and high are NaN where nothing varies whatever
        rows are drawn: all scores equal, or, but for "adjusted", classes that are separated.

    Raises
    ------
    ValueError
        If a class has fewer than two rows (or groups), a score is not finite, a measure is not
        known or has no such method, or an option is out of its range.

    Notes
    -----
    DeLong's variance and the AUK's need one sort. :func:`kappacurve.inference.influence` has the
    derivation. With groups the rows' influences are summed by group before they are squared
    (Obuchowski 1997); with weights they are weighted and centred in each class.

    The pseudo-rows keep the coverage with few positives, and where an AUC is near 1:
    docs/coverage.md has the simulations. With fewer than 20 groups that hold a class no interval
    is reliable, and a warning says so.

    Intervals of expected loss and net benefit take Agresti and Coull's limits of the shares flagged
    in each class and add the squares of their distances (Newcombe 1998, method 10); so do those of
    AUC, Gini and AUK where scores have two levels. A plain interval covered .35 where nearly all
    positives are flagged. Those of Brier score and log loss are Student's on the logit and the log
    scale.

    Under a constraint the threshold is chosen anew in each resample, so the interval is that of the
    model held to the constraint: for what the printed threshold will bring on other rows give the
    threshold as `at`. It is between percentiles, or at Wilson's limits for a share with the
    resamples' standard deviation (plain ones of kappa and loss), whichever is wider. What the
    constraint holds (recall at "recall>=0.9") has none. With fewer than 20 positives the intervals
    at a least recall or precision are too narrow (docs/coverage.md).

    The bootstrap's other intervals are on the logit scale; those of maxima and of measures of the
    hull, which lie too high in a sample, are less their bias. A hull is nowhere below its curve,
    and an AUC above 1/2 bounds KS, the largest kappa and H from below: no two intervals contradict.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595. Sun & Xu
    (2014), IEEE Signal Processing Letters 21, 1389-1393, doi:10.1109/LSP.2014.2337313. Obuchowski
    (1997), Biometrics 53, 567-578, doi:10.2307/2533958. Hampel (1974), JASA 69, 383-393,
    doi:10.1080/01621459.1974.10482962. Efron & Tibshirani (1993), An Introduction to the Bootstrap,
    section 10.6.

    Examples
    --------
    >>> y_true = [0, 0, 1, 0, 0, 0, 1, 0, 1, 1]
    >>> y_score = [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.55, 0.7, 0.8, 0.9]
    >>> result = interval(y_true, y_score)
    >>> round(result.estimate, 4), round(result.standard_error, 4), result.method
    (0.2801, 0.1616, 'influence')
    >>> interval(y_true, y_score, measure=["auc", "h"], n_resamples=200)["h"].method
    'bootstrap'
    """
    names = (measure,) if isinstance(measure, str) else tuple(measure)
    level = check_level(level)
    check_choice("scale", scale, "adjusted", "logit", "plain")
    check_choice("method", method, "auto", "analytic", "bootstrap")
    point = _check_point(names, at, method, threshold)
    sample = check_sample(y_true, {"": y_score}, pos_label, sample_weight, groups)
    conditions = check_design(
        sample, prevalence, cost, cost_ratio, axis, sampling, threshold, trained_at
    )
    models = Models(sample, conditions)
    repeats = n_resamples, random_state
    estimates: dict[str, Estimate]
    if point is not None:
        sample.warn()
        decided = points(models, point, repeats)
        estimates = {name: decided.interval("", name, level) for name in names}
        return estimates[measure] if isinstance(measure, str) else estimates
    methods = {name: _method(name, method, conditions) for name in names}
    analytic = [name for name in names if methods[name] == "analytic"]
    resampled = [name for name in names if methods[name] == "bootstrap"]
    for caveat in sample.caveats(conditions.estimated, analytic, resampled):
        warnings.warn(caveat, stacklevel=2)
    estimates = {name: models.interval("", name, level, scale) for name in analytic}
    if resampled:
        bootstrap = Bootstrap(models, repeats, n_jobs)
        estimates = bootstrap.intervals("", level) | estimates
    return estimates[measure] if isinstance(measure, str) else {n: estimates[n] for n in names}


@overload
def paired_test(
    y_true: npt.ArrayLike,
    y_score_a: npt.ArrayLike,
    y_score_b: npt.ArrayLike,
    **options: Unpack[_TestOptions],
) -> Comparison: ...


@overload
def paired_test(
    y_true: npt.ArrayLike, y_score_a: Mapping[str, npt.ArrayLike], **options: Unpack[_TestOptions]
) -> dict[tuple[str, str], Comparison]: ...


def paired_test(
    y_true: npt.ArrayLike,
    y_score_a: Any,
    y_score_b: npt.ArrayLike | None = None,
    *,
    measure: str = "auk",
    method: TestMethod = "auto",
    level: float = 0.95,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    trained_at: TrainedAt = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    threshold: float | None = None,
    at: str | float | None = None,
    sampling: Sampling | None = None,
    n_resamples: int = 2000,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Comparison | dict[tuple[str, str], Comparison]:
    """Test whether two models have the same value of a measure, on the same rows.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Two finite scores of each row; higher means more positive. Instead of both, the first may
        be a mapping of names to scores: then every two models are tested.
    measure : str, default "auk"
        One of "auc", "gini", "auk", "expected_loss", "net_benefit", "brier_score", "log_loss", or
        of the other ranking measures of :func:`kappacurve.measures`. With `at` what decisions
        bring, as in :func:`kappacurve.interval`.
    method : {"auto", "analytic", "bootstrap", "permutation"}, default "auto"
        "analytic" is DeLong's test, or the same by the influence function of the AUK and of means
        over rows, with Student's t of Satterthwaite's degrees of freedom. "bootstrap" resamples
        rows. "permutation" exchanges the two models' ranks row by row, or by groups; of AUC, Gini
        and AUK it takes the difference over its error, which keeps its size where both models are
        nearly perfect and "analytic" rejects too rarely. "auto" is analytic where there is such an
        error and each class has at least five rows; else the bootstrap from 20 rows of each class
        on, and permutation below. The result names the method taken.
    level : float in (0, 1), default 0.95
        Level of the interval of the difference.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        How many rows each row stands for.
    groups : array-like of shape (n_samples,), optional
        Such as the patient of each row: only rows of different groups are independent.
    prevalence : float in (0, 1), optional
        Class ratio at which to evaluate; by default the (weighted) share of positives.
    trained_at : float in (0, 1) or mapping of str to float, optional
        Share of positives in the training rows (after resampling), to which probabilities
        belong, of all models or of some by name; by default that of `y_true`. At another
        `prevalence` their odds are shifted.
    cost, cost_ratio : number in [0, 1] or "balanced"; number >= 0, optional
        Cost of a missed positive as a share of both errors, by default 1/2 ("balanced" is
        1 - prevalence), or over that of a false alarm.
    axis : {"fpr", "flagged"}, default "fpr"
        Over what the AUK is taken: false positive rate, or share of rows predicted positive.
    threshold : float, optional
        Of "expected_loss": one for both models, chosen on other rows. Of "net_benefit": the
        threshold probability.
    at : str or float, optional
        As in :func:`kappacurve.interval`: a constraint, which each model meets at its own
        threshold, or one threshold for both.
    sampling : {"random", "stratified"}, optional
        Is the class ratio left to chance, as in a cohort, or fixed by design? By default random; a
        stated `prevalence` is always fixed.
    n_resamples : int, default 2000
        Of the bootstrap, or permutations.
    random_state : int, default 0
        Of the bootstrap and the permutations: the same number gives the same result.
    n_jobs : int, optional
        Threads, by default one, -1 for one per processor; the result is the same for any number.

    Returns
    -------
    Comparison, or dict of (first, second) to Comparison
        difference is a - b, with its standard_error, statistic, two-sided p_value, the ends low
        and high of its interval, and the method: "delong", "influence", "bootstrap" or
        "permutation". Where the difference does not vary whatever rows are drawn the rest is NaN,
        but that the p value of no difference is 1; a permutation test has a p value only. The p
        value of an analytic test is NaN with fewer than five rows of a class, that of a bootstrap
        test with fewer than 20.

    Raises
    ------
    ValueError
        If a class has fewer than two rows (or groups), a score is not finite, a measure is not
        known or has no such method, or an option is out of its range.

    Notes
    -----
    Two measures of the same rows move together, and only what moves apart counts: the errors are
    those of the differences of the rows' influences. The bootstrap's interval is between quantiles
    of the resamples, and its p value inverts it: one minus the largest level at which it excludes
    zero. With too few resamples (19 at the level 0.95) it has no ends. An expected loss or net
    benefit is held against flagging all rows, or nobody, by its own interval, and precisions and
    kappas at a threshold by those of both models: then, too, the p value inverts it. For models on
    different rows use :meth:`kappacurve.Estimate.unpaired_test`.
    docs/coverage.md has the sizes that these tests keep.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, equation 5. Satterthwaite
    (1946), Biometrics Bulletin 2, 110-114. Efron & Tibshirani (1993), An Introduction to the
    Bootstrap, sections 13.3 and 15.4. Venkatraman & Begg (1996), Biometrika 83, 835-848, and
    Bandos, Rockette & Gur (2005), Statistics in Medicine 24, 2873-2893, on permutation.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1] * 5
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9] * 5
    >>> b = [0.2, 0.6, 0.4, 0.7, 0.3, 0.5, 0.8, 0.9] * 5
    >>> result = paired_test(y_true, a, b, measure="auc")
    >>> round(result.difference, 2), result.p_value < 0.01, result.method
    (0.25, True, 'delong')
    """
    level = check_level(level)
    check_choice("method", method, "auto", "analytic", "bootstrap", "permutation")
    point = _check_point([measure], at, method, threshold)
    several = y_score_b is None
    scores = check_named("y_score_a", y_score_a) if several else {"a": y_score_a, "b": y_score_b}
    if len(scores) < 2:
        raise ValueError("paired_test needs the scores of two models.")
    sample = check_sample(y_true, scores, pos_label, sample_weight, groups)
    sample.warn()
    conditions = check_design(
        sample, prevalence, cost, cost_ratio, axis, sampling, threshold, trained_at
    )
    models = Models(sample, conditions)
    repeats = n_resamples, random_state
    pairs = list(combinations(scores, 2))
    used = None if point is not None else _test_method(measure, method, models)
    if point is not None:
        decided = points(models, point, repeats)
        tests = {pair: decided.test(*pair, measure, level) for pair in pairs}
    elif used == "analytic":
        tests = {pair: models.test(*pair, measure, level) for pair in pairs}
    elif used == "bootstrap":
        bootstrap = Bootstrap(models, repeats, n_jobs)
        few = min(sample.units()) < FEWEST_FOR_BOOTSTRAP
        tests = {
            pair: without_p_value(bootstrap.tests(*pair, level)[measure], few) for pair in pairs
        }
    else:
        tests = {
            pair: permutation_test(sample, *pair, measure, conditions, repeats) for pair in pairs
        }
    return tests if several else tests["a", "b"]


def _check_point(
    measures: Sequence[str], at: Any, method: str, threshold: float | None
) -> Constraint | float | None:
    """Where rows are flagged; raise if a measure does not go with it, or needs it."""
    if at is None:
        for name in set(measures) & set(DECIDED) - set(KNOWN):
            raise ValueError(f"{name} needs at=: a threshold, or a constraint such as {EXAMPLES}.")
        return None
    point = check_at(at)
    for name in measures:
        if name not in DECIDED:
            raise ValueError(f"{name} takes no at=; what decisions bring is {', '.join(DECIDED)}.")
    if threshold is not None:
        raise ValueError("at and threshold both say which rows are flagged: give one of them.")
    constrained = isinstance(point, Constraint)
    what, only = ("a constraint", "bootstrap") if constrained else ("a threshold", "analytic")
    if method not in ("auto", only):
        raise ValueError(f"at={at!r}: {what} has no method {method!r}, use {only!r}.")
    return point


def _method(measure: str, method: str, at: Conditions) -> str:
    """The method by which a measure's error is found."""
    if measure not in KNOWN:
        raise ValueError(f"There is no measure {measure!r}; known are {', '.join(KNOWN)}.")
    if method == "auto":
        needs_threshold = measure == "expected_loss" and at.threshold is None
        return "analytic" if measure in ANALYTIC and not needs_threshold else "bootstrap"
    if method == "analytic" and measure not in ANALYTIC:
        raise ValueError(f"{measure} has no analytic error: use method='bootstrap'.")
    if method != "analytic" and measure not in RESAMPLED:
        raise ValueError(f"{measure} has no method {method!r}: use 'analytic'.")
    if method != "analytic" and at.threshold is not None:
        raise ValueError(f"method={method!r} takes no threshold: use 'analytic'.")
    return method


def _test_method(measure: str, method: str, models: Models) -> str:
    """The same for a test, which may also be by permutation."""
    sample, at = models.sample, models.at
    permutable = measure in RESAMPLED and measure != "expected_loss"
    if method == "permutation":
        _method(measure, "bootstrap", at)
        if not permutable:
            raise ValueError("expected_loss has no permutation test: use 'bootstrap'.")
        return method
    usual = _method(measure, method, at)
    needed = FEWEST_FOR_TESTS if usual == "analytic" else FEWEST_FOR_BOOTSTRAP
    few = min(sample.units()) < needed and sample.weight is None and at.threshold is None
    return "permutation" if method == "auto" and permutable and few else usual
