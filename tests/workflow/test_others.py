"""The workflow in the hands of others: as a module, in parts, deployed, with Snakemake alone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

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
def other(tmp_path):
    """The folder of another workflow, whose config states a few keys."""
    folder = tmp_path / "other"
    folder.mkdir()
    shutil.copy(ROOT / ".test/config/config.yaml", folder / "small.yaml")
    return folder


def write_module(folder, root, rules, prefix):
    text = MODULE.format(root=root, rules=rules, prefix=prefix)
    (folder / "Snakefile").write_text(text)


@pytest.mark.parametrize("prefix", ["", PREFIX], ids=["alone", "with a prefix"])
def test_single_rules_serve_another_workflow(other, plan, prefix):
    rules = "prepare_data, fit_once, draw_replicates, tables from kappa"
    write_module(other, ROOT, rules, prefix)
    target = f"{'ours/' if prefix else ''}results/tables/table4.csv"
    jobs = plan(other, target, config=None)
    assert jobs == {"prepare_data": 1, "draw_replicates": 2, "tables": 1}


UPSTREAM = """
rule export:
    output:
        "made/loans.csv",
    shell:
        "cp {loans} {{output}}"


config = {config}


module kappa:
    snakefile:
        "{root}/workflow/Snakefile"
    config:
        config
    prefix:
        "ours"

use rule * from kappa as kappa_*
"""


def test_a_rule_of_the_parent_makes_the_data_of_a_renamed_module(tmp_path, plan):
    """And the data are still prepared where Snakemake runs, not on a node."""
    config = yaml.safe_load((ROOT / "examples/loans.yaml").read_text())
    config["data"]["path"] = "made/loans.csv"
    values = {"root": ROOT, "loans": ROOT / "examples/loans.csv", "config": config}
    (tmp_path / "Snakefile").write_text(UPSTREAM.format(**values))
    jobs = plan(tmp_path, "ours/results/tables/leads.csv", config=None)
    assert (jobs["export"], jobs["kappa_prepare_data"], jobs["kappa_tables"]) == (1, 1, 1)


def test_several_data_sets_are_modules_with_one_joint_table(tmp_path, plan):
    jobs = plan(tmp_path, "--snakefile", ROOT / "examples/several/Snakefile", config=None)
    assert jobs["join_tables"] == jobs["loans_tables"] == jobs["breast_cancer_tables"] == 1
    assert "documents" not in jobs


@pytest.mark.slow
def test_a_scenario_may_have_more_than_9999_chunks(tmp_path, plan):
    (tmp_path / "many.yaml").write_text("experiment: {replicates: 10002, per_job: 1}")
    target = "results/replicates/paper/built_in-10001.parquet"
    arguments = ["--snakefile", ROOT / "workflow/Snakefile", target]
    assert plan(tmp_path, *arguments, config="many.yaml")["draw_replicates"] == 1


@pytest.mark.slow
def test_one_submission_may_hold_several_scenarios(clone, snakemake):
    """By the options that docs/cluster.md names: two submissions for five chunks."""
    text = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    options = re.search(r"(--groups \S+ --group-components draws=)16`", text)[1] + "4"
    printed = snakemake(clone, "--dry-run", *options.split())
    assert re.search(r"^draw_scenario +5$", printed, re.MULTILINE)
    assert printed.count("Group job draws") == 2


@pytest.mark.slow
def test_the_workflow_is_a_module_of_another(run, clone, other, tmp_path, snakemake, digests, plan):
    """By the path of the clone from there, so that both may move."""
    write_module(other, "../clone", "* from kappa as kappa_*", PREFIX)
    snakemake(other, config=None)
    assert digests(other / "ours/results") == digests(run / "results")
    moved = tmp_path / "third"
    moved.mkdir()
    clone.rename(moved / "clone")
    assert plan(other.rename(moved / "other"), config=None) == {}


# Whoever starts Snakemake may have installed no more than that.
ALONE = """
import sys

sys.modules |= dict.fromkeys(["kappacurve", "matplotlib", "numpy", "pandas", "sklearn"])
from snakemake.cli import main

main(sys.argv[1:])
"""


def test_the_workflow_is_read_with_snakemake_alone_by_its_path(tmp_path):
    """An import of a name that stands for None in sys.modules fails."""
    arguments = ["--dry-run", "--cores", "1", "--snakefile", ROOT / "workflow/Snakefile"]
    command = [sys.executable, "-c", ALONE, *arguments]
    done = subprocess.run(command, cwd=tmp_path, text=True, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^draw_scenario +1\d$", done.stdout, re.MULTILINE)


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
