"""
Hand's six diagnostic panels
============================

Scores, ROC curve with hull, minimum loss and the weight on costs behind the H-measure.
"""

import kappacurve as kc

rows = kc.read_scores("../scores.csv", label="class", positive="bad")
kc.HMeasureDisplay.from_predictions(rows.positive, rows.scores["neural_net"])
