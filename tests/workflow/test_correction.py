"""What the correction of German Credit changes, with a stand-in for the corrected data."""

import numpy as np
import pandas as pd
import pytest
import yaml

import compare_correction as script
from study.analysis.summaries import compare_summaries
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.data.uci import FetchError
from study.imports import ROOT
from study.settings.cells import paper_cell

CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
DECLARED = {**CONFIG["correction"], "replicates": 30, "numeric": ["laufzeit", "hoehe", "alter"]}


def stand_in():
    """German Credit in the form of UCI 573: numbers for codes, kredit 1 good and 0 bad."""
    table = read_german_data(BUNDLED_FILE).drop(columns="row")
    for name in table.select_dtypes(exclude="number").columns.drop("class"):
        table[name] = table[name].astype("category").cat.codes + 1
    table["class"] = (table["class"] == "good").astype(int)
    names = {"duration": "laufzeit", "amount": "hoehe", "age": "alter", "class": "kredit"}
    return table.rename(columns=names)


def correction(tmp_path, ask=True, declaration=DECLARED):
    features = tmp_path / "features.csv"
    encode(read_german_data(BUNDLED_FILE), "onehot").to_csv(features, index=False)
    paths = [tmp_path / f"measures.{suffix}" for suffix in ("csv", "md")]
    script.compare_correction(
        features=features,
        correction=paths,
        cell=paper_cell(CONFIG, ["linear"], encoding="onehot"),
        seed=1,
        ask=ask,
        uci={},
        declaration=declaration,
    )
    return pd.read_csv(paths[0]), paths[1].read_text()


def test_both_data_go_through_one_experiment(tmp_path, monkeypatch):
    monkeypatch.setattr(script, "fetch_uci", lambda *_, **__: stand_in())
    table, note = correction(tmp_path)
    assert len(table) == 2 * 4  # classes and measures of one model
    assert "Means over 30 random splits" in note
    auc = table[table["measure"] == "auc"].iloc[0]
    # The same customers with four numbers as codes: nearly the same ranking.
    assert auc["low"] < auc["difference"] < auc["high"]
    assert abs(auc["difference"]) < 0.03
    assert 0.7 < auc["original"] < 0.85


def test_data_that_cannot_be_obtained_leave_a_reason_and_no_rows(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise FetchError("no answer")

    monkeypatch.setattr(script, "fetch_uci", refuse)
    table, note = correction(tmp_path)
    assert table.empty
    assert "(UCI 573) could not be obtained: no answer" in note


def test_difference_and_interval_by_hand():
    def summary(mean, sd, n):
        row = {"model": "m", "positive_class": "bad", "curve": "raw", "measure": "auc"}
        return pd.DataFrame([{**row, "mean": mean, "sd": sd, "replicates": n, "undefined": 1}])

    found = compare_summaries(
        {"a": summary(0.7, 0.03, 10), "b": summary(0.75, 0.04, 17)}, ("a", "b")
    )
    error = np.sqrt(0.03**2 / 9 + 0.04**2 / 16)
    one = found.iloc[0]
    assert one["difference"] == pytest.approx(0.05)
    assert one["high"] - one["low"] == pytest.approx(2 * 1.959964 * error, rel=1e-6)
