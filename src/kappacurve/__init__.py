"""Cohen's-kappa curves, the AUK, ROC convex hulls and the H-measure."""

from kappacurve.curves import kappa_curve, kappa_from_rates, roc_hull, roc_vertices
from kappacurve.measures import auk_score, measures

__version__ = "0.1.0"

__all__ = [
    "auk_score",
    "kappa_curve",
    "kappa_from_rates",
    "measures",
    "roc_hull",
    "roc_vertices",
]
