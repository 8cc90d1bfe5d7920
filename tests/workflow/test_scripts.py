"""What scripts decide themselves, without Snakemake, and what _job.run does around each."""

import errno
import gc
import json
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import _job
import build_explorer
import compare_models
import draw_replicates
import make_tables
import summarise_sweep
from kappacurve import compare
from study.errors import ExperimentError
from study.parquet import read_parquet, write_parquet
from study.replicates.evaluation import MEASURES, evaluate_measures, measure_replicates
from study.tables.answer import corrected_test
from study.tables.parts import nothing_drawn
from study.tables.reversals import rank_reversals
from study.text.documents import TEMPLATES

ADVICE = TEMPLATES.parents[1] / "many_data_sets/choice.csv"
CELL = {"dataset": "d", "skew": 0.1, "encoding": "onehot", "sampling": "total", "n_train": 60}
CELL |= {"stratify": False, "trainer": ""}
NAMES = {"minority": "ill", "majority": "well"}
PAIR = ["a", "b"]
OWN = {"estimator": "sklearn.naive_bayes.GaussianNB"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "provenance.json").write_text(json.dumps({"classes": NAMES}))
    return tmp_path


@pytest.fixture(scope="module")
def scores():
    """Four splits of 40 test rows, 12 of the minority, of which some show a reversal."""
    random = np.random.default_rng(5)
    minority = np.arange(40) < 12
    parts = []
    for replicate in range(4):
        for model, spread in (("a", 1), ("b", 2)):
            score = random.normal(size=40) * np.where(minority, spread, 1) + 1.2 * minority
            own = {"replicate": replicate, "row": range(1, 41), "minority": minority.astype(int)}
            own |= {"model": model, "score": score, "probability": 1 / (1 + np.exp(1 - score))}
            parts.append(pd.DataFrame(own))
    return pd.concat(parts, ignore_index=True)


def test_the_page_shows_the_clearest_disagreement_and_splits_at_quantiles():
    leads = [(0.1, 0.2), (0.3, -0.1), (-0.2, 0.15), (0, 0.3), (0.2, 0.5), (0.1, 0.4), (0.5, 0)]
    rows = [
        {"replicate": number, "model": model, "auc": 0.5 + sign * auc / 2, "auk": sign * auk / 2}
        for number, (auc, auk) in enumerate(leads)
        for model, sign in (("b", -1), ("a", 1))
    ]
    table = pd.DataFrame(rows).assign(curve="raw", positive_class="minority")
    turned = table.assign(auk=-table["auk"])
    others = turned.assign(curve="hull"), turned.assign(positive_class="majority")
    chosen, rule = build_explorer.choose_splits(pd.concat([table, *others]), PAIR, "minority")
    # The median is split 0's, which the page shows anyway.
    assert chosen == {2: "disagreement", 1: "5 % quantile", 4: "95 % quantile"}
    assert rule.startswith("AUC and AUK of a and b disagree in 2 of 7 splits (raw curves). Shown")
    alike = table[~table["replicate"].isin([1, 2])]
    chosen, rule = build_explorer.choose_splits(alike, ["gone", "b"], "minority")
    assert chosen == {4: "5 % quantile", 3: "50 % quantile", 6: "95 % quantile"}
    assert rule.startswith("AUC and AUK of b and a disagree in 0 of 5")


