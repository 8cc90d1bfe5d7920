"""What every script does around its one function: a log, one sentence of an error, an end."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
LOG = "logs/of/job.log"
CODE = """
import errno, logging, os, subprocess, sys, time, warnings
from types import SimpleNamespace

sys.path.insert(0, {scripts!r})
from _job import job
from study.errors import ExperimentError

with job(SimpleNamespace(log=[{log!r}], rule="train", input=["sound.csv", "damaged.csv"])):
    {work}
"""


@pytest.fixture
def run_job(tmp_path):
    """Run a line of code as a script does, below a process that is called Snakemake or not."""

    def run(work, log=LOG, parent="snakemake"):
        code = CODE.format(scripts=str(SCRIPTS), log=log, work=work)
        shell = ["sh", "-c", '"$0" -c "$1"; exit $?', sys.executable, code, parent]
        return subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_messages_and_warnings_reach_the_log_of_this_run_alone(run_job, tmp_path):
    work = "logging.getLogger('x').info('at work'); warnings.warn('it is odd')"
    for _ in range(2):
        assert run_job(work).returncode == 0
    text = (tmp_path / LOG).read_text()
    assert text.count("INFO x: at work") == 1
    assert text.count("UserWarning: it is odd") == 1


def test_processes_of_a_job_import_nothing_of_the_working_folder(run_job, tmp_path):
    (tmp_path / "colorsys.py").write_text("open('ran', 'w').close()")
    assert run_job("subprocess.run([sys.executable, '-c', 'import colorsys'])").returncode == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (r"ExperimentError('fix\n2026 INFO well')", "fix 2026 INFO well\n"),
        (
            "OSError(errno.ENOSPC, '', 'x.csv')",
            "can't read or write x.csv: No space left on device",
        ),
        ("OSError(errno.EROFS, '')", "can't read or write: Read-only file system. Fix that"),
        ("MemoryError()", "not enough memory for this job: run with fewer --cores"),
        ("KeyError('bug')", "Traceback"),
    ],
)
def test_a_failure_is_one_line_which_no_name_forges_and_a_bug_a_traceback(
    run_job, tmp_path, error, message
):
    done = run_job(f"raise {error}")
    assert done.returncode == 1
    for printed in (done.stderr, (tmp_path / LOG).read_text()):
        assert message in printed
        assert ("Traceback" in printed) == (printed.count("\n") > 1) == (message == "Traceback")


@pytest.mark.parametrize("damaged", [b"", b"a,b\n1,2\n3", b"a,b\n1,2\n3,4", b"a\n\xff\n"])
def test_a_damaged_csv_is_named(run_job, tmp_path, damaged):
    (tmp_path / "sound.csv").write_text("a,b\n1,2\n")
    (tmp_path / "damaged.csv").write_bytes(damaged)
    done = run_job("raise KeyError('b')")
    message = "damaged.csv is damaged: delete it and run again."
    assert (done.returncode, done.stderr) == (1, f"[train] {message}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_log_on_a_full_disk_leaves_the_message_to_the_console(run_job):
    done = run_job("raise ExperimentError('fix this')", log="/dev/full")
    assert (done.returncode, done.stderr) == (1, "[train] fix this\n")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a job with its parent")
def test_a_job_without_its_snakemake_ends_at_once(run_job, tmp_path):
    done = run_job("print('at work')", parent="another")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert not (tmp_path / "logs").exists()
    run_job("os.kill(os.getppid(), 9); time.sleep(2); open('survived', 'w')")
    assert not (tmp_path / "survived").exists()
