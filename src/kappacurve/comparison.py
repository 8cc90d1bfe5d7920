"""Models on the same rows: measures with intervals, paired tests, and what is more than chance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import _wording as wording
from kappacurve._decisions import COLUMNS, Decisions
from kappacurve._messages import short_number
from kappacurve._validation import (
    Axis,
    Conditions,
    Cost,
    FloatArray,
    check_aligned,
    check_jobs,
    check_lower,
    check_named,
    check_number,
    check_numbers,
)
from kappacurve.cost import cost_threshold
from kappacurve.inference._sample import Sample, check_design, take_sample
from kappacurve.inference.analytic import ANALYTIC, FEWEST_FOR_TESTS, Models, global_test
from kappacurve.inference.bootstrap import BIASED, LOSS, Bootstrap
from kappacurve.inference.permutation import FEWEST_FOR_BOOTSTRAP, permutation_tests
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Sampling,
    check_level,
    holm,
    no_interval_reason,
)
from kappacurve.measures import measures
from kappacurve.roc import roc_hull, vertices_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The order of the tables; gini goes with auc, to which it is bound, and ranks no models.
REPORTED = ("auc", "auch", "gini", "ks", "auk", "auk_hull", "average_precision", "h", "kappa_max")
# Of scores that are probabilities.
OF_PROBABILITIES = ("brier_score", "log_loss")
# More vertices than this can't be told apart in print, and make a file too large to open.
MOST_DRAWN = 5000

FOLDS = (
    "Means of folds have no interval: folds share training rows, so their spread does not tell the "
    "error of the mean."
)
NONE = Estimate(nan, nan, nan, nan)
VALUES = Comparison._fields[:-1]
TESTS = ["first", "second", "measure", *VALUES, "p_holm", "method"]
GLOBAL = ["measure", "models", "statistic", "p_value"]


class Settings(NamedTuple):
    """The arguments of :func:`compare` but the rows and the conditions."""

    asked: bool  # for intervals and tests
    has_cost: bool
    sampling: Sampling
    level: float
    n_resamples: int | None
    n_permutations: int
    random_state: int
    n_jobs: int | None
    progress: TextIO | None


@dataclass(frozen=True)
class ComparisonResult:
    """What :func:`compare` found, as tables and sentences; a notebook shows it as a page.

    Attributes
    ----------
    measures : DataFrame
        model, measure, estimate, standard_error, low, high, method and scale, a row for each model
        and measure. low and high are missing where there is no interval; method is then "none" if
        one was asked for.
    tests : DataFrame
        first, second, measure, difference (first - second), standard_error, statistic, p_value,
        low, high, p_holm and method, a row for each two models and measure. p_holm is adjusted for
        the number of pairs. All but the difference are missing where it does not vary across
        resamples.
    global_tests : DataFrame
        measure, models, statistic (F) and p_value: of three models or more, whether all have the
        same AUC, and the same AUK.
    thresholds : DataFrame
        model, criterion ("kappa_max", or "expected_loss" if costs are given), lower, threshold,
        low, high, fpr, tpr and printed. Rows with at least this score are predicted positive, or
        with at most this score where lower is true; low and high are percentiles of the resamples';
        printed is a shorter number that predicts the same of these rows.
    decisions : DataFrame
        If costs are given, of each model: the expected loss per row of its decisions with its
        standard_error, low and high; in_sample, what it seems to be on the rows that choose the
        threshold; flag_nobody and flag_all, the baselines; saving, the share of the better
        baseline's loss that it saves, with saving_low and saving_high; fpr, tpr, and at the
        prevalence flagged, precision and false_alarms_per_hit.
    folds : DataFrame
        fold, model, measure and estimate, if `cv` was given; "mean" is the mean of the folds.
    conclusion, notes : tuple of str
        First what can be told from chance, then how the measures order the sample.
    disagreements : list of dict
        Pairs that the measures do not all order alike, and which measures prefer which.
    design : dict
        The numbers of rows, the prevalence and costs, and how intervals and tests were made.
    """

    measures: pd.DataFrame
    tests: pd.DataFrame
    global_tests: pd.DataFrame
    thresholds: pd.DataFrame
    decisions: pd.DataFrame
    folds: pd.DataFrame
    conclusion: tuple[str, ...]
    notes: tuple[str, ...]
    disagreements: list[dict[str, Any]]
    design: dict[str, Any]
    _sample: Sample = field(repr=False)

    def plot(self) -> Figure:
        """ROC curves and kappa curves of all models."""
        from kappacurve.plots.figures import plot_curves

        sample = self._sample
        # matplotlib takes $ for mathematics, and leaves a name that begins with _ out of a legend.
        names = [name.replace("$", r"\$") for name in sample.scores]
        names = [f"'{name}'" if name.startswith("_") else name for name in names]
        curves = [_drawn(*vertices_of(sample.scored(name))[:2]) for name in sample.scores]
        at = {name: self.design[name] for name in ("prevalence", "cost")}
        return plot_curves(dict(zip(names, curves, strict=True)), **at)

    def __str__(self) -> str:
        """The table that ``kappacurve measure`` prints, and the conclusion."""
        return wording.as_text(self)

    def _repr_html_(self) -> str:
        return wording.as_html(self)


def _drawn(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """All vertices, or of very many some that are evenly spread and the hull's corners."""
    even = np.linspace(0, len(fpr) - 1, MOST_DRAWN).astype(np.intp)
    kept = np.union1d(even, roc_hull(fpr, tpr).index)
    return fpr[kept], tpr[kept]


