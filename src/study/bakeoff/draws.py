"""Small samples of one half against the truth of the other: what each measure makes of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata

from kappacurve.inference import covariance, influence
from study.arrays import BoolArray, FloatArray, IntArray
from study.bakeoff.measures import MEASURES, Curves, Goal, goals_at
from study.bakeoff.scores import generator

log = logging.getLogger(__name__)
KEYS = [
    *("ties", "prevalence", "n_positive", "sample", "n_negative"),
    *("goal", "measure", "left_out", "outcome"),
]
EQUAL = 1e-9  # values closer than this are ties of the measure
CLEAR = 2.0  # standard errors between two models that count as different
LEVEL = norm.isf(0.025)


class Half(NamedTuple):
    """Scored rows, positives first: ranks and log-odds (models, rows), and how many positives."""

    ranks: IntArray
    log_odds: FloatArray
    n_positive: int


class Cell(NamedTuple):
    """A design: evaluation prevalence, positives and negatives of a sample, and its kind."""

    prevalence: float
    n_positive: int
    sample: str
    n_negative: int


class Truth(NamedTuple):
    """Of each model at a prevalence on the other half: goals, measures; which pairs are clear."""

    goals: dict[str, FloatArray]
    clear: dict[str, BoolArray]
    own: dict[tuple[str, str], FloatArray]


def cells(levels: Mapping[str, Any]) -> list[Cell]:
    """Prevalence, positives and negatives crossed: balanced, natural and as rare as can be."""
    found: dict[Any, Any] = {}
    for n in levels["n_positive"]:
        for p in levels["prevalence"]:
            for kind, share in (("natural", p), ("balanced", 0.5), ("rarest", None)):
                rare = levels["rarest_sample"] if share is None else share
                cell = Cell(p, n, kind, round(n * (1 - rare) / rare))
                found.setdefault((p, n, cell.n_negative), cell)
    return list(found.values())


def halves(
    scores: pd.DataFrame, models: Sequence[str], ties: str, random: np.random.Generator
) -> list[Half]:
    """Both parts of a split; ties are broken once at random or kept."""
    found = []
    for _, part in scores.groupby("part"):
        part = part.sort_values("positive", ascending=False, kind="stable")
        odds = part[list(models)].to_numpy().T.copy()
        if ties == "kept":
            ranks = rankdata(odds, method="dense", axis=1).astype(np.int64)
        else:
            order = np.lexsort((random.random(odds.shape), odds), axis=1)
            ranks = np.argsort(order, axis=1)
        found.append(Half(ranks, odds, int(part["positive"].sum())))
    return found


def possible(scores: pd.DataFrame, cell: Cell) -> bool:
    """Whether every half has four times the positives of a sample, and its negatives."""
    counts = scores.groupby(["split", "part"])["positive"].agg(["sum", "size"])
    enough = (counts["sum"] >= 4 * cell.n_positive) & (
        counts["size"] - counts["sum"] >= cell.n_negative
    )
    return bool(enough.all())


def truth_of(half: Half, prevalence: float, goals: Sequence[Goal]) -> Truth:
    """What each model is worth on a half, and which pairs clearly differ."""
    curves = Curves(half.ranks, half.n_positive, prevalence)
    values = {goal.name: goal.value(curves) for goal in goals}
    clear = {}
    for goal in goals:
        spread = np.cov(_influence(half, curves, goal))
        variance = np.add.outer(np.diag(spread), np.diag(spread)) - 2 * spread
        error = np.sqrt(variance.clip(1e-30) / half.ranks.shape[1])
        lead = np.abs(np.subtract.outer(values[goal.name], values[goal.name]))
        clear[goal.name] = np.triu(lead > CLEAR * error, 1)
    return Truth(values, clear, values_of(curves, goals))


def _influence(half: Half, curves: Curves, goal: Goal) -> FloatArray:
    """Influence of each row on each model's goal, (models, rows), at the best threshold.

    The threshold itself moves the least cost only in second order. At the top share it moves so
    that the flagged share stays; the slope is that of the curve around it.
    """
    p, n = curves.p, half.ranks.shape[1]
    positive = np.arange(n) < half.n_positive
    weight = n * np.where(positive, p / half.n_positive, (1 - p) / (n - half.n_positive))
    rows = half.n_positive * curves.tpr + (n - half.n_positive) * curves.fpr
    order = np.argsort(np.argsort(-half.ranks, axis=1, kind="stable"), axis=1)
    if goal.cost is not None:
        best = goal.losses(curves).argmin(axis=1)
        above = order < np.rint(np.take_along_axis(rows, best[:, None], axis=1))
        loss = goal.cost * (positive & ~above) + (1 - goal.cost) * (~positive & above)
        return _centred(-loss * weight, half.n_positive)
    place, slope = [], []
    for flagged, counted, tpr in zip(curves.flagged, rows, curves.tpr, strict=True):
        low, high = np.interp([0.5 * goal.top, 1.5 * goal.top], flagged, tpr)
        place.append(np.rint(np.interp(goal.top, flagged, counted)))
        slope.append(p * (high - low) / goal.top)
    shift = (order < np.array(place)[:, None]) * weight
    return _centred((positive - np.array(slope)[:, None]) * shift / goal.top, half.n_positive)


def _centred(influence: FloatArray, n_positive: int) -> FloatArray:
    """Less its mean within each class: the class ratio is fixed."""
    classes = np.split(influence, [n_positive], axis=1)
    return np.hstack([one - one.mean(axis=1, keepdims=True) for one in classes])


def values_of(curves: Curves, goals: Sequence[Goal]) -> dict[tuple[str, str], FloatArray]:
    """Each measure's values; of one at a goal's cost by goal, of the others under the goal ""."""
    found: dict[Any, Any] = {}
    for name, measure in MEASURES.items():
        if measure.at_cost:
            costs = {goal.name: goal.cost for goal in goals if goal.cost is not None}
            found |= {(name, goal): measure.of(curves, cost) for goal, cost in costs.items()}
        else:
            found[name, ""] = measure.of(curves)
    return found


def gain(values: FloatArray, truth: FloatArray) -> tuple[float, float]:
    """What choosing the model of the largest value gains on a random one, and what could be gained.

    Values (draws, models), or (models,) of one sample; models that tie share the choice.
    """
    top = values >= values.max(axis=-1, keepdims=True) - EQUAL
    chosen = (top * truth).sum(axis=-1) / top.sum(axis=-1)
    return float(chosen.mean() - truth.mean()), float(truth.max() - truth.mean())


def agreement(values: FloatArray, truth: FloatArray, clear: BoolArray) -> tuple[float, float]:
    """How many clear pairs each draw orders as the truth does (a tie is half), and their number."""
    first, second = np.nonzero(clear)
    side = np.sign(truth[first] - truth[second])
    lead = (values[:, first] - values[:, second]) * side
    right = (lead > EQUAL) + 0.5 * (np.abs(lead) <= EQUAL)
    return float(right.sum(axis=1).mean()), float(len(first))


def draw_family(scores: pd.DataFrame, name: str, levels: Mapping[str, Any]) -> pd.DataFrame:
    """Every outcome of a family: KEYS, its value and the number of draws behind it.

    Numerators and denominators are summed over splits and directions before they are divided.
    """
    models = [one for one in scores.columns if one not in ("split", "part", "positive")]
    designs = [cell for cell in cells(levels) if possible(scores, cell)]
    records: list[tuple[Any, ...]] = []
    for ties, kind in (("broken", 0), ("kept", 1)):
        chosen = [one for one in designs if ties == "broken" or in_panel(one, levels)]
        for split in sorted(scores["split"].unique()):
            part = scores[scores["split"] == split]
            random = generator(levels["seed"], name, int(split), kind)
            pair = halves(part, models, ties, random)
            for drawn, other in (pair, pair[::-1]):
                job = _Direction(drawn, other, ties, models, levels, random)
                records += job.records(chosen)
    table = pd.DataFrame(records, columns=[*KEYS, "numerator", "denominator"])
    found = table.groupby(KEYS, sort=False, as_index=False).sum()
    found["value"] = found["numerator"] / found["denominator"].where(found["denominator"] > EQUAL)
    log.info("%s: %d designs, %d outcomes", name, len(designs), len(found))
    return found.drop(columns="numerator").assign(family=name)


def in_panel(cell: Cell, levels: Mapping[str, Any]) -> bool:
    """Whether a cell is shown with ties kept, too."""
    return cell.n_positive == levels["headline"]["n_positive"] and cell.sample == "natural"


@dataclass
class _Direction:
    """One half draws, the other is the truth."""

    drawn: Half
    other: Half
    ties: str
    models: Sequence[str]
    levels: Mapping[str, Any]
    random: np.random.Generator

    def __post_init__(self) -> None:
        common = self.levels["costs"], self.levels["top_share"]
        self.goals = {p: goals_at(p, *common) for p in self.levels["prevalence"]}
        self.truths = {p: truth_of(self.other, p, goals) for p, goals in self.goals.items()}

    def records(self, designs: Sequence[Cell]) -> Iterator[tuple[Any, ...]]:
        """Validity on all rows, then every design; designs of one size share their samples."""
        for p, truth in self.truths.items():
            yield from self._full(p, truth)
        sizes = dict.fromkeys((cell.n_positive, cell.n_negative) for cell in designs)
        for size in sizes:
            rows = self._rows(*size)
            ranks = self.drawn.ranks[:, rows].swapaxes(0, 1).reshape(-1, sum(size))
            curves = Curves(ranks, size[0], 0.5)
            for cell in designs:
                if cell[1::2] == size:
                    values = values_of(curves.at(cell.prevalence), self.goals[cell.prevalence])
                    yield from self._cell(cell, self._by_draw(values))
                    if in_panel(cell, self.levels):
                        yield from self._controls(cell, rows, ranks)
                        if self._is_headline(cell) and self.ties == "broken":
                            yield from self._tests(cell, rows)

    def _is_headline(self, cell: Cell) -> bool:
        return bool(cell.prevalence == self.levels["headline"]["prevalence"])

    def _rows(self, n_positive: int, n_negative: int) -> IntArray:
        """Rows of each sample, (draws, rows): without replacement, positives first."""
        n, draws = self.drawn.n_positive, self.levels["draws"]
        rest = self.drawn.ranks.shape[1] - n
        parts = [(0, n, n_positive), (n, rest, n_negative)]
        return np.hstack(
            [
                first + self.random.random((draws, have)).argsort(axis=1)[:, :take]
                for first, have, take in parts
            ]
        )

    def _by_draw(self, values: Mapping[Any, FloatArray]) -> dict[Any, FloatArray]:
        return {key: one.reshape(-1, len(self.models)) for key, one in values.items()}

    def _full(self, p: float, truth: Truth) -> Iterator[tuple[Any, ...]]:
        """Validity: the measure of all rows of the truth's half chooses for the goal."""
        for (measure, only), values in truth.own.items():
            for goal, value in truth.goals.items():
                if only in ("", goal):
                    found = gain(values, value)
                    yield (self.ties, p, 0, "all", 0, goal, measure, "", "validity", *found)

    def _cell(self, cell: Cell, values: Mapping[Any, FloatArray]) -> Iterator[tuple[Any, ...]]:
        truth = self.truths[cell.prevalence]
        for (measure, only), found in values.items():
            own = truth.own[measure, only]
            place = (self.ties, *cell, only or "own", measure, "")
            yield (*place, "reliability", *gain(found, own))
            for goal, value in truth.goals.items():
                if only not in ("", goal):
                    continue
                key = (self.ties, *cell, goal, measure)
                yield (*key, "", "gain", *gain(found, value))
                yield (*key, "", "agreement", *agreement(found, value, truth.clear[goal]))
                if self._is_headline(cell) and in_panel(cell, self.levels):
                    for number, left_out in enumerate(self.models):
                        rest = np.arange(len(self.models)) != number
                        yield (*key, left_out, "gain", *gain(found[:, rest], value[rest]))

    def _controls(self, cell: Cell, rows: IntArray, ranks: IntArray) -> Iterator[tuple[Any, ...]]:
        """Random values, sharpness, and every measure once more with the labels shuffled."""
        draws, n_models = len(rows), len(self.models)
        truth, goals = self.truths[cell.prevalence], self.goals[cell.prevalence]
        order = self.random.random(rows.shape).argsort(axis=1)
        shuffled = np.take_along_axis(rows, order, axis=1)
        mixed = self.drawn.ranks[:, shuffled].swapaxes(0, 1).reshape(ranks.shape)
        values = values_of(Curves(mixed, cell.n_positive, cell.prevalence), goals)
        asked = {"shuffled_": self._by_draw(values), "": {}}
        asked[""]["random", ""] = self.random.random((draws, n_models))
        for name, sample in (("", rows), ("shuffled_", shuffled)):
            asked[name] |= self._sharpness(sample, cell)
        for name, found in asked.items():
            for (measure, only), one in found.items():
                for goal, value in truth.goals.items():
                    if only in ("", goal):
                        key = (self.ties, *cell, goal, measure, "")
                        yield (*key, f"{name}gain", *gain(one, value))
                        share = agreement(one, value, truth.clear[goal])
                        yield (*key, f"{name}agreement", *share)

    def _sharpness(self, rows: IntArray, cell: Cell) -> dict[tuple[str, str], FloatArray]:
        """Log loss and Brier score, negated, of log-odds moved to the evaluation prevalence."""
        share, p = self.drawn.n_positive / self.drawn.ranks.shape[1], cell.prevalence
        moved = np.log(p / (1 - p)) - np.log(share / (1 - share))
        odds = self.drawn.log_odds[:, rows].swapaxes(0, 1) + moved
        odds[..., : cell.n_positive] *= -1  # from here on: of the wrong class
        wrong = 0.5 * (1 + np.tanh(odds / 2))
        found = {"log_loss": np.logaddexp(0, odds), "brier": wrong**2}
        n = cell.n_positive
        return {
            (name, ""): -(p * one[..., :n].mean(-1) + (1 - p) * one[..., n:].mean(-1))
            for name, one in found.items()
        }

    def _tests(self, cell: Cell, rows: IntArray) -> Iterator[tuple[Any, ...]]:
        """Paired tests of AUC and AUK: power on clear pairs, size where models change places."""
        truth, p = self.truths[cell.prevalence], cell.prevalence
        label = np.arange(rows.shape[1]) < cell.n_positive
        for sample in rows[: self.levels["test_draws"]]:
            ranks = self.drawn.ranks[:, sample]
            pair = self.random.choice(len(self.models), 2, replace=False)
            swap = self.random.random(len(sample)) < 0.5
            both = np.where(swap, ranks[pair[::-1]], ranks[pair])
            for measure in ("auc", "auk"):
                z = _statistics(label, ranks, measure, p)
                null = float(abs(_statistics(label, both, measure, p)[0, 1]) > LEVEL)
                yield (self.ties, *cell, "none", measure, "", "size", null, 1.0)
                for goal, value in truth.goals.items():
                    clear = truth.clear[goal]
                    side = np.sign(np.subtract.outer(value, value))
                    key = (self.ties, *cell, goal, measure, "")
                    right, wrong = ((s * side * z > LEVEL)[clear].sum() for s in (1, -1))
                    yield (*key, "power", float(right), float(clear.sum()))
                    yield (*key, "wrong", float(wrong), float(clear.sum()))


def _statistics(label: BoolArray, ranks: IntArray, measure: str, p: float) -> FloatArray:
    """The paired z of every two models."""
    if measure == "auc":
        named = {str(i): one for i, one in enumerate(ranks)}
        value, spread = covariance(label, named, measure="auc", pos_label=True)
    else:
        options: dict[str, Any] = {"pos_label": True, "prevalence": p}
        moved = np.array([influence(label, one, **options) for one in ranks])
        n = label.sum(), (~label).sum()
        spread = np.cov(moved[:, label]) / n[0] + np.cov(moved[:, ~label]) / n[1]
        value = Curves(ranks, int(n[0]), p).library["auk"]
    variance = np.add.outer(np.diag(spread), np.diag(spread)) - 2 * spread
    return np.asarray(np.subtract.outer(value, value) / np.sqrt(variance.clip(1e-12)))
