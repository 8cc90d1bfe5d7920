"""The checks that a config passes before any job is planned.

The schema says what each key may hold (``config_values``). The others add what a schema can't: no
key given twice (``config_files``), names that exist in their registries, and values that fit each
other (``config_agreement``, ``datasets``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from study.models.registry import MODELS
from study.settings.agreement import (
    check_companions,
    check_data,
    check_experiment,
    check_models,
    check_ranges,
    check_replicates,
)
from study.settings.error import ConfigError
from study.settings.files import check_file
from study.settings.own_datasets import DatasetError, check_datasets
from study.settings.values import require_values

__all__ = ["ConfigError", "check_config", "check_folder"]
SCHEMA = Path("workflow/schemas/config.schema.yaml")


def check_config(config: dict[str, Any], files: Iterable[str | Path], root: Path) -> None:
    """Refuse a config with which some job would fail.

    Parameters
    ----------
    config : dict
        As merged by Snakemake from the files and the command line. Its models are put in
        order, and those that are switched off (``false``) taken out.
    files : paths
        The config files that were read, to look for keys given twice.
    root : Path
        Folder of the Snakefile.

    Raises
    ------
    ConfigError
        One message that names the key, says what is wrong with it and what it may be.
    """
    for file in files:
        check_file(Path(file))
    require_values(config, root / SCHEMA)
    check_data(config["data"])
    check_experiment(config)
    check_ranges(config["forensics"])
    chosen = {name: own for name, own in config["models"].items() if own is not False}
    check_models({**config, "models": chosen})
    switched_off = set(MODELS) | set(config["models"])
    # In the order of the registry, whatever order the config files were merged in; then the user's.
    ordered = [*(name for name in MODELS if name in chosen), *sorted(set(chosen) - set(MODELS))]
    config["models"] = {name: chosen[name] for name in ordered}
    switched_off -= set(chosen)
    check_replicates(config, switched_off)
    try:
        check_datasets(config)
    except DatasetError as error:
        raise ConfigError(str(error)) from None
    check_companions(config)


def check_folder(results: Path) -> None:
    """Refuse to begin a run whose results could not be written.

    Raises
    ------
    ConfigError
        If there is a file in place of the folder, or no right to write into it.
    """
    if results.exists() and not results.is_dir():
        raise ConfigError(f"{results} is a file, but a folder is needed: move the file away.")
    if results.is_dir() and not os.access(results, os.W_OK | os.X_OK):
        raise ConfigError(f"the folder {results} can't be written to: change its rights.")
