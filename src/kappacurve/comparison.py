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
from kappacurve._messages import short_number
from kappacurve._validation import (
    Axis,
    BoolArray,
    Cost,
    FloatArray,
    Scored,
    check_aligned,
    check_lower,
    check_named,
    check_numbers,
    check_one_cost,
    positive_rows,
)
from kappacurve.cost import cost_threshold
from kappacurve.inference._placements import Area, Setting, auc_of, ranking_of
from kappacurve.inference.bootstrap import BIASED, LOSS, Bootstrap
from kappacurve.inference.permutation import FEWEST_FOR_ANALYTIC_TESTS, permutation_tests
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Sampling,
    check_confidence,
    check_design,
    holm,
    no_interval_reason,
    normal_interval,
    normal_test,
)
from kappacurve.measures import measures_table
from kappacurve.roc import roc_hull, roc_vertices

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The order of the tables; gini goes with auc, to which it is bound, and ranks no models.
REPORTED = ("auc", "auch", "gini", "ks", "auk", "auk_hull", "h", "kappa_max")
# Rows of each class that an analytic interval needs: with fewer its coverage was not tried
# (benchmarks/bench_coverage.py).
FEWEST_ROWS = 10
# More vertices than this can't be told apart in print, and make a file too large to open.
MOST_DRAWN = 5000

FOLDS = (
    "Means of folds have no interval: folds share training rows, so their spread does not tell the "
    "error of the mean."
)
NONE = Estimate(*[float("nan")] * 4)
TESTS = ["first", "second", "measure", *Comparison._fields, "p_holm", "method"]


