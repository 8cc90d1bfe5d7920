"""The cells of the replicates, the sweep and the specifications, from the config.

A cell is a dictionary of the arguments of ``study.replicates.engine.Cell``. It holds its
own settings and no others, so that a level added to the config leaves all other cells alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

from study.errors import ExperimentError
from study.replicates.sampling import ClassCounts, class_counts

GERMAN_CREDIT = {"n_good": 700, "n_bad": 300}
SWEPT = ("skew", "encoding", "sampling", "trainer", "n_train")
TRAINER_OF = {"neural_net_lm": "levenberg-marquardt"}


class Sweep(NamedTuple):
    """Cells that the data can give, as text for wildcards, and those that they can't."""

    levels: list[dict[str, str]]
    skipped: list[dict[str, str]]


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
    cell["prevalence"] = cell["skew"] if experiment["prevalence"] == "nominal" else None
    if cell["sampling"] != "total":
        cell["total"] = None  # says nothing here: a change of it must not rerun the cell
    return cell


def sweep_cell(config: Mapping[str, Any], level: Mapping[str, str]) -> dict[str, Any]:
    """A cell of the sweep, from the text of its wildcards."""
    changes = {
        "skew": float(level["skew"]),
        "encoding": level["encoding"],
        "sampling": level["sampling"],
        "n_train": int(level["n_train"]),
        "n_minority": None,  # derived from each cell's skew
    }
    cell = paper_cell(config, config["sweep"]["models"], **changes)
    cell["trainer"] = level["trainer"]
    if "neural_net" in cell["models"]:
        cell["models"]["neural_net"]["trainer"] = level["trainer"]
    return cell


def specification_cell(
    config: Mapping[str, Any], encoding: str, sampling: str, network: str
) -> dict[str, Any]:
    """A cell of the specifications: the linear model and one network."""
    changes = {"encoding": encoding, "sampling": sampling, "n_minority": None}
    return paper_cell(config, ["linear", network], **changes)


def specification_levels(config: Mapping[str, Any]) -> list[dict[str, str]]:
    """Every combination of encoding, sampling and network that the data can give."""
    names = {"encoding": "encoding", "sampling": "sampling", "networks": "network"}
    found = []
    for values in product(*(config["specification"][name] for name in names)):
        level = dict(zip(names.values(), values, strict=True))
        if why_impossible(specification_cell(config, **level)) is None:
            found.append(level)
    return found


def sweep_levels(config: Mapping[str, Any]) -> Sweep:
    """Every combination of the levels, told apart by whether the data can give it."""
    sweep = config["sweep"]
    levels, skipped = [], []
    for values in product(*(sweep[name] for name in SWEPT)):
        # Text, because a float as a wildcard may print as 0.30000000000000004.
        level = {name: str(value) for name, value in zip(SWEPT, values, strict=True)}
        reason = why_impossible(sweep_cell(config, level))
        if reason is None:
            levels.append(level)
        else:
            cell = ", ".join(f"{name} {value}" for name, value in level.items())
            skipped.append({"cell": cell, "reason": reason})
    return Sweep(levels, skipped)


def sweep_sizes(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of each cell of the sweep: good, bad, test rows and, on average, bad ones among them."""
    found = []
    for level in sweep_levels(config).levels:
        cell = sweep_cell(config, level)
        counts = _counts(cell)
        rows = counts.good + counts.bad
        test = rows - cell["n_train"]
        sizes = {"good": counts.good, "bad": counts.bad, "test": test}
        found.append({**level, **sizes, "bad_in_test": test * counts.bad / rows})
    return found


def _counts(cell: Mapping[str, Any]) -> ClassCounts:
    return class_counts(
        GERMAN_CREDIT["n_good"],
        GERMAN_CREDIT["n_bad"],
        skew=cell["skew"],
        scheme=cell["sampling"],
        total=cell["total"],
        n_minority=cell["n_minority"],
    )


def why_impossible(cell: Mapping[str, Any]) -> str | None:
    """What the data lack for a cell, or None."""
    try:
        counts = _counts(cell)
    except ExperimentError as error:
        return str(error)
    if cell["n_train"] > sum(counts) - 2:
        return (
            f"{cell['n_train']} training rows of {sum(counts)} leave fewer than two for the test."
        )
    return None


class Group(NamedTuple):
    """Models that are replicated together: their cell, number of replicates, and its parts."""

    cell: dict[str, Any]
    replicates: int
    parts: list[tuple[int, int]]


def replicate_groups(config: Mapping[str, Any]) -> dict[str, Group]:
    """The models with the full number of replicates, and each model with fewer on its own."""
    settings = config["replicates"]
    many = [name for name in config["models"] if name not in settings["fewer"]]
    counts = {"main": (many, settings["count"])} if many else {}
    counts |= {name: ([name], min(n, settings["count"])) for name, n in settings["fewer"].items()}
    return {
        group: Group(paper_cell(config, models), n, part_bounds({**settings, "count": n}))
        for group, (models, n) in counts.items()
    }


def part_bounds(settings: Mapping[str, Any]) -> list[tuple[int, int]]:
    """First and last (not included) replicate of each job.

    >>> part_bounds({"count": 5, "per_job": 2})
    [(0, 2), (2, 4), (4, 5)]
    """
    count, size = settings["count"], settings["per_job"]
    return [(first, min(first + size, count)) for first in range(0, count, size)]
