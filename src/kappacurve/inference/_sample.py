"""The rows that inference is about: classes, scores, weights and groups, checked once."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Axis,
    BoolArray,
    Conditions,
    Cost,
    FloatArray,
    Scored,
    check_aligned,
    check_choice,
    check_conditions,
    check_numbers,
    check_one_prevalence,
    check_scored,
    exactly,
    short_number,
    shown,
)
from kappacurve.inference.results import Sampling

# A share of all models, or of some by name.
TrainedAt = float | Mapping[str, float] | None

# Groups with positives, or positives of a bootstrap, below which a result says how it may fail.
FEWEST_GROUPS = 20
# Rows of a class up to which that is said of scores that nearly all rows share, and of the Brier
# score at a fixed class ratio: see docs/coverage.md.
FEW_FOR_TIES = 100
SHARED_BY_MOST = 0.9
# Of few rows of a class in a cohort: in how many of 100 samples intervals hold at worst, and the
# share of the class below which that is.
IN_COHORTS = (("auk", "AUK", 90, 0.05), ("net_benefit", "net benefit", 89, 0.5))
OF_RANKS = ("auc", "gini", "auk")


class Sample(NamedTuple):
    """Rows with one or several models' scores; weights and the numbers of their groups, or None."""

    positive: BoolArray
    scores: dict[str, FloatArray]
    weight: FloatArray | None = None
    groups: npt.NDArray[np.intp] | None = None

    def scored(self, model: str) -> Scored:
        """The rows with the scores of one model."""
        return Scored(self.positive, self.scores[model], self.weight)

    def weights(self) -> FloatArray:
        """Weight of each row, one where none were given."""
        return np.ones(len(self.positive)) if self.weight is None else self.weight

    def prevalence(self) -> float:
        """Share of the positive class, by weight."""
        return self.scored(next(iter(self.scores))).prevalence()

    def alike(self) -> bool:
        """Whether the rows are independent, of equal weight."""
        return self.groups is None and (self.weight is None or np.ptp(self.weight) == 0)

    def units(self) -> tuple[int, int]:
        """Independent units with positives, and with negatives: groups, or rows without groups."""

        def count(side: BoolArray) -> int:
            units = side if self.groups is None else np.bincount(self.groups[side])
            return int(np.count_nonzero(units))

        return count(self.positive), count(~self.positive)

    def effective(self) -> tuple[float, float]:
        """Units of equal size that tell as much: (sum m)^2 / sum m^2, m the weight of each unit.

        Of the positives, and of the negatives. They are what degrees of freedom count.
        """
        if self.weight is None and self.groups is None:
            ones, zeros = self.units()
            return float(ones), float(zeros)

        def count(side: BoolArray) -> float:
            sizes: Any = self.weights()[side]
            if self.groups is not None:
                sizes = np.bincount(self.groups[side], sizes)
            return float(sizes.sum() ** 2 / (sizes @ sizes))

        return count(self.positive), count(~self.positive)

    def share(self, flagged: BoolArray, side: BoolArray) -> tuple[float, float]:
        """Weighted share of a class's rows that are flagged, and its variance, not corrected."""
        hits = flagged[side].astype(np.float64)
        weight = self.weights()[side]
        share = float(np.average(hits, weights=weight))
        moved = weight / weight.sum() * (hits - share)
        if self.groups is not None:
            moved = np.bincount(self.groups[side], moved)
        return share, float(moved @ moved)

    def short_threshold(self, model: str, threshold: float) -> float:
        """A number of few digits that flags the same of these rows."""
        score = self.scores[model]
        below = float(np.max(score[score < threshold], initial=-np.inf))
        return short_number(below, float(threshold))

    def design_effect(self) -> str | None:
        """What unequal weights of independent rows cost, if there are any."""
        units, effective = self.units(), self.effective()
        effects = units[0] / effective[0], units[1] / effective[1]
        if self.groups is not None or max(effects) < 1.005:
            return None
        return (
            f"By their unequal weights the {units[0]} positive and {units[1]} negative rows tell "
            f"as much as {effective[0]:.3g} and {effective[1]:.3g} of equal weight (design effects "
            f"{effects[0]:.3g} and {effects[1]:.3g})."
        )

    def warn(self) -> None:
        """Warn where groups are too few to rely on, or none at all."""
        if (caveat := self.caveat()) is not None:
            warnings.warn(caveat, stacklevel=3)

    def caveats(
        self, estimated: bool, analytic: Collection[str], resampled: Collection[str] = ()
    ) -> list[str]:
        """How intervals of these measures may fail on such rows, by simulations."""
        sentences = [self.caveat()]
        fewest = min(self.effective())
        if "brier_score" in analytic and not estimated and fewest <= FEW_FOR_TIES:
            sentences.append(
                f"Brier score: with the class ratio fixed and {fewest:.3g} rows of a class its "
                "interval is too narrow if probabilities are too extreme: it held in as few as 65 "
                "of 100 simulated samples with ten, in 88 with fifty."
            )
        for name, label, covered, share in IN_COHORTS:
            few = fewest < min(FEWEST_GROUPS, share * len(self.positive))
            if few and estimated and name in analytic:
                sentences.append(
                    f"With {fewest:.3g} rows of a class in {len(self.positive)}, and their number "
                    f"left to chance, intervals of {label} held in as few as {covered} of 100 "
                    "simulated samples."
                )
        if set(OF_RANKS) & {*analytic} and fewest <= FEW_FOR_TIES:
            sentences += [self._ties(model) for model in self.scores]
        if set(OF_RANKS) & {*resampled} and fewest < FEWEST_GROUPS:
            sentences.append(
                f"With {fewest:.3g} rows of a class the bootstrap's intervals of AUC, AUCH and "
                "average precision held in as few as 88 of 100 simulated samples."
            )
        return [sentence for sentence in sentences if sentence is not None]

    def _ties(self, model: str) -> str | None:
        """That nearly all rows have one score of several, if so."""
        score = self.scores[model]
        others = score[score != np.median(score)]
        share = 1 - len(others) / len(score)
        if share < SHARED_BY_MOST or not len(others) or others.min() == others.max():
            return None
        return (
            f"{shown(model)}{': ' * bool(model)}{100 * share:.0f} % of the rows have one score: "
            "intervals of AUC and AUK held in as few as 88 of 100 simulated samples."
        )

    def caveat(self) -> str | None:
        """Why groups are too few to rely on, or none at all, if so."""
        if self.groups is None:
            return None
        if self.groups.max() + 1 == len(self.groups):
            return "Each group has one row: does the column number the rows?"
        fewest = min(self.effective())
        if fewest > FEWEST_GROUPS - 1e-9:
            return None
        return (
            f"The groups that hold a class tell as much as {fewest:.3g} of equal size: with fewer "
            f"than {FEWEST_GROUPS} intervals are too narrow and p values too small."
        )


