"""
AUK at every cost
=================

Two models whose ROC curves cross. AUC and AUK are values of one profile, so they may disagree: the
circle shows the cost of a missed positive at which the models tie.
"""

import numpy as np
from scipy.stats import norm

import kappacurve as kc

y = np.repeat([0, 1], [900, 100])
spread = np.concatenate([norm.ppf((np.arange(n) + 0.5) / n) for n in (900, 100)])
scores = {
    "A": spread * np.where(y, 0.7, 1) + 1.45 * y,
    "B": spread * np.where(y, 1.45, 1) + 1.9 * y,
}
kc.AukProfileDisplay.from_predictions(y, scores)

# %%
# The ROC curves behind it.
kc.plots.plot_curves({name: kc.roc_vertices(y, score)[:2] for name, score in scores.items()}, 0.1)


# %%
# Their decision curves, from the true probabilities; and those of A from a balanced sample,
# which are too high here. The shaded gap is what recalibration would gain.
display = None
for name, model, prevalence in (("A", "A", 0.1), ("B", "B", 0.1), ("A, balanced", "A", 0.5)):
    mean, deviation = {"A": (1.45, 0.7), "B": (1.9, 1.45)}[model]
    ones = prevalence * norm.pdf(scores[model], mean, deviation)
    probability = ones / (ones + (1 - prevalence) * norm.pdf(scores[model]))
    display = kc.DecisionCurveDisplay.from_predictions(
        y, probability, name=name, ax=display and display.ax_
    )
