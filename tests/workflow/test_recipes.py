"""CONTRIBUTING's recipes, followed in a copy of the checkout by editing the named files alone."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def put(file, before, text):
    """Put a text before another one, which the file has once."""
    old = file.read_text(encoding="utf-8")
    assert old.count(before) == 1, f"{file.name} has {old.count(before)} of: {before}"
    file.write_text(old.replace(before, text + before), encoding="utf-8")


NEAREST = """\
def nearest(*, seed: int, neighbours: int = 5) -> Any:  # noqa: ARG001
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(neighbours)


"""
SETTINGS = "class Nearest(Section):\n    neighbours: HiddenUnits = 5\n\n\n"


def test_a_data_set_and_a_model(clone, snakemake):
    # A model of ours: two files.
    models = clone / "src/study/experiment/models.py"
    put(models, "MODELS: dict", NEAREST)
    put(models, "linear, logistic, neural_net,", "nearest, ")
    settings = clone / "src/study/settings.py"
    put(settings, "class OwnModel(Section)", SETTINGS)
    put(settings, "    linear: Linear | LeftOut", "    nearest: Nearest | LeftOut = False\n")
    # A data set: a config.
    data = {"source": "scikit-learn", "name": "breast_cancer"}
    config = {
        "data": data | {"target": "target", "positive": "malignant"},
        "models": {"linear": {}, "nearest": {"neighbours": 9}},
        "sweep": {"skew": [0.1], "replicates": 8},
    }
    (clone / "own.yaml").write_text(yaml.safe_dump(config))
    snakemake(clone, "results/tables/sweep.csv", config="own.yaml")
    table = pd.read_csv(clone / "results/tables/sweep.csv")
    assert set(table["model"]) == {"linear", "nearest"}


USED = """
import pandas as pd
import kappacurve as kc

rows = pd.read_csv("rows.csv")
y, scores, name = rows["y"], rows[["a", "b"]], "balanced_accuracy"
interval = kc.interval(y, scores["a"], measure=name, n_resamples=200)
tests = kc.paired_test(y, scores, measure=name, n_resamples=200)
print(kc.measures(y, scores["a"])[name], kc.batch_measures(y, scores.to_numpy().T)[name][0])
print(interval.low, interval.high, tests["a", "b"].p_value)
"""


def test_a_measure(clone):
    """By the code that CONTRIBUTING prints."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipe = text.partition("### Add a measure")[2]
    kernels = clone / "src/kappacurve/curves/kernels.py"
    fields = re.search(r"^FIELDS = \(.*?^\)\n", kernels.read_text(), re.DOTALL | re.MULTILINE)[0]
    added = fields.replace("\n)\n", '\n    "balanced_accuracy",\n)\n')
    line = re.search(r"```python\n(.*?)```", recipe, re.DOTALL)[1]
    kernels.write_text(kernels.read_text().replace(fields, added))
    put(kernels, "\n\n@compiled\ndef measure_classes", line)
    put(clone / "src/kappacurve/inference/limits.py", '"auch", "ks",', '"balanced_accuracy", ')
    noise = np.random.default_rng(2).normal(size=120)
    y = np.arange(120) % 4 == 0
    rows = pd.DataFrame({"y": y.astype(int), "a": noise + 0.5 * y, "b": noise + y})
    rows.to_csv(clone / "rows.csv", index=False)
    done = subprocess.run(
        [sys.executable, "-c", USED],
        cwd=clone,
        env=os.environ | {"PYTHONPATH": str(clone / "src"), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    value, of_batch, low, high, p_value = map(float, done.stdout.split())
    score = rows["a"]
    expected = max(((score[y] >= cut).mean() + (score[~y] < cut).mean()) / 2 for cut in score)
    assert [value, of_batch] == pytest.approx([expected, expected], abs=1e-12)
    assert 0 <= low <= expected <= high <= 1
    assert 0 < p_value <= 1
