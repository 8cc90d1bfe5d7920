"""What _job.run does around a script's function."""

import errno
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import _job
from study import integrity
from study.errors import ExperimentError


class Files(dict):
    """Stands in for Snakemake's named lists: their items, and all files one after the other."""

    def __iter__(self):
        for value in self.values():
            yield from [value] if isinstance(value, str) else value


@pytest.fixture
def job(tmp_path, monkeypatch):
    described = SimpleNamespace(
        input=Files(table="in.csv", code="a.py"),
        output=Files(one=str(tmp_path / "one.csv"), two=[str(tmp_path / "two.md")]),
        params={"seed": 3},
        log=[str(tmp_path / "logs" / "job.log")],
        rule="train",
    )
    monkeypatch.setattr(sys.modules["__main__"], "snakemake", described, raising=False)
    # A job sets up its whole process, which here is that of all tests.
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    loggers = [logging.root, logging.getLogger("fontTools")]
    levels = [logger.level for logger in loggers]
    before = logging.root.handlers[:]
    logging.root.handlers.clear()  # a job closes those that it finds
    yield tmp_path
    for handler in set(logging.root.handlers) - set(before):
        handler.close()
    logging.captureWarnings(capture=False)
    logging.root.handlers[:] = before
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def write_both(*, one, two, **_):
    one.write_text("1")
    two[0].write_text("2")


def test_names_reach_the_function_and_outputs_get_their_name_at_the_end(job):
    def function(*, table, one, two, seed):
        assert str(table) == "in.csv"
        assert seed == 3
        assert one.suffix == ".csv"
        write_both(one=one, two=two)
        assert not (job / "one.csv").exists()
        logging.getLogger("x").info("at work")

    _job.run(function)
    assert (job / "one.csv").read_text() == "1"
    assert (job / "two.md").read_text() == "2"
    assert "INFO x: at work" in (job / "logs" / "job.log").read_text()
    assert not list(job.glob(".draft*"))


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
def test_failure_leaves_no_output_and_a_message(job, capsys, error, said):
    """A traceback for a bug, never for a mistake, a full disk or memory."""

    def function(*, one, **_):
        one.write_text("half")
        raise error

    with pytest.raises(SystemExit) as stop:
        _job.run(function)
    assert stop.value.code == 1
    assert [path.name for path in job.iterdir()] == ["logs"]
    for shown in (capsys.readouterr().err, (job / "logs" / "job.log").read_text()):
        assert said in shown
        assert ("Traceback" in shown) == (said == "Traceback")


@pytest.mark.parametrize("recorded", [True, False])
def test_a_damaged_input_and_one_of_no_job_are_named(job, monkeypatch, capsys, recorded):
    monkeypatch.chdir(job)
    path = Path("results/t.csv")
    path.parent.mkdir()
    path.write_bytes(b"as its job left it")
    if recorded:
        integrity.record(path, path)
    path.write_bytes(b"other bytes")
    sys.modules["__main__"].snakemake.input = Files(table=str(path))
    with pytest.raises(SystemExit):
        _job.run(lambda **_: pytest.fail("it began to work"))
    shown = capsys.readouterr().err
    assert "results/t.csv. Delete what is named" in shown
    assert "Traceback" not in shown


def test_a_folder_of_the_users_where_a_file_belongs_is_kept(job, capsys):
    (job / "one.csv").mkdir()
    (job / "one.csv" / "mine.txt").touch()
    with pytest.raises(SystemExit):
        _job.run(write_both)
    assert "one.csv is a folder, but a file belongs there: move it away." in capsys.readouterr().err
    assert (job / "one.csv" / "mine.txt").exists()
    assert not list(job.glob(".draft*"))


def test_a_folder_takes_the_place_of_the_one_before(job):
    sys.modules["__main__"].snakemake.output = Files(one=str(job / "tables"))
    (job / "tables").mkdir()
    (job / "tables" / "old.tex").touch()

    def function(*, one, **_):
        one.mkdir()
        (one / "new.tex").touch()

    _job.run(function)
    assert [path.name for path in (job / "tables").iterdir()] == ["new.tex"]


def test_drafts_of_a_job_that_was_killed_are_cleared_away(job):
    (job / ".draft-1-one.csv").write_text("half")
    (job / ".draft-1-two.md").mkdir()
    (job / ".draft-1-other.csv").write_text("of another rule")
    _job.run(write_both)
    left = {path.name for path in job.iterdir()}
    assert left == {"logs", "one.csv", "two.md", ".draft-1-other.csv"}


def test_processes_of_a_job_run_nothing_of_the_working_folder(job, monkeypatch):
    monkeypatch.chdir(job)
    (job / "colorsys.py").write_text("open('ran', 'w').close()")

    def function(**outputs):
        for how in (["-c", "import colorsys"], ["-m", "colorsys"]):
            subprocess.run([sys.executable, *how], check=True)
        write_both(**outputs)

    _job.run(function)
    assert not (job / "ran").exists()


def test_no_name_in_a_message_forges_a_line(job, capfd):
    def function(**_):
        raise ExperimentError("column x\n2026-01-01 INFO all is well\x1b[2K is no number")

    with pytest.raises(SystemExit):
        _job.run(function)
    for text in (capfd.readouterr().err, (job / "logs" / "job.log").read_text()):
        assert text.count("\n") == 1
        assert r"column x\n2026-01-01 INFO all is well\x1b[2K is no number" in text
