"""Data sets and scores that users bring: the scripts, and the whole way through Snakemake."""

import copy
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import cohen_kappa_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB

import compare_models
import draw_curves
import draw_split
import prepare_dataset
import take_scores
from study.data import uci
from study.errors import ExperimentError
from study.replicates.engine import Cell
from study.settings.cells import dataset_cell
from study.settings.check import check_config

ROOT = Path(__file__).parents[2]
DEFAULT = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
SICK = "sick <b>"


# ---- declarations ----


def configured(**changes):
    config = copy.deepcopy(DEFAULT)
    for name, value in changes.items():
        config[name] = {**config[name], **value}
    return config


@pytest.mark.parametrize("example", sorted(ROOT.glob("examples/*.yaml")), ids=lambda one: one.stem)
def test_examples_are_accepted(example):
    config = configured(**yaml.safe_load(example.read_text()))
    check_config(config, [example])
    assert set(yaml.safe_load(example.read_text()).get("models", {})) <= set(config["models"])


MINE = {"source": "file", "path": str(ROOT / "docs/scores.csv"), "target": "a", "positive": "b"}


def test_declarations_are_completed():
    config = configured(datasets={"mine": dict(MINE)}, models={"logistic": False})
    check_config(config, [])
    own = config["datasets"]["mine"]
    assert own["models"] == ["linear", "neural_net", "neural_net_lm"]
    assert (own["missing"], own["n_train"], own["stratify"], own["skew"]) == (
        "refuse",
        0.6,
        True,
        None,
    )
    cell = dataset_cell(config, "mine")
    assert cell["models"]["neural_net"] == DEFAULT["models"]["neural_net"]
    assert Cell(**cell).dataset == "mine"


# ---- scripts ----


def prepared(tmp_path, own, **changes):
    declaration = {"source": "file", "target": "ill", "positive": True, "drop": [], "name": None}
    declaration |= {
        "categorical": [],
        "numeric": [],
        "missing": "impute",
        "uci_id": None,
        "decimal": ".",
        "header": "first_row",
        "split": None,
        "n_train": 0.6,
    } | changes
    prepare_dataset.prepare_dataset(
        own=own if isinstance(own, list) else [own],
        features=tmp_path / "features.csv",
        provenance=tmp_path / "provenance.json",
        name="mine",
        declaration=declaration,
        uci_url="https://uci.example",
        timeout_seconds=1,
    )
    return pd.read_csv(tmp_path / "features.csv"), json.loads(
        (tmp_path / "provenance.json").read_text()
    )


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
    with pytest.raises(ExperimentError, match=r"b\.csv.* line 2: 2 fields .* first row has 3"):
        prepared(tmp_path, own, header="none", target=2)


def test_other_sources_of_a_data_set(tmp_path, monkeypatch):
    features, record = prepared(
        tmp_path,
        [],
        source="scikit-learn",
        name="breast_cancer",
        target="target",
        positive="benign",
    )
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

    def fail(*_, **__):
        raise uci.FetchError("no answer")

    monkeypatch.setattr(prepare_dataset, "fetch_uci", fail)
    with pytest.raises(ExperimentError, match=r"mine: UCI's data set 17 .*no answer.*source file"):
        prepared(tmp_path, [], source="uci", uci_id=17)


