"""The recipe of CONTRIBUTING.md, followed in a copy: one entry, and the measure is everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
USED = """
import json, sys
import numpy as np, pandas as pd
from click.testing import CliRunner
from sklearn.base import BaseEstimator, ClassifierMixin
import kappacurve as kc
from kappacurve.cli.main import main
from study.labels import MEASURE_LABELS
from study.replicates.evaluation import evaluate_measures
from study.tables.comparison import interval_table

name, file = sys.argv[1:]
rows = pd.read_csv(file)
y, scores = rows["y"], rows[["a", "b"]]
printed = CliRunner().invoke(main, ["measure", file, "--label", "y", "--all"]).output
frame = pd.DataFrame({"minority": y, "model": "a", "score": scores["a"]})
compared = kc.compare(y, scores, n_resamples=40)
permuted = kc.paired_test(y, scores, measure=name, method="permutation", n_resamples=9)
class Model(ClassifierMixin, BaseEstimator):
    classes_ = np.array([0, 1])
    fitted_ = True
    def fit(self, X, y): ...
    def decision_function(self, X): return X
found = {
    "measures": kc.measures(y, scores["a"])[name],
    "weighted": kc.measures(y, scores["a"], sample_weight=np.full(len(y), 2))[name],
    "batch": kc.batch_measures(y, scores.to_numpy().T)[name][0],
    "scorer": kc.get_scorer(name)(Model(), scores["a"].to_numpy(), y),
    "compare": compared.measures.query("model == 'a' and measure == @name")["estimate"].item(),
    "verified": evaluate_measures(frame).query("curve == 'raw'")[name].iloc[0],
    "interval": list(kc.interval(y, scores["a"], measure=name, n_resamples=40)[2:4]),
    "tested": len(compared.tests.query("measure == @name").dropna(subset="p_value")),
    "permuted": permuted["a", "b"].p_value,
    "table": name in set(interval_table(compared)["measure"]),
    "label": MEASURE_LABELS[name],
    "printed": next(line for line in printed.splitlines() if line.startswith(MEASURE_LABELS[name])),
}
print(json.dumps(found, default=float))
"""


def test_one_entry_adds_a_measure_everywhere(tmp_path):
    for package in ("kappacurve", "study"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src" / package, tmp_path / package, ignore=ignored)
    text = (ROOT / "CONTRIBUTING.md").read_text()
    file, entry = re.search(
        r"### Add a measure\n.*?`src/(\S+)`.*?```python\n(.*?)```", text, re.DOTALL
    ).groups()
    table = tmp_path / file
    table.write_text(table.read_text().replace("MEASURES = {\n", "MEASURES = {\n" + entry, 1))
    noise = np.random.default_rng(2).normal(size=60)
    y = np.arange(60) % 4 == 0
    rows = pd.DataFrame({"y": y.astype(float), "a": noise + 0.5 * y, "b": noise + y})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    done = subprocess.run(
        [sys.executable, "-c", USED, re.match(r'\s*"(\w+)"', entry)[1], "rows.csv"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found, score = json.loads(done.stdout), rows["a"]
    expected = max(((score[y] >= cut).mean() + (score[~y] < cut).mean()) / 2 for cut in score)
    for where in ("measures", "weighted", "batch", "scorer", "compare", "verified"):
        assert found[where] == pytest.approx(expected, abs=1e-12), where
    low, high = found["interval"]
    assert 0.5 <= low <= expected <= high <= 1
    assert found["tested"] == 1 and 0 < found["permuted"] <= 1
    assert found["table"]
    assert f"{expected:.4f}" in found["printed"]
