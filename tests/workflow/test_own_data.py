"""Data sets that users bring: the scripts, and the whole way through Snakemake."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

import prepare_data
from study.errors import ExperimentError
from study.settings.data import Data

ROOT = Path(__file__).parents[2]
SICK, WELL = "<50K & $", ">=50K_"


def prepared(folder, file, **changes):
    chosen = {"source": "file", "target": "ill", "positive": True, "missing": "impute"} | changes
    prepare_data.prepare_data(
        file=file,
        table=folder / "table.csv",
        features=[folder / "features.csv"],
        provenance=folder / "provenance.json",
        data=Data.model_construct(**chosen).model_dump(warnings=False),
        group=None,
        uci={"uci_url": "https://uci.example", "timeout_seconds": 1},
    )
    record = json.loads((folder / "provenance.json").read_text())
    return pd.read_csv(folder / "features.csv").to_dict("list"), record


def test_a_file_without_a_header(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("3,yes,1\n4,no,2\n")
    features, record = prepared(tmp_path, file, header="none", target=2)
    expected = {"row": [1, 2], "minority": [1, 0], "column_1": [3, 4], "column_3": [1, 2]}
    assert features == expected
    assert (record["place"], record["features"]) == ("a.csv", 2)
    file.write_text("5,no,3\n6,no\n")
    with pytest.raises(ExperimentError, match=r"a\.csv.* line 2: 2 fields .* has 3"):
        prepared(tmp_path, file, header="none", target=2)


def test_a_data_set_of_scikit_learn(tmp_path):
    shipped = {"source": "scikit-learn", "name": "breast_cancer", "target": "target"}
    features, record = prepared(tmp_path, [], **shipped, positive="benign")
    assert (len(features), len(features["row"])) == (32, 569)
    assert record["place"] == "scikit-learn, breast_cancer"


@pytest.fixture(scope="module")
def own(tmp_path_factory, snakemake):
    """A run on data as no example has them: 60 % are positive, three own models and no linear one,
    classes with signs, holes, and a column that is called as one of ours.
    """
    folder = tmp_path_factory.mktemp("own")
    rng = np.random.default_rng(3)
    n = 200
    sick = np.arange(n) % 5 < 3
    table = pd.DataFrame({"id": np.arange(n), "dose": (rng.normal(size=n) + sick).round(3)})
    table["sex"], table["minority"] = rng.choice(["f", "m"], n), rng.integers(0, 2, n)
    table["state"] = np.where(sick, SICK, WELL)
    table.loc[rng.choice(n, 9, replace=False), "dose"] = np.nan
    table.loc[rng.choice(n, 5, replace=False), "sex"] = None
    table.to_csv(folder / "clinic.csv", sep=";", index=False)
    data = {"source": "file", "path": "clinic.csv", "target": "state", "positive": SICK}
    trees = {"estimator": "sklearn.tree.DecisionTreeClassifier", "parameters": {"max_depth": 3}}
    config = {
        "data": data | {"drop": ["id"], "missing": "impute"},
        "experiment": {"prevalence": 0.02, "cost_ratio": 4, "at": ["fpr<=0.2"]},
        "models": {
            "bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"},
            "tree": trees,
            "nearest": {"estimator": "sklearn.neighbors.KNeighborsClassifier"},
        },
        "replicates": {"count": 4, "fewer": {"nearest": 2}},
        "sweep": {"count": 2, "skew": [0.001, 0.6]},
        "document": {"title": "Who is ill & why", "author": "A_B"},
    }
    (folder / "own.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    snakemake(folder / "run", config=folder / "own.yaml")
    return folder


def read(own, path):
    return pd.read_csv(own / "run/results" / path)


def test_numbers_against_scikit_learn(own):
    scores = read(own, "paper/scores.csv")
    measures = read(own, "paper/measures.csv").query("curve == 'raw'")
    intervals = read(own, "tables/intervals.csv").set_index(["model", "measure"])["value"]
    table5 = read(own, "tables/table5.csv").set_index(["positive_class", "model", "measure"])
    for row in measures.to_dict("records"):
        chosen = scores[scores["model"] == row["model"]]
        auc = roc_auc_score(chosen["minority"], chosen["score"])
        assert row["auc"] == pytest.approx(auc, abs=1e-12)
        assert intervals[row["model"], "auc"] == pytest.approx(auc, abs=1e-6)
        for name in ("auc", "auk"):
            value = table5.loc[(row["positive_class"], row["model"], name), "value"]
            assert value == pytest.approx(row[name], abs=1e-6)
        prevalence = 0.02 if row["positive_class"] == "minority" else 0.98
        assert row["prevalence"] == pytest.approx(prevalence)
        assert len(chosen) == row["n_positive"] + row["n_negative"] == 80


def test_the_scores_are_those_of_the_models_on_the_imputed_rows(own):
    """GaussianNB again, from the CSV file and the split alone."""
    table = pd.read_csv(own / "clinic.csv", sep=";")
    scores = read(own, "paper/scores.csv").query("model == 'bayes'")
    test = scores["row"].to_numpy() - 1
    sample = read(own, "paper/sample.csv")
    assert sample["minority"].value_counts().to_dict() == {1: 120, 0: 80}
    train = np.setdiff1d(sample["row"] - 1, test)
    assert (len(train), len(test)) == (120, 80)
    assert table["state"].iloc[test].eq(SICK).sum() == 48
    record = json.loads((own / "run/results/data/provenance.json").read_text())
    assert record["classes"] == {"majority": WELL, "minority": SICK}
    assert record["class_counts"] == {WELL: 80, SICK: 120}
    assert (record["place"], record["rows"], record["features"]) == ("clinic.csv", 200, 5)
    assert record["missing_values"] == {"dose": 9, "sex": 5}
    dose = table["dose"].fillna(table["dose"].iloc[train].median())
    columns = {"dose": dose, **{f"sex_{one}": table["sex"].eq(one) for one in "fm"}}
    columns |= {"missing": table["sex"].isna(), "minority": table["minority"]}
    X = np.column_stack([np.asarray(values, float) for values in columns.values()])
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    sick = table["state"].eq(SICK).to_numpy()
    expected = GaussianNB().fit(X[train], sick[train]).predict_proba(X[test])[:, 1]
    np.testing.assert_allclose(scores["score"], expected, atol=1e-9)
    np.testing.assert_array_equal(scores["score"], scores["probability"])


def test_people_read_the_declared_names(own):
    results = own / "run/results"
    svg = (results / "figures/sweep.svg").read_text()
    assert "&lt;50K &amp; $ positive" in svg
    index = (results / "index.html").read_text()
    assert "with &lt;50K &amp; $ as the positive class" in index
    assert "<title>Who is ill &amp; why</title>" in index
    assert r"\author{A\_B}" in (results / "appendix/appendix.tex").read_text()
    for page in (index, (results / "appendix/appendix.html").read_text()):
        assert not re.search("German Credit|Kaymak|printed", page.partition("<body>")[2])


def test_the_report_is_of_these_data(own, snakemake):
    arguments = ("--report", "results/report.html")
    snakemake(own / "run", *arguments, config=own / "own.yaml")
    page = (own / "run/results/report.html").read_text(encoding="utf-8")
    assert "clinic.csv, target state" in page
    assert "section 8 of Kaymak" not in page


def test_replicates_and_sweep_are_as_many_as_asked_for(own):
    rows = pd.read_parquet(own / "run/results/replicates/measures.parquet")
    drawn = rows.groupby("model")["replicate"].nunique().to_dict()
    assert drawn == {"bayes": 4, "nearest": 2, "tree": 4}
    # 80 of the majority leave no row of the minority at a tenth of a per cent.
    (skipped,) = read(own, "sweep/skipped.csv").to_dict("records")
    assert "skew 0.001" in skipped["cell"]
    assert "needs 80 majority and 0 minority rows" in skipped["reason"]


def test_leads_are_over_all_models_and_splits(own):
    leads = read(own, "tables/leads.csv")
    assert leads.groupby("measure").size().to_dict() == dict.fromkeys(("auc", "auk", "h"), 6)
    assert (leads["splits"] == 2).all()  # those that all models have
    assert leads["share"].isna().all()  # of so few nothing is claimed
    reversal = read(own, "tables/rank_reversal.csv")
    assert set(reversal["replicates"]) == {2}  # of the first two models by name
    intervals = read(own, "tables/intervals.csv")
    assert set(intervals["at"].dropna()) == {"fpr<=0.2"}
    made = {path.name for path in (own / "run/results").iterdir()}
    assert made.isdisjoint({"original", "companions"})


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_few_rows_and_a_model_that_fails(snakemake, tmp_path, count):
    """Four rows of each class, in groups of two; one model, or one that can't be fitted beside."""
    broken = {"estimator": "sklearn.svm.SVC", "parameters": {"kernel": "precomputed"}}
    doses = [1, 2, 4, 2.5, 3, 5, 6.5, 2.2]
    own = pd.DataFrame({"dose": doses, "sick": ["no", "yes"] * 4, "who": [*"aabbccdd"]})
    own.to_csv(tmp_path / "own.csv", index=False)
    config = {
        "data": {"source": "file", "path": "own.csv", "target": "sick", "positive": "yes"},
        "experiment": {"n_train": 4, "split": {"by": "group", "column": "who"}},
        "models": {"linear": {}} | ({"broken": broken} if count == 2 else {}),
        "replicates": {"count": 2},
        "sweep": {"count": 2, "skew": [0.5]},
    }
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(config))
    snakemake(tmp_path, config=tmp_path / "own.yaml")
    assert set(pd.read_csv(tmp_path / "results/tables/leads.csv")["model"]) == {"linear"}
    log = (tmp_path / "results/logs/split.log").read_text()
    assert ("models.broken: sklearn.svm.SVC can't be fitted" in log) == (count == 2)
    summary = pd.read_csv(tmp_path / "results/replicates/summary.csv").set_index("model")
    assert np.isfinite(summary.loc["linear", "mean"]).any()
    assert (summary["undefined"] == np.where(summary.index == "broken", 2, 0)).all()
