"""Small samples of one half against the truth of the other: what each measure's choice gains."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata

from kappacurve import batch_measures
from many_data_sets._experiment import FloatArray, IntArray
from many_data_sets.measures import (
    OWN_GOAL,
    Corners,
    Goal,
    Values,
    corners_of,
    expected_cost,
    goals_at,
    rank_values,
    row_losses,
)
from many_data_sets.scores import RANKS_ONLY, RECALIBRATED, generator

log = logging.getLogger(__name__)
EQUAL = 1e-9  # values closer than this are ties of the measure
MEAN = "mean"  # of the goals
WITHOUT = "all without "  # and a model: a menu
DESIGN = ["design", "ties", "prevalence", "n_positive", "n_negative"]
KEYS = [*DESIGN, "menu", "truth", "outcome"]
ALONG_COST = ("auc", "auk", "auk_goal", "h_goal", "log_loss")
GOAL_ITSELF = "goal"  # a measure of the cost curve: the goal's own value on the whole other half


@dataclass(eq=False)
class Half:
    """Scored rows, positives first: (models, rows); ranks are those among both halves.

    Log-odds are by the ending of the losses' names: as they are (unless scores only rank), and
    recalibrated, nan for a model that is not.
    """

    ranks: IntArray
    log_odds: dict[str, FloatArray]
    n_positive: int

    @property
    def n_negative(self) -> int:
        """The other rows."""
        return int(self.ranks.shape[1] - self.n_positive)

    def of(self, n_models: int) -> Half:
        """The first models alone."""
        log_odds = {suffix: odds[:n_models] for suffix, odds in self.log_odds.items()}
        return Half(self.ranks[:n_models], log_odds, self.n_positive)

    def goals(self, prevalence: float, goals: list[Goal], top: float) -> Corners:
        """What every model is worth here."""
        return corners_of(self.ranks, self.n_positive, prevalence, goals, top)

    @cache  # noqa: B019  a half lives as long as its family's job
    def losses(self, prevalence: float) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Of every row, by its log-odds moved to a prevalence."""
        share = self.n_positive / self.ranks.shape[1]
        shift = np.log(prevalence / (1 - prevalence)) - np.log(share / (1 - share))
        losses_of: dict[str, tuple[FloatArray, FloatArray]] = {}
        for suffix, odds in self.log_odds.items():
            with np.errstate(invalid="ignore"):  # nan: a model that is not recalibrated
                parts = row_losses(odds, shift)
            losses_of |= {name + suffix: both for name, both in parts.items()}
        return losses_of

    def mean_losses(self, prevalence: float, rows: IntArray, n_positive: int) -> Values:
        """Of samples (draws, rows) of which the first rows count as positive: (draws, models)."""
        shares = (prevalence, rows[:, :n_positive]), (1 - prevalence, rows[:, n_positive:])
        found: Values = {}
        for name, both in self.losses(prevalence).items():
            means = [
                share * loss[:, part].mean(axis=2).T
                for (share, part), loss in zip(shares, both, strict=True)
            ]
            found[name, ""] = means[0] + means[1]
        return found


class Design(NamedTuple):
    """Samples of so many rows, evaluated at these prevalences.

    That of the main table is looked at closely: every menu and truth, and the controls.
    """

    name: str
    n_positive: int
    n_negative: int
    prevalences: tuple[float, ...]
    draws: int
    close: bool = False
    ties: str = "kept"


def designs_of(levels: Mapping[str, Any]) -> list[Design]:
    """The natural samples, the headline with ties broken, and the ratio design."""
    own = levels["headline"]["n_positive"], levels["headline"]["prevalence"]
    pairs = [(own[0], p) for p in levels["prevalence"]]
    pairs += [(n, own[1]) for n in levels["n_positive"]]
    natural = [
        Design("natural", n, round(n * (1 - p) / p), (p,), levels["draws"], (n, p) == own)
        for n, p in dict.fromkeys(pairs)
    ]
    broken = [one._replace(ties="broken", close=False) for one in natural if one.close]
    ratios = [
        Design("ratio", n, n * ratio, tuple(levels["prevalence"]), levels["ratio_draws"])
        for n in levels["ratio_n_positive"]
        for ratio in levels["ratios"]
        if n * ratio <= levels["most_negatives"]
    ]
    return [*natural, *broken, *ratios]


