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
