"""One small run of the whole workflow, shared by all tests."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "config" / "small.yaml"


def _snakemake(folder, *arguments, config=SMALL, start=ROOT, code=0):
    """Run Snakemake in a folder, as its user would from the command line; all that it says."""
    command = [sys.executable, "-m", "snakemake", "--directory", folder]
    if config is not None:
        command += ["--configfile", *(config if isinstance(config, list) else [config])]
    command += ["--cores", "2", *arguments]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    # A machine may be very busy.
    done = subprocess.run(command, cwd=start, text=True, check=False, timeout=1800, **both)
    assert done.returncode == code, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def snakemake():
    return _snakemake


@pytest.fixture
def clone(tmp_path):
    """A copy of what a run, and who deploys the workflow, needs of the repository."""
    place = tmp_path / "place" / "clone"
    for name in ("config", "profiles", "src", "workflow"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Snakefile", "environment.yml", "pyproject.toml", "LICENSE", "CITATION.cff"):
        shutil.copy2(ROOT / name, place)
    return place


@pytest.fixture(scope="session")
def planned():
    """Jobs of a dry run, by what it says."""
    return lambda said: dict(re.findall(r"^(\w+) +(\d+)$", said, re.MULTILINE))


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
def run(shared):
    """The folder of a finished run; whoever asks first makes it, the others wait."""
    with _one_at_a_time(shared):
        if not (shared / "results/index.html").exists():
            _snakemake(shared)
    return shared
