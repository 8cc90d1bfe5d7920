import doctest
import re
from importlib import import_module
from pathlib import Path

import matplotlib as mpl
import pytest

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"


def test_recipes_run_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpl.use("agg")
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0
    assert (tmp_path / "kappa.png").stat().st_size > 0


@pytest.mark.parametrize("name", re.findall(r"^\| `(kappacurve[\w.]*)`", PAGE.read_text(), re.M))
def test_listed_functions_exist_and_are_documented(name):
    module, _, function = name.rpartition(".")
    assert getattr(import_module(module), function).__doc__


def test_every_function_for_inference_is_listed():
    for module in ("kappacurve.inference", "kappacurve.display"):
        for name in import_module(module).__all__:
            if name not in ("Comparison", "Estimate"):
                assert f"`{module}.{name}`" in PAGE.read_text()
