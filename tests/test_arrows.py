"""What the study imports of the library, and that a job runs again when what it imports changed.

That layers import downwards alone is checked by lint-imports (make style).
"""

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from types import FunctionType

import pytest

import kappacurve

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
RULES = "\n".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
# What the study may use of the library beside its public names.
OPEN = ("kappacurve.plots.style", "kappacurve.curves.bounds", "kappacurve.files.scores")


@cache
def list_imports(path):
    """Dotted names that a file imports, in functions too: of `from a import b` it is a.b."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.relative_to(SRC).parts[: -node.level] if node.level else ()
            module = ".".join([*package, *filter(None, [node.module])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.startswith(("kappacurve.", "study."))}


def find_file(name):
    """The file in src that holds a name; of the library's public names, where each is defined."""
    package, _, public = name.partition(".")
    if package == "kappacurve" and public in kappacurve.__all__:
        name = getattr(kappacurve, public).__module__
    path = SRC.joinpath(*name.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py", path.parent.with_suffix(".py"))
    return next(filter(Path.is_file, files), None)


def list_code(path):
    """The files in src that a script needs."""
    found, waiting = set(), [path]
    while waiting:
        files = {find_file(name) for name in list_imports(waiting.pop())} - found - {None}
        found |= files
        waiting += files
    return {path.relative_to(SRC).as_posix() for path in found if path.name != "__init__.py"}


def test_the_study_uses_the_public_library():
    public = {f"kappacurve.{name}" for name in (*kappacurve.__all__, "__version__")}
    for path in (SRC / "study").rglob("*.py"):
        used = {name for name in list_imports(path) if name.startswith("kappacurve.")}
        private = {name for name in used - public if name.rpartition(".")[0] not in OPEN}
        assert not private, path


LAYERS = eval(re.search(r"^LAYERS = (\{.*?^\})", RULES, re.DOTALL | re.MULTILINE)[1])  # noqa: S307
JOBS = re.findall(r'code_of\("(\w+)"\),\n    message:.*?scripts/(\w+)\.py"', RULES, re.DOTALL)


@pytest.mark.parametrize(("layer", "script"), sorted(set(JOBS)), ids=lambda name: name)
def test_the_hash_of_a_rule_holds_all_that_its_script_imports(layer, script):
    below = list(LAYERS)[: list(LAYERS).index(layer) + 1]
    hashed = [path for name in below for path in LAYERS[name]]
    code = list_code(ROOT / f"workflow/scripts/{script}.py")
    if layer == "tables":  # a comparison can draw a page of itself, which no table needs
        code -= {"kappacurve/explorer/page.py"}
    assert code
    assert {name for name in code if not name.startswith(tuple(hashed))} == set()


def test_what_a_compiled_function_calls_stands_in_its_own_file():
    """By the content of that file alone numba's cache tells that a function changed."""
    compiled = 0
    for path in SRC.rglob("*.py"):
        if "numba" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(path.relative_to(SRC).with_suffix("").parts))
        for value in vars(module).values():
            kernel = getattr(value, "py_func", None)
            if isinstance(kernel, FunctionType) and kernel.__module__ == module.__name__:
                compiled += 1
                assert not list(list_calls_elsewhere(kernel, path)), f"{path}: {kernel.__name__}"
    assert compiled > 15


def list_calls_elsewhere(function, path):
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
            yield from list_calls_elsewhere(value, path)
