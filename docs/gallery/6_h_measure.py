"""
What does the H-measure average?
================================

The loss at the best threshold, over a distribution of costs. Hand's six panels show each step.
"""

import kappacurve as kc

rows = kc.read_scores("../scores.csv", label="class", positive="bad")
display = kc.HMeasureDisplay.from_predictions(rows.positive, rows.scores["linear"])
display.figure_.suptitle("From scores to H: rates, ROC hull, least loss, weights of the costs")

# %%
# **How to read it.** (c) is the least loss at each cost, below that of flagging all or nobody: H
# is the share of the area between them, weighted by (f). (e) is the weight that AUC gives to the
# costs: it follows from the scores, which is Hand's objection to it. Here c is the cost of a false
# positive, as in Hand's papers; it is 1 - c of the other pages.
