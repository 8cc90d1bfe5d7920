"""Which files of the package a script uses.

Snakemake does not see what a script imports. The rules list these files as input, so that the
results are made anew when the code behind them changes, and only those.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "kappacurve"
PUBLISHED = ROOT / "src" / PACKAGE / "experiment" / "data" / "published.csv"


def modules_used_by(script: str) -> list[str]:
    """Paths of the package modules that a script imports, directly or through one another.

    Parameters
    ----------
    script : str
        Name of a file in ``workflow/scripts``, without ``.py``.
    """
    found: set[Path] = set()
    waiting = [ROOT / "workflow" / "scripts" / f"{script}.py"]
    while waiting:
        for module in _imports(waiting.pop()) - found:
            found.add(module)
            waiting.append(module)
    # The one file that the package reads beside its modules and the data set.
    if any(module.name == "tables.py" for module in found):
        found.add(PUBLISHED)
    return sorted(map(str, found))


@cache
def _imports(path: Path) -> frozenset[Path]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from package import name` may name a module or something inside one.
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return frozenset(
        file
        for name in names
        if name.startswith(f"{PACKAGE}.")
        and (file := ROOT / "src" / f"{name.replace('.', '/')}.py").is_file()
    )
