"""What takes how long, as ratios: `make bench` writes benchmarks/results.md in 15 minutes.

Times are CPU seconds on one core, the least of some repetitions; those of processes are by the
clock. A part is a function that yields rows (what, seconds, beside what, its seconds).
"""

from __future__ import annotations

import argparse
import platform
import resource
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
from hmeasure import h_score
from sklearn.linear_model import LinearRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from kappacurve import batch_measures, measures, paired_test
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.replicates.engine import Cell, run_replicates

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results.md")
MEASURE = [sys.executable, "-m", "kappacurve.cli.main", "measure"]
OPTIONS = ["--label", "y", "--score", "model_a", "--score", "model_b"]
BY_HAND = """
import sys, pandas as pd
from sklearn.metrics import roc_auc_score
frame = pd.read_csv(sys.argv[1])
print([roc_auc_score(frame["y"], frame[name]) for name in ("model_a", "model_b")])
"""


class Row(NamedTuple):
    """A line of the table."""

    what: str
    seconds: float
    beside: str
    other: float


def cpu_seconds(call: Callable[[], Any], repetitions: int = 3) -> float:
    """The least of some repetitions; the first, uncounted, compiles."""
    call()
    found = []
    for _ in range(repetitions):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def one_vector(quick: bool) -> Iterator[Row]:
    """All measures of one vector of scores, and paired tests of two."""
    rng = np.random.default_rng(2010)
    for n in (10**5,) if quick else (10**6, 10**7):
        y = rng.random(n) < 0.1
        a, b = (rng.normal(size=n) + y for _ in range(2))
        sort, argsort = cpu_seconds(lambda a=a: np.sort(a)), cpu_seconds(lambda a=a: np.argsort(a))
        ours = cpu_seconds(lambda y=y, a=a: measures(y, a))
        name = f"all measures of {n:.0e} scores"
        yield Row(name, ours, "np.sort", sort)
        yield Row(name, ours, "np.argsort", argsort)
        auc = cpu_seconds(lambda y=y, a=a: roc_auc_score(y, a), 1)
        yield Row(name, ours, "scikit-learn's AUC alone", auc)
        if n < 10**7:
            for label, test in (
                ("DeLong's paired test", partial(paired_test, measure="auc")),
                ("AUK's", paired_test),
            ):
                seconds = cpu_seconds(lambda t=test, y=y, a=a, b=b: t(y, a, b))
                yield Row(f"{label} of 2 x {n:.0e} scores", seconds, "np.argsort", argsort)


def many_vectors(quick: bool) -> Iterator[Row]:
    """All measures of many replicates."""
    b, n, sampled = (500 if quick else 10_000), 268, (50 if quick else 500)
    rng = np.random.default_rng(2010)
    y = rng.random((b, n)) < 0.11
    y[:, 0], y[:, 1] = True, False
    score = rng.normal(size=(b, n)) + y
    ours = cpu_seconds(lambda: batch_measures(y, score))
    loop = cpu_seconds(lambda: [roc_auc_score(y[i], score[i]) for i in range(sampled)], 2)
    name = f"all measures of {b:,} replicates of {n} rows"
    yield Row(name, ours, "np.sort", cpu_seconds(lambda: np.sort(score, axis=1)))
    yield Row(name, ours, "a loop over scikit-learn's AUC", loop * b / sampled)


def hull_by_hand(fpr, tpr):
    """Upper hull by the monotone chain, in plain Python."""
    corners = []
    for f, t in zip(fpr.tolist(), tpr.tolist(), strict=True):
        while len(corners) > 1:
            (f1, t1), (f2, t2) = corners[-2:]
            if (t2 - t1) * (f - f1) > (t - t1) * (f2 - f1):
                break
            corners.pop()
        corners.append((f, t))
    return np.array(corners).T


def measured_by_hand(y, score):
    """AUC, AUK and largest kappa of a curve and its hull, and H."""
    fpr, tpr, _ = roc_curve(y, score, drop_intermediate=False)
    p = y.mean()
    found = [roc_auc_score(y, score), h_score(y, score, severity_ratio=1)]
    for f, t in ((fpr, tpr), hull_by_hand(fpr, tpr)):
        kappa = 2 * p * (1 - p) * (t - f) / (p + (1 - 2 * p) * (f + p * (t - f)))
        found += [np.trapezoid(t, f), np.trapezoid(kappa, f), kappa.max()]
    return found


