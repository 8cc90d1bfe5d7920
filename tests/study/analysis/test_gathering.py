import itertools

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from study.analysis.auk_given_auc import auk_given_auc_table
from study.analysis.certainty import ranking_certainty
from study.analysis.gathering import (
    agreement_in_cell,
    auk_given_auc_in_cell,
    certainty_in_cell,
    gather,
    join,
    reversals_as_large_in_cell,
    reversals_in_cell,
    summarise_cell,
)
from study.analysis.reversals import rank_reversals, reversals_as_large
from study.analysis.summaries import SWEPT, agreement, summarise
from study.errors import ExperimentError
from study.replicates.engine import MEASURES

MODELS = ("linear", "logistic", "neural_net")
PAIR = ("linear", "neural_net")
EXPECTED = dict.fromkeys(MODELS, 6)


def part(first, last, skew=0.1, models=MODELS):
    """Replicates with random measures, in the order in which jobs write them."""
    rng = np.random.default_rng([first, round(100 * skew)])
    kinds = itertools.product(range(first, last), models, ("good", "bad"), ("raw", "hull"))
    rows = pd.DataFrame(list(kinds), columns=["replicate", "model", "positive_class", "curve"])
    cell = {"dataset": "german_credit", "skew": skew, "encoding": "onehot", "sampling": "total"}
    cell |= {"trainer": "compiled", "n_train": 50, "stratify": False}
    return rows.assign(**cell, **{name: rng.random(len(rows)) for name in MEASURES})


@pytest.fixture
def write(tmp_path):
    """Write tables as parts 0, 1, ...; their paths."""

    def write_parts(*tables):
        paths = [tmp_path / f"part{i}.parquet" for i in range(len(tables))]
        for path, table in zip(paths, tables, strict=True):
            table.to_parquet(path, index=False)
        return paths

    return write_parts


def test_tables_are_those_of_all_rows_at_once(write, tmp_path):
    tables = [part(a, b, skew) for skew in (0.3, 0.1) for a, b in ((0, 4), (4, 6))]
    # A replicate without measures, because a class was missing.
    tables[1].loc[tables[1]["replicate"] == 5, list(MEASURES)] = np.nan
    whole = pd.concat(tables, ignore_index=True)
    cells = gather(write(*tables), EXPECTED, tmp_path / "all.parquet", SWEPT)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "all.parquet"), whole)
    assert [cell.place["skew"] for cell in cells] == [0.3, 0.1]
    for streamed, at_once in (
        (map(summarise_cell, cells), summarise(whole, SWEPT)),
        ((reversals_in_cell(cell, PAIR) for cell in cells), rank_reversals(whole, PAIR, SWEPT)),
        (map(agreement_in_cell, cells), agreement(whole, SWEPT)),
        ((certainty_in_cell(cell, PAIR) for cell in cells), ranking_certainty(whole, PAIR, SWEPT)),
    ):
        pd.testing.assert_frame_equal(
            pd.concat(streamed, ignore_index=True), at_once, check_exact=True
        )


def test_without_columns_that_tell_cells_apart_there_is_one_cell(write, tmp_path):
    network = part(0, 2, models=("neural_net_lm",)).assign(trainer="levenberg-marquardt")
    tables = [part(0, 6), network]
    expected = {**EXPECTED, "neural_net_lm": 2}
    (cell,) = gather(write(*tables), expected, tmp_path / "all.parquet")
    whole = pd.concat(tables, ignore_index=True)
    for streamed, at_once in (
        (summarise_cell(cell), summarise(whole)),
        (reversals_as_large_in_cell(cell), reversals_as_large(whole)),
        (auk_given_auc_in_cell(cell), auk_given_auc_table(whole)),
    ):
        assert len(at_once) > 0
        pd.testing.assert_frame_equal(streamed, at_once, check_exact=True)


def test_empty_parts_are_passed_over(write, tmp_path):
    paths = write(part(0, 0), part(0, 2), part(0, 0))
    join(paths, tmp_path / "all.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "all.parquet"), part(0, 2))
    join(paths[:1], tmp_path / "none.parquet")
    assert pq.read_schema(tmp_path / "none.parquet").names == list(part(0, 0))


def without_a_measure(table):
    return table.assign(h=table["h"].where(table["replicate"] != 3))


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([part(0, 4)], "linear has 4 replicates in skew 0.1, encoding onehot, .* expected 6"),
        ([part(0, 4), part(0, 4)], "holds replicate 0 of linear where 4 is expected"),
        ([part(4, 6), part(0, 4)], "holds replicate 4 of linear where 0 is expected"),
        ([part(0, 6), part(6, 7)], "linear has 7 replicates"),
        ([part(0, 6).iloc[:-1]], "neural_net has 5 replicates"),
        ([part(0, 6, models=PAIR)], "logistic has 0 replicates"),
        ([part(0, 6, models=(*MODELS, "other"))], "other has 6 replicates .* expected 0"),
        ([without_a_measure(part(0, 6))], "some measures and without others"),
        ([part(0, 6).replace({"curve": {"raw": None}})], "without a replicate, model, class"),
        ([part(0, 6).assign(encoding=None)], "belong to no cell"),
        ([pd.concat([part(0, 3), part(3, 6, skew=0.2)])], "holds rows of 2 cells"),
    ],
)
def test_gathering_refuses_what_is_damaged(write, tmp_path, tables, message):
    with pytest.raises(ExperimentError, match=message):
        gather(write(*tables), EXPECTED, tmp_path / "all.parquet", SWEPT)


def test_a_file_that_is_cut_off_is_named(write, tmp_path):
    (path,) = write(part(0, 6))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ExperimentError, match=r"part0\.parquet is no whole parquet file"):
        gather([path], EXPECTED, tmp_path / "all.parquet", SWEPT)


def test_bytes_do_not_depend_on_how_the_rows_were_divided(write, tmp_path, monkeypatch):
    monkeypatch.setattr("study.analysis.gathering.ROWS_OF_A_GROUP", 20)
    rows = part(0, 6)  # 72 rows
    found = set()
    for cuts in ([0, 72], [0, 12, 72], [0, 20, 40, 60, 72], [0, 1, 71, 72]):
        pieces = [rows.iloc[a:b] for a, b in itertools.pairwise(cuts)]
        join(write(*pieces), tmp_path / "whole.parquet")
        found.add((tmp_path / "whole.parquet").read_bytes())
    assert len(found) == 1
    whole = pq.ParquetFile(tmp_path / "whole.parquet")
    assert [whole.metadata.row_group(i).num_rows for i in range(4)] == [20, 20, 20, 12]
    pd.testing.assert_frame_equal(whole.read().to_pandas(), rows, check_exact=True)
