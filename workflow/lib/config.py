"""The checks that a config passes before any job is planned.

The schema says what each key may hold. This module adds what a schema can't: no key given twice,
names that exist in their registries, and values that fit each other.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema
import yaml
from lib.cells import (
    GERMAN_CREDIT,
    paper_cell,
    specification_levels,
    sweep_levels,
    why_impossible,
)
from lib.datasets import DatasetError, check_datasets, read_schema

from kappacurve.experiment.datasets import ATTRIBUTES, NUMERIC
from kappacurve.experiment.encoding import ENCODINGS
from kappacurve.experiment.errors import ExperimentError
from kappacurve.experiment.estimators import check_estimator, is_own
from kappacurve.experiment.models import MODELS, require_settings
from kappacurve.experiment.tables import PAPER_PAIR

SCHEMA = Path("workflow/schemas/config.schema.yaml")
# With this key Snakemake's reader runs expressions in the file (YTE). It has done so by the time
# that a check sees the file; but nothing that was written this way is used.
PROGRAM = "__use_yte__"


class ConfigError(ValueError):
    """A value in the config that can't be used; the message names its key."""


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
        _check_file(Path(file))
    _require_finite(config)
    errors = jsonschema.Draft202012Validator(read_schema(root / SCHEMA)).iter_errors(config)
    first = min(errors, key=lambda error: (len(error.path), str(error.path)), default=None)
    if first is not None:
        raise ConfigError(_sentence(first))
    _check_data(config["data"])
    _check_experiment(config)
    _check_ranges(config["forensics"])
    chosen = {name: own for name, own in config["models"].items() if own is not False}
    _check_models({**config, "models": chosen})
    switched_off = set(MODELS) | set(config["models"])
    # In the order of the registry, whatever order the config files were merged in; then the user's.
    ordered = [*(name for name in MODELS if name in chosen), *sorted(set(chosen) - set(MODELS))]
    config["models"] = {name: chosen[name] for name in ordered}
    switched_off -= set(chosen)
    _check_replicates(config, switched_off)
    try:
        check_datasets(config)
    except DatasetError as error:
        raise ConfigError(str(error)) from None
    _check_companions(config)


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


