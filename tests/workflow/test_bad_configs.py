"""A bad config as its user meets it: Snakemake prints our sentences, and no traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def refused(text, folder):
    file = folder / "my.yaml"
    file.write_text(text)
    where = ["--directory", folder / "work", "--configfile", file]
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run", *where],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # a dry run says everything on stdout
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    assert not (folder / "work" / "results").exists()
    return done.stdout


def test_snakemake_shows_every_sentence(tmp_path):
    text = "sede: 1\nmodels: {neural_net: {hidden_units: 0}, mine: {estimator: os.system}}"
    said = refused(text, tmp_path)
    assert said.count("config key sede is unknown; did you mean seed?") == 1
    assert said.count("config key models.neural_net.hidden_units is 0; it should be") == 1
    assert said.count("config key models.mine: estimator os.system is") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("experiment:\n\tskew: 0.1", "Config file is not valid JSON or YAML"),
        ("__use_yte__: true\nseed: ?1 + 2", "config key __use_yte__ in"),
        ("a: &a [*a]", "a value holds itself"),
    ],
)
def test_snakemake_shows_the_sentence(text, message, tmp_path):
    assert refused(text, tmp_path).count(message) == 1
