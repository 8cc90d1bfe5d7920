import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from kappacurve import plan_sample_size
from kappacurve.cli.main import main

EXPECTED = ["--correlation", "0.6", "--prevalence", "0.05", "--ratio", "10"]


def run(*arguments):
    return CliRunner().invoke(main, ["plan", *map(str, arguments)])


def test_two_expected_areas():
    done = run("--auc", 0.75, "--auc", 0.80, *EXPECTED, "--power", 0.8)
    assert done.exit_code == 0
    plan = plan_sample_size((0.75, 0.80), correlation=0.6, prevalence=0.05, ratio=10)
    for name, size in plan.items():
        (line,) = [line for line in done.output.splitlines() if line.startswith(name.upper())]
        assert line.split()[2:4] == [str(size.n_positive), str(size.n_negative)]


def test_a_pilot_file(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [90, 30])
    rows = pd.DataFrame({"y": y, "a": y + rng.normal(size=120), "b": -y + 2 * rng.normal(size=120)})
    rows.to_csv(tmp_path / "pilot.csv", index=False)
    given = [tmp_path / "pilot.csv", "--label", "y", "--score", "a", "--score", "b", "--lower", "b"]
    found = json.loads(run(*given, "--half-width", 0.05, "--json").output)
    plan = plan_sample_size(y_true=y, y_score={"a": rows.a, "b": -rows.b}, half_width=0.05)
    assert found["auk"] == pytest.approx(plan["auk"]._asdict())
    assert found["auc"]["n_negative"] == 3 * found["auc"]["n_positive"]
