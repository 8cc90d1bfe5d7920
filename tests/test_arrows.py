"""Imports run one way: the study's floors downwards, then the library, which knows no study."""

import ast
from pathlib import Path

SRC = Path(__file__).parents[1] / "src"
# From the bottom up; modules that stand beside the floors may be imported from anywhere.
FLOORS = (
    *("errors", "arrays", "published", "data", "models"),
    *("replicates", "analysis", "papers", "verdict", "pages"),
)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_library_does_not_import_the_study():
    for path in (SRC / "kappacurve").rglob("*.py"):
        assert not [name for name in imports(path) if name.split(".")[0] == "study"], path


def test_the_study_imports_public_names_and_lower_floors():
    for path in (SRC / "study").rglob("*.py"):
        place = path.relative_to(SRC).as_posix()
        floor = place.split("/")[1].removesuffix(".py")
        for name in imports(path):
            package, *parts = name.split(".")
            if package == "kappacurve":
                assert not any(part.startswith("_") for part in parts), f"{place} imports {name}"
            if package == "study" and parts and {floor, parts[0]} <= set(FLOORS):
                assert FLOORS.index(parts[0]) <= FLOORS.index(floor), f"{place} imports {name}"
