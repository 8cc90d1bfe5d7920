import numpy as np
import pytest

from kappacurve.roc import kappa_from_rates
from study.papers import silipo_prevalence as prevalence
from study.papers.agreement import Matrix


@pytest.mark.parametrize(("fpr", "tpr"), [(22 / 270, 0.6), (0.3, 0.7), (0.01, 0.9), (0.6, 0.95)])
def test_peak_against_a_fine_grid(fpr, tpr):
    grid = np.linspace(1e-4, 1 - 1e-4, 200_001)
    kappa = kappa_from_rates(fpr, tpr, grid)
    peak = prevalence.peak_of_kappa(fpr, tpr)
    assert peak.prevalence == pytest.approx(grid[np.argmax(kappa)], abs=1e-4)
    assert peak.kappa == pytest.approx(kappa.max(), abs=1e-9)


def test_kappa_peaks_at_one_half_if_both_classes_err_alike():
    assert prevalence.peak_of_kappa(0.2, 0.8).prevalence == pytest.approx(0.5)


def test_kappa_by_prevalence():
    matrix = Matrix(18, 12, 22, 248)
    table = prevalence.kappa_by_prevalence(
        {"smote": [matrix]}, levels=[0.05, 0.5, 0.95], n_sets=400, seed=1
    )
    assert table["prevalence"].tolist() == [0.05, 0.5, 0.95]
    np.testing.assert_allclose(
        table["analytic"], kappa_from_rates(22 / 270, 0.6, np.array([0.05, 0.5, 0.95]))
    )
    assert table["analytic"][1] == pytest.approx(0.519, abs=5e-4)
    np.testing.assert_allclose(table["mean"], table["analytic"], atol=0.03)
    assert ((table["low"] < table["mean"]) & (table["mean"] < table["high"])).all()


def test_figure():
    table = prevalence.kappa_by_prevalence(
        {"baseline": [Matrix(9, 21, 18, 252)]}, levels=[0.1, 0.5], n_sets=5, seed=1
    )
    figure = prevalence.figure_by_prevalence(table, table)
    assert len(figure.axes) == 2