def user_loop(X, bad, count, rng):
    """What a scikit-learn user would write, one replicate at a time."""
    good_rows, bad_rows = np.flatnonzero(bad == 0), np.flatnonzero(bad)
    for _ in range(count):
        rows = rng.permutation(np.r_[good_rows, rng.choice(bad_rows, 86, replace=False)])
        train, test = rows[:500], rows[500:]
        scaler = StandardScaler().fit(X[train])
        A, B, y = scaler.transform(X[train]), scaler.transform(X[test]), bad[test]
        linear = LinearRegression().fit(A, bad[train]).predict(B)
        network = MLPClassifier(
            (5,), activation="logistic", solver="lbfgs", random_state=int(rng.integers(2**31))
        ).fit(A, bad[train])
        # PyPI's hmeasure takes scores from 0 to 1.
        for score in ((linear - linear.min()) / np.ptp(linear), network.predict_proba(B)[:, 1]):
            measured_by_hand(y, score)
            measured_by_hand(1 - y, 1 - score)


def replicates(quick: bool) -> Iterator[Row]:
    """Undersample, split, fit two models, measure raw curves and hulls for either class."""
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    X = features.drop(columns=["row", "minority"]).to_numpy(dtype=float)
    bad, rng = features["minority"].to_numpy(), np.random.default_rng(0)
    cell, n = Cell({"linear": {}, "neural_net": {}}), 20 if quick else 100
    ours = cpu_seconds(lambda: run_replicates(features, cell, range(5 * n), seed=1).measures) / 5
    loop = cpu_seconds(lambda: user_loop(X, bad, n, rng), 2)
    yield Row("a replicate of the experiment", ours / n, "a loop over scikit-learn", loop / n)


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


def process_seconds(command: list[str], folder: Path) -> float:
    """Of a process of its own, start included."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return time.perf_counter() - start


def command(quick: bool) -> Iterator[Row]:
    """`kappacurve measure` on a large file."""
    n = 10**5 if quick else 10**7
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_scores(folder / "scores.csv", n)
        by_hand = process_seconds([sys.executable, "-c", BY_HAND, "scores.csv"], folder)
        for what, options in (("", []), (", no intervals", ["--no-intervals"])):
            own = process_seconds([*MEASURE, "scores.csv", *OPTIONS, *options], folder)
            label = f"`kappacurve measure`, {n:.0e} rows, 2 models{what}"
            yield Row(label, own, "pandas and scikit-learn's AUC alone", by_hand)


def default_run(quick: bool) -> str:
    """The default run on two cores in a folder of its own: a line on its time."""
    snakemake = [sys.executable, "-m", "snakemake", "--cores", "2"]
    snakemake += ["--snakefile", str(ROOT / "workflow" / "Snakefile")]
    snakemake += ["--config", "data={source: bundled}"]
    if quick:
        snakemake += ["--configfile", str(ROOT / "config" / "quick.yaml")]
    with tempfile.TemporaryDirectory() as name:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock = process_seconds(snakemake, Path(name))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"The run on 2 cores takes {clock:.0f} s and {total:.0f} s of CPU."


PARTS = (one_vector, many_vectors, replicates, command)


def machine() -> str:
    """The processor, and what runs on it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cpu = names[0] if names else platform.processor() or platform.machine()
    return f"{cpu}, Python {platform.python_version()}, NumPy {np.__version__}"


def main() -> None:
    """Time every part and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute, no file")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore")
    threadpool_limits(1)  # as in the workflow: two jobs on two cores beat one on both
    text = [
        "# What takes how long",
        "",
        f"{machine()}, {datetime.now(UTC):%Y-%m-%d}. Written by `make bench`.",
        "",
        "| what | seconds | beside | its seconds | ratio |",
        "|---|---|---|---|---|",
    ]
    for part in PARTS:
        for row in part(quick):
            ratio = f"{row.seconds / row.other:.2g}"
            line = f"| {row.what} | {row.seconds:.3g} | {row.beside} | {row.other:.3g} | {ratio} |"
            print(line, flush=True)
            text.append(line)
    text += ["", default_run(quick)]
    print(text[-1])
    if not quick:
        RESULTS.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
