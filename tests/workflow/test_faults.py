"""What goes wrong outside the program: one clear message, nothing half-written, and a good rerun.

A server that hangs, or sends half a file or another one: tests/experiment/test_uci.py. A file that
was changed by hand after the run: tests/test_verify_results.py. Bad settings: test_bad_configs.py.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIGS = [str(ROOT / "tests" / "config" / f"{name}.yaml") for name in ("small", "few_jobs")]
TABLE = "results/tables/table4.csv"
SCORES = "results/paper/scores.csv"
RECOVER = ["--unlock"], ["--rerun-incomplete"]


def command(folder, *arguments):
    return [
        *(sys.executable, "-m", "snakemake", "--cores", "2", "--directory", str(folder)),
        *(*arguments, "--configfile", *CONFIGS),
    ]


def start(folder, *arguments):
    """Snakemake at work, in a process group of its own."""
    return subprocess.Popen(
        command(folder, *arguments),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finish(folder, *arguments):
    """Exit code and all that was said."""
    working = start(folder, *arguments)
    said, _ = working.communicate(timeout=300)
    return working.returncode, said


def wait_for(condition, working, seconds=200):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert working.poll() is None, working.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def jobs_of(folder):
    """Processes that run a script for this folder, as `make recover` looks for them."""
    pattern = f"{folder}/.snakemake/scripts/"
    done = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True, check=False)
    return [int(line) for line in done.stdout.split()]


def results_of(folder):
    """Content of each result by its name; logs and benchmarks have times."""
    results = folder / "results"
    return {
        path.relative_to(results).as_posix(): path.read_bytes()
        for path in results.rglob("*")
        if path.is_file()
        and not {"logs", "benchmarks"} & set(path.parts)
        and path.name != "provenance.json"
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    code, said = finish(folder, TABLE)
    assert code == 0, said
    return folder


def test_recover_is_unlock_and_rerun_incomplete():
    recipe = re.search(r"^recover:.*?\n\n", (ROOT / "Makefile").read_text(), re.M | re.S)[0]
    assert all(flag in recipe for step in RECOVER for flag in step)
    assert "nolock" not in recipe


def test_recover_waits_for_jobs_that_outlived_a_run():
    """Such a job is a process that runs a script of this folder."""
    orphan = [sys.executable, "-c", "input()", f"{ROOT}/.snakemake/scripts/orphan.py"]
    # Nothing is installed: this environment may be another than .venv.
    recover = ["make", "--directory", str(ROOT), "--old-file", ".venv/.project", "recover"]
    with subprocess.Popen(orphan, stdin=subprocess.PIPE) as job:
        try:
            done = subprocess.run(recover, capture_output=True, text=True, check=False)
        finally:
            job.kill()
    assert done.returncode == 2
    assert "orphan.py" in done.stdout
    assert "These jobs of an earlier run still work." in done.stdout
    assert "snakemake --cores" not in done.stdout


def test_killed_in_three_phases_and_recovered_equals_undisturbed(undisturbed, tmp_path):
    """kill -9 while models are trained, while replicates are drawn, while tables are written."""
    logs = tmp_path / "results" / "logs"
    for phase in ("train_paper.log", "replicates/main/0.log", "tables.log"):
        working = start(tmp_path, *RECOVER[1], TABLE)
        wait_for((logs / phase).exists, working)
        os.killpg(working.pid, signal.SIGKILL)
        working.communicate()
        assert not (tmp_path / TABLE).exists()
        code, said = finish(tmp_path, *RECOVER[0])
        assert code == 0, said
    code, said = finish(tmp_path, *RECOVER[1], TABLE)
    assert code == 0, said
    assert results_of(tmp_path) == results_of(undisturbed)


def test_a_second_run_at_once_is_told_of_the_first(tmp_path):
    first = start(tmp_path, SCORES)
    wait_for((tmp_path / "results" / "logs").exists, first)
    code, said = finish(tmp_path, SCORES)
    assert code == 1
    assert "LockException" in said
    assert "Directory cannot be locked" in said
    assert "Traceback" not in said
    said, _ = first.communicate(timeout=200)
    assert first.returncode == 0, said


def test_a_job_killed_for_memory_leaves_nothing_half_written(undisturbed, tmp_path):
    """As the kernel does it when memory runs out: SIGKILL, to the job alone."""
    shutil.copytree(undisturbed / "results", tmp_path / "results")
    for made in (SCORES, "results/logs/train_paper.log"):
        (tmp_path / made).unlink()
    working = start(tmp_path, SCORES)
    wait_for((tmp_path / "results" / "logs" / "train_paper.log").exists, working)
    for job in jobs_of(tmp_path):
        os.kill(job, signal.SIGKILL)
    said, _ = working.communicate(timeout=200)
    assert working.returncode == 1
    assert re.search(r"train_models\.py' died with <Signals\.SIGKILL: 9>", said)
    assert not (tmp_path / SCORES).exists()
    code, said = finish(tmp_path, SCORES)
    assert code == 0, said
    assert (tmp_path / SCORES).read_bytes() == (undisturbed / SCORES).read_bytes()
    assert not list((tmp_path / "results").rglob(".draft*"))


@pytest.fixture
def small_disk(tmp_path):
    """A results folder on a disk of 40 kB."""
    folder = tmp_path / "results"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("a small disk needs the right to mount one")
    yield tmp_path
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_one_message(small_disk):
    code, said = finish(small_disk, "results/data/german_credit.csv")
    assert code == 1
    assert "No space left on device. Mend that, then run again." in said
    assert "Traceback" not in said
    assert not list((small_disk / "results").rglob("*.csv"))


def test_a_file_in_place_of_the_results_folder_is_named(tmp_path):
    """Rights do not bind root: a file, however, is no folder for anyone."""
    (tmp_path / "results").write_text("in the way")
    code, said = finish(tmp_path, "results/data/german_credit.csv")
    assert code == 1
    assert "results is a file, but a folder is needed: move the file away." in said
    assert "Traceback" not in said
    assert (tmp_path / "results").read_text() == "in the way"
