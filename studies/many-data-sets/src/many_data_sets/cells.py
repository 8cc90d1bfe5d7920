"""Cells of a data set: what each measure's choice gains, and what paired tests find."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import stdtrit

from many_data_sets.measures import measure_samples, row_influence
from many_data_sets.quarters import Quarter, cost_share, draw_rows, split_quarters
from many_data_sets.results import CELL
from many_data_sets.scores import list_menus, make_generator

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
log = logging.getLogger(__name__)
TESTED = ("auc", "auk", "log_loss")
TEST_OUTCOMES = ("power", "wrong", "signal", "size")
ALL_ROWS = 0  # positives of a choice on all rows
EQUAL = 1e-9  # values closer than this are ties
LEVEL = 0.05
Values = dict[str, FloatArray]
# By the columns of a cell and the measure: a sum, and that of what it is a part of.
Tally = defaultdict[Any, FloatArray]


class Design(NamedTuple):
    """Samples of so many positives and negatives, evaluated at a prevalence."""

    name: str
    n_positive: int
    n_negative: int
    prevalence: float


def list_designs(config: Mapping[str, Any], share: float) -> list[Design]:
    """Natural samples at the data's own and at the stated prevalence, and balanced ones."""
    stated = config["prevalence"]
    designs = []
    for n in config["n_positive"]:
        designs += [
            Design("own", n, round(n * (1 - share) / share), share),
            Design("stated", n, round(n * (1 - stated) / stated), stated),
            Design("balanced", n, n, stated),
        ]
    return designs


def make_cells(scores: pd.DataFrame, name: str, config: Mapping[str, Any]) -> pd.DataFrame:
    """A row for each cell of a data set, a column for each measure, in per cent.

    Outcomes: gain, ample and validity of the choice, and power, wrong, signal and size of the
    tests (protocol.md).
    """
    menus = list_menus(config)
    models = list(dict.fromkeys(model for menu in menus.values() for model in menu))
    positions = {
        menu: np.array([models.index(model) for model in names]) for menu, names in menus.items()
    }
    share = float(scores["positive"].mean())
    tally: Tally = defaultdict(lambda: np.zeros(2))
    for split, part in scores.groupby("split"):
        quarters = split_quarters(part, models)
        n_positive = min(quarter.n_positive for quarter in quarters)
        n_negative = min(quarter.n_negative for quarter in quarters)
        for design in list_designs(config, share):
            enough = config["room"] * design.n_positive
            if n_positive < enough or n_negative < design.n_negative:
                continue
            sizes = design.n_positive, design.n_negative
            words = f"{name} practice {design.name}"
            random = make_generator(config["seed"], words, int(str(split)), *sizes)
            for sampled, other in (quarters, quarters[::-1]):
                direction = Direction(sampled, other, design, config, random)
                direction.add_choices(tally, positions)
                if design.name != "balanced":
                    direction.select(positions["all"]).add_tests(tally)
    cells = tabulate_cells(tally)
    log.info("%s: %d cells", name, len(cells))
    return cells.assign(prevalence=share)


def write_cells(cells: pd.DataFrame, name: str, main_n_positive: int, path: Path) -> None:
    """Write with one decimal; single goals only for the main size, all rows and tests."""
    kept = cells[
        (cells["goal"] == "mean")
        | (cells["n_positive"] == main_n_positive)
        | cells["outcome"].isin(["ample", *TEST_OUTCOMES])
    ]
    measures = sorted({*kept} - {*CELL, "prevalence"})
    table = kept.reindex(columns=[*CELL, "prevalence", *measures]).sort_values(CELL)
    table = table.round({**dict.fromkeys(measures, 1), "prevalence": 4})
    table.insert(0, "data_set", name)
    table.to_csv(path, index=False, lineterminator="\n")


def tabulate_cells(tally: Tally) -> pd.DataFrame:
    """Per cent of each cell's whole; the mean of choices is over goals at which there is a gain."""
    rows = [(*cell, 100 * part / whole) for cell, (part, whole) in tally.items() if whole > EQUAL]
    if not rows:  # a data set too small for any sample
        return pd.DataFrame(columns=CELL)
    table = pd.DataFrame(rows, columns=[*CELL, "measure", "value"])
    wide = table.pivot_table("value", CELL, "measure").reset_index()
    choices = wide[~wide["outcome"].isin(TEST_OUTCOMES)]
    means = choices.groupby(CELL[:-1], as_index=False).mean(numeric_only=True)
    return pd.concat([wide, means.assign(goal="mean")], ignore_index=True)


