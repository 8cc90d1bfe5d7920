"""The cells of the replicates, the sweep and the specifications, from the config.

A cell is a dictionary of the arguments of ``study.replicates.engine.Cell``. It holds its own
settings and no others, so that a level added to the config leaves all other cells alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

from study.errors import ExperimentError
from study.published import CLASS_COUNTS
from study.replicates.sampling import ClassCounts, class_counts

GERMAN_CREDIT_ROWS = ClassCounts(**CLASS_COUNTS)
JOBS_OF_DATASET = 8
SWEPT = ("skew", "encoding", "sampling", "trainer", "n_train")
TRAINER_OF = {"neural_net_lm": "levenberg-marquardt"}


class Sweep(NamedTuple):
    """Cells that the data can give, by the folder of each, their sizes, and the cells left out."""

    levels: dict[str, dict[str, Any]]
    sizes: list[dict[str, Any]]
    skipped: list[dict[str, str]]


class Part(NamedTuple):
    """What one job draws: the replicates from first to last (not included) of a cell."""

    cell: dict[str, Any]
    first: int
    last: int


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


def cohorts(config: Mapping[str, Any], models: list[str]) -> list[dict[str, Any]]:
    """The skewed sample of the paper's section 8, and the untouched data with 30 % minority rows."""
    changes = {"skew": None, "n_train": config["original"]["n_train"], "n_minority": None}
    return [paper_cell(config, models), paper_cell(config, models, **changes)]


def dataset_cell(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The setting of a data set of the user's own."""
    own = config["datasets"][name]
    kept = ("skew", "n_train", "stratify", "scaling", "prevalence", "cost_ratio")
    return {
        "models": {model: dict(config["models"][model]) for model in own["models"]},
        "dataset": name,
        "encoding": "own",
        "trainer": "",
        "split": "given" if is_one_split(own) else own["split"]["by"],
        **{key: own[key] for key in kept},
    }


def is_one_split(own: Mapping[str, Any]) -> bool:
    """Whether the declaration of a data set settles which rows train."""
    return own["test_path"] is not None or own["split"]["by"] == "time"


def dataset_parts(config: Mapping[str, Any], name: str) -> list[Part]:
    """What each job draws of a data set: its splits are shared by several, for all cores."""
    own, cell = config["datasets"][name], dataset_cell(config, name)
    expected = dataset_expected(config, name)
    many = [model for model in own["models"] if model not in own["fewer"]]
    slow = [[model] for model in own["models"] if model in own["fewer"]]
    parts = []
    for models in (many, *slow) if many else slow:
        count = expected[models[0]]
        per_job = min(config["replicates"]["per_job"], -(-count // JOBS_OF_DATASET))
        chosen = cell | {"models": {model: cell["models"][model] for model in models}}
        parts += [Part(chosen, *bounds) for bounds in part_bounds(count, per_job)]
    return parts


def dataset_expected(config: Mapping[str, Any], name: str) -> dict[str, int]:
    """Number of splits of each model of a data set."""
    own = config["datasets"][name]
    count = own["replicates"]
    return {model: min(own["fewer"].get(model, count), count) for model in own["models"]}


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


def replicate_parts(config: Mapping[str, Any]) -> list[Part]:
    """The models with the full number of replicates, then each model with fewer on its own."""
    settings, expected = config["replicates"], replicates_expected(config)
    many = [name for name in expected if name not in settings["fewer"]]
    return [
        Part(paper_cell(config, models), *bounds)
        for models in (many, *([name] for name in settings["fewer"]))
        if models
        for bounds in part_bounds(expected[models[0]], settings["per_job"])
    ]


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
