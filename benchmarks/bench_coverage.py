"""Coverage of the intervals and bands, size and power of the paired tests, by simulation.

Normal scores of unit variance, the positives' mean `separation` higher; the population's measures
are known. Prints four tables and writes them to results/benchmarks: coverage.csv of the analytic
intervals of AUC and AUK, coverage_maxima.csv of the bootstrap intervals of hulls and maxima,
coverage_bands.csv of the bands of kappa curves, and sizes.csv of the tests.

    python benchmarks/bench_coverage.py [--runs 2000] [--maxima-runs 500] [--band-runs 1000]
        [--test-runs 2000] [--seed 0]
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import beta, norm

from kappacurve import (
    auk_interval,
    auk_test,
    bootstrap_intervals,
    delong_interval,
    delong_test,
    kappa_band,
    permutation_tests,
)
from kappacurve.algebra import area_under_kappa, kappa_from_rates
from kappacurve.inference.bootstrap import Bootstrap
from kappacurve.inference.results import check_rows

SIZES = (100, 268, 1000)
PREVALENCES = (0.1, 0.3, 0.9)
SEPARATIONS = (1.0, 2.0)
DESIGNS = ("stratified", "random")
# Of hulls and maxima: rows of each class.
CLASS_SIZES = ((26, 260), (150, 350), (130, 1300))
MAXIMA_SEPARATIONS = (0.9, 1.8)
BAND_SIZES = ((26, 260), (150, 350))
BAND_RATES = (0, 0.005, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99)
# Of tests: rows of each class, the two models' separations, and the measures shown.
TEST_SIZES = ((4, 260), (10, 260), (26, 260), (150, 350))
UNDER_TEST = {"size": (0.9, 0.9), "power": (1.5, 0.9)}
TESTED = ("auc", "auk", "h", "ks", "kappa_max", "auch", "auk_hull")
RESULTS = Path(__file__).parents[1] / "results" / "benchmarks"


def population(separation: float, prevalence: float) -> tuple[float, float]:
    """AUC in closed form, AUK on a fine grid of thresholds."""
    threshold = np.linspace(9 + separation, -9, 20_001)
    fpr = np.r_[0, norm.sf(threshold), 1]
    tpr = np.r_[0, norm.sf(threshold - separation), 1]
    return float(norm.cdf(separation / np.sqrt(2))), area_under_kappa(fpr, tpr, prevalence)


def true_maxima(separation: float, prevalence: float) -> dict[str, float]:
    """Hull measures and maxima of the population, by formula, quadrature and a search.

    The curve is concave, so that its hull is the curve itself. H is one less the ratio of two
    losses over the weight Beta(2, 2) of the cost share c of a false positive; the best threshold
    is where the likelihood ratio is c (1 - p) / ((1 - c) p).
    """
    p, weight = prevalence, beta(2, 2).pdf

    def loss(c: float) -> float:
        ratio = c * (1 - p) / ((1 - c) * p)
        threshold = separation / 2 + np.log(ratio) / separation
        false, missed = norm.sf(threshold), norm.cdf(threshold - separation)
        return float(weight(c) * (c * (1 - p) * false + (1 - c) * p * missed))

    def loss_by_chance(c: float) -> float:
        return float(weight(c) * min(c * (1 - p), (1 - c) * p))

    def less_kappa(threshold: float) -> float:
        fpr, tpr = norm.sf(threshold), norm.sf(threshold - separation)
        share = p * tpr + (1 - p) * fpr
        right = p * tpr + (1 - p) * (1 - fpr)
        chance = p * share + (1 - p) * (1 - share)
        return -float((right - chance) / (1 - chance))

    h = 1 - quad(loss, 0, 1)[0] / quad(loss_by_chance, 0, 1, points=[p])[0]
    best = minimize_scalar(less_kappa, bounds=(-9, 9 + separation), options={"xatol": 1e-9})
    auc, auk = population(separation, p)
    ks = float(2 * norm.cdf(separation / 2) - 1)
    return {"auch": auc, "ks": ks, "auk_hull": auk, "h": h, "kappa_max": -float(best.fun)}


def simulate_maxima(
    n_positive: int, n_negative: int, separation: float, runs: int, resamples: int, seed: int
) -> dict[str, float]:
    """Share of the runs in which each interval holds the truth."""
    y = np.arange(n_positive + n_negative) < n_positive
    true = true_maxima(separation, float(y.mean()))
    rng = np.random.default_rng([seed, n_positive, n_negative, round(100 * separation)])
    hits = dict.fromkeys(true, 0)
    for run in range(runs):
        score = rng.normal(size=len(y)) + separation * y
        found = bootstrap_intervals(y, score, n_resamples=resamples, seed=run)
        for name, value in true.items():
            hits[name] += found[name].low <= value <= found[name].high
    return {name: held / runs for name, held in hits.items()}


def band_table(runs: int, seed: int) -> pd.DataFrame:
    """Share of the bands that hold the true curve at each rate; last of those that do at all."""
    grid, few, rows = np.linspace(0, 1, 201), max(1, runs // 10), []
    for (n_positive, n_negative), separation in product(BAND_SIZES, MAXIMA_SEPARATIONS):
        y = np.arange(n_positive + n_negative) < n_positive
        true = kappa_from_rates(grid, norm.cdf(norm.ppf(grid) + separation), y.mean())
        rng = np.random.default_rng([seed, n_positive, round(100 * separation)])
        held, everywhere = np.zeros(len(grid)), 0
        for run in range(runs):
            score = rng.normal(size=len(y)) + separation * y
            band = kappa_band(y, score)
            held += (band.low <= true) & (true <= band.high)
            if run < few:  # a simultaneous band takes half a second
                band = kappa_band(y, score, simultaneous=True, n_resamples=200, random_state=run)
                everywhere += bool(((band.low <= true) & (true <= band.high)).all())
        at = {f"{f:g}": held[round(200 * f)] / runs for f in BAND_RATES}
        cell = {"n_positive": n_positive, "n_negative": n_negative, "separation": separation}
        rows.append({**cell, **at, "simultaneous": everywhere / few})
    return pd.DataFrame(rows)


def size_table(runs: int, seed: int) -> pd.DataFrame:
    """Share of the runs in which each test of each measure rejects at 5 %."""
    parts = []
    for (n_positive, n_negative), (what, pair) in product(TEST_SIZES, UNDER_TEST.items()):
        rng = np.random.default_rng([seed, n_positive, round(100 * sum(pair))])
        y = np.arange(n_positive + n_negative) < n_positive
        rejected = pd.DataFrame(0.0, index=["analytic", "bootstrap", "permutation"], columns=TESTED)
        for run in range(runs):
            common = rng.normal(size=len(y))
            a, b = ((common + rng.normal(size=len(y))) / np.sqrt(2) + d * y for d in pair)
            rejected += pd.DataFrame(p_values(y, a, b, run)).T.reindex(columns=TESTED) <= 0.05
        rejected.loc["analytic", list(TESTED[2:])] = np.nan
        cell = {"n_positive": n_positive, "n_negative": n_negative, "what": what}
        parts.append(rejected.div(runs).rename_axis("test").reset_index().assign(**cell))
        print(parts[-1].to_string(index=False), flush=True)
    return pd.concat(parts, ignore_index=True)


def p_values(y: np.ndarray, a: np.ndarray, b: np.ndarray, seed: int) -> dict[str, dict[str, float]]:
    """By test and measure; those that the functions keep back with few rows too."""
    analytic = {"auc": delong_test(y, a, b), "auk": auk_test(y, a, b)}
    scores, at = [check_rows(y, s, None, None) for s in (a, b)], {"prevalence": float(y.mean())}
    at |= {"cost": 0.5, "axis": "fpr"}
    drawn = Bootstrap(scores, at, "stratified", 399, seed).tests(0, 1, 0.95)
    permuted = permutation_tests(y, a, b, n_permutations=399, seed=seed)
    return {
        "analytic": {k: 2 * norm.sf(abs(one.statistic)) for k, one in analytic.items()},
        "bootstrap": {name: drawn[name].p_value for name in TESTED},
        "permutation": {name: permuted[name].p_value for name in TESTED},
    }


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
    parser.add_argument("--maxima-runs", type=int, default=500)
    parser.add_argument("--band-runs", type=int, default=1000)
    parser.add_argument("--test-runs", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.runs:
        write_and_print(analytic_table(options.runs, options.seed), "coverage", options.runs)
    if options.maxima_runs:
        table = maxima_table(options.maxima_runs, options.resamples, options.seed)
        write_and_print(table, "coverage_maxima", options.maxima_runs)
    if options.band_runs:
        table = band_table(options.band_runs, options.seed)
        write_and_print(table, "coverage_bands", options.band_runs)
    if options.test_runs:
        warnings.simplefilter("ignore")  # the p values that the functions keep back
        write_and_print(size_table(options.test_runs, options.seed), "sizes", options.test_runs)


def analytic_table(runs: int, seed: int) -> pd.DataFrame:
    rows = []
    for cell in product(DESIGNS, SIZES, PREVALENCES, SEPARATIONS):
        design, n, prevalence, separation = cell
        rows.append([*cell, runs, *simulate(n, prevalence, separation, design, runs, seed)])
    names = ["design", "n", "prevalence", "separation", "runs"]
    names += ["delong", "delong_logit", "auk", "auk_logit", "auk_if_stratified", "test_rejects"]
    return pd.DataFrame(rows, columns=names)


def maxima_table(runs: int, resamples: int, seed: int) -> pd.DataFrame:
    rows = []
    for (n_positive, n_negative), separation in product(CLASS_SIZES, MAXIMA_SEPARATIONS):
        shares = simulate_maxima(n_positive, n_negative, separation, runs, resamples, seed)
        cell = {"n_positive": n_positive, "n_negative": n_negative, "separation": separation}
        rows.append(cell | shares)
    return pd.DataFrame(rows)


def write_and_print(table: pd.DataFrame, name: str, runs: int) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    draft = RESULTS / f"{name}.draft"
    table.to_csv(draft, index=False)
    draft.rename(RESULTS / f"{name}.csv")
    print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    error = np.sqrt(0.95 * 0.05 / runs)
    print(f"Nominal 0.950 (tests 0.050); standard error of each share about {error:.4f}.\n")


if __name__ == "__main__":
    main()
