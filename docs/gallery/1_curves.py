"""
ROC and kappa curves of two models
==================================

The linear model and the neural network on the 286 test rows of the reproduction. Marks show
where kappa is largest.
"""

import kappacurve as kc

rows = kc.read_scores("../scores.csv", label="class", positive="bad")
models = {name: rows.scores[name] for name in ("linear", "neural_net")}
curves = {name: kc.roc_vertices(rows.positive, score)[:2] for name, score in models.items()}
kc.plots.plot_curves(curves, prevalence=rows.positive.mean())

# %%
# The same curves' convex hulls: what choosing between thresholds at random attains.
kc.plots.plot_curves(curves, prevalence=rows.positive.mean(), curve="hull")

# %%
# One model with its 95 % confidence band. With 26 positives it is wide.
kc.KappaCurveDisplay.from_predictions(
    rows.positive, models["neural_net"], name="neural_net", level=0.95
)
