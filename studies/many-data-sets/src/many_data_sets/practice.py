"""Round 3: what each measure's choice gains on menus as users have them, and the tests' power."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from kappacurve import batch_measures
from kappacurve.inference import influence
from many_data_sets._experiment import FloatArray, IntArray
from many_data_sets.draws import (
    EQUAL,
    MEAN,
    Choices,
    Design,
    Half,
    Tally,
    draw_rows,
    halves_of,
)
from many_data_sets.measures import Goal, Values
from many_data_sets.scores import generator
from many_data_sets.tuning import menus_of

log = logging.getLogger(__name__)
ARMS = ("auc", "auk", "h", "average_precision")
TESTED = ("auc", "auk", "log_loss")
OF_TESTS = ("power", "wrong", "signal", "size")
LABEL_FREE = "_label_free"
LEVEL = 0.05
CELL = ["design", "n_positive", "menu", "outcome", "goal"]
ALL_ROWS = 0  # what stands for the positives of a choice on all rows


def designs(levels: Mapping[str, Any], share: float) -> list[Design]:
    """The samples: natural at the own and at a stated prevalence, and balanced."""
    stated = levels["prevalence"]
    return [
        Design(name, n, negatives, (prevalence,), levels["draws"])
        for n in levels["n_positive"]
        for name, negatives, prevalence in (
            ("own", round(n * (1 - share) / share), share),
            ("stated", round(n * (1 - stated) / stated), stated),
            ("balanced", n, stated),
        )
    ]


def goals_of(levels: Mapping[str, Any]) -> list[Goal]:
    """Least cost at each cost share, and precision in the top share."""
    return [*(Goal(f"cost_{c:g}", c) for c in levels["costs"]), Goal("precision_top", None)]


def practise(
    scores: pd.DataFrame, name: str, menus: Mapping[str, list[str]], levels: Mapping[str, Any]
) -> pd.DataFrame:
    """A row for each cell, a column for each measure: per cent of the attainable gain, or of tests.

    Outcomes: gain, ample and validity (docs/protocol.md), and those of the tests.
    """
    practice, top = levels["practice"], levels["top_share"]
    names = menus_of(menus, practice)
    models = list(dict.fromkeys(model for menu in names.values() for model in menu))
    places = {key: np.array([models.index(one) for one in menu]) for key, menu in names.items()}
    share = float(scores["positive"].mean())
    tally, tests = Tally(), []
    for split, part in scores.groupby("split"):
        pair = halves_of(part, models)
        for design in designs(practice, share):
            least = min(half.n_positive for half in pair), min(half.n_negative for half in pair)
            if least[0] < practice["room"] * design.n_positive or least[1] < design.n_negative:
                continue
            words = f"{name} practice {design.name}"
            random = generator(levels["seed"], words, int(str(split)), *design[1:3])
            for drawn, other in (pair, pair[::-1]):
                one = Direction(drawn, other, design, random, goals_of(practice), top)
                whole = design.n_positive == min(practice["n_positive"])
                for choices, own in one.choices(whole):
                    tally.add(choices, own, places)
                if design.name != "balanced":
                    first = one.of(places["all"])
                    tests += first.tests(practice["test_draws"], practice["test_pairs"])
    found = pd.concat([_gains(tally), _shares_of_tests(tests)], ignore_index=True)
    log.info("%s: %d cells", name, len(found))
    return found.assign(prevalence=share)


def write_cells(found: pd.DataFrame, n_positive: int, path: Path) -> None:
    """With one decimal; single goals for so many positives, for all rows and for tests alone."""
    single = (found["n_positive"] == n_positive) | (found["outcome"] == "ample")
    kept = found[(found["goal"] == MEAN) | single | found["outcome"].isin(OF_TESTS)]
    measures = sorted({*kept} - {*CELL, "prevalence"})
    ordered = kept.reindex(columns=[*CELL, "prevalence", *measures]).sort_values(CELL)
    rounded = ordered.round({**dict.fromkeys(measures, 1), "prevalence": 4})
    rounded.to_csv(path, index=False, lineterminator="\n")


def _gains(tally: Tally) -> pd.DataFrame:
    table = tally.table()
    if table.empty:  # a family too small for any sample
        return pd.DataFrame(columns=CELL)
    table = table[table["goal"] != MEAN]
    wide = table.pivot_table("value", CELL, "measure", dropna=False, observed=True)
    wide = wide.dropna(how="all").reset_index()
    means = wide.groupby(CELL[:-1], as_index=False).mean(numeric_only=True).assign(goal=MEAN)
    return pd.concat([wide, means], ignore_index=True)


def _shares_of_tests(tests: list[dict[str, Any]]) -> pd.DataFrame:
    """Means over splits, directions and pairs, which count as often as there are pairs."""
    if not tests:
        return pd.DataFrame()
    table = pd.DataFrame(tests)
    sums = table.groupby(["design", "n_positive", "goal", "measure", "outcome"])[["sum", "pairs"]]
    total = sums.sum()
    share = (100 * total["sum"] / total["pairs"]).where(total["pairs"] > 0)
    wide = share.unstack("measure").dropna(how="all").reset_index()  # noqa: PD010
    return wide.assign(menu="all")


class Direction(NamedTuple):
    """Samples of one quarter, and the truth of the other."""

    drawn: Half
    other: Half
    design: Design
    random: np.random.Generator
    goals: list[Goal]
    top: float

    def of(self, models: IntArray) -> Direction:
        """The same of some models."""
        return self._replace(drawn=_half_of(self.drawn, models), other=_half_of(self.other, models))

    def choices(self, whole: bool) -> Iterator[tuple[Choices, Design]]:
        """By samples, and by all rows of either quarter."""
        (p,), n_positive = self.design.prevalences, self.design.n_positive
        truth = self.other.goals(p, self.goals, self.top).goals
        worth = {goal.name: truth[:, n] for n, goal in enumerate(self.goals)}
        rows = self.rows()
        values = self.values(rows, p)
        order = self.random.random(rows.shape).argsort(axis=1)
        shuffled = self.drawn.mean_losses(p, np.take_along_axis(rows, order, axis=1), n_positive)
        for (name, _), value in shuffled.items():
            if name.startswith("log_loss"):
                values[name + LABEL_FREE, ""] = value
        values["random", ""] = self.random.random(values["auc", ""].shape)
        yield Choices(p, worth, values), self.design
        if not whole or self.design.name == "balanced":
            return
        for outcome, half in (("ample", self.drawn), ("validity", self.other)):
            every = np.arange(half.ranks.shape[1])[None]
            ample = self._replace(
                drawn=half, design=self.design._replace(n_positive=half.n_positive)
            )
            own = self.design._replace(n_positive=ALL_ROWS, n_negative=ALL_ROWS)
            yield Choices(p, worth, ample.values(every, p), outcome=outcome), own

    def rows(self) -> IntArray:
        """Of the samples: (draws, rows), positives first."""
        design, n_rows = self.design, self.drawn.ranks.shape[1]
        uniform = self.random.random((design.draws, design.n_positive + design.n_negative))
        return np.asarray(
            draw_rows(uniform, self.drawn.n_positive, n_rows, design.n_positive), dtype=np.int64
        )

    def values(self, rows: IntArray, p: float) -> Values:
        """Every measure of every sample and model: (draws, models)."""
        n_positive = self.design.n_positive
        ranks = self.drawn.ranks[:, rows].swapaxes(0, 1).reshape(-1, rows.shape[1])
        label = np.arange(rows.shape[1]) < n_positive
        library = batch_measures(label, ranks, pos_label=True, prevalence=p)
        found: Values = {(name, ""): library[name].reshape(len(rows), -1) for name in ARMS}
        return found | self.drawn.mean_losses(p, rows, n_positive)

    def tests(self, draws: int, swapped: int) -> list[dict[str, Any]]:
        """Of every two models: significant leads of the better, of the other, and signals.

        A record for each measure, outcome and goal: a sum, and over how many pairs and draws.
        """
        (p,), n_positive = self.design.prevalences, self.design.n_positive
        pairs = np.array([*combinations(range(len(self.drawn.ranks)), 2)])
        rows = self.rows()
        leads = {
            measure: value[:, pairs[:, 0]] - value[:, pairs[:, 1]]
            for (measure, _), value in self.values(rows, p).items()
            if measure in TESTED
        }
        better = {
            goal.name: self.better(goal, number, p, pairs)
            for number, goal in enumerate(self.goals)
            if goal.cost is not None
        }
        significant: dict[str, list[FloatArray]] = {measure: [] for measure in leads}
        null: dict[str, list[FloatArray]] = {measure: [] for measure in leads}
        for number, own in enumerate(rows[:draws]):
            ranks = self.drawn.ranks[:, own]
            losses = [loss[:, own] for loss in self.drawn.losses(p).get("log_loss", ())]
            parts = self._rows_of(ranks, losses, p)
            for measure in leads:
                apart = parts[measure][pairs[:, 0]] - parts[measure][pairs[:, 1]]
                sign = significance(apart, leads[measure][number], n_positive)
                significant[measure].append(sign)
            chosen = pairs[self.random.permutation(len(pairs))[:swapped]]
            turn = self.random.random((len(chosen), len(own))) < 0.5
            for (i, j), swap in zip(chosen, turn, strict=True):
                both = [
                    np.where(swap, values[[j, i]], values[[i, j]]) for values in (ranks, *losses)
                ]
                parts = self._rows_of(both[0], both[1:], p)
                at = self._means_of(both[0], both[1:], p)
                for measure in leads:
                    apart = (parts[measure][0] - parts[measure][1])[None]
                    lead = np.array([at[measure][0] - at[measure][1]])
                    null[measure].append(significance(apart, lead, n_positive))
        told = {"design": self.design.name, "n_positive": n_positive}
        records = []
        for measure, found in significant.items():
            where = {**told, "measure": measure}
            size = np.abs(np.concatenate(null[measure]))
            records.append(
                {**where, "outcome": "size", "goal": "none", "sum": size.sum(), "pairs": len(size)}
            )
            spread = leads[measure].std(axis=0, ddof=1)
            signal = leads[measure].mean(axis=0) / np.where(spread > EQUAL, spread, np.inf)
            for goal, sign in better.items():
                clear = sign != 0
                agreed = np.array(found)[:, clear] * sign[clear]
                sums = {
                    "power": ((agreed > 0).sum(), agreed.size),
                    "wrong": ((agreed < 0).sum(), agreed.size),
                    "signal": ((signal * sign)[clear].sum(), int(clear.sum())),
                }
                records += [
                    {**where, "outcome": outcome, "goal": goal, "sum": float(total), "pairs": count}
                    for outcome, (total, count) in sums.items()
                ]
        return records

    def better(self, goal: Goal, number: int, p: float, pairs: IntArray) -> FloatArray:
        """1 or -1 where the first or the second of two models costs less by two standard errors."""
        half, n = self.other, self.other.n_positive
        cut = half.goals(p, self.goals, self.top)
        flagged = half.ranks >= cut.thresholds[:, number][:, None]
        cost = float(goal.cost or 0)
        worth = -np.hstack([cost * p * ~flagged[:, :n], (1 - cost) * (1 - p) * flagged[:, n:]])
        apart = worth[pairs[:, 0]] - worth[pairs[:, 1]]
        lead = cut.goals[pairs[:, 0], number] - cut.goals[pairs[:, 1], number]
        error = np.sqrt(variances(apart, n).sum(axis=0))
        return np.asarray(np.where(np.abs(lead) > 2 * error + EQUAL, np.sign(lead), 0.0))

    def _rows_of(
        self, ranks: IntArray, losses: list[FloatArray], p: float
    ) -> dict[str, FloatArray]:
        """What each row adds to each measure: (models, rows)."""
        n = self.design.n_positive
        label = np.arange(ranks.shape[1]) < n
        options: dict[str, Any] = {"pos_label": True, "prevalence": p}
        found = {
            measure: np.array([influence(label, one, measure=measure, **options) for one in ranks])
            for measure in ("auc", "auk")
        }
        if losses:
            found["log_loss"] = np.hstack([p * losses[0][:, :n], (1 - p) * losses[1][:, n:]])
        return found

    def _means_of(
        self, ranks: IntArray, losses: list[FloatArray], p: float
    ) -> dict[str, FloatArray]:
        """The measures themselves: (models,)."""
        n = self.design.n_positive
        label = np.arange(ranks.shape[1]) < n
        library = batch_measures(label, ranks, pos_label=True, prevalence=p)
        found = {measure: library[measure] for measure in ("auc", "auk")}
        if losses:
            ones, zeros = losses[0][:, :n].mean(axis=1), losses[1][:, n:].mean(axis=1)
            found["log_loss"] = p * ones + (1 - p) * zeros
        return found


def _half_of(half: Half, models: IntArray) -> Half:
    odds = {suffix: values[models] for suffix, values in half.log_odds.items()}
    return Half(half.ranks[models], odds, half.n_positive)


def variances(apart: FloatArray, n_positive: int) -> FloatArray:
    """Variances of the two classes' means, (2, pairs), of what rows add to differences."""
    parts = apart[:, :n_positive], apart[:, n_positive:]
    return np.array([part.var(axis=1, ddof=1) / part.shape[1] for part in parts])


def significance(apart: FloatArray, lead: FloatArray, n_positive: int) -> FloatArray:
    """Signs of the leads that Student's t finds, by Satterthwaite's degrees of freedom; else 0."""
    by_class = variances(apart, n_positive)
    variance = by_class.sum(axis=0)
    freedom = np.array([[n_positive - 1], [apart.shape[1] - n_positive - 1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / (by_class**2 / freedom).sum(axis=0)
    found = (variance > 0) & (np.abs(lead) > stdtrit(df, 1 - LEVEL / 2) * np.sqrt(variance))
    return np.asarray(np.where(found, np.sign(lead), 0.0))
