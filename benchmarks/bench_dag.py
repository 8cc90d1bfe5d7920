"""Time and memory that Snakemake needs to plan sweeps of many cells.

    python benchmarks/bench_dag.py [--cells 100 1000 10000] [--output results/benchmarks]

Plans the tables of a sweep (a dry run, nothing there yet), and one cell alone of the same sweep, as
a job on a cluster does before it starts to work. Leaves dag.csv.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
SUMMARY = "results/sweep/summary.csv"
CELL = (
    "results/sweep/measures.parquet/skew~0.05/encoding~strathclyde/sampling~keep_majority/"
    "n_train~100/part-00000.parquet"
)


def config_of(cells: int) -> dict[str, object]:
    """A sweep of so many cells: ten skews (or fewer), and numbers of training rows."""
    skews = [round(0.05 + 0.02 * i, 2) for i in range(10)]
    rows = [100 + i for i in range(min(cells // 10, 500))]
    more = {"encoding": ["strathclyde", "onehot"]} if cells > 5000 else {}
    return {"sweep": {"skew": skews, "n_train": rows, **more}}


def plan(folder: Path, config: Path, target: str) -> tuple[float, float]:
    """CPU seconds and MiB of a dry run."""
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "all", "--cores", "1"]
    command += ["--directory", str(folder), "--configfile", str(config), "--", target]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    # Of this one process, unlike resource.RUSAGE_CHILDREN, which keeps the largest of all.
    _, status, used = os.wait4(run.pid, 0)
    if status != 0:
        raise SystemExit(f"Snakemake could not plan {target} of {config.read_text()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks"))
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for cells in arguments.cells:
            config = Path(folder) / "many.yaml"
            config.write_text(yaml.safe_dump(config_of(cells)))
            whole, one = (plan(Path(folder), config, target) for target in (SUMMARY, CELL))
            rows.append([cells, *whole, *one])
            print(
                f"{cells:6d} cells: planned in {whole[0]:.1f} CPU s and {whole[1]:.0f} MiB; "
                f"one of them alone in {one[0]:.1f} CPU s and {one[1]:.0f} MiB",
                flush=True,
            )
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "dag.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["cells", "seconds", "mib", "seconds_one_cell", "mib_one_cell"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
