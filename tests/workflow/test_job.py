"""What _job.run does around a script's function, and how a long job tells the time left."""

import errno
import gc
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import _job
import draw_replicates
from study.errors import ExperimentError


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Runs a function as the script of a job, in this folder."""
    described = SimpleNamespace(
        input={"table": "in.csv", "code": ["a.py"]},
        output={"one": str(tmp_path / "one.csv"), "two": [str(tmp_path / "two.md")]},
        params={"seed": 3},
        log=[str(tmp_path / "logs" / "job.log")],
        rule="train",
    )
    # A job sets up its whole process, which here is that of all tests, and has another parent.
    monkeypatch.setattr(_job, "_die_with_snakemake", lambda: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    loggers = [logging.root, logging.getLogger("fontTools")]
    levels = [logger.level for logger in loggers]
    threshold = gc.get_threshold()
    before = logging.root.handlers[:]
    logging.root.handlers.clear()  # a job closes those that it finds
    yield lambda function: _job.run(function, described)
    for handler in set(logging.root.handlers) - set(before):
        handler.close()
    gc.unfreeze()
    gc.set_threshold(*threshold)
    logging.captureWarnings(capture=False)
    logging.root.handlers[:] = before
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def test_names_reach_the_function_and_its_log_the_file(job):
    def function(*, table, one, two, seed):
        assert (table, one.name, seed) == (Path("in.csv"), "one.csv", 3)
        two[0].write_text("2")
        logging.getLogger("x").info("at work")

    job(function)
    assert Path("two.md").read_text() == "2"
    assert "INFO x: at work" in Path("logs/job.log").read_text()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ExperimentError("fix this"), "fix this"),
        (OSError(errno.ENOSPC, "", "x.csv"), "can't read or write x.csv: No space left on device"),
        (OSError(errno.EROFS, ""), "can't read or write: Read-only file system. Fix that"),
        (MemoryError(), "not enough memory for this job: run with fewer --cores"),
        (KeyError("bug"), "Traceback"),
    ],
)
def test_a_failure_is_a_message(job, capsys, error, said):
    """A traceback for a bug, never for a mistake, a full disk or memory."""

    def function(**_):
        raise error

    with pytest.raises(SystemExit) as stop:
        job(function)
    assert stop.value.code == 1
    for shown in (capsys.readouterr().err, Path("logs/job.log").read_text()):
        assert said in shown
        assert ("Traceback" in shown) == (said == "Traceback")


def test_processes_of_a_job_run_nothing_of_the_working_folder(job):
    Path("colorsys.py").write_text("open('ran', 'w').close()")

    def function(**_):
        for how in (["-c", "import colorsys"], ["-m", "colorsys"]):
            subprocess.run([sys.executable, *how], check=True)

    job(function)
    assert not Path("ran").exists()


def test_no_name_in_a_message_forges_a_line(job, capfd):
    def function(**_):
        raise ExperimentError("column x\n2026-01-01 INFO all is well\x1b[2K is no number")

    with pytest.raises(SystemExit):
        job(function)
    for text in (capfd.readouterr().err, Path("logs/job.log").read_text()):
        assert text.count("\n") == 1
        assert r"column x\n2026-01-01 INFO all is well\x1b[2K is no number" in text


def test_the_time_left_counts_the_start_of_a_job_once(monkeypatch, caplog):
    caplog.set_level("INFO")
    # Asked before the job, and at each of its splits: 100 s to start, 40 s, 20 s and 20 s.
    monkeypatch.setattr(draw_replicates, "monotonic", iter([0, 0, 100, 140, 160, 180]).__next__)
    assert list(draw_replicates._with_progress(range(3, 8))) == [3, 4, 5, 6, 7]
    assert caplog.messages == [
        "2 of 5 splits of this job, about 2 minutes left",
        "4 of 5 splits of this job, less than 90 seconds left",
    ]
