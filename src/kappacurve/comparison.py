"""Models on the same rows: measures with intervals, paired tests, and what is more than chance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import comparison_result as wording
from kappacurve._decisions import COLUMNS, NONE, CostDecisions, decisions_at
from kappacurve._kernels import beta_at_cost
from kappacurve._measures import BIASED, FORMULAS, LESS_IS_BETTER, LOSS, OF_PROBABILITIES, REPORTED
from kappacurve._ranking import measures_of
from kappacurve._validation import (
    Axis,
    Conditions,
    Cost,
    are_probabilities,
    check_jobs,
    check_lower,
    check_named,
    check_number,
)
from kappacurve.comparison_result import ComparisonResult
from kappacurve.inference._sample import Sample, TrainedAt, check_design, check_sample
from kappacurve.inference.analytic import ANALYTIC, FEWEST_FOR_TESTS, Models, global_test
from kappacurve.inference.resampling import (
    FEWEST_FOR_BOOTSTRAP,
    RESAMPLED,
    Bootstrap,
    permutation_families,
)
from kappacurve.inference.results import (
    ROUNDING,
    Comparison,
    Estimate,
    Family,
    Repeats,
    Sampling,
    check_level,
)
from kappacurve.kappa import error_weights, tied_costs
from kappacurve.operating import cost_point

__all__ = ["ComparisonResult", "compare"]

FOLDS = (
    "Means of folds have no interval: folds share training rows, so their spread does not tell the "
    "error of the mean."
)
RESAMPLES = 2000  # under a constraint, unless a number is given
VALUES = Comparison._fields[:-1]
TESTS = ["first", "second", "measure", *VALUES, "p_adjusted", "method"]
POINTS = ["model", "criterion", "lower", "threshold", "low", "high", "fpr", "tpr"]
POINTS += ["value", "printed"]


def compare(
    y_true: npt.ArrayLike,
    y_scores: Mapping[str, npt.ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    trained_at: TrainedAt = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    sampling: Sampling | None = None,
    level: float | None = 0.95,
    n_resamples: int | None = None,
    n_permutations: int = 2000,
    random_state: int = 0,
    n_jobs: int | None = None,
    thresholds: Mapping[str, float] | None = None,
    at: str | float | Sequence[str | float] = (),
    cv: npt.ArrayLike | None = None,
    lower: Collection[str] = (),
    progress: TextIO | None = None,
) -> ComparisonResult:
    """Compare models by their scores of the same rows: measures, intervals, tests, conclusion.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_scores : mapping of str to array-like of shape (n_samples,)
        Scores by model: a dict, or a DataFrame with a column for each.
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
    sampling : {"random", "stratified"}, optional
        Is the class ratio left to chance, as in a cohort, or fixed by design? By default random; a
        stated `prevalence` is always fixed.
    level : float in (0, 1) or None, default 0.95
        Of the intervals; a difference is called more than chance if its adjusted p is below one
        minus it. None makes neither intervals nor tests.
    n_resamples : int, optional
        By default AUC and AUK have analytic intervals and tests, and the other ranking measures
        none. With it every measure and threshold has those of one bootstrap that all models share.
    n_permutations : int, default 2000
        Of the permutation tests: of measures without an analytic test where a class has fewer than
        20 rows, and of all with fewer than five.
    random_state : int, default 0
        Of the bootstrap and the permutations.
    n_jobs : int, optional
        Threads, by default one, -1 for one per processor; the result is the same for any number.
    thresholds : mapping of str to float, optional
        With a cost: the threshold of each model, chosen on other rows such as those it was trained
        on. By default each fifth of the rows (of the groups) is judged at the threshold that is
        best on the others, so that none is judged by the rows that chose it.
    at : str, float or sequence of them, optional
        What decisions bring under constraints such as "flagged<=0.1", which each model meets at its
        own threshold, or at a threshold of other rows; as in :func:`kappacurve.interval`.
    cv : array-like of shape (n_samples,), optional
        Fold of each row, of cross-validated scores. The tables take all rows together, and `folds`
        has each fold by itself, at the prevalence of all rows.
    lower : collection of str, default ()
        Models whose lower scores mean the positive class.
    progress : text stream, optional
        Such as ``sys.stderr``: a bootstrap of more than five seconds reports the time left there.

    Returns
    -------
    ComparisonResult

    Raises
    ------
    ValueError
        If a model's rows can't be measured, which it then names, or an option is out of its range.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] * 4
    >>> a, b = [1, 2, 3, 5, 6, 4, 7, 8, 9, 10] * 4, [5, 2, 9, 1, 3, 4, 6, 8, 7, 10] * 4
    >>> result = compare(y_true, {"a": a, "b": b})
    >>> result.tests[["measure", "difference"]].round(3).to_numpy().tolist()
    [['auc', 0.12], ['auk', 0.12]]
    >>> print(result.conclusion[1])
    All measures order the models alike in this sample.
    """
    y_scores = check_named("y_scores", y_scores)
    negated = check_lower(lower, y_scores)
    check_jobs(n_jobs)
    if level is not None:
        level = check_level(level)
    sample = check_sample(
        y_true, y_scores, pos_label, sample_weight, groups, lower=negated, fewest=1
    )
    conditions = check_design(
        sample, prevalence, cost, cost_ratio, axis, sampling, trained_at=trained_at
    )
    models = Models(sample, conditions)
    enough = min(sample.units()) > 1
    inferred = level is not None and enough
    decisions = bootstrap = None
    if cost is not None or cost_ratio is not None:
        if thresholds is not None:
            cuts = {str(name): check_number("threshold", cut) for name, cut in thresholds.items()}
            thresholds = {name: -cut if name in negated else cut for name, cut in cuts.items()}
        decisions = CostDecisions(models, thresholds, random_state)
    if inferred and n_resamples is not None:
        bootstrap = Bootstrap(models, (n_resamples, random_state), n_jobs, progress)
    permuting = n_permutations, random_state
    compared = _Compared(models, level or 0.95, inferred, negated, bootstrap, decisions, permuting)
    n_positive = int(np.count_nonzero(sample.positive))
    p = conditions.prevalence
    design = {
        "n": len(sample.positive),
        "n_positive": n_positive,
        "n_negative": len(sample.positive) - n_positive,
        "groups": None if sample.groups is None else int(sample.groups.max()) + 1,
        "weighted": sample.weight is not None,
        "prevalence": p,
        "trained_at": conditions.trained_at,
        "cost": conditions.cost,
        "h_weight": beta_at_cost(*error_weights(conditions.cost, p, 1 - p)),
        "sampling": "random" if conditions.estimated else "stratified",
        "level": level or 0.95,
        "bootstrap": bootstrap and {"resamples": n_resamples, "random_state": random_state},
        "cross_fitted": decisions is not None and thresholds is None and enough,
        "prevalence_is_given": prevalence is not None,
        # Costs of a missed positive at which two models tie by AUK.
        "auk_ties": compared.tied_costs() if inferred and len(sample.scores) == 2 else [],
    }
    repeats = n_resamples or RESAMPLES, random_state
    wanted: Any = at if np.ndim(at) else [at]
    folds = pd.DataFrame()
    notes = compared.limits(level is not None)
    if cv is not None:
        rows = ... if sample_weight is None else np.asarray(sample_weight) > 0
        folds = _by_fold(sample, conditions, np.asarray(cv)[rows])
        notes.append(FOLDS)
    result = ComparisonResult(
        measures=compared.measures(),
        tests=compared.tests(),
        global_tests=compared.global_tests(),
        thresholds=compared.thresholds(),
        decisions=compared.decided,
        points=[
            decisions_at(point, models, level if inferred else None, repeats, negated)
            for point in wanted
        ],
        folds=folds,
        conclusion=(),
        notes=(),
        disagreements=_disagreements(compared.values, compared.ranked_by),
        design=design,
        sample=sample,
    )
    notes += wording.notes(result)
    return replace(result, conclusion=wording.conclusion(result), notes=tuple(notes))


@dataclass
class _Compared:
    """Models on the same rows of two classes, with intervals and tests if they are asked for."""

    models: Models
    level: float
    inferred: bool  # or measures alone
    lower: Collection[str]
    bootstrap: Bootstrap | None
    decisions: CostDecisions | None
    permuting: Repeats

    def __post_init__(self) -> None:
        self.sample = self.models.sample
        self._fewest = min(self.sample.units())
        self.values = _values(self.sample, self.models.at)
        self.reported = list(REPORTED)
        self.decided = pd.DataFrame(columns=COLUMNS)
        if are_probabilities(self.sample.scores):
            for name in OF_PROBABILITIES:
                areas = [self.models.area(model, name) for model in self.sample.scores]
                self.values[name] = [area.value for area in areas]
            self.reported += OF_PROBABILITIES
        if self.decisions is not None:
            self.decided = self.decisions.table(self.level, self.lower)
            self.values[LOSS] = self.decided["loss"].to_numpy()
            self.reported.append(LOSS)
        self.ranked_by = [name for name in self.reported if name != "gini"]

    def measures(self) -> pd.DataFrame:
        """A row for each model and measure."""
        rows = []
        for model in self.sample.scores:
            intervals = self._intervals(model) if self.inferred else {}
            for measure in self.reported:
                estimate = intervals.get(measure, NONE)
                method = estimate.method or None
                if np.isnan(estimate.low):
                    estimate = NONE
                    method = method and "none"
                on_logit = method not in (None, "none") and measure not in LESS_IS_BETTER
                rows.append(
                    {"model": model, "measure": measure, **estimate._asdict()}
                    | {"estimate": float(self.values[measure][model]), "method": method}
                    | {"scale": "logit" if on_logit else None}
                )
        return pd.DataFrame(rows).drop(columns="df")

    def _intervals(self, model: str) -> dict[str, Estimate]:
        """Analytic intervals; or the bootstrap's, maxima and hulls less their bias."""
        intervals = {} if self.bootstrap is None else self.bootstrap.intervals(model, self.level)
        for name in self.reported:
            if name in ANALYTIC and name != LOSS and name not in intervals:
                intervals[name] = self.models.interval(model, name, self.level, "adjusted")
        if self.decisions is not None:
            intervals[LOSS] = self.decisions.interval(model, self.level)
        return intervals

    def tests(self) -> pd.DataFrame:
        """A row for each two models and measure, adjusted for the pairs."""
        rows = []
        families = self._families() if self.inferred else {}
        for pair in combinations(self.sample.scores, 2):
            for measure in self.ranked_by:
                if measure in families:
                    test, adjusted = families[measure][pair]
                    rows.append([*pair, measure, *test[:-1], adjusted, test.method])
        table = pd.DataFrame(rows, columns=TESTS)
        unknown = (table["standard_error"] == 0) & (table["p_value"] != 1)
        table.loc[unknown, [*VALUES[1:], "p_adjusted"]] = nan
        return table

    def _families(self) -> dict[str, Family]:
        """The tests of every two models by each measure."""
        names = list(self.sample.scores)
        families = dict[str, Family]()
        few = self._fewest < FEWEST_FOR_BOOTSTRAP
        resampled = [name for name in self.ranked_by if name in RESAMPLED and name != LOSS]
        if few and self.sample.weight is None:
            by_ranks = permutation_families(self.sample, self.models.at, self.permuting)
            families = {name: by_ranks[name] for name in resampled}
        elif self.bootstrap is not None:
            by_resamples = self.bootstrap.families(self.level)
            families = {name: by_resamples[name] for name in resampled}
        if self._fewest >= FEWEST_FOR_TESTS:
            for name in self.ranked_by:
                analytic = name in ANALYTIC and name != LOSS
                if analytic and (few or self.bootstrap is None or name not in families):
                    families[name] = self.models.tests(names, name, self.level)
            if self.decisions is not None:
                families[LOSS] = self.decisions.tests(self.level)
        return families

    def global_tests(self) -> pd.DataFrame:
        """Whether all of several models have the same AUC, and the same AUK."""
        names = list(self.sample.scores)
        rows = []
        if self.inferred and len(names) > 2 and self._fewest >= FEWEST_FOR_TESTS:
            for measure in ("auc", "auk"):
                values, matrix = self.models.covariance(measure)
                statistic, p_value = global_test(values, matrix, min(self.sample.effective()) - 1)
                rows.append((measure, len(names), statistic, p_value))
        return pd.DataFrame(rows, columns=["measure", "models", "statistic", "p_value"])

    def thresholds(self) -> pd.DataFrame:
        """Operating points, with percentiles of the resamples' thresholds."""
        at = self.models.at
        rows = []
        for model in self.sample.scores:
            is_lower = model in self.lower
            at_best: Any = self.values.loc[model, ["threshold", "fpr", "tpr", "kappa_max"]]
            points = [("kappa_max", "threshold", at_best)]
            if self.decisions is not None and self.decisions.fitted:
                cheapest = cost_point(self.sample.scored(model), at.prevalence, at.cost)
                points.append((LOSS, "cost_threshold", cheapest))
            for criterion, name, (threshold, fpr, tpr, value, *_) in points:
                printed = self.sample.short_threshold(model, threshold)
                low, high = self._ends_of_threshold(model, name)
                low = min(low, printed)  # the shorter number stays inside; NaN stays NaN
                high = max(high, threshold)
                ends = threshold, low, high
                if is_lower:
                    ends = -threshold, -high, -low
                    printed = -printed
                rows.append((model, criterion, is_lower, *ends, fpr, tpr, value, printed))
            if self.decisions is not None and not self.decisions.fitted:
                decided = self.decided.set_index("model").loc[model]
                threshold = decided["least_threshold"]
                brings = decided[["fpr", "tpr", "loss"]]
                rows.append((model, LOSS, is_lower, threshold, nan, nan, *brings, threshold))
        return pd.DataFrame(rows, columns=POINTS)

    def _ends_of_threshold(self, model: str, name: str) -> tuple[float, float]:
        """Percentiles of the resamples' thresholds, if there are resamples."""
        if self.bootstrap is None:
            return nan, nan
        # Not interpolated: a threshold may be infinite.
        drawn = np.sort(self.bootstrap.drawn[model][name])
        tails = (1 - self.level) / 2, (1 + self.level) / 2
        low, high = (float(drawn[round(tail * (len(drawn) - 1))]) for tail in tails)
        return low, high

    def tied_costs(self) -> list[float]:
        """Costs of a missed positive at which the two models tie by AUK."""
        at = self.models.at
        first, second = (
            self.models.ordered(model).segments().rates[::-1].T for model in self.sample.scores
        )
        return tied_costs((first[0], first[1]), (second[0], second[1]), at.prevalence, at.axis)

    def limits(self, wanted: bool) -> list[str]:
        """What limits the intervals and tests, if they were asked for."""
        at = self.models.at
        notes = [wording.class_ratio(at.estimated)] if self.inferred else []
        shifted = are_probabilities(self.sample.scores)
        notes += wording.prior_shift(at, self.sample.prevalence(), are_probabilities=shifted)
        if self.bootstrap is not None:
            names = wording.listed_measures([name for name in REPORTED if name in BIASED])
            notes.append(
                f"Hulls and maxima ({names}) lie too high in a sample; their intervals allow for "
                "that, roughly."
            )
        if wanted and self._fewest < 2:
            notes.append(f"No intervals: they need 2 rows of each class, there are {self._fewest}.")
            if self.decisions is not None:
                notes.append("Losses are of the rows that chose the thresholds.")
        elif wanted and (effect := self.sample.design_effect()) is not None:
            notes.append(effect)
        if self.inferred:
            by_bootstrap = [] if self.bootstrap is None else self.reported
            analytic = [name for name in self.reported if name in ANALYTIC and not by_bootstrap]
            analytic += [name for name in self.reported if name in OF_PROBABILITIES]
            notes += self.sample.caveats(at.estimated, analytic, by_bootstrap)
        return notes


