"""Standard errors, intervals and tests."""

from kappacurve.inference.delong import delong_covariance, hanley_mcneil_standard_error
from kappacurve.inference.influence import auk_influence
from kappacurve.inference.results import wilson_interval

__all__ = [
    "auk_influence",
    "delong_covariance",
    "hanley_mcneil_standard_error",
    "wilson_interval",
]
