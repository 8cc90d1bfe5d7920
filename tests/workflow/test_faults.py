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
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit

import numpy as np
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

        def start(folder, *targets, config=(SMALL,), **options):
            command = [sys.executable, "-m", "snakemake", "--cores", "2", "--directory", folder]
            command += [*targets, "--configfile", *config]
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            run = subprocess.Popen(command, cwd=ROOT, start_new_session=True, **pipes, **options)
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


def jobs_of(folder, script=""):
    """Processes that run a script, or any, for this folder."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            program, *words = entry.read_bytes().decode(errors="replace").split("\0")
            scripts = [word for word in words if f"{folder}/.snakemake/scripts/" in word]
            if "python" in program and script in " ".join(scripts) and scripts:
                yield int(entry.parent.name)


def files_of(folder):
    """What a run has made, by name, without what has the time in it."""
    results = folder / "results"
    names = (path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file())
    timed = r"logs/|benchmarks/|data/provenance\.json"
    return {name: (results / name).read_bytes() for name in names if not re.match(timed, name)}


# A part of the small run, from the data to tables and figures, in about ten jobs.
TARGETS = ["results/tables/table4.csv", "results/sweep/summary.csv"]
TARGETS += ["results/figures/figure2_minority.pdf"]
LESS = "models: {neural_net_lm: false, bayes: false}\n"
LESS += "replicates: {count: 8, per_job: 4, fewer: {}}\n"
EDIT = "experiment: {scaling: standard}\nreplicates: {per_job: 8}\n"
KILLS = int(os.environ.get("KILLS", "3"))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory, snakemake):
    """By whether the config is edited: its files, what a run makes of them, and its seconds."""
    made = {}
    for edited in (False, True):
        folder = tmp_path_factory.mktemp("fresh")
        config = [SMALL, folder / "less.yaml", folder / "edit.yaml"][: 2 + edited]
        for path, text in zip(config[1:], (LESS, EDIT), strict=False):
            path.write_text(text)
        started = time.monotonic()
        snakemake(folder, *TARGETS, config=config)
        made[edited] = config, files_of(folder), time.monotonic() - started
    return made


@pytest.mark.slow
@pytest.mark.parametrize("number", range(KILLS))
def test_a_run_killed_at_any_time_ends_as_a_fresh_one(fresh, tmp_path, start, snakemake, number):
    """Every second one with another config; Snakemake alone, or with all that it has started."""
    edited, alone = number % 2 == 1, number // 2 % 2 == 1
    config, _, seconds = fresh[False]
    run = start(tmp_path, *TARGETS, config=config)
    time.sleep(np.random.default_rng().uniform(0.1, seconds))
    if alone:
        run.kill()
    else:
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    wait_for(lambda: not [*jobs_of(tmp_path)], None, seconds=5)
    config, expected, _ = fresh[edited]
    snakemake(tmp_path, "--unlock", config=config)
    snakemake(tmp_path, *TARGETS, config=config)
    ended = files_of(tmp_path)
    # A part that the new config doesn't name may be left; nothing reads it.
    assert {name for name in ended.keys() - expected.keys() if "/part-" not in name} == set()
    assert {name: ended[name] for name in expected} == expected


@pytest.mark.slow
def test_a_full_disk_is_told_and_leaves_nothing_half_written(fresh, tmp_path, start, snakemake):
    config, expected, _ = fresh[False]
    part = "results/replicates/scores.parquet/part-00000.parquet"
    for limit, target in ((60_000, "results/data/table.csv"), (30_000, part)):
        limits = partial(setrlimit, RLIMIT_FSIZE, (limit, RLIM_INFINITY))
        limited = start(tmp_path, target, config=config, preexec_fn=limits)
        said, _ = limited.communicate(timeout=LONG)
        assert limited.returncode == 1
        assert "File too large. Fix that, then run again." in said
        assert "Traceback" not in said
        assert all(expected[name] == content for name, content in files_of(tmp_path).items())
        snakemake(tmp_path, target, config=config)
    snakemake(tmp_path, *TARGETS, config=config)
    assert files_of(tmp_path) == expected


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@pytest.mark.slow
def test_a_folder_of_results_that_is_read_only_is_told(tmp_path):
    """Mounted so, because no rights bind root, who runs tests in containers."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("needs the right to mount a folder (root)")
    results = tmp_path / "results"
    results.mkdir()
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, results, sys.executable, "-m"]
    command += ["snakemake", "--cores", "1", "--directory", tmp_path, "--configfile", SMALL]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the folder results can't be written to: change its rights." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_of_two_runs_in_one_folder_the_second_is_refused(tmp_path, start, snakemake):
    run = start(tmp_path, SCORES)
    wait_for((tmp_path / ".snakemake/locks").is_dir, run)
    wait_for(lambda: any((tmp_path / ".snakemake/locks").iterdir()), run)
    os.killpg(run.pid, signal.SIGSTOP)  # it can't end while the second one starts
    second = snakemake(tmp_path, SCORES, code=1)
    os.killpg(run.pid, signal.SIGCONT)
    assert "Directory cannot be locked" in second
    said, _ = run.communicate(timeout=LONG)
    assert run.returncode == 0, said


@pytest.mark.slow
def test_a_job_killed_for_memory_leaves_nothing_half_written(tmp_path, start, snakemake):
    """As the kernel does it when memory runs out: SIGKILL, to the job alone."""
    log = tmp_path / "results/logs/split.log"
    run = start(tmp_path, SCORES)
    wait_for(log.exists, run)
    os.killpg(run.pid, signal.SIGSTOP)  # it can't go on while this test looks
    jobs = [*jobs_of(tmp_path, "draw_split")]
    assert jobs
    for job in jobs:
        os.kill(job, signal.SIGKILL)
    os.killpg(run.pid, signal.SIGCONT)
    said, _ = run.communicate(timeout=LONG)
    assert run.returncode == 1
    assert re.search(r"draw_split\.py' died with <Signals\.SIGKILL: 9>", said)
    assert not (tmp_path / SCORES).exists()
    snakemake(tmp_path, SCORES)


@pytest.fixture
def refused(tmp_path, snakemake):
    def said(text):
        (tmp_path / "my.yaml").write_text(text)
        work = tmp_path / "work"
        told = snakemake(work, "--dry-run", config=tmp_path / "my.yaml", code=1)
        assert "Traceback" not in told
        assert not (work / "results").exists()
        return told

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
