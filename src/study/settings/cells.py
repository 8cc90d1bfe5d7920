"""The cells of the replicates and the sweep, from the config alone.

A cell is a dictionary of the arguments of ``study.replicates.engine.Cell``. It holds its own
settings and no others, so that a level added to the config leaves all other cells alone. Whether
the data have enough rows for it is found out when it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from study.published import CLASS_COUNTS

SWEPT = ("skew", "encoding", "sampling", "n_train")


class Part(NamedTuple):
    """What one job draws: the replicates within bounds (the last not included) of some models."""

    models: list[str]
    bounds: tuple[int, int]


def data_label(config: Mapping[str, Any]) -> str:
    """What a data set is called: by its file or its name."""
    data = config["data"]
    if data["target"] is None:
        return "german_credit"
    if data["source"] == "file":
        return Path(data["path"]).name.partition(".")[0]
    return str(data["name"])


def cell_of(config: Mapping[str, Any], models: Iterable[str], **changes: Any) -> dict[str, Any]:
    """The experiment's setting with some models, and with the changes that are given."""
    settings = {name: dict(sorted(config["models"][name].items())) for name in models}
    cell = {
        "models": settings,
        "dataset": data_label(config),
        **config["experiment"],
        "split": config["experiment"]["split"]["by"],
        **changes,
    }
    del cell["at"]
    if cell["prevalence"] == "test":
        cell["prevalence"] = None
    elif cell["prevalence"] == "nominal":
        cell["prevalence"] = cell["skew"]
    if cell["sampling"] != "total":
        cell["total"] = None  # says nothing here: a change of it must not rerun the cell
    # The order of keys in a config file says nothing either; Snakemake compares how params print.
    return dict(sorted(cell.items()))


def with_models(cell: Mapping[str, Any], models: list[str]) -> dict[str, Any]:
    """The cell with some of its models alone."""
    return {**cell, "models": {name: cell["models"][name] for name in models}}


def original_cell(config: Mapping[str, Any]) -> dict[str, Any]:
    """The untouched German Credit data, with 30 % minority rows."""
    changes = {"skew": None, "n_train": config["original"]["n_train"], "n_minority": None}
    if config["experiment"]["prevalence"] == "nominal":
        changes["prevalence"] = CLASS_COUNTS["minority"] / sum(CLASS_COUNTS.values())
    return cell_of(config, config["models"], **changes)


def sweep_levels(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The cell of every combination of the levels, by the folder of each."""
    cells = {}
    for values in product(*(config["sweep"][name] for name in SWEPT)):
        level = dict(zip(SWEPT, values, strict=True))
        # n_minority is derived from each cell's skew.
        path = "/".join(f"{name}~{value}" for name, value in level.items())
        cells[path] = cell_of(config, config["sweep"]["models"], **level, n_minority=None)
    return cells


def sweep_place(cell: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a cell of the sweep from the others."""
    return {name: cell[name] for name in SWEPT}


def replicate_parts(config: Mapping[str, Any]) -> dict[str, Part]:
    """What each job draws of the experiment, by the name of the part."""
    settings = config["replicates"]
    return _parts(config, replicates_expected(config), settings["per_job"], settings["fewer"])


def sweep_parts(config: Mapping[str, Any]) -> dict[str, Part]:
    """What each job draws of a cell of the sweep, by the name of the part."""
    settings = config["sweep"]
    return _parts(config, dict.fromkeys(settings["models"], settings["count"]), settings["per_job"])


def _parts(
    config: Mapping[str, Any], expected: Mapping[str, int], per_job: int, fewer: Iterable[str] = ()
) -> dict[str, Part]:
    """The registry's models share their splits; a user's own, or one with fewer, has its own parts.

    So a model that comes or goes leaves the parts of the others alone.
    """
    of_user = [name for name in expected if "estimator" in config["models"][name]]
    alone = [*(name for name in of_user if name not in fewer), *fewer]
    groups = {f"{name}-": [name] for name in alone}
    if together := [name for name in expected if name not in alone]:
        groups = {"": together, **groups}
    return {
        f"{group}{number:05d}": Part(models, bounds)
        for group, models in groups.items()
        for number, bounds in enumerate(part_bounds(expected[models[0]], per_job))
    }


def replicates_expected(config: Mapping[str, Any]) -> dict[str, int]:
    """Number of replicates of each model of the experiment."""
    count = config["replicates"]["count"]
    fewer = config["replicates"]["fewer"]
    return {name: min(fewer.get(name, count), count) for name in config["models"]}


def part_bounds(count: int, per_job: int) -> list[tuple[int, int]]:
    """First and last (not included) replicate of each job.

    >>> part_bounds(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(first, min(first + per_job, count)) for first in range(0, count, per_job)]
