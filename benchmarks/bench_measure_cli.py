"""Seconds and memory of `kappacurve measure` on a large file, next to pandas with scikit-learn.

    python benchmarks/bench_measure_cli.py [--quick] [--output results/benchmarks]

Writes a CSV of ten million rows (a row number, the label, two models; about half a gigabyte) into a
temporary folder and runs the command on it and on smaller files, as a process of its own, start
included. Prints a table and leaves measure_cli.csv. Memory is the largest that the process held.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from bench_measures import cpu

COMMAND = [sys.executable, "-m", "kappacurve.cli.main", "measure"]
OPTIONS = ["--label", "y", "--score", "model_a", "--score", "model_b"]
BY_HAND = """
import sys, pandas as pd
from sklearn.metrics import roc_auc_score
frame = pd.read_csv(sys.argv[1])
print([roc_auc_score(frame["y"], frame[name]) for name in ("model_a", "model_b")])
"""

MEASURED = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
seconds = time.perf_counter() - start
print(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def write_scores(path: Path, n: int, part: int = 10**6) -> None:
    """Scores with all their digits, two correlated models, one row in ten positive."""
    rng = np.random.default_rng(2010)
    for start in range(0, n, part):
        m = min(part, n - start)
        y, common = rng.random(m) < 0.1, rng.normal(size=m)
        columns = {"row": np.arange(start, start + m), "y": y.astype(np.int64)}
        for name, shift in (("model_a", 1.0), ("model_b", 0.8)):
            columns[name] = common + rng.normal(size=m) + shift * y
        frame = pd.DataFrame(columns)
        frame.to_csv(path, mode="a" if start else "w", header=not start, index=False)


def run(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and largest memory (MiB) of a process."""
    # A process starts as large as its parent is, so a small one starts it.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURED, *command],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, processor, memory = map(float, done.stdout.split())
    return seconds, processor, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="10^5 rows, some seconds")
    size.add_argument("--full", action="store_true", help="the default; for make bench")
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks"))
    arguments = parser.parse_args()
    n = 10**5 if arguments.quick else 10**7
    print(f"{cpu()}, Python {platform.python_version()}, pandas {pd.__version__}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        small, drawn = Path(folder) / "small.csv", Path(folder) / "drawn.csv"
        write_scores(small, 300)
        write_scores(drawn, 2000 if arguments.quick else 60_000)
        path, packed = Path(folder) / "scores.csv", Path(folder) / "scores.csv.gz"
        write_scores(path, n)
        with path.open("rb") as plain, gzip.open(packed, "wb", compresslevel=1) as file:
            shutil.copyfileobj(plain, file, 2**20)
        print(f"{n:.0e} rows, {path.stat().st_size / 2**20:.0f} MiB")
        for name, command in (
            ("start alone (--help)", [*COMMAND, "--help"]),
            ("300 rows", [*COMMAND, str(small), *OPTIONS]),
            (
                "2000 resamples, 60,000 rows",
                [*COMMAND, str(drawn), *OPTIONS, "--bootstrap", "2000"],
            ),
            ("measures alone", [*COMMAND, str(path), *OPTIONS, "--no-intervals"]),
            ("the same, gzip", [*COMMAND, str(packed), *OPTIONS, "--no-intervals"]),
            ("with intervals and tests", [*COMMAND, str(path), *OPTIONS]),
            ("pandas, scikit-learn: AUC", [sys.executable, "-c", BY_HAND, str(path)]),
        ):
            seconds, processor, memory = run(command)
            rows.append((n, name, seconds, processor, memory))
            print(f"  {name:28}{seconds:8.2f} s{processor:8.2f} s CPU{memory:8.0f} MiB", flush=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    draft = arguments.output / "measure_cli.part"
    with draft.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["rows", "run", "seconds", "cpu_seconds", "memory_mib", "cpu"])
        writer.writerows([*row, cpu()] for row in rows)
    draft.replace(arguments.output / "measure_cli.csv")


if __name__ == "__main__":
    main()
