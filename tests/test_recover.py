"""What `make recover` asks before it unlocks a folder, and which run it finishes."""

import contextlib
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from find_running import Process, processes, works_in

from study import recovery

ROOT = Path(__file__).parents[1]
FOLDER = Path("/home/me/c++ (1)")  # an ordinary name, but not a regular expression
SCRIPT = f"{FOLDER}/.snakemake/scripts/tmp1.train_models.py"
SNAKEMAKE = ["/x/bin/python3.12", ".venv/bin/snakemake", "--cores", "4"]


@pytest.mark.parametrize(
    ("arguments", "folder", "found"),
    [
        (["/x/bin/python3.11", SCRIPT], "/", True),
        (SNAKEMAKE, FOLDER, True),
        (["python", "-m", "snakemake", f"--directory={FOLDER}"], "/", True),
        (["vim", SCRIPT], FOLDER, False),
        (["bash", "-c", "make recover; .venv/bin/snakemake --report"], FOLDER, False),
        ([".venv/bin/python", "tools/find_running.py"], FOLDER, False),
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
    """The Makefile and the tools in an odd folder, with a Snakemake that only notes its flags."""
    for name in ("MAKEFLAGS", "MFLAGS", "CORES"):  # of the make that runs the tests
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "c++ [1]"
    for made in ("tools", ".venv/bin", "src/study", "snakemake"):
        (folder / made).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("tools/recover.py", "tools/find_running.py", "src/study/recovery.py"):
        shutil.copy(ROOT / name, folder / name)
    note = "import sys; open('flags', 'a').write(' '.join(sys.argv[1:]) + '\\n')\n"
    (folder / "snakemake" / "__main__.py").write_text(note)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / ".venv" / ".project").touch()
    return folder


def crash(folder, *arguments, config="seed: 1\n"):
    """Leave what a killed run leaves."""
    (folder / ".snakemake" / "locks").mkdir(parents=True)
    (folder / ".snakemake" / "locks" / "0.input.lock").touch()
    (folder / "my.yaml").write_text(config)
    with contextlib.chdir(folder):
        recovery.begin([*arguments, "--configfile", "my.yaml"], ["my.yaml"])


def make(folder, target="recover"):
    command = ["make", "--old-file", ".venv/.project", target]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_recover_finishes_the_run_that_was_begun_with_its_config(checkout):
    crash(checkout, "--cores", "3", "bakeoff")
    done = make(checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    given = "--cores 3 bakeoff --configfile my.yaml"
    flags = f"--directory . --unlock\n{given} --rerun-incomplete\n"
    assert (checkout / "flags").read_text() == flags
    assert f"Finishing: snakemake {given}\n" in done.stdout
    shutil.rmtree(checkout / ".snakemake" / "locks")
    assert "There is no unfinished run" in make(checkout).stdout


def test_recover_says_that_the_config_has_changed_since(checkout):
    crash(checkout)
    (checkout / "my.yaml").write_text("seed: 2\n")
    assert f"{checkout}/my.yaml has changed since: its new settings" in make(checkout).stdout


def test_recover_looks_into_quick_and_a_second_quick_continues(checkout):
    crash(checkout / "quick", "--directory", "quick")
    assert make(checkout).returncode == 0
    given = "--directory quick --configfile my.yaml"
    flags = f"--directory quick --unlock\n{given} --rerun-incomplete\n"
    assert (checkout / "flags").read_text() == flags
    (checkout / ".venv" / "bin" / "snakemake").symlink_to(shutil.which("true"))
    assert make(checkout, "quick").returncode == 0
    assert (checkout / "flags").read_text() == f"{flags}--directory quick --unlock\n"


def test_a_run_killed_before_its_first_job_is_unlocked(checkout):
    crash(checkout)
    (checkout / recovery.RECORD).write_text("{")
    assert "is unlocked; no job had begun" in make(checkout).stdout


@pytest.mark.parametrize("script", [".snakemake/scripts/orphan.py", "bin/snakemake"])
def test_recover_waits_for_a_job_that_outlived_its_run_and_for_a_run_between_jobs(checkout, script):
    with waiting(checkout, script) as process:
        done = make(checkout)
    assert done.returncode == 2
    assert f"{process.pid} {sys.executable} {checkout}/{script}" in done.stdout
    assert "Wait for them or stop them, then try again." in done.stderr
    assert not (checkout / "flags").exists()
