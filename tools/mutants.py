"""How many small faults do the tests notice? `python tools/mutants.py ROOM... --number 10 --seed 1`

A mutant is one fault: a comparison with another edge, a sum for a difference, a mean for a sum, a
number one larger, a condition turned round. A sample of each room's is put, one at a time, into a
copy of the repository, in which the tests of that room run in their fixed order. The survivors are
told, and last a table of the killed by room. Without a room it lists them. A mutant that makes the
tests take five times as long is counted as killed. The same seed gives the same sample. What the
study's functions draw (where a line ends, how wide it is) is a room of its own.
"""

from __future__ import annotations

import argparse
import ast
import copy
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
STUDY = "studies/many-data-sets"
TESTS = "tests/kappacurve"
# Sources of a room, and its tests in their order, besides the examples in the docstrings of its
# folder. Tests that take a minute uncompiled are left out of the kernels'.
ROOMS = {
    "kernels": (
        "src/kappacurve/_kernels.py",
        [
            *(f"{TESTS}/test_{name}.py" for name in ("kernels", "measures", "operating", "kappa")),
            f"{TESTS}/inference/test_analytic.py",
            f"--deselect={TESTS}/test_kappa.py"
            "::test_exact_areas_of_one_row_of_a_class_in_a_million",
        ],
    ),
    "library": (  # what takes longest comes last
        "src/kappacurve/*.py",
        [
            f"{TESTS}/test_[!ei]*.py",
            f"{TESTS}/inference/test_*.py",
            f"{TESTS}/test_*.py",
            f"{TESTS}/cli/test_measure.py",  # what only the command asks for
        ],
    ),
    "bounds": (
        "src/kappacurve/bounds/**/*.py",
        [f"{TESTS}/bounds/test_*.py", f"{TESTS}/test_invariants.py"],
    ),
    **{
        name: (f"src/kappacurve/{name}/**/*.py", [f"{TESTS}/{name}/**/test_*.py"])
        for name in ("cli", "inference", "plots")
    },
    "explorer": (
        "src/kappacurve/explorer/**/*.py",
        [f"{TESTS}/test_explore*.py", f"{TESTS}/cli/test_strange_files.py"],
    ),
    **{
        f"study/{path.name}": (
            f"src/study/{path.name}/**/*.py",
            [f"tests/study/{path.name}/test_*.py"],
        )
        for path in sorted((ROOT / "tests/study").iterdir())
        if path.is_dir() and path.name != "__pycache__"
    },
    "study": ("src/study/*.py", ["tests/study/test_*.py"]),
    "scripts": (  # the whole run comes last
        "workflow/scripts/*.py",
        [
            "tests/workflow/test_scripts.py",
            "tests/study/data/test_uci.py",
            "tests/workflow/test_*.py",
        ],
    ),
    "many-data-sets": (f"{STUDY}/src/**/*.py", [f"{STUDY}/tests/test_*.py"]),
    "drawing": (
        f"src/study/**/*.py {STUDY}/src/**/*.py",
        [
            *(f"tests/study/{name}/test_*.py" for name in ("figures", "companions", "tables")),
            f"{STUDY}/tests/test_results.py",
        ],
    ),
    "tools": ("tools/*.py", ["tests/test_*.py"]),
}
UNCOMPILED = ("kernels",)  # numba would keep what it compiled before
OTHER_ROOMS = {"library": "_kernels.py"}
PYTEST = ["-x", "-q", "-m", "not slow"]
PYTEST += [part for name in ("randomly", "xdist", "cacheprovider") for part in ("-p", f"no:{name}")]
FORKS = multiprocessing.get_context("forkserver")
LOADED = "pytest numpy pandas scipy.stats scipy.linalg scipy.optimize sklearn.ensemble"
LOADED += " sklearn.linear_model sklearn.model_selection matplotlib.pyplot yaml jinja2 pydantic"
LEFT_OUT = (".venv*", "results", ".git", ".snakemake", "__pycache__", "quick", "_build")

