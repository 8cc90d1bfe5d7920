"""The faults of tools/mutants.py, and that a test that notices kills."""

import ast

import mutants
import pytest
from mutants import ROOMS, ROOT, Copy, examine, mutants_of

SOURCE = '''"""Doc: 1 < 2."""
from a import b

if TYPE_CHECKING:
    n = 1
if b:
    raise ValueError(1 + 1)
def f(x: int = 3, *, y: float = 0.5) -> bool:
    """Doc: 1 < 2."""
    s: str
    n: list[1] = 0.0
    "é"; f"{n + 1}"; n = x < -5
    n = x <= y > z >= y == x != y
    n = x in y is z not in y is not x
    n = "%s" % x
    n = x + y - z * y
    n = x / y // z
    n = x ** y % z
    n = x & y | z
    n = (x and y) or z
    n = x if y else z
    n = True, "left", "minority", "lead"
    n = x.any, min(y), x.log, x.other
    n = other(abs(x)) + x.clip()
    n = f(x, axis=y, key=z, side=x)
'''
FAULTS = {
    6: {"b": ["(not b)"]},
    8: {"3": ["4", "2"], "0.5": ["0.55"]},
    11: {"0.0": ["0.1"]},
    12: {"x < -5": ["(x <= -5)", "(x > -5)"], "-5": ["5"], "5": ["6", "4"]},
    13: {
        "x <= y > z >= y == x != y": [
            *("(x < y > z >= y == x != y)", "(x >= y > z >= y == x != y)"),
            *("(x <= y >= z >= y == x != y)", "(x <= y < z >= y == x != y)"),
            *("(x <= y > z > y == x != y)", "(x <= y > z <= y == x != y)"),
            *("(x <= y > z >= y != x != y)", "(x <= y > z >= y == x == y)"),
        ]
    },
    14: {
        "x in y is z not in y is not x": [
            *("(x not in y is z not in y is not x)", "(x in y is not z not in y is not x)"),
            *("(x in y is z in y is not x)", "(x in y is z not in y is x)"),
        ]
    },
    16: {"x + y - z * y": ["(x + y + z * y)"], "x + y": ["(x - y)"], "z * y": ["(z / y)"]},
    17: {"x / y // z": ["(x / y * z)"], "x / y": ["(x * y)"]},
    18: {"x ** y % z": ["(x ** y * z)"], "x ** y": ["(x * y)"]},
    19: {"x & y | z": ["(x & y & z)"], "x & y": ["(x | y)"]},
    20: {"(x and y) or z": ["((x and y) and z)"], "x and y": ["(x or y)"]},
    21: {"x if y else z": ["z if y else x"]},
    22: {"True": ["False"], '"left"': ["'right'"], '"minority"': ["'majority'"]},
    23: {"x.any": ["x.all"], "min": ["max"], "x.log": ["x.log1p"]},
    24: {"other(abs(x)) + x.clip()": ["(other(abs(x)) - x.clip())"], "abs(x)": ["x"]},
    25: {"f(x, axis=y, key=z, side=x)": ["f(x, key=z, side=x)", "f(x, axis=y, key=z)"]},
}


def test_every_expression_outside_messages_has_its_faults(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(SOURCE, encoding="utf-8")
    source, found = path.read_bytes(), {}
    for _, line, start, end, text in mutants_of(path):
        before = source[start:end].decode()
        found.setdefault(line, {}).setdefault(before, []).append(text)
        changed = ast.parse(source[:start] + text.encode() + source[end:])
        assert ast.dump(changed) != ast.dump(ast.parse(source))
    assert found == FAULTS


def test_what_draws_is_a_room_of_its_own(tmp_path):
    path = tmp_path / "m.py"
    draw = ["one() -> Figure", "one(axes)", "one(x, figure)", "_plot_one()", "_mark_one()"]
    for head in (*draw, "_plottings()", "plot_one(x)", "one() -> int", "_pl()"):
        path.write_text(
            f"def {head}:\n    def two():\n        return 0\n    return two\n\nn = -x\n"
        )
        lines = [[mutant.line for mutant in mutants_of(path, kind)] for kind in (True, False)]
        assert lines == ([[3], [6]] if head in (*draw, "_plottings()") else [[], [6, 3]]), head


def test_every_room_has_sources_and_tests():
    boxes = {room: Copy(room, ROOT) for room in ROOMS}
    for room, box in boxes.items():
        assert box.sources and box.tests
        assert any(path.name == "_kernels.py" for path in box.sources) == (room == "kernels")
        assert ("NUMBA_DISABLE_JIT" in box.variables) == (room == "kernels")
    kinds = {room: boxes[room].drawing for room in ("drawing", "tools", "study/text", "library")}
    assert kinds == {"drawing": True, "tools": False, "study/text": False, "library": None}


def test_a_run_tells_survivors_and_counts_the_killed(tmp_path, monkeypatch, capfd):
    (tmp_path / "m.py").write_text("def f(x):\n    return x + 1\n")
    (tmp_path / "test_m.py").write_text("import m\n\ndef test():\n    assert 2 < m.f(2)\n")
    monkeypatch.setitem(ROOMS, "tiny", ("m.py", ["test_*.py"]))
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # for speed
    monkeypatch.setattr(mutants, "LOADED", "pytest")
    monkeypatch.setattr("sys.argv", ["mutants.py", "tiny", "--number", "3"])
    mutants.main()
    assert capfd.readouterr().out.splitlines() == [
        "alive m.py:2: 1 -> 2",
        *("| room | mutants | sampled | killed |", "|---|---|---|---|", "| tiny | 3 | 3 | 2 |"),
    ]
    (tmp_path / "test_m.py").write_text("while True:\n    pass\n")
    assert not Copy("tiny", tmp_path).passes(1)
    (tmp_path / "test_m.py").write_text("1 / 0")
    with pytest.raises(SystemExit, match=r"the tests of tiny fail without a mutant: test_m\.py"):
        examine("tiny", 1, 1, tmp_path)
    monkeypatch.setattr("sys.argv", ["mutants.py"])
    mutants.main()
    assert capfd.readouterr().out.split() == [*ROOMS]


def test_a_seed_gives_one_sample(tmp_path, monkeypatch):
    (tmp_path / "m.py").write_text("n = x < y < z < u\n")
    monkeypatch.setitem(ROOMS, "tiny", ("m.py", []))
    box = Copy("tiny", tmp_path)
    every, there = box.sample(9, 1)
    assert (len(every), there) == (6, 6)
    assert box.sample(2, 1) == (every[:2], 6) != box.sample(2, 3)
