"""One small run of the whole workflow, data sets of a user's own included, shared by all tests."""

import fcntl
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "config" / "small.yaml"
SICK, WELL = "sick <b>", "well & $fine_"


def _snakemake(folder, *arguments, config=SMALL, start=ROOT):
    """Run Snakemake in a folder, as its user would from the command line; all it says is stdout."""
    command = [sys.executable, "-m", "snakemake", "--directory", folder]
    if config is not None:
        command += ["--configfile", *(config if isinstance(config, list) else [config])]
    command += ["--cores", "2", *arguments]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    # A machine may be very busy.
    return subprocess.run(command, cwd=start, text=True, check=False, timeout=1800, **both)


@pytest.fixture(scope="session")
def snakemake():
    return _snakemake


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A folder that all processes of the tests have in common."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "run"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def _one_at_a_time(folder):
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def configs(shared):
    """The config files of the run, and the files of a user that they name."""
    with _one_at_a_time(shared):
        if not (shared / "own.yaml").exists():
            _write_own(shared)
    return [SMALL, shared / "own.yaml"]


def _write_own(folder):
    rng = np.random.default_rng(3)
    _own_table(rng).to_csv(folder / "clinic.csv", sep=";", index=False)
    clinic = {"source": "file", "path": str(folder / "clinic.csv"), "target": "state"}
    clinic |= {"positive": SICK, "drop": ["id"], "missing": "impute", "skew": 0.2}
    clinic |= {"models": ["linear", "bayes"], "replicates": 3, "prevalence": 0.02}
    bayes = {"estimator": "sklearn.naive_bayes.GaussianNB"}
    own = {"datasets": {"clinic": clinic}, "models": {"bayes": bayes}}
    (folder / "own.yaml").write_text(yaml.safe_dump(own, sort_keys=False))


def _own_table(rng):
    """A table with everything that may go wrong: holes, categories, an odd name, a number."""
    n = 160
    sick = np.arange(n) % 4 == 0
    table = pd.DataFrame({"id": np.arange(n), "dose": (rng.normal(size=n) + sick).round(3)})
    table["sex"], table["positive"] = rng.choice(["f", "m"], n), rng.integers(0, 2, n)
    table["state"] = np.where(sick, SICK, WELL)
    table.loc[rng.choice(n, 9, replace=False), "dose"] = np.nan
    table.loc[rng.choice(n, 5, replace=False), "sex"] = None
    return table


@pytest.fixture(scope="session")
def run(shared, configs):
    """The folder of a finished run; whoever asks first makes it, the others wait."""
    with _one_at_a_time(shared):
        if not (shared / "results/manifest.json").exists():
            done = _snakemake(shared, config=configs)
            assert done.returncode == 0, done.stdout
    return shared
