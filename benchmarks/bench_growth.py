"""How the CPU seconds of a sweep grow with its splits and its levels.

    python benchmarks/bench_growth.py

Prints the two tables of docs/scaling.md: what `results/sweep/summary.csv` takes in a new folder,
Snakemake and its jobs together, one job per level, and the line through the three sizes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml

ROOT = Path(__file__).parents[1]
SKEWS = [round(0.03 * i, 2) for i in range(1, 17)]


def cpu_seconds(splits: int, levels: int) -> float:
    """Of one run with so many splits at each of so many levels."""
    sweep = {"count": splits, "per_job": splits, "skew": SKEWS[:levels]}
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet", "all"]
    command += ["--snakefile", str(ROOT / "workflow" / "Snakefile")]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "sweep.yaml"
        config.write_text(yaml.safe_dump({"data": {"source": "bundled"}, "sweep": sweep}))
        command += ["--directory", folder, "--configfile", str(config)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*command, "--", "results/sweep/summary.csv"], check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    cpu_seconds(10, 1)  # compiles
    for what, one, sizes, cost in (
        ("splits at 1 level", "split", (10, 100, 1000), lambda n: cpu_seconds(n, 1)),
        ("levels of 100 splits", "level", (1, 4, 16), lambda n: cpu_seconds(100, n)),
    ):
        seconds = [cost(n) for n in sizes]
        slope, fixed = np.polyfit(sizes, seconds, 1)
        each = f"{1000 * slope:.1f} ms" if slope < 0.1 else f"{slope:.1f} s"
        print(f"| {what} | {' | '.join(f'{n:,}' for n in sizes)} | fixed | each {one} |")
        print("|" + "---|" * 6)
        print(f"| CPU | {' | '.join(f'{s:.1f} s' for s in seconds)} | {fixed:.1f} s | {each} |\n")


if __name__ == "__main__":
    main()
