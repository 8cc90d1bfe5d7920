"""
My AUC and AUK disagree: now what?
==================================

Neither is wrong. Both are the area under a kappa curve, at two costs of a missed positive: AUK at
c = 1/2, where it costs as much as a false alarm; AUC - 1/2 at c = 1 - prevalence. First look
whether both differences are more than chance.
"""

import matplotlib.pyplot as plt

import kappacurve as kc

rows = kc.read_scores("../two_models.csv", label="positive", positive=1)
print(*kc.compare(rows.positive, rows.scores).conclusion, sep="\n")

# %%
# They are, so the models do cross. The profile shows who leads at which cost:
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
display = kc.AukProfileDisplay.from_predictions(rows.positive, rows.scores, ax=ax)
ax.set(xlim=(0.4, 0.95), ylim=(0.1, 0.45))
low_cost, high_cost = display.profile.leaders
tie = high_cost.low
figure.suptitle(
    f"{low_cost.model} leads while a missed positive costs less than "
    f"{tie / (1 - tie):.1f} false alarms, then {high_cost.model}"
)

# %%
# **How to read it.** Find your cost on the horizontal axis: c = 0.8 means that a missed positive
# costs 0.8 / 0.2 = 4 false alarms. Take the model that is higher there. The circle is where the
# two tie, the bands are 95 % intervals: near the circle the choice hardly matters. AUK and AUC are
# the two dotted lines, so they disagree exactly if the circle lies between them. :doc:`/cost` has
# the algebra.
