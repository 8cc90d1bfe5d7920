"""Imports: of the experiment through one module; each rule names the modules of its script."""

import ast
import re
from pathlib import Path

HOUSE = Path(__file__).parents[1]
MODULES = HOUSE / "src" / "many_data_sets"


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def own_modules(path):
    """Modules of the study that a file imports, also indirectly."""
    found = {name.split(".")[1] for name in imports(path) if name.startswith("many_data_sets.")}
    for name in found - {"_experiment"}:
        found |= own_modules(MODULES / f"{name}.py")
    return found


def test_one_module_alone_imports_the_experiment():
    files = [*MODULES.glob("*.py"), *(HOUSE / "scripts").glob("*.py")]
    users = {file.stem for file in files for name in imports(file) if name.startswith("study")}
    assert users == {"_experiment"}


def test_each_rule_names_the_modules_behind_its_script():
    text = (HOUSE / "Snakefile").read_text(encoding="utf-8")
    rules = re.findall(r'code=code\((.*?)\).*?script:\s*"(.*?)"', text, re.DOTALL)
    assert len(rules) == text.count("    script:") == 8
    for named, script in rules:
        assert {*re.findall(r"\w+", named)} == own_modules(HOUSE / script) - {"_experiment"}