def test_the_page_leaves_out_what_it_can_not_draw(folder, scores, monkeypatch):
    asked = {}
    page = lambda *own, **more: asked.update(own=own, **more) or "page"  # noqa: E731
    monkeypatch.setattr(build_explorer, "explorer_page", page)
    shown = scores[scores["replicate"] == 0]
    options = {"replicate_scores": [], "replicate_measures": [], "models": ["b"], "names": None}
    options |= {"provenance": folder / "provenance.json", "page": folder / "page.html"}
    options |= {"prevalence": 0.2, "ratios": [1 / 99, 0.01, 5, 99, 100], "of_the_paper": False}
    for table, splits in ((shown, 2), (shown[shown["model"] == "a"], 1)):
        table.to_csv("scores.csv", index=False)
        build_explorer.build_explorer(paper_scores=folder / "scores.csv", **options)
        labels, by_split = asked["own"]
        assert len(labels) == len(by_split) == splits
        assert asked["example"] == (build_explorer.EXAMPLE if splits == 2 else None)
        assert (asked["positive_class"], asked["pos_label"]) == ("ill", "ill")
        assert asked["cost_ratios"] == [1 / 99, 5, 99]
        if splits == 2:
            assert list(labels["0 (the tables)"]) == ["ill"] * 12 + ["well"] * 28
            assert list(by_split["0 (the tables)"]) == ["b", "a"]
    assert (folder / "page.html").read_text() == "page"


def compared(folder, scores, **changes):
    """The tables of compare_models on replicate 0, by name."""
    rows = scores[scores["replicate"] == 0].drop(columns="replicate")
    rows.to_csv("scores.csv", index=False)
    sample = pd.DataFrame({"row": range(1, 101), "minority": 0})
    sample.loc[[*range(12), *range(40, 58)], "minority"] = 1  # 18 of the 60 training rows
    sample.to_csv("sample.csv", index=False)
    sample.assign(part=sample["row"] // 2).to_csv("features.csv", index=False)
    evaluate_measures(rows).to_csv("measures.csv", index=False)
    names = ["intervals", "tests", "thresholds", "bounds", "wins", "points", "table4", "table5"]
    options = {name: [folder / f"{name}.csv"] for name in names} | {"answer": folder / "answer.csv"}
    inputs = ["scores", "measures", "sample", "features"]
    options |= {name: folder / f"{name}.csv" for name in inputs}
    options |= {"provenance": folder / "provenance.json", "advice": ADVICE, "parts": []}
    options |= {"part_scores": [], "seed": 1, "prevalence": None, "cost_ratio": None, "at": []}
    options |= {"models": {"a": OWN, "b": OWN}, "pair": PAIR, "grouped": False, "skewed": False}
    options |= {"names": None}
    compare_models.compare_models(**{**options, "n_resamples": 20, **changes})
    made = [name for name in (*names, "answer") if (folder / f"{name}.csv").exists()]
    return {name: pd.read_csv(folder / f"{name}.csv") for name in made}


def test_the_answer_of_one_split_says_so_and_names_a_model_that_was_not_fitted(folder, scores):
    models = {"a": OWN, "b": OWN | {"resampling": "smote"}, "ghost": OWN}
    found = compared(folder, scores, models=models, prevalence=0.2, at=["flagged<=0.3"])
    answer = found["answer"].set_index("about")["sentence"]
    assert [*dict.fromkeys(answer.index)] == [
        *("rows", "class ratio", "leader", "advice", "left out"),
        *("threshold", "operating point", "one split"),
    ]
    assert "trained on 60 rows, 18 of them ill, and measured on 40 rows, 12" in answer["rows"]
    assert answer["left out"] == "ghost could not be fitted: results/logs says why."
    assert set(found["table4"]["positive_class"]) == {"majority", "minority"}
    # A resampled model learned from as many rows of either class; without a stated prevalence the
    # other's probabilities stay as they are.
    chances = scores.assign(score=scores["probability"])
    first = chances[chances["replicate"] == 0]
    by_model = {name: own["score"].to_numpy() for name, own in first.groupby("model")}
    for prevalence, trained_at in ((0.2, {"a": 0.3, "b": 0.5}), (None, {"b": 0.5})):
        options = {"prevalence": prevalence, "trained_at": trained_at, "level": None}
        losses = compare(np.arange(40) < 12, by_model, **options).measures
        losses = losses.query("measure == 'log_loss'")["estimate"].tolist()
        found = compared(folder, chances, models=models, prevalence=prevalence)
        shown = found["intervals"].query("measure == 'log_loss'")["value"]
        assert shown.tolist() == pytest.approx(losses, abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "with_loss"),
    [
        ({}, True),
        ({"skewed": True}, False),
        ({"models": {"a": OWN | {"resampling": "over"}, "b": OWN}}, False),
    ],
)
def test_the_answer_over_splits_tests_by_the_rows_of_each(folder, scores, changes, with_loss):
    write_parquet(measure_replicates(scores).assign(n_train=60), folder / "part.parquet")
    write_parquet(scores, folder / "scores.parquet")
    parts = {"parts": [folder / "part.parquet"], "part_scores": [folder / "scores.parquet"]}
    found = compared(folder, scores, **parts, **changes)
    wins = found["wins"].set_index("measure")
    assert ("log_loss" in wins.index) == with_loss
    auc = measure_replicates(scores).query("curve == 'raw' and positive_class == 'minority'")
    auc = auc.pivot_table(index="replicate", columns="model", values="auc")
    expected = corrected_test(auc["a"] - auc["b"], 40 / 60)["p_value"]
    assert wins.loc["auc", "p_value"] == pytest.approx(expected, rel=1e-2)
    about = set(found["answer"]["about"])
    assert "leader" in about and not about & {"one split", "class ratio", "left out"}
    assert "table4" not in found