def halves_of(scores: pd.DataFrame, models: Sequence[str], random: Any = None) -> list[Half]:
    """Both parts of a split; ties are kept, or broken at random by a generator."""
    scores = scores.sort_values(["part", "positive"], ascending=[True, False], kind="stable")
    odds = scores[list(models)].to_numpy().T.copy()
    ranks = rankdata(odds, method="dense", axis=1).astype(np.int64)
    if random is not None:
        order = np.lexsort((random.random(odds.shape), odds), axis=1)
        ranks = np.argsort(order, axis=1)
    told = {} if RANKS_ONLY in scores and scores[RANKS_ONLY].any() else {"": odds}
    columns = scores.reindex(columns=[name + RECALIBRATED for name in models])
    if columns.notna().any(axis=None):
        told["_recalibrated"] = columns.to_numpy(dtype=np.float64).T
    part, positive = scores["part"].to_numpy(), scores["positive"].to_numpy()
    halves = []
    for here in (part == one for one in np.unique(part)):
        log_odds = {suffix: odds[:, here] for suffix, odds in told.items()}
        halves.append(Half(ranks[:, here], log_odds, int(positive[here].sum())))
    return halves


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def draw_rows(uniform: FloatArray, n_positive: int, n_rows: int, take_positive: int) -> IntArray:
    """Rows of each sample, (draws, rows): without replacement, positives first.

    Uniform numbers (draws, rows) shuffle the beginning of each class's rows.
    """
    order, rows = np.arange(n_rows), np.empty(uniform.shape, np.int64)
    for draw in range(len(uniform)):
        for place in range(uniform.shape[1]):
            positive = place < take_positive
            here = place if positive else n_positive + place - take_positive
            left = (n_positive if positive else n_rows) - here
            other = here + int(uniform[draw, place] * left)
            order[here], order[other] = order[other], order[here]
            rows[draw, place] = order[here]
    return rows


def choice(values: FloatArray) -> FloatArray:
    """The weight of each model (last axis) in a choice by the largest value; ties share it."""
    top = values >= values.max(axis=-1, keepdims=True) - EQUAL
    return np.asarray(top / top.sum(axis=-1, keepdims=True))


class Choices(NamedTuple):
    """What measures choose by, and what the models are worth: (models,) or (draws, models) a goal.

    Of every menu, or of one; under the name of the design, or of another.
    """

    prevalence: float
    worth: Mapping[str, FloatArray]
    measured: Values
    menu: str = ""
    truth: str = "oracle"
    outcome: str = "gain"
    design: str = ""


class Tally:
    """Gains of every draw, and what could be gained, by group (KEYS), measure and goal."""

    def __init__(self) -> None:
        self.gains: dict[Any, Any] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))

    def add(self, choices: Choices, design: Design, menus: Mapping[str, IntArray]) -> None:
        """The choices by every measure in every menu, for every goal; of a split and direction."""
        size = design.n_positive, design.n_negative
        which = (choices.design or design.name, design.ties, choices.prevalence, *size)
        for menu in [choices.menu] if choices.menu else menus:
            group = self.gains[*which, menu, choices.truth, choices.outcome]
            for (measure, only), value in choices.measured.items():
                own = value[..., menus[menu]]
                if not np.isfinite(own).all():
                    continue  # a model has no probabilities or is not recalibrated
                weight = choice(own)
                for goal in choices.worth:
                    if only in ("", goal):
                        truth = choices.worth[goal][..., menus[menu]]
                        usual = truth.mean(axis=-1)
                        gain = np.atleast_1d((weight * truth).sum(axis=-1) - usual)
                        could = float((truth.max(axis=-1) - usual).mean())
                        group[measure][goal].append((gain, could))

    def table(self) -> pd.DataFrame:
        """Per cent of the attainable gain, points ahead of AUC, and their Monte Carlo SD."""
        rows = []
        for group, measures in self.gains.items():
            shares = {
                measure: {goal: _share_of_attainable(parts) for goal, parts in goals.items()}
                for measure, goals in measures.items()
            }
            for measure, of_goals in shares.items():
                mean, own = [goal for goal in of_goals if goal != OWN_GOAL.get(measure)], {}
                if group[0] != "costs" and "own" not in of_goals:
                    own[MEAN] = np.mean([of_goals[goal] for goal in mean], axis=0)
                for goal, share in (of_goals | own).items():
                    goals = mean if goal == MEAN else [goal]
                    base = [shares["auc"][one] for one in goals if one in shares.get("auc", {})]
                    lead = share - np.mean(base, axis=0) if base else np.full_like(share, np.nan)
                    draws = lead.shape[1]
                    noise = lead.var(axis=1, ddof=1).sum() / draws if draws > 1 else 0.0
                    values = share.mean(axis=1).sum(), lead.mean(axis=1).sum(), np.sqrt(noise)
                    rows.append((*group, goal, measure, *values))
        return pd.DataFrame(rows, columns=[*KEYS, "goal", "measure", "value", "lead", "mc_sd"])


