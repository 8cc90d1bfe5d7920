"""Imports run one way: the study's floors downwards, then the library, which knows no study."""

import ast
import importlib
from pathlib import Path
from types import FunctionType

import kappacurve

SRC = Path(__file__).parents[1] / "src"
SUBMODULES = ("algebra", "bounds", "inference", "io", "plots")
# From the bottom up; modules that stand beside the floors may be imported from anywhere.
FLOORS = (
    *("errors", "arrays", "parquet", "published", "data", "models"),
    *("replicates", "settings", "tables", "companions", "text", "paper", "figures"),
)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_public(parts):
    """Names of the package itself, or of a submodule that it lists."""
    if len(parts) == 1:
        return parts[0] in kappacurve.__all__
    return not parts or (parts[0] in SUBMODULES and not parts[1].startswith("_"))


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
                assert is_public(parts), f"{place} imports {name}"
            if package == "study" and parts and {floor, parts[0]} <= set(FLOORS):
                assert FLOORS.index(parts[0]) <= FLOORS.index(floor), f"{place} imports {name}"


def test_what_a_compiled_function_calls_stands_in_its_own_file():
    """By the content of that file alone numba's cache tells that a function changed."""
    compiled = 0
    for path in SRC.rglob("*.py"):
        if "numba" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(path.relative_to(SRC).with_suffix("").parts))
        for value in vars(module).values():
            kernel = getattr(value, "py_func", None) or getattr(value, "function", None)
            if isinstance(kernel, FunctionType) and kernel.__module__ == module.__name__:
                compiled += 1
                assert not list(called_elsewhere(kernel, path)), f"{path}: {kernel.__name__}"
    assert compiled > 15


def called_elsewhere(function, path):
    """Names in a compiled function, and in what it calls, of the packages' other files."""
    if Path(function.__code__.co_filename) != path:
        yield function.__name__
        return
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        value = getattr(value, "py_func", value)
        if getattr(value, "__name__", "").startswith(("kappacurve", "study")):  # a module
            yield name
        elif isinstance(value, FunctionType) and value is not function:
            yield from called_elsewhere(value, path)
