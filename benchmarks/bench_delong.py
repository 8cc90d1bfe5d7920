"""Time of DeLong's and the AUK's analytic errors, as a multiple of sorting the same scores.

python benchmarks/bench_delong.py [--rows 1000000] [--repeats 7]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from kappacurve.inference import auk_interval, auk_test, delong_interval, delong_test


def fastest(function: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest run: the others were disturbed."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def ratios(rows: int = 1_000_000, repeats: int = 7, seed: int = 0) -> dict[str, float]:
    """Time of each function divided by that of np.sort of one vector of scores."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.3).astype(int)
    a, b = (rng.normal(size=rows) + y for _ in range(2))
    functions = {
        "delong_interval": lambda: delong_interval(y, a),
        "delong_test": lambda: delong_test(y, a, b),
        "auk_interval": lambda: auk_interval(y, a),
        "auk_test": lambda: auk_test(y, a, b),
    }
    sorting = fastest(lambda: np.sort(a), repeats)
    return {name: fastest(function, repeats) / sorting for name, function in functions.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    print(f"{options.rows} scores, times np.sort:")
    for name, ratio in ratios(options.rows, options.repeats).items():
        print(f"  {name:16s} {ratio:6.1f}")


if __name__ == "__main__":
    main()
