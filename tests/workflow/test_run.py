"""The whole workflow with a small config, in an empty folder, through Snakemake itself."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "config" / "small.yaml"
MODELS = ["linear", "neural_net", "neural_net_lm", "bayes"]


def read(run, path):
    return pd.read_csv(run / "results" / path)


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
    # With other numbers of training rows than the paper's, its example is not judged.
    assert claims.loc["reversal", "verdict"] == ""
    assert (claims["verdict"] != "").sum() >= 8
    files = set(claims["source"].str.split("; ").explode())
    assert all((run / "results" / file).is_file() for file in files if "studies/" not in file)


SWEPT = {"sweep_cell": "1"}
COSTLY = {"prepare_data", "split", "split_original", "draw_replicates", "sweep_cell"}


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
    assert {name: jobs[name] for name in COSTLY & jobs.keys()} == (drawn or {})
    words = {"documents", "all", "total"}
    if "title" in change:
        assert jobs.keys() == words
    if "names" in change:
        assert jobs.keys() == words | {"plot_replicates", "plot_sweep", "explorer"}
    assert ("Nothing to be done" in plan) == (drawn is None)


@pytest.mark.parametrize(
    ("edited", "rerun"),
    [
        ("src/study/text/documents.py", {"documents"}),
        ("src/study/figures/replicates.py", {"plot_replicates", "plot_sweep", "documents"}),
        ("src/study/tables/leads.py", {"tables", "sweep", "documents"}),
        ("src/study/replicates/engine.py", {"draw_replicates", "sweep_cell", "split", "tables"}),
        ("src/kappacurve/explorer/page.py", {"explorer"}),
    ],
)
def test_an_edit_of_the_code_reruns_what_uses_it(run, clone, snakemake, planned, edited, rerun):
    """Read by the clone's Snakefile, in the folder of a run of this one."""

    def jobs():
        snakefile = clone / "workflow/Snakefile"
        plan = snakemake(run, "--dry-run", "--snakefile", snakefile, start=clone)
        return planned(plan).keys()

    # Files of the clone itself, such as the study's tables, are others to Snakemake.
    before = jobs()
    assert not before & COSTLY
    for path in (clone / "src").rglob("*.py"):
        path.touch()
    assert jobs() == before
    with (clone / edited).open("a") as file:
        file.write("# edited\n")
    after = jobs()
    assert rerun <= after
    both = {"split_original"} if "split" in rerun else set()
    assert (after & COSTLY) == (rerun & COSTLY) | both


def test_report_is_one_page_without_addresses_to_load(run, snakemake):
    snakemake(run, "--report", "results/report.html")
    page = (run / "results" / "report.html").read_text()
    assert not re.search(r"""<(script|img)[^>]*\ssrc=["']https?:""", page)
    assert len(page) < 15e6
    # Every figure once, with its caption, and the tables.
    results = run / "results"
    made = {path.relative_to(run).as_posix() for path in results.rglob("*.svg")}
    made |= {"results/appendix/appendix.pdf"}
    shown, categories = (
        json.JSONDecoder().raw_decode(page, re.search(rf"var {name} = (?={{\")", page).end())[0]
        for name in ("results", "categories")
    )
    tables = {name for name in shown if name.endswith(".csv")}
    assert set(shown) - tables == made and "results/tables/table4.csv" in tables
    for name, one in shown.items():
        assert set(one["labels"]) == {"what"}
        assert len(one["caption"] or "") > 40 or name in tables
    assert len(categories) <= 8
    listed = [name for parts in categories.values() for part in parts.values() for name in part]
    assert sorted(listed) == sorted(shown)


def test_the_readme_of_the_results_names_every_file_and_column(run):
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    words = {word.strip(".") for word in re.findall(r"[\w.{}-]+", text)}
    results = run / "results"
    unnamed = r"logs/|\.|.*\.parquet/|report|appendix/(tables|figures)/"
    for path in results.rglob("*"):
        name = path.relative_to(results).as_posix()
        if path.is_file() and not re.match(unnamed, name):
            place = re.sub(r"^(paper|original|data)/", "", name)
            place = re.sub(r"features_\w+", "features_{encoding}", place)
            assert path.stem in words or path.name in words or place in text, name
        if path.suffix == ".csv" and not re.match(r"data/", name):
            columns = set(pd.read_csv(path, nrows=0).columns)
            assert columns <= words, (name, columns - words)


@pytest.mark.slow
def test_the_quick_run_says_who_leads(tmp_path, snakemake):
    snakemake(tmp_path, config=ROOT / "config" / "quick.yaml")
    rows = pd.read_parquet(tmp_path / "results/replicates/measures.parquet")
    assert rows["replicate"].nunique() == 100
    assert (read(tmp_path, "tables/leads.csv")["splits"] == 100).all()


@pytest.mark.slow
def test_same_bytes_on_four_cores_in_other_parts_with_four_threads(
    run, tmp_path, snakemake, digests
):
    chunks = tmp_path / "chunks.yaml"
    chunks.write_text("replicates: {per_job: 12}\nsweep: {per_job: 1}\n")
    # Snakemake gives a job as many BLAS threads as its rule has, else one.
    threads = ["split", "split_original", "draw_replicates", "printed_numbers"]
    cores = ("--cores", "4", "--set-threads", *(f"{rule}=4" for rule in threads))
    snakemake(tmp_path, *cores, config=[SMALL, chunks])
    assert digests(tmp_path / "results") == digests(run / "results")
