"""How long the measures take, next to np.sort, scikit-learn and PyPI's hmeasure.

    python benchmarks/bench_measures.py [--quick] [--output results/benchmarks]

Prints a table of one run and leaves measures.csv and measures.png. Times are CPU seconds of this
process, the least of some repetitions, on one core unless two threads are named. What counts are
the ratios within one run. A benchmark is a function that yields rows; list it in BENCHMARKS.
"""

from __future__ import annotations

import argparse
import csv
import platform
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hmeasure import h_score
from sklearn.metrics import roc_auc_score

from kappacurve import (
    batch_measures,
    interval,
    measures,
    paired_test,
)
from kappacurve.inference import influence
from kappacurve.plots.style import house_style


class Row(NamedTuple):
    """One line of the table."""

    benchmark: str
    implementation: str
    seconds: float
    relative_to_sort: float
    extra_bytes_per_score: float | None = None
    note: str = ""


def seconds_of(
    call: Callable[[], Any],
    repetitions: int = 5,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """CPU seconds of a call, the least of some repetitions; the first, uncounted, compiles."""
    call()
    best = float("inf")
    for _ in range(repetitions):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best


def extra_bytes(call: Callable[[], Any]) -> int:
    """Largest memory that a call holds beside its arguments."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def one_vector(quick: bool) -> Iterator[Row]:
    """All measures of one vector of scores."""
    n = 10**5 if quick else 10**7
    rng = np.random.default_rng(2010)
    for share, decimals in ((0.1, None), (0.3, None), (0.5, None), (0.1, 3)):
        y = (rng.random(n) < share).astype(np.int64)
        score = rng.normal(size=n) + y
        if decimals is not None:
            score = score.round(decimals)
        ties = "no ties" if decimals is None else f"{len(np.unique(score))} distinct scores"
        name = f"one vector, n = {n:.0e}, {share:.0%} positive, {ties}"
        sort = seconds_of(lambda x=score: np.sort(x))
        yield Row(name, "np.sort", sort, 1.0)
        ours = seconds_of(lambda y=y, x=score: measures(y, x))
        memory = extra_bytes(lambda y=y, x=score: measures(y, x)) / n
        yield Row(name, "kappacurve, all measures", ours, ours / sort, memory)
        wall = time.perf_counter
        one, two = (
            seconds_of(lambda k=k, y=y, x=score: measures(y, x, n_jobs=k), clock=wall)
            for k in (1, 2)
        )
        clock = seconds_of(lambda x=score: np.sort(x), clock=wall)
        note = f"on the clock, where np.sort takes {clock:.3f} s and one thread {one:.3f} s"
        yield Row(name, "kappacurve, two threads", two, two / clock, None, note)
        if decimals is None and share == 0.1:
            yield from others(name, y, score, sort)


def others(name: str, y: np.ndarray, score: np.ndarray, sort: float) -> Iterator[Row]:
    """What other packages take for one measure each."""
    auc = seconds_of(lambda: roc_auc_score(y, score), repetitions=1)
    yield Row(name, "scikit-learn, AUC alone", auc, auc / sort)
    # It takes scores from 0 to 1 only.
    scaled = (score - score.min()) / np.ptp(score)
    h = seconds_of(lambda: h_score(y, scaled), repetitions=1)
    yield Row(name, "PyPI hmeasure, H alone", h, h / sort)


def replicates(quick: bool) -> Iterator[Row]:
    """All measures of many replicates."""
    b, n, sampled = (500 if quick else 10_000), 268, (50 if quick else 500)
    rng = np.random.default_rng(2010)
    y = rng.random((b, n)) < 0.11
    y[:, 0], y[:, 1] = True, False
    score = rng.normal(size=(b, n)) + y
    name = f"replicates, {b} x {n}"
    sort = seconds_of(lambda: np.sort(score, axis=1))
    yield Row(name, "np.sort", sort, 1.0)
    ours = seconds_of(lambda: batch_measures(y, score))
    loop = seconds_of(
        lambda: [roc_auc_score(y[i], score[i]) for i in range(sampled)], repetitions=2
    )
    loop *= b / sampled
    memory = extra_bytes(lambda: batch_measures(y, score)) / score.size
    faster = f"{loop / ours:.0f} times as fast as the loop below"
    yield Row(name, "kappacurve, all measures", ours, ours / sort, memory, faster)
    note = f"extrapolated from {sampled} replicates"
    yield Row(name, "scikit-learn loop, AUC alone", loop, loop / sort, None, note)


def analytic_errors(quick: bool) -> Iterator[Row]:
    """Standard errors and paired tests of the AUC (DeLong) and the AUK."""
    n = 10**5 if quick else 10**6
    rng = np.random.default_rng(2010)
    y = rng.random(n) < 0.3
    full = [rng.normal(size=n) + y for _ in range(2)]
    for ties, (a, b) in (("no ties", full), ("ties", [one.round(3) for one in full])):
        name = f"errors of one or two vectors, n = {n:.0e}, {ties}"
        sort = seconds_of(lambda a=a: np.sort(a))
        yield Row(name, "np.sort", sort, 1.0)
        for label, function, scores in (
            ("DeLong interval", partial(interval, measure="auc"), [a]),
            ("DeLong paired test", partial(paired_test, measure="auc"), [a, b]),
            ("AUK interval", interval, [a]),
            ("AUK influence", influence, [a]),
            ("AUK paired test", paired_test, [a, b]),
        ):
            seconds = seconds_of(lambda f=function, scores=scores: f(y, *scores))
            yield Row(name, f"kappacurve, {label}", seconds, seconds / sort)


BENCHMARKS = (one_vector, replicates, analytic_errors)


def cpu() -> str:
    """Name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def print_row(row: Row) -> None:
    memory = "" if row.extra_bytes_per_score is None else f"{row.extra_bytes_per_score:.1f}"
    print(
        f"  {row.implementation:30}{row.seconds:10.4f} s{row.relative_to_sort:10.2f} x"
        f"{memory:>8}  {row.note}",
        flush=True,
    )


def write_csv(rows: list[Row], machine: str, path: Path) -> None:
    temporary = path.with_suffix(".part")
    with temporary.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*Row._fields, "cpu", "python", "numpy"])
        for row in rows:
            writer.writerow([*row, machine, platform.python_version(), np.__version__])
    temporary.replace(path)


