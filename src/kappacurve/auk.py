"""Areas under ROC and kappa curves that are given by their vertices."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from kappacurve._validation import FloatArray, check_prevalence
from kappacurve.kappa import kappa_from_rates

Integration = Literal["exact", "trapezoid"]


def area_under_curve(fpr: FloatArray, tpr: FloatArray) -> float:
    """Area under a ROC polyline: over all vertices the Mann-Whitney statistic, ties counted half.

    Equation 9 of Kaymak, Ben-David & Potharst (2010); vertices from (0, 0) to (1, 1).

    >>> area_under_curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
    0.75
    """
    return float(np.trapezoid(tpr, fpr))


def area_under_kappa(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, *, integration: Integration = "exact"
) -> float:
    """Area under the kappa curve (AUK) of a ROC polyline.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_vertices,)
        Vertices of a ROC curve or hull from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
    integration : {"exact", "trapezoid"}, default "exact"
        "exact" integrates kappa along the straight ROC segments in closed form, so collinear
        vertices change nothing. "trapezoid" joins the kappa values at the vertices by straight
        lines, as a short script would; it depends on which vertices are there.

    Returns
    -------
    float in (-1, 1)
        For p = 1/2 it equals AUC - 1/2.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 19 and 21.

    Examples
    --------
    The perfect classifier at 10 % prevalence, by both rules:

    >>> perfect = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    >>> round(area_under_kappa(*perfect, 0.1), 5)
    0.25295
    >>> area_under_kappa(*perfect, 0.1, integration="trapezoid")
    0.5
    """
    check_integration(integration)
    p = check_prevalence(prevalence)
    if integration == "trapezoid":
        return float(np.trapezoid(kappa_from_rates(fpr, tpr, p), fpr))
    return float(areas_under_kappa(np.asarray(fpr), np.asarray(tpr), p))


def areas_under_kappa(fpr: FloatArray, tpr: FloatArray, prevalence: FloatArray) -> FloatArray:
    """Exact AUK of each polyline (..., n_vertices) at its prevalence (...), unchecked."""
    # Here, not above: importing numba takes a good part of a second.
    from kappacurve import _kernels as kernels

    p = np.array(prevalence, dtype=np.float64)
    f, t = (
        np.array(rates, dtype=np.float64).reshape(p.size, rates.shape[-1]) for rates in (fpr, tpr)
    )
    return np.asarray(kernels.kappa_segments(f, t, p.ravel()).sum(axis=1).reshape(p.shape))


def kappa_segment(width: Any, height: Any, start: Any, end: Any, shares: Any) -> Any:
    """Integral of kappa along a straight ROC segment, in closed form.

    Takes the false and true positives that the segment gains, kappa's terms at both ends, and its
    shares. With u from -1 to 1 along the segment kappa's numerator is m + h u and its denominator
    c (1 + z u): it adds

        width / c * [m (1 + z^2 R) - h z R],   R = (atanh(z)/z - 1) / z^2,

    and R is 1/3 + z^2/5 + z^4/7 + ... where z is small. numba compiles this for ``_kernels``.
    """
    above0, below0 = start
    above1, below1 = end
    inverse = 1.0 / (below0 + below1)
    z = shares[4] * (shares[0] * width + shares[1] * height) * inverse
    w = z * z
    if w < 1e-8:
        tail = 1.0 / 3.0 + w / 5.0
    elif w < 0.01:  # the series; beyond, the logarithm keeps enough digits
        tail = 0.0
        for k in range(19, 1, -2):
            tail = tail * w + 1.0 / k
    else:
        tail = (0.5 * math.log(below1 / below0) / z - 1.0) / w
    mean = (above0 + above1) * (1.0 + z * z * tail) - (above1 - above0) * z * tail
    return width * mean * inverse


def check_integration(integration: str) -> None:
    """Raise if there is no such integration rule."""
    if integration not in ("exact", "trapezoid"):
        raise ValueError(f'integration must be "exact" or "trapezoid", got {integration!r}.')


def perfect_auk(prevalence: float) -> float:
    """AUK of the classifier that makes no error, the largest at this prevalence.

    It is 1/2 at p = 1/2, and tends to 0 with p and to 1 with 1 - p.

    >>> [round(perfect_auk(p), 3) for p in (0.1, 0.5, 0.9)]
    [0.253, 0.5, 0.597]
    """
    return area_under_kappa(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), prevalence)