def _share_of_attainable(parts: Sequence[tuple[FloatArray, float]]) -> FloatArray:
    """Gains (splits and directions, draws) in per cent of what all of them could be."""
    gains, could = zip(*parts, strict=True)
    return np.array(gains) * (100 / sum(could) if sum(could) > EQUAL else np.nan)


def draw_family(scores: pd.DataFrame, name: str, levels: Mapping[str, Any]) -> pd.DataFrame:
    """Every outcome of a family: KEYS, goal, measure, value, lead over AUC, Monte Carlo SD."""
    told = ("split", "part", "positive", RANKS_ONLY)
    columns = [
        column for column in scores if column not in told and not str(column).endswith(RECALIBRATED)
    ]
    menus = {key: names for key, names in levels["menus"].items() if {*names} <= {*columns}}
    if "all" not in menus:  # predictions of other models
        menus = {"all": columns}
    models = list(
        dict.fromkeys([*menus["all"], *(column for menu in menus.values() for column in menu)])
    )
    places = {
        key: np.array([models.index(column) for column in menu]) for key, menu in menus.items()
    }
    for number, model in enumerate(menus["all"]):
        places[WITHOUT + model] = np.delete(places["all"], number)
    parts = {int(n): scores[scores["split"] == n] for n in sorted({*scores["split"]})}
    kept = {split: halves_of(part, models) for split, part in parts.items()}
    tally, n_models = Tally(), len(menus["all"])
    main = {split: [half.of(n_models) for half in pair] for split, pair in kept.items()}
    every = [half for pair in main.values() for half in pair]
    n_positive = min(half.n_positive for half in every)
    n_negative = min(half.n_negative for half in every)
    for design in designs_of(levels):
        if 4 * design.n_positive > n_positive or design.n_negative > n_negative:
            continue  # a half has too few rows to draw from
        for split, part in parts.items():
            size = design.n_positive, design.n_negative
            words = f"{name} {design.name} {design.ties}"
            random = generator(levels["seed"], words, split, *size)
            pair = kept[split] if design.close else main[split]
            if design.ties == "broken":
                pair = halves_of(part, menus["all"], random)
            menu = places if design.close else {"all": places["all"]}
            for drawn, other in (pair, pair[::-1]):
                for choices in _Direction(drawn, other, design, levels, random).choices():
                    tally.add(choices, design, menu)
    outcomes = tally.table().assign(family=name)
    log.info("%s: %d outcomes", name, len(outcomes))
    own = [
        batch_measures(np.arange(half.ranks.shape[1]) < half.n_positive, half.ranks, pos_label=True)
        for half in every
    ]
    auc = np.median([values["auc"] for values in own])
    by_chance, disagree = np.mean([accuracy_against_kappa(pair) for pair in main.values()], axis=0)
    outcomes["separation"] = np.sqrt(2) * norm.ppf(auc)
    return outcomes.assign(hits_by_chance=by_chance, accuracy_and_kappa_disagree=disagree)


def accuracy_against_kappa(halves: Sequence[Half]) -> tuple[float, float]:
    """Per cent of the hits that chance explains, and of pairs that kappa orders the other way.

    Ben-David (2008), section 3. Models decide for the more probable class; all scored rows.
    """
    if any("" not in half.log_odds for half in halves):
        return np.nan, np.nan  # scores that only rank decide for no class
    flagged = np.hstack([half.log_odds[""] > 0 for half in halves])
    counts = [[half.n_positive, half.n_negative] for half in halves]
    label = np.repeat(np.tile([True, False], len(halves)), np.ravel(counts))
    hits, share, p = (flagged == label).mean(axis=1), flagged.mean(axis=1), label.mean()
    by_chance = p * share + (1 - p) * (1 - share)
    kappa = (hits - by_chance) / (1 - by_chance)
    first, second = np.triu_indices(len(hits), 1)
    other_way = (hits[first] - hits[second]) * (kappa[first] - kappa[second]) < 0
    return float(100 * (by_chance / hits).mean()), float(100 * other_way.mean())


