"""What takes how long beside other packages: `make bench` writes benchmarks/results.md.

Times are CPU seconds on one core, the least of some pairs: what is timed and what beside it run in
turn, so that a busy machine slows both. Those of commands hold their imports; memory is their peak.
"""

import platform
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from kappacurve import compare, measures

RESULTS = Path(__file__).with_name("results.md")
SCORES = ["--label", "y", "--score", "a", "--score", "b"]
AUDITS = {
    "areas": "--auc 0.7186 --auk 0.1753 --prevalence 0.11",
    "counts": "--rows 286 --prevalence 0.11 --fpr 0.60 --tpr 0.928 --kappa 0.328",
}


def draw(n, seed=2010):
    """Labels with 10 % positives, and the scores of two correlated models."""
    rng = np.random.default_rng(seed)
    y, common = rng.random(n) < 0.1, rng.normal(size=n)
    return y, {m: common + rng.normal(size=n) + d * y for m, d in (("a", 1.0), ("b", 0.8))}


def find_seconds(call):
    """CPU seconds of a call, in this process and in those that it waits for."""

    def used():
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + ended.ru_utime + ended.ru_stime

    before = used()
    call()
    return used() - before


def time_pairs(calls, n_pairs=3):
    """The least CPU seconds of some calls that run in turn; the first round does not count."""
    rounds = [[find_seconds(call) for call in calls] for _ in range(n_pairs + 1)]
    return np.min(rounds[1:], axis=0).tolist()


def run(*arguments):
    """A call of kappacurve in a process of its own, or of Python."""
    command = [sys.executable, *arguments] if arguments[0] == "-c" else [
        sys.executable, "-m", "kappacurve", *arguments
    ]  # fmt: skip
    return partial(subprocess.run, command, check=True, capture_output=True)


def find_peak(file):
    """Peak memory of a measurement of a file, in MB."""
    code = "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], capture_output=True)\n"
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    command = [sys.executable, "-c", code, sys.executable, "-m", "kappacurve", "measure", file]
    return int(subprocess.run([*command, *SCORES], check=True, capture_output=True).stdout)


def list_rows(folder):
    """What, its seconds, what is beside it, and its seconds."""
    y, scores = draw(10**6)
    auc = partial(roc_auc_score, y, scores["a"])
    yield "all measures of 10^6 scores", partial(measures, y, scores["a"]), "roc_auc_score", auc
    many, of_many = (x.reshape(1000, 268) for x in (draw(268_000)[0], draw(268_000)[1]["a"]))
    many[:, 0], many[:, 1] = True, False
    loop = partial(lambda: [*map(roc_auc_score, many, of_many)])
    yield "all measures of 1000 x 268", partial(measures, many, of_many), "a loop over it", loop
    for n in (3000, 100_000):
        y_n, scores_n = draw(n)
        call = partial(compare, y_n, scores_n, cost_ratio=5, at="flagged<=0.05")
        loop = partial(lambda y, s: [roc_auc_score(y, x) for x in s.values()], y_n, scores_n)
        yield f"compare of 2 x {n}, cost and limit", call, "roc_auc_score of both", loop
    start = "import numpy, click", run("-c", "import numpy, click")
    yield "`--help`", run("--help"), *start
    for name, options in AUDITS.items():
        yield f"`audit` of {name}", run("audit", *options.split()), *start
    for n in (300, 10**6):
        file = str(Path(folder) / f"{n}.csv")
        y_n, scores_n = draw(n)
        pd.DataFrame({"y": y_n.astype(int), **scores_n}).to_csv(file)
        hand = "import pandas as pd; from sklearn.metrics import roc_auc_score as auc; "
        hand += f"f = pd.read_csv({file!r}); print([auc(f['y'], f[m]) for m in 'ab'])"
        name = f"`measure` of 2 x {n}, {find_peak(file)} MB"
        yield name, run("measure", file, *SCORES), "pandas and roc_auc_score", run("-c", hand)


def main():
    """Time every pair and write the table."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    lines = ["# What takes how long", "", f"{platform.machine()}, {versions}, "]
    lines[-1] += f"{datetime.now(UTC):%Y-%m-%d}. Written by `make bench`."
    lines += [
        "",
        "| what | CPU seconds | beside | its CPU seconds | ratio |",
        "|:--|--:|:--|--:|--:|",
    ]
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        for name, call, peer_name, peer in list_rows(folder):
            seconds, beside = time_pairs([call, peer], 1 if "x 1000000" in name else 3)
            ratio = seconds / beside
            lines.append(f"| {name} | {seconds:.3g} | {peer_name} | {beside:.3g} | {ratio:.2g} |")
            print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
