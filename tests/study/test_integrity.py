"""Files of a run that something else has changed since are named before the next run uses them."""

import os
import re
from pathlib import Path

import pytest

from study import integrity
from study.errors import ExperimentError


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder whose jobs wrote two files and a folder with one."""
    monkeypatch.chdir(tmp_path)
    for name in ("results/a.csv", "results/sweep/b.parquet", "results/tables/c.tex"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("as written\n")
    for name in ("results/a.csv", "results/sweep/b.parquet", "results/tables"):
        integrity.record(Path(name), Path(name))
    return Path("results")


def test_what_is_unchanged_touched_deleted_or_not_of_a_run_is_no_matter(results):
    os.utime(results / "a.csv", ns=(1, 1))
    (results / "tables/c.tex").unlink()
    (results / "report.html").write_text("of no job")
    integrity.refuse_changed()
    integrity.record(Path("/elsewhere/x.csv"), results / "a.csv")
    integrity.refuse_inputs([results / "a.csv", Path("/elsewhere/x.csv"), Path("src/a.py")])


def test_what_is_halved_changed_or_emptied_is_named(results):
    (results / "a.csv").write_text("as wri")
    (results / "sweep/b.parquet").write_text("as_written\n")
    os.utime(results / "sweep/b.parquet")
    (results / "tables/c.tex").write_text("")
    named = "results/a.csv, results/sweep/b.parquet, results/tables/c.tex. Delete what is named"
    with pytest.raises(ExperimentError, match=re.escape(named)):
        integrity.refuse_changed()


@pytest.mark.parametrize("record", [None, "", "[1, 2", "5", "{}"])
def test_an_input_without_a_whole_record_is_named(results, record):
    file = integrity.RECORDS / "a.csv.json"
    file.unlink() if record is None else file.write_text(record)
    integrity.refuse_changed()
    with pytest.raises(ExperimentError, match=r"not written by a run.*: results/a\.csv\. Delete"):
        integrity.refuse_inputs([results / "sweep/b.parquet", results / "a.csv"])
