import runpy
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def coverage():
    return runpy.run_path(str(BENCHMARKS / "bench_coverage.py"))


def test_population_values(coverage):
    auc, auk = coverage["population"](1.0, 0.5)
    assert auk == pytest.approx(auc - 0.5, abs=1e-6)
    assert coverage["population"](0.0, 0.2) == pytest.approx((0.5, 0.0), abs=1e-12)


@pytest.mark.parametrize("design", ["stratified", "random"])
def test_shares_are_shares_and_repeat(coverage, design):
    cell = 60, 0.3, 1.0, design, 20, 0
    shares = coverage["simulate"](*cell)
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (shares == coverage["simulate"](*cell)).all()


def test_labels_of_both_designs(coverage):
    rng = np.random.default_rng(0)
    assert coverage["draw_labels"](rng, 50, 0.1, "stratified").sum() == 5
    counts = {coverage["draw_labels"](rng, 12, 0.1, "random").sum() for _ in range(50)}
    assert min(counts) >= 2
    assert len(counts) > 1
