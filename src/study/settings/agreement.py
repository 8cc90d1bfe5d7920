"""Values of a config that must fit each other, the data, and the names that there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from study.data.encoding import ENCODINGS
from study.data.german_credit import ATTRIBUTES, NUMERIC
from study.errors import ExperimentError
from study.models.estimators import check_estimator, is_own
from study.models.registry import MODELS, require_settings
from study.published import PAPER_PAIR
from study.settings.cells import (
    GERMAN_CREDIT,
    paper_cell,
    specification_levels,
    sweep_levels,
    why_impossible,
)
from study.settings.error import ConfigError


def check_data(data: dict[str, Any]) -> None:
    """Refuse a file of the user's own that isn't there."""
    if data["source"] == "file":
        if data["path"] is None:
            raise ConfigError("config key data.path is needed when data.source is file.")
        if not Path(data["path"]).is_file():
            raise ConfigError(f"config key data.path: there is no file {data['path']}.")


def check_experiment(config: dict[str, Any]) -> None:
    """Refuse unknown encodings, and rows that the data can't give."""
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


def check_replicates(config: dict[str, Any], switched_off: set[str]) -> None:
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


def check_ranges(forensics: dict[str, Any]) -> None:
    """Refuse a range whose low end exceeds the high one."""
    for key, (low, high) in forensics.items():
        if low > high:
            raise ConfigError(f"config key forensics.{key}: {low} comes first but exceeds {high}.")


def check_models(config: dict[str, Any]) -> None:
    """Refuse models that can't be built with their settings."""
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


def check_companions(config: dict[str, Any]) -> None:
    """Refuse settings with which a study that is switched on would fail."""
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
