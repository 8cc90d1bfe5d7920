"""Config files as they are written: what can no longer be seen once Snakemake has merged them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

# With this key Snakemake's reader runs expressions in the file (YTE). It has done so by the time
# that a check sees the file; but nothing that was written this way is used.
PROGRAM = "__use_yte__"
MOST_VALUES = 100_000


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
