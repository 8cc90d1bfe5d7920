"""What scripts decide themselves, without Snakemake, and what _job.run does around each."""

import errno
import gc
import json
import logging
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import _job
import build_explorer
import compare_models
import draw_replicates
import draw_split
import make_tables
import summarise_sweep
from kappacurve import compare, paired_test
from study.errors import ExperimentError
from study.parquet import read_parquet, write_parquet
from study.replicates.evaluation import MEASURES, evaluate_measures, measure_replicates
from study.tables.leads import corrected_test
from study.tables.parts import nothing_drawn
from study.tables.reversals import rank_reversals

SETTINGS = {"sampling": "total", "n_train": 60}
CELL = {"dataset": "d", "skew": 0.1, "encoding": "x", "stratify": False} | SETTINGS
NAMES = {"minority": "ill", "majority": "well"}
PAIR = ["a", "b"]
OWN = {"estimator": "sklearn.naive_bayes.GaussianNB"}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("provenance.json").write_text(json.dumps({"classes": NAMES}))


def stored(name, table, **about):
    """The file of a table whose parts a run keeps."""
    write_parquet(table, Path(f"{name}.parquet"), about=about)
    return Path(f"{name}.parquet")


def written(name, table):
    pd.DataFrame(table).to_csv(f"{name}.csv", index=False)
    return Path(f"{name}.csv")


def made_by(script, *names, **options):
    """The tables that a script writes, by name."""
    paths = {name: Path(f"{name}.csv") for name in names}
    for path in paths.values():
        path.unlink(missing_ok=True)
    script(**paths, **options)
    return {name: pd.read_csv(path) for name, path in paths.items() if path.exists()}


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
    leads = [(0.1, 0.25), (0.3, -0.2), (-0.1, 0.24), (0, 0.3), (0.2, 0.5), (0.1, 0.4), (0.5, 0)]
    rows = [
        {"replicate": number, "model": model, "auc": 0.5 + sign * auc / 2, "auk": sign * auk / 20}
        for number, (auc, auk) in enumerate(leads)
        for model, sign in (("b", -1), ("a", 1))
    ]
    table = pd.DataFrame(rows).assign(curve="raw", positive_class="minority")
    turned = table.assign(auk=-table["auk"])
    others = turned.assign(curve="hull"), turned.assign(positive_class="majority")
    chosen, rule = build_explorer.choose_splits(pd.concat([table, *others]), PAIR, "minority")
    # The median is split 0's, which the page shows anyway; 1 is near the 5 % quantile, too.
    assert chosen == {1: "disagreement", 4: "95 % quantile"}
    assert rule.startswith("AUC and AUK of a and b disagree in 2 of 7 splits (raw curves). Shown")
    alike = table[~table["replicate"].isin([1, 2])]
    chosen, rule = build_explorer.choose_splits(alike, ["gone", "b"], "minority")
    assert chosen == {4: "5 % quantile", 3: "50 % quantile", 6: "95 % quantile"}
    assert rule.startswith("AUC and AUK of b and a disagree in 0 of 5")


@pytest.fixture
def page_of(monkeypatch):
    """What the explorer's page is made of, for the scores of the tables."""
    page = Mock(return_value="page")
    monkeypatch.setattr(build_explorer, "explorer_page", page)

    def made(scores, **changes):
        options = {"replicate_scores": [], "replicate_measures": [], "models": ["b"], "names": None}
        options |= {"provenance": Path("provenance.json"), "page": Path("page.html")}
        options |= {"prevalence": 0.2, "ratios": [1 / 99, 0.01, 5, 99, 100], "of_the_paper": False}
        build_explorer.build_explorer(paper_scores=written("scores", scores), **options | changes)
        assert Path("page.html").read_text() == "page"
        return page.call_args

    return made


