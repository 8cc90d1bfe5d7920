"""A job that gathers the measures of many splits stays within the memory that it asks for."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.experiment.files import write_parquet
from study.experiment.measures import MEASURES
from study.experiment.scenarios import gather_mb

ROOT = Path(__file__).parents[2]
GATHER = """
import resource, sys
from pathlib import Path
from types import SimpleNamespace

sys.path[:0] = [f"{sys.argv[1]}/src", f"{sys.argv[1]}/workflow/scripts"]
import tables

folder = Path(sys.argv[2])
names = "table4 table5 operating_point rank_reversal reversal_by_gap leads".split()
written = SimpleNamespace(**{name: folder / f"{name}.csv" for name in names})
pair = ["linear", "neural_net"]
options = {"pair": pair, "cost_ratio": None, "has_printed": True, "at_tolerance": 0.2}
options |= {"measures": sorted(folder.glob("paper/*")), "written": written}
tables.make_tables(**options)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("n_chunks", [1, 100])
def test_tables_of_thousands_of_splits(tmp_path, rng, n_chunks):
    """Of 1,000 and of 100,000 splits, 1,000 in each chunk."""
    models = ["linear", "logistic", "neural_net"]
    kinds = product(range(1000), models, ["majority", "minority"], ["raw", "hull"])
    table = pd.DataFrame(kinds, columns=["replicate", "model", "positive_class", "curve"])
    table[[*MEASURES]] = rng.uniform(0.1, 0.9, (len(table), len(MEASURES)))
    (tmp_path / "paper").mkdir()
    for chunk in range(n_chunks):
        numbers = table["replicate"] + 1000 * chunk
        drawn = table.assign(replicate=numbers, test_set=numbers.astype(np.uint64), rarer=30)
        drawn.attrs = {"majority": 700, "minority": 86, "n_train": 500}
        write_parquet(drawn, tmp_path / f"paper/built_in-{chunk:04d}.parquet")
    command = [sys.executable, "-c", GATHER, ROOT, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    size = sum(path.stat().st_size for path in tmp_path.glob("paper/*")) / 2**20
    assert float(done.stdout.split()[-1]) < gather_mb(size)
