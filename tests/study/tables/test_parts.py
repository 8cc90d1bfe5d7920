import itertools

import numpy as np
import pandas as pd
import pytest

from study.errors import ExperimentError
from study.replicates.evaluation import MEASURES
from study.tables.parts import read_cell

MODELS = ("linear", "logistic", "neural_net")


def part(first, last, models=MODELS, **changes):
    """Replicates with random measures, in the order in which jobs write them."""
    rng = np.random.default_rng(first)
    kinds = itertools.product(range(first, last), models, ("majority", "minority"), ("raw", "hull"))
    rows = pd.DataFrame(list(kinds), columns=["replicate", "model", "positive_class", "curve"])
    cell = {"dataset": "german_credit", "skew": 0.1, "encoding": "onehot", "sampling": "total"}
    cell |= {"trainer": "compiled", "n_train": 50, "stratify": False, **changes}
    return rows.assign(**cell, **{name: rng.random(len(rows)) for name in MEASURES})


@pytest.fixture
def write(tmp_path):
    """Write tables as parts 0, 1, ...; their paths."""

    def write_parts(*tables):
        folder = tmp_path / "measures.parquet"
        folder.mkdir(exist_ok=True)
        paths = [folder / f"part-{i:05d}.parquet" for i in range(len(tables))]
        for path, table in zip(paths, tables, strict=True):
            table.to_parquet(path, index=False)
        return paths

    return write_parts


def test_a_cell_is_read_part_by_part_and_its_folder_as_one_table(write):
    network = part(0, 2, models=("neural_net_lm",), trainer="levenberg-marquardt")
    tables = [part(0, 4), part(4, 6), network]
    # A replicate without measures, because a class was missing.
    tables[1].loc[tables[1]["replicate"] == 5, list(MEASURES)] = np.nan
    paths = write(*tables)
    whole = pd.concat(tables, ignore_index=True)
    found = read_cell(paths)
    pd.testing.assert_frame_equal(found, whole, check_exact=True)
    pd.testing.assert_frame_equal(pd.read_parquet(paths[0].parent), whole, check_exact=True)


def test_a_damaged_part_is_named(write):
    paths = write(part(0, 6))
    paths[0].write_bytes(paths[0].read_bytes()[:-100])
    with pytest.raises(ExperimentError, match=r"part-00000\.parquet can't be read .*delete it and"):
        read_cell(paths)
