"""Coverage of the analytic intervals and level of the paired test, by simulation.

Normal scores of unit variance, the positives' mean `separation` higher; the population's AUC and
AUK are known. Prints a table and writes it to results/benchmarks/coverage.csv.

    python benchmarks/bench_coverage.py [--runs 2000] [--seed 0]
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm

from kappacurve.inference import auk_interval, auk_test, delong_interval
from kappacurve.measures import area_under_kappa

SIZES = (100, 268, 1000)
PREVALENCES = (0.1, 0.3, 0.9)
SEPARATIONS = (1.0, 2.0)
DESIGNS = ("stratified", "random")
RESULT = Path(__file__).parents[1] / "results" / "benchmarks" / "coverage.csv"


def population(separation: float, prevalence: float) -> tuple[float, float]:
    """AUC in closed form, AUK on a fine grid of thresholds."""
    threshold = np.linspace(9 + separation, -9, 20_001)
    fpr = np.r_[0, norm.sf(threshold), 1]
    tpr = np.r_[0, norm.sf(threshold - separation), 1]
    return float(norm.cdf(separation / np.sqrt(2))), area_under_kappa(fpr, tpr, prevalence)


def draw_labels(rng: np.random.Generator, n: int, prevalence: float, design: str) -> np.ndarray:
    if design == "stratified":
        return np.arange(n) < round(n * prevalence)
    while True:  # at least two rows of each class, as the interval needs
        labels = rng.random(n) < prevalence
        if 2 <= labels.sum() <= n - 2:
            return labels


def simulate(n: int, prevalence: float, separation: float, design: str, runs: int, seed: int):
    """Shares of the runs in which each interval covers, and the test rejects a true zero."""
    rng = np.random.default_rng([seed, n, round(1000 * prevalence), round(separation)])
    auc, auk = population(separation, prevalence)
    hits = np.zeros((runs, 6))
    for run in range(runs):
        y = draw_labels(rng, n, prevalence, design)
        common = rng.normal(size=n) / np.sqrt(2)
        a, b = (common + rng.normal(size=n) / np.sqrt(2) + separation * y for _ in range(2))
        by_delong = delong_interval(y, a)
        delong_logit = delong_interval(y, a, scale="logit")
        by_influence = auk_interval(y, a, sampling=design)
        auk_logit = auk_interval(y, a, sampling=design, scale="logit")
        conditional = auk_interval(y, a)
        hits[run] = (
            by_delong.low <= auc <= by_delong.high,
            delong_logit.low <= auc <= delong_logit.high,
            by_influence.low <= auk <= by_influence.high,
            auk_logit.low <= auk <= auk_logit.high,
            conditional.low <= auk <= conditional.high,
            auk_test(y, a, b, sampling=design).p_value < 0.05,
        )
    return hits.mean(axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rows = []
    for cell in product(DESIGNS, SIZES, PREVALENCES, SEPARATIONS):
        design, n, prevalence, separation = cell
        shares = simulate(n, prevalence, separation, design, options.runs, options.seed)
        rows.append([*cell, options.runs, *shares])
    names = ["design", "n", "prevalence", "separation", "runs"]
    names += ["delong", "delong_logit", "auk", "auk_logit", "auk_if_stratified", "test_rejects"]
    table = pd.DataFrame(rows, columns=names)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    draft = RESULT.with_suffix(".draft")
    table.to_csv(draft, index=False)
    draft.rename(RESULT)
    print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    error = np.sqrt(0.95 * 0.05 / options.runs)
    print(f"Nominal 0.950 and 0.050; standard error of each share about {error:.4f}.")


if __name__ == "__main__":
    main()
