"""
AUK at another prevalence
=========================

A ROC curve does not change with the share of positives. Kappa does, and so does its area.
"""

import kappacurve as kc

rows = kc.read_scores("../scores.csv", label="class", positive="bad")
curves = {
    name: kc.roc_vertices(rows.positive, rows.scores[name])[:2] for name in ("linear", "neural_net")
}
kc.plots.plot_auk_by_prevalence(curves)
