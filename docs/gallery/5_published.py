"""
Is a published number possible?
===============================

Which AUKs a ROC curve with the published AUC can have at each prevalence. The line is the
published AUK: the pair is possible where the line is inside the band.
"""

import kappacurve as kc

kc.plots.plot_auk_bounds(0.7186, auk=0.1753)
print(kc.bounds.prevalence_intervals(0.7186, 0.1753))
