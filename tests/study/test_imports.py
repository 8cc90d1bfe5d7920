from pathlib import Path

from study.imports import ROOT, modules_used_by

SCRIPTS = sorted(path.stem for path in (ROOT / "workflow" / "scripts").glob("[a-z]*.py"))


def names(script):
    return {Path(path).stem for path in modules_used_by(script)}


def test_direct_and_indirect_imports_are_found():
    assert {"encoding", "german_credit", "errors"} <= names("download_german_credit")
    # Those behind public names of the library, too, which are loaded when first used.
    assert {"evaluation", "roc", "measures", "_validation"} <= names("draw_split")


def test_published_numbers_come_along():
    assert "published" in names("make_tables")
    assert "published" not in names("draw_split")


def test_modules_that_a_script_does_not_use_are_left_out():
    assert not {"figures", "registry", "uci"} & names("make_tables")
