"""Scenarios: the experiment, and the experiment with some of its keys changed.

A job draws a chunk of a scenario: some of its replicates, with some of its models. The built-in
models that fit in milliseconds are fitted together, every other model on its own, so a new model
draws its own chunks alone. A replicate depends on the seed and its own number, so chunks can't
change a result. Nothing here needs NumPy: the workflow is read with Snakemake alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Setting = dict[str, Any]

FAST_MODELS = ("linear", "logistic", "neural_net")
FAST_GROUP = "built_in"
# Only scenarios that name them fit these; the second is among the models of German Credit alone.
NAMED_ONLY = ("neural_net_lm", "neural_net_stopped")
# Bad and good rows of German Credit: the share of the minority in the untouched data.
ORIGINAL_SHARE = 300 / 1000


def base_name(config: Mapping[str, Any]) -> str:
    """What the experiment itself is called: that of the paper, or of other data."""
    return "paper" if config["data"]["target"] is None else "experiment"


def sweep_names(config: Mapping[str, Any]) -> dict[float, str]:
    """The scenario of each share in the sweep; the experiment's own share is the experiment."""
    own = config["experiment"]["skew"]
    return {
        skew: base_name(config) if skew == own else f"skew_{skew}"
        for skew in config["sweep"]["skew"]
    }


def make_scenarios(config: Mapping[str, Any]) -> dict[str, Setting]:
    """Every scenario of a run by name: the keys of ``experiment``, and its models' settings."""
    experiment, base = config["experiment"], base_name(config)
    scenarios = {base: experiment}
    if config["data"]["target"] is None:
        scenarios["original"] = experiment | {"skew": None} | config["original"]
        if experiment["prevalence"] == "nominal":
            scenarios["original"]["prevalence"] = ORIGINAL_SHARE
    replicates = {"replicates": config["sweep"]["replicates"]}
    for skew, name in sweep_names(config).items():
        if name != base:
            scenarios[name] = experiment | {"skew": skew} | replicates
    fewer = min(config["sensitivity"]["replicates"], experiment["replicates"])
    for name, change in config["sensitivity"]["changes"].items():
        scenarios[name] = experiment | {"replicates": fewer} | change
    complete = {name: _complete(setting, config) for name, setting in scenarios.items()}
    if config["data"]["target"] is not None:  # what decisions bring is measured in each split
        complete[base]["at"] = experiment["at"]
    return complete


def _complete(setting: Setting, config: Mapping[str, Any]) -> Setting:
    """With the settings of the models, and without what does not change a replicate."""
    complete = {key: value for key, value in setting.items() if key not in ("at", "at_tolerance")}
    names = setting["models"] or config["experiment"]["models"]
    complete["seed"] = config["seed"] if setting["seed"] is None else setting["seed"]
    complete["models"] = {name: dict(config["models"][name]) for name in names}
    stated = {"test": None, "nominal": setting["skew"]}
    complete["prevalence"] = stated.get(setting["prevalence"], setting["prevalence"])
    if complete["skew"] is None:
        complete["sampling"] = "keep_majority"
    if complete["sampling"] != "total":
        complete["total"] = None
    complete["split"] = setting["split"]["by"]
    if complete["split"] != "random":
        complete["stratify"] = False
    return complete


def all_models(scenarios: Mapping[str, Setting]) -> Setting:
    """The settings of every model that a scenario fits, by name."""
    settings = scenarios.values()
    return {name: model for setting in settings for name, model in setting["models"].items()}


def unused_models(config: Mapping[str, Any], scenarios: Mapping[str, Setting]) -> list[str]:
    """Models of the user's own, and variants, that no scenario fits."""
    fitted = {*all_models(scenarios), *NAMED_ONLY}
    models = config["models"].items()
    return [
        name
        for name, model in models
        if ("estimator" in model or "like" in model) and name not in fitted
    ]


def model_groups(setting: Setting) -> dict[str, list[str]]:
    """The models that one job fits, by the name of the group."""
    fast = [name for name in setting["models"] if name in FAST_MODELS]
    groups = {FAST_GROUP: fast} if fast else {}
    return groups | {name: [name] for name in setting["models"] if name not in fast}


def chunk_names(setting: Setting) -> list[str]:
    """What the jobs of a scenario draw: models and number of each chunk, such as built_in-0000."""
    chunks = range(-(-setting["replicates"] // setting["per_job"]))
    return [f"{models}-{chunk:04d}" for models in model_groups(setting) for chunk in chunks]


def chunk_setting(setting: Setting, models: str, chunk: int) -> Setting:
    """The arguments of one job: the scenario's keys, its models, and first and last replicate.

    Nothing else, so that more replicates, models or scenarios leave a chunk alone.
    """
    per_job = setting["per_job"]
    first = chunk * per_job
    drawn = {
        name: value for name, value in setting.items() if name not in ("replicates", "per_job")
    }
    drawn["models"] = {name: setting["models"][name] for name in model_groups(setting)[models]}
    return drawn | {"first": first, "last": min(first + per_job, setting["replicates"])}


def gather_mb(size_mb: float) -> int:
    """Memory that a job asks for which reads so many megabytes of measures (docs/cluster.md)."""
    return 600 + 15 * int(size_mb)
