"""Files of a run that something else has changed since are named before the next run uses them."""

import os
import re
from pathlib import Path

import pytest

from study import written
from study.errors import ExperimentError


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder whose jobs wrote two files and a folder with one."""
    monkeypatch.chdir(tmp_path)
    for name in ("results/a.csv", "results/sweep/b.parquet", "results/tables/c.tex"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("as written\n")
    for name in ("results/a.csv", "results/sweep/b.parquet", "results/tables"):
        written.note(Path(name), Path(name))
    return Path("results")


def test_what_is_unchanged_touched_deleted_or_not_of_a_run_is_no_matter(results):
    os.utime(results / "a.csv", ns=(1, 1))
    (results / "tables/c.tex").unlink()
    (results / "report.html").write_text("of no job")
    written.refuse_changed()
    written.note(Path("/elsewhere/x.csv"), results / "a.csv")
    assert not written.is_changed(Path("/elsewhere/x.csv"))


def test_what_is_halved_changed_or_emptied_is_named(results):
    (results / "a.csv").write_text("as wri")
    (results / "sweep/b.parquet").write_text("as_written\n")
    os.utime(results / "sweep/b.parquet")
    (results / "tables/c.tex").write_text("")
    named = "results/a.csv, results/sweep/b.parquet, results/tables/c.tex. Delete what is named"
    with pytest.raises(ExperimentError, match=re.escape(named)):
        written.refuse_changed()


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize("record", ["", "[1, 2", "5", "{}"])
def test_a_record_that_a_crash_has_halved_accuses_no_file(record):
    (written.RECORDS / "a.csv.json").write_text(record)
    written.refuse_changed()
