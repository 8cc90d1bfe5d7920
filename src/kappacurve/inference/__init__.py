"""Standard errors, intervals and tests, in one place.

======================  ==========================  ===============================
measure                 interval                    two scores of the same rows
======================  ==========================  ===============================
AUC                     :func:`delong_interval`     :func:`delong_test`
AUK, exact              :func:`auk_interval`        :func:`auk_test`
any, hulls included     :func:`bootstrap_intervals` :func:`bootstrap_tests`
======================  ==========================  ===============================

:func:`unpaired_test` compares any two estimates from different rows.
"""

from kappacurve.inference.bootstrap import bootstrap_intervals, bootstrap_tests, kappa_band
from kappacurve.inference.delong import (
    delong_covariance,
    delong_interval,
    delong_test,
    hanley_mcneil_standard_error,
    unpaired_test,
)
from kappacurve.inference.influence import auk_influence, auk_interval, auk_test
from kappacurve.inference.results import Comparison, Estimate

__all__ = [
    "Comparison",
    "Estimate",
    "auk_influence",
    "auk_interval",
    "auk_test",
    "bootstrap_intervals",
    "bootstrap_tests",
    "delong_covariance",
    "delong_interval",
    "delong_test",
    "hanley_mcneil_standard_error",
    "kappa_band",
    "unpaired_test",
]
