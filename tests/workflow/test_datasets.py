"""Data sets that users bring: the scripts, and the whole way through Snakemake."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import cohen_kappa_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB

import compare_models
import prepare_dataset
from study.data.classes import Classes, read_named
from study.errors import ExperimentError
from study.replicates.evaluation import evaluate_measures
from study.settings.models import Dataset

ROOT = Path(__file__).parents[2]
SICK = "sick <b>"
TABLES = ("intervals", "ranks", "tests", "thresholds", "bounds")


def prepared(tmp_path, own, **changes):
    declaration = Dataset.model_construct().model_dump(warnings=False)
    declaration |= {"source": "file", "target": "ill", "positive": True, "missing": "impute"}
    prepare_dataset.prepare_dataset(
        own=own if isinstance(own, list) else [own],
        features=tmp_path / "features.csv",
        provenance=tmp_path / "provenance.json",
        name="mine",
        declaration=declaration | changes,
        uci={"base_url": "https://uci.example", "timeout_seconds": 1},
    )
    record = json.loads((tmp_path / "provenance.json").read_text())
    return pd.read_csv(tmp_path / "features.csv"), record


def test_a_file_becomes_features_and_a_record(tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("age;home;ill\n31;Ulm;Yes\n;Bonn;No\n50;Ulm;No\n")
    features, record = prepared(tmp_path, own)
    assert list(features) == ["row", "positive", "age", "home_Ulm"]
    assert features["positive"].tolist() == [1, 0, 0]
    assert record["classes"] == ["No", "Yes"]
    assert record["class_counts"] == {"No": 2, "Yes": 1}
    assert (record["place"], record["rows"], record["features"]) == ("own.csv", 3, 2)
    assert record["missing_values"] == {"age": 1}


def test_files_without_a_header_and_a_file_of_test_rows(tmp_path):
    for name, rows in (("a.csv", "3,yes,1\n4,no,2\n"), ("b.csv", "5,no,3\n")):
        (tmp_path / name).write_text(rows)
    own = [tmp_path / "a.csv", tmp_path / "b.csv"]
    features, record = prepared(tmp_path, own, header="none", target=2)
    assert features.to_dict("list") == {
        "row": [1, 2, 3],
        "positive": [1, 0, 0],
        "part": [0, 0, 1],
        "column_1": [3, 4, 5],
        "column_3": [1, 2, 3],
    }
    assert (record["place"], record["features"]) == ("a.csv and b.csv", 2)
    own[1].write_text("5,no,3\n6,no\n")
    with pytest.raises(ExperimentError, match=r"b\.csv.* line 2: 2 fields .* has 3"):
        prepared(tmp_path, own, header="none", target=2)


def test_other_sources_of_a_data_set(tmp_path, monkeypatch):
    shipped = {"source": "scikit-learn", "name": "breast_cancer"}
    features, record = prepared(tmp_path, [], **shipped, target="target", positive="benign")
    assert features.shape == (569, 32)
    assert record["place"] == "scikit-learn, breast_cancer"
    asked = []

    def fetch(number, *, base_url, timeout_seconds):
        asked.append((number, base_url, timeout_seconds))
        return pd.DataFrame({"a": [1, 2], "ill": ["on", "off"]})

    monkeypatch.setattr(prepare_dataset, "fetch_uci", fetch)
    features, record = prepared(tmp_path, [], source="uci", uci_id=17)
    assert features["positive"].tolist() == [1, 0]
    assert record["place"] == "https://uci.example data set 17"
    assert asked == [(17, "https://uci.example", 1)]


def test_classes_and_models_that_look_like_numbers_stay_texts(tmp_path):
    """A csv between two jobs must not turn the class 1 into a number that is no class."""
    rows = {"row": np.arange(40), "positive": (np.arange(40) % 3 == 0).astype(int)}
    models = {"2020": 7, "b": 5}
    tables = [
        pd.DataFrame({**rows, "model": name, "score": np.arange(40) % n})
        for name, n in models.items()
    ]
    scores, measures = tmp_path / "scores.csv", tmp_path / "measures.csv"
    pd.concat(tables).to_csv(scores, index=False)
    classes = Classes("positive", "0", "1")
    evaluate_measures(read_named(scores), classes=classes).to_csv(measures, index=False)
    provenance = tmp_path / "provenance.json"
    provenance.write_text('{"classes": ["0", "1"]}')
    tables = {name: [tmp_path / f"{name}.csv", tmp_path / f"{name}.tex"] for name in TABLES}
    options = {"seed": 1, "prevalence": None, "cost_ratio": None, "n_resamples": 20, "models": {}}
    inputs = {"scores": scores, "measures": measures, "sample": scores, "features": scores}
    answer = tmp_path / "answer.csv"
    compare_models.compare_models(
        provenance=provenance, answer=answer, **inputs, **options, **tables
    )
    assert set(read_named(tmp_path / "intervals.csv")["model"]) == models.keys()


# ---- the whole way ----

MODELS = ["linear", "bayes"]


def place(run, dataset):
    return run / "results" / "datasets" / dataset


def test_numbers_against_scikit_learn(run):
    folder = place(run, "clinic")
    scores = pd.read_csv(folder / "paper/scores.csv")
    measures = pd.read_csv(folder / "paper/measures.csv").query("curve == 'raw'")
    table = pd.read_csv(folder / "tables/intervals.csv")
    zero, one = json.loads((folder / "data/provenance.json").read_text())["classes"]
    assert set(measures["positive_class"]) == {zero, one}
    for row in measures.to_dict("records"):
        chosen = scores[scores["model"] == row["model"]]
        to_one = row["positive_class"] == one
        positive = (chosen["positive"] == to_one).to_numpy()
        score = chosen["score"].to_numpy()
        auc = roc_auc_score(chosen["positive"], score)
        assert row["auc"] == pytest.approx(auc, abs=1e-12)
        shown = table[table["model"] == row["model"]].set_index("measure")["value"]
        assert shown["auc"] == pytest.approx(auc, abs=1e-6)
        if to_one:
            assert shown["auk"] == pytest.approx(row["auk"], abs=1e-6)
        # Evaluated at a prevalence of 2 %, or 98 %: rows of the classes weigh accordingly.
        prevalence = 0.02 if to_one else 0.98
        assert row["prevalence"] == pytest.approx(prevalence)
        predicted = score >= row["threshold"] if to_one else score <= row["threshold"]
        weight = np.where(
            positive, prevalence / positive.sum(), (1 - prevalence) / (~positive).sum()
        )
        kappa = cohen_kappa_score(positive, predicted, sample_weight=weight)
        assert row["kappa_max"] == pytest.approx(kappa, abs=1e-12)


def test_the_scores_are_those_of_the_models_on_the_imputed_rows(run, configs):
    """GaussianNB again, from the CSV file and the split alone."""
    folder = place(run, "clinic")
    table = pd.read_csv(configs[-1].with_name("clinic.csv"), sep=";")
    scores = pd.read_csv(folder / "paper/scores.csv").query("model == 'bayes'")
    test = scores["row"].to_numpy() - 1
    sample = pd.read_csv(folder / "paper/sample.csv")
    # One in five is sick, as declared: 30 with all 120 that are well; and so in the test rows.
    assert sample["positive"].value_counts().to_dict() == {0: 120, 1: 30}
    train = np.setdiff1d(sample["row"] - 1, test)
    assert (len(train), len(test)) == (90, 60)
    assert table["state"].iloc[test].eq(SICK).sum() == 12
    dose = table["dose"].fillna(table["dose"].iloc[train].median())
    own = {"dose": dose, "positive": table["positive"]}
    own |= {f"sex_{one}": table["sex"].eq(one) for one in "fm"} | {"missing": table["sex"].isna()}
    X = np.column_stack([np.asarray(own[k], float) for k in ("dose", "sex_f", "sex_m", "missing")])
    X = np.column_stack([X, own["positive"]])
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    sick = table["state"].eq(SICK).to_numpy()
    expected = GaussianNB().fit(X[train], sick[train]).predict_proba(X[test])[:, 1]
    np.testing.assert_allclose(scores["score"], expected, atol=1e-9)


def test_words_of_users_are_text_on_every_page(run):
    latex = (place(run, "clinic") / "appendix/body.tex").read_text()
    assert r"well \& \$fine\_" in latex
    svg = (place(run, "clinic") / "figures/roc_and_kappa.svg").read_text()
    assert "sick &lt;b&gt;" in svg
    assert "sick <b>" not in svg


def test_replicates_are_as_many_as_declared(run):
    folder = place(run, "clinic")
    rows = pd.read_parquet(folder / "replicates/measures.parquet")
    assert rows.groupby("model")["replicate"].nunique().to_dict() == dict.fromkeys(MODELS, 3)
    # Replicate 0 is the split of the tables, also where a prevalence is declared.
    key = ["model", "positive_class", "curve"]
    shown = pd.read_csv(folder / "paper/measures.csv").set_index(key)
    first = rows[rows["replicate"] == 0].set_index(key).loc[shown.index]
    for name in ("auc", "auk", "h", "ks", "kappa_max"):
        np.testing.assert_allclose(first[name], shown[name], atol=1e-9)


@pytest.mark.slow
def test_one_model_two_replicates_and_no_skew_make_a_document(snakemake, tmp_path):
    """Four rows of each class: two to train on, and two to test."""
    broken = {"estimator": "sklearn.svm.SVC", "parameters": {"kernel": "precomputed"}}
    doses = [1, 2, 4, 2.5, 3, 5, 6.5, 2.2]
    own = pd.DataFrame({"dose": doses, "sick": 4 * ["no"] + 4 * ["yes"]})
    own.to_csv(tmp_path / "own.csv", index=False)
    declared = {"source": "file", "path": "own.csv", "target": "sick", "positive": "yes"}
    declared |= {"replicates": 2, "n_train": 4}
    models = {"alone": ["linear"], "beside": ["linear", "broken"]}
    datasets = {name: declared | {"models": own} for name, own in models.items()}
    config = tmp_path / "own.yaml"
    config.write_text(yaml.safe_dump({"models": {"broken": broken}, "datasets": datasets}))
    done = snakemake(tmp_path, "own_data", config=config)
    assert done.returncode == 0, done.stdout
    for name, fitted in models.items():
        place = tmp_path / "results/datasets" / name
        assert (place / "appendix/appendix.pdf").read_bytes().startswith(b"%PDF")
        said = " ".join((place / "appendix/body.tex").read_text().split())
        assert ("broken could not be fitted" in said) == ("broken" in fitted)
        summary = pd.read_csv(place / "replicates/summary.csv").set_index("model")
        assert np.isfinite(summary.loc["linear", "mean"]).any()
        assert (summary["undefined"] == np.where(summary.index == "broken", 2, 0)).all()
    # Without pairs there are whole tables, of no rows.
    for table in ("replicates/wins", "tables/tests"):
        assert pd.read_csv(tmp_path / f"results/datasets/alone/{table}.csv").empty