def test_groups_of_rows_are_resampled_as_wholes(folder, scores):
    """Of the rows of a file; a random split has none."""
    alone, grouped = (
        compared(folder, scores, grouped=one, n_resamples=300)["intervals"] for one in (False, True)
    )
    assert (alone["value"] == grouped["value"]).all()
    assert (alone["low"] != grouped["low"]).any()


def cell_parts(folder, scores, **changes):
    """The part of a cell that could be drawn, with what is said of its rows."""
    measures = measure_replicates(scores).assign(**CELL | changes)
    path = folder / f"part-{len([*folder.glob('part-*')])}.parquet"
    write_parquet(measures, path, about={"n_train": 60, "majority": 72, "minority": 28})
    return path


def swept(folder, parts, skews, pair=PAIR):
    names = ["summary", "sizes", *(["agreement_table", "rank_reversal"] if pair else [])]
    options = {name: [folder / f"{name}.csv"] for name in names}
    options |= {"skipped": folder / "skipped.csv"}
    settings = {"encoding": "onehot", "sampling": "total", "trainer": "", "n_train": 60}
    cells = [{"skew": skew, **settings} for skew in skews]
    options |= {"parts": parts, "cells": cells, "pair": pair}
    options |= {"prevalence": "test", "cost_ratio": None, "of_the_paper": False}
    summarise_sweep.summarise_sweep(**options)
    return {name: pd.read_csv(folder / f"{name}.csv") for name in (*names, "skipped")}


def test_a_cell_that_the_data_can_not_give_is_left_out_with_its_reason(folder, scores):
    nothing = folder / "none.parquet"
    write_parquet(nothing_drawn("too few rows"), nothing)
    drawn = cell_parts(folder, scores)
    found = swept(folder, [drawn, nothing], [0.1, 0.9])
    (row,) = found["skipped"].to_dict("records")
    cell = "skew 0.9, encoding onehot, sampling total, trainer , n_train 60"
    assert (row["cell"], row["reason"]) == (cell, "too few rows")
    assert set(found["summary"]["skew"]) == {0.1}
    (row,) = found["sizes"].to_dict("records")
    told = [row[name] for name in ("majority", "minority", "test", "minority_in_test", "drawn")]
    assert told == [72, 28, 40, 11.2, 4]
    assert row["left_out"] == 0
    of_pair = rank_reversals(measure_replicates(scores), ("a", "b"))["reversals"]
    assert found["rank_reversal"]["reversals"].tolist() == of_pair.tolist() != [0] * len(of_pair)
    with pytest.raises(ExperimentError, match="sweep: the data can give none of its cells: too"):
        swept(folder, [nothing, nothing], [0.8, 0.9])


