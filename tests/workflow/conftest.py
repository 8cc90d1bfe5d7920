"""One small run of the whole workflow, shared by all tests."""

import fcntl
import hashlib
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
STUDY_TABLES = [f"studies/many-data-sets/{name}.csv" for name in ("results", "earlier_rounds")]
# Of a run: what has the time in it, and what depends on how replicates are cut into parts.
VARYING = r"logs/.*|data/provenance\.json|report\.html|.*\.parquet(/.*)?"


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
    for name in ("Snakefile", "environment.yml", *STUDY_TABLES):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
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
        if not (shared / "finished").exists():
            _snakemake(shared)
            (shared / "finished").touch()
    return shared


@pytest.fixture(scope="session")
def digests():
    """The SHA-256 of each file of a run, by its path, but for those that vary."""

    def found(results):
        files = {path.relative_to(results).as_posix(): path for path in results.rglob("*")}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in files.items()
            if path.is_file() and not re.fullmatch(VARYING, name) and path.name[0] != "."
        }

    return found
