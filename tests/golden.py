"""Golden values: numbers of the library, of the draws and of the default run that must not move.

golden.csv has one row per value or list of values:

- kind: library, draws (40 replicates of the experiment), run (a table of the default run) or kept
  (a table in the repository);
- where: ``expression | fields of what it gives`` of the library, a measure of the draws, or
  ``file | pandas query | columns | statistic`` (values, sum or squares, the sum of squares);
- value: the numbers, separated by spaces;
- tolerance: the largest difference allowed, relative for library and draws, absolute for tables;
- origin: what the number is, and what made it;
- may_move: the change that is expected to move it, empty for a number that stays.

``python tests/golden.py [results]`` compares a run of the default config (`make verify`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kappacurve as kc
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.experiment.replicates import draw_replicates, measure_scenario
from study.experiment.scenarios import FAST_GROUP, make_scenarios, part_setting
from study.settings import read_config

ROOT = Path(__file__).parents[1]


def read_golden() -> pd.DataFrame:
    """The golden values, one row per name; value is an array."""
    table = pd.read_csv(ROOT / "tests" / "golden.csv", keep_default_na=False)
    table["value"] = [np.array(text.split(), dtype=float) for text in table["value"]]
    return table


def compute_values(kind: str, where: str, results: Path = ROOT / "results") -> np.ndarray:
    """The numbers that a row of golden.csv names, as they are now."""
    if kind == "library":
        return evaluate(where)
    if kind == "draws":
        return summarise_draws(where)
    return read_table(results if kind == "run" else ROOT, where)


def read_table(folder: Path, where: str) -> np.ndarray:
    """Numbers of a table: ``file | pandas query | columns | statistic``."""
    path, query, columns, statistic = (part.strip() for part in where.split("|"))
    table = pd.read_csv(folder / path)
    found = (table.query(query) if query else table)[columns.split()].to_numpy(dtype=float).ravel()
    found = found[~np.isnan(found)]
    if statistic == "values":
        return found
    return np.array([{"sum": found, "squares": found**2}[statistic].sum()])


def differences(
    table: pd.DataFrame, results: Path = ROOT / "results"
) -> list[tuple[pd.Series, np.ndarray]]:
    """The rows that are not as they were, with the numbers found."""
    moved = []
    for _, row in table.iterrows():
        found = compute_values(row["kind"], row["where"], results)
        size = abs(row["value"]) if row["kind"] in ("library", "draws") else 1
        if found.shape != row["value"].shape or not np.all(
            abs(found - row["value"]) <= row["tolerance"] * size
        ):
            moved.append((row, found))
    return moved


@cache
def library_names() -> dict[str, Any]:
    """Names in expressions: docs/two_models.csv, with weights 1 + row % 3 and groups row // 3."""
    rows = kc.read_scores(ROOT / "docs" / "two_models.csv", label="positive", positive=1)
    models = {name: np.asarray(score) for name, score in rows.scores.items()}
    row = np.arange(len(rows.positive))
    names = {"kc": kc, "y": np.asarray(rows.positive), "groups": row // 3, "weights": 1.0 + row % 3}
    return names | models | {"chance": 1 / (1 + np.exp(-models["A"]))}


def evaluate(where: str) -> np.ndarray:
    """The fields of what an expression gives, or all of it."""
    expression, _, fields = where.partition(" | ")
    found = eval(expression, library_names())  # noqa: S307 of this repository
    if fields:
        take = found.__getitem__ if isinstance(found, Mapping) else partial(getattr, found)
        found = [take(name) for name in fields.split()]
    return np.ravel(np.asarray(found, dtype=float))


@cache
def draw_measures() -> pd.DataFrame:
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    setting = part_setting(make_scenarios(read_config({}))["paper"], FAST_GROUP, 0)
    return measure_scenario(draw_replicates(features, setting, range(40), seed=2010), setting)


def summarise_draws(measure: str) -> np.ndarray:
    """Sum and sum of squares of a measure over models, classes and curves."""
    found = draw_measures()[measure].to_numpy()
    return np.array([found.sum(), (found**2).sum()])


def main() -> int:
    """Say whether a run has the published numbers, or which differ and by how much."""
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    table = read_golden().query("kind == 'run'")
    try:
        moved = differences(table, results)
    except FileNotFoundError as error:
        print(
            f"There is no {error.filename}: finish a run first (make reproduce).", file=sys.stderr
        )
        return 1
    for row, found in moved:
        wanted = " ".join(f"{number:g}" for number in row["value"])
        print(f"{row['where']}: {' '.join(f'{n:g}' for n in found)}, published {wanted}")
    if not moved:
        print(f"{results} has the published numbers: {len(table)} of {len(table)} agree.")
    return int(bool(moved))


if __name__ == "__main__":
    sys.exit(main())