def test_cells_have_as_many_parts_each_in_their_order(folder, scores):
    first = cell_parts(folder, scores[scores["model"] == "a"])
    halves = [first, cell_parts(folder, scores[scores["model"] == "b"])]
    turned = scores.assign(score=-scores["score"])
    halves += [cell_parts(folder, turned[turned["model"] == name], skew=1) for name in PAIR]
    found = swept(folder, halves, [0.1, 1.0], pair=[])
    means = found["summary"].query("measure == 'auc' and curve == 'raw' and model == 'a'")
    means = means.groupby("skew")["mean"].first()
    assert means[0.1] + means[1.0] == pytest.approx(1, abs=1e-6) and means[0.1] > 0.7


def test_replicates_are_compared_with_the_paper_at_no_cost_alone(folder, scores):
    named = scores.replace({"model": {"a": "linear", "b": "neural_net"}})
    path = cell_parts(folder, named)
    evaluate_measures(named[named["replicate"] == 0]).to_csv("measures.csv", index=False)
    names = ["summary", "rank_reversal", "auk_given_auc", "table4", "table5", "operating_point"]
    for of_the_paper, cost_ratio, patterns, compared_rows in (
        (True, None, {"any", "published", "as_large"}, True),
        (True, 5.0, {"any", "published"}, False),
        (False, None, {"any", "published"}, None),
    ):
        (folder / "auk_given_auc.csv").unlink(missing_ok=True)
        options = {name: [folder / f"{name}.csv"] for name in names} | {"original": []}
        options |= {"measures": folder / "measures.csv", "parts": [path], "cost_ratio": cost_ratio}
        options |= {"pair": ["linear", "neural_net"], "of_the_paper": of_the_paper}
        make_tables.make_tables(**options)
        assert set(pd.read_csv("rank_reversal.csv")["pattern"]) == patterns
        assert (folder / "auk_given_auc.csv").exists() == of_the_paper
        if of_the_paper:
            assert (len(pd.read_csv("auk_given_auc.csv")) > 0) == compared_rows
        summary = pd.read_csv("summary.csv")
        assert ("published" in summary) == of_the_paper
        if of_the_paper:
            known = set(summary.dropna(subset="published")["measure"])
            assert known == ({"auc"} if cost_ratio else known | {"auk"})
        expected = rank_reversals(pd.read_parquet(path), ("linear", "neural_net"))
        share = pd.read_csv("rank_reversal.csv").query("pattern == 'any'")["share"]
        assert share.sum() > 0
        assert share.tolist() == expected.query("pattern == 'any'")["share"].tolist()


