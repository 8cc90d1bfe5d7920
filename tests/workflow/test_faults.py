"""What goes wrong outside the program: one sentence, nothing half-written, and a good rerun.

A run that is killed: test_run.py. A server that hangs, or sends half a file or another one:
tests/study/data/test_uci.py.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit

import pytest

PART = "results/replicates/paper/built_in-0000.parquet"


@pytest.fixture
def start(clone):
    """Starts Snakemake in a process group of its own; what a failed test leaves is ended."""
    started = []

    def start(*arguments, **options):
        command = [sys.executable, "-m", "snakemake", "--configfile", "small.yaml"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        command += ["--cores", "2", *arguments]
        process = subprocess.Popen(command, cwd=clone, start_new_session=True, **pipes, **options)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()


def wait_for(condition, process):
    while not (found := condition()):
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.005)
    return found


def find_jobs(folder, script):
    """Process ids of the jobs that run a script for this folder."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            program, *words = entry.read_bytes().decode(errors="replace").split("\0")
            place = f"{folder}/.snakemake/scripts/"
            if "python" in program and any(place in word and script in word for word in words):
                yield int(entry.parent.name)


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_leaves_nothing_half_written(
    run, clone, start, snakemake, digests
):
    for limit, target in ((60_000, "results/data/table.csv"), (20_000, PART)):
        limits = partial(setrlimit, RLIMIT_FSIZE, (limit, RLIM_INFINITY))
        limited = start(target, preexec_fn=limits)
        printed, _ = limited.communicate(timeout=1200)
        assert limited.returncode == 1
        assert "File too large. Fix that, then run again." in printed
        assert "Traceback" not in printed
        assert not (clone / target).exists()
        snakemake(clone, target)
        assert digests(clone / "results").items() <= digests(run / "results").items()
        assert (clone / target).read_bytes() == (run / target).read_bytes()


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


def test_a_folder_of_results_that_is_read_only_is_refused(clone):
    """Mounted so, because no rights bind root, who runs tests in containers."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("needs the right to mount a folder (root)")
    results = clone / "results"
    results.mkdir()
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, results, sys.executable, "-m"]
    command += ["snakemake", "--cores", "1", "--configfile", "small.yaml"]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the folder results can't be written to: change its rights." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_second_run_in_one_folder_is_refused_and_a_job_out_of_memory_is_run_again(
    run, clone, start, snakemake
):
    """A job ends as when memory runs out: SIGKILL, to the job alone."""
    process = start(PART)
    log = clone / "results/logs/draw_replicates/paper/built_in-0000.log"
    wait_for(log.exists, process)
    os.killpg(process.pid, signal.SIGSTOP)  # it can't go on while this test looks
    assert "Directory cannot be locked" in snakemake(clone, PART, code=1)
    jobs = [*find_jobs(clone, "draw_replicates")]
    assert jobs
    for job in jobs:
        os.kill(job, signal.SIGKILL)
    os.killpg(process.pid, signal.SIGCONT)
    printed, _ = process.communicate(timeout=1200)
    assert process.returncode == 1
    assert re.search(r"draw_replicates\.py' died with <Signals\.SIGKILL: 9>", printed)
    assert not (clone / PART).exists()
    snakemake(clone, PART)
    assert (clone / PART).read_bytes() == (run / PART).read_bytes()


def test_a_bad_config_ends_before_the_first_job_with_all_its_sentences(clone, snakemake):
    (clone / "my.yaml").write_text("sede: 1\nmodels: {neural_net: {hidden_units: 0}, mine: {}}")
    printed = snakemake(clone, "--dry-run", config="my.yaml", code=1)
    for sentence in (
        "config key sede is unknown; did you mean seed?",
        "config key models.neural_net.hidden_units is 0: it should be greater than or equal to 1.",
        "config key models.mine.estimator is missing: ",
    ):
        assert printed.count(sentence) == 1
    assert "Traceback" not in printed
    assert not (clone / "results").exists()
