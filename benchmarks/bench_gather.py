"""Time and memory to summarise replicates.

    python benchmarks/bench_gather.py [--rows 10000000] [--output results/benchmarks]

Random measures of three models, twelve rows a replicate, in parts as jobs write them: one cell that
has them all, and many cells of 500 replicates. The sweep's script makes its tables of them in a
process of its own, whose CPU seconds and largest memory are shown. Leaves gather.csv.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from study.replicates.evaluation import MEASURES

ROOT = Path(__file__).parents[1]
MODELS = ("linear", "logistic", "neural_net")
KINDS = list(itertools.product(MODELS, ("good", "bad"), ("raw", "hull")))
SUMMARISE = """
import sys
from pathlib import Path
from summarise_sweep import summarise_sweep
folder, cells, replicates = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
names = ("summary", "rank_reversal", "agreement_table", "sizes", "skipped")
summarise_sweep(
    parts=sorted((folder / "measures.parquet").glob("part*.parquet")),
    expected=dict.fromkeys(("linear", "logistic", "neural_net"), replicates),
    cell_sizes=[{}] * cells,
    cells_skipped=[],
    **{name: folder / f"{name}.csv" for name in names},
)
"""


def write_parts(folder: Path, cells: int, replicates: int, per_part: int) -> int:
    """Write the parts; their bytes."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    starts = itertools.product(range(cells), range(0, replicates, per_part))
    for number, (cell, first) in enumerate(starts):
        drawn = np.arange(first, min(first + per_part, replicates))
        kinds = np.tile(np.array(KINDS), (len(drawn), 1))
        rows = {"replicate": np.repeat(drawn, len(KINDS)), "dataset": "german_credit"}
        rows |= {"skew": 0.02 + 0.0002 * cell, "encoding": "strathclyde"}
        rows |= {"sampling": "keep_majority", "trainer": "compiled", "n_train": 500}
        rows |= {"stratify": False}
        rows |= dict(zip(("model", "positive_class", "curve"), kinds.T, strict=True))
        rows |= {name: rng.random(len(kinds)) for name in MEASURES}
        pd.DataFrame(rows).to_parquet(folder / f"part-{number:07d}.parquet", index=False)
    return sum(part.stat().st_size for part in folder.iterdir())


def summarised(folder: Path, cells: int, replicates: int) -> tuple[float, float]:
    """CPU seconds and MiB of the sweep's script."""
    path = os.pathsep.join(str(ROOT / name) for name in ("workflow/scripts", "src"))
    command = [sys.executable, "-c", SUMMARISE, str(folder), str(cells), str(replicates)]
    run = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path})
    _, status, used = os.wait4(run.pid, 0)
    if status != 0:
        raise SystemExit("The replicates could not be summarised.")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks"))
    arguments = parser.parse_args()
    whole = arguments.rows // len(KINDS)
    lines = []
    for cells, replicates, per_part in ((1, whole, 10_000), (whole // 500, 500, 500)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            rows = cells * replicates * len(KINDS)
            size = write_parts(folder / "measures.parquet", cells, replicates, per_part) / rows
            seconds, memory = summarised(folder, cells, replicates)
        lines.append([rows, cells, replicates, seconds, memory, size])
        print(
            f"{rows:,} rows, {cells} cell(s) of {replicates:,} replicates: {seconds:.0f} CPU s, "
            f"{memory:.0f} MiB, {size:.0f} bytes a row",
            flush=True,
        )
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "gather.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["rows", "cells", "replicates", "seconds", "mib", "bytes_per_row"])
        writer.writerows(lines)


if __name__ == "__main__":
    main()
