"""
How often two measures disagree
===============================

Fifty samples of two models: in which share of them do two measures order the models differently?
The intervals are Wilson's, for the share at 95 %.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

import kappacurve as kc
from kappacurve.plots.style import ONE_COLUMN, house_style

rng = np.random.default_rng(0)
y = np.repeat([0, 1], [160, 40])
first, second = (
    kc.batch_measures(y, rng.normal(size=(50, 200)) + shift * y) for shift in (1.2, 1.0)
)
kc.plot_rank_reversals(first, second)

# %%
# A result under every combination of choices, sorted: a specification curve.
table = pd.DataFrame(
    {
        "coding": ["a", "a", "b", "b"],
        "rows": [768, 786, 768, 786],
        "AUK": [0.21, 0.18, 0.16, 0.14],
    }
)
kc.plot_specifications(table, "AUK", {"coding": "coding", "rows": "rows"})

# %%
# A plot of your own in the same look.
with house_style():
    figure, axes = plt.subplots(figsize=(ONE_COLUMN, 2.5))
    axes.hist(first["auc"] - second["auc"], bins=15)
    axes.set(xlabel="AUC of the first less the second", ylabel="samples")