class _Direction(NamedTuple):
    """One half draws, the other is the truth."""

    drawn: Half
    other: Half
    design: Design
    levels: Mapping[str, Any]
    random: np.random.Generator

    def choices(self) -> Iterator[Choices]:
        """Those by the measures of samples; of the main table all truths and the controls, too."""
        n_positive, n_negative = self.design.n_positive, self.design.n_negative
        uniform = self.random.random((self.design.draws, n_positive + n_negative))
        n_rows = self.drawn.ranks.shape[1]
        rows = draw_rows(uniform, self.drawn.n_positive, n_rows, n_positive)
        for p in self.design.prevalences:
            goals = goals_at(p, self.levels["costs"])
            truth = self.other.goals(p, goals, self.levels["top_share"])
            values, corners = self._values(rows, p, goals)
            oracle = {goal.name: truth.goals[:, n] for n, goal in enumerate(goals)}
            yield Choices(p, oracle, values)
            if not self.design.close or corners is None:
                continue
            whole = self._of_other_half(p, goals, truth)
            yield Choices(p, oracle, whole, menu="all", outcome="validity")
            for (name, goal), value in whole.items():
                own = {(name, ""): values[name, goal]}
                yield Choices(p, {goal or "own": value}, own, menu="all", outcome="reliability")
            noise = {("random", ""): self.random.random((len(rows), len(self.drawn.ranks)))}
            yield Choices(p, oracle, noise, menu="all")
            order = self.random.random(rows.shape).argsort(axis=1)
            shuffled, _ = self._values(np.take_along_axis(rows, order, axis=1), p, goals)
            yield Choices(p, oracle, shuffled, menu="all", outcome="shuffled_gain")
            yield Choices(p, self._at_thresholds(p, goals, corners), values, truth="sample")
            yield self._along_costs(rows, p)

    def _values(self, rows: IntArray, p: float, goals: list[Goal]) -> tuple[Values, Corners | None]:
        """Every measure of every sample and model, (draws, models); the corners of the curves."""
        n_positive, top = self.design.n_positive, self.levels["top_share"]
        ranks = self.drawn.ranks[:, rows].swapaxes(0, 1).reshape(-1, rows.shape[1])
        few = self.design.name == "ratio"  # AUC, AUK, log loss and Brier score
        corners = None if few else corners_of(ranks, n_positive, p, goals, top)
        values = rank_values(ranks, n_positive, p, goals, corners)
        values = {key: one.reshape(len(rows), -1) for key, one in values.items()}
        return values | self.drawn.mean_losses(p, rows, n_positive), corners

    def _of_other_half(self, p: float, goals: list[Goal], truth: Corners) -> Values:
        """Every measure on the whole of it, (models,)."""
        half, every = self.other, np.arange(self.other.ranks.shape[1])[None]
        losses = half.mean_losses(p, every, half.n_positive)
        values = rank_values(half.ranks, half.n_positive, p, goals, truth)
        return values | {key: value[0] for key, value in losses.items()}

    def _along_costs(self, rows: IntArray, p: float) -> Choices:
        """The cost as a curve, and what the goal itself chooses on the whole other half."""
        goals = [Goal(f"cost_{cost:g}", cost) for cost in self.levels["cost_curve"]]
        values, _ = self._values(rows, p, goals)
        values = {key: one for key, one in values.items() if key[0] in ALONG_COST}
        here, there = (half.goals(p, goals, 1.0).goals for half in (self.drawn, self.other))
        values |= {(GOAL_ITSELF, goal.name): here[:, n] for n, goal in enumerate(goals)}
        truth = {goal.name: there[:, n] for n, goal in enumerate(goals)}
        return Choices(p, truth, values, menu="all", design="costs")

    def _at_thresholds(
        self, p: float, goals: list[Goal], corners: Corners
    ) -> dict[str, FloatArray]:
        """Minus the cost on the other half, (draws, models), at the sample's cheapest threshold."""
        other, found = self.other, {}
        for number, goal in enumerate(goals):
            if goal.cost is None:
                continue
            cut = corners.thresholds[:, number].reshape(self.design.draws, -1)
            rates = []
            for rows in (slice(other.n_positive), slice(other.n_positive, None)):
                parts = np.sort(other.ranks[:, rows], axis=1)
                below = [np.searchsorted(one, at) for one, at in zip(parts, cut.T, strict=True)]
                rates.append(1 - np.array(below).T / parts.shape[1])
            found[goal.name] = -expected_cost(goal.cost, p, rates[1], rates[0])
        return found