def choice_weights(values: FloatArray) -> FloatArray:
    """Weight of each model (last axis) in a choice by the largest value; ties share it."""
    best = values >= values.max(axis=-1, keepdims=True) - EQUAL
    return np.asarray(best / best.sum(axis=-1, keepdims=True))


class Direction(NamedTuple):
    """One quarter is sampled, the other is the truth."""

    sampled: Quarter
    other: Quarter
    design: Design
    config: Mapping[str, Any]
    random: np.random.Generator

    def select(self, models: IntArray) -> Direction:
        """The same of some models."""
        return self._replace(sampled=self.sampled.select(models), other=self.other.select(models))

    def draw_samples(self) -> IntArray:
        """Rows of the samples: (draws, rows), positives first."""
        design, n_rows = self.design, self.sampled.ranks.shape[1]
        size = self.config["draws"], design.n_positive + design.n_negative
        uniform = self.random.random(size)
        rows = draw_rows(uniform, self.sampled.n_positive, n_rows, design.n_positive)
        return np.asarray(rows, dtype=np.int64)

    def add_choices(self, tally: Tally, menus: Mapping[str, IntArray]) -> None:
        """Add the choices in every menu by samples, and once by all rows of either quarter."""
        design, p = self.design, self.design.prevalence
        worth = {goal: self.other.worth(goal, p).value for goal in self.config["goals"]}
        samples = self.draw_samples()
        values = measure_rows(self.sampled, samples, design.n_positive, p)
        order = self.random.random(samples.shape).argsort(axis=1)
        shuffled = np.take_along_axis(samples, order, axis=1)
        losses = self.sampled.mean_losses(p, shuffled, design.n_positive)
        for measure in ("log_loss", "log_loss_recalibrated"):
            values[f"{measure}_label_free"] = losses[measure]
        values["random"] = self.random.random(values["auc"].shape)
        add_gains(tally, (design.name, design.n_positive, "gain"), menus, values, worth)
        if design.name == "balanced" or design.n_positive != min(self.config["n_positive"]):
            return
        for outcome, quarter in (("ample", self.sampled), ("validity", self.other)):
            rows = np.arange(quarter.ranks.shape[1])[None]
            values = measure_rows(quarter, rows, quarter.n_positive, p)
            add_gains(tally, (design.name, ALL_ROWS, outcome), menus, values, worth)

    def add_tests(self, tally: Tally) -> None:
        """Add the tests of every two models, and of some pairs whose scores are swapped."""
        design, p = self.design, self.design.prevalence
        pairs = np.array([*combinations(range(len(self.sampled.ranks)), 2)])
        samples = self.draw_samples()
        measured = measure_rows(self.sampled, samples, design.n_positive, p)
        leads = {name: measured[name][:, pairs[:, 0]] - measured[name][:, pairs[:, 1]]
                 for name in TESTED}  # fmt: skip
        signs: dict[str, list[FloatArray]] = {measure: [] for measure in TESTED}
        for number, sample in enumerate(samples[: self.config["test_draws"]]):
            ranks = self.sampled.ranks[:, sample]
            losses = [loss[:, sample] for loss in self.sampled.losses(p)["log_loss"]]
            parts = row_parts(ranks, losses, design)
            for measure in TESTED:
                apart = parts[measure][pairs[:, 0]] - parts[measure][pairs[:, 1]]
                lead = leads[measure][number]
                signs[measure].append(significant_signs(apart, lead, design.n_positive))
            chosen = pairs[self.random.permutation(len(pairs))[: self.config["test_pairs"]]]
            turns = self.random.random((len(chosen), len(sample))) < 0.5
            for (i, j), turn in zip(chosen, turns, strict=True):
                swapped = [
                    np.where(turn, values[[j, i]], values[[i, j]]) for values in (ranks, *losses)
                ]
                self._add_swapped(tally, swapped[0], swapped[1:])
        for goal in self.config["goals"]:
            if goal == "precision_top":
                continue
            better = self.better_models(goal, pairs)
            clear = better != 0
            for measure in TESTED:
                agreed = np.array(signs[measure])[:, clear] * better[clear]
                spread = leads[measure].std(axis=0, ddof=1)
                signal = leads[measure].mean(axis=0) / np.where(spread > EQUAL, spread, np.inf)
                cell = (design.name, design.n_positive, "all")
                tally[*cell, "power", goal, measure] += (agreed > 0).sum(), agreed.size
                tally[*cell, "wrong", goal, measure] += (agreed < 0).sum(), agreed.size
                total = (signal * better)[clear].sum()
                tally[*cell, "signal", goal, measure] += total, clear.sum()

    def _add_swapped(self, tally: Tally, ranks: IntArray, losses: list[FloatArray]) -> None:
        """Add the tests of two models that are equal, as their scores were swapped at random."""
        n, p = self.design.n_positive, self.design.prevalence
        parts, values = row_parts(ranks, losses, self.design), measure_samples(ranks, n, p)
        as_positive, as_negative = losses[0][:, :n].mean(axis=1), losses[1][:, n:].mean(axis=1)
        values["log_loss"] = p * as_positive + (1 - p) * as_negative
        for measure in TESTED:
            apart = (parts[measure][0] - parts[measure][1])[None]
            lead = np.array([values[measure][0] - values[measure][1]])
            sign = significant_signs(apart, lead, n)
            cell = (self.design.name, n, "all", "size", "none")
            tally[*cell, measure] += np.abs(sign).sum(), 1

    def better_models(self, goal: str, pairs: IntArray) -> FloatArray:
        """1 or -1 where the first or second of a pair costs less by two standard errors, else 0."""
        quarter, p, cost = self.other, self.design.prevalence, cost_share(goal)
        worth, n = quarter.worth(goal, p), quarter.n_positive
        flagged = quarter.ranks >= worth.threshold[:, None]
        rows = -np.hstack([cost * p * ~flagged[:, :n], (1 - cost) * (1 - p) * flagged[:, n:]])
        apart = rows[pairs[:, 0]] - rows[pairs[:, 1]]
        lead = worth.value[pairs[:, 0]] - worth.value[pairs[:, 1]]
        error = np.sqrt(class_variances(apart, n).sum(axis=0))
        return np.asarray(np.where(np.abs(lead) > 2 * error + EQUAL, np.sign(lead), 0.0))


