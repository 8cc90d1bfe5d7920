"""
Is this paper's AUK possible?
=============================

An AUC and a prevalence leave a range for AUK. These are the numbers printed for the neural network
of Kaymak, Ben-David & Potharst (2010, Table 4), whose text says that 11 % of the rows are
positive.
"""

import matplotlib.pyplot as plt

import kappacurve as kc

auc, auk, stated = 0.7186, 0.1753, 0.11
possible = kc.bounds.prevalence_intervals(auc, auk)
print("Possible at prevalences", " and ".join(f"{low:.3f} to {high:.3f}" for low, high in possible))

# %%
# The same as a picture:
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
kc.plots.plot_auk_bounds(auc, auk=auk, ax=ax)
ax.axvline(stated, color="0.4", linewidth=0.8)
ax.text(stated + 0.01, 0.01, "stated")
ax.legend(loc="lower center")
figure.suptitle(f"AUC {auc} and AUK {auk} cannot belong together at {stated:.0%} positives")

# %%
# **How to read it.** The horizontal line is the printed AUK. Where it runs inside a band, some ROC
# curve has both numbers: the darker band is for convex hulls (as in Table 4), the lighter one for
# any curve. At 11 % positives it runs above both. It fits around 89 %, which is the share of
# *good* customers. For your numbers: ``kappacurve audit --auc 0.7186 --auk 0.1753 --prevalence
# 0.11``.
