"""
What is a model worth at my cost?
=================================

A decision curve answers for everyone's cost at once: net benefit at the threshold probability from
which on you would act. Here the scores' true densities are known, so they become probabilities.
"""

import matplotlib.pyplot as plt
from scipy.stats import norm

import kappacurve as kc

rows = kc.read_scores("../two_models.csv", label="positive", positive=1)
positives = {"A": norm(1.1, 0.6), "B": norm(1.9, 2.0)}
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for name, prevalence in (("A", 0.1), ("B", 0.1), ("A", 0.5)):
    ones = prevalence * positives[name].pdf(rows.scores[name])
    probability = ones / (ones + (1 - prevalence) * norm.pdf(rows.scores[name]))
    label = name if prevalence == 0.1 else "A, as if balanced"
    kc.DecisionCurveDisplay.from_predictions(rows.positive, probability, name=label, ax=ax)
figure.suptitle("Probabilities from a balanced sample can be worth less than nothing")

# %%
# **How to read it.** Acting from the probability 0.2 on means that a missed positive costs four
# false alarms. A curve above both grey ones (act on all, on nobody) is worth using. The shaded
# gap is what recalibration would gain: A's order is the same, but trained on a balanced sample its
# probabilities are too high. :doc:`/cost` shows kappa, net benefit and H as one object.
