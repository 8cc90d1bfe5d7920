"""What `make recover` asks before it unlocks a folder: is anything still at work there?"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from find_running import Process, processes, works_in

ROOT = Path(__file__).parents[1]
FOLDER = Path("/home/me/c++ (1)")  # an ordinary name, but not a regular expression
SCRIPT = f"{FOLDER}/.snakemake/scripts/tmp1.train_models.py"
SNAKEMAKE = ["/x/bin/python3.12", ".venv/bin/snakemake", "--cores", "4"]


@pytest.mark.parametrize(
    ("arguments", "folder", "found"),
    [
        (["/x/bin/python3.11", SCRIPT], "/", True),
        (["python", "-W", "error", SCRIPT], FOLDER, True),
        (SNAKEMAKE, FOLDER, True),
        (["python", "-m", "snakemake", "--directory", str(FOLDER)], "/", True),
        (["python", "-m", "snakemake", f"--directory={FOLDER}"], "/", True),
        (["vim", SCRIPT], FOLDER, False),
        (["bash", "-c", "make recover; .venv/bin/snakemake --report"], FOLDER, False),
        ([".venv/bin/python", "tools/find_running.py"], FOLDER, False),
        (SNAKEMAKE, f"{FOLDER}/quick", False),
        (SNAKEMAKE, f"{FOLDER}2", False),
        (["python", SCRIPT.replace("c++", "ccc")], "/", False),
        (["python", "-m", "snakemake", "--directory", f"{FOLDER}/quick"], "/", False),
        ([""], FOLDER, False),
    ],
)
def test_jobs_and_runs_of_the_folder_are_found(arguments, folder, found):
    assert works_in(Process(1, arguments, Path(folder)), FOLDER) == found


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (f"/x/bin/Python {SCRIPT}", True),
        (f"{FOLDER}/.venv/bin/python3.11 .venv/bin/snakemake --cores 4", True),
        ("python -m snakemake --directory /home/me/c++ --cores 4", False),
        (f"vim {SCRIPT}", False),
        (f"{FOLDER}2/.venv/bin/python3.11 .venv/bin/snakemake --cores 4", False),
    ],
)
def test_without_proc_the_command_tells_the_folder(command, found):
    assert works_in(Process(1, command.split(" "), None), FOLDER) == found


@contextmanager
def waiting(folder, script):
    """A Python process that runs a script below the folder until it is ended."""
    (folder / script).parent.mkdir(parents=True, exist_ok=True)
    (folder / script).write_text("print(flush=True)\ninput()\n")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, str(folder / script)]
    with subprocess.Popen(command, cwd=folder, **pipes) as process:
        try:
            process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("proc", ["/proc", "/nowhere"])
def test_a_real_process_is_found_by_proc_and_by_ps(tmp_path, proc):
    if not (Path("/proc/self/cmdline").exists() if proc == "/proc" else shutil.which("ps")):
        pytest.skip("this system does not have it")
    with waiting(tmp_path, ".snakemake/scripts/job.py") as job:
        found = {process.pid: process for process in processes(Path(proc))}
        assert works_in(found[job.pid], tmp_path)
    assert os.getpid() not in found


@pytest.mark.parametrize("listing", ["no-such-ps", "false"])
def test_where_nothing_can_be_seen_it_says_so(listing):
    with pytest.raises(SystemExit, match=r"no ps that lists processes\. If you are sure that none"):
        list(processes(Path("/nowhere"), (listing,)))


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The Makefile and the tool in an odd folder, with a Snakemake that only notes its flags."""
    for name in ("MAKEFLAGS", "MFLAGS", "CORES"):  # of the make that runs the tests
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "c++ [1]"
    for made in ("tools", ".venv/bin"):
        (folder / made).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copy(ROOT / "tools" / "find_running.py", folder / "tools")
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    snakemake = folder / ".venv" / "bin" / "snakemake"
    snakemake.write_text('#!/bin/sh\necho "$@" >>flags\n')
    snakemake.chmod(0o755)
    (folder / ".venv" / ".project").touch()
    return folder


def recover(folder):
    command = ["make", "--old-file", ".venv/.project", "recover"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_recover_unlocks_and_reruns_what_is_incomplete(checkout):
    done = recover(checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (checkout / "flags").read_text() == "--unlock\n--cores 4 --rerun-incomplete\n"


@pytest.mark.parametrize("script", [".snakemake/scripts/orphan.py", "snakemake"])
def test_recover_waits_for_a_job_that_outlived_its_run_and_for_a_run_between_jobs(checkout, script):
    with waiting(checkout, script) as process:
        done = recover(checkout)
    assert done.returncode == 2
    assert f"{process.pid} {sys.executable} {checkout}/{script}" in done.stdout
    assert "Wait for them or stop them, then try again." in done.stdout
    assert not (checkout / "flags").exists()
