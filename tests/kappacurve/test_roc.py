import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, roc_curve

from kappacurve import kappa_curve, operating_point, roc_hull, roc_vertices
from kappacurve.algebra import along_segments


@pytest.mark.parametrize("decimals", [1, 8])
def test_vertices_are_those_of_scikit_learn(rng, decimals):
    y = rng.random(300) < 0.4
    score = rng.normal(size=300).round(decimals)
    weight = rng.integers(1, 5, 300).astype(float)
    for sample_weight in (None, weight):
        fpr, tpr, thresholds = roc_vertices(y, score, sample_weight=sample_weight)
        expected = roc_curve(y, score, sample_weight=sample_weight, drop_intermediate=False)
        np.testing.assert_allclose(fpr, expected[0], atol=1e-14)
        np.testing.assert_allclose(tpr, expected[1], atol=1e-14)
        np.testing.assert_array_equal(thresholds, expected[2])


def test_hull_drops_collinear_and_repeated_vertices():
    fpr = [0, 0, 0, 0.1, 0.2, 0.3, 0.6, 1, 1]
    tpr = [0, 0, 0.3, 0.4, 0.5, 0.6, 0.6, 1, 1]
    hull = roc_hull(fpr, tpr)
    assert hull.index.tolist() == [0, 2, 5, 7]


def test_hull_against_qhull(rng):
    from scipy.spatial import ConvexHull

    fpr = np.concatenate(([0], np.sort(rng.random(500)), [1]))
    tpr = np.concatenate(([0], np.sort(rng.random(500)), [1]))
    below = ConvexHull(np.column_stack((np.append(fpr, 1), np.append(tpr, 0))))
    corners = {i for i in below.vertices if i < len(fpr)}
    assert set(roc_hull(fpr, tpr).index.tolist()) == corners


@pytest.mark.parametrize(
    ("fpr", "tpr"),
    [
        ([[0, 1]], [[0, 1]]),
        ([], []),
        ([0.1, 1], [0, 1]),
        ([0, 0.5, 0.2, 1], [0, 0.2, 0.5, 1]),
        ([0, 1], [0]),
    ],
)
def test_polylines_that_are_none(fpr, tpr):
    with pytest.raises(ValueError, match="fpr and tpr"):
        roc_hull(fpr, tpr)


def test_kappa_curve_is_what_the_thresholds_give_and_the_operating_point_its_top(rng):
    y = rng.random(200) < 0.3
    for score in (rng.normal(size=200).round(1) + y, rng.normal(size=200).round() - y):
        for hull in (False, True):
            fpr, kappa, thresholds = kappa_curve(y, score, curve="hull" if hull else "raw")
            assert (fpr[0], fpr[-1], kappa[0], kappa[-1], thresholds[0]) == (0, 1, 0, 0, np.inf)
            for k, threshold in zip(kappa[1:-1], thresholds[1:-1], strict=True):
                assert k == pytest.approx(cohen_kappa_score(y, score >= threshold), abs=1e-13)
            first = int(np.argmax(kappa > kappa.max() - 1e-12))
            point = operating_point(y, score)
            assert (point.threshold, point.fpr) == (thresholds[first], fpr[first])
            assert point.kappa == pytest.approx(kappa[first], abs=1e-13)


def test_points_along_segments():
    fpr, tpr = along_segments([0, 0.1, 1], [0, 0.9, 1])
    assert np.diff(fpr).max() <= 0.005 + 1e-12
    assert np.diff(tpr).max() <= 0.005 + 1e-12
    assert len(fpr) == 1 + 180 + 180
    assert {(0.1, 0.9), (1.0, 1.0)} <= set(zip(fpr.tolist(), tpr.tolist(), strict=True))
    with pytest.raises(ValueError, match="step must be positive"):
        along_segments([0, 1], [0, 1], step=np.nan)
