"""
I undersampled
==============

A ROC curve stays the same in expectation when negatives are dropped. AUK does not: it depends on
the share of positives. Here 2400 of 2700 negatives go, and half of the rows left are positive.
"""

import matplotlib.pyplot as plt
import numpy as np

import kappacurve as kc

rows = kc.read_scores("../two_models.csv", label="positive", positive=1)
negatives = np.flatnonzero(~rows.positive)
kept = np.union1d(np.flatnonzero(rows.positive), negatives[::9])
y, score = rows.positive[kept], rows.scores["A"][kept]
print(f"all rows                          {kc.auk_score(rows.positive, rows.scores['A']):.3f}")
print(f"undersampled                      {kc.auk_score(y, score):.3f}")
print(f"undersampled, prevalence stated   {kc.auk_score(y, score, prevalence=0.1):.3f}")

# %%
# So state the prevalence of the population. The curve shows what AUK is at each of them:
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
curves = {name: kc.roc_vertices(y, rows.scores[name][kept])[:2] for name in rows.scores}
kc.plots.plot_auk_by_prevalence(curves, ax=ax)
ax.axvline(0.1, color="0.4", linewidth=0.8)
ax.set_ylim(0, None)
ax.text(0.11, 0.01, "population")
figure.suptitle("The same rows: A leads at 50 % positives, B at 10 %")

# %%
# **How to read it.** Marks are AUC - 1/2, which is AUK at one half: the balanced sample's own AUK
# only repeats AUC. At the population's prevalence AUK looks at the lowest false positive rates,
# and few negatives are left to describe them, so look at the interval too:
for name, positive, scores in [
    ("all rows", rows.positive, rows.scores),
    ("undersampled", y, {name: own[kept] for name, own in rows.scores.items()}),
]:
    found = kc.compare(positive, scores, prevalence=0.1).tests.set_index("measure").loc["auk"]
    print(f"{name}: B - A {-found.difference:.3f}, 95 % from {-found.high:.3f} to {-found.low:.3f}")
