"""What `make recover` asks before it unlocks a folder: does anything still work there?"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import find_running
import pytest
from find_running import CannotLookError, Process, processes, works_in

ROOT = Path(__file__).parents[1]
FOLDER = Path("/home/me/c++ (1)")  # an ordinary name, but no regular expression
SCRIPT = f"{FOLDER}/.snakemake/scripts/tmp1.train_models.py"
SNAKEMAKE = ["/x/bin/python3.12", ".venv/bin/snakemake", "--cores", "4"]
SAID = "These processes of a run still work. Wait for them or stop them, then try again."


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (["/x/bin/python3.11", SCRIPT], "/"),
        (["python", "-W", "error", SCRIPT], FOLDER),
        (SNAKEMAKE, FOLDER),
        (["python", "-m", "snakemake", "--executor", "slurm"], FOLDER),
        (["python", "-m", "snakemake", "--directory", str(FOLDER)], "/"),
        (["python", "-m", "snakemake", f"--directory={FOLDER}"], "/"),
    ],
)
def test_jobs_and_runs_of_the_folder_are_found(arguments, folder):
    assert works_in(Process(1, arguments, Path(folder)), FOLDER)


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (["vim", SCRIPT], FOLDER),
        (["emacs", "snakemake"], FOLDER),
        (["make", "recover"], FOLDER),
        (["bash", "-c", "make recover; .venv/bin/snakemake --report"], FOLDER),
        ([".venv/bin/python", "tools/find_running.py"], FOLDER),
        (["python", "-m", "pytest"], FOLDER),
        (SNAKEMAKE, f"{FOLDER}/quick"),
        (SNAKEMAKE, f"{FOLDER}2"),
        (["python", SCRIPT.replace("c++", "ccc")], "/"),
        (["python", "-m", "snakemake", "--directory", f"{FOLDER}/quick"], "/"),
        ([""], FOLDER),
    ],
)
def test_other_processes_are_not(arguments, folder):
    assert not works_in(Process(1, arguments, Path(folder)), FOLDER)


def as_ps_shows(*arguments):
    return Process(1, " ".join(arguments).split(" "), None)


def test_without_proc_the_command_tells_the_folder():
    ours = [f"{FOLDER}/.venv/bin/python3.11", ".venv/bin/snakemake", "--cores", "4"]
    for arguments in (["/x/bin/Python", SCRIPT], ours):
        assert works_in(as_ps_shows(*arguments), FOLDER)
    for arguments in (["vim", SCRIPT], [word.replace("c++", "ccc") for word in ours]):
        assert not works_in(as_ps_shows(*arguments), FOLDER)


@contextmanager
def orphan(folder):
    """A process that runs a script of this folder, as a job that outlived its run."""
    script = folder / ".snakemake" / "scripts" / "orphan.py"
    script.parent.mkdir(parents=True)
    script.write_text("print(flush=True)\ninput()\n")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, str(script)], **pipes) as job:
        try:
            job.stdout.readline()
            yield job
        finally:
            job.kill()


@pytest.mark.parametrize(
    ("proc", "needs"), [(Path("/proc"), "/proc/self/cmdline"), (Path("/nowhere"), None)]
)
def test_a_real_process_is_found_by_proc_and_by_ps(tmp_path, proc, needs):
    if not (Path(needs).exists() if needs else shutil.which("ps")):
        pytest.skip(f"there is no {needs or 'ps'} here")
    with orphan(tmp_path) as job:
        found = {process.pid: process for process in processes(proc)}
        assert works_in(found[job.pid], tmp_path)
    assert os.getpid() not in found


def test_where_nothing_can_be_seen_it_says_so(monkeypatch, capsys):
    for listing in (("no-such-ps",), ("false",)):
        with pytest.raises(CannotLookError, match="no ps that lists processes"):
            list(processes(Path("/nowhere"), listing))
    monkeypatch.setattr(find_running, "processes", lambda: processes(Path("/nowhere"), ("false",)))
    assert find_running.main() == 1
    assert "If you are sure that none does" in capsys.readouterr().out


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
    return subprocess.run(
        ["make", "--old-file", ".venv/.project", "recover"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_recover_unlocks_and_reruns_what_is_incomplete(checkout):
    done = recover(checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (checkout / "flags").read_text() == "--unlock\n--cores 4 --rerun-incomplete\n"


def test_recover_waits_for_jobs_that_outlived_a_run(checkout):
    with orphan(checkout) as job:
        done = recover(checkout)
    assert done.returncode == 2
    assert f"{job.pid} {sys.executable} {checkout}/.snakemake/scripts/orphan.py" in done.stdout
    assert SAID in done.stdout
    assert not (checkout / "flags").exists()


def test_recover_waits_for_a_run_between_two_jobs(checkout):
    """Or one that drives a cluster: Snakemake itself, without a job here."""
    (checkout / "snakemake").write_text("print(flush=True)\ninput()\n")
    command = [sys.executable, "./snakemake", "--cores", "2"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=checkout, **pipes) as run:
        try:
            run.stdout.readline()
            done = recover(checkout)
        finally:
            run.kill()
    assert done.returncode == 2
    assert str(run.pid) in done.stdout
    assert SAID in done.stdout
    assert not (checkout / "flags").exists()
