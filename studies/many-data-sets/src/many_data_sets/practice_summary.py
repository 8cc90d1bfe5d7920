"""The tables of round 3, and the sentences that follow from them by a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from many_data_sets.across_sources import direction, pooled
from many_data_sets.draws import MEAN
from many_data_sets.practice import ALL_ROWS, CELL, OF_TESTS, TESTED
from many_data_sets.scores import RECALIBRATED
from many_data_sets.sentences import sentences_of

CALIBRATED = "_" + RECALIBRATED.strip()
LOSSES = ("log_loss", "brier")
RANKED = ("auc", "auk", "h", "average_precision")
GAINS = ("gain", "ample", "validity")
VERDICTS = {1: "confirmed", -1: "refuted", 0: "not confirmed", None: "too few sources"}


def read_cells(folder: Path, families: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """The cells of every family that is there, long: a row for each measure."""
    tables = []
    for name, family in families.items():
        if (path := folder / f"{name}.csv").is_file():
            told = {"tier": family["tier"], "round": family["round"], "source": family["archive"]}
            tables.append(pd.read_csv(path).assign(family=name, **told))
    keys = ["family", "tier", "round", "source", *CELL, "prevalence"]
    cells = pd.concat(tables).melt(keys, var_name="measure", value_name="value")
    return cells.dropna(subset="value")


class PracticeSummary:
    """The cells of all families; a table by each of the methods without options."""

    def __init__(self, cells: pd.DataFrame, levels: Mapping[str, Any]) -> None:
        self.levels, self.n_positive = levels, int(levels["practice"]["main_n_positive"])
        base = cells[cells["measure"] == "auc"].set_index(["family", *CELL])["value"]
        keys = pd.MultiIndex.from_frame(cells[["family", *CELL]])
        self.cells = cells.assign(lead=cells["value"].to_numpy() - base.reindex(keys).to_numpy())

    def pooled(self, rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
        """Means over families; with what the measure itself obtained, and AUC."""
        table = pooled(rows, keys, self.levels)
        attained = rows.dropna(subset="lead").groupby(keys)["value"].mean()
        where = pd.MultiIndex.from_frame(table[keys])
        table["attained"] = attained.reindex(where).to_numpy()
        return table.assign(attained_auc=table["attained"] - table["difference"])

    def choice(self) -> pd.DataFrame:
        """Every measure against AUC by sample, positives, menu and outcome: mean of the goals."""
        rows = self.cells[self.cells["outcome"].isin(GAINS) & (self.cells["goal"] == MEAN)]
        return self.pooled(rows, [*CELL[:-1], "measure"])

    def goals(self) -> pd.DataFrame:
        """Measure by goal, with so many positives and with all rows."""
        rows = self.cells[
            self.cells["n_positive"].isin([self.n_positive, ALL_ROWS])
            & self.cells["outcome"].isin(["gain", "ample"])
            & self.cells["menu"].isin(["all", "all_log_loss"])
            & (self.cells["design"] != "balanced")
        ]
        return self.pooled(rows, [*CELL, "measure"])

    def subsets(self) -> pd.DataFrame:
        """The stated sample by tier and round, and without each source: which families carry it."""
        rows = self.cells[
            (self.cells["design"] == "stated")
            & (self.cells["n_positive"] == self.n_positive)
            & (self.cells["outcome"] == "gain")
            & (self.cells["goal"] == MEAN)
            & self.cells["measure"].isin(["auk", "log_loss", "log_loss" + CALIBRATED])
        ]
        parts = {
            "tier A": rows["tier"] == "A",
            "round 1": rows["round"] == 1,
            "not in round 1": rows["round"] != 1,
            **{f"without {one}": rows["source"] != one for one in sorted(rows["source"].unique())},
        }
        table = pd.concat([rows[here].assign(subset=name) for name, here in parts.items()])
        return self.pooled(table, ["subset", "menu", "measure"])

    def power(self) -> pd.DataFrame:
        """Of the tests: power, wrong, size and efficiency, in per cent; differences to AUC."""
        rows = self.cells[self.cells["outcome"].isin(OF_TESTS) & self.cells["measure"].isin(TESTED)]
        means = rows.groupby(
            [
                "family",
                "tier",
                "round",
                "source",
                "design",
                "n_positive",
                "menu",
                "outcome",
                "measure",
            ],
            as_index=False,
        )[["value", "lead"]].mean()
        several = means[means["outcome"] != "size"].assign(goal=MEAN)
        rows = pd.concat([rows, several], ignore_index=True)
        keys = ["design", "n_positive", "goal", "outcome", "measure"]
        table = self.pooled(rows[rows["outcome"] != "signal"], keys)
        signals = rows[rows["outcome"] == "signal"]
        efficiency = signals.groupby(keys, as_index=False).agg(
            attained=("value", "mean"), families=("family", "nunique")
        )
        base = efficiency["attained"].where(efficiency["measure"] == "auc")
        base = base.groupby([efficiency[key] for key in keys[:-1]]).transform("max")
        efficiency["attained"] = 100 * (efficiency["attained"] / base) ** 2
        efficiency["outcome"] = "efficiency"
        return pd.concat([table, efficiency], ignore_index=True).drop(columns="attained_auc")

    def advice(self) -> pd.DataFrame:
        """A line for each case: which arm obtained most, and what log loss and AUK add to AUC."""
        return pd.DataFrame(self._cases(self.choice()))

    def sentences(self) -> pd.DataFrame:
        """What the pages say, each sentence with the table that it is filled in from."""
        return sentences_of(self.advice(), self.power(), self.n_positive)

    def _cases(self, choice: pd.DataFrame) -> Iterator[dict[str, Any]]:
        choice = choice[choice["outcome"].isin(["gain", "ample"])]
        for case, part in choice.groupby(["menu", "design", "n_positive"], sort=False):
            for calibrated in (False, True):
                ending = CALIBRATED if calibrated else ""
                arms = part[part["measure"].isin([*RANKED, *(loss + ending for loss in LOSSES)])]
                arms = arms.set_index("measure")
                best = str(arms["attained"].idxmax())
                line: dict[str, Any] = dict(
                    zip(("menu", "sample", "n_positive"), case, strict=True)
                )
                line |= {"calibrated": calibrated}
                for name in ("families", "sources", "largest_share"):
                    line[name] = arms.loc["auc", name]
                line |= {
                    "attained_auc": arms.loc["auc", "attained"],
                    "best": best.removesuffix(ending),
                }
                line |= {"attained_best": arms.loc[best, "attained"]}
                for name in ("log_loss", "auk"):
                    own = arms.loc[name + ending if name in LOSSES else name]
                    line[name] = own["difference"]
                    for end in ("low", "high", "correlated_low", "correlated_high", "words"):
                        line[f"{name}_{end}"] = own[end]
                yield line

    def registered(self) -> pd.DataFrame:
        """What became of the hypotheses of round 3: docs/protocol.md."""
        choice, goals, power = self.choice(), self.goals(), self.power()
        here = {"n_positive": self.n_positive, "outcome": "gain"}
        told = "log loss - AUC, stated"
        label_free = {"design": "stated", "menu": "all_log_loss", "measure": "log_loss_label_free"}
        nothing = self.cells[_where(self.cells, **here, **label_free, goal=MEAN)]
        gains = pooled(nothing.assign(lead=nothing["value"]), ["measure"], self.levels)
        cases: list[tuple[str, pd.DataFrame, dict[str, Any]]] = [
            (
                f"6: {told}, all tuned by log loss",
                choice,
                {"design": "stated", "menu": "all_log_loss", "measure": "log_loss"},
            ),
            (
                "7: the same, calibrated",
                choice,
                {"design": "stated", "menu": "all_log_loss", "measure": "log_loss" + CALIBRATED},
            ),
            (
                f"8: {told}, strong tuned by AUC",
                choice,
                {"design": "stated", "menu": "strong_auc", "measure": "log_loss"},
            ),
            (
                f"9: {told}, strong tuned by log loss, calibrated",
                choice,
                {"design": "stated", "menu": "strong_log_loss", "measure": "log_loss" + CALIBRATED},
            ),
            (
                "10: AUK - AUC, own, as trained, c = 0.5",
                goals,
                {"design": "own", "menu": "all", "measure": "auk", "goal": "cost_0.5"},
            ),
            (
                "11: power of AUK - AUC, own, c = 0.5",
                power,
                {"design": "own", "measure": "auk", "goal": "cost_0.5", "outcome": "power"},
            ),
            (
                "12: power of AUK - AUC, stated, mean of four costs",
                power,
                {"design": "stated", "measure": "auk", "goal": MEAN, "outcome": "power"},
            ),
            (
                "13: label-free log loss, stated, all tuned by log loss",
                gains,
                {"measure": "log_loss_label_free"},
            ),
        ]
        lines = []
        for name, table, where in cases:
            where = where if table is gains else {**here, **where}
            for _, row in table[_where(table, **where)].iterrows():
                lines.append(
                    {
                        "hypothesis": name,
                        **row[COLUMNS].to_dict(),
                        "verdict": VERDICTS[direction(row)],
                    }
                )
        return pd.DataFrame(lines).astype({"families": int, "sources": int})


COLUMNS = [
    *("families", "sources", "largest_share", "difference", "low", "high"),
    *("correlation", "correlated_low", "correlated_high"),
]


def _where(table: pd.DataFrame, **values: Any) -> Any:
    chosen = np.ones(len(table), dtype=bool)
    for column, value in values.items():
        chosen &= (table[column] == value).to_numpy()
    return chosen