def test_a_skew_that_the_data_lack_speaks_of_their_classes(tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("a,ill\n" + "1,sick\n2,well\n3,well\n" * 4)
    prepared(tmp_path, own, positive="sick")
    files = {name: tmp_path / f"{name}.csv" for name in ("features", "sample", "scores")}
    files |= {name: tmp_path / f"{name}.csv" for name in ("curves", "measures")}
    cell = {"models": {"linear": {}}, "n_train": 0.5, "stratify": True, "prevalence": None}
    options = {**files, "provenance": tmp_path / "provenance.json", "seed": 1}
    with pytest.raises(ExperimentError, match="needs 8 well and 0 sick rows, but the data have 4"):
        draw_split.draw_split(**options, cell={**cell, "skew": 0.1})
    draw_split.draw_split(**options, cell={**cell, "skew": None})
    assert pd.read_csv(files["sample"])["row"].tolist() == list(range(1, 13))
    assert list(pd.read_csv(files["scores"])) == ["row", "positive", "model", "score"]


def taken(tmp_path, content, **changes):
    own = tmp_path / "scores.txt"
    own.write_text(content)
    options = {"label": "t", "models": None, "positive": None, "prevalence": None}
    options |= {"cost_ratio": None, **changes}
    files = {name: tmp_path / f"{name}.csv" for name in ("scores", "curves", "measures")}
    files |= {"own": own, "provenance": (provenance := tmp_path / "provenance.json")}
    take_scores.take_scores(name="given", declaration=options, **files)
    return pd.read_csv(files["scores"]), json.loads(provenance.read_text())


def test_classes_and_models_that_look_like_numbers_stay_texts(tmp_path):
    """A csv between two jobs must not turn the class 1 into a number that is no class."""
    rows = [f"{int(i % 3 == 0)},{i % 7},{i % 5}" for i in range(40)]
    taken(tmp_path, "\n".join(["t,2020,b", *rows]), models=["2020", "b"])
    given = {"provenance": tmp_path / "provenance.json"}
    scores = {"scores": tmp_path / "scores.csv", **given}
    curves, measures = tmp_path / "curves.csv", tmp_path / "measures.csv"
    paths = {name: [tmp_path / f"{name}.csv", tmp_path / f"{name}.md"] for name in TABLES}
    options = {"seed": 1, "prevalence": None, "cost_ratio": None, "n_resamples": 20, "models": {}}
    options["answer"] = tmp_path / "answer.csv"
    compare_models.compare_models(**scores, measures=measures, **options, **paths)
    draw_curves.draw_curves(
        **{"curves": curves, "measures": measures, **given},
        auk_by_prevalence=[tmp_path / "prevalence.svg"],
        figure2_positive=[tmp_path / "positive.svg"],
        figure3_negative=[tmp_path / "negative.svg"],
    )
    text = (tmp_path / "intervals.md").read_text()
    assert "| 1 " in text
    assert "| 0 " in text


@pytest.mark.parametrize(
    ("labels", "positive", "classes"),
    [
        (("True", "False"), True, ["False", "True"]),
        (("1", "0"), None, ["0", "1"]),
        (("ill", "well"), "ill", ["well", "ill"]),
    ],
)
def test_given_scores_and_spellings_of_their_positive_class(tmp_path, labels, positive, classes):
    content = f"t\tb\ta\n{labels[0]}\t0.5\t1\n{labels[1]}\t0.25\t3\n"
    scores, record = taken(tmp_path, content, positive=positive)
    assert scores.to_dict("list") == {
        "row": [1, 2, 1, 2],
        "positive": [1, 0, 1, 0],
        "model": ["b", "b", "a", "a"],
        "score": [0.5, 0.25, 1, 3],
    }
    assert record["classes"] == classes
    assert record["class_counts"] == dict.fromkeys(classes, 1)
    scores, _ = taken(tmp_path, content, positive=positive, models=["a"])
    assert set(scores["model"]) == {"a"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "say which class is positive, positive: u or positive: v."),
        ({"positive": True}, "'true' is not in column t, which holds 'u' and 'v'"),
        ({"label": "tt"}, "has no column tt"),
        ({"models": ["z"]}, "has no column z"),
    ],
)
def test_given_scores_that_are_refused(tmp_path, changes, message):
    with pytest.raises(ExperimentError) as refusal:
        taken(tmp_path, "t,m\nu,1\nv,2\n", **changes)
    assert message in str(refusal.value)
    assert str(refusal.value).startswith("config key scores.given: ")


# ---- the whole way ----

TABLES = ("intervals", "ranks", "tests", "thresholds", "bounds")
MODELS = ["linear", "bayes"]


def place(run, dataset):
    return run / "results" / "datasets" / dataset


@pytest.mark.parametrize("dataset", ["clinic", "given"])
def test_numbers_against_scikit_learn(run, dataset):
    folder = place(run, dataset)
    scores = pd.read_csv(folder / "paper/scores.csv")
    measures = pd.read_csv(folder / "paper/measures.csv").query("curve == 'raw'")
    table = pd.read_csv(folder / "tables/intervals.csv")
    zero, one = json.loads((folder / "data/provenance.json").read_text())["classes"]
    assert set(measures["positive_class"]) == set(table["positive_class"]) == {zero, one}
    for row in measures.to_dict("records"):
        chosen = scores[scores["model"] == row["model"]]
        to_one = row["positive_class"] == one
        positive = (chosen["positive"] == to_one).to_numpy()
        score = chosen["score"].to_numpy()
        auc = roc_auc_score(chosen["positive"], score)
        assert row["auc"] == pytest.approx(auc, abs=1e-12)
        shown = table[
            (table["model"] == row["model"]) & (table["positive_class"] == row["positive_class"])
        ].set_index("measure")["value"]
        assert shown["auk"] == pytest.approx(row["auk"], abs=1e-6)
        shown = table[table["model"] == row["model"]].set_index("measure")["value"]
        assert shown["auc"] == pytest.approx(auc, abs=1e-6)
        predicted = score >= row["threshold"] if to_one else score <= row["threshold"]
        if dataset == "clinic":  # evaluated at a prevalence of 2 %, or 98 %
            assert row["prevalence"] == pytest.approx(0.02 if to_one else 0.98)
        elif predicted.any():
            kappa = cohen_kappa_score(positive, predicted)
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
    page = (place(run, "clinic") / "tables/intervals.html").read_text()
    assert "sick &lt;b&gt;" in page
    assert "well &amp; $fine_" in page
    assert "sick <b>" not in page
    latex = (place(run, "clinic") / "tables/intervals.tex").read_text()
    assert r"well \& \$fine\_" in latex
    svg = (place(run, "clinic") / "figures/figure2_positive.svg").read_text()
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
