"""The faults of tools/mutants.py, and that a test that notices kills."""

from mutants import ROOMS, ROOT, Copy, mutants_of

SOURCE = '''"""Doc: 1 < 2."""
from a import b

def f(x: int = 3) -> bool:
    if b:
        raise ValueError(x + 1)
    return max(x, 0.5) <= 2 and not b.sum(axis=0)
'''
LAST = "    return max(x, 0.5) <= 2 and not b.sum(axis=0)"


def test_every_expression_outside_messages_has_its_faults(tmp_path):
    (tmp_path / "m.py").write_text(SOURCE)
    found = {
        (mutant.line, SOURCE[mutant.start : mutant.end], mutant.text)
        for mutant in mutants_of(tmp_path / "m.py")
    }
    assert {fault for fault in found if fault[0] < 7} == {
        (4, "3", "4"),
        (4, "3", "2"),
        (5, "b", "(not b)"),
    }
    whole = "max(x, 0.5) <= 2"
    expected = {
        (whole, "(max(x, 0.5) < 2)"),
        (whole, "(max(x, 0.5) >= 2)"),
        (LAST.strip().removeprefix("return "), f"({whole} or not b.sum(axis=0))"),
        ("not b.sum(axis=0)", "b.sum(axis=0)"),
        ("b.sum(axis=0)", "b.sum()"),
        ("b.sum", "b.mean"),
        ("max", "min"),
    }
    assert expected <= {fault[1:] for fault in found if fault[0] == 7}


def test_what_draws_is_a_room_of_its_own(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("def one() -> Figure:\n    return 1\n\ndef two():\n    return 1\n")
    lines = [[mutant.line for mutant in mutants_of(path, kind)] for kind in (True, False)]
    assert lines == [[2, 2], [5, 5]]


def test_every_room_has_sources_and_tests():
    for room in ROOMS:
        box = Copy(room, ROOT)
        assert box.sources and box.tests
