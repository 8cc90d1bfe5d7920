"""Standard errors, intervals and tests."""

from kappacurve.inference.influence import covariance, hanley_mcneil_standard_error, influence
from kappacurve.inference.results import Comparison, Estimate, wilson_interval

__all__ = [
    "Comparison",
    "Estimate",
    "covariance",
    "hanley_mcneil_standard_error",
    "influence",
    "wilson_interval",
]
