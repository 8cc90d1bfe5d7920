"""Public names: what the package loads on first use is what its stub tells type checkers."""

import ast
from pathlib import Path

import pytest

import kappacurve

STUB = Path(kappacurve.__file__).with_suffix(".pyi")


def test_a_public_name_is_loaded_from_where_the_stub_has_it():
    nodes = ast.parse(STUB.read_text()).body
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    modules = {alias.asname: node.module for node in imports for alias in node.names}
    assert sorted(modules) == kappacurve.__all__
    for name, module in modules.items():
        assert getattr(kappacurve, name).__module__ == f"kappacurve.{module}", name


def test_an_old_name_says_the_new_one():
    with pytest.raises(AttributeError, match="PairedTest"):
        kappacurve.Comparison  # noqa: B018
    with pytest.raises(ImportError, match="no_such_name"):
        from kappacurve import no_such_name  # noqa: F401
