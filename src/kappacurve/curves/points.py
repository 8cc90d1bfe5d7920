"""A curve as a table: what each threshold of a model brings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..validation import check_cost_ratio, check_prevalence, check_sample
from .curve import kappa
from .kernels import sort_and_count


def curve_points(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    cost_ratio: float = 1.0,
) -> pd.DataFrame:
    """Counts, rates, precision, kappa and net benefit at every threshold, as a table.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); finite scores, higher for positives.
    sample_weight : array-like of shape (n_samples,), default None
        Weights, not negative; 2 counts as two equal rows, and 0 as none.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), default None
        Share of positives at which precision, kappa and net benefit are evaluated; by default that
        of the rows. The counts are always those of the rows.
    cost_ratio : float in (0, inf), default 1.0
        Cost of a missed positive in false alarms, for kappa and net benefit.

    Returns
    -------
    DataFrame of n_distinct + 1 rows
        One row per distinct score, from the highest threshold down, after a first row that flags
        nobody; rows with at least the threshold's score are flagged.

        - threshold : falls from infinity
        - true_positives, false_positives, false_negatives, true_negatives : counts, or sums of
          weights
        - fpr, tpr : false and true positive rate (recall), in [0, 1]
        - precision : share of positives among the flagged; NaN where nobody is flagged
        - kappa : Cohen's kappa, or kappa at the cost ratio (see :func:`kappa_from_rates`)
        - net_benefit : p t - (1-p) f / `cost_ratio`, in found positives per row. At the threshold
          probability tau the cost ratio is (1 - tau) / tau.

    Raises
    ------
    ValueError
        If the rows or an argument are not valid; the message says what to do.

    See Also
    --------
    operating_point : The best threshold under a constraint or at a cost.
    roc_hull : Takes the columns fpr and tpr.

    References
    ----------
    The counts are those of scikit-learn's ``confusion_matrix_at_thresholds``, and the columns have
    the shape of its ``metric_at_thresholds``. Kaymak, Ben-David & Potharst (2010), equation 19, for
    kappa; Vickers & Elkin (2006) for net benefit.

    Examples
    --------
    >>> points = curve_points([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> points[["threshold", "true_positives", "false_positives", "precision", "kappa"]].round(2)
       threshold  true_positives  false_positives  precision  kappa
    0        inf             0.0              0.0        NaN    0.0
    1        0.8             1.0              0.0       1.00    0.5
    2        0.4             2.0              1.0       0.67    0.5
    3        0.1             2.0              2.0       0.50    0.0
    >>> from kappacurve import roc_hull
    >>> roc_hull(points["fpr"], points["tpr"]).index
    array([0, 1, 2, 3])
    """
    sample = check_sample(y_true, {"": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    ratio = check_cost_ratio(cost_ratio)
    p = sample.prevalence if prevalence is None else check_prevalence(prevalence)
    fps, tps, thresholds = sort_and_count(
        sample.positive, sample.scores[""], sample.weight, joined=False
    )
    f, t = fps / fps[-1], tps / tps[-1]
    with np.errstate(invalid="ignore"):
        precision = p * t / (p * t + (1 - p) * f)
    return pd.DataFrame(
        {
            "threshold": thresholds,
            "true_positives": tps,
            "false_positives": fps,
            "false_negatives": tps[-1] - tps,
            "true_negatives": fps[-1] - fps,
            "fpr": f,
            "tpr": t,
            "precision": precision,
            "kappa": kappa(f, t, p, ratio),
            "net_benefit": p * t - (1 - p) * f / ratio,
        }
    )
