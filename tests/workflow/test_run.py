"""A small whole run: what it makes, and what a change of config or code makes again."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.data.german_credit import CANONICAL_SHA256

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "results/README.md").read_text(encoding="utf-8")


def test_every_file_and_column_of_a_run_is_in_the_readme_of_results(run):
    words = set(re.findall(r"[\w{}-]+", README))
    results = run / "results"
    for path in results.rglob("[!.]*"):
        folder = path.relative_to(results).parts[0]
        if not path.is_file() or folder in ("logs", "figures", "appendix"):
            continue
        name = re.sub("onehot|strathclyde", "{encoding}", path.stem)
        assert name in words or path.parent.name == "scores", path
        if path.suffix == ".csv" and folder != "data":
            columns = set(pd.read_csv(path, nrows=0).columns)
            assert columns <= words, (path, columns - words)


def test_as_many_splits_and_rows_are_drawn_as_the_config_says(run):
    results = run / "results"
    drawn = {str(p.relative_to(results)) for p in results.rglob("*.parquet")}
    scores = [
        f"experiment/scores/{m}-{c}" for m in ("linear", "neural_net") for c in ("0000", "0001")
    ]
    scores += ["skew_0.05/scores/linear-0000", "skew_0.05/scores/neural_net-0000"]
    scores += ["crossed/scores/linear-0000", "crossed/scores/bayes-0000"]
    # Its linear model is that of the experiment.
    scores += ["matlab_network/scores/matlab_network-0000"]
    scenarios = ("experiment", "skew_0.05", "crossed", "matlab_network")
    measures = [f"{name}/measures" for name in scenarios]
    assert drawn == {f"{name}.parquet" for name in scores + measures}
    found = pd.concat(pd.read_parquet(results / f"{n}.parquet") for n in scores[:2])
    # Stratified: 86 of 786 rows are bad, so 42 of the 386 that test.
    assert found.groupby("replicate")["minority"].agg(["size", "sum"]).to_numpy().tolist() == (
        [[386, 42]] * 12
    )
    splits = {n: pd.read_parquet(results / f"{n}/measures.parquet") for n in scenarios}
    assert [s["replicate"].nunique() for s in splits.values()] == [12, 6, 6, 4]
    assert set(splits["matlab_network"]["model"]) == {"linear", "matlab_network"}


def test_a_run_ends_with_an_answer_and_a_record(run):
    printed = " ".join((run / "printed").read_text().split())
    assert "open results/index.html" in printed
    record = json.loads((run / "results/provenance.json").read_text())
    assert record["config"]["seed"] == 7
    assert record["packages"]["numpy"] == np.__version__
    assert record["data"]["sha256_of_canonical_table"] == CANONICAL_SHA256


GATHER = {"documents": 1}
EXPERIMENT = GATHER | {"measure": 1, "tables": 1, "curves": 1, "explorer": 1, "sweep": 1}
EXPERIMENT |= {"sensitivity": 1}
SVM = "models: {svm: {estimator: sklearn.svm.SVC}}\nexperiment: {models: [linear, neural_net, svm]}"
CHANGED = {
    "nothing": ("", {}),
    "a level": ("sweep: {skew: [0.05, 0.11, 0.4]}", GATHER | {"draw": 2, "measure": 1, "sweep": 1}),
    "a change": (
        "sensitivity: {changes: {standard: {scaling: standard, models: [linear]}}}",
        GATHER | {"draw": 1, "measure": 1, "sensitivity": 1},
    ),
    # Two chunks of the experiment and one of the level; the other scenarios name their models.
    "a model": (SVM, EXPERIMENT | {"draw": 3, "measure": 2}),
    # The second chunk was not full, the third is new, of two models.
    "more splits": ("experiment: {replicates: 20}", EXPERIMENT | {"draw": 4}),
    # Of all four scenarios: each has the cost of the experiment.
    "a cost": ("experiment: {cost_ratio: 5}", EXPERIMENT | {"measure": 4}),
    "a title": ("document: {title: Ours}", GATHER),
    "names": (
        "data: {names: {minority: default, majority: paid}}",
        GATHER | {"curves": 1, "sweep": 1, "explorer": 1},
    ),
}


@pytest.mark.parametrize(("text", "jobs"), CHANGED.values(), ids=CHANGED)
def test_a_changed_config_plans_what_it_changes(run, tmp_path, plan, text, jobs):
    (tmp_path / "more.yaml").write_text(text or "{}")
    files = ["--configfile", "small.yaml", tmp_path / "more.yaml"]
    assert plan(run, *files, config=None) == jobs


def test_a_moved_clone_plans_nothing_and_an_edit_what_rests_on_it(run, tmp_path, plan):
    clone = shutil.copytree(run, tmp_path / "elsewhere", symlinks=True)
    for path in (clone / "src").rglob("*"):
        path.touch()
    assert plan(clone) == {}
    for edited, drawn, measured in [
        ("study/draw/models.py", 9, 4),
        ("study/measure/measures.py", 0, 4),
        ("study/text/documents.py", 0, 0),
    ]:
        path = clone / "src" / edited
        text = path.read_text()
        path.write_text(f"{text}# edited\n")
        jobs = plan(clone)
        path.write_text(text)
        assert (jobs.get("draw", 0), jobs.get("measure", 0)) == (drawn, measured), edited
        assert jobs["documents"] == 1 and "prepare" not in jobs, edited


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_bytes_in_other_chunks(run, clone, snakemake, digests):
    """Snakemake and its jobs are killed, as by a machine that goes down."""
    (clone / "chunks.yaml").write_text("experiment: {per_job: 5}")
    files = ["--configfile", "small.yaml", "chunks.yaml"]
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *files]
    with (clone / "killed.log").open("w") as log:
        killed = subprocess.Popen(command, cwd=clone, stdout=log, stderr=log, process_group=0)
        while killed.poll() is None and len(list(clone.glob("results/logs/draw/*/*.log"))) < 4:
            time.sleep(0.02)
        assert killed.poll() is None, (clone / "killed.log").read_text()
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    snakemake(clone, "--unlock", *files, config=None)
    threads = ["--set-threads", "draw=2"]  # and as many threads of BLAS
    snakemake(clone, *files, "--cores", "4", *threads, config=None)
    of_both = [digests(folder / "results") for folder in (clone, run)]
    resumed, whole = ({k: v for k, v in d.items() if "/scores/" not in k} for d in of_both)
    assert resumed == whole