def add_gains(
    tally: Tally,
    kind: tuple[str, int, str],
    menus: Mapping[str, IntArray],
    values: Values,
    worth: Mapping[str, FloatArray],
) -> None:
    """Add what choices gain of what can be gained: values are (draws, models), worth (models,).

    The kind is the design, its positives and the outcome.
    """
    design, n_positive, outcome = kind
    for menu, models in menus.items():
        for measure, value in values.items():
            weight = choice_weights(value[:, models])
            for goal, worths in worth.items():
                usual = worths[models].mean()
                gain = (weight * worths[models]).sum(axis=1) - usual
                possible = worths[models].max() - usual
                tally[design, n_positive, menu, outcome, goal, measure] += gain.mean(), possible


def measure_rows(quarter: Quarter, rows: IntArray, n_positive: int, prevalence: float) -> Values:
    """Every measure of samples (draws, rows) and models: (draws, models) each."""
    ranks = quarter.ranks[:, rows].swapaxes(0, 1).reshape(-1, rows.shape[1])
    values = measure_samples(ranks, n_positive, prevalence)
    shaped = {measure: value.reshape(len(rows), -1) for measure, value in values.items()}
    return shaped | quarter.mean_losses(prevalence, rows, n_positive)


def row_parts(ranks: IntArray, losses: list[FloatArray], design: Design) -> Values:
    """What each row adds to each tested measure: (models, rows)."""
    n, p = design.n_positive, design.prevalence
    parts = {
        "auc": row_influence(ranks, n, p, "auc"),
        "auk": row_influence(ranks, n, p, "auk"),
    }
    parts["log_loss"] = np.hstack([p * losses[0][:, :n], (1 - p) * losses[1][:, n:]])
    return parts


def class_variances(apart: FloatArray, n_positive: int) -> FloatArray:
    """Variances of the two classes' means, (2, pairs), of what rows add to differences."""
    parts = apart[:, :n_positive], apart[:, n_positive:]
    return np.array([part.var(axis=1, ddof=1) / part.shape[1] for part in parts])


def significant_signs(apart: FloatArray, lead: FloatArray, n_positive: int) -> FloatArray:
    """Signs of the leads that Student's t finds at 5 %, by Satterthwaite's freedom; else 0.

    A lead that is a tie but for rounding is not found, however small its variance.
    """
    by_class = class_variances(apart, n_positive)
    variance = by_class.sum(axis=0)
    freedom = np.array([[n_positive - 1], [apart.shape[1] - n_positive - 1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / (by_class**2 / freedom).sum(axis=0)
    found = np.abs(lead) > np.maximum(EQUAL, stdtrit(df, 1 - LEVEL / 2) * np.sqrt(variance))
    return np.asarray(np.where(found, np.sign(lead), 0.0))
