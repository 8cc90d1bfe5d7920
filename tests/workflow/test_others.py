"""The workflow in the hands of others: as a module, with a model more, from other places."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
# A workflow that makes the data of ours, replaces two of its rules, and has it a second time.
PARENT = """
rule export:
    output: "made/loans.csv"
    shell: "cp {root}/examples/loans.csv {{output}}"

module own:
    snakefile: "{clone}/workflow/Snakefile"
    config: config
    prefix: "ours"

use rule * from own as own_*

use rule prepare from own as own_prepare with:
    localrule: False

use rule draw from own as own_draw with:
    threads: 2

module again:
    snakefile: "{clone}/workflow/Snakefile"
    config: config
    prefix: "again"

use rule * from again as again_*

module credit:
    snakefile: "{clone}/workflow/Snakefile"
    config: {{}}

use rule * from credit as credit_*
"""


@pytest.fixture
def other(tmp_path):
    """The folder of another workflow, with own data."""
    folder = tmp_path / "other"
    folder.mkdir()
    config = yaml.safe_load((ROOT / "examples/loans.yaml").read_text())
    config["data"]["path"] = "made/loans.csv"
    # Such that there is nothing to note.
    config["experiment"] = {"n_train": 0.6, "cost_ratio": 10, "replicates": 6}
    logistic = config["models"]["logistic"]
    config["models"] = {"logistic": logistic, "strong": logistic | {"parameters": {"C": 0.01}}}
    (folder / "small.yaml").write_text(yaml.safe_dump(config))
    return folder


def write_parent(folder, clone):
    (folder / "Snakefile").write_text(PARENT.format(root=ROOT, clone=clone))


def test_modules_share_a_config_and_have_replaced_rules_and_data_of_the_parent(other, plan):
    write_parent(other, ROOT)
    targets = [f"{folder}results/index.html" for folder in ("ours/", "again/", "")]
    jobs = plan(other, *targets)
    names = ["prepare", "draw", "measure", "tables", "documents"]
    for module in ("own", "again"):
        assert [jobs[f"{module}_{name}"] for name in names] == [1, 2, 1, 1, 1]
    assert (jobs["export"], jobs["credit_draw"], jobs["credit_paper"]) == (1, 20, 1)


def test_own_data_run_as_a_module_to_every_document(other, clone, snakemake):
    """From a clone within the other folder, as a submodule of git is."""
    write_parent(other, "kappacurve")
    clone.rename(other / "kappacurve")
    snakemake(other, "own_all")
    results = other / "ours/results"
    for name in ("index.html", "explorer.html", "appendix/appendix.pdf"):
        assert (results / name).stat().st_size > 500, name
    leads = pd.read_csv(results / "experiment/leads.csv")
    assert leads.loc[leads["measure"] == "auc", "mean"].between(0.5, 1).sum() == 2
    assert leads["note"].isna().all()


def test_a_newcomer_adds_a_model_with_three_lines(run, tmp_path, snakemake):
    """A support vector machine has no probabilities: its scores are those of its decision."""
    (tmp_path / "my.yaml").write_text(
        "experiment:\n  models: [linear, neural_net, svm]\n"
        "models: {svm: {estimator: sklearn.svm.SVC}}\n"
    )
    command = ["--snakefile", run / "Snakefile", "--configfile", run / "small.yaml", "my.yaml"]
    snakemake(tmp_path, "results/experiment/leads.csv", *command, config=None)
    leads = pd.read_csv(tmp_path / "results/experiment/leads.csv")
    auc = leads[leads["measure"] == "auc"].set_index("model")["mean"]
    assert set(auc.index) == {"linear", "neural_net", "svm"}
    assert auc["svm"] > 0.7


# Whoever starts Snakemake may have installed no more than that.
ALONE = """
import sys

sys.modules |= dict.fromkeys(["kappacurve", "matplotlib", "numpy", "pandas", "sklearn"])
from snakemake.cli import main

main(sys.argv[1:])
"""


def test_a_plan_needs_snakemake_alone_and_its_profile_is_found_by_both_snakefiles(tmp_path):
    """An import of a name that stands for None in sys.modules fails."""
    for snakefile in ("Snakefile", "workflow/Snakefile"):
        arguments = ["--dry-run", "--cores", "1", "--snakefile", ROOT / snakefile]
        command = [sys.executable, "-c", ALONE, *arguments]
        done = subprocess.run(command, cwd=tmp_path, text=True, check=False, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert re.search(r"^draw +20$", done.stdout, re.MULTILINE)
        assert re.search("Using workflow specific profile .*profiles/default", done.stderr)


def test_the_plain_command_runs_outside_of_the_environment_of_make(clone):
    """`snakemake --cores 4` in a clone, with a foreign PATH."""
    command = [Path(sys.executable).parent / "snakemake", "--cores", "4", "results/data/table.csv"]
    command += ["--config", "data={'source': 'bundled'}"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/tmp")}  # noqa: S108
    done = subprocess.run(
        command, cwd=clone, env=environment, text=True, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert (clone / "results/data/table.csv").is_file()
