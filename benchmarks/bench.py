"""What takes how long beside other packages: `make bench` writes benchmarks/results.md.

Times are CPU seconds on one core, the least of some repetitions; those of processes are by the
clock.
"""

from __future__ import annotations

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
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from kappacurve import batch_measures, measures, paired_test
from kappacurve.curves.kernels import measure_resamples, sort_rows

Row = tuple[str, float, str, float]  # what, its seconds, what beside it, its seconds

RESULTS = Path(__file__).with_name("results.md")
MEASURE = ["-m", "kappacurve.cli", "measure", "scores.csv", "--label", "y"]
MEASURE += ["--score", "model_a", "--score", "model_b"]
BY_HAND = """
import pandas as pd
from sklearn.metrics import roc_auc_score
frame = pd.read_csv("scores.csv")
print([roc_auc_score(frame["y"], frame[name]) for name in ("model_a", "model_b")])
"""


def cpu_seconds(call: Callable[[], Any], repetitions: int = 3) -> float:
    """The least of some repetitions; the first, uncounted, compiles."""
    call()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def time_vectors(rng: np.random.Generator) -> Iterator[Row]:
    """All measures of one vector of scores, and paired tests of two."""
    for n in (10**6, 10**7):
        y = rng.random(n) < 0.1
        a, b = (rng.normal(size=n) + y for _ in range(2))
        name, seconds = f"all measures of {n:.0e} scores", cpu_seconds(partial(measures, y, a))
        yield name, seconds, "np.sort", cpu_seconds(partial(np.sort, a))
        peer = cpu_seconds(partial(roc_auc_score, y, a), 1)
        yield name, seconds, "scikit-learn's AUC alone", peer
        for measure in ("auc", "auk") if n == 10**6 else ():
            seconds = cpu_seconds(partial(paired_test, y, a, b, measure=measure))
            name = f"paired test of {measure.upper()}, 2 x {n:.0e} scores"
            yield name, seconds, "np.argsort", cpu_seconds(partial(np.argsort, a))


def time_replicates(rng: np.random.Generator) -> Iterator[Row]:
    """All measures of 10,000 small samples, and of 2,000 resamples of one vector."""
    y = rng.random((10_000, 268)) < 0.11
    y[:, 0], y[:, 1] = True, False
    score = rng.normal(size=y.shape) + y
    name = "all measures of 10,000 replicates of 268 rows"
    seconds = cpu_seconds(partial(batch_measures, y, score))
    yield name, seconds, "np.sort", cpu_seconds(partial(np.sort, score, axis=1))
    loop = cpu_seconds(lambda: [roc_auc_score(y[i], score[i]) for i in range(500)], 2)
    yield name, seconds, "a loop over scikit-learn's AUC", 20 * loop

    y = rng.random(3000) < 0.1
    score = rng.normal(size=3000) + y
    drawn = rng.integers(3000, size=(2000, 3000))
    counts = np.stack([np.bincount(rows, minlength=3000) for rows in drawn]).astype(np.uint8)
    seconds = cpu_seconds(partial(measure_resamples, sort_rows(y, score, None), counts))
    loop = cpu_seconds(lambda: [roc_auc_score(y[rows], score[rows]) for rows in drawn[:20]], 2)
    name = "all measures of 2,000 resamples of 3,000 rows"
    yield name, seconds, "a loop over scikit-learn's AUC", 100 * loop


def time_command(rng: np.random.Generator) -> Iterator[Row]:
    """`kappacurve measure` on a file of two correlated models, all digits given."""
    y, common = rng.random(10**6) < 0.1, rng.normal(size=10**6)
    columns = {"y": y.astype(np.int64)}
    for name, shift in (("model_a", 1.0), ("model_b", 0.8)):
        columns[name] = common + rng.normal(size=10**6) + shift * y
    with tempfile.TemporaryDirectory() as folder:
        pd.DataFrame(columns).to_csv(Path(folder) / "scores.csv", index_label="row")

        def clock(*arguments: str) -> float:
            start = time.perf_counter()
            command = [sys.executable, *arguments]
            subprocess.run(command, check=True, capture_output=True, cwd=folder)
            return time.perf_counter() - start

        seconds, peer = (min(clock(*call), clock(*call)) for call in (MEASURE, ("-c", BY_HAND)))
    name = "`kappacurve measure`, 1e+06 rows, 2 models"
    yield name, seconds, "pandas and scikit-learn's AUC alone", peer


def main() -> None:
    """Time every part and write the table."""
    warnings.simplefilter("ignore")
    threadpool_limits(1)
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    cpu = platform.processor() or platform.machine()
    text = [
        "# What takes how long",
        "",
        f"{cpu}, {versions}, {datetime.now(UTC):%Y-%m-%d}. Written by `make bench`.",
        "",
        "| what | seconds | beside | its seconds | ratio |",
        "|---|---|---|---|---|",
    ]
    rng = np.random.default_rng(2010)
    for part in (time_vectors, time_replicates, time_command):
        for what, seconds, peer, peer_seconds in part(rng):
            ratio = seconds / peer_seconds
            text.append(f"| {what} | {seconds:.3g} | {peer} | {peer_seconds:.3g} | {ratio:.2g} |")
            print(text[-1], flush=True)
    RESULTS.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
