"""Displays of kappa curves, ROC hulls and decision curves, and the style they share.

matplotlib is an extra (``pip install kappacurve[plots]``) and imported only to draw.
"""

from .displays import DecisionCurveDisplay, KappaCurveDisplay, RocHullDisplay

__all__ = ["DecisionCurveDisplay", "KappaCurveDisplay", "RocHullDisplay"]
