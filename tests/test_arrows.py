"""A job runs again when what it imports has changed. Arrows between modules: make style."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

from study.code import DRAWS, SOURCE, list_code, without_sentences
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.experiment.models import MODELS
from study.experiment.scenarios import make_scenarios
from study.settings import read_config

# Draws a replicate with every model, as the script does, and prints the files that are loaded.
DRAW = """
import json, sys

import draw_replicates

setting, folder = json.loads(sys.argv[1]), sys.argv[2]
features = f"{folder}/features.csv"
paths = {"measures": f"{folder}/measures.parquet", "scores": f"{folder}/scores.parquet"}
draw_replicates.draw_chunk(features=features, setting=setting, seed=1, **paths)
print(json.dumps([getattr(module, "__file__", None) for module in [*sys.modules.values()]]))
"""


def test_the_hash_of_draws_holds_the_modules_that_a_draw_loads(tmp_path):
    setting = make_scenarios(read_config({}))["paper"]
    models = {name: read_config({})["models"][name] for name in MODELS}
    setting |= {"models": models, "first": 0, "last": 1}
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    features.to_csv(tmp_path / "features.csv", index=False)
    paths = [str(SOURCE), str(SOURCE.parent / "workflow/scripts")]
    code = f"import sys; sys.path[:0] = {paths}\n{DRAW}"
    command = [sys.executable, "-c", code, json.dumps(setting), tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    files = {Path(file) for file in json.loads(done.stdout) if file}
    loaded = {path for path in files if path.is_relative_to(SOURCE) and path.name != "__init__.py"}
    assert len(loaded) > 12
    assert loaded <= set(list_code(DRAWS))


CODE = '''
"""A docstring of a module."""


def halve(value):
    """Half of it."""
    if value < 0:  # a comment
        raise ValueError(f"{value:.1f} is below zero", "code")
    log.warning("half of %s", value)
    return value / 2, "a b"
'''


@pytest.mark.parametrize(
    ("text", "edited", "is_seen"),
    [
        ("A docstring of", "Of", False),
        ("Half of it", "One half", False),
        ("  # a comment", "", False),
        ("is below zero", "is negative", False),
        ("half of", "one half of", False),
        ("value / 2", "value / 3", True),
        ("a b", "a c", True),
        ("code", "key", True),
        ("ValueError", "TypeError", True),
        ("value:.1f", "value:.2f", True),
    ],
)
def test_a_hash_of_draws_sees_what_code_does_and_not_what_it_says(text, edited, is_seen):
    assert CODE.count(text) >= 1
    hashed = [without_sentences(code.encode()) for code in (CODE, CODE.replace(text, edited))]
    assert (hashed[0] != hashed[1]) == is_seen


def test_what_a_compiled_function_calls_stands_in_its_own_file():
    """By the content of that file alone numba's cache tells that a function changed."""
    compiled = 0
    for path in SOURCE.rglob("*.py"):
        if "numba" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))
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
