"""The data sets and scores that a user brings: their declarations, complete and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

SCHEMA = Path(__file__).parents[3] / "workflow" / "schemas" / "config.schema.yaml"
NEEDED = {"file": "path", "uci": "uci_id", "scikit-learn": "name"}


class DatasetError(ValueError):
    """A declaration that can't be used; the message names its key."""


@cache
def read_schema(path: Path) -> dict[str, Any]:
    """The schema of the config, read once."""
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def check_datasets(config: dict[str, Any]) -> None:
    """Fill in what declarations leave out, and refuse those with which some job would fail.

    Parameters
    ----------
    config : dict
        Changed in place. Models that are switched off have been taken out.

    Raises
    ------
    DatasetError
        Naming the key and what to do.
    """
    properties = read_schema(SCHEMA)["properties"]
    for section in ("datasets", "scores"):
        known = properties[section]["additionalProperties"]["properties"]
        # Copies, because the lists among them become part of a config that is changed.
        defaults = {
            name: deepcopy(one["default"]) for name, one in known.items() if "default" in one
        }
        for name, own in config[section].items():
            config[section][name] = {**defaults, **own}
            _check_file(f"{section}.{name}", config[section][name])
    both = sorted(set(config["datasets"]) & set(config["scores"]))
    if both:
        raise DatasetError(f"config key scores.{both[0]}: there is a data set of that name too.")
    for name, own in config["datasets"].items():
        _check_dataset(name, own, config["models"])


def _check_file(key: str, own: Mapping[str, Any]) -> None:
    wanted = NEEDED[own.get("source", "file")]
    if own[wanted] is None:
        raise DatasetError(f"config key {key}.{wanted} is needed for source {own['source']}.")
    if wanted == "path" and not Path(own["path"]).is_file():
        raise DatasetError(f"config key {key}.path: there is no file {own['path']}.")


def _check_dataset(name: str, own: dict[str, Any], models: Iterable[str]) -> None:
    known = list(models)
    for model in own["models"] or []:
        if model not in known:
            raise DatasetError(
                f"config key datasets.{name}.models: {model} is not among the models, which are "
                f"{', '.join(known)}."
            )
    own["models"] = own["models"] or known
    for key in ("drop", "categorical"):
        if own["target"] in own[key]:
            raise DatasetError(
                f"config key datasets.{name}.{key}: {own['target']} is the target, not a feature."
            )
    if own["n_train"] >= 1 and own["n_train"] != int(own["n_train"]):
        raise DatasetError(
            f"config key datasets.{name}.n_train: {own['n_train']} is neither a whole number of "
            "rows nor a share below one."
        )


def dataset_cell(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Arguments of :class:`study.replicates.engine.Cell` for a data set's replicates."""
    own = config["datasets"][name]
    return {
        "models": {model: dict(config["models"][model]) for model in own["models"]},
        "dataset": name,
        "skew": own["skew"],
        "encoding": "own",
        "trainer": "",
        "n_train": own["n_train"],
        "stratify": own["stratify"],
        "scaling": own["scaling"],
        "prevalence": own["prevalence"],
    }
