"""Which files of the library and the study a script uses, which Snakemake does not see."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("kappacurve", "study")
STUB = ROOT / "src" / "kappacurve" / "__init__.pyi"


def modules_used_by(script: str, companions: Iterable[str] = ()) -> list[str]:
    """Paths of the modules that a script of ``workflow/scripts`` imports, also indirectly.

    Modules of study.companions that it imports by name are given.
    """
    modules = {ROOT / "src" / "study" / "companions" / f"{name}.py" for name in companions}
    waiting = [ROOT / "workflow" / "scripts" / f"{script}.py", *modules]
    while waiting:
        for module in _imports(waiting.pop()) - modules:
            modules.add(module)
            waiting.append(module)
    # A module's data or template has its name: published.csv, table_files.html.jinja.
    return sorted(
        str(file) for module in modules for file in module.parent.glob(f"{module.stem}.*")
    )


@cache
def _imports(path: Path) -> frozenset[Path]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            # `from package import name` may name a module or something inside one.
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
            if node.module == "kappacurve":
                names.update(_public_names().get(alias.name, "") for alias in node.names)
    return frozenset(
        file
        for name in names
        if name.partition(".")[0] in PACKAGES
        for path in [ROOT / "src" / name.replace(".", "/")]
        for file in (path.with_suffix(".py"), path / "__init__.py")
        if file.is_file()
    )


@cache
def _public_names() -> dict[str, str]:
    """The module of each of the library's public names, which are loaded when first used."""
    return {
        alias.name: f"kappacurve.{node.module}"
        for node in ast.walk(ast.parse(STUB.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
