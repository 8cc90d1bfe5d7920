"""Whole runs on data of the user's own: small and odd ones, and a file replaced."""

import json
import os
import re
import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

ROOT = Path(__file__).parents[2]
SICK, WELL = "<50K & $", "fit_1"
SKEW = [0.001, 0.02, 0.05, 0.3]


def run_own(snakemake, folder):
    rng = np.random.default_rng(3)
    sick = np.arange(80) % 4 == 0
    table = pd.DataFrame({"id": np.arange(80), "dose": (rng.normal(size=80) + sick).round(3)})
    table["sex"], table["minority"] = rng.choice(["f", "m"], 80), rng.integers(0, 2, 80)
    table["state"] = np.where(sick, SICK, WELL)
    table.loc[rng.choice(80, 9, replace=False), "dose"] = np.nan
    table.loc[rng.choice(80, 5, replace=False), "sex"] = None
    table.to_csv(folder / "clinic.csv", sep=";", decimal=",", index=False)
    config = {
        "data": {
            **{"source": "file", "path": "clinic.csv", "decimal": ",", "target": "state"},
            **{"positive": SICK, "drop": ["id"], "missing": "impute"},
        },
        "experiment": {"cost_ratio": 4, "at": ["fpr<=0.2"], "replicates": 8, "per_job": 5},
        "models": {
            "bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"},
            "nearest": {"estimator": "sklearn.neighbors.KNeighborsClassifier"},
            "smoted": {"estimator": "sklearn.naive_bayes.GaussianNB", "resampling": "smote"},
        },
        "compared_models": ["bayes", "nearest"],
        "sweep": {"skew": SKEW, "replicates": 4},
        "document": {"title": "Who is ill & why", "author": "A_B"},
    }
    (folder / "own.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    return snakemake(folder / "run", config=folder / "own.yaml", start=ROOT)


@pytest.fixture(scope="session")
def own(make_once, snakemake):
    """A run on 20 positives and 60 negatives, classes with signs, holes, decimal commas, a column
    with a name of ours, and models that are all the user's own, one of which can't be fitted to few
    positives.
    """
    return make_once("own", partial(run_own, snakemake))


def read(own, path):
    return pd.read_csv(own / "run/results" / path)


@pytest.mark.slow
def test_scores_and_measures_are_those_of_scikit_learn_on_the_imputed_rows(own):
    """GaussianNB again, from the csv file and the split alone."""
    table = pd.read_csv(own / "clinic.csv", sep=";", decimal=",")
    scores = read(own, "split/scores.csv").query("model == 'bayes'")
    test = scores["row"].to_numpy() - 1
    train = np.setdiff1d(np.arange(80), test)
    sick = table["state"].eq(SICK).to_numpy()
    assert (len(train), len(test), sick[test].sum()) == (48, 32, 8)
    dose = table["dose"].fillna(table["dose"].iloc[train].median())
    columns = {"dose": dose, **{f"sex_{sex}": table["sex"].eq(sex) for sex in "fm"}}
    columns |= {"missing": table["sex"].isna(), "minority": table["minority"]}
    X = np.column_stack([np.asarray(values, float) for values in columns.values()])
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    expected = GaussianNB().fit(X[train], sick[train]).predict_proba(X[test])[:, 1]
    np.testing.assert_allclose(scores["score"], expected, atol=1e-9)
    auc = roc_auc_score(sick[test], expected)
    measures = read(own, "split/measures.csv").query("model == 'bayes' and curve == 'raw'")
    np.testing.assert_allclose(measures["auc"], auc, atol=1e-12)
    keys = ["model", "measure"]
    intervals = read(own, "tables/intervals.csv").drop_duplicates(keys).set_index(keys)["value"]
    assert intervals["bayes", "auc"] == pytest.approx(auc, abs=1e-6)
    record = json.loads((own / "run/results/data/provenance.json").read_text())
    assert record["class_counts"] == {WELL: 60, SICK: 20}
    assert record["missing_values"] == {"dose": 9, "sex": 5}


@pytest.mark.slow
def test_the_page_begins_with_the_least_loss_over_all_splits(own):
    """A miss costs 4 and a quarter is positive, so flagging everybody costs 750: no model helps."""
    leads = read(own, "tables/leads.csv").query("measure == 'expected_loss'").set_index("model")
    chunks = [
        pd.read_parquet(own / f"run/results/replicates/experiment/{model}-000{chunk}.parquet")
        for model in ("bayes", "nearest", "smoted")
        for chunk in (0, 1)
    ]
    means = pd.concat(chunks).groupby("model")["expected_loss"].mean().sort_values()
    assert leads["mean"].to_dict() == pytest.approx({**means, "(everybody)": 750}, abs=1e-5)
    text = (own / "run/results/verdict.md").read_text().replace("\n> ", "\n").replace("\\", "")
    sentence = (
        f"# Who is ill & why **Where a missed {SICK} costs 4 false alarms, flag everybody: no "
        "model loses less. That costs 750 false alarms per 1,000 rows over 8 splits, "
        f"{means.iloc[0] - 750:.0f} fewer than {means.index[0]} (95 % interval "
    )
    assert " ".join(text.split()).startswith(sentence)


@pytest.mark.slow
def test_shares_that_the_data_can_not_give_are_left_out_with_their_reason(own):
    sizes = read(own, "tables/sweep_sizes.csv").set_index("skew")
    assert list(sizes.index) == SKEW
    given = sizes[sizes["reason"].isna()]
    # 60 of the majority: .05 leaves 3 of the minority, .02 one and .001 none.
    assert given["minority"].to_dict() == {0.05: 3, 0.3: 20}
    assert "needs 60 majority and 0 minority rows" in sizes.loc[0.001, "reason"]
    assert "only 1 row of a class is left" in sizes.loc[0.02, "reason"]
    assert set(read(own, "tables/sweep.csv")["skew"]) == set(given.index)


@pytest.mark.slow
def test_a_model_that_fails_in_other_scenarios_is_named_everywhere(own):
    failed = read(own, "tables/failed_fits.csv")
    counts = failed[["scenario", "model", "splits", "failed"]].to_numpy().tolist()
    assert counts == [["skew_0.05", "smoted", 4, 4]]
    models = {"bayes", "nearest", "smoted"}
    assert set(read(own, "tables/leads.csv")["model"]) - {"(share alone)"} > models
    for table in ("table4", "sweep", "intervals"):
        assert set(read(own, f"tables/{table}.csv")["model"]) == models
    sentence = "smoted could not be fitted in 4 of 4 splits of skew_0.05"
    for page in ("verdict.md", "index.html", "appendix/appendix.html"):
        text = (own / "run/results" / page).read_text().replace("\\", "").replace("\n> ", " ")
        assert sentence in " ".join(text.split())


@pytest.mark.slow
def test_a_model_that_can_not_be_fitted_ends_the_run_before_it_is_drawn(snakemake, own):
    config = yaml.safe_load((own / "own.yaml").read_text())
    config["models"]["broken"] = {
        "estimator": "sklearn.svm.SVC",
        "parameters": {"kernel": "precomputed"},
    }
    (own / "broken.yaml").write_text(yaml.safe_dump(config))
    folder = own / "broken"
    options = ["results/replicates/experiment/broken-0000.parquet", "--quiet", "rules"]
    printed = snakemake(folder, *options, config=own / "broken.yaml", start=ROOT, code=1)
    reason = "config key models.broken: sklearn.svm.SVC can't be fitted: Precomputed matrix must be"
    assert reason in printed
    assert not list(folder.glob("results/replicates/*/broken-*"))


@pytest.mark.slow
def test_pages_have_the_declared_names_and_no_word_of_the_paper(own):
    results = own / "run/results"
    assert "&lt;50K &amp; $" in (results / "figures/figure2_minority.svg").read_text()
    index = (results / "index.html").read_text()
    assert "&lt;50K &amp; $" in index
    assert "<title>Who is ill &amp; why</title>" in index
    assert r"\author{A\_B}" in (results / "appendix/appendix.tex").read_text()
    for page in (index, (results / "appendix/appendix.html").read_text()):
        assert not re.search("German Credit|Kaymak|printed", page.partition("<body>")[2])
    folders = {path.name for path in results.iterdir()}
    assert not folders & {"original", "companions"}


@pytest.mark.slow
def test_a_data_file_replaced_by_one_of_an_older_date_is_seen(own, tmp_path, plan):
    own = shutil.copytree(own, tmp_path / "moved")
    path = own / "clinic.csv"
    old, text = path.stat().st_mtime - 1e6, path.read_text()
    config = {"config": own / "own.yaml", "start": ROOT}
    assert plan(own / "run", **config) == {}
    path.write_text(text.replace(";f;", ";m;", 1))
    os.utime(path, (old, old))
    assert plan(own / "run", **config)["prepare_data"] == 1


@pytest.mark.slow
def test_two_groups_give_two_splits_of_which_nothing_is_claimed(snakemake, tmp_path):
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"dose": rng.normal(size=40), "sick": ["no", "yes"] * 20})
    table["who"] = np.repeat(["a", "b"], [22, 18])
    table.to_csv(tmp_path / "own.csv", index=False)
    config = {
        "data": {"source": "file", "path": "own.csv", "target": "sick", "positive": "yes"},
        "experiment": {"split": {"by": "group", "column": "who"}, "replicates": 10},
        "models": {"linear": {}, "bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"}},
    }
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(config))
    paths = [f"results/{name}.csv" for name in ("tables/leads", "split/scores")]
    snakemake(tmp_path, *paths, config=tmp_path / "own.yaml", start=ROOT)
    leads = pd.read_csv(tmp_path / "results/tables/leads.csv")
    assert leads["splits"].eq(2).all()
    assert leads[["share", "low", "high", "p_value"]].isna().all(axis=None)
    features = pd.read_csv(tmp_path / "results/data/features_onehot.csv")
    scores = pd.read_csv(tmp_path / "results/split/scores.csv")
    groups = features.set_index("row")["part"]
    assert len(set(groups[scores["row"]])) == 1
