"""One small whole run, in a copy of the checkout, shared by all tests."""

import fcntl
import hashlib
import json
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
VARYING = r"(.*/)?logs/.*|(data/)?provenance\.json|report\.html|replicates/.*"


def pytest_collection_modifyitems(items):
    """The small run starts first: it is the longest, and with two processes none waits for it."""
    items.sort(key=lambda item: "run" not in getattr(item, "fixturenames", ()))


def _list_arguments(folder, arguments, config):
    files = [] if config is None else ["--configfile", config]
    return [*map(str, ["--directory", folder, "--cores", "2", *arguments, *files])]


def _snakemake(folder, *arguments, config="small.yaml", start=None, code=0, **options):
    """Run Snakemake in a folder, as from the command line; all that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *_list_arguments(folder, arguments, config)],
        cwd=start or folder,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=1800,  # a machine may be very busy
        **options,
    )
    assert done.returncode == code, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def snakemake():
    return _snakemake


# Most of a plan's time goes into imports, so each is made by a fork of a process that has them.
PLANS = """
import json, os, sys
import sklearn.naive_bayes, snakemake.cli

for line in sys.stdin:
    folder, printed, arguments = json.loads(line)
    if os.fork() == 0:
        os.chdir(folder)
        file = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1), os.dup2(file, 2)
        snakemake.cli.main(["--dry-run", *arguments])
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


@pytest.fixture(scope="session")
def plan(tmp_path_factory):
    """Plan a run of a folder: how many jobs of each rule it would start."""
    printed = tmp_path_factory.mktemp("plans") / "printed"
    command = [sys.executable, "-P", "-c", PLANS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:

        def count_jobs(folder, *arguments, config="small.yaml", start=None):
            words = _list_arguments(folder, arguments, config)
            print(json.dumps([str(start or folder), str(printed), words]), file=process.stdin)
            process.stdin.flush()
            code, text = process.stdout.readline(), printed.read_text()
            assert code == "0\n", text
            return read_jobs(text)

        yield count_jobs
        process.stdin.close()


def read_jobs(text):
    """Jobs by rule in the table that Snakemake prints."""
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", text, re.MULTILINE))
    return {name: int(jobs[name]) for name in jobs.keys() - {"all", "total"}}


def _copy_checkout(place):
    """What a run, and who deploys the workflow, needs of the repository; and small.yaml."""
    for name in ("config", "profiles", "src", "workflow"):
        # With numba's cache, which knows a file by its date: to compile again takes half a minute.
        ignored = shutil.ignore_patterns("*.pyc*", "*.tmp.*", "*.egg-info")
        shutil.copytree(ROOT / name, place / name, ignore=ignored)
    for name in ("Snakefile", "environment.yml", *STUDY_TABLES):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    shutil.copy(ROOT / ".test/config/config.yaml", place / "small.yaml")
    return place


@pytest.fixture
def clone(tmp_path):
    """A copy of the checkout without results."""
    return _copy_checkout(tmp_path / "clone")


@pytest.fixture(scope="session")
def make_once(tmp_path_factory):
    """Makes a folder in the first process that asks for it; the others wait."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name, fill):
        folder = base / name
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not (folder / "finished").exists():
                (folder / "finished").write_text(fill(folder))
        return folder

    return make


@pytest.fixture(scope="session")
def run(make_once):
    """A copy of the checkout with a finished run."""
    return make_once("run", lambda folder: _snakemake(_copy_checkout(folder / "clone"))) / "clone"


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