class Settings(NamedTuple):
    """The arguments of :func:`compare` but the rows."""

    asked: bool  # for intervals and tests
    conditions: dict[str, Any]  # prevalence, cost and axis
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
        the number of pairs. All but the difference are missing where it is the same whatever rows
        are drawn.
    thresholds : DataFrame
        model, criterion ("kappa_max", or "expected_loss" if costs are given), lower, threshold,
        low, high, fpr, tpr and printed. Rows with at least this score are predicted positive, or
        with at most this score where lower is true; low and high are percentiles of the resamples';
        printed is a shorter number that predicts the same of these rows.
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
    thresholds: pd.DataFrame
    folds: pd.DataFrame
    conclusion: tuple[str, ...]
    notes: tuple[str, ...]
    disagreements: list[dict[str, Any]]
    design: dict[str, Any]
    _rows: tuple[BoolArray, Mapping[str, FloatArray], Any] = field(repr=False)

    def plot(self) -> Figure:
        """ROC curves and kappa curves of all models."""
        from kappacurve.plots.figures import plot_curves

        positive, scores, weight = self._rows
        # matplotlib takes $ for mathematics, and leaves a name that begins with _ out of a legend.
        names = [name.replace("$", r"\$") for name in scores]
        names = [f"'{name}'" if name.startswith("_") else name for name in names]
        curves = [
            _drawn(*roc_vertices(positive, score, sample_weight=weight)[:2])
            for score in scores.values()
        ]
        at = {name: self.design[name] for name in ("prevalence", "cost")}
        return plot_curves(dict(zip(names, curves, strict=True)), **at)

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
    pos_label, prevalence, cost, cost_ratio, axis
        As in :func:`kappacurve.measures`.
    sample_weight : array-like of shape (n_samples,), optional
        Weighted measures have neither intervals nor tests.
    sampling : {"stratified", "random"}, default "stratified"
        As in :func:`kappacurve.bootstrap_intervals`.
    level : float in (0, 1) or None, default 0.95
        Of the intervals; a difference is called more than chance if its adjusted p is below one
        minus it. None makes neither intervals nor tests.
    n_resamples : int, optional
        By default AUC and AUK have analytic intervals and tests, and the other measures none. With
        it every measure and threshold has those of one bootstrap that all models share.
    n_permutations : int, default 2000
        Of the permutation tests, which replace all others where the rarer class is small.
    random_state : int, default 0
        Of the bootstrap and the permutations.
    n_jobs : int, optional
        Threads of the bootstrap, -1 for one per processor; the result is the same for any number.
    cv : array-like of shape (n_samples,), optional
        Fold of each row, of cross-validated scores. The tables take all rows together, and `folds`
        has each fold by itself, at the prevalence of all rows.
    lower : collection of str, default ()
        Models whose lower scores mean the positive class.
    progress : text stream, optional
        Such as ``sys.stderr``: a bootstrap of more than five seconds says there what is left.

    Returns
    -------
    ComparisonResult

    Raises
    ------
    ValueError
        As :func:`kappacurve.measures`, naming the model.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] * 4
    >>> a, b = [1, 2, 3, 5, 6, 4, 7, 8, 9, 10] * 4, [5, 2, 9, 1, 3, 4, 6, 8, 7, 10] * 4
    >>> found = compare(y_true, {"a": a, "b": b})
    >>> found.tests[["measure", "difference"]].round(3).to_numpy().tolist()
    [['auc', 0.12], ['auk', 0.12]]
    """
    y_scores = check_named("y_scores", y_scores)
    at = {"prevalence": prevalence, "cost": check_one_cost(cost, cost_ratio), "axis": axis}
    drawing = (n_resamples, n_permutations, random_state, n_jobs, progress)
    asked = level is not None
    level = 0.95 if level is None else check_confidence(level)
    has_cost = cost is not None or cost_ratio is not None
    settings = Settings(asked, at, has_cost, sampling, level, *drawing)
    models = _Models(y_true, y_scores, pos_label, sample_weight, settings, lower)
    measured, tests = models.measures(), models.tests()
    disagreements = _disagreements(models.values, models.ranked_by)
    return ComparisonResult(
        measured,
        tests,
        models.thresholds(),
        pd.DataFrame() if cv is None else models.folds(np.asarray(cv)),
        wording.conclusion(measured, tests, disagreements, 1 - level),
        (
            *models.limits(),
            *[FOLDS] * (cv is not None),
            *wording.notes(measured, tests, models.reasons),
        ),
        disagreements,
        models.design(),
        (models.positive, models.scores, sample_weight),
    )


class _Models:
    """Models on the same rows of two classes."""

    def __init__(
        self,
        y_true: Any,
        y_scores: Any,
        pos_label: Any,
        weight: Any,
        settings: Settings,
        lower: Collection[str],
    ) -> None:
        self.settings, self._weight = settings, weight
        self._lower = check_lower(lower, y_scores)
        for name in self._lower:
            check_aligned(y_true=y_true, y_score=y_scores[name], sample_weight=weight)
        self.scores = {
            name: -check_numbers("y_score", one) if name in self._lower else one
            for name, one in y_scores.items()
        }
        options: Any = {"pos_label": pos_label, "sample_weight": weight, **settings.conditions}
        self.values = measures_table(y_true, self.scores, **options)
        self.scores = {name: np.asarray(one, float) for name, one in self.scores.items()}
        self.reported = (*REPORTED, *[LOSS] * settings.has_cost)
        self.ranked_by = [name for name in self.reported if name != "gini"]
        self._prevalence = float(self.values["prevalence"].iloc[0])
        self.positive = positive_rows(np.asarray(y_true), pos_label)
        if settings.has_cost:
            place = {name: settings.conditions[name] for name in ("prevalence", "cost")}
            self._points = {
                name: cost_threshold(self.positive, one, sample_weight=weight, **place)
                for name, one in self.scores.items()
            }
            self.values[LOSS] = [point.loss for point in self._points.values()]
        n_positive = int(np.count_nonzero(self.positive))
        self.fewest = min(n_positive, len(self.positive) - n_positive)
        self._wanted = settings.asked and weight is None
        self.asked = self._wanted and self.fewest > 1
        self.drawn: Bootstrap | None = None
        self._areas: list[tuple[Area, Area]] = []
        rows = [Scored(self.positive, one, None) for one in self.scores.values()]
        at = settings.conditions
        p, self._estimated = check_design(rows[0], at["prevalence"], settings.sampling)
        self._setting = Setting(**at | {"prevalence": p})
        if self.asked and settings.n_resamples is not None:
            self.drawn = Bootstrap(
                rows,
                at | {"prevalence": None if self._estimated else p},
                settings.sampling,
                settings.n_resamples,
                *settings[7:],
                settings.has_cost,
            )
        elif self.asked and self.fewest >= FEWEST_ROWS:
            # AUC and AUK of one ranking, for intervals and tests.
            for value, ranking in zip(self.values["auk"], map(ranking_of, rows), strict=True):
                auk = Area(float(value), *self._setting.placements(ranking))
                self._areas.append((auc_of(ranking), auk))
        # Why a model's rows can't give an interval, if they can't.
        self.reasons = {
            name: no_interval_reason(self.positive, one) for name, one in self.scores.items()
        }

    def measures(self) -> pd.DataFrame:
        """A row for each model and measure."""
        rows = []
        for i, model in enumerate(self.scores):
            found = self._intervals(i, model)
            for measure in self.reported:
                estimate, method = found.get(measure, (NONE, None))
                if np.isnan(estimate.low):
                    estimate, method = NONE, method and "none"
                scale = "logit" if method not in (None, "none") else None
                place = {"model": model, "measure": measure, **estimate._asdict()}
                value = float(self.values[measure][model])
                rows.append(place | {"estimate": value, "method": method, "scale": scale})
        return pd.DataFrame(rows)

    def _intervals(self, i: int, model: str) -> dict[str, tuple[Estimate, str]]:
        """Analytic intervals, or the bootstrap's: maxima and hulls less their bias."""
        level = self.settings.level
        if self.drawn is not None:
            found = self.drawn.intervals(i, level)
            return {name: (one, "bootstrap") for name, one in found.items()}
        if not self._areas:
            return {}
        errors = self._errors(*self._areas[i])
        ranges = (0.0, 1.0), self._setting.range(self._estimated)
        auc, auk = (
            normal_interval(area.value, error, level, "logit", within)
            for area, error, within in zip(self._areas[i], errors, ranges, strict=True)
        )
        if self.reasons[model]:
            auk = auk._replace(low=nan, high=nan)
        ends = 2 * auc.low - 1, 2 * auc.high - 1
        gini = Estimate(2 * auc.estimate - 1, 2 * auc.standard_error, *ends)
        return {"auc": (auc, "delong"), "gini": (gini, "delong"), "auk": (auk, "influence")}

    def _errors(self, auc: Area, auk: Area) -> tuple[float, float]:
        """Standard errors by DeLong and by the AUK's influence function, or of differences."""
        design = self._setting.prevalence, self._estimated
        return auc.standard_error(self.positive), auk.standard_error(self.positive, *design)

    def tests(self) -> pd.DataFrame:
        """A row for each measure and two models, with p values adjusted for the pairs."""
        rows = []
        if self.asked:
            for (i, first), (j, second) in combinations(enumerate(self.scores), 2):
                for measure, (found, method) in self._compared(i, first, j, second).items():
                    named = {"first": first, "second": second, "measure": measure}
                    rows.append({**named, **found._asdict(), "method": method})
        table = pd.DataFrame(rows, columns=TESTS)
        unknown = table["standard_error"] == 0
        table.loc[unknown, list(Comparison._fields[1:])] = float("nan")
        families = table.groupby("measure")["p_value"]
        return table.assign(p_holm=families.transform(holm))

    def _compared(
        self, i: int, first: str, j: int, second: str
    ) -> dict[str, tuple[Comparison, str]]:
        if self.fewest < FEWEST_FOR_ANALYTIC_TESTS:
            rows: Any = self.positive, self.scores[first], self.scores[second]
            design: Any = self.settings.conditions | {"seed": self.settings.random_state}
            n = self.settings.n_permutations
            found = permutation_tests(*rows, n_permutations=n, **design)
            return {
                name: (one, "permutation") for name, one in found.items() if name in self.ranked_by
            }
        if self.drawn is not None:
            found = self.drawn.tests(i, j, self.settings.level)
            return {name: (found[name], "bootstrap") for name in self.ranked_by}
        leads = [a.minus(b) for a, b in zip(self._areas[i], self._areas[j], strict=True)]
        auc, auk = (
            normal_test(lead.value, error, self.settings.level)
            for lead, error in zip(leads, self._errors(*leads), strict=True)
        )
        return {"auc": (auc, "delong"), "auk": (auk, "influence")}

    def thresholds(self) -> pd.DataFrame:
        """Operating points, with percentiles of the resamples' thresholds."""
        tails = (1 - self.settings.level) / 2, (1 + self.settings.level) / 2
        rows = []
        for i, model in enumerate(self.scores):
            at_best = self.values.loc[model, ["threshold", "fpr", "tpr"]]
            points: list[tuple[str, str, Any]] = [("kappa_max", "threshold", at_best)]
            if self.settings.has_cost:
                points.append((LOSS, "cost_threshold", self._points[model]))
            for criterion, name, (threshold, fpr, tpr, *_) in points:
                lower_scores = self.scores[model][self.scores[model] < threshold]
                printed = short_number(
                    float(np.max(lower_scores, initial=-np.inf)), float(threshold)
                )
                low = high = float("nan")
                if self.drawn is not None:
                    # Not interpolated: a threshold may be infinite.
                    drawn = np.sort(self.drawn.drawn[i][name])
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
        if cv.shape != self.positive.shape:
            raise ValueError(
                f"cv must give the fold of each of the {len(self.positive)} rows, "
                f"got shape {cv.shape}."
            )
        if pd.isna(cv).any():
            raise ValueError("cv must give the fold of every row, found missing values.")
        at = self.settings.conditions | {"prevalence": self._prevalence}
        parts = []
        for fold in np.unique(cv):
            rows = cv == fold
            scores = {name: score[rows] for name, score in self.scores.items()}
            weight = None if self._weight is None else np.asarray(self._weight)[rows]
            try:
                table = measures_table(self.positive[rows], scores, sample_weight=weight, **at)
            except ValueError as error:
                raise ValueError(f"Fold {fold}: {error}") from None
            parts.append(table[list(REPORTED)].assign(fold=_fold_name(fold)))
        both = pd.concat(parts).reset_index()
        long = both.melt(["fold", "model"], var_name="measure", value_name="estimate")
        mean = long.groupby(["model", "measure"], sort=False, as_index=False)["estimate"].mean()
        found: pd.DataFrame = pd.concat([long, mean.assign(fold="mean")], ignore_index=True)
        return found

    def limits(self) -> list[str]:
        """What limits the intervals and tests."""
        settings = self.settings
        if self._weight is not None:
            return ["No intervals and tests: a weight does not tell how many rows it stands for."]
        if self.drawn is not None:
            names = wording.listed_measures([name for name in REPORTED if name in BIASED])
            return [
                f"Hulls and maxima ({names}) lie too high in a sample; their intervals allow for "
                "that, roughly."
            ]
        least = FEWEST_ROWS if settings.n_resamples is None else 2
        if self._wanted and self.fewest < least:
            return [f"No intervals: they need {least} rows of each class, there are {self.fewest}."]
        return []

    def design(self) -> dict[str, Any]:
        """Numbers of rows, the prevalence and costs, and how resamples were drawn."""
        settings, counted = self.settings, self.positive
        if self._weight is not None:
            counted = counted[np.asarray(self._weight) > 0]
        n, n_positive = len(counted), int(np.count_nonzero(counted))
        drawing = {"resamples": settings.n_resamples, "random_state": settings.random_state}
        return {
            "n": n,
            "n_positive": n_positive,
            "n_negative": n - n_positive,
            "weighted": self._weight is not None,
            "prevalence": self._prevalence,
            "prevalence_is_given": settings.conditions["prevalence"] is not None,
            "cost": settings.conditions["cost"],
            "sampling": settings.sampling,
            "level": settings.level,
            "bootstrap": self.drawn and drawing,
        }


def _fold_name(fold: Any) -> str:
    name = str(int(fold)) if isinstance(fold, float) and fold.is_integer() else str(fold)
    if name == "mean":
        raise ValueError("A fold can't be called mean, as the mean of the folds is: rename it.")
    return name


def _disagreements(values: pd.DataFrame, ranked_by: Sequence[str]) -> list[dict[str, Any]]:
    """Pairs of models that some measures rank one way and some the other."""
    found = []
    for first, second in combinations(values.index, 2):
        lead = values.loc[first] - values.loc[second]
        lead[LOSS] = -lead.get(LOSS, 0.0)
        sides = [[name for name in ranked_by if sign * lead[name] > 0] for sign in (1, -1)]
        if all(sides):
            preferred = dict(zip(("first_preferred_by", "second_preferred_by"), sides, strict=True))
            found.append({"first": first, "second": second} | preferred)
    return found
