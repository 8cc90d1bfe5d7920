"""The workflow in the hands of others: as a module, in parts, deployed, with Snakemake alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = """
configfile: "small.yaml"


module kappa:
    snakefile:
        "{root}/workflow/Snakefile"
    config:
        config
{prefix}

use rule {rules}
"""
PREFIX = '    prefix:\n        "ours"\n'


@pytest.fixture
def as_module(tmp_path, snakemake):
    """Run rules of the workflow from another one, whose config states a few keys."""
    folder = tmp_path / "other"
    folder.mkdir()
    shutil.copy(ROOT / "tests/config/small.yaml", folder)

    def start(rules, *arguments, prefix=PREFIX, root=ROOT):
        text = MODULE.format(root=root, rules=rules, prefix=prefix)
        (folder / "Snakefile").write_text(text)
        return snakemake(folder, *arguments, config=None)

    return start


@pytest.mark.parametrize("prefix", ["", PREFIX], ids=["alone", "with a prefix"])
def test_single_rules_serve_another_workflow(as_module, planned, prefix):
    rules = "prepare_data, draw_replicates, tables from kappa"
    target = f"{'ours/' if prefix else ''}results/tables/table4.csv"
    jobs = planned(as_module(rules, "--dry-run", target, prefix=prefix))
    assert jobs == {"prepare_data": 1, "draw_replicates": 4, "tables": 1}


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", PREFIX], ids=["alone", "with a prefix"])
def test_the_workflow_is_a_module_of_another(run, tmp_path, as_module, digests, prefix):
    as_module("* from kappa as kappa_*", prefix=prefix, root=run)
    results = tmp_path / "other" / ("ours/results" if prefix else "results")
    assert digests(results) == digests(run / "results")


@pytest.mark.slow
def test_a_deployed_workflow_runs_once_it_names_the_clone(run, moved, tmp_path, snakemake):
    """As snakedeploy writes it, which copies config/ and a Snakefile with the module's address."""
    folder = moved.parent / "deployed"
    (folder / "config").mkdir(parents=True)
    shutil.copy(run / "config/config.yaml", folder / "config")
    text = MODULE.format(root="../clone", rules="* from kappa", prefix="")
    (folder / "Snakefile").write_text(text.replace("small.yaml", "config/config.yaml"))
    target = "results/data/table.csv"
    config = ["--config", "data={'source': 'bundled'}"]
    snakemake(folder, target, *config, config=None)
    both = tmp_path / "elsewhere"
    folder = both.rename(tmp_path / "third") / folder.name
    assert "Nothing to be done" in snakemake(folder, "--dry-run", target, *config, config=None)


# Whoever starts Snakemake may have installed no more than that.
ALONE = """
import sys

sys.modules |= dict.fromkeys(["kappacurve", "matplotlib", "numpy", "pandas", "sklearn"])
from snakemake.cli import main

main(sys.argv[1:])
"""


@pytest.mark.parametrize("mode", ["--dry-run", "--lint"])
def test_the_workflow_is_read_with_snakemake_alone_by_its_path(tmp_path, planned, mode):
    """An import of a name that stands for None in sys.modules fails."""
    arguments = [mode, "--cores", "1", "--snakefile", ROOT / "workflow/Snakefile"]
    command = [sys.executable, "-c", ALONE, *arguments]
    done = subprocess.run(command, cwd=tmp_path, text=True, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    if mode == "--dry-run":
        assert planned(done.stdout)["draw_scenario"] == 12


def test_the_plain_command_runs_outside_of_the_environment_of_make(clone):
    """`snakemake --cores 4` in the checkout, whose profile is read, with a foreign PATH."""
    command = [Path(sys.executable).parent / "snakemake", "--cores", "4", "results/data/table.csv"]
    command += ["--config", "data={'source': 'bundled'}"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/tmp")}  # noqa: S108
    done = subprocess.run(
        command, cwd=clone, env=environment, text=True, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert "profiles/default" in done.stderr
    assert (clone / "results/data/table.csv").is_file()
