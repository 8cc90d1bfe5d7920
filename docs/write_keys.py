"""Write the table of config keys into own-data.md, from the settings that check a config."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo
from study.settings import OWN_DATA, Config, OwnModel, Section, Variant, find_section_in

PAGE = Path(__file__).with_name("own-data.md")
BEGIN, END = "<!-- keys -->\n", "<!-- end of keys -->\n"
# Of German Credit, which config/config.yaml is about.
OTHERS = {"original", "companions", "loan_file", "figures.figure1"}
OTHERS |= {"experiment.encoding", "models.neural_net_lm"}
NEEDED = {"data.source", "data.target", "data.positive"}
UNDIVIDED = {"data.names", "sensitivity.changes", "sensitivity.grid"}


def make_table() -> str:
    """A row for each key: its default where data are one's own, and its meaning."""
    rows = "".join(_list_rows(Config, "", OWN_DATA))
    return f"| key | default | meaning |\n|:--|:--|:--|\n{rows}"


def _list_rows(section: type[Section], above: str, own: dict[str, Any]) -> Iterator[str]:
    for name, field in section.model_fields.items():
        key = f"{above}{name}"
        if key in OTHERS:
            continue
        inner = find_section_in(field.annotation)
        if inner is not None and key not in UNDIVIDED:
            yield from _list_rows(inner, f"{key}.", own.get(name, {}))
        else:
            default = _describe_default(field, own.get(name, field.default), key in NEEDED)
            meaning = " ".join((field.description or "").split()).replace("|", "\\|")
            yield f"| `{key}` | {default} | {meaning} |\n"
    if above == "models.":
        yield from _list_rows(OwnModel, "models.NAME.", {})
        yield from _list_rows(Variant, "models.NAME.", {})


def _describe_default(field: FieldInfo, value: Any, is_needed: bool) -> str:
    needed = is_needed or field.is_required()
    value = {} if isinstance(value, Section) else value
    text = "needed" if needed else f"`{json.dumps(value).replace(chr(34), '')}`"
    kinds = (field.annotation, *get_args(field.annotation))
    choices = [
        f"`{choice}`"
        for kind in kinds
        if get_origin(kind) is Literal
        for choice in get_args(kind)
        if isinstance(choice, str) and choice not in (value, "uci", "bundled")
    ]
    return f"{text}; {'' if needed else 'or '}{', '.join(choices)}" if choices else text


def insert_table(text: str) -> str:
    """The page with the table between the two marks."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}{make_table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(insert_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
