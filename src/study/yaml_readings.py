"""Values in YAML files that readers of YAML disagree on.

Snakemake reads a config by the rules of YAML 1.1 (2005), by which 010 is 8, 8:1 is 481, yes is true
and 1e-3 is text. By YAML 1.2 (2009) 010 is 10, 8:1 and yes are text, and 1e-3 is a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import yaml

TAG = "tag:yaml.org,2002:"
REMEDY = "write a number in plain digits, a choice as true or false, and text in quotation marks"
# What all readers of either version take for the same value; other plain words are text.
PLAIN = {
    "null": r"~|null|Null|NULL|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?(0|[1-9]\d*)|0o[0-7]+",
    "float": r"[-+]?(\.\d+|(0|[1-9]\d*)(\.\d*)?)([eE][-+]?\d+)?"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
    "merge": "<<",
}


def find_readings(text: str) -> Iterator[tuple[list[str], int, str]]:
    """Path, line and fault of each plain value or key with two readings, and of each double key."""
    try:
        json.loads(text)
    except ValueError:
        if root := yaml.compose(text, Loader=yaml.SafeLoader):
            yield from _walk(root, [])


def _walk(node: yaml.Node, path: list[str]) -> Iterator[tuple[list[str], int, str]]:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for number, (key, value) in enumerate(node.value):
            below = [*path, str(key.value)]
            if any(key.value == earlier.value for earlier, _ in node.value[:number]):
                yield below, key.start_mark.line + 1, "the key stands twice"
            yield from _walk(key, below)
            yield from _walk(value, below)
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _walk(item, [*path, str(number)])
    elif isinstance(node, yaml.ScalarNode) and node.style is None:
        kind = find_kind(node.value)
        if node.tag != TAG + kind:
            readings = " or ".join(dict.fromkeys(_list_readings(node, kind)))
            yield path, line, f"{node.value} may be {readings}: {REMEDY}"


def find_kind(word: str) -> str:
    """What readers agree that a plain word is: a kind of PLAIN, or else text."""
    return next((kind for kind, form in PLAIN.items() if re.fullmatch(form, word)), "str")


def _list_readings(node: yaml.ScalarNode, kind: str) -> Iterator[str]:
    word = node.value
    if node.tag == f"{TAG}timestamp":
        yield "a date"
    elif node.tag != f"{TAG}str":
        yield json.dumps(yaml.safe_load(word))
    if re.fullmatch(r"[-+]?\d+", word):
        yield str(int(word))
    yield f'the text "{word}"'
    if kind != "str":
        yield f"the number {word}"
