"""How often intervals hold the truth, and tests of equal models say p < 0.05.

``python benchmarks/interval_coverage.py [samples]`` simulates every design with fixed seeds and
prints the tests and the rows, but those of the AUC, of the table in docs/measures.md; 1,000 samples
take about ten minutes on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from kappacurve.inference.estimates import Estimate
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import norm

from kappacurve import calibration, compare, interval, kappa_from_rates, paired_test

FloatArray = NDArray[np.float64]


class Rows(NamedTuple):
    """A sample: labels, two models' scores, their log odds, and its weights and groups."""

    y: NDArray[np.int_]
    scores: tuple[FloatArray, FloatArray]
    log_odds: FloatArray
    options: dict[str, Any]


class Design(NamedTuple):
    """A population of normal scores, and how it is sampled."""

    positives: int
    prevalence: float
    aucs: tuple[float, float] = (0.8, 0.8)
    correlation: float = 0.5
    weight_sd: float = 0.0  # of the logarithm of lognormal weights
    group_size: int = 0
    slope: float = 1.0  # of the log odds

    @property
    def shifts(self) -> tuple[float, float]:
        """Differences of the classes' mean scores."""
        first, second = (float(2**0.5 * norm.ppf(auc)) for auc in self.aucs)
        return first, second

    def draw(self, rng: Generator, n: int | None = None) -> Rows:
        """Rows with at least five positive ones (or groups)."""
        n = round(self.positives / self.prevalence) if n is None else n
        groups = np.arange(n) // self.group_size if self.group_size else None
        y = (rng.random(n) < self.prevalence).astype(int)
        while min(y.sum(), n - y.sum()) < 5:
            y = (rng.random(n) < self.prevalence).astype(int)
        noise = rng.normal(size=(3, n))
        if groups is not None:
            noise = 0.4**0.5 * rng.normal(size=(3, n))[:, groups] + 0.6**0.5 * noise
        rho = self.correlation
        first, second = (
            rho**0.5 * noise[0] + (1 - rho) ** 0.5 * noise[k + 1] + shift * y
            for k, shift in enumerate(self.shifts)
        )
        shift, odds = self.shifts[0], self.prevalence / (1 - self.prevalence)
        log_odds = self.slope * (np.log(odds) + shift * first - shift**2 / 2)
        options: dict[str, Any] = {} if groups is None else {"groups": groups}
        if self.weight_sd:
            options["sample_weight"] = np.exp(self.weight_sd * rng.normal(size=n))
        return Rows(y, (first, second), log_odds, options)


THRESHOLD = float(norm.isf(0.05))  # flags 5 % of the negatives


def true_decision(design: Design, quantity: str) -> float:
    """What flagging at the threshold brings in the population."""
    p, f = design.prevalence, 0.05
    t = float(norm.sf(THRESHOLD - design.shifts[0]))
    flagged = p * t + (1 - p) * f
    values = {"recall": t, "precision": p * t / flagged}
    values |= {"expected_loss": (p * (1 - t) + (1 - p) * f) / 2}
    return values.get(quantity, float(kappa_from_rates(f, t, p)))


def true_loss(design: Design, measure: str) -> float:
    """Of 4 million rows."""
    rng, values = np.random.default_rng(1), []
    for _ in range(4):
        rows = design._replace(weight_sd=0.0, group_size=0).draw(rng, 1_000_000)
        q = expit(rows.log_odds)
        losses = np.logaddexp(0, rows.log_odds) - rows.y * rows.log_odds
        values.append(np.mean((rows.y - q) ** 2 if measure == "brier_score" else losses))
    return float(np.mean(values))


def hold(
    design: Design, samples: int, truth: float, estimate: Callable[[Rows], Estimate]
) -> tuple[float, float]:
    """Share of intervals below the truth, and above it."""
    rng, misses = np.random.default_rng(2026), np.zeros(2)
    for _ in range(samples):
        result = estimate(design.draw(rng))
        misses += result.high < truth, result.low > truth
    return float(misses[0] / samples), float(misses[1] / samples)


def reject(design: Design, samples: int, measure: str) -> tuple[float, float]:
    """Shares of tests with p below 0.05 and below 0.01."""
    rng, below = np.random.default_rng(2026), np.zeros(2)
    for _ in range(samples):
        rows = design.draw(rng)
        p = paired_test(rows.y, *rows.scores, measure=measure, **rows.options).p_value
        below += p < 0.05, p < 0.01
    return float(below[0] / samples), float(below[1] / samples)


