"""Areas under ROC and kappa curves that are given by their vertices."""

from __future__ import annotations

from typing import Literal

import numpy as np

from kappacurve._validation import FloatArray, check_prevalence
from kappacurve.roc import kappa_from_rates, kappa_terms

Integration = Literal["exact", "trapezoid"]


def area_under_curve(fpr: FloatArray, tpr: FloatArray) -> float:
    """Area under a ROC polyline.

    Over all vertices this is the Mann-Whitney statistic with ties counted one half.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_vertices,)
        Vertices from (0, 0) to (1, 1).

    Returns
    -------
    float in [0, 1]

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 9.

    Examples
    --------
    >>> area_under_curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
    0.75
    """
    return float(np.trapezoid(tpr, fpr))


def area_under_kappa(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: float,
    *,
    integration: Integration = "exact",
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

    Raises
    ------
    ValueError
        If the prevalence is not strictly between 0 and 1, or the integration is unknown.

    See Also
    --------
    kappacurve.auk_score : The same from labels and scores.

    Notes
    -----
    With u from -1 to 1 along a segment, kappa's numerator (equation 19) is m + h u and its
    denominator c (1 + z u), so that the segment contributes

        (f1 - f0) / c * [m (1 + z^2 R) - h z R],   R = (atanh(z)/z - 1) / z^2,

    and R is 1/3 + z^2/5 + z^4/7 + ... where z is small.

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
    p = float(check_prevalence(prevalence))
    if integration == "trapezoid":
        return float(np.trapezoid(kappa_from_rates(fpr, tpr, p), fpr))
    above, below = kappa_terms(fpr, tpr, p)
    start, end = below[:-1], below[1:]
    both = start + end
    z = (1 - 2 * p) * ((1 - p) * np.diff(fpr) + p * np.diff(tpr)) / both
    tail = _log_tail(z, start, end)
    mean = (above[:-1] + above[1:]) * (1 + z * z * tail) - np.diff(above) * z * tail
    return float(np.sum(np.diff(fpr) * mean / both))


def check_integration(integration: str) -> None:
    """Refuse a rule of integration that does not exist."""
    if integration not in ("exact", "trapezoid"):
        raise ValueError(f'integration must be "exact" or "trapezoid", got {integration!r}.')


def perfect_auk(prevalence: float) -> float:
    """AUK of the classifier that makes no error, the largest at this prevalence.

    Parameters
    ----------
    prevalence : float in (0, 1)

    Returns
    -------
    float in (0, 1)
        1/2 at p = 1/2; it tends to 0 with p and to 1 with 1 - p.

    Raises
    ------
    ValueError
        If the prevalence is not strictly between 0 and 1.

    See Also
    --------
    kappacurve.auk_score : ``normalize=True`` divides by it.

    Examples
    --------
    >>> [round(perfect_auk(p), 3) for p in (0.1, 0.5, 0.9)]
    [0.253, 0.5, 0.597]
    """
    return area_under_kappa(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), prevalence)


def _log_tail(z: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """Return (atanh(z) / z - 1) / z**2 for z = (end - start) / (end + start)."""
    w = z * z
    near = w < 0.01  # here the quotient would lose digits: 1/3 + w/5 + w^2/7 + ... instead
    series = np.polyval(1 / np.arange(19.0, 1.0, -2.0), np.where(near, w, 0.0))
    far = np.where(near, 1.0, z)
    return np.where(near, series, (0.5 * np.log(end / start) / far - 1) / (far * far))