def _by_fold(sample: Sample, at: Conditions, cv: npt.NDArray[Any]) -> pd.DataFrame:
    """Measures of each fold at the prevalence of all rows, and their means."""
    if cv.shape != sample.positive.shape:
        raise ValueError(
            f"cv must give the fold of each of the {len(sample.positive)} rows, "
            f"got shape {cv.shape}."
        )
    if pd.isna(cv).any():
        raise ValueError("cv must give the fold of every row, found missing values.")
    parts = []
    for fold in np.unique(cv):
        rows = cv == fold
        scores = {name: score[rows] for name, score in sample.scores.items()}
        weight = None if sample.weight is None else sample.weight[rows]
        try:
            of_fold = check_sample(sample.positive[rows], scores, True, weight, fewest=1)
        except ValueError as error:
            raise ValueError(f"Fold {fold}: {error}") from None
        name = str(int(fold)) if isinstance(fold, float) and fold.is_integer() else str(fold)
        if name == "mean":
            raise ValueError("A fold can't be called mean, as the mean of the folds is: rename it.")
        parts.append(_values(of_fold, at)[list(REPORTED)].assign(fold=name))
    both = pd.concat(parts).reset_index()
    long = both.melt(["fold", "model"], var_name="measure", value_name="estimate")
    mean = long.groupby(["model", "measure"], sort=False, as_index=False)["estimate"].mean()
    measured: pd.DataFrame = pd.concat([long, mean.assign(fold="mean")], ignore_index=True)
    return measured


def _values(sample: Sample, at: Conditions) -> pd.DataFrame:
    """All measures of each model."""
    measured = [measures_of(sample.scored(model), at).measures for model in sample.scores]
    rows = [{name: float(values[name][0]) for name in FORMULAS} for values in measured]
    return pd.DataFrame(rows, index=pd.Index(sample.scores, name="model"))


def _disagreements(values: pd.DataFrame, ranked_by: Sequence[str]) -> list[dict[str, Any]]:
    """Pairs of models that not all measures rank the same way."""
    pairs = []
    for first, second in combinations(values.index, 2):
        lead = values.loc[first] - values.loc[second]
        for name in LESS_IS_BETTER:
            lead[name] = -lead.get(name, 0.0)
        side = np.sign(lead.where(lead.abs() > ROUNDING, 0.0))
        by = {
            f"{what}_by": [name for name in ranked_by if side[name] == sign]
            for what, sign in (("first_preferred", 1), ("second_preferred", -1), ("tied", 0))
        }
        if max(map(len, by.values())) < len(ranked_by):
            pairs.append({"first": first, "second": second} | by)
    return pairs
