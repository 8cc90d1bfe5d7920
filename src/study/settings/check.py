"""The checks that a config passes before any job is planned, and the sentences they end in."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from textwrap import shorten
from typing import Any, NoReturn, get_args, get_origin

import yaml
from pydantic import ValidationError

from study.models.registry import MODELS
from study.settings.config import Config
from study.settings.models import OwnModel
from study.settings.values import Section

# With this key Snakemake's reader runs expressions in the file (YTE). It has done so by the time
# that a check sees the file; but nothing that was written this way is used.
PROGRAM = "__use_yte__"
MOST_VALUES = 100_000
MOST_SENTENCES, LONGEST = 20, 600
# Of pydantic's words, those that a person would not use.
WORDS = {
    "Value error, ": "",
    " after validation": "",
    "a valid boolean": "true or false",
    "a valid string": "text",
    "a valid ": "a ",
    "a integer": "an integer",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
}


class ConfigError(ValueError):
    """Values in the config that can't be used; a line for each names its key."""


def check_config(config: dict[str, Any], files: Iterable[str | Path]) -> None:
    """Raise ConfigError for a config, as Snakemake merged it from these files, that can't work.

    Models that are switched off (``false``) are taken out, the others put in order, and what
    declarations of data sets leave out is filled in.
    """
    problems = [one for file in files for one in problems_of_file(Path(file))]
    if any(one.startswith("config file ") for one in problems):
        _refuse(problems)  # the values may be without end
    models, packages = config.get("models"), config.get("estimator_packages")
    on, off = _switched(models if isinstance(models, dict) else dict.fromkeys(MODELS))
    packages = packages if isinstance(packages, list) else []
    allowed = [one for one in packages if isinstance(one, str)]
    context = {"models": on, "switched_off": off, "packages": allowed}
    try:
        checked = Config.model_validate(config, context=context)
    except ValidationError as error:
        problems += sentences(error, Config)
    if problems:
        _refuse(problems)
    _settle(config, checked, on)


def _refuse(problems: list[str]) -> NoReturn:
    lines = [shorten(one, LONGEST, placeholder=" ...") for one in problems]
    if (more := len(lines) - MOST_SENTENCES) > 0:
        lines[MOST_SENTENCES:] = [f"(and {more} more)"]
    raise ConfigError("\n".join(lines))


def _switched(models: dict[str, Any]) -> tuple[list[str], set[str]]:
    """Models to fit, the registry's in its order before the user's; models that are not fitted."""
    on = {name for name, own in models.items() if own is not False and isinstance(name, str)}
    ordered = [*(name for name in MODELS if name in on), *sorted(on - MODELS.keys())]
    return ordered, (MODELS.keys() | models.keys()) - on


def _settle(config: dict[str, Any], checked: Config, on: list[str]) -> None:
    """Take out what is switched off, and fill in what is left out."""
    config["models"] = {name: config["models"][name] for name in on}
    config["figures"]["models"] = checked.figures.models
    config["sweep"]["models"] = checked.sweep.models
    config["specification"]["networks"] = checked.specification.networks
    config["replicates"]["fewer"] = checked.replicates.fewer
    for name, dataset in checked.datasets.items():
        models = {"models": dataset.models or [*on]}
        config["datasets"][name] = {**dataset.model_dump(), **config["datasets"][name], **models}


def sentences(found: ValidationError, kind: type[Section]) -> Iterator[str]:
    """What pydantic found in settings of this kind, for the person who wrote them."""
    for error in found.errors():
        place, problem = list(error["loc"]), error["type"]
        parts = [str(one) for one in place if one != "[key]"]
        key = "config key " + ".".join(one if len(one) <= 60 else f"{one[:57]}..." for one in parts)
        if problem == "disagreement":
            for name, reason in error["ctx"]["found"]:
                ended = reason if reason[-1] in ".?" else f"{reason}."
                yield f"{key}{'.' if place else ''}{name}: {ended}"
        elif problem == "missing":
            yield f"{key} is missing."
        elif problem == "not_a_model":
            hint = _hint(place[-1], MODELS if kind is Config else [])
            yield f"{key} is not a built-in model and names no estimator; {hint}"
        elif problem == "extra_forbidden" and place[0] == "models" and place[-1] == "estimator":
            yield f"{key}: {place[1]} is built in; give a model of your own another name."
        elif problem in ("extra_forbidden", "invalid_key"):
            yield f"{key} is unknown; {_hint(place[-1], _known(kind, place[:-1]))}"
        elif isinstance(error["input"], dict) or place[-1] == "[key]":
            yield f"{key}: {_said(error)}"
        else:
            yield f"{key} is {_shown(error['input'])}; {_said(error)}"