def reject_at_cost(design: Design, samples: int) -> tuple[float, float]:
    """The same of the loss where a miss costs the class ratio, at thresholds of the other folds."""
    rng, below = np.random.default_rng(2026), np.zeros(2)
    ratio = (1 - design.prevalence) / design.prevalence
    for _ in range(samples):
        rows = design.draw(rng)
        models = dict(zip("ab", rows.scores, strict=True))
        tests = compare(rows.y, models, cost_ratio=ratio, n_resamples=2, **rows.options).tests
        p = tests.loc[tests["measure"] == "expected_loss", "p_value"].item()
        below += p < 0.05, p < 0.01
    return float(below[0] / samples), float(below[1] / samples)


def describe(design: Design) -> str:
    """A design in words."""
    parts = [f"{design.positives} positives of {round(design.positives / design.prevalence)}"]
    parts.append("AUC " + " and ".join(f"{auc:g}" for auc in dict.fromkeys(design.aucs)))
    parts += ["unequal weights"] * bool(design.weight_sd)
    parts += [f"groups of {design.group_size}"] * bool(design.group_size)
    parts += [f"log odds times {design.slope:g}"] * (design.slope != 1)
    return ", ".join(parts)


TESTS = [
    Design(25, 0.1, (0.97, 0.97)),
    Design(15, 0.1, (0.99, 0.99), 0.8),
    Design(30, 0.15, (0.99, 0.99), group_size=4),
    Design(25, 0.1, (0.8, 0.8)),
    Design(25, 0.1, (0.99, 0.95)),
    Design(15, 0.1, (0.999, 0.95)),
]
COST_TESTS = [Design(25, 0.1), Design(100, 0.1), Design(200, 0.1), Design(400, 0.5)]
SHARES = [
    Design(25, 0.1),
    Design(25, 0.1, weight_sd=0.7),
    Design(25, 0.1, group_size=4),
    Design(80, 0.3, (0.97, 0.97), weight_sd=0.7, group_size=4),
]
LOSSES = [
    Design(10, 0.1, (0.999, 0.999)),
    Design(25, 0.1, (0.97, 0.97)),
    Design(25, 0.1, slope=2.0),
    Design(25, 0.1, slope=0.5),
]
KAPPAS = [Design(50, 0.5, (0.95, 0.95)), Design(30, 0.3, (0.95, 0.95))]
CALIBRATIONS = [Design(25, 0.1), Design(80, 0.1), Design(60, 0.1, group_size=6)]


def simulate(samples: int) -> Iterator[tuple[str, str, str]]:
    """What is estimated or tested, in which design, and how it fares."""
    for design in TESTS:
        kind = "equal" if design.aucs[0] == design.aucs[1] else "different"
        for measure in ("auc", "auk"):
            at_5, at_1 = reject(design, samples, measure)
            yield f"test of {measure.upper()}, {kind}", describe(design), f"{at_5:.3f}, {at_1:.3f}"
    for design in COST_TESTS:
        at_5, at_1 = reject_at_cost(design, samples)
        yield "test of the loss at a cost, equal", describe(design), f"{at_5:.3f}, {at_1:.3f}"
    for quantities, designs in (
        (("recall", "precision", "expected_loss"), SHARES),
        (("kappa",), KAPPAS),
    ):
        for quantity in quantities:
            for design in designs:

                def decide(rows: Rows, quantity: Any = quantity) -> Estimate:
                    return interval(
                        rows.y, rows.scores[0], measure=quantity, at=THRESHOLD, **rows.options
                    )

                misses = hold(design, samples, true_decision(design, quantity), decide)
                yield quantity.replace("_", " "), describe(design), _coverage(misses)
    for measure in ("brier_score", "log_loss"):
        for design in LOSSES:

            def lose(rows: Rows, measure: Any = measure) -> Estimate:
                return interval(rows.y, expit(rows.log_odds), measure=measure, **rows.options)

            misses = hold(design, samples, true_loss(design, measure), lose)
            yield measure.replace("_", " "), describe(design), _coverage(misses)
    for name, truth in (("intercept", 0.0), ("slope", 1.0), ("observed_over_expected", 1.0)):
        for design in CALIBRATIONS:

            def calibrate(rows: Rows, name: str = name) -> Estimate:
                result = calibration(rows.y, expit(rows.log_odds), **rows.options)
                return getattr(result, name)  # type: ignore[no-any-return]

            misses = hold(design, samples, truth, calibrate)
            yield name.replace("_", " "), describe(design), _coverage(misses)


def _coverage(misses: tuple[float, float]) -> str:
    below, above = misses
    return f"{1 - below - above:.3f} ({below:.3f} below, {above:.3f} above)"


if __name__ == "__main__":
    n_samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| what | design | share |\n|:--|:--|:--|")
    for row in simulate(n_samples):
        print(f"| {' | '.join(row)} |", flush=True)