def _sentence(error: Any) -> str:
    """One line that names the key, for the kinds of error that the schema can raise."""
    key = ".".join(map(str, error.absolute_path))
    if error.validator == "additionalProperties":
        known = sorted(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(known), key=str)[0]
        near = get_close_matches(str(unknown), known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
        return f"config key {_joined(key, unknown)} is unknown; {hint}"
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return f"config key {_joined(key, missing)} is missing."
    if error.validator == "anyOf":
        return f"config key {key} is {error.instance!r}; {error.schema['description']}"
    meaning = " ".join(error.schema.get("description", "").split())
    if error.validator == "type" and isinstance(error.instance, str):
        # Snakemake reads only the outermost value of --config as YAML.
        meaning += " (Inside {...} or [...], --config passes text: use --configfile for such keys.)"
    return f"config key {key or '(all)'}: {error.message}. {meaning}".rstrip()


def _require_finite(config: Mapping[str, Any]) -> None:
    """Refuse .nan and .inf: the schema's bounds let nan through, and no key needs either."""
    for key, value in _leaves(config, ""):
        if isinstance(value, float) and not math.isfinite(value):
            raise ConfigError(f"config key {key}: {value} is not a finite number.")


def _leaves(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _leaves(one, _joined(key, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _leaves(one, _joined(key, number))
    else:
        yield key, value


def _joined(parent: str, name: object) -> str:
    return f"{parent}.{name}" if parent else str(name)


def _check_data(data: dict[str, Any]) -> None:
    if data["source"] == "file":
        if data["path"] is None:
            raise ConfigError("config key data.path is needed when data.source is file.")
        if not Path(data["path"]).is_file():
            raise ConfigError(f"config key data.path: there is no file {data['path']}.")


def _check_experiment(config: dict[str, Any]) -> None:
    encodings = {
        "experiment.encoding": [config["experiment"]["encoding"]],
        "sweep.encoding": config["sweep"]["encoding"],
        "specification.encoding": config["specification"]["encoding"],
    }
    for key, names in encodings.items():
        for name in names:
            if name not in ENCODINGS:
                raise ConfigError(
                    f"config key {key}: {name!r} is unknown; there are {', '.join(ENCODINGS)}."
                )
    _require_possible("experiment", paper_cell(config, []))
    n_rows, n_train = sum(GERMAN_CREDIT.values()), config["original"]["n_train"]
    if n_train > n_rows - 2:
        raise ConfigError(
            f"config key original.n_train: {n_train} training rows of {n_rows} leave fewer than "
            "two for the test."
        )


def _require_possible(section: str, cell: dict[str, Any]) -> None:
    reason = why_impossible(cell)
    if reason is not None:
        key = "n_train" if "training rows" in reason else "skew"
        raise ConfigError(f"config key {section}.{key}: {reason}")


def _check_replicates(config: dict[str, Any], switched_off: set[str]) -> None:
    """Take models that are switched off out of the lists; refuse names that were never there."""
    optional = (("figures", "models"), ("sweep", "models"), ("specification", "networks"))
    for section, key in optional:
        named = [name for name in config[section][key] if name not in switched_off]
        _require_models(config, f"{section}.{key}", named or config[section][key])
        config[section][key] = named
    fewer = config["replicates"]["fewer"]
    _require_models(
        config, "replicates.fewer", [name for name in fewer if name not in switched_off]
    )
    config["replicates"]["fewer"] = {k: n for k, n in fewer.items() if k not in switched_off}
    # The pair that the paper compares: rank reversals and specifications need it.
    _require_models(config, "models", PAPER_PAIR)
    for name in PAPER_PAIR:
        if name not in config["sweep"]["models"]:
            raise ConfigError(f"config key sweep.models: {name} is needed to count rank reversals.")
    sweep = sweep_levels(config)
    if not sweep.levels:
        raise ConfigError(
            "config key sweep: the data can give none of its cells. "
            f"{sweep.skipped[0]['cell']}: {sweep.skipped[0]['reason']}"
        )
    if not specification_levels(config):
        raise ConfigError(
            "config key specification.sampling: the data can give none of these at the skew under "
            "experiment."
        )


def _require_models(config: dict[str, Any], key: str, names: Iterable[str]) -> None:
    for name in names:
        if name not in config["models"]:
            raise ConfigError(
                f"config key {key}: {name} is not among the models, which are "
                f"{', '.join(config['models'])}."
            )


def _check_ranges(forensics: dict[str, Any]) -> None:
    for key, (low, high) in forensics.items():
        if low > high:
            raise ConfigError(f"config key forensics.{key}: {low} comes first but exceeds {high}.")


def _check_models(config: dict[str, Any]) -> None:
    if not config["models"]:
        raise ConfigError("config key models: at least one model is needed.")
    for name, settings in config["models"].items():
        if name not in MODELS and not is_own(settings):
            near = get_close_matches(str(name), MODELS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(MODELS)}."
            raise ConfigError(
                f"config key models.{name} is not a registered model and names no estimator; {hint}"
            )
        if is_own(settings) and (name in MODELS or not re.fullmatch("[a-z][a-z0-9_]*", str(name))):
            raise ConfigError(
                f"config key models.{name}: a model of your own needs a name of small letters, "
                f"digits and underscores, and not one of {', '.join(MODELS)}."
            )
        try:
            if is_own(settings):
                check_estimator(settings, config["estimator_packages"])
            else:
                require_settings(name, settings)
        except ExperimentError as error:
            raise ConfigError(f"config key models.{name}: {error}") from None


def _check_companions(config: dict[str, Any]) -> None:
    studies = {name: own for name, own in config["companions"].items() if own["enabled"]}
    coded = [name for name in ATTRIBUTES if name not in NUMERIC]
    if "baker" in studies and studies["baker"]["group"] not in coded:
        raise ConfigError(
            f"config key companions.baker.group: {studies['baker']['group']} is not a coded "
            f"attribute; there are {', '.join(coded)}."
        )
    if "silipo" in studies:
        own = studies["silipo"]
        n_bad = round(own["n_rows"] * own["share_bad"])
        n_train = round(n_bad * own["train_share"])
        if n_train == n_bad:
            raise ConfigError(
                f"config key companions.silipo.n_rows: {own['n_rows']} rows leave no bad one for "
                "the test."
            )
        if n_train <= own["neighbors"]:
            raise ConfigError(
                f"config key companions.silipo.neighbors: SMOTE needs more bad training rows than "
                f"neighbours, but there are {n_train} and {own['neighbors']}."
            )


class _NoDuplicates(yaml.SafeLoader):
    """A YAML reader for which a key given twice is an error, not a silent replacement."""


def _construct_mapping(loader: _NoDuplicates, node: yaml.MappingNode) -> dict[Any, Any]:
    # Keys that are merged in (<<) may be given again: that is what merging is for.
    own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
    seen: set[Any] = set()
    for key_node in own:
        key = loader.construct_object(key_node)
        if key in seen:
            line = key_node.start_mark.line + 1
            raise ConfigError(
                f"config key {key} stands twice in {loader.name}, the second time in line {line}: "
                "keep one."
            )
        seen.add(key)
    loader.flatten_mapping(node)
    return dict(yaml.SafeLoader.construct_mapping(loader, node, deep=True))


_NoDuplicates.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)


def _check_file(file: Path) -> None:
    """Refuse what can no longer be seen once the files are merged."""
    if not file.is_file():
        return
    with file.open(encoding="utf-8") as stream:
        try:
            # A SafeLoader that only refuses more. JSON is read by it too, but for its tabs.
            read = (
                json.load(stream, object_pairs_hook=_pairs)
                if file.suffix == ".json"
                else yaml.load(stream, Loader=_NoDuplicates)  # noqa: S506 safe, see above
            )
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise ConfigError(f"config file {file}, line {line}: {error.problem}.") from None
    if isinstance(read, Mapping) and PROGRAM in read:
        raise ConfigError(
            f"config key {PROGRAM} in {file}: a config holds values, not a program; take it out."
        )


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, if none of its keys stands twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ConfigError(f"config key {name} stands twice in the JSON file: keep one.")
        found[name] = value
    return found