def test_the_page_leaves_out_what_it_can_not_draw(scores, page_of, caplog):
    shown = scores[scores["replicate"] == 0]
    (labels, by_split), asked = page_of(shown)
    assert list(labels["0 (the tables)"]) == ["ill"] * 12 + ["well"] * 28
    assert list(by_split["0 (the tables)"]) == ["b", "a"]
    assert (asked["positive_class"], asked["pos_label"]) == ("ill", "ill")
    assert asked["cost_ratios"] == [1 / 99, 5, 99]
    one_model, one_class = shown[shown["model"] == "a"], shown.assign(minority=0)
    for table, left_out in ((shown, 0), (one_model, 1), (one_class, 1)):
        caplog.clear()
        given, asked = page_of(table)
        assert [len(each) for each in given] == [2 - left_out] * 2
        assert len(caplog.messages) == left_out
        assert asked["example"] == (None if left_out else build_explorer.EXAMPLE)


@pytest.mark.parametrize("of_the_paper", [True, False])
def test_the_page_shows_the_chosen_splits_each_with_its_own_scores(scores, page_of, of_the_paper):
    infinite = scores[scores["model"] == "b"].assign(model="c")
    infinite.loc[infinite["row"] == 3, "score"] = np.inf
    measured = measure_replicates(scores)
    (labels, by_split), asked = page_of(
        scores[scores["replicate"] == 0],
        replicate_scores=[stored("scores", pd.concat([scores, infinite]))],
        replicate_measures=[stored("measures", measured)],
        models=["b", "a"],
        of_the_paper=of_the_paper,
    )
    side = "majority" if of_the_paper else "minority"
    chosen, rule = build_explorer.choose_splits(measured, ["b", "a"], side)
    shown = {"0 (the tables)": 0} | {f"{n} ({why})": n for n, why in chosen.items()}
    assert [*by_split] == [*labels] == [build_explorer.EXAMPLE, *shown]
    own = scores.set_index(["replicate", "model"])["score"]
    for name, number in shown.items():
        assert [*by_split[name]] == ["b", "a"]
        for model, score in by_split[name].items():
            assert score.tolist() == own[number, model].tolist()
    assert (asked["chosen"], asked["positive_class"]) == (rule, NAMES[side])
    assert asked["pos_label"] == "ill" and asked["prevalence"] == 0.2
    assert asked.get("presets") == ((0.11, 0.5, 0.89) if of_the_paper else None)
    if of_the_paper:
        pair = asked["published"][0]
        assert (pair.label, pair.curve) == ("Table 4, linear", "hull")
        assert asked["published_point"].label == "the optimum that the paper prints"


def test_the_example_has_two_models_whose_curves_cross(page_of):
    """Normal scores of 330 of 3000: wide N(1.9, 2), narrow N(1.1, .6); the others' correlate."""
    row = {"row": [1, 2], "model": "a", "score": [0.1, 0.2], "minority": [0, 1]}
    given, _ = page_of(pd.DataFrame(row))
    (labels,), (scores,) = (own.values() for own in given)
    ill = labels == "ill"
    assert (ill.sum(), len(labels)) == (330, 3000) and set(labels) == set(NAMES.values())
    others = np.array([scores["wide"][~ill], scores["narrow"][~ill]])
    assert others.std(axis=1) == pytest.approx([1, 1], abs=0.03)
    assert np.corrcoef(others)[0, 1] == pytest.approx(0.9, abs=0.01)
    for name, mean, spread in (("wide", 1.9, 2), ("narrow", 1.1, 0.6)):
        drawn = scores[name][ill]
        assert (drawn.mean(), drawn.std()) == pytest.approx((mean, spread), abs=0.1)
    # The smaller class positive, or, as the paper has it, the larger one.
    for positive, way in ((ill, 1), (~ill, -1)):
        turned = {name: way * score for name, score in scores.items()}
        for measure, sign in (("auc", -1), ("auk", 1)):
            test = paired_test(positive, turned, measure=measure)["wide", "narrow"]
            assert np.sign(test.difference) == sign and test.p_value < 0.05


