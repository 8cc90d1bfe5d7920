"""The cells of the replicates, the sweep and the specifications, from the config.

A cell is a dictionary of the arguments of ``study.replicates.engine.Cell``. It holds its own
settings and no others, so that a level added to the config leaves all other cells alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

from study.errors import ExperimentError
from study.published import CLASS_COUNTS
from study.replicates.sampling import ClassCounts, class_counts

GERMAN_CREDIT_ROWS = ClassCounts(**CLASS_COUNTS)
SWEPT = ("skew", "encoding", "sampling", "trainer", "n_train")
TRAINER_OF = {"neural_net_lm": "levenberg-marquardt"}


class Sweep(NamedTuple):
    """Cells that the data can give, by the folder of each, their sizes, and the cells left out."""

    levels: dict[str, dict[str, Any]]
    sizes: list[dict[str, Any]]
    skipped: list[dict[str, str]]


class Part(NamedTuple):
    """What one job draws: the replicates within bounds (the last not included) of some models."""

    models: list[str]
    bounds: tuple[int, int]


def paper_cell(config: Mapping[str, Any], models: list[str], **changes: Any) -> dict[str, Any]:
    """The paper's setting with some models, and with the changes that are given."""
    experiment = config["experiment"]
    network = next((name for name in models if name.startswith("neural_net")), "")
    cell = {
        "models": {name: dict(config["models"][name]) for name in models},
        "trainer": TRAINER_OF.get(network, config["models"].get(network, {}).get("trainer", "")),
        **experiment,
        **changes,
    }
    share = GERMAN_CREDIT_ROWS.minority / sum(GERMAN_CREDIT_ROWS)
    nominal = share if cell["skew"] is None else cell["skew"]
    cell["prevalence"] = nominal if experiment["prevalence"] == "nominal" else None
    if cell["sampling"] != "total":
        cell["total"] = 0  # says nothing here: a change of it must not rerun the cell
    return cell


def with_models(cell: Mapping[str, Any], models: list[str]) -> dict[str, Any]:
    """The cell with some of its models alone."""
    return {**cell, "models": {name: cell["models"][name] for name in models}}


def cohorts(config: Mapping[str, Any], models: list[str]) -> list[dict[str, Any]]:
    """The skewed sample of the paper's section 8, and the untouched data with 30 % minority rows."""
    changes = {"skew": None, "n_train": config["original"]["n_train"], "n_minority": None}
    return [paper_cell(config, models), paper_cell(config, models, **changes)]


def specification_levels(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The cells of encoding, rows and network that the data can give, by the path of each.

    The other scaling and the network without early stopping vary the paper's setting alone.
    """
    own, experiment, cells = config["specification"], config["experiment"], {}
    for encoding, sampling, network in product(own["encoding"], own["sampling"], own["networks"]):
        changes = {"encoding": encoding, "sampling": sampling, "n_minority": None}
        changes["cost_ratio"] = None  # all are compared with the paper's kappas
        cell = paper_cell(config, ["linear", network], **changes)
        with suppress(ExperimentError):
            cell_counts(cell)
            cells[f"{encoding}/{sampling}/{network}"] = cell
    for network in own["networks"]:
        base = "{encoding}/{sampling}/".format(**experiment) + network
        for scaling in set(own["scaling"]) - {experiment["scaling"]}:
            cells[f"{base}-{scaling}"] = paper_cell(
                config, ["linear", network], scaling=scaling, cost_ratio=None
            )
        if network == "neural_net_lm" and False in own["early_stopping"]:
            cell = paper_cell(config, ["linear", network], cost_ratio=None)
            cell["models"][network]["early_stopping"] = False
            cells[f"{base}-without_stopping"] = cell
    return cells


def specification_place(cell: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a cell of the specifications from the others."""
    network = next(model for model in cell["models"] if model != "linear")
    stopping = cell["models"][network].get("early_stopping")
    words = {None: "", True: "yes", False: "no"}
    return {
        **{name: cell[name] for name in ("skew", "encoding", "sampling", "scaling")},
        "early_stopping": words[stopping],
        "network": network,
    }


def sweep_levels(config: Mapping[str, Any]) -> Sweep:
    """Every combination of the levels, told apart by whether the data can give it."""
    sweep = Sweep({}, [], [])
    for values in product(*(config["sweep"][name] for name in SWEPT)):
        level = dict(zip(SWEPT, values, strict=True))
        # n_minority is derived from each cell's skew.
        cell = paper_cell(config, config["sweep"]["models"], **level, n_minority=None)
        if "neural_net" in cell["models"]:
            cell["models"]["neural_net"]["trainer"] = level["trainer"]
        try:
            majority, minority = cell_counts(cell)
        except ExperimentError as error:
            named = ", ".join(f"{name} {value}" for name, value in level.items())
            sweep.skipped.append({"cell": named, "reason": str(error)})
            continue
        sweep.levels["/".join(f"{name}~{value}" for name, value in level.items())] = cell
        test = majority + minority - cell["n_train"]
        rows = {"majority": majority, "minority": minority, "test": test, "minority_in_test": test * minority / (majority + minority)}
        sweep.sizes.append({name: str(value) for name, value in level.items()} | rows)
    return sweep


def cell_counts(cell: Mapping[str, Any]) -> ClassCounts:
    """Rows of each class in a cell; ExperimentError if German Credit lacks them."""
    wanted = {name: cell[name] for name in ("skew", "total", "n_minority")}
    counts = class_counts(*GERMAN_CREDIT_ROWS, scheme=cell["sampling"], **wanted)
    if cell["n_train"] > sum(counts) - 2:
        raise ExperimentError(
            f"{cell['n_train']} training rows of {sum(counts)} leave fewer than two for the test."
        )
    return counts


def replicate_parts(config: Mapping[str, Any]) -> dict[str, Part]:
    """What each job draws of the paper's setting, by the name of the part."""
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
    own = [name for name in expected if "estimator" in config["models"][name]]
    alone = [*(name for name in own if name not in fewer), *fewer]
    groups = {f"{name}-": [name] for name in alone}
    if together := [name for name in expected if name not in alone]:
        groups = {"": together, **groups}
    return {
        f"{group}{number:05d}": Part(models, bounds)
        for group, models in groups.items()
        for number, bounds in enumerate(part_bounds(expected[models[0]], per_job))
    }


def replicates_expected(config: Mapping[str, Any]) -> dict[str, int]:
    """Number of replicates of each model of the paper's setting."""
    count, fewer = config["replicates"]["count"], config["replicates"]["fewer"]
    return {name: min(fewer.get(name, count), count) for name in config["models"]}


def part_bounds(count: int, per_job: int) -> list[tuple[int, int]]:
    """First and last (not included) replicate of each job.

    >>> part_bounds(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(first, min(first + per_job, count)) for first in range(0, count, per_job)]
