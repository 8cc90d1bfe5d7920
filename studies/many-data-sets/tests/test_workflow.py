"""The workflow: what it plans, and a small run of three families."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

HOUSE = Path(__file__).parents[1]


def snakemake(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--directory", folder, "--cores", "2", *arguments]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, cwd=HOUSE, text=True, check=False, timeout=900, **both)


@pytest.fixture
def small(tmp_path):
    """A config of one family of scikit-learn, one of the user's and one that can't be had."""
    default = yaml.safe_load((HOUSE / "config/config.yaml").read_text(encoding="utf-8"))
    own = yaml.safe_load((HOUSE / "config/small.yaml").read_text(encoding="utf-8"))
    random = np.random.default_rng(0)
    score = random.normal(size=(800, 2))
    positive = score[:, 0] + random.normal(size=800) > 1
    table = pd.DataFrame(score, columns=["a", "b"]).assign(y=np.where(positive, "yes", "no"))
    table.to_csv(tmp_path / "mine.csv", index=False)
    mine = {"path": "mine.csv", "target": "y", "positive": "yes", "round": 1}
    gone = {"source": "uci", "id": 1, "target": "y", "positive": 1}
    own["families"] = dict.fromkeys(default["families"], False) | {"wdbc": {"tier": "A"}}
    own["families"] |= {"mine": mine, "gone": gone}
    own["uci"] = {"base_url": "http://127.0.0.1:9", "timeout_seconds": 5}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(own))
    return tmp_path / "own.yaml"


def test_a_config_is_planned_or_refused_in_a_sentence(tmp_path, small):
    plan = snakemake(tmp_path, "--configfile", small, "--dry-run")
    assert plan.returncode == 0 and "summarise_study" in plan.stdout, plan.stdout
    small.write_text("seed: 1\nseed: 2\n")
    refused = snakemake(tmp_path, "--configfile", small, "--dry-run")
    assert refused.returncode == 1
    assert "config key seed stands twice" in refused.stdout and "Traceback" not in refused.stdout


@pytest.mark.slow
def test_a_small_run_is_whole_and_stays(tmp_path, small):
    done = snakemake(tmp_path, "--configfile", small)
    assert done.returncode == 0, done.stdout
    results = tmp_path / "results"
    kept = {path.name for path in (HOUSE / "kept").glob("*.csv")}
    assert {path.name for path in results.glob("*.csv")} == kept | {
        "families.csv",
        "differences.csv",
    }
    assert "http://127.0.0.1:9" in (results / "families.csv").read_text()
    assert len([*(results / "figures").iterdir()]) == 15
    again = snakemake(tmp_path, "--configfile", small)
    assert "Nothing to be done" in again.stdout
    # Another family leaves the scores and samples of the others as they are.
    config = yaml.safe_load(small.read_text())
    config["families"]["second"] = config["families"]["mine"]
    small.write_text(yaml.safe_dump(config))
    plan = snakemake(tmp_path, "--configfile", small, "--dry-run").stdout
    for rule in ("score_family", "draw_samples"):
        assert re.search(rf"^{rule} +1$", plan, re.MULTILINE), plan
