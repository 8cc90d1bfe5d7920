"""Cohen's-kappa curves, the AUK, ROC convex hulls and the H-measure."""

import lazy_loader

# Not lazy like the rest: the function has its module's name, and whichever is bound last counts.
from kappacurve.measures import measures  # noqa: F401

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
