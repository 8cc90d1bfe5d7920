"""What goes wrong outside the program: one sentence, nothing half-written, and a good rerun.

A run that is killed: test_run.py. A server that hangs, or sends half a file or another one:
tests/study/data/test_uci.py.
"""

import subprocess
import sys
from functools import partial
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "target"),
    [
        (60_000, "results/data/table.csv"),
        (20_000, "results/replicates/paper/built_in-0000.parquet"),
    ],
)
def test_a_full_disk_is_one_sentence_and_leaves_nothing_half_written(
    run, clone, snakemake, limit, target
):
    limits = partial(setrlimit, RLIMIT_FSIZE, (limit, RLIM_INFINITY))
    printed = snakemake(clone, target, code=1, preexec_fn=limits)
    assert "File too large. Fix that, then run again." in printed
    assert "Traceback" not in printed
    assert not (clone / target).exists()
    snakemake(clone, target)
    assert (clone / target).read_bytes() == (run / target).read_bytes()


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@pytest.mark.slow
def test_a_folder_of_results_that_is_read_only_is_refused(clone):
    """Mounted so, because no rights bind root, who runs tests in containers."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("needs the right to mount a folder (root)")
    results = clone / "results"
    results.mkdir()
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, results, sys.executable, "-m"]
    command += ["snakemake", "--cores", "1", "--configfile", "small.yaml"]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the folder results can't be written to: change its rights." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bad_config_ends_before_the_first_job_with_all_its_sentences(clone, snakemake):
    (clone / "my.yaml").write_text("sede: 1\nmodels: {neural_net: {hidden_units: 0}, mine: {}}")
    printed = snakemake(clone, "--dry-run", config="my.yaml", code=1)
    for sentence in (
        "config key sede is unknown; did you mean seed?",
        "config key models.neural_net.hidden_units is 0: it should be greater than or equal to 1.",
        "config key models.mine.estimator is missing: ",
    ):
        assert printed.count(sentence) == 1
    assert "Traceback" not in printed
    assert not (clone / "results").exists()
