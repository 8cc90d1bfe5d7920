"""Replicates per second of the experiment, next to the loop that a scikit-learn user would write.

    python benchmarks/bench_replicates.py [--quick | --full] [--output results/benchmarks]

Both do the same: undersample, split, fit least squares and a network of five units, measure both on
the raw curve and its hull for either positive class. They take turns in one process on one core.
Prints the ratio, a two-sample test of the AUCs, and time and memory from 100 replicates up (10,000;
with --full 100,000). Leaves replicates.csv and replicates.png.
"""

from __future__ import annotations

import argparse
import csv
import resource
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from bench_measures import cpu
from hmeasure import h_score
from scipy.stats import ks_2samp
from sklearn.linear_model import LinearRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from kappacurve.plots.style import LINE_STYLES, TWO_COLUMNS, house_style, letter, save_figure
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.replicates.engine import Cell, run_replicates

CELL = Cell({"linear": {}, "neural_net": {}})


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
    """Test AUCs of the two models, one replicate at a time."""
    found = []
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
        aucs = []
        # PyPI's hmeasure takes scores from 0 to 1.
        linear = (linear - linear.min()) / np.ptp(linear)
        for score in (linear, network.predict_proba(B)[:, 1]):
            aucs.append(measured_by_hand(y, score)[0])
            measured_by_hand(1 - y, 1 - score)
        found.append(aucs)
    return np.array(found)


def ours(features, first, count):
    """Test AUCs of the two models."""
    rows = run_replicates(features, CELL, range(first, first + count), seed=1).measures
    raw = rows[(rows["positive_class"] == "bad") & (rows["curve"] == "raw")]
    return raw.pivot_table(index="replicate", columns="model", values="auc").to_numpy()


def compare(features, rounds, size):
    """Seconds a replicate of both, in turns, and their AUCs."""
    X = features.drop(columns=["row", "bad"]).to_numpy(dtype=float)
    bad, rng = features["bad"].to_numpy(), np.random.default_rng(0)
    user_loop(X, bad, 2, rng), ours(features, 0, 2)
    seconds, aucs = {"loop": [], "ours": []}, {"loop": [], "ours": []}
    for i in range(rounds):
        for name, call, n in (
            ("loop", lambda: user_loop(X, bad, size, rng), size),
            ("ours", lambda i=i: ours(features, i * 5 * size, 5 * size), 5 * size),
        ):
            start = time.process_time()
            aucs[name].append(call())
            seconds[name].append((time.process_time() - start) / n)
    return seconds, {name: np.concatenate(found) for name, found in aucs.items()}


def growth(features, counts, part=500):
    """CPU seconds and largest memory (MiB) for more and more replicates, written in parts."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            start = time.process_time()
            written = 0
            for first in range(0, count, part):
                numbers = range(first, min(first + part, count))
                found = run_replicates(features, CELL, numbers, seed=2).measures
                path = Path(folder) / f"{first}.parquet"
                found.to_parquet(path)
                written += path.stat().st_size
            seconds = time.process_time() - start
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            rows.append((count, seconds, memory, written / count))
            print(
                f"{count:8d} replicates {seconds:8.1f} s {memory:6.0f} MiB "
                f"{written / count:6.0f} bytes of parquet a replicate",
                flush=True,
            )
    return rows


def draw(rows, path):
    """Time and memory against the number of replicates."""
    import matplotlib.pyplot as plt

    count, seconds, memory, _ = np.array(rows).T
    with house_style():
        style = {"color": LINE_STYLES[0].color, "marker": LINE_STYLES[0].marker, "markersize": 4}
        figure, (left, right) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.4))
        left.loglog(count, seconds, **style)
        left.set(xlabel="replicates", ylabel="CPU seconds")
        letter(left, "a")
        right.semilogx(count, memory, **style)
        # From zero, with room for markers that stand nearly in one line.
        top = 1.1 * memory.max()
        right.set(xlabel="replicates", ylabel="largest memory (MiB)", ylim=(0, top))
        letter(right, "b")
    save_figure(figure, [path])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="half a minute")
    size.add_argument("--full", action="store_true", help="up to 100,000 replicates")
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks"))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1)  # as in the workflow: two jobs on two cores beat one on both
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    print(cpu())
    seconds, aucs = compare(features, 5 if arguments.quick else 20, 20)
    loop, fast = np.median(seconds["loop"]), np.median(seconds["ours"])
    ratios = np.array(seconds["loop"]) / np.array(seconds["ours"])
    print(f"scikit-learn loop {1e3 * loop:.1f} ms a replicate, {1 / loop:.0f} a second and core")
    print(f"kappacurve        {1e3 * fast:.1f} ms a replicate, {1 / fast:.0f} a second and core")
    print(f"ratio {np.median(ratios):.1f} (from {ratios.min():.1f} to {ratios.max():.1f})")
    for i, model in enumerate(("linear", "neural_net")):
        p = ks_2samp(aucs["loop"][:, i], aucs["ours"][:, i]).pvalue
        n = len(aucs["loop"]), len(aucs["ours"])
        print(f"test AUC of {model}: Kolmogorov-Smirnov p = {p:.2f} ({n[0]} and {n[1]} replicates)")
    counts = [100, 1000] if arguments.quick else [100, 1000, 10_000]
    rows = growth(features, [*counts, 100_000] if arguments.full else counts)
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "replicates.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["replicates", "seconds", "memory_mib", "bytes_per_replicate"])
        writer.writerows(rows)
    with (arguments.output / "replicates_ratio.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["round", "loop_seconds", "kappacurve_seconds", "ratio"])
        writer.writerows(zip(range(len(ratios)), *seconds.values(), ratios, strict=True))
    draw(rows, arguments.output / "replicates.png")


if __name__ == "__main__":
    main()
