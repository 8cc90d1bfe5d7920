from pathlib import Path

import pytest

from study.imports import ROOT, modules_used_by

SCRIPTS = sorted(path.stem for path in (ROOT / "workflow" / "scripts").glob("[a-z]*.py"))


def names(script):
    return {Path(path).stem for path in modules_used_by(script)}


def test_direct_and_indirect_imports_are_found():
    assert {"encoding", "german_credit", "errors"} <= names("encode_features")
    assert {"evaluation", "roc", "measures", "_validation"} <= names("compute_curves")


def test_published_numbers_come_along():
    assert "published" in names("make_tables")
    assert "published" not in names("train_models")


def test_modules_that_a_script_does_not_use_are_left_out():
    assert not {"figures", "registry", "uci"} & names("compute_curves")
    assert not {"evaluation", "measures"} & names("train_models")


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_uses_something_that_exists(script):
    files = modules_used_by(script)
    assert files
    assert all(Path(path).is_file() for path in files)
