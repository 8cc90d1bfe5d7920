"""Copies of the checkout, and one small whole run shared by all tests."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["Snakefile", "environment.yml", "profiles", "config", "workflow", "src", "examples"]
COPIED += [f"studies/many-data-sets/{name}.csv" for name in ("results", "earlier_rounds")]
# What has the time in it.
VARYING = r"logs/.*|(data/)?provenance\.json"


@pytest.fixture(scope="session")
def snakemake():
    """Run Snakemake in a folder; all that it prints."""

    def run(folder, *arguments, config="small.yaml", code=0, **options):
        files = ["--configfile", config] if config else []
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments, *files]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(
            [str(word) for word in command], cwd=folder, text=True, check=False, **pipes, **options
        )
        assert done.returncode == code, done.stdout
        return done.stdout

    return run


@pytest.fixture(scope="session")
def plan(snakemake):
    """How many jobs of each rule a run would start."""

    def count_jobs(folder, *arguments, **options):
        text = snakemake(folder, "--dry-run", *arguments, **options)
        jobs = dict(re.findall(r"^(\w+) +(\d+)$", text, re.MULTILINE))
        return {name: int(jobs[name]) for name in jobs.keys() - {"all", "total"}}

    return count_jobs


def copy_checkout(place):
    """What a run needs of the repository; the config of the small run is small.yaml."""
    for name in COPIED:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            (place / name).symlink_to((ROOT / name).readlink())
        elif (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, place / name, ignore=ignored)
        else:
            shutil.copy2(ROOT / name, place / name)
    shutil.copy(ROOT / ".test/config/config.yaml", place / "small.yaml")
    return place


@pytest.fixture
def clone(tmp_path):
    """A copy of the checkout without results."""
    return copy_checkout(tmp_path / "clone")


@pytest.fixture(scope="session")
def run(tmp_path_factory, snakemake):
    """A copy of the checkout with a finished run; `printed` has what it said. Do not change it."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    place = base / "run"
    with (base / "lock").open("w") as lock:  # the first process makes it, the others wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "printed").exists():
            text = snakemake(copy_checkout(place))
            (place / "printed").write_text(text)
    return place


@pytest.fixture(scope="session")
def digests():
    """The SHA-256 of each file of a run by its path, but for those with the time in them."""

    def read(results):
        files = {path.relative_to(results).as_posix(): path for path in results.rglob("[!.]*")}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in files.items()
            if path.is_file() and not re.fullmatch(VARYING, name)
        }

    return read
