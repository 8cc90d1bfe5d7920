"""Config files as they are written: what can no longer be seen once Snakemake has merged them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from study.settings.error import ConfigError

# With this key Snakemake's reader runs expressions in the file (YTE). It has done so by the time
# that a check sees the file; but nothing that was written this way is used.
PROGRAM = "__use_yte__"


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


def check_file(file: Path) -> None:
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
