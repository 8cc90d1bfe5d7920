"""
Which threshold?
================

The one with the least expected cost, once you say what a missed positive costs. UCI gives 5 : 1
for German Credit: accepting a bad customer costs five times as much as refusing a good one.
"""

import matplotlib.pyplot as plt
import numpy as np

import kappacurve as kc

rows = kc.read_scores("../scores.csv", label="class", positive="bad")
score = rows.scores["linear"]
chosen = kc.cost_threshold(rows.positive, score, cost_ratio=5)
print(f"flag scores of at least {chosen.threshold:.3f}: fpr {chosen.fpr:.2f}, tpr {chosen.tpr:.2f}")

# %%
# The cost at every threshold, in units of a miss and a false alarm together:
thresholds = np.unique(score)
losses = [
    kc.expected_loss(rows.positive, score, cost_ratio=5, threshold=threshold)
    for threshold in thresholds
]
none, every = (
    kc.expected_loss(rows.positive, score, cost_ratio=5, threshold=end) for end in (np.inf, -np.inf)
)
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
ax.step(thresholds, losses, where="pre", label="linear model")
ax.axhline(none, color="0.4", linestyle="--", label="flag nobody")
ax.plot(chosen.threshold, chosen.loss, "o", color="black", label="least cost")
ax.set(xlabel="flag scores of at least", ylabel="expected cost per row", ylim=(0, None))
ax.legend(loc="upper right")
figure.suptitle(
    f"The best threshold saves {1 - chosen.loss / none:.0%} of the cost of flagging nobody"
)

# %%
# **How to read it.** Left, everyone is flagged; right, nobody. A flat valley means that the exact
# threshold matters little, a narrow one that it was found by chance. On the rows on which it was
# chosen a threshold looks too good: choose it on training rows, report its cost on others.
