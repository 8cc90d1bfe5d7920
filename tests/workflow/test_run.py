"""A small whole run: what it makes, and what a change of config or code plans."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.data.german_credit import CANONICAL_SHA256

ROOT = Path(__file__).parents[2]
README = (ROOT / "results/README.md").read_text(encoding="utf-8")
DRAWS = {"draw_replicates", "draw_scenario", "split"}
# Of companions that the small run leaves out, and of make report.
NOT_MADE = {"figures_3_and_4", "six_panels", "kappa_by_prevalence", "kappa_change_by_smote"}
NOT_MADE |= {"report"}


def test_a_run_makes_what_its_readme_names_and_nothing_else(run):
    """By names without their ends; columns of tables are words of the README."""
    results = run / "results"
    words = set(re.findall(r"[\w{}-]+", README))
    files = [path for path in results.rglob("[!.]*") if path.is_file()]
    paths = [path for path in files if path.relative_to(results).parts[0] != "logs"]
    names = {path: re.sub("onehot|strathclyde", "{encoding}", path.stem) for path in paths}
    for path, name in names.items():
        folder = path.relative_to(results).parts[0]
        assert name in words or folder in ("replicates", "appendix"), path
        if path.suffix == ".csv" and folder not in ("appendix", "data"):
            columns = set(pd.read_csv(path, nrows=0).columns)
            assert columns <= words, (path, columns - words)
    named = re.findall(r"`(?:[\w{}-]+/)*([\w{}-]+)\.(?:csv|json|md|html|txt|pdf|tex|bib)`", README)
    drawn = re.search(r"\*\*figures/\*\*:(.*?)\n\n", README, re.DOTALL)[1]
    named += re.findall(r"`(\w+)`", drawn)
    assert len(named) > 40
    assert set(named) - set(names.values()) <= NOT_MADE


def test_there_are_as_many_rows_and_replicates_as_the_config_says(run):
    sample = pd.read_csv(run / "results/split/sample.csv")
    assert (len(sample), sample["minority"].sum()) == (786, 86)
    scores = pd.read_csv(run / "results/split/scores.csv")
    # Stratified: 86 of 786, so 42 of the 386 test rows.
    counts = scores.groupby("model")["minority"].agg(["size", "sum"])
    assert counts.T.to_dict("list") == {"linear": [386, 42], "neural_net": [386, 42]}
    replicates = run / "results/replicates"
    drawn = {path.relative_to(replicates).as_posix() for path in replicates.rglob("*.parquet")}
    kinds = ("parquet", "scores.parquet")
    parts = {f"paper/built_in-000{number}.{kind}" for number in (0, 1) for kind in kinds}
    parts |= {f"{name}/built_in-0000.parquet" for name in ("original", "skew_0.05", "crossed")}
    parts |= {f"crossed/{name}-0000.parquet" for name in ("neural_net_lm", "bayes")}
    assert drawn == parts
    paper = pd.read_parquet(replicates / "paper", filters=[("curve", "==", "raw")])
    assert paper.groupby("model")["replicate"].nunique().to_list() == [12, 12]
    sizes = pd.read_csv(run / "results/tables/sensitivity.csv")
    assert sizes["scenario"].to_list() == ["paper", "crossed"]
    claims = pd.read_csv(run / "results/tables/claims.csv")
    assert claims["key"].nunique() == 16


def test_a_run_ends_with_the_answer_and_where_to_look(run):
    printed = (run.parent / "finished").read_text()
    assert "Is AUK the better measure? Open." in " ".join(printed.split())
    assert "To read: results/index.html" in printed
    record = json.loads((run / "results/provenance.json").read_text())
    assert record["config"]["seed"] == 7
    assert record["packages"]["numpy"] == np.__version__
    assert record["data"]["sha256_of_canonical_table"] == CANONICAL_SHA256


TEXTS = {"documents": 1}
SWEEP = {"sweep": 1, "failed_fits": 1} | TEXTS
CHANGES = {"sensitivity": 1, "failed_fits": 1} | TEXTS
TREE = "models: {tree: {estimator: sklearn.tree.DecisionTreeClassifier}}\n"
TREE += "experiment: {models: [linear, neural_net, tree]}\n"
PAPER = SWEEP | CHANGES | {"tables": 1, "claims": 1, "plot_paper": 1, "explorer": 1}
NAMES = {"plot_curves": 1, "plot_paper": 1, "sweep": 1, "explorer": 1} | TEXTS


CHANGED = {
    "a level": ("sweep: {skew: [0.05, 0.11, 0.4]}", {"draw_scenario": 1}, SWEEP),
    "a change": (
        "sensitivity: {changes: {standard: {scaling: standard, models: [linear]}}}",
        {"draw_scenario": 1},
        CHANGES,
    ),
    # Two parts of the paper, one each of original and skew; the split shown has all models.
    "a model": (TREE, {"draw_replicates": 2, "draw_scenario": 2, "split": 1}, None),
    # The second part was not full, the third is new.
    "more replicates": ("experiment: {replicates: 20}", {"draw_replicates": 2}, PAPER),
    "a title": ("document: {title: Ours, author: A. Author}", {}, TEXTS),
    "names": ("data: {names: {minority: default, majority: paid}}", {}, NAMES),
    "a figure": ("figures: {figure1: {prevalence: 0.4}}", {}, {"plot_paper": 1} | TEXTS),
    "the source": ("data: {source: auto}", {}, {}),
}


@pytest.mark.parametrize(("change", "draws", "others"), CHANGED.values(), ids=CHANGED)
def test_a_change_of_the_config_plans_its_own_parts_and_what_shows_them(
    run, tmp_path, plan, change, draws, others
):
    (tmp_path / "more.yaml").write_text(change)
    jobs = plan(run, "--configfile", "small.yaml", tmp_path / "more.yaml", config=None)
    assert {name: jobs[name] for name in DRAWS & jobs.keys()} == draws
    assert "prepare_data" not in jobs
    if others is not None:
        assert {name: jobs[name] for name in jobs.keys() - DRAWS} == others


EDITS = [
    ("study/text/documents.py", "EDITED = 1", False),
    ("kappacurve/curves/kernels.py", "# edited", False),
    ("study/experiment/network.py", "EDITED = 1", True),
]


def test_a_clone_that_is_moved_and_touched_plans_nothing_and_an_edit_what_uses_it(
    run, tmp_path, plan
):
    clone = shutil.copytree(run, tmp_path / "elsewhere" / "clone")
    for path in (clone / "src").rglob("*"):
        path.touch()
    assert plan(clone) == {}
    for edited, line, draws in EDITS:
        path = clone / "src" / edited
        text = path.read_text()
        path.write_text(f"{text}{line}\n")
        jobs = plan(clone).keys()
        path.write_text(text)
        assert {"tables", "documents", "companions"} <= jobs, edited
        assert jobs & DRAWS == (DRAWS if draws else set()), edited


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_bytes_on_four_cores_in_other_parts(
    run, clone, snakemake, digests
):
    """Snakemake alone is killed; its jobs die with it. Jobs then have two BLAS threads each."""
    (clone / "parts.yaml").write_text("experiment: {per_job: 5}\n")
    files = ["--configfile", "small.yaml", "parts.yaml"]
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *files]
    with (clone / "killed.log").open("w") as log:
        killed = subprocess.Popen(command, cwd=clone, stdout=log, stderr=log)
        while killed.poll() is None and len(list(clone.glob("results/logs/*/*/*"))) < 6:
            time.sleep(0.01)
        assert killed.poll() is None, (clone / "killed.log").read_text()
        killed.kill()
        killed.wait()
    time.sleep(1)
    snakemake(clone, "--unlock", *files, config=None)
    # Snakemake gives a job as many BLAS threads as its rule has, else one.
    threads = [f"{rule}=2" for rule in ("draw_replicates", "draw_scenario", "claims")]
    options = ["--cores", "4", "--rerun-incomplete", "--set-threads", *threads]
    snakemake(clone, *options, *files, config=None)
    assert digests(clone / "results") == digests(run / "results")