def check_sample(
    y_true: npt.ArrayLike,
    y_scores: Mapping[str, npt.ArrayLike],
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    lower: Collection[str] = (),
    fewest: int = 2,
) -> Sample:
    """Check rows as for a measure, and that each class has a variance; weights of 0 are left out.

    The scores of the models in `lower` are negated. With `fewest` 1 a class needs one row.
    """
    scores: dict[str, FloatArray] = {}
    rows: Any = None
    for name, y_score in y_scores.items():
        try:
            if name in lower:
                check_aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
                y_score = -check_numbers("y_score", y_score)
            rows = check_scored(y_true, y_score, pos_label, sample_weight)
        except ValueError as error:
            if set(y_scores) == {""}:
                raise
            raise ValueError(f"Model {name!r}: {error}") from None
        scores[name] = rows.score
    if rows is None:
        raise ValueError("y_scores must hold the scores of at least one model.")
    codes = None if groups is None else _codes(groups, len(np.asarray(y_true)))
    if sample_weight is not None and codes is not None:
        codes = np.unique(codes[np.asarray(sample_weight) > 0], return_inverse=True)[1]
    sample = Sample(rows.positive, scores, rows.weight, codes)
    n_positive, n_negative = sample.units()
    if min(n_positive, n_negative) < fewest:
        unit = "rows of each class" if groups is None else "groups with rows of each class"
        raise ValueError(
            f"A standard error needs at least two {unit}, got "
            f"{n_positive} positive and {n_negative} negative."
        )
    return sample


def _codes(groups: npt.ArrayLike, n: int) -> npt.NDArray[np.intp]:
    values = exactly(groups)
    if values.shape != (n,):
        raise ValueError(f"groups must have one value per row, got {values.shape} for {n} rows.")
    try:
        names, codes = np.unique(values, return_inverse=True)
        missing = any(name is None or name != name for name in names.tolist())
    except TypeError:
        missing = True
    if missing:
        raise ValueError("groups must hold values of one type, without missing ones.")
    return codes.astype(np.intp)


def check_design(
    sample: Sample,
    prevalence: float | None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    sampling: Sampling | None = None,
    threshold: float | None = None,
    trained_at: TrainedAt = None,
) -> Conditions:
    """At what to evaluate, with the prevalence of the rows where none is stated."""
    if sampling is not None:
        check_choice("sampling", sampling, "stratified", "random")
    at = check_conditions(prevalence, cost, cost_ratio, axis)
    at = at._replace(threshold=threshold, trained_at=_check_trained_at(sample, trained_at))
    if prevalence is not None:
        return at
    return at._replace(prevalence=sample.prevalence(), estimated=sampling != "stratified")


def _check_trained_at(sample: Sample, trained_at: TrainedAt) -> dict[str, float]:
    """The share of positives to which each model's probabilities belong."""
    if not isinstance(trained_at, Mapping):
        trained_at = {} if trained_at is None else dict.fromkeys(sample.scores, trained_at)
    if unknown := [repr(name) for name in trained_at if name not in sample.scores]:
        known = ", ".join(map(repr, sample.scores))
        raise ValueError(f"trained_at names {', '.join(unknown)}; the models are {known}.")
    shares = dict.fromkeys(sample.scores, sample.prevalence())
    return shares | {
        name: check_one_prevalence(share, "trained_at") for name, share in trained_at.items()
    }