COMPARE: dict[type, list[type]] = {
    **{ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.GtE]},
    **{ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt, ast.LtE]},
    **{ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.In: [ast.NotIn], ast.NotIn: [ast.In]},
    **{ast.Is: [ast.IsNot], ast.IsNot: [ast.Is]},
}
ARITHMETIC: dict[type, type] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.Mod: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}
PAIRS = "min max, any all, sum mean, floor ceil, nanmin nanmax, argmax argmin, idxmax idxmin, lt le"
PAIRS += ", gt ge, minimum maximum, cumsum cumprod, isfinite isnan, less less_equal, std var"
NAMES = {one: other for pair in PAIRS.split(", ") for one, other in [pair.split()]}
NAMES |= {other: one for one, other in NAMES.items()} | {"log": "log1p"}
WORDS = {"left": "right", "right": "left", "minority": "majority", "majority": "minority"}
DROPPED = {"side", "axis", "ddof", "observed", "how", "ascending", "dropna", "method", "sort"}
PLOTS = ("_plot", "_mark")  # how functions begin that draw
WRAPPERS = {"abs", "sqrt", "clip", "sorted", "round", "flip"}


class Mutant(NamedTuple):
    """Bytes start to end of a file are replaced by the text."""

    path: Path
    line: int
    start: int
    end: int
    text: str


def mutants_of(path: Path, drawing: bool | None = None) -> Iterator[Mutant]:
    """Every mutant of a file, of the functions that draw alone, or of all others.

    Docstrings, annotations, messages and f-strings have none.
    """
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while waiting:
        node, draws = waiting.pop()
        draws = draws or (isinstance(node, ast.FunctionDef) and _draws(node))
        waiting += [(part, draws) for part in _inside(node)]
        if drawing is not None and draws != drawing:
            continue
        changed = [(node, new) for new in _changes(node)]
        if isinstance(node, ast.If) and not _is_apart(node):
            changed.append((node.test, ast.UnaryOp(ast.Not(), node.test)))
        for at, new in changed:
            start = starts[at.lineno - 1] + at.col_offset  # type: ignore[attr-defined]
            end = starts[at.end_lineno - 1] + at.end_col_offset  # type: ignore[attr-defined]
            text = ast.unparse(new)
            if isinstance(new, ast.BinOp | ast.BoolOp | ast.Compare | ast.UnaryOp):
                text = f"({text})"
            yield Mutant(path, at.lineno, start, end, text)  # type: ignore[attr-defined]


def _draws(node: ast.FunctionDef) -> bool:
    """Whether a function makes a figure, or draws into one."""
    names = {argument.arg for argument in node.args.args}
    returned = ast.unparse(node.returns) if node.returns else ""
    return "Figure" in returned or bool(names & {"axes", "figure"}) or node.name[:5] in PLOTS


def _is_apart(node: ast.If) -> bool:
    return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")


def _inside(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that may be changed."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise | ast.JoinedStr):
        return []
    if isinstance(node, ast.If) and _is_apart(node):
        return []
    if isinstance(node, ast.FunctionDef):
        defaults = [default for default in node.args.kw_defaults if default]
        return [*node.args.defaults, *defaults, *node.body]
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value else []
    return list(ast.iter_child_nodes(node))


def _changes(node: ast.AST) -> Iterator[ast.expr]:
    """What an expression may become."""
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            for other in COMPARE.get(type(operator), []):
                new = copy.deepcopy(node)
                new.ops[i] = other()
                yield new
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        if not (isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)):
            yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, _other_values(node.value))
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield ast.Attribute(node.value, NAMES[node.attr], node.ctx)
    elif isinstance(node, ast.Name) and node.id in ("min", "max", "any", "all"):
        yield ast.Name(NAMES[node.id], node.ctx)
    elif isinstance(node, ast.Call):
        if ast.unparse(node.func).rpartition(".")[2] in WRAPPERS and node.args:
            yield node.args[0]
        for keyword in node.keywords:
            if keyword.arg in DROPPED:
                rest = [one for one in node.keywords if one is not keyword]
                yield ast.Call(node.func, node.args, rest)


def _other_values(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, *([value - 1] if value else [])]
    if isinstance(value, float):
        return [value * 1.1 if value else 0.1]
    return [WORDS[value]] if isinstance(value, str) and value in WORDS else []


