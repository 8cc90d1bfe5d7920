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