def draw(rows: list[Row], machine: str, path: Path) -> None:
    import matplotlib.pyplot as plt

    shown = [row for row in rows if row.implementation != "np.sort"][::-1]
    with house_style():
        figure, axes = plt.subplots(figsize=(7, 0.6 + 0.42 * len(shown)), layout="constrained")
        axes.barh(range(len(shown)), [row.relative_to_sort for row in shown], height=0.6)
        labels = [f"{row.implementation}\n{row.benchmark}" for row in shown]
        axes.set_yticks(range(len(shown)), labels, fontsize=6)
        for i, row in enumerate(shown):
            axes.text(row.relative_to_sort * 1.05, i, f"{row.relative_to_sort:.1f}", va="center")
        axes.axvline(1, color="0.35", linewidth=0.8)
        axes.set(xscale="log", xlabel=f"CPU time, np.sort of the same scores = 1 ({machine})")
        axes.margins(x=0.12)
        temporary = path.with_suffix(".part")
        figure.savefig(temporary, format="png", dpi=200)
        plt.close(figure)
    temporary.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small sizes, a few seconds")
    size.add_argument("--full", action="store_true", help="the default; for make bench")
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks"))
    arguments = parser.parse_args()
    machine = cpu()
    print(f"{machine}, Python {platform.python_version()}, numpy {np.__version__}")
    print(f"  {'':30}{'CPU time':>12}{'np.sort = 1':>12}{'bytes':>8}  (extra, per score)")
    rows: list[Row] = []
    for benchmark in BENCHMARKS:
        for row in benchmark(arguments.quick):
            if not rows or rows[-1].benchmark != row.benchmark:
                print(row.benchmark)
            print_row(row)
            rows.append(row)
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_csv(rows, machine, arguments.output / "measures.csv")
    draw(rows, machine, arguments.output / "measures.png")


if __name__ == "__main__":
    main()
