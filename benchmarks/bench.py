"""What takes how long beside other packages, as ratios: `make bench` writes benchmarks/results.md.

Times are CPU seconds on one core, the least of some repetitions; those of processes are by the
clock. A part is a function that yields rows (what, seconds, peer, its seconds).
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from kappacurve import batch_measures, measures, paired_test
from kappacurve._kernels import measure_resamples, sort_rows

RESULTS = Path(__file__).with_name("results.md")
MEASURE = [sys.executable, "-m", "kappacurve.cli", "measure", "scores.csv", "--label", "y"]
MEASURE += ["--score", "model_a", "--score", "model_b"]
BY_HAND = """
import pandas as pd
from sklearn.metrics import roc_auc_score
frame = pd.read_csv("scores.csv")
print([roc_auc_score(frame["y"], frame[name]) for name in ("model_a", "model_b")])
"""


class Row(NamedTuple):
    """A line of the table."""

    what: str
    seconds: float
    peer: str
    peer_seconds: float


def cpu_seconds(call: Callable[[], Any], repetitions: int = 3) -> float:
    """The least of some repetitions; the first, uncounted, compiles."""
    call()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def one_vector(quick: bool) -> Iterator[Row]:
    """All measures of one vector of scores, and paired tests of two."""
    rng = np.random.default_rng(2010)
    for n in (10**5,) if quick else (10**6, 10**7):
        y = rng.random(n) < 0.1
        a, b = (rng.normal(size=n) + y for _ in range(2))
        name = f"all measures of {n:.0e} scores"
        seconds = cpu_seconds(partial(measures, y, a))
        yield Row(name, seconds, "np.sort", cpu_seconds(partial(np.sort, a)))
        peer = cpu_seconds(partial(roc_auc_score, y, a), 1)
        yield Row(name, seconds, "scikit-learn's AUC alone", peer)
        if n < 10**7:
            argsort = cpu_seconds(partial(np.argsort, a))
            for measure in ("auc", "auk"):
                seconds = cpu_seconds(partial(paired_test, y, a, b, measure=measure))
                name = f"paired test of {measure.upper()}, 2 x {n:.0e} scores"
                yield Row(name, seconds, "np.argsort", argsort)


def many_vectors(quick: bool) -> Iterator[Row]:
    """All measures of many replicates, and of resamples of one vector."""
    b, n, sampled = (500 if quick else 10_000), 268, (50 if quick else 500)
    rng = np.random.default_rng(2010)
    y = rng.random((b, n)) < 0.11
    y[:, 0], y[:, 1] = True, False
    score = rng.normal(size=(b, n)) + y
    name = f"all measures of {b:,} replicates of {n} rows"
    seconds = cpu_seconds(partial(batch_measures, y, score))
    yield Row(name, seconds, "np.sort", cpu_seconds(partial(np.sort, score, axis=1)))
    loop = cpu_seconds(lambda: [roc_auc_score(y[i], score[i]) for i in range(sampled)], 2)
    yield Row(name, seconds, "a loop over scikit-learn's AUC", loop * b / sampled)

    y, n = rng.random(3000) < 0.1, 3000
    score = rng.normal(size=n) + y
    drawn = rng.integers(n, size=(200 if quick else 2000, n))
    counts = np.stack([np.bincount(rows, minlength=n) for rows in drawn]).astype(np.uint8)
    seconds = cpu_seconds(partial(measure_resamples, sort_rows(y, score, None), counts))
    some = drawn[:20]
    loop = cpu_seconds(lambda: [roc_auc_score(y[rows], score[rows]) for rows in some], 2)
    name = f"all measures of {len(drawn):,} resamples of {n:,} rows"
    yield Row(name, seconds, "a loop over scikit-learn's AUC", loop * len(drawn) / len(some))


def write_scores(path: Path, n: int, part: int = 10**6) -> None:
    """Scores with all their digits, two correlated models, one row in ten positive."""
    rng = np.random.default_rng(2010)
    for start in range(0, n, part):
        size = min(part, n - start)
        y, common = rng.random(size) < 0.1, rng.normal(size=size)
        columns = {"row": np.arange(start, start + size), "y": y.astype(np.int64)}
        for name, shift in (("model_a", 1.0), ("model_b", 0.8)):
            columns[name] = common + rng.normal(size=size) + shift * y
        frame = pd.DataFrame(columns)
        frame.to_csv(path, mode="a" if start else "w", header=not start, index=False)


def command(quick: bool) -> Iterator[Row]:
    """`kappacurve measure` on a large file."""
    n = 10**4 if quick else 10**6
    with tempfile.TemporaryDirectory() as folder:
        write_scores(Path(folder) / "scores.csv", n)

        def clock(arguments: list[str]) -> float:
            start = time.perf_counter()
            subprocess.run(arguments, check=True, capture_output=True, cwd=folder)
            return time.perf_counter() - start

        by_hand = min(clock([sys.executable, "-c", BY_HAND]) for _ in range(2))
        seconds = min(clock(MEASURE) for _ in range(2))
    name = f"`kappacurve measure`, {n:.0e} rows, 2 models"
    yield Row(name, seconds, "pandas and scikit-learn's AUC alone", by_hand)


def machine() -> str:
    """The processor, and the versions that it runs."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        cpu = platform.processor() or platform.machine()
    return f"{cpu}, Python {platform.python_version()}, NumPy {np.__version__}"


def main() -> None:
    """Time every part and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute, no file")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore")
    threadpool_limits(1)
    text = [
        "# What takes how long",
        "",
        f"{machine()}, {datetime.now(UTC):%Y-%m-%d}. Written by `make bench`.",
        "",
        "| what | seconds | beside | its seconds | ratio |",
        "|---|---|---|---|---|",
    ]
    for part in (one_vector, many_vectors, command):
        for row in part(quick):
            ratio = f"{row.seconds / row.peer_seconds:.2g}"
            cells = f"{row.what} | {row.seconds:.3g} | {row.peer} | {row.peer_seconds:.3g}"
            text.append(f"| {cells} | {ratio} |")
            print(text[-1], flush=True)
    if not quick:
        RESULTS.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
