"""The whole workflow with a small config, in an empty folder, through Snakemake itself."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from compare_manifests import compare_digests, different_settings
from matplotlib.image import imread

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "config" / "small.yaml"
MODELS = ["linear", "neural_net", "neural_net_lm", "bayes"]


def read(run, path):
    return pd.read_csv(run / "results" / path)


def manifest(run):
    return json.loads((run / "results" / "manifest.json").read_text())


def test_figures_are_one_or_two_columns_wide_and_nothing_is_cut_off(run):
    images = {path.stem: imread(path) for path in run.glob("results/**/*.png")}
    assert len(images) > 15
    assert {image.shape[1] for image in images.values()} <= {1020, 2100}  # 300 dots an inch
    for name, image in images.items():
        image[2:-2, 2:-2] = 1
        assert image.min() == 1, name
    narrow = sorted(run.glob("results/figures/narrow/*.svg"))  # those that a phone shows
    for path in narrow:
        both = (path, path.parents[1] / path.name)
        assert len({re.search("<title>(.*?)</title>", one.read_text())[1] for one in both}) == 1
    assert len(narrow) == 6


def test_a_companion_study_that_is_switched_off_makes_nothing(run):
    folder = run / "results/companions"
    assert {path.name for path in folder.iterdir()} == {"ben_david2008", "baker", "silipo_widmann"}
    for name, n_errors in (("ben_david2008", 4), ("baker", 4), ("silipo_widmann", 4)):
        table = read(run, f"companions/{name}/printed.csv")
        assert (table["agrees"] == "no").sum() == n_errors


def test_there_are_as_many_rows_and_replicates_as_asked_for(run):
    sample, scores = read(run, "paper/sample.csv"), read(run, "paper/scores.csv")
    assert (len(sample), sample["minority"].sum()) == (786, 86)
    # Stratified: 86 of 786, so 42 of the 386 test rows.
    counted = scores.groupby("model", sort=False)["minority"].agg(["size", "sum"])
    assert counted.T.to_dict("list") == {model: [386, 42] for model in MODELS}
    rows = pd.read_parquet(run / "results/replicates/scores.parquet")
    drawn = rows.groupby("model").size() / 386
    assert drawn.to_dict() == dict.fromkeys(MODELS, 12) | {"neural_net_lm": 4}


def test_claims_follow_the_run(run):
    claims = read(run, "tables/claims.csv").fillna({"verdict": ""}).set_index("key")
    assert len(claims) == 16
    assert claims.loc["operating_point", "verdict"] == "only if"
    # Twelve splits cannot tell a rare reversal from a usual one.
    assert claims.loc["reversal", "verdict"] == "open"
    files = set(claims["source"].str.split("; ").explode())
    assert all((run / "results" / file).is_file() for file in files if "studies/" not in file)


SWEPT = {"sweep_cell": "1"}


@pytest.mark.parametrize(
    ("change", "drawn"),
    [
        ("sweep: {skew: [0.05, 0.2, 0.3]}\nfigures: {figure1: {prevalence: 0.4}}", SWEPT),
        # Its own two parts; the one split has all models.
        (
            "models: {near: {estimator: sklearn.neighbors.KNeighborsClassifier}}",
            {"draw_replicates": "2", "split": "1", "split_original": "1"},
        ),
        ("document: {title: Ours, author: A. Author}", {}),
        ("data: {names: {minority: default, majority: paid}}", {}),
        # In another order, and how UCI is asked.
        ("experiment: {scaling: minmax, n_train: 400}\ndata: {timeout_seconds: 20}", None),
    ],
    ids=["a level and a figure", "a model", "a title", "names", "a time-out"],
)
def test_a_change_reruns_what_depends_on_it(run, tmp_path, snakemake, planned, change, drawn):
    (tmp_path / "more.yaml").write_text(change)
    plan = snakemake(run, "--dry-run", config=[SMALL, tmp_path / "more.yaml"])
    jobs = planned(plan)
    costly = {"prepare_data", "split", "split_original", "draw_replicates"}
    costly |= {"sweep_cell", "specification_cell"}
    assert {name: jobs[name] for name in costly & jobs.keys()} == (drawn or {})
    words = {"documents", "kit", "manifest", "all", "total"}
    if "title" in change:
        assert jobs.keys() == words
    if "names" in change:
        plots = {"plot_curves", "plot_replicates", "plot_sweep", "plot_specification"}
        assert jobs.keys() == words | plots | {"pages", "compare_models", "explorer"}
    assert ("Nothing to be done" in plan) == (drawn is None)


def test_report_is_one_page_without_addresses_to_load(run, snakemake):
    snakemake(run, "--report", "results/report.html")
    page = (run / "results" / "report.html").read_text()
    assert not re.search(r"""<(script|img)[^>]*\ssrc=["']https?:""", page)
    assert len(page) < 15e6
    # Every table's page and figure once.
    results = run / "results"
    made = {path.relative_to(run).as_posix() for path in results.rglob("*.*")}
    page_or_drawing = r"(?!.*/appendix).*\.html|.*\.svg|.*/appendix\.pdf"
    outside = r"results/((index|report|explorer)\.html|figures/narrow/.*)"
    made = {name for name in made if re.fullmatch(page_or_drawing, name)}
    shown, categories = (
        json.JSONDecoder().raw_decode(page, re.search(rf"var {name} = (?={{\")", page).end())[0]
        for name in ("results", "categories")
    )
    assert set(shown) == {name for name in made if not re.fullmatch(outside, name)}
    for one in shown.values():
        assert len(one["caption"]) > 40 and set(one["labels"]) == {"what"}
    listed = [name for parts in categories.values() for part in parts.values() for name in part]
    assert sorted(listed) == sorted(shown)


@pytest.mark.slow
def test_the_quick_run_says_which_model_to_take(tmp_path, snakemake):
    snakemake(tmp_path, config=ROOT / "config" / "quick.yaml")
    rows = pd.read_parquet(tmp_path / "results/replicates/measures.parquet")
    assert rows["replicate"].nunique() == 100
    answer = read(tmp_path, "tables/answer.csv")
    assert {"rows", "leader", "threshold"} <= set(answer["about"])


@pytest.mark.slow
def test_same_bytes_on_four_cores_in_other_parts_with_four_threads(run, tmp_path, snakemake):
    chunks = tmp_path / "chunks.yaml"
    chunks.write_text("replicates: {per_job: 12}\nsweep: {per_job: 1}\n")
    # Snakemake gives a job as many BLAS threads as its rule has, else one.
    threads = [
        "split",
        "split_original",
        "draw_replicates",
        "specification_cell",
        "printed_numbers",
    ]
    cores = ("--cores", "4", "--set-threads", *(f"{rule}=4" for rule in threads))
    snakemake(tmp_path, *cores, config=[SMALL, chunks])
    found = different_settings(manifest(run)["config"], manifest(tmp_path)["config"])
    assert found == ["replicates.per_job", "sweep.per_job"]
    changed, *missing = compare_digests(manifest(run)["files"], manifest(tmp_path)["files"])
    assert missing == [[], []]
    # The appendix prints all settings, these among them.
    assert not [name for name in changed if not name.startswith(("appendix/", "facts"))]
