"""The checks that a config passes before any job is planned, and the sentences they end in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from textwrap import shorten
from typing import Any, NoReturn, get_args

import yaml
from pydantic import ValidationError

from study.errors import nearest
from study.models.registry import MODELS
from study.settings.config import MOST_PLOTTED, Config
from study.settings.data import Data, Experiment
from study.settings.models import OwnModel

# With this key Snakemake's reader runs expressions in the file (YTE). It has done so by the time
# that a check sees the file; but nothing that was written this way is used.
PROGRAM = "__use_yte__"
# Each may stand for several others: more of them could be written out without end.
MOST_ALIASES = 20
MOST_SENTENCES = 20
LONGEST = 600
# Keys whose values are paths of files.
PATHS = (("data", "path"), ("loan_file",))
# Keys that a config of an older version may have, and what to do instead.
GONE = {
    "data.uci_id": "download the table, and give its path with source: file",
    "experiment.test_path": "score these rows yourself, and give the scores to kappacurve measure",
    "models.neural_net.trainer": "the compiled trainer is the only one: remove it",
    "sweep.trainer": "the compiled trainer is the only one: remove it",
    "specification": "change a key under experiment in a config of your own, and run it",
    "forensics": "the explanations of the printed numbers have no settings: remove it",
    "document.kit": "the folder of the appendix is the kit: set document.width and document.font",
}


class ConfigError(ValueError):
    """Values in the config that can't be used; a line for each names its key."""


def check_config(config: dict[str, Any], files: Iterable[str | Path]) -> None:
    """Raise ConfigError for a config, as Snakemake merged it from these files, that can't work.

    Paths that a file gives are taken from its folder, models that are switched off (``false``) are
    taken out, the others put in order, and what the config leaves out is filled in.
    """
    named = [Path(file) for file in files]
    problems = [problem for file in named for problem in problems_of_file(file)]
    if any(problem.startswith("config file ") for problem in problems):
        _refuse(problems)  # the values may be without end
    if "datasets" in config:
        raise ConfigError("\n".join([*problems, in_new_form(config)]))
    take_paths_from_files(config, named)
    models = config.setdefault("models", {"linear": {}, "logistic": {}})
    packages = config.get("estimator_packages", ["sklearn", "imblearn"])
    on, off = _switched(models if isinstance(models, dict) else dict.fromkeys(MODELS))
    packages = packages if isinstance(packages, list) else []
    allowed = [name for name in packages if isinstance(name, str)]
    context = {"models": on, "switched_off": off, "packages": allowed}
    try:
        checked = Config.model_validate(config, context=context)
    except ValidationError as error:
        problems += sentences(error)
    if problems:
        _refuse(problems)
    _settle(config, checked, on)


def take_paths_from_files(config: dict[str, Any], files: list[Path]) -> None:
    """Make paths that stand in a config file relative to the working folder."""
    stated = {keys: path for keys in PATHS if isinstance(path := _value(config, keys), str)}
    for file in files if stated else []:
        with suppress(OSError, ValueError, yaml.YAMLError):  # which Snakemake has reported
            values = yaml.safe_load(file.read_text(encoding="utf-8"))
            for keys in [keys for keys in stated if _value(values, keys) == stated[keys]]:
                path = os.path.relpath(file.parent / stated.pop(keys))
                _value(config, keys[:-1])[keys[-1]] = path


