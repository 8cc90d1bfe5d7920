"""What goes wrong outside the program: clear messages, nothing half-written, and a good rerun.

A server that hangs, or sends half a file or another one: tests/study/data/test_uci.py.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "config" / "small.yaml"
SCORES = "results/paper/scores.csv"
LONG = 1200  # seconds: a machine may be very busy


def end(run):
    """Kill a run and its jobs, if there are any left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    run.stdout.close()


@pytest.fixture
def start():
    """Starts Snakemake in a process group of its own; what a failed test leaves is ended."""
    with contextlib.ExitStack() as runs:

        def start(folder, target):
            command = [sys.executable, "-m", "snakemake", "--cores", "2", "--directory", folder]
            command += [target, "--configfile", SMALL]
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            run = subprocess.Popen(command, cwd=ROOT, start_new_session=True, **pipes)
            runs.callback(end, run)
            return run

        yield start


def wait_for(condition, run, seconds=LONG):
    end_of_patience = time.monotonic() + seconds
    while not (found := condition()):
        assert run is None or run.poll() is None, run.stdout.read()
        assert time.monotonic() < end_of_patience
        time.sleep(0.005)
    return found


def jobs_of(folder, script):
    """Processes that run a script for this folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            words = entry.read_bytes().decode(errors="replace").split("\0")
            if f"{folder}/.snakemake/scripts/" in " ".join(words) and "python" in words[0]:
                found += [int(entry.parent.name)] * (f"{script}.py" in " ".join(words))
    return found


def files_of(folder):
    """What a run has made, by name, without what has the time in it."""
    results = folder / "results"
    made = (path for path in results.rglob("*") if path.is_file())
    names = {path.relative_to(results).as_posix(): path.read_bytes() for path in made}
    return {name: content for name, content in names.items() if not re.match(TIMED, name)}


TIMED = r"logs/|data/provenance\.json"
TABLES = ["results/tables/table4.csv", "results/replicates/scores.parquet/part-00000.parquet"]
EDIT = "experiment: {scaling: standard}\nreplicates: {per_job: 12}\n"


@pytest.mark.slow
@pytest.mark.parametrize("killed", ["Snakemake", "Snakemake and its jobs"])
def test_a_run_that_was_killed_and_changed_ends_as_a_new_one(tmp_path, start, snakemake, killed):
    """While replicates are drawn; no job goes on to write what belongs to the old config."""
    folder = tmp_path / "killed"
    run = start(folder, TABLES[0])
    wait_for((folder / "results/logs/draw_replicates/00000.log").exists, run)
    assert jobs_of(folder, "draw_replicates")
    if killed == "Snakemake":
        run.kill()
    else:
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    wait_for(lambda: not jobs_of(folder, "draw_replicates"), None, seconds=5)
    (tmp_path / "edit.yaml").write_text(EDIT)
    changed = {"config": [SMALL, tmp_path / "edit.yaml"]}
    assert snakemake(folder, "--unlock", **changed).returncode == 0
    for place in (folder, tmp_path / "new"):
        done = snakemake(place, *TABLES, **changed)
        assert done.returncode == 0, done.stdout
    ended, new = files_of(folder), files_of(tmp_path / "new")
    # A part that the new config doesn't name may be left; nothing reads it.
    left = {name for name in ended.keys() - new.keys() if "/part-" not in name}
    assert left == set()
    assert {name: ended[name] for name in new} == new


@pytest.mark.slow
def test_a_job_killed_for_memory_leaves_nothing_half_written(tmp_path, start, snakemake):
    """As the kernel does it when memory runs out: SIGKILL, to the job alone."""
    log = tmp_path / "results/logs/split.log"
    run = start(tmp_path, SCORES)
    wait_for(log.exists, run)
    os.killpg(run.pid, signal.SIGSTOP)  # it can't go on while this test looks
    jobs = jobs_of(tmp_path, "draw_split")
    assert jobs
    for job in jobs:
        os.kill(job, signal.SIGKILL)
    os.killpg(run.pid, signal.SIGCONT)
    said, _ = run.communicate(timeout=LONG)
    assert run.returncode == 1
    assert re.search(r"draw_split\.py' died with <Signals\.SIGKILL: 9>", said)
    assert not (tmp_path / SCORES).exists()
    done = snakemake(tmp_path, SCORES)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def refused(tmp_path, snakemake):
    def said(text):
        (tmp_path / "my.yaml").write_text(text)
        done = snakemake(tmp_path / "work", "--dry-run", config=tmp_path / "my.yaml")
        assert done.returncode == 1
        assert "Traceback" not in done.stdout
        assert not (tmp_path / "work" / "results").exists()
        return done.stdout

    return said


def test_snakemake_shows_every_sentence(refused):
    text = "sede: 1\nmodels: {neural_net: {hidden_units: 0}, mine: {estimator: os.system}}"
    said = refused(text)
    assert said.count("config key sede is unknown; did you mean seed?") == 1
    assert said.count("config key models.neural_net.hidden_units is 0: Input should be") == 1
    assert said.count("config key models.mine: estimator os.system is") == 1


@pytest.mark.slow
def test_snakemake_runs_no_program_of_a_config(refused):
    assert refused("__use_yte__: true\nseed: ?1 + 2").count("config key __use_yte__ in") == 1
