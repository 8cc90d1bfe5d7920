"""Standard errors, intervals and tests."""

from kappacurve.inference.grid import AukGrid, auk_grid
from kappacurve.inference.influence import covariance, hanley_mcneil_standard_error, influence
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    max_t,
    max_t_of_resamples,
    outward,
    wilson_interval,
)

__all__ = [
    "AukGrid",
    "Comparison",
    "Estimate",
    "auk_grid",
    "covariance",
    "hanley_mcneil_standard_error",
    "influence",
    "max_t",
    "max_t_of_resamples",
    "outward",
    "wilson_interval",
]