def _value(values: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def in_new_form(config: dict[str, Any]) -> str:
    """What to say of a config that declares data sets: each of them as a config of its own."""
    declared = config["datasets"]
    problem = "config key datasets: a run is now of one data set, which has a config of its own"
    if not isinstance(declared, dict) or not declared:
        return f"{problem}; remove the key."
    forms = []
    for name, section in declared.items():
        section = dict(section) if isinstance(section, dict) else {}
        models = config.get("models") or {}
        chosen = section.get("models") or [model for model in models if models[model] is not False]
        replicates = {"count": section.get("replicates"), "fewer": section.get("fewer")}
        form = {
            "seed": config.get("seed"),
            "data": {key: section[key] for key in Data.model_fields if key in section},
            "experiment": {key: section[key] for key in Experiment.model_fields if key in section},
            "models": {model: models[model] for model in chosen if model in models},
            "replicates": {key: value for key, value in replicates.items() if value},
        }
        text = yaml.safe_dump({key: value for key, value in form.items() if value}, sort_keys=False)
        forms.append(f"# {name}.yaml\n{text}")
    return "\n".join([f"{problem}. Write into a file, from whose folder paths are read:", *forms])


def _refuse(problems: list[str]) -> NoReturn:
    lines = [shorten(problem, LONGEST, placeholder=" ...") for problem in problems]
    if (more := len(lines) - MOST_SENTENCES) > 0:
        lines[MOST_SENTENCES:] = [f"(and {more} more)"]
    raise ConfigError("\n".join(lines))


def _switched(models: dict[str, Any]) -> tuple[list[str], set[str]]:
    """Models to fit, the registry's in its order before the user's; models that are not fitted."""
    on = {name for name, value in models.items() if value is not False and isinstance(name, str)}
    ordered = [*(name for name in MODELS if name in on), *sorted(on - MODELS.keys())]
    return ordered, (MODELS.keys() | models.keys()) - on


def _settle(config: dict[str, Any], checked: Config, on: list[str]) -> None:
    """Take out what is switched off, and fill in what is left out."""
    models = {name: config["models"][name] for name in on}
    settled = checked.model_dump(warnings=False) | {"models": models}
    experiment, sweep, figures = (settled[key] for key in ("experiment", "sweep", "figures"))
    for key in ("encoding", "sampling", "n_train"):
        sweep[key] = sweep[key] or [experiment[key]]
    sweep["models"] = sweep["models"] or on
    figures["models"] = figures["models"] or on[:MOST_PLOTTED]
    swept = [name for name in on if name in sweep["models"]]
    settled["compare"] = settled["compare"] or (swept if len(swept) > 1 else on)[:2]
    config.update(settled)


def sentences(refused: ValidationError) -> Iterator[str]:
    """What pydantic refused in a config, each with the path of its key."""
    for error in refused.errors():
        path = [part for part in error["loc"] if part != "[key]"]
        problem = error["type"]
        reason = error["msg"].removeprefix("Value error, ")
        parts = [str(part) for part in path]
        key = "config key " + ".".join(p if len(p) <= 60 else f"{p[:57]}..." for p in parts)
        if problem == "disagreement":
            for name, reason in error["ctx"]["disagreements"]:
                yield f"{key}{'.' if path and name else ''}{name}: {_ended(reason)}"
        elif problem == "not_a_model":
            near = nearest(path[-1], MODELS)
            yield f"{key} is not a built-in model and names no estimator; {near}"
        elif problem == "extra_forbidden" and ".".join(parts) in GONE:
            yield f"{key} is no longer read: {GONE['.'.join(parts)]}."
        elif problem in ("extra_forbidden", "invalid_key"):
            yield f"{key} is unknown; {nearest(path[-1], _known(path[:-1]))}"
        elif isinstance(error["input"], dict) or error["loc"][-1] == "[key]":
            yield f"{key}: {_ended(reason)}"
        else:
            if problem.endswith("_type") and isinstance(error["input"], str):
                # Snakemake reads only the outermost value of --config as YAML.
                reason += " (inside {...} or [...], --config passes text: use --configfile)"
            yield f"{key} is {_shown(error['input'])}: {_ended(reason)}"


def _ended(sentence: str) -> str:
    return sentence if sentence[-1] in ".?" else f"{sentence}."


def _known(path: list[Any]) -> list[str]:
    """Keys of the section at this path of a config."""
    section: Any = Config
    for name in path:
        fields = section.model_fields
        section = fields[name].annotation if name in fields else OwnModel
        section = (*get_args(section), section)[0]  # one that may be left out is a union with None
    return sorted(section.model_fields)


def _shown(value: object) -> str:
    """A value as YAML would write it, in so far as it is short."""
    try:
        text = json.dumps(value, default=str, ensure_ascii=False)
    except (TypeError, ValueError):  # such as an integer of more than 4300 digits
        return "a value that can't be printed"
    return text if len(text) <= 80 else f"{text[:77]}..."


def check_folder(results: Path) -> None:
    """Refuse to begin a run whose results could not be written."""
    if results.exists() and not results.is_dir():
        raise ConfigError(f"{results} is a file, but a folder is needed: move the file away.")
    if results.is_dir() and not os.access(results, os.W_OK | os.X_OK):
        raise ConfigError(f"the folder {results} can't be written to: change its rights.")


def problems_of_file(file: Path) -> list[str]:
    """Keys given twice, programs, many aliases, and text that is not YAML: sentences."""
    if not file.is_file():
        return []
    try:
        text = file.read_text(encoding="utf-8")
        # JSON is YAML but for its tabs, which stand only between its words.
        text = text.replace("\t", " ") if text.lstrip().startswith("{") else text
        aliases = sum(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text))
        if aliases > MOST_ALIASES:
            return [f"config file {file}: {aliases} aliases (*name); the limit is {MOST_ALIASES}."]
        # Composed but not constructed: no tag makes an object.
        return list(_problems_of_keys(yaml.compose(text, yaml.SafeLoader), file))
    except UnicodeDecodeError as error:
        return [f"config file {file}: byte {error.start + 1} is not UTF-8; save it as UTF-8."]
    except RecursionError:
        return [f"config file {file} is nested too deeply."]
    except yaml.YAMLError as error:
        return [f"config file {file} is not YAML: {' '.join(str(error).split())}."]


def _problems_of_keys(root: yaml.Node | None, file: Path) -> Iterator[str]:
    """Of each mapping once, however many aliases lead to it."""
    waiting = [(root, "")]
    seen = set()
    while waiting:
        node, above = waiting.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += [(part, f"{above}{number}.") for number, part in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            waiting.append((value, f"{above}{key.value}."))
            name = (key.tag, str(key.value))
            line = key.start_mark.line + 1
            if key.value == PROGRAM:
                yield f"config key {PROGRAM} in {file}: a config holds no program; take it out."
            # Keys that are merged in (<<) may be given again: that is what merging is for.
            if name in lines and key.tag != "tag:yaml.org,2002:merge":
                where = f"in {file}, lines {lines[name]} and {line}"
                yield f"config key {above}{key.value} stands twice {where}: keep one."
            lines[name] = line
