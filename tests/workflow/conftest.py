"""One small whole run, in a copy of the checkout, shared by all tests."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUDY_TABLES = [f"studies/many-data-sets/{name}.csv" for name in ("results", "earlier_rounds")]
# Of a run: what has the time in it, and what depends on how replicates are cut into parts.
VARYING = r"(.*/)?logs/.*|data/provenance\.json|report\.html|replicates/.*"


def _snakemake(folder, *arguments, config="small.yaml", start=None, code=0):
    """Run Snakemake in a folder, as from the command line; all that it prints."""
    command = [sys.executable, "-m", "snakemake", "--directory", folder, "--cores", "2"]
    command += arguments
    if config is not None:
        command += ["--configfile", *(config if isinstance(config, list) else [config])]
    done = subprocess.run(
        command,
        cwd=start or folder,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=1800,  # a machine may be very busy
    )
    assert done.returncode == code, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def snakemake():
    return _snakemake


def _copy_checkout(place):
    """What a run, and who deploys the workflow, needs of the repository; and small.yaml."""
    for name in ("config", "profiles", "src", "workflow"):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, place / name, ignore=ignored)
    for name in ("Snakefile", "environment.yml", *STUDY_TABLES):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    shutil.copy(ROOT / "tests/config/small.yaml", place)
    return place


@pytest.fixture
def clone(tmp_path):
    """A copy of the checkout without results."""
    return _copy_checkout(tmp_path / "clone")


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A copy of the checkout with a finished run; the first process makes it, others wait."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "run"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (folder / "finished").exists():
            (folder / "finished").write_text(_snakemake(_copy_checkout(folder / "clone")))
    return folder / "clone"


@pytest.fixture
def moved(run, tmp_path):
    """The finished run and its checkout at another place."""
    return shutil.copytree(run, tmp_path / "elsewhere" / "clone")


@pytest.fixture(scope="session")
def planned():
    """Jobs of a dry run by rule, from what it prints."""
    return lambda text: {
        name: int(count)
        for name, count in re.findall(r"^(\w+) +(\d+)$", text, re.MULTILINE)
        if name not in ("all", "total")
    }


@pytest.fixture(scope="session")
def digests():
    """The SHA-256 of each file of a run by its path, but for those that vary."""

    def read(results):
        files = {path.relative_to(results).as_posix(): path for path in results.rglob("*")}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in files.items()
            if path.is_file() and not re.fullmatch(VARYING, name) and path.name[0] != "."
        }

    return read