def test_a_cell_is_drawn_or_says_why_not(folder):
    random = np.random.default_rng(2)
    minority = (np.arange(60) < 15).astype(int)
    features = pd.DataFrame({"row": range(1, 61), "minority": minority})
    features.assign(x=random.normal(size=60) + minority).to_csv("features.csv", index=False)
    outputs = {name: folder / f"{name}.parquet" for name in ("measures", "scores", "ranks")}
    cell = {"models": {"linear": {}}, "skew": 0.2, "n_train": 30}
    options = {"features": folder / "features.csv", "seed": 1, "bounds": (2, 5)}
    draw_replicates.draw_replicates(cell=cell, **options, **outputs)
    measures, scores, ranks = (read_parquet(path) for path in outputs.values())
    assert measures["replicate"].unique().tolist() == [2, 3, 4]
    assert measures.attrs == scores.attrs == {"majority": 45, "minority": 11, "n_train": 30}
    assert ranks.attrs == {"natural": 0.25}
    assert len(scores) == 3 * 26
    draw_replicates.draw_replicates(cell=cell | {"skew": 0.001}, **options, **outputs)
    for path in outputs.values():
        table = read_parquet(path)
        assert table.empty and set(MEASURES) < set(table)
        assert table.attrs["reason"].startswith("a skew of 0.001 here needs 45 majority and 0")


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Runs a function as the script of a job, in this folder."""
    described = SimpleNamespace(
        input={"table": "in.csv", "code": ["a.py"]},
        output={"one": str(tmp_path / "one.csv"), "two": [str(tmp_path / "two.md")]},
        params={"seed": 3},
        log=[str(tmp_path / "logs" / "job.log")],
        rule="train",
    )
    # A job sets up its whole process, which here is that of all tests, and has another parent.
    monkeypatch.setattr(_job, "_die_with_snakemake", lambda: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    loggers = [logging.root, logging.getLogger("fontTools")]
    levels = [logger.level for logger in loggers]
    threshold = gc.get_threshold()
    before = logging.root.handlers[:]
    logging.root.handlers.clear()  # a job closes those that it finds
    yield lambda function: _job.run(function, described)
    for handler in set(logging.root.handlers) - set(before):
        handler.close()
    gc.unfreeze()
    gc.set_threshold(*threshold)
    logging.captureWarnings(capture=False)
    logging.root.handlers[:] = before
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def test_names_reach_the_function_and_its_log_the_file(job):
    def function(*, table, one, two, seed):
        assert (table, one.name, seed) == (Path("in.csv"), "one.csv", 3)
        two[0].write_text("2")
        logging.getLogger("x").info("at work")

    job(function)
    assert Path("two.md").read_text() == "2"
    assert "INFO x: at work" in Path("logs/job.log").read_text()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ExperimentError("fix this"), "fix this"),
        (OSError(errno.ENOSPC, "", "x.csv"), "can't read or write x.csv: No space left on device"),
        (OSError(errno.EROFS, ""), "can't read or write: Read-only file system. Fix that"),
        (MemoryError(), "not enough memory for this job: run with fewer --cores"),
        (KeyError("bug"), "Traceback"),
    ],
)
def test_a_failure_is_a_message(job, capsys, error, said):
    """A traceback for a bug, never for a mistake, a full disk or memory."""

    def function(**_):
        raise error

    with pytest.raises(SystemExit) as stop:
        job(function)
    assert stop.value.code == 1
    for shown in (capsys.readouterr().err, Path("logs/job.log").read_text()):
        assert said in shown
        assert ("Traceback" in shown) == (said == "Traceback")


def test_processes_of_a_job_run_nothing_of_the_working_folder(job):
    Path("colorsys.py").write_text("open('ran', 'w').close()")

    def function(**_):
        for how in (["-c", "import colorsys"], ["-m", "colorsys"]):
            subprocess.run([sys.executable, *how], check=True)

    job(function)
    assert not Path("ran").exists()


def test_no_name_in_a_message_forges_a_line(job, capfd):
    def function(**_):
        raise ExperimentError("column x\n2026-01-01 INFO all is well\x1b[2K is no number")

    with pytest.raises(SystemExit):
        job(function)
    for text in (capfd.readouterr().err, Path("logs/job.log").read_text()):
        assert text.count("\n") == 1
        assert r"column x\n2026-01-01 INFO all is well\x1b[2K is no number" in text


def test_the_time_left_counts_the_start_of_a_job_once(monkeypatch, caplog):
    caplog.set_level("INFO")
    # Asked before the job, and at each of its splits: 100 s to start, 40 s, 20 s and 20 s.
    monkeypatch.setattr(draw_replicates, "monotonic", iter([0, 0, 100, 140, 160, 180]).__next__)
    assert list(draw_replicates._with_progress(range(3, 8))) == [3, 4, 5, 6, 7]
    assert caplog.messages == [
        "2 of 5 splits of this job, about 2 minutes left",
        "4 of 5 splits of this job, less than 90 seconds left",
    ]
