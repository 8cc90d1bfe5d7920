"""Single values of a config: what the schema refuses, in one sentence that names the key."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema

from study.settings.error import ConfigError
from study.settings.own_datasets import read_schema


def require_values(config: dict[str, Any], schema: Path) -> None:
    """Refuse a value that its key may not hold, or a key that there is not.

    Raises
    ------
    ConfigError
        About the outermost of them.
    """
    _require_finite(config)
    errors = jsonschema.Draft202012Validator(read_schema(schema)).iter_errors(config)
    first = min(errors, key=lambda error: (len(error.path), str(error.path)), default=None)
    if first is not None:
        raise ConfigError(_sentence(first))


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
