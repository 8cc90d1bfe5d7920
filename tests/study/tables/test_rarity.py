"""AUC and AUK at a rarer class: each of three things varied apart."""

import pandas as pd
import pytest

from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.parquet import write_parquet
from study.replicates.engine import Cell, run_replicates
from study.tables.rarity import DESIGNS, Level, rarest, rarity_table, thinned
from study.tables.reversals import rank_reversals

PAIR = ("linear", "neural_net")
COUNT = 40


@pytest.fixture(scope="module")
def drawn():
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    models = {name: {} for name in PAIR}
    return {
        skew: run_replicates(features, Cell(models, skew=skew), range(COUNT), seed=1, ranked=True)
        for skew in (0.02, 0.3)
    }


@pytest.fixture
def levels(drawn, tmp_path):
    made = []
    for skew, found in drawn.items():
        path = tmp_path / f"{skew}.parquet"
        write_parquet(found.ranks, path, about={"natural": 0.28})
        made.append(Level({"skew": skew}, rank_reversals(found.measures, PAIR), [path]))
    return made


def test_each_design_varies_one_thing(levels, drawn):
    table = rarity_table(levels, PAIR, "test").set_index(["skew", "design"]).sort_index()
    assert set(table["base"]) == {0.3}  # nearest to the natural share
    in_test = table["minority_in_test"].groupby(level=[0, 1]).first()
    few, many = (drawn[skew].scores.query("model == 'linear'")["minority"].sum() for skew in drawn)
    assert in_test[0.02, "all three"] == in_test[0.02, "test rows"] == few / COUNT
    assert in_test[0.02, "prevalence"] == in_test[0.3, "all three"] == many / COUNT
    assert in_test[0.02, "training rows"] > 280
    # The base thinned to itself is what it was.
    counted = ["reversals", "replicates"]
    same = table.loc[(0.3, "test rows"), counted].to_numpy()
    assert (same == table.loc[(0.3, "all three"), counted].to_numpy()).all()
    # At p = 1/2 AUK is AUC - 1/2: no design can make the two disagree.
    assert table.loc[(0.02, ["test rows", "training rows"]), "reversals"].sum() > 0
    even = rarity_table(levels, PAIR, 0.5).set_index("design").drop(index="all three")
    assert even["reversals"].sum() == 0


def test_rows_are_thinned_class_by_class():
    def ranks(*labels):
        one = pd.DataFrame({"replicate": 3, "minority": labels, "score": range(len(labels))})
        models = ("linear", "logistic", "neural_net")
        return pd.concat([one.assign(model=name) for name in models], ignore_index=True)

    found = thinned(ranks(1, 0, 1, 0, 0, 1), ranks(0, 1, 0, 1)).groupby("model")["score"]
    assert {tuple(scores) for _, scores in found} == {(0, 1, 2, 3)}
    found = thinned(ranks(0, 1, 0), ranks(0, 1, 1, 1))  # more than there are: all
    assert found["score"].tolist() == [0, 1, 0, 1, 0, 1]


def test_what_raises_the_share_has_an_interval_above_that_of_the_base():
    intervals = {0.3: [(0.0, 0.1)] * 4, 0.02: [(0.2, 0.4), (0.0, 0.1), (0.11, 0.3), (0.1, 0.3)]}
    rows = [
        {"skew": skew, "base": 0.3, "design": design, "curve": "raw", "positive_class": "minority"}
        | {"share": (low + high) / 2, "low": low, "high": high}
        for skew, ends in intervals.items()
        for design, (low, high) in zip(DESIGNS, ends, strict=True)
    ]
    table = pd.DataFrame(rows)
    found = rarest(table.assign(encoding="strathclyde"))
    assert [bool(found[name]["raised"].all()) for name in DESIGNS] == [True, False, True, False]
    # Nothing is said where the base is the rarest level, or a share is missing.
    assert rarest(table[table["skew"] == 0.3].assign(encoding="strathclyde")) == {}
    assert rarest(table.assign(share=float("nan"), encoding="strathclyde")) == {}
