"""Config files as they are written: what can no longer be seen once Snakemake has merged them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

# With this key Snakemake's reader runs expressions in the file (YTE). It has done so by the time
# that a check sees the file; but nothing that was written this way is used.
PROGRAM = "__use_yte__"
MOST_VALUES = 100_000


def problems_of_file(file: Path) -> list[str]:
    """Keys given twice, programs, and text that is not YAML: a sentence for each."""
    if not file.is_file():
        return []
    try:
        text = file.read_text(encoding="utf-8")
        # JSON is YAML but for its tabs, which stand only between its words.
        text = text.replace("\t", " ") if text.lstrip().startswith("{") else text
        # Composed but not constructed: no tag makes an object.
        return list(_problems_of_keys(yaml.compose(text, yaml.SafeLoader), file))
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


def problems_of_size(config: dict[str, Any]) -> list[str]:
    """Aliases that write out to more values than any config needs, or to themselves.

    >>> ten = list("0123456789")
    >>> problems_of_size({"a": [[ten] * 1000] * 10})
    ['config: with its aliases written out it holds 110012 values; the limit is 100000.']
    """
    try:
        found = _size(config, {})
    except RecursionError:
        return ["config: a value holds itself or is nested too deeply."]
    said = f"with its aliases written out it holds {found} values; the limit is {MOST_VALUES}"
    return [f"config: {said}."] if found > MOST_VALUES else []


def _size(value: Any, known: dict[int, int]) -> int:
    """Number of values; what several aliases share is counted once and added each time."""
    if known.get(id(value)) == 0:
        raise RecursionError
    if id(value) not in known:
        known[id(value)] = 0
        parts = value.values() if isinstance(value, dict) else value
        inside = sum(_size(one, known) for one in parts) if isinstance(value, dict | list) else 0
        known[id(value)] = 1 + inside
    return known[id(value)]
