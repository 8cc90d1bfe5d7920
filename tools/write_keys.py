"""Write the table of config keys into config/README.md: ``python tools/write_keys.py``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src")]
from pydantic.fields import FieldInfo  # noqa: E402

from study.config import Config, Model, Section  # noqa: E402

PAGE = ROOT / "config" / "README.md"
BEGIN, END = "<!-- keys -->\n", "<!-- end of keys -->\n"


def list_keys(section: type[Section] = Config, above: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Each key of a config by its path, those of a model under models.NAME."""
    for name, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            yield from list_keys(field.annotation, f"{above}{name}.")
        elif name == "models" and not above:
            yield from list_keys(Model, "models.NAME.")
        else:
            yield f"{above}{name}", field


def make_table() -> str:
    """A row for each key: its default where the data are not German Credit, and its meaning."""
    rows = [
        f"| `{key}` | {describe_default(field)} | {' '.join((field.description or '').split())} |\n"
        for key, field in list_keys()
    ]
    return f"| key | default | meaning |\n|:--|:--|:--|\n{''.join(rows)}"


def describe_default(field: FieldInfo) -> str:
    """The default, and the words that a key may hold instead."""
    value: Any = field.default
    kinds = (field.annotation, *get_args(field.annotation))
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    shown = "needed" if field.is_required() else f"`{json.dumps(value)}`".replace('"', "")
    others = ", ".join(f"`{word}`" for word in words if word != value)
    return f"{shown}; or {others}" if others else shown


def insert_table(text: str) -> str:
    """The page with the table between the two marks."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}{make_table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(insert_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