class Copy:
    """A copy of the repository, in which the tests of one room run."""

    def __init__(self, room: str, folder: Path) -> None:
        patterns, tests = ROOMS[room]
        found = [path for pattern in patterns.split() for path in sorted(folder.glob(pattern))]
        self.sources = [path for path in found if path.name != OTHER_ROOMS.get(room)]
        self.drawing = room == "drawing" if "src/kappacurve" not in patterns else None
        self.folder = folder
        found = [path for test in tests for path in sorted(folder.glob(test))]
        self.tests = list(dict.fromkeys(str(path.relative_to(folder)) for path in found))
        # A file that is named would have its functions called test_... collected, a folder has not.
        folders = (one.partition("*")[0].rpartition("/")[0] for one in patterns.split())
        self.more = [one for one in folders if "src" in one.split("/")]
        self.more += [test for test in tests if test.startswith("--")]
        self.variables = {"PYTHONPATH": str(folder / "src")}
        if room in UNCOMPILED:
            self.variables["NUMBA_DISABLE_JIT"] = "1"

    def sample(self, number: int, seed: int) -> tuple[list[Mutant], int]:
        """So many of all mutants, and how many these are."""
        there = [mutant for path in self.sources for mutant in mutants_of(path, self.drawing)]
        random.Random(seed).shuffle(there)  # noqa: S311  a sample, no secret
        return there[:number], len(there)

    def kills(self, mutant: Mutant, seconds: float) -> bool:
        """Whether the tests notice."""
        source = mutant.path.read_bytes()
        changed = source[: mutant.start] + mutant.text.encode() + source[mutant.end :]
        mutant.path.write_bytes(changed)
        try:
            return not self.passes(seconds, mutant.path.stem.strip("_"))
        finally:
            mutant.path.write_bytes(source)

    def passes(self, seconds: float | None = None, first: str = "") -> bool:
        """Whether they pass in so much time of the CPU; those of that name come first."""
        tests = sorted(self.tests, key=lambda test: first not in Path(test).name)
        arguments = [*PYTEST, *tests, *self.more]
        given = (self.folder, self.variables, arguments, int(seconds or 0))
        child = FORKS.Process(target=_run_tests, args=given)
        child.start()
        child.join(seconds and 10 * seconds)
        if child.exitcode is None:
            os.killpg(child.pid or 0, signal.SIGKILL)
            child.join()
        return child.exitcode == 0


def _run_tests(folder: Path, variables: dict[str, str], arguments: list[str], limit: int) -> None:
    """Run pytest in a fork that has the large packages loaded, in silence."""
    os.setsid()  # what the tests start ends with them
    os.chdir(folder)
    os.environ |= variables
    if limit:  # of the CPU, whatever else the machine does
        # The bytecode of a mutant could be taken for that of the next one, so none is kept.
        sys.dont_write_bytecode = True
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.exit(pytest.main(arguments))


def examine(room: str, number: int, seed: int, folder: Path) -> str:
    """Try a room's sample, tell the survivors, and return the room's row of the table."""
    box = Copy(room, folder)
    started = time.monotonic()
    if not box.passes():
        sys.exit(f"the tests of {room} fail without a mutant: {' '.join(box.tests)}")
    seconds = 30 + 5 * (time.monotonic() - started)
    sample, there = box.sample(number, seed)
    killed = 0
    for mutant in sample:
        if box.kills(mutant, seconds):
            killed += 1
        else:
            before = mutant.path.read_bytes()[mutant.start : mutant.end].decode()
            told = f"{' '.join(before.split())[:70]} -> {mutant.text[:70]}"
            print(f"alive {mutant.path.relative_to(folder)}:{mutant.line}: {told}", flush=True)
    return f"| {room} | {there} | {len(sample)} | {killed} |"


def main() -> None:
    """Read the arguments; print survivors and table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], metavar="ROOM")
    parser.add_argument("--number", type=int, default=10, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if not chosen.rooms:
        print("\n".join(ROOMS))
        return
    FORKS.set_forkserver_preload(LOADED.split())
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "copy"
        shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        table = [examine(room, chosen.number, chosen.seed, folder) for room in chosen.rooms]
    print("| room | mutants | sampled | killed |", "|---|---|---|---|", *table, sep="\n")


if __name__ == "__main__":
    main()
