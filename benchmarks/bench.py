"""What takes how long beside other packages: `make bench` writes benchmarks/results.md.

Times are CPU seconds on one core, the least of some pairs: what is timed and what beside it run in
turn, so that a busy machine slows both. Those of processes hold their imports.
"""

from __future__ import annotations

import platform
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from kappacurve.curves.kernels import measure_resamples, sort_rows
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from kappacurve import batch_measures, h_measure_score, kappa_curve, measures, paired_test

Row = tuple[str, float, str, float]  # what, its seconds, what beside it, its seconds

RESULTS = Path(__file__).with_name("results.md")
MEASURE = ["-m", "kappacurve.cli", "measure", "scores.csv", "--label", "y"]
MEASURE += ["--score", "model_a", "--score", "model_b"]
AUDIT = ["audit", "--auc", "0.7186", "--auk", "0.1753", "--prevalence", "0.11"]
BY_HAND = """
import pandas as pd
from sklearn.metrics import roc_auc_score
frame = pd.read_csv("scores.csv")
print([roc_auc_score(frame["y"], frame[name]) for name in ("model_a", "model_b")])
"""


Call = Callable[[], Any]


def cpu_seconds(call: Call) -> float:
    """CPU seconds of one call, in this process and in those that it waits for."""
    before = time.process_time() + children_seconds()
    call()
    return time.process_time() + children_seconds() - before


def children_seconds() -> float:
    """CPU seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_pair(name: str, call: Call, peer: str, peer_call: Call, pairs: int = 3) -> Row:
    """The least of some interleaved pairs; the first, uncounted, compiles."""
    times = [(cpu_seconds(call), cpu_seconds(peer_call)) for _ in range(pairs + 1)][1:]
    seconds, peer_seconds = (min(column) for column in zip(*times, strict=True))
    return name, seconds, peer, peer_seconds


def time_vectors(rng: np.random.Generator) -> Iterator[Row]:
    """All measures of one vector of scores, its H and kappa curve, and paired tests of two."""
    for n in (10**6, 10**7):
        y = rng.random(n) < 0.1
        a, b = (rng.normal(size=n) + y for _ in range(2))
        name, call = f"all measures of {n:.0e} scores", partial(measures, y, a)
        yield time_pair(name, call, "np.sort", partial(np.sort, a))
        yield time_pair(name, call, "scikit-learn's AUC alone", partial(roc_auc_score, y, a), 1)
        for function in (h_measure_score, kappa_curve):
            peer = "all measures", call
            yield time_pair(f"{function.__name__} of {n:.0e}", partial(function, y, a), *peer)
        for measure in ("auc", "auk") if n == 10**6 else ():
            test = partial(paired_test, y, a, b, measure=measure)
            name = f"paired test of {measure.upper()}, 2 x {n:.0e} scores"
            yield time_pair(name, test, "np.argsort", partial(np.argsort, a))


def time_replicates(rng: np.random.Generator) -> Iterator[Row]:
    """All measures of 10,000 small samples, and of 2,000 resamples of one vector."""
    y = rng.random((10_000, 268)) < 0.11
    y[:, 0], y[:, 1] = True, False
    score = rng.normal(size=y.shape) + y
    name, call = "all measures of 10,000 replicates of 268 rows", partial(batch_measures, y, score)
    yield time_pair(name, call, "np.sort", partial(np.sort, score, axis=1))
    yield scaled(time_pair(name, call, *sklearn_loop((y[i], score[i]) for i in range(500))), 20)

    y = rng.random(3000) < 0.1
    score = rng.normal(size=3000) + y
    drawn = rng.integers(3000, size=(2000, 3000))
    counts = np.stack([np.bincount(rows, minlength=3000) for rows in drawn]).astype(np.uint8)
    call = partial(measure_resamples, sort_rows(y, score, None), counts)
    name = "all measures of 2,000 resamples of 3,000 rows"
    yield scaled(
        time_pair(name, call, *sklearn_loop((y[rows], score[rows]) for rows in drawn[:20])), 100
    )


def sklearn_loop(samples: Iterable[tuple[Any, Any]]) -> tuple[str, Call]:
    """scikit-learn's AUC of each of some samples."""
    kept = list(samples)
    return "a loop over scikit-learn's AUC", lambda: [roc_auc_score(*pair) for pair in kept]


def scaled(row: Row, times: int) -> Row:
    """A row whose peer had to do so many times as much."""
    name, seconds, peer, peer_seconds = row
    return name, seconds, peer, times * peer_seconds


def time_doors(_: np.random.Generator) -> Iterator[Row]:
    """What a command takes before it measures anything, beside an import of NumPy and click."""
    peer = "import numpy, click", run_python("-c", "import numpy, click")
    for options in (["--help"], ["--version"], AUDIT):
        name = f"`kappacurve {options[0]}`"
        yield time_pair(name, run_python("-m", "kappacurve.cli", *options), *peer)


def run_python(*arguments: str, folder: str | None = None) -> Call:
    """A call that runs Python and waits for it."""
    command = [sys.executable, *arguments]
    return partial(subprocess.run, command, check=True, capture_output=True, cwd=folder)


def time_command(rng: np.random.Generator) -> Iterator[Row]:
    """`kappacurve measure` on a file of two correlated models, all digits given."""
    y, common = rng.random(10**6) < 0.1, rng.normal(size=10**6)
    columns = {"y": y.astype(np.int64)}
    for name, shift in (("model_a", 1.0), ("model_b", 0.8)):
        columns[name] = common + rng.normal(size=10**6) + shift * y
    with tempfile.TemporaryDirectory() as folder:
        pd.DataFrame(columns).to_csv(Path(folder) / "scores.csv", index_label="row")

        call, peer = (run_python(*part, folder=folder) for part in (MEASURE, ("-c", BY_HAND)))
        name = "`kappacurve measure`, 1e+06 rows, 2 models"
        yield time_pair(name, call, "pandas and scikit-learn's AUC alone", peer, 1)


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
        "| what | CPU seconds | beside | its CPU seconds | ratio |",
        "|---|---|---|---|---|",
    ]
    rng = np.random.default_rng(2010)
    for part in (time_doors, time_vectors, time_replicates, time_command):
        for what, seconds, peer, peer_seconds in part(rng):
            ratio = seconds / peer_seconds
            text.append(f"| {what} | {seconds:.3g} | {peer} | {peer_seconds:.3g} | {ratio:.2g} |")
            print(text[-1], flush=True)
    RESULTS.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
