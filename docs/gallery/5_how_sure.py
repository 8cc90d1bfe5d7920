"""
How sure is my kappa curve?
===========================

With 26 positives, not very. ``level=0.95`` draws the band that holds the true kappa at any one
false positive rate.
"""

import matplotlib.pyplot as plt

import kappacurve as kc

rows = kc.read_scores("../scores.csv", label="class", positive="bad")
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
kc.KappaCurveDisplay.from_predictions(
    rows.positive, rows.scores["linear"], name="linear", level=0.95, ax=ax
)
figure.suptitle("With 26 positives the band is almost as wide as the curve is high")

# %%
# **How to read it.** The mark is the largest kappa in this sample, which is too high on average:
# chance helped to choose it. ``kappa_band(..., simultaneous=True)`` holds at all rates together
# and is wider.