def compared(scores, **changes):
    """The tables and the report of compare_models on replicate 0, by name."""
    rows = scores[scores["replicate"] == 0].drop(columns="replicate")
    sample = pd.DataFrame({"row": range(1, 101), "minority": 0})
    sample.loc[[*range(12), *range(40, 55)], "minority"] = 1  # 15 of the 60 training rows
    inputs = {"scores": rows, "sample": sample, "features": sample.assign(part=sample["row"] // 2)}
    options = {name: written(name, table) for name, table in inputs.items()}
    options |= {"seed": 1, "prevalence": None, "cost_ratio": None, "at": [], "grouped": False}
    options |= {"models": {"a": OWN, "b": OWN}, "report": Path("report.txt"), "n_resamples": 20}
    found = made_by(compare_models.compare_models, "intervals", "tests", **options | changes)
    return found | {"report": Path("report.txt").read_text()}


def test_a_resampled_model_learned_from_as_many_rows_of_either_class(scores):
    """Without a stated prevalence the other's probabilities stay as they are."""
    models = {"a": OWN, "b": OWN | {"resampling": "smote"}}
    chances = scores.assign(score=scores["probability"])
    first = chances[chances["replicate"] == 0]
    by_model = {name: own["score"].to_numpy() for name, own in first.groupby("model")}
    for prevalence, trained_at in ((0.2, {"a": 0.25, "b": 0.5}), (None, {"b": 0.5})):
        options = {"prevalence": prevalence, "trained_at": trained_at, "level": None}
        losses = compare(np.arange(40) < 12, by_model, **options).measures
        losses = losses.query("measure == 'log_loss'")["estimate"].tolist()
        found = compared(chances, models=models, prevalence=prevalence)
        shown = found["intervals"].query("measure == 'log_loss'")["value"]
        assert shown.tolist() == pytest.approx(losses, abs=1e-6)


def test_a_constraint_that_no_threshold_meets_is_told_and_the_rest_goes_on(scores, caplog):
    worst = scores.assign(score=scores["score"].where(scores["model"] == "a", -scores["minority"]))
    for at, told in ((["flagged<=0.5"], "b"), (["flagged<=1"], "")):
        caplog.clear()
        found = compared(worst, at=at)
        assert ("Not compared at flagged<=0.5: Model 'b'" in found["report"]) == bool(told)
        assert bool(caplog.messages) == bool(told)
        assert ("flagged<=1" in found["report"]) != bool(told)
        assert set(found["intervals"]["model"]) == {"a", "b"}


def test_groups_of_rows_are_resampled_as_wholes(scores):
    """Of the rows of a file; a random split has none."""
    both = (compared(scores, grouped=one, n_resamples=300) for one in (False, True))
    alone, grouped = (found["intervals"] for found in both)
    assert (alone["value"] == grouped["value"]).all()
    assert (alone["low"] != grouped["low"]).any()


def features_of(n, n_minority):
    """A file of features."""
    minority = np.arange(n) < n_minority
    x = np.random.default_rng(2).normal(size=n) + minority
    return written("features", {"row": range(1, n + 1), "minority": minority.astype(int), "x": x})


def cell_part(name, scores, **changes):
    """The part of a cell that could be drawn, with what is said of its rows."""
    measures = measure_replicates(scores).assign(**CELL | changes)
    return stored(name, measures, n_train=60, majority=72, minority=28)


def swept(parts, skews, *names, encodings="xx", pair=PAIR, **options):
    names += ("rank_reversal",) if pair else ()
    levels = zip(skews, encodings, strict=False)
    cells = [{"skew": skew, "encoding": encoding} | SETTINGS for skew, encoding in levels]
    options |= {"cells": cells, "pair": pair}
    options |= {"cost_ratio": None, "of_the_paper": False, "parts": parts}
    options["skipped"] = Path("skipped.csv")
    found = made_by(summarise_sweep.summarise_sweep, "summary", "sizes", *names, **options)
    return found | {"skipped": pd.read_csv("skipped.csv")}


def test_a_cell_that_the_data_can_not_give_is_left_out_with_its_reason(scores):
    nothing, other = (stored(why, nothing_drawn(why)) for why in ("too few rows", "another"))
    found = swept([cell_part("drawn", scores), nothing], [0.1, 0.9])
    cell = "skew 0.9, encoding x, sampling total, n_train 60"
    assert found["skipped"].to_dict("records") == [{"cell": cell, "reason": "too few rows"}]
    assert set(found["summary"]["skew"]) == {0.1}
    (row,) = found["sizes"].to_dict("records")
    told = [row[name] for name in ("majority", "minority", "test", "minority_in_test", "drawn")]
    assert told == [72, 28, 40, 11.2, 4]
    assert row["left_out"] == 0
    of_pair = rank_reversals(measure_replicates(scores), ("a", "b"))["reversals"]
    assert found["rank_reversal"]["reversals"].tolist() == of_pair.tolist() != [0] * len(of_pair)
    with pytest.raises(ExperimentError, match="sweep: the data can give none of its cells: too"):
        swept([nothing, other], [0.8, 0.9])


def test_what_one_model_lacks_is_counted(scores):
    lost = (scores["model"] == "b") & (scores["replicate"] == 3)
    drawn = cell_part("drawn", scores.assign(score=scores["score"].mask(lost)))
    (row,) = swept([drawn], [0.1])["sizes"].to_dict("records")
    assert (row["drawn"], row["left_out"]) == (4, 1)


def test_cells_have_as_many_parts_each_in_their_order(scores):
    turned = scores.assign(score=-scores["score"])
    halves = [
        cell_part(f"{skew}{model}", table[table["model"] == model], skew=skew)
        for skew, table in ((0.1, scores), (1, turned))
        for model in PAIR
    ]
    found = swept(halves, [0.1, 1.0], pair=[])
    means = found["summary"].query("measure == 'auc' and curve == 'raw' and model == 'a'")
    means = means.groupby("skew")["mean"].first()
    assert means[0.1] + means[1.0] == pytest.approx(1, abs=1e-6) and means[0.1] > 0.7


@pytest.mark.parametrize(
    ("of_the_paper", "cost_ratio", "patterns"),
    [
        (True, None, {"any", "published", "as_large"}),
        (True, 5.0, {"any", "published"}),
        (False, None, {"any", "published"}),
    ],
)
def test_replicates_are_compared_with_the_paper_at_no_cost_alone(
    scores, of_the_paper, cost_ratio, patterns
):
    named = scores.replace({"a": "linear", "b": "neural_net"})
    part = cell_part("part", named)
    measures = written("measures", evaluate_measures(named[named["replicate"] == 0]))
    pair = ["linear", "neural_net"]
    options = {"measures": measures, "parts": [part], "cost_ratio": cost_ratio, "pair": pair}
    names = ["summary", "rank_reversal", "leads", "table4", "table5", "operating_point"]
    options |= {"of_the_paper": of_the_paper, "original": [], "original_table": []}
    found = made_by(make_tables.make_tables, *names, scores=[stored("scores", named)], **options)
    reversals, summary = found["rank_reversal"], found["summary"]
    assert set(reversals["pattern"]) == patterns
    assert ("published" in summary) == of_the_paper
    if of_the_paper:
        known = set(summary.dropna(subset="published")["measure"])
        assert known == ({"auc"} if cost_ratio else known | {"auk"})
    expected = rank_reversals(pd.read_parquet(part), pair).query("pattern == 'any'")["share"]
    share = reversals.query("pattern == 'any'")["share"].tolist()
    assert share == expected.tolist() != [0] * len(share)
    # Four splits of the same test rows are one.
    assert found["leads"]["splits"].tolist() == [1] * 12


def test_leads_are_tested_by_the_rows_of_each_split(scores):
    """Six distinct splits, 40 rows of which are tested and 60 trained on."""
    many = pd.concat([scores, scores.assign(replicate=scores["replicate"] + 4)])
    many = many[many["replicate"] < 6].assign(row=lambda rows: rows["row"] + rows["replicate"])
    measured = measure_replicates(many)
    part = cell_part("part", many)
    measures = written("measures", evaluate_measures(scores[scores["replicate"] == 0]))
    options = {"measures": measures, "original": [], "original_table": [], "rank_reversal": []}
    options |= {"parts": [part], "scores": [stored("scores", many)], "pair": []}
    names = ["summary", "leads", "table4", "table5", "operating_point"]
    found = made_by(
        make_tables.make_tables, *names, cost_ratio=None, of_the_paper=False, **options
    )["leads"]
    auc = measured.query("curve == 'raw' and positive_class == 'minority'")
    auc = auc.pivot_table(index="replicate", columns="model", values="auc")
    expected = corrected_test((auc["a"] - auc["b"]).to_numpy(), 40 / 60)["p_value"]
    row = found.query("measure == 'auc' and positive_class == 'minority'").iloc[-1]
    assert row["splits"] == 6 and row["p_value"] == pytest.approx(expected, rel=1e-2)


def test_a_cell_is_drawn_or_says_why_not():
    outputs = {name: Path(f"{name}.parquet") for name in ("measures", "scores")}
    cell = {"models": {"linear": {}}, "skew": 0.2, "n_train": 30}
    options = {"features": features_of(60, 15), "seed": 1, "bounds": (2, 5)}
    draw_replicates.draw_replicates(cell=cell, **options, **outputs)
    measures, scores = (read_parquet(path) for path in outputs.values())
    assert measures["replicate"].unique().tolist() == [2, 3, 4]
    assert measures.attrs == scores.attrs == {"majority": 45, "minority": 11, "n_train": 30}
    assert len(scores) == 3 * 26
    for skew in (0.2, 0.001):
        for name, path in outputs.items():  # each, where it alone is asked for
            path.unlink()
            draw_replicates.draw_replicates(cell=cell | {"skew": skew}, **options, **{name: path})
    for path in outputs.values():
        table = read_parquet(path)
        assert table.empty and set(MEASURES) < set(table)
        assert table.attrs["reason"].startswith("a skew of 0.001 here needs 45 majority and 0")


def test_one_split_says_how_many_rows_do_what(caplog):
    caplog.set_level("INFO")
    outputs = {name: Path(f"{name}.csv") for name in ("sample", "scores", "curves", "measures")}
    cell = {"models": {"linear": {}}, "skew": 0.2, "n_train": 32}
    cell |= {"prevalence": None, "cost_ratio": None}
    draw_split.draw_split(features=features_of(60, 20), cell=cell, seed=1, **outputs)
    assert caplog.messages[-1] == "50 of 60 rows kept; linear fitted on 32, scored 18"
    sample, scores, curves, measures = map(pd.read_csv, outputs.values())
    assert (list(sample), len(sample), sample["minority"].sum()) == (["row", "minority"], 50, 10)
    assert list(scores) == ["row", "minority", "model", "score", "probability"]
    assert not any("Unnamed" in name for name in (*curves, *measures))


@pytest.fixture
def job(monkeypatch):
    """Runs a function as the script of a job, in this folder."""
    files = {"input": {"table": "in.csv"}}
    files["output"] = {"one": "one.csv", "two": ["two.md"]}
    # A job sets up its whole process, which here is that of all tests, and has another parent.
    monkeypatch.setattr(_job, "_die_with_snakemake", lambda: None)
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    monkeypatch.setattr(logging.root, "handlers", [])  # a job closes those that it finds
    levels = {logger: logger.level for logger in (logging.root, logging.getLogger("fontTools"))}
    threshold = gc.get_threshold()

    def run(function, log="logs/of/job.log"):
        described = SimpleNamespace(
            **files, params={"seed": 3, "code": "1f"}, log=[log], rule="train"
        )
        _job.run(function, described)

    yield run
    for handler in logging.root.handlers:
        with suppress(OSError):  # on a full disk
            handler.close()
    gc.unfreeze()
    gc.set_threshold(*threshold)
    logging.captureWarnings(capture=False)
    for logger, level in levels.items():
        logger.setLevel(level)


def test_names_reach_the_function_and_its_log_the_file(job):
    def function(*, table, one, two, seed):
        assert (table, one.name, seed) == (Path("in.csv"), "one.csv", 3)
        two[0].write_text("2")
        logging.getLogger("x").info("at work")
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("it is odd", stacklevel=1)
        # A process of the job runs nothing of the working folder.
        Path("colorsys.py").write_text("open('ran', 'w').close()")
        for how in (["-c", "import colorsys"], ["-m", "colorsys"]):
            subprocess.run([sys.executable, *how], check=True)

    for _ in range(2):
        job(function)
        assert Path("two.md").read_text() == "2" and not Path("ran").exists()
        text = Path("logs/of/job.log").read_text()
        assert text.count("INFO x: at work") == 1 == text.count("UserWarning: it is odd")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_log_on_a_full_disk_leaves_the_message_to_the_console(job, capsys):
    def function(**_):
        raise ExperimentError("fix this")

    with pytest.raises(SystemExit):
        job(function, log="/dev/full")
    assert capsys.readouterr().err == "[train] fix this\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ExperimentError("fix\n2026 INFO well\x1b[2K"), r"fix\n2026 INFO well\x1b[2K" "\n"),
        (OSError(errno.ENOSPC, "", "x.csv"), "can't read or write x.csv: No space left on device"),
        (OSError(errno.EROFS, ""), "can't read or write: Read-only file system. Fix that"),
        (MemoryError(), "not enough memory for this job: run with fewer --cores"),
        (KeyError("bug"), "Traceback"),
    ],
)
def test_a_failure_is_a_message(job, capsys, error, said):
    """A traceback for a bug; one line, which no name forges, for a mistake, a disk or memory."""

    def function(**_):
        raise error

    with pytest.raises(SystemExit) as stop:
        job(function)
    assert stop.value.code == 1
    for shown in (capsys.readouterr().err, Path("logs/of/job.log").read_text()):
        assert said in shown
        assert ("Traceback" in shown) == (shown.count("\n") > 1) == (said == "Traceback")


@pytest.mark.parametrize(
    ("times", "said"),
    [
        # Asked before the job, and at each of its splits: 100 s to start, 40 s, 20 s and 20 s.
        ([0, 0, 100, 140, 160, 180], "2 of 5: about 2 minutes, 4 of 5: less than 90 seconds"),
        # Just half a minute says nothing yet; 90 seconds are told in minutes.
        ([0, 0, 1, 30, 31, 61, 62], "3 of 9: about 2 minutes, 5 of 9: less than 90 seconds"),
        ([0, 0, 10, 106], "2 of 3: about 2 minutes"),
        ([0, 0, 10, 99], "2 of 3: less than 90 seconds"),
        ([7, 7, 20, 71], "2 of 6: about 3 minutes"),
    ],
)
def test_the_time_left_counts_the_start_of_a_job_once(monkeypatch, caplog, times, said):
    caplog.set_level("INFO")
    n_splits = int(said[5])
    clock = iter([*times, *[times[-1]] * n_splits])
    monkeypatch.setattr(draw_replicates, "monotonic", clock.__next__)
    numbers = range(3, 3 + n_splits)
    assert list(draw_replicates._with_progress(numbers)) == [*numbers]
    told = ", ".join(text.removesuffix(" left") for text in caplog.messages)
    assert told.replace(" splits of this job,", ":") == said


def test_a_job_without_its_snakemake_ends_at_once():
    code = "import _job; _job.run(print, None)"
    path = ":".join(sys.path)
    shell = ["sh", "-c", '"$0" -c "$1"; exit $?', sys.executable, code]
    done = subprocess.run(shell, env={"PYTHONPATH": path}, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
