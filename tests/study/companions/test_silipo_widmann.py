import numpy as np
import pytest

from study.companions import silipo_widmann as silipo

WORKFLOW = silipo.Workflow(
    1, 3, 1000, 0.1, 0.7, neighbors=5, min_rows_per_leaf=2, n_levels=3, n_test_sets=400
)
MINORITY = np.repeat([True, False], [300, 700])


def test_rows_leak_only_if_drawn_before_the_split():
    rng = np.random.default_rng(2)
    leaks = {draw: [] for draw in silipo.DRAWS}
    for _ in range(60):
        for draw in silipo.DRAWS:
            train, test = silipo.draw_sample(MINORITY, WORKFLOW, draw=draw, rng=rng)
            assert (len(train), len(test)) == (700, 300)
            assert (MINORITY[train].sum(), MINORITY[test].sum()) == (70, 30)
            leaked = np.isin(test, train)
            leaks[draw].append([leaked[MINORITY[test]].mean(), leaked[~MINORITY[test]].mean()])
    assert np.max(leaks["after_split"]) == 0
    expected = [silipo.expected_leak(300, 70), silipo.expected_leak(700, 630)]
    assert np.mean(leaks["before_split"], axis=0) == pytest.approx(expected, abs=0.04)
