"""Coverage of intervals and bands, and size of paired tests, by simulation.

Scores are normal in each class, so the population's values are known. Writes docs/coverage.md's
tables to results/benchmarks/coverage_NAME.csv, a file for each table, and prints them as Markdown.
With the default numbers of runs it takes about eight minutes of CPU.

    nice python benchmarks/bench_coverage.py [--runs 800] [--only intervals]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import beta, binom, norm

from kappacurve import interval, kappa_band, operating_point, paired_test, plan_sample_size
from kappacurve.algebra import area_under_curve, area_under_kappa, kappa_from_rates

RESULTS = Path(__file__).parents[1] / "results" / "benchmarks"
SIZES = ((5, 100), (10, 100), (10, 1000), (26, 260), (150, 350))
SHAPES = ("equal", "wide", "ties")  # the positives' SD doubled; scores rounded to whole SDs
AUCS = (0.6, 0.76, 0.9, 0.97)
TAUS = (0.02, 0.1, 0.3)
RATIOS = "random", "fixed"
Row = dict[str, Any]


def separation(auc: float, sd: float = 1.0) -> float:
    """Between the means, with which two normal classes have this AUC."""
    return float(norm.ppf(auc) * np.sqrt(1 + sd**2))


def population(shift: float, shape: str, prevalence: float) -> tuple[float, float]:
    """AUC and AUK of normal classes, on a fine grid of thresholds, or of all rounded scores."""
    sd = 2.0 if shape == "wide" else 1.0
    grid = np.arange(-12, 16) + 0.5 if shape == "ties" else np.linspace(-12, 16, 20_001)
    fpr, tpr = norm.sf(grid)[::-1], norm.sf((grid - shift) / sd)[::-1]
    curve = np.r_[0, fpr, 1], np.r_[0, tpr, 1]
    return area_under_curve(*curve), area_under_kappa(*curve, prevalence)


def newcombe(auc: float, m: int, n: int) -> tuple[float, float]:
    """Newcombe's (2006) method 5: Hanley and McNeil's error at the end, with means of the sizes."""
    half, z2 = (m + n) / 2 - 1, norm.ppf(0.975) ** 2

    def beyond(theta: float) -> float:
        spread = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return float((auc - theta) ** 2 * m * n - z2 * theta * (1 - theta) * spread)

    ends = []
    for low, high in ((0.0, auc), (auc, 1.0)):
        inside = auc
        outside = low if inside == high else high
        for _ in range(50):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if beyond(middle) < 0 else (inside, middle)
        ends.append(inside)
    return ends[0], ends[1]


def held(ends: Any, truth: float) -> bool:
    """Whether an interval holds the truth; one that is missing does not."""
    return bool(ends[0] <= truth <= ends[1])


def intervals(runs: int) -> Iterator[Row]:
    """Analytic intervals of AUC, and of the AUK at two prevalences."""
    for (m, n), auc, shape in product(SIZES, AUCS, SHAPES):
        sd = 2.0 if shape == "wide" else 1.0
        shift, y = separation(auc, sd), np.arange(m + n) < m
        truth = {p: population(shift, shape, p) for p in (m / (m + n), 0.9)}
        rng = np.random.default_rng([m, n, round(100 * auc), len(shape)])
        found: dict[str, list[bool]] = {}
        for _ in range(runs):
            score = np.where(y, rng.normal(shift, sd, m + n), rng.normal(size=m + n))
            score = score.round() if shape == "ties" else score
            for scale in ("adjusted", "logit", "plain"):
                own, at_90 = (
                    interval(y, score, measure=["auc", "auk"], scale=scale, prevalence=p)
                    for p in truth
                )
                own_truth, other_truth = truth.values()
                for name, each, value in (
                    ("AUC", own["auc"], own_truth[0]),
                    ("AUK", own["auk"], own_truth[1]),
                    ("AUK at 0.9", at_90["auk"], other_truth[1]),
                ):
                    found.setdefault(f"{name}, {scale}", []).append(held(each[2:4], value))
            ends = newcombe(own["auc"].estimate, m, n)
            found.setdefault("AUC, Newcombe", []).append(held(ends, own_truth[0]))
        cell = {"positives": m, "negatives": n, "AUC": auc, "scores": shape}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def two_models(rng: np.random.Generator, y: Any, shift: float, rho: float) -> Any:
    """Scores of two equally good models that correlate within the classes."""
    common = rng.normal(size=len(y))
    alone = rng.normal(size=(2, len(y)))
    return np.sqrt(rho) * common + np.sqrt(1 - rho) * alone + shift * y


def tests(runs: int) -> Iterator[Row]:
    """Size of the paired tests at 5 %, by Student's t and by the normal distribution."""
    for (m, n), (auc, rho) in product(SIZES, ((0.64, 0.5), (0.8, 0.8), (0.92, 0.5))):
        y = np.arange(m + n) < m
        rng = np.random.default_rng([m, n, round(100 * auc)])
        found: dict[str, list[bool]] = {}
        for run in range(2 * runs):
            pair = two_models(rng, y, separation(auc), rho)
            for measure in ("auc", "auk"):
                options: Any = {"method": "analytic", "sampling": "stratified"}
                test = paired_test(y, *pair, measure=measure, **options)
                name = measure.upper()
                found.setdefault(f"{name}, t", []).append(test.p_value < 0.05)
                normal = abs(test.statistic) > norm.ppf(0.975)
                found.setdefault(f"{name}, normal", []).append(normal)
            if run < runs // 4:
                options = {"measure": "h", "n_resamples": 199, "random_state": run}
                test = paired_test(y, *pair, method="permutation", **options)
                found.setdefault("H, permutation", []).append(test.p_value <= 0.05)
        cell = {"positives": m, "negatives": n, "AUC": auc, "correlation": rho}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def perfect(runs: int) -> Iterator[Row]:
    """Size of the AUC's paired tests where models are nearly perfect: by t, and by exchanges."""
    for (m, n), auc in product(((10, 100), (26, 260)), (0.92, 0.97, 0.995)):
        y = np.arange(m + n) < m
        rng = np.random.default_rng([m, n, round(1000 * auc)])
        found: dict[str, list[bool]] = {"t": [], "permutation": []}
        for run in range(runs // 4):
            pair = two_models(rng, y, separation(auc), 0.5)
            options: Any = {"measure": "auc", "sampling": "stratified"}
            found["t"].append(paired_test(y, *pair, **options).p_value < 0.05)
            options |= {"method": "permutation", "n_resamples": 199, "random_state": run}
            found["permutation"].append(paired_test(y, *pair, **options).p_value <= 0.05)
        cell = {"positives": m, "negatives": n, "AUC": auc}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def groups(runs: int) -> Iterator[Row]:
    """Coverage and size where rows come in groups: counting groups, and counting rows."""
    shift = separation(0.8)
    equal = product((10, 20, 30, 100), (2, 10, 50), (0.0, 0.5, 0.9))
    unequal = product((15, 30, 60, 100), ((1, 2, 5, 40), (2, 200)), (0.5,))
    for n_groups, size, within in (*equal, *unequal):
        sizes = np.resize(size, n_groups)
        code = np.repeat(np.arange(n_groups), sizes)
        rng = np.random.default_rng([n_groups, sizes.sum(), round(10 * within)])
        found: dict[str, list[bool]] = {}
        for _ in range(runs // 2):
            # A positive in every group; whether the others are varies by group.
            y = rng.random(len(code)) < rng.beta(1, 4, n_groups)[code]
            y[np.searchsorted(code, np.arange(n_groups))] = True
            if (~y).sum() < 10:
                continue
            shared = rng.normal(size=(3, n_groups))[:, code]
            noise = np.sqrt(within) * shared + np.sqrt(1 - within) * rng.normal(size=(3, len(y)))
            pair = np.sqrt(0.5) * (noise[0] + noise[1:]) + shift * y
            truth = population(shift, "equal", 0.2)
            for name, codes in (("groups", code), ("rows", None)):
                ends = interval(y, pair[0], measure=["auc", "auk"], groups=codes, prevalence=0.2)
                for measure, value in zip(("auc", "auk"), truth, strict=True):
                    key = f"{measure.upper()} covered, by {name}"
                    found.setdefault(key, []).append(held(ends[measure][2:4], value))
                test = paired_test(y, *pair, groups=codes, prevalence=0.2, method="analytic")
                found.setdefault(f"AUK rejected, by {name}", []).append(test.p_value < 0.05)
        rows = str(size).strip("()")
        cell = {"groups": n_groups, "rows per group": rows, "correlation": within}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def decisions(runs: int) -> Iterator[Row]:
    """Net benefit of calibrated probabilities: its interval, a plain one, and the paired test."""
    designs = "class ratio fixed", "class ratio random", "groups of five"
    for (m, n), tau, design in product(((10, 100), (26, 260), (150, 1500)), TAUS, designs):
        p, shift, total = m / (m + n), separation(0.85), m + n
        start = np.log(p / (1 - p)) - shift**2 / 2  # of the log odds at the score 0
        cut = (np.log(tau / (1 - tau)) - start) / shift
        truth = p * norm.sf(cut - shift) - (1 - p) * norm.sf(cut) * tau / (1 - tau)
        rng = np.random.default_rng([m, n, round(100 * tau), len(design)])
        code = np.arange(total) // 5 if design == "groups of five" else None
        options: Any = {"measure": "net_benefit", "threshold": tau, "groups": code}
        options["sampling"] = "stratified" if "fixed" in design else "random"
        found: dict[str, list[bool]] = {"covered": [], "covered, plain": [], "rejected": []}
        for _ in range(runs):
            chance = rng.normal(size=total)
            if code is not None:
                chance = np.sqrt(0.3) * rng.normal(size=total)[code] + np.sqrt(0.7) * chance
            y = np.arange(total) < m if "fixed" in design else chance > norm.isf(p)
            if y.sum() < 5:
                continue
            odds = start + shift * two_models(rng, y, shift, 0.5)
            models = 1 / (1 + np.exp(-odds))
            ends = interval(y, models[0], **options)
            half = norm.ppf(0.975) * ends.standard_error
            found["covered"].append(held(ends[2:4], truth))
            found["covered, plain"].append(abs(ends.estimate - truth) <= half)
            found["rejected"].append(paired_test(y, *models, **options).p_value < 0.05)
        cell = {"positives": m, "negatives": n, "threshold": tau, "design": design}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def power(runs: int) -> Iterator[Row]:
    """Power of the paired tests with as many rows as were planned for .80."""
    for (aucs, rho), (prevalence, ratio) in product(
        (((0.75, 0.85), 0.3), ((0.75, 0.8), 0.6), ((0.9, 0.95), 0.3)),
        ((0.05, 10), (0.2, 4), (0.1, 1)),
    ):
        given: Any = {"prevalence": prevalence, "ratio": ratio, "correlation": rho}
        for measure, size in plan_sample_size(aucs, **given).items():
            y = np.arange(size.n_positive + size.n_negative) < size.n_positive
            rng = np.random.default_rng([round(100 * aucs[0]), ratio])
            shifts = np.array([separation(auc) for auc in aucs])[:, np.newaxis]
            rejected = [
                paired_test(
                    *(y, *(two_models(rng, y, 0, rho) + shifts * y)),
                    measure=measure,
                    prevalence=prevalence,
                ).p_value
                < 0.05
                for _ in range(2 * runs)
            ]
            cell = {"AUCs": f"{aucs[0]}, {aucs[1]}", "correlation": rho, "prevalence": prevalence}
            cell |= {"negatives per positive": ratio, "measure": measure.upper()}
            yield cell | {"positives": size.n_positive, "rejected": float(np.mean(rejected))}


def maxima(shift: float, p: float) -> dict[str, float]:
    """Hull measures and maxima of the population, by formula, quadrature and a search."""
    weight = beta(2, 2).pdf

    def loss(c: float) -> float:
        threshold = shift / 2 + np.log(c * (1 - p) / ((1 - c) * p)) / shift
        false, missed = norm.sf(threshold), norm.cdf(threshold - shift)
        return float(weight(c) * (c * (1 - p) * false + (1 - c) * p * missed))

    def by_chance(c: float) -> float:
        return float(weight(c) * min(c * (1 - p), (1 - c) * p))

    def less_kappa(threshold: float) -> float:
        return -float(kappa_from_rates(norm.sf(threshold), norm.sf(threshold - shift), p))

    h = 1 - quad(loss, 0, 1)[0] / quad(by_chance, 0, 1, points=[p])[0]
    best = minimize_scalar(less_kappa, bounds=(-9, 9 + shift), options={"xatol": 1e-9})
    auc, auk = population(shift, "equal", p)
    largest = {"ks": 2 * norm.cdf(shift / 2) - 1, "kappa_max": -best.fun}
    precise = quad(lambda s: norm.pdf(s - shift) * brought(s, shift, p)["precision"], -9, 9 + shift)
    areas = {"auc": auc, "auk": auk, "auch": auc, "auk_hull": auk, "h": h}
    return areas | largest | {"average_precision": precise[0]}


def resamples(runs: int) -> Iterator[Row]:
    """Bootstrap intervals of every measure."""
    sizes = (5, 50), (10, 100), (10, 490), (26, 260), (150, 350)
    for (m, n), auc in product(sizes, (0.74, 0.92)):
        shift, y = separation(auc), np.arange(m + n) < m
        truth = maxima(shift, m / (m + n))
        rng = np.random.default_rng([m, n, round(100 * auc)])
        found: dict[str, list[bool]] = {name: [] for name in truth}
        for run in range(runs // 3):
            score = rng.normal(size=m + n) + shift * y
            options: Any = {"method": "bootstrap", "n_resamples": 400, "random_state": run}
            options["sampling"] = "stratified"
            drawn = interval(y, score, measure=list(truth), **options)
            for name, value in truth.items():
                found[name].append(held(drawn[name][2:4], value))
        cell = {"positives": m, "negatives": n, "AUC": auc}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def bands(runs: int) -> Iterator[Row]:
    """Pointwise bands of the kappa curve, at some rates."""
    rates = np.array([0.005, 0.05, 0.2, 0.5, 0.9, 0.99])
    for (m, n), shift in product(((26, 260), (150, 350)), (0.9, 1.8)):
        y = np.arange(m + n) < m
        rng = np.random.default_rng([m, n, round(10 * shift)])
        kappa = kappa_from_rates(rates, norm.sf(norm.isf(rates) - shift), m / (m + n))
        inside = []
        for _ in range(runs):
            band = kappa_band(y, rng.normal(size=m + n) + shift * y, sampling="stratified")
            low, high = (np.interp(rates, band.fpr, end) for end in (band.low, band.high))
            inside.append((low <= kappa) & (kappa <= high))
        shares = np.mean(inside, axis=0)
        cell = {"positives": m, "negatives": n, "separation": shift}
        yield cell | {f"f {rate:g}": float(one) for rate, one in zip(rates, shares, strict=True)}


def points(runs: int) -> Iterator[Row]:
    """Under a constraint: what models held to it bring, and what the rows' own threshold does."""
    measures = ("recall", "precision", "kappa", "expected_loss")
    designs = ((5, 50, 2.0), (10, 490, 2.0), (26, 260, 1.2), (26, 260, 2.5), (100, 900, 1.2))
    constraints = ("fpr<=0.05", "flagged<=0.1", "recall>=0.9", "precision>=0.5")
    for (m, n, shift), at in product(designs, constraints):
        y, p = np.arange(m + n) < m, m / (m + n)
        best = best_threshold(at, shift, p)
        truth = brought(best, shift, p)
        rng = np.random.default_rng([m, n, round(10 * shift)])
        found: dict[str, list[bool]] = {}
        for run in range(runs // 2):
            score = rng.normal(size=m + n) + shift * y
            try:
                own = operating_point(y, score, at=at).threshold
            except ValueError:  # no threshold meets it
                continue
            asked = [name for name in measures if not at.startswith(name)]
            options: Any = {"n_resamples": 400, "random_state": run, "sampling": "stratified"}
            held_to = interval(y, score, measure=asked, at=at, **options)
            in_use = interval(y, score, measure=list(measures), at=own, **options)
            now = brought(own, shift, p)
            for name in measures:
                if name in held_to:
                    covered = held(held_to[name][2:4], truth[name])
                    found.setdefault(name, []).append(covered)
                covered = held(in_use[name][2:4], now[name])
                found.setdefault(f"{name}, its threshold", []).append(covered)
        cell = {"positives": m, "negatives": n, "separation": shift, "at": at}
        names = [f"{name}{kind}" for kind in ("", ", its threshold") for name in measures]
        shares = {name: float(np.mean(found[name])) if name in found else "" for name in names}
        yield cell | {"samples": len(found["kappa"])} | shares


def brought(threshold: float, shift: float, p: float) -> dict[str, float]:
    """What a threshold brings in the population."""
    f, t = norm.sf(threshold), norm.sf(threshold - shift)
    flagged = p * t + (1 - p) * f
    rates = {"recall": t, "precision": p * t / flagged, "flagged": flagged, "fpr": f}
    loss = ((1 - p) * f + p * (1 - t)) / 2
    return rates | {"kappa": float(kappa_from_rates(f, t, p)), "expected_loss": loss}


def best_threshold(at: str, shift: float, p: float) -> float:
    """The threshold at which the population is at the bound."""
    name, bound = at.replace(">", "<").split("<=")
    return float(brentq(lambda s: brought(s, shift, p)[name] - float(bound), -5, 6))


def cohorts(runs: int) -> Iterator[Row]:
    """Rows drawn as they come: every interval, with the class ratio random and taken as fixed."""
    sizes = (
        (100, 0.1),
        (500, 0.02),
        (1000, 0.01),
        (1000, 0.02),
        (1000, 0.05),
        (1000, 0.1),
        (5000, 0.02),
    )
    for (total, p), auc, slope in product(sizes, (0.75, 0.92), (1.0, 2.0)):
        shift = separation(auc)
        truth = in_population(shift, p, slope)
        rng = np.random.default_rng([total, round(100 * p), round(100 * auc), round(slope)])
        found: dict[str, list[bool]] = {}
        for _ in range(runs // 2):
            y = rng.random(total) < p
            if y.sum() < 2:
                continue
            score = probability(rng.normal(size=total) + shift * y, shift, p, slope)
            for sampling in ("random", "stratified"):
                options: Any = {"sampling": sampling}
                ends = interval(y, score, measure=["auc", "auk"], **options)
                options |= {"measure": list(truth)[2:], "threshold": p, "cost": 1 - p}
                ends |= interval(y, score, **options)
                for name, value in truth.items():
                    key = f"{name}{', as fixed' * (sampling != 'random')}"
                    found.setdefault(key, []).append(held(ends[name][2:4], value))
        cell = {"rows": total, "prevalence": p, "AUC": auc, "slope": slope}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def losses(runs: int) -> Iterator[Row]:
    """Brier score and log loss of few positives; probabilities right, too steep or too flat."""
    measures = ["brier_score", "log_loss"]
    sizes = (5, 50), (10, 100), (10, 490), (26, 260), (50, 950)
    for (m, n), auc, slope in product(sizes, (0.75, 0.92), (1.0, 2.0, 0.5)):
        shift, p = separation(auc), m / (m + n)
        truth = in_population(shift, p, slope)
        rng = np.random.default_rng([m, n, round(100 * auc), round(10 * slope)])
        found: dict[str, list[bool]] = {}
        for _, sampling in product(range(runs), ("random", "stratified")):
            y = np.arange(m + n) < m if sampling == "stratified" else rng.random(m + n) < p
            if y.sum() < 2:
                continue
            score = probability(rng.normal(size=m + n) + shift * y, shift, p, slope)
            ends: Any = interval(y, score, measure=measures, sampling=sampling)
            for name in measures:
                key = f"{name}, ratio {RATIOS[sampling == 'stratified']}"
                found.setdefault(key, []).append(held(ends[name][2:4], truth[name]))
        cell = {"positives": m, "negatives": n, "AUC": auc, "slope": slope}
        yield cell | {name: float(np.mean(each)) for name, each in found.items()}


def probability(score: Any, shift: float, p: float, slope: float) -> Any:
    """The chance of a positive by a normal score, its log odds times a slope."""
    odds = slope * (shift * score - shift**2 / 2 + np.log(p / (1 - p)))
    return 1 / (1 + np.exp(-odds))


def in_population(shift: float, p: float, slope: float) -> dict[str, float]:
    """What is estimated of such probabilities; decisions are at the threshold p."""
    z, step = np.linspace(-9, 9, 200_001, retstep=True)
    chances = [probability(z + each, shift, p, slope) for each in (shift, 0)]
    weight = norm.pdf(z) * step
    brier = p * weight @ (1 - chances[0]) ** 2 + (1 - p) * weight @ chances[1] ** 2
    log = -p * weight @ np.log(chances[0]) - (1 - p) * weight @ np.log1p(-chances[1])
    cut = shift / 2 + np.log(p / (1 - p)) * (1 / slope - 1) / shift
    f, t = norm.sf(cut), norm.sf(cut - shift)
    auc, auk = population(shift, "equal", p)
    values = {"auc": auc, "auk": auk, "brier_score": brier, "log_loss": log}
    # A missed positive costs a share of 1 - p, as the threshold p has it.
    loss = (1 - p) * p * (1 - t) + p * (1 - p) * f
    return values | {"net_benefit": p * t - p * f, "expected_loss": loss}


COARSE = {
    "2 levels, few high": ((0.8, 0.2), (0.98, 0.02)),
    "2 levels": ((0.1, 0.9), (0.9, 0.1)),
    "3 levels, few high": ((0.7, 0.15, 0.15), (0.97, 0.02, 0.01)),
    "3 levels": ((0.2, 0.3, 0.5), (0.5, 0.3, 0.2)),
    "5 levels, few high": ((0.7, 0.1, 0.1, 0.05, 0.05), (0.96, 0.01, 0.01, 0.01, 0.01)),
    "5 levels, skewed": ((0.1, 0.05, 0.05, 0.1, 0.7), (0.9, 0.05, 0.02, 0.02, 0.01)),
    "all but few tied": ((0.8,) + (0.01,) * 20, (0.98,) + (0.001,) * 20),
}


def coarse(runs: int) -> Iterator[Row]:
    """Scores of few levels, given by the shares of the classes at each, rising."""
    sizes = (5, 50), (10, 490), (26, 260), (100, 900)
    for (name, shares), (m, n) in product(COARSE.items(), sizes):
        curve = [np.append(0, np.cumsum(each[::-1])) for each in shares]
        p = m / (m + n)
        fpr, tpr = (each / each[-1] for each in reversed(curve))
        truth = {"auc": area_under_curve(fpr, tpr), "auk": area_under_kappa(fpr, tpr, p)}
        rng = np.random.default_rng([m, n, len(name)])
        found: dict[str, list[bool]] = {}
        y = np.arange(m + n) < m
        for _ in range(runs):
            drawn = [
                rng.choice(len(share), rows, p=np.divide(share, sum(share)))
                for share, rows in zip(shares, (m, n), strict=True)
            ]
            score = np.concatenate(drawn).astype(float)
            ends = interval(y, score, measure=["auc", "auk"], sampling="stratified")
            for measure, value in truth.items():
                found.setdefault(measure.upper(), []).append(held(ends[measure][2:4], value))
            other = newcombe(ends["auc"].estimate, m, n)
            found.setdefault("AUC, Newcombe", []).append(held(other, truth["auc"]))
        cell = {"scores": name, "positives": m, "negatives": n}
        yield cell | {each: float(np.mean(own)) for each, own in found.items()}


def weights(runs: int) -> Iterator[Row]:
    """Weights that differ within the classes."""
    draws = {
        "1 or 5": lambda rng, n: rng.choice([1.0, 5.0], n),
        "1 or 20": lambda rng, n: rng.choice([1.0, 20.0], n),
        "lognormal": lambda rng, n: np.exp(rng.normal(size=n)),
    }
    for (m, n), auc, name in product(((10, 100), (26, 260), (100, 900)), (0.7, 0.9), draws):
        shift, y = separation(auc), np.arange(m + n) < m
        truth = dict(zip(("auc", "auk"), population(shift, "equal", 0.2), strict=True))
        rng = np.random.default_rng([m, n, round(100 * auc), len(name)])
        found: dict[str, list[bool]] = {}
        for _ in range(runs):
            weight, pair = draws[name](rng, m + n), two_models(rng, y, shift, 0.5)
            options: Any = {"sample_weight": weight, "prevalence": 0.2}
            ends = interval(y, pair[0], measure=["auc", "auk"], **options)
            for measure, value in truth.items():
                key = f"{measure.upper()} covered"
                found.setdefault(key, []).append(held(ends[measure][2:4], value))
            test = paired_test(y, *pair, measure="auc", method="analytic", **options)
            found.setdefault("AUC rejected", []).append(test.p_value < 0.05)
        cell = {"positives": m, "negatives": n, "AUC": auc, "weights": name}
        yield cell | {each: float(np.mean(own)) for each, own in found.items()}


def exact(_: int) -> Iterator[Row]:
    """Net benefit with the class ratio fixed: all tables counted, at the worst of 130 rates."""
    recalls = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
    alarms = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
    for (m, n), tau in product(((5, 50), (10, 100), (26, 260)), (*TAUS, 0.5)):
        y, p = np.arange(m + n) < m, m / (m + n)
        ends = np.empty((m + 1, n + 1, 2))
        for hits, false in np.ndindex(m + 1, n + 1):
            flagged = np.r_[np.arange(m) < hits, np.arange(n) < false].astype(float)
            options: Any = {"measure": "net_benefit", "threshold": tau, "sampling": "stratified"}
            ends[hits, false] = interval(y, flagged, **options)[2:4]
        worst = (2.0, 0.0, 0.0)
        for t, f in product(recalls, alarms):
            truth = p * t - (1 - p) * f * tau / (1 - tau)
            holds = (ends[..., 0] <= truth + 1e-12) & (truth <= ends[..., 1] + 1e-12)
            chance = np.outer(binom.pmf(range(m + 1), m, t), binom.pmf(range(n + 1), n, f))
            worst = min(worst, (float(chance[holds].sum()), t, f))
        cell = {"positives": m, "negatives": n, "threshold": tau, "covered": worst[0]}
        yield cell | {"at tpr": str(worst[1]), "at fpr": str(worst[2])}


TABLES = {"intervals": intervals, "tests": tests, "groups": groups}
TABLES |= {"resamples": resamples, "bands": bands, "decisions": decisions, "power": power}
TABLES |= {"points": points, "cohorts": cohorts, "losses": losses, "coarse": coarse}
TABLES |= {"weights": weights, "exact": exact, "perfect": perfect}
# The columns of coverage that are ours, by which a table has its worst design first.
OURS = {
    "intervals": ["AUC, adjusted", "AUK, adjusted", "AUK at 0.9, adjusted"],
    "groups": ["AUC covered, by groups", "AUK covered, by groups"],
    "resamples": ["auk", "h", "ks", "kappa_max", "average_precision"],
    "decisions": ["covered"],
    "cohorts": ["auc", "auk", "brier_score", "log_loss", "net_benefit", "expected_loss"],
    "losses": [f"{name}, ratio {how}" for name in ("brier_score", "log_loss") for how in RATIOS],
    "coarse": ["AUC", "AUK"],
    "weights": ["AUC covered", "AUK covered"],
    "exact": ["covered"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=800)
    parser.add_argument("--only", choices=TABLES, nargs="+", default=list(TABLES))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of few groups
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name in options.only:
        table = pd.DataFrame(TABLES[name](options.runs))
        if name in OURS:
            own = [column for column in OURS[name] if column in table]
            table = table.iloc[table[own].min(axis=1).argsort(kind="stable")]
        draft = RESULTS / f"coverage_{name}.draft"
        table.to_csv(draft, index=False)
        draft.rename(RESULTS / f"coverage_{name}.csv")
        print(f"\n{name}\n\n{markdown(table)}", flush=True)


def markdown(table: pd.DataFrame) -> str:
    """A table as Markdown, shares with two digits."""

    def cell(value: Any) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    lines = [list(table.columns), ["---"] * len(table.columns)]
    lines += [[cell(value) for value in row] for row in table.itertuples(index=False, name=None)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


if __name__ == "__main__":
    main()