def _said(error: Any) -> str:
    if error["type"] in ("model_type", "dict_type"):
        return "it should be a mapping of keys to values."
    said = re.sub("^(Input|List|Dictionary|String|Value) should", "it should", error["msg"])
    for word, better in WORDS.items():
        said = said.replace(word, better)
    if error["type"].endswith("_type") and isinstance(error["input"], str):
        # Snakemake reads only the outermost value of --config as YAML.
        said += " (inside {...} or [...], --config passes text: use --configfile)"
    return said if said[-1] in ".?" else f"{said}."


def _hint(name: object, known: Iterable[str]) -> str:
    near = get_close_matches(str(name), known, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known) or 'none here'}."


def _known(kind: Any, place: list[Any]) -> list[str]:
    """Keys of the section at this place of settings of this kind."""
    for name in place:
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
        else:
            fields = kind.model_fields
            kind = fields[name].annotation if name in fields else OwnModel
    return sorted(kind.model_fields)


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
    """Keys given twice, programs, aliases without end, and text that is not YAML: sentences."""
    if not file.is_file():
        return []
    try:
        text = file.read_text(encoding="utf-8")
        # JSON is YAML but for its tabs, which stand only between its words.
        text = text.replace("\t", " ") if text.lstrip().startswith("{") else text
        # Composed but not constructed: no tag makes an object, and aliases are not written out.
        root = yaml.compose(text, yaml.SafeLoader)
        if root is not None and (found := _size(root, {})) > MOST_VALUES:
            said = f"written out with its aliases it holds {found} values; the limit is"
            return [f"config file {file}: {said} {MOST_VALUES}."]
        return list(_problems_of_keys(root, file))
    except _HoldsItselfError:
        return [f"config file {file}: a value holds itself."]
    except UnicodeDecodeError as error:
        return [f"config file {file}: byte {error.start + 1} is not UTF-8; save it as UTF-8."]
    except RecursionError:
        return [f"config file {file} is nested too deeply."]
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return [f"config file {file}, line {line}: {error.problem}."]
    except yaml.YAMLError as error:
        return [f"config file {file} is not YAML: {error}."]


def _problems_of_keys(root: yaml.Node | None, file: Path) -> Iterator[str]:
    """Of each mapping once, however many aliases lead to it."""
    waiting, seen = [(root, "")], set()
    while waiting:
        node, above = waiting.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += [(one, f"{above}{number}.") for number, one in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            waiting.append((value, f"{above}{key.value}."))
            name, line = (key.tag, str(key.value)), key.start_mark.line + 1
            if key.value == PROGRAM:
                yield f"config key {PROGRAM} in {file}: a config holds no program; take it out."
            # Keys that are merged in (<<) may be given again: that is what merging is for.
            if name in lines and key.tag != "tag:yaml.org,2002:merge":
                places = f"in {file}, lines {lines[name]} and {line}"
                yield f"config key {above}{key.value} stands twice {places}: keep one."
            lines[name] = line


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """Number of values; what several aliases share is counted once and added each time."""
    if known.get(id(node)) == 0:
        raise _HoldsItselfError
    if id(node) not in known:
        known[id(node)] = 0
        parts = node.value if isinstance(node, yaml.CollectionNode) else []
        if isinstance(node, yaml.MappingNode):
            parts = [one for pair in parts for one in pair]
        known[id(node)] = 1 + sum(_size(one, known) for one in parts)
    return known[id(node)]


class _HoldsItselfError(Exception):
    """An alias leads to what it stands in."""
