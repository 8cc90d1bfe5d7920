"""The results: each registered hypothesis, and every other number that a page cites."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import holm
from many_data_sets.intervals import Mean, equal_packages, mean_over_data_sets, p_value, verdict

CELL = ["design", "n_positive", "menu", "outcome", "goal"]
EQUAL_PACKAGES = ["equal_packages", "equal_packages_low", "equal_packages_high"]
MEAN_OF_COSTS = "mean of costs"  # of the costs at which a data set has a clearly better model


def read_cells(cells: Path, data_sets: Path) -> pd.DataFrame:
    """Read the cells of every data set, with its package, tier and round."""
    table = pd.read_csv(cells)
    about = pd.read_csv(data_sets, usecols=["name", "package", "tier", "round"])
    return table.merge(about.rename(columns={"name": "data_set"}), on="data_set")


def read_questions(path: Path) -> pd.DataFrame:
    """Read questions.csv; what a question leaves empty is an empty text."""
    return pd.read_csv(path, keep_default_na=False)


def answer_questions(
    questions: pd.DataFrame,
    cells: pd.DataFrame,
    *,
    resamples: int,
    test_resamples: int,
    seed: int,
) -> pd.DataFrame:
    """Answer each question by a mean over data sets: a row of results.csv each.

    Two means are given: with data sets weighing alike, and with packages weighing alike. A
    difference is shown if both intervals leave out zero. The p values of the registered hypotheses
    are adjusted by Holm's method for their number.
    """
    rows = []
    for question in questions.to_dict("records"):
        values = values_by_data_set(cells, question)
        sample = values["value"].to_numpy(), pd.factorize(values["package"], sort=True)[0]
        mean = mean_over_data_sets(*sample, resamples, seed)
        equal = equal_packages(*sample)
        p = p_value(*sample, test_resamples, seed) if question["hypothesis"] else np.nan
        rows.append(
            {key: question[key] for key in ("key", "statement", "measure", "versus")}
            | {key: getattr(mean, key) for key in ("estimate", "low", "high")}
            | {"unit": question["unit"], "data_sets": mean.data_sets, "packages": mean.packages}
            | dict(zip(EQUAL_PACKAGES, equal, strict=True))
            | {"shown": shown(mean, equal) if question["versus"] else ""}
            | {"registered": registered(question, mean), "holm": p, "source": source(question)}
        )
    table = pd.DataFrame(rows)
    tested = table["holm"].notna()
    table.loc[tested, "holm"] = holm(table.loc[tested, "holm"])
    return table


def values_by_data_set(cells: pd.DataFrame, question: Mapping[Any, Any]) -> pd.DataFrame:
    """Select the cells of a question: columns package and value, a row for each data set."""
    selected = cells.query(question["only"]) if question["only"] else cells
    for column in CELL:
        if (column, question[column]) != ("goal", MEAN_OF_COSTS):
            selected = selected[selected[column] == question[column]]
    if selected.empty:
        raise ValueError(f"questions.csv, {question['key']}: no cell is {source(question)}.")
    value = selected[question["measure"]]
    if question["versus"]:
        value = value - selected[question["versus"]]
    table = selected[["data_set", "package"]].assign(value=value).dropna()
    means: pd.DataFrame = table.groupby(["data_set", "package"], as_index=False).mean()
    return means


def shown(mean: Mean, equal: tuple[float, float, float]) -> str:
    """Whether a difference is above or below zero by its interval and with packages alike."""
    _, low, high = equal
    if mean.low > 0 and low > 0:
        return "lead"
    return "behind" if mean.high < 0 and high < 0 else "no"


def registered(question: Mapping[Any, Any], mean: Mean) -> str:
    """Number of the registered hypothesis and what became of it; empty for other questions."""
    if not question["hypothesis"]:
        return ""
    return f"hypothesis {question['hypothesis']}: {verdict(mean)}"


def source(question: Mapping[Any, Any]) -> str:
    """Cells that answer a question."""
    parts = [f"{column}={question[column]}" for column in CELL]
    return "cells.csv.gz: " + ", ".join([*parts, *filter(None, [question["only"]])])


def write_results(table: pd.DataFrame, path: Path) -> None:
    """Write with six decimals; adding zero turns -0 into 0."""
    floats = table.select_dtypes("float").columns
    rounded = table.assign(**{name: np.round(table[name], 6) + 0.0 for name in floats})
    rounded.to_csv(path, index=False, float_format="%.6f", lineterminator="\n")


def join_cells(paths: list[Path], path: Path) -> None:
    """Write the cells of every data set into one file, with the same bytes each time."""
    table = pd.concat([pd.read_csv(source) for source in paths])
    compression = {"method": "gzip", "compresslevel": 9, "mtime": 0}
    table.to_csv(path, index=False, lineterminator="\n", compression=compression)


def compare_cells(kept: Path, remade: Path) -> pd.DataFrame:
    """Cells whose values differ: columns of the cell, measure, kept and remade."""
    keys = ["data_set", *CELL]
    tables = [pd.read_csv(path).melt(keys, var_name="measure") for path in (kept, remade)]
    both = tables[0].merge(tables[1], on=[*keys, "measure"], how="outer")
    both = both.rename(columns={"value_x": "kept", "value_y": "remade"})
    alike = (both["kept"] == both["remade"]) | (both["kept"].isna() & both["remade"].isna())
    return both[~alike]