def compare(
    y_true: npt.ArrayLike,
    y_scores: Mapping[str, npt.ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    sampling: Sampling = "stratified",
    level: float | None = 0.95,
    n_resamples: int | None = None,
    n_permutations: int = 2000,
    random_state: int = 0,
    n_jobs: int | None = None,
    thresholds: Mapping[str, float] | None = None,
    cv: npt.ArrayLike | None = None,
    lower: Collection[str] = (),
    progress: TextIO | None = None,
) -> ComparisonResult:
    """Compare models by their scores of the same rows: measures, intervals, tests, conclusion.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_scores : mapping of str to array-like of shape (n_samples,)
        Scores by model: a dict, or a DataFrame with a column for each.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        Design weights: how many rows of the population each row stands for.
    groups : array-like of shape (n_samples,), optional
        Such as the patient or customer of each row: rows of one group need not be independent.
        By default all rows are taken as independent.
    prevalence : float in (0, 1), optional
        Class ratio at which kappa, AUK and H are evaluated; by default the (weighted) share of
        positives.
    cost : float in [0, 1] or "balanced", optional
        Share of a missed positive in the cost of a miss and a false alarm; by default 1/2.
    cost_ratio : float >= 0, optional
        Instead of `cost`: what a missed positive costs over what a false alarm costs.
    axis : {"fpr", "flagged"}, default "fpr"
        Over what the AUK is taken.
    sampling : {"stratified", "random"}, default "stratified"
        Whether the class ratio is fixed by design, or was left to chance.
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
        Threads of the bootstrap, -1 for one per processor; the result is the same for any number.
    thresholds : mapping of str to float, optional
        With a cost: the threshold of each model, chosen on other rows such as those it was trained
        on. By default each fifth of the rows (of the groups) is judged at the threshold that is
        best on the others, so that none is judged by the rows that chose it.
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
    >>> found = compare(y_true, {"a": a, "b": b})
    >>> found.tests[["measure", "difference"]].round(3).to_numpy().tolist()
    [['auc', 0.12], ['auk', 0.12]]
    >>> print(found.conclusion[1])
    All measures order the models alike in this sample.
    """
    y_scores = check_named("y_scores", y_scores)
    turned = check_lower(lower, y_scores)
    for name in turned:
        check_aligned(y_true=y_true, y_score=y_scores[name], sample_weight=sample_weight)
    scores = {
        name: -check_numbers("y_score", score) if name in turned else score
        for name, score in y_scores.items()
    }
    check_jobs(n_jobs)
    asked, has_cost = level is not None, cost is not None or cost_ratio is not None
    level = 0.95 if level is None else check_level(level)
    drawing = (n_resamples, n_permutations, random_state, n_jobs, progress)
    settings = Settings(asked, has_cost, sampling, level, *drawing)
    sample = take_sample(y_true, scores, pos_label, sample_weight, groups)
    at, estimated = check_design(sample, prevalence, cost, cost_ratio, axis, sampling)
    given = None
    if thresholds is not None:
        given = {
            str(name): -check_number("threshold", value) if str(name) in turned else value
            for name, value in thresholds.items()
        }
    models = _Compared(sample, at, estimated, settings, turned, given)
    measured, tests = models.measures(), models.tests()
    together = models.global_tests()
    disagreements = _disagreements(models.values, models.ranked_by)
    folds = pd.DataFrame()
    if cv is not None:
        kept = ... if sample_weight is None else np.asarray(sample_weight) > 0
        folds = models.folds(np.asarray(cv)[kept])
    design = models.design() | {"prevalence_is_given": prevalence is not None}
    decided = pd.DataFrame(columns=COLUMNS)
    if models.decisions is not None:
        decided = models.decisions.table(level)
    return ComparisonResult(
        measured,
        tests,
        together,
        models.thresholds(),
        decided,
        folds,
        wording.conclusion(measured, tests, together, disagreements, design, decided),
        (
            *models.limits(),
            *[FOLDS] * (cv is not None),
            *wording.notes(measured, tests, models.reasons),
        ),
        disagreements,
        design,
        sample,
    )


class _Compared:
    """Models on the same rows of two classes."""

    def __init__(
        self,
        sample: Sample,
        at: Conditions,
        estimated: bool,
        settings: Settings,
        lower: Collection[str],
        thresholds: Mapping[str, float] | None,
    ) -> None:
        self.settings, self.sample, self.at, self._lower = settings, sample, at, lower
        self._models = Models(sample, at, estimated)
        self.values = _values(sample, at)
        self.reported = list(REPORTED)
        lowest, highest = np.array([[s.min(), s.max()] for s in sample.scores.values()]).T
        if lowest.min() >= 0 and highest.max() <= 1:
            for name in OF_PROBABILITIES:
                areas = [self._models.area(model, name) for model in sample.scores]
                self.values[name] = [area.value for area in areas]
            self.reported += OF_PROBABILITIES
        if settings.has_cost:
            conditions: Any = {"prevalence": at.prevalence, "cost": at.cost}
            self._points = {
                name: cost_threshold(
                    sample.positive, score, sample_weight=sample.weight, **conditions
                )
                for name, score in sample.scores.items()
            }
            self.reported.append(LOSS)
        self.ranked_by = [name for name in self.reported if name != "gini"]
        self.fewest = min(sample.units())
        self.asked = settings.asked and self.fewest > 1
        self.decisions: Decisions | None = None
        if settings.has_cost:
            chosen = (
                thresholds
                if self.fewest > 1
                else {name: point.threshold for name, point in self._points.items()}
            )
            self.decisions = Decisions(sample, at, estimated, chosen, settings.random_state)
            losses = self.decisions.table(settings.level)["loss"]
            self.values[LOSS] = losses.to_numpy()
        self.drawn: Bootstrap | None = None
        if self.asked and settings.n_resamples is not None:
            free = at._replace(prevalence=None) if estimated else at
            drawing = settings.random_state, settings.n_jobs, settings.progress
            self.drawn = Bootstrap(sample, free, settings.sampling, settings.n_resamples, *drawing)
        # Why a model's rows can't give an interval, if they can't.
        self.reasons = {
            name: no_interval_reason(sample.positive, score)
            for name, score in sample.scores.items()
        }

    def measures(self) -> pd.DataFrame:
        """A row for each model and measure."""
        rows = []
        for model in self.sample.scores:
            intervals = self._intervals(model) if self.asked else {}
            for measure in self.reported:
                estimate = intervals.get(measure, NONE)
                method = estimate.method or None
                if np.isnan(estimate.low):
                    estimate, method = NONE, method and "none"
                on_logit = method not in (None, "none") and measure not in wording.LESS_IS_BETTER
                rows.append(
                    {"model": model, "measure": measure, **estimate._asdict()}
                    | {"estimate": float(self.values[measure][model]), "method": method}
                    | {"scale": "logit" if on_logit else None}
                )
        return pd.DataFrame(rows)

    def _intervals(self, model: str) -> dict[str, Estimate]:
        """Analytic intervals; or the bootstrap's, maxima and hulls less their bias."""
        level = self.settings.level
        by_resamples = {} if self.drawn is None else self.drawn.intervals(model, level)
        intervals = by_resamples | {
            name: self._models.interval(model, name, level, "adjusted")
            for name in self.reported
            if name in ANALYTIC and name != LOSS and name not in by_resamples
        }
        if self.decisions is not None:
            intervals[LOSS] = self.decisions.interval(model, level)
        return intervals

    def tests(self) -> pd.DataFrame:
        """A row for each measure and two models, with p values adjusted for the pairs."""
        rows = []
        if self.asked:
            for pair in combinations(self.sample.scores, 2):
                for measure, compared in self._compared(*pair).items():
                    named = {"first": pair[0], "second": pair[1], "measure": measure}
                    rows.append({**named, **compared._asdict()})
        table = pd.DataFrame(rows, columns=[name for name in TESTS if name != "p_holm"])
        unknown = table["standard_error"] == 0
        table.loc[unknown, list(VALUES[1:])] = float("nan")
        families = table.groupby("measure")["p_value"]
        return table.assign(p_holm=families.transform(holm))[TESTS]

    def _compared(self, first: str, second: str) -> dict[str, Comparison]:
        level, settings = self.settings.level, self.settings
        tests: dict[str, Comparison] = {}
        if self.fewest < FEWEST_FOR_BOOTSTRAP and self.sample.weight is None:
            design = self.at, settings.n_permutations, settings.random_state
            tests = permutation_tests(self.sample, first, second, *design)
        elif self.drawn is not None:
            tests = self.drawn.tests(first, second, level)
        analytic = [
            name
            for name in self.ranked_by
            if name in ANALYTIC
            and name != LOSS
            and (name not in tests or self.drawn is None or self.fewest < FEWEST_FOR_BOOTSTRAP)
        ]
        if self.fewest >= FEWEST_FOR_TESTS:
            tests |= {name: self._models.test(first, second, name, level) for name in analytic}
        tests.pop(LOSS, None)
        if self.decisions is not None and self.fewest >= FEWEST_FOR_TESTS:
            tests[LOSS] = self.decisions.test(first, second, level)
        return {name: tests[name] for name in self.ranked_by if name in tests}

    def global_tests(self) -> pd.DataFrame:
        """Whether all of several models have the same AUC, and the same AUK."""
        names, rows = list(self.sample.scores), []
        if self.asked and len(names) > 2 and self.fewest >= FEWEST_FOR_TESTS:
            for measure in ("auc", "auk"):
                matrix = self._models.covariance(names, measure)
                values = np.array([self._models.area(name, measure).value for name in names])
                statistic, p_value = global_test(values, matrix, self.fewest - 1)
                rows.append((measure, len(names), statistic, p_value))
        return pd.DataFrame(rows, columns=GLOBAL)

    def thresholds(self) -> pd.DataFrame:
        """Operating points, with percentiles of the resamples' thresholds."""
        tails = (1 - self.settings.level) / 2, (1 + self.settings.level) / 2
        rows = []
        for model in self.sample.scores:
            at_best = self.values.loc[model, ["threshold", "fpr", "tpr"]]
            points: list[tuple[str, str, Any]] = [("kappa_max", "threshold", at_best)]
            if self.settings.has_cost:
                points.append((LOSS, "cost_threshold", self._points[model]))
            score = self.sample.scores[model]
            for criterion, name, (threshold, fpr, tpr, *_) in points:
                below = float(np.max(score[score < threshold], initial=-np.inf))
                printed = short_number(below, float(threshold))
                low = high = float("nan")
                if self.drawn is not None:
                    # Not interpolated: a threshold may be infinite.
                    drawn = np.sort(self.drawn.drawn[model][name])
                    low, high = (float(drawn[round(tail * (len(drawn) - 1))]) for tail in tails)
                ends = threshold, low, high
                if is_lower := model in self._lower:
                    ends, printed = (-threshold, -high, -low), -printed
                rows.append((model, criterion, is_lower, *ends, fpr, tpr, printed))
        columns = ["model", "criterion", "lower", "threshold", "low", "high", "fpr", "tpr"]
        columns.append("printed")
        return pd.DataFrame(rows, columns=columns)

    def folds(self, cv: Any) -> pd.DataFrame:
        """Measures of each fold at the prevalence of all rows, and their means."""
        sample = self.sample
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
                table = _values(take_sample(sample.positive[rows], scores, True, weight), self.at)
            except ValueError as error:
                raise ValueError(f"Fold {fold}: {error}") from None
            parts.append(table[list(REPORTED)].assign(fold=_fold_name(fold)))
        both = pd.concat(parts).reset_index()
        long = both.melt(["fold", "model"], var_name="measure", value_name="estimate")
        mean = long.groupby(["model", "measure"], sort=False, as_index=False)["estimate"].mean()
        measured: pd.DataFrame = pd.concat([long, mean.assign(fold="mean")], ignore_index=True)
        return measured

    def limits(self) -> list[str]:
        """What limits the intervals and tests."""
        said = []
        if self.drawn is not None:
            names = wording.listed_measures([name for name in REPORTED if name in BIASED])
            said.append(
                f"Hulls and maxima ({names}) lie too high in a sample; their intervals allow for "
                "that, roughly."
            )
        if self.settings.asked and self.fewest < 2:
            said.append(f"No intervals: they need 2 rows of each class, there are {self.fewest}.")
        elif self.settings.asked and (caveat := self.sample.caveat()) is not None:
            said.append(caveat)
        return said

    def design(self) -> dict[str, Any]:
        """Numbers of rows, the prevalence and costs, and how resamples were drawn."""
        settings, sample = self.settings, self.sample
        n, n_positive = len(sample.positive), int(np.count_nonzero(sample.positive))
        drawing = {"resamples": settings.n_resamples, "random_state": settings.random_state}
        return {
            "n": n,
            "n_positive": n_positive,
            "n_negative": n - n_positive,
            "groups": None if sample.groups is None else int(sample.groups.max()) + 1,
            "weighted": sample.weight is not None,
            "prevalence": self.at.prevalence,
            "cost": self.at.cost,
            "sampling": settings.sampling,
            "level": settings.level,
            "bootstrap": self.drawn and drawing,
            "cross_fitted": self.decisions is not None and self.decisions.fitted,
        }


def _fold_name(fold: Any) -> str:
    name = str(int(fold)) if isinstance(fold, float) and fold.is_integer() else str(fold)
    if name == "mean":
        raise ValueError("A fold can't be called mean, as the mean of the folds is: rename it.")
    return name


def _values(sample: Sample, at: Conditions) -> pd.DataFrame:
    """All measures of each model."""
    options: Any = {"prevalence": at.prevalence, "cost": at.cost, "axis": at.axis}
    options["sample_weight"] = sample.weight
    rows = [measures(sample.positive, score, **options) for score in sample.scores.values()]
    return pd.DataFrame(rows, index=pd.Index(sample.scores, name="model"))


def _disagreements(values: pd.DataFrame, ranked_by: Sequence[str]) -> list[dict[str, Any]]:
    """Pairs of models that some measures rank one way and some the other."""
    pairs = []
    for first, second in combinations(values.index, 2):
        lead = values.loc[first] - values.loc[second]
        for name in wording.LESS_IS_BETTER:
            lead[name] = -lead.get(name, 0.0)
        sides = [[name for name in ranked_by if sign * lead[name] > 0] for sign in (1, -1)]
        if all(sides):
            preferred = dict(zip(("first_preferred_by", "second_preferred_by"), sides, strict=True))
            pairs.append({"first": first, "second": second} | preferred)
    return pairs
