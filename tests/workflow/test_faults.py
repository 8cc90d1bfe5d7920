"""What goes wrong outside the program: one sentence, nothing half-written, and a good rerun."""

import logging
import subprocess
import sys
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit
from types import SimpleNamespace

import pytest

from _job import job
from study.errors import ExperimentError


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "target"),
    [
        (60_000, "results/data/table.csv"),
        (10_000, "results/experiment/scores/linear-0000.parquet"),
    ],
)
def test_a_full_disk_is_one_sentence_and_leaves_nothing_half_written(
    run, clone, snakemake, monkeypatch, limit, target
):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python would leave half a file of it
    limits = partial(setrlimit, RLIMIT_FSIZE, (limit, RLIM_INFINITY))
    printed = snakemake(clone, target, code=1, preexec_fn=limits)
    assert "File too large" in printed and "Traceback" not in printed
    assert not (clone / target).exists()
    snakemake(clone, target)
    assert (clone / target).read_bytes() == (run / target).read_bytes()


@pytest.mark.slow
def test_scores_cut_off_by_a_crash_are_named_and_made_again_once_deleted(clone, run, snakemake):
    target = "results/experiment/measures.parquet"
    scores = clone / "results/experiment/scores/linear-0000.parquet"
    snakemake(clone, target)
    scores.write_bytes(scores.read_bytes()[:-500])
    printed = snakemake(clone, target, "--force", code=1)
    assert f"{scores.relative_to(clone)} can't be read" in printed and "Traceback" not in printed
    scores.unlink()
    snakemake(clone, target)
    assert (clone / target).read_bytes() == (run / target).read_bytes()


BAD = """
sede: 1
experiment: {skew: 3, n_train: 0500}
data: {drop: [7]}
"""
NO_FILE = "data: {path: no.csv, target: y, positive: z}\nmodels: {a: {estimator: sklearn.svm.SVC}}"


def test_a_bad_config_ends_before_the_first_job_with_a_sentence(clone, snakemake):
    (clone / "my.yaml").write_text(BAD)
    printed = snakemake(clone, "--dry-run", config="my.yaml", code=1)
    sentence = "my.yaml, line 3, config key experiment.n_train: 0500 may be 320 or 500 or the text"
    assert printed.count(sentence) == 1 and "Traceback" not in printed
    (clone / "my.yaml").write_text(BAD.replace("0500", "500"))
    printed = snakemake(clone, "--dry-run", config="my.yaml", code=1)
    for sentence in (
        "config key sede is unknown; did you mean seed?",
        "config key experiment.skew is 3: ",
        "config key data.drop.0 is 7: write text, digits in quotation marks.",
    ):
        assert printed.count(sentence) == 1
    assert "Traceback" not in printed
    (clone / "my.yaml").write_text(NO_FILE)
    assert f"there is no file {clone}/no.csv;" in snakemake(clone, config="my.yaml", code=1)
    assert not (clone / "results").exists()


FAILURES = [
    (ExperimentError("change experiment.skew"), "change experiment.skew"),
    (OSError(28, "", "x.csv"), "can't read or write x.csv: No space left on device."),
    (OSError(30, ""), "can't read or write a file: Read-only file system."),
    (MemoryError(), "there is not enough memory: run with fewer --cores"),
    (KeyError("a bug"), "unexpected error; please report it with this log\nTraceback"),
]


@pytest.mark.parametrize(("error", "message"), FAILURES, ids=[row[1] for row in FAILURES])
def test_a_failed_job_says_why_in_its_log_and_on_the_console(tmp_path, capsys, error, message):
    log = tmp_path / "x.log"
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers = []
    try:
        with (
            pytest.raises(SystemExit),
            job(SimpleNamespace(log=[str(log)], rule="draw", wildcards=["crossed"])),
        ):
            logging.getLogger("x").warning("at work")
            raise error
    finally:
        logging.captureWarnings(capture=False)
        root.handlers = before
    for text in (log.read_text(), capsys.readouterr().err):
        assert "at work" in text and message in text
        assert ("Traceback" in text) == ("Traceback" in message)


def test_a_script_finds_the_code_of_its_checkout(clone):
    """Whatever else is installed or on the path."""
    (clone / "src/study/errors.py").write_text("ExperimentError = SystemExit\nprint(__file__)\n")
    command = [sys.executable, "-c", "import _job"]
    scripts = {"PYTHONPATH": f"{clone}/workflow/scripts:{Path(__file__).parents[2]}/src"}
    done = subprocess.run(command, env=scripts, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == str(clone / "src/study/errors.py")
